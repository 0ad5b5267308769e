#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Where a network has no counted barrier, its measured parameters choose the barrier of bsp_sync.
# shellcheck disable=SC2154

. "${0%/*}/../lib/env.sh"

BSP_PLUGINS=${BSP_PLUGINS:-$top_builddir/.libs}
HOME=$tap_dir
XDG_CONFIG_HOME=$tap_dir
export BSP_PLUGINS HOME XDG_CONFIG_HOME
gm=$top_builddir/bench/gm

# chosen TRANSPORT FILE [BARRIER [PROCESSES]]: what bsp_begin says it has chosen, for four processes
chosen()
{
	BSP_NPROCS=${4:-4} BSP_TRANSPORT=$1 BSP_PARAMS=$2 BSP_BARRIER=${3:-auto} BSP_VERBOSE=1 \
		timeout "$(limit)" "$gm" 8 1 2>&1 >/dev/null |
		$SED -n "s/^bsp: ${4:-4} processes, .* bsp_sync //p"
}

# network LATENCY GAP [GAP64]: a file of parameters, in nanoseconds, for each transport; GAP64 for a
# message of 64 bytes and more
network()
{
	for transport in ofi mpi mix; do
		echo \
			"{ \"host\": \"any\", \"transport\": \"$transport\", \"network\": \"\", \"nprocs\": 4,
			\"L\": $1, \"gamma\": 1, \"combine\": 0.1, \"copy\": 0.1,
			\"s\": 1000, \"l\": 10000, \"g\": 1, \"nhalf\": 100, \"sizes\": [
			{ \"bytes\": 1, \"os\": 100, \"or\": 100, \"g\": $2 },
			{ \"bytes\": 63, \"os\": 100, \"or\": 100, \"g\": $2 },
			{ \"bytes\": 64, \"os\": 100, \"or\": 100, \"g\": ${3:-$2} },
			{ \"bytes\": 1000000, \"os\": 100, \"or\": 100, \"g\": ${3:-$2} } ] }"
	done | $AWK 'BEGIN { print "{ \"version\": 1, \"entries\": [" }
		/"host"/ && n++ { print "," }
		{ print }
		END { print "] }" }'
}

network 100000 100 >"$tap_dir/far"
network 100 100000 >"$tap_dir/narrow"
some=false
for transport in ofi mpi; do
	test "$(BSP_NPROCS=2 BSP_TRANSPORT=$transport timeout "$(limit)" "$gm" 8 1 2>/dev/null | wc -l)" \
		-gt 0 || continue
	some=:
	is alltoall "$(chosen $transport "$tap_dir/far")" \
		"$transport: long ways, so one message each way"
	is dissemination "$(chosen $transport "$tap_dir/narrow")" \
		"$transport: messages in a row cost, so rounds"
	is binomial "$(chosen $transport "$tap_dir/far" binomial)" \
		"$transport: BSP_BARRIER overrides it"
	is dissemination "$(chosen $transport "")" "$transport: nothing is known, so rounds"
done
$some || skip_all "no transport without a counted barrier can run here"

# nodes SIZE [BARRIER]: what six processes take, so many of which are a node
nodes()
{
	BSP_NPROCS=6 BSP_NODE_SIZE=$1 BSP_TRANSPORT=mix BSP_PARAMS= BSP_BARRIER=${2:-dissemination} \
		BSP_VERBOSE=1 timeout "$(limit)" "$gm" 8 1 2>&1 >/dev/null |
		$SED -n 's/^bsp: 6 processes, .* bsp_sync //p; s/.*cannot make the barrier //p'
}

for barrier in dissemination+nodes binomial+nodes knomial:3+nodes linear+nodes; do
	is "$barrier" "$(nodes 4 $barrier)" "one message to and from a node: $barrier"
done
for barrier in auto counting; do
	is "dissemination of counting nodes" "$(nodes 4 $barrier)" "$barrier: nodes count"
	is "dissemination of counting nodes" "$(nodes 5 $barrier)" "$barrier: also one alone"
	is dissemination "$(nodes 1 $barrier)" "$barrier: but not if all have one process"
done
is dissemination+nodes "$(BSP_CHECK=1 nodes 4 auto)" "with checks none counts"

# On a network where messages are cheap if they are short counts are longer than acknowledgements,
# which are less than 64 bytes, only where there are many processes.
network 100 1000 1000000 >"$tap_dir/short"
export BSP_NODE_SIZE=16
gm=$top_builddir/bench/sparse	# which does less
is nbx "$(chosen mix "$tap_dir/short" auto 32)" "32 processes: no counts, which are long messages"
network 100 1000 >"$tap_dir/even"
like '^[a-z:0-9]+ of counting nodes$' "$(chosen mix "$tap_dir/even" auto 32)" \
	"32: counts cost less where long messages do not cost more"
done_testing
