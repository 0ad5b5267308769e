#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# check.sh counts what tests say; in continuous integration a skip has a reason it knows.
# shellcheck disable=SC2154

# Tests that only print run through the real driver, and what it has written is counted.

. "${0%/*}/../lib/env.sh"

cd "$tap_dir" || bail "no $tap_dir"
build=$PWD
mkdir -p t/some log
say()
{
	printf '%s\n' "$*"
}
. "$top_srcdir/build-aux/results.sh"

# sample NAME STATUS: what the test on standard input prints, with its status
sample()
{
	{ echo "cat <<'END'"; cat; echo END; echo "exit $2"; } >"t/$1.t"
	AM_TAP_AWK=$AWK sh "$top_srcdir/build-aux/tap-timed.sh" --test-name "t/$1.t" \
		--log-file "t/$1.log" --trs-file "t/$1.trs" -- sh "t/$1.t" >/dev/null
}

sample some/good 0 <<'END'
ok 1 - one
ok 2 - two
1..2
END
sample some/bad 1 <<'END'
ok 1 - one
not ok 2 - two
1..2
END
sample some/killed 139 <<'END'
ok 1 - one
1..2
END
sample some/some 0 <<'END'
ok 1 - one
ok 2 # SKIP two: no mandoc here
ok 3 # SKIP three: no mandoc here
ok 4 # SKIP no dot here
ok 5 # SKIP needs 900 MiB of memory
1..5
END
sample some/none 0 <<'END'
1..0 # SKIP no qemu-system-x86_64 here
END
sample some/inapplicable 0 <<'END'
# not applicable: two processes
1..0 # SKIP not applicable: two processes
END
TESTS_UNTIL=$(date +%s) sample some/late 1 <<'END'
not ok 1 - one that has not been run
1..1
END
TESTS_UNTIL=9999999999 sample some/early 0 <<'END'
ok 1 - one
1..1
END
allowed_skips=$PWD/allowed
cat >allowed <<'END'
# Comments and blank lines are none.

^some/some: needs [0-9]+ MiB of memory$
^some/some: .*no mandoc here$
^some/late: no time is left \(CHECK_SECONDS\)$
needs 5 MiB
END

# count: the results once, in a shell of its own; $CI is the caller's
count()
{
	(
		begin_results
		count_results "$PWD" step
		some_failed=$?
		note_skip over "API tests over ofi" "no bsp-ofi.so here"
		report_results
		say "$some_failed: $passed passed, $failed failed, $skipped skipped"
	)
}

seen=$(CI='' count)
# The killed test: one for its status, one for the checks that it planned and did not make.
is "0: 6 passed, 3 failed, 7 skipped" "$(echo "$seen" | tail -n 1)" \
	"every line of TAP is one; what is not applicable is none" ||
	diag "$seen"
is "5 skipped for want of a program: bsp-ofi.so (1), dot (1), mandoc (2), qemu-system-x86_64 (1)" \
	"$(echo "$seen" | tail -n 2 | head -n 1)" "programs that are missing are counted"
is 0 "$(echo "$seen" | grep -c 'allowed')" "elsewhere any reason will do"

seen=$(CI=true count)
is "0: 6 passed, 6 failed, 7 skipped" "$(echo "$seen" | tail -n 1)" \
	"here a reason that is not allowed is a failure" ||
	diag "$seen"
is "      1 API tests over ofi: no bsp-ofi.so here
      1 some/none: no qemu-system-x86_64 here
      1 some/some: no dot here" \
	"$(echo "$seen" | grep -E '^ +[0-9]+ ')" "which is shown"
is "needs 5 MiB" "$(echo "$seen" | sed -n '/no test has needed/{n;p;}')" \
	"so is a line that allows nothing"

is 8 "$(wc -l <log/slowest)" "each test has a time"
is 5 "$(head -n 1 log/slowest | wc -w)" "wall, user and system seconds, name and step"

rm t/some/*.trs t/some/*.log
is "no test was run
0: 0 passed, 1 failed, 1 skipped" "$(CI='' count | sed '/slowest/d; /want of/d')" \
	"no result at all is a failure"

# The list itself.
none "$(grep -v '^#' "$top_srcdir/t/allowed-skips" | grep . | while read -r pattern; do
	echo x | grep -qE -e "$pattern" && echo "matches anything: $pattern"
	test $? -ne 2 || echo "is no expression: $pattern"
done)" "t/allowed-skips has expressions that say something"

done_testing
