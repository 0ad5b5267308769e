#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# A matrix cut off anywhere is multiplied or refused with "file:line: reason".
# shellcheck disable=SC2154

. "${0%/*}/../lib/env.sh"

spmv=$top_builddir/examples/spmv
test -x "$spmv" || bail "no $spmv: make check builds it"
BSP_NPROCS=2 && export BSP_NPROCS

# survives FILE: its prefixes without all of the last line are refused, the whole is not
survives()
{
	size=$(wc -c <"$1") length=0 refused=0 worked=0 other='' least=
	without_last=$((size - $(tail -n 1 "$1" | wc -c)))
	while test $length -le "$size"; do
		head -c $length "$1" >prefix
		said=$("$spmv" prefix 1 2>&1)
		case $?:$said in
		0:spmv:*residual*)
			worked=$((worked + 1))
			least=${least:-$length} ;;
		1:prefix:[1-9]*": "*) refused=$((refused + 1)) ;;
		*) other="$other$length: $said
" ;;
		esac
		length=$((length + 1))
	done
	none "$other" "every prefix of ${1##*/} is multiplied or refused"
	is $((size + 1)) $((worked + refused)) "there were $((size + 1)) of them"
	test "${least:-0}" -gt $without_last
	ok $? "$refused were refused, $worked multiplied, and these had all entries"
}

cd "$tap_dir" || bail "no $tap_dir"
survives "$top_srcdir/t/examples/mtx/good-skew.mtx"
survives "$top_srcdir/t/examples/mtx/good-no-newline.mtx"

done_testing
