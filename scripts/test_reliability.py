#!/usr/bin/env python3
"""Tests of campaign.py, check_coverage.py, mutate.py, check_memory.py, check_reproducibility.py, check_reproducible.py and sbom.py."""

import tempfile
import unittest
from pathlib import Path
from unittest import mock

import campaign
import check_coverage
import check_memory
import check_reproducibility
import check_reproducible
import mutate
import sbom

SOURCE = """/* a.c -- an example with i < n in a comment. */
int count(const int *a, int n)
{
\tint sum = 0;

\tfor (int i = 0; i < n; i++) {
\t\tif (a[i] == 7)
\t\t\tsum += a[i] + 1;
\t\tforget("x < y", 3);
\t}
\treturn sum;
}
"""


class Faults(unittest.TestCase):
    def setUp(self):
        folder = self.enterContext(tempfile.TemporaryDirectory())
        self.tree = Path(folder)
        (self.tree / "src/core").mkdir(parents=True)
        (self.tree / "src/core/a.c").write_text(SOURCE)

    def changes(self):
        return {(fault.kind, fault.changed().strip()) for fault in mutate.faults_of(self.tree, "src/core")}

    def test_kinds(self):
        found = self.changes()
        for change in [("operator", "for (int i = 0; i <= n; i++) {"), ("constant", "for (int i = 1; i < n; i++) {"),
                       ("operator", "if (a[i] != 7)"), ("condition", "if (!(a[i] == 7))"), ("constant", "if (a[i] == 8)"),
                       ("operator", "sum += a[i] - 1;"), ("statement", ";"), ("constant", 'forget("x < y", 4);')]:
            self.assertIn(change, found)

    def test_what_is_left_alone(self):
        for _, text in self.changes():
            self.assertNotIn("x <= y", text)
            self.assertNotIn("comment", text)
        self.assertFalse([fault for fault in mutate.faults_of(self.tree, "src/core") if fault.line < 4])

    def test_sample_depends_on_the_seed_alone(self):
        once, again, other = (mutate.sample(self.tree, ["src/core"], 5, seed) for seed in (1, 1, 2))
        self.assertEqual(once, again)
        self.assertNotEqual(once, other)
        self.assertEqual(len(once), 5)

    def test_every_folder_has_faults_and_the_longest_wins(self):
        for folder in mutate.TESTS:
            self.assertGreater(len(list(mutate.faults_of(mutate.TREE, folder))), 50, folder)
        self.assertEqual(mutate.folder_of("src/csr/a.c"), "src/csr")
        self.assertEqual(mutate.folder_of("src/formats/csr5/a.c"), "src/formats/csr5")

    def test_report(self):
        def result(verdict):
            return {"verdict": verdict, "file": "a.c", "line": 3, "kind": "operator", "text": "\ta < b", "changed": "\ta <= b"}
        lines, share = mutate.report([result("killed")] * 18 + [result("survived")] * 2 + [result("does not compile")] * 5)
        self.assertEqual(share, 90)
        self.assertLess(share, mutate.LEAST)
        self.assertEqual(len([line for line in lines if line.startswith("survived: a.c:3: operator: a < b -> a <= b")]), 2)
        self.assertIn("18 of 20 killed (90.0 %)", lines[-1])
        self.assertEqual(mutate.report([])[1], 0)


class Campaigns(unittest.TestCase):
    @staticmethod
    def run_of(target, seed, cpu, runs, finds=0):
        return campaign.Run("2026-01-01", "abc", target, seed, cpu, runs, finds)

    def test_the_record_is_what_was_added(self):
        record = Path(self.enterContext(tempfile.TemporaryDirectory()), "campaigns.tsv")
        runs = [self.run_of("csr", 1, 60, 900), self.run_of("differential", 1, 30, 70)]
        for run in runs:
            campaign.add(record, run)
        self.assertEqual(campaign.read(record), runs)
        record.write_text("target\n")
        self.assertRaises(SystemExit, campaign.read, record)

    def test_seeds_are_new_and_time_is_shared(self):
        runs = [self.run_of("csr", 1, 60, 900), self.run_of("csr", 2, 60, 900), self.run_of("differential", 1, 30, 70)]
        self.assertEqual([campaign.next_seed(runs, name) for name in ("csr", "differential", "tuned")], [3, 71, 1])
        self.assertEqual(campaign.next_target(runs, ["csr", "differential"]), "differential")
        self.assertEqual(campaign.next_target([], ["csr", "differential"]), "csr")

    def test_a_find_ends_the_count_of_its_target_and_of_all(self):
        runs = [self.run_of("csr", 1, 60, 900), self.run_of("tuned", 1, 10, 5, 1), self.run_of("csr", 2, 7, 8)]
        self.assertEqual(campaign.sums(runs), ["csr: 2 campaigns, 67 CPU-seconds, 908 runs", "tuned: 0 campaigns, 0 CPU-seconds, 0 runs",
                                               "all campaigns since the last find: 1 targets, 7 CPU-seconds, 8 runs; 1 finds before"])

    def test_every_target_is_there(self):
        self.assertEqual(len(campaign.targets()), 9)
        self.assertTrue(all(run.target in campaign.targets() for run in campaign.read(campaign.RECORD)))


class Coverage(unittest.TestCase):
    TEXT = "int f(int a)\n{\n\tassert(a);\n\treturn a > 0 ? 1 : 2;\n}\n"

    def setUp(self):
        self.tree = Path(self.enterContext(tempfile.TemporaryDirectory()))
        (self.tree / "src/io").mkdir(parents=True)
        (self.tree / "src/io/a.c").write_text(self.TEXT)

    def verdict(self, reached, taken, excluded=()):
        """As llvm-cov reports f: a region from line 2, a gap and a region from line 4; `a > 0` has two branches."""
        file = {"filename": "./src/io/a.c", "segments": [[2, 1, 1, True, True, False], [3, 12, reached, True, False, True], [4, 2, reached, True, True, False], [5, 2, 0, False, False, False]],
                "branches": [[4, 9, 4, 14, 1, 0, 0, 0, 4], [4, 9, 4, 14, 0, taken, 0, 0, 4]]}
        other = {"filename": str(self.tree / "cli/main.c"), "segments": [], "branches": []}
        texts, good = check_coverage.judge(*check_coverage.tallies({"data": [{"files": [file, other]}]}, self.tree, dict.fromkeys(excluded, "why")))
        return good, "\n".join(texts)

    def test_lines_are_llvms(self):
        """The export of a program whose lines and branches llvm-cov counted, too."""
        segments = [[6, 1, 4, True, True, False], [9, 18, 48, True, True, False], [9, 23, 4, True, False, False], [9, 25, 44, True, True, False],
                    [14, 10, 4, True, False, False], [15, 14, 0, True, False, True], [16, 3, 0, True, True, False], [16, 13, 2, True, False, True],
                    [17, 1, 0, False, True, False], [18, 2, 2, True, True, False], [22, 2, 0, False, False, False]]
        counts = check_coverage.counts_of_lines(segments)
        self.assertEqual([counts.get(line) for line in (5, 6, 8, 9, 10, 14, 15, 16, 18, 22, 23)], [None, 4, 4, 48, 44, 44, 4, 0, 2, 2, None])

    def test_verdicts(self):
        self.assertTrue(self.verdict(1, 1)[0])
        self.assertIn("branches: 100.0% (2 of 2)", self.verdict(1, 1)[1])
        good, text = self.verdict(1, 0)
        self.assertFalse(good)
        self.assertIn("branches: 50.0%", text)
        good, text = self.verdict(0, 1)
        self.assertFalse(good)
        self.assertIn("src/io/a.c:4: not reached", text)
        self.assertIn("lines: 50.0% (1 of 2)", text)

    def test_exclusions(self):
        key = ("src/io/a.c", "return a > 0 ? 1 : 2;")
        self.assertIn("lines: 100.0% (1 of 1)", self.verdict(0, 0, [key])[1])
        good, text = self.verdict(1, 1, [key])
        self.assertFalse(good)
        self.assertIn("excluded and reached", text)
        self.assertFalse(check_coverage.judge({}, [])[1])
        self.assertEqual(check_coverage.ranges([1, 2, 3, 7]), "1-3,7")


class Reproducibility(unittest.TestCase):
    HEAD = "| format | run to run | machines |\n|---|---|---|\n"
    TESTS = {"threads.csr.scalar", "gathers.csr", "ordered", "gpu.none"}

    def faults(self, row, formats=("csr",)):
        return [text for _, text in check_reproducibility.faults(self.HEAD + row, formats, self.TESTS)]

    def test_good(self):
        for row in ("| csr | yes: `threads.csr` | no test |", "| csr | no: another order | not promised |",
                    "| csr | with `reproducible = 2`: `ordered` | with `reproducible = 2`, no test |"):
            self.assertEqual(self.faults(row), [], row)

    def test_bad(self):
        for row, words in (("| csr | yes: `thread.csr` | no test |", "there is no test thread.csr"),
                           ("| csr | yes | no test |", "neither names a test"), ("| csr | yes: `threads.csr` |", "cells"),
                           ("| csr | yes: `gpu.nothing` | no test |", "there is no test gpu.nothing"),
                           ("| sell | no test | no test |", "no row for the format csr")):
            self.assertTrue(any(words in fault for fault in self.faults(row)), (row, self.faults(row)))
        self.assertIn("gathers.csr is no test of sell", self.faults("| sell | yes: `gathers.csr` | no test |", ("sell",)))

    def test_the_page(self):
        text = (mutate.TREE / check_reproducibility.PAGE).read_text()
        self.assertEqual([fault for fault in check_reproducibility.faults(text, ["csr", "sym"], None)], [])


class Memory(unittest.TestCase):
    def setUp(self):
        self.build = Path(self.enterContext(tempfile.TemporaryDirectory()))

    def fault(self, script):
        """Of a program that valgrind's place is taken for."""
        program = self.build / "valgrind"
        program.write_text("#!/bin/sh\n" + script)
        program.chmod(0o755)
        with mock.patch.object(check_memory, "VALGRIND", [str(program)]):
            return check_memory.run(self.build, ["hash"])

    def test_verdicts(self):
        self.assertEqual(self.fault('echo "12 checks, 0 failures"'), "")
        self.assertIn("status 99", self.fault('echo "12 checks, 0 failures"; exit 99'))
        self.assertIn("status 0", self.fault('echo "0 checks, 0 failures"'))
        self.assertIn("status 0", self.fault("true"))

    def test_programs_exist(self):
        for program in check_memory.PROGRAMS:
            folder, _, name = program.split()[0].rpartition("/")
            self.assertTrue((mutate.TREE / "tests" / folder / f"{name.removeprefix(folder + '_')}.c").exists(), program)
            self.assertEqual(check_memory.program_of(self.build, [program.split()[0]]),
                             [str(self.build / "tests" / folder / f"test_{name}")])


class Packages(unittest.TestCase):
    def test_files_that_differ(self):
        self.assertEqual(check_reproducible.compare({"a": "1", "b": "2"}, {"a": "1", "b": "3", "c": "4"}),
                         [("a", False), ("b", True), ("c", True)])

    def test_components(self):
        rows = sbom.rows_of((mutate.TREE / "docs/dependencies.md").read_text())
        self.assertEqual(list(sbom.faults(rows, ["libc.so.6", "libz.so.1"])), [])
        self.assertIn("libgomp", " ".join(sbom.faults(rows, ["libgomp.so.1"])))
        self.assertIn("libpng", " ".join(sbom.faults([*rows, "libpng"], [])))
        self.assertIn("zlib", " ".join(sbom.faults([row for row in rows if row != "zlib"], [])))

    def test_document(self):
        document = sbom.document("1.2.3", "0" * 64, 0)
        names = {package["SPDXID"] for package in document["packages"]}
        self.assertEqual(len(names), 1 + len(sbom.COMPONENTS))
        for relation in document["relationships"][1:]:
            self.assertLessEqual({relation["spdxElementId"], relation["relatedSpdxElement"]}, names)
        self.assertEqual(document["creationInfo"]["created"], "1970-01-01T00:00:00Z")


if __name__ == "__main__":
    unittest.main()
