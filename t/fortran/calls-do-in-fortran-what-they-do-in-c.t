#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Every call of module bsp does over shared memory and a network what the call of C does.
# shellcheck disable=SC1090,SC1091,SC2034,SC2154

. "${0%/*}/../lib/env.sh"
. "$top_srcdir/t/lib/installed.sh"
. "$top_srcdir/t/lib/fortran.sh"

cp "$top_srcdir"/t/fortran/*.f90 .

# runs_well PROGRAM OPTION...: on 3 processes it ends well, and says of each part that it was right
runs_well()
{
	program=$1
	shift
	wanted=$(sed -n 's/^ *call passed("\(.*\)")$/ok \1/p' "$program.f90" | sort)
	is "$wanted" "$(runs -n 3 "$@" "./$program")" "$program $*"
}

warnings="-Wall -Wextra -Werror -Wno-compare-reals -Wno-function-elimination"
for program in transfers collectives; do
	for level in -O0 -O3; do
		# shellcheck disable=SC2086
		seen=$(bspfc $warnings $level -o $program $program.f90 2>&1)
		ok $? "$program.f90 compiles without a warning $level" || diag "$seen"
		for transport in shm $networks; do
			runs_well $program --transport $transport
		done
	done
done
like 'well-formed' "$(runs -n 3 --check ./transfers)" "what is relaxed in it is well-formed"

# A program whose SPMD part is a subroutine: bspinit.
cat >start.f90 <<'END'
program start
  use bsp, only: bspinit
  implicit none
  external :: spmd

  call bspinit(spmd)
  print '(a)', "before"
  call spmd()
  print '(a)', "after"
end program

subroutine spmd()
  use bsp, only: bspbegin, bspend, bspnprocs, bsppid
  implicit none

  call bspbegin(2)
  print '(i0, a, i0)', bsppid(), " of ", bspnprocs()
  call bspend()
end subroutine
END
bspfc -o start start.f90
is "0 of 2
1 of 2
after
before" "$(runs -n 3 ./start)" "bspinit: process 0 alone is before and after the SPMD part"

done_testing
