#!/usr/bin/env python3
"""Build the packages of HEAD twice, in two folders and with two umasks, and compare them byte by byte.

Usage: check_reproducible.py [--isas "scalar;avx2"]. Neither build uses ccache: its objects would be the same by
construction. --isas builds fewer instruction sets, which takes less time. Prints each file and whether it differs; exit status 1 if one does.
"""

import argparse
import hashlib
import os
import subprocess
import sys
import tempfile
from pathlib import Path

TREE = Path(__file__).resolve().parent.parent
PLACES = (("a/tulle", 0o022), ("another folder/deeper/source", 0o077))
BUILT = ("build/packages/*", "build/package/libtulle.so.*.*.*", "build/package/libtulle.a", "build/package/tulle")


def run(*command, cwd, **more):
    done = subprocess.run(command, cwd=cwd, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False,
                          **more)
    if done.returncode:
        sys.exit(f"{' '.join(map(str, command))} failed:\n{done.stdout[-4000:]}")


def build(folder, umask, isas):
    """The packages of a clone, and what they were made from."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    run("git", "clone", "--quiet", str(TREE), str(folder), cwd=TREE, umask=umask)
    environment = {**os.environ, "CCACHE_DISABLE": "1", "CC": "gcc", "CMAKE_GENERATOR": "Ninja"}
    options = ["-DCMAKE_INSTALL_PREFIX=/usr", "-DTULLE_BUILD_STATIC=ON", *([f"-DTULLE_ISAS={isas}"] if isas else [])]
    run("cmake", "-S", ".", "-B", "build/package", *options, cwd=folder, env=environment, umask=umask)
    run("./dev", "package", cwd=folder, env=environment, umask=umask)


def digests(folder):
    """SHA-256 by path, of what was built."""
    files = sorted(file for pattern in BUILT for file in folder.glob(pattern) if file.is_file())
    return {str(file.relative_to(folder)): hashlib.sha256(file.read_bytes()).hexdigest() for file in files}


def compare(first, second):
    """Paths, and whether they differ; a file that only one build has differs."""
    return [(name, first.get(name) != second.get(name)) for name in sorted(first.keys() | second.keys())]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--isas", default="")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as place:
        for name, umask in PLACES:
            build(Path(place, name), umask, options.isas)
        found = compare(*(digests(Path(place, name)) for name, _ in PLACES))
    for name, differs in found:
        print(f"{'DIFFERS' if differs else 'same':8} {name}")
    bad = sum(differs for _, differs in found)
    print(f"{len(found)} files compared, {bad} differ")
    return 1 if bad or not found else 0


if __name__ == "__main__":
    sys.exit(main())
