# A program around Rust lines of a page, with the crate of the tree.
mkdir src
cat >Cargo.toml <<END
[package]
name = "calls"
version = "0.1.0"
edition = "2021"
[dependencies]
tulle-sys = { path = "$TREE/bindings/rust" }
END
cat >src/main.rs <<'END'
use std::ptr::{null, null_mut};
use tulle_sys::*;

fn main() {
    let (rows, cols) = (3, 3);
    let (row_ptr, col) = ([0i64, 2, 3, 5], [0i32, 2, 1, 0, 2]);
    let (val, x) = ([4f64, 1.0, 3.0, 2.0, 5.0], [1f64, 2.0, 3.0]);
    let mut y = [0f64; 3];
    let (mut a, mut p) = (null_mut(), null_mut());
    unsafe {
// BLOCK
    }
    assert_eq!(y, [7.0, 6.0, 17.0]);
}
END
TULLE_LIB_DIR=$TREE/build LD_LIBRARY_PATH=$TREE/build CARGO_TARGET_DIR=$TREE/build/docs-cargo cargo run --quiet --offline
