#!/usr/bin/env python3
"""Compile the Fortran module, compare it with tulle.h, and run its test and its example.

Usage: fortran.py GFORTRAN CC LIBRARY. Constants and offsets of fields that the module declares must be those of the
header: a C program and a Fortran program, both made from the text of the module, print them (layout.py). Exit status 77 where
GFORTRAN is not installed.
"""

import re
import shutil
import sys
import tempfile
from pathlib import Path

from layout import TREE, compare, run

MODULE = [TREE / "bindings/fortran/tulle_c.f90", TREE / "bindings/fortran/tulle.f90"]
# -Wno-compare-reals: the tests compare whole numbers.
WARNINGS = ["-std=f2018", "-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Wimplicit-interface", "-Wno-compare-reals",
            "-Werror"]


def structures(text):
    """{type in C: [fields]} of the module's types with bind(c)."""
    found = {}
    for name, body in re.findall(r"type, bind\(c\) :: tulle_c_(\w+)\n(.*?)end type", text, re.S):
        names = [re.split(r"\s*=", field)[0].strip() for line in body.splitlines() if "::" in line
                 for field in line.split("::")[1].split(",")]
        found[f"tulle_{name}"] = names
    return found


def constants(text):
    """{name in C: value} of the module's parameters."""
    joined = re.sub(r"&\s*\n\s*", "", text)
    lines = re.findall(r"parameter, public :: (.*)", joined)
    return {name: int(value) for line in lines for name, value in re.findall(r"(\w+) = (-?\d+)", line)}


def offsets_in_fortran(fields, compiler, folder):
    declared = [f"type(tulle_c_{t.removeprefix('tulle_')}), target :: {t}" for t in fields]
    lines = [f'print "(a, i0)", "{t} {f} ", &\nat(c_loc({t}%{f})) - at(c_loc({t}))' for t, names in fields.items()
             for f in names]
    source = folder / "layout.f90"
    source.write_text("\n".join(["program layout", "use iso_c_binding", "use tulle_c", "implicit none", *declared, *lines,
                                 "contains", "function at(p)", "type(c_ptr), intent(in) :: p",
                                 "integer(c_intptr_t) :: at", "at = transfer(p, at)", "end function", "end program\n"]))
    run(compiler, "-o", folder / "layout_f", MODULE[0], source, cwd=folder)
    return run(folder / "layout_f")


def check_layout(gfortran, compiler, folder):
    fields = structures(MODULE[0].read_text())
    values = constants(MODULE[1].read_text())
    if len(fields) < 5 or len(values) < 20:
        sys.exit("FAILED: the module does not read as expected")
    compare(fields, values, offsets_in_fortran(fields, gfortran, folder), compiler, folder)


def main():
    gfortran, compiler, library = sys.argv[1], sys.argv[2], Path(sys.argv[3])
    if not shutil.which(gfortran):
        print(f"{gfortran} is not installed: the Fortran module was not tested")
        return 77
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        check_layout(gfortran, compiler, folder)
        for program in TREE / "tests/languages/fortran.f90", TREE / "bindings/fortran/examples/cg.f90":
            run(gfortran, *WARNINGS, "-O1", "-g", "-fcheck=all,no-array-temps", "-o", folder / program.stem, *MODULE, program,
                library, f"-Wl,-rpath,{library.parent}", cwd=folder)
            print(run(folder / program.stem), end="")
    return 0


if __name__ == "__main__":
    sys.exit(main())
