#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Two runs of make dist give the same bytes, with the time that SOURCE_DATE_EPOCH names.
# shellcheck disable=SC1090,SC2154

. "${0%/*}/../lib/env.sh"

unset MAKEFLAGS MFLAGS MAKELEVEL
tar --sort=name --version >"$tap_dir/tar" 2>&1 || skip_all "not applicable: no GNU tar here"

# The rules of make dist with some of the files, under a name of the test's own; check-distribution
# makes all of it.
files="README.md check.sh CHANGELOG.md include/bsp.h t/lib/tap.sh"
name=tarball-of-a-test

# dist NUMBER MASK: makes NUMBER.tar.gz
dist()
(
	umask "$2"
	SOURCE_DATE_EPOCH=1000000000 "$MAKE" -C "$top_builddir" dist distdir="$name" \
		DISTFILES="$files" >"$tap_dir/$1.log" 2>&1 || return
	mv "$top_builddir/$name.tar.gz" "$tap_dir/$1.tar.gz"
)

dist 1 022
ok $? "make dist" || diag "$(tail -n 5 "$tap_dir/1.log")"
# Heads of files have whole seconds.
is_later()
{
	test "$(date +%s)" -gt "$(date -r "$tap_dir/1.tar.gz" +%s)"
}
until_true is_later
dist 2 077
ok $? "make dist, with another mask" || diag "$(tail -n 5 "$tap_dir/2.log")"
cd "$tap_dir" || bail "no $tap_dir"
cmp 1.tar.gz 2.tar.gz
ok $? "both have the same bytes"
list=$(TZ=UTC0 tar tvzf 1.tar.gz)
is 5 "$(printf '%s\n' "$list" | grep -c '^-')" "all files are there"
is "2001-09-09 01:46" "$(printf '%s\n' "$list" | awk '{ print $4, $5 }' | sort -u)" \
	"each has the time of SOURCE_DATE_EPOCH"
none "$(printf '%s\n' "$list" | awk '/^-/ && !/^-rw[x-]r-[x-]r-[x-] 0\/0 /')" \
	"each can be read by all users and belongs to none"

done_testing
