! SPDX-License-Identifier: BSD-3-Clause
! cg.f90 - conjugate gradients in Fortran: the Laplace equation on a square, classic or relaxed.
!
!	bspfc -O2 -o cg-fortran cg.f90
!	bsprun -n 4 ./cg-fortran [-r] [N]	N x N points (200); -r: relaxed supersteps
!
! The same program as cg.c, and the same numbers. Each process has some columns of the square, as
! arrays lie by columns here.
program cg
  use bsp
  implicit none
  integer, parameter :: real8 = kind(1d0)
  integer :: n, columns, first
  logical :: relaxed, has_left, has_right
  ! Columns of the neighbours; 0 at the edges of the square. Others write to them.
  real(real8), allocatable, asynchronous :: before(:), behind(:)

  call bspbegin(bspnprocs())
  call get_arguments()
  if (n < bspnprocs() .or. n > 10000) &
    call bspabort("usage: cg-fortran [-r] [N], with N from the number of processes to 10000")
  call divide()
  call run()
  call bspend()

contains

  subroutine get_arguments()
    character(16) :: word
    integer :: count, failed

    count = command_argument_count()
    relaxed = .false.
    n = 200
    if (count < 1) return
    call get_command_argument(1, word)
    relaxed = word == "-r"
    if (relaxed .and. count > 1) call get_command_argument(2, word)
    if (relaxed .and. count == 1) return
    read (word, *, iostat=failed) n
    if (failed /= 0) n = 0
  end subroutine

  subroutine divide()
    integer :: p, me

    p = bspnprocs()
    me = bsppid()
    first = int(int(n, 8) * me / p)
    columns = int(int(n, 8) * (me + 1) / p) - first
    has_left = me > 0
    has_right = me < p - 1
    allocate (before(n), behind(n), source=0d0)
    call bsppushreg(before, n * BSPDOUBLE)
    call bsppushreg(behind, n * BSPDOUBLE)
    call bspsync()
    call bspsetsync(merge(BSP_RELAXED, BSP_CLASSIC, relaxed))
  end subroutine

  real(real8) function dot(a, b)
    real(real8), intent(in) :: a(n, columns), b(n, columns)
    integer :: i, j

    dot = 0
    do j = 1, columns
      do i = 1, n
        dot = dot + a(i, j) * b(i, j)
      end do
    end do
    dot = f77_bsp_sumD(dot)
  end function

  ! Each process gets the last column of the process before it, and the first of that behind it.
  subroutine exchange_columns(p)
    real(real8), intent(in) :: p(n, columns)

    if (has_left) call bspput(bsppid() - 1, p(:, 1), behind, 0, n * BSPDOUBLE)
    if (has_right) call bspput(bsppid() + 1, p(:, columns), before, 0, n * BSPDOUBLE)
    call bspsync()
    call bspread(before, merge(1, 0, has_left))     ! relaxed: wait for these puts alone
    call bspread(behind, merge(1, 0, has_right))
  end subroutine

  ! q = A p: four times each point, less its four neighbours
  subroutine multiply(p, q)
    real(real8), intent(in) :: p(n, columns)
    real(real8), intent(out) :: q(n, columns)
    integer :: j

    call exchange_columns(p)
    do j = 1, columns
      if (j > 1 .and. j < columns) then
        call column(p(:, j - 1), p(:, j), p(:, j + 1), q(:, j))
      else if (j > 1) then
        call column(p(:, j - 1), p(:, j), behind, q(:, j))
      else if (j < columns) then
        call column(before, p(:, j), p(:, j + 1), q(:, j))
      else
        call column(before, p(:, j), behind, q(:, j))
      end if
    end do
  end subroutine

  subroutine column(left, middle, right, q)
    real(real8), intent(in) :: left(n), middle(n), right(n)
    real(real8), intent(out) :: q(n)

    q = 4 * middle - left - right
    q(2:) = q(2:) - middle(:n - 1)
    q(:n - 1) = q(:n - 1) - middle(2:)
  end subroutine

  ! Solves A x = r, from x = 0.
  subroutine solve(x, r, iteration)
    real(real8), intent(inout) :: x(n, columns), r(n, columns)
    integer, intent(out) :: iteration
    real(real8), allocatable :: p(:, :), q(:, :)
    real(real8) :: rr, least, last, alpha

    allocate (p(n, columns), q(n, columns))
    p = r
    rr = dot(r, r)
    least = 1d-20 * rr
    iteration = 0
    do while (rr > least .and. iteration < 10 * n)
      last = rr
      call multiply(p, q)
      alpha = rr / dot(p, q)
      x = x + alpha * p
      r = r - alpha * q
      rr = dot(r, r)
      p = r + rr / last * p
      iteration = iteration + 1
    end do
  end subroutine

  subroutine run()
    real(real8), allocatable :: x(:, :), b(:, :), known(:, :)
    real(real8) :: error, begin
    integer :: i, j, iterations

    allocate (x(n, columns), b(n, columns), known(n, columns))
    do j = 1, columns
      do i = 1, n
        known(i, j) = 1 + modulo(7 * (first + j - 1) + 3 * (i - 1), 11)
      end do
    end do
    call multiply(known, b)
    x = 0
    begin = bsptime()
    call solve(x, b, iterations)
    begin = f77_bsp_maxD(bsptime() - begin)
    error = f77_bsp_maxD(maxval(abs(x - known)))
    if (.not. error < 1d-6) call bspabort("the solution is wrong")
    if (bsppid() == 0) print '(a, i0, a, i0, a, i0, a, f7.3, a)', "cg: ", n, " x ", n, &
      " points, ", iterations, " iterations, solution verified;", begin, " s"
  end subroutine
end program cg
