! tulle_c.f90 -- the functions and structures of tulle.h that the module tulle (tulle.f90) is written with, as they are in C.
module tulle_c
  use, intrinsic :: iso_c_binding
  implicit none

  ! `size` is the size of the structure. Of the last two this is only the beginning: the library fills as much as fits.
  type, bind(c) :: tulle_c_context_options
    integer(c_size_t) :: size = 0
    integer(c_int) :: threads = 0
    type(c_ptr) :: isa = c_null_ptr
    integer(c_int64_t) :: serial_below = 0
    type(c_funptr) :: alloc = c_null_funptr, free = c_null_funptr
    integer(c_size_t) :: memory_limit = 0
    type(c_funptr) :: log = c_null_funptr
    type(c_ptr) :: user = c_null_ptr
  end type
  type, bind(c) :: tulle_c_matrix_options
    integer(c_size_t) :: size = 0
    integer(c_int) :: ownership = 0, base = 0, kind = 0, triangle = 0, check = 0
  end type
  type, bind(c) :: tulle_c_plan_options
    integer(c_size_t) :: size = 0
    real(c_double) :: multiplies = 0
    integer(c_int) :: op = 0
    type(c_ptr) :: format = c_null_ptr
    integer(c_int) :: reproducible = 0, lossy = 0, effort = 0
    real(c_double) :: max_seconds = 0
    integer(c_size_t) :: max_bytes = 0
    type(c_ptr) :: wisdom = c_null_ptr
    integer(c_int) :: stores = 0
    integer(c_int64_t) :: vectors = 0
    integer(c_int) :: online = 0, vector_type = 0
  end type
  type, bind(c) :: tulle_c_matrix_info
    integer(c_size_t) :: size = 0
    integer(c_int64_t) :: rows = 0, cols = 0, nnz = 0, stored_nnz = 0
  end type
  type, bind(c) :: tulle_c_plan_info
    integer(c_size_t) :: size = 0
    type(c_ptr) :: format = c_null_ptr, kernel = c_null_ptr, isa = c_null_ptr
    integer(c_int) :: op = 0
    integer(c_int64_t) :: rows = 0, cols = 0, nnz = 0
    integer(c_int) :: value_type = 0
  end type

  interface
    function c_strlen(text) bind(c, name="strlen")
      import :: c_ptr, c_size_t
      type(c_ptr), value :: text
      integer(c_size_t) :: c_strlen
    end function
    function c_last_error() bind(c, name="tulle_last_error")
      import :: c_ptr
      type(c_ptr) :: c_last_error
    end function
    function c_status_name(status) bind(c, name="tulle_status_name")
      import :: c_ptr, c_int
      integer(c_int), value :: status
      type(c_ptr) :: c_status_name
    end function
    function c_context_create(options, out) bind(c, name="tulle_context_create")
      import :: c_ptr, c_int, tulle_c_context_options
      type(tulle_c_context_options), intent(in) :: options
      type(c_ptr), intent(out) :: out
      integer(c_int) :: c_context_create
    end function
    subroutine c_context_destroy(context) bind(c, name="tulle_context_destroy")
      import :: c_ptr
      type(c_ptr), value :: context
    end subroutine
    function c_matrix_from_csr(context, rows, cols, offset_type, row_ptr, column_type, col, value_type, val, options, &
      out) bind(c, name="tulle_matrix_from_csr")
      import :: c_ptr, c_int, c_int64_t, tulle_c_matrix_options
      type(c_ptr), value :: context
      integer(c_int64_t), value :: rows, cols
      integer(c_int), value :: offset_type, column_type, value_type
      type(*), intent(in) :: row_ptr(*), col(*), val(*)
      type(tulle_c_matrix_options), intent(in) :: options
      type(c_ptr), intent(out) :: out
      integer(c_int) :: c_matrix_from_csr
    end function
    function c_matrix_describe(matrix, info) bind(c, name="tulle_matrix_describe")
      import :: c_ptr, c_int, tulle_c_matrix_info
      type(c_ptr), value :: matrix
      type(tulle_c_matrix_info), intent(inout) :: info
      integer(c_int) :: c_matrix_describe
    end function
    subroutine c_matrix_destroy(matrix) bind(c, name="tulle_matrix_destroy")
      import :: c_ptr
      type(c_ptr), value :: matrix
    end subroutine
    function c_plan_create(matrix, options, out) bind(c, name="tulle_plan_create")
      import :: c_ptr, c_int, tulle_c_plan_options
      type(c_ptr), value :: matrix
      type(tulle_c_plan_options), intent(in) :: options
      type(c_ptr), intent(out) :: out
      integer(c_int) :: c_plan_create
    end function
    function c_plan_describe(plan, info) bind(c, name="tulle_plan_describe")
      import :: c_ptr, c_int, tulle_c_plan_info
      type(c_ptr), value :: plan
      type(tulle_c_plan_info), intent(inout) :: info
      integer(c_int) :: c_plan_describe
    end function
    function c_plan_update(plan, val) bind(c, name="tulle_plan_update")
      import :: c_ptr, c_int
      type(c_ptr), value :: plan
      type(*), intent(in) :: val(*)
      integer(c_int) :: c_plan_update
    end function
    function c_plan_explain(plan, text, size) bind(c, name="tulle_plan_explain")
      import :: c_ptr, c_size_t, c_char
      type(c_ptr), value :: plan
      character(kind=c_char), intent(inout) :: text(*)
      integer(c_size_t), value :: size
      integer(c_size_t) :: c_plan_explain
    end function
    subroutine c_plan_destroy(plan) bind(c, name="tulle_plan_destroy")
      import :: c_ptr
      type(c_ptr), value :: plan
    end subroutine
    function c_mul_f32(plan, alpha, x, beta, y) bind(c, name="tulle_mul_f32")
      import :: c_ptr, c_int, c_float
      type(c_ptr), value :: plan
      real(c_float), value :: alpha, beta
      real(c_float), intent(in) :: x(*)
      real(c_float), intent(inout) :: y(*)
      integer(c_int) :: c_mul_f32
    end function
    function c_mul_f64(plan, alpha, x, beta, y) bind(c, name="tulle_mul_f64")
      import :: c_ptr, c_int, c_double
      type(c_ptr), value :: plan
      real(c_double), value :: alpha, beta
      real(c_double), intent(in) :: x(*)
      real(c_double), intent(inout) :: y(*)
      integer(c_int) :: c_mul_f64
    end function
    function c_mul_add_f32(plan, alpha, x, beta, b, y) bind(c, name="tulle_mul_add_f32")
      import :: c_ptr, c_int, c_float
      type(c_ptr), value :: plan
      real(c_float), value :: alpha, beta
      real(c_float), intent(in) :: x(*), b(*)
      real(c_float), intent(inout) :: y(*)
      integer(c_int) :: c_mul_add_f32
    end function
    function c_mul_add_f64(plan, alpha, x, beta, b, y) bind(c, name="tulle_mul_add_f64")
      import :: c_ptr, c_int, c_double
      type(c_ptr), value :: plan
      real(c_double), value :: alpha, beta
      real(c_double), intent(in) :: x(*), b(*)
      real(c_double), intent(inout) :: y(*)
      integer(c_int) :: c_mul_add_f64
    end function
    function c_mul_many_f32(plan, k, order, alpha, x, ldx, beta, y, ldy) bind(c, name="tulle_mul_many_f32")
      import :: c_ptr, c_int, c_int64_t, c_float
      type(c_ptr), value :: plan
      integer(c_int64_t), value :: k, ldx, ldy
      integer(c_int), value :: order
      real(c_float), value :: alpha, beta
      real(c_float), intent(in) :: x(*)
      real(c_float), intent(inout) :: y(*)
      integer(c_int) :: c_mul_many_f32
    end function
    function c_mul_many_f64(plan, k, order, alpha, x, ldx, beta, y, ldy) bind(c, name="tulle_mul_many_f64")
      import :: c_ptr, c_int, c_int64_t, c_double
      type(c_ptr), value :: plan
      integer(c_int64_t), value :: k, ldx, ldy
      integer(c_int), value :: order
      real(c_double), value :: alpha, beta
      real(c_double), intent(in) :: x(*)
      real(c_double), intent(inout) :: y(*)
      integer(c_int) :: c_mul_many_f64
    end function
  end interface
end module
