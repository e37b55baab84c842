! tulle.f90 -- tulle.h for Fortran 2018: sparse matrix-vector products, y = alpha A x + beta y.
!
!     type(tulle_matrix) :: a
!     type(tulle_plan) :: p
!
!     call tulle_matrix_from_csr(a, cols, row_ptr, col, val)
!     call tulle_plan_create(p, a, tulle_plan_options(multiplies=500))
!     call tulle_mul(p, 1d0, x, 0d0, y)
!     call tulle_destroy(p)
!     call tulle_destroy(a)
!
! Arrays. Offsets and columns are 32-bit, 64-bit, or 64-bit offsets with 32-bit columns; the number of columns has the
! kind of the columns, the number of rows is size(row_ptr) - 1. Values and vectors are real(c_float) or real(c_double).
! Sizes are checked. Vectors of rank 2 are several vectors at once, one per column.
!
! Defaults that differ from tulle.h: indices begin at 1 and arrays are copied. With
! tulle_matrix_options(ownership=TULLE_BORROW) the arrays must be contiguous, have the attribute target and stay unchanged
! until the matrix and its plans are destroyed. With base=0 as well, none of them is copied.
!
! Errors. Every subroutine that can fail has the optional arguments stat, which is set to TULLE_OK or a negative status, and
! errmsg, a character variable that receives the message, or blanks. If a call fails without stat, the program stops with
! the message.
!
! Objects. Assignment copies the handle, not the object; destroy one of the two. A created object replaces the one that
! was in the variable. The component handle is the pointer of tulle.h, for calls that this module lacks.
module tulle
  use, intrinsic :: iso_c_binding
  use tulle_c
  implicit none
  private

  ! ---- constants and types of tulle.h -------------------------------------------------------------------------------

  integer(c_int), parameter, public :: TULLE_OK = 0, TULLE_E_ARGUMENT = -1, TULLE_E_MATRIX = -2, TULLE_E_TYPE = -3, &
    TULLE_E_MEMORY = -4, TULLE_E_LIMIT = -5, TULLE_E_UNSUPPORTED = -6, TULLE_E_IO = -7, TULLE_E_DEVICE = -8, &
    TULLE_E_INTERNAL = -99
  integer(c_int), parameter, public :: TULLE_BORROW = 0, TULLE_COPY = 1
  integer(c_int), parameter, public :: TULLE_GENERAL = 0, TULLE_SYMMETRIC = 1, TULLE_SKEW = 2
  integer(c_int), parameter, public :: TULLE_LOWER = 0, TULLE_UPPER = 1
  integer(c_int), parameter, public :: TULLE_CHECK_FULL = 0, TULLE_CHECK_FAST = 1, TULLE_CHECK_NONE = 2
  integer(c_int), parameter, public :: TULLE_NORMAL = 0, TULLE_TRANSPOSED = 1
  integer(c_int), parameter, public :: TULLE_ESTIMATE = 0, TULLE_MEASURE = 1
  integer(c_int), parameter :: F32 = 1, F64 = 2, I32 = 1, I64 = 2, COLUMN_MAJOR = 0

  type, public :: tulle_context
    type(c_ptr) :: handle = c_null_ptr ! null: the default context
  end type
  type, public :: tulle_matrix
    type(c_ptr) :: handle = c_null_ptr
  end type
  type, public :: tulle_plan
    type(c_ptr) :: handle = c_null_ptr
    integer(c_int64_t) :: rows = 0, cols = 0 ! of the planned operator: y has rows elements, x has cols
    integer(c_int64_t), private :: values = 0
    integer(c_int), private :: value_type = 0
  end type

  ! Fields that are left out have the defaults of tulle.h, except for ownership and base.
  type, public :: tulle_context_options
    integer(c_int) :: threads = 0
    character(len=:), allocatable :: isa
    integer(c_int64_t) :: serial_below = 0
    integer(c_size_t) :: memory_limit = 0
  end type
  type, public :: tulle_matrix_options
    integer(c_int) :: ownership = TULLE_COPY
    integer(c_int) :: base = 1
    integer(c_int) :: kind = TULLE_GENERAL
    integer(c_int) :: triangle = TULLE_LOWER
    integer(c_int) :: check = TULLE_CHECK_FULL
  end type
  type, public :: tulle_plan_options
    real(c_double) :: multiplies = 0
    integer(c_int) :: op = TULLE_NORMAL
    character(len=:), allocatable :: format
    integer(c_int) :: reproducible = 0
    integer(c_int) :: lossy = 0
    integer(c_int) :: effort = TULLE_ESTIMATE
    real(c_double) :: max_seconds = 0
    integer(c_size_t) :: max_bytes = 0
    character(len=:), allocatable :: wisdom
    integer(c_int64_t) :: vectors = 0
    integer(c_int) :: online = 0
  end type

  ! ---- procedures ---------------------------------------------------------------------------------------------------

  ! tulle_matrix_from_csr(matrix, cols, row_ptr, col, val [, options, context, stat, errmsg])
  interface tulle_matrix_from_csr
    procedure csr_i32_i32_f32, csr_i32_i32_f64, csr_i64_i32_f32, csr_i64_i32_f64, csr_i64_i64_f32, csr_i64_i64_f64
  end interface
  ! tulle_plan_update(plan, val [, stat, errmsg]): new values for the same pattern.
  interface tulle_plan_update
    procedure update_f32, update_f64
  end interface
  ! tulle_mul(plan, alpha, x, beta, y [, stat, errmsg]): y = alpha A x + beta y; x and y of rank 1 or 2.
  interface tulle_mul
    procedure mul_f32, mul_f64, mul_many_f32, mul_many_f64
  end interface
  ! tulle_mul_add(plan, alpha, x, beta, b, y [, stat, errmsg]): y = alpha A x + beta b.
  interface tulle_mul_add
    procedure mul_add_f32, mul_add_f64
  end interface
  interface tulle_destroy
    procedure context_destroy, matrix_destroy, plan_destroy
  end interface
  public :: tulle_context_create, tulle_matrix_from_csr, tulle_plan_create, tulle_plan_update, tulle_plan_explain, &
    tulle_plan_format, tulle_mul, tulle_mul_add, tulle_destroy, tulle_status_name

contains

  ! ---- text and errors ----------------------------------------------------------------------------------------------

  function fortran_text(text) result(copy)
    type(c_ptr), intent(in) :: text
    character(len=:), allocatable :: copy
    character(kind=c_char), pointer :: c(:)
    integer :: i, n

    n = int(c_strlen(text))
    call c_f_pointer(text, c, [n])
    allocate (character(len=n) :: copy)
    do i = 1, n
      copy(i:i) = c(i)
    end do
  end function

  pure function c_text(text) result(copy)
    character(len=*), intent(in) :: text
    character(kind=c_char) :: copy(len(text) + 1)
    integer :: i

    do i = 1, len(text)
      copy(i) = text(i:i)
    end do
    copy(len(text) + 1) = c_null_char
  end function

  ! The status with the message of the module, else of the library, to who called.
  subroutine finish(status, stat, errmsg, message)
    integer(c_int), intent(in) :: status
    integer(c_int), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    character(len=*), intent(in), optional :: message
    character(len=:), allocatable :: text

    text = ""
    if (present(message)) then
      text = message
    else if (status /= TULLE_OK) then
      text = fortran_text(c_last_error())
    end if
    if (present(errmsg)) errmsg = text
    if (present(stat)) then
      stat = status
    else if (status /= TULLE_OK) then
      error stop "tulle: " // text
    end if
  end subroutine

  ! True if the array has the wanted number of elements. Else the call is finished.
  function has_size(name, elements, wanted, stat, errmsg)
    character(len=*), intent(in) :: name
    integer(c_int64_t), intent(in) :: elements, wanted
    integer(c_int), intent(inout), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    logical :: has_size
    character(len=100) :: text

    has_size = elements == wanted
    if (has_size) return
    write (text, "(2a, i0, a, i0)") name, " has ", elements, " elements, not ", wanted
    call finish(TULLE_E_ARGUMENT, stat, errmsg, trim(text))
  end function

  function tulle_status_name(status) result(name)
    integer(c_int), intent(in) :: status
    character(len=:), allocatable :: name

    name = fortran_text(c_status_name(status))
  end function

  ! ---- context ------------------------------------------------------------------------------------------------------

  subroutine tulle_context_create(context, options, stat, errmsg)
    type(tulle_context), intent(inout) :: context
    type(tulle_context_options), intent(in), optional :: options
    integer(c_int), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    type(tulle_c_context_options) :: c
    character(kind=c_char), allocatable, target :: isa(:)
    type(c_ptr) :: handle
    integer(c_int) :: status

    c%size = c_sizeof(c)
    if (present(options)) then
      c%threads = options%threads
      c%serial_below = options%serial_below
      c%memory_limit = options%memory_limit
      if (allocated(options%isa)) then
        allocate (isa, source=c_text(options%isa))
        c%isa = c_loc(isa)
      end if
    end if
    status = c_context_create(c, handle)
    if (status == TULLE_OK) then
      call context_destroy(context)
      context%handle = handle
    end if
    call finish(status, stat, errmsg)
  end subroutine

  subroutine context_destroy(context)
    type(tulle_context), intent(inout) :: context

    call c_context_destroy(context%handle)
    context%handle = c_null_ptr
  end subroutine

  ! ---- matrix -------------------------------------------------------------------------------------------------------

  ! What the six below have in common. `last` is the last offset.
  subroutine csr(matrix, cols, offset_type, row_ptr, offsets, last, column_type, col, columns, value_type, val, values, &
    options, context, stat, errmsg)
    type(tulle_matrix), intent(inout) :: matrix
    integer(c_int64_t), intent(in) :: cols, offsets, last, columns, values
    integer(c_int), intent(in) :: offset_type, column_type, value_type
    type(*), intent(in), target :: row_ptr(*), col(*), val(*)
    type(tulle_matrix_options), intent(in), optional :: options
    type(tulle_context), intent(in), optional :: context
    integer(c_int), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    type(tulle_matrix_options) :: given
    type(tulle_c_matrix_options) :: c
    type(c_ptr) :: handle, in_context
    integer(c_int) :: status

    if (present(options)) given = options
    if (offsets == 0) then
      call finish(TULLE_E_ARGUMENT, stat, errmsg, "row_ptr has no elements")
      return
    end if
    if (.not. has_size("col", columns, last - given%base, stat, errmsg)) return
    if (.not. has_size("val", values, last - given%base, stat, errmsg)) return
    c = tulle_c_matrix_options(c_sizeof(c), given%ownership, given%base, given%kind, given%triangle, given%check)
    in_context = c_null_ptr
    if (present(context)) in_context = context%handle
    status = c_matrix_from_csr(in_context, offsets - 1, cols, offset_type, row_ptr, column_type, col, value_type, val, c, &
      handle)
    if (status == TULLE_OK) then
      call matrix_destroy(matrix)
      matrix%handle = handle
    end if
    call finish(status, stat, errmsg)
  end subroutine

  subroutine csr_i32_i32_f32(matrix, cols, row_ptr, col, val, options, context, stat, errmsg)
    type(tulle_matrix), intent(inout) :: matrix
    integer(c_int32_t), intent(in) :: cols
    integer(c_int32_t), intent(in), contiguous, target :: row_ptr(:)
    integer(c_int32_t), intent(in), contiguous, target :: col(:)
    real(c_float), intent(in), contiguous, target :: val(:)
    type(tulle_matrix_options), intent(in), optional :: options
    type(tulle_context), intent(in), optional :: context
    integer(c_int), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: last

    last = int(sum(row_ptr(max(1, size(row_ptr)):)), c_int64_t)
    call csr(matrix, int(cols, c_int64_t), I32, row_ptr, size(row_ptr, kind=c_int64_t), last, I32, col, &
      size(col, kind=c_int64_t), F32, val, size(val, kind=c_int64_t), options, context, stat, errmsg)
  end subroutine

  subroutine csr_i32_i32_f64(matrix, cols, row_ptr, col, val, options, context, stat, errmsg)
    type(tulle_matrix), intent(inout) :: matrix
    integer(c_int32_t), intent(in) :: cols
    integer(c_int32_t), intent(in), contiguous, target :: row_ptr(:)
    integer(c_int32_t), intent(in), contiguous, target :: col(:)
    real(c_double), intent(in), contiguous, target :: val(:)
    type(tulle_matrix_options), intent(in), optional :: options
    type(tulle_context), intent(in), optional :: context
    integer(c_int), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: last

    last = int(sum(row_ptr(max(1, size(row_ptr)):)), c_int64_t)
    call csr(matrix, int(cols, c_int64_t), I32, row_ptr, size(row_ptr, kind=c_int64_t), last, I32, col, &
      size(col, kind=c_int64_t), F64, val, size(val, kind=c_int64_t), options, context, stat, errmsg)
  end subroutine

  subroutine csr_i64_i32_f32(matrix, cols, row_ptr, col, val, options, context, stat, errmsg)
    type(tulle_matrix), intent(inout) :: matrix
    integer(c_int32_t), intent(in) :: cols
    integer(c_int64_t), intent(in), contiguous, target :: row_ptr(:)
    integer(c_int32_t), intent(in), contiguous, target :: col(:)
    real(c_float), intent(in), contiguous, target :: val(:)
    type(tulle_matrix_options), intent(in), optional :: options
    type(tulle_context), intent(in), optional :: context
    integer(c_int), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: last

    last = int(sum(row_ptr(max(1, size(row_ptr)):)), c_int64_t)
    call csr(matrix, int(cols, c_int64_t), I64, row_ptr, size(row_ptr, kind=c_int64_t), last, I32, col, &
      size(col, kind=c_int64_t), F32, val, size(val, kind=c_int64_t), options, context, stat, errmsg)
  end subroutine

  subroutine csr_i64_i32_f64(matrix, cols, row_ptr, col, val, options, context, stat, errmsg)
    type(tulle_matrix), intent(inout) :: matrix
    integer(c_int32_t), intent(in) :: cols
    integer(c_int64_t), intent(in), contiguous, target :: row_ptr(:)
    integer(c_int32_t), intent(in), contiguous, target :: col(:)
    real(c_double), intent(in), contiguous, target :: val(:)
    type(tulle_matrix_options), intent(in), optional :: options
    type(tulle_context), intent(in), optional :: context
    integer(c_int), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: last

    last = int(sum(row_ptr(max(1, size(row_ptr)):)), c_int64_t)
    call csr(matrix, int(cols, c_int64_t), I64, row_ptr, size(row_ptr, kind=c_int64_t), last, I32, col, &
      size(col, kind=c_int64_t), F64, val, size(val, kind=c_int64_t), options, context, stat, errmsg)
  end subroutine

  subroutine csr_i64_i64_f32(matrix, cols, row_ptr, col, val, options, context, stat, errmsg)
    type(tulle_matrix), intent(inout) :: matrix
    integer(c_int64_t), intent(in) :: cols
    integer(c_int64_t), intent(in), contiguous, target :: row_ptr(:)
    integer(c_int64_t), intent(in), contiguous, target :: col(:)
    real(c_float), intent(in), contiguous, target :: val(:)
    type(tulle_matrix_options), intent(in), optional :: options
    type(tulle_context), intent(in), optional :: context
    integer(c_int), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: last

    last = int(sum(row_ptr(max(1, size(row_ptr)):)), c_int64_t)
    call csr(matrix, int(cols, c_int64_t), I64, row_ptr, size(row_ptr, kind=c_int64_t), last, I64, col, &
      size(col, kind=c_int64_t), F32, val, size(val, kind=c_int64_t), options, context, stat, errmsg)
  end subroutine

  subroutine csr_i64_i64_f64(matrix, cols, row_ptr, col, val, options, context, stat, errmsg)
    type(tulle_matrix), intent(inout) :: matrix
    integer(c_int64_t), intent(in) :: cols
    integer(c_int64_t), intent(in), contiguous, target :: row_ptr(:)
    integer(c_int64_t), intent(in), contiguous, target :: col(:)
    real(c_double), intent(in), contiguous, target :: val(:)
    type(tulle_matrix_options), intent(in), optional :: options
    type(tulle_context), intent(in), optional :: context
    integer(c_int), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: last

    last = int(sum(row_ptr(max(1, size(row_ptr)):)), c_int64_t)
    call csr(matrix, int(cols, c_int64_t), I64, row_ptr, size(row_ptr, kind=c_int64_t), last, I64, col, &
      size(col, kind=c_int64_t), F64, val, size(val, kind=c_int64_t), options, context, stat, errmsg)
  end subroutine

  subroutine matrix_destroy(matrix)
    type(tulle_matrix), intent(inout) :: matrix

    call c_matrix_destroy(matrix%handle)
    matrix%handle = c_null_ptr
  end subroutine

  ! ---- plan ---------------------------------------------------------------------------------------------------------

  subroutine tulle_plan_create(plan, matrix, options, stat, errmsg)
    type(tulle_plan), intent(inout) :: plan
    type(tulle_matrix), intent(in) :: matrix
    type(tulle_plan_options), intent(in), optional :: options
    integer(c_int), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    type(tulle_c_plan_options) :: c
    type(tulle_c_plan_info) :: info
    type(tulle_c_matrix_info) :: of_matrix
    character(kind=c_char), allocatable, target :: format(:), wisdom(:)
    type(c_ptr) :: handle
    integer(c_int) :: status

    c%size = c_sizeof(c)
    if (present(options)) then
      c = tulle_c_plan_options(c_sizeof(c), options%multiplies, options%op, c_null_ptr, options%reproducible, &
        options%lossy, options%effort, options%max_seconds, options%max_bytes, c_null_ptr, &
        0_c_int, options%vectors, options%online, 0_c_int)
      if (allocated(options%format)) then
        allocate (format, source=c_text(options%format))
        c%format = c_loc(format)
      end if
      if (allocated(options%wisdom)) then
        allocate (wisdom, source=c_text(options%wisdom))
        c%wisdom = c_loc(wisdom)
      end if
    end if
    status = c_plan_create(matrix%handle, c, handle)
    if (status == TULLE_OK) then
      info%size = c_sizeof(info)
      of_matrix%size = c_sizeof(of_matrix)
      status = c_plan_describe(handle, info)
      if (status == TULLE_OK) status = c_matrix_describe(matrix%handle, of_matrix)
      call plan_destroy(plan)
      plan = tulle_plan(handle, info%rows, info%cols, of_matrix%stored_nnz, info%value_type)
    end if
    call finish(status, stat, errmsg)
  end subroutine

  ! The name of the format, for example "csr".
  function tulle_plan_format(plan) result(name)
    type(tulle_plan), intent(in) :: plan
    character(len=:), allocatable :: name
    type(tulle_c_plan_info) :: info

    info%size = c_sizeof(info)
    name = ""
    if (c_plan_describe(plan%handle, info) == TULLE_OK) name = fortran_text(info%format)
  end function

  ! Lines of text: the choice, the reason for it and its cost.
  function tulle_plan_explain(plan) result(text)
    type(tulle_plan), intent(in) :: plan
    character(len=:), allocatable :: text
    character(kind=c_char), allocatable, target :: c(:)
    integer(c_size_t) :: length

    allocate (c(1))
    length = c_plan_explain(plan%handle, c, 1_c_size_t)
    deallocate (c)
    allocate (c(length + 1))
    length = c_plan_explain(plan%handle, c, length + 1)
    text = fortran_text(c_loc(c))
  end function

  subroutine plan_destroy(plan)
    type(tulle_plan), intent(inout) :: plan

    call c_plan_destroy(plan%handle)
    plan = tulle_plan()
  end subroutine

  subroutine update_f32(plan, val, stat, errmsg)
    type(tulle_plan), intent(inout) :: plan
    real(c_float), intent(in), contiguous, target :: val(:)
    integer(c_int), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg

    if (plan%value_type /= F32) then
      call finish(TULLE_E_TYPE, stat, errmsg, "val has another type than the values of the plan")
    else if (has_size("val", size(val, kind=c_int64_t), plan%values, stat, errmsg)) then
      call finish(c_plan_update(plan%handle, val), stat, errmsg)
    end if
  end subroutine

  subroutine update_f64(plan, val, stat, errmsg)
    type(tulle_plan), intent(inout) :: plan
    real(c_double), intent(in), contiguous, target :: val(:)
    integer(c_int), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg

    if (plan%value_type /= F64) then
      call finish(TULLE_E_TYPE, stat, errmsg, "val has another type than the values of the plan")
    else if (has_size("val", size(val, kind=c_int64_t), plan%values, stat, errmsg)) then
      call finish(c_plan_update(plan%handle, val), stat, errmsg)
    end if
  end subroutine

  ! ---- multiply -----------------------------------------------------------------------------------------------------

  subroutine mul_f32(plan, alpha, x, beta, y, stat, errmsg)
    type(tulle_plan), intent(in) :: plan
    real(c_float), intent(in) :: alpha, beta
    real(c_float), intent(in), contiguous :: x(:)
    real(c_float), intent(inout), contiguous :: y(:)
    integer(c_int), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg

    if (.not. has_size("x", size(x, kind=c_int64_t), plan%cols, stat, errmsg)) return
    if (.not. has_size("y", size(y, kind=c_int64_t), plan%rows, stat, errmsg)) return
    call finish(c_mul_f32(plan%handle, alpha, x, beta, y), stat, errmsg)
  end subroutine

  subroutine mul_add_f32(plan, alpha, x, beta, b, y, stat, errmsg)
    type(tulle_plan), intent(in) :: plan
    real(c_float), intent(in) :: alpha, beta
    real(c_float), intent(in), contiguous :: x(:), b(:)
    real(c_float), intent(inout), contiguous :: y(:)
    integer(c_int), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg

    if (.not. has_size("x", size(x, kind=c_int64_t), plan%cols, stat, errmsg)) return
    if (.not. has_size("b", size(b, kind=c_int64_t), plan%rows, stat, errmsg)) return
    if (.not. has_size("y", size(y, kind=c_int64_t), plan%rows, stat, errmsg)) return
    call finish(c_mul_add_f32(plan%handle, alpha, x, beta, b, y), stat, errmsg)
  end subroutine

  subroutine mul_many_f32(plan, alpha, x, beta, y, stat, errmsg)
    type(tulle_plan), intent(in) :: plan
    real(c_float), intent(in) :: alpha, beta
    real(c_float), intent(in), contiguous :: x(:, :)
    real(c_float), intent(inout), contiguous :: y(:, :)
    integer(c_int), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg

    if (.not. has_size("a column of x", size(x, 1, c_int64_t), plan%cols, stat, errmsg)) return
    if (.not. has_size("a column of y", size(y, 1, c_int64_t), plan%rows, stat, errmsg)) return
    if (.not. has_size("a row of y", size(y, 2, c_int64_t), size(x, 2, c_int64_t), stat, errmsg)) return
    call finish(c_mul_many_f32(plan%handle, size(x, 2, c_int64_t), COLUMN_MAJOR, alpha, x, plan%cols, beta, y, &
      plan%rows), stat, errmsg)
  end subroutine

  subroutine mul_f64(plan, alpha, x, beta, y, stat, errmsg)
    type(tulle_plan), intent(in) :: plan
    real(c_double), intent(in) :: alpha, beta
    real(c_double), intent(in), contiguous :: x(:)
    real(c_double), intent(inout), contiguous :: y(:)
    integer(c_int), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg

    if (.not. has_size("x", size(x, kind=c_int64_t), plan%cols, stat, errmsg)) return
    if (.not. has_size("y", size(y, kind=c_int64_t), plan%rows, stat, errmsg)) return
    call finish(c_mul_f64(plan%handle, alpha, x, beta, y), stat, errmsg)
  end subroutine

  subroutine mul_add_f64(plan, alpha, x, beta, b, y, stat, errmsg)
    type(tulle_plan), intent(in) :: plan
    real(c_double), intent(in) :: alpha, beta
    real(c_double), intent(in), contiguous :: x(:), b(:)
    real(c_double), intent(inout), contiguous :: y(:)
    integer(c_int), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg

    if (.not. has_size("x", size(x, kind=c_int64_t), plan%cols, stat, errmsg)) return
    if (.not. has_size("b", size(b, kind=c_int64_t), plan%rows, stat, errmsg)) return
    if (.not. has_size("y", size(y, kind=c_int64_t), plan%rows, stat, errmsg)) return
    call finish(c_mul_add_f64(plan%handle, alpha, x, beta, b, y), stat, errmsg)
  end subroutine

  subroutine mul_many_f64(plan, alpha, x, beta, y, stat, errmsg)
    type(tulle_plan), intent(in) :: plan
    real(c_double), intent(in) :: alpha, beta
    real(c_double), intent(in), contiguous :: x(:, :)
    real(c_double), intent(inout), contiguous :: y(:, :)
    integer(c_int), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg

    if (.not. has_size("a column of x", size(x, 1, c_int64_t), plan%cols, stat, errmsg)) return
    if (.not. has_size("a column of y", size(y, 1, c_int64_t), plan%rows, stat, errmsg)) return
    if (.not. has_size("a row of y", size(y, 2, c_int64_t), size(x, 2, c_int64_t), stat, errmsg)) return
    call finish(c_mul_many_f64(plan%handle, size(x, 2, c_int64_t), COLUMN_MAJOR, alpha, x, plan%cols, beta, y, &
      plan%rows), stat, errmsg)
  end subroutine

end module
