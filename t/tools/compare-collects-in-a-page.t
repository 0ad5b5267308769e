#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Bsprun --compare --html adds to a page that is whole, needs nothing else and can be read by
# machines.
# shellcheck disable=SC1090,SC2034,SC2154

. "${0%/*}/../lib/env.sh"
. "$top_srcdir/t/lib/compare.sh"

# compared ARGUMENT...: two rounds of ./fake on $1 processes for page.html; the figures are always
# the same
compared()
{
	processes=
	n=$1
	shift
	afresh
	set -- "$n" "$@"
	for sync in classic relaxed; do
		file=report.1 figures="1 0.5 0" total=3
		test $sync = classic || file=report.2 figures="1 0.125 0.125" total=2
		triples=
		i=0
		while test $i -lt "$n"; do
			triples="$triples|$figures"
			i=$((i + 1))
		done
		(
			IFS='|'
			# shellcheck disable=SC2086
			set -- ${triples#|}
			unset IFS
			report $file $sync $total "$@"
		)
	done
	cp report.1 report.3
	cp report.2 report.4
	shift
	bsprun --compare --rounds 2 --html page.html ./fake "$@" >table
}

# well_formed FILE DESCRIPTION
well_formed()
{
	if command -v xmllint >/dev/null; then
		none "$(xmllint --noout "$1" 2>&1)" "$2"
	elif command -v python3 >/dev/null; then
		none "$(python3 -c 'import sys, xml.dom.minidom as x; x.parse(sys.argv[1])' "$1" \
			2>&1)" "$2"
	else
		skip "$2: no xmllint or python3 here"
	fi
}

# count PATTERN: lines of the page with it
count()
{
	grep -c -e "$1" page.html
}

umask 022
compared 4 W
ok $? "a page is made"
well_formed page.html "it is well-formed"
is "-rw-r--r--" "$(ls -l page.html | cut -c 1-10)" \
	"it can be read by those who can read other files"
is "<!DOCTYPE html>" "$(head -n 1 page.html)" "it is HTML"
is 1 "$(count '<section>')" "one program, one section, no overview"
is 2 "$(count '<figcaption>')" "two figures"
like '<td>500\.0 ms</td><td>500\.0 ms</td><td>0 ms</td><td class="detail">0 ms' "$(cat page.html)" \
	"classic times are in its table"
like '<td>250\.0 ms</td><td>125\.0 ms</td><td>125\.0 ms</td>' "$(cat page.html)" "relaxed times too"
like '<span>250\.0 ms <strong class="saved">−50\.0 %</strong></span>' "$(cat page.html)" \
	"what is saved is at a bar"
like '<span>2\.000 s <strong class="saved">−33\.3 %</strong></span>' "$(cat page.html)" \
	"and at a bar of the total"
like 'bsp [0-9]+\.[0-9.]+\.</p>' "$(cat page.html)" "the version, and no date"
none "$(grep -nE 'https?:|src=|href=|<link|<script|url\(|@import' page.html)" \
	"nothing comes from elsewhere, no script"
like 'prefers-color-scheme: dark' "$(cat page.html)" "light and dark"
none "$(grep '<span class="[a-z]*\( tell\)*" style="width' page.html |
	grep -v 'title="in \|"computation')" "every part of a bar has words"
like '<th scope="row" class="words">classic, 4 processes</th>' "$(cat page.html)" \
	"rows have headings"

processor=$(sed -n 's/^model name[[:blank:]]*: //p' /proc/cpuinfo | head -n 1)
conditions=$(sed -n '/class="conditions"/,/<.dl>/s/.*<dt>\(.*\)<.dt><dd>\(.*\)<.dd>/\1: \2/p' \
	page.html)
is "host: $(uname -n)
processor: ${processor:-$(uname -m)}
made by: bsprun -n 4 --compare --rounds 2 --html PAGE fake W" "$conditions" \
	"where it was measured, and the command that does it again"

cp page.html first.html
sed 's/,"host":.*\( -->\)$/}\1/' first.html >page.html
compared 4 W
cmp -s first.html page.html
ok $? "a page of before, which does not say where, is one as well"
compared 4 W
cmp -s first.html page.html
ok $? "the same comparison takes the place of the older one, and makes the same page"
compared 16 W
compared 8 W
is "1 3" "$(count '<section>') $(count '^<!-- comparison {')" \
	"other numbers of processes go to its section"
like '4, 8 and 16 processes' "$(cat page.html)" "in ascending order"
compared 8 A
is "3 4" "$(count '<section>') $(count '^<!-- comparison {')" \
	"another class has its own; now there is an overview"
network=sp2
compared 8 A
network=
is "4 5" "$(count '<section>') $(count '^<!-- comparison {')" "so has another network"
well_formed page.html "it is still well-formed"
SOURCE_DATE_EPOCH=86400
export SOURCE_DATE_EPOCH
compared 8 A
like 'bsp .*, 1970-01-02\.' "$(cat page.html)" "a date if the environment gives one"
unset SOURCE_DATE_EPOCH

# Texts that could be taken for something else.
evil='</p>--><script>"&'
compared 2 "$evil" "it's" "$(printf '\377\001\303\251\n')" -- --
ok $? "any arguments"
well_formed page.html "are no markup"
none "$(grep -n '<script' page.html)" "and no script"
like '<h2>fake &lt;/p&gt;--&gt;&lt;script&gt;&quot;&amp; it.s \?\?é -- --</h2>' \
	"$(cat page.html)" "they are shown"
compared 2 "$evil" "it's" "$(printf '\377\001\303\251\n')" -- --
is 6 "$(count '^<!-- comparison {')" "and known again"
compared 2 "$(printf '%02000d' 0)"
well_formed page.html "a very long argument"

if command -v python3 >/dev/null; then
	python3 - >seen 2>&1 <<'END'
import json
lines = [l for l in open('page.html', encoding='utf-8') if l.startswith('<!-- comparison {')]
all = [json.loads(l[len('<!-- comparison '):-len(' -->\n')]) for l in lines]
assert len(all) == 7, len(all)
assert [c['nprocs'] for c in all[:3]] == [4, 16, 8]
assert all[0]['command'] == 'fake W' and all[0]['rounds'] == 2 and all[4]['network'] == 'sp2'
assert all[5]['command'].startswith('fake </p>--><script>"& it\'s'), all[5]['command']
assert all[1]['classic']['communication'] == 0.5 and all[1]['relaxed']['read'] == 0.125
assert all[1]['saved_communication'] == {'median': 0.5, 'least': 0.5, 'most': 0.5}
assert all[1]['classic']['puts'] == 48
END
	ok $? "its comments are JSON and hold the figures" || diag "$(cat seen)"
else
	skip "no python3 here"
fi

mkdir elsewhere
mv page.html elsewhere/real.html
ln -s elsewhere/real.html page.html
chmod 640 elsewhere/real.html
compared 2 B
test -h page.html && is 8 "$(count '^<!-- comparison {')" "a link to the page stays one"
is "-rw-r-----" "$(ls -l elsewhere/real.html | cut -c 1-10)" "and the page keeps its mode"
is "real.html" "$(ls -A elsewhere)" "nothing else is left beside it"
rm page.html
mv elsewhere/real.html page.html
: >page.html
compared 4 W
cmp -s first.html page.html
ok $? "an empty file becomes a page"

# ---- Files that are left as they are

# kept PATTERN DESCRIPTION: page.html stays, and the program is not run
kept()
{
	cp page.html before
	seen=$(compared 4 W 2>&1)
	is 2 $? "$2: status 2"
	like "^bsprun: page.html$1" "$seen" "$2: says why"
	cmp -s before page.html
	ok $? "$2: it stays as it is"
	test ! -e runs
	ok $? "$2: the program is not run"
}

echo "<html>my own</html>" >page.html
kept " is no page of bsprun; it is left as it is" "another page"
head -n 300 first.html >page.html
head -c 20 first.html >page.html
kept " is no page of bsprun" "the first bytes of a page"
head -n 100 first.html >page.html
kept " has been cut short" "half a page"
sed 's/"nprocs":4/"nprocs":-/' first.html >page.html
kept ", line [0-9]+: expected a number; it is left" "a figure that is none"
sed 's/"rounds":2/"rounds":0/' first.html >page.html
kept ", line [0-9]+: no processes, or no rounds" "no rounds"
sed 's/"sync":[0-9.]*,//' first.html >page.html
kept ", line [0-9]+: a member is missing" "a figure is missing"
sed 's/"saved_total"/"other"/' first.html >page.html
kept ", line [0-9]+: another member than expected" "another member"
sed '/^<!-- comparison {/s/ -->$//' first.html >page.html
kept ", line [0-9]+: a comment that does not end" "a comment that does not end"
rm page.html
mkdir page.html
afresh
like "^bsprun: page.html is no file" "$(compared 4 W 2>&1)" "a directory"
rmdir page.html
seen=$(bsprun --compare --html nowhere/page.html ./fake 2>&1)
is 2 $? "a directory that is not there: status 2"
like "^bsprun: nowhere/page.html: No such file or directory" "$seen" "and says so"

# A program that fails leaves the page alone.
cp first.html page.html
bsprun --compare --html page.html false 2>/dev/null
cmp -s first.html page.html
ok $? "nothing is added if the program fails"
nothing_left "no report is left"

done_testing
