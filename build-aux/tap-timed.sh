#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# tap-timed.sh - Automake's driver for TAP; notes in the results how long the test took.

# A line ":test-seconds: WALL USER SYSTEM" follows the others of the .trs file. Automake skips
# fields it does not know.

previous=
for argument do
	test "$previous" != --trs-file || trs_file=$argument
	previous=$argument
done
began=$(date +%s%N)
"${SHELL:-/bin/sh}" "${0%/*}/tap-driver.sh" "$@"
status=$?
milliseconds=$((($(date +%s%N) - began) / 1000000))
ticks=$(getconf CLK_TCK)
printf ':test-seconds: %d.%03d %s\n' $((milliseconds / 1000)) $((milliseconds % 1000)) \
	"$(awk '{ print $16 / '"$ticks"', $17 / '"$ticks"' }' /proc/$$/stat)" >>"$trs_file"
exit $status
