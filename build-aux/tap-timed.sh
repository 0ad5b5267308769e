#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# tap-timed.sh - Automake's driver for TAP; notes in the results how long the test took.

# A line ":test-seconds: WALL USER SYSTEM" follows the others of the .trs file. Automake skips
# fields it does not know. From the second TESTS_UNTIL on (since 1970) tests are skipped.

previous=
for argument do
	test "$previous" != --trs-file || trs_file=$argument
	previous=$argument
done

# The driver's arguments are its options, --, and the test.
if test "${TESTS_UNTIL-}" && test "$(date +%s)" -ge "$TESTS_UNTIL"; then
	left=$#
	while test $left -gt 0; do
		option=$1
		shift
		set -- "$@" "$option"
		left=$((left - 1))
		test "$option" != -- || break
	done
	shift $left
	set -- "$@" echo "1..0 # SKIP no time is left (CHECK_SECONDS)"
fi
unset TESTS_UNTIL

began=$(date +%s%N)
"${SHELL:-/bin/sh}" "${0%/*}/tap-driver.sh" "$@"
status=$?
milliseconds=$((($(date +%s%N) - began) / 1000000))
ticks=$(getconf CLK_TCK)
printf ':test-seconds: %d.%03d %s\n' $((milliseconds / 1000)) $((milliseconds % 1000)) \
	"$(awk '{ print $16 / '"$ticks"', $17 / '"$ticks"' }' /proc/$$/stat)" >>"$trs_file"
exit $status
