#!/usr/bin/env python3
"""Check that gpu_papers completes on a real driver: all results right, every section filled or marked, no time of a CPU.

Usage: papers.py TULLE_COMPARE [OPTIONS OF gpu_papers...]. Without an OpenCL driver there is nothing to check: exit
status 77.
"""

import subprocess
import sys
from pathlib import Path

SCRIPT = Path(__file__).resolve().parent.parent.parent / "gpu_papers"
SECTIONS = 24

compare, *options = sys.argv[1:]


def run(*arguments):
    return subprocess.run([sys.executable, SCRIPT, "--program", compare, *arguments], capture_output=True, text=True,
                          check=False)


def expect(condition, what, result):
    if not condition:
        sys.exit(f"{what}\nstatus {result.returncode}\n{result.stdout}\n{result.stderr}")


for wrong in ([], ["--device", "opencl:0", "--from", "."], ["--device", "nothing:7"]):
    result = run(*wrong)
    expect(result.returncode == 2 and result.stderr, f"{wrong} must be refused", result)
result = run("--device", "opencl:0", "--quick", "--seconds", "0", *options)
if "there is no opencl:0" in result.stderr:
    print("no OpenCL driver here")
    sys.exit(77)
expect(result.returncode == 0 and "WRONG" not in result.stdout, "all are right", result)
sections = result.stdout.split("\n### ")[1:]
expect(len(sections) == SECTIONS, "a section per experiment", result)
for section in sections:
    expect("\n| " in section or "\nNot run: " in section, "filled or marked: " + section.partition("\n")[0], result)
expect(any("\n| " in section and " right" in section for section in sections), "something was run", result)
if "Not a GPU" in result.stdout:
    head = result.stdout.partition("\n### ")[0]
    expect("times of a CPU, not of a GPU" in head and " us\n" not in result.stderr, "a CPU has no times", result)
print("all as it should be")
