# SPDX-License-Identifier: BSD-3-Clause
# table-network.sh - FT over TCP between ports that have a rate, and the same in virtual time.
# shellcheck shell=sh disable=SC1091,SC2154

. "$SOURCE/bench/papers/relaxed/four_ways.sh"

processes=4 class=W rate=20mbit byte=418ns

skip()
{
	echo "$*" >&2
	exit 77
}

# emulated ORDER WAY SYNC EAGER BARRIER: a row of CSV
emulated()
{
	options=
	test "$1" = next || options=-o
	"$bsprun" -n $processes --emulate "L=100us,o=20us,g=20us,G=$byte,cpu=0,order=1" \
		--sync "$3" -x BSP_EAGER="$4" -x BSP_BARRIER="$5" \
		"$program" -c -s -k 1 -b 1 $options $class >"$KEEP/emulated-$1-$2.txt" || exit 1
	awk -v series="emulated $1 first/$2" -v n=$processes \
		'/^Time in seconds/ { printf "%s,%d,%s,,,s\n", series, n, $4 }' \
		"$KEEP/emulated-$1-$2.txt"
}

# measured: rows of CSV out of those of ft_network.sh
measured()
{
	sort -k 2,3 -k 4n "$KEEP/network.rows" | awk '
		function show() {
			if (n)
				printf "%s,%d,%s,%s,%s,s\n", series, procs, at[int((n + 1) / 2)],
					at[1], at[n]
			n = 0
		}
		{
			if (series != "network " $2 " first/" $3)
				show()
			series = "network " $2 " first/" $3
			procs = $1
			at[++n] = $4
		}
		END { show() }'
}

test "$FORM" = full || skip "it needs minutes: only in the full form"
command -v mpirun tc >/dev/null || skip "no mpirun or no tc here"
unshare --net true 2>/dev/null || unshare --map-root-user --net true 2>/dev/null ||
	skip "no network namespaces here"
program ft ft.c ft_class.c ft_fft.c ft_setup.c -lfftw3 || skip "FT cannot be compiled: no FFTW"
rm -f "$KEEP/network.rows"
PROGRAM=$program ROWS=$KEEP/network.rows RATE=$rate RUNS=${RUNS:-3} \
	sh "$SOURCE/bench/ft_network.sh" $processes $class >"$KEEP/network.md" || exit 1
echo "# network: hosts are namespaces, $rate for each port and direction, transport ofi over TCP;"
echo "# real time, median, lowest and highest of ${RUNS:-3}"
echo "# emulated: a byte takes $byte, as at this rate with heads of frames; virtual time, one run"
echo "# ft -c -s -k 1 -b 1 $class, with -o for zero first: its own time"
echo "$head"
measured
for order in next zero; do
	emulated $order org classic auto twophase
	emulated $order classic classic auto auto
	emulated $order rel program 0 auto
	emulated $order eager program auto auto
done
