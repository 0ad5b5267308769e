#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# style.sh - make style: blanks and braces as .clang-format has them, and what shellcheck says.

# usage: style.sh [FILE]..., C sources and scripts.
# Where a line breaks is the author's business. So sources are compared statement by
# statement, and indentation is looked at apart.

cd "$(dirname "$0")/.." || exit 2
dir=$(mktemp -d) || exit 2
trap 'rm -rf "$dir"' EXIT
found=0

# statements FILE: one a line, with one blank wherever there are some; no directives
statements()
{
	awk '!more && /^#/ { more = 1 }
		!more { print }
		{ more = more && /\\$/ }' "$1" | tr '\n\t' '  ' |
		sed -e 's/  */ /g' -e 's/ *\([;{}]\) */ \1\n/g' |
		sed -e 's/^\* /*/' -e 's,\([a-z_]\) (\(bsp[a-z_]*\))(,\1(\2)(,'
}

# complain TEXT FILE
complain()
{
	test -z "$1" && return
	printf '%s\n' "$1" | sed "s,^,$2: ,"
	found=1
}

check_c()
{
	complain "$(grep -nE '^ {8}|^	* +	' "$1")" "$1: tabs of 8"
	complain "$(grep -nE '^[a-z][a-z_ *]*\(.*\) *\{$' "$1")" "$1: brace of a function"
	complain "$(grep -nE '^	+\{$' "$1")" "$1: brace on a line of its own"
	complain "$(expand "$1" | grep -nE '^.{101}')" "$1: more than 100 columns"
	command -v clang-format >/dev/null || return
	statements "$1" >"$dir/is"
	clang-format "$1" >"$dir/formatted" && statements "$dir/formatted" >"$dir/should"
	complain "$(diff "$dir/is" "$dir/should" | grep '^[<>]')" "$1"
}

check_script()
{
	command -v shellcheck >/dev/null || return
	shellcheck -x -P SCRIPTDIR -S warning -e SC1091,SC2034,SC2154 "$1" || found=1
}

command -v clang-format >/dev/null || echo "style: no clang-format, blanks are not checked"
command -v shellcheck >/dev/null || echo "style: no shellcheck, scripts are not checked"
for file do
	case $file in
	*.[ch]) check_c "$file" ;;
	*) check_script "$file" ;;
	esac
done
exit $found
