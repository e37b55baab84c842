#!/usr/bin/env python3
"""The checks of documents must find what they are for: each gets small trees with one fault and one without."""

import contextlib
import io
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import check_readme
from check_support import run

HERE = Path(__file__).parent


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


if __name__ == "__main__":
    unittest.main()
