#!/usr/bin/env python3
"""What src/gpu/opencl_api.h declares by hand is what OpenCL's own headers declare: numbers and functions.

Usage: opencl_header.py OPENCL_API_H COMPILER. Exit status 77 where CL/cl.h is not installed.
"""

import re
import subprocess
import sys

HEAD = "#define CL_TARGET_OPENCL_VERSION 300\n#include <CL/cl.h>\n#include <CL/cl_ext.h>\n"


def compiled(compiler, text):
    """Exit status and complaints of the compiler."""
    done = subprocess.run([compiler, "-x", "c", "-std=gnu11", "-fsyntax-only", "-Wno-deprecated-declarations", "-"],
                          input=text, capture_output=True, text=True, check=False)
    return done.returncode, done.stderr


def checks(text):
    """One static assertion for each number and each function of the header."""
    text = re.sub(r"\\\n\s*", " ", text)
    numbers = re.findall(r"^\s*(CL_\w+) = (-?\w+)", text, re.M)
    numbers += re.findall(r"^#define (CL_\w+) (\w+)", text, re.M)
    calls = [("cl_int", *found) for found in re.findall(r"X\((cl[A-Z]\w+),\s*(\((?:[^()]|\([^()]*\))*\))\)", text)]
    calls += re.findall(r"X\((cl_\w+), (cl[A-Z]\w+),\s*(\((?:[^()]|\([^()]*\)\s*)*\))\)", text)
    assert len(numbers) > 20 and len(calls) > 20, "nothing found in the header"
    for name, value in numbers:
        yield f'_Static_assert({name} == {value}, "{name}");\n'
    for result, name, arguments in calls:
        yield (f'_Static_assert(__builtin_types_compatible_p(__typeof__({name}), {result}{arguments}), '
               f'"{name}");\n')


def main():
    header, compiler = sys.argv[1:]
    if compiled(compiler, HEAD)[0]:
        print("CL/cl.h is not installed (opencl-headers)")
        return 77
    with open(header, encoding="utf-8") as file:
        lines = list(checks(file.read()))
    code, complaints = compiled(compiler, HEAD + "".join(lines))
    print(complaints or f"{len(lines)} declarations are those of OpenCL's headers")
    # The check itself must be able to fail.
    if not compiled(compiler, HEAD + lines[0].replace(" == ", " != "))[0]:
        print("a wrong number was not seen")
        return 1
    return code


if __name__ == "__main__":
    sys.exit(main())
