#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Each kind of claim about a paper's figure holds for values that have it and fails for others.
# shellcheck disable=SC2154

. "${0%/*}/../lib/env.sh"

page=$top_builddir/bench/paperpage
test -x "$page" || skip_all "bench/paperpage was not built"
mkdir -p "$tap_dir/src/p" "$tap_dir/made/p"
cd "$tap_dir" || bail "no $tap_dir"
echo "p/figure-1" >src/figures
: >src/p/figure-1.sh

# claims TEXT...: the file of claims, with one line for each
claims()
{
	{
		printf '%s\n' "title T" "source S" "x log bytes" "y log us"
		for claim do
			echo "$claim"
		done
	} >src/p/figure-1.claims
}

# csv FILE ROW...: series and x and value
csv()
{
	file=$1
	shift
	{
		echo "# made by hand"
		echo "series,x,value,low,high,unit"
		for row do
			echo "$row,,,us"
		done
	} >"$file"
}

# judged WANTED CLAIM: the verdict on our values
judged()
{
	claims "claim $2 : said"
	"$page" src made 2>said || diag "$(cat said)"
	like "^\| p/figure-1 \| said .* \| $1 \|\$" "$(cat made/summary.md)" "$1: $2"
}

csv src/p/figure-1.published.csv
csv made/p/figure-1.csv a,1,10 a,2,20 a,4,40 a,8,80 b,1,30 b,2,33 b,4,36 b,8,39 c,1,5 c,2,5.1 \
	c,4,5 c,8,4.9 P2/m,1,10 P2/m,2,10 P2/e,1,11 P2/e,2,9 P4/m,1,10 P4/m,2,10 P4/e,1,10 P4/e,2,20

judged agrees 'order "c" < "a"'
judged differs 'order "a" < "b"'
judged agrees 'order "c" < "a" < "b" to 2'
judged agrees 'order "c" < "b" < "a" from 8'
judged agrees 'order "a" < "b" in 50 %'
judged differs 'order "a" < "b" in 51 %'
judged agrees 'ratio "b" / "c" within 5 8'
judged differs 'ratio "b" / "c" within 6.5 8'
judged agrees 'ratio "*/e" / "*/m" within 0.85 1.15 in 75 %'
judged differs 'ratio "*/e" / "*/m" within 0.85 1.15 in 80 %'
judged agrees 'value "c" within 4.9 5.1'
judged differs 'value "c" within 5 5.1'
judged agrees 'crossing "a" "b"'
judged differs 'crossing "c" "b"'
judged agrees 'grows "a" linear'
judged differs 'grows "c" linear'
judged agrees 'grows "b" log'
judged differs 'grows "a" log'
judged agrees 'grows "c" flat'
judged differs 'grows "b" flat'
judged agrees 'rises "b"'
judged differs 'falls "b"'
judged 'not judged' 'order "d" < "a"'
judged 'not judged' 'grows "P2/m" flat'

csv src/p/figure-1.published.csv a,1,10 a,2,30
judged agrees 'like "a" within 0.6 1.1'
judged differs 'like "a" within 0.9 1.1'

# ---- What a reader sees -----------------------------------------------------------------------

claims 'claim crossing "a" "b" : they cross' 'claim order "a" < "b" : a <is> below' 'why a & b'
csv src/p/figure-1.published.csv
"$page" src made
like 'lower, then higher, between 2 and 4' "$(cat made/summary.md)" "a crossing is located"
like 'agrees' "$(cat made/index.html)" "the page has a verdict"
like 'a &lt;is&gt; below' "$(cat made/index.html)" "it has the statement, escaped"
like 'a &amp; b' "$(cat made/index.html)" "and the reason of the one that fails"
xmllint=$(command -v xmllint) && {
	"$xmllint" --noout made/p/figure-1.svg
	ok $? "the picture is XML"
}
{
	echo "# form: short"
	sed 1d made/p/figure-1.csv
} >short && mv short made/p/figure-1.csv
"$page" src made
unlike=$(grep -c -e 'differs' -e 'agrees' made/summary.md)
is 0 "$unlike" "nothing is judged in the short form"
rm made/p/figure-1.csv
echo "no root here" >made/p/figure-1.skipped
"$page" src made
like 'no root here .* not judged' "$(cat made/summary.md)" "a figure that was skipped says why"

# ---- What is refused --------------------------------------------------------------------------

# refused TEXT: on standard error
refused()
{
	"$page" src made 2>said
	is 1 $? "refused: $1"
	like "$1" "$(cat said)" "with file and line"
}

for claim in 'order "a"' 'orders "a" < "b"' 'ratio "a" / "b"' 'value "a" within 1 b' 'grows "a"' \
	'order "a" < "b" from'; do
	claims "claim $claim : said"
	refused 'figure-1.claims:5: '
done
claims 'claim order "a" < "b"'
refused "figure-1.claims:5: expected ' : '"
claims 'claim order "a" < "b" : said'
csv src/p/figure-1.published.csv a,1,1 a,1,2
refused 'published.csv:4: this series has a value'
csv src/p/figure-1.published.csv a,1,nan
refused 'published.csv:3: x and value'
csv src/p/figure-1.published.csv a,1
refused 'published.csv:3: expected six'
csv src/p/figure-1.published.csv a,1,2 b,1,1
refused 'published values refute'
echo "a,1,2,,,us" >src/p/figure-1.published.csv
refused 'published.csv:1: expected series'
rm src/p/figure-1.published.csv
refused 'no src/p/figure-1.published.csv'

done_testing
