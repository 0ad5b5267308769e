#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# No name in C, and no sentence in comments of sources and scripts, in manual pages and documents,
# has one of the words in it that doc/design.md lists, but for those that are allowed.
# shellcheck disable=SC1090,SC2154

. "${0%/*}/../lib/env.sh"
. "$top_srcdir/t/lib/sources.sh"

# words DESIGN ALLOWED: of the files whose names come in
words()
{
	tr '\n' '\0' | xargs -0 $AWK -f "$top_srcdir/build-aux/name-parts.awk" "$1" "$2"
}

cd "$tap_dir" || bail "no $tap_dir"
cat >design.md <<'END'
| gone | no table of names |
|---|---|

| instead of | write |
|---|---|
| bell, told | event |
END
echo plain_bell >allowed
cat >a.c <<'END'
/* A bell in a comment that
 * was told; "told */
int was_told, bells, plain_bell;	/* gone_bell */
const char *text = "bell", *TOLD_MOST;	// told
char bell;
static int untold(int gone)
END
is "a.c: was_told: told,a.c: TOLD_MOST: told,a.c: bell: bell" \
	"$(echo a.c | words design.md allowed | paste -sd ,)" "such names are found, and no others"

# sentences DESIGN PLAIN: of the files whose names come in
sentences()
{
	tr '\n' '\0' | xargs -0 $AWK -f "$top_srcdir/build-aux/comments.awk" |
		$AWK -v sentences=1 -f "$top_srcdir/build-aux/name-parts.awk" "$1" "$2" -
}

printf '# told in a script\ntold=bell\t# Bell, no other\n' >b.sh
echo bell >plain
is "a.c:2: told,a.c:2: told,a.c:4: told,b.sh:1: told" \
	"$(printf 'a.c\nb.sh\n' | sentences design.md plain | sort | paste -sd ,)" \
	"such words in comments are found, and no others"

cd "$top_srcdir" || bail "no $top_srcdir"
allowed=t/repository/words-allowed
sources | texts | grep '\.[ch]$' >"$tap_dir/all"
none "$(words doc/design.md $allowed <"$tap_dir/all")" \
	"no name has a word of the table in doc/design.md"

grep -v '^#' $allowed >"$tap_dir/names"
words doc/design.md /dev/null <"$tap_dir/all" | $SED 's/[^:]*: \([^:]*\): .*/\1/' |
	sort -u >"$tap_dir/with"
none "$(sort -u "$tap_dir/names" | comm -23 - "$tap_dir/with")" \
	"each name that is allowed is there"

# The text of documents, but for the table itself, and manual pages.
plain=t/repository/words-plain
{
	sources | texts | grep -E '\.([chst]|sh|awk|def|include|in|m4|ac|md)$|README$' |
		grep -v '^doc/design\.md$' | sentences doc/design.md $plain
	for page in man/*.[1-9] man/*.in; do
		$AWK '{ print FILENAME ":" FNR "\t" $0 }' "$page" |
			$AWK -v sentences=1 -f build-aux/name-parts.awk doc/design.md $plain -
	done
} >"$tap_dir/sentences"
none "$(cat "$tap_dir/sentences")" "no comment and no document has a word of the table"

# Persons do not occur in what is read most.
sources | texts | grep -E '^(bsplib|common|goal|job|tools|transport)/.*\.[ch]$' | tr '\n' '\0' |
	xargs -0 $AWK -f build-aux/comments.awk |
	grep -iE '(^|[^@A-Za-z_])who([^A-Za-z_]|$)' >"$tap_dir/who"
none "$(cat "$tap_dir/who")" "no process, call or file is called who"

done_testing
