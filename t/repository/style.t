#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Every file says its licence and its purpose, and none has grown out of hand.

. "${0%/*}/../lib/env.sh"
. "$top_srcdir/t/lib/sources.sh"

cd "$top_srcdir" || bail "no $top_srcdir"

sources >"$tap_dir/all"
grep -E \
	'\.(c|h|cc|cpp|hpp|f90|def|in|ac|am|include|m4|sh|t|awk|pl|py|[1-8])$|^(check|demo|autogen)\.sh$|^\.ci/run$' \
	"$tap_dir/all" | texts >"$tap_dir/sources"
grep -E '\.[ch]$' "$tap_dir/sources" >"$tap_dir/c"

count=$(wc -l <"$tap_dir/sources")
test "$count" -gt 40
ok $? "there are $count source files to look at"

# each LIST COMMAND...: give COMMAND all files of LIST at once; it prints what is wrong with them
each()
{
	list=$1
	shift
	tr '\n' '\0' <"$tap_dir/$list" | xargs -0 "$@"
}

none "$(each sources $AWK '
	FNR == 1 { if (NR > 1 && !seen) print last; seen = 0; last = FILENAME }
	FNR <= 2 && /SPDX-License-Identifier[:] / { seen = 1 }
	END { if (!seen) print last }')" "SPDX comes first in every source file"

none "$(each sources $AWK '
	function close_file() { if (last != "" && !found) print last }
	FNR == 1 { close_file(); last = FILENAME; after = found = done = 0 }
	done || FNR == 1 && /^#!/ { next }
	/SPDX/ { after = 1; next }
	after { found = /[a-z]+ [a-z]/; done = 1 }
	END { close_file() }')" "the line after it says what the file is for"

none "$(each sources $AWK '
	function close_file() { if (lines > 800) print last ": " lines " lines" }
	FNR == 1 { close_file(); last = FILENAME }
	{ lines = FNR }
	END { close_file() }')" "no source file has more than 800 lines"

# A flat switch may be as long as what it distinguishes.
none "$(each c $AWK '
	FNR == 1 { start = 0 }
	/^{/ { start = FNR; flat = 0 }
	start && /switch \(/ { flat = 1 }
	/^}/ && start {
		if (FNR - start - 1 > 80 && !flat)
			print FILENAME ":" start ": " FNR - start - 1 " lines"
		start = 0
	}')" "no function has more than 80 lines"

none "$(each sources grep -nE '[[:blank:]]+$' /dev/null)" "no line ends in a blank"

# Where lines are longer than 100 columns is in the list, which only gets shorter.
long_lines=$top_srcdir/t/repository/long-lines
grep -E '(^|/)[^/.]*$|\.md$' "$tap_dir/all" | grep -vE '^LICENSES/' | cat - "$tap_dir/sources" |
	sort -u |
	grep -vE '/data/' | texts >"$tap_dir/texts"
each texts $AWK -f build-aux/long-lines.awk >"$tap_dir/long"
$SED 's/:[0-9]*$//' "$tap_dir/long" | sort -u >"$tap_dir/long-files"
grep -v '^#' "$long_lines" | sort >"$tap_dir/allowed"
none "$(comm -23 "$tap_dir/long-files" "$tap_dir/allowed" | while read -r file; do
	grep "^$file:" "$tap_dir/long"
done)" "no line has more than 100 columns, but in the files of t/repository/long-lines"
shorter=$(comm -13 "$tap_dir/long-files" "$tap_dir/allowed")
test -z "$shorter" || diag "take out of t/repository/long-lines:" "$shorter"

# The words are put together here so that this file passes its own check.
none "$(each sources grep -nwE "TO""DO|FIX""ME|X""XX" /dev/null)" \
	"nothing is left to be done in a comment"
none "$(each sources grep -nE "/ho""me/|/wo""rk/|/ro""ot/|/Us""ers/" /dev/null)" \
	"no path of one machine"
none "$(each c grep -nE '^[[:blank:]]*typedef (struct|union|enum)' /dev/null)" \
	"no typedef of a struct"

none \
	"$(grep -E \
	'(^|/)(configure|Makefile\.in|config\.h\.in|aclocal\.m4|ltmain\.sh)$|\.(o|lo|la|a|so)$' \
	"$tap_dir/all" |
	if test -e .git; then cat; else cat >/dev/null; fi)" "nothing generated is kept"

done_testing
