#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# More processes than a node can have run supersteps on simulated nodes; their memory is printed.
# shellcheck disable=SC1091,SC2154

. "${0%/*}/../lib/env.sh"
. "$top_srcdir/t/lib/installed.sh"

need_transport ofi

. "$top_srcdir/t/lib/thousands.sh"

# run PROCESSES NODES STEPS: if the machine has the memory
run()
{
	mib=$(awk '/^MemAvailable/ { print int($2 / 1024) }' /proc/meminfo)
	if test "$mib" -lt $(($1 * 2)); then
		not_applicable "$1 processes: this machine has $mib MiB left"
		return
	fi
	seen=$(bsprun -n "$1" --nodes "$2" ./ring "$3" 2>&1)
	is 0 $? "$1 processes on $2 nodes, $3 supersteps with two puts" || diag "$seen"
	figure "$1 processes on $2 nodes, $3 supersteps: $seen"
}

for steps in 0 10; do
	run 1024 8 $steps
	run 2048 8 $steps
	run 4096 8 $steps
	run 5000 8 $steps
done
test -z "$TAP_LONG" || run 8192 16 10
done_testing
