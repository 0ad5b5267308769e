#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Each figure of bspprof's table is the one that follows from the recording by hand.
# shellcheck disable=SC1090,SC2154

. "${0%/*}/../lib/env.sh"
. "$top_srcdir/t/lib/recorded.sh"

# A process waits in bsp_end for the last one, which comes 3 ms after the superstep began. All
# processes compute for 28.8 ms and wait for 19.2, which is 60 and 40 % of 3 times 16 ms.
#
# Bytes out and in: superstep 1: 0: 4000, 500; 1: 1500, 4000; 2: 0, 1000; so h = 4000. In 2 the
# get of process 1 comes out of 2: 0: 0, 3000; 1: 0, 2000; 2: 5000, 0; so h = 5000. 3: none.
#
# The critical path begins at the end of process 2: 3 ms; in superstep 3 that waited for process 0,
# which came 0.2 ms before the end, after 3.8 ms; that had waited in superstep 2 for process 2,
# which came 0.5 ms before the end, after 2.5 ms; and in 1 after 5 ms was the last itself: 1 ms. So
# 10.5 ms are of process 2, 3.8 of 0, and 1.7 in calls, of 16.
#
# Model: 2 rounds of L + 2 o = 20 us, and 2 ns for a byte of h: 5 + 0.008 + 0.04 ms; 2.5 + 0.01 +
# 0.04; 3.8 + 0.04; 3 + 0.04: 14.478 ms, with 14.3 of computing.
record_jacobi
bspprof jacobi.rec >whole
is 0 $? "a recording is shown"

# figures RECORDING: its table without the sentences, which another test has
figures()
{
	bspprof "$1" | awk '/^where the time goes:|^what would help:/ && !said++ { blank = 0 }
		/^where the time goes:|^what it is:|^what would help:/ { next }
		blank { print "" } { blank = /^$/ } !blank { print } END { if (blank) print "" }'
}

figures jacobi.rec >table

# narrow: of standard input, without the blanks that align columns, and long lines in parts
narrow()
{
	sed 's/  */ /g; s/^ //; s/; /;\
/g; s/, process/,\
process/g'
}

# part FIRST LAST: these lines of the table
part()
{
	sed -n "$1,$2p" table | narrow
}

is "jacobi: 3 processes, transport shm, 4 supersteps, 0.016000 s
computed 60.0 %, waited 40.0 % of the time of all processes;
sent 11 puts, gets and messages with 10500 bytes" \
	"$(part 1 2)" "processes, supersteps, time; parts; calls and bytes"
is "call sites, by the time waited
calls computed s most s waited s most s wait % path % imbal. worst h bytes call site
1 0.003000 0.005000 0.003000 0.005000 18.8 31.2 1.67 2 4000 bsp_sync a.c:10
2 0.004600 0.006000 0.002400 0.005000 15.0 39.4 1.30 2 5000 bsp_sync a.c:20" \
	"$(part 4 7)" "each column of the supersteps' call sites"
like '^1 0.002000 0.003000 0.001000 0.002000 6.2 18.8 1.50 2 0 bsp_end a.c:30$' \
	"$(part 8 8)" "and of the end, in which the others wait for the last"
is "supersteps that repeat
supersteps time s waited s model s beyond s call sites
1 0.006000 0.003000 0.005048 +0.000952 bsp_sync a.c:10
2 0.007000 0.002400 0.006390 +0.000610 2 times
2 0.007000 0.002400 0.006390 +0.000610 bsp_sync a.c:20
1 0.003000 0.001000 0.003040 -0.000040 bsp_end a.c:30" \
	"$(part 10 15)" "supersteps that repeat, with time, waits and model"
is "critical path, of 0.016000 s: 10.6 % in calls and on the network,
process 0 23.8 %,
process 2 65.6 %" \
	"$(part 17 17)" "the critical path goes from process to process"
is "cost model, W + g h + L: 0.014478 s with W 0.014300 s;
the run took 0.016000 s, 1.11 times that" \
	"$(part 19 19)" "the model of the whole run"
is 19 "$(wc -l <table)" "there is no more"

# ---- One process: no barrier takes a round, and it waits for none -----------------------------

record alone.rec <<'END'
run alone 1 self L=10000 o=5000 g=8000 G=2
process 0
put 0 0 1 1000
barrier a.c:1 2000000 2500000
end a.c:2 4000000 4000000
END
figures alone.rec >table
is "alone: 1 processes, transport self, 2 supersteps, 0.004000 s
computed 87.5 %, waited 12.5 % of the time of all processes;
sent 1 puts, gets and messages with 1000 bytes" \
	"$(part 1 2)" "one process: 3.5 of 4 ms are computed"
is "1 0.002000 0.002000 0.000500 0.000500 12.5 50.0 1.00 0 1000 bsp_sync a.c:1" \
	"$(part 6 6)" "one process: without imbalance"
like '^1 0.001500 0.001500 0.000000 0.000000 0.0 37.5 1.00 0 0 bsp_end a.c:2$' \
	"$(part 7 7)" "one process: no wait in bsp_end"
is "cost model, W + g h + L: 0.003502 s with W 0.003500 s;
the run took 0.004000 s, 1.14 times that" \
	"$(part 16 16)" "one process: the model has no barrier"
is "critical path, of 0.004000 s: 12.5 % in calls and on the network,
process 0 87.5 %" "$(part 14 14)" "one process: the path"

# ---- Equal times, of a superstep without communication ----------------------------------------

record_equal
figures equal.rec >table
is "computed 100.0 %, waited 0.0 % of the time of all processes;
sent 0 puts, gets and messages with 0 bytes" \
	"$(part 2 2)" "equal times: nothing waited"
is "1 0.001000 0.001000 0.000000 0.000000 0.0 100.0 1.00 0 0 bsp_sync a.c:1" "$(part 6 6)" \
	"equal times: no imbalance, no h"
like '^1 0.000000 0.000000 0.000000 0.000000 0.0 0.0 1.00 0 0 bsp_end a.c:2$' \
	"$(part 7 7)" "no time at all is no division by 0"
is "1 0.001000 0.000000 0.001000 +0.000000 bsp_sync a.c:1
1 0.000000 0.000000 0.000000 +0.000000 bsp_end a.c:2" "$(part 11 12)" "nothing beyond the model"

# ---- No superstep -----------------------------------------------------------------------------

record none.rec <<'END'
run none 2 shm
process 0
process 1
note process 0 was killed by signal 9
END
figures none.rec >table
is 0 $? "a run that ended before its first superstep is shown"
is "none: 2 processes, transport shm, 0 supersteps, 0.000000 s
computed 0.0 %, waited 0.0 % of the time of all processes;
sent 0 puts, gets and messages with 0 bytes
the run did not end well: process 0 was killed by signal 9" "$(part 1 3)" "with no figure but 0"
like '^there is no critical path: no call took any time$' "$(cat table)" "without a path"
like '^cost model, .*; the run took 0.000000 s, 0.00 times that$' "$(cat table)" "or a ratio"

# ---- A call site of one process, and a process that is missing --------------------------------

# Three processes are there; only 0 expects messages, and 2 ended before it did anything.
# Means are those of the three: 1 call is 0.3 of a process.
record some.rec <<'END'
run some 4 shm L=0 o=0 g=0 G=0
process 0
expect a.c:1 3 1000000 2000000
barrier a.c:2 4000000 4000000
barrier a.c:2 8000000 8000000
process 1
barrier a.c:2 2000000 4000000
barrier a.c:2 6000000 8000000
process 2
END
figures some.rec >table
is "computed 68.8 %, waited 31.2 % of the time of all processes;
sent 0 puts, gets and messages with 0 bytes
the recording has 3 of 4 processes" "$(part 2 3)" "a process is missing: 11 ms computed, 5 waited"
is "1.3 0.003333 0.006000 0.001333 0.004000 16.7 75.0 1.80 0 0 bsp_sync a.c:2
0.3 0.000333 0.001000 0.000333 0.001000 4.2 12.5 3.00 0 0 bsp_expect a.c:1" "$(part 7 8)" \
	"a process is missing: means are those of the others"
is "1 0.004000 0.001000 0.003000 +0.001000 bsp_expect a.c:1, bsp_sync a.c:2
1 0.004000 0.000667 0.004000 +0.000000 bsp_sync a.c:2" "$(part 12 13)" \
	"a process is missing: so are those of supersteps"

# ---- Supersteps that processes end at different lines -----------------------------------------

# The row of a superstep, with its h, is that of process 0; bytes are with the line of the sender.
record lines.rec <<'END'
run lines 2 shm
process 0
put 1 0 1 700
barrier a.c:1 1000000 1000000
process 1
barrier a.c:2 1000000 1000000
END
figures lines.rec >table
is "0.5 0.000500 0.001000 0.000000 0.000000 0.0 0.0 2.00 0 700 bsp_sync a.c:1
0.5 0.000500 0.001000 0.000000 0.000000 0.0 100.0 2.00 1 0 bsp_sync a.c:2" "$(part 6 7)" \
	"two lines that end one superstep"
like '^1 .* bsp_sync a.c:1$' "$(part 11 11)" "which is called after that of process 0"

# ---- Loops inside of loops --------------------------------------------------------------------

# Three times a superstep of 1 ms and two of 2 ms; then one of 4 ms.
{
	echo "run loops 1 self"
	echo "process 0"
	at=0
	for ms in 1 2 2 1 2 2 1 2 2 4; do
		at=$((at + ms * 1000000))
		echo "barrier a.c:$ms $at $at"
	done
} | record loops.rec
figures loops.rec >table
is "9 0.015000 0.000000 0.015000 +0.000000  3 times
3 0.003000 0.000000 0.003000 +0.000000    bsp_sync a.c:1
6 0.012000 0.000000 0.012000 +0.000000    2 times
6 0.012000 0.000000 0.012000 +0.000000      bsp_sync a.c:2
1 0.004000 0.000000 0.004000 +0.000000  bsp_sync a.c:4" \
	"$(awk '/^supersteps that/ { inside = 1 } /^$/ { inside = 0 }
		inside && /a.c|times/ { match($0, /  [^ ].*$/); rest = $0
			sub(/^ *[0-9]+ +[0-9.]+ +[0-9.]+ +[0-9.]+ +[-+][0-9.]+/, "", rest)
			print $1, $2, $3, $4, $5 rest }' table)" \
	"a loop in a loop, each row the sum of its times"

# ---- Relaxed: what a read waited for ----------------------------------------------------------

# Process 0 puts at 4 ms, process 1 has read since 1 ms and has it at 4.5: the path goes through
# process 0. A second read of 1.2 us is no wait, although a put of process 0 was sent meanwhile.
# Relaxed supersteps have no barrier in the model: 4 ms + 2 ns * 500000 bytes, then 1.001 ms.
record_relaxed
figures relaxed.rec >table
is "1 0.000250 0.000500 0.001751 0.003501 29.2" \
	"$(awk '/bsp_read a.c:2$/ && NF > 6 && !w++ { print $1, $2, $3, $4, $5, $6 }' table)" \
	"reads: calls, computing before them, waits"
is "critical path, of 0.006000 s: 8.4 % in calls and on the network,
process 0 66.7 %,
process 1 25.0 %" \
	"$(grep '^critical path' table | narrow)" \
	"a wait of 2 us or more leads to the sender of the put"
like '^2 0.005001 0.001750 0.006001 -0.001000 bsp_sync a.c:1$' "$(part 1 99)" \
	"a relaxed superstep costs no barrier"

# ---- What is cut off or damaged ---------------------------------------------------------------

size=$(wc -c <jacobi.rec)
head -c $((size - 1)) jacobi.rec >cut.rec
figures cut.rec >table
is "jacobi: 3 processes, transport shm, 4 supersteps, 0.015000 s" "$(part 1 1)" \
	"without the last byte: bsp_end of process 2 is lost"
like "^the recording is damaged, .* as it can be read: the end of the file is missing\$" \
	"$(part 3 3)" "and it says so"
is "1 0.003000 0.005000 0.003000 0.005000 20.0 33.3 1.67 2 4000 bsp_sync a.c:10" "$(part 7 7)" \
	"the rest is as it was, of 15 ms"
record raw.rec <<'END'
run raw 2 shm
process 0
barrier a.c:1 1000000 1000000
raw 99
process 1
barrier a.c:1 1000000 1000000
END
like 'can be read: of process 0, superstep 1 on: a record is of no known kind$' \
	"$(bspprof raw.rec)" "damage says where and what"

# damaged WHY: the recording that standard input describes is shown with this damage
damaged()
{
	record damaged.rec
	like "can be read: of process 0, superstep 0 on: $1\$" "$(bspprof damaged.rec)" "$1"
}

damaged "a call site is not defined" <<'END'
run raw 1 self
process 0
raw 3 0 5 0 0 0 0
END
damaged "the text of a call site is cut off" <<'END'
run raw 1 self
process 0
raw 1 20 97
END
damaged "a number is cut off" <<'END'
run raw 1 self
process 0
raw 1 0x80
END
damaged "a transfer goes to a process that there is not" <<'END'
run raw 1 self
process 0
raw 2 1 0 1 0 1 8
END
# The table of traffics has room for 16 at first, and is not enlarged for one that is damaged.
{
	printf '%s\n' "run raw 1 self" "process 0"
	for i in $(seq 16); do
		echo "barrier a.c:$i ${i}000 ${i}000"
	done
	echo "raw 2 1 0 1 0 1 8"
} | record traffics.rec
like "of process 0, superstep 16 on: a transfer goes to a process that there is not\$" \
	"$(bspprof traffics.rec 2>&1)" "a damaged transfer after sixteen traffics"
damaged "a superstep is damaged" <<'END'
run raw 1 self
process 0
raw 1 1 97 3 0 0 1 1 0 0
END

# ---- Supersteps whose destinations did not fit ------------------------------------------------

record sums.rec <<'END'
run sums 2 shm
process 0 summed=1
put unknown 0 5 900
barrier a.c:1 1000000 1000000
process 1 summed=1
barrier a.c:1 1000000 1000000
END
figures sums.rec >table
is "computed 100.0 %, waited 0.0 % of the time of all processes;
sent 5 puts, gets and messages with 900 bytes
of 1 supersteps the destinations did not fit (BSP_RECORD_LIMIT)" "$(part 2 3)" \
	"transfers whose destinations are unknown are counted"
like ' 900 bsp_sync a.c:1$' "$(part 7 7)" "and go out of their process"

# ---- What did not fit: sums of call sites ------------------------------------------------------

# Each process recorded one superstep of 5 in ms 1; then 3 of 2 ms with 1 waited in each, the calls
# of a collective operation and bsp_end, and others that found no sum of their own.
for pid in 0 1; do
	test $pid != 0 || echo "run rest 2 shm"
	cat <<'END'
process 0 steps=4
barrier a.c:1 1000000 1000000
sum barrier a.c:2 - 3 6000000 3000000 12 2400
sum collective a.c:3 bsp_bcast 2 0 4000000 0 0
sum barrier a.c:4 bsp_end 1 1000000 0 0 0
sum others ? - 7 0 1000000 0 0
END
done | sed '7,$s/process 0/process 1/' | record rest.rec
figures rest.rec >table
is "rest: 2 processes, transport shm, 5 supersteps, 0.016000 s
computed 50.0 %, waited 50.0 % of the time of all processes;
sent 24 puts, gets and messages with 4800 bytes
4 supersteps did not fit and are sums only, by call site (BSP_RECORD_LIMIT)" "$(part 1 3)" \
	"sums count as what was recorded one by one: 8 of 16 ms"
is "2 0.000000 0.000000 0.004000 0.004000 25.0 0.0 1.00 0 0 bsp_bcast a.c:3
3 0.006000 0.006000 0.003000 0.003000 18.8 0.0 1.00 0 0 bsp_sync a.c:2
7 0.000000 0.000000 0.001000 0.001000 6.2 0.0 1.00 0 0 other calls ?
1 0.001000 0.001000 0.000000 0.000000 0.0 100.0 1.00 0 0 bsp_sync a.c:1
1 0.001000 0.001000 0.000000 0.000000 0.0 0.0 1.00 0 0 bsp_end a.c:4" "$(part 7 11)" \
	"each in the row of its call site"

# The first call did not fit: all there is of the run are 64 sums.
{
	echo "run sums 1 self"
	echo "process 0 steps=64 full=1"
	for site in $(seq 1 64); do
		echo "sum barrier a.c:$site - 2 1000000 1000000 0 0"
	done
} | record sums.rec
bspprof sums.rec >table
is 0 $? "a recording of sums alone is a table"
is 64 "$(grep -c '^ *2 .* bsp_sync a.c' table)" "which has them all"

# ---- Schedules and direct gets -----------------------------------------------------------------

# They take time like any call; a line has a row for each call in it.
record others.rec <<'END'
run others 1 self
process 0
schedule a.c:1 goal_start 1000000 1100000
schedule a.c:1 goal_wait 2100000 4000000
direct_get a.c:5 4500000 5000000
end a.c:9 5000000 5000000
END
figures others.rec >table
is "1 0.001000 0.001000 0.001900 0.001900 38.0 20.0 1.00 0 0 goal_wait a.c:1
1 0.000500 0.000500 0.000500 0.000500 10.0 10.0 1.00 0 0 bsp_direct_get a.c:5
1 0.001000 0.001000 0.000100 0.000100 2.0 20.0 1.00 0 0 goal_start a.c:1" "$(part 6 8)" \
	"each call is in the row of its name and line"
is "1 0.005000 0.002500 0.002500 +0.002500 goal_start a.c:1, goal_wait a.c:1,
bsp_direct_get a.c:5, bsp_end a.c:9" "$(part 13 13 | sed 's/, bsp_direct/,\
bsp_direct/')" "and in the superstep"

done_testing
