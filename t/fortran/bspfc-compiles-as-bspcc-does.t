#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Bspfc, also by the name bspf77, has the options of bspcc, and compiles for Fortran.
# shellcheck disable=SC1090,SC1091,SC2034,SC2154

. "${0%/*}/../lib/env.sh"
. "$top_srcdir/t/lib/installed.sh"
. "$top_srcdir/t/lib/fortran.sh"

real_fc=$BSP_FC real_libdir=$BSP_LIBDIR
BSP_FC=some-fc BSP_CC=some-cc BSP_INCLUDEDIR=/i
mkdir l && : >l/libbsp.so
BSP_LIBDIR=$PWD/l
lines="-g1 -fno-optimize-sibling-calls -fno-crossjumping -fno-tree-tail-merge"
compile="-I/i -I/i/bsp/fortran"
link="-Wl,--no-as-needed -L$PWD/l -Wl,-rpath,$PWD/l -lbspf( -lbacktrace)? -lbsp"

# shows PATTERN ARGUMENT...: the compiler is called so, and nothing is said of it
shows()
{
	pattern=$1
	shift
	like "^$pattern\$" "$(bspfc -show "$@" 2>&1)" "bspfc $*"
}

shows "some-fc $lines a.f90 -o a $compile $link" a.f90 -o a
shows "some-fc $lines -g3 -c a.f90 $compile" -g3 -c a.f90
shows "some-fc $lines -J mods -c a.f90 $compile" -J mods -c a.f90
shows "some-fc $lines -O3 a.f -lm $compile $link" -f77flags -O3 a.f -lm
shows "other-fc $lines a.f $compile $link" -overridef77 other-fc -cflags -DX a.f -f77
shows "some-fc $lines a.f90 $compile -Wl,--defsym=bsp_stat_by_default=1 $link" -stat a.f90
is "$(bspfc -show a.f)" "$(bspf77 -show a.f)" "bspf77 is bspfc"
is "some-cc a.c -I/i" "$(bspcc -show -c a.c | sed 's/ -c / /')" "bspcc has none of this"
is "/i /i/bsp/fortran" "$(bspfc -showme:incdirs)" "-showme:incdirs"
like '^bspfc: .*language: Fortran\)' "$(bspfc -showme:version)" "-showme:version"
like '^usage: bspfc .*written in Fortran' "$(bspfc --help | tr '\n' ' ')" "--help"
like 'BSP_FC names another' "$(BSP_FC=no-such-compiler bspfc a.f90 2>&1)" \
	"a compiler that is not there"
is 'bspfc: options without a meaning here: -nof77munging -flibrary-level 2; see bspcc(1)' \
	"$(bspfc -show -nof77munging -flibrary-level 2 a.f 2>&1 >seen)" "what means nothing here"

BSP_FC=$real_fc BSP_INCLUDEDIR=$includedir BSP_LIBDIR=$real_libdir
cat >old.f <<'END'
      PROGRAM OLD
      USE BSP
      INTEGER, ASYNCHRONOUS :: X
C     Fixed form, in two steps.
      CALL BSPBEGIN(BSPNPROCS())
      X = 0
      CALL BSPPUSHREG(X, BSPINT)
      CALL BSPSYNC()
      CALL BSPPUT(MOD(BSPPID() + 1, BSPNPROCS()), BSPPID(), X, 0,
     $            BSPINT)
      CALL BSPSYNC()
      WRITE (*, '(I0, A, I0)') BSPPID(), ' AFTER ', X
      CALL BSPEND()
      END
END
seen=$(bspf77 -O3 -flibrary-level 2 -c old.f 2>&1 && bspf77 -o old old.o 2>&1)
is "bspf77: options without a meaning here: -flibrary-level 2; see bspcc(1)" "$seen" \
	"fixed form compiles, and links in another step"
is "0 AFTER 1
1 AFTER 0" "$(runs -n 2 ./old)" "and runs"
bsprun -n 2 --profile profile.html ./old >seen 2>&1
like 'bsp_sync old\.f:11<' "$(cat profile.html)" "a profile has the lines of the program"
if test "$BSP_SANITIZE" || ! test -e "$libdir/libbsp.a"; then
	skip "not applicable: -static with sanitizers, or without a static library"
elif echo 'end' >static.f90 && $BSP_FC -static -o static static.f90 2>/dev/null; then
	bspfc -static -o old old.f
	is "0 AFTER 1
1 AFTER 0" "$(runs -n 2 ./old)" "-static"
else
	skip "no static C library here"
fi

done_testing
