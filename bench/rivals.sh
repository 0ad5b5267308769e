#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# rivals.sh - how much of a barrier and an allreduce is hidden by the kernel, by the library's
# thread, by the process and by Open MPI, in a guest: tables.

# rivals.sh [PROCESSES...]: by default 8. Run in the build folder, or in any with BUILD naming it,
# after make stock-kernel kernel-modules, with mpirun and mpicc of Open MPI. It boots one guest
# (../kernel/testbed/guest.sh) and prints Markdown when that has ended.
#
# ROUNDS: of each figure, by default 9. LINKS: latencies of the link, us, which netem adds to that
# of the guest's bridge. WAYS: of those below. ROWS: a file that keeps the figures as they came, or
# has them already: then nothing is measured.

. "${0%/*}/in_guest.sh"
rounds=${ROUNDS:-9}
links=${LINKS:-0 10 50 200 1000}
ways=${WAYS:-kernel kernel-tree kernel-multicast process thread mpi}
command="${ROUNDS:+ROUNDS=$ROUNDS }${LINKS:+LINKS='$LINKS' }${WAYS:+WAYS='$WAYS' }"
command="${command}bench/rivals.sh${*:+ $*}"
test $# -gt 0 || set -- 8

# The plugins of Open MPI and PMIx, with which mpirun works in the guest.
mpi_files()
{
	plugins=$(ompi_info --path pkglibdir --parsable | sed -n 's/.*pkglibdir://p')
	help=$(ompi_info --path pkgdatadir --parsable | sed -n 's/.*pkgdatadir://p')
	pmix=$(find "${plugins%/*/*}" -type d -path '*pmix*' -name pmix | tail -n 1)
	find "$plugins" -name 'mca_*.so' | grep -vE '/mca_(crcp|fbtl|fcoll|fs|io|mtl|sharedfp)_'
	for file in "$pmix" "$help" "$(command -v orted)"; do
		test ! -e "$file" || echo "$file"
	done
}

# mpirun starts its daemons by it as by ssh: agent HOST COMMAND...
write_agent()
{
	cat >"$work/agent" <<'END'
#!/bin/sh
host=$1
shift
exec /sbin/ip netns exec "$host" unshare -u sh -c 'hostname "$0" && exec sh -c "$1"' "$host" "$*"
END
	chmod +x "$work/agent"
}

# Prints the guest's script.
script()
{
	cat <<END
rounds=$rounds
END
	cat <<'END'
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 TMPDIR=/tmp
export OMPI_MCA_plm_rsh_agent=/bin/agent OMPI_MCA_pml=ob1 OMPI_MCA_btl=tcp,self
export OMPI_MCA_mpi_yield_when_idle=1
echo 'root:x:0:0:root:/:/bin/sh' >/etc/passwd
mkdir -p /dev/shm && mount -t tmpfs shm /dev/shm
ip link set lo up
segment 8 || exit
for host in $(seq 8); do
	ip -n h$host link set lo up && ip -n h$host addr add 10.0.0.$host/24 dev eth0 || exit
	echo "10.0.0.$host h$host" >>/etc/hosts
done
# latency US: of each host's interface; connections begin without
latency()
{
	for host in $(seq 8); do
		tc -n h$host qdisc replace dev eth0 root netem delay ${1}us limit 10000 || exit
	done
}
# A process that has slept is given little before the others: see offload.sh.
mount -t debugfs debug /sys/kernel/debug && echo 100000 >/sys/kernel/debug/sched/latency_ns &&
	echo 100000 >/sys/kernel/debug/sched/min_granularity_ns && umount /sys/kernel/debug || exit
# The hosts share a processor.
export BSP_TRANSPORT=esp BSP_ESP_INTERFACE=eth0 BSP_WAIT=spin:0,yield:0
# by_library PROCESSES WAY LINK SETTING...: a process on each host
by_library()
{
	n=$1 way=$2 link=$3 others=
	shift 3
	for host in $(seq $n); do
		env "$@" agent h$host bsprun --discover job -n $n --part $((host - 1)) \
			rivalsbsp $way $rounds $link &
		others="$others $!"
	done
	for other in $others; do
		wait $other || exit
	done
}
# run WAY PROCESSES LINK
run()
{
	case $1 in
	kernel) by_library $2 $1 $3 BSP_OFFLOAD=1 ;;
	kernel-tree) by_library $2 $1 $3 BSP_OFFLOAD=1 BSP_COLL=allreduce:reduce-bcast ;;
	kernel-multicast)
		by_library $2 $1 $3 BSP_OFFLOAD=1 BSP_COLL=allreduce:reduce-multicast:2 \
			RIVALS_RELEASE=multicast
		;;
	process) by_library $2 $1 $3 BSP_OFFLOAD=0 ;;
	thread) by_library $2 $1 $3 BSP_OFFLOAD=0 BSP_PROGRESS=thread ;;
	mpi)
		agent h1 mpirun --host $(hosts $2) -n $2 \
			rivalsmpi $1 $rounds $3 || exit
		;;
	esac
}
hosts()
{
	for host in $(seq $1); do
		printf 'h%d:1%s' $host $(test $host = $1 || echo ,)
	done
}
END
	cat <<END
for link in $links; do
	for processes in $*; do
		test \$link = 0 || latency \$((link * processes))
		for way in $ways; do
			run \$way \$processes \$link
		done
	done
done
END
}

measure()
{
	needs "$build/bench/rivalsmpi"
	for tool in mpirun orted ompi_info; do
		command -v $tool >/dev/null || fail "no $tool of Open MPI"
	done
	write_agent
	script "$@" >"$work/script"
	in_guest -m 1024 -f "$(mpi_files | tr '\n' ' ')" -k "$modules/espgoal.ko" \
		"$build/stock" "$work/script" "$work/agent" "$build/bench/rivalsbsp" \
		"$build/bench/rivalsmpi" "$build/tools/bsprun/bsprun" "$(command -v mpirun)"
}

# table TABLE PROCESSES FORMAT: operations and links down, ways across
table()
{
	echo
	awk -v table="$1" -v processes="$2" -v format="$3" -v ways="$ways" '
		BEGIN {
			n = split(ways, way, " ")
			name["tree"] = "barrier, binomial tree"
			name["barrier"] = "barrier, dissemination"
			name["allreduce"] = "allreduce of 8 bytes"
			title["kernel"] = "kernel, BSP_OFFLOAD=1"
			title["kernel-tree"] = "kernel, allreduce along trees"
			title["kernel-multicast"] = "kernel, release by multicast"
			title["process"] = "process"
			title["thread"] = "thread, BSP_PROGRESS=thread"
			title["mpi"] = "Open MPI"
			head = "| operation | link, us |"
			line = "|---|---|"
			for (i = 1; i <= n; i++) {
				head = head " " title[way[i]] " |"
				line = line "---|"
			}
			print head "\n" line
		}
		$2 == table && $5 == processes {
			key = $3 " " $6
			if (!(key in seen))
				order[++keys] = key
			seen[key] = 1
			cell[key, $4] = sprintf(format " (" format " to " format ")", $7, $8, $9)
		}
		END {
			split("tree barrier allreduce", operation, " ")
			for (o = 1; o <= 3; o++)
				for (k = 1; k <= keys; k++) {
					split(order[k], at, " ")
					if (at[1] != operation[o])
						continue
					text = "| " name[at[1]] " | " at[2] " |"
					for (i = 1; i <= n; i++)
						text = text " " cell[order[k], way[i]] " |"
					print text
				}
		}' "$work/rows"
}

take_rows "$@"

echo "Command: \`$command\`"
for processes do
	echo
	echo "### $processes processes"
	echo
	echo "Share that is hidden:"
	table hidden "$processes" %.2f
	echo
	echo "What is not hidden, us:"
	table overhead "$processes" %.0f
	echo
	echo "Alone, us:"
	table alone "$processes" %.0f
done
