#!/usr/bin/env python3
"""Check that phrases which readers stumbled over do not come back.

Usage: check_language.py TREE. Prints file:line, the phrase and what to write instead; exit status 1 if any.
Line breaks and the stars of comments do not matter.
"""

import re
import sys
from pathlib import Path

FOLDERS = ["include", "src", "kit", "cli", "bench", "tests", "fuzz", "examples", "bindings", "docs", "packaging", "scripts"]
FILES = ["README.md", "CONTRIBUTING.md", "dev"]
SUFFIXES = {".c", ".h", ".cpp", ".hpp", ".gpu", ".def", ".py", ".pyi", ".md", ".1", ".in", ".expected", ""}

# What was written: what to write.
PHRASES = {
    "a warp a tile": "one warp per tile",
    "nonzeros a lane": "nonzeros per lane",
    "lie behind each other": "are contiguous",
    "rather scatter from A than have A^T built": "compute A^T x by scattering from A",
    "the allocator said no": "allocation failed",
    "An allocator that says no is told of": "report allocation failure",
    "nobody wants to know": "no progress reports",
    "overlap but are not one": "b must equal y or be disjoint from it",
    "what is small nobody cares about": "small layouts are exempt",
    "Of so many times as many columns as nonzeros": "skip if cols > 4 nnz",
    "from birth to death": "lifecycle",
    "a multiplication, predicted": "per multiplication (predicted)",
    "pays from": "breaks even at",
    "to look at the matrix": "analysis",
    "MB of its own": "extra memory",
    "conversion none, on the library's copy": "conversion: none (uses tulle's copy of your CSR arrays)",
    "% idle lanes": "padding",
    "out: x stays in the cache": "ruled out: x already fits in cache",
    "the picture of it": "wrote FILE",
    "FILE wanted": "missing argument: FILE",
    "there is none of this name": "unknown format; available: ...",
    "have in common: ": "shared structure: ",
    "entries with padding for each one": "padding factor",
    "What is no GPU is not timed": "Devices that are not GPUs are not timed",
    "That there is no device is no failure": "Exits 0 even if no device is found",
    "is a link as any other": "self-links count like any other link",
    "Who knows better names a format": "If you name a format, the planner is skipped",
    "who needs both makes two plans": "if you need both, make two plans",
    "are not worth a trial": "below N multiplications it falls back to ESTIMATE",
    "Hardly a conversion would pay": "Conversions rarely pay off",
    "which keeps of columns and values only what is needed": "which compresses indices and values losslessly",
    "nobody says. So they are counted": "PETSc does not tell us, so we count them",
    "behind PETSc's back": "Direct writes to the arrays go undetected",
    "bytes a nonzero": "bytes per nonzero",
    "lanes a row": "lanes per row",
    "thread a row": "thread per row",
    "warp a row": "warp per row",
    "warp a column": "warp per column",
}
# Names: what they were, what they are.
NAMES = {
    "PICKY": "RESTRICTED",
    "lonely": "has_no_entries",
    "gpu_late": "gpu_bind_at_run",
    "line_up": "collect_segments",
    "look_at_lengths": "analyze_row_lengths",
    "woven": "interleaved",
    "prospects": "candidates",
}


def flatten(text):
    """The words with one blank between them, and the line of each character."""
    words, lines = [], []
    for number, line in enumerate(text.splitlines(), 1):
        for word in re.sub(r"^\s*(\*|//|#)?\s", " ", " " + line).split():
            words.append(word)
            lines += [number] * (len(word) + 1)
    return " ".join(words), lines


def faults_of(text):
    """Yield (line, phrase, replacement)."""
    flat, lines = flatten(text)
    for phrase, better in PHRASES.items():
        for match in re.finditer(re.escape(phrase), flat):
            yield lines[match.start()], phrase, better
    for name, better in NAMES.items():
        for match in re.finditer(rf"\b{name}\b", flat):
            yield lines[match.start()], name, better


def sources(tree):
    for folder in FOLDERS:
        yield from sorted((tree / folder).rglob("*"))
    yield from (tree / name for name in FILES)


def main():
    tree, faults = Path(sys.argv[1]), 0
    for file in sources(tree):
        if not file.is_file() or file.suffix not in SUFFIXES or file.name in (Path(__file__).name, "test_checks.py"):
            continue
        for line, phrase, better in faults_of(file.read_text(encoding="utf-8", errors="replace")):
            print(f"{file.relative_to(tree).as_posix()}:{line}: \"{phrase}\": write \"{better}\"")
            faults += 1
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
