#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Each relative link of an installed document leads to an installed file, and names a place there.
# shellcheck disable=SC1090,SC1091,SC2034,SC2154

. "${0%/*}/../lib/env.sh"
. "$top_srcdir/t/lib/installed.sh"

# links FILE: where its links lead that are no addresses, in one line each
links()
{
	tr '\n' ' ' <"$1" | grep -oE '\]\([^) ]+\)' | sed 's/^](//; s/)$//' | grep -v '^[a-z]*:'
}

# places FILE: names of its headings, as links have them
places()
{
	sed -n 's/^##* *//p' "$1" | tr 'A-Z ' 'a-z-' | tr -dc 'a-z0-9_\n-'
}

# dead FOLDER: links of its documents to nowhere
dead()
{
	find "$1" -name '*.md' | while read -r document; do
		links "$document" | while read -r link; do
			at=$document
			test "${link%%#*}" && at=${document%/*}/${link%%#*}
			place=${link#"${link%%#*}"}
			if ! test -e "$at"; then
				echo "${document#"$1"/}: no file $link"
			elif test "$place" && ! places "$at" | grep -qxF "${place#"#"}"; then
				echo "${document#"$1"/}: no place $link"
			fi
		done
	done
}

# ---- What is dead is found, and taken out ------------------------------------------------------

mkdir "$tap_dir/some" && cd "$tap_dir/some" || bail "no $tap_dir/some"
cat >a.md <<'END'
# A place
[good](b.md), [good](#a-place), [good
on two lines](b.md#there), [far](https://example.org/), ![picture](b.md), [none](c.md),
[none on
two lines](d/c.md#there), [no place](b.md#gone), ![no picture](c.svg)
END
echo '## There' >b.md
is 'a.md: no file c.md
a.md: no file c.svg
a.md: no file d/c.md#there
a.md: no place b.md#gone' "$(dead . | sed 's,^\./,,' | sort)" "what is dead is found"
$AWK -f "$top_srcdir/build-aux/installed-links.awk" -v folder=. a.md >seen
is '# A place
[good](b.md), [good](#a-place), [good
on two lines](b.md#there), [far](https://example.org/), ![picture](b.md), none,
none on
two lines, [no place](b.md#gone), no picture' "$(cat seen)" "and the texts stay without files"

# ---- What is installed -------------------------------------------------------------------------

docdir=$(folder_of CHANGELOG.md) || { echo "$docdir"; exit 99; }
none "$(dead "$docdir")" "every link of an installed document leads somewhere"
for document in doc/tutorial.md doc/mpi.md bench/RESULTS.md; do
	links "$docdir/README.md" | grep -qxF "$document"
	ok $? "README links to $document"
done
cmp -s "$top_srcdir/doc/tutorial.md" "$docdir/doc/tutorial.md"
ok $? "a document whose links are all installed is that of the sources"
none "$(find "$docdir" -name '*.new')" "nothing else is left there"
done_testing
