#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# A sentence of a comment begins with the object it is about: not with who, what, that, those or of.
# shellcheck disable=SC1090,SC2154

. "${0%/*}/../lib/env.sh"
. "$top_srcdir/t/lib/sources.sh"

# sentences: of the files whose names come in, those that begin so
sentences()
{
	tr '\n' '\0' | xargs -0 $AWK -f "$top_srcdir/build-aux/comments.awk" |
		$AWK -f "$top_srcdir/build-aux/first-words.awk"
}

mkdir "$tap_dir/tree" && cd "$tap_dir/tree" || bail "no $tap_dir/tree"
cat >a.c <<'END'
/* What it does. Whose it is, and that: no matter. Those are. */
int a;	/* of each process */
/*
 * A sentence goes on in a line that begins with
 * What, a name. Of two
 * those. That
 *
 * Who begins a paragraph.
 */
int b;	/* That one. */
int c;	/* Those too. */
END
is "a.c:1 a.c:1 a.c:5 a.c:6 a.c:8 a.c:10 a.c:11" \
	"$(echo a.c | sentences | sed 's/: .*//' | paste -sd ' ')" "such sentences are found"

cd "$top_srcdir" || bail "no $top_srcdir"
sources | texts | grep -E '\.(c|h|cc|[ch]pp|def|pml|sh|bash|t|awk|py|include|am|in)$' |
	grep -v '/comments-name-their-object\.t$' >"$tap_dir/all"
test "$(wc -l <"$tap_dir/all")" -gt 1000
ok $? "there are $(($(wc -l <"$tap_dir/all"))) sources and scripts to look at"
none "$(sentences <"$tap_dir/all")" "they have no such sentence"

done_testing
