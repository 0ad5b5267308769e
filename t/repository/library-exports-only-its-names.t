#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The shared library exports every call of bsp.h, in both interfaces, those of bsp_coll.h and of
# schedules, and nothing else.
# shellcheck disable=SC1090,SC2034,SC2154

. "${0%/*}/../lib/env.sh"
. "$top_srcdir/t/lib/installed.sh"

test -e "$libdir/libbsp.so" || skip_all "no shared library was built"
command -v nm >/dev/null || skip_all "no nm here"

nm -D --defined-only --without-symbol-versions "$libdir/libbsp.so" |
	awk '$2 != "A" { print $NF }' | sort -u >exported
test "$(wc -l <exported)" -gt 60
ok $? "there are symbols" || diag "$(cat exported)"
none "$(grep -vE '^(bsp|mcbsp|goal)_|^bsp[a-z]+(_end)?$' exported)" "only names of BSPlib"
none "$(grep -E '^bsp[it]_' exported)" "no names of the inside"

# A declaration may give its symbol another name: __asm__("mc" "bsp_put").
echo '#include <bsp.h>' >all.c
for interface in "" --mcbsp; do
	# shellcheck disable=SC2086
	bspcc $interface -E -P all.c | grep -v '^#' | tr '\n' ' ' | tr ';' '\n' |
		sed 's/.*__asm__("mc" "\([a-z_]*\)").*/mc\1(/
			/^ *extern/s/.*__asm__("\([a-z_]*\)").*/& \1(/' |
		grep -oE '(mc)?bsp[a-z_]*[[:space:]]*\(' | tr -d '( ' | grep -v '^bsp_returned' |
		sort -u >declared
	test "$(wc -l <declared)" -gt 50
	ok $? "bsp.h declares calls${interface:+ for $interface}" || diag "$(cat declared)"
	none "$(comm -23 declared exported)" "all of them are exported${interface:+ for $interface}"
	cat declared >>all_declared
done
echo '#include <bsp_goal.h>' >all.c
bspcc -E -P all.c | grep -oE '\<goal_[a-z_]*[[:space:]]*\(' | tr -d '( ' >>all_declared
echo '#include <bsp_coll.h>' >all.c
bspcc -E -P all.c | tr '\n' ' ' | tr ';' '\n' | grep -v typedef |
	grep -oE '\<bsp_[a-zA-Z_]*[[:space:]]*\(' | tr -d '( ' | grep -v '^bsp_returned' |
		sort -u >declared
test "$(wc -l <declared)" -gt 100
ok $? "bsp_coll.h declares calls" || diag "$(cat declared)"
none "$(comm -23 declared exported)" "all of them are exported"
cat declared >>all_declared
echo '#include <bsp/binding.h>' >all.c
bspcc -E -P all.c | grep -oE '\<bsp_(find|refuse|site)_[a-z_]*[[:space:]]*\(' | tr -d '( ' \
	>>all_declared
printf '#include <mcbsp-%s.h>\n' affinity profiling resiliency >all.c
bspcc -E -P all.c | grep -oE '\<mcbsp_[a-z_]*[[:space:]]*\(' | tr -d '( ' >>all_declared
sort -u all_declared | comm -13 - exported >surplus
none "$(cat surplus)" "nothing is exported that the headers do not declare"

soname=$(readelf -d "$libdir/libbsp.so" 2>/dev/null | sed -n 's/.*SONAME.*\[\(.*\)\]/\1/p')
like '^libbsp\.so\.[0-9]+$' "$soname" "the soname has the number of the interface alone"

done_testing
