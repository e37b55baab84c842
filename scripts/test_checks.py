#!/usr/bin/env python3
"""The checks of sources and objects must find what they are for: each gets small trees with one fault and one without."""

import json
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from check_support import run

HERE = Path(__file__).parent


class Language(unittest.TestCase):
    def check(self, path, text, line):
        code, said = run("check_language.py", {path: text})
        self.assertEqual(code, 1 if line else 0, said)
        if line:
            self.assertIn(f"{path}:{line}: ", said)

    def test_phrases_and_names(self):
        self.check("src/a.c", "/* a.c -- x. */\n/* 4 bytes a\n * nonzero. */\n", 2)
        self.check("docs/a.md", "Chunks are fine.\nThey lie behind each\nother.\n", 2)
        self.check("src/a.h", "int prospects;\n", 1)
        self.check("dev", "# FILE wanted\n", 1)

    def test_plain_english(self):
        self.check("docs/a.md", "4 bytes per nonzero. Chunks are contiguous.\n", 0)
        self.check("src/a.c", "int prospects_of_nothing;\n", 0)


class Includes(unittest.TestCase):
    def check(self, path, name, good):
        code, text = run("check_includes.py", {path: f"/* x */\n#include {name}\n"})
        self.assertEqual(code, 0 if good else 1, f"{path} -> {name}: {text}")
        if not good:
            self.assertIn(f"{path}:2:", text)

    def test_with_the_flow(self):
        for path, name in [
                ("src/core/a.c", '"core/b.h"'), ("src/core/registry.c", '"formats/formats.def"'),
                ("src/csr/a.c", '"core/a.h"'), ("src/io/a.c", '"csr/csr_matrix.h"'),
                ("src/planner/a.c", '"analysis/a.h"'),
                ("src/planner/wisdom_text.c", '"io/decimal.h"'), ("src/formats/ell/ell.c", '"loops/row.h"'),
                ("src/formats/ell/ell.c", '"formats/ell/ell.h"'), ("src/formats/ell/ell.c", '"ell.h"'),
                ("src/formats/ell/ell_kernels.c", '"core/kernel.h"'),
                ("src/formats/ell/ell_kernels.c", '"formats/ell/ell.h"'),
                ("src/formats/ell/ell_kernels.c", '"loops/row.h"'),
                ("src/api/a.c", '"planner/a.h"'), ("bench/a.c", '"kit.h"'), ("bench/a.c", '"own.h"'),
                ("bench/a.c", "<stdio.h>"), ("cli/a.c", '"tulle.h"'), ("examples/a.c", '"tulle.h"')]:
            self.check(path, name, good=True)

    def test_against_the_flow(self):
        for path, name in [
                ("src/core/a.c", '"csr/csr_matrix.h"'), ("src/core/a.c", '"formats/formats.def"'),
                ("src/csr/a.c", '"io/a.h"'), ("src/csr/a.c", '"planner/a.h"'),
                ("src/io/a.c", '"analysis/a.h"'), ("src/analysis/a.c", '"planner/a.h"'),
                ("src/planner/a.c", '"formats/csr/csr_format.h"'),
                ("src/planner/a.c", '"io/decimal.h"'),
                ("src/formats/ell/ell.c", '"formats/coo/coo.h"'),
                ("src/formats/ell/ell.c", '"planner/a.h"'),
                ("src/formats/ell/ell_kernels.c", '"core/memory.h"'),
                ("src/formats/ell/ell_kernels.c", '"csr/csr_matrix.h"'),
                ("src/loops/a.h", '"csr/csr_matrix.h"'), ("src/loops/a.h", '"formats/ell/ell.h"'),
                ("bench/a.c", '"core/format.h"'), ("bench/a.c", '"../src/core/format.h"'),
                ("bench/a.c", '"src/core/format.h"'), ("cli/a.c", "<core/format.h>"),
                ("examples/a.c", '"kit.h"'), ("src/nowhere/a.c", '"core/a.h"')]:
            if path.startswith("src/nowhere"):
                self.assertEqual(run("check_includes.py", {path: "/* x */\n"})[0], 1)
            else:
                self.check(path, name, good=False)


class Sources(unittest.TestCase):
    def check(self, path, text, good):
        code, output = run("check_sources.py", {path: text})
        self.assertEqual(code, 0 if good else 1, f"{path}: {text!r}: {output}")

    def test_good(self):
        self.check("src/core/a.c", "/* a.c -- x. */\nint a;\n", good=True)
        self.check("src/core/a.h", "/* a.h -- x. */\ninline int f(void);\n", good=True)
        self.check("src/loops/a.h", "/* a.h -- inline. */\nstatic inline int f(void);\n", good=True)

    def test_faults(self):
        self.check("src/core/a.c", "int a;\n", good=False)
        self.check("src/core/a.c", "/* b.c -- x. */\nint a;\n", good=False)
        self.check("src/core/a.c", "/* a.c -- x. */\n/* TODO */\n", good=False)
        self.check("src/core/a.c", "/* a.c -- x. */\n#if 0\n#endif\n", good=False)
        self.check("src/loops/a.h", "/* a.h -- x. */\ninline int f(void);\n", good=False)
        self.check("src/formats/e/e_kernels.c", "/* e_kernels.c -- x. */\nvoid *p = malloc(1);\n",
                   good=False)

    def test_const_dropped(self):
        for cast in ("(char *)(uintptr_t)p", "(char *)(uintptr_t)a->p", "(void *)(uintptr_t)(p + 1)", "(char **)(uintptr_t)p",
                     "(struct a *) (uintptr_t) p", "(a *const)(uintptr_t)p", "(T *)(uintptr_t)&p[1]"):
            text = f"/* a.c -- x. */\nvoid *q = {cast};\n"
            for path in ("src/core/a.c", "cli/a.c", "bindings/petsc/a.c"):
                self.check(path, text, good=False)
            self.check("tests/a.c", text, good=True)
            self.check("src/csr/csr_matrix.c", text.replace("a.c", "csr_matrix.c"), good=True)
        for good in ("(char *)p", "(a *)(uintptr_t)64", "(const T *)((uintptr_t)p + n)", "(uintptr_t)p % 8", "\"(a *)(uintptr_t)p\""):
            self.check("src/core/a.c", f"/* a.c -- x. */\nvoid *q = {good};\n", good=True)

    def test_unique_names(self):
        same = {path: f"/* a.{path[-1]} -- x. */\n" for path in ("src/core/a.c", "src/csr/a.h")}
        self.assertEqual(run("check_sources.py", same)[0], 0)
        code, text = run("check_sources.py", {**same, "src/csr/a.c": "/* a.c -- x. */\n"})
        self.assertEqual(code, 1)
        self.assertIn("src/csr/a.c:1: has the name of", text)

    def test_rows_of_tests(self):
        programs = {"tests/a.c": "/* a.c -- x. */\nint main(void)\n", "tests/io/b.c": "/* b.c -- x. */\nint main(void)\n",
                    "tests/c.c": "/* c.c -- no program. */\n", "tests/cli/d.py": "", "tests/cli/run.py": ""}
        rows = "| program | what |\n|---|---|\n| a | x |\n| io b | x |\n| cli d | x |\n"
        self.assertEqual(run("check_sources.py", {**programs, "tests/README.md": rows}), (0, ""))
        for name in ("a", "io b", "cli d"):
            code, text = run("check_sources.py", {**programs, "tests/README.md": rows.replace(f"| {name} |", "| e |")})
            self.assertEqual(code, 1)
            self.assertIn(f"no row '{name}'", text)


class Flags(unittest.TestCase):
    GOOD = "cc -ffp-contract=off -O3 -c a.c"

    def check(self, file, command, good, ninja=""):
        entry = {"directory": "/", "file": f"/t/src/{file}", "command": command}
        code, output = run("check_flags.py", {"compile_commands.json": json.dumps([entry]),
                                              "build.ninja": ninja})
        self.assertEqual(code, 0 if good else 1, f"{command}: {output}")

    def test_good(self):
        self.check("core/a.c", self.GOOD, good=True)
        self.check("formats/e/e_kernels.c", self.GOOD + " -mavx2", good=True)

    def test_faults(self):
        self.check("core/a.c", "cc -O3 -c a.c", good=False)
        self.check("core/a.c", self.GOOD + " -Ofast", good=False)
        self.check("core/a.c", self.GOOD + " -ffast-math", good=False)
        self.check("core/a.c", self.GOOD + " -mavx2", good=False)
        self.check("core/a.c", self.GOOD + " -march=native", good=False)
        self.check("core/a.c", self.GOOD, good=False, ninja="  LINK_FLAGS = -Ofast\n")


class Runpaths(unittest.TestCase):
    def check(self, runpath, good):
        """Build a program with that RUNPATH."""
        with tempfile.TemporaryDirectory() as folder:
            code = Path(folder, "a.c")
            code.write_text("int main(void) { return 0; }\n")
            subprocess.run(["gcc", str(code), f"-Wl,-rpath,{runpath}", "-o", str(Path(folder, "a"))], check=True)
            result = subprocess.run([sys.executable, str(HERE / "check_runpaths.py"), folder],
                                    capture_output=True, text=True, check=False)
        self.assertEqual(result.returncode, 0 if good else 1, f"{runpath}: {result.stdout}")

    def test_good(self):
        for runpath in ("/usr/lib", "$ORIGIN", "$ORIGIN/../lib", "${ORIGIN}:/opt/lib"):
            self.check(runpath, good=True)

    def test_faults(self):
        for runpath in ("/usr/lib:", ":/usr/lib", "/a::/b", "lib", ".", "$ORIGIN/../lib::", "$ORIGINAL"):
            self.check(runpath, good=False)

    def test_nothing_to_check(self):
        self.assertEqual(run("check_runpaths.py", {"a.txt": "x"})[0], 1)


class Exports(unittest.TestCase):
    HARDENED = ["-Wl,-soname,libtulle.so.0.1", "-Wl,-z,relro,-z,now,-z,noexecstack,-z,nodelete"]

    def check(self, source, flags, fault):
        """Build a small library and want `fault` among the findings, or no finding for None."""
        with tempfile.TemporaryDirectory() as folder:
            header, code = Path(folder, "tulle.h"), Path(folder, "a.c")
            library = str(Path(folder, "a.so"))
            header.write_text("#define TULLE_API\nTULLE_API int tulle_a(void);\n")
            code.write_text(source)
            subprocess.run(["cc", "-shared", "-fPIC", "-o", library, str(code), *flags], check=True)
            result = subprocess.run([sys.executable, str(HERE / "check_exports.py"), library, folder],
                                    capture_output=True, text=True, check=False)
        self.assertEqual(result.returncode, 1 if fault else 0, result.stdout + result.stderr)
        self.assertIn(fault or "1 functions", result.stdout)

    def test_good(self):
        self.check("int tulle_a(void) { return 1; }", self.HARDENED, None)

    def test_faults(self):
        good = "int tulle_a(void) { return 1; }"
        self.check(good + "int helper(void) { return 1; }", self.HARDENED, "not declared: helper")
        self.check("int tulle__b;", self.HARDENED, "not exported: tulle_a")
        self.check(good, self.HARDENED[1:], "SONAME")
        self.check(good, [*self.HARDENED, "-Wl,-z,execstack"], "executable")
        self.check(good, [*self.HARDENED, "-Wl,-z,lazy"], "lazily")
        self.check(good, [*self.HARDENED, "-Wl,-z,norelro"], "RELRO")
        self.check(good, [*self.HARDENED, "-Wl,-rpath,/tmp"], "run path")
        self.check(good, [self.HARDENED[0], "-Wl,-z,relro,-z,now,-z,noexecstack"], "nodelete")
        self.check(good, [*self.HARDENED, "-Wl,--no-as-needed", "-lpthread", "-ldl", "-lrt",
                          "-lresolv"], "needs libresolv")
        calls = good + "int helper(void) __attribute__((visibility(\"hidden\"))); int helper(void) { return tulle_a(); }"
        self.check(calls, self.HARDENED, "its own tulle_a through")
        self.check(calls, [*self.HARDENED, "-Wl,-Bsymbolic-functions"], None)


class Abi(unittest.TestCase):
    def build(self, folder, fields, name="f"):
        Path(folder, "a.h").write_text(f"typedef struct {{ {fields} }} s; int {name}(const s *);\n")
        Path(folder, "a.c").write_text(f'#include "a.h"\nint {name}(const s *p) {{ return p->a; }}\n')
        subprocess.run(["cc", "-g", "-shared", "-fPIC", "-o", f"{folder}/a.so", f"{folder}/a.c"], check=True)

    def check(self, folder, *arguments):
        return subprocess.run([sys.executable, HERE / "check_abi.py", f"{folder}/a.so", folder, f"{folder}/a.abi",
                               *arguments], stdout=subprocess.DEVNULL, check=False).returncode

    def test_changes(self):
        with tempfile.TemporaryDirectory() as folder:
            self.build(folder, "int a; int b;")
            self.assertEqual(self.check(folder, "--write"), 0)
            self.assertEqual(self.check(folder), 0)
            for change in (["int a; double b;"], ["int a; int b; int c;"], ["int b; int a;"], ["int a; int b;", "g"]):
                self.build(folder, *change)
                self.assertEqual(self.check(folder), 1, change)


if __name__ == "__main__":
    unittest.main()
