#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# A superstep that ended among neighbours waits for these alone, in predictions and on the critical
# path. Times are computed by hand.
# shellcheck disable=SC1090,SC2154

. "${0%/*}/../lib/env.sh"
. "$top_srcdir/t/lib/recorded.sh"

late=L=100us,o=0us,g=0us,G=0ns

# forms FILE: what is predicted for the last network: as recorded, classic, relaxed, and what that
# saves; then what neighbours are, and save
forms()
{
	sed -n '/^as published/q; /^L=/p' "$1" | sed 's/  */ /g'
}
neighbors()
{
	sed -n '/^with neighbours/,/^$/p' "$1" | sed '/^$/d; s/  */ /g' | tail -n 1
}

# line MET: four processes on a line, each of which puts to those beside it. In ms process 0
# computes 5, 1 and 0, process 3 computes 1, 1 and 4, the others 1, 1 and 0. A message takes 0.1.
# When each goes on after a superstep, and after the rounds 1 and 2 of barriers:
#
#	as recorded: 5 5.1 1.1 1.1; 6 6.1 6.2 2.2; bsp_end from 6 6.1 6.2 6.2: rounds 6.3 6.1 6.2
#	    6.3, 6.3 6.4 6.4 6.3; if they have met, the same again: 6.4 6.4 6.5 6.5, 6.6
#	classic: rounds 5 5.1 1.1 1.1, 5 5.1 5.1 5.2; from 6 6.1 6.1 6.2: 6.3 6.1 6.2 6.2,
#	    6.3 6.3 6.4 6.2; from 6.3 6.3 6.4 10.2: 10.3 6.4 6.4 10.2, 10.3 10.3 10.4 10.2
#	relaxed: as recorded, without a meeting
#	neighbours: 5 5.1 5.1 5.2, as the list is set there; from 6 6.1 6.1 6.2: 6.2 6.2 6.3 6.2;
#	    from 6.2 6.2 6.3 10.2 the meeting: 10.3 6.3 6.3 10.2, 10.3 10.3 10.4 10.2;
#	    and the barrier: 10.3 10.4 10.4 10.5, 10.5 10.6 10.4 10.5
line()
{
	record line.rec <<END
run line 4 shm
process 0
neighbors 1
put 1 0 1 8
neighbored a.c:1 5000000 5000000
put 1 0 1 8
neighbored a.c:1 6000000 6000000
end a.c:2 6000000 6000000 $1
process 1
neighbors 0 2
put 0 0 1 8
put 2 0 1 8
neighbored a.c:1 1000000 5100000
put 0 0 1 8
put 2 0 1 8
neighbored a.c:1 6100000 6100000
end a.c:2 6100000 6100000 $1
process 2
neighbors 1 3
put 1 0 1 8
put 3 0 1 8
neighbored a.c:1 1000000 1100000
put 1 0 1 8
put 3 0 1 8
neighbored a.c:1 2100000 6200000
end a.c:2 6200000 6200000 $1
process 3
neighbors 2
put 2 0 1 8
neighbored a.c:1 1000000 1100000
put 2 0 1 8
neighbored a.c:1 2100000 2200000
end a.c:2 6200000 6200000 $1
END
}
line
bspprof predict --on $late line.rec >said
is 0 $? "a recording with neighbours is predicted"
is "$late 0.006400 0.010400 0.006400 38.5 %" "$(forms said)" "each waits for its neighbours alone"
is "$late 0.010400 0.010600 -1.9 %" "$(neighbors said)" \
	"with neighbours of the whole run: from the second superstep on, and all meet at the end"
like '^critical path, of 0.006200 s: 3.2 % in calls and on the network, process 3 96.8 %$' \
	"$(bspprof table line.rec)" "the path leaves out a process that is no neighbour"
is "1 of 0, 2 of 1, 2 of 3" "$(bspprof trace line.rec | tr '{' '\n' |
	sed -n 's/.*"ph":"s",.*"tid":\([0-9]*\),.*/\1/p' | sort -n | uniq -c |
	awk '{ printf "%s%s of %s", sep, $1, $2; sep = ", " }')" \
	"arrows come from a neighbour, at the end from the last of all"
line met=1
bspprof predict --on $late line.rec >said
is "$late 0.006600 0.010400 0.006400 38.5 %" "$(forms said)" "all meet before a barrier"

# ---- A list that changes, and supersteps that are alike ----------------------------------------

# Three processes compute 1 ms and put to one other, which is the same for 0 and 1; 2 puts later. In
# the second superstep each registers: a barrier of two rounds. As recorded they go on at 1.1 1.1 1;
# from 2.1 2.1 2: 2.1 2.2 2.2, 2.3 2.3 2.2; then with another list, 1 and 2 exchange, from 3.3 3.3
# 3.2: 3.3 3.3 3.4; and rounds 3.5 3.4 3.4, 3.5 3.5 3.6. With neighbours of the run (0 1, 1 2): 1.2
# after the first superstep, which is a barrier; 2.2 and a meeting, 2.4, and a barrier, 2.6; 3.6 and
# a message, 3.7; and 4 rounds, 4.1. Classic: 1.2, 2.4, 3.6 and 3.8.
change()
{
	record change.rec <<END
run change 3 shm $2
process 0
$(test "$1" = barrier || echo neighbors 1)
put 1 0 1 8
$1 a.c:1 1000000 1000000
barrier a.c:2 2000000 2000000 $3
$(test "$1" = barrier || echo neighbors)
$1 a.c:1 3000000 3000000
end a.c:3 3000000 3000000
process 1
$(test "$1" = barrier || echo neighbors 0)
put 0 0 1 8
$1 a.c:1 1000000 1000000
barrier a.c:2 2000000 2000000 $3
$(test "$1" = barrier || echo neighbors 2)
put 2 0 1 8
$1 a.c:1 3000000 3000000
end a.c:3 3000000 3000000
process 2
$(test "$1" = barrier || echo neighbors)
$1 a.c:1 1000000 1000000
barrier a.c:2 2000000 2000000 $3
$(test "$1" = barrier || echo neighbors 1)
put 1 0 1 8
$1 a.c:1 3000000 3000000
end a.c:3 3000000 3000000
END
}
change neighbored "" alike=1
bspprof predict --on $late change.rec >said
is "0.003600 0.003800" "$(forms said | cut -d ' ' -f 2,3)" "a list holds from its record on"
is "$late 0.003800 0.004100 -7.9 %" "$(neighbors said)" "what processes do alike is for all"
change barrier "" alike=1
bspprof predict --on $late change.rec >said
is "0.003800 0.003800" "$(forms said | cut -d ' ' -f 2,3)" "without lists all are barriers"
is "$late 0.003800 0.004100 -7.9 %" "$(neighbors said)" "and the neighbours the same"

# ---- The suggestion ----------------------------------------------------------------------------

# around P STEPS END: P processes in a circle compute 1 ms in each superstep, and put to the next
around()
{
	{
		echo "run around $1 shm L=100000"
		for q in $(seq 0 $(($1 - 1))); do
			echo "process $q"
			next=$(((q + 1) % $1))
			test "$3" = barrier || echo "neighbors $next $(((q + $1 - 1) % $1))"
			for s in $(seq "$2"); do
				echo "put $next 0 1 8"
				echo "$3 a.c:1 ${s}000000 ${s}000000"
			done
			echo "end a.c:2 ${2}000000 ${2}000000"
		done
	} | record around.rec
}

# Eight of them: three rounds of 0.1 ms in each of ten supersteps and the last, 13.3 ms; with
# neighbours three in the first, a message in nine, and six rounds at the end: 11.8 ms.
around 8 10 barrier
is "bsp_sync a.c:1: every process exchanges with the same 2 others; neighbours would save 11 %" \
	"$(bspprof predict around.rec | tail -n 1)" "what lists would save is suggested"
like 'a.c:1: every process exchanges with the same 2 others; neighbours would save 11 %' \
	"$(bspprof html around.rec)" "also in the page"
# One superstep is that of the call: 1.3 and 0.3 ms, and three more rounds with a list.
around 8 1 barrier
none "$(bspprof predict around.rec | grep would)" "not where it saves nothing"
around 8 10 neighbored
none "$(bspprof predict around.rec | grep would)" "nor where there are lists"
around 3 10 barrier
none "$(bspprof predict around.rec | grep would)" "nor where all are neighbours"

# ---- What was written before, what is damaged, and what no list limits ------------------------

# Without marks the second superstep ends among neighbours as well: 1.2; 2.3; 3.4; 3.8.
change barrier version=2
bspprof predict --on $late change.rec >said
is "0.003800 0.003800" "$(forms said | cut -d ' ' -f 2,3)" "recordings of earlier versions are read"
is "$late 0.003800 0.003800 0.0 %" "$(neighbors said)" "where no superstep is marked"

record two.rec <<'END'
run two 2 shm
process 0
put 1 0 1 8
barrier a.c:1 1000000 1000000
end a.c:2 2000000 2000000
process 1
barrier a.c:1 1000000 1000000
end a.c:2 2000000 2000000
END
is "the same network not simulated: each process exchanges with all others" \
	"$(bspprof predict two.rec >said; neighbors said)" \
	"a list of all others would change nothing"

for pids in "1 9" 0; do
	record damaged.rec <<END
run damaged 2 shm
process 0
neighbors $pids
neighbored a.c:1 1000000 1000000
process 1
END
	like 'superstep 0 on: a neighbour is a process that there is not' \
		"$(bspprof table damaged.rec)" "neighbours $pids: damaged"
done
record unknown.rec <<'END'
run unknown 1 self
process 0
barrier a.c:1 1000000 1000000
raw 3 4 0 1 1 0 0
END
like 'a superstep is damaged' "$(bspprof table unknown.rec)" "an end of no known kind, too"

done_testing
