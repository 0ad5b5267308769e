#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Each figure of bspprof's page is the one that follows from the recording by hand.
# shellcheck disable=SC1090,SC2154

. "${0%/*}/../lib/env.sh"
. "$top_srcdir/t/lib/recorded.sh"

# Times of two processes, in ms, the second beginning 0.5 ms after the first:
#
#		superstep 1	bsp_allreduce	superstep 2	bsp_end
#		comp. wait	comp. wait	comp. wait	comp. (wait)
#	0	2     2		1     1		3     0.5	0.5   0
#	1	3     0.5	2     0.5	2     1		0     0.5
#
# So both end at 10 ms; 13.5 ms are computed and 6 waited, 1.5 of them in the collective operation
# and 0.3 for credit. h is the 12000 bytes that process 0 sends, beside 100 that it receives.
#
# The critical path: process 0 computes 0.5 ms to the end and 3 before superstep 2 ends, where it is
# the last and stays 0.5; 1 before the collective operation, which takes 1; in superstep 1 it waits
# for process 1, which comes 0.5 before the end, after 3.5 ms from the beginning of the run.
#
# Model: a round of a barrier is L + 2 o = 40 us, a byte 2 ns: 3 + 0.024 + 0.04, 4 + 0.04 and
# 0.5 + 0.04 ms.
record pair.rec <<'END'
run a<b>&c 2 ofi L=20000 o=10000 g=8000 G=2 emulate=L=20us&x
process 0
put 1 0 3 12000
barrier a.c:1 2000000 4000000
collective a<b.c:2 bsp_<i> 8 5000000 6000000
barrier a.c:3 9000000 9500000 credit=300000
end a.c:4 10000000 10000000
process 1 began=500000
message 0 0 1 100
barrier a.c:1 3000000 3500000
collective a<b.c:2 bsp_<i> 8 5500000 6000000
barrier a.c:3 8000000 9000000
end a.c:4 9000000 9000000
END
bspprof html -o page.html pair.rec
is 0 $? "a recording is a page"

# rows SECTION: its rows and terms as text, with | between their cells
rows()
{
	awk -v section="$1" '
		/<h2>/ { inside = index($0, ">" section "<"); next }
		inside { gsub(/<\/(td|th|dt)>/, "|"); gsub(/<[^>]*>/, ""); sub(/\|$/, "")
			if ($0 != "") print }' page.html
}

is "program|a&lt;b&gt;&amp;c
processes|2
transport|ofi, an emulated network: L=20us&amp;x
supersteps|3
time|10.000 ms
computed|69.2 % of the time of all processes
waited|30.8 %, of that 25.0 % in collective operations and schedules, 5.0 % for credit
sent|4 puts, gets and messages, 12 KiB" "$(rows "The run")" "the run, with names that are no markup"
is "bsp_sync a.c:1|1|1.250 ms|500.00 us|2.000 ms|12.5 %|
2.500 ms|2.000 ms|3.000 ms|1.20, process 1|35.0 %|4|12 KiB|12 KiB
bsp_sync a.c:3|1|750.00 us|500.00 us|1.000 ms|7.5 %|
2.500 ms|2.000 ms|3.000 ms|1.20, process 0|30.0 %|0|0 B|0 B
bsp_&lt;i&gt; a&lt;b.c:2|1|750.00 us|500.00 us|1.000 ms|7.5 %|
1.500 ms|1.000 ms|2.000 ms|1.33, process 1|10.0 %|0|0 B|0 B
bsp_end a.c:4|1|250.00 us|0.00 us|500.00 us|2.5 %|
250.00 us|0.00 us|500.00 us|2.00, process 0|5.0 %|0|0 B|0 B" \
	"$(rows "Call sites" | tail -n 4 | sed 's/ %|/&\n/; s/\o302\o265s/us/g')" \
	"each column of the call sites"
is "bsp_sync a.c:1|1|4.000 ms|1.250 ms|40.0 %|3.064 ms|+936.00 us
bsp_&lt;i&gt; a&lt;b.c:2, bsp_sync a.c:3|1|5.500 ms|1.500 ms|55.0 %|4.040 ms|+1.460 ms
bsp_end a.c:4|1|500.00 us|250.00 us|5.0 %|540.00 us|-40.00 us" \
	"$(rows "Supersteps that repeat" | grep '\.c:' |
	sed 's/\o302\o265s/us/g; s/\o342\o210\o222/-/')" \
	"supersteps"
like 'the highest is 12 KiB\. From left to right: 10\.000 ms\.' \
	"$(rows "The h-relation over time")" "the highest h"
# The first superstep ends at 4 of 10 ms, in column 147 of 0 to 369: at 3.984 ms. The axes have
# a 20th as room: x is 80 + 740 * 3.984 / 10.5 in the middle, the height 224 / 1.05.
is '<rect class="sync" x="359.8" y="20.7" width="2.0" height="213.3"><title>12 KiB</title></rect>' \
	"$(grep 'class="sync"' page.html)" "the picture of h"
marks='s/.*class="soft".*y="250.0">\([^<]*\)<.*/\1/p'
is "0 2 4 6 8 10" "$(sed -n "$marks" page.html | paste -sd ' ')" "its time, in ms"
is "0|0 B|12 KiB
1|100 B|0 B" "$(rows "Who sends to whom" | tail -n 2)" "the matrix, from rows to columns"
is "0|4.500 ms|45.0 %
1|3.500 ms|35.0 %" "$(rows "The critical path" | tail -n 2)" "the path of each process"
# Process 0 waits for 1, which comes 1.5 ms later, in superstep 1, and in the collective operation
# for 1 ms, all of it; process 1 for 0, 0.5 ms, in superstep 2 and as long in bsp_end.
is "0|6.500 ms|65.0 %|
0.96|3.500 ms|1.000 ms|45.0 %
1|7.000 ms|70.0 %|
1.04|2.500 ms|2.500 ms|35.0 %" "$(rows Processes | tail -n 2 | sed 's/ %|/&\n/')" "processes"
like '[.] 20.0 % of it are in calls and on the network' "$(rows "The critical path")" "and in calls"
is "W|7.500 ms
sum of h|12 KiB
model|7.644 ms
the run|10.000 ms, 1.31 times the model" "$(rows "The cost model" | tail -n 4)" "the model"
like 'with g = 2.000 ns for a byte and L = 40.00 ' "$(rows "The cost model")" \
	"and what it is made of"

# ---- Small supersteps beside large ones --------------------------------------------------------

# heights BYTES: of the bars of a superstep with 1024 and one with so many
heights()
{
	record wide.rec <<END
run wide 1 self
process 0
put 0 0 1 1024
barrier a.c:1 1000000 1000000
put 0 0 1 $1
barrier a.c:1 2000000 2000000
end a.c:2 3000000 3000000
END
	bspprof html -o page.html wide.rec
	sed -n 's/.*class="sync".* height="\([0-9.]*\)".*/\1/p' page.html | paste -sd ' '
}

# 256 times as much is 256 times as high: of 224, with a 20th as room, 213.3.
is "0.8 213.3" "$(heights 262144)" "up to 256 times the least h the axis is linear"
# From 512 to 1048576 it doubles 11 times, with room for 0.44 at each end: 224 * 1.44 / 11.88.
is "27.2 215.7" "$(heights 1048576)" "beyond that it is logarithmic"

# ---- Nothing was sent, in no time -------------------------------------------------------------

record nothing.rec <<'END'
run nothing 2 shm
process 0
end a.c:1 0 0
process 1
end a.c:1 0 0
END
bspprof html -o page.html nothing.rec
is 0 $? "a run without a transfer"
like 'the highest is 0 B\.' "$(cat page.html)" "no h"
like 'The most is 0 B\.' "$(cat page.html)" "no traffic"
like '^<p>There is none: no call took any time\.</p>$' "$(cat page.html)" "no path"
like 'relaxed saves</dt><dd>0\.0 %' "$(cat page.html)" "nothing to save"
none "$(grep -niE '[^a-z](nan|inf)[^a-z]' page.html)" "and every figure is a number"

# ---- Many processes: the matrix is a picture, of several in a row -----------------------------

# 130 processes are 44 rows of 3, the last of 1: process 129 sends 800 bytes to 0, 400 to 128.
{
	echo "run many 130 shm"
	for pid in $(seq 0 129); do
		echo "process $pid"
		test "$pid" != 129 || printf 'put 0 0 1 800\nput 128 0 1 400\n'
		echo "end a.c:1 1000000 1000000"
	done
} | record many.rec
bspprof html -o page.html many.rec
like 'a row and a column are 3 processes\. The most is 800 B\.' "$(cat page.html)" \
	"130 processes are rows of 3"
is 1936 "$(grep -c 'class="cell"' page.html)" "in a picture of 44 times 44"
# Names of up to seven letters of 8.16, 12 * 0.68, and 6 between are at the left, two lines above.
cell='s/.* x="\(.*\)" y="\(.*\)" width="14.0" .*="\([01].*\)"><title>\(.*\)<.title>.*/\1 \2 \3 \4/'
is '63.1 642.0 1.000 from 129, to 0–2: 800 B
651.1 642.0 0.500 from 129, to 126–128: 400 B' \
	"$(grep 'class="cell"' page.html | grep -v '"0.000"' | sed "$cell")" \
	"with the darkest where most is sent"
like 'text-anchor="end" x="57.1" y="[0-9.]*">126–128</text>' "$(cat page.html)" "rows have names"

# ---- What no call needs is folded ----------------------------------------------------------------

is "waited, least
waited, most
computed, least
computed, most
path
transfers
bytes
sum of h" "$(bspprof html nothing.rec | sed -n '/>Call sites</,/<\/thead>/p' |
	grep -o '<th scope="col" class="detail">[^<]*' | sed 's/.*>//')" \
	"columns of details, and those that are 0 in every row"

done_testing
