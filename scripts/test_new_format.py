#!/usr/bin/env python3
"""`./dev new-format` must give a format that builds, is clean and passes every test at once.

Usage: test_new_format.py TREE WORK COMPILER. Works on a copy of the tree in WORK, which is
replaced; the copy's build has its usual place in it, so that ccache can help. Builds the library and
the tests with the new format and runs the quick tests that walk the registry, for this format.
"""

import shutil
import subprocess
import sys
from pathlib import Path

NAME = "trial"
IGNORED = shutil.ignore_patterns("build", ".git", "__pycache__")


def run(*command, **options):
    print("+", *command, flush=True)
    subprocess.run(command, check=True, **options)


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
    run("clang-format-14", "--dry-run", "-Werror",
        *(tree / "src/formats" / NAME).glob("*.[ch]"))
    for check in ("check_includes.py", "check_sources.py"):
        run(sys.executable, tree / "scripts" / check, tree)
    run(sys.executable, tree / "scripts/format_docs.py", tree, "--check")

    run("cmake", "-S", tree, "-B", build, "-G", "Ninja", f"-DCMAKE_C_COMPILER={compiler}",
        "-DTULLE_WERROR=ON", "-DTULLE_BUILD_TESTS=ON",
        stdout=subprocess.DEVNULL)
    run("cmake", "--build", build, stdout=subprocess.DEVNULL)
    run("ctest", "--test-dir", build, "-L", "^quick$", "-R", rf"\.{NAME}(\.|$)",
        "--no-tests=error", "--output-on-failure")


if __name__ == "__main__":
    main()
