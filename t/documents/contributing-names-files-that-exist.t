#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# CONTRIBUTING.md names files, and identifiers of them, that exist.
# shellcheck disable=SC2154

. "${0%/*}/../lib/env.sh"

cd "$top_srcdir" || bail "no $top_srcdir"

# quoted: what stands between backquotes outside of blocks, a line each
quoted()
{
	awk '/^```/ { inside = !inside; next } !inside' "$1" | grep -oE '`[^`]+`' | tr -d '`'
}

# Names of the examples there (bsp_foo, NAME and so on) are not files.
quoted CONTRIBUTING.md | grep -E '^[a-z]+/[a-zA-Z0-9_./-]*$' |
	grep -vE 'foo|PROGRAM|FOLDER|bspbench' >"$tap_dir/paths"
none "$(while read -r path; do
	test -e "$path" || echo "$path"
done <"$tap_dir/paths")" "every file it names is there"

quoted CONTRIBUTING.md | grep -oE '\bbspi_[a-z_]+|\bBSPI?_[A-Z_]+[A-Z]' | sort -u >"$tap_dir/names"
none "$(while read -r name; do
	grep -rqw "$name" include bsplib common || echo "$name"
done <"$tap_dir/names")" "and every name of the library"

test "$(wc -l <"$tap_dir/paths")" -ge 15 && test "$(wc -l <"$tap_dir/names")" -ge 5
ok $? "these are $(wc -l <"$tap_dir/paths") files and $(wc -l <"$tap_dir/names") names"

done_testing
