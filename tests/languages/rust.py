#!/usr/bin/env python3
"""Compare the declarations of bindings/rust with tulle.h, and run the tests of the crate.

Usage: rust.py CARGO CC LIBRARY. Exit status 77 where CARGO is not installed.
"""

import os
import re
import shutil
import sys
import tempfile
from pathlib import Path

from layout import TREE, compare, run

CRATE = TREE / "bindings/rust"


def main():
    cargo, compiler, library = sys.argv[1], sys.argv[2], Path(sys.argv[3])
    if not shutil.which(cargo):
        print(f"{cargo} is not installed: the Rust crate was not tested")
        return 77
    text = (CRATE / "src/lib.rs").read_text()
    fields = {name: re.findall(r"pub (\w+):", body)
              for name, body in re.findall(r"pub struct (\w+) \{\n((?:    pub .*\n)+)\}", text)}
    values = dict(re.findall(r"pub const (\w+): c_int = (-?\d+);", text))
    if len(fields) < 4 or len(values) < 20:
        sys.exit("FAILED: the crate does not read as expected")
    lines = [f'at::<{t}>("{t} {f}", |p| unsafe {{ std::ptr::addr_of!((*p).{f}) as usize }});' for t, names in fields.items()
             for f in names]
    with tempfile.TemporaryDirectory() as scratch:
        crate = Path(scratch, "crate")
        shutil.copytree(CRATE, crate, ignore=shutil.ignore_patterns("target", "Cargo.lock"))
        (crate / "examples").mkdir()
        (crate / "examples/layout.rs").write_text("\n".join([
            "use tulle_sys::*;", "fn at<T>(name: &str, field: impl Fn(*const T) -> usize) {",
            "let value = std::mem::MaybeUninit::<T>::uninit();",
            'println!("{name} {}", field(value.as_ptr()) - value.as_ptr() as usize);', "}", "fn main() {", *lines, "}"]))
        environment = {**os.environ, "TULLE_LIB_DIR": str(library.parent), "LD_LIBRARY_PATH": str(library.parent)}
        compare(fields, values, run(cargo, "run", "--quiet", "--offline", "--example", "layout", cwd=crate, env=environment),
                compiler, crate)
        print(run(cargo, "test", "--quiet", "--offline", cwd=crate, env=environment), end="")
    return 0


if __name__ == "__main__":
    sys.exit(main())
