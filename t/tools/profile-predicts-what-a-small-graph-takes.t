#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# What bspprof predicts of small recordings is what LogGP gives for them by hand.
# shellcheck disable=SC1090,SC2154

. "${0%/*}/../lib/env.sh"
. "$top_srcdir/t/lib/recorded.sh"

nothing=L=0us,o=0us,g=0us,G=0ns
late=L=100us,o=0us,g=0us,G=0ns

# forms: what is predicted for each network: as recorded, classic, relaxed, and what that saves
forms()
{
	sed -n '/^as published/q; s/^seconds on.*//; s/  */ /g; s/ $//; / %$/p'
}

# published FILE: the same of the protocols of the paper on the last network: org, rel, saved
published()
{
	sed -n '1,/^as published/d; /^$/q; s/  */ /g; p' "$1" | tail -n 1
}

# ---- One process: what it computes, on any network --------------------------------------------

record one.rec <<'END'
run one 1 self
process 0
barrier a.c:1 2000000 2500000
end a.c:2 4000000 4000000
END
bspprof predict --on "$late" one.rec >said
is 0 $? "one process is predicted"
bspprof predict --on "$late,switch=5ns" one.rec >/dev/null 2>errors
is "1 bspprof: one.rec: a network with switch= or bisection= is not predicted, as messages wait \
there for each other" "$? $(cat errors)" "a network with a switch is not"
is "the same network 0.003500 0.003500 0.003500 0.0 %
$late 0.003500 0.003500 0.003500 0.0 %" "$(forms <said)" "2 + 1.5 ms, without the wait"
is "the run took 0.004000 s; simulated as recorded it takes 87.5 % of that" \
	"$(grep '^the run' said)" "3.5 of 4 ms"

# ---- Processes that had no processor -----------------------------------------------------------

# The process computes for 2 + 1.5 ms, and has a processor for 0.5 + 1.5; the table, the page and
# the prediction say so. Without cpu= it is all of it, also in recordings of before.
record busy.rec <<'END'
run busy 1 self
process 0
barrier a.c:1 2000000 2500000 cpu=500000
end a.c:2 4000000 4000000
END
bspprof predict busy.rec >said
is "the same network 0.002000 0.002000 0.002000 0.0 %" "$(forms <said)" "processor time is taken"
is "of 0.003500 s computed the processes had a processor for 0.002000 s: other programs ran, or \
they slept; predictions take that time" "$(grep '^of 0' said)" "and it says so"
like '^the processes had a processor for 57.1 % of the time computed: ' "$(bspprof busy.rec)" \
	"as does the table"
like 'The processes had a processor for 57.1 % of the time computed: ' \
	"$(bspprof html busy.rec)" "and the page"
like '^ +1 +0.002000 +0.002000 +0.000500 +0.000500 .* bsp_sync a.c:1$' "$(bspprof busy.rec)" \
	"computed is the time that passed"
# The library's part, in puts, is no computing: of 2 + 1.5 ms 0.8 of the first, with no PROCESSOR.
# Nor is what is missing by a recording's own work, 10 us or less, time of other programs.
record puts.rec <<'END'
run puts 1 self
process 0
barrier a.c:1 2000000 2500000 library=800000
end a.c:2 4000000 4000000
END
bspprof predict puts.rec >said
is "the same network 0.002700 0.002700 0.002700 0.0 %" "$(forms <said)" \
	"the library's share is left out"
none "$(grep '^of 0' said)" "the processes had a processor all the time"
record puts.rec <<'END'
run puts 1 self
process 0
barrier a.c:1 20000 25000 cpu=12000 library=4000
end a.c:2 40000 40000 cpu=9000
END
bspprof predict puts.rec >said
is "the same network 0.000017 0.000017 0.000017 0.0 %" "$(forms <said)" \
	"of what it had a processor for"
none "$(grep '^of 0' said)" "and less time than the recording takes says nothing of others"
record quiet.rec <<'END'
run quiet 1 self version=3
process 0
barrier a.c:1 2000000 2500000
end a.c:2 4000000 4000000
END
none "$(bspprof predict quiet.rec | grep processor; bspprof quiet.rec | grep '^the proc.* had')" \
	"no word if they had one"
is "the same network 0.003500 0.003500 0.003500 0.0 %" "$(bspprof predict quiet.rec | forms)" \
	"a recording of before has the time that passed"

# ---- Two processes and a barrier --------------------------------------------------------------

# The second process computes 3 ms, the first 1, and each 0.9 to the end. A message takes
# o + L + o = 40 us on the network of the run, its 16 bytes 30 ns more, and with two processes a
# barrier is one each way. As recorded: 3 + 0.04 + 0.9 + 0.04; relaxed the first waits for nothing,
# and the last message is that of the second: 3 + 0.9 + 0.04. On a network with L alone, of 0.1 ms:
# 4.1 and 4.0; with nothing: 3.9.
record_two
bspprof predict --on "$nothing" two.rec >said
is "the same network 0.003980 0.003980 0.003940 1.0 %
$nothing 0.003900 0.003900 0.003900 0.0 %" "$(forms <said)" "a barrier costs a message"
is "the run took 0.004000 s; simulated as recorded it takes 99.5 % of that" \
	"$(grep '^the run' said)" "3.98 of 4 ms"
is "0.000040 1.0 bsp_sync a.c:1, if it were relaxed" "$(tail -n 1 said | sed 's/  */ /g')" \
	"which one call site saves"
is "$late 0.004100 0.004100 0.004000 2.4 %" "$(bspprof predict --on "$late" two.rec | forms |
	tail -n 1)" "0.1 ms late, twice, or once"

# ---- Relaxed supersteps -----------------------------------------------------------------------

# In ms process 0 computes 1, 4 and 1; process 1 computes 0.1, then 0.1, reads what process 0 put at
# 1, and 0.8 and 2 more. Where messages cost nothing that is 6, of process 0; with a barrier in each
# superstep 1 + 4 + 2. Where a message takes 0.1 ms the last one of bsp_end comes at 6.1; with
# barriers process 1 goes on at 1.1, at 5.1 and at 7.1, and its message comes at 7.2.
record relaxed.rec <<'END'
run relaxed 2 shm
process 0
put 1 0 1 8
relaxed a.c:1 1000000 1000000
relaxed a.c:1 5000000 5000000
end a.c:2 6000000 6000000
process 1
relaxed a.c:1 100000 100000
read a.c:3 0 1 200000 1200000
relaxed a.c:1 2000000 2000000
end a.c:2 4000000 4000000
END
is "$late 0.006100 0.007200 0.006100 15.3 %" \
	"$(bspprof predict --on "$late" relaxed.rec | forms | tail -n 1)" \
	"a barrier in each superstep waits for the slowest"
is "$nothing 0.006000 0.007000 0.006000 14.3 %" \
	"$(bspprof predict --on "$nothing" relaxed.rec | forms | tail -n 1)" \
	"also where messages take no time"

# The reader is the last: as recorded it reads after 0.2 what comes at 1.1, computes 2.8, and its
# message takes 0.1: 4. With a barrier, or as if it read all at once, it has waited before it
# computes the 0.1 ms to the read: 4.1.
record reader.rec <<'END'
run reader 2 shm
process 0
put 1 0 1 8
relaxed a.c:1 1000000 1000000
end a.c:2 1500000 1500000
process 1
relaxed a.c:1 100000 100000
read a.c:3 0 1 200000 1200000
end a.c:2 4000000 4000000
END
is "$late 0.004000 0.004100 0.004100 0.0 %" \
	"$(bspprof predict --on "$late" reader.rec | forms | tail -n 1)" \
	"computing before a read hides what it waits for"

# ---- The protocols of Kim, Ha and Jhon ----------------------------------------------------------

# Three processes compute 1 ms. org: each sends counts to two, 10 us each, of which the second
# arrives 100 us later and the receipts take 10 us each: 20 + 100 + 10. So does bsp_end. rel: no
# barrier but in bsp_end, of two rounds of 120 us.
record three.rec <<'END'
run three 3 shm
process 0
barrier a.c:1 1000000 1000000
end a.c:2 1000000 1000000
process 1
barrier a.c:1 1000000 1000000
end a.c:2 1000000 1000000
process 2
barrier a.c:1 1000000 1000000
end a.c:2 1000000 1000000
END
costly=L=100us,o=10us,g=0us,G=0ns
bspprof predict --on $costly three.rec >said
is "$costly 0.001260 0.001240 1.6 %" "$(published said)" "org sends counts to all"

# Two puts of 1001 bytes, at 100 ns a byte. Counts: a head of 16, 32, and 32 for each put, that is
# 112 and 48 bytes. In us after 1 ms: process 0 has those of process 1 at 110 + 4.7 + 10 = 124.7,
# and sends 1033 bytes twice, the second when the first has left, at 227.9, which is there at
# 227.9 + 110 + 103.2 and received at 451.1. Then process 1 sends the counts of bsp_end:
# 451.1 + 110 + 4.7 + 10. rel: two requests of 48 bytes, received at 124.7 and 134.7; an answer of
# 32 bytes leaves at 124.7 and is received at 124.7 + 110 + 3.1 + 10 = 247.8; data leave then, and
# the others 103.2 later, at 351, which are received at 351 + 110 + 103.2 + 10 = 574.2; and so is
# the chunk of bsp_end, of 16 bytes, 574.2 + 110 + 1.5 + 10.
bytes=L=100us,o=10us,g=0us,G=100ns
for end in barrier relaxed; do
	record puts.rec <<END
run puts 2 shm
process 0
put 1 0 2 2002
$end a.c:1 1000000 1000000
end a.c:2 1000000 1000000
process 1
$end a.c:1 1000000 1000000
$(test $end = barrier || echo read a.c:3 0 2 1000000 1000000)
end a.c:2 1000000 1000000
END
	bspprof predict --on $bytes puts.rec >said
	is "$bytes 0.001576 0.001696 -7.6 %" "$(published said)" \
		"$end: a message for each put, and for each request"
done

# Process 1 ends its superstep at 1 ms and computes to 5; the request of process 0, of 2 ms, is
# received then, until 5.01. The answer is received at 5.01 + 0.11 + 0.0031 + 0.01 = 5.1331, the
# data at 5.1331 + 0.11 + 0.1031 + 0.01 = 5.3562; and 0.1215 later process 0 ends.
record busy.rec <<'END'
run busy 2 shm
process 0
put 1 0 1 1000
relaxed a.c:1 2000000 2000000
end a.c:2 2000000 2000000
process 1
relaxed a.c:1 1000000 1000000
read a.c:3 0 1 5000000 5000000
end a.c:2 5000000 5000000
END
bspprof predict --on $bytes busy.rec >said
is 0.005478 "$(published said | cut -d ' ' -f 3)" "a process that computes answers no request"

# Each get is a request in the counts, 16 + 32 + 24 bytes, received at 110 + 7.1 + 10; the answer,
# 16 + 16 + 1000, leaves when the counts of the other process are there as well, 127.1, and is
# received at 127.1 + 110 + 103.1 + 10 = 350.2; the counts of bsp_end 124.7 later.
record get.rec <<'END'
run get 2 shm
process 0
get 1 0 1 1000
barrier a.c:1 1000000 1000000
end a.c:2 1000000 1000000
process 1
barrier a.c:1 1000000 1000000
end a.c:2 1000000 1000000
END
bspprof predict --on $bytes get.rec >said
is "0.001475" "$(published said | cut -d ' ' -f 2)" "org answers gets after the counts"

# ---- No time, no supersteps, and what is no whole run -----------------------------------------

record none.rec <<'END'
run none 2 shm
process 0
end a.c:1 0 0
process 1
end a.c:1 0 0
END
like '^the run took no time$' "$(bspprof predict none.rec)" \
	"no time is no division by 0"
record missing.rec <<'END'
run missing 2 shm
process 1
end a.c:1 0 0
END
bspprof predict missing.rec >said 2>errors
is "1 bspprof: missing.rec: the run did not come to its end" "$? $(cat errors)" \
	"without a process there is no prediction"
none "$(cat said)" "nor a beginning of one"

# ---- More messages than a graph may have ------------------------------------------------------

# many CALLS BYTES: a superstep of so many puts
many()
{
	record many.rec <<END
run many 2 shm
process 0
put 1 0 $1 $2
barrier a.c:1 1000000 1000000
end a.c:2 1000000 1000000
process 1
barrier a.c:1 1000000 1000000
end a.c:2 1000000 1000000
END
	bspprof predict many.rec >said 2>errors
}

# Refused before they take memory, or time.
many 100000000 100000000
is "0 the same network not simulated: it is too long for a graph" \
	"$? $(grep 'too long' said | tr -s ' ')" "a message for each put"
many 1 100000000000000
is "1 bspprof: many.rec: it is too long for a graph" "$? $(cat errors)" "a message for each chunk"

done_testing
