#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The manual of each command is clean, installed, and reports every option of its --help.
# shellcheck disable=SC1090,SC2034,SC2154

. "${0%/*}/../lib/env.sh"
. "$top_srcdir/t/lib/installed.sh"

commands="bspcc bsprun bspinfo goalc bspprobe bspprof bspgauge"
test ! -x "$bindir/bspfc" || commands="$commands bspfc"
for command in bspcc bspcxx bspc++ bspfc bspf77 bsprun bspinfo goalc bspprobe bspprof bspgauge; do
	page=$(find "$stage" \( -name "$command.1" -o -name "$command.1.gz" \) | head -n 1)
	test "$page"
	ok $? "$command has a page"
done

# The compiler's own options are not to be looked for.
BSP_CC=cc
BSP_CXX=c++
BSP_FC=gfortran

# text PAGE: as it is read, without bold
text()
{
	groff -mandoc -Tascii -P-cbou "$1" 2>/dev/null
}

for command in $commands; do
	page=$top_srcdir/man/$command.1
	if ! command -v groff >/dev/null; then
		skip "$command.1: no groff here"
		continue
	fi
	none "$(groff -mandoc -Tascii -ww -z "$page" 2>&1)" "$command.1: groff has no complaint"
	text "$page" >page
	for option in $($command --help | grep -oE '(^|[ ,])--?[a-z][a-z_-]*' | tr -d ' ,' |
		sort -u); do
		grep -qwFe "$option" page
		ok $? "$command.1 tells $option"
	done
done
if command -v mandoc >/dev/null; then
	for command in $commands; do
		none "$(mandoc -Tlint -W warning "$top_srcdir/man/$command.1" 2>&1)" \
			"$command.1: mandoc has no complaint"
	done
else
	skip "no mandoc here"
fi

# The settings of bsp(7) come from the table.
awk -f "$top_srcdir/common/envdoc.awk" "$top_srcdir/common/env.def" >settings
ok $? "envdoc.awk understands env.def"
page=$(find "$stage" -name 'bsp.7*' | head -n 1)
for variable in $(sed -n 's/^SETTING(.*"\(BSP_[A-Z_]*\)".*/\1/p' "$top_srcdir/common/env.def"); do
	like "^\.It Ev $variable\$" "$(cat settings)" "$variable is in the list"
	if test "$page"; then
		like "$variable" "$(cat "$page")" "$variable is in bsp(7)"
	else
		skip "bsp(7) is not installed"
	fi
done
echo 'SETTING(broken, "BSP_BROKEN", COUNT, 0, 1, "0")' |
	awk -f "$top_srcdir/common/envdoc.awk" >/dev/null 2>&1
ok $((! $?)) "a line that is not understood is an error"

done_testing
