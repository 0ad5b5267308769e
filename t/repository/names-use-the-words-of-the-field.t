#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# No name in C has one of the words in it that doc/design.md lists, but for those that are allowed.
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

done_testing
