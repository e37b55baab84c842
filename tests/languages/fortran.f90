! fortran.f90 -- the module tulle: kinds of arrays, base 0 and 1, wrong sizes, messages, new values, everything freed.
program test_fortran
  use, intrinsic :: iso_c_binding
  use tulle
  implicit none
  integer :: failures = 0
  !     1 0 0 2
  ! A = 0 0 0 0
  !     0 3 4 5
  integer(c_int32_t), target :: row32(4) = [1, 3, 3, 6], col32(5) = [1, 4, 2, 3, 4]
  integer(c_int64_t) :: row64(4), col64(5)
  real(c_float) :: val32(5) = [1, 2, 3, 4, 5], x32(4) = [1, 10, 100, 1000]
  real(c_double), target :: val64(5) = [1, 2, 3, 4, 5], x64(4) = [1, 10, 100, 1000]
  integer(c_int) :: stat
  character(len=300) :: message

  row64 = row32
  col64 = col32
  call products()
  call borrowed_from_zero()
  call transposed_and_updated()
  call errors()
  call lifetime()
  print "(i0, a)", failures, " failures"
  if (failures > 0) error stop 1

contains

  subroutine expect(right, what)
    logical, intent(in) :: right
    character(len=*), intent(in) :: what

    if (right) return
    print "(2a)", "FAILED: ", what
    failures = failures + 1
  end subroutine

  subroutine expect_error(status, text)
    integer(c_int), intent(in) :: status
    character(len=*), intent(in) :: text

    call expect(stat == status, "status of: " // text)
    call expect(index(message, text) > 0, '"' // text // '" is not in "' // trim(message) // '"')
    stat = 77
  end subroutine

  subroutine check_f32(a)
    type(tulle_matrix), intent(inout) :: a
    type(tulle_plan) :: p
    real(c_float) :: y(3), xs(4, 2), ys(3, 2)

    call tulle_plan_create(p, a)
    y = [1, 2, 3]
    call tulle_mul(p, 1.0, x32, -1.0, y)
    call expect(all(y == [2000, -2, 5427]), "mul, f32")
    call tulle_mul_add(p, 2.0, x32, 1.0, [1.0, 2.0, 3.0], y)
    call expect(all(y == [4003, 2, 10863]), "mul_add, f32")
    xs(:, 1) = x32
    xs(:, 2) = 1
    ys = 0
    call tulle_mul(p, 1.0, xs, 0.0, ys)
    call expect(all(ys == reshape([2001, 0, 5430, 3, 0, 12], [3, 2])), "several vectors, f32")
    call tulle_destroy(p)
    call tulle_destroy(a)
  end subroutine

  subroutine check_f64(a)
    type(tulle_matrix), intent(inout) :: a
    type(tulle_plan) :: p
    real(c_double) :: y(3), xs(4, 2), ys(3, 2), apart(2, 4)

    call tulle_plan_create(p, a, tulle_plan_options(format="csr"))
    call expect(tulle_plan_format(p) == "csr", "the format that is named")
    y = [1, 2, 3]
    call tulle_mul(p, 1d0, x64, -1d0, y)
    call expect(all(y == [2000, -2, 5427]), "mul, f64")
    apart(1, :) = 0
    apart(2, :) = x64
    call tulle_mul_add(p, 2d0, apart(2, :), 1d0, [1d0, 2d0, 3d0], y)
    call expect(all(y == [4003, 2, 10863]), "mul_add, f64, x with gaps")
    xs(:, 1) = x64
    xs(:, 2) = 1
    ys = 0
    call tulle_mul(p, 1d0, xs, 0d0, ys)
    call expect(all(ys == reshape([2001, 0, 5430, 3, 0, 12], [3, 2])), "several vectors, f64")
    call expect(index(tulle_plan_explain(p), "y = A x with csr") == 1, "explanation")
    call expect(index(tulle_plan_explain(p), c_null_char) == 0, "no zero in the explanation")
    call tulle_destroy(p)
    call tulle_destroy(a)
  end subroutine

  subroutine products()
    type(tulle_matrix) :: a

    call tulle_matrix_from_csr(a, 4, row32, col32, val32)
    call check_f32(a)
    call tulle_matrix_from_csr(a, 4, row64, col32, val32)
    call check_f32(a)
    call tulle_matrix_from_csr(a, 4_c_int64_t, row64, col64, val32)
    call check_f32(a)
    call tulle_matrix_from_csr(a, 4, row32, col32, val64)
    call check_f64(a)
    call tulle_matrix_from_csr(a, 4, row64, col32, val64)
    call check_f64(a)
    call tulle_matrix_from_csr(a, 4_c_int64_t, row64, col64, val64)
    call check_f64(a)
    call tulle_matrix_from_csr(a, 0, [1], [integer ::], [real(c_double) ::]) ! 0 x 0
    call tulle_destroy(a)
  end subroutine

  ! A plan on borrowed arrays reads the caller's values.
  subroutine borrowed_from_zero()
    type(tulle_matrix) :: a
    type(tulle_plan) :: p
    real(c_double) :: y(3)

    row32 = row32 - 1
    col32 = col32 - 1
    call tulle_matrix_from_csr(a, 4, row32, col32, val64, tulle_matrix_options(ownership=TULLE_BORROW, base=0))
    call tulle_plan_create(p, a, tulle_plan_options(format="csr"))
    val64(1) = 7
    call tulle_mul(p, 1d0, x64, 0d0, y)
    call expect(all(y == [2007, 0, 5430]), "borrowed arrays")
    val64(1) = 1
    call tulle_destroy(p)
    call tulle_destroy(a)
    row32 = row32 + 1
    col32 = col32 + 1
  end subroutine

  subroutine transposed_and_updated()
    type(tulle_matrix) :: a
    type(tulle_plan) :: p
    real(c_double) :: y(4)

    call tulle_matrix_from_csr(a, 4, row32, col32, val64)
    call tulle_plan_create(p, a, tulle_plan_options(op=TULLE_TRANSPOSED, multiplies=10))
    call expect(p%rows == 4 .and. p%cols == 3, "sizes of A^T")
    call tulle_plan_update(p, 2 * val64)
    call tulle_mul(p, 0.5d0, [1d0, 10d0, 100d0], 0d0, y)
    call expect(all(y == [1, 300, 400, 502]), "A^T x with new values")
    call tulle_plan_update(p, val64(:4), stat, message)
    call expect_error(TULLE_E_ARGUMENT, "val has 4 elements, not 5")
    call tulle_plan_update(p, val32, stat, message)
    call expect_error(TULLE_E_TYPE, "another type")
    call tulle_destroy(p)
    call tulle_destroy(a)
  end subroutine

  subroutine errors()
    type(tulle_matrix) :: a
    type(tulle_plan) :: p
    type(tulle_context) :: c
    real(c_double) :: y(3)
    real(c_float) :: y32(3)

    call tulle_matrix_from_csr(a, 4, row32(:0), col32, val64, stat=stat, errmsg=message)
    call expect_error(TULLE_E_ARGUMENT, "row_ptr has no elements")
    call tulle_matrix_from_csr(a, 4, row32, col32(:4), val64, stat=stat, errmsg=message)
    call expect_error(TULLE_E_ARGUMENT, "col has 4 elements, not 5")
    call tulle_matrix_from_csr(a, 4, row32, col32, val64(:4), stat=stat, errmsg=message)
    call expect_error(TULLE_E_ARGUMENT, "val has 4 elements, not 5")
    call tulle_matrix_from_csr(a, 3, row32, col32, val64, stat=stat, errmsg=message)
    call expect_error(TULLE_E_MATRIX, "col[1] = 4")
    call tulle_plan_create(p, a, stat=stat, errmsg=message)
    call expect_error(TULLE_E_ARGUMENT, "matrix is NULL")
    call tulle_context_create(c, tulle_context_options(isa="no-such-isa"), stat, message)
    call expect_error(TULLE_E_ARGUMENT, "no-such-isa")

    call tulle_matrix_from_csr(a, 4, row32, col32, val64, stat=stat, errmsg=message)
    call expect(stat == TULLE_OK .and. message == "", "no message without an error")
    call tulle_plan_create(p, a, tulle_plan_options(format="no-such-format"), stat, message)
    call expect_error(TULLE_E_ARGUMENT, "no-such-format")
    call tulle_plan_create(p, a)
    call tulle_mul(p, 1d0, x64(:3), 0d0, y, stat, message)
    call expect_error(TULLE_E_ARGUMENT, "x has 3 elements, not 4")
    call tulle_mul(p, 1d0, x64, 0d0, y(:2), stat, message)
    call expect_error(TULLE_E_ARGUMENT, "y has 2 elements, not 3")
    call tulle_mul_add(p, 1d0, x64, 1d0, x64, y, stat, message)
    call expect_error(TULLE_E_ARGUMENT, "b has 4 elements, not 3")
    call tulle_mul(p, 1.0, x32, 0.0, y32, stat, message)
    call expect_error(TULLE_E_TYPE, "f64")
    call expect(tulle_status_name(TULLE_E_TYPE) == "TULLE_E_TYPE", "name of a status")
    call tulle_destroy(p)
    call tulle_destroy(a)
  end subroutine

  ! A plan outlives its matrix, a new object replaces the one in the variable, and a limit is the context's.
  subroutine lifetime()
    type(tulle_context) :: c
    type(tulle_matrix) :: a
    type(tulle_plan) :: p
    real(c_double) :: y(3)
    integer :: k

    call tulle_context_create(c, tulle_context_options(threads=1, memory_limit=100000_c_size_t))
    do k = 1, 200 ! what is not freed exceeds the limit
      call tulle_matrix_from_csr(a, 4, row32, col32, val64, context=c)
      call tulle_plan_create(p, a, tulle_plan_options(format="csr5"))
    end do
    call tulle_destroy(a)
    call tulle_destroy(c)
    call tulle_mul(p, 1d0, x64, 0d0, y)
    call expect(all(y == [2001, 0, 5430]), "a plan without its matrix")
    call tulle_destroy(p)
    call tulle_destroy(p) ! nothing is left to destroy
  end subroutine

end program
