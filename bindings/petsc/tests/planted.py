#!/usr/bin/env python3
"""Plant bugs in the plugin, one at a time, and demand that its tests catch each of them.

Usage: planted.py BUILD [NAME...]. planted/NAME.patch is a diff against the tree under a head as in
tests/planted/README.md: Bug, Caught by, Says. `Caught by: 2 operations -only MatScale` are two ranks of
test_petsc_operations and its options; `Caught by: 2 baij -size 3` are those of
test_petsc_baij; `Caught by: plugin` and `Caught by: pagerank` are these scripts. `Package: petsc_complex` takes the plugin and the
programs for complex numbers; such bugs are left out if Debian's package is not installed. The
plugin is compiled anew for each bug, against the libtulle.so of BUILD; first without any, and then the tests
must pass.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
TREE = HERE.parent.parent.parent
COMPILE = ["mpicc", "-O1", "-fPIC", "-w", "-std=c11", "-D_DEFAULT_SOURCE"]
COMPLEX = Path("/usr/lib/petscdir/petsc-complex/lib/pkgconfig")


def flags(kind, package):
    path = {"PKG_CONFIG_PATH": str(COMPLEX)} if package == "petsc_complex" else {}
    return subprocess.run(["pkg-config", kind, "petsc"], capture_output=True, text=True, check=True,
                          env={**os.environ, **path}).stdout.split()


def call(command):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, check=False)
    return done.returncode, done.stdout + done.stderr


def compile_what(tree, build, out, parts, package="petsc"):
    """The plugin or tulle-pagerank or both, of the sources in `tree`."""
    folder = tree / "bindings/petsc"
    common = [*COMPILE, f"-DTULLE_PETSC_NAME=tulle_{package}", f"-I{tree}/include", f"-I{folder}", *flags("--cflags", package)]
    libraries = [f"-L{build}", "-ltulle", f"-Wl,-rpath,{build}",
                 *flags("--libs", package), "-lm"]
    plugin = out / f"libtulle_{package}.so"
    commands = {
        "plugin": [*common, "-shared", "-fvisibility=hidden", *sorted(folder.glob("*.c")), *libraries,
                   "-Wl,-z,nodelete", "-o", plugin],
        "pagerank": [*common, *sorted(folder.glob("pagerank/*.c")), folder / "tools/load.c", folder / "tools/partition.c", plugin,
                     f"-Wl,-rpath,{out}", *libraries, "-o", out / "tulle-pagerank"],
    }
    for part in parts:
        code, text = call(commands[part])
        if code:
            sys.exit(f"it does not compile\n{text[-3000:]}")


def test(caught_by, build, out, package="petsc"):
    programs, plugin = build / "bindings/petsc", out / f"libtulle_{package}.so"
    what = caught_by.split()
    if what[0] == "plugin":
        return call([sys.executable, HERE / "plugin.py", "mpiexec", programs / "tests/petsc_grid2",
                     plugin, "none", "none"])
    if what[0] == "pagerank":
        return call([sys.executable, HERE / "pagerank.py", "mpiexec",
                     programs / "tulle-petsc-convert", out / "tulle-pagerank",
                     programs / "tests/test_petsc_ranks", out / "graphs"])
    if what[1] == "baij":
        return call(["mpiexec", "-n", what[0], programs / f"tests/test_{package}_baij", "-dll_append", plugin, *what[2:]])
    name = re.match(r"\d+ operations -only (.*?)(?: (-mat_\S+ \S+))?$", caught_by)
    return call(["mpiexec", "-n", what[0], programs / f"tests/test_{package}_operations", "-dll_append",
                 plugin, "-file", out / "file", "-only", name[1], *(name[2] or "").split()])


def main():
    build, names = Path(sys.argv[1]).resolve(), sys.argv[2:]
    bugs = [path for path in sorted((HERE / "planted").glob("*.patch"))
            if not names or path.stem in names]
    heads = {bug: dict(re.findall(r"^([A-Z][a-z ]+): *(.+)$", bug.read_text().split("--- ")[0], re.M))
             for bug in bugs}
    if not COMPLEX.exists():
        bugs = [bug for bug in bugs if heads[bug].get("Package") != "petsc_complex"]
        print("without PETSc for complex numbers")
    missed = 0
    with tempfile.TemporaryDirectory() as scratch:
        tree, out = Path(scratch, "tree"), Path(scratch, "out")
        out.mkdir()
        shutil.copytree(TREE / "include", tree / "include")
        shutil.copytree(TREE / "bindings/petsc", tree / "bindings/petsc")
        compile_what(tree, build, out, ["plugin", "pagerank"])
        tests = {(heads[bug]["Caught by"], heads[bug].get("Package", "petsc")) for bug in bugs}
        if "petsc_complex" in (package for _, package in tests):
            compile_what(tree, build, out, ["plugin"], "petsc_complex")
        for caught_by, package in sorted(tests):
            code, text = test(caught_by, build, out, package)
            if code:
                sys.exit(f"FAILED without any bug: {caught_by}\n{text[-3000:]}")
        for bug in bugs:
            head = heads[bug]
            package = head.get("Package", "petsc")
            part = "pagerank" if re.search(r"^\+\+\+ b/bindings/petsc/(pagerank|tools)/", bug.read_text(), re.M) else "plugin"
            for undo in [], ["--reverse"]:
                code, text = call(["patch", "-p1", "-s", "-d", tree, *undo, "-i", bug])
                if code:
                    sys.exit(f"FAILED {bug.stem}: the patch does not apply any more\n{text}")
                if not undo:
                    compile_what(tree, build, out, [part], package)
                    code, text = test(head["Caught by"], build, out, package)
                    caught = code != 0 and head.get("Says", "") in text
                    missed += not caught
                    print(f"{'caught' if caught else 'FAILED, not caught'}: {bug.stem}", flush=True)
    print(f"{len(bugs)} bugs, {missed} not caught")
    return 1 if missed or not bugs else 0


if __name__ == "__main__":
    os.environ.setdefault("OMPI_ALLOW_RUN_AS_ROOT", "1")
    os.environ.setdefault("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1")
    sys.exit(main())
