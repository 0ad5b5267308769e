#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# consensus.sh - supersteps with counts and by consensus, in virtual time: which is faster where.

# consensus.sh [PROCESSES...]: by default 16 to 1024 in powers of 2. In a superstep each process
# sends 8 bytes to so many others as OTHERS says. NETWORK: the emulated one without G, which is ns
# for a byte, of GAPS. The program is looked for in the build folder, which is the current one or
# the one in BUILD.

build=${BUILD:-.}
network=${NETWORK:-L=20us,o=3us,g=3us}
test $# -gt 0 || set -- 16 32 64 128 256 512 1024

# superstep PROCESSES BARRIER OTHERS GAP: us
superstep()
{
	BSP_TRANSPORT=emu BSP_EMULATE=$network,G=$4ns,cpu=0 BSP_NPROCS=$1 BSP_BARRIER=$2 \
		"$build/bench/sparse" "$3"
}

printf '| ns a byte | sends to |'
printf ' %s |' "$@"
printf '\n|---|---|'
printf '%s' "$(printf -- '---|%.0s' "$@")"
echo
for gap in ${GAPS:-1 10 100}; do
	for others in ${OTHERS:-0 1 4}; do
		printf '| %s | %s |' "$gap" "$others"
		for n do
			dense=$(superstep "$n" dissemination "$others" "$gap") || exit 1
			sparse=$(superstep "$n" nbx "$others" "$gap") || exit 1
			awk -v d="$dense" -v s="$sparse" 'BEGIN {
				printf d < s ? " **%.0f** %.0f |" : " %.0f **%.0f** |", d, s }'
		done
		echo
	done
done
