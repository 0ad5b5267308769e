#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# On the emulated network of the paper on barriers over Ethernet, each process sees the butterfly
# take its rounds, the linear barrier grow by a gap with each process, and messages wait for each
# other on a hub.

. "${0%/*}/../lib/env.sh"

test -x "$top_builddir/bench/eachnode" || skip_all "bench/eachnode was not built"

BSP_TRANSPORT=emu
export BSP_TRANSPORT
net=L=17500ns,o=6250ns,g=9us,cpu=0

# seen BARRIER PROCESSES NETWORK: "least mean most" in us, means over all processes
seen()
{
	BSP_BARRIER=$1 BSP_NPROCS=$2 BSP_EMULATE=$3 timeout "$(limit)" \
		"$top_builddir/bench/eachnode" 20 >"$tap_dir/rows" 2>"$tap_dir/err" ||
		cat "$tap_dir/err"
	$AWK -F, 'NR > 1 { least += $2; mean += $3; most += $4; n++ }
		END { printf "%.6g %.6g %.6g\n", least / n, mean / n, most / n }' "$tap_dir/rows"
}

is "30 30 30" "$(seen butterfly 2 $net)" "butterfly of 2: o + L + o"
is "60 60 60" "$(seen butterfly 4 $net)" "butterfly of 4: twice that"

# There and back are 60 us. Process 0 sends g apart, and what it releases later sends later: so
# messages come to it g apart as well.
for n in 2 3 5 8; do
	us=$((60 + (n - 2) * 9))
	is "$us $us $us" "$(seen linear $n $net)" "linear barrier of $n: 9 us for each process more"
done

# A frame of least length has a hub of 100 Mbit/s for 6.7 us, which is 134 ns for each of 50 bytes.
alone=$(seen linear 8 $net | cut -d ' ' -f 2)
hub=$(seen linear 8 $net,switch=134ns | cut -d ' ' -f 2)
is 1 "$($AWK -v hub="$hub" -v alone="$alone" 'BEGIN { print (hub > alone) }')" \
	"linear barrier of 8: messages wait on a hub" ||
	diag "$alone us, on a hub $hub us"

done_testing
