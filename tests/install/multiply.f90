! multiply.f90 -- multiply.c in Fortran: multiplies with the installed library and checks y.
program multiply
  use tulle
  implicit none
  type(tulle_matrix) :: a
  type(tulle_plan) :: p
  double precision :: y(3) = [1, 2, 3]

  call tulle_matrix_from_csr(a, 4, [1, 3, 3, 6], [1, 4, 2, 3, 4], [1d0, 2d0, 3d0, 4d0, 5d0])
  call tulle_plan_create(p, a)
  call tulle_mul(p, 1d0, [1d0, 10d0, 100d0, 1000d0], -1d0, y)
  print "(a, 3(1x, i0))", "y =", int(y)
  call tulle_destroy(p)
  call tulle_destroy(a)
  if (any(int(y) /= [2000, -2, 5427])) error stop "y is wrong"
end program
