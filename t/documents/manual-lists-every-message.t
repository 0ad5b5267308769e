#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The manual has every message of the library, word by word, and no other.

. "${0%/*}/../lib/env.sh"

cd "$top_srcdir" || bail "no $top_srcdir"

# formats FUNCTION FILE...: the strings with a blank in calls of a function whose name matches
formats()
{
	function=$1
	shift
	$AWK -v function_name="$function" '
		$0 ~ "(^|[^a-z_])(" function_name ")\\(" { call = "" ; reading = 1 }
		reading { gsub(/\\"/, "\001"); call = call " " $0 }
		reading && /[;{]$/ {
			gsub(/"[ \t]+"/, "", call)	# one string in several lines
			n = split(call, piece, "\"")
			for (i = 2; i <= n; i += 2)
				if (piece[i] ~ / /) {
					gsub(/\001/, "\"", piece[i])
					print piece[i]
				}
			reading = 0
		}' "$@"
}

# as_pattern: a format becomes a regular expression for the line that tells it
as_pattern()
{
	$SED -e 's/\\n$//' -e 's/%[0-9.*]*[lz]*[a-z]/@/g' -e 's/[][().*?+|^$]/\\&/g' -e 's/@/.+/g'
}

# described FILE...: the messages of the pages, each on one line
described()
{
	cat "$@" | $SED -e ':more' -e '/\\$/{N;s/\\\n//;b more' -e '}' |
		$SED -n '/^\.Bl -diag/,/^\.El/s/^\.It //p' | $SED 's/\\(dq/"/g'
}

formats 'bspi_fail|bspi_fail_of|bspi_fail_va|bspi_fail_with|bspi_warn|bspi_violation' bsplib/*/*.c |
	as_pattern | sort -u >"$tap_dir/calls"
formats conf_refuse common/conf.c | $SED 's/^/%s:%d: /' | as_pattern >>"$tap_dir/calls"
formats snprintf fortran/*.c | as_pattern >>"$tap_dir/calls"
formats 'bsp_abort[)]' include/bsp/area.hpp | as_pattern >>"$tap_dir/calls"
formats 'report|bspj_report|bspj_watchdog_report|bspj_say|dprintf' \
	job/launch/supervise.c job/lifeline/watchdog.c \
	job/lifeline/lifeline.c job/discover/discover_link.c \
	job/discover/discover_find.c transport/mpi/mpi_hold.c |
	as_pattern | grep -v '^  \|^bsp: \.+ \.+$' | sort -u >"$tap_dir/supervisor"
# Messages about schedules: from the builder, and on errors in a block, in a file and in a text.
{
	formats 'goal_graph_fail|graph_fail|fail|set_wrong|ended|no_memory' goal/goal_graph.c \
		goal/goal_emit.c \
		goal/goal_set.c
	formats 'goal_lex_refuse|refuse_note' goal/text/goal_lex.c goal/text/goal_note.c \
		goal/text/goal_parse.c
	$SED -n 's/.*\[GOAL_[A-Z]*\] = "\(.*\)",$/\1/p' kernel/goal/goal_check.c
	# these have a name or are returned
	$SED -n 's/^static const char [a-z_]*\[\] = "\(.* .*\)";$/\1/p' goal/text/goal_lex.c
	$SED -n '/^static const char \*[a-z_]*error(/,/^}/s/.*"\(.*\)".*/\1/p' goal/goal_graph.c
} | grep -v '^%s, operation %zu: %s$' | as_pattern | sort -u >"$tap_dir/schedules"
echo 'unknown error' >>"$tap_dir/schedules"
cat "$tap_dir/schedules" >>"$tap_dir/calls"
described man/*.3 man/*.5 man/*.7 man/*.7.in >"$tap_dir/described"

count=$(wc -l <"$tap_dir/calls")
test "$count" -gt 40
ok $? "the library has $count messages"
test "$(wc -l <"$tap_dir/supervisor")" -gt 2
ok $? "so has the supervisor"

while read -r pattern; do
	grep -Eqx -e "$pattern" "$tap_dir/described"
	ok $? "described: $pattern"
done <"$tap_dir/calls"
while read -r pattern; do
	grep -Eq -e "$pattern" "$tap_dir/described"
	ok $? "described: $pattern"
done <"$tap_dir/supervisor"

while read -r line; do
	if ! printf '%s\n' "$line" | grep -Eqx -f "$tap_dir/calls" &&
	   ! printf '%s\n' "$line" | grep -Eq -f "$tap_dir/supervisor"; then
		echo "$line"
	fi
done <"$tap_dir/described" >"$tap_dir/invented"
none "$(cat "$tap_dir/invented")" "no page tells a message that does not exist"

# The C library has a text of its own for NULL.
none "$(grep -n '%p' bsplib/*/*.c | grep -v '^bsplib/transfer/address\.c:')" \
	"messages print addresses by bspi_address_text()"

done_testing
