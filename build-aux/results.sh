# SPDX-License-Identifier: BSD-3-Clause
# results.sh - what came out of tests: counts, skips, times; check.sh reads it after setup.sh.
# shellcheck shell=sh disable=SC2154

# Counted are lines of TAP, as Automake's driver has written them to .trs and .log files. A test
# that is "not applicable" where it was run counts for nothing: it is no part of that list.
#
# Every other skip has a reason. With CI=true a reason that t/allowed-skips does not have is a
# failure: there all that can be installed is. A reason "no NAME here" is want of a program.

passed=0
failed=0
skipped=0
results=$build/log/results
allowed_skips=t/allowed-skips

# begin_results: nothing has been counted yet
begin_results()
{
	rm -rf "$results"
	mkdir -p "$results"
	: >"$results/skips"
	: >"$results/times"
}

# note_skip STEP TEST REASON
note_skip()
{
	printf '%s\t%s\t%s\n' "$@" >>"$results/skips"
	skipped=$((skipped + 1))
}

# skips_in DIRECTORY: test, tab, reason; a line for each that is no "not applicable"
skips_in()
{
	optional='\([0-9]* \)\{0,1\}\(- \)\{0,1\}\(.*# SKIP \)\{0,1\}'
	sed -n "s/^SKIP: t\/\([^ ]*\)\.t $optional/\1\t/p" "$1"/t/*/*.log 2>/dev/null |
		grep -v '	not applicable: '
}

# times_in DIRECTORY: wall, user and system seconds, test
times_in()
{
	for file in "$1"/t/*/*.trs; do
		name=${file#"$1"/t/}
		sed -n "s|^:test-seconds: \(.*\)|\1 ${name%.trs}|p" "$file"
	done 2>/dev/null
}

# count_results DIRECTORY STEP: one for every line of TAP; that a test with failures also ends
# with status 1 is no further failure. True if some have failed.
count_results()
{
	counts=$(for file in "$1"/t/*/*.trs; do
		cat "$file" && grep '^ERROR: .* - exited with status 1$' "${file%.trs}.log"
		echo
	done 2>/dev/null | awk '
		/^:test-result: (PASS|XFAIL)/ { passed++ }
		/^:test-result: (FAIL|XPASS)/ { failed++; here++ }
		/^:test-result: ERROR/ { failed++ }
		/^ERROR: / { failed -= here > 0 }
		/^$/ { here = 0 }
		END { print passed + 0, failed + 0 }')
	skips_in "$1" >"$results/new"
	sed "s/^/$2	/" "$results/new" >>"$results/skips"
	times_in "$1" | sed "s/$/ $2/" >>"$results/times"
	new=$(grep -c . "$results/new")
	if test "$counts" = "0 0" && test "$new" -eq 0; then
		say "no test was run"
		counts="0 1"
	fi
	passed=$((passed + ${counts% *}))
	failed=$((failed + ${counts#* }))
	skipped=$((skipped + new))
	test "${counts#* }" -gt 0
}

# show_failures DIRECTORY: what the tests that failed have said, but for what was right
show_failures()
{
	grep -lE '^:test-result: (FAIL|ERROR|XPASS)' "$1"/t/*/*.trs | while read -r file; do
		say "--- ${file%.trs}"
		grep -vE '^(ok|PASS)' "${file%.trs}.log" | head -n 40
	done
}

# patterns: those of t/allowed-skips
patterns()
{
	grep -v '^#' "$allowed_skips" | grep .
}

# unexpected_skips: how many there are, and "TEST: REASON", of those whose reason is not allowed
unexpected_skips()
{
	patterns >"$results/patterns"
	cut -f 2- "$results/skips" | sed 's/	/: /' | grep -vEf "$results/patterns" |
		sort | uniq -c
}

# stale_patterns: allow what no test has given as its reason
stale_patterns()
{
	cut -f 2- "$results/skips" | sed 's/	/: /' >"$results/reasons"
	patterns | while read -r pattern; do
		grep -qE -e "$pattern" "$results/reasons" || say "$pattern"
	done
}

# missing_programs: "NAME (how often)", for want of which tests were skipped
missing_programs()
{
	cut -f 3 "$results/skips" |
		sed -n 's/^.*: no \(.*\) here$/\1/p; t; s/^no \(.*\) here$/\1/p' |
		sort | uniq -c | awk '{ n = $1; $1 = ""; print substr($0, 2) " (" n ")" }'
}

# report_results: how long tests took, what was skipped and why; with CI=true unexpected skips fail
report_results()
{
	sort -rn "$results/times" | head -n 20 >"$build/log/slowest"
	say "the 20 slowest tests (wall, user and system seconds): $build/log/slowest"
	unexpected=$(unexpected_skips)
	if test "${CI-}" = true && test "$unexpected"; then
		say "--- skipped, with a reason that is not in $allowed_skips:"
		say "$unexpected"
		failed=$((failed + $(say "$unexpected" | awk '{ n += $1 } END { print n + 0 }')))
	fi
	stale=$(stale_patterns)
	test "${CI-}" != true || test -z "$stale" ||
		say "no test has needed these lines of $allowed_skips:
$stale"
	wanting=$(missing_programs)
	number=$(say "$wanting" | tr -d '()' | awk '{ n += $NF } END { print n + 0 }')
	names=$(say "$wanting" | paste -sd , | sed 's/,/, /g')
	say "$number skipped for want of a program${names:+: $names}"
}
