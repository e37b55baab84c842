#!/usr/bin/env python3
"""`./dev new-format` must give a format that builds, is clean and passes every test at once; once its estimate
says which matrices it is made for, the planner chooses it. This is what docs/add-a-format.md shows, from which the
edits are taken.

Usage: test_new_format.py TREE WORK COMPILER. Works on a copy of the tree in WORK, which is
replaced; the copy's build has its usual place in it, so that ccache can help. Builds the library and
the tests with the new format and runs the quick tests that walk the registry, for this format.
"""

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

NAME = "tutorial"
PAGE = "docs/add-a-format.md"
EDIT = re.compile(r"^<!-- edit: (\S+) -->\n```diff\n-(.*)\n\+(.*)\n```$", re.M)
IGNORED = shutil.ignore_patterns("build", ".git", "__pycache__")


def run(*command, **options):
    print("+", *command, flush=True)
    subprocess.run(command, check=True, **options)


def edit(file, old, new):
    text = file.read_text()
    if old not in text:
        sys.exit(f"{file.name} has no {old!r}")
    file.write_text(text.replace(old, new))


def follow(page, folder):
    """Make the edits of the page: which matrices the format accepts, and prices that say it is fast."""
    edits = EDIT.findall(page)
    if len(edits) != page.count("<!-- edit: ") or {name for name, _, _ in edits} != {
            f"{NAME}_estimate.c", f"{NAME}_prices.def"}:
        sys.exit(f"{PAGE}: expected one edit of the estimate and one of the prices")
    for name, old, new in edits:
        edit(folder / name, old, new)


def check_files(page, folder):
    for file in folder.iterdir():
        if f"| `{file.name}` |" not in page:
            sys.exit(f"{PAGE} does not name {file.name}")


def candidate(tulle, work, entries):
    """What `tulle plan` says of the format for a matrix of these entries of the rows 1 .. 3000."""
    file = work / "a.mtx"
    lines = [f"{i} {j} 2.5" for i in range(1, 3001) for j in entries(i)]
    file.write_text(f"%%MatrixMarket matrix coordinate real general\n3000 3000 {len(lines)}\n" + "\n".join(lines) + "\n")
    plan = json.loads(subprocess.run([tulle, "plan", "--json", "--no-wisdom", file], check=True, capture_output=True).stdout)
    return next(c for c in plan["candidates"] if c["format"] == NAME)


def check_choice(tulle, work):
    if not candidate(tulle, work, lambda i: [i])["chosen"]:
        sys.exit("the planner does not choose the format for the matrices it is made for")
    other = candidate(tulle, work, lambda i: [i, i % 3000 + 1])
    if other["chosen"] or other["because"] != "a row has several entries":
        sys.exit(f"a matrix that the format refuses: {other}")


def main():
    source, work, compiler = Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3]
    shutil.rmtree(work, ignore_errors=True)
    tree = work / "tree"
    build = tree / "build" / NAME
    shutil.copytree(source, tree, ignore=IGNORED)

    run(tree / "dev", "new-format", NAME)
    again = subprocess.run([tree / "dev", "new-format", NAME], capture_output=True, check=False)
    if again.returncode == 0:
        sys.exit("a second format of the same name was accepted")
    page, folder = (tree / PAGE).read_text(), tree / "src/formats" / NAME
    check_files(page, folder)
    run("clang-format-14", "--dry-run", "-Werror",
        *folder.glob("*.[ch]"))
    for check in ("check_includes.py", "check_sources.py"):
        run(sys.executable, tree / "scripts" / check, tree)
    run(sys.executable, tree / "scripts/format_docs.py", tree, "--check")

    run("cmake", "-S", tree, "-B", build, "-G", "Ninja", f"-DCMAKE_C_COMPILER={compiler}",
        "-DTULLE_WERROR=ON", "-DTULLE_BUILD_TESTS=ON",
        stdout=subprocess.DEVNULL)
    run("cmake", "--build", build, stdout=subprocess.DEVNULL)
    run("ctest", "--test-dir", build, "-L", "^quick$", "-R", rf"\.{NAME}(\.|$)",
        "--no-tests=error", "--output-on-failure")

    follow(page, folder)
    run("cmake", "--build", build, "--target", "tulle", stdout=subprocess.DEVNULL)
    check_choice(build / "tulle", work)


if __name__ == "__main__":
    main()
