# SPDX-License-Identifier: BSD-3-Clause
# tutorial.sh - doc/tutorial.md, command by command; read after env.sh, in an empty folder.
# shellcheck shell=sh disable=SC2154

# A block that begins with ```text has the output of the block of ```sh before it. Times,
# percentages and addresses are those of one run; lines come in any order, and eight blanks continue
# one; "..." stands for any lines. A block of ```c is saved by the name in its first line. Without a
# text, the commands have to end well.

# blocks_of FILE: blocks become files NUMBER.LANGUAGE
blocks_of()
{
	awk '!inside && /^```[a-z]+$/ {
			inside = 1
			name = sprintf("%03d.%s", ++n, substr($0, 4))
			printf "" > name
			next
		}
		/^```$/ { inside = 0; close(name); next }
		inside { print > name }' "$1"
}

# figures: numbers that vary become #; blanks become one
figures()
{
	sed -E -e 's/0x[0-9a-f]+/0x#/g' -e 's/-?[0-9]+\.[0-9]+/#/g' -e 's/-?[0-9]+ %/# %/g' \
		-e 's/[#0-9]+ (ns|us|µs|ms|s)([ ,]|$)/# time\2/g' -e 's/[[:blank:]]+/ /g' \
		-e 's/^ | $//g' -e '/^$/d' | sort
}

# unwrap FILE: with the lines that are continued in one piece
unwrap()
{
	sed -e ':more' -e '$!N' -e 's/\n        / /; t more' -e 'P;D' "$1"
}

# says_so TEXT OUTPUT DESCRIPTION: it has the lines of the text, and no others unless one is "..."
says_so()
{
	unwrap "$1" | figures | grep -vx '\.\.\.' >wanted
	figures <"$2" >seen
	if grep -qx '\.\.\.' "$1"; then
		comm -12 wanted seen >both
		is "$(cat wanted)" "$(cat both)" "$3" || diag "$(cat seen)"
	else
		is "$(cat wanted)" "$(cat seen)" "$3"
	fi
}

# check_block FILE COMMAND...: the command with the file of a block prints the text behind it; its
# status is 77 where the block cannot run
check_block()
{
	block=$1
	shift
	"$@" "$block" >output 2>&1 </dev/null
	status=$?
	title=$(grep -v '^ ' "$block" | tail -n 1)
	next=$(printf '%03d.text' $((1$(echo "${block%.sh}") - 999)))
	if test $status -eq 77; then
		skip "not applicable: $title: built without libfabric and MPI"
	elif test -e "$next"; then
		texts=$((texts + 1))
		says_so "$next" output "$title"
	else
		ok $status "$title" || diag "$(cat output)"
	fi
}

# tutorial COMMAND...: checks all blocks; the command is called with the file of each
tutorial()
{
	texts=0
	blocks_of "$top_srcdir/doc/tutorial.md"
	for file in [0-9]*.*; do
		case $file in
		*.c)
			cp "$file" "$(sed -n '1s,^/\* \([a-z]*\.c\) - .*,\1,p' "$file")" ;;
		*.sh)
			check_block "$file" "$@" ;;
		esac
	done
	test $texts -ge 9
	ok $? "there are $texts blocks of output"
}
