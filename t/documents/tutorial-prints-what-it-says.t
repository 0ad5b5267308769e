#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Every command of doc/tutorial.md prints what stands below it there.
# shellcheck disable=SC1090,SC2034,SC2154

# A block that begins with ```text has the output of the block of ```sh before it. Times,
# percentages and addresses are those of one run; lines come in any order, and eight blanks continue
# one; "..." stands for any lines. A block of ```c is saved by the name in its first line. Without a
# text, the commands have to end well.

. "${0%/*}/../lib/env.sh"
. "$top_srcdir/t/lib/installed.sh"

# Blocks become files NUMBER.LANGUAGE.
awk '!inside && /^```[a-z]+$/ {
		inside = 1
		name = sprintf("%03d.%s", ++n, substr($0, 4))
		printf "" > name
		next
	}
	/^```$/ { inside = 0; close(name); next }
	inside { print > name }' "$top_srcdir/doc/tutorial.md"

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

# run_block FILE: what it prints is in the file output
run_block()
(
	set -e
	. "./$1"
) >output 2>&1 </dev/null

# can_run FILE: not if it needs a network that this build has not
can_run()
{
	! grep -q -e '--transport mix' "$1" || bspinfo -n 4 | awk '
		/^  [a-z]/ { name = $1 }
		/can run here/ && name == "mix" { found = 1 }
		END { exit !found }'
}

texts=0
for block in *.*; do
	case $block in
	*.c)
		cp "$block" "$(sed -n '1s,^/\* \([a-z]*\.c\) - .*,\1,p' "$block")" ;;
	*.sh)
		title=$(grep -v '^ ' "$block" | tail -n 1)
		can_run "$block" || {
			skip "$title: not applicable: built without libfabric and MPI"
			continue
		}
		run_block "$block"
		status=$?
		next=$(printf '%03d.text' $((1$(echo "${block%.sh}") - 999)))
		if test -e "$next"; then
			texts=$((texts + 1))
			says_so "$next" output "$title"
		else
			ok $status "$title" || diag "$(cat output)"
		fi ;;
	esac
done
test $texts -ge 9
ok $? "there are $texts blocks of output"

# A text that is not what is printed is noticed.
printf 'a 1.5 ms\nb\n' >text && printf 'b\na  27 ms\n' >other
is "$(figures <text)" "$(figures <other)" "times and the order of lines do not matter"
printf 'a 2.5 ms\n' >other
is "a # time
b" "$(figures <text)" "other words do"

done_testing
