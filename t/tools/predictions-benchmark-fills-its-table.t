#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Bench/predict_from.sh has a row for each network, and counts the rows that are near.

. "${0%/*}/../lib/env.sh"

test -x "$top_builddir/examples/samplesort" || skip_all "examples/samplesort was not built"
forget_settings

said=$(PROGRAMS=sort KEYS=1000 ROUNDS=2 sh "$top_srcdir/bench/predict_from.sh" "$top_builddir" \
	2 3 2>&1)
is 0 "$?" "predict_from.sh" || diag "$said"
ratio='[0-9]+\.[0-9]{3}'
for nprocs in 2 3; do
	for network in sp2 gigabit; do
		row="^\\| sample sort \\| $nprocs \\| $network \\| [0-9]+\\.[0-9]{4} \\| [0-9]+ %"
		like "$row( \\| $ratio){3} \\|\$" "$said" "$nprocs processes on $network"
	done
done
rows=$(printf '%s\n' "$said" | grep '^| sample sort ')
is 4 "$(printf '%s\n' "$rows" | wc -l)" "there are no other rows"
none "$(printf '%s\n' "$rows" | $AWK -F '|' '!($5 > 0 && $7 > 0 && $8 > 0 && $9 > 0)')" \
	"each time and ratio is more than nothing"

near=$(printf '%s\n' "$rows" | $AWK -F '|' '
	function is_near(x) { return x > 0.9 && x < 1.1 }
	{ shm += is_near($7); own += is_near($8); other += is_near($9) }
	END { printf "from shm %d, own %d, other network %d of %d", shm, own, other, NR }')
is "within 10 %: $near" "$(printf '%s\n' "$said" | tail -n 1)" "the last line counts those near"

is "" "$(PROGRAMS=none sh "$top_srcdir/bench/predict_from.sh" "$top_builddir" 2 2>&1 |
	grep '^| sample')" "without a program there are none"

done_testing
