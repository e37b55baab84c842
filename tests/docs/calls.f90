! calls.f90 -- a program around Fortran lines of a page, which declare their matrix and plan.
module given
  implicit none
  integer :: cols = 3, row_ptr(4) = [1, 3, 4, 6], col(5) = [1, 3, 2, 1, 3]
  double precision :: val(5) = [4, 1, 3, 2, 5], x(3) = [1, 2, 3], y(3) = 0
end module

program calls
  use given
  ! BLOCK
  if (any(int(y) /= [7, 6, 17])) error stop "y is wrong"
end program
