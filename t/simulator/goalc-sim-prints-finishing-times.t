#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Goalc sim prints when processes finish, as LogGOPSim does, and refuses what it cannot run.

. "${0%/*}/../lib/env.sh"

goalc=$top_builddir/tools/goalc/goalc
cd "$tap_dir" || bail "no $tap_dir"

# run ARGUMENT...: standard output in out, the last line of standard error in err, status in $status
run()
{
	"$goalc" "$@" >out 2>err </dev/null
	status=$?
}

# prints DESCRIPTION EXPECTED ARGUMENT...
prints()
{
	description=$1 expected=$2
	shift 2
	run "$@"
	is "0 $expected" "$status $(cat err out)" "$description"
}

# refuses STATUS MESSAGE ARGUMENT...
refuses()
{
	expected="$1 goalc: $2"
	message=$2
	shift 2
	run "$@"
	is "$expected" "$status $(cat err out)" "$message"
}

# The binomial reduce of LogGOPSim's README.
cat >reduce.goal <<'END'
num_ranks 8
rank 0 {
recv 1024b from 4
recv 1024b from 2
recv 1024b from 1
}
rank 1 {
a: recv 1024b from 5
b: recv 1024b from 3
c: send 1024b to 0
c requires a
c requires b
}
rank 2 {
a: recv 1024b from 6
b: send 1024b to 0
b requires a
}
rank 3 {
a: recv 1024b from 7
b: send 1024b to 1
b requires a
}
rank 4 {
send 1024b to 0
}
rank 5 {
send 1024b to 1
}
rank 6 {
send 1024b to 2
}
rank 7 {
send 1024b to 3
}
END
prints "each host of up to 16" "Times:
Host 0: 34914
Host 1: 24776
Host 2: 13138
Host 3: 13138
Host 4: 1500
Host 5: 1500
Host 6: 1500
Host 7: 1500" sim reduce.goal
prints "only the latest with -b" 34914 sim -b reduce.goal
prints "with other parameters" 3429 sim -b -L 100 -o 10 -g 10 -G 1 -O 1 -S 5000 reduce.goal
prints "with overheads of receives apart" 120000 sim -b -L 17500 -o 3000 -r 9500 -g 9000 \
	barrier -P 16 --algorithm butterfly
prints "of which 0 is one" 7000 sim -b -L 2500 -o 1000 -r 0 barrier -P 4 --algorithm butterfly
prints "our own reduce takes as long" 34914 sim reduce -P 8 --bytes 1024 --algorithm binomial -b
"$goalc" compile -o reduce.bin reduce.goal
prints "the same of a binary" 34914 sim -b reduce.bin
"$goalc" gen barrier -P 4 --algorithm butterfly >barrier.goal
prints "what goalc gen wrote" 11000 sim -b barrier.goal
is 11000 "$("$goalc" sim -b <barrier.goal)" "standard input"

prints "the latest host of many" "Maximum finishing time at host 0: 27500" \
	sim barrier --algorithm dissemination -P 17
run sim barrier -P 17 --all
is "Times: 17 Host 16: 27500" "$(head -n 1 out) $(grep -c '^Host' out) $(tail -n 1 out)" \
	"all of many with --all"
prints "one send reaches all with --multicast" 11000 sim barrier -P 2 --algorithm linear \
	--release multicast --multicast -b
prints "a multicast without it is a send to each" 71000 sim barrier -P 22 --algorithm linear \
	--release multicast -b
prints "with it it is one" 41000 sim barrier -P 22 --algorithm linear --release multicast \
	--multicast -b

# Ranks 0 and 1 of each node: o, then the message crosses; where they share a core of their node
# rank 1 sends after a turn, and what comes for rank 0 of node 1 meanwhile waits for its next turn.
cat >turns.goal <<'END'
num_ranks 4
rank 0 {
send 1b to 2
}
rank 1 {
send 1b to 3
}
rank 2 {
recv 1b from 0
}
rank 3 {
recv 1b from 1
}
END
few="-L 100 -o 10 -g 10 -G 0"
# shellcheck disable=SC2086 # options
{
	prints "a core for each" 120 sim -b $few --cores 4 --turn 5 turns.goal
	prints "two cores of all: ranks 2 and 3 see it at 10 + 21 * 5" 125 sim -b $few --cores 2 \
		--turn 5 turns.goal
	prints "a core of each node: rank 1 sends at 15, rank 3 receives behind rank 2" 135 \
		sim -b $few --node 2 --node-cores 1 --turn 5 turns.goal
	prints "messages inside nodes of a file" 9 sim -b $few --node 4 --inside L=7,o=1 turns.goal
}
prints "a barrier that is made up: 10 rounds, and three turns where a message crosses" 10015 sim -b --cores 512 --turn 5 barrier \
	--algorithm dissemination -P 1024 -L 1000 -o 0 -g 0
refuses 2 "--node-cores 3: expected either --cores or --node-cores" sim --cores 2 --node-cores 3
refuses 2 "sim: --node-cores: expected --node and the processes of a node" sim --node-cores 3 \
	turns.goal
refuses 2 "sim: --turn: expected --cores or --node-cores" sim --turn 5 turns.goal
refuses 2 "--cores 0: expected a whole number from 1 to 16777216" sim --cores 0 turns.goal
refuses 2 "--turn x: expected a whole number from 0 to 1000000000000" sim --turn x turns.goal

sed 's/^\(.*recv.*\) tag 1$/\1 tag 7/' barrier.goal >left.goal
refuses 1 \
	"left.goal: rank 0 waits for a message from rank 2 with tag 7 that does not come (8 such); rank 0 never receives the message from rank 2 with tag 1 (4 such)" \
	sim left.goal
refuses 2 "sim: b: expected one file or operation" sim a b
refuses 2 "nothing: no such operation; goalc gen --list lists them" sim nothing -P 4
refuses 2 "barrier: no algorithm none; goalc gen --list lists them" sim barrier -P 4 --algorithm \
	none
refuses 2 "barrier: expected -P and the number of processes" sim barrier --algorithm linear
refuses 2 "barrier dissemination: takes no --arity" sim barrier -P 4 --arity 3
refuses 2 "--arity 0: expected a whole number from 1 to 16777216" sim barrier -P 4 --arity 0
refuses 2 "-r x: expected a whole number of at most 1000000000000" sim -r x barrier -P 4
refuses 2 "--release no: expected 'tree' or 'multicast'" sim barrier -P 4 --release no

# In the binomial tree a process with bits b1 > b2 > ... > bm has the message m hops of o + L + o +
# 1023 G = 11638 after the root began, and later by 7138 = g + 1023 G for each send that its
# ancestors made before: 20 - m - bm of them, where no subtree is missing. So of 10^6 the last have
# 19 bits set, the lowest among them, and one send before: 7138 + 19 * 11638. A subtree is missing
# for none of the four below 10^6: 524287, 786431, 917503 and 983039. The one of the lowest rank is
# named.
prints "of those that finish last together the lowest rank is named" \
	"Maximum finishing time at host 524287: $((7138 + 19 * 11638))" sim bcast -P 1000000
run sim bcast -P 1000000 --all
is "524287 786431 917503 983039" \
	"$($SED -n 's/^Host \([0-9]*\): 228260$/\1/p' out | tr '\n' ' ' | $SED 's/ $//')" \
	"four finish last"

done_testing
