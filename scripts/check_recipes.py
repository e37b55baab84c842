#!/usr/bin/env python3
"""Check that recipes for package managers and pages pass only options that the build knows.

Usage: check_recipes.py TREE. Every TULLE_NAME in packaging/, and every -DTULLE_NAME in pages, is an option or a cache
variable of the build. Recipes parse where the standard library can (Python, JSON), and have the version of
include/tulle.h. Prints file:line of each fault; exit status 1 if any.
"""

import ast
import json
import re
import sys
from pathlib import Path

DEFINED = re.compile(r"^\s*(?:option\((TULLE_\w+)|set\((TULLE_\w+)\s[^)]*\bCACHE\b)", re.M)
FOLDERS = ["bench", "bindings", "cli", "examples", "fuzz", "kit", "scripts", "src", "tests"]
NUMBER = re.compile(r"^#define TULLE_VERSION_(?:MAJOR|MINOR|PATCH) (\d+)", re.M)
RECIPES = {  # how each states the version
    "packaging/spack/package.py": r'^    version\("([^"]+)"',
    "packaging/conda/recipe.yaml": r'^  version: "([^"]+)"',
    "packaging/vcpkg/vcpkg.json": r'^  "version-semver": "([^"]+)"',
}


def known_options(tree):
    files = [tree / "CMakeLists.txt", *tree.glob("cmake/*.cmake")]
    files += (file for folder in FOLDERS for file in tree.glob(f"{folder}/**/CMakeLists.txt"))
    return {a or b for file in files if file.is_file() for a, b in DEFINED.findall(file.read_text())}


def line_of(text, position):
    return text.count("\n", 0, position) + 1


def check_options(path, text, known):
    """Yield (line, fault). A page names many things; only what it defines is an option."""
    name = r"(?<=-D)TULLE_[A-Z0-9_]+"
    if path.startswith("packaging/") and not path.endswith(".md"):
        name += r"|\bTULLE_[A-Z0-9_]+"
    for match in re.finditer(name, text):
        if match.group(0) not in known:
            yield line_of(text, match.start()), f"the build knows no option {match.group(0)}"


def check_form(path, text):
    """Yield (line, fault) of what does not parse."""
    try:
        if path.endswith(".py"):
            ast.parse(text)
        elif path.endswith(".json"):
            json.loads(text)
    except SyntaxError as error:
        yield error.lineno, f"no Python: {error.msg}"
    except json.JSONDecodeError as error:
        yield error.lineno, f"no JSON: {error.msg}"


def check_version(path, text, version):
    found = re.search(RECIPES[path], text, re.M)
    if not found:
        yield 1, "states no version"
    elif found.group(1) != version:
        yield line_of(text, found.start()), f"version {found.group(1)}, include/tulle.h has {version}"


def main():
    tree = Path(sys.argv[1])
    known = known_options(tree)
    version = ".".join(NUMBER.findall((tree / "include/tulle.h").read_text()))
    faults = [(path, 1, "missing") for path in RECIPES if not (tree / path).is_file()]
    for file in sorted([*tree.glob("packaging/**/*"), tree / "README.md", *tree.glob("docs/**/*.md"),
                        *tree.glob("bindings/*/README.md")]):
        path = file.relative_to(tree).as_posix()
        # Decisions also name macros that the build passes to the compiler.
        if not file.is_file() or "__pycache__" in file.parts or path.startswith("docs/adr/"):
            continue
        text = file.read_text()
        faults += [(path, *fault) for fault in check_options(path, text, known)]
        faults += [(path, *fault) for fault in check_form(path, text)]
        if path in RECIPES:
            faults += [(path, *fault) for fault in check_version(path, text, version)]
    for path, line, fault in faults:
        print(f"{path}:{line}: {fault}")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
