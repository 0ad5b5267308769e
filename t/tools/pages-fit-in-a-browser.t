#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# In a browser nothing on a page of any tool is cut off, overlaps or is lost, in a wide and a narrow
# window, light and dark. It takes chromium, so it is for make check-pages.
# shellcheck disable=SC1090,SC1091,SC2154

. "${0%/*}/../lib/env.sh"
. "$top_srcdir/t/lib/recorded.sh"
rmdir "$tap_dir/work"
. "$top_srcdir/t/lib/compare.sh"
. "$top_srcdir/t/lib/pages.sh"
. "$top_srcdir/t/lib/browser.sh"

# A page with each fault is found out.
cat >bad.html <<'END'
<!DOCTYPE html>
<html><head><style>section, figure { width: 10rem } .table { overflow-x: auto; }</style></head>
<body><main><section><h2>Bad</h2><div style="white-space: nowrap">more text than has room here</div>
<div style="width: 1px; overflow-wrap: anywhere">narrow text</div>
<div style="height: 0">over</div><div>each other</div>
<svg width="100" height="20"><text x="-20" y="15">cut off</text></svg>
<div class="range" style="width: 50px; height: 4px; position: relative; top: 16px"></div>
<div style="color: #777777; background: #888888">gray</div>
<label><input type="checkbox"/>nothing</label>
<div class="table"><table><thead><tr><th>a</th><th>b</th></tr></thead>
<tbody><tr><td>1</td></tr></tbody></table></div>
<div class="timeline"><div class="picture" tabindex="0">
<svg><svg viewBox="0 0 9 9"></svg></svg></div>
<button value="in">in</button><button value="out">out</button><button value="later">later</button>
<button value="earlier">earlier</button><input type="number" min="0"/><output></output></div>
</section></main></body></html>
END
look bad.html >seen
for fault in 'a card of .* has contents of' '"narrow text" has [0-9]* lines' \
	'"over" and "each other" overlap' '"cut off" is cut off' 'a range strikes out' \
	'"gray" has a contrast of 1\.' 'toggle "nothing" does nothing' \
	'zoom by in does nothing' 'zoom by the key . does nothing' \
	'a zoom does not say what is shown' 'cannot be scrolled by the keyboard' \
	'a row has 1 cells' 'light and dark are the same'; do
	like "$fault" "$(cat seen)" "found: $fault"
done

make_pages
# shellcheck disable=SC2086
look $pages >seen
like '^seen: 18 frames, ' "$(tail -n 1 seen)" "all pages were looked at" || diag "$(cat seen log)"
for page in $pages; do
	none "$(grep "^fault: $page" seen)" "$page fits"
done
none "$(grep -E 'CONSOLE.*(rror|Uncaught)' log)" "without an error"

done_testing
