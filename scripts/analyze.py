#!/usr/bin/env python3
"""Read the library and the command with gcc -fanalyzer and cppcheck, and want no finding.

Usage: analyze.py BUILD [--jobs N] [--only gcc|cppcheck]. BUILD is a configured build of gcc. Kernels are read once, for the scalar
set; clang-tidy reads the others (tidy.py). EXCUSED lists findings that are wrong, each with its reason. An excuse that is not
needed any more is a fault, too. Exit status 1 if there is a finding or such an excuse.
"""

import argparse
import json
import os
import re
import shlex
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

SKIP = re.compile(r"-DTULLE_T=f32|-DTULLE_O=i32|-DTULLE_C=i64|-DTULLE_ISA=(?!scalar\b)\w+")
FOLDERS = ("src/", "cli/", "kit/")
TREE = Path(__file__).resolve().parent.parent

# (tool, file, kind of finding): reason.
EXCUSED = {
    ("gcc", "src/api/device.c", "analyzer-null-dereference"): "tulle__find_device() sets the driver if it returns TULLE_OK",
    ("gcc", "src/api/explain.c", "analyzer-null-dereference"): "the baseline is among the candidates of every plan that has candidates",
    ("gcc", "src/gpu/opencl_device.c", "analyzer-null-dereference"): "without the library there is no device, and no caller has a negative number",
    ("gcc", "src/gpu/opencl_device.c", "analyzer-use-of-uninitialized-value"): "all_devices() fills as many places as it returns, and no caller has a negative number",
    ("gcc", "src/planner/candidates.c", "analyzer-null-dereference"): "there is a best candidate where one that is not rejected is compared with it",
    ("gcc", "src/core/hash.h", "analyzer-use-of-uninitialized-value"): "planner/recall.c passes the number of bytes that it has set",
    ("gcc", "src/csr/chunks.h", "analyzer-null-dereference"): "lengths are read after the full steps only, and then there are lengths",
    ("gcc", "src/finish/finish_kernels.c", "analyzer-use-of-uninitialized-value"): "gcc 12 does not follow the initializers of vectors",
    ("gcc", "src/loops/many.h", "analyzer-use-of-uninitialized-value"): "likewise; slab_zero() sets the registers that are added to",
    ("cppcheck", "src/api/file.c", "uninitvar"): "tulle__read_options() fills the options if it returns TULLE_OK",
    ("cppcheck", "src/api/explain.c", "internalAstError"): "cppcheck 2.10 cannot parse a compound literal in a conditional expression",
    ("cppcheck", "src/core/executable.c", "pointerSize"): "sizeof is of an array of pointers, as meant",
    ("cppcheck", "src/core/text.c", "uninitvar"): "tulle__show() fills the array that it is given",
    ("cppcheck", "src/csr/check.c", "uninitvar"): "each part sets its element before it is read",
    ("cppcheck", "src/io/decimal.c", "shiftNegativeLHS"): "gcc and clang define the right shift of a negative number; floor is meant",
    ("cppcheck", "src/planner/trial.c", "autoVariables"): "only read during the call that sets it",
    ("cppcheck", "src/formats/sym/sym_fill.c", "uninitvar"): "a node has at least one row, so the loop before it sets them",
    ("cppcheck", "src/loops/decoded.h", "zerodivcond"): "the loop that divides is not entered if the size is 0",
    ("cppcheck", "kit/triangle.c", "zerodivcond"): "the loop ends when nothing is missing",
    ("cppcheck", "cli/batch.c", "nullPointerRedundantCheck"): "cli_fail() does not return",
    ("cppcheck", "cli/bench_html.c", "nullPointerRedundantCheck"): "cli_fail() does not return",
    ("cppcheck", "cli/files.c", "nullPointerRedundantCheck"): "cli_fail() does not return",
    ("cppcheck", "cli/files.c", "nullPointerArithmeticRedundantCheck"): "cli_fail() does not return",
}


def wanted(commands):
    """One command for each file of the product."""
    seen = {}
    for entry in commands:
        path = entry["file"].removeprefix(f"{TREE}/")
        if path.startswith(FOLDERS) and path.endswith(".c") and not SKIP.search(entry["command"]):
            seen.setdefault(path, entry)
    return seen


def compiler_words(entry):
    """The arguments after the compiler, without optimization, output and -Werror."""
    words = shlex.split(entry["command"])
    while words and not re.fullmatch(r"(.*/)?(gcc|cc)(-\d+)?", words[0]):
        words.pop(0)
    kept, rest = [], iter(words[1:])
    for word in rest:
        if word in ("-o", "-c"):
            if word == "-o":
                next(rest)
        elif not word.startswith(("-O", "-Werror", "-M")):
            kept.append(word)
    return [words[0], *kept]


def path_of(place):
    """A path of a message, from the root of the tree."""
    return os.path.normpath(place.removeprefix(f"{TREE}/"))


def run_gcc(item):
    path, entry = item
    command = [*compiler_words(entry), "-O1", "-fanalyzer", "-c", "-o", "/dev/null"]
    done = subprocess.run(command, cwd=entry["directory"], capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"{path}: gcc failed:\n{done.stderr}")
    found = re.findall(r"^(\S+?):(\d+):\d+: warning: (.*?)(?: \[CWE-\d+\])? \[-W(analyzer[\w-]+)\]", done.stderr, re.M)
    return [(path_of(place), kind, f"{line}: {text}") for place, line, text, kind in found]


def gcc_findings(entries, jobs):
    with ThreadPoolExecutor(jobs) as pool:
        return [finding for found in pool.map(run_gcc, entries.items()) for finding in found]


def cppcheck_findings(entries, jobs):
    with tempfile.TemporaryDirectory() as folder:
        project = Path(folder, "compile_commands.json")
        project.write_text(json.dumps(list(entries.values())))
        done = subprocess.run(["cppcheck", f"--project={project}", "-j", str(jobs), "--quiet", "--enable=warning,portability",
                               "--suppress=missingIncludeSystem", "--max-configs=1", "--template={file}:{line}: {id}: {message}"],
                              capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"cppcheck failed:\n{done.stdout}{done.stderr}")
    found = re.findall(r"^(\S+?):(\d+): (\w+): (.*)$", done.stderr, re.M)
    return [(path_of(place), kind, f"{line}: {text}") for place, line, kind, text in found]


def judge(tool, findings, excused):
    """What is left, and the excuses that nothing needed."""
    needed = {(tool, path, kind) for path, kind, _ in findings}
    left = [finding for finding in findings if (tool, *finding[:2]) not in excused]
    return left, [key for key in excused if key[0] == tool and key not in needed]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("build", type=Path)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--only", choices=("gcc", "cppcheck"))
    options = parser.parse_args()
    entries = wanted(json.loads((options.build / "compile_commands.json").read_text()))
    if not entries:
        sys.exit("analyze: nothing to read")
    bad = 0
    for tool, name, find in (("gcc", "gcc -fanalyzer", gcc_findings), ("cppcheck", "cppcheck", cppcheck_findings)):
        if options.only in (None, tool):
            left, idle = judge(tool, find(entries, options.jobs), EXCUSED)
            for path, kind, text in left:
                print(f"{path}:{text} [{kind}]")
            for _, path, kind in idle:
                print(f"{path}: {kind} is excused and not found")
            print(f"{name}: {len(entries)} files, {len(left)} findings, {len(idle)} excuses not needed")
            bad += len(left) + len(idle)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
