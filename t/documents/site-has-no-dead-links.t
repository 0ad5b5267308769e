#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# On the site each link leads to a page, and to a name on it; each page is reached; nothing is
# loaded from elsewhere.
# shellcheck disable=SC1090,SC1091,SC2154

. "${0%/*}/../lib/env.sh"

for tool in cmark-gfm mandoc python3; do
	command -v $tool >/dev/null || skip_all "no $tool here"
done

# links FOLDER: what is wrong with its links, then what was read
links()
{
	python3 "$top_srcdir/t/lib/links.py" "$1" 2>&1
}

# ---- Each fault is found -----------------------------------------------------------------------

mkdir "$tap_dir/bad" "$tap_dir/bad/sub"
cat >"$tap_dir/bad/index.html" <<'END'
<p id="here"><a href="#here">good</a> <a href="sub/other.html#there">good</a>
<a href="https://example.org/">elsewhere</a> <a href="gone.html">a</a> <a href="#gone">b</a>
<a href="sub/other.html#gone">c</a> <img src="https://example.org/x.png"/> <i id="here">d</i></p>
END
echo '<p id="there"><a href="../index.html">up</a></p>' >"$tap_dir/bad/sub/other.html"
echo '<p>alone</p>' >"$tap_dir/bad/sub/alone.html"
is 'fault: index.html: two of id here
fault: index.html: loads https://example.org/x.png
fault: index.html: no page gone.html
fault: index.html: no place #gone
fault: index.html: no place sub/other.html#gone
fault: sub/alone.html: no way from index.html
seen: 3 pages, 6 links' "$(links "$tap_dir/bad")" "faults are found, and what is good is none"

# ---- The site ----------------------------------------------------------------------------------

srcdir=$(cd "$top_srcdir" && pwd)
builddir=$(cd "$top_builddir" && pwd)
sh "$srcdir/site/site.sh" "$srcdir" "$builddir" "$tap_dir/html" >"$tap_dir/said" 2>&1
ok $? "the site is made" || diag "$(cat "$tap_dir/said")"
links "$tap_dir/html" >"$tap_dir/seen"
none "$(grep -v '^seen: ' "$tap_dir/seen")" "every link leads somewhere, and every page is reached"

# has PAGE TEXT DESCRIPTION
has()
{
	grep -qF "$2" "$tap_dir/html/$1"
	ok $? "$3"
}

for document in "$srcdir"/doc/*.md; do
	name=${document##*/}
	test -s "$tap_dir/html/doc/${name%.md}.html"
	ok $? "doc/$name is a page"
done
missing=
for manual in "$srcdir"/man/*.[1-9]; do
	grep -q '^\.so ' "$manual" || test -s "$tap_dir/html/man/${manual##*/}.html" ||
		missing="$missing ${manual##*/}"
done
none "$missing" "every manual page is a page"
has index.html '<a href="doc/tutorial.html">' "documents are linked as pages"
has index.html '<a href="man/bsp_relaxed.7.html">' "and manual pages where a document names them"
has man/bsp_sync.3.html 'href="../man/bsp_put.3.html"' "and where manual pages do"
has examples/heat.c.html '#include &lt;bsp_coll.h&gt;' "a source is a listing"
has doc/tutorial.html 'href="../examples/index.html"' "a folder is a list"
has doc/mpi.html '<div class="table scrolls" tabindex="0"' "tables scroll in their boxes"

done_testing
