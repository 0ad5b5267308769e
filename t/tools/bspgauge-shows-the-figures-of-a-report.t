#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Table, CSV and page of bspgauge have each figure of a report, where it belongs.
# shellcheck disable=SC2154

. "${0%/*}/../lib/env.sh"

PATH=$top_builddir/tools/bspgauge:$PATH
mkdir "$tap_dir/work"
cd "$tap_dir/work" || bail "no $tap_dir/work"

# Values; a plot with two series of the same sizes and one of others; one that was disturbed; what
# was not measured. Latencies are 1, 10 and 100 us at 1, 10 and 100 bytes.
cat >a.json <<'END'
{"bspgauge": 1, "host": "host <1>", "processor": "a \"CPU\"", "kernel": "Linux 6",
"clock": "monotonic", "date": "2026-01-02T03:04:05Z", "version": "9.9", "command": "bspgauge -n 4",
"later": {"x": [1, 2]},
"results": [
{"module": "shm", "pattern": "loggp", "transport": "shm", "network": "", "skipped": "",
 "nprocs": 4, "seconds": 1.25, "taken": 0, "series": [
	{"name": "L", "plot": "", "unit": "us", "skipped": "", "points": [
	 {"x": 0, "median": 2.5, "low": 2.25, "high": 3, "samples": 40, "outliers": 2, "lost": 0,
	  "flag": "", "raw": [2.5, 2.25, 3]}]},
	{"name": "G", "plot": "", "unit": "ns/byte", "skipped": "", "points": [
	 {"x": 0, "median": 0, "low": -1, "high": 0.5, "samples": 3, "outliers": 0, "lost": 1,
	  "flag": "was negative, a \"bit\""}]}]},
{"module": "tcp", "pattern": "one_one", "transport": "", "network": "eth0", "skipped": "",
 "nprocs": 2, "seconds": 0.5, "taken": 0.5, "series": [
	{"name": "half a round trip", "plot": "latency", "unit": "us", "skipped": "", "points": [
	 {"x": 1, "median": 1, "low": 1, "high": 1, "samples": 10, "outliers": 0, "lost": 0,
	  "flag": ""},
	 {"x": 10, "median": 10, "low": 5, "high": 20, "samples": 11, "outliers": 1, "lost": 0,
	  "flag": ""},
	 {"x": 100, "median": 100, "low": 90, "high": 100, "samples": 12, "outliers": 0, "lost": 0,
	  "flag": "was made up"}]},
	{"name": "other", "plot": "latency", "unit": "us", "skipped": "", "points": [
	 {"x": 1, "median": 2, "low": 2, "high": 2, "samples": 1, "outliers": 0, "lost": 0,
	  "flag": ""},
	 {"x": 10, "median": 20, "low": 20, "high": 20, "samples": 1, "outliers": 0, "lost": 0,
	  "flag": ""},
	 {"x": 100, "median": 200.125, "low": 200, "high": 201, "samples": 1, "lost": 0,
	  "flag": ""}]},
	{"name": "third", "plot": "latency", "unit": "us", "skipped": "", "points": [
	 {"x": 7, "median": 3, "low": 3, "high": 3, "samples": 1, "outliers": 0, "lost": 0,
	  "flag": ""}]},
	{"name": "fourth", "plot": "", "unit": "", "skipped": "no room", "points": []}]},
{"module": "eth", "pattern": "ebb", "transport": "", "network": "", "skipped": "needs 4 processes",
 "nprocs": 2, "seconds": 0, "taken": 0, "series": []}
]}
END
bspgauge compare a.json --csv a.csv --html a.html >table
is 0 $? "a report is shown"

# ---- The table --------------------------------------------------------------------------------

is 'a.json:
host <1>, a "CPU", Linux 6
2026-01-02T03:04:05Z, bsp 9.9: bspgauge -n 4
clock: monotonic

loggp over shm, 4 processes: 1.2 s, 43 samples, 2 outliers, 1 lost
  L                       2.5 us       [2.25, 3]
  G                         0*ns/byte  [-1, 0.5]  * was negative, a "bit"

one_one over tcp, 2 processes, eth0: 0.5 s, 37 samples, 1 outliers;
other programs took 0.50 processors
         bytes        half a round trip, us                    other, us
             1         1! [      1,      1]         2! [      2,      2]
            10        10! [      5,     20]        20! [     20,     20]
           100       100* [     90,    100]     200.1! [    200,    201]
         bytes                    third, us
             7         3! [      3,      3]
  fourth: not measured: no room

ebb over eth: not measured: needs 4 processes

Medians, with an interval of 95 % confidence in brackets; * is a replaced value: what was
measured is impossible, as a time below 0.
! was measured while other programs took processors from the job.' \
	"$(sed 's/outliers; /outliers;\
/' table)" \
	"the table: samples and outliers are added up, series of the same sizes beside each other"

# ---- Comma-separated values ----------------------------------------------------------------------

is 'file,module,pattern,series,unit,nprocs,x,median,low,high,samples,outliers,lost,flag
a.json,shm,loggp,L,us,4,0,2.5,2.25,3,40,2,0,
a.json,shm,loggp,G,ns/byte,4,0,0,-1,0.5,3,0,1,"was negative, a ""bit"""
a.json,tcp,one_one,half a round trip,us,2,1,1,1,1,10,0,0,other programs took 0.50 processors
a.json,tcp,one_one,half a round trip,us,2,10,10,5,20,11,1,0,other programs took 0.50 processors
a.json,tcp,one_one,half a round trip,us,2,100,100,90,100,12,0,0,was made up
a.json,tcp,one_one,other,us,2,1,2,2,2,1,0,0,other programs took 0.50 processors
a.json,tcp,one_one,other,us,2,10,20,20,20,1,0,0,other programs took 0.50 processors
a.json,tcp,one_one,other,us,2,100,200.125,200,201,1,0,0,other programs took 0.50 processors
a.json,tcp,one_one,third,us,2,7,3,3,3,1,0,0,other programs took 0.50 processors' "$(cat a.csv)" \
	"CSV: a row for each point, a field with quotes or commas in quotes"
bspgauge compare a.json --raw --csv raw.csv >table
is 'a.json,shm,loggp,L,us,4,0,2.5,2.25,3,40,2,0,,2.5 2.25 3' "$(sed -n 2p raw.csv)" \
	"and its samples, in one field"

# ---- The page ---------------------------------------------------------------------------------

# table HEADING: its rows, with the heads of folded columns in brackets
table()
{
	sed -n "/>$1</,/<.tbody>/p" a.html | grep '^<tr>' | sed 's,</t[dh]>,|,g
		s/<[^>]*class="[a-z ]*detail[^>]*>\([^|]*\)/(\1)/g; s/<[^>]*>//g; s/|$//'
}
is 'parameter|median|unit|95 % confidence|pattern|module|(file)|note
L|2.5|us|2.25 to 3|loggp|shm|(a.json)|
G|0|ns/byte|-1 to 0.5|loggp|shm|(a.json)|was negative, a &quot;bit&quot;' \
	"$(table Parameters)" "values are a table; the file is folded, as there is only one"
is 'pattern|series|module|(file)|why
one_one|fourth|tcp|(a.json)|no room
ebb||eth|(a.json)|needs 4 processes' "$(table "Not measured")" "what was not measured is another"
is 1 "$(grep -c '<figure' a.html)" "there is a plot of what was measured, and no other"

# curves PLOT FILE: the colour, dashes and places of each
curves()
{
	sed -n '/id="'"$1"'"/,/<\/figure>/s/^<path class="curve //p' "$2" |
		sed 's/ t[0-9]*" stroke-dasharray=\(".*"\) d="\(.*\)".*/ \1 \2/'
}

# 1 to 100 bytes and 1 to 200.125 us (the medians), both logarithmic, with a 25th of their length as
# room on either side, over 544 units from 62 to the right and 302 from 316 upwards: 10 bytes are in
# the middle, at 334; 10 us at 316 - 302 * (0.04 + ln 10 / ln 200.125) / 1.08.
is 'c0 "" M82.1 304.8L334.0 183.3L585.9 61.8
c1 "" M82.1 268.2L334.0 146.7L585.9 25.2
c2 "" M295.0 246.8' "$(curves latency a.html)" "curves go through the medians"
# spreads FILE: the colour of each, its x, and from where to where
spreads()
{
	sed -n 's/.*class="spread \(c.\) .*x1=\(.*\) y1=\(.*\) x2=.* y2=\(.*\)\/>/\1 \2 \3 \4/p' \
		"$1" | tr -d '"'
}
is 'c0 334.0 219.9 146.7
c0 585.9 67.4 61.8
c1 585.9 25.2 25.0' "$(spreads a.html)" "intervals go from low to high, where there is one"
is 7 "$(grep -c '<circle' a.html)" "each point has a dot"
like '"dot hollow c0 t0" cx="585.9" cy="61.8" .*12 samples, 0 outliers; was made up<' \
	"$(cat a.html)" "that tells what was made up"
like 'tcp, other, other .* 0.50 processors, 100 bytes: 200.12 us, 200 to 201, 1 samples' \
	"$(cat a.html)" "and else what was measured"
is "All curves: tcp, other programs took 0.50 processors
half a round trip
other
third" "$(grep -e '>All curves' -e '<li>' a.html | sed 's/<[^>]*>//g')" \
	"the legend names the curves, and says once what they have in common"
# conditions FILE: of a report, one a line
conditions()
{
	sed -n '/class="conditions"/,/<.dl>/s/.*<dt>\(.*\)<.dt><dd>\(.*\)<.dd>/\1: \2/p' "$1"
}
is "file: a.json
host: host &lt;1&gt;
processor: a &quot;CPU&quot;
kernel: Linux 6
clock: monotonic
date: 2026-01-02T03:04:05Z
version: bsp 9.9
made by: bspgauge -n 4" "$(conditions a.html)" "where and when it was, and how it is made again"
# marks FILE: of both axes
marks()
{
	sed -n 's/^<text class="soft".* y="[0-9.]*">\([0-9.]*[kMG]*\)<.text>/\1/p' "$1" |
		paste -sd ' '
}
is "1 4 16 64 1 10 100" "$(marks a.html)" \
	"marks are powers of 4 for bytes, of 10 for times"

# ---- Axes that are not logarithmic, and points that cannot be shown on those that are ---------

# 0 to 1 and, from 0 on, to 2, with a 20th as room: 1 is at 62 + 544 / 1.05 and 316 - 302 / 2.1.
cat >b.json <<'END'
{"bspgauge": 1, "results": [
{"module": "shm", "pattern": "noise", "nprocs": 1, "series": [
	{"name": "noise", "plot": "noise", "unit": "", "points": [
	 {"x": 0, "median": 1, "low": 1, "high": 1, "samples": 1, "flag": ""},
	 {"x": 1, "median": 2, "low": 1, "high": 2, "samples": 1, "flag": ""}]}]},
{"module": "shm", "pattern": "one_one", "nprocs": 2, "series": [
	{"name": "one_one", "plot": "latency", "unit": "us", "points": [
	 {"x": 1, "median": 5, "low": 0, "high": 6, "samples": 1, "flag": ""},
	 {"x": 2, "median": 0, "low": 0, "high": 0, "samples": 0, "lost": 3,
	  "flag": "all were lost"},
	 {"x": 4, "median": 5, "low": 5, "high": 5, "samples": 1, "flag": ""}]}]}
]}
END
bspgauge compare b.json --html b.html --csv b.csv >table
is 'c0 "" M62.0 172.2L580.1 28.4' "$(curves noise b.html)" \
	"a linear axis begins at 0"
# 1 to 4 bytes with a 25th as room; all times are 5, which is in the middle of 2.5 to 10. An
# interval from 0 begins at the foot of the plot, and ends at 316 - 302 * ln (6 / 2.5) / ln 4.
is 'c0 82.1 316.0 125.3' "$(spreads b.html | head -n 1)" "an interval from 0 begins at the foot"
is 'c0 "" M82.1 165.0L585.9 165.0' "$(curves latency b.html)" \
	"what is 0 has no place on a logarithmic one"
is 2 "$(sed -n '/id="latency"/,/<\/figure>/p' b.html | grep -c '<circle')" "and no dot"
like 'b.json,shm,one_one,one_one,us,2,2,0,0,0,0,0,3,all were lost' "$(cat b.csv)" "but a row in CSV"
none "$(grep -nE '[ "MLHV](nan|-?inf)' b.html)" "every place is a number"
is 'file: b.json' "$(conditions b.html)" "a report that says no more"

# ---- Two reports ------------------------------------------------------------------------------

bspgauge compare b.json a.json --html both.html --csv both.csv >table
is "b.json, shm
a.json, tcp, half a round trip, other programs took 0.50 processors
a.json, tcp, other, other programs took 0.50 processors
a.json, tcp, third, other programs took 0.50 processors" \
	"$(sed -n '/id="latency"/,/<\/figure>/p' both.html | grep '<li>' | sed 's/<[^>]*>//g')" \
	"curves of several reports are in one plot, with the names of the files"
{
	cat b.csv
	sed 1d a.csv
} | cmp -s - both.csv
ok $? "their rows follow each other"

# ---- Series that there are more of than colours, and long ranges ------------------------------

{
	echo '{"bspgauge": 1, "results": [{"module": "m", "pattern": "p", "nprocs": 2, "series": ['
	for i in $(seq 0 11); do
		test "$i" = 0 || echo ,
		echo '{"name": "s'"$i"'", "plot": "latency", "unit": "us", "points": ['
		echo '{"x": 1, "median": 0.001, "low": 0.001, "high": 0.001, "samples": 1},'
		echo '{"x": 1073741824, "median": 100000000, "low": 1, "high": 2, "samples": 1}]}'
	done
	echo ']}]}'
} >many.json
bspgauge compare many.json --html many.html >table
is 'c9 "" c0 "6 3" c1 "6 3"' \
	"$(curves latency many.html | tail -n 3 | sed 's/ M.*//' | paste -sd ' ')" \
	"the eleventh curve is dashed"
is "1 16 256 4k 64k 1M 16M 256M" \
	"$(grep '^<text class="soft".* y="332.0">' many.html | sed 's/.*>\(.*\)<.*/\1/' |
	paste -sd ' ')" \
	"marks are every second power of 4 where there would be too many"

done_testing
