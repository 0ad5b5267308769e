#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Goalc gen writes every algorithm as text and binary, all the same.

. "${0%/*}/../lib/env.sh"

goalc=$top_builddir/tools/goalc/goalc
cd "$tap_dir" || bail "no $tap_dir"

"$goalc" gen --list >list
ok $? "--list"
is "barrier dissemination" "$(head -n 1 list | $AWK '{ print $1, $2 }')" \
	"dissemination is the first barrier"
none "$(grep -vE '^[a-z-]+ +[a-z-]+ +[^ ].*' list)" \
	"an operation, a name and a summary in each line"

# both KIND ALGORITHM: text and binary hold the same blocks, and run to their end
both()
{
	"$goalc" gen "$1" --algorithm "$2" -P 8 >a.goal 2>&1 &&
		"$goalc" gen "$1" --algorithm "$2" -P 8 --binary -o a.bin &&
		"$goalc" compile -o b.bin a.goal &&
		cmp a.bin b.bin &&
		"$goalc" sim -b a.bin >a.time &&
		"$goalc" sim -b "$1" --algorithm "$2" -P 8 >b.time &&
		cmp a.time b.time
}

while read -r kind algorithm rest; do
	both "$kind" "$algorithm"
	ok $? "$kind $algorithm: text, binary and simulation"
done <list

"$goalc" gen barrier -P 8 --counts --binary --rank 3 -o one
ok $? "the block of one process"
is 4c414f47 "$(od -An -tx4 -N4 one | tr -d ' ')" "it begins as a block does"
"$goalc" gen barrier -P 8 --counts --rank 3 >one.list
like 'send' "$(cat one.list)" "or a list of its operations"

# All blocks of this are 10^10 messages: it is written as it is made.
is "rank 3 {" "$(timeout "$(limit)" "$goalc" gen exchange -P 100000 --algorithm direct |
	$SED -n '/^rank 3 {$/{p;q;}')" \
	"the schedules of 100000 processes begin at once"
"$goalc" gen barrier -P 5000 2>full.err >/dev/full
is "1 goalc: standard output: No space left on device" "$? $(cat full.err)" \
	"a full disk is reported"

# refuses MESSAGE ARGUMENT...
refuses()
{
	message=$1
	shift
	seen=$("$goalc" gen "$@" 2>&1)
	is "2 goalc: $message" "$? $seen" "$message"
}
refuses "gen: expected one operation, like 'barrier'; gen --list has all"
refuses "--rank 8: there are 8 processes" barrier -P 8 --rank 8
refuses "barrier dissemination: takes no --bytes" barrier -P 8 --bytes 3
refuses "--processes 0: expected a whole number from 1 to 16777216" barrier -P 0
refuses "bcast binomial: the root is no process" bcast -P 4 --root 4
refuses "--function sub: expected 'add', 'mul', 'max', 'min', 'and', 'or' or 'xor'" \
	reduce -P 4 --function sub
refuses "--type i9: expected 'i8' to 'i64', 'u8' to 'u64', 'f32' or 'f64'" reduce -P 4 --type i9

refuses "--nodes 5: there are 4 processes" bcast -P 4 --nodes 5
refuses "barrier butterfly: takes no --nodes" barrier --algorithm butterfly -P 4 --nodes 2
refuses "gather chain: it does not know nodes" gather --algorithm chain -P 4 --nodes 2

# Two levels: 11 processes on nodes of 4, 4 and 3.
for operation in "bcast --algorithm chain" "reduce --algorithm chain" \
	"allreduce --algorithm dissemination" "gather --algorithm linear" \
	"scatter --algorithm linear" "allgather --algorithm ring" "exchange --algorithm pairwise" \
	"scan --algorithm chain" "reduce-scatter --algorithm direct-rotated" "barrier --counts"; do
	# shellcheck disable=SC2086
	"$goalc" gen $operation -P 11 --nodes 3 >levels.goal 2>&1 &&
		"$goalc" gen $operation -P 11 --node 4 | cmp - levels.goal &&
		"$goalc" check levels.goal >/dev/null &&
		"$goalc" svg --node 4 --inside L=10,o=3,g=5,G=0 levels.goal | grep -q '</svg>'
	ok $? "$operation in two levels is checked and drawn"
done
# o + L + o between delegates, then the same inside.
is 130 "$("$goalc" sim -b bcast -P 4 --nodes 2 --bytes 1 -L 100 -o 10 -g 10 -G 0 \
	--inside L=8,o=1,g=1,G=0)" "a broadcast takes a hop of the network and one of memory"
seen=$("$goalc" sim bcast -P 4 --inside L=8 2>&1)
is "2 goalc: sim: --inside: expected --node and the processes of a node" "$? $seen" \
	"without nodes nothing is inside"
for nodes in 0 x; do
	seen=$("$goalc" svg --node $nodes levels.goal 2>&1)
	is "2 goalc: --node $nodes: expected a whole number from 1 to 16777216" \
		"$? $seen" "--node $nodes of a drawing"
done
seen=$("$goalc" sim bcast -P 4 --nodes 2 --inside L8 2>&1)
is "2 goalc: --inside L8: expected parameters of the network, like L=180,o=30,g=50,G=0" \
	"$? $seen" "parameters that are none"
many=$(printf 'o=1,%.0s' $(seq 49))L=100000
seen=$("$goalc" sim bcast -P 4 --nodes 2 --inside "$many" 2>&1)
is "2 goalc: --inside $many: expected parameters of the network, like L=180,o=30,g=50,G=0" \
	"$? $seen" "more than fit are not cut"

seen=$("$goalc" gen barrier -P 4 -o no/such/folder 2>&1)
is "1 goalc: no/such/folder: No such file or directory" "$? $seen" "a file that cannot be written"

done_testing
