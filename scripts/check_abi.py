#!/usr/bin/env python3
"""Compare the ABI of a library with a reference: exported functions, and the types they take.

Usage: check_abi.py LIBRARY HEADERS REFERENCE [--write]. The library has debug information, from which
libabigail reads types; types that no header in HEADERS defines are private and not compared. Exit status 1
when something differs; --write makes the library the reference.
"""

import subprocess
import sys


def main():
    library, headers, reference = sys.argv[1:4]
    if sys.argv[4:] == ["--write"]:
        command = ["abidw", "--headers-dir", headers, "--drop-private-types", "--exported-interfaces-only",
                   "--no-show-locs", "--no-corpus-path", "--no-comp-dir-path", "--out-file", reference, library]
        return subprocess.run(command, check=False).returncode
    # Not --drop-private-types: libabigail 2.2 then takes every type of a reference without paths for private.
    done = subprocess.run(["abidiff", reference, library], check=False)
    print("the ABI has changed" if done.returncode else f"ABI as in {reference}")
    return 1 if done.returncode else 0


if __name__ == "__main__":
    sys.exit(main())
