#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Bspgauge says how long the least number of samples takes where --seconds is less.
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

done_testing
