#!/usr/bin/env python3
"""Check what libtulle.so shows to the dynamic linker.

Usage: check_exports.py LIBRARY INCLUDE. Exactly the functions that the headers in INCLUDE declare
are exported, the SONAME carries the major version, no page is writable and executable, relocations
are read-only before main, the library calls its own functions directly, and no library is needed besides
libc, libm and zlib.
"""

import re
import subprocess
import sys
from pathlib import Path

NEEDED = re.compile(r"^(libc\.so\.6|libm\.so\.6|libpthread\.so\.0|libz\.so\.1"
                    r"|ld-linux[-\w]*\.so\.\d)$")


def output(*command):
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def exported(library):
    """Names of defined dynamic symbols, without the version nodes (type A)."""
    for line in output("nm", "-D", "--defined-only", library).splitlines():
        kind, name = line.split()[-2:]
        if kind != "A":
            yield name.split("@")[0]


def declared(include):
    for header in Path(include).glob("tulle*.h"):
        text = re.sub(r"/\*.*?\*/", " ", header.read_text(), flags=re.S)
        yield from re.findall(r"TULLE_API[^;]*?\b(tulle_\w+)\s*\(", text)


def faults(library, include):
    here, wanted = set(exported(library)), set(declared(include))
    if not wanted:
        yield f"{include}: no declaration found"
    yield from (f"exported but not declared: {name}" for name in sorted(here - wanted))
    yield from (f"declared but not exported: {name}" for name in sorted(wanted - here))
    dynamic = output("readelf", "-dW", library)
    if not re.search(r"SONAME.*\[libtulle\.so\.(0\.\d+|[1-9]\d*)\]", dynamic):
        yield "no SONAME libtulle.so.MAJOR, before 1.0 libtulle.so.0.MINOR"
    for name in re.findall(r"NEEDED.*\[(.+?)\]", dynamic):
        if not NEEDED.match(name):
            yield f"needs {name}"
    if not re.search(r"BIND_NOW|FLAGS_1.*NOW", dynamic):
        yield "symbols are bound lazily: link with -z now"
    if not re.search(r"FLAGS_1.*NODELETE", dynamic):
        yield "dlclose would unload the code of the team's threads: link with -z nodelete"
    if re.search(r"TEXTREL|RPATH|RUNPATH", dynamic):
        yield "has text relocations or a run path"
    own = re.findall(r"JUMP_SLO.*\b(tulle_\w+)", output("readelf", "-rW", library))
    if own:
        yield f"calls its own {own[0]} through the linker's table: link with -Bsymbolic-functions"
    segments = output("readelf", "-lW", library)
    if "GNU_RELRO" not in segments:
        yield "no RELRO segment: link with -z relro"
    if not re.search(r"GNU_STACK.*\bRW\b", segments):
        yield "the stack is executable: link with -z noexecstack"
    if re.search(r"LOAD.*\bRWE\b", segments):
        yield "a segment is writable and executable"


def main():
    found = list(faults(sys.argv[1], sys.argv[2]))
    print("\n".join(found) if found else f"{len(set(exported(sys.argv[1])))} functions, as declared")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
