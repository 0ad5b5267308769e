#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# A wrong call of a Fortran program ends it with one message, which has file and line.
# shellcheck disable=SC1090,SC1091,SC2034,SC2154

. "${0%/*}/../lib/env.sh"
. "$top_srcdir/t/lib/installed.sh"
. "$top_srcdir/t/lib/fortran.sh"

cat >wrong.f90 <<'END'
program wrong
  use bsp
  implicit none
  integer, asynchronous :: a(10), b
  character(16) :: which

  call get_command_argument(1, which)
  call bspbegin(bspnprocs())
  call bsppushreg(a, 40)
  call bspsync()
  call act()
  call bspend()
contains
  subroutine act()
    select case (which)
    case ("section")
      call bspput(0, a(1:9:2), a, 0, 20)
    case ("rows")
      call put_rows(reshape([1, 2, 3, 4, 5, 6], [2, 3]))
    case ("short")
      call bspput(0, &
        a(1:2), a, 0, 12)
    case ("get")
      call bspget(0, a, 0, a(1:3), 16)
    case ("pid")
      call bspput(7, b, a, 0, BSPINT)
    case ("negative")
      call bspput(0, b, a, 0_8, -4_8)
    case ("unknown")
      call bspput(0, a, b, 0, BSPINT)
    case ("sync")
      if (bsppid() == 0) call bspsync()
    case ("bcast")
      if (bsppid() == 0) call bspbcast(0, a, a, 36)
      if (bsppid() /= 0) call bspbcast(0, a, a, 40)
    case ("abort")
      call bspabort("there is no " // which)
    case ("begin")
      call bspbegin(1)
    case ("neighbour")
      call bspsetneighbors(0)
      call bspsync()
      call bspput(1 - bsppid(), b, a, 0, BSPINT)
    case ("list")
      call bspsetneighbors(1, [7])
    case ("fold")
      call start_fold()
    end select
  end subroutine

  subroutine put_rows(square)
    integer, intent(in) :: square(:, :)

    call bspput(0, square(1, :), a, 0, 12)
  end subroutine

  subroutine start_fold()
    use, intrinsic :: iso_c_binding, only: c_funloc, c_long
    integer(c_long) :: request

    request = bspifold(c_funloc(put_rows), a(1:9:2), a, 20)
    call bspwait(request)
  end subroutine
end program
END
bspfc -O2 -o wrong wrong.f90 || bail "it does not compile"

# place SUPERSTEP LINE: how a message ends, as a pattern for sed
place()
{
	printf '%s' "\\\\(process [0-9], superstep $1, wrong\\\\.f90:$2\\\\)"
}

# says WHICH PATTERN [NETWORK]: the only line of the program over shm and that; "at N" is the place
says()
{
	for transport in shm ${3-}; do
		pattern=$(echo "$2" |
			sed "s/ at \([0-9[(].*\)\$/ $(place 1 '\1')/")
		seen=$(bsprun -n 2 --transport $transport ./wrong "$1" 2>&1)
		ok $((! $?)) "$1 over $transport is an error"
		like "^$pattern\$" "$(echo "$seen" | grep '^bsp')" "$1 over $transport"
		is 1 "$(echo "$seen" | grep -c '^bsp')" "$1 over $transport: one message"
	done
}

contiguous='is a section that is not contiguous; use a contiguous one, or a copy'
says section "bsp_put: src $contiguous at 17" "$networks"
says rows "bsp_put: src $contiguous at 54"
says fold "bsp_ifold: src $contiguous at 61"
says short "bsp_put: 12 bytes are more than the 8 of src at 2[12]"
says get "bsp_get: 16 bytes are more than the 12 of dst at 24"
says pid "bsp_put: process 7 does not exist, there are 2 at 26" "$networks"
says negative "bsp_put: size -4 is negative at 28"
says unknown "bsp_put: .*is not registered.* at 30"
f='wrong\.f90'
says sync "bsp_(sync|end): process 1 called bsp_end \($f:12\), process 0 bsp_sync \($f:32\);.* \
at (12|32)" "$networks"
says bcast "bsp_bcast: process 0 sends 36 bytes where this call expects 40.* at 35" "$networks"
says abort "bsp_abort: there is no abort at 37"
says begin "bsp_begin: .* at 39"
seen=$(bsprun -n 2 ./wrong neighbour 2>&1)
like "^bsp_put: process [01] is no neighbour: bsp_set_neighbors at $f:41 .*superstep 2, $f:43\)\$" \
	"$(echo "$seen" | grep '^bsp')" "a put to a process that the list does not have"
says list "bsp_set_neighbors: process 7 does not exist, there are 2 at 45"

# The file is as the compiler had it, seen from where the program runs.
mkdir sub
like '/wrong\.f90:26\)$' "$(cd sub && bsprun -n 2 ../wrong pid 2>&1)" \
	"the name of the file has its folder where the program runs in another one"
cp wrong.f90 sub && bspfc -O2 -o wrong sub/wrong.f90
like '\(process [01], superstep 1, sub/wrong\.f90:26\)$' "$(bsprun -n 2 ./wrong pid 2>&1)" \
	"and is short where it is the same"

# Without what the compiler writes for debuggers it is at least the place in the program.
bspfc -g0 -O2 -o wrong wrong.f90
like '^bsp_put: process 7 does not exist, .* superstep 1, .*wrong\+0x[0-9a-f]+\)$' \
	"$(bsprun -n 2 ./wrong pid 2>&1)" "without debugging information: the place in the program"

done_testing
