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
