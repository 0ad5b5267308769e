#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Names that are not UTF-8, or have control characters, make no wrong JSON and no escape sequences;
# and a message lists all the words that a setting may be.
# shellcheck disable=SC1090,SC2034,SC2154

. "${0%/*}/../lib/env.sh"
. "$top_srcdir/t/lib/installed.sh"

write_ring ring.c
bspcc -o ring ring.c || bail "the ring does not compile"
# is_utf8_json FILE
is_utf8_json()
{
	python3 -c 'import json, sys
json.loads(open(sys.argv[1], "rb").read().decode("utf-8"))' "$1"
}

latin=$(printf 'caf\351') utf=$(printf 'caf\303\251')
escape=$(printf 'a\033[31mb\302\233c')
for name in "$latin" "$utf" "$escape" "$(printf 'x\300\200\355\240\200\364\220\200\200y\303')"; do
	cp ring "./$name"
	bsprun -n 2 --report r.json --record r.rec --trace t.json --profile p.html "./$name" \
		>/dev/null 2>said
	is 0 $? "a program of any name" || diag "$(cat said)"
	is_utf8_json r.json
	ok $? "has a report that is JSON"
	is_utf8_json t.json
	ok $? "and a timeline"
	python3 -c 'import xml.dom.minidom as x; x.parse("p.html")'
	ok $? "and a page"
	bspprof r.rec >table
	is "" "$(LC_ALL=C tr -d '\n\t -~\200-\377' <table)" "and a table without control characters"
	python3 -c 'open("table", "rb").read().decode("utf-8")'
	ok $? "in UTF-8"
done
BSP_NPROCS=2 BSP_REPORT=r.json "./$utf" >/dev/null
like "\"program\": \"$utf\"" "$(cat r.json)" "characters stay as they are"
BSP_BARRIER=xx ./ring 2>said
like 'BSP_BARRIER is "xx", but must be one of .*linear\+nodes\+multicast' "$(cat said)" \
	"a message lists all words"
bsprun -x BSP_BARRIER=xx ./ring 2>said
like 'BSP_BARRIER=xx: expected one of .*linear\+nodes\+multicast' "$(cat said)" "so does bsprun"

done_testing
