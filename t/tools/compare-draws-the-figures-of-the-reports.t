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

# picture NUMBER: its lines
picture()
{
	awk -v wanted="$1" '/<svg viewBox="0 0 566 / { n++ }
		n == wanted { print }
		n == wanted && /<\/svg>/ { exit }' page.html
}

# A second is 260 / 5 units: the spread of the classic runs reaches to 5. Bars begin at 162 and are
# 20 high, the second one 23 lower; the middle of a spread is that of its bar.
is '<rect x="162.0" y="6.0" width="208.0" height="20"/>
<rect x="162.0" y="29.0" width="52.0" height="20"/>
<rect x="214.0" y="29.0" width="52.0" height="20"/>' \
	"$(picture 1 | grep -o '<rect[^>]*>')" "communication: 4 s, and 1 and 1"
is 'in bsp_sync: 4.000 s
in bsp_sync: 1.000 s
in bsp_read: 1.000 s' "$(picture 1 | sed -n 's/.*<title>\(.*\)<\/title>.*/\1/p')" "what they are"
is '<text class="inside" x="168.0" y="20.0">4.000 s</text>' \
	"$(picture 1 | grep -o '<text class="inside".*</text>')" "a long one has its value inside"
is 'M370.0 12.0v8M370.0 16.0H422.0M422.0 12.0l0 4l0 4
M266.0 35.0v8M266.0 39.0H318.0M318.0 35.0l0 4l0 4' \
	"$(picture 1 | sed -n 's/.*class="spread" d="\(.*\)".*/\1/p')" "spreads: 4 to 5 s, 2 to 3 s"
is '<text x="430.0" y="20.0">4.000 s</text>
<text x="326.0" y="43.0">2.000 s <tspan class="saved">−45.0 %</tspan></text>' \
	"$(picture 1 | grep '^<text x=')" "values behind bars and spreads, and what is saved"
like '^<svg viewBox="0 0 566 55" ' "$(picture 1)" "as high as one pair"

# A second is 26 units; nothing reaches farther than the bars.
is '<rect x="162.0" y="6.0" width="156.0" height="20"/>
<rect x="318.0" y="6.0" width="104.0" height="20"/>
<rect x="162.0" y="29.0" width="156.0" height="20"/>
<rect x="318.0" y="29.0" width="26.0" height="20"/>
<rect x="344.0" y="29.0" width="26.0" height="20"/>' \
	"$(picture 2 | grep -o '<rect[^>]*>')" "the total: computation, and communication"
is '<text x="430.0" y="20.0">10.00 s</text>
<text x="378.0" y="43.0">8.00 s <tspan class="saved">−19.1 %</tspan></text>' \
	"$(picture 2 | grep '^<text x=')" "values of the total"

# The table, a cell each.
is '1|classic|4.000 s|4.000 s|0 s|0 s|4.000 s|6.000 s|10.00 s|12|3|1|2|1.500 kB|2
1|relaxed|2.000 s|1.000 s|1.000 s|0 s|2.000 s|6.000 s|8.00 s|12|3|1|2|1.500 kB|2' \
	"$(grep -E '<th scope="row">(classic|relaxed)' page.html |
		sed 's,</t[hd]>,|,g; s/<[^>]*>//g; s/|$//')" "each column of the table"
like '45\.0 % \(40\.0 % to 50\.0 %\).*19\.1 % \(18\.2 % to 20\.0 %\)' "$(cat page.html)" \
	"what is saved, from the least to the most"
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
is 'M370.0 12.0v8M370.0 16.0H422.0M418.0 12.0l4 4l-4 4' \
	"$(picture 1 | sed -n 's/.*class="spread" d="\(.*\)".*/\1/p')" "an arrow instead of 40 s"

# ---- Relaxed is slower, or as fast; no communication at all -----------------------------------

afresh
rm page.html
report report.1 classic 8 "6 2 0"
report report.2 relaxed 9 "6 3 0"
bsprun --compare --rounds 1 --html page.html ./fake >table
is '<text x="430.0" y="43.0">3.000 s <tspan class="lost">+50.0 %</tspan></text>' \
	"$(picture 1 | grep '^<text x=.*tspan')" "what is lost"
is '' "$(picture 1 | grep 'class="spread"')" "one round has no spread"
afresh
rm page.html
report report.1 classic 6 "6 0 0"
report report.2 relaxed 6 "6 0 0"
bsprun --compare --rounds 1 --html page.html ./fake >table
is '<text x="170.0" y="43.0">0 s <tspan class="saved">±0.0 %</tspan></text>' \
	"$(picture 1 | grep '^<text x=.*tspan')" "without communication there is no bar"
none "$(grep -nE '"-?(nan|inf)' page.html)" "and no place that is no number"

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
