# SPDX-License-Identifier: BSD-3-Clause
# probe.sh - what the figures of the pLogP paper share; sourced by them.
# shellcheck shell=sh

# The paper's network, switched Ethernet of 1 Gbit/s, is emulated for up to 24 processes, in virtual
# time in which computing takes none; shm and TCP over the loopback are this machine's, and their
# figures are medians of what was measured beside all else that it did.
if test "$FORM" = full; then
	processes='2 4 8 16 24' real='2' real_seconds=20 largest=1M largest_real=1M
else
	# Messages of no more bytes are measured whether or not there is time.
	processes='2 3' real='2' real_seconds=1 largest=1k largest_real=64
fi
# Virtual time repeats at once, so that this is as long as it takes on any machine.
seconds=3600
head='series,x,value,low,high,unit'
about='emulated network gigabit, virtual time, computing takes none'
about_real='this machine: medians, and 95 % confidence, beside all else that it did'

# probe NETWORK PROCESSES OPTION...: bspprobe on gigabit, busy, shm or tcp
probe()
{
	network=$1 n=$2
	shift 2
	set -- -n "$n" --csv --quiet "$@"
	case $network in
	gigabit) set -- --emulate gigabit,cpu=0 --seconds $seconds "$@" ;;
	busy) set -- --emulate gigabit,cpu=0,switch=1ns --seconds $seconds "$@" ;;
	tcp)
		BSP_OFI_PROVIDER=tcp
		export BSP_OFI_PROVIDER
		set -- --transport ofi --seconds $real_seconds "$@"
		;;
	*) set -- --transport "$network" --seconds $real_seconds "$@" ;;
	esac
	"$BUILD/tools/bspprobe/bspprobe" "$@"
}

# kept NAME COMMAND...: print what the command printed in this run of all figures, or run it now
kept()
{
	name=$1
	shift
	test -s "$SHARED/$name" || {
		"$@" >"$SHARED/$name.part" || { : >failed; exit 1; }
		mv "$SHARED/$name.part" "$SHARED/$name"
	}
	cat "$SHARED/$name"
}

# bytes_of NETWORK MOST: the longest message
bytes_of()
{
	case $1 in
	gigabit | busy) echo "$2" ;;
	*) echo "$largest_real" ;;
	esac
}

# rows NETWORK PROCESSES OPERATIONS: all algorithms, predicted and measured
rows()
{
	kept "plogp-$1-$2-$3" probe "$1" "$2" --bytes "$(bytes_of "$1" "${4:-$largest}")" \
		--verify --only "$3"
}

# parameters NETWORK PROCESSES
parameters()
{
	kept "plogp-$1-$2" probe "$1" "$2" --bytes "$(bytes_of "$1" "$largest")"
}

# can_run TRANSPORT: is it here?
can_run()
{
	"$BUILD/tools/bspinfo/bspinfo" | awk -v transport="$1" '
		$1 == transport { here = 1; next }
		here { exit !/can run here/ || /cannot/ }'
}

# networks: those of this machine
networks()
{
	echo shm
	! can_run ofi || echo tcp
}

# series OPERATION ALGORITHM PREFIX: of rows, over bytes, for the highest number of processes
series()
{
	awk -F, -v operation="$1" -v algorithm="$2" -v prefix="$3" '
		NR > 1 && $3 > most { most = $3 }
		$1 == operation && $2 == algorithm { row[++n] = $0 }
		END {
			for (i = 1; i <= n; i++) {
				split(row[i], f, ",")
				if (f[3] != most)
					continue
				printf "%spredicted,%d,%s,,,us\n", prefix, f[4], f[6]
				printf "%smeasured,%d,%s,%s,%s,us\n", prefix, f[4], f[7], f[8], f[9]
			}
		}'
}

# as_printed OPERATION: its models as printed, those of the library, and measurements
as_printed()
{
	n=16
	test "$FORM" = full || n=3
	parameters gigabit $n >parameters
	rows gigabit $n bcast,scatter >rows
	echo "# $about; $n processes"
	echo "$head"
	grep -e '^operation' -e "^$1," rows >of-one
	awk -F, -f "$SOURCE/bench/papers/plogp/formulas.awk" P=$n parameters of-one
}

# surface OPERATION ALGORITHM: a panel for each number of processes and network
surface()
{
	echo "# panels gigabit: $about"
	echo "# other panels: $about_real"
	echo "$head"
	for n in $processes; do
		rows gigabit "$n" bcast,scatter | series "$1" "$2" "gigabit of $n/"
	done
	for network in $(networks); do
		for n in $real; do
			rows "$network" "$n" bcast,scatter | series "$1" "$2" "$network of $n/"
		done
	done
}
