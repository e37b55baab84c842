#!/usr/bin/env python3
"""Compare the declarations of bindings/julia with tulle.h, and run the tests of the package where there is a Julia.

Usage: julia.py JULIA CC LIBRARY. The comparison needs no Julia: fields of C's types lie as a C compiler lays them out.
"""

import os
import re
import shutil
import sys
import tempfile
from pathlib import Path

from layout import TREE, compare, run

PACKAGE = TREE / "bindings/julia"
BYTES = {"Cint": 4, "Csize_t": 8, "Cdouble": 8, "Cstring": 8, "Int64": 8}  # 64-bit systems


def offsets(struct, fields):
    """Lines "type field offset"; every type is aligned to its own size."""
    end = 0
    for name, kind in fields:
        begin = -(-end // BYTES[kind]) * BYTES[kind]
        yield f"{struct} {name} {begin}"
        end = begin + BYTES[kind]


def main():
    julia, compiler, library = sys.argv[1], sys.argv[2], Path(sys.argv[3])
    text = (PACKAGE / "src/Tulle.jl").read_text()
    structs = {name: re.findall(r"(\w+)::(\w+)", body)
               for name, body in re.findall(r"^struct (tulle_\w+)\n(.*?)^end", text, re.S | re.M)}
    values = dict(re.findall(r"const (TULLE_\w+) = Cint\((-?\d+)\)", text))
    if len(structs) < 2 or len(values) < 6:
        sys.exit("FAILED: the package does not read as expected")
    printed = "\n".join(line for name, fields in structs.items() for line in offsets(name, fields))
    with tempfile.TemporaryDirectory() as scratch:
        compare({name: [field for field, _ in fields] for name, fields in structs.items()}, values, printed, compiler,
                Path(scratch))
    if not shutil.which(julia):
        print(f"{julia} is not installed: the package itself was not tested")
        return 0
    print(run(julia, f"--project={PACKAGE}", "-e", "using Pkg; Pkg.test()",
              env={**os.environ, "LD_LIBRARY_PATH": str(library.parent)}), end="")
    return 0


if __name__ == "__main__":
    sys.exit(main())
