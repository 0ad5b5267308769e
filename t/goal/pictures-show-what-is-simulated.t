#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Goalc svg draws well-formed XML with each bar, message and time of the simulation; goalc dot draws
# the graph.
# shellcheck disable=SC2154

. "${0%/*}/../lib/env.sh"

goalc=$top_builddir/tools/goalc/goalc
cyclic=$top_srcdir/t/goal/data/cyclic.goal
cd "$tap_dir" || bail "no $tap_dir"

# well_formed FILE DESCRIPTION
well_formed()
{
	if command -v xmllint >/dev/null; then
		xmllint --noout "$1"
		ok $? "$2"
	elif command -v python3 >/dev/null; then
		python3 -c 'import sys, xml.dom.minidom as d; d.parse(sys.argv[1])' "$1"
		ok $? "$2"
	else
		skip "$2: no xmllint or python3 here"
	fi
}

# shows WANTED PATTERN: so many lines of the picture match
shows()
{
	is "$1" "$(grep -Ec -e "$2" picture.svg)" "$1 times $2"
}

"$goalc" svg --output picture.svg "$cyclic"
ok $? "drawn with LogGOPSim's parameters"
well_formed picture.svg "it is well-formed"
shows 3 '^<rect class="lane"'
shows 9 '^<line class="message.*<title>'
shows 9 'class="bar send"'
shows 9 'class="bar recv"'
shows 6 'class="bar calc"'
shows 1 'prefers-color-scheme: dark'
shows 0 '(href|src|url)[=(]'
for time in '65 570' '66 070' '69 570'; do
	shows 1 "^<text class=\"soft\".*>$time</text>"
done
"$goalc" --svg "$cyclic" | cmp - picture.svg
ok $? "the other spelling draws the same"

"$goalc" svg -L 1200 -o 300 -g 200 -G 1 "$cyclic" >picture.svg
for time in '34 095' '35 295' '33 795'; do
	shows 1 "^<text class=\"soft\".*>$time</text>"
done

# many RANKS: a ring
many()
{
	echo "num_ranks $1"
	rank=0
	while test $rank -lt "$1"; do
		printf 'rank %d {\nsend 8b to %d\nrecv 8b from %d\n}\n' $rank \
			$(((rank + 1) % $1)) $(((rank + $1 - 1) % $1))
		rank=$((rank + 1))
	done
}

for ranks in 2 16 64 200; do
	many $ranks | "$goalc" svg >picture.svg
	well_formed picture.svg "$ranks ranks: well-formed"
	shows $ranks '^<rect class="lane"'
done
# Letters are about 0.6 of their size of 12 wide, blanks less.
printf 'num_ranks 1\nrank 0 {\ncalc 1234567890123\n}\n' | "$goalc" svg >picture.svg
awk '/^<svg/ { gsub(/.* width="|" height.*/, ""); width = $0 }
	/class="soft" x.*>1 234 567 890 123<.text>/ {
		gsub(/.* x="|" y=.*/, "")
		fits = $0 + 13 * 7.2 <= width
	}
	END { exit !fits }' picture.svg
ok $? "thirteen digits have room at the right"
printf 'num_ranks 1\nrank 0 {\n}\n' | "$goalc" svg >picture.svg
well_formed picture.svg "nothing at all: well-formed"

printf 'num_ranks 2\nrank 0 {\nsend 1b to 1\n}\nrank 1 {\n}\n' >lonely.goal
"$goalc" svg --output lonely.svg lonely.goal 2>said
is 1 $? "what does not end is not drawn"
like '^goalc: lonely.goal: ' "$(cat said)" "and why is told"
test ! -e lonely.svg
ok $? "no file is left"

"$goalc" dot "$cyclic" >graph.dot
ok $? "a graph for Graphviz"
is "3 24 30 9" \
	"$(grep -c 'subgraph cluster_' graph.dot) $(grep -c 'label="[a-z].*\];$' \
	graph.dot) $(grep -c '^		r.* -> ' graph.dot) $(grep -c '^	r.* -> .*color' \
	graph.dot)" \
	"with its ranks, operations, dependencies and messages"
is 1 "$("$goalc" --dot "$top_srcdir/t/goal/data/annotated.goal" | grep -c 'style=dashed')" \
	"what waits for a start is dashed"
if command -v dot >/dev/null; then
	dot -Tsvg graph.dot >graph.svg
	ok $? "Graphviz understands it"
else
	skip "no dot here"
fi

done_testing
