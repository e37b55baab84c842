"""The code blocks of the documentation: what stands above each, and how a block is run.

A block that a reader may run or compile has a comment on the line above it:

    <!-- file: examples/first.c -->     it is that file, to the letter; a test runs the file
    <!-- run -->                        bash runs it in the tree
    <!-- run (C, Python) -->            likewise, and it is part of the way from a clone to the first product in C and in Python
    <!-- run: plan.sh -->               it is put into the frame tests/docs/plan.sh, in place of the line BLOCK, and run
    <!-- run: line.sh if mpiexec -->    likewise, where this program or file of the tree exists
    <!-- tested by: PATH -->            that test reads the page and runs the block
    <!-- not run: REASON -->            nothing runs it, for this reason

Two comments are for other blocks: <!-- prints --> for text of which the output of the run before it has each line, and
<!-- edit: FILE --> for a change that scripts/test_new_format.py makes.
"""

import os
import re
import shutil
import subprocess
import tempfile
import textwrap
import time
from pathlib import Path

FRAMES = "tests/docs"
LANGUAGES = {"c", "cmake", "console", "cpp", "fortran", "python", "rust", "sh"}
COMMAND = re.compile(r"(\$ |(TULLE_\w+=\S+ )*(build/)?(tulle [a-z]+ [^0-9]|\./dev |bench/\w+ |cmake |pip |python3? |mpiexec ))")
BLOCK = re.compile(r"(?:^ *<!-- (file|run|prints|tested by|not run|edit)(?: \(([\w, ]+)\))?(?:: ([^\n]*?))? -->\n)?"
                   r"^( *)```(\w*)[^\n]*\n(.*?)^\4```$", re.S | re.M)
PLACE = re.compile(r"^[^\w\n]*BLOCK[^\w\n]*\n", re.M)
PAGES = ("*.md", "docs/**/*.md", "bindings/**/*.md", "bench/*.md", "fuzz/*.md", "packaging/*.md", "tests/**/*.md", "src/**/*.md")

# How a file of each kind is run; $TREE has a build in $TREE/build and an environment of Python in $TREE/build/try.
LINK = "-o program -L$TREE/build -ltulle -lm -Wl,-rpath,$TREE/build && ./program"
RUNS = {".sh": "bash -euo pipefail {}", ".py": "python {}",
        ".c": "cc -Wall -Wextra -Werror -I$TREE/include {} " + LINK,
        ".cpp": "c++ -std=c++17 -Wall -Wextra -Werror -I$TREE/include {} " + LINK,
        ".f90": "gfortran $TREE/bindings/fortran/tulle_c.f90 $TREE/bindings/fortran/tulle.f90 {} " + LINK}


class Block:
    def __init__(self, page, line, found):
        self.page, self.line = page, line
        self.kind, ways, self.argument, _, self.language, self.body = found.groups()
        self.body = textwrap.dedent(self.body)
        self.ways = ways.split(", ") if ways else []

    def __str__(self):
        return f"{self.page}:{self.line}"

    def commands(self):
        return [line for line in self.body.splitlines() if line.strip() and not line.startswith("#")]


def blocks_of(tree, page):
    text = page.read_text()
    name = page.relative_to(tree).as_posix()
    return [Block(name, text.count("\n", 0, found.start(5)) + 1, found) for found in BLOCK.finditer(text)]


def pages_of(tree):
    """README.md first: it makes the build that the others use."""
    pages = {page for pattern in PAGES for page in tree.glob(pattern)} - {tree / "CHANGELOG.md"}
    return sorted(pages, key=lambda page: (page != tree / "README.md", page))


def frame_of(tree, block):
    """(file of the frame, what must exist for it) of a block that has one."""
    name, _, needed = block.argument.partition(" if ")
    return tree / FRAMES / name, needed


def check_mark(tree, block):
    """Yield what is wrong with the comment above a block."""
    runnable = block.language in LANGUAGES or (not block.language and COMMAND.match(block.body))
    if runnable and block.kind in (None, "prints", "edit"):
        yield "this block is neither run nor marked: <!-- run --> or <!-- not run: REASON -->, see scripts/doc_blocks.py"
    elif block.kind == "file" and block.body != (tree / block.argument).read_text():
        yield f"the program differs from {block.argument}"
    elif block.kind == "run" and block.argument:
        frame, _ = frame_of(tree, block)
        if not frame.exists() or not PLACE.search(frame.read_text()) or frame.suffix not in RUNS:
            yield f"no frame {FRAMES}/{frame.name} with a line BLOCK"
    elif block.kind == "tested by":
        test = tree / block.argument
        if not test.is_file() or Path(block.page).name not in test.read_text():
            yield f"{block.argument} is not a test that reads this page"
    elif block.kind == "not run" and not block.argument:
        yield "a block that is not run has a reason"


def environment(tree):
    path = f"{tree}/build/try/bin:{tree}/build:{os.environ['PATH']}"
    return {**os.environ, "TREE": str(tree), "PATH": path, "XDG_CACHE_HOME": str(tree / "build/docs-cache")}


def script_of(tree, block, folder):
    """The command that runs a block; writes its file into a folder if it has a frame."""
    if not block.argument:
        return block.body
    frame, _ = frame_of(tree, block)
    file = Path(folder, "block" + frame.suffix)
    file.write_text(PLACE.sub(lambda _: block.body, frame.read_text(), count=1))
    return RUNS[frame.suffix].format(file.name)


class Runner:
    """Runs blocks and keeps what they printed, how long each took, and which had nothing to run on."""

    def __init__(self, tree):
        self.tree, self.output = tree, None
        self.seconds, self.skipped = {}, []

    def leave_out(self):
        """A block is not run, so nothing is known of what it prints."""
        self.output = None

    def run(self, block):
        """Yield what is wrong."""
        needed = frame_of(self.tree, block)[1] if block.argument else ""
        if needed and not shutil.which(needed) and not (self.tree / needed).exists():
            self.skipped.append(f"{block} (no {needed})")
            self.leave_out()
            return
        begin = time.monotonic()
        with tempfile.TemporaryDirectory() as folder:
            script = script_of(self.tree, block, folder)
            print(f"-- {block}\n{block.body}", end="", flush=True)
            result = subprocess.run(["bash", "-euo", "pipefail", "-c", script], cwd=folder if block.argument else self.tree,
                                    env=environment(self.tree) if block.argument else None, text=True, stdin=subprocess.DEVNULL,
                                    stdout=subprocess.PIPE, stderr=subprocess.STDOUT if block.argument else None, check=False)
        self.seconds[block] = time.monotonic() - begin
        self.output = result.stdout
        print(self.output, end="", flush=True)
        if result.returncode:
            yield f"exit status {result.returncode} of:\n{block.body}"

    def compare(self, block):
        """Yield the lines of a block that the latest run did not print."""
        if self.output is not None:
            yield from (f"not printed: {line}" for line in block.body.splitlines() if line not in self.output)

    def report(self, blocks):
        """Print how many blocks ran, and the ways from a clone to the first product."""
        count = {kind: sum(block.kind == kind for block in blocks) for kind in ("file", "tested by", "not run")}
        inner = sum(seconds for block, seconds in self.seconds.items() if block.argument)
        print(f"{len(self.seconds)} blocks run, {inner:.0f} s of them in frames; {count['file']} are files and "
              f"{count['tested by']} are run by other tests; {count['not run']} are marked as not run")
        for block in self.skipped:
            print(f"skipped: {block}")
        for way in dict.fromkeys(way for block in self.seconds for way in block.ways):
            parts = [block for block in self.seconds if way in block.ways]
            print(f"from the clone to the first product in {way}: {sum(len(block.commands()) for block in parts)} commands, "
                  f"{sum(self.seconds[block] for block in parts):.0f} s")
            for block in parts:
                print("".join(f"    {line}\n" for line in block.commands()), end="")
