#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Spmv multiplies matrices of every kind it reads, on any number of processes.
# shellcheck disable=SC2154

. "${0%/*}/../lib/env.sh"

spmv=$top_builddir/examples/spmv
laplace=$top_builddir/examples/laplace_matrix
test -x "$spmv" && test -x "$laplace" || bail "no $spmv, $laplace: make check builds them"

# sum_of FILE: of the components of the product, computed from the file alone
sum_of()
{
	tr -d '\r' <"$1" | $AWK '
		function x(j) { return 1 + (j - 1) % 7 / 8 }
		NR == 1 { field = tolower($4); kind = tolower($5) }
		/^%/ || NF == 0 { next }
		!sizes { sizes = 1; next }
		{ value = field == "pattern" ? 1 : $3; sum += value * x($2) }
		kind != "general" && $1 != $2 {
			sum += (kind == "symmetric" ? value : -value) * x($1)
		}
		END { printf "%.12g\n", sum + 0 }'
}

# multiplies P FILE PRODUCTS SUM: ends well, with this sum and a small residual
multiplies()
{
	said=$(BSP_NPROCS=$1 "$spmv" "$2" "$3" 2>&1)
	is 0 $? "${2##*/} on $1 processes, $3 times" || diag "$said"
	seen=$(printf '%s\n' "$said" | $SED -n 's/.*, sum \([^,]*\), residual [^ ]*$/\1/p')
	test "$(echo "$4 ${seen:-none}" | $AWK '{
		d = $1 - $2; m = $1 < 0 ? -$1 : $1
		print $2 + 0 == $2 && d * d <= 1e-20 * (1 + m * m) }')" = 1
	ok $? "the product has the sum $4" || diag "seen: $seen"
}

for k in 1 2 3 20; do
	"$laplace" $k >"$tap_dir/laplace-$k.mtx"
	ok $? "laplace $k"
done
is "%%MatrixMarket matrix coordinate real symmetric
% five-point Laplacian on a grid of 2 x 2 points
4 4 8
1 1 4
2 2 4
2 1 -1
3 3 4
3 1 -1
4 4 4
4 3 -1
4 2 -1" "$(cat "$tap_dir/laplace-2.mtx")" "the Laplacian of 2 x 2 points is right"

for file in "$top_srcdir"/t/examples/mtx/good-*.mtx "$tap_dir"/*.mtx; do
	sum=$(sum_of "$file")
	for p in 1 2 3 4 7; do
		multiplies $p "$file" 1 "$sum"
	done
	# the second product is that of -x, the third that of x
	multiplies 3 "$file" 2 "$(echo "$sum" | $AWK '{ printf "%.12g\n", 0 - $1 }')"
	multiplies 3 "$file" 3 "$sum"
done

# 20 x 20 points on 4 processes: a process in the middle needs a line from either side
like 'at most 40 ghosts on each of 4 ' "$(BSP_NPROCS=4 "$spmv" "$tap_dir/laplace-20.mtx" 1)" \
	"no component is sent that is not needed"

"$laplace" 150 >"$tap_dir/large.mtx"
multiplies 3 "$tap_dir/large.mtx" 101 "$(sum_of "$tap_dir/large.mtx")"
BSP_SHUFFLE=5 && export BSP_SHUFFLE
multiplies 4 "$tap_dir/large.mtx" 5 "$(sum_of "$tap_dir/large.mtx")"

for wrong in "" 0 -1 x 5x 46341 99999999999999999999 "3 4"; do
	# shellcheck disable=SC2086
	said=$("$laplace" $wrong 2>&1)
	is 2 $? "laplace $wrong is refused"
	like '^usage: laplace_matrix K' "$said" "and says how it is used"
done
if test -c /dev/full; then
	said=$("$laplace" 3 2>&1 >/dev/full)
	is 1 $? "laplace notices a full disk"
	like '^laplace_matrix: cannot write: ' "$said" "and says so"
else
	skip "no /dev/full here"
fi

done_testing
