# SPDX-License-Identifier: BSD-3-Clause
# figure-5.sh - latency and bandwidth of one pair over modules of bspgauge.
# shellcheck shell=sh disable=SC1091,SC2154

. "$SOURCE/bench/papers/netgauge/gauge.sh"

needs mpi-p2p
echo "# pattern one_one, half of a round trip; $about"
echo "# tcp, udp and ip over the loopback interface, mpi-p2p and shm over shared memory"
echo "$head"
for module in mpi-p2p tcp udp ip shm; do
	can_run $module || continue
	gauge $module --pattern one_one | awk -F, '
		$11 > 0 && $5 == "us" { printf "latency/%s,%s,%s,%s,%s,us\n", $2, $7, $8, $9, $10 }
		$11 > 0 && $5 == "MB/s" {
			printf "bandwidth/%s,%s,%s,%s,%s,MB/s\n", $2, $7, $8, $9, $10
		}'
done
