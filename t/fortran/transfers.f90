! SPDX-License-Identifier: BSD-3-Clause
! transfers.f90 - puts, gets, messages and relaxed supersteps: calls of module bsp.
module checks
  use bsp
  implicit none
contains
  subroutine check(is_right, what)
    logical, intent(in) :: is_right
    character(*), intent(in) :: what

    if (.not. is_right) call bspabort(what // " is wrong")
  end subroutine

  subroutine passed(what)
    character(*), intent(in) :: what

    if (bsppid() == 0) print '(a)', "ok " // what
  end subroutine
end module

program transfers
  use bsp
  use checks
  use, intrinsic :: iso_fortran_env, only: int64
  implicit none
  type point
    real :: x, y
    integer :: number
  end type
  integer :: me, p, left, right

  call bspbegin(bspnprocs())
  me = bsppid()
  p = bspnprocs()
  left = modulo(me - 1, p)
  right = modulo(me + 1, p)
  call scalars()
  call arrays()
  call direct()
  call messages()
  call relaxed()
  call neighbours()
  call parameters()
  call bspend()

contains

  subroutine scalars()
    integer, asynchronous :: from_left, from_right
    real(8), asynchronous :: number, fetched

    from_left = -1
    from_right = -1
    number = me + 0.5d0
    call bsppushreg(from_left, BSPINT)
    call bsppushreg(from_right, BSPINT)
    call bsppushregister(number, 8_int64)
    call bspsync()
    call bspput(right, me, from_left, 0, BSPINT)
    call bspget(right, number, 0_int64, number, 8_int64)
    call bspsync()
    call check(from_left == left, "a scalar that was put")
    call check(number == right + 0.5d0, "a scalar that was fetched")
    call bsphpput(left, me, from_right, 0, BSPINT)
    call bsphpget(left, number, 0, fetched, BSPDOUBLE)
    call bspsync()
    call check(from_right == right .and. fetched == left + 1.5d0 - merge(p, 0, left == p - 1), &
      "a transfer without buffers")
    call bsppopreg(from_left)
    call bsppopreg(from_right)
    call bsppopregister(number)
    call bspsync()
    call passed("scalars")
  end subroutine

  ! Of rank 2, a contiguous section, an element as the beginning, characters, a derived type, and
  ! an array whose last extent is not known.
  subroutine arrays()
    integer, asynchronous :: square(4, 3)
    character(8), asynchronous :: word
    type(point), asynchronous :: points(2)
    integer :: mine(4, 3), i

    square = -1
    word = "nothing"
    mine = reshape([(100 * me + i, i = 1, 12)], [4, 3])
    points = point(0, 0, 0)
    call bsppushreg(square, 48)
    call bsppushreg(word, 8)
    call bsppushreg(points, 24)
    call bspsync()
    call bspput(right, mine(:, 2:3), square, 16, 32)
    call bspput(right, mine(1, 1), square, 0, 16)
    call bspput(right, "process" // achar(48 + me), word, 0, 8)
    call bspput(right, [point(1, me, 7), point(2, me, 8)], points, 0, 24)
    call bspsync()
    call check(all(square == reshape([(100 * left + i, i = 1, 12)], [4, 3])), "an array")
    call check(word == "process" // achar(48 + left), "a word")
    call check(all(points%number == [7, 8]) .and. all(points%y == left), "a derived type")
    call put_all(mine, square)
    call bspsync()
    call check(all(square == reshape([(100 * right + i, i = 1, 12)], [4, 3])), "assumed size")
    call bsppopreg(points)
    call bsppopreg(word)
    call bsppopreg(square)
    call bspsync()
    call passed("arrays")
  end subroutine

  subroutine put_all(from, to)
    integer, intent(in) :: from(*)
    integer, asynchronous :: to(*)

    call bspput(left, from, to, 0, 48)
  end subroutine

  subroutine direct()
    integer, target :: numbers(3)
    integer, asynchronous :: fetched(2)

    numbers = [1, 2, 3] + 10 * me
    call bsppushreg(numbers, 12)
    call bspsync()
    call bspdirectget(right, numbers, 4, fetched, 8)
    call check(all(fetched == [2, 3] + 10 * right), "bspdirectget")
    call bspsync()
    call bsppopreg(numbers)
    call bspsync()
    call passed("direct")
  end subroutine

  subroutine messages()
    integer :: tag_bytes, packets, nbytes, status, i
    integer(int64) :: wide
    integer, asynchronous :: tag, payload(2)

    tag_bytes = 4
    call bspsettagsize(tag_bytes)
    call check(tag_bytes == 0, "the size of tags before")
    call bspsync()
    do i = 0, p - 1
      call bspsend(i, 7 * me, [me, i], 8)
    end do
    call bsphpsend(right, me, [integer ::], 0)
    call bspsync()
    call bspqsize(packets, nbytes)
    call check(packets == p + 1 .and. nbytes == 8 * p, "bspqsize")
    call bspqsize(packets, wide)
    call check(packets == p + 1 .and. wide == 8 * p, "bspqsize in 8 bytes")
    do i = 1, p + 1
      call bspgettag(status, tag)
      payload = -1
      call bspmove(payload, 8)
      if (status == 8) call check(tag == 7 * payload(1) .and. payload(2) == me, "a message")
      if (status == 0) call check(tag == left .and. payload(1) == -1, "an empty message")
    end do
    call bspgettag(wide, tag)
    call check(wide == -1, "the end of the queue")
    wide = 0
    call bspsettagsize(wide)
    call check(wide == 4, "the size of tags")
    call bspsync()
    call passed("messages")
  end subroutine

  subroutine relaxed()
    integer, asynchronous :: halo(2), number
    integer :: step, before

    halo = -1
    number = me
    call bsppushreg(halo, 8)
    call bsppushreg(number, 4)
    call bspsetsync(BSP_RELAXED, before)
    call check(before == BSP_CLASSIC, "how supersteps ended before")
    call bspsync()
    do step = 1, 20
      call bspput(right, [me, step], halo, 0, 8)
      call bspsync()
      call bspread(halo, 1)
      call check(bspreadtest(halo, 0), "bspreadtest")
      call check(all(halo == [left, step]), "what was put in a relaxed superstep")
    end do
    call bspserve(number, 1)
    call bspget(left, number, 0, halo, 4)
    call bspsync()
    call check(halo(1) == left, "what was served")
    call bspsend(left, 0, me, 4)
    call bspsync()
    call bspexpect(1)
    call bspmove(step, 4)
    call check(step == right, "a message that was expected")
    call bspsetsync(BSP_CLASSIC)
    call bspsync()
    call bsppopreg(halo)
    call bsppopreg(number)
    call bspsync()
    call passed("relaxed")
  end subroutine

  ! On a line, then with all again.
  subroutine neighbours()
    integer, asynchronous :: halo(0:1)
    integer :: beside(2), n

    n = 0
    if (me > 0) then
      n = n + 1
      beside(n) = me - 1
    end if
    if (me < p - 1) then
      n = n + 1
      beside(n) = me + 1
    end if
    halo = -1
    call bsppushreg(halo, 8)
    call bspsection("neighbours")
    call bspsetneighbors(n, beside)
    call bspsync()
    if (me > 0) call bspput(me - 1, me, halo, 4, BSPINT)
    if (me < p - 1) call bspput(me + 1, me, halo, 0, BSPINT)
    call bspsync()
    call check(halo(0) == me - 1, "what came from the left")
    call check(halo(1) == merge(me + 1, -1, me < p - 1), "what came from the right")
    call bspsetneighbors(BSP_ALL)
    call bspsync()
    call bspsectionend("neighbours  ")
    call bspput(p - 1 - me, me, halo, 0, BSPINT)
    call bspsync()
    call check(halo(0) == p - 1 - me, "what came from the other end")
    call bsppopreg(halo)
    call bspsync()
    call passed("neighbours")
  end subroutine

  subroutine parameters()
    call check(bsptime() > 0 .and. bspdtime() > 0 .and. bspcputime() > 0, "the time")
    call check(bsps() > 0 .and. bspl() > 0 .and. bspg() > 0 .and. bspnhalf() >= 0, "s, l and g")
    call passed("parameters")
  end subroutine
end program
