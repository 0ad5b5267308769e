! SPDX-License-Identifier: BSD-3-Clause
! collectives.f90 - collective operations of module bsp, blocking and nonblocking.
module operators
  implicit none
contains
  ! The second of the two, which is no commutative operator.
  subroutine later(answer, left, right, nbytes)
    integer, intent(in) :: nbytes
    integer, intent(out) :: answer(nbytes / 4)
    integer, intent(in) :: left(nbytes / 4), right(nbytes / 4)

    answer = max(right, merge(left, right, .false.))
  end subroutine

  integer function greater(left, right, nbytes)
    integer, intent(in) :: left, right, nbytes

    greater = merge(1, 0, left > right .and. nbytes == 4)
  end function
end module

program collectives
  use bsp
  use operators
  use, intrinsic :: iso_c_binding, only: c_funloc, c_long, c_size_t
  implicit none
  integer :: me, p, i

  call bspbegin(bspnprocs())
  me = bsppid()
  p = bspnprocs()
  call blocks()
  call folds()
  call lengths()
  call nonblocking()
  call numbers()
  call own_operators()
  call bspend()

contains

  subroutine check(is_right, what)
    logical, intent(in) :: is_right
    character(*), intent(in) :: what

    if (.not. is_right) call bspabort(what // " is wrong")
  end subroutine

  subroutine passed(what)
    character(*), intent(in) :: what

    if (me == 0) print '(a)', "ok " // what
  end subroutine

  subroutine blocks()
    integer, asynchronous :: all(0:p - 1), mine, ours(0:p - 1)

    mine = merge(42, -1, me == 1)
    call bspbcast(1, mine, mine, 4)
    call check(mine == 42, "bspbcast")
    mine = 10 * me
    all = -1
    call bspgather(0, mine, all, 4)
    if (me == 0) call check(sum(all) == 5 * p * (p - 1), "bspgather")
    call bspscatter(0, all, mine, 4)
    call check(mine == 10 * me, "bspscatter")
    call bspallgather(mine, all, 4_8)
    call check(count(all == [(10 * i, i = 0, p - 1)]) == p, "bspallgather")
    all = [(100 * me + i, i = 0, p - 1)]
    call bspexchange(all, ours, 4)
    call check(count(ours == [(100 * i + me, i = 0, p - 1)]) == p, "bspexchange")
    call bspneighborexchange(2, [modulo(me - 1, p), modulo(me + 1, p)], [me, me], ours, 4)
    call check(ours(0) == modulo(me - 1, p) .and. ours(1) == modulo(me + 1, p), "neighbours")
    call passed("blocks")
  end subroutine

  subroutine folds()
    real(8), asynchronous :: x(2), total(2)
    integer(8), asynchronous :: greatest
    integer, asynchronous :: part(p), one

    x = [1d0, me + 0d0]
    call bspreduce(0, BSP_SUM, BSP_DOUBLE, x, total, 2)
    if (me == 0) call check(total(1) == p .and. total(2) == p * (p - 1) / 2, "bspreduce")
    call bspallreduce(BSP_MAX, BSP_INT64, int(me, 8), greatest, 1)
    call check(greatest == p - 1, "bspallreduce")
    call bspprefix(BSP_SUM, BSP_DOUBLE, x, total, 2_8)
    call check(total(1) == me + 1, "bspprefix")
    part = me
    call bspreducescatter(BSP_SUM, BSP_INT32, part, one, [(1_c_size_t, i = 1, p)])
    call check(one == p * (p - 1) / 2, "bspreducescatter")
    call passed("folds")
  end subroutine

  ! Process i has i + 1 numbers.
  subroutine lengths()
    integer(c_size_t) :: sizes(0:p - 1), offsets(0:p - 1), fours(0:p - 1)
    integer, asynchronous :: mine(me + 1), all(p * (p + 1) / 2), gaps(p * p), ours(p), theirs(p)

    sizes = [(4 * (i + 1), i = 0, p - 1)]
    fours = 4
    offsets = [(4 * p * i, i = 0, p - 1)]
    mine = me
    call bspallgatherv(mine, sizes(me), all, sizes)
    call check(sum(all) == sum([(i * (i + 1), i = 0, p - 1)]), "bspallgatherv")
    gaps = -1
    call bspgatherv(0, mine, sizes(me), gaps, sizes, offsets)
    if (me == 0) call check(count(gaps == p - 1) == p .and. gaps(p + 1) == 1, "bspgatherv")
    mine = -1
    call bspscatterv(0, gaps, sizes, offsets, mine, sizes(me))
    call check(count(mine == me) == me + 1, "bspscatterv")
    ours = me
    call bspexchangev(ours, fours, dst=theirs, rsizes=fours)
    call check(count(theirs == [(i, i = 0, p - 1)]) == p, "bspexchangev")
    call passed("lengths")
  end subroutine

  subroutine nonblocking()
    integer(c_long) :: request, other
    integer, asynchronous :: mine, all(0:p - 1)
    real, asynchronous :: x, total

    mine = me
    x = 0.5
    request = bspiallgather(mine, all, 4)
    other = bspiallreduce(BSP_SUM, BSP_FLOAT, x, total, 1)
    call bspwait(other)
    do while (.not. bsptest(request))
    end do
    call check(request == BSP_NO_REQUEST .and. other == BSP_NO_REQUEST, "a request that is done")
    call check(total == 0.5 * p .and. count(all == [(i, i = 0, p - 1)]) == p, "what was waited for")
    call passed("nonblocking")
  end subroutine

  subroutine numbers()
    call check(f77_bsp_sumI(me) == p * (p - 1) / 2, "f77_bsp_sumI")
    call check(f77_bsp_maxR(real(me)) == p - 1, "f77_bsp_maxR")
    call check(f77_bsp_minD(me + 0.25d0) == 0.25d0, "f77_bsp_minD")
    call check(f77_bsp_productI_prefix(2) == 2**(me + 1), "f77_bsp_productI_prefix")
    call check(f77_bsp_all(1) == 1 .and. f77_bsp_any(me) == 1, "f77_bsp_all")
    call check(f77_bsp_constantI(7) == 1 .and. f77_bsp_constantI(me) == 0, "f77_bsp_constantI")
    call check(f77_bsp_sortI(p - 1 - me) == me .and. f77_bsp_sortR(-me * 1.0) == me - p + 1, &
      "f77_bsp_sortI")
    call check(f77_bsp_sortD(-0.5d0 * me) == 0.5d0 * (me - p + 1), "f77_bsp_sortD")
    call check(f77_bsp_sortC(achar(iachar("z") - me)) == achar(iachar("z") - p + 1 + me), &
      "f77_bsp_sortC")
    call passed("numbers")
  end subroutine

  subroutine own_operators()
    integer, asynchronous :: x(2), y(2), z(2)
    integer(c_long) :: folded, scanned

    x = [me, -me]
    call bspfold(later, x, y, 8)
    call check(y(1) == p - 1 .and. y(2) == 1 - p, "bspfold")
    call bspscan(later, x, y, 8)
    call check(y(1) == me, "bspscan")
    folded = bspifold(c_funloc(later), x, y, 8)
    scanned = bspiscan(c_funloc(later), x, z, 8)
    call bspwait(scanned)
    call bspwait(folded)
    call check(y(1) == p - 1 .and. y(2) == 1 - p, "bspifold")
    call check(z(1) == me .and. z(2) == -me, "bspiscan")
    x(1) = me
    call bspsort(greater, x, y, 4)
    call check(y(1) == p - 1 - me, "bspsort")
    call passed("own operators")
  end subroutine
end program
