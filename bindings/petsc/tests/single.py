#!/usr/bin/env python3
"""Does the plugin compile for PETSc in single precision, which Debian does not have?

Usage: single.py COMPILER FOLDER-OF-HEADERS... The configuration of each installed PETSc is changed to single precision. The compiler
checks types only; nothing is run.
"""

import re
import subprocess
import sys
import tempfile
from pathlib import Path

FOLDER = Path(__file__).resolve().parent.parent


def findings(compiler, headers):
    """What the compiler says about each file of the plugin, for single precision."""
    changed, found = re.subn(r"PETSC_USE_REAL_DOUBLE", "PETSC_USE_REAL_SINGLE", (headers / "petscconf.h").read_text())
    assert found == 1, f"{headers}/petscconf.h: {found} lines with PETSC_USE_REAL_DOUBLE"
    with tempfile.TemporaryDirectory() as scratch:
        Path(scratch, "petscconf.h").write_text(changed)
        for source in sorted(FOLDER.glob("*.c")):
            done = subprocess.run([compiler, "-fsyntax-only", "-std=c11", "-Wall", "-Wextra", "-Werror", "-D_DEFAULT_SOURCE",
                                   "-DTULLE_PETSC_NAME=tulle_single", f"-I{FOLDER}", f"-I{FOLDER.parent.parent}/include", "-isystem",
                                   scratch, "-isystem", str(headers), str(source)], capture_output=True, text=True, check=False)
            if done.returncode:
                yield f"{source.name}, {headers}: {done.stderr[-1500:]}"


def main():
    found = [text for headers in sys.argv[2:] for text in findings(sys.argv[1], Path(headers))]
    print("\n".join(["FAILED " + text for text in found]) or f"{len(sys.argv) - 2} configurations compile")
    return 1 if found or len(sys.argv) < 3 else 0


if __name__ == "__main__":
    sys.exit(main())
