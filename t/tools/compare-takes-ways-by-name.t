#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Bsprun --compare --ways runs a program in the ways that are named, and tables and pages have a
# column and a bar for each.
# shellcheck disable=SC1090,SC2034,SC2154

. "${0%/*}/../lib/env.sh"
. "$top_srcdir/t/lib/compare.sh"

# The program, and a line of the settings of each run.
cat >ways <<'END'
#!/bin/sh
./fake
echo "${BSP_BARRIER-} $BSP_SYNC ${BSP_EAGER-}${BSP_NEIGHBORS-}" >>seen
END
chmod +x ways

# Mean communication of two processes: 4, 3, 5 and 1.5 s; total 10, 9, 11 and 6 s.
four_reports()
{
	report report.1 classic 10 "5 4.5 0" "6 3.5 0"
	report report.2 classic 9 "5 3 0" "6 3 0"
	report report.3 relaxed 11 "5 3 2" "6 3 2"
	report report.4 relaxed 6 "5 1 0.5" "6 1 0.5"
}

four_reports
is "ways: 2 processes, transport shm, 1 round

                                   org       classic           rel         eager
communication, mean            4.000 s       3.000 s       5.000 s       1.500 s
  saved against org                           25.0 %       -25.0 %        62.5 %
  in bsp_sync                  4.000 s       3.000 s       3.000 s       1.000 s
  in bsp_read                      0 s           0 s       2.000 s       0.500 s
  in collectives                   0 s           0 s           0 s           0 s
communication, largest         4.500 s       3.000 s       5.000 s       1.500 s
computation, mean              5.500 s       5.500 s       5.500 s       5.500 s
total                          10.00 s        9.00 s       11.00 s        6.00 s
  saved against org                           10.0 %       -10.0 %        40.0 %
supersteps                          12            12            12            12
puts                                 6             6             6             6
gets                                 2             2             2             2
messages                             4             4             4             4
sent                          3.000 kB      3.000 kB      3.000 kB      3.000 kB

Times are those of a process, counts those of all.
org (BSP_BARRIER=twophase): barriers as published: counts to all, then a message for each put.
classic (BSP_SYNC=classic): the barriers of this library: data and counts travel together.
rel (BSP_EAGER=0): relaxed barriers as published: request, answer and data for each put.
eager (BSP_EAGER=auto): relaxed barriers where data travel with their timestamp, and ask nothing." \
	"$(bsprun --compare --ways org,classic,rel,eager --rounds 1 --html page.html ./ways)" \
	"four ways"
is "twophase classic ,  classic 0,  program 0,  program auto" \
	"$(paste -s -d, seen | sed 's/,/, /g')" "each with its settings"
nothing_left "no report is left"

# ---- The page --------------------------------------------------------------------------------

# bars: what the first figure says of each bar
bars()
{
	awk '/<figure>/ { n++ } n == 1' page.html | grep -o '<[a-z]* class="label">[^<]*' |
		sed 's/.*>//'
}

# values: of the bars, and how each is marked
values()
{
	awk '/<figure>/ { n++ } n == 1' page.html |
		sed -n 's/.*<span>\([0-9][^<]*\)\(<strong.*\)*<.span><.div>/\1\2/p' |
		sed 's/<strong class="\([a-z]*\)">\(.*\)<.strong>/\2 \1/'
}

is '4.000 s
3.000 s −25.0 % saved
5.000 s +25.0 % lost
1.500 s −62.5 % saved' "$(values)" "the page has a bar for each"
like '"ways":"org,classic,rel,eager","first":\{"communication":4,' "$(cat page.html)" \
	"and the figures for the next time"
like '"fourth_saves_communication":\{"median":0\.625,' "$(cat page.html)" "of all of them"
like 'org, barriers as published.*BSP_BARRIER=twophase.*rel, relaxed barriers as published' \
	"$(tr '\n' ' ' <page.html)" "and says what they are"
none "$(grep 'eager, unless' page.html)" "with nothing on those of other comparisons"
cp page.html kept.html
afresh
four_reports
bsprun --compare --ways org,classic,rel,eager --rounds 1 --html page.html ./ways >table
cmp -s page.html kept.html
ok $? "the same comparison takes the place of the older one"
afresh
report report.1 classic 9 "5 3 0" "6 3 0"
report report.2 relaxed 6 "5 1 0.5" "6 1 0.5"
bsprun --compare --rounds 1 --html page.html ./ways >table
like '^communication, mean +3\.000 s +1\.500 s +50\.0 %$' "$(cat table)" \
	"without --ways: classic and relaxed"
is 2 "$(grep -c '^<!-- comparison {' page.html)" "which is added to the page"
like 'Relaxed is what <code>bsprun --ways</code> calls eager' "$(cat page.html)" \
	"and the page says which relaxed that is"

# Two ways look like the usual ones, and the first is what the other is compared with.
afresh
report report.1 relaxed 6 "5 1 0.5" "6 1 0.5"
report report.2 classic 10 "5 4.5 0" "6 3.5 0"
bsprun --compare --ways eager,org --rounds 1 ./ways >table
like '^ +eager +org +saved$' "$(cat table)" "two ways, in the order given"
like '^communication, mean +1\.500 s +4\.000 s +-166\.7 %$' "$(cat table)" \
	"saved is against the first"

# ---- All five --------------------------------------------------------------------------------

afresh
rm seen
four_reports
report report.5 neighbors 8 "5 2 0" "6 2 0"
bsprun --compare --ways org,classic,rel,eager,neighbors --rounds 1 --html page.html ./ways >table
like '^communication, mean +4\.000 s +3\.000 s +5\.000 s +1\.500 s +2\.000 s$' "$(cat table)" \
	"five ways"
like '"fifth_saves_communication":\{"median":0\.5,' "$(cat page.html)" "also in the page"
is " classic 1" "$(tail -n 1 seen)" "neighbors are classic supersteps with BSP_NEIGHBORS=1"
cp page.html kept.html
afresh
four_reports
report report.5 neighbors 8 "5 2 0" "6 2 0"
bsprun --compare --ways org,classic,rel,eager,neighbors --rounds 1 --html page.html ./ways >table
cmp -s page.html kept.html
ok $? "which reads them again"

# ---- What is wrong ---------------------------------------------------------------------------

# wrong WAYS...: it ends with 2 and names the ways that there are
wrong()
{
	for ways do
		bsprun --compare --ways "$ways" ./ways >table 2>said
		is 2 $? "--ways $ways"
		like 'two or more of org, classic, rel, eager and neighbors' "$(cat said)" \
			"names the ways that there are"
	done
}
wrong org,clasic org org,org '' ,org org, eager,rel,Org
bsprun --ways org,rel ./ways 2>said
like '^bsprun: --ways goes with --compare' "$(cat said)" "--ways alone is an error"
bsprun --compare --ways rel,eager -x BSP_EAGER=64 ./ways 2>said
like '^bsprun: --ways sets BSP_EAGER itself' "$(cat said)" "so is BSP_EAGER with it"
bsprun --compare --ways classic,neighbors -x BSP_NEIGHBORS=1 ./ways 2>said
like '^bsprun: --ways sets BSP_NEIGHBORS itself' "$(cat said)" "and BSP_NEIGHBORS"
bsprun --compare --ways classic,eager -x BSP_BARRIER=twophase ./ways 2>said
like '^bsprun: --ways: BSP_BARRIER=twophase is the way org' "$(cat said)" "and twophase"
afresh
report report.1 relaxed 6 "5 1 0.5"
bsprun --compare --ways org,eager --rounds 1 ./ways >table 2>said
like 'the run with BSP_BARRIER=twophase reports that it was relaxed' "$(cat said)" \
	"a report of another way"
afresh
report report.1 neighbors 6 "5 1 0"
bsprun --compare --ways classic,neighbors --rounds 1 ./ways >table 2>said
like 'the run with BSP_SYNC=classic reports that it was one among neighbours' "$(cat said)" \
	"which may be among neighbours"
afresh
report report.1 classic 6 "5 1 0"
bsprun --compare --ways classic,neighbors --rounds 1 ./ways >table 2>said
like 'nothing to compare: no superstep ends among neighbours of bsp_set_neighbors' "$(cat said)" \
	"a program without bsp_set_neighbors"
is 'BSP_SYNC=classic BSP_BARRIER=twophase ./ways
BSP_SYNC=program BSP_EAGER=0 ./ways' "$(bsprun --compare --ways org,rel --show ./ways)" \
	"--show has a command for each"

done_testing
