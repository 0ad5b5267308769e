#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The picture of README is what its stored times give, and the command that records them again
# works: on a network where computing takes no time, relaxed steps take less than those with
# barriers.
# shellcheck disable=SC1090,SC2154

. "${0%/*}/../lib/env.sh"

srcdir=$(cd "$top_srcdir" && pwd)
builddir=$(cd "$top_builddir" && pwd)
cd "$tap_dir" || bail "no $tap_dir"

"$builddir/site/lanes" <"$srcdir/site/relaxed.csv" >again.svg
ok $? "stored times are drawn"
cmp again.svg "$srcdir/doc/relaxed.svg" >/dev/null
ok $? "that is doc/relaxed.svg"
like 'prefers-color-scheme: dark' "$(cat again.svg)" "it has both colours"
printf 'classic,0,compute,0,1\nclassic,0,nothing,0,1\n' | "$builddir/site/lanes" >bad.svg 2>said
is 1 $? "a slice of another kind is refused"
is 'lanes: "nothing" is no word that stands here' "$(cat said)" "and named"

sh "$srcdir/site/picture.sh" "$srcdir" "$builddir" "$tap_dir/new" gigabit,cpu=0 1 >said 2>&1
ok $? "heat.c is recorded again, both ways" || diag "$(cat said)"

# ends WAY: the processes of it, and when the last ends
ends()
{
	$AWK -F , -v way="$1" '$1 == way { seen[$2]; if ($4 + $5 > end) end = $4 + $5 }
		END { for (process in seen) n++; print n + 0, end }' new/relaxed.csv
}

classic=$(ends classic)
relaxed=$(ends relaxed)
is "8 8" "${classic% *} ${relaxed% *}" "of eight processes each"
$AWK -v classic="${classic#* }" -v relaxed="${relaxed#* }" \
	'BEGIN { exit !(relaxed > 0 && relaxed < classic) }'
ok $? "and relaxed steps take less" || diag "$classic and $relaxed"
test -s new/relaxed.svg
ok $? "a picture is drawn"

done_testing
