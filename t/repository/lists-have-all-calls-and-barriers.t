#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# A call with a macro for C has one for C++, its test, its call of Fortran and its function of
# Python; lists of barriers have each algorithm that there is.
# shellcheck disable=SC1090,SC2154

. "${0%/*}/../lib/env.sh"

cd "$top_srcdir" || bail "no $top_srcdir"

# ---- Calls -----------------------------------------------------------------------------------

# c_calls, cxx_calls: "name function" of each call of the header on standard input, sorted
c_calls()
{
	$SED -e :next -e '/\\$/N; s/\\\n[[:blank:]]*//; t next' |
		$SED -n 's/^#define \([^(]*\)(.*) \(.*[( ]\)*\([a-zA-Z_]*_at\)(BSP_SITE.*/\1 \3/p' |
		sort
}

cxx_calls()
{
	$SED -n 's/^BSP_[A-Z_]*CALL(\(.*, \)*\([a-zA-Z_]*\), \([a-zA-Z_]*_at\)[,)].*/\2 \3/p' |
		sort
}

# lacks FILE: what only one of the two has
lacks()
{
	c_calls <"$1" >"$tap_dir/c"
	cxx_calls <"$1" >"$tap_dir/cxx"
	diff "$tap_dir/c" "$tap_dir/cxx" | grep '^[<>]'
}

total=0
for header in include/*.h; do
	grep -q '^BSP_[A-Z_]*CALL(' "$header" || continue
	none "$(lacks "$header")" "each call of $header has its name in C and in C++"
	total=$((total + $(wc -l <"$tap_dir/c")))
done
test "$total" -ge 60
ok $? "these are $total calls"
grep -v '^BSP_CALL(bsp_send,' include/bsp_names.h >"$tap_dir/forgotten.h"
is "< bsp_send bsp_send_at" "$(lacks "$tap_dir/forgotten.h")" "one that is forgotten is found"

# Names that the first libraries had, with another call behind them: tests have files of their own.
old='bsp_bsmp_info|bsp_popregister|bsp_pushregister|bsp_set_tag_size|bsp_sync_end'
c_calls <include/bsp_names.h | $SED 's/ .*//' | grep -vxE "$old" >"$tap_dir/calls"
none "$(while read -r name; do
	grep -qF "($name)(" t/interface/every-call-is-also-a-function.c || echo "$name"
done <"$tap_dir/calls")" "t/interface/every-call-is-also-a-function.c calls each"

# Calls that name an area, but those of a constructor and the destructor.
{
	$SED -n 's/^BSP_AREA_CALL(bsp_\([a-z_]*\), .*/\1/p' include/bsp_names.h |
		grep -vxE '(push|pop)_?reg(ister)?'
	printf '%s\n' put hpput
} >"$tap_dir/members"

# lacks_member FILE: which of these are no member of bsp::area there
lacks_member()
{
	while read -r name; do
		grep -qE "^	(void|bool) $name\(" "$1" || echo "$name"
	done <"$tap_dir/members"
}

none "$(lacks_member include/bsp/area.hpp)" "bsp::area has each call that names an area"
grep -v '	void hpget(' include/bsp/area.hpp >"$tap_dir/forgotten.hpp"
is hpget "$(lacks_member "$tap_dir/forgotten.hpp")" "one that is forgotten is found"
none "$(while read -r name; do
		grep -qE "F[n] a\.$name " man/bsp_cxx.7 || echo "$name"
	done <"$tap_dir/members")" "bsp_cxx(7) has them"

# fortran_name CALL
fortran_name()
{
	echo "$1" | tr -d _
}

# bsp_hpmove gives pointers to what C alone can read.
none "$(grep -vx bsp_hpmove "$tap_dir/calls" | while read -r name; do
	name=$(fortran_name "$name")
	grep -qiwE "(interface|subroutine|function) $name" fortran/*.f90 &&
		grep -qwE "F[n] $name" man/bsp_fortran.7 || echo "$name"
done)" "module bsp and bsp_fortran(7) have each but one"
c_calls <include/bsp_coll_names.h | $SED 's/ .*//' >"$tap_dir/coll"
none "$(while read -r name; do
		names="$(fortran_name "$name")|f77_$name"
		grep -qiwE "(interface|subroutine|function) ($names)" fortran/*.f90 || echo "$name"
	done <"$tap_dir/coll")" "module bsp_coll has each"

c_calls <include/bsp_goal.h | $SED 's/ .*//' >"$tap_dir/goal"

# python_lacks: names of calls on standard input that package bsp does not have
python_lacks()
{
	PYTHONDONTWRITEBYTECODE=yes BSP_LIBDIR=$top_builddir/.libs PYTHONPATH=python "$PYTHON" -c '
import sys, bsp
for name in sys.stdin.read().split():
    if not callable(getattr(bsp, name.replace("bsp_", "", 1), None)):
        print(name)'
}

if test "$PYTHON" && test -z "$BSP_SANITIZE" && test -e "$top_builddir/.libs/libbsp.so.0"; then
	none "$(cat "$tap_dir/calls" "$tap_dir/coll" "$tap_dir/goal" | grep -vx bsp_hpmove |
		python_lacks)" \
		"package bsp has each but one"
	is bsp_forgotten "$(echo bsp_forgotten bsp_put | python_lacks)" \
		"one that is forgotten is found"
else
	skip "not applicable: built without python3 or a shared library, or with sanitizers"
fi
# The page lists collective calls without an i, and the kinds of numbers.
none "$($SED 's/^bsp_//' "$tap_dir/calls" "$tap_dir/coll" "$tap_dir/goal" |
	grep -vxE 'hpmove|i[a-z_]*|(sum|product|max|min)[IRD](_prefix)?|sort[RDC]' |
	while read -r name; do
		grep -qwE "F[n] $name" man/bsp_python.7 || echo "$name"
	done)" "bsp_python(7) has them"

# ---- Barriers --------------------------------------------------------------------------------

"$top_builddir/tools/goalc/goalc" gen --list | $AWK '$1 == "barrier" { print $2 }' |
	sort -u >"$tap_dir/barriers"
test "$(wc -l <"$tap_dir/barriers")" -ge 5
ok $? "there are $(wc -l <"$tap_dir/barriers") schedules of barriers"

# lacks_barriers FILE FROM TO: those that this part of the file does not have by themselves
lacks_barriers()
{
	$SED -n "/$2/,/$3/p" "$1" >"$tap_dir/part"
	while read -r name; do
		alone="(^|[^+a-z-])$name(:[0-9K]+)?([^+a-z:-]|\$)"
		grep -qE "$alone" "$tap_dir/part" || echo "$name"
	done <"$tap_dir/barriers"
}

while read -r file from to; do
	none "$(lacks_barriers "$file" "$from" "$to")" "$file has all of them"
done <<'END'
common/env.def ^SETTING(barrier, "auto",$
bench/rows/barriers.c standard\[\].=.{ };$
t/soak/soak.sh barrier=.*one( )$
t/barrier/every-barrier-waits-for-all-that-was-sent.c barriers\[\].=.{ };$
t/interface/random-programs-match-model.c barriers\[\].=.{ };$
t/message/tag-size-that-only-some-set-aborts.c barriers\[\].=.{ };$
t/tools/bspgauge-measures-every-pattern-over-what-carries-it.t series.barrier)" .
END
echo bruck >"$tap_dir/barriers"
is bruck "$(lacks_barriers t/tools/bspgauge-measures-every-pattern-over-what-carries-it.t \
	'series.barrier)"' .)" "a name elsewhere in the file does not count"

done_testing
