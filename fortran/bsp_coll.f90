! SPDX-License-Identifier: BSD-3-Clause
! bsp_coll.f90 - module bsp_coll, part of module bsp: collective operations, as in bsp_coll.h.

! Arrays of sizes and offsets are of integer(c_size_t), and offsets may be left out. An operation
! whose name begins with bspi is a function that returns a request for bspwait and bsptest; until
! it has completed its arrays must not be touched, and are "asynchronous" or "target".
module bsp_coll
  use, intrinsic :: iso_c_binding, only: c_char, c_double, c_float, c_funptr, c_int, c_int64_t, &
      c_long, c_size_t
  implicit none
  private :: c_char, c_double, c_float, c_funptr, c_int, c_int64_t, c_long, c_size_t

  ! Elements.
  integer(c_int), parameter :: BSP_INT8 = int(z'101'), BSP_INT16 = int(z'102')
  integer(c_int), parameter :: BSP_INT32 = int(z'103'), BSP_INT64 = int(z'104')
  integer(c_int), parameter :: BSP_FLOAT = int(z'109'), BSP_DOUBLE = int(z'10a')

  ! Operators; the last three are bitwise, for integers only.
  integer(c_int), parameter :: BSP_SUM = int(z'203'), BSP_PROD = int(z'205')
  integer(c_int), parameter :: BSP_MAX = int(z'207'), BSP_MIN = int(z'208')
  integer(c_int), parameter :: BSP_AND = int(z'209'), BSP_OR = int(z'20a')
  integer(c_int), parameter :: BSP_XOR = int(z'20b')

  integer(c_long), parameter :: BSP_NO_REQUEST = 0

  ! ---- Blocking ---------------------------------------------------------------------------------

  interface bspbcast
    subroutine bspf_bcast(pid, src, dst, nbytes) bind(C, name="bspf_bcast")
      import :: c_int
      integer(c_int), value :: pid, nbytes
      type(*), dimension(..), target, asynchronous :: src, dst
    end subroutine
    subroutine bspf_bcast8(pid, src, dst, nbytes) bind(C, name="bspf_bcast8")
      import :: c_int, c_int64_t
      integer(c_int), value :: pid
      type(*), dimension(..), target, asynchronous :: src, dst
      integer(c_int64_t), value :: nbytes
    end subroutine
  end interface

  interface bspgather
    subroutine bspf_gather(pid, src, dst, nbytes) bind(C, name="bspf_gather")
      import :: c_int
      integer(c_int), value :: pid, nbytes
      type(*), dimension(..), target, asynchronous :: src, dst
    end subroutine
    subroutine bspf_gather8(pid, src, dst, nbytes) bind(C, name="bspf_gather8")
      import :: c_int, c_int64_t
      integer(c_int), value :: pid
      type(*), dimension(..), target, asynchronous :: src, dst
      integer(c_int64_t), value :: nbytes
    end subroutine
  end interface

  interface bspscatter
    subroutine bspf_scatter(pid, src, dst, nbytes) bind(C, name="bspf_scatter")
      import :: c_int
      integer(c_int), value :: pid, nbytes
      type(*), dimension(..), target, asynchronous :: src, dst
    end subroutine
    subroutine bspf_scatter8(pid, src, dst, nbytes) bind(C, name="bspf_scatter8")
      import :: c_int, c_int64_t
      integer(c_int), value :: pid
      type(*), dimension(..), target, asynchronous :: src, dst
      integer(c_int64_t), value :: nbytes
    end subroutine
  end interface

  interface bspallgather
    subroutine bspf_allgather(src, dst, nbytes) bind(C, name="bspf_allgather")
      import :: c_int
      type(*), dimension(..), target, asynchronous :: src, dst
      integer(c_int), value :: nbytes
    end subroutine
    subroutine bspf_allgather8(src, dst, nbytes) bind(C, name="bspf_allgather8")
      import :: c_int64_t
      type(*), dimension(..), target, asynchronous :: src, dst
      integer(c_int64_t), value :: nbytes
    end subroutine
  end interface

  interface bspexchange
    subroutine bspf_exchange(src, dst, nbytes) bind(C, name="bspf_exchange")
      import :: c_int
      type(*), dimension(..), target, asynchronous :: src, dst
      integer(c_int), value :: nbytes
    end subroutine
    subroutine bspf_exchange8(src, dst, nbytes) bind(C, name="bspf_exchange8")
      import :: c_int64_t
      type(*), dimension(..), target, asynchronous :: src, dst
      integer(c_int64_t), value :: nbytes
    end subroutine
  end interface

  interface bspreduce
    subroutine bspf_reduce(pid, op, type, src, dst, n) bind(C, name="bspf_reduce")
      import :: c_int
      integer(c_int), value :: pid, op, type, n
      type(*), dimension(..), target, asynchronous :: src, dst
    end subroutine
    subroutine bspf_reduce8(pid, op, type, src, dst, n) bind(C, name="bspf_reduce8")
      import :: c_int, c_int64_t
      integer(c_int), value :: pid, op, type
      type(*), dimension(..), target, asynchronous :: src, dst
      integer(c_int64_t), value :: n
    end subroutine
  end interface

  interface bspallreduce
    subroutine bspf_allreduce(op, type, src, dst, n) bind(C, name="bspf_allreduce")
      import :: c_int
      integer(c_int), value :: op, type, n
      type(*), dimension(..), target, asynchronous :: src, dst
    end subroutine
    subroutine bspf_allreduce8(op, type, src, dst, n) bind(C, name="bspf_allreduce8")
      import :: c_int, c_int64_t
      integer(c_int), value :: op, type
      type(*), dimension(..), target, asynchronous :: src, dst
      integer(c_int64_t), value :: n
    end subroutine
  end interface

  interface bspprefix
    subroutine bspf_prefix(op, type, src, dst, n) bind(C, name="bspf_prefix")
      import :: c_int
      integer(c_int), value :: op, type, n
      type(*), dimension(..), target, asynchronous :: src, dst
    end subroutine
    subroutine bspf_prefix8(op, type, src, dst, n) bind(C, name="bspf_prefix8")
      import :: c_int, c_int64_t
      integer(c_int), value :: op, type
      type(*), dimension(..), target, asynchronous :: src, dst
      integer(c_int64_t), value :: n
    end subroutine
  end interface

  interface
    subroutine bspgatherv(pid, src, nbytes, dst, sizes, offsets) bind(C, name="bspf_gatherv")
      import :: c_int, c_size_t
      integer(c_int), value :: pid
      type(*), dimension(..), target, asynchronous :: src, dst
      integer(c_size_t), value :: nbytes
      integer(c_size_t), intent(in) :: sizes(*)
      integer(c_size_t), intent(in), optional :: offsets(*)
    end subroutine
  end interface

  interface
    subroutine bspscatterv(pid, src, sizes, offsets, dst, nbytes) bind(C, name="bspf_scatterv")
      import :: c_int, c_size_t
      integer(c_int), value :: pid
      type(*), dimension(..), target, asynchronous :: src, dst
      integer(c_size_t), intent(in) :: sizes(*)
      integer(c_size_t), intent(in), optional :: offsets(*)
      integer(c_size_t), value :: nbytes
    end subroutine
  end interface

  interface
    subroutine bspallgatherv(src, nbytes, dst, sizes, offsets) bind(C, name="bspf_allgatherv")
      import :: c_size_t
      type(*), dimension(..), target, asynchronous :: src, dst
      integer(c_size_t), value :: nbytes
      integer(c_size_t), intent(in) :: sizes(*)
      integer(c_size_t), intent(in), optional :: offsets(*)
    end subroutine
  end interface

  interface
    subroutine bspexchangev(src, ssizes, soffsets, dst, rsizes, roffsets) bind(C, &
        name="bspf_exchangev")
      import :: c_size_t
      type(*), dimension(..), target, asynchronous :: src, dst
      integer(c_size_t), intent(in) :: ssizes(*), rsizes(*)
      integer(c_size_t), intent(in), optional :: soffsets(*), roffsets(*)
    end subroutine
  end interface

  interface
    subroutine bspreducescatter(op, type, src, dst, counts) bind(C, name="bspf_reduce_scatter")
      import :: c_int, c_size_t
      integer(c_int), value :: op, type
      type(*), dimension(..), target, asynchronous :: src, dst
      integer(c_size_t), intent(in) :: counts(*)
    end subroutine
  end interface

  interface bspneighborexchange
    subroutine bspf_neighbor_exchange(n, pids, src, dst, nbytes) bind(C, &
        name="bspf_neighbor_exchange")
      import :: c_int
      integer(c_int), value :: n, nbytes
      integer(c_int), intent(in) :: pids(*)
      type(*), dimension(..), target, asynchronous :: src, dst
    end subroutine
    subroutine bspf_neighbor_exchange8(n, pids, src, dst, nbytes) bind(C, &
        name="bspf_neighbor_exchange8")
      import :: c_int, c_int64_t
      integer(c_int), value :: n
      integer(c_int), intent(in) :: pids(*)
      type(*), dimension(..), target, asynchronous :: src, dst
      integer(c_int64_t), value :: nbytes
    end subroutine
  end interface

  ! ---- Operators of the program ------------------------------------------------------------------

  ! op(result, left, right, nbytes) is a subroutine; less(left, right, nbytes) an integer function.
  interface
    subroutine bspfold(op, src, dst, nbytes)
      external :: op
      type(*), dimension(*), target, asynchronous :: src, dst
      integer :: nbytes
    end subroutine
    subroutine bspscan(op, src, dst, nbytes)
      external :: op
      type(*), dimension(*), target, asynchronous :: src, dst
      integer :: nbytes
    end subroutine
    subroutine bspsort(less, src, dst, nbytes)
      integer, external :: less
      type(*), dimension(*), target, asynchronous :: src, dst
      integer :: nbytes
    end subroutine
  end interface

  ! For these op is c_funloc(op): a procedure as an argument cannot stand beside an array of any
  ! rank, and an array of assumed size would be a copy that is gone when the call returns.
  interface
    function bspifold(op, src, dst, nbytes) result(answer) bind(C, name="bspf_ifold")
      import :: c_funptr, c_int, c_long
      type(c_funptr), value :: op
      type(*), dimension(..), target, asynchronous :: src, dst
      integer(c_int), value :: nbytes
      integer(c_long) :: answer
    end function
    function bspiscan(op, src, dst, nbytes) result(answer) bind(C, name="bspf_iscan")
      import :: c_funptr, c_int, c_long
      type(c_funptr), value :: op
      type(*), dimension(..), target, asynchronous :: src, dst
      integer(c_int), value :: nbytes
      integer(c_long) :: answer
    end function
  end interface

  ! ---- Nonblocking ------------------------------------------------------------------------------

  interface bspibcast
    function bspf_ibcast(pid, src, dst, nbytes) result(answer) bind(C, name="bspf_ibcast")
      import :: c_int, c_long
      integer(c_int), value :: pid, nbytes
      type(*), dimension(..), target, asynchronous :: src, dst
      integer(c_long) :: answer
    end function
    function bspf_ibcast8(pid, src, dst, nbytes) result(answer) bind(C, name="bspf_ibcast8")
      import :: c_int, c_int64_t, c_long
      integer(c_int), value :: pid
      type(*), dimension(..), target, asynchronous :: src, dst
      integer(c_int64_t), value :: nbytes
      integer(c_long) :: answer
    end function
  end interface

  interface bspigather
    function bspf_igather(pid, src, dst, nbytes) result(answer) bind(C, name="bspf_igather")
      import :: c_int, c_long
      integer(c_int), value :: pid, nbytes
      type(*), dimension(..), target, asynchronous :: src, dst
      integer(c_long) :: answer
    end function
    function bspf_igather8(pid, src, dst, nbytes) result(answer) bind(C, name="bspf_igather8")
      import :: c_int, c_int64_t, c_long
      integer(c_int), value :: pid
      type(*), dimension(..), target, asynchronous :: src, dst
      integer(c_int64_t), value :: nbytes
      integer(c_long) :: answer
    end function
  end interface

  interface bspiscatter
    function bspf_iscatter(pid, src, dst, nbytes) result(answer) bind(C, name="bspf_iscatter")
      import :: c_int, c_long
      integer(c_int), value :: pid, nbytes
      type(*), dimension(..), target, asynchronous :: src, dst
      integer(c_long) :: answer
    end function
    function bspf_iscatter8(pid, src, dst, nbytes) result(answer) bind(C, name="bspf_iscatter8")
      import :: c_int, c_int64_t, c_long
      integer(c_int), value :: pid
      type(*), dimension(..), target, asynchronous :: src, dst
      integer(c_int64_t), value :: nbytes
      integer(c_long) :: answer
    end function
  end interface

  interface bspiallgather
    function bspf_iallgather(src, dst, nbytes) result(answer) bind(C, name="bspf_iallgather")
      import :: c_int, c_long
      type(*), dimension(..), target, asynchronous :: src, dst
      integer(c_int), value :: nbytes
      integer(c_long) :: answer
    end function
    function bspf_iallgather8(src, dst, nbytes) result(answer) bind(C, name="bspf_iallgather8")
      import :: c_int64_t, c_long
      type(*), dimension(..), target, asynchronous :: src, dst
      integer(c_int64_t), value :: nbytes
      integer(c_long) :: answer
    end function
  end interface

  interface bspiexchange
    function bspf_iexchange(src, dst, nbytes) result(answer) bind(C, name="bspf_iexchange")
      import :: c_int, c_long
      type(*), dimension(..), target, asynchronous :: src, dst
      integer(c_int), value :: nbytes
      integer(c_long) :: answer
    end function
    function bspf_iexchange8(src, dst, nbytes) result(answer) bind(C, name="bspf_iexchange8")
      import :: c_int64_t, c_long
      type(*), dimension(..), target, asynchronous :: src, dst
      integer(c_int64_t), value :: nbytes
      integer(c_long) :: answer
    end function
  end interface

  interface bspireduce
    function bspf_ireduce(pid, op, type, src, dst, n) result(answer) bind(C, name="bspf_ireduce")
      import :: c_int, c_long
      integer(c_int), value :: pid, op, type, n
      type(*), dimension(..), target, asynchronous :: src, dst
      integer(c_long) :: answer
    end function
    function bspf_ireduce8(pid, op, type, src, dst, n) result(answer) bind(C, &
        name="bspf_ireduce8")
      import :: c_int, c_int64_t, c_long
      integer(c_int), value :: pid, op, type
      type(*), dimension(..), target, asynchronous :: src, dst
      integer(c_int64_t), value :: n
      integer(c_long) :: answer
    end function
  end interface

  interface bspiallreduce
    function bspf_iallreduce(op, type, src, dst, n) result(answer) bind(C, name="bspf_iallreduce")
      import :: c_int, c_long
      integer(c_int), value :: op, type, n
      type(*), dimension(..), target, asynchronous :: src, dst
      integer(c_long) :: answer
    end function
    function bspf_iallreduce8(op, type, src, dst, n) result(answer) bind(C, &
        name="bspf_iallreduce8")
      import :: c_int, c_int64_t, c_long
      integer(c_int), value :: op, type
      type(*), dimension(..), target, asynchronous :: src, dst
      integer(c_int64_t), value :: n
      integer(c_long) :: answer
    end function
  end interface

  interface bspiprefix
    function bspf_iprefix(op, type, src, dst, n) result(answer) bind(C, name="bspf_iprefix")
      import :: c_int, c_long
      integer(c_int), value :: op, type, n
      type(*), dimension(..), target, asynchronous :: src, dst
      integer(c_long) :: answer
    end function
    function bspf_iprefix8(op, type, src, dst, n) result(answer) bind(C, name="bspf_iprefix8")
      import :: c_int, c_int64_t, c_long
      integer(c_int), value :: op, type
      type(*), dimension(..), target, asynchronous :: src, dst
      integer(c_int64_t), value :: n
      integer(c_long) :: answer
    end function
  end interface

  interface
    function bspigatherv(pid, src, nbytes, dst, sizes, offsets) result(answer) bind(C, &
        name="bspf_igatherv")
      import :: c_int, c_size_t, c_long
      integer(c_int), value :: pid
      type(*), dimension(..), target, asynchronous :: src, dst
      integer(c_size_t), value :: nbytes
      integer(c_size_t), intent(in) :: sizes(*)
      integer(c_size_t), intent(in), optional :: offsets(*)
      integer(c_long) :: answer
    end function
  end interface

  interface
    function bspiscatterv(pid, src, sizes, offsets, dst, nbytes) result(answer) bind(C, &
        name="bspf_iscatterv")
      import :: c_int, c_size_t, c_long
      integer(c_int), value :: pid
      type(*), dimension(..), target, asynchronous :: src, dst
      integer(c_size_t), intent(in) :: sizes(*)
      integer(c_size_t), intent(in), optional :: offsets(*)
      integer(c_size_t), value :: nbytes
      integer(c_long) :: answer
    end function
  end interface

  interface
    function bspiallgatherv(src, nbytes, dst, sizes, offsets) result(answer) bind(C, &
        name="bspf_iallgatherv")
      import :: c_size_t, c_long
      type(*), dimension(..), target, asynchronous :: src, dst
      integer(c_size_t), value :: nbytes
      integer(c_size_t), intent(in) :: sizes(*)
      integer(c_size_t), intent(in), optional :: offsets(*)
      integer(c_long) :: answer
    end function
  end interface

  interface
    function bspiexchangev(src, ssizes, soffsets, dst, rsizes, roffsets) result(answer) &
        bind(C, name="bspf_iexchangev")
      import :: c_size_t, c_long
      type(*), dimension(..), target, asynchronous :: src, dst
      integer(c_size_t), intent(in) :: ssizes(*), rsizes(*)
      integer(c_size_t), intent(in), optional :: soffsets(*), roffsets(*)
      integer(c_long) :: answer
    end function
  end interface

  interface
    function bspireducescatter(op, type, src, dst, counts) result(answer) bind(C, &
        name="bspf_ireduce_scatter")
      import :: c_int, c_size_t, c_long
      integer(c_int), value :: op, type
      type(*), dimension(..), target, asynchronous :: src, dst
      integer(c_size_t), intent(in) :: counts(*)
      integer(c_long) :: answer
    end function
  end interface

  interface bspineighborexchange
    function bspf_ineighbor_exchange(n, pids, src, dst, nbytes) result(answer) bind(C, &
        name="bspf_ineighbor_exchange")
      import :: c_int, c_long
      integer(c_int), value :: n, nbytes
      integer(c_int), intent(in) :: pids(*)
      type(*), dimension(..), target, asynchronous :: src, dst
      integer(c_long) :: answer
    end function
    function bspf_ineighbor_exchange8(n, pids, src, dst, nbytes) result(answer) bind(C, &
        name="bspf_ineighbor_exchange8")
      import :: c_int, c_int64_t, c_long
      integer(c_int), value :: n
      integer(c_int), intent(in) :: pids(*)
      type(*), dimension(..), target, asynchronous :: src, dst
      integer(c_int64_t), value :: nbytes
      integer(c_long) :: answer
    end function
  end interface

  interface
    subroutine bspwait(request) bind(C, name="bspf_wait")
      import :: c_long
      integer(c_long), intent(inout) :: request
    end subroutine
  end interface

  interface
    function bsptest(request) result(answer) bind(C, name="bspf_test")
      import :: c_long
      integer(c_long), intent(inout) :: request
      logical :: answer
    end function
  end interface

  ! ---- One number of each process ---------------------------------------------------------------

  interface
    function f77_bsp_constantI(x) result(answer) bind(C, name="bspf_constantI")
      import :: c_int
      integer(c_int), value :: x
      integer(c_int) :: answer
    end function
    function f77_bsp_sortI(x) result(answer) bind(C, name="bspf_sortI")
      import :: c_int
      integer(c_int), value :: x
      integer(c_int) :: answer
    end function
    function f77_bsp_sortR(x) result(answer) bind(C, name="bspf_sortR")
      import :: c_float
      real(c_float), value :: x
      real(c_float) :: answer
    end function
    function f77_bsp_sortD(x) result(answer) bind(C, name="bspf_sortD")
      import :: c_double
      real(c_double), value :: x
      real(c_double) :: answer
    end function
    function f77_bsp_sortC(x) result(answer) bind(C, name="bspf_sortC")
      import :: c_char
      character(c_char), intent(in) :: x
      character(c_char) :: answer
    end function
  end interface

  ! Oxford's fbsp_level1.h.

  interface
    function f77_bsp_all(x) result(answer) bind(C, name="bspf_all")
      import :: c_int
      integer(c_int), value :: x
      integer(c_int) :: answer
    end function
    function f77_bsp_any(x) result(answer) bind(C, name="bspf_any")
      import :: c_int
      integer(c_int), value :: x
      integer(c_int) :: answer
    end function
    function f77_bsp_sumI(x) result(answer) bind(C, name="bspf_sumI")
      import :: c_int
      integer(c_int), value :: x
      integer(c_int) :: answer
    end function
    function f77_bsp_sumR(x) result(answer) bind(C, name="bspf_sumR")
      import :: c_float
      real(c_float), value :: x
      real(c_float) :: answer
    end function
    function f77_bsp_sumD(x) result(answer) bind(C, name="bspf_sumD")
      import :: c_double
      real(c_double), value :: x
      real(c_double) :: answer
    end function
    function f77_bsp_sumI_prefix(x) result(answer) bind(C, name="bspf_sumI_prefix")
      import :: c_int
      integer(c_int), value :: x
      integer(c_int) :: answer
    end function
    function f77_bsp_sumR_prefix(x) result(answer) bind(C, name="bspf_sumR_prefix")
      import :: c_float
      real(c_float), value :: x
      real(c_float) :: answer
    end function
    function f77_bsp_sumD_prefix(x) result(answer) bind(C, name="bspf_sumD_prefix")
      import :: c_double
      real(c_double), value :: x
      real(c_double) :: answer
    end function
    function f77_bsp_productI(x) result(answer) bind(C, name="bspf_productI")
      import :: c_int
      integer(c_int), value :: x
      integer(c_int) :: answer
    end function
    function f77_bsp_productR(x) result(answer) bind(C, name="bspf_productR")
      import :: c_float
      real(c_float), value :: x
      real(c_float) :: answer
    end function
    function f77_bsp_productD(x) result(answer) bind(C, name="bspf_productD")
      import :: c_double
      real(c_double), value :: x
      real(c_double) :: answer
    end function
    function f77_bsp_productI_prefix(x) result(answer) bind(C, name="bspf_productI_prefix")
      import :: c_int
      integer(c_int), value :: x
      integer(c_int) :: answer
    end function
    function f77_bsp_productR_prefix(x) result(answer) bind(C, name="bspf_productR_prefix")
      import :: c_float
      real(c_float), value :: x
      real(c_float) :: answer
    end function
    function f77_bsp_productD_prefix(x) result(answer) bind(C, name="bspf_productD_prefix")
      import :: c_double
      real(c_double), value :: x
      real(c_double) :: answer
    end function
    function f77_bsp_minI(x) result(answer) bind(C, name="bspf_minI")
      import :: c_int
      integer(c_int), value :: x
      integer(c_int) :: answer
    end function
    function f77_bsp_minR(x) result(answer) bind(C, name="bspf_minR")
      import :: c_float
      real(c_float), value :: x
      real(c_float) :: answer
    end function
    function f77_bsp_minD(x) result(answer) bind(C, name="bspf_minD")
      import :: c_double
      real(c_double), value :: x
      real(c_double) :: answer
    end function
    function f77_bsp_minI_prefix(x) result(answer) bind(C, name="bspf_minI_prefix")
      import :: c_int
      integer(c_int), value :: x
      integer(c_int) :: answer
    end function
    function f77_bsp_minR_prefix(x) result(answer) bind(C, name="bspf_minR_prefix")
      import :: c_float
      real(c_float), value :: x
      real(c_float) :: answer
    end function
    function f77_bsp_minD_prefix(x) result(answer) bind(C, name="bspf_minD_prefix")
      import :: c_double
      real(c_double), value :: x
      real(c_double) :: answer
    end function
    function f77_bsp_maxI(x) result(answer) bind(C, name="bspf_maxI")
      import :: c_int
      integer(c_int), value :: x
      integer(c_int) :: answer
    end function
    function f77_bsp_maxR(x) result(answer) bind(C, name="bspf_maxR")
      import :: c_float
      real(c_float), value :: x
      real(c_float) :: answer
    end function
    function f77_bsp_maxD(x) result(answer) bind(C, name="bspf_maxD")
      import :: c_double
      real(c_double), value :: x
      real(c_double) :: answer
    end function
    function f77_bsp_maxI_prefix(x) result(answer) bind(C, name="bspf_maxI_prefix")
      import :: c_int
      integer(c_int), value :: x
      integer(c_int) :: answer
    end function
    function f77_bsp_maxR_prefix(x) result(answer) bind(C, name="bspf_maxR_prefix")
      import :: c_float
      real(c_float), value :: x
      real(c_float) :: answer
    end function
    function f77_bsp_maxD_prefix(x) result(answer) bind(C, name="bspf_maxD_prefix")
      import :: c_double
      real(c_double), value :: x
      real(c_double) :: answer
    end function
  end interface
end module bsp_coll
