#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# A program of the Oxford toolset in fixed form, with INCLUDE 'fbsp.h', compiles and runs as it is;
# so does one in free form; messages name their lines.
# shellcheck disable=SC1090,SC1091,SC2034,SC2154

. "${0%/*}/../lib/env.sh"
. "$top_srcdir/t/lib/installed.sh"
. "$top_srcdir/t/lib/fortran.sh"

cat >old.f <<'END'
      PROGRAM OLD
      IMPLICIT NONE
      INCLUDE 'fbsp.h'
      INCLUDE 'fbsp_level1.h'
      INTEGER LEFT, ME, P, TAG, N, BYTES, STATUS, GOT
      DOUBLE PRECISION ROW(4), SUM(2), MINE(2)
      COMMON /AREAS/ ROW, LEFT
      EXTERNAL ADD, WRONG

      CALL BSPBEGIN(BSPNPROCS())
      ME = BSPPID()
      P = BSPNPROCS()
      CALL BSPPUSHREG(LEFT, BSPINT)
      CALL BSPPUSHREGISTER(ROW, 4 * BSPDOUBLE)
      TAG = BSPINT
      CALL BSPSETTAGSIZE(TAG)
      CALL BSPSYNC()
      CALL BSPPUT(MOD(ME + 1, P), ME, LEFT, 0, BSPINT)
      CALL BSPPUT(MOD(ME + 1, P), 1D0 * ME, ROW, 3 * BSPDOUBLE,
     &            BSPDOUBLE)
      CALL BSPSEND(MOD(ME + 1, P), 7 * ME, ME, BSPINT)
      CALL BSPSYNC()
      IF (LEFT .NE. MOD(ME + P - 1, P)) CALL BSPABORT('a put is wrong')
      IF (ROW(4) .NE. LEFT) CALL BSPABORT('a put of doubles is wrong')
      CALL BSPQSIZE(N, BYTES)
      CALL BSPGETTAG(STATUS, TAG)
      CALL BSPMOVE(GOT, BSPINT)
      IF (N .NE. 1 .OR. BYTES .NE. BSPINT .OR. STATUS .NE. BSPINT)
     &  CALL BSPABORT('the queue is wrong')
      IF (TAG .NE. 7 * LEFT .OR. GOT .NE. LEFT)
     &  CALL BSPABORT('a message is wrong')
      MINE(1) = ME
      MINE(2) = 1
      CALL BSPFOLD(ADD, MINE, SUM, 2 * BSPDOUBLE)
      IF (SUM(1) .NE. P * (P - 1) / 2 .OR. SUM(2) .NE. P)
     &  CALL BSPABORT('a fold is wrong')
      IF (F77_BSP_SUMI(ME) .NE. P * (P - 1) / 2 .OR.
     &    F77_BSP_MAXD_PREFIX(1D0 * ME) .NE. ME)
     &  CALL BSPABORT('a sum is wrong')
      IF (BSPTIME() .LT. 0 .OR. BSPS() .LT. 0)
     &  CALL BSPABORT('a time is wrong')
      IF (ME .EQ. 0) PRINT '(A, I0)', 'well on ', P
      IF (COMMAND_ARGUMENT_COUNT() .GT. 0) CALL WRONG()
      CALL BSPEND()
      END

      SUBROUTINE ADD(RES, A, B, N)
      INTEGER N, I
      DOUBLE PRECISION RES(*), A(*), B(*)
      DO 10 I = 1, N / 8
        RES(I) = A(I) + B(I)
   10 CONTINUE
      END

      SUBROUTINE WRONG()
      INCLUDE 'fbsp.h'
      INTEGER X
      CALL BSPPUT(77, X, X, 0, BSPINT)
      END
END
cat >free.f90 <<'END'
program free
  implicit none
  include 'fbsp.h'
  integer, asynchronous :: left

  call bspbegin(bspnprocs())
  call bsppushreg(left, BSPINT)
  call bspsync()
  call bspput(modulo(bsppid() + 1, bspnprocs()), bsppid(), left, 0, BSPINT)
  call bspsync()
  print '(i0)', left
  call bspend()
end program
END

for level in -O0 -O2; do
	bspfc -Wall $level -o old old.f >said 2>&1
	ok $? "fixed form with $level" || diag "$(cat said)"
	is "" "$(cat said)" "without a warning"
	is "well on 3" "$(runs -n 3 ./old)" "it runs"
done
for transport in $networks; do
	is "well on 3" "$(runs -n 3 --transport $transport ./old)" "over $transport"
done
line=$(grep -n 'BSPPUT(77' old.f | sed 's/:.*//')
like "bsp_put: process 77 does not exist.*old\\.f:$line\\)" \
	"$(runs -n 2 ./old wrong)" "a wrong call names its line"
bspfc -O2 -o free free.f90 >said 2>&1
ok $? "free form" || diag "$(cat said)"
is "0 1 2" "$(runs -n 3 ./free | paste -s -d ' ' -)" \
	"it runs, too"

# All of the toolset that its manual pages have.
file=$includedir/bsp/fortran/fbsp.h
test -s "$file"
ok $? "fbsp.h is installed"
none "$(for name in init begin end abort nprocs pid time dtime sync pushreg pushregister popreg \
		popregister put hpput get hpget settagsize send qsize gettag move bcast fold s l g \
		nhalf; do
	grep -qE "(interface|function|subroutine) bsp$name(\(|\$)" "$file" || echo "bsp$name"
done)" "it has each call"
is 26 "$(grep -c '^      function f77_bsp_' "$includedir/bsp/fortran/fbsp_level1.h")" \
	"fbsp_level1.h has 26 functions"
none "$(awk '!/^!/ && length > 73' "$file" "$includedir/bsp/fortran/fbsp_level1.h")" \
	"no line is too long for fixed form"

done_testing
