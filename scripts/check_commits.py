#!/usr/bin/env python3
"""Check that every commit can be built: somebody who bisects relies on it.

Usage: check_commits.py [N]. Builds and links everything but the fatbins of the last N commits (default: 5),
oldest first, without optimization. Exit status 1 when one of them fails; its log is shown.
"""

import subprocess
import sys
import tempfile
from pathlib import Path

TREE = Path(__file__).resolve().parent.parent
OPTIONS = ["-DCMAKE_C_FLAGS_RELEASE=-O0", "-DTULLE_WERROR=OFF", "-DTULLE_CUDA=OFF", "-DTULLE_BUILD_TESTS=ON", "-DTULLE_BUILD_BENCH=ON",
           "-DTULLE_BUILD_EXAMPLES=ON"]


def git(*arguments, tree=TREE):
    return subprocess.run(["git", *arguments], cwd=tree, capture_output=True, text=True, check=True).stdout


def build(tree):
    """None, or what the build printed."""
    for command in (["cmake", "-S", tree, "-B", tree / "build/all", "-G", "Ninja", *OPTIONS],
                    ["cmake", "--build", tree / "build/all"]):
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
        if done.returncode != 0:
            return done.stdout[-4000:]
    return None


def main():
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 5
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        tree = Path(folder, "tree")
        git("clone", "--quiet", "--no-checkout", str(TREE), str(tree))
        for line in reversed(git("log", "--format=%h %s", f"-{count}").splitlines()):
            git("checkout", "--quiet", "--force", line.split()[0], tree=tree)
            log = build(tree)
            print("FAILED" if log else "builds", line, flush=True)
            if log:
                failed += 1
                print(log)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
