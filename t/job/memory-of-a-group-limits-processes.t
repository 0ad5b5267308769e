#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# A job for which its control group or its machine has no memory is refused before it starts; swap
# is memory, and so are pages of files.
# shellcheck disable=SC1090,SC2154

# With a folder in place of groups, and a /proc/meminfo of its own.
script=$(readlink -f "$0")
. "${script%/*}/../lib/alone.sh"
. "$top_srcdir/t/lib/installed.sh"

grep -q '^0::' /proc/self/cgroup || skip_all "not applicable: no control groups of version 2"
cat >starts.c <<'END'
#include <bsp.h>

int main(void)
{
	bsp_begin(bsp_nprocs());
	bsp_end();
	return 0;
}
END
bspcc -o starts starts.c || bail "the program does not compile"
mkdir groups
mount --bind groups /sys/fs/cgroup || bail "no folder of groups"

# memory AVAILABLE SWAP, in KiB, of the machine
memory()
{
	printf 'MemTotal: 9000000 kB\nMemFree: 10 kB\nMemAvailable: %s kB\nSwapFree: %s kB\n' "$@" \
		>meminfo
}
memory 2000000 0
mount --bind meminfo /proc/meminfo || bail "no /proc/meminfo of its own"

starts()
{
	timeout -k 5 "$(limit)" bsprun -n 2 ./starts >out 2>&1
	is 0 $? "$1: it starts" || diag "$(cat out)"
}

refused()
{
	timeout -k 5 "$(limit)" bsprun -n 2 ./starts >out 2>&1
	is 1 $? "$1: it does not start"
	like "^bsp_begin: cannot start 2 processes: Cannot allocate memory; ask for fewer" \
		"$(cat out)" "and says why"
}

starts "memory enough"
memory 100 0
refused "100 KiB of the machine"
memory 100 1000
starts "and 1000 KiB of swap"
memory 2000000 0
echo max >groups/memory.max
echo 400000000 >groups/memory.current
starts "a group without a limit"
echo 400100000 >groups/memory.max
refused "a group that has 100 KB left"
echo "inactive_file 1000000" >groups/memory.stat
starts "and 1 MB of files"
done_testing
