#!/usr/bin/env python3
"""Pages and pictures that are generated: each check gets small trees with one fault and one without."""

import json
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import api_docs
import check_site
import layouts
import man_docs
import site_docs

HERE = Path(__file__).parent


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
