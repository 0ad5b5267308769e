#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Every file says its licence and its purpose, and none has grown out of hand.

. "${0%/*}/../lib/env.sh"

cd "$top_srcdir" || bail "no $top_srcdir"

# All files that a person wrote: what git has or would take, else what the
# archive has and no tool made.
sources()
{
	if test -e .git && git ls-files --error-unmatch -co --exclude-standard >/dev/null 2>&1; then
		git ls-files -co --exclude-standard
	else
		find . -name .git -prune -o -name autom4te.cache -prune -o -name .libs -prune -o \
			-name .deps -prune -o -type f -print | $SED 's,^\./,,' | grep -vE \
			'(^|/)(aclocal\.m4|config(ure|\.h\.in|\.h|\.status)|Makefile(\.in)?|libtool|stamp-h1?)$|^build-aux/(ar-lib|compile|config\.(guess|sub)|depcomp|install-sh|ltmain\.sh|missing|tap-driver\.sh|test-driver)$|^m4/(l[to][a-z~]*|libtool)\.m4$'
	fi | grep -vE '~$|\.(o|lo|la|log|trs)$' | sort -u | while read -r file; do
		if test -f "$file"; then echo "$file"; fi
	done
}

sources >"$tap_dir/all"
grep -E \
	'\.(c|h|cc|cpp|def|in|ac|am|include|m4|sh|t|awk|pl|py|[1-8])$|^(check|demo|autogen)\.sh$|^\.ci/run$' \
	"$tap_dir/all" | while read -r file; do
	# a .t in the build's own folder may be a program
	if LC_ALL=C grep -qI . "$file"; then echo "$file"; fi
done >"$tap_dir/sources"
grep -E '\.[ch]$' "$tap_dir/sources" >"$tap_dir/c"

count=$(wc -l <"$tap_dir/sources")
test "$count" -gt 40
ok $? "there are $count source files to look at"

# each CHECK LIST: run CHECK for every file of LIST
each()
{
	while read -r file; do
		"$1" "$file"
	done <"$2"
}

first_line()
{
	head -n 2 "$1" | grep -q 'SPDX-License-Identifier: ' || echo "$1"
}
none "$(each first_line "$tap_dir/sources")" "SPDX comes first in every source file"

purpose()
{
	$AWK 'NR == 1 && /^#!/ { next }
		/SPDX/ { seen = 1; next }
		seen { found = /[a-z]+ [a-z]/; exit }
		END { exit !found }' "$1" || echo "$1"
}
none "$(each purpose "$tap_dir/sources")" "the line after it says what the file is for"

long_file()
{
	lines=$(wc -l <"$1")
	test "$lines" -le 800 || echo "$1: $lines lines"
}
none "$(each long_file "$tap_dir/sources")" "no source file has more than 800 lines"

# A flat switch may be as long as what it distinguishes.
long_function()
{
	$AWK '/^{/ { start = FNR; flat = 0 }
		start && /switch \(/ { flat = 1 }
		/^}/ && start {
			if (FNR - start - 1 > 80 && !flat)
				print FILENAME ":" start ": " FNR - start - 1 " lines"
			start = 0
		}' "$1"
}
none "$(each long_function "$tap_dir/c")" "no function has more than 80 lines"

blank_end()
{
	grep -nE '[[:blank:]]+$' "$1" /dev/null
}
none "$(each blank_end "$tap_dir/sources")" "no line ends in a blank"

# Where lines are longer than 100 columns is in the list, which only gets shorter.
long_lines=$top_srcdir/t/repository/long-lines
grep -E '(^|/)[^/.]*$|\.md$' "$tap_dir/all" | grep -vE '^LICENSES/' | cat - "$tap_dir/sources" |
	sort -u |
	grep -vE '/data/' | while read -r file; do
	if LC_ALL=C grep -qI . "$file"; then echo "$file"; fi
done >"$tap_dir/texts"
xargs $AWK -f build-aux/long-lines.awk <"$tap_dir/texts" >"$tap_dir/long"
$SED 's/:[0-9]*$//' "$tap_dir/long" | sort -u >"$tap_dir/long-files"
grep -v '^#' "$long_lines" | sort >"$tap_dir/allowed"
none "$(comm -23 "$tap_dir/long-files" "$tap_dir/allowed" | while read -r file; do
	grep "^$file:" "$tap_dir/long"
done)" "no line has more than 100 columns, but in the files of t/repository/long-lines"
shorter=$(comm -13 "$tap_dir/long-files" "$tap_dir/allowed")
test -z "$shorter" || diag "take out of t/repository/long-lines:" "$shorter"

# The words are put together here so that this file passes its own check.
banned()
{
	grep -nwE "TO""DO|FIX""ME|X""XX" "$1" /dev/null
}
none "$(each banned "$tap_dir/sources")" "nothing is left to be done in a comment"

machine_path()
{
	grep -nE "/ho""me/|/wo""rk/|/ro""ot/|/Us""ers/" "$1" /dev/null
}
none "$(each machine_path "$tap_dir/sources")" "no path of one machine"

typedef_struct()
{
	grep -nE '^[[:blank:]]*typedef (struct|union|enum)' "$1" /dev/null
}
none "$(each typedef_struct "$tap_dir/c")" "no typedef of a struct"

none \
	"$(grep -E \
	'(^|/)(configure|Makefile\.in|config\.h\.in|aclocal\.m4|ltmain\.sh)$|\.(o|lo|la|a|so)$' \
	"$tap_dir/all" |
	if test -e .git; then cat; else cat >/dev/null; fi)" "nothing generated is kept"

done_testing
