#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Every command of README.md, CONTRIBUTING.md and doc/ works as it is written there.

# A block that begins with ```sh is run by a shell that stops at the first
# failure; the blocks of one file run one after the other in one directory, in which
# the folders examples and bench of the project are. A block of C or C++ whose first line
# names a file, as in
#	/* ring.c - pass a number on */
# is written to that file. A block whose first line is "# not run: REASON" is
# left out, and one with a command that installs, fetches or builds the whole
# project.

# shellcheck disable=SC1090,SC2034,SC2154
. "${0%/*}/../lib/env.sh"
. "$top_srcdir/t/lib/installed.sh"

# cut_blocks FILE DIRECTORY: each block becomes a file NUMBER.LANGUAGE there
cut_blocks()
{
	awk -v into="$2" '
		!inside && /^```(sh|c|c\+\+|cpp)[[:space:]]*$/ {
			inside = 1
			name = sprintf("%s/%03d.%s", into, ++n, $1 == "```sh" ? "sh" : "code")
			printf "" > name
			next
		}
		!inside && /^```/ { inside = 2; next }
		/^```/ { if (inside == 1) close(name); inside = 0; next }
		inside == 1 { print > name }
		END { exit inside != 0 }' "$1"
}

# heavy FILE: the first command in it that is too much for a test, if there is one
heavy()
{
	grep -oE \
		'(\./(demo|check|autogen)\.sh|\.ci/run|git clone|(^|[ ;&/])(sudo|apt|apt-get|curl|wget) |[./]*/configure\b|(^|[ ;&])make( +[a-zA-Z-]*(check|install|distcheck|all|style)[a-z-]*)?( |$)|(^|[ ;&])prove )' "$1" |
		head -n 1 | sed 's/^[ ;&]*//; s/ *$//'
}

# run_block FILE DESCRIPTION
run_block()
{
	reason=$(sed -n '1s/^# not run: *//p' "$1")
	command=$(heavy "$1")
	if test "$reason"; then
		skip "$2: $reason"
	elif test "$command"; then
		skip "$2: $command is too much for a test"
	else
		(
			cc() { $BSP_CC "$@"; }
			cd "$place" || exit
			set -e
			. "$1"
		) >output 2>&1 </dev/null
		ok $? "$2" || diag "$(cat "$1"; echo; echo 'says:'; tail -n 20 output)"
	fi
}

# save_block FILE: its name is in its first line
save_block()
{
	name=$(sed -n \
		'1s/.*[^A-Za-z0-9_.-]\([A-Za-z0-9_-]*\.\(c\|cc\|cpp\)\)\([^A-Za-z0-9_].*\)*$/\1/p' "$1")
	test -z "$name" || cp "$1" "$place/$name"
}

files=
for file in "$top_srcdir"/README.md "$top_srcdir"/CONTRIBUTING.md "$top_srcdir"/doc/*.md; do
	test "${file##*/}" = tutorial.md && continue	# tutorial-prints-what-it-says.t
	test -f "$file" && files="$files ${file#"$top_srcdir"/}"
done
test "$files" || skip_all "no documents here"

number=0
for file in $files; do
	number=$((number + 1))
	blocks=$tap_dir/blocks.$number
	place=$tap_dir/place.$number
	mkdir "$blocks" "$place"
	cp -R "$top_srcdir/examples" "$top_srcdir/bench" "$place"
	chmod -R u+w "$place"
	cut_blocks "$top_srcdir/$file" "$blocks"
	ok $? "$file: every block that begins also ends"
	for block in "$blocks"/*; do
		case $block in
		*.code)
			save_block "$block" ;;
		*.sh)
			first=$(grep -vE '^(#|$)' "$block" | head -n 1)
			run_block "$block" "$file: $first" ;;
		esac
	done
done

done_testing
