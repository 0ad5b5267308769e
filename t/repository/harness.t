#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The tests' own library: what should fail does, and says why.

. "${0%/*}/../lib/env.sh"

sample=$top_builddir/t/lib/harness-sample
test -x "$sample" || bail "no $sample: make check builds it"

# run NAME: $out and $status of that sample
run()
{
	out=$("$sample" "$1" 2>"$tap_dir/err")
	status=$?
}

# passes N and fails N: does line N say so?
passes()
{
	like "^ok $1( |\$)" "$out" "$2"
}

fails()
{
	like "^not ok $1( |\$)" "$out" "$2"
}

run good
is 0 "$status" "a good test ends with status 0"
is "ok 1 - one is 1
ok 2 - two
ok 3 - three
ok 4 - four
ok 5 - five
ok 6 # SKIP six is not here
1..6" "$out" "a good test says nothing but ok, and its plan"

run bad
is 1 "$status" "a bad test ends with status 1"
is 6 "$(echo "$out" | grep -c '^not ok')" "every kind of check can fail"
like '^# .*harness-sample\.c:[0-9]+: wanted 2, seen 3$' "$out" "place, wanted and seen are told"
like '^# .*byte 2 of 4: wanted 0x63, seen 0x78$' "$out" "the first byte that differs is told"

run planned
is 1 "$status" "fewer checks than planned are a failure"

run nothing
is 1 "$status" "no check at all is a failure"

run needless
is 0 "$status" "a test that is skipped ends with status 0"
like '^1\.\.0 # SKIP nothing to test$' "$out" "and says why"

run inapplicable
is 0 "$status" "a test of which nothing applies ends with status 0"
is "# not applicable: two processes
# not applicable: three processes
1..0 # SKIP not applicable: two processes" "$out" "and has no check"

run split
passes 1 "a check that passes on all processes is one ok"
fails 2 "a check that fails on one process is one not ok"
like '^# process 1, .*: wanted 0, seen 1$' "$out" "and the process is named"
passes 3 "the job itself has ended well"
is 1..3 "$(echo "$out" | tail -n 2 | head -n 1)" "there are no other lines"
is 1 "$status" "a failure in a job is one of the test"

run fallen
fails 1 "a process that is killed fails its job, and the others are ended"

run late
passes 1 "a process that begins after its parent has ended is not left behind"

run deaths
passes 1 "dies_ok takes a message with prefix, place, process and superstep"
fails 2 "dies_ok refuses another message"
fails 3 "dies_ok refuses no message"
fails 4 "dies_ok refuses two messages"
fails 5 "dies_ok refuses another place"
fails 6 "dies_ok refuses another process"
fails 7 "dies_ok refuses a crash"
fails 8 "dies_ok refuses status 0"
fails 9 "lives_ok refuses another status than 0"
passes 10 "lives_ok takes status 0"

TAP_LOADAVG=$tap_dir/loadavg
export TAP_LOADAVG
processors=$(getconf _NPROCESSORS_ONLN)
echo "0.00 0.00 0.00 1/1 1" >"$TAP_LOADAVG"
TAP_TIMEOUT=1 run leftover
is 1 "$status" "a process that is left alive ends the test"
like '^Bail out! ' "$out" "and it bails out"
run early-alarm
is "0 2" "$status $(echo "$out" | grep -c '^ok')" "an alarm before the limit ends nothing"

# limits_are LOAD TIMEOUT: in C and in shell, for 60, 1 and 600 seconds, and a setting of 120
limits_are()
{
	echo "$1 0.00 0.00 1/1 1" >"$TAP_LOADAVG"
	in_c=$(TAP_TIMEOUT=$2 "$sample" limits | head -n 2 | tr '\n' ' ')
	in_shell=$(TAP_TIMEOUT=$2 && echo "$(limit) $(limit 1) $(limit 600) $(limit 120)")
	test "${in_c% }" = "$in_shell" && echo "$in_shell" || echo "$in_c in C, $in_shell"
}
is "60 1 600 120" "$(limits_are 0.99 60)" "limits on a quiet machine"
is "300 5 3000 600" "$(limits_are 0.99 300)" "with TAP_TIMEOUT they are longer"
is "300 5 3000 600" "$(limits_are $((4 * processors)).50 60)" "with more tasks they are longer"
is "1 1 10 2" "$(limits_are 0.00 1)" "none is less than a second"
is 60 "$(TAP_LOADAVG=/dev/null TAP_TIMEOUT=60 && limit)" "without a load there are limits"
is "2 10" "$(echo 0.5 >"$TAP_LOADAVG" && scaled 2) $(echo $((4 * processors)).5 >"$TAP_LOADAVG" &&
	scaled 2)" "times in settings grow with the tasks alone"

echo 0.00 >"$TAP_LOADAVG"
turns=0
third()
{
	turns=$((turns + 1))
	test $turns -eq 3
}
until_true third
is "0 3" "$? $turns" "until_true waits for what comes"
out=$(TAP_TIMEOUT=1 && until_true false)
is 1 $? "and not for what does not"
like '^# not true after [0-9]+ s: false$' "$out" "which it says"
unset TAP_LOADAVG

run missing
fails 1 "lives_ok misses a process that was never seen"
like 'process 1 of 2 was never seen' "$out" "and names it"

run bails
is "Bail out! enough" "$out" "a job can bail out"

run outputs
passes 1 "the status of a job is known"
passes 2 "what a job writes is kept, and BSP_NPROCS was set"
passes 3 "what it writes to standard error is kept apart"

# the same for tap.sh
out=$(
	tap_made=0 tap_failed=0 tap_planned=
	ok 0 good
	is a b differs
	like 'x+' yxx matches
	none "" nothing
	skip "not here"
	done_testing
)
is 1 $? "a failed check of a script fails it"
is "# not applicable: two hosts
1..0 # SKIP not applicable: two hosts" \
	"$(tap_made=0 tap_planned='' && not_applicable "two hosts" && done_testing)" \
	"a script of which nothing applies has no check"
is "ok 1 - good
not ok 2 - differs
# wanted: a
# seen:   b
ok 3 - matches
ok 4 - nothing
ok 5 # SKIP not here
1..5
# 1 of 5 checks failed" "$out" "checks of scripts speak TAP"

done_testing
