#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The example of every page of section 3 and that of bsp.h compile and run.
# shellcheck disable=SC1090,SC2034,SC2154

. "${0%/*}/../lib/env.sh"
. "$top_srcdir/t/lib/installed.sh"

# example_of PAGE: the program in its EXAMPLES, as a reader sees it
example_of()
{
	awk '
		/^\.Sh/ { examples = /EXAMPLES/ }
		/^\.Ed/ { program = 0 }
		examples && program { print }
		/^\.Bd/ { program = 1 }' "$1" |
		sed -e 's/\\e/\\/g' -e "s/\\\\(aq/'/g" -e 's/\\-/-/g' -e 's/\\&//g'
}

# example_of_header: the program in the first comment of bsp.h
example_of_header()
{
	sed -n '/^ \*	#include <bsp.h>/,/^ \*	}/s/^ \*	\{0,1\}//p' \
		"$top_srcdir/include/bsp.h"
}

# tries FILE NAME: compile for both interfaces and run
tries()
{
	for interface in "" --mcbsp; do
		# shellcheck disable=SC2086
		bspcc $interface -std=c11 -Wall -Wextra -Werror -o program "$1" >output 2>&1
		ok $? "$2 compiles${interface:+ with $interface}" || {
			diag "$(cat output)"
			continue
		}
		bsprun -n 3 ./program >output 2>&1 </dev/null
		ok $? "$2 runs${interface:+ with $interface}" || diag "$(cat output)"
	done
}

pages=0
for page in "$top_srcdir"/man/*.3; do
	grep -q '^\.so ' "$page" && continue
	pages=$((pages + 1))
	name=${page##*/}
	example_of "$page" >"${name%.3}.c"
	grep -q '^int main' "${name%.3}.c"
	ok $? "$name has an example" || continue
	tries "${name%.3}.c" "the example of $name"
done
test "$pages" -ge 16
ok $? "$pages pages have a text"

example_of_header >header.c
tries header.c "the example of bsp.h"

done_testing
