#!/usr/bin/env python3
"""Make small faults in the sources, one at a time, and count how many the quick tests notice.

Usage: mutate.py [--count N] [--seed N] [--folder F]... [--scratch FOLDER] [--list]

A fault is one change of one line: < and <= swapped, + and -, == and !=, a constant off by one, a condition negated, a statement
left out. Which ones are tried depends on the seed and the sources alone. Each is built in a copy of the tree, with scalar kernels only,
and the quick tests of its folder (TESTS) run until one fails. Results are kept in SCRATCH/results.jsonl, and a fault that has a result is
not tried again, so an interrupted run continues. Survivors are faults that no test noticed: either a test is missing, or the
change has no effect that can be observed. JUDGED lists the latter, each with its reason. Faults that the compiler warns of are not
counted. Exit status 1 if less than 95 % are noticed.
"""

import argparse
import hashlib
import json
import os
import random
import re
import subprocess
import sys
import time
from dataclasses import asdict, dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent
TREE = HERE.parent
sys.path.insert(0, str(TREE / "tests/planted"))
sys.path.insert(0, str(HERE))
import run as planted  # noqa: E402
from check_sources import code_only  # noqa: E402

LEAST = 95  # % that must be noticed
TIMEOUT = 120  # seconds for one test: a loop without end is noticed, too
KIND = "scalar-only"
planted.PRESETS.add(KIND)
# As in CI, whose objects ccache has. Real matrices take long.
os.environ.update(TULLE_BRIEF_TESTS="ON", TULLE_WERROR="ON")
os.environ.pop("TULLE_MATRICES", None)

ADD_TEST = re.compile(r'^add_test\(\[=\[(.*?)\]=\] "([^"]*)"', re.M)
INTERPRETERS = {"python3", "sh", "gcc", "cc"}

# The quick tests of a folder; those that are fast and notice most come first in ctest's order of costs.
FORMAT = r"^(conformance|roundtrip|exact|guard|nonfinite|alloc_failure|threads|many|steps|entry|classes|sources|matrix_from_plan)\.{}(\.|$)"
OTHERS = r"^(finishes|ordered|lossy|mixed|features|planner|plan_options|both|ways|block_csr|isas|sizes|narrow)$"
TESTS = {
    "src/core": r"^((conformance|roundtrip|exact|alloc_failure|threads|steps)\.(csr|sell)(\.|$)|(api|misuse|executable|team|lanes|limits|isas|"
                r"memory|hash|sentences|default_threads|cgroup|places|fork|background|sizes|gpu_launch|opencl_cache|fpenv|probe)$|io\.(shown|writers)$)",
    "src/csr": r"^((conformance|roundtrip|sources|alloc_failure|matrix_from_plan)\.(csr|sell|csc|sym)(\.|$)|(api|misuse|block_csr|sizes|ways|both|"
               r"features)$)",
    "src/io": r"^(io\..*|tuned\..*|fuzz\.replay\..*|cli\.(cases|hostile|outputs)|sizes|compact|wisdom\.lines)$",
    "src/formats/csr": FORMAT.format("csr") + "|" + OTHERS,
    "src/formats/sell": FORMAT.format("sell") + "|" + OTHERS,
    "src/formats/csr5": FORMAT.format("csr5") + "|" + OTHERS,
}

# (file, the line without blanks, kind): why no test can notice it.
JUDGED = {
}

SWAPS = {"<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "==", "+": "-", "-": "+"}
COMPARES = re.compile(r" (<=|>=|==|!=|<|>|\+|-) (?=\S)")
NUMBER = re.compile(r"(?<![\w.])(\d+)(?![\w.])")
CONDITION = re.compile(r"\bif \((.+)\)( \{)?$")
STATEMENT = re.compile(r"^\t+(?!return\b|const\b|static\b|goto\b|break\b|continue\b|case\b)[A-Za-z_*(][^=;{}]*(=|\+=|-=|\|=|\+\+|--|\().*;$")
DECLARATION = re.compile(r"^\t+(const |static |struct |unsigned )?[A-Za-z_]\w*\s+\**\w+(\[[^]]*\])?( =|;|,)")


@dataclass(frozen=True)
class Fault:
    """One change: columns first to last of a line become another text."""
    file: str
    line: int
    first: int
    last: int
    kind: str
    new: str
    text: str  # the line as it was

    def name(self):
        """The same for the same change of the same line, wherever the line moves."""
        words = f"{self.file} {self.text.strip()} {self.first} {self.kind} {self.new}"
        return hashlib.sha256(words.encode()).hexdigest()[:12]

    def changed(self):
        return self.text[:self.first] + self.new + self.text[self.last:]


def faults_of_line(file, number, line, code):
    """Changes of a line; `code` is the line with comments and strings blanked."""
    if not code.startswith("\t") or code.lstrip().startswith("#") or code.rstrip().endswith("\\"):
        return  # inside functions only
    def fault(first, last, kind, new):
        return Fault(file, number, first, last, kind, new, line)
    for match in COMPARES.finditer(code):
        yield fault(match.start(1), match.end(1), "operator", SWAPS[match.group(1)])
    for match in NUMBER.finditer(code):
        yield fault(match.start(), match.end(), "constant", str(int(match.group()) + 1))
    condition = CONDITION.search(code)
    if condition and condition.group(1).count("(") == condition.group(1).count(")"):
        yield fault(condition.start(1), condition.end(1), "condition", f"!({line[condition.start(1):condition.end(1)]})")
    if STATEMENT.match(code) and not DECLARATION.match(code) and code.count("(") == code.count(")"):
        yield fault(len(code) - len(code.lstrip()), len(code.rstrip()), "statement", ";")


def faults_of(tree, folder):
    """All changes of the C files of a folder, in a fixed order."""
    for file in sorted((tree / folder).rglob("*.c")):
        if "_gpu" in file.name or file.name.endswith("_estimate.c"):
            continue  # what runs on devices and what only predicts times have tests of another kind
        text = file.read_text()
        for number, (line, code) in enumerate(zip(text.splitlines(), code_only(text).splitlines()), 1):
            yield from faults_of_line(file.relative_to(tree).as_posix(), number, line, code)


def sample(tree, folders, count, seed):
    """So many changes of each folder, in turn; the same for the same seed and sources."""
    chosen = []
    for n, folder in enumerate(folders):
        found = list(faults_of(tree, folder))
        share = count // len(folders) + (n < count % len(folders))
        chosen += random.Random(f"{seed} {folder}").sample(found, min(share, len(found)))
    return chosen


def folder_of(file):
    return max((folder for folder in TESTS if file.startswith(folder + "/")), key=len)


class Judge:
    """A copy of the tree in which faults are tried."""

    def __init__(self, scratch, jobs):
        self.yard, self.jobs = planted.Yard(scratch, jobs), jobs
        self.build = self.yard.folder(KIND)
        self.programs = {}

    def tests(self, folder):
        """The targets that the tests of a folder need. They must pass without a fault."""
        if folder not in self.programs:
            configured = self.yard.build(KIND, ["tulle"])
            if configured.returncode:
                sys.exit(f"the tree does not build: {configured.stdout[-2000:]}")
            # ctest itself does not name the programs of tests that are not built yet
            targets = sorted({Path(program).name for file in self.build.rglob("CTestTestfile.cmake")
                              for name, program in ADD_TEST.findall(file.read_text()) if re.search(TESTS[folder], name)} - INTERPRETERS)
            self.programs[folder] = targets or sys.exit(f"{folder}: no tests")
            noticed = self.run(folder)
            if noticed:
                sys.exit(f"{folder}: without a fault: {noticed}")
        return self.programs[folder]

    def run(self, folder):
        """The first test that fails; "" if all pass, None if it does not compile."""
        built = self.yard.build(KIND, self.programs[folder])
        if built.returncode:
            return None
        done = subprocess.run(["ctest", "--test-dir", self.build, "-R", TESTS[folder], "-L", "^quick$", "--stop-on-failure", "--timeout",
                               str(TIMEOUT), "--parallel", str(self.jobs)], capture_output=True, text=True, check=False)
        failed = re.search(r"Test +#\d+: (\S+) \.*.*(?:Failed|Exception|Timeout|Subprocess)", done.stdout)
        if done.returncode and not failed:
            sys.exit(f"ctest failed: {done.stdout[-2000:]}")
        return failed.group(1) if failed else ""

    def try_fault(self, fault):
        """The verdict, and the test that noticed."""
        folder = folder_of(fault.file)
        self.tests(folder)
        path = self.yard.tree / fault.file
        old = path.read_text()
        lines = old.split("\n")
        lines[fault.line - 1] = fault.changed()
        path.write_text("\n".join(lines))
        try:
            test = self.run(folder)
        finally:
            path.write_text(old)
        return ("does not compile", "") if test is None else ("killed", test) if test else ("survived", "")


def is_judged(fault):
    return (fault["file"], fault["text"].strip(), fault["kind"]) in JUDGED


def report(results):
    """The lines of the report, and the share that was noticed of those that could be, in %."""
    tried = [r for r in results if r["verdict"] != "does not compile" and not (r["verdict"] == "survived" and is_judged(r))]
    killed = sum(r["verdict"] == "killed" for r in tried)
    lines = [f"survived: {r['file']}:{r['line']}: {r['kind']}: {r['text'].strip()} -> {r['changed'].strip()}"
             for r in tried if r["verdict"] == "survived"]
    share = 100 * killed / len(tried) if tried else 0
    lines.append(f"{len(results)} faults: {killed} of {len(tried)} killed ({share:.1f} %), {len(tried) - killed} survived, "
                 f"{sum(r['verdict'] == 'does not compile' for r in results)} do not compile, "
                 f"{sum(r['verdict'] == 'survived' and is_judged(r) for r in results)} without effect")
    return lines, share


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--folder", action="append", choices=sorted(TESTS))
    parser.add_argument("--scratch", type=Path, default=TREE / "build/mutate")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--list", action="store_true")
    options = parser.parse_args()
    chosen = sample(TREE, options.folder or list(TESTS), options.count, options.seed)
    if options.list:
        for fault in chosen:
            print(f"{fault.name()} {fault.file}:{fault.line}: {fault.kind}: {fault.text.strip()} -> {fault.changed().strip()}")
        return 0
    options.scratch.mkdir(parents=True, exist_ok=True)
    kept = options.scratch / "results.jsonl"
    known = {r["name"]: r for r in map(json.loads, kept.read_text().splitlines())} if kept.exists() else {}
    judge = None
    for n, fault in enumerate(chosen, 1):
        if fault.name() not in known:
            judge = judge or Judge(options.scratch, options.jobs)
            begin = time.monotonic()
            verdict, test = judge.try_fault(fault)
            known[fault.name()] = {**asdict(fault), "name": fault.name(), "changed": fault.changed(), "seed": options.seed,
                                   "verdict": verdict, "test": test}
            with kept.open("a") as out:
                out.write(json.dumps(known[fault.name()]) + "\n")
            print(f"{n}/{len(chosen)} {verdict:17} {time.monotonic() - begin:5.1f} s  {fault.file}:{fault.line} {fault.kind} {test}", flush=True)
    lines, share = report([known[fault.name()] for fault in chosen])
    print("\n".join(lines))
    return 1 if share < LEAST else 0


if __name__ == "__main__":
    sys.exit(main())
