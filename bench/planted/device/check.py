#!/usr/bin/env python3
"""Check that tulle-compare and tulle-batch --device are right on a real driver, see wrong results, time no CPU.

Usage: check.py TULLE_COMPARE PLUGINS, where PLUGINS is the folder of planted contenders. Without an
OpenCL driver there is nothing to check: exit status 77.
"""

import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

RUN = Path(__file__).resolve().parent.parent.parent / "run"
MATRIX = "gen:empty:rows=3000,cols=3000,empty=0.5"
TIMES = ("µs", "GFlop/s", "GB/s", "conversion")

compare, plugins = sys.argv[1:]


def run(*arguments, name="compare"):
    """The program and its report, as ./dev bench prints it."""
    program = Path(compare).with_name(f"tulle-{name}")
    return subprocess.run([sys.executable, RUN, name, "--program", program, *arguments], capture_output=True,
                          text=True, check=False)


def times_in(path):
    """Of products and of their launches."""
    written = json.loads(Path(path).read_text())
    rows = [row for matrix in written["matrices"] for row in matrix["results"]]
    rows += [part for row in rows for part in row.get("launch", [])]
    return [row[key] for row in rows for key in row if key.startswith("seconds") and row[key] is not None]


def expect(condition, what, result):
    if not condition:
        sys.exit(f"{what}\nstatus {result.returncode}\n{result.stdout}\n{result.stderr}")


def rows(text):
    """{contender: its cells}."""
    lines = [line.split("|")[1:-1] for line in text.splitlines() if re.match(r"\| (tulle|planted|loop):", line)]
    return {cells[0].strip(): [cell.strip() for cell in cells[1:]] for cells in lines}


result = run("--device", "nothing:7", MATRIX)
expect(result.returncode == 2 and "nothing:7" in result.stderr, "an unknown device is told", result)
for arguments in (["--type", "f32", MATRIX], ["--device", "opencl:0", "--work", "x", MATRIX]):
    result = run(*arguments)
    expect(result.returncode == 2 and "--device" in result.stderr, f"{arguments} must be refused", result)

result = run("--device", "opencl:0", "--contenders", "none", "--formats", "csr", MATRIX)
if "there is no opencl:0" in result.stderr:
    print("no OpenCL driver here")
    sys.exit(77)

for kind in ("f64", "f32"):
    result = run("--device", "opencl", "--contenders", "none", "--type", kind, "--seconds", "0", MATRIX,
                 "gen:rmat:scale=10")
    if "no double precision" in result.stderr:
        continue
    expect(result.returncode == 0 and "WRONG" not in result.stdout, f"{kind}: all are right", result)
    expect(result.stdout.count("\n### ") == 2 and "- driver: " in result.stdout, "a report", result)
    found = rows(result.stdout)
    expect(len(found) > 1 and all("right" in cells[-1] or "refused" in cells[-1] for cells in found.values()),
           "every format has its line", result)
    widths = {line.count("|") for line in result.stdout.splitlines() if line.startswith("|")}
    expect(len(widths) == 1, "a Markdown table has as many cells in each line", result)
    if "Not a GPU" in result.stdout:
        expect(not any(word in result.stdout for word in TIMES) and " us\n" not in result.stderr,
               "a device that is not a GPU has no times", result)

with tempfile.TemporaryDirectory() as folder:
    path = Path(folder, "run.json")
    result = run("--device", "opencl:0", "--contenders", "none", "--formats", "csr,csr5", "--json", path, MATRIX)
    launches = json.loads(path.read_text())["matrices"][0]["results"][1]["launch"]
    expect(len(launches) > 1 and all(part["kernel"] and part["threads"] for part in launches)
           and f"- tulle:csr5: {launches[0]['kernel']}" in result.stdout, "launches are told", result)
    expect(result.returncode == 0 and bool(times_in(path)) == ("Not a GPU" not in result.stdout),
           "only GPUs have times in the JSON", result)

result = run("--device", "opencl:0", "--formats", "csr", "--plugins", plugins, "--seconds", "0", MATRIX)
found = rows(result.stdout)
expect(result.returncode == 1, "wrong results are told by the exit status", result)
for name in ("little", "later", "unwritten", "failing", "wavering"):
    expect("WRONG" in found[f"planted:{name}"][-1], f"{name} must be WRONG", result)
expect("bits changed" in found["planted:wavering"][-1], "changed bits are told", result)
for name in ("tulle:csr", "planted:right"):
    expect("right" in found[name][-1] and "WRONG" not in found[name][-1], f"{name} is right", result)
expect("refused: as planned" in found["planted:refusing"][-1], "a refusal is told", result)
expect("absent: not to be had" in result.stdout and "elsewhere: only for devices of cuda" in result.stdout,
       "who does not take part is told", result)

# Batches: every kernel and a loop of plans, on matrices of one pattern and of different ones.
BATCHES = ("each:random:rows=40,cols=40", "pattern:gen:stencil5:n=9")
for kind in ("f64", "f32"):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "run.json")
        result = run("--device", "opencl:0", "--count", "20", "--type", kind, "--json", path, *BATCHES, name="batch")
        if "no double precision" in result.stderr:
            continue
        expect(result.returncode == 0 and "WRONG" not in result.stdout, f"batches in {kind}: all are right", result)
        names = [row["contender"] for row in json.loads(path.read_text())["matrices"][0]["results"]]
        expect(sum("form=" in name for name in names) == 12 and {"tulle:auto", "loop:tulle:csr"} <= set(names),
               "all kernels for batches, and a loop", result)
        expect(bool(times_in(path)) == ("Not a GPU" not in result.stdout), "only GPUs have times of batches", result)

result = run("--device", "opencl:0", "--count", "20", "--plugins", plugins, "--contenders",
             "loop:planted:right,loop:planted:little,loop:planted:later,loop:nobody:x,loop:elsewhere:right", BATCHES[0],
             name="batch")
found = rows(result.stdout)
expect(result.returncode == 1 and "WRONG" not in found["loop:planted:right"][-1], "a loop is right", result)
for name in ("little", "later"):
    expect("WRONG" in found[f"loop:planted:{name}"][-1], f"a loop over {name} must be WRONG", result)
expect("refused: absent" in found["loop:nobody:x"][-1] and "loop:elsewhere:right" not in found,
       "loops that cannot run are told", result)
for arguments in (["--type", "both"], ["--contenders", "nobody"]):
    result = run("--device", "opencl:0", *arguments, BATCHES[0], name="batch")
    expect(result.returncode == 2 and result.stderr, f"batch {arguments} must be refused", result)
print("all as it should be")
