#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# In a browser nothing on the pages of the site is cut off, overlaps or is lost, in a wide and a
# narrow window, light and dark. It takes chromium, so it is for make check-pages.
# shellcheck disable=SC1090,SC1091,SC2154

. "${0%/*}/../lib/env.sh"

for tool in cmark-gfm mandoc; do
	command -v $tool >/dev/null || skip_all "no $tool here"
done
cd "$tap_dir" || bail "no $tap_dir"
. "$top_srcdir/t/lib/browser.sh"

srcdir=$(cd "$top_srcdir" && pwd)
builddir=$(cd "$top_builddir" && pwd)
sh "$srcdir/site/site.sh" "$srcdir" "$builddir" "$tap_dir/html" >said 2>&1 ||
	bail "no site: $(cat said)"

# The longest and widest of each kind.
pages="html/index.html html/CHANGELOG.html html/SECURITY.html html/man/index.html
html/examples/index.html html/examples/heat.c.html html/man/bsp.7.html html/man/bsprun.1.html
html/man/bsp_put.3.html html/man/bsp_sumI.3.html html/man/goal.7.html html/man/enet.7.html
html/kernel/README.html html/t/README.html
$(echo html/doc/*.html html/bench/*.html)"
# shellcheck disable=SC2086
look $pages >seen
# shellcheck disable=SC2086
set -- $pages
like "^seen: $((2 * $#)) frames, " "$(tail -n 1 seen)" "all pages were looked at" ||
	diag "$(cat seen log)"
for page do
	none "$(grep "^fault: $page" seen)" "$page fits"
done
none "$(grep -E 'CONSOLE.*(rror|Uncaught)' log)" "without an error"

done_testing
