#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# 4096 processes run 100 supersteps; the memory that a process has is printed.

. "${0%/*}/../lib/env.sh"
. "$top_srcdir/t/lib/installed.sh"
. "$top_srcdir/t/lib/thousands.sh"

for n in 64 256 1024 4096; do
	seen=$(bsprun -n $n ./ring 2>&1)
	is 0 $? "$n processes that are idle"
	figure "$n idle processes: $seen"
done
for n in 1024 4096; do
	seen=$(bsprun -n $n ./ring 100 2>&1)
	is 0 $? "$n processes, 100 supersteps with two puts"
	figure "$n processes that put to two: $seen"
done
done_testing
