#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The picture of a profile has each call of each process where it was, the critical path from
# process to process, and the ends of supersteps.
# shellcheck disable=SC1090,SC2154

. "${0%/*}/../lib/env.sh"
. "$top_srcdir/t/lib/recorded.sh"

# paths CLASS: in the picture of page.html, the places of each path of that class and what it says
paths()
{
	sed -n "s/.*<path class=\"$1\" d=\"\([^\"]*\)\"><title>\(.*\)<.title>.*/\1|\2/p" page.html
}

# attribute NAME: of what is zoomed
attribute()
{
	sed -n "s/.*<svg x=.* $1=\"\([^\"]*\)\".*/\1/p" page.html
}

# is_xml FILE
is_xml()
{
	python3 -c 'import sys, xml.etree.ElementTree as t; t.parse(sys.argv[1])' "$1"
}

# ---- Each call ---------------------------------------------------------------------------------

# A coordinate is 2.5 ns of the 10 ms; lanes are 26 high, with 1 free above and below. Process 1
# begins 0.5 ms later: it waits from 3.5 to 4 and from 8.5 to 9.5 ms, and at the end for process 0.
record pair.rec <<'END'
run a<b>&c 2 ofi L=20000 o=10000 g=8000 G=2
process 0
put 1 0 3 12000
barrier a.c:1 2000000 4000000
collective a.c:2 bsp_bcast 8 5000000 6000000
read a.c:5 0 1 7000000 7500000
barrier a.c:3 9000000 9500000
end a.c:4 10000000 10000000
process 1 began=500000
barrier a.c:1 3000000 3500000
collective a.c:2 bsp_bcast 8 5500000 6000000
barrier a.c:3 8000000 9000000
end a.c:4 9000000 9000000
END
bspprof html -o page.html pair.rec
is 0 $? "a recording is a page"
is_xml page.html
ok $? "which is well-formed, with its script"
is "M0 1h800000v24h-800000M1600000 1h400000v24h-400000M2400000 1h400000v24h-400000\
M3000000 1h600000v24h-600000M3800000 1h200000v24h-200000|process 0, computing: 60.0 %
M200000 27h1200000v24h-1200000M1600000 27h800000v24h-800000M2600000 27h800000v24h-800000|\
process 1, computing: 70.0 %" "$(paths 'slice compute')" "computing of both"
is "M800000 1h800000v24h-800000M3600000 1h200000v24h-200000|\
process 0, in bsp_sync and bsp_end: 25.0 %
M1400000 27h200000v24h-200000M3400000 27h400000v24h-400000M3800000 27h200000v24h-200000|\
process 1, in bsp_sync and bsp_end: 20.0 %" "$(paths 'slice sync')" "waits for the others"
is "M2800000 1h200000v24h-200000|process 0, in bsp_read, bsp_expect and direct gets: 5.0 %
|process 1, in bsp_read, bsp_expect and direct gets: 0.0 %" "$(paths 'slice read')" "a read"
is "M2000000 1h400000v24h-400000|process 0, in collective operations and schedules: 10.0 %
M2400000 27h200000v24h-200000|process 1, in collective operations and schedules: 5.0 %" \
	"$(paths 'slice collective')" "a collective operation"
# Backwards: process 1 at 10 ms, where it has waited for process 0; that one in superstep 0 until 4
# for process 1, which came at 3.5. The path begins with the run.
is "M0 39L1400000 39L1600000 13L4000000 13L4000000 39L4000000 39|critical path" \
	"$(paths 'way t0')" \
	"the critical path, from process to process"
is "0 0 4000000 52.0" "$(attribute viewBox)" "all of it is shown"
is "2.5 0 1600000 3800000 4000000" "$(attribute data-unit) $(attribute data-first) \
$(attribute data-stops)" "with the ends of supersteps, to which the script goes"
like '<path class="stops" d="M1600000 0v52M3800000 0v52M4000000 0v52"/>' "$(cat page.html)" \
	"as lines, too"
is "0.00 us +2.500 ms +5.000 ms +7.500 ms +10.000 ms" \
	"$(sed -n 's/.*class="soft mark".*>\(.*\)<.text>/\1/p' page.html | paste -sd ' ' |
	sed 's/\o302\o265s/us/')" "the axis counts from its begin"

# ---- Some supersteps ---------------------------------------------------------------------------

# From 4 to 9.5 ms; the path comes from before and goes on behind it.
bspprof html --steps 1:1 -o page.html pair.rec
is "0 0 4000000 52.0 1 4000000" \
	"$(attribute viewBox) $(attribute data-first) $(attribute data-stops)" \
	"one superstep alone, by its number"
is "process 0, in bsp_sync and bsp_end: 9.1 %
process 1, in bsp_sync and bsp_end: 18.2 %" "$(paths 'slice sync' | sed 's/.*|//')" \
	"has its shares of it"
is "M-363636 39L0 13L4363636 13|critical path" "$(paths 'way t0')" "and the path through it"
bspprof html --steps 7:9 -o page.html pair.rec
like '<p>There are no supersteps to show\.' "$(cat page.html)" "there are no more than there are"
for wrong in 1 2:1 a:b 1:2x -1:2 ''; do
	bspprof html --steps "$wrong" pair.rec >said 2>&1
	is "2 bspprof: --steps '$wrong': expected FIRST:LAST, two supersteps" \
		"$? $(head -n 1 said)" "refused: '$wrong'"
done
bspprof table --steps 1:2 pair.rec >said 2>&1
like "^2 bspprof: --steps is for html, not for 'table'" "$? $(head -n 1 said)" \
	"other forms have none"

# ---- Many --------------------------------------------------------------------------------------

# 130 processes are 44 lanes of 3, the last of 1; 65536 / 4 / 44 = 372 bins of 100 us each. In the
# first 18600 us the last process computes and the others wait, then all compute.
{
	echo "run many 130 shm"
	for pid in $(seq 0 129); do
		echo "process $pid"
		computed=$((pid == 129 ? 18600000 : pid % 3 == 0 ? 9300000 : 0))
		echo "barrier a.c:1 $computed 18600000"
		echo "end a.c:2 37200000 37200000"
	done
} | record many.rec
bspprof html -o page.html many.rec
is 44 "$(paths 'slice compute' | wc -l)" "more than 64 processes share lanes"
# A lane is 10 high; of 8 a third is 2.67.
like '^M0 6\.333h10753v2\.67h-10753' "$(paths 'slice compute' | head -n 1)" \
	"a bin has the share of its processes"
like '\|process 0–2, computing: 58\.3 %$' "$(paths 'slice compute' | head -n 1)" \
	"and the lane its sum"
like '\|process 129, computing: 100\.0 %$' "$(paths 'slice compute' | tail -n 1)" \
	"the last lane is of the processes that are left"
# In lane 0 none computes from 9.3 to 18.6 ms.
is "279 372" "$(paths 'slice compute' | sed -n '1p;$p' | while read -r line; do
	echo "$line" | grep -o M | wc -l
done | paste -sd ' ')" "in as many bins as there is room for"

# 3000 supersteps of 2 processes on 9 lines of a loop are less than 65536 pieces; 20000 are more.
# many_steps N: page.html of so many supersteps of 2 us, of which each process computes one
many_steps()
{
	{
		echo "run long 2 shm"
		for pid in 0 1; do
			echo "process $pid"
			seq "$1" | awk '{ print "barrier a.c:1", $1 * 2000 - 1000, $1 * 2000 }'
			echo "end a.c:2 $(($1 * 2000)) $(($1 * 2000))"
		done
	} | record long.rec
	bspprof html "$2" "$3" -o page.html long.rec
}
many_steps 3000 --steps 0:2999
is 3000 "$(paths 'slice sync' | head -n 1 | grep -o M | wc -l)" "each of some thousand supersteps"
like 'class="stops many"' "$(cat page.html)" "whose ends are hidden until they are few"
many_steps 20000 --steps 0:20000
# 65536 / 4 / 2 = 8192 bins, in each of which half is one and half the other
is "8192 50.0 %" "$(paths 'slice sync' | head -n 1 | grep -o M | wc -l) \
$(paths 'slice sync' | sed -n '1s/.*: //p')" "of more the shares in equal times"
is 4001 "$(attribute data-stops | wc -w)" "five at a time have a number"
is "5 20000" "$(attribute data-each) $(sed -n 's/.*type="number" min="0" max="\([0-9]*\)".*/\1/p' \
	page.html)" "up to the last"
bspprof html --steps 19000:19999 -o page.html long.rec
is "1000 19000 1" "$(paths 'slice sync' | head -n 1 | grep -o M | wc -l) $(attribute data-first) \
$(attribute data-each)" "and a thousand of these one by one"
test "$(wc -c <page.html)" -lt 1000000
ok $? "in less than a megabyte"

# ---- Nothing -----------------------------------------------------------------------------------

record nothing.rec <<'END'
run nothing 1 self
process 0
end a.c:1 0 0
END
bspprof html -o page.html nothing.rec
like '<p>There is none: no call took any time\.' \
	"$(sed -n '/>Processes over time</,/<.section>/p' page.html)" "of no time, no picture"

done_testing
