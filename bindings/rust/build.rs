// build.rs -- where the linker finds libtulle: in $TULLE_LIB_DIR, else where pkg-config says.
use std::{env, process::Command};

fn main() {
    println!("cargo:rerun-if-env-changed=TULLE_LIB_DIR");
    println!("cargo:rustc-link-lib=tulle");
    if let Ok(folder) = env::var("TULLE_LIB_DIR") {
        println!("cargo:rustc-link-search=native={folder}");
        return;
    }
    let found = Command::new("pkg-config")
        .args(["--variable=libdir", "tulle"])
        .output();
    match found {
        Ok(output) if output.status.success() => {
            let folder = String::from_utf8_lossy(&output.stdout);
            println!("cargo:rustc-link-search=native={}", folder.trim());
        }
        _ => panic!("libtulle was not found: install it, and set PKG_CONFIG_PATH or TULLE_LIB_DIR"),
    }
}
