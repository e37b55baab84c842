#!/usr/bin/env python3
"""Check what no compiler checks of the sources: heads, left-overs, inline functions, casts, names of files, length,
and that the table of tests/README.md has a row for each test program.

Usage: check_sources.py TREE. Prints file:line of each fault; exit status 1 if any. Long files are
only warned about.
"""

import re
import sys
from pathlib import Path

FOLDERS = ["include", "src", "kit", "cli", "bench", "tests", "fuzz", "examples", "bindings"]
SUFFIXES = {".c", ".h", ".cpp", ".hpp", ".gpu"}
LONG = 400

# Files whose code is compiled for several instruction sets: an inline function that is not static
# may be linked from its AVX-512 copy for everybody, and a machine without AVX-512 dies of it.
MANY_ISAS = re.compile(r"^src/(simd/|loops/|core/kernel\.h|.*_kernels\.c$)")
INLINE = re.compile(r"^(?!.*\bstatic\b).*\binline\b")
KERNEL_CALLS = re.compile(r"\b(malloc|calloc|realloc|free|printf|fma|fmaf|sqrt|fabs|tulle__fail)\s*\(")
LEFT_OVERS = [
    (re.compile(r"\b(TODO|FIXME|XXX)\b"), "unfinished business; open an issue instead"),
    (re.compile(r"^\s*#\s*if\s+[01]\b"), "dead code behind #if"),
]

# By way of an integer, no compiler notices that a cast drops const. What is the product's owns by pointers
# that are not const and views by const ones (CONTRIBUTING.md), so it needs no such cast except here.
DROPS_CONST = re.compile(r"\((?!const\b)[A-Za-z_][\w ]*\*[\w *]*\)\s*\(uintptr_t\)\s*[A-Za-z_&(*]")
MAY_DROP_CONST = {
    "src/api/matrix.c",      # counts the holds of a matrix that its caller sees as const
    "src/csr/csr_matrix.c",  # frees the arrays of a tulle__csr, which is a view for all others
    "src/gpu/opencl.c",      # a handle is a pointer in OpenCL, an integer in CUDA
    "src/gpu/cuda.c",        # the driver takes arguments that it only reads by void **
    "bindings/python/src/core_sources.c",  # Python takes memory that it only reads by char *
}
PRODUCT = ("include/", "src/", "kit/", "cli/", "examples/", "bindings/")


def code_only(text):
    """The text with comments and strings blanked, lines kept."""
    blank = lambda match: re.sub(r"[^\n]", " ", match.group(0))
    return re.sub(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"', blank, text, flags=re.S)


def check_file(path, text):
    """Yield (line, fault) of one file."""
    if not text.startswith(("/*", "//")):
        yield 1, "open with one sentence that says what the file is"
    elif path.endswith((".c", ".h")) and Path(path).name not in text.splitlines()[0]:
        yield 1, f"the first line names the file: /* {Path(path).name} -- what it is. */"
    code = code_only(text).splitlines()
    for number, line in enumerate(text.splitlines(), 1):
        for pattern, reason in LEFT_OVERS:
            if pattern.search(line):
                yield number, reason
    for number, line in enumerate(code, 1):
        if MANY_ISAS.match(path) and INLINE.match(line):
            yield number, "inline without static in code for several instruction sets"
        if path.endswith("_kernels.c") and KERNEL_CALLS.search(line):
            yield number, "a kernel allocates nothing, prints nothing and calls no libm"
        if path.startswith(PRODUCT) and path not in MAY_DROP_CONST and DROPS_CONST.search(line):
            yield number, "a cast by way of uintptr_t drops const: hold what is owned by a pointer that is not const"


def check_names(files):
    """Yield (path, fault) of files in src/ with the same name: messages, debuggers and editors show the name only."""
    first = {}
    for file in files:
        if file.suffix in SUFFIXES | {".def"} and file.name in first:
            yield file, f"has the name of {first[file.name].parent.name}/{file.name}"
        first.setdefault(file.name, file)


def test_programs(tests):
    """Yield (name in the table, file) of the programs; tests/gpu has a README of its own."""
    for folder in ("", "io", "wisdom", "pagerank", "kit"):
        for file in sorted((tests / folder).glob("*.c")):
            if re.search(r"^int main\(", file.read_text(), re.M):
                yield f"{folder} {file.stem.removeprefix('kit_')}".strip(), file
    for file in sorted((tests / "cli").glob("*.py")):
        if file.stem not in ("harness", "run"):
            yield f"cli {file.stem}", file


def check_test_rows(tests):
    """Yield (path, fault) of test programs that the table does not explain."""
    page = tests / "README.md"
    rows = set(re.findall(r"^\| ([^|]*) \|", page.read_text(), re.M)) if page.exists() else set()
    for name, file in test_programs(tests):
        if name not in rows:
            yield file, f"the table of tests/README.md has no row '{name}'"


def main():
    tree, faults = Path(sys.argv[1]), 0
    for file, fault in [*check_names(sorted((tree / "src").rglob("*"))), *check_test_rows(tree / "tests")]:
        print(f"{file.relative_to(tree)}:1: {fault}")
        faults += 1
    for file in sorted(f for folder in FOLDERS for f in (tree / folder).rglob("*")):
        if file.suffix not in SUFFIXES:
            continue
        path, text = file.relative_to(tree).as_posix(), file.read_text()
        for line, fault in check_file(path, text):
            print(f"{path}:{line}: {fault}")
            faults += 1
        length = text.count("\n")
        if length > LONG:
            print(f"{path}: warning: {length} lines; does it hold one thing?")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
