#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# nodes.sh - barriers in the kernel of several processes of each host, in a guest: a table.

# nodes.sh [HOSTSxPROCESSES...]: by default 2x2 2x4 4x4. Run in the build folder, or in any with
# BUILD naming it, after make stock-kernel kernel-modules. It boots one guest
# (../kernel/testbed/guest.sh) and prints Markdown when that has ended.
#
# LINKS: latencies of the link, us, which netem adds to that of the guest's bridge. OFFLOAD: 0, the
# processes run the schedules, 1 the kernel, by default. ROWS: a file that keeps the figures as they
# came, or has them already: then nothing is measured.

. "${0%/*}/in_guest.sh"
links=${LINKS:-0 10 50 200}
offload=${OFFLOAD:-1}
command="${LINKS:+LINKS='$LINKS' }${OFFLOAD:+OFFLOAD=$OFFLOAD }bench/nodes.sh${*:+ $*}"
test $# -gt 0 || set -- 2x2 2x4 4x4

# script SHAPE...: what the guest does
script()
{
	cat <<'END'
# A process that has slept gets little time before the others: see offload.sh.
mount -t debugfs debug /sys/kernel/debug && echo 100000 >/sys/kernel/debug/sched/latency_ns &&
	echo 100000 >/sys/kernel/debug/sched/min_granularity_ns && umount /sys/kernel/debug || exit
mkdir -p /dev/shm && mount -t tmpfs shm /dev/shm
export BSP_TRANSPORT=esp BSP_ESP_INTERFACE=eth0 BSP_WAIT=spin:0,yield:0
segment 4 || exit
for host in 1 2 3 4; do
	ip -n h$host link set lo up || exit
done
# probe HOSTS PROCESSES LINK: so many processes of each
probe()
{
	for host in $(seq $1); do
		test $3 = 0 ||
			tc -n h$host qdisc replace dev eth0 root netem delay ${3}us limit 10000
		part=$(((host - 1) * $2))-$((host * $2 - 1))
		ip netns exec h$host unshare -u sh -c "hostname h$host &&
			exec bsprun --discover job -n $(($1 * $2)) --part $part \
			bspprobe --seconds 8 --bytes 1 --verify --only barrier --csv" \
			>/tmp/out$host 2>/tmp/err$host &
	done
	wait
	cat /tmp/err*
	sed -n "s/^barrier,/row $1x$2 $3 /p" /tmp/out1
}
END
	echo "export BSP_OFFLOAD=$offload"
	for shape; do
		for link in $links; do
			echo "probe ${shape%x*} ${shape#*x} $link"
		done
	done
}

measure()
{
	needs "$build/tools/bspprobe/bspprobe" "$build/tools/bsprun/bsprun"
	script "$@" >"$work/script"
	in_guest -m 1024 -k "$modules/espgoal.ko" "$build/stock" "$work/script" \
		"$build/tools/bspprobe/bspprobe" "$build/tools/bsprun/bsprun"
}

# A line of bspprobe: algorithm, processes, bytes, number, predicted, median and its bounds, us.
table()
{
	echo "| hosts x processes | link, us | dissemination | +nodes | binomial | +nodes |" \
		"+nodes+multicast |"
	echo "|---|---|---|---|---|---|---|"
	awk '
		{
			split($4, at, ",")
			split($2, shape, "x")
			if (at[2] != shape[1] * shape[2])
				next
			key = $2 " | " $3
			if (!(key in seen))
				order[++keys] = key
			seen[key] = 1
			cell[key, at[1]] = sprintf("%.0f (%.0f to %.0f)", at[6], at[7], at[8])
		}
		END {
			for (k = 1; k <= keys; k++)
				printf "| %s | %s | %s | %s | %s | %s |\n", order[k],
					cell[order[k], "dissemination"],
					cell[order[k], "dissemination+nodes"],
					cell[order[k], "binomial"],
					cell[order[k], "binomial+nodes"],
					cell[order[k], "binomial+nodes+multicast"]
		}' "$work/rows"
}

take_rows "$@"
echo "Command: \`$command\`"
echo
table
