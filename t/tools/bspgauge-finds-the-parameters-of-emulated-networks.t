#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Bspgauge finds L, o, g and G of LogGP within 2 % of what an emulated network was given, from 1 us
# to 5 ms.
# shellcheck disable=SC1090,SC2034,SC2154

. "${0%/*}/../lib/env.sh"
. "$top_srcdir/t/lib/installed.sh"

# value NAME: of loggp, out of the table of values
value()
{
	awk -F, -v name="$1" '$3 == "loggp" && $4 == name && $7 == 0 { print $8 }' csv
}

# near WANTED NAME
near()
{
	seen=$(value "$2")
	awk -v wanted="$1" -v seen="$seen" \
		'BEGIN { exit !(seen >= 0.98 * wanted && seen <= 1.02 * wanted) }'
	ok $? "L=$L: $2 is $1" || diag "it came out as '$seen'"
}

# times in us, G in ns for a byte
while read -r L o g G; do
	bspgauge -n 2 --module emu --emulate "L=${L}us,o=${o}us,g=${g}us,G=${G}ns,cpu=0" \
		--pattern loggp \
		--sizes 1:64k --seconds "$(scaled 5)" --csv csv >table 2>errors
	ok $? "L=$L: bspgauge runs" || diag "$(cat errors)"
	near "$L" L
	near "$o" os
	near "$o" or
	near "$g" g
	near "$G" G
	is "" "$(awk -F, '$3 == "loggp" && $14 != ""' csv)" "L=$L: no value is marked"
	none "$(value protocol_2_from)" "L=$L: no change of the protocol is seen"
done <<'END_OF_NETWORKS'
1 0.4 0.5 0.2
10 1 2 1
20 5 8 10
300 20 25 80
5000 100 150 100
END_OF_NETWORKS

# The same from the second measurement, whose L is that of pLogP: L + 2 o - g(1), with a header of
# 32 bytes.
bspgauge -n 2 --emulate L=20us,o=5us,g=8us,G=10ns,cpu=0 --module emu --pattern plogp,loggp \
	--sizes 1:4k --csv csv >table
like "plogp,L,us,2,0,22," "$(cat csv)" "pLogP is measured with it, and has its own L"
bspprobe -n 2 --emulate L=20us,o=5us,g=8us,G=10ns,cpu=0 --bytes 4k --csv >probe
is "$(awk -F, '$1 == "g" && $2 > 0 { print $2, $3 }' probe)" \
	"$(awk -F, '$3 == "plogp" && $4 == "g(m)" { print $7, $8 }' csv)" \
	"and bspprobe's figures are the same"

done_testing
