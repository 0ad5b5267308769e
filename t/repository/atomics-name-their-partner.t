#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Each acquire and each release says in a comment what it pairs with, and functions that such a
# comment names exist.
# shellcheck disable=SC2154

. "${0%/*}/../lib/env.sh"
. "$top_srcdir/t/lib/sources.sh"
cd "$top_srcdir" || bail "no $top_srcdir"

# A function, with the comment before it, is one text. $tap_dir/named gets FILE:LINE and the names
# in the words after "pairs with".
look='
	function end_of_function() {
		gsub(/[ \t]+(\* )?/, " ", text)
		if (lines != "" && text !~ /[Pp]airs with /)
			printf "%s", lines
		while (match(text, /[Pp]airs with [^.:;]*/)) {
			print at, substr(text, RSTART + 11, RLENGTH - 11) >named
			text = substr(text, RSTART + RLENGTH)
		}
		text = lines = ""
	}
	FNR == 1 { end_of_function() }
	{ text = text " " $0; at = FILENAME ":" FNR }
	/memory_order_(acquire|release|acq_rel)|smp_(store_release|load_acquire)/ {
		lines = lines at ": " $0 "\n"
	}
	/^}/ { end_of_function() }
	END { end_of_function() }'

# missing FILE...: names of functions after "pairs with" that are in none of these files, comments
# left out
missing()
{
	grep -hvE '^[[:space:]]*(/\*| \*)' "$@" >"$tap_dir/code"
	grep -oE '^[^ ]*| [a-z_0-9]+\(\)' "$tap_dir/named" | while read -r word; do
		case $word in
		*'()') grep -qE "(^|[^a-z_0-9])${word%()}\(" "$tap_dir/code" ||
			echo "$place $word" ;;
		*) place=$word ;;
		esac
	done
}

cat >"$tap_dir/bad.c" <<'E2'
/* Pairs with the release in no_such_function(). */
static int paired(void)
{
	return atomic_load_explicit(&x, memory_order_acquire);
}

/* With a comment that says something else. */
static void alone(void)
{
	atomic_store_explicit(&x, 1, memory_order_release);
}
E2
seen=$($AWK -v named="$tap_dir/named" "$look" "$tap_dir/bad.c")
is "$tap_dir/bad.c:10: 	atomic_store_explicit(&x, 1, memory_order_release);" "$seen" \
	"a release without a partner is found"
is "$tap_dir/bad.c:5 no_such_function()" "$(missing "$tap_dir/bad.c")" \
	"and a partner that does not exist"

files=$(sources | grep -E '\.[ch]$')
# shellcheck disable=SC2086
seen=$($AWK -v named="$tap_dir/named" "$look" $files)
none "$seen" "each acquire and release has a partner"
# shellcheck disable=SC2086
none "$(missing $files)" "which exists"

done_testing
