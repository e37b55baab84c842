#!/usr/bin/env python3
"""Build the packages and the wheel of HEAD twice, in two folders, with two umasks and as two users, and compare them byte by byte.

Usage: check_reproducible.py [--isas "scalar;avx2"] [--types f64]. Neither build uses ccache: its objects would be the same by
construction. --isas and --types build fewer kernels, which takes less time. The second build runs as the user `nobody` if root starts it;
otherwise both run as the same user. Prints the users, and each file and whether it differs; exit status 1 if one does.
"""

import argparse
import hashlib
import os
import pwd
import subprocess
import sys
import tempfile
from pathlib import Path

TREE = Path(__file__).resolve().parent.parent
OTHER_USER = "nobody" if os.geteuid() == 0 else None
PLACES = (("a/tulle", 0o022, None), ("another folder/deeper/source", 0o077, OTHER_USER))
BUILT = ("build/packages/*", "build/package/libtulle.so.*.*.*", "build/package/src/libtulle.a", "build/package/tulle", "dist/*")


def run(*command, cwd, **more):
    done = subprocess.run(command, cwd=cwd, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False,
                          **more)
    if done.returncode:
        sys.exit(f"{' '.join(map(str, command))} failed:\n{done.stdout[-4000:]}")


def build(folder, umask, user, defines):
    """The packages and the wheel of a clone, and what they were made from."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    run("git", "clone", "--quiet", str(TREE), str(folder), cwd=TREE, umask=umask)
    environment = {**os.environ, "CCACHE_DISABLE": "1", "CC": "gcc", "CMAKE_GENERATOR": "Ninja"}
    own = {"cwd": folder, "env": environment, "umask": umask}
    if user:
        run("chown", "-R", user, str(folder.parent), cwd=TREE)
        environment["HOME"] = str(folder.parent)
        own |= {"user": user, "group": pwd.getpwnam(user).pw_gid, "extra_groups": []}
    options = ["-DCMAKE_INSTALL_PREFIX=/usr", "-DTULLE_BUILD_STATIC=ON", *(f"-D{define}" for define in defines)]
    run("cmake", "-S", ".", "-B", "build/package", *options, **own)
    run("./dev", "package", **own)
    run("./dev", "wheel", *(f"--config-settings=cmake.define.{define}" for define in defines), **own)


def digests(folder):
    """SHA-256 by path, of what was built."""
    files = []
    for pattern in BUILT:
        found = sorted(file for file in folder.glob(pattern) if file.is_file())
        files += found or sys.exit(f"{pattern} was not built")
    return {str(file.relative_to(folder)): hashlib.sha256(file.read_bytes()).hexdigest() for file in files}


def compare(first, second):
    """Paths, and whether they differ; a file that only one build has differs."""
    return [(name, first.get(name) != second.get(name)) for name in sorted(first.keys() | second.keys())]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--isas")
    parser.add_argument("--types")
    options = parser.parse_args()
    defines = [f"{name}={value}" for name, value in (("TULLE_ISAS", options.isas), ("TULLE_TYPES", options.types)) if value]
    with tempfile.TemporaryDirectory() as place:
        Path(place).chmod(0o755)  # for the other user
        for name, umask, user in PLACES:
            build(Path(place, name), umask, user, defines)
        found = compare(*(digests(Path(place, name)) for name, _, _ in PLACES))
    users = {pwd.getpwuid(os.geteuid()).pw_name, *(user for _, _, user in PLACES if user)}
    print(f"{len(users)} user{'s' * (len(users) > 1)}: {', '.join(sorted(users))}")
    for name, differs in found:
        print(f"{'DIFFERS' if differs else 'same':8} {name}")
    bad = sum(differs for _, differs in found)
    print(f"{len(found)} files compared, {bad} differ")
    return 1 if bad or not found else 0


if __name__ == "__main__":
    sys.exit(main())
