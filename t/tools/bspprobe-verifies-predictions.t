#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Bspprobe --verify runs every algorithm and prints predicted beside measured times, also as a
# picture.
# shellcheck disable=SC1090,SC2034,SC2154

. "${0%/*}/../lib/env.sh"
. "$top_srcdir/t/lib/installed.sh"

bspprobe -n 4 --emulate gigabit,cpu=0 --seconds "$(scaled 20)" --bytes 4k --verify --csv --svg picture.svg \
	>csv 2>errors
ok $? "--verify --csv --svg" || diag "$(cat errors)"
for kind in barrier bcast scatter gather allgather exchange reduce allreduce scan; do
	like "^$kind,[a-z-]+,4,[0-9]+," "$(cat csv)" "$kind is there"
	like "^$kind,[a-z-]+,2,[0-9]+," "$(cat csv)" "$kind of 2 processes, too"
done
none "$(awk -F, 'NR > 1 && ($6 <= 0 || $7 <= 0)' csv)" "no time is 0 or less"
none "$(awk -F, 'NR > 1 { point = $1 "," $3 "," $4; chosen[point] += $11; best[point] += $12 }
	END { for (p in chosen) if (chosen[p] != 1 || best[p] != 1) print p }' csv)" \
		"one is chosen, and one is the best"

# On a network that is just the model most times are what the model says.
awk -F, \
	'NR > 1 { n++; if ($7 / $6 < 1.25 && $6 / $7 < 1.25) good++ } END { exit !(good >= 0.7 * n) }' csv
ok $? "70 % of the predictions are within 25 %" ||
	diag "$(awk -F, 'NR > 1 && ($7 / $6 > 1.25 || $6 / $7 > 1.25)' csv | head -n 30)"

like '^<svg xmlns=' "$(head -n 1 picture.svg)" "the picture is SVG"
like 'prefers-color-scheme: dark' "$(cat picture.svg)" "for light and dark"
none "$(grep -nE 'href|url\(|<script|<image' picture.svg)" "it needs nothing else"
for name in binomial segmented-chain bruck dissemination; do
	like ">$name</text>" "$(cat picture.svg)" "it shows $name"
done
if command -v python3 >/dev/null; then
	python3 -c 'import xml.dom.minidom; xml.dom.minidom.parse("picture.svg")' 2>seen
	ok $? "it is well-formed" || diag "$(cat seen)"
else
	skip "no python3 here"
fi

bspprobe -n 2 --emulate gigabit,cpu=0 --seconds "$(scaled 3)" --bytes 64 --verify --only bcast,scan >table
ok $? "--only"
is "bcast scan" "$(sed -n 's/^\([a-z]*\), .*/\1/p' table | sort -u | tr '\n' ' ' | sed 's/ $//')" \
	"these operations alone"
like "chosen within 10 % of the best: [0-9]+ of [0-9]+" "$(cat table)" \
	"the table ends with how good the choice was"

bspprobe -n 2 --emulate gigabit,cpu=0 --seconds "$(scaled 3)" --bytes 64 --verify --chosen --csv \
	--only bcast,barrier >chosen
ok $? "--chosen"
is "barrier 1 bcast 4" "$(awk -F, '
	NR > 1 { all++ }
	NR > 1 && $11 && $12 { n[$1]++ }
	END {
		if (n["barrier"] + n["bcast"] == all)
			print "barrier", n["barrier"], "bcast", n["bcast"]
	}' chosen)" "one algorithm at each size"

# Between nodes and inside them, and each operation in one level and in two.
. "$top_srcdir/t/lib/built.sh"
if has_transport mix; then
	bsprun -n 4 --nodes 2 --transport mix "$(command -v bspprobe)" --seconds "$(scaled 2)" --bytes 8 \
		--verify --only reduce,barrier --csv >levels 2>errors
	ok $? "on two nodes" || diag "$(cat errors)"
	for name in reduce,binomial 'reduce,binomial\+nodes' barrier,dissemination \
		'barrier,dissemination\+nodes'; do
		like "^$name,4,[08],,[0-9.]+,[0-9.]+," "$(cat levels)" "$name"
	done
	bsprun -n 4 --nodes 2 --transport mix "$(command -v bspprobe)" --seconds 1 --bytes 8 --json \
		>json 2>errors
	like '"inside": [{] "L": [0-9.]+, ' "$(cat json)" "what it is inside nodes is in the JSON"
	is 4 "$(grep -c '"bytes": [14], "os"' json)" "with the sizes that are there between nodes"
else
	skip "no nodes here"
fi

done_testing
