#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Ocean gives the numbers of an independent program, and obeys the laws of the model.

# The numbers come from a serial program in another language, written from the equations alone,
# with 1e-13 (34 points) and 1e-12 (66 points) as the aim of its solver; the last two of
# each row have seven digits.
# shellcheck disable=SC2016,SC2154

. "${0%/*}/../lib/env.sh"

ocean=$top_builddir/examples/ocean
test -x "$ocean" || bail "no $ocean: make check builds it"
BSP_NPROCS=4 && export BSP_NPROCS

# numbers: those of the standard input, in order
numbers()
{
	$SED -n -e 's/^Largest |psi| *//p' -e 's/^Energy *//p' -e 's/^psi at n \/ 4 *//p' \
		-e 's/^psi at 0 *//p' -e 's/^Volume ratio *//p' | tr '\n' ' '
}

# close_to TOLERANCE WANTED SEEN: as many numbers, each as wanted but for the relative TOLERANCE
close_to()
{
	printf '%s\n%s\n' "$2" "$3" | $AWK -v tolerance="$1" '
		{ n[NR] = NF; for (k = 1; k <= NF; k++) value[NR, k] = $k }
		END {
			for (k = 1; k <= n[1]; k++) {
				wanted = value[1, k]; off = value[2, k] - wanted
				if (off < 0) off = -off
				if (wanted < 0) wanted = -wanted
				if (!(off <= tolerance * wanted)) exit 1
			}
			exit n[1] == 0 || n[1] != n[2]
		}'
}

# after N CHANGE STEPS TOLERANCE NUMBER...: largest |psi|, energy, psi at a quarter and in a corner,
# ratio of the volumes
after()
{
	n=$1 change=$2 steps=$3 tolerance=$4
	shift 4
	seen=$("$ocean" -n "$n" -t "$steps" -a "$change" -s 0.25 2>&1 | numbers)
	close_to "$tolerance" "$*" "$seen"
	ok $? "$n x $n points, $steps steps" || diag "wanted $*
seen   $seen"
}

after 34 1e-13 1 3e-7 6.62060759e+01 3.48847441e+01 4.53781838e+07 5.67625506e+01 2.71857321e+01 \
	-1.215534e+01 5.275756e-04
after 34 1e-13 2 3e-7 1.32483568e+02 6.98384745e+01 1.81553159e+08 1.14617240e+02 5.53387140e+01 \
	-2.431068e+01 5.275756e-04
after 34 1e-13 6 3e-7 3.97230957e+02 2.09322198e+02 1.63234565e+09 3.49975319e+02 1.71418450e+02 \
	-7.286134e+01 5.265202e-04
after 34 1e-13 20 3e-7 1.31852351e+03 6.92260734e+02 1.79973300e+10 1.22432918e+03 6.21685005e+02 \
	-2.415470e+02 5.195235e-04
after 66 1e-12 1 1e-6 9.56028867e+01 7.74509726e+01 1.47125716e+08 8.03180168e+01 6.22694511e+01 \
	-1.301199e+01 5.647563e-04
after 66 1e-12 6 1e-6 5.73151575e+02 4.64240521e+02 5.28669628e+09 5.13080754e+02 4.04724193e+02 \
	-7.800445e+01 5.637475e-04

close_to 1e-7 "1 2" "1 2.000001"
is 1 $? "numbers that are not close are found to differ"
close_to 1e-7 "1 2" "1"
is 1 $? "and one that is missing"

# A wind without skewness makes an antisymmetric flow, which is 0 in the corners.
seen=$("$ocean" -n 66 -t 20 | $SED -n 's/^psi at 0 *//p')
printf '%s\n' "$seen" | $AWK '{ exit !($1 > -1e-1 && $1 < 1e-1) }'
ok $? "no skewness, no circulation" || diag "$seen"

# The error that the solver leaves is of the size that was asked for.
coarse=$("$ocean" -n 130 -t 3 -s 0.25 -a 1e-11 | numbers)
fine=$("$ocean" -n 130 -t 3 -s 0.25 -a 1e-13 | numbers)
close_to 1e-6 "$fine" "$coarse"
ok $? "a solver that stops early changes little" || diag "$fine
$coarse"

done_testing
