#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Documents and comments name functions, types, constants, settings and files that exist.
# shellcheck disable=SC1090,SC2016,SC2154

. "${0%/*}/../lib/env.sh"
. "$top_srcdir/t/lib/sources.sh"

# stale LIST ALLOWED: of the files in LIST, all of the tree: "file:line: name", a line each
stale()
{
	tr '\n' '\0' <"$1" | xargs -0 $AWK -v code=1 -f "$top_srcdir/build-aux/comments.awk" \
		>"$tap_dir/code"
	tr '\n' '\0' <"$1" | xargs -0 $AWK -f "$top_srcdir/build-aux/comments.awk" >"$tap_dir/text"
	$AWK -f "$top_srcdir/build-aux/stale-names.awk" "$2" "$tap_dir/all" "$tap_dir/code" \
		"$tap_dir/text"
}

# ---- What is found ---------------------------------------------------------------------------

mkdir "$tap_dir/tree" && cd "$tap_dir/tree" && mkdir bsplib t || bail "no $tap_dir/tree"
cat >bsplib/part.c <<'END'
/* part.c - bspi_part_open() calls bspi_part_gone(), of bsplib/gone.c; stdio.h is no file of it. */
#include <stdio.h>

/*
 * enum bspi_colour, BSP_EAGER and struct bspi_part; enum bspi_shade and BSP_LAZY are gone, as
 * bspi_gone_* and gone.h. Of bspi_part_* there is one.
 */
struct bspi_part { int bspi_colour; };
static const char *name = "BSP_EAGER /* bspi_text in a text is no comment */";
void bspi_part_open(void);	// not bspi_line_end
END
cat >t/README <<'END'
See bsplib/part.c, part.c, bsplib/, bsplib/gone, t/*.sh and t/*.c; x_i and bsp_NAME are no names.
The foreign_name is allowed, as bspi_part_open is. https://example.org/bspi_of_another is elsewhere.
END
echo '# bspi_script, and part.t, which is made of part.c' >t/script.sh
find . -type f | sed 's,^\./,,' | sort >"$tap_dir/all"
printf '# allowed\nforeign_*\n' >"$tap_dir/allowed"
is 'bsplib/part.c:1: bsplib/gone.c
bsplib/part.c:1: bspi_part_gone()
bsplib/part.c:5: bspi_shade
bsplib/part.c:5: BSP_LAZY
bsplib/part.c:6: gone.h
bsplib/part.c:6: bspi_gone_*
bsplib/part.c:10: bspi_line_end
t/README:1: t/*.c
t/README:1: bsplib/gone
t/script.sh:1: bspi_script' "$(stale "$tap_dir/all" "$tap_dir/allowed" | sed 's/struct //')" \
	"names of what is not there are found, and no others"

# ---- The tree --------------------------------------------------------------------------------

cd "$top_srcdir" || bail "no $top_srcdir"
sources >"$tap_dir/all"
grep -E '\.(c|h|cc|cpp|hpp|def|pml|in|ac|am|include|m4|sh|t|awk|py|md)$|README$|Kbuild$' \
	"$tap_dir/all" | texts >"$tap_dir/list"
none "$(stale "$tap_dir/list" "$top_srcdir/t/documents/names-elsewhere")" \
	"every name in a comment or document is that of something"

count=$(wc -l <"$tap_dir/text")
test "$count" -gt 10000
ok $? "$count lines of them were looked at"

# The list of other names has none that nothing mentions.
sed -n 's/\*$//; /^[^#]/p' t/documents/names-elsewhere >"$tap_dir/others"
none "$(while read -r name; do
	grep -qF -- "$name" "$tap_dir/text" || echo "$name"
done <"$tap_dir/others")" "nor are there more names of other projects than are used"

done_testing
