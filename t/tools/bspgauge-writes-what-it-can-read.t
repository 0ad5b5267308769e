#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Reports of bspgauge are JSON, CSV and a page that needs nothing else; several are compared in one.
# shellcheck disable=SC1090,SC2034,SC2154

. "${0%/*}/../lib/env.sh"
. "$top_srcdir/t/lib/installed.sh"

network=L=20us,o=5us,g=8us,G=10ns,cpu=0
bspgauge -n 2 --module emu --emulate "$network" --sizes 1:4k --seconds 2 --raw --json a.json \
	--csv a.csv --html a.html >table 2>errors
ok $? "bspgauge writes" || diag "$(cat errors)"
none "$(grep -v " is too short for " errors)" "and says nothing where there is no terminal"
like "one_one over emu, 2 processes, $network" "$(cat table)" "the table says what was measured"
bspgauge -n 2 --module shm --pattern one_one,hrelation,overlap --sizes 1:4k --seconds 2 --quiet \
	--json b.json >table
none "$(cat table)" "--quiet prints no table"

if command -v python3 >/dev/null; then
	python3 - >seen 2>&1 <<'END'
import json
r = json.load(open('a.json'))
assert r['bspgauge'] == 1 and r['host'] and r['kernel'] and r['processor'] and r['clock'] == 'virtual', r
assert r['date'].endswith('Z') and r['command'].startswith('bspgauge -n 2 --module emu'), r
by = {x['pattern']: x for x in r['results']}
assert by['one_one']['transport'] == 'emu' and by['one_one']['nprocs'] == 2
assert by['one_one']['network'].startswith('L=20us'), by['one_one']['network']
point = by['one_one']['series'][0]['points'][0]
assert len(point['raw']) == point['samples'] and point['low'] <= point['median'] <= point['high'], point
# L + 2 o and the gap of 39 bytes of the header
assert abs(point['median'] - 30.39) < 0.1, point
assert by['noise']['skipped'] == 'time is virtual'
END
	ok $? "--json is JSON and has where, when, how and all samples" || diag "$(cat seen)"
else
	skip "no python3 here"
fi
like "^file,module,pattern,series,unit,nprocs,x,median,low,high,samples,outliers,lost,flag,raw" \
	"$(head -n 1 a.csv)" "CSV has a heading"
none "$(awk -F, 'NF < 14' a.csv)" "and each row all columns"

# page FILE: what must hold of each
page()
{
	if command -v xmllint >/dev/null; then
		none "$(xmllint --noout "$1" 2>&1)" "$1 is well-formed"
	elif command -v python3 >/dev/null; then
		none "$(python3 -c 'import sys, xml.dom.minidom as x; x.parse(sys.argv[1])' "$1" \
			2>&1)" "$1 is well-formed"
	else
		skip "$1: no xmllint or python3 here"
	fi
	none "$(grep -nE 'https?:|src=|href=|<link|<script|url\(|@import' "$1")" \
		"$1: nothing comes from elsewhere, no script"
	like 'prefers-color-scheme: dark' "$(cat "$1")" "$1: light and dark"
	none "$(grep -nE '[ "MLHV](nan|-?inf)' "$1")" "$1: every place is a number"
}
page a.html
for plot in latency bandwidth gap overhead barrier relation; do
	like "figure id=\"$plot\"" "$(cat a.html)" "there is a plot of $plot"
done
bspgauge compare a.json b.json --html both.html --csv both.csv >table
ok $? "compare"
page both.html
like "</svg>a\.json, emu" "$(cat both.html)" "curves of the first report"
like "</svg>b\.json, shm" "$(cat both.html)" "and of the second are in one plot"
is 1 "$(grep -c 'figure id="latency"' both.html)" "of which there is one"
bspgauge compare a.json --raw --csv again.csv >table
cut -d, -f 2- a.csv >first
cut -d, -f 2- again.csv | cmp -s first -
ok $? "what was read is what was written"

# Names that could be taken for something else.
sed 's/"host": "[^"]*"/"host": "<b>\&amp; \\u0022x"/' a.json >'c<&.json'
bspgauge compare 'c<&.json' a.json --html evil.html >table
page evil.html
like "c&lt;&amp;\.json" "$(cat evil.html)" "file names are no markup"

# Reports that are none.
refused()
{
	seen=$(bspgauge compare "$1" 2>&1)
	is 1 $? "$2: status 1"
	like "^bspgauge: $1" "$seen" "$2: says which file"
}
refused nowhere.json "a file that is not there"
head -c 300 a.json >cut.json
refused cut.json "a report that was cut short"
echo '{"version": 1, "entries": []}' >other.json
refused other.json "another JSON"
sed 's/"samples": [0-9]*/"samples": -4/' a.json >negative.json
refused negative.json "a negative count"
: >empty.json
refused empty.json "an empty file"
seen=$(bspgauge compare 2>&1)
is 2 $? "compare without files: status 2"

done_testing
