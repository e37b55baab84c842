#!/usr/bin/env python3
"""Run clang-tidy over a configured build and want no finding.

Usage: tidy.py BUILD [--full] [--jobs N] [FILE...]. The kernels are compiled for every instruction set, type
and index pair; one of each instruction set is enough to read them, so the others are left out. So are files that the build generates:
it need not have been made.

Clang's static analyzer takes 95 % of the time, nearly all of it in functions that it gives up after
225,000 nodes. Without --full it gives up after 30,000 and takes a seventh of the time, and it analyzes what is installed only, kernels
for one instruction set. The other checks are for all.
"""

import argparse
import json
import re
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

SKIP = re.compile(r"-DTULLE_T=f32|-DTULLE_O=i32|-DTULLE_C=i64")


def wanted(commands, files, build):
    """One command for each (file, instruction set)."""
    seen = {}
    for entry in commands:
        if not entry["file"].endswith((".c", ".cpp")) or SKIP.search(entry["command"]):
            continue
        if Path(entry["file"]).is_relative_to(build):
            continue
        if files and not any(entry["file"].endswith(name) for name in files):
            continue
        isa = re.search(r"-DTULLE_ISA=(\w+)", entry["command"])
        seen.setdefault((entry["file"], isa and isa.group(1)), entry)
    return list(seen.values())


def give_up_after(nodes):
    """Arguments that let the analyzer give up a function after that number of nodes."""
    return [f"--extra-arg={word}" for word in
            ("-Xclang", "-analyzer-config", "-Xclang", f"max-nodes={nodes}")]


def is_analyzed(entry):
    """Is it part of the library or of the command, and of its kernels those for vectors of 64 bytes?"""
    isa = re.search(r"-DTULLE_ISA=(\w+)", entry["command"])
    return re.search(r"/(src|cli)/(?!.*/(tests|bench)/)", entry["file"]) and (not isa or isa.group(1) == "avx512")


def depth(entry, full):
    if full:
        return []
    return give_up_after(30000) if is_analyzed(entry) else ["--checks=-clang-analyzer-*"]


def tidy(entry, options):
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "compile_commands.json").write_text(json.dumps([entry]))
        run = subprocess.run(["clang-tidy-14", "--quiet", *options, "-p", folder, entry["file"]],
                             capture_output=True, text=True, check=False)
    return run.returncode, run.stdout.strip() or run.stderr.strip()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("build")
    parser.add_argument("files", nargs="*")
    parser.add_argument("--full", action="store_true", help="analyze as deeply as clang does by default")
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args()
    commands = json.loads(Path(options.build, "compile_commands.json").read_text())
    entries, bad = wanted(commands, options.files, Path(options.build).resolve()), 0
    if not entries:
        sys.exit("tidy: nothing to read")
    with ThreadPoolExecutor(options.jobs) as pool:
        for code, text in pool.map(lambda entry: tidy(entry, depth(entry, options.full)), entries):
            if code:
                bad += 1
                print(text)
    print(f"clang-tidy: {len(entries)} compilations, {bad} with findings")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
