#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# A malformed matrix ends spmv with "file:line: reason" and nothing else.

# Each t/examples/mtx/bad-*.mtx says in a comment "% wants LINE: REASON" what is wrong.
# shellcheck disable=SC2154

. "${0%/*}/../lib/env.sh"

spmv=$top_builddir/examples/spmv
test -x "$spmv" || bail "no $spmv: make check builds it"
cd "$top_srcdir/t/examples/mtx" || bail "no $top_srcdir/t/examples/mtx"

# refuses P FILE WANTED: status 1 and this one line
refuses()
{
	said=$(BSP_NPROCS=$1 "$spmv" "$2" 2>&1)
	is "1 $3" "$? $said" "${2##*/} on $1 processes"
}

count=0
for file in bad-*.mtx; do
	refuses 2 "$file" "$file:$($SED -n 's/^%.*wants \([0-9].*\)/\1/p' "$file")"
	count=$((count + 1))
done
test $count -ge 50
ok $? "there were $count malformed files"
for p in 1 4; do
	refuses $p bad-entries-too-few.mtx \
		"bad-entries-too-few.mtx:5: the file ends after 2 of 3 entries"
done

cd "$tap_dir" || bail "no $tap_dir"
: >empty
refuses 2 empty "empty:1: the file does not begin with %%MatrixMarket"
refuses 2 absent "absent: No such file or directory"
mkdir folder
refuses 2 folder "folder:1: cannot be read: Is a directory"

# refuses_arguments ARGUMENT...: usage and status 2
refuses_arguments()
{
	said=$(BSP_NPROCS=2 "$spmv" "$@" 2>&1)
	is 2 $? "spmv $* is refused"
	like '^usage: spmv FILE \[PRODUCTS\]' "$said" "and says how it is used"
}

refuses_arguments
refuses_arguments empty ten
refuses_arguments empty 0
refuses_arguments empty -3
refuses_arguments empty 5x
refuses_arguments empty ''
refuses_arguments empty 99999999999
refuses_arguments empty 1 1

done_testing
