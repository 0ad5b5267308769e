#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# What every algorithm generates compiles from its text to the same bytes, and all its messages
# meet.
# shellcheck disable=SC2154

. "${0%/*}/../lib/env.sh"

goalc=$top_builddir/tools/goalc/goalc
cd "$tap_dir" || bail "no $tap_dir"

# round KIND ALGORITHM P OPTION...
round()
{
	kind=$1 algorithm=$2 ranks=$3
	shift 3
	if ! "$goalc" gen "$kind" --algorithm "$algorithm" -P "$ranks" "$@" --binary -o wanted \
		2>said; then
		not_applicable "$kind $algorithm of $ranks: $(cat said)"
		return
	fi
	"$goalc" dump -o text wanted && "$goalc" compile -o seen text && cmp wanted seen &&
		"$goalc" check text >said
	ok $? "$kind $algorithm of $ranks $*" || diag "$(head -n 5 said)"
}

"$goalc" gen --list >list || bail "no list"
while read -r kind algorithm _; do
	round "$kind" "$algorithm" 5
	round "$kind" "$algorithm" 8
done <list
round barrier binomial 7 --release multicast
round barrier knomial 9 --arity 3 --networks 2
round barrier dissemination 6 --counts
round barrier dissemination 10 --node 4 --counts
round barrier knomial 10 --node 4 --arity 3
round bcast segmented-chain 4 --bytes 10000 --segment 999
round reduce segmented-chain 5 --bytes 4096 --segment 512 --type i32 --function max
round bcast binomial 4 --bytes 0

# between ALGORITHM P NODE: how many messages of a barrier go from node to node
between()
{
	"$goalc" gen barrier --algorithm "$1" -P "$2" --node "$3" | awk -v node="$3" '
		$1 == "rank" { me = int($2 / node) }
		/send/ { to = $0; sub(/.* to /, "", to); n += int(to / node) != me }
		END { print n + 0 }'
}
is 2 "$(between dissemination 8 4)" "two nodes: one message each way"
is 6 "$(between dissemination 10 4)" "three: two rounds"
is 8 "$(between dissemination 7 2)" "four: two rounds"
for algorithm in binomial knomial linear; do
	is 4 "$(between $algorithm 10 4)" "$algorithm: to the first node and back"
done
is 0 "$(between dissemination 5 8)" "one: none"
"$goalc" gen barrier --algorithm butterfly -P 8 --node 4 >/dev/null 2>said
is "2 goalc: barrier butterfly: takes no --node" "$? $(head -n 1 said)" "others refuse nodes"

done_testing
