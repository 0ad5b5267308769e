#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The licence and the holder of the copyright of each file are known, as reuse.software asks for,
# and the licence of .reuse/dep5 is the one that the file itself has; debian/copyright agrees.
# shellcheck disable=SC2154

. "${0%/*}/../lib/env.sh"
. "$top_srcdir/t/lib/sources.sh"

command -v reuse >/dev/null || skip_all "no reuse here"
cd "$top_srcdir" || bail "no $top_srcdir"
sources >"$tap_dir/files"
test -s "$tap_dir/files"
ok $? "there are files"
mkdir "$tap_dir/tree"
tar cf - -T "$tap_dir/files" | tar xf - -C "$tap_dir/tree"

reuse --root "$tap_dir/tree" lint >"$tap_dir/lint" 2>&1
ok $? "reuse lint" || diag "$(cat "$tap_dir/lint")"
none "$(grep ERROR "$tap_dir/lint")" "it can read each file"

# With one licence for each file, not that of the file and another one.
reuse --root "$tap_dir/tree" spdx >"$tap_dir/spdx" 2>/dev/null
ok $? "reuse spdx"
awk '/^FileName:/ { name = $2; n = 0 }
	/^LicenseInfoInFile:/ { seen[name] = seen[name] " " $2 }
	END { for (name in seen) print name seen[name] }' "$tap_dir/spdx" |
	sort >"$tap_dir/licences"
test "$(wc -l <"$tap_dir/licences")" -gt 1000
ok $? "it lists the files"
none "$(awk '$1 !~ /^\.\/(kernel|goal|include|LICENSES|\.reuse)\// && NF > 2' \
	"$tap_dir/licences")" "files for user space have one licence"
none "$(awk '$1 ~ /^\.\/kernel\// && $1 !~ /^\.\/kernel\/goal\// && NF > 2' "$tap_dir/licences")" \
	"so have those of the kernel alone"

# paragraphs FILE: its files, holders and licences, one a line, as SPDX writes them
paragraphs()
{
	awk '/^Files:/ { inside = 1 }
		/^$/ { inside = 0 }
		inside { line = line $0; if (/^License:/) { print line; line = "" } }' "$1" |
		sed 's/ or / OR /g; s/ with / WITH /g; s/ exception//' | sort
}

paragraphs .reuse/dep5 >"$tap_dir/wanted"
test "$(wc -l <"$tap_dir/wanted")" -ge 4
ok $? ".reuse/dep5 has paragraphs"
is "$(cat "$tap_dir/wanted")" "$(paragraphs debian/copyright)" "debian/copyright has the same"

done_testing
