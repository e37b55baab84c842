#!/usr/bin/env python3
"""The checks must find what they are for: each gets small trees with one fault and one without."""

import contextlib
import io
import json
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import api_docs
import check_readme
import check_site
import layouts
import man_docs
import site_docs

HERE = Path(__file__).parent


def run(script, files):
    """Exit status and output of a check on a tree of {path: text}."""
    with tempfile.TemporaryDirectory() as folder:
        for path, text in files.items():
            file = Path(folder, path)
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text)
        result = subprocess.run([sys.executable, str(HERE / script), folder],
                                capture_output=True, text=True, check=False)
    return result.returncode, result.stdout + result.stderr


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


class Readme(unittest.TestCase):
    def check(self, program, command, prints, good, page="int a;\n", name="docs/page.md", link="../a.c"):
        text = (f"<!-- file: a.c -->\n```c\n{program}```\n<!-- run -->\n```sh\n{command}```\n"
                f"<!-- prints -->\n```\n{prints}```\n")
        with tempfile.TemporaryDirectory() as folder:
            Path(folder, "README.md").write_text(text)
            Path(folder, "a.c").write_text("int a;\n")
            Path(folder, name).parent.mkdir(parents=True)
            Path(folder, name).write_text(f"# A, b\n<!-- file: a.c -->\n```c\n{page}```\n`[x](y)` [a]({link})\n")
            result = subprocess.run([sys.executable, str(HERE / "check_readme.py"), folder, "--run"],
                                    capture_output=True, text=True, check=False)
        self.assertEqual(result.returncode, 0 if good else 1, result.stdout + result.stderr)

    def test_readme(self):
        self.check("int a;\n", "echo 1\n", "1\n", good=True)
        self.check("int b;\n", "echo 1\n", "1\n", good=False)
        self.check("int a;\n", "false\n", "", good=False)
        self.check("int a;\n", "echo 1\n", "2\n", good=False)
        self.check("int a;\n", "echo 1\n", "1\n", good=False, page="int b;\n")

    def test_pages_of_folders(self):
        for page in ("int a;\n", "int b;\n"):
            self.check("int a;\n", "echo 1\n", "1\n", good=page == "int a;\n", page=page, name="docs/migration/page.md",
                       link="../../a.c")

    def test_links(self):
        for link in ("../a.c", "..", "https://example.org/a.c", "#a-b", "page.md#a-b", "../README.md"):
            self.check("int a;\n", "echo 1\n", "1\n", good=True, link=link)
        for link in ("../b.c", "a.c", "#a", "page.md#b", "../README.md#a-b"):
            self.check("int a;\n", "echo 1\n", "1\n", good=False, link=link)

    FRAMES = {"tests/docs/a.sh": "x=1\n# BLOCK\necho end\n", "tests/docs/a.py": "x = 1\n# BLOCK\n",
              "tests/docs/b.sh": "true\n", "tests/t.py": "page.md\n", "tests/u.py": "",
              "docs/man/tulle-plan.1": ".BR \\-\\-measure\n", "dev": "./dev test [WHAT]\n"}

    def page(self, text, fault, run=False, mode="--run"):
        """Check a page with this text; want `fault` among the findings, or no finding for None. Returns what is printed."""
        with tempfile.TemporaryDirectory() as folder:
            for path, content in {**self.FRAMES, "README.md": "", "docs/page.md": text}.items():
                Path(folder, path).parent.mkdir(parents=True, exist_ok=True)
                Path(folder, path).write_text(content)
            with contextlib.redirect_stdout(io.StringIO()) as said:
                faults = list(check_readme.check(Path(folder), mode if run else ""))
        self.assertEqual(len(faults), 1 if fault else 0, faults)
        self.assertIn(fault or "", "".join(faults))
        return said.getvalue()

    def test_every_block_is_marked(self):
        for block in ("```sh\nls\n```\n", "```c\nf();\n```\n", "```\n$ ls\n```\n", "```\n./dev test\n```\n", "  ```rust\n  f();\n  ```\n",
                      "```\nbuild/tulle plan a.mtx\n```\n", "```\nTULLE_A=1 ./dev test\n```\n"):
            self.page("Text.\n" + block, "docs/page.md:2: this block is neither run nor marked")
            self.page("<!-- not run: needs a GPU -->\n" + block, None)
            self.page("<!-- not run -->\n" + block, "has a reason")
            self.page("<!-- not run: needs a GPU -->\n\n" + block, "neither run nor marked")  # not the comment of this block
            self.page("<!-- tested by: tests/t.py -->\n" + block, None)
            self.page("<!-- tested by: tests/u.py -->\n" + block, "tests/u.py is not a test that reads this page")
            self.page("<!-- tested by: tests/v.py -->\n" + block, "tests/v.py is not a test")
        for block in ("```\n1 2 3\n```\n", "```\ntulle wisdom 1\n```\n", "```toml\na = 1\n```\n"):
            self.page(block, None)

    def test_blocks_in_frames(self):
        for frame, good, bad, prints in (("a.sh", "test $x = 1", "test $x = 2", "end"), ("a.py", "print(x)", "print(y)", "1")):
            block = f"<!-- run: {frame} -->\n```sh\nBODY\n```\n<!-- prints -->\n```\n{prints}\n```\n"
            self.page(block.replace("BODY", good), None, run=True)
            self.page(block.replace("BODY", bad).replace(f"\n{prints}\n", "\n\n"), "docs/page.md:2: exit status 1", run=True)
            self.page(block.replace("BODY", bad), None)
            self.page(block.replace("BODY", good).replace(f"\n{prints}\n", "\nother\n"), "not printed: other", run=True)
        block = "```sh\nfalse\n```\n"
        for frame in ("none.sh", "b.sh"):
            self.page(f"<!-- run: {frame} -->\n{block}", f"no frame tests/docs/{frame}")
        self.page(f"<!-- run: a.sh if sh -->\n{block}", "exit status", run=True)
        self.page(f"<!-- run: a.sh if tests/t.py -->\n{block}", "exit status", run=True)
        self.assertIn("skipped: docs/page.md:2 (no such-program)", self.page(f"<!-- run: a.sh if such-program -->\n{block}", None, run=True))

    def test_first_product(self):
        said = self.page("<!-- run (C, Python) -->\n```sh\n# comment\ntrue\n```\n<!-- run (C) -->\n```sh\ntrue 1\n\ntrue 2\n```\n", None, run=True)
        self.assertIn("first product in C: 3 commands, 0 s\n    true\n    true 1\n    true 2\n", said)
        self.assertIn("first product in Python: 1 commands, 0 s\n    true\n", said)

    def test_first_product_alone(self):
        page = ("<!-- run (C) -->\n```sh\necho 1\n```\n<!-- prints -->\n```\n1\n```\n"
                "<!-- run -->\n```sh\necho 2\n```\n<!-- prints -->\n```\n2\n```\n")
        self.assertNotIn("echo 2", self.page(page, None, run=True, mode="--first"))
        self.page(page.replace("\n1\n", "\n3\n", 1), "not printed: 3", run=True, mode="--first")

    def test_options_exist(self):
        for call in ("`tulle plan a.mtx --measure`", "`tulle plan` `--b`", "`tulle other --b`", "`./dev test`", "a tulle plan --b",
                     "<!-- not run: x -->\n```sh\ntulle plan a.mtx --measure   # not --b\n```"):
            self.page(call + "\n", None)
        self.page("`tulle plan a.mtx --mesure`\n", "docs/page.md: tulle plan has no option --mesure")
        self.page("<!-- not run: x -->\n```sh\ntulle plan a.mtx -b --b\n```\n", "tulle plan has no option --b")
        self.page("`./dev tset`\n", "docs/page.md: ./dev has no command tset")


class Dev(unittest.TestCase):
    def test_functions(self):
        """Each is defined once: bash takes the last one without a word."""
        names = re.findall(r"^(\w+)\(\) \{", (HERE.parent / "dev").read_text(), re.M)
        self.assertGreater(len(names), 10)
        self.assertEqual(sorted(names), sorted(set(names)))


class Papers(unittest.TestCase):
    ROW = ["Table 1", "a table", "2", "3", "`run it`", "f32", "measured: [speed.md](../speed.md)"]

    def check(self, rows, fault, items="a\tTable 1\n", after="\n## Gaps\n\n| Table 9 | x |\n"):
        """One page, a.md, with these rows; want `fault` among the findings, or no finding for None."""
        heads = ["item", "what it is", "published", "here", "command", "difference", "status"]
        table = "".join("| " + " | ".join(cells) + " |\n" for cells in [heads, ["---"] * 7, *rows])
        code, said = run("check_papers.py", {"docs/papers/claims.tsv": "page\titem\n" + items, "docs/papers/README.md": "",
                                             "docs/papers/a.md": f"# A\n\n## Results\n\n{table}{after}"})
        self.assertEqual(code, 1 if fault else 0, said)
        self.assertIn(fault or "", said)

    def status(self, status, fault, command="`run it`"):
        self.check([[*self.ROW[:4], command, "f32", status]], fault)

    def test_good(self):
        self.check([self.ROW], None)
        for status in ("tested: test_a", "runnable but unmeasured", "runnable but unmeasured (needs a GPU)",
                       "counted (PTX interpreter), not timed: [x](x.md)", "not possible: no such matrix",
                       "nothing to measure: a drawing"):
            self.status(status, None)
        self.status("runnable but unmeasured", None, command="as above")

    def test_rows(self):
        self.check([], "docs/papers/a.md: no row for Table 1")
        self.check([["Table 2", *self.ROW[1:]]], "no row for Table 1")
        self.check([self.ROW, ["Table 2", *self.ROW[1:]]], "Table 2 is not in claims.tsv")
        self.check([self.ROW, self.ROW], "Table 1 has two rows")
        self.check([self.ROW[1:]], "no row for Table 1")
        self.check([self.ROW[:6]], "Table 1: 6 cells instead of 7")
        self.check([], "no row for Table 1", after="\n## Gaps\n\n| " + " | ".join(self.ROW) + " |\n")
        self.check([self.ROW], "docs/papers/b.md: there is no such page", items="a\tTable 1\nb\tFigure 1\n")
        self.check([self.ROW], "Table 1 is not in claims.tsv", items="")

    def test_statuses(self):
        for status in ("", "good", "measured", "measured:", "not possible", "not possible:", "tested"):
            self.status(status, "is not one of")
        self.status("measured: speed.md", "no link")
        self.status("counted (PTX interpreter), not timed: by hand", "no link")
        self.status("runnable but unmeasured", "no command", command="-")
        self.status("measured: [x](x.md); GPU runnable but unmeasured", "no command", command="-")


class Recipes(unittest.TestCase):
    GOOD = {
        "CMakeLists.txt": 'option(TULLE_A "a" OFF)\n', "cmake/b.cmake": 'set(TULLE_B ""\n  CACHE STRING "b")\nset(TULLE_D 1)\n',
        "include/tulle.h": "".join(f"#define TULLE_VERSION_{name} {number}\n" for name, number in (("MAJOR", 1), ("MINOR", 2), ("PATCH", 3))),
        "packaging/spack/package.py": 'class A:\n    version("1.2.3")\n    args = [define("TULLE_A", 1)]\n',
        "packaging/conda/recipe.yaml": 'context:\n  version: "1.2.3"\nscript: cmake -DTULLE_B=1\n',
        "packaging/vcpkg/vcpkg.json": '{\n  "version-semver": "1.2.3"\n}\n',
        "packaging/vcpkg/portfile.cmake": "features(tools TULLE_A)\n",
        "README.md": "`cmake -DTULLE_A=ON`, TULLE_E_NOMEM\n", "docs/adr/1.md": "`cc -DTULLE_T=float`\n"}

    def check(self, path, old, new, fault):
        files = {**self.GOOD, path: self.GOOD[path].replace(old, new)}
        self.assertNotEqual(files, self.GOOD)
        code, said = run("check_recipes.py", files)
        self.assertEqual(code, 1, said)
        self.assertIn(fault, said)

    def test_good(self):
        self.assertEqual(run("check_recipes.py", self.GOOD), (0, ""))

    def test_options(self):
        self.check("packaging/spack/package.py", "TULLE_A", "TULLE_C", "packaging/spack/package.py:3: the build knows no option TULLE_C")
        self.check("packaging/conda/recipe.yaml", "TULLE_B", "TULLE_BB", "packaging/conda/recipe.yaml:3: ")
        self.check("packaging/vcpkg/portfile.cmake", "TULLE_A", "TULLE_D", "packaging/vcpkg/portfile.cmake:1: ")  # no option
        self.check("README.md", "TULLE_A", "TULLE_C", "README.md:1: ")
        self.check("CMakeLists.txt", "TULLE_A", "TULLE_AA", "packaging/vcpkg/portfile.cmake:1: the build knows no option TULLE_A")

    def test_versions_and_form(self):
        for path in ("packaging/spack/package.py", "packaging/conda/recipe.yaml", "packaging/vcpkg/vcpkg.json"):
            self.check(path, "1.2.3", "1.2.2", f"{path}:2: version 1.2.2, include/tulle.h has 1.2.3")
            self.check(path, "version", "v", f"{path}:1: states no version")
        self.check("packaging/spack/package.py", "[", "", "packaging/spack/package.py:3: no Python")
        self.check("packaging/vcpkg/vcpkg.json", "}", "", "no JSON")
        files = {path: text for path, text in self.GOOD.items() if "conda" not in path}
        self.assertEqual(run("check_recipes.py", files), (1, "packaging/conda/recipe.yaml:1: missing\n"))


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


class FormatDocs(unittest.TestCase):
    ROWS = {"good for": "long rows", "bytes per nonzero": "12", "conversion": "one pass",
            "update": "copies"}
    MARKS = ("<!-- made by ./dev docs from the READMEs of the formats -->\n",
             "<!-- end of what ./dev docs makes -->\n")

    def tree(self, rows, flags="TULLE__BORROWS", page=None):
        """A tree of one format, `e`, whose README has these rows."""
        readme = "".join(f"| {name} | {text} |\n" for name, text in rows.items())
        table = f'\t.tunables = "s=1..4 "\n\t\t"t=a,b",\n\t.flags = {flags},\n'
        tables = "".join(f"const tulle__format tulle__format_{name} = {{\n{table}}};\n" for name in ("e", "er"))
        return {"src/formats/formats.def": "FORMAT(e)\n",
                "src/formats/e/README.md": f"# e: x\n[up](../up.md)\n## Worth knowing\n\n| | |\n|---|---|\n{readme}",
                "src/formats/e/e.c": tables,
                "docs/formats.md": "[s](s.md)\n" + "".join(page or self.MARKS) + "Bottom.\n"}

    def run_on(self, files, *arguments):
        """Exit status, output, and the files of the tree afterwards."""
        with tempfile.TemporaryDirectory() as folder:
            for path, text in files.items():
                file = Path(folder, path)
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_text(text)
            result = subprocess.run(
                [sys.executable, str(HERE / "format_docs.py"), folder,
                 *(argument.replace("TREE", folder) for argument in arguments)],
                capture_output=True, text=True, check=False)
            after = {file.relative_to(folder).as_posix(): file.read_text()
                     for file in Path(folder).rglob("*") if file.is_file()}
        return result.returncode, result.stdout + result.stderr, after

    def test_written_is_fresh(self):
        files = self.tree(self.ROWS)
        self.assertEqual(self.run_on(files, "--check")[0], 1)
        code, text, after = self.run_on(files, "--write", "TREE/out")
        self.assertEqual(code, 0, text)
        page = after["docs/formats.md"]
        self.assertTrue(page.startswith("[s](s.md)\n") and page.endswith("Bottom.\n"), page)
        self.assertIn("| [e](../src/formats/e/README.md) | yes | no | separate plan for A^T | copies | 12 "
                      "| long rows |\n", page)
        self.assertIn("[e](formats/e.md)", after["out/formats.md"])
        self.assertIn("[s](../docs/s.md)", after["out/formats.md"])
        self.assertIn("[up](../../src/formats/up.md)", after["out/formats/e.md"])
        self.assertIn("`e:s=1..4 t=a,b`", after["out/formats/e.md"])
        self.assertEqual(self.run_on({**files, "docs/formats.md": page}, "--check")[0], 0)
        for spoilt in (page.replace("long rows", "short rows"), page.replace("| yes |", "| no |")):
            self.assertEqual(self.run_on({**files, "docs/formats.md": spoilt}, "--check")[0], 1)

    def test_flags_and_own_words(self):
        rows = {**self.ROWS, "A^T": "scattered"}
        _, _, after = self.run_on(self.tree(rows, "TULLE__ORDERED"), "--write", "TREE/out")
        self.assertIn("| yes, rows in stored order | yes: one pass | scattered |",
                      after["docs/formats.md"])

    def test_format_in_another_folder(self):
        files = self.tree(self.ROWS)
        files["src/formats/formats.def"] += "FORMAT_IN(e, er)\n"
        code, text, _ = self.run_on(files, "--write", "TREE/out")
        self.assertEqual((code, text), (1, "src/formats/e/er.md is missing\n"))
        files["src/formats/e/er.md"] = files["src/formats/e/README.md"].replace("long rows", "short rows")
        _, _, after = self.run_on(files, "--write", "TREE/out")
        self.assertRegex(after["docs/formats.md"], r"\[e\]\(\.\./src/formats/e/README.md\).*\| long rows \|")
        self.assertRegex(after["docs/formats.md"], r"\[er\]\(\.\./src/formats/e/er.md\).*\| short rows \|")
        self.assertIn("short rows", after["out/formats/er.md"])
        files["src/formats/e/e.c"] = files["src/formats/e/e.c"].replace("format_er", "format_other")
        self.assertIn("no table tulle__format_er", self.run_on(files, "--check")[1])

    def test_faults(self):
        for name in self.ROWS:
            for rows in ({k: v for k, v in self.ROWS.items() if k != name}, {**self.ROWS, name: ""}):
                code, text, _ = self.run_on(self.tree(rows), "--write", "TREE/out")
                self.assertEqual(code, 1)
                self.assertIn(f'no row "{name}"', text)
        for missing in ("src/formats/e/README.md", "src/formats/e/e.c"):
            files = self.tree(self.ROWS)
            del files[missing]
            code, text, _ = self.run_on(files, "--check")
            self.assertEqual((code, text), (1, f"{missing} is missing\n"))
        for page in (self.MARKS[:1], self.MARKS[::-1], self.MARKS * 2):
            self.assertEqual(self.run_on(self.tree(self.ROWS, page=page), "--check")[0], 1)


class Site(unittest.TestCase):
    HEADER = "/* tulle.h -- x. */\n/* TULLE_API int tulle_old(void); */\n\nTULLE_API int\ntulle_a(void);\n"
    GOOD = {"index.html": '<a href="a/b.html#c.tulle_a">a</a><a href="https://x.org">x</a><img src="_static/p.png">',
            "a/b.html": '<p id="c.tulle_a"></p><a href="../index.html">up</a>', "_static/p.png": "",
            "_static/s.css": "a { background: url(p.png) }"}

    def check(self, changed, fault):
        """Want `fault` about the site with these files changed, or none for None."""
        with tempfile.TemporaryDirectory() as folder:
            files = {f"site/{path}": text for path, text in {**self.GOOD, **changed}.items()}
            for path, text in {"include/tulle.h": self.HEADER, **files}.items():
                Path(folder, path).parent.mkdir(parents=True, exist_ok=True)
                Path(folder, path).write_text(text)
            result = subprocess.run([sys.executable, HERE / "check_site.py", folder, f"{folder}/site"],
                                    capture_output=True, text=True, check=False)
        self.assertEqual(result.returncode, 1 if fault else 0, result.stdout + result.stderr)
        self.assertEqual(result.stdout, f"{fault}\n" if fault else "")

    def test_good(self):
        self.check({}, None)

    def test_faults(self):
        page = self.GOOD["index.html"]
        self.check({"a/b.html": '<p id="c.tulle_old"></p>', "index.html": '<a href="a/b.html">a</a>'},
                   "tulle.h: no entry for tulle_a")
        self.check({"index.html": page + '<a href="a/c.html">c</a>'}, "index.html: no target: a/c.html")
        self.check({"index.html": page + '<a href="a/b.html#d">d</a>'}, "index.html: no anchor: a/b.html#d")
        self.check({"index.html": page + '<a href="#d">d</a>'}, "index.html: no anchor: #d")
        self.check({"c.html": ""}, "c.html: not reachable from index.html")
        for tag in ('<script src="https://x.org/a.js">', '<link href="//x.org/a.css">', '<img src="http://x.org/a.png">'):
            address = tag.split('"')[1]
            self.check({"index.html": page + tag}, f"index.html: loads {address}")
        self.check({"_static/s.css": "@import 'https://x.org/a.css';"}, "_static/s.css: loads https://x.org/a.css")

    def test_every_function_of_the_headers_is_parsed(self):
        for header in (HERE.parent / "include").glob("*.h"):
            text = header.read_text()
            names = check_site.functions(text)
            self.assertEqual(api_docs.functions(text), names)
            page = api_docs.page(header.name, text, {}, "x")
            for name in names:
                self.assertRegex(page, rf"(?m)^(\.\. c:function::|{' ' * 17}) *[\w *]*\b{name}\(", header.name)

    def test_declarations(self):
        header = ("/* a.h -- x.\n *\n *     a();   first\n *\n * See docs/b.md and `d`. */\n#ifndef A_H\n#define A_H\n\n/* ---- b ---- */\n\n/* Text of both:\n *     as is\n *\n * ONE: an item.\n *      More:\n *      of it.\n */\n"
                  "TULLE_API int tulle_a(int\n  n);\nTULLE_API void tulle_b(void);\n\n"
                  "typedef struct {\n\tint i; /* a */\n\n\tint j;\n} tulle_c;\n\n#endif\n")
        self.assertEqual(api_docs.page("a.h", header, {}, "s"), (
            "a.h\n===\n\nX.\n\n.. code-block:: none\n\n   a();   first\n\nSee \\ :doc:`docs/b.md </docs/b>`\\  and \\ ``d``\\ .\n\nThe functions of :doc:`the file </s>`:\n\n"
            ".. rst-class:: columns\n\n- :c:func:`tulle_a`\n- :c:func:`tulle_b`\n\nB\n-\n\n.. c:function:: int tulle_a(int n)\n"
            "                 void tulle_b(void)\n\n   Text of both:\n\n   .. code-block:: none\n\n      as is\n\n   - ONE: an item. More: of it.\n\n.. c:type:: tulle_c\n\n"
            "   .. code-block:: c\n\n      typedef struct {\n          int i; /* a */\n\n          int j;\n      } tulle_c;\n"))

    def test_manual(self):
        page = '.TH A 1\n.SH NAME\na \\- does b\n.SH OPTIONS\n.TP\n.BI \\-\\-n " N"\ncount\n.BR c (1),\n.nf\na \\-n\n.fi\n'
        self.assertEqual(man_docs.pages({"a": page, "c": page})["command/a.rst"], (
            "a\n=\n\nDoes b\n\nOptions\n-------\n\n**--n**\\  \\ *N*\n   count :doc:`c`\\ ,\n\n.. code-block:: sh\n\n   a -n\n"))
        for wrong in (".SX x", "\\fBx"):
            self.assertRaises(man_docs.Fault, man_docs.pages, {"a": page + wrong + "\n"})

    def test_links_and_sections(self):
        with tempfile.TemporaryDirectory() as folder:
            tree, pages = Path(folder, "tree"), Path(folder, "pages")
            for path, text in {"README.md": "# a\nTop `[x](none)`.\n\n<!-- end of top -->\nRest.\n", "e/f.c": "int f;\n",
                               "docs/a.md": "# a\n## b c\n[h](../include/h.h) [f](../e/f.c) [e](../e) [r](..)\n## d\nNo.\n",
                               "docs/site/index.md": "<!-- top: README.md -->\n<!-- section: docs/a.md#b-c -->\n[a](../a.md#d)\n",
                               "include/h.h": "/* h.h -- h. */\n"}.items():
                Path(tree, path).parent.mkdir(parents=True, exist_ok=True)
                Path(tree, path).write_text(text)
            site_docs.prepare(tree, pages)
            self.assertEqual((pages / "index.md").read_text(),
                             "Top `[x](none)`.\n[h](api/h.h.rst) [f](source/e/f.c.rst) [e](source/e/index.rst) [r](README.md)\n"
                             "[a](docs/a.md#d)\n")
            self.assertIn("[f](../source/e/f.c.rst)", (pages / "docs/a.md").read_text())
            self.assertIn("literalinclude:: f.c", (pages / "source/e/f.c.rst").read_text())
            for wrong in ("[x](none.md)", "[x](../../..)", "![x](x.png)"):
                (tree / "docs/a.md").write_text(wrong)
                self.assertRaises(site_docs.Fault, site_docs.prepare, tree, pages)


class Layouts(unittest.TestCase):
    SLOTS = [0, 12, 1, 13, -1, 14, 26]  # steps of two rows, then of another

    def tree(self, folder):
        """A tree of one format, `e`, and a program that reports these slots."""
        form = FormatDocs()
        for path, text in {**form.tree(form.ROWS), "docs/pictures/x.svg": "", "docs/choosing.md": "".join(
                ["Top.\n", layouts.BEGIN, layouts.END, "Bottom.\n"])}.items():
            Path(folder, path).parent.mkdir(parents=True, exist_ok=True)
            Path(folder, path).write_text(text)
        told = json.dumps({"format": "e", "summary": "rows", "nnz": 6, "bytes": 72, "values": [self.SLOTS]})
        program = Path(folder, "program")
        program.write_text(f"#!/bin/sh\n[ $# = 0 ] || echo '{told}'\n")
        program.chmod(0o700)
        return program

    def run_on(self, folder, program, argument):
        return subprocess.run([sys.executable, HERE / "layouts.py", folder, program, argument],
                              stdout=subprocess.DEVNULL, check=False).returncode

    def test_written_is_fresh(self):
        with tempfile.TemporaryDirectory() as folder:
            program, page, drawn = self.tree(folder), Path(folder, layouts.PAGE), Path(folder, layouts.drawn("e"))
            self.assertEqual(self.run_on(folder, program, "--check"), 1)
            self.assertEqual(self.run_on(folder, program, "--write"), 0)
            self.assertEqual(self.run_on(folder, program, "--check"), 0)
            self.assertIn("- *best for*: long rows\n", page.read_text())
            self.assertIn(">1,2</text>", drawn.read_text())
            for file, old, new in ((page, "long", "short"), (drawn, ">1,2<", ">2,1<"), (page, "Bottom.", "Bottom!")):
                text = file.read_text()
                file.write_text(text.replace(old, new))
                self.assertEqual(self.run_on(folder, program, "--check"), 0 if old == "Bottom." else 1, old)
                file.write_text(text)
            program.write_text(program.read_text().replace("14", "15"))  # the library stores something else
            self.assertEqual(self.run_on(folder, program, "--check"), 1)
            self.assertEqual(self.run_on(folder, program, "--write"), 0)
            self.assertEqual(self.run_on(folder, program, "--check"), 0)
            drawn.unlink()
            self.assertEqual(self.run_on(folder, program, "--check"), 1)

    def test_lines(self):
        self.assertEqual(layouts.lines_of(self.SLOTS, ("row", 4)),
                         [([0, 12], True), ([1, 13, -1], False), ([14, 26], False)])
        self.assertEqual(layouts.lines_of(self.SLOTS, (2, 2)),
                         [([0, 12], True), ([1, 13], False), ([-1, 14], True), ([26], False)])
        self.assertEqual(layouts.lines_of([0, 1, 12, 14], "row"), [([0, 1], False), ([12, 14], False)])
        for rule in (3, "column", ("row", 2), ("column", 3)):
            slots = [slot for slot in self.SLOTS if slot >= 0]
            self.assertEqual(sum((line for line, _ in layouts.lines_of(slots, rule)), []), slots)


if __name__ == "__main__":
    unittest.main()
