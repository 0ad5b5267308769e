#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Bspgauge marks what it measured while other programs used the processors, in each kind of report.
# shellcheck disable=SC1090,SC2034,SC2154

. "${0%/*}/../lib/env.sh"
. "$top_srcdir/t/lib/installed.sh"

processors=$(getconf _NPROCESSORS_ONLN)
# A job of two processes leaves all other processors to them.
hogs=
for _ in $(seq "$processors"); do
	timeout "$(limit)" sh -c 'while :; do :; done' &
	hogs="$hogs $!"
done
bspgauge -n 2 --module shm --pattern noise --seconds 5 --json busy.json >table
ok $? "bspgauge on a busy machine"
# shellcheck disable=SC2086
kill $hogs
# shellcheck disable=SC2086
wait $hogs 2>/dev/null
if test "$(nproc)" = "$processors"; then
	like 'noise over shm, .*; other programs took [0-9.]+ processors' "$(cat table)" \
		"the table says so"
	like '^  lost +[0-9.e+-]+!%' "$(cat table)" "medians are marked"
	like '^ +0 +1! ' "$(cat table)" "those of curves, too"
else
	skip "this test may use only some of the processors"
fi

# A report read from a file has the same marks; one of a quiet machine has none.
sed 's/"taken": [0-9.]*/"taken": 1.5/' busy.json >marked.json
sed 's/"taken": [0-9.]*/"taken": 0/' busy.json >quiet.json
sed 's/"taken": [0-9.]*, //' busy.json >old.json
bspgauge compare marked.json --csv csv --html html >/dev/null
bspgauge compare marked.json >table
like 'took 1\.50 processors' "$(cat table)" "compare says what the report says"
none "$(tail -n +2 csv | grep -v 'other programs took 1.50 processors$')" "CSV: in each row"
like '(All curves: |</svg>).*other programs took 1\.50 processors</' "$(cat html)" \
	"page: at each plot"
like '<td class="long">other programs took 1\.50 processors</td>' "$(cat html)" \
	"page: at each value"
for report in quiet old; do
	bspgauge compare $report.json >table
	ok $? "a report of a quiet machine, or of before: $report"
	none "$(grep -E 'took|^ .*!' table)" "$report: nothing is marked"
done

done_testing
