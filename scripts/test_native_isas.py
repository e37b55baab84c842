#!/usr/bin/env python3
"""TULLE_ISAS=native must choose the scalar set and the widest sets that the kernel lists for this processor, and refuse to cross-compile.

Usage: test_native_isas.py [COMPILER]. Only configures; builds nothing.
"""

import re
import subprocess
import sys
import tempfile
from pathlib import Path

TREE = Path(__file__).resolve().parent.parent
AVX2 = {"avx2", "fma", "bmi2"}
AVX512 = AVX2 | {"avx512f", "avx512dq", "avx512bw", "avx512vl"}


def expected():
    flags = set(re.search(r"^flags\s*: (.*)$", Path("/proc/cpuinfo").read_text(), re.M)[1].split())
    if flags >= AVX512:
        return ["scalar", "avx512", "avx512_loads"]
    return ["scalar", "avx2", "avx2_loads"] if flags >= AVX2 else ["scalar"]


def configured(compiler, *options):
    with tempfile.TemporaryDirectory() as work:
        done = subprocess.run(["cmake", "-S", TREE, "-B", work, f"-DCMAKE_C_COMPILER={compiler}", "-DTULLE_ISAS=native",
                               "-DTULLE_BUILD_CLI=OFF", *options], capture_output=True, text=True, check=False)
    return done.returncode, done.stdout + done.stderr


def main(compiler="cc"):
    if "flags" not in Path("/proc/cpuinfo").read_text():
        print("the kernel does not list features of this processor as x86 does")
        return 0
    status, text = configured(compiler)
    found = re.search(r"Instruction sets of this machine: (.*)", text)
    if status or not found or found[1].split(";") != expected():
        print(f"expected {expected()}:\n{text}")
        return 1
    status, text = configured(compiler, "-DCMAKE_SYSTEM_NAME=Linux")  # which declares the target another machine
    if not status or "name the instruction sets" not in " ".join(text.split()):
        print(f"expected a refusal to cross-compile:\n{text}")
        return 1
    print(*expected())
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
