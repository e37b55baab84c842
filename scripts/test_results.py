#!/usr/bin/env python3
"""What is kept of a run, and the pages made from it, on two small runs with known means."""

import contextlib
import io
import json
import tempfile
import unittest
from pathlib import Path

import bars
import results_docs
import results_kept


def row(matrix, contender, ratio, **more):
    return {"matrix": matrix, "nnz": 100000, "contender": contender, "threads": 2, "type": "f64", "seconds_best": 1e-3 / ratio,
            "seconds_median": 1.5e-3 / ratio, "plain_ratio": ratio, "convert_plain": 0, "convert_own": 0, "bytes_per_nnz": 12,
            "memory_over_csr": 0, "error_over_bound": 0.5, "class": "", "choice": "", "note": "not kept", **more}


def run_of(ratios, disturbed=()):
    """What tulle-compare writes: {matrix: (ours, mkl)}, in units of plain."""
    rows = []
    for matrix, (ours, mkl) in ratios.items():
        rows += [row(matrix, "plain", 1), row(matrix, "mkl", mkl), row(matrix, "mkl-opt", mkl / 2),
                 row(matrix, "tulle:csr", ours / 2), row(matrix, "tulle:csr5", ours), row(matrix, "tulle:csr2", ours),
                 row(matrix, "tulle:auto:1000", ours, choice="sell")]
    marks = [{"matrix": matrix, "contender": "tulle:auto:1000", "threads": 2, "type": "f64"} for matrix in disturbed]
    return {"run": {"command": ["/home/me/tulle-compare", "--suite", "real", "--json", "/tmp/a.json", "/home/me/a b.mtx"],
                    "date": "2026-01-02T03:04:05Z", "revision": "abc-dirty", "isa": "avx2", "compiler": "GNU 1",
                    "mkl_instructions": "", "disturbed": marks}, "refused": [], "results": rows}


RUNS = [run_of({"a": (2, 1), "b": (8, 0.5)}), run_of({"a": (2, 4), "b": (32, 2)}, disturbed=["b"])]


class Tree(unittest.TestCase):
    """A tree with one machine and both runs."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.tree = Path(folder.name)
        self.folder = self.tree / results_kept.FOLDER / "box"
        marks = "Top.\n" + results_docs.BEGIN + results_docs.END + "Bottom.\n"
        self.folder.mkdir(parents=True)
        (self.tree / "docs/papers").mkdir()
        (self.tree / "docs/pictures").mkdir()
        for path in ["docs/results/README.md", *(f"docs/papers/{paper}.md" for paper in results_docs.PAPERS)]:
            (self.tree / path).write_text(marks)
        for number, written in enumerate(RUNS, 1):
            (self.tree / "run.json").write_text(json.dumps(written))
            self.assertEqual(self.run_on("--keep", "box", f"real-{number}", self.tree / "run.json", "TULLE_GATHER=loads"), 0)
        (self.folder / "machine.json").write_text('{"name": "Box", "facts": {"processor": "P"}, "note": "N."}')

    def run_on(self, *arguments):
        with contextlib.redirect_stdout(io.StringIO()):
            return results_docs.main([str(self.tree), *map(str, arguments)])

    def page(self):
        self.assertEqual(self.run_on("--write"), 0)
        return (self.folder / "README.md").read_text()


class Kept(Tree):
    def test_reduced(self):
        kept = json.loads((self.folder / "real-1.json").read_text())
        self.assertEqual(kept["run"]["command"], ["tulle-compare", "--suite", "real", "a b.mtx"])
        self.assertEqual(kept["run"]["environment"], ["TULLE_GATHER=loads"])
        self.assertEqual(len(kept["results"]), 14)
        for found, written in zip(kept["results"], RUNS[0]["results"]):
            self.assertEqual(found, {key: value for key, value in written.items() if value != "" and key != "note"})

    def test_refused(self):
        for machine, name, *variables in (["box", "real"], ["Box", "real-1"], ["box", "real-1", "A=/home/me"]):
            self.assertEqual(self.run_on("--keep", machine, name, self.tree / "run.json", *variables), 1, (machine, name))

    def test_no_folders(self):
        file = self.folder / "real-1.json"
        file.write_text(file.read_text().replace("tulle-compare", "/home/me/tulle-compare"))
        self.assertEqual(self.run_on("--write"), 1)

    def test_no_automatic_plan(self):
        file = self.folder / "real-1.json"
        file.write_text(file.read_text().replace("tulle:auto:1000", "tulle:sell"))
        (self.folder / "real-2.json").unlink()
        self.assertEqual(self.run_on("--write"), 1)


    def disturb(self, matrices, contender):
        """Mark a contender as disturbed on these matrices in every run."""
        for file in self.folder.glob("real-*.json"):
            kept = json.loads(file.read_text())
            kept["run"]["disturbed"] += [{"matrix": m, "contender": contender, "threads": 2, "type": "f64"} for m in matrices]
            file.write_text(results_kept.as_text(kept))

    def test_all_disturbed(self):
        self.disturb("ab", "mkl")
        self.assertEqual(self.run_on("--write"), 1)

    def test_no_matrix_for_a_figure(self):
        self.disturb("ab", "tulle:csr5")
        self.assertEqual(self.run_on("--write"), 1)

    def test_peer_on_disturbed_matrices_only(self):
        for file in self.folder.glob("real-*.json"):
            kept = json.loads(file.read_text())
            kept["results"].append(row("b", "eigen", 1))
            file.write_text(results_kept.as_text(kept))
        self.disturb("b", "eigen")
        self.assertIn("| Eigen | - | 8.00, 32.00 |", self.page())


class Pages(Tree):
    def test_means(self):
        page = self.page()
        self.assertIn("| over | undisturbed matrices (2, 1) | all matrices (2) |", page)
        self.assertIn("| best peer | 4.00, 0.50 | 4.00, 2.83 |", page)  # (2/1 * 8/1)^.5; 2/4; (2/4 * 32/2)^.5
        self.assertIn("| MKL | 5.66, 0.50 | 5.66, 2.83 |", page)
        self.assertIn("| plain loop | 4.00, 2.00 | 4.00, 8.00 |", page)
        self.assertIn("| csr | 2 | 2.00, 4.00 |", page)

    def test_matrices(self):
        page = self.page().replace("\u00a0", " ")
        self.assertIn("| a | 100,000 | sell | 0.5 | 0.625 | plain, mkl | 2.00, 0.50 | 2.00, 2.00 |", page)
        self.assertIn("| b | 100,000 | sell | 0.07812 | 0.75 | plain, mkl | 8.00, 16.00? | 8.00, 32.00 |", page)
        self.assertIn("at most 4.00 times (`a`)", page)
        self.assertIn("below 0.95 of their best peer: 0, 1; in every run: none", page)

    def test_origin(self):
        page = self.page()
        self.assertIn("`TULLE_GATHER=loads TULLE_MATRICES=folder tulle-compare --suite real 'a b.mtx'`", page)
        self.assertIn("abc with changes that were not committed", page)
        self.assertIn("| processor | P |", page)

    def test_papers(self):
        self.page()
        page = (self.tree / "docs/papers/csr5.md").read_text()
        self.assertIn("![speed of csr5, csr, MKL optimized, MKL](../pictures/paper-csr5.svg)", page)
        self.assertIn("[Box](../results/box/README.md#real), commit abc with changes that were not committed, 2 runs of `", page)
        drawn = (self.tree / "docs/pictures/paper-csr5.svg").read_text()
        for figures in ("4.00 8.00", "2.00 4.00", "0.71 2.83", "2.00 11.00 20.00", "2.50 17.25 32.00"):
            self.assertIn(f">{figures}<", drawn)

    def test_no_figure_for_a_paper(self):
        for file in self.folder.glob("real-*.json"):
            file.write_text(file.read_text().replace("tulle:csr2", "tulle:ell"))
        self.assertEqual(self.run_on("--write"), 1)

    def test_written_is_fresh(self):
        self.assertEqual(self.run_on("--check"), 1)
        self.page()
        self.assertEqual(self.run_on("--check"), 0)
        for path, old, new in (("docs/results/box/README.md", "5.66", "5.67"), ("docs/results/box/speed.svg", "5.66", "5.67"),
                               ("docs/results/README.md", "Box", "Fox"), ("docs/papers/csr2.md", "abc", "abd"),
                               ("docs/pictures/paper-csr5.svg", "17.25", "17.26"),
                               ("docs/results/box/real-1.json", "0.001", "0.002")):
            file = self.tree / path
            text = file.read_text()
            self.assertIn(old, text)
            file.write_text(text.replace(old, new, 1))
            self.assertEqual(self.run_on("--check"), 1, path)
            file.write_text(text)
        index = self.tree / "docs/results/README.md"
        index.write_text(index.read_text().replace("Bottom.", "Bottom!"))
        self.assertEqual(self.run_on("--check"), 0)


class Bars(unittest.TestCase):
    def test_bars(self):
        drawn = bars.draw("T & t", [("A", [("x", [1, 3, 2]), ("y", [4])])])
        whole = bars.WIDTH - bars.LEFT - bars.RIGHT
        self.assertIn("T &amp; t", drawn)
        self.assertIn(f'width="{whole / 2:.1f}" height="{bars.BAR}" fill="{bars.FIRST}"', drawn)
        self.assertIn(f'width="{whole:.1f}" height="{bars.BAR}" fill="{bars.OTHER}"', drawn)
        self.assertIn(f'M{bars.LEFT + whole / 4:.1f} ', drawn)
        self.assertIn(">1.00 3.00 2.00<", drawn)


if __name__ == "__main__":
    unittest.main()
