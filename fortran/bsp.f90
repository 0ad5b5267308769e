! SPDX-License-Identifier: BSD-3-Clause
! bsp.f90 - module bsp: the calls of bsp.h for Fortran, by their names in the Oxford toolset.

! Areas are arguments of any type and rank, which the compiler hands over with their shape: a
! section that is not contiguous is refused, and so are transfers of more bytes than an array has.
! Sizes and offsets are bytes, both of default integers or both of integer(8). bsp_fortran(7) has
! all calls.
!
! A variable that another process may write to, or that is read or written after a call has
! returned, must be "asynchronous" or "target", or the compiler may keep it in a register.
module bsp
  use, intrinsic :: iso_c_binding, only: c_double, c_int, c_int64_t
  use bsp_coll
  implicit none
  private :: c_double, c_int, c_int64_t

  ! Bytes of a variable.
  integer, parameter :: BSPWORD = 4, BSPINT = 4, BSPLOGICAL = 4, BSPREAL = 4
  integer, parameter :: BSPDOUBLE = 8, BSPCOMPLEX = 8

  ! How supersteps end, for bspsetsync; a count that "bsprun --check --suggest" is to find.
  integer(c_int), parameter :: BSP_CLASSIC = 0, BSP_RELAXED = 1, BSP_ANY = -1

  ! All processes are neighbours, for bspsetneighbors.
  integer(c_int), parameter :: BSP_ALL = -1

  ! ---- Starting and ending ---------------------------------------------------------------------

  interface
    ! First in the main program, if bspbegin is not: startproc calls bspbegin first.
    subroutine bspinit(startproc)
      external :: startproc
    end subroutine
  end interface

  interface
    subroutine bspbegin(maxprocs) bind(C, name="bspf_begin")
      import :: c_int
      integer(c_int), value :: maxprocs
    end subroutine
  end interface

  interface
    subroutine bspend() bind(C, name="bspf_end")
    end subroutine
  end interface

  ! The text is a character variable; blanks at its end are left out.
  interface
    subroutine bspabort(err_string) bind(C, name="bspf_abort")
      type(*), dimension(..), intent(in) :: err_string
    end subroutine
  end interface

  interface
    function bspnprocs() result(answer) bind(C, name="bspf_nprocs")
      import :: c_int
      integer(c_int) :: answer
    end function
  end interface

  interface
    function bsppid() result(answer) bind(C, name="bspf_pid")
      import :: c_int
      integer(c_int) :: answer
    end function
  end interface

  interface
    function bsptime() result(answer) bind(C, name="bspf_time")
      import :: c_double
      real(c_double) :: answer
    end function
  end interface

  interface
    function bspdtime() result(answer) bind(C, name="bspf_dtime")
      import :: c_double
      real(c_double) :: answer
    end function
  end interface

  interface
    function bspcputime() result(answer) bind(C, name="bspf_cputime")
      import :: c_double
      real(c_double) :: answer
    end function
  end interface

  interface
    subroutine bspsync() bind(C, name="bspf_sync")
    end subroutine
  end interface

  ! ---- Registration, transfers ------------------------------------------------------------------

  interface bsppushreg
    subroutine bspf_push_reg(ident, size) bind(C, name="bspf_push_reg")
      import :: c_int
      type(*), dimension(..), target, asynchronous :: ident
      integer(c_int), value :: size
    end subroutine
    subroutine bspf_push_reg8(ident, size) bind(C, name="bspf_push_reg8")
      import :: c_int64_t
      type(*), dimension(..), target, asynchronous :: ident
      integer(c_int64_t), value :: size
    end subroutine
  end interface

  interface bsppushregister
    procedure :: bspf_push_reg, bspf_push_reg8
  end interface

  interface
    subroutine bsppopreg(ident) bind(C, name="bspf_pop_reg")
      type(*), dimension(..), target, asynchronous :: ident
    end subroutine
  end interface

  interface bsppopregister
    procedure :: bsppopreg
  end interface

  interface bspput
    subroutine bspf_put(pid, src, dst, offset, nbytes) bind(C, name="bspf_put")
      import :: c_int
      integer(c_int), value :: pid, offset, nbytes
      type(*), dimension(..), intent(in) :: src
      type(*), dimension(..), target, asynchronous :: dst
    end subroutine
    subroutine bspf_put8(pid, src, dst, offset, nbytes) bind(C, name="bspf_put8")
      import :: c_int, c_int64_t
      integer(c_int), value :: pid
      type(*), dimension(..), intent(in) :: src
      type(*), dimension(..), target, asynchronous :: dst
      integer(c_int64_t), value :: offset, nbytes
    end subroutine
  end interface

  interface bsphpput
    subroutine bspf_hpput(pid, src, dst, offset, nbytes) bind(C, name="bspf_hpput")
      import :: c_int
      integer(c_int), value :: pid, offset, nbytes
      type(*), dimension(..), target, asynchronous :: src, dst
    end subroutine
    subroutine bspf_hpput8(pid, src, dst, offset, nbytes) bind(C, name="bspf_hpput8")
      import :: c_int, c_int64_t
      integer(c_int), value :: pid
      type(*), dimension(..), target, asynchronous :: src, dst
      integer(c_int64_t), value :: offset, nbytes
    end subroutine
  end interface

  interface bspget
    subroutine bspf_get(pid, src, offset, dst, nbytes) bind(C, name="bspf_get")
      import :: c_int
      integer(c_int), value :: pid, offset, nbytes
      type(*), dimension(..), target, asynchronous :: src, dst
    end subroutine
    subroutine bspf_get8(pid, src, offset, dst, nbytes) bind(C, name="bspf_get8")
      import :: c_int, c_int64_t
      integer(c_int), value :: pid
      type(*), dimension(..), target, asynchronous :: src, dst
      integer(c_int64_t), value :: offset, nbytes
    end subroutine
  end interface

  interface bsphpget
    subroutine bspf_hpget(pid, src, offset, dst, nbytes) bind(C, name="bspf_hpget")
      import :: c_int
      integer(c_int), value :: pid, offset, nbytes
      type(*), dimension(..), target, asynchronous :: src, dst
    end subroutine
    subroutine bspf_hpget8(pid, src, offset, dst, nbytes) bind(C, name="bspf_hpget8")
      import :: c_int, c_int64_t
      integer(c_int), value :: pid
      type(*), dimension(..), target, asynchronous :: src, dst
      integer(c_int64_t), value :: offset, nbytes
    end subroutine
  end interface

  interface bspdirectget
    subroutine bspf_direct_get(pid, src, offset, dst, nbytes) bind(C, name="bspf_direct_get")
      import :: c_int
      integer(c_int), value :: pid, offset, nbytes
      type(*), dimension(..), target, asynchronous :: src, dst
    end subroutine
    subroutine bspf_direct_get8(pid, src, offset, dst, nbytes) bind(C, name="bspf_direct_get8")
      import :: c_int, c_int64_t
      integer(c_int), value :: pid
      type(*), dimension(..), target, asynchronous :: src, dst
      integer(c_int64_t), value :: offset, nbytes
    end subroutine
  end interface

  ! ---- Messages ---------------------------------------------------------------------------------

  interface bspsettagsize
    subroutine bspf_set_tagsize(tag_bytes) bind(C, name="bspf_set_tagsize")
      import :: c_int
      integer(c_int), intent(inout) :: tag_bytes
    end subroutine
    subroutine bspf_set_tagsize8(tag_bytes) bind(C, name="bspf_set_tagsize8")
      import :: c_int64_t
      integer(c_int64_t), intent(inout) :: tag_bytes
    end subroutine
  end interface

  interface bspsend
    subroutine bspf_send(pid, tag, payload, payload_bytes) bind(C, name="bspf_send")
      import :: c_int
      integer(c_int), value :: pid, payload_bytes
      type(*), dimension(..), intent(in) :: tag, payload
    end subroutine
    subroutine bspf_send8(pid, tag, payload, payload_bytes) bind(C, name="bspf_send8")
      import :: c_int, c_int64_t
      integer(c_int), value :: pid
      type(*), dimension(..), intent(in) :: tag, payload
      integer(c_int64_t), value :: payload_bytes
    end subroutine
  end interface

  interface bsphpsend
    subroutine bspf_hpsend(pid, tag, payload, payload_bytes) bind(C, name="bspf_hpsend")
      import :: c_int
      integer(c_int), value :: pid, payload_bytes
      type(*), dimension(..), target, asynchronous :: tag, payload
    end subroutine
    subroutine bspf_hpsend8(pid, tag, payload, payload_bytes) bind(C, name="bspf_hpsend8")
      import :: c_int, c_int64_t
      integer(c_int), value :: pid
      type(*), dimension(..), target, asynchronous :: tag, payload
      integer(c_int64_t), value :: payload_bytes
    end subroutine
  end interface

  interface bspqsize
    subroutine bspf_qsize(packets, accum_nbytes) bind(C, name="bspf_qsize")
      import :: c_int
      integer(c_int), intent(out) :: packets, accum_nbytes
    end subroutine
    subroutine bspf_qsize8(packets, accum_nbytes) bind(C, name="bspf_qsize8")
      import :: c_int, c_int64_t
      integer(c_int), intent(out) :: packets
      integer(c_int64_t), intent(out) :: accum_nbytes
    end subroutine
  end interface

  interface bspgettag
    subroutine bspf_get_tag(status, tag) bind(C, name="bspf_get_tag")
      import :: c_int
      integer(c_int), intent(out) :: status
      type(*), dimension(..), target, asynchronous :: tag
    end subroutine
    subroutine bspf_get_tag8(status, tag) bind(C, name="bspf_get_tag8")
      import :: c_int64_t
      integer(c_int64_t), intent(out) :: status
      type(*), dimension(..), target, asynchronous :: tag
    end subroutine
  end interface

  interface bspmove
    subroutine bspf_move(payload, reception_nbytes) bind(C, name="bspf_move")
      import :: c_int
      type(*), dimension(..), target, asynchronous :: payload
      integer(c_int), value :: reception_nbytes
    end subroutine
    subroutine bspf_move8(payload, reception_nbytes) bind(C, name="bspf_move8")
      import :: c_int64_t
      type(*), dimension(..), target, asynchronous :: payload
      integer(c_int64_t), value :: reception_nbytes
    end subroutine
  end interface

  ! ---- Relaxed barriers -------------------------------------------------------------------------

  interface
    subroutine bspsetsync(mode, previous) bind(C, name="bspf_set_sync")
      import :: c_int
      integer(c_int), value :: mode
      integer(c_int), intent(out), optional :: previous
    end subroutine
  end interface

  interface
    subroutine bspread(area, n) bind(C, name="bspf_read")
      import :: c_int
      type(*), dimension(..), target, asynchronous :: area
      integer(c_int), value :: n
    end subroutine
  end interface

  interface
    function bspreadtest(area, n) result(answer) bind(C, name="bspf_read_test")
      import :: c_int
      type(*), dimension(..), target, asynchronous :: area
      integer(c_int), value :: n
      logical :: answer
    end function
  end interface

  interface
    subroutine bspserve(area, n) bind(C, name="bspf_serve")
      import :: c_int
      type(*), dimension(..), target, asynchronous :: area
      integer(c_int), value :: n
    end subroutine
  end interface

  interface
    subroutine bspexpect(n) bind(C, name="bspf_expect")
      import :: c_int
      integer(c_int), value :: n
    end subroutine
  end interface

  ! ---- Only with neighbours ---------------------------------------------------------------------

  interface
    subroutine bspsetneighbors(n, pids) bind(C, name="bspf_set_neighbors")
      import :: c_int
      integer(c_int), value :: n
      integer(c_int), intent(in), optional :: pids(*)
    end subroutine
  end interface

  ! ---- Sections ----------------------------------------------------------------------------------

  ! The name is a character variable or literal; blanks at its end are left out.
  interface
    subroutine bspsection(name) bind(C, name="bspf_section")
      type(*), dimension(..), intent(in) :: name
    end subroutine
  end interface

  interface
    subroutine bspsectionend(name) bind(C, name="bspf_section_end")
      type(*), dimension(..), intent(in) :: name
    end subroutine
  end interface

  ! ---- BSP parameters of this machine ------------------------------------------------------------

  interface
    function bsps() result(answer) bind(C, name="bspf_s")
      import :: c_double
      real(c_double) :: answer
    end function
  end interface

  interface
    function bspl() result(answer) bind(C, name="bspf_l")
      import :: c_double
      real(c_double) :: answer
    end function
  end interface

  interface
    function bspg() result(answer) bind(C, name="bspf_g")
      import :: c_double
      real(c_double) :: answer
    end function
  end interface

  interface
    function bspnhalf() result(answer) bind(C, name="bspf_nhalf")
      import :: c_int
      integer(c_int) :: answer
    end function
  end interface

end module bsp
