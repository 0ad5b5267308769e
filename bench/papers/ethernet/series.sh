# SPDX-License-Identifier: BSD-3-Clause
# series.sh - shared by the figures of the paper on barriers over Ethernet, which source it.
# shellcheck shell=sh

processes="2 4 8 16 32"
test "$FORM" = full || processes="2 4 8"

# The parameters of section 5.1.1, ns: o_s, L, o_r, and the gap o_s + 6 us of an interrupt.
logp="-L 17500 -o 3000 -r 9500 -g 9000 -G 0"

# simulated SERIES PROCESSES OPTION...: by goalc sim on the network of section 5.1.1, if that
# carries a multicast as one frame
simulated()
{
	series=$1 counts=$2
	shift 2
	for p in $counts; do
		# shellcheck disable=SC2086
		ns=$("$BUILD/tools/goalc/goalc" sim $logp --multicast -b barrier -P "$p" "$@") ||
			return
		echo "$series,$p,$(echo "$ns" | awk '{ print $1 / 1000 }'),,,us"
	done
}

# each_node SERIES PROCESSES BARRIER: the benchmark of Fig. 4, over the transport that the
# environment names: mean, least and most of each process, and of these the means over all
each_node()
{
	series=$1 counts=$2 barrier=$3
	for p in $counts; do
		BSP_BARRIER=$barrier BSP_NPROCS=$p "$BUILD/bench/eachnode" "$times" >rows || return
		awk -F, -v series="$series" -v p="$p" '
			NR > 1 { least += $2; mean += $3; most += $4; n++ }
			END {
				printf "%s,%d,%.6g,%.6g,%.6g,us\n", series, p, mean / n, least / n,
					most / n
			}' rows
	done
}
times=100
test "$FORM" = full || times=20

# emulated SERIES PROCESSES BARRIER [KEY=VALUE]: the network of section 5.1.1 in virtual time. The
# emulator has one overhead: half of o_s + o_r.
emulated()
(
	export BSP_TRANSPORT=emu BSP_EMULATE="L=17.5us,o=6.25us,g=9us,cpu=0${4:+,$4}"
	each_node "$1" "$2" "$3"
)

# hub SERIES PROCESSES BARRIER: one link for all. A frame of least length takes 84 bytes of 100
# Mbit/s, 6.7 us; a message of a barrier has 50 bytes.
hub()
{
	emulated "$1" "$2" "$3" switch=134ns
}

# over_tcp SERIES PROCESSES BARRIER: processes of this machine
over_tcp()
(
	export BSP_TRANSPORT=ofi BSP_OFI_PROVIDER=tcp
	BSP_NPROCS=2 "$BUILD/bench/eachnode" 1 >rows 2>/dev/null || {
		echo "# no processes over TCP: libfabric's tcp cannot run here"
		return 0
	}
	each_node "$1" "$2" "$3"
)

# in_guest SERIES VARIANT PROCESSES: hosts of a guest, in virtual time, link of 0 us; see
# ../../barriers.sh
in_guest()
{
	test "$FORM" = full || return 0
	test -e "$BUILD/stock/complete" || {
		echo "# no guest: make stock-kernel kernel-modules"
		return 0
	}
	rm -f "$KEEP/rows-$2"
	# shellcheck disable=SC2086
	BUILD=$BUILD ROWS=$KEEP/rows-$2 PARTS=nodes LINKS=0 VARIANT=$2 \
		sh "$SOURCE/bench/barriers.sh" $3 >/dev/null || return
	awk -v series="$1" '
		$2 == "node" && $4 == "softirq" {
			least[$5] += $8; mean[$5] += $9; most[$5] += $10; n[$5]++
		}
		END {
			for (p in n)
				printf "%s,%d,%.6g,%.6g,%.6g,us\n", series, p, mean[p] / n[p],
					least[p] / n[p], most[p] / n[p]
		}' "$KEEP/rows-$2" | sort -t , -k 2,2n
}

header()
{
	echo "# switch: goalc sim with o_s, L, o_r and gap of section 5.1.1; exact, in virtual time"
	echo "# others: $times barriers as each process sees them, means over all processes;"
	echo "# low and high are the least and the most"
	echo "series,x,value,low,high,unit"
}
