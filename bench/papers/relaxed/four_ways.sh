# SPDX-License-Identifier: BSD-3-Clause
# four_ways.sh - the four ways to end supersteps, for the figures of this paper; to be sourced.
# shellcheck shell=sh disable=SC2034,SC2154

ways=org,classic,rel,eager
bsprun=$BUILD/tools/bsprun/bsprun
head=series,x,value,low,high,unit

# program NAME SOURCE...: its path in $program: the one that the build has, or a new one. False: it
# cannot be compiled here.
program()
{
	program=$BUILD/examples/$1
	test -x "$program" && return
	program=$SHARED/$1
	test -x "$program" && return
	name=$1
	shift
	(
		cd "$SOURCE/examples" &&
			BSP_INCLUDEDIR=$SOURCE/include BSP_LIBDIR=$BUILD/.libs \
				"$BUILD/tools/bspcc/bspcc" -O2 -o "$SHARED/$name" "$@" -lm
	) >&2
}

# communication PAGE: of the last comparison in it, seconds in each way, a line each
communication()
{
	grep '^<!-- comparison {' "$1" | tail -n 1 |
		grep -o '"\(first\|second\|third\|fourth\)":{"communication":[^,]*' |
		sed 's/.*://'
}
