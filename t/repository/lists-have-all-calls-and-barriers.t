#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# A call with a macro for C has one for C++; lists of barriers have each algorithm that there is.
# shellcheck disable=SC1090,SC2154

. "${0%/*}/../lib/env.sh"

cd "$top_srcdir" || bail "no $top_srcdir"

# ---- Calls -----------------------------------------------------------------------------------

# c_calls, cxx_calls: "name function" of each call of the header on standard input, sorted
c_calls()
{
	$SED -e :next -e '/\\$/N; s/\\\n[[:blank:]]*//; t next' |
		$SED -n 's/^#define \([a-zA-Z_]*\)(.*) \([a-zA-Z_]*_at\)(BSP_SITE.*/\1 \2/p' | sort
}

cxx_calls()
{
	$SED -n 's/^BSP_[A-Z_]*CALL(\(.*, \)*\([a-zA-Z_]*\), \([a-zA-Z_]*_at\)[,)].*/\2 \3/p' |
		sort
}

# lacks FILE: what only one of the two has
lacks()
{
	c_calls <"$1" >"$tap_dir/c"
	cxx_calls <"$1" >"$tap_dir/cxx"
	diff "$tap_dir/c" "$tap_dir/cxx" | grep '^[<>]'
}

total=0
for header in include/*.h; do
	grep -q '^BSP_[A-Z_]*CALL(' "$header" || continue
	none "$(lacks "$header")" "each call of $header has its name in C and in C++"
	total=$((total + $(wc -l <"$tap_dir/c")))
done
test "$total" -ge 60
ok $? "these are $total calls"
grep -v '^BSP_CALL(bsp_send,' include/bsp_names.h >"$tap_dir/forgotten.h"
is "< bsp_send bsp_send_at" "$(lacks "$tap_dir/forgotten.h")" "one that is forgotten is found"

# ---- Barriers --------------------------------------------------------------------------------

"$top_builddir/tools/goalc/goalc" gen --list | $AWK '$1 == "barrier" { print $2 }' |
	sort -u >"$tap_dir/barriers"
test "$(wc -l <"$tap_dir/barriers")" -ge 5
ok $? "there are $(wc -l <"$tap_dir/barriers") schedules of barriers"
for list in common/env.def bench/rows/barriers.c t/soak/soak.sh \
	t/barrier/every-barrier-waits-for-all-that-was-sent.c \
	t/interface/random-programs-match-model.c t/message/tag-size-that-only-some-set-aborts.c \
	t/tools/bspgauge-measures-every-pattern-over-what-carries-it.t; do
	none "$(while read -r name; do
		grep -qw -- "$name" "$list" || echo "$name"
	done <"$tap_dir/barriers")" "$list has all of them"
done

done_testing
