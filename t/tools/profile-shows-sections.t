#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# bspprof shows how long sections of a program last.
# shellcheck disable=SC1090,SC2154

. "${0%/*}/../lib/env.sh"
. "$top_srcdir/t/lib/recorded.sh"

# Section rounds is open twice: from 0.5, where process 1 begins it, to 7.5 ms, and from 7.8 to 9.2.
# In it process 0 computes 1 + 2 + 0.5 + 0.5 ms and waits 2 + 1 + 0.5; process 1 computes 3.5 + 1 +
# 1.2 + 0.2 and waits 2. Section inner is 0.5 ms of process 0, within rounds.
record sections.rec <<'END'
run parts 2 shm L=20000 o=10000 G=2
process 0
section a.c:11 rounds 1000000
put 1 0 1 100
barrier a.c:1 2000000 4000000
section a.c:12 inner 4500000
section_end a.c:13 inner 5000000
put 1 0 2 300
barrier a.c:2 6000000 7000000
section_end a.c:14 rounds 7500000
section a.c:11 rounds 8000000
barrier a.c:3 8500000 9000000
section_end a.c:14 rounds 9000000
end a.c:4 10000000 10000000
process 1
section a.c:11 rounds 500000
barrier a.c:1 4000000 4000000
barrier a.c:2 5000000 7000000
section_end a.c:14 rounds 7000000
section a.c:11 rounds 7800000
barrier a.c:3 9000000 9000000
section_end a.c:14 rounds 9200000
end a.c:4 10000000 10000000
END
bspprof html -o page.html sections.rec
is 0 $? "a recording with sections is a page"

# rows SECTION: its rows as text, with | between their cells
rows()
{
	awk -v section="$1" '
		/<h2>/ { inside = index($0, ">" section "<"); next }
		inside { gsub(/<\/(td|th|dt)>/, "|"); gsub(/<[^>]*>/, ""); sub(/\|$/, "")
			if ($0 != "") print }' page.html | sed 's/\o302\o265s/us/g'
}

is "rounds|2|8.400 ms|84.0 %|
4.950 ms|1.19, process 1|2.750 ms
inner|1|500.00 us|5.0 %|
250.00 us|2.00, process 0|0.00 us" "$(rows Sections | tail -n 2 | sed 's/ %|/&\n/')" \
	"each column of the sections"
is "        2   0.008400   84.0   0.004950   0.002750  rounds
        1   0.000500    5.0   0.000250   0.000000  inner" \
	"$(bspprof sections.rec | grep -A 3 '^sections$' | tail -n 2)" "and as a table"

# ---- One section alone, and all but it ---------------------------------------------------------

# table OPTION...: call sites and supersteps, without blanks that align
table()
{
	bspprof "$@" sections.rec >table
	sed -n '/a\.c:/s/^ *//p' table | grep '^[0-9+-]' | tr -s ' '
}

# Shares are of 8.4 ms. Computing in the section before a call counts for that call, even if the
# call itself is outside, as bsp_end is. The path: 1.2 ms of process 1, a wait of 1, 2 of process 0
# and 3.5 of process 1.
is "1 0.001500 0.002000 0.001500 0.002000 17.9 26.0 1.33 0 300 bsp_sync a.c:2
1 0.002250 0.003500 0.001000 0.002000 11.9 45.5 1.56 1 100 bsp_sync a.c:1
1 0.001100 0.001200 0.000250 0.000500 3.0 15.6 1.09 1 0 bsp_sync a.c:3
0 0.000100 0.000200 0.000000 0.000000 0.0 0.0 2.00 1 0 bsp_end a.c:4
1 0.004000 0.001000 0.003540 +0.000460 bsp_sync a.c:1
1 0.003000 0.001500 0.002041 +0.000959 bsp_sync a.c:2
1 0.002000 0.000250 0.001240 +0.000760 bsp_sync a.c:3" "$(table --only rounds)" \
	"only the section counts"
is "parts: 2 processes, transport shm, 3 supersteps, 0.008400 s
computed 64.3 %, waited 35.7 % of the time of all processes;
sent 3 puts, gets and messages with 400 bytes
counted is only section rounds, of a run of 0.010000 s" \
	"$(head -n 3 table | sed 's/; sent/;\
sent/')" "and the table says so"

# Outside of it is a process from 0 to 1 ms, from 7 to 8 and from 9 to 10.
is "1 0.000900 0.001000 0.000000 0.000000 0.0 100.0 1.11 0 0 bsp_end a.c:4
0 0.000750 0.001000 0.000000 0.000000 0.0 0.0 1.33 0 0 bsp_sync a.c:1
0 0.000650 0.000800 0.000000 0.000000 0.0 0.0 1.23 1 0 bsp_sync a.c:3
1 0.001000 0.000000 0.001040 -0.000040 bsp_end a.c:4" "$(table --without rounds)" \
	"all but the section"
like '1 supersteps, 0\.003000 s$' "$(head -n 1 table)" "of 3 ms"

bspprof trace --only rounds sections.rec >trace
is "bsp_sync a.c:1 bsp_sync a.c:2 bsp_sync a.c:3" \
	"$(sed -n 's/.*"tid":0,"cat":"sync".*"name":"\([^"]*\)".*/\1/p' trace | paste -sd ' ')" \
	"a timeline has the calls of the section"
is "rounds 500.000 7000.000
rounds 7800.000 1400.000
inner 4500.000 500.000" \
	"$(sed -n 's/.*"section","ts":\(.*\),"dur":\(.*\),"name":"\(.*\)"}.*/\3 \1 \2/p' trace)" \
	"and the sections"
bspprof html --only rounds -o page.html sections.rec
is "only section rounds, of a run of 10.000 ms" "$(rows 'The run' | sed -n 's/^counted|//p')" \
	"the page says what counts"

is 'bspprof: sections.rec: it has no section "round"; there are: "rounds", "inner"' \
	"$(bspprof --only round sections.rec 2>&1)" "a name that does not occur, and those that do"
bspprof --without round sections.rec >/dev/null 2>&1
is 1 $? "and is an error, also without it"
bspprof --only a --without b sections.rec >/dev/null 2>&1
is 2 $? "only one of both"
bspprof predict --only rounds sections.rec >/dev/null 2>&1
is 1 $? "a section alone is not simulated"

# ---- Odd ones ----------------------------------------------------------------------------------

# Open at the end, opened twice at once, ended without a beginning as in a damaged recording.
record open.rec <<'END'
run open 1 self
process 0
section_end a.c:9 never 0
section a.c:1 deep 1000000
section a.c:1 deep 2000000
section_end a.c:2 deep 3000000
barrier a.c:3 4000000 5000000
end a.c:4 9000000 9000000
END
is "        1   0.008000   88.9   0.007000   0.001000  deep" \
	"$(bspprof open.rec | grep -A 9 '^sections$' | grep '  [a-z]*$' | tail -n 1)" \
	"a section within itself is one, and one that is open ends with the process"

{
	echo 'run nested 1 self'
	echo 'process 0'
	seq 20000 | awk '{ print "section a.c:1 nested" $1 % 90, $1 }'
	echo 'barrier a.c:3 4000000 5000000'
	echo 'end a.c:4 9000000 9000000'
} >nested
record nested.rec <nested
is "        1   0.009000  100.0   0.008000   0.001000  nested7" \
	"$(bspprof nested.rec | grep '  nested7$')" "20000 in each other, of 90 names"

# The next call begins before the section does.
record late.rec <<'END'
run late 1 self
process 0
section a.c:1 late 9000000
section_end a.c:2 late 9000000
barrier a.c:3 4000000 5000000
end a.c:4 9000000 9000000
END
like '1 +0\.004000 .* bsp_sync a\.c:3$' "$(bspprof --without late late.rec)" \
	"in a damaged recording no call has more computing than time"
bspprof trace --without late late.rec >trace
is "" "$(grep '"ts":[0-9]\{8\}' trace)" "and no event is far away"

record older.rec <<'END'
run older 1 self version=4
process 0
barrier a.c:3 4000000 5000000
end a.c:4 9000000 9000000
END
bspprof older.rec >table
is 0 $? "a recording of before is read"
none "$(grep -A 9 '^sections' table)" "and has none"

done_testing
