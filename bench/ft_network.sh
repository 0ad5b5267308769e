#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# ft_network.sh - FT, puts in either order, in four ways, over a network whose ports have a rate.

# ft_network.sh [PROCESSES [CLASS]]: by default 4 W. Root, or a user who may have namespaces. Run in
# the build folder, or in any with BUILD naming it; mpirun of Open MPI starts the processes. Prints
# Markdown.
#
#	process 0 eth0 --- port1 -- bridge -- port2 --- eth0 process 1		and so on
#
# Each process is on a host of its own, a set of namespaces. RATE (20mbit) is what each host's port
# carries, in each direction (tc, tbf), and QUEUE (250000) how many bytes wait for it: what comes
# beyond is dropped, and TCP sends it again. Transport ofi over TCP. RUNS (5) are how often each of
# the eight cells is measured, in turn. PROGRAM is another FT. ROWS is a file that keeps the figures
# as they came, "processes order way seconds", or has them already: then nothing is measured.

build=$(cd "${BUILD:-.}" && pwd) || exit 1
processes=${1:-4}
class=${2:-W}
rate=${RATE:-20mbit}
queue=${QUEUE:-250000}
runs=${RUNS:-5}
program=${PROGRAM:-$build/examples/ft}
address=10.199.0

fail()
{
	echo "${0##*/}: $*" >&2
	exit 1
}

# median ORDER WAY: of the rows, and in brackets the least and the most
median()
{
	awk -v order="$1" -v way="$2" '$2 == order && $3 == way { print $4 }' "$rows" | sort -n |
		awk '{ at[NR] = $1 }
			END { printf "%.3f (%.3f to %.3f)", at[int((NR + 1) / 2)], at[1], at[NR] }'
}

table()
{
	echo "ft -c -s -k 1 -b 1 $class, $processes processes, $rate, queues of $queue bytes;" \
		"seconds, median of $(($(wc -l <"$rows") / 8)) (least to most)"
	echo
	echo "| order of puts | org | classic | rel | eager |"
	echo "|---|---|---|---|---|"
	for order in next zero; do
		echo "| $order first | $(median $order org) | $(median $order classic) |" \
			"$(median $order rel) | $(median $order eager) |"
	done
}

if test "$ROWS" && test -s "$ROWS"; then
	rows=$ROWS
	table
	exit
fi

if test -z "$FT_NETWORK_INSIDE"; then
	test -x "$program" || fail "no $program: make examples/ft"
	as_root=
	test "$(id -u)" -eq 0 || as_root=--map-root-user
	FT_NETWORK_INSIDE=1 exec unshare $as_root --net --mount --pid --mount-proc --kill-child \
		--fork "$0" "$@"
fi

work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
rows=${ROWS:-$work/rows}

# ---- Hosts ------------------------------------------------------------------------------------

# write_agent: stands for ssh: agent HOST COMMAND... is a shell there
write_agent()
{
	cat >"$work/agent" <<END
#!/bin/sh
keeper=\$(cat "$work/pid.\${1#$address.}") || exit 255
shift
exec nsenter -t "\$keeper" -n -u -i -m env -i HOME="$work" PATH="$PATH" sh -c "cd; \$*"
END
	chmod +x "$work/agent"
}

# shape INTERFACE COMMAND...: bytes leave it at this rate
shape()
{
	dev=$1
	shift
	"$@" tc qdisc add dev "$dev" root tbf rate "$rate" burst 15000 limit "$queue"
}

# add_host K: its namespaces, which a process that sleeps keeps, and its cable to the bridge
add_host()
{
	mkfifo "$work/ready.$1"
	unshare --net --uts --ipc --mount sh -c 'hostname "host$1" &&
		mount -t tmpfs shm /dev/shm && ip link set lo up && echo >"$2" &&
		exec sleep infinity' host "$1" "$work/ready.$1" </dev/null &
	keeper=$!
	echo $keeper >"$work/pid.$1"
	read -r _ <"$work/ready.$1"
	ip link add "port$1" type veth peer name eth0 netns $keeper &&
		ip link set "port$1" master bridge0 up &&
		nsenter -t $keeper -n ip address add "$address.$1/24" dev eth0 &&
		nsenter -t $keeper -n ip link set eth0 up &&
		nsenter -t $keeper -n sysctl -q net.ipv4.tcp_congestion_control=reno \
			net.ipv4.tcp_slow_start_after_idle=0 &&
		shape "port$1" && shape eth0 nsenter -t $keeper -n
}

# ---- Runs -------------------------------------------------------------------------------------

# once ORDER WAY SYNC EAGER BARRIER: a row
once()
{
	options=
	test "$1" = next || options=-o
	nsenter -t "$(cat "$work/pid.1")" -n -u -i -m env BSP_PLUGINS="$build/.libs" \
		OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 \
		OMPI_MCA_plm_rsh_agent="$work/agent" "$build/tools/bsprun/bsprun" -n "$processes" \
		-H "$hosts" --transport ofi -x BSP_PROVIDER=tcp -x BSP_EAGER="$4" \
		-x BSP_BARRIER="$5" -x BSP_PLUGINS="$build/.libs" --sync "$3" \
		"$program" -c -s -k 1 -b 1 $options "$class" >"$work/out" 2>&1 ||
		fail "$1 $2 failed: $(cat "$work/out")"
	seconds=$(sed -n 's/^Time in seconds *\([0-9.]*\).*/\1/p' "$work/out")
	test "$seconds" || fail "$1 $2 printed no time: $(cat "$work/out")"
	echo "$processes $1 $2 $seconds" >>"$rows"
}

measure()
{
	for _ in $(seq "$runs"); do
		for order in next zero; do
			once $order org classic auto twophase
			once $order classic classic auto auto
			once $order rel program 0 auto
			once $order eager program auto auto
		done
	done
}

write_agent
ip link set lo up && ip link add bridge0 type bridge && ip link set bridge0 up ||
	fail "the bridge cannot be made"
hosts=
for k in $(seq "$processes"); do
	add_host "$k" || fail "host $k cannot be made"
	hosts=$hosts${hosts:+,}$address.$k
done
measure
table
