#!/usr/bin/env python3
"""Check that every #include goes with the flow: a folder sees only what lies to its left.

    file -> csr -> analysis -> planner -> formats (convert) -> formats (kernels)

Usage: check_includes.py TREE. Prints file:line of each wrong include; exit status 1 if any.
"""

import re
import sys
from pathlib import Path

# What the files of a folder may include besides their own folder, the system and tulle.h. In this
# table alone is the architecture; everything below only applies it.
ALLOWED = {
    "src/core": [],
    "src/simd": ["core"],
    "src/loops": ["core", "simd"],
    "src/csr": ["core"],
    "src/io": ["core", "csr"],
    "src/probe": ["core"],
    "src/analysis": ["core", "csr", "probe"],
    "src/planner": ["core", "csr", "probe", "analysis"],
    "src/gpu": ["core", "csr"],
    "src/formats": ["core", "simd", "loops", "csr", "analysis", "gpu"],
    "src/batch": ["core", "simd", "loops", "csr", "gpu"],
    "src/finish": ["core", "simd"],
    "src/api": ["core", "simd", "loops", "csr", "io", "probe", "analysis", "planner", "formats",
                "batch", "finish", "gpu"],
    "src/pagerank": ["core", "csr", "api"],
    "kit": [],
    "cli": ["kit"],
    "bench": ["kit"],
    "examples": [],
    "bindings": [],
}

# Single files that may see one thing more, or (kernels) less.
EXTRA = {
    "src/core/registry.c": ["formats/formats.def"],
    "src/planner/wisdom_text.c": ["io/decimal.h"],
    "cli/files.c": ["core/new_file.h"],
    "cli/json.c": ["core/unicode.h"],
    "cli/terminal.c": ["core/unicode.h"],
    "src/core/kernel.h": ["simd/one.h", "simd/generic.h", "simd/quad.h"],
}
KERNEL = re.compile(r"^src/(formats|batch|finish|pagerank|probe)/.*_kernels\.c$")
KERNEL_ALLOWED = re.compile(r"^(core/(kernel|split)\.h|loops/[^/]+\.h)$")

# The library's own folders, as they are spelled in an include ("core/format.h").
LIBRARY = {folder.split("/")[1] for folder in ALLOWED if folder.startswith("src/")}
PUBLIC = {"tulle.h", "tulle.hpp", "tulle_batch.h", "tulle_gpu.h", "tulle_machine.h", "tulle_pagerank.h"}
INCLUDE = re.compile(r'^\s*#\s*include\s+(["<])([^">]+)[">]')


def unit(path):
    """The piece a file belongs to: formats/csr5, a folder of src/, or a folder of the root."""
    parts = path.split("/")
    if parts[0] != "src":
        return parts[0]
    return "/".join(parts[1:3]) if parts[1] == "formats" and len(parts) > 3 else parts[1]


def target(path, name):
    """(unit, folder) of what `name` means inside `path`."""
    if name in PUBLIC:
        return "include", "include"
    parts = name.split("/")
    if parts[0] in LIBRARY:
        return unit("src/" + name), parts[0]
    if name in ("kit.h", "kit/kit.h"):
        return "kit", "kit"
    return unit(path), parts[0]  # a neighbour, named without its folder


def rule(path):
    parts = path.split("/")
    return "/".join(parts[:2]) if parts[0] == "src" else parts[0]


def wrong(path, name):
    """Why `path` may not include `name`, or None."""
    if name in EXTRA.get(path, []):
        return None
    if ".." in name.split("/") or name.startswith("src/"):
        return "name it from src/ or include/, not by a detour"
    to_unit, folder = target(path, name)
    own = to_unit == unit(path)
    if KERNEL.match(path):
        headers = Path(path).parent.name + ".h", Path(path).name.replace("_kernels.c", ".h")
        if KERNEL_ALLOWED.match(name) or Path(name).name in headers and own:
            return None
        return "a kernel file sees only core/kernel.h, core/split.h, loops/ and its own header"
    if own or to_unit == "include":
        return None
    if folder == "formats" and rule(path) == "src/formats":
        return "one format does not know another: what two need lives in loops/"
    if folder in ALLOWED[rule(path)]:
        return None
    allowed = ", ".join(ALLOWED[rule(path)]) or "nothing"
    return f"{rule(path)} may include only itself, tulle.h and: {allowed}"


def check(tree):
    problems = []
    folders = sorted({folder.split("/")[0] for folder in ALLOWED})
    for file in sorted(f for folder in folders for f in (tree / folder).rglob("*")):
        if file.suffix not in (".c", ".h", ".cpp", ".hpp", ".gpu"):
            continue
        path = file.relative_to(tree).as_posix()
        if rule(path) not in ALLOWED:
            problems.append(f"{path}:1: folder {rule(path)} is not in the table of check_includes.py")
            continue
        for number, line in enumerate(file.read_text().splitlines(), 1):
            match = INCLUDE.match(line)
            if not match or match.group(1) == "<" and match.group(2).split("/")[0] not in LIBRARY:
                continue
            reason = wrong(path, match.group(2))
            if reason:
                problems.append(f'{path}:{number}: "{match.group(2)}": {reason}')
    return problems


def main():
    problems = check(Path(sys.argv[1]))
    for problem in problems:
        print(problem)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
