! cg.f90 -- conjugate gradients in Fortran: heat in a plate whose edges are kept at zero.
program cg
  use, intrinsic :: iso_fortran_env, only: real64
  use tulle
  implicit none
  integer, parameter :: side = 60, n = side * side
  integer :: row_ptr(n + 1), col(5 * n), nnz, iterations
  real(real64) :: val(5 * n), b(n), x(n), r(n), residual
  type(tulle_matrix) :: a
  type(tulle_plan) :: p

  call assemble()
  call tulle_matrix_from_csr(a, n, row_ptr, col(:nnz), val(:nnz))
  call tulle_plan_create(p, a, tulle_plan_options(multiplies=200))
  call tulle_destroy(a) ! the plan has what it needs
  b = 1
  x = 0
  call solve()
  call tulle_mul_add(p, -1d0, x, 1d0, b, r) ! r = b - A x
  residual = norm2(r) / norm2(b)
  print "(2a, i0, a, es8.1)", tulle_plan_format(p), ": ", iterations, " iterations, residual", residual
  call tulle_destroy(p)
  if (.not. residual < 1e-9_real64) error stop "the residual is too large"

contains

  ! The five-point stencil on a grid of side x side; indices begin at 1.
  subroutine assemble()
    integer :: i, row, column

    nnz = 0
    row_ptr(1) = 1
    do i = 1, n
      row = (i - 1) / side
      column = mod(i - 1, side)
      if (row > 0) call add(i - side, -1d0)
      if (column > 0) call add(i - 1, -1d0)
      call add(i, 4d0)
      if (column < side - 1) call add(i + 1, -1d0)
      if (row < side - 1) call add(i + side, -1d0)
      row_ptr(i + 1) = nnz + 1
    end do
  end subroutine

  subroutine add(j, v)
    integer, intent(in) :: j
    real(real64), intent(in) :: v

    nnz = nnz + 1
    col(nnz) = j
    val(nnz) = v
  end subroutine

  ! Solve A x = b, beginning with the x that is given.
  subroutine solve()
    real(real64) :: d(n), q(n), rr, old, alpha, stop_at

    call tulle_mul_add(p, -1d0, x, 1d0, b, r)
    d = r
    rr = dot_product(r, r)
    stop_at = 1e-20_real64 * dot_product(b, b)
    iterations = 0
    do while (rr > stop_at .and. iterations < n)
      call tulle_mul(p, 1d0, d, 0d0, q)
      alpha = rr / dot_product(d, q)
      x = x + alpha * d
      r = r - alpha * q
      old = rr
      rr = dot_product(r, r)
      d = r + rr / old * d
      iterations = iterations + 1
    end do
  end subroutine

end program
