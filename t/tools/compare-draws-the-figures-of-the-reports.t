#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# On the page of bsprun --compare bars, spreads and tables have the lengths and values of the
# reports.
# shellcheck disable=SC1090,SC2034,SC2154

. "${0%/*}/../lib/env.sh"
. "$top_srcdir/t/lib/compare.sh"

# Two rounds, in s: communication is 4 and 5 classic, 2 and 3 relaxed; the total 10 and 11, 8 and 9.
# The medians are 4.5 and 2.5, so the runs that are shown are the faster ones: 4 and 1 + 1.
# Saved are 50 and 40 %, of the total 20 and 18.2 %.
report report.1 classic 10 "6 4 0"
report report.2 relaxed 8 "6 1 1"
report report.3 classic 11 "6 5 0"
report report.4 relaxed 9 "6 1 2"
bsprun --compare --rounds 2 --html page.html ./fake >table
is 0 $? "a page is written"

# figure NUMBER: its lines
figure()
{
	awk -v wanted="$1" '/<figure>/ { n++ }
		n == wanted { print }
		n == wanted && /<\/figure>/ { exit }' page.html
}

# parts NUMBER: of a bar each on a line, with its width in percent and its words
parts()
{
	figure "$1" | grep -o '<span class="[a-z]*\( tell\)*" style="width:[^>]*' |
		sed 's/.*ss="\([a-z]*\)\( tell\)*" style="width:\(.*\)%" title="\(.*\)"/\1 \3 \4/'
}

# ranges NUMBER: where each begins, and its length, in percent
ranges()
{
	figure "$1" |
		sed -n 's/.*"range\(.*\)" style="left:\(.*\)%;width:\([0-9.]*\)%.*/\2 \3\1/p'
}

# values NUMBER: what stands beside each bar, and how it is marked
values()
{
	figure "$1" | sed -n 's/.*<span>\([0-9][^<]*\)\(<strong.*\)*<.span><.div>/\1\2/p' |
		sed 's/<strong class="\([a-z]*\)">\(.*\)<.strong>/\2 \1/'
}

# The spread of the classic runs reaches to 5 s, which is 100 %.
is 'sync 80.00 in bsp_sync: 4.000 s
sync 20.00 in bsp_sync: 1.000 s
read 20.00 in bsp_read: 1.000 s' "$(parts 1)" "communication: 4 s, and 1 and 1"
is 1 "$(figure 1 | grep -c '>4.000 s</span></span>')" "a long one has its value inside"
is '80.00 20.00
40.00 20.00' "$(ranges 1)" "spreads: 4 to 5 s, 2 to 3 s"
is '4.000 s
2.000 s −45.0 % saved' "$(values 1)" "values beside them, and what is saved"

# Nothing reaches farther than the bars of the total.
is 'compute 60.00 computation: 6.00 s
sync 40.00 in bsp_sync: 4.00 s
compute 60.00 computation: 6.00 s
sync 10.00 in bsp_sync: 1.00 s
read 10.00 in bsp_read: 1.00 s' "$(parts 2)" "the total: computation, and communication"
is '10.00 s
8.00 s −19.1 % saved' "$(values 2)" "values of the total"
none "$(ranges 2)" "which have no spread"

# cells: the rows of the table, a cell each; folded ones in brackets
cells()
{
	grep '^<tr><th scope="row"' page.html | sed 's,</t[hd]>,|,g
		s/<[^>]*class="[a-z ]*detail[^>]*>\([^|]*\)/(\1)/g; s/<small>/, /g
		s/<[^>]*>//g; s/|$//'
}
is 'classic, 1 process|4.000 s|4.000 s|0 s|(0 s)|(4.000 s)|6.000 s|10.00 s|12|3|1|2|1.500 kB|(2)
relaxed, 1 process|2.000 s|1.000 s|1.000 s|(0 s)|(2.000 s)|6.000 s|8.00 s|12|3|1|2|1.500 kB|(2)
saved, 1 process|45.0 %, 40.0 % to 50.0 %|||()|()||19.1 %, 18.2 % to 20.0 %||||||()' \
	"$(cells)" "each column of the table, and below times what is saved of them"
is 'barriers
communication, mean
in bsp_sync
in bsp_read
in collectives
communication, largest
computation, mean
total
supersteps
puts
gets
messages
sent
rounds' "$(grep -o '<th scope="col"[^<]*' page.html | sed 's/.*>//')" "the heads of the columns"
like '^<!-- comparison \{"command":"fake","transport":"shm","network":"","nprocs":1,"rounds":2,' \
	"$(cat page.html)" "the figures for the next time: of what"
like '"classic_communication":\{"median":4\.5,"least":4,"most":5\},' "$(cat page.html)" "spreads"
like '"saved_communication":\{"median":0\.45,"least":0\.4,"most":0\.5\},' "$(cat page.html)" \
	"and what is saved"

# ---- A spread that is much longer than the bars -----------------------------------------------

# It goes to 1.25 times the bars, and ends in an arrow.
afresh
rm page.html
for n in 1 3 5; do
	report report.$n classic 10 "6 4 0"
	report report.$((n + 1)) relaxed 8 "6 1 1"
done
report report.5 classic 46 "6 40 0"
bsprun --compare --rounds 3 --html page.html ./fake >table
is '80.00 20.00 beyond' "$(ranges 1)" "an arrow instead of 40 s"

# ---- Rounds that contradict each other ---------------------------------------------------------

# Communication saves 50 and -25 %; of the total all rounds save a tenth or more.
afresh
rm page.html
report report.1 classic 10 "6 4 0"
report report.2 relaxed 8 "6 1 1"
report report.3 classic 10 "6 4 0"
report report.4 relaxed 9 "4 3 2"
bsprun --compare --rounds 2 --html page.html ./fake >table
is '4.000 s
2.000 s no difference unseen' "$(values 1)" "communication: no percentage"
is '10.00 s
8.00 s −15.0 % saved' "$(values 2)" "the total has one"
like '^saved, 1 process\|no difference to be seen, -25\.0 % to 50\.0 %\|' "$(cells)" \
	"nor in the table"
like '\|15\.0 %, 10\.0 % to 20\.0 %\|' "$(cells)" "and so does the table"

# ---- Relaxed is slower, or as fast; no communication at all -----------------------------------

afresh
rm page.html
report report.1 classic 8 "6 2 0"
report report.2 relaxed 9 "6 3 0"
bsprun --compare --rounds 1 --html page.html ./fake >table
is '2.000 s
3.000 s +50.0 % lost' "$(values 1)" "what is lost"
none "$(ranges 1)" "one round has no spread"
afresh
rm page.html
report report.1 classic 6 "6 0 0"
report report.2 relaxed 6 "6 0 0"
bsprun --compare --rounds 1 --html page.html ./fake >table
is '0 s
0 s ±0.0 % saved' "$(values 1)" "without communication there is no bar"
none "$(parts 1)" "of any part"
none "$(grep -nE '[":]-?(nan|inf)' page.html)" "and no place that is no number"

# ---- Digits -----------------------------------------------------------------------------------

# total SECONDS: how the table has it
total()
{
	afresh
	report report.1 classic "$1" "0 $1 0"
	report report.2 relaxed "$1" "0 $1 0"
	bsprun --compare --rounds 1 ./fake | awk '$1 == "total" { print $2, $3 }'
}

is "9.999 s" "$(total 9.9994)" "four digits"
is "10.00 s" "$(total 9.9996)" "also of what is rounded up to another one"
is "100.0 s" "$(total 99.996)" "and another"
is "1000 s" "$(total 999.96)" "and another"
is "12345 s" "$(total 12345.2)" "all of what is longer"
is "999.9 ms" "$(total 0.9999)" "less than a second"
is "1.000 us" "$(total 0.000001)" "a microsecond"
is "0.100 us" "$(total 0.0000001)" "and less"

done_testing
