//! Declarations of `tulle.h`, the manual of which holds here as well: contexts, matrices from CSR, plans, products.
//! All functions are `unsafe`: arrays must have the sizes that the call implies.
#![allow(non_camel_case_types)]

use std::os::raw::{c_char, c_double, c_float, c_int, c_void};

pub type tulle_status = c_int;
pub const TULLE_OK: c_int = 0;
pub const TULLE_E_ARGUMENT: c_int = -1;
pub const TULLE_E_MATRIX: c_int = -2;
pub const TULLE_E_TYPE: c_int = -3;
pub const TULLE_E_MEMORY: c_int = -4;
pub const TULLE_E_LIMIT: c_int = -5;
pub const TULLE_E_UNSUPPORTED: c_int = -6;
pub const TULLE_E_IO: c_int = -7;
pub const TULLE_E_DEVICE: c_int = -8;
pub const TULLE_E_INTERNAL: c_int = -99;
pub const TULLE_F32: c_int = 1;
pub const TULLE_F64: c_int = 2;
pub const TULLE_I32: c_int = 1;
pub const TULLE_I64: c_int = 2;
pub const TULLE_BORROW: c_int = 0;
pub const TULLE_COPY: c_int = 1;
pub const TULLE_GENERAL: c_int = 0;
pub const TULLE_SYMMETRIC: c_int = 1;
pub const TULLE_SKEW: c_int = 2;
pub const TULLE_LOWER: c_int = 0;
pub const TULLE_UPPER: c_int = 1;
pub const TULLE_CHECK_FULL: c_int = 0;
pub const TULLE_CHECK_FAST: c_int = 1;
pub const TULLE_CHECK_NONE: c_int = 2;
pub const TULLE_NORMAL: c_int = 0;
pub const TULLE_TRANSPOSED: c_int = 1;
pub const TULLE_ESTIMATE: c_int = 0;
pub const TULLE_MEASURE: c_int = 1;

#[repr(C)]
pub struct tulle_context {
    _private: [u8; 0],
}
#[repr(C)]
pub struct tulle_matrix {
    _private: [u8; 0],
}
#[repr(C)]
pub struct tulle_plan {
    _private: [u8; 0],
}

/// Set `size` to `size_of` the structure; zero (`std::mem::zeroed`) means the default everywhere else.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct tulle_context_options {
    pub size: usize,
    pub threads: c_int,
    pub isa: *const c_char,
    pub serial_below: i64,
    pub alloc: Option<unsafe extern "C" fn(*mut c_void, usize, usize) -> *mut c_void>,
    pub free: Option<unsafe extern "C" fn(*mut c_void, *mut c_void, usize)>,
    pub memory_limit: usize,
    pub log: Option<unsafe extern "C" fn(*mut c_void, c_int, *const c_char)>,
    pub user: *mut c_void,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct tulle_matrix_options {
    pub size: usize,
    pub ownership: c_int,
    pub base: c_int,
    pub kind: c_int,
    pub triangle: c_int,
    pub check: c_int,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct tulle_plan_options {
    pub size: usize,
    pub multiplies: c_double,
    pub op: c_int,
    pub format: *const c_char,
    pub reproducible: c_int,
    pub lossy: c_int,
    pub effort: c_int,
    pub max_seconds: c_double,
    pub max_bytes: usize,
    pub wisdom: *const c_char,
    pub stores: c_int,
    pub vectors: i64,
    pub online: c_int,
    pub vector_type: c_int,
}

/// The beginning of the structure: the library fills as much as `size` has room for.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct tulle_plan_info {
    pub size: usize,
    pub format: *const c_char,
    pub kernel: *const c_char,
    pub isa: *const c_char,
    pub op: c_int,
    pub rows: i64,
    pub cols: i64,
    pub nnz: i64,
    pub value_type: c_int,
}

extern "C" {
    pub fn tulle_version() -> c_int;
    pub fn tulle_status_name(status: tulle_status) -> *const c_char;
    pub fn tulle_last_error() -> *const c_char;
    pub fn tulle_context_create(
        options: *const tulle_context_options,
        out: *mut *mut tulle_context,
    ) -> tulle_status;
    pub fn tulle_context_destroy(context: *mut tulle_context);
    pub fn tulle_matrix_from_csr(
        context: *mut tulle_context,
        rows: i64,
        cols: i64,
        offset_type: c_int,
        row_ptr: *const c_void,
        column_type: c_int,
        col: *const c_void,
        value_type: c_int,
        val: *const c_void,
        options: *const tulle_matrix_options,
        out: *mut *mut tulle_matrix,
    ) -> tulle_status;
    pub fn tulle_matrix_destroy(matrix: *mut tulle_matrix);
    pub fn tulle_plan_create(
        matrix: *const tulle_matrix,
        options: *const tulle_plan_options,
        out: *mut *mut tulle_plan,
    ) -> tulle_status;
    pub fn tulle_plan_update(plan: *mut tulle_plan, val: *const c_void) -> tulle_status;
    pub fn tulle_plan_describe(plan: *const tulle_plan, info: *mut tulle_plan_info)
        -> tulle_status;
    pub fn tulle_plan_explain(plan: *const tulle_plan, text: *mut c_char, size: usize) -> usize;
    pub fn tulle_plan_destroy(plan: *mut tulle_plan);
    pub fn tulle_mul_f32(
        plan: *const tulle_plan,
        alpha: c_float,
        x: *const c_float,
        beta: c_float,
        y: *mut c_float,
    ) -> tulle_status;
    pub fn tulle_mul_f64(
        plan: *const tulle_plan,
        alpha: c_double,
        x: *const c_double,
        beta: c_double,
        y: *mut c_double,
    ) -> tulle_status;
}
