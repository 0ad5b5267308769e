#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# On an emulated network BSP_BARRIER=nbx takes a way to and fro if something is sent, and the rounds
# of a barrier of 8 bytes: less than one with counts where there are many processes.

. "${0%/*}/../lib/env.sh"

test -x "$top_builddir/bench/sparse" || skip_all "bench/sparse was not built"

BSP_TRANSPORT=emu
export BSP_TRANSPORT
net=L=20us,o=3us,g=3us,cpu=0

# superstep BARRIER PROCESSES OTHERS [NETWORK]: us, of which each process sends to so many others
superstep()
{
	BSP_BARRIER=$1 BSP_NPROCS=$2 BSP_EMULATE=${4:-$net} timeout "$(limit)" \
		"$top_builddir/bench/sparse" "$3" 3 2>&1
}

# Bytes cost nothing; 26 us are o + L + o.
for n in 2:26 3:52 8:78 17:130 64:156; do
	us=${n#*:}
	n=${n%:*}
	is "$us.0" "$(superstep nbx "$n" 0)" \
		"$n processes, nothing is sent: log P messages in a row"
	is "$((us + 52)).0" "$(superstep nbx "$n" 1)" \
		"$n, each sends to one: before them a chunk and its acknowledgement"
done

# A byte costs 100 ns. By the model consensus costs less from 160 processes on, see
# unit/nbx-costs-what-was-sent.
for n in 32 256; do
	dense=$(superstep dissemination $n 1 $net,G=100ns)
	sparse=$(superstep nbx $n 1 $net,G=100ns)
	diag "$n processes: $dense us with counts, $sparse by consensus"
	is $((n == 256)) "$($AWK -v d="$dense" -v s="$sparse" 'BEGIN { print (s < d) }')" \
		"$n processes: consensus is$(test $n = 256 || echo ' not') faster"
done

done_testing
