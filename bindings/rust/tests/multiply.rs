// multiply.rs -- multiply.c of tests/install in Rust, and a message.
use std::{ffi::CStr, mem::size_of, mem::zeroed, ptr::null_mut};
use tulle_sys::*;

unsafe fn matrix(col: &[i32; 5], out: &mut *mut tulle_matrix) -> tulle_status {
    let (row_ptr, val) = ([0i64, 2, 2, 5], [1.0, 2.0, 3.0, 4.0, 5.0f64]);
    let mut options: tulle_matrix_options = zeroed();
    options.size = size_of::<tulle_matrix_options>();
    options.ownership = TULLE_COPY;
    tulle_matrix_from_csr(
        null_mut(),
        3,
        4,
        TULLE_I64,
        row_ptr.as_ptr().cast(),
        TULLE_I32,
        col.as_ptr().cast(),
        TULLE_F64,
        val.as_ptr().cast(),
        &options,
        out,
    )
}

#[test]
fn multiplies() {
    unsafe {
        let (mut a, mut p) = (null_mut(), null_mut());
        let (x, mut y) = ([1.0, 10.0, 100.0, 1000.0], [1.0, 2.0, 3.0]);
        let mut options: tulle_plan_options = zeroed();
        options.size = size_of::<tulle_plan_options>();
        options.format = b"csr5\0".as_ptr().cast();
        assert_eq!(matrix(&[0, 3, 1, 2, 3], &mut a), TULLE_OK);
        assert_eq!(tulle_plan_create(a, &options, &mut p), TULLE_OK);
        tulle_matrix_destroy(a);
        assert_eq!(
            tulle_mul_f64(p, 1.0, x.as_ptr(), -1.0, y.as_mut_ptr()),
            TULLE_OK
        );
        assert_eq!(y, [2000.0, -2.0, 5427.0]);
        let mut info: tulle_plan_info = zeroed();
        info.size = size_of::<tulle_plan_info>();
        assert_eq!(tulle_plan_describe(p, &mut info), TULLE_OK);
        assert_eq!(CStr::from_ptr(info.format).to_str(), Ok("csr5"));
        assert_eq!((info.rows, info.cols, info.value_type), (3, 4, TULLE_F64));
        tulle_plan_destroy(p);
    }
}

#[test]
fn reports_errors() {
    unsafe {
        let mut a = null_mut();
        assert_eq!(matrix(&[0, 3, 1, 2, 4], &mut a), TULLE_E_MATRIX);
        assert!(a.is_null());
        let message = CStr::from_ptr(tulle_last_error()).to_str().unwrap();
        assert!(message.contains("col[4] = 4"), "{message}");
    }
}
