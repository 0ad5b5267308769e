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

product='^(bsplib|common|examples|fuzz|goal|include|job|kernel|tools|transport)/.*\.[ch]$'
cd "$top_srcdir" || bail "no $top_srcdir"
sources | texts >"$tap_dir/all"
none "$(grep -E "$product" "$tap_dir/all" | sentences)" \
	"the library, its transports, modules, tools and examples have none"

# What there was when it was written down here: it only gets smaller.
most=240
grep -E '\.(c|h|sh|t|awk|def|include)$' "$tap_dir/all" |
	grep -vE "$product" |
	grep -v '/comments-name-their-object\.t$' |
	sentences >"$tap_dir/others"
count=$(wc -l <"$tap_dir/others")
test "$count" -le $most
ok $? "all other files have $count, of $most" || diag "$(cat "$tap_dir/others")"

done_testing
