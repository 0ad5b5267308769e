# SPDX-License-Identifier: BSD-3-Clause
# figure-3.sh - time for communication of FT, LU and Ocean on 16 and 32 processors, in four ways.
# shellcheck shell=sh disable=SC1091,SC2154

. "$SOURCE/bench/papers/relaxed/four_ways.sh"

# run NAME PROCESSES ROUND PROGRAM ARGUMENT...: the rows of one comparison
run()
{
	panel=$1 n=$2 round=$3
	shift 3
	file=$(echo "$panel" | tr ' ' -)
	"$bsprun" -n "$n" --emulate "$network" --compare --ways $ways --rounds 1 \
		--html "$file.html" "$@" >"$KEEP/$file-$n-$round.txt" || exit 1
	communication "$file.html" | awk -v panel="$panel" -v n="$n" '
		BEGIN { split("org,classic,rel,eager", way, ",") }
		{
			printf "%s/%s,%d,%.6g,,,s\n", panel, way[NR], n, $1
			if (NR == 1)
				org = $1
			else
				printf "saved of org/%s by %s,%d,%.4g,,,%%\n", panel,
					way[NR], n, 100 - 100 * $1 / org
		}'
}

# median: of the values of each row, with the least and the greatest
median()
{
	sort -t , -k 1,1 -k 2,2n -k 3,3g | awk -F , -v OFS=, '
		function row()
		{
			if (n)
				print key, value[int((n + 1) / 2)], value[1], value[n], unit
		}
		{
			if ($1 OFS $2 != key) {
				row()
				key = $1 OFS $2
				n = 0
			}
			value[++n] = $3
			unit = $6
		}
		END { row() }'
}

# rows NAME PROGRAM ARGUMENT...: of both numbers of processes
rows()
{
	panel=$1
	shift
	for n in $sizes; do
		for round in $rounds; do
			run "$panel" "$n" "$round" "$@" >>"rows-$panel"
		done
	done
	median <"rows-$panel"
}

network=sp2,order=1 sizes="16 32" class=A iterations=20 lu_class=W points=130 rounds="1 2 3"
test "$FORM" = full || sizes=4 class=S iterations=1 lu_class=S points=34 rounds=1
echo "# network: $network, emulated; times are virtual"
echo "# FT of class $class, LU -i $iterations $lu_class, Ocean with $points points"
echo "# all ways compute for as long as a recorded run; medians of ${rounds##* }, least, greatest"
echo "$head"
program ft ft.c ft_class.c ft_fft.c ft_setup.c -lfftw3 || {
	echo "FT cannot be compiled: FFTW is not here" >&2
	exit 77
}
rows FT "$program" -c $class
rows "FT zero first" "$program" -c -o $class
program lu lu.c lu_exchange.c lu_operator.c lu_setup.c lu_sweep.c lu_verify.c || exit 1
rows LU "$program" -i $iterations $lu_class
program ocean ocean.c ocean_blocks.c ocean_model.c ocean_solver.c || exit 1
rows Ocean "$program" -q -n $points
