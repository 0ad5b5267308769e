#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The sentences with which a profile begins have the figures that follow by hand from a recording.
# shellcheck disable=SC1090,SC2154

. "${0%/*}/../lib/env.sh"
. "$top_srcdir/t/lib/recorded.sh"

# sentence HEAD FILE: what stands behind it in the table of a recording, in parts
sentence()
{
	bspprof "$2" | sed -n "s/^$1: //p" | sed 's/\([;,:]\) /\1\
/g'
}

# in_page HEAD FILE: the same out of the page
in_page()
{
	bspprof html "$2" | awk -v head="$1" '/<h2>In words/ { inside = 1 } /<\/section>/ {
		inside = 0 } inside { gsub(/<\/dt>/, "|"); gsub(/<[^>]*>/, "")
		if (index($0, head "|") == 1) print substr($0, length(head) + 2) }' |
		sed 's/\([;,:]\) /\1\
/g'
}

# ---- Barriers ----------------------------------------------------------------------------------

# Processes wait for 19.2 of the 48 ms of record_jacobi: for the last to come 4 + 2, 0.5 + 1.5,
# 2.8 + 0.3 and 2 + 1; of that process 2 has 11 and process 0, in superstep 3, 3.1. h is 4000, 5000,
# 0 and 0, a byte 2 ns: bytes take 3 * 8 + 3 * 10 us; two rounds of L + 2 o are 40 us, nine times.
# The other 4.686 ms are beyond these. Process 2 computes 14 ms, the mean is 9.6.
#
# Beyond the mean, the most of a process: 5 - 3, 2.5 - 5.5 / 3, 3.8 - 8.3 / 3, 3 - 2: 4.7 of 16 ms.
record_jacobi
where="28.8 % computing before bsp_sync a.c:20,
18.8 % computing before bsp_sync a.c:10,
18.8 % waiting in bsp_sync a.c:10;
process 2 computes 1.46 times the mean"
what="the processes wait 29.4 % for processes that come late (mostly process 2:
22.9 %),
0.1 % for bytes,
0.8 % for latency,
and 9.8 % beyond these:
for the library,
the operating system or a processor"
is "$where" "$(sentence "where the time goes" jacobi.rec)" "lines, waits and computing; a process"
is "$what" "$(sentence "what it is" jacobi.rec)" "a late process, bytes, latency, and the rest"
is "equal work for all processes,
above all before bsp_sync a.c:10,
would save at most 29 %" "$(sentence "what would help" jacobi.rec | head -n 3 | sed 's/;$//')" \
	"and what equal work would save"
is "$where" "$(in_page "where the time goes" jacobi.rec)" "the page says the same"
is "$what" "$(in_page "what it is" jacobi.rec)" "of waits too"
like '^<h2>In words</h2>' "$(bspprof html jacobi.rec | grep -o '<h2>.*</h2>' | head -n 1)" \
	"and it is the first card"

# ---- What simulation says ----------------------------------------------------------------------

# The first process waits for the second, which does not need it: without the barrier 3.94 of 3.98
# ms, as bspprof predict says; two neighbours are all there are.
record_two
is "equal work for all processes,
above all before bsp_sync a.c:1,
would save at most 25 %;
relaxed barriers in a.c:1 would save 1 %" "$(sentence "what would help" two.rec)" \
	"what saves most comes first"

# Each of eight exchanges with the next alone, in three supersteps; the last barrier stays.
for pid in 0 1 2 3 4 5 6 7; do
	test $pid != 0 || echo "run ring 8 shm L=100000 o=0 g=0 G=0"
	echo "process $pid"
	for ms in 1 2 3; do
		printf '%s\n' "put $(((pid + 1) % 8)) 0 1 8" "barrier a.c:1 ${ms}000000 ${ms}300000"
	done
	echo "end a.c:2 3300000 3300000"
done | record ring.rec
like '(^|; )lists of neighbours \(bsp_set_neighbors\) would save [0-9]+ %' \
	"$(bspprof ring.rec | sed -n 's/^what would help: //p')" "lists of neighbours are named"
is "$(bspprof predict ring.rec | sed -n 's/.*neighbours would save //p')" \
	"$(bspprof ring.rec | sed -n 's/.*(bsp_set_neighbors) would save \([0-9]* %\).*/\1/p')" \
	"with what bspprof predict says"

record_equal
is "100.0 % computing before bsp_sync a.c:1" "$(sentence "where the time goes" equal.rec)" \
	"nothing but computing"
is "" "$(sentence "what it is" equal.rec)" "no wait needs no reason"
is "neither other barriers nor equal work would save 1 %" \
	"$(sentence "what would help" equal.rec)" "and nothing would help"

# A recording of a program that was wrong: one process ends in the superstep that another one ends
# relaxed. None is waited for, and what does not follow is no wait.
record mixed.rec <<'END'
run mixed 2 shm L=0 o=0 g=0 G=0
process 0
relaxed a.c:1 1000000 1000000
process 1
end a.c:2 1000000 1000000
note process 0 was ended
END
is "" "$(sentence "what it is" mixed.rec)" "bsp_end beside a relaxed bsp_sync waits for none"

# ---- Reads and collective operations -----------------------------------------------------------

# Process 1 reads from 1 to 4.5 ms what process 0 sends at 4: 3 ms late; 0.5 of the 1 ms that 500000
# bytes take. Its second read is 1 us late and takes 16 ns for 8 bytes, 184 for latency. In bsp_end
# process 0 waits 0.998 ms for it. All that is a part of 5.002 + 6.998 ms.
record_relaxed
is "the processes wait 33.3 % for processes that come late (mostly process 0:
25.0 %),
4.2 % for bytes,
0.0 % for latency,
and 0.0 % beyond these:" "$(sentence "what it is" relaxed.rec | head -n 5)" "reads"

# A direct get waits 0.5 ms for none of these; the read after it 2 ms, of which 1000000 bytes take
# one. All that is a part of 10 ms.
record direct.rec <<'END'
run direct 2 shm L=0 o=0 g=0 G=1
process 0
put 1 7 1 1000000
relaxed a.c:1 1000000 1000000
end a.c:4 5000000 5000000
process 1
relaxed a.c:1 1000000 1000000
direct_get a.c:2 1000000 1500000
read a.c:3 7 1 1500000 3500000
end a.c:4 5000000 5000000
END
is "the processes wait 0.0 % for processes that come late,
10.0 % for bytes,
0.0 % for latency,
and 15.0 % beyond these:" "$(sentence "what it is" direct.rec | head -n 4)" \
	"bytes are those of the read, though a direct get comes first"

# The first of two operations waits for process 1, which comes 2 ms later, and takes 10 us latency
# of what is left; the other one is process 1's alone, so what it waits for is not known.
record fold.rec <<'END'
run fold 2 shm L=10000 o=0 g=0 G=0
process 0
collective a.c:1 bsp_fold 8 1000000 4000000
barrier a.c:2 4000000 4000000
end a.c:3 4000000 4000000
process 1
collective a.c:1 bsp_fold 8 3000000 4000000
barrier a.c:2 4000000 4000000
collective a.c:4 bsp_bcast 8 4000000 6000000
end a.c:3 6000000 6000000
END
is "the processes wait 33.3 % for processes that come late (mostly process 1:
33.3 %),
0.0 % for bytes,
0.2 % for latency,
and 33.2 % beyond these:" "$(sentence "what it is" fold.rec | head -n 5)" "collective operations"

# ---- Networks with a name ----------------------------------------------------------------------

# network TEXT: what the table and the page say of it
network()
{
	record named.rec <<END
run named 1 emu emulate=$1
process 0
end a.c:1 1000000 1000000
END
	bspprof named.rec | sed -n 's/.* emulated network \(.*\), 1 supersteps.*/\1/p'
	bspprof html named.rec | sed 's/<[^>]*>//g' | grep -o 'an emulated network: .*)$' |
		sed 's/an emulated network: //'
}

is "sp2 (L=24us,o=10us,g=10us,G=29.2ns,cpu=80)
sp2 (L=24us,o=10us,g=10us,G=29.2ns,cpu=80)" "$(network sp2)" "a network has its parameters"
is "gigabit,cpu=1 (gigabit: L=30us,o=8us,g=8us,G=9ns,cpu=9)
gigabit,cpu=1 (gigabit: L=30us,o=8us,g=8us,G=9ns,cpu=9)" "$(network gigabit,cpu=1)" \
	"also behind what replaces some"
like 'emulated network L=1us,o=1us, ' "$(network L=1us,o=1us; bspprof named.rec)" \
	"parameters are as given"
is "network sp2 (L=24us,o=10us,g=10us,G=29.2ns,cpu=80), as in the run
network rdma100,cpu=2 (rdma100: L=1us,o=0.2us,g=0.1us,G=0.08ns,cpu=1)
network gigabit (L=30us,o=8us,g=8us,G=9ns,cpu=9)" \
	"$(network sp2 >/dev/null; bspprof predict --on rdma100,cpu=2,gigabit named.rec |
		sed -n '/^the run took/,/^as published/p' | sed '1d;$d')" \
	"a prediction has those of each name"
for name in sp2 gigabit rdma100; do
	text=$(network $name | sed -n '1s/.*(\(.*\))/\1/p')
	like "^$text" "$(cat "$top_srcdir/man/bsprun.1")" "bsprun(1) has those of $name"
done

done_testing
