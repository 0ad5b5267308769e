#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Conjugate gradients find the solution in as many iterations in C and in Fortran, with barriers and
# relaxed, and over a network.
# shellcheck disable=SC1090,SC1091,SC2034,SC2154

. "${0%/*}/../lib/env.sh"
. "$top_srcdir/t/lib/installed.sh"
. "$top_srcdir/t/lib/network.sh"

cp "$top_srcdir"/examples/cg.* . || bail "no examples/cg.c"
eval "$(sed -n 's/^ \*	\(bspcc .*\)/\1/p' cg.c)"
ok $? "cg.c is built as it says"
programs=cg
if test -x "$bindir/bspfc"; then
	BSP_FC="gfortran${BSP_SANITIZE:+ $BSP_SANITIZE}" && export BSP_FC
	seen=$(eval "$(sed -n 's/^!	\(bspfc .*\)/\1 -Wall -Wextra -Werror/p' cg.f90)" 2>&1)
	ok $? "cg.f90 is built as it says, without a warning" || diag "$seen"
	programs="cg cg-fortran"
else
	diag "without gfortran: C alone is tried"
fi

# solves N ITERATIONS DESCRIPTION: what the program says is in $seen
solves()
{
	like "^cg: $1 x $1 points, $2 iterations, solution verified; +[0-9]+\.[0-9]+ s\$" \
		"$seen" "$3"
}

for p in 1 2 3; do
	wanted=$(bsprun -n $p ./cg 24 | sed -n 's/.*, \([0-9]*\) iterations.*/\1/p')
	test "${wanted:-0}" -gt 40
	ok $? "$p processes: $wanted iterations"
	for program in $programs; do
		for mode in "" -r; do
			# shellcheck disable=SC2086
			seen=$(bsprun -n $p ./$program $mode 24 2>&1)
			solves 24 "$wanted" "$program $mode on $p processes"
		done
	done
done
for program in $programs; do
	if test "$network"; then
		seen=$(bsprun -n 3 --transport $network ./$program -r 20 2>&1)
		solves 20 '[0-9]+' "$program -r over $network"
	fi
	like 'well-formed' "$(bsprun -n 3 --check ./$program -r 20 2>&1)" \
		"$program -r is well-formed"
	seen=$(bsprun -n 3 ./$program 2 2>&1)
	ok $((! $?)) "$program refuses less rows than processes"
	like '^bsp_abort: usage: ' "$seen" "$program says so"
	seen=$(bsprun -n 3 ./$program many 2>&1)
	ok $((! $?)) "$program refuses what is no number"
	like '^bsp_abort: usage: ' "$seen" "$program says so, too"
done

done_testing
