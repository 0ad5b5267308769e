#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Bspgauge says how long the least number of samples takes where --seconds is less, and a module
# leaves the time that it does not spend to those after it.
# shellcheck disable=SC1090,SC2034,SC2154

. "${0%/*}/../lib/env.sh"
. "$top_srcdir/t/lib/installed.sh"

short="-n 2 --module shm --pattern one_one --sizes 1:64 --seconds 0.000001"

# shellcheck disable=SC2086
bspgauge $short --csv csv >table 2>errors
ok $? "a microsecond is not enough, and it is measured"
number='[0-9][0-9.e+-]*'
like "^bspgauge: module shm: 1e-06 s is too short for 3 samples of each value, which take about \
$number s; --pattern, --sizes and --module measure less\$" "$(cat errors)" "that is said"
is 1 "$(grep -c . errors)" "in one line"
is 4 "$(grep -c ',one_one,us,' csv)" "each size has a value" || diag "$(cat csv)"
# shellcheck disable=SC2086
bspgauge $short --quiet --csv csv 2>errors
none "$(cat errors)" "with --quiet nothing is said"
bspgauge -n 2 --module emu --emulate gigabit,cpu=0 --pattern one_one --sizes 1:64 --seconds 600 \
	>table 2>errors
none "$(cat errors)" "nor is it if there is time"

# share_of_tcp PID: the --seconds of its job of module tcp, when that is under way
share_of_tcp()
{
	job=$(ps -o pid= --ppid "$1" | head -n 1 | tr -d ' ')
	test "$job" && tr '\0' ' ' <"/proc/$job/cmdline" 2>/dev/null >words &&
		sed -n 's/.* --module tcp .* --seconds \([0-9.]*\) .*/\1/p' words >share &&
		test -s share
}

# Values of an emulated network agree at once, so it needs a small part of half the time.
bspgauge -n 2 --module emu,tcp --emulate gigabit,cpu=0 --pattern one_one --sizes 1:4 \
	--seconds 6000 >table 2>errors &
pid=$!
until_true share_of_tcp $pid
ok $? "the second module is measured"
awk '{ exit !($1 > 4500 && $1 <= 6000) }' share
ok $? "with the time that the first one left: $(cat share) of 6000 s"
kill -TERM $pid
wait $pid 2>/dev/null
kill -TERM "$job" 2>/dev/null

done_testing
