# SPDX-License-Identifier: BSD-3-Clause
# tap.sh - checks that print TAP, for shell tests; env.sh reads it.
# shellcheck shell=sh disable=SC2154

. "$top_srcdir/t/lib/built.sh"

# The test's own directory, removed when it ends.
tap_dir=$(mktemp -d) || exit 99
trap 'rm -rf "$tap_dir"' EXIT
trap 'exit 99' HUP INT TERM

# Tests neither read parameters that the user has measured nor save any there.
XDG_CONFIG_HOME=$tap_dir/config
export XDG_CONFIG_HOME

tap_made=0
tap_failed=0
tap_planned=
tap_inapplicable=
tap_processors=$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 1)

# scaled SECONDS: prints SECONDS times the tasks for each processor in the last minute, plus one:
# for a setting of the library after which a test expects a message, such as BSP_WATCHDOG
scaled()
{
	read -r tap_load _ <"${TAP_LOADAVG:-/proc/loadavg}" || tap_load=0
	echo $(($1 * (1 + ${tap_load%%.*} / tap_processors)))
}

# limit [SECONDS]: prints after how many seconds a command hangs. It only catches that: no claim of
# a test may depend on it. SECONDS (60), ten times what a quiet machine takes or more, times
# TAP_TIMEOUT / 60 (60 if it is not set), scaled; as tap_limit() of tap.h.
limit()
{
	tap_seconds=$((${1:-60} * ${TAP_TIMEOUT:-60} / 60))
	test "$tap_seconds" -gt 0 || tap_seconds=1
	scaled $tap_seconds
}

# until_true COMMAND...: wait until it is; not longer than limit() says at that time
until_true()
{
	tap_began=$(date +%s)
	until "$@"; do
		test $(($(date +%s) - tap_began)) -le "$(limit)" || {
			diag "not true after $(($(date +%s) - tap_began)) s: $*"
			return 1
		}
		sleep 0.1
	done
}

# forget_settings [SETTING]...: unset those of the library, but for these
forget_settings()
{
	tap_kept=" $* "
	for setting in $(sed -n 's/.*"\(BSP_[A-Z_]*\)".*/\1/p' "$top_srcdir/common/env.def"); do
		case $tap_kept in
		*" $setting "*) ;;
		*) unset "$setting" ;;
		esac
	done
}

# figure TEXT: what a test has measured; make check-figures shows it
figure()
{
	diag "figure: $*"
}

# plan N: optional, the test makes N checks; without it done_testing prints the plan
plan()
{
	tap_planned=$1
	echo "1..$1"
}

# skip_all REASON: nothing can be tested here; REASON is "no NAME here" if a program is missing
skip_all()
{
	echo "1..0 # SKIP $*"
	exit 0
}

# bail REASON: the test cannot go on
bail()
{
	echo "Bail out! $*"
	exit 99
}

# diag TEXT: prints every line of TEXT as a comment
diag()
{
	printf '%s\n' "$*" | sed 's/^/# /'
}

# ok STATUS DESCRIPTION: passed if STATUS is 0; ok $? "..." after a command
ok()
{
	tap_status=$1
	shift
	tap_made=$((tap_made + 1))
	if test "$tap_status" -eq 0; then
		echo "ok $tap_made - $*"
		return 0
	fi
	tap_failed=$((tap_failed + 1))
	echo "not ok $tap_made - $*"
	return 1
}

# is WANTED SEEN DESCRIPTION: equal as text
is()
{
	tap_wanted=$1 tap_seen=$2
	shift 2
	test "$tap_wanted" = "$tap_seen"
	ok $? "$@" && return 0
	diag "wanted: $tap_wanted"
	diag "seen:   $tap_seen"
	return 1
}

# like PATTERN SEEN DESCRIPTION: a line of SEEN matches the extended regular expression
like()
{
	tap_wanted=$1 tap_seen=$2
	shift 2
	printf '%s\n' "$tap_seen" | grep -Eq -e "$tap_wanted"
	ok $? "$@" && return 0
	diag "wanted a match of: $tap_wanted"
	diag "seen: $tap_seen"
	return 1
}

# none LIST DESCRIPTION: LIST, which has one finding on each line, is empty
none()
{
	tap_seen=$1
	shift
	test -z "$tap_seen"
	ok $? "$@" && return 0
	diag "$tap_seen"
	return 1
}

# not_applicable DESCRIPTION: a check that makes no sense here; it is not counted, see tap.h
not_applicable()
{
	tap_inapplicable=${tap_inapplicable:-$*}
	diag "not applicable: $*"
}

# skip DESCRIPTION: a check that cannot be made here; the description ends with "no NAME here" if
# a program is missing
skip()
{
	tap_made=$((tap_made + 1))
	echo "ok $tap_made # SKIP $*"
}

# done_testing: the last command of a test; its status is that of the test
done_testing()
{
	test "$tap_made" -gt 0 || test -n "$tap_planned" || test -z "$tap_inapplicable" ||
		skip_all "not applicable: $tap_inapplicable"
	if test -z "$tap_planned"; then
		tap_planned=$tap_made
		echo "1..$tap_made"
	fi
	test "$tap_planned" -eq "$tap_made" || diag "planned $tap_planned checks, made $tap_made"
	test "$tap_failed" -eq 0 || diag "$tap_failed of $tap_made checks failed"
	test "$tap_failed" -eq 0 && test "$tap_planned" -eq "$tap_made" && test "$tap_made" -gt 0
}
