#!/usr/bin/env python3
"""The scripts that read results must compute what they say: on small made-up results, by hand.

Usage: test_scripts.py
"""

import json
import os
import subprocess
import sys
import tempfile
import unittest
import unittest.mock
from pathlib import Path
from xml.etree import ElementTree

from results import half_of

HERE = Path(__file__).parent


def row(matrix, contender, ratio=1.0, convert=0.0, **more):
    """One result of tulle-compare; conversion in multiplications of plain."""
    return {"matrix": matrix, "rows": 10000, "cols": 10000, "nnz": 100000, "longest_row": 20,
            "contender": contender, "threads": 2, "plain_ratio": ratio, "convert_plain": convert,
            "convert_own": convert * ratio, "bytes_per_nnz": 12.0, "memory_over_csr": 0.0,
            "seconds_best": 0.001 / ratio, "bandwidth_share": 0.5, "error_over_bound": 0.5, **more}


class Scripts(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def write(self, name, rows, disturbed=(), refused=()):
        """A file of results; each matrix gets its plain."""
        matrices = {(r["matrix"], r["threads"]): r for r in rows}
        plain = [row(m, "plain", nnz=r["nnz"], longest_row=r["longest_row"], threads=t)
                 for (m, t), r in matrices.items()]
        busy = [{"matrix": m, "contender": c, "threads": 2} for m, c in disturbed]
        path = self.folder / name
        path.write_text(json.dumps({"run": {"disturbed": busy, "check_plain": 1.5}, "results": plain + rows,
                                    "refused": [{"matrix": m, "contender": c, "threads": 2, "reason": why}
                                                for m, c, why in refused]}))
        return str(path)

    def run_script(self, script, *arguments, status=0):
        """The cells of every table line that was printed, and all of the text."""
        result = subprocess.run([sys.executable, str(HERE / script), *arguments],
                                capture_output=True, text=True, check=False)
        self.assertEqual(result.returncode, status, result.stdout + result.stderr)
        lines = [[cell.strip() for cell in line.strip("|\n").split("|")]
                 for line in result.stdout.splitlines() if line.startswith("|")]
        return lines, result.stdout + result.stderr

    # ---- runs.py ----

    def test_runs(self):
        bad = [row("tiny", "tulle:a", 9, nnz=83999), row("wrong", "tulle:a", 9, error_over_bound=2),
               row("wrong-inf", "tulle:a", 9, error_over_bound=None), row("busy", "tulle:a", 9),
               row("plain-busy", "tulle:a", 9)]
        busy = [("busy", "tulle:a"), ("plain-busy", "plain")]
        first = self.write("1.json", bad + [row("m", "tulle:a", 4, 6), row("n", "tulle:a", 1, 2),
                                            row("m", "mkl-opt", 2, 20), row("n", "mkl-opt", 2, 10),
                                            row("only-here", "tulle:a", 9)], busy)
        second = self.write("2.json", bad + [row("m", "tulle:a", 9, 8), row("n", "tulle:a", 1, 2)],
                            busy)
        third = self.write("3.json", [row("m", "mkl-opt", 3), row("n", "mkl-opt", 3)])
        lines, text = self.run_script("runs.py", first, f"{second}+{third}")
        self.assertIn("2 threads, 2 runs\n", text)
        figures = {line[0]: line[1:] for line in lines}
        # sqrt(4*1), sqrt(9*1); over mkl-opt sqrt(2*1/2), sqrt(3*1/3); m converts in (6+8)/2 of plain
        # and in (24+72)/2 of its own, n in 2 of both
        self.assertEqual(figures["tulle:a"][:5],
                         ["2", "2.00 3.00", "1.00 1.00", "4.50 7.00", "25.00 48.00"])
        self.assertEqual(figures["mkl-opt"][:3], ["2", "2.00 3.00", "-"])

    def test_runs_below(self):
        files = [self.write(f"{r}.json", [row("low", "tulle:a", r), row("up", "tulle:a", 2 * r),
                                          row("low", "peer", r)]) for r in (0.9, 0.8)]
        _, text = self.run_script("runs.py", *files)
        self.assertIn("\ntulle:a below 0.95 of plain in every run: low (0.90 0.80)\n", text)
        self.assertNotIn("peer below", text)
        self.assertNotIn("below", self.run_script("runs.py", "--floor", "0.85", *files)[1])

    # ---- runs.py --best ----

    def best_runs(self, *runs):
        """Files of runs given as {(matrix, class): (mkl-opt, eigen, tulle:a, tulle:b)}."""
        for n, (figures, disturbed) in enumerate(runs):
            rows = [row(m, name, ratio, 4 * ratio, **{"class": kind})
                    for (m, kind), ratios in figures.items()
                    for name, ratio in zip(("mkl-opt", "eigen", "tulle:a", "tulle:b"), ratios)]
            for r in rows:
                if r["contender"] == "tulle:a":
                    r.update(stored_share=0.5 * r["plain_ratio"] / 2, moved_share=0.6)
            yield self.write(f"best{n}.json", rows, disturbed)

    def test_best(self):
        """m: 4/2 and 3/2 over MKL; n: 8/2, 8/4. Both runs: sqrt(2 * 4), sqrt(1.5 * 2)."""
        fem = "sym-blocks"
        first = {("m", fem): (2, 1, 4, 1), ("n", fem): (2, 4, 1, 8), ("l", "lp"): (1, 2, 1.8, 1)}
        second = {("m", fem): (2, 1, 3, 1), ("n", fem): (4, 1, 1, 8), ("l", "lp"): (2, 1, 1.8, 1)}
        first[("busy", "lp")] = second[("busy", "lp")] = (1, 1, 9, 9)
        files = list(self.best_runs((first, [("busy", "eigen")]), (second, [])))
        lines, text = self.run_script("runs.py", "--best", *files)
        figures = {line[0]: line[1:] for line in lines}
        # the second run misses what is asked of the class
        self.assertEqual(figures[fem], ["2", "2.83 1.73", "2.5", "reached in 1 of 2 runs",
                                        "2.00 1.73", "5.66 4.90"])
        self.assertEqual(figures["lp"][1:4], ["1.80 0.90", "1.1", "reached in 1 of 2 runs"])
        # cube roots of 4/2 * 8/2 * 1.8/1 and 3/2 * 8/4 * 1.8/2; with the best peers 2, 2 and 0.9
        self.assertEqual(figures["over mkl-opt"], ["3", "2.43 1.39", "1.6", "reached in 1 of 2 runs"])
        self.assertEqual(figures["over the best peer"][1:], ["1.53 1.39", "1.25", "reached"])
        matrices = {line[0]: line[1:] for line in lines if len(line) == 9}
        self.assertEqual(matrices["m"], [fem, "a", "4.00 3.00", "2.00 1.50", "2.00 1.50", "mkl-opt", "14.0", ""])
        self.assertEqual(matrices["n"][1:6], ["b", "8.00 8.00", "4.00 2.00", "2.00 2.00", "eigen mkl-opt"])
        self.assertEqual(matrices["l"][4:], ["0.90 0.90", "eigen mkl-opt", "7.2", "below 0.95"])
        self.assertNotIn("busy", figures)
        self.assertIn("\nBelow 0.95 of the best peer in every run: l\n", text)
        self.assertIn("\nLeft out, disturbed in a run: busy\n", text)
        # conversions: m 16 and 12, n 32, l 7.2; shares: m 1 and .75, l .45
        self.assertIn("median 14.0, most 32.0 (n)", text)
        self.assertIn("2 matrices, stored, where that is twice what x and y have: 0.67 0.58 "
                      "(asked 0.75: missed)\n", text)
        self.assertEqual(figures["m"][:4], ["tulle:a", "12.00 12.00", "1.00 0.75", "0.60 0.60"])

    def test_best_missed(self):
        """A floor is missed when no run reaches it."""
        figures = {("m", "blocks"): (3, 1, 4, 1)}
        lines, text = self.run_script("runs.py", "--best", *self.best_runs(*[(figures, [])] * 3))
        self.assertEqual(next(line for line in lines if line[0] == "blocks")[4], "missed")
        self.assertIn("in every run: none", text)

    # ---- run compare: one run ----

    def made(self, matrix, mkl, eigen, a, b, **more):
        """Four contenders by their ratios to plain; 0: refused. The planner's tulle:auto is ten times as
        fast as both of ours together, by chance."""
        ratios = {"mkl-opt": mkl, "eigen": eigen, "tulle:a": a, "tulle:b": b, "tulle:auto": 10 * (a + b)}
        return [row(matrix, name, ratio, 10 * ratio, rows=1000, cols=1000, bytes_per_nnz=8.0,
                    **{"class": "sym-blocks", **more}) for name, ratio in ratios.items() if ratio]

    def test_report_best(self):
        slow = self.made("slow", 0, 0, 0, 0.5, **{"class": "blocks"})
        m, n = self.made("m", 2, 0.5, 4, 3), self.made("n", 1, 3, 3, 9)
        m[2].update(stored_share=0.8, moved_share=0.9)
        n[3].update(stored_share=0.7, moved_share=0)  # the second reading was disturbed
        slow[0].update(stored_share=0.2, moved_share=0.5, bytes_per_nnz=0.31)  # 31000 bytes; x and y: 16000
        unnamed = self.made("unnamed", 0, 0, 2, 3, threads=3)
        for wrong in unnamed[:2]:
            wrong["error_over_bound"] = 2
        path = self.write("run.json", [*m, *n, *slow, *self.made("busy", 1, 1, 100, 100),
                                       *self.made("small", 1, 1, 100, 100, nnz=83999),
                                       *self.made("serial", 1, 1, 100, 100, threads=1), *unnamed],
                          [("busy", "eigen")])  # a peer: perhaps it was the best one
        lines, text = self.run_script("run", "compare", "--from", path)
        serial, text = text.split("The best of our formats, 1 thread, 1 run\n")[1].split(
            "The best of our formats, 2 threads, 1 run\n")
        two, three = text.split("The best of our formats, 3 threads, 1 run\n")
        cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in two.splitlines()]
        figures = {line[0]: line[1:] for line in cells}
        matrices = {line[0]: line[1:] for line in cells if len(line) == 9}
        self.assertEqual(set(matrices) - {"matrix", "-" * 6}, {"m", "n", "slow"})
        self.assertEqual((matrices["m"][1], matrices["m"][5]), ("a", "mkl-opt"))
        self.assertEqual((matrices["n"][1], matrices["n"][5]), ("b", "eigen"))
        # sqrt(4/2 * 9/1) over mkl-opt, sqrt(4/2 * 9/3) over the best peer, sqrt(4 * 9) over plain
        self.assertEqual(figures["sym-blocks"], ["2", "4.24", "2.5", "reached", "2.45", "6.00"])
        self.assertEqual(figures["blocks"], ["1", "-", "1.4", "-", "0.50", "0.50"])
        self.assertEqual(figures["over plain"][:2], ["3", "2.62"])  # the cube root of 4 * 9 * 0.5
        self.assertIn("2 matrices, stored: 0.40\n", two)  # sqrt(0.8 * 0.2)
        self.assertIn("2 matrices, + x, y: 0.67\n", two)
        self.assertIn("1 matrix, stored, where that is twice what x and y have: 0.80 (asked 0.75: reached)", two)
        self.assertIn("median 40.0, most 90.0 (n)", two)
        self.assertIn("Below 0.95 of the best peer in every run: slow\nLeft out, disturbed in a run: busy", two)
        self.assertRegex(three, r"\| unnamed +\| sym-blocks +\| auto ")
        self.assertIn("serial", serial)
        self.assertNotIn("small", two)

    def test_report_means(self):
        path = self.write("run.json", [row("m", "tulle:a", 4, 6), row("m", "peer", 2, nnz=100000),
                                       row("n", "tulle:a", 1, 2, nnz=300000), row("n", "peer", 2),
                                       row("o", "tulle:a", 9, error_over_bound=None), row("o", "peer", 3),
                                       row("p", "tulle:a", 9), row("p", "peer", 9),
                                       row("small", "tulle:a", 5, nnz=9)],
                          [("p", "peer")], [("o", "tulle:b", "too wide"), ("p", "tulle:b", "too long")])
        lines, text = self.run_script("run", "compare", "--from", path)
        everything = {line[0]: line[4:] for line in lines if line[0] in ("m", "o", "p") and len(line) == 8}
        self.assertEqual(everything, {"m": ["1.0000", "4.00", "2.00", "-"], "o": ["1.0000", "WRONG", "3.00", "-"],
                                      "p": ["1.0000", "9.00", "9.00?", "-"]})
        means = [line for line in lines if len(line) == 8 and line[0] in ("tulle:a", "peer")]
        # tulle:a: 4, 1 and 9; the cube root of 36, 3 / (1/4 + 1 + 1/9), (4 + 3 + 9) / 5; peer: 2, 2 and 3
        self.assertEqual(means[0], ["tulle:a", "3", "3.302", "2.204", "3.200", "67 %", "0.50", "1.00 (n)"])
        self.assertEqual(means[1][:3], ["peer", "3", "2.289"])
        self.assertEqual(means[2][:3], ["tulle:a", "1", "5.000"])  # the tiny one
        self.assertIn("1 tiny matrix, 2 threads", text)
        costs = next(line for line in lines if len(line) == 5 and line[0] == "tulle:a")
        self.assertEqual(costs[1:3], ["2.00 6.00", "2.00 24.00"])
        against = next(line for line in lines if len(line) == 3 and line[0] == "tulle:a")
        self.assertEqual(against[2], "1.000 (1 of 2)")
        self.assertIn("\n  tulle:b: 2; on o: too wide\n", text)
        self.assertIn("1 of 14 figures are marked ?", text)
        self.assertIn("in no figure above: 1.50 plain multiplications", text)

    def test_run(self):
        """The exit status is the program's; an old file is not taken for what it wrote."""
        made = self.write("made.json", [row("m", "tulle:a", 2)])
        program = self.folder / "program"
        program.write_text(f"#!/bin/sh\nwhile [ $# -gt 1 ] && [ $1 != --json ]; do shift; done\n"
                           f"test -n \"$BROKEN\" && exit 2\ncp {made} $2\nexit 1\n")
        program.chmod(0o755)
        kept = str(self.folder / "kept.json")
        for arguments in ([], ["--json", kept]):
            _, text = self.run_script("run", "compare", "--program", str(program), "x", *arguments, status=1)
            self.assertIn("How many times as fast as plain", text)
        with unittest.mock.patch.dict(os.environ, BROKEN="1"):
            _, text = self.run_script("run", "compare", "--program", str(program), "--json", kept, status=2)
        self.assertEqual(text, "")

    # ---- run many ----

    def test_many(self):
        rows = [row(m, name, ratio, nnz=nnz, bandwidth_share=share, vectors=8)
                for m, nnz, share, ratios in (("m", 9, 0.8, (2, 4, 3, 2, 1)), ("n", 10**6, 0.7, (1, 9, 3, 1, 1)),
                                              ("busy", 9, 0.8, (1, 9, 3, 1, 1)))
                for name, ratio in zip(("tulle:csr:singles", "tulle:csr:rows", "tulle:csr:columns", "mkl",
                                        "mkl:columns"), ratios)]
        rows += [row(m, "one", 20, bandwidth_share=share) for m, share in (("m", 0.8), ("n", 0.7))]
        lines, text = self.run_script("run", "many", "--from", self.write("run.json", rows, [("busy", "plain")]))
        self.assertEqual(lines[0][5:], ["share", "tulle:csr:singles", "tulle:csr:rows", "tulle:csr:columns", "mkl",
                                        "mkl:columns"])
        self.assertEqual(next(line for line in lines if line[0] == "m")[5:],
                         ["0.80", "2.00", "4.00", "3.00", "2.00", "1.00"])
        everything, bound = text.split("Bound by bandwidth, 1 matrix")
        # tiny matrices count; sqrt(4 * 9), sqrt(4/2 * 9/1), sqrt(4/2 * 9/1)
        self.assertIn("All, 2 matrices", everything)
        self.assertRegex(everything, r"\| tulle:csr:rows over plain +\| 2 +\| 6.000 ")
        self.assertRegex(everything, r"\| tulle:csr:rows over tulle:csr:singles +\| 2 +\| 4.243 ")
        self.assertRegex(everything, r"\| tulle:csr:rows over mkl +\| 2 +\| 4.243 ")
        self.assertRegex(bound, r"\| tulle:csr:rows over tulle:csr:singles +\| 1 +\| 2.000 ")
        # a layout is compared with the same layout
        self.assertRegex(everything, r"\| tulle:csr:columns over mkl:columns +\| 2 +\| 3.000 ")
        self.assertNotIn("tulle:csr:rows over mkl:columns", text)
        self.assertNotIn("tulle:csr:columns over mkl ", text)
        self.assertNotIn("one over", text)

    # ---- run batch ----

    def test_batch(self):
        rows = [row("b", name, seconds_best=seconds, problems=100, gflops=1.5, stored_share=0.25, moved_share=0.5,
                    type=kind, **more)
                for kind in ("f64", "f32")
                for name, seconds, more in (("mkl-omp-raw", 4e-4, {}), ("mkl-omp-opt", 2e-4, {}),
                                            ("mkl-opt-loop", 6e-4, {}), ("tulle:auto", 1e-4, {}),
                                            ("tulle:csr", 3e-4, {"error_over_bound": None}))]
        path = self.write("run.json", rows)
        written = json.loads(Path(path).read_text())
        written["run"]["disturbed"] = [{"matrix": "b", "contender": "tulle:auto", "threads": 2, "type": "f32"}]
        written["results"] = rows
        Path(path).write_text(json.dumps(written))
        lines, text = self.run_script("run", "batch", "--from", path)
        found = [line for line in lines if line[0] == "tulle:auto"]
        self.assertEqual(found[0], ["tulle:auto", "1.000", "2.00", "6.00", "-", "1.50", "0.25", "0.50", ""])
        self.assertEqual(found[1][1], "1.000?")  # of f32 alone
        self.assertEqual([line[-1] for line in lines if line[0] == "tulle:csr"], ["WRONG"] * 2)
        self.assertIn("b, f64, 2 threads: 100 problems, 100 rows and 1000 nonzeros in the mean", text)

    # ---- iterations ----

    def test_scenario(self):
        path = self.write("a.json", [
            row("like:cant", "mkl", 2), row("like:cant", "tulle:csr5", 4, 5),
            row("like:pwtk", "tulle:csr5", 2, 10), row("like:dc2", "tulle:csr5", 5, 2),
            row("like:nd24k:half", "tulle:csr5", 99)])
        lines, text = self.run_script("iterations", path)
        ours = [line for line in lines if line[0] == "tulle:csr5" and len(line) == 11]
        # 50/(5+12.5), 50/(10+25); 500/(5+125), 500/(10+250); harmonic means and bests
        self.assertEqual(ours[0][1:6], ["20.00", "1.90", "2.86", "2.56", "3.85"])
        self.assertEqual(ours[0][6:], ["10.00", "4.17", "4.17", "4.90", "4.90"])
        # over mkl there is only cant: 25/(5+12.5), 250/(5+125)
        self.assertEqual(ours[1][1:6], ["20.00", "1.43", "1.43", "1.92", "1.92"])
        self.assertEqual(ours[1][6:], ["-"] * 5)
        self.assertIn("2 regular (left) and 1 irregular (right) matrices, stand-ins", text)
        published = {line[0]: line[1:] for line in lines if line[0].startswith("published") and len(line) == 11}
        self.assertEqual(published["published: CPU-CSR5"],
                         "6.14 0.52 0.74 0.59 0.96 3.69 0.91 2.37 1.03 2.93".split())
        self.assertEqual(len(published), 11)

    def test_alone(self):
        """Plain takes 1 ms for 2 * 100000 operations, 0.2 GFlop/s."""
        path = self.write("a.json", [
            row("like:cant", "tulle:csr5", 4), row("like:pwtk", "tulle:csr5", 2), row("like:dc2", "tulle:csr5", 5),
            row("like:cant", "mkl", 2), row("like:pwtk", "mkl", 4), row("like:dc2", "tulle:csr", 4),
            row("like:ins2", "tulle:csr", 4)])
        lines, text = self.run_script("iterations", path)
        self.assertIn("2 regular and 2 irregular matrices, stand-ins for the CSR5 paper's: multiplications alone", text)
        speeds = {line[0]: line[1:] for line in lines if len(line) == 3}
        self.assertEqual(speeds["tulle:csr5"], ["0.53", "1.00"])  # 2 / (1/.8 + 1/.4)
        self.assertEqual((speeds["plain"], speeds["mkl"]), (["0.20", "0.20"], ["0.53", "-"]))
        gains = {line[0]: line[1:] for line in lines if len(line) == 5}
        self.assertEqual(gains["plain"], ["+166.7 %", "+300.0 %", "+400.0 %", "+400.0 %"])
        self.assertEqual(gains["mkl"], ["+0.0 %", "+100.0 %", "-", "-"])
        self.assertEqual(gains["tulle:csr"], ["-", "-", "+25.0 %", "+25.0 %"])  # on dc2, which both have
        self.assertNotIn("tulle:csr5", gains)
        path = self.write("b.json", [row("like:cant", "tulle:csr", 4)])
        self.assertNotIn("pOSKI, the second best", self.run_script("iterations", path)[1])

    def test_groups(self):
        path = self.write("a.json", [
            row("rail4284", "tulle:csr5", 3), row("even", "tulle:csr5", 1),
            row("factor", "tulle:csr5", 4, longest_row=1001),
            row("excess", "tulle:csr5", 4, nnz=10**8, longest_row=14001),
            row("grid:n=9", "tulle:csr5", 7)])
        lines, text = self.run_script("iterations", path)
        self.assertIn("1 regular (left) and 3 irregular (right) matrices, real", text)
        self.assertIn("1 regular (left) and 0 irregular (right) matrices, generated", text)
        ours = [line for line in lines if line[0] == "tulle:csr5" and len(line) == 11]
        self.assertEqual((ours[0][2], ours[0][8], ours[1][2]), ("1.00", "4.00", "7.00"))

    def test_csr2_over_csr5(self):
        path = self.write("a.json", [
            row("like:cant:half", "tulle:csr5:sigma=16", 4, 5), row("like:cant:half", "tulle:csr2", 3, 3),
            row("like:qcd5_4", "tulle:csr5:sigma=16", 1), row("like:qcd5_4", "tulle:csr2", 1),
            row("file", "tulle:csr5:sigma=16", 2), row("file", "tulle:csr2", 4),
            row("half-there", "tulle:csr2", 9)])
        lines, _ = self.run_script("iterations", path)
        figures = {line[0]: line[1:] for line in lines}
        # 3/4; (5+25)/(3+33.3); (5+250)/(3+333.3)
        self.assertEqual(figures["like:cant:half"],
                         ["0.75", "0.83", "0.76", "1.78", "1.75", "1.72", "1.61"])
        self.assertEqual(figures["harmonic mean of these"],
                         ["0.86", "0.90", "0.86", "1.44", "1.39", "1.33", "1.33"])
        self.assertEqual(figures["regular, real (1)"][:3], ["2.00", "2.00", "2.00"])

    def test_nothing_counts(self):
        path = self.write("a.json", [row("m", "tulle:a", nnz=9)])
        _, text = self.run_script("iterations", path, status=1)
        self.assertIn("no figure that counts", text)

    def test_calibrate(self):
        """Two matrices: sigma 16 is the best of one by a tenth, auto of the other."""
        rows = [row("a", "tulle:csr5", 1.8), row("a", "tulle:csr5:sigma=16", 2.0),
                row("a", "tulle:csr5:sigma=32", 1.0), row("b", "tulle:csr5", 2.0),
                row("b", "tulle:csr5:sigma=16", 0.5), row("b", "tulle:csr5:sigma=32", 1.9)]
        result = subprocess.run([sys.executable, HERE / "calibrate", self.write("r.json", rows)],
                                capture_output=True, text=True, check=True).stdout
        self.assertRegex(result, r"\| a +\| 16 +\| 2.00 +\| 1.80 +\| 10.0 %")
        self.assertRegex(result, r"\| b +\| 32 +\| 1.90 +\| 2.00 +\| 0.0 %")
        self.assertRegex(result, r"\| auto +\| 1.897")
        self.assertIn("Best single sigma: 32 (1.378). Mean loss of auto: 5.1 %.", result)

    # ---- the planner ----

    def planned(self, matrix, n, ratio, convert, choice):
        return [row(matrix, f"tulle:{effort}:{n}", ratio, convert + more, choice=choice,
                    planning_plain=more) for effort, more in (("auto", 1), ("measure", 3))]

    def regret_runs(self):
        """The matrices fitted and held are in the halves that their names tell. The first run picks; in the
        second b is slower on held than it was when it was picked."""
        fitted, held = "fitted", "held"
        self.assertEqual([half_of(fitted), half_of(held)], [0, 1])
        busy = [("busy", "tulle:a")]
        formats = [(fitted, 2, 4, 9), (held, 2, 4, 9), ("busy", 2, 4, 9), ("busy-later", 2, 4, 9)]
        pick = [r for m, a, b, convert in formats
                for r in (row(m, "tulle:a", a), row(m, "tulle:b", b, convert))]
        timed = [row(m, name, ratio, convert) for m in (fitted, "busy", "busy-later")
                 for name, ratio, convert in (("tulle:a", 2, 0), ("tulle:b", 4, 10))]
        timed += [row(held, "tulle:a", 2), row(held, "tulle:b", 2.5, 10)]
        for m, choice, ratio, convert in ((fitted, "b", 4, 10), (held, "a", 2, 0), ("busy", "a", 2, 0),
                                          ("busy-later", "a", 2, 0)):
            timed += self.planned(m, 100, ratio, convert, choice)
            timed += self.planned(m, 10, 2, 0, "a")
        return (self.write("pick.json", pick, busy),
                self.write("timed.json", timed, [("busy-later", "tulle:auto:100")]))

    def test_regret(self):
        plot = self.folder / "regret.svg"
        lines, text = self.run_script("regret", *self.regret_runs(), "--plot", str(plot), "--beyond", "1.2")
        cells = [line for line in lines if line[1:2] in (["ESTIMATE"], ["MEASURE"])]
        held, everything = cells[:4], cells[4:]
        # 10: a is picked, (1 + 5) / 5 and (3 + 5) / 5
        self.assertEqual(held[0][:7], ["10", "ESTIMATE", "1", "0", "1.200", "1.20", "0 %"])
        self.assertEqual(held[1][4:10], ["1.600", "1.60", "0 %", "1.000", "1.00", "1.600"])
        self.assertEqual(held[1][10:], ["held: a, best a", ""])
        # 100: b is picked and took 10 + 40; a (1 + 50) / 50 and (3 + 50) / 50, alone 50 / 50
        self.assertEqual(held[2][2:], ["1", "0", "1.020", "1.02", "100 %", "1.000", "1.00", "1.020",
                                       "held: a, best b", "reached"])
        self.assertEqual(held[3][4], "1.060")
        # all: fitted has (1 + 10 + 25) / 35; busy is lost to both, busy-later to the estimate alone
        self.assertEqual(everything[2][2:8], ["2", "2", "1.024", "1.03", "100 %", "1.000"])
        # the cube root of 53 / 50 * 38 / 35 * 53 / 35
        self.assertEqual(everything[3][2:7], ["3", "1", "1.203", "1.51", "67 %"])
        self.assertEqual(everything[3][10:], ["busy-later: a, best b", "missed: mean, asked 1.08"])
        beyond = text.split("More than 1.2:")[1]
        self.assertEqual(beyond.count("\n| 1."), 3 + 1)
        self.assertRegex(beyond, r"\| 1.51 +\| 1.43 +\| MEASURE \| 100 \| busy-later")
        drawn = ElementTree.parse(plot).getroot()
        words = [e.text for e in drawn.iter("{http://www.w3.org/2000/svg}text")]
        for word in ("ESTIMATE, geomean 1.02", "MEASURE, worst 1.06", "10", "100", "1.5"):
            self.assertIn(word, words)
        points = [(float(e.get("cx")), float(e.get("cy")))
                  for e in drawn.iter("{http://www.w3.org/2000/svg}circle")]
        self.assertEqual(len(points), 2 * 2 * 2)
        self.assertLess(points[1][0] - points[0][0], 640)
        self.assertLess(points[0][1], points[1][1], "1.2 is drawn above 1.02")

    def test_regret_wants_two_runs(self):
        pick, timed = self.regret_runs()
        self.assertIn("two runs", self.run_script("regret", timed, status=2)[1])
        self.assertIn("no figures", self.run_script("regret", timed, pick, status=1)[1])

    def test_endtoend(self):
        rows = []
        for m, peer in (("m", 1.0), ("n", 4.0), ("busy", 1.0)):
            rows += [row(m, "mkl-opt:5", 2, 5), row(m, "mkl-opt:50", 2, 5), row(m, "mkl-opt:500", 2, 5),
                     row(m, "eigen", peer), row(m, "tulle:auto:5", 1, 0.5, planning_plain=0.1),
                     row(m, "tulle:auto:50", 2, 5, planning_plain=1),
                     row(m, "tulle:auto:500", 4, 130, planning_plain=1)]
        rows[4].update(convert_plain=5.0, planning_plain=0.7)
        path = self.write("run.json", rows, [("busy", "eigen")])
        lines, text = self.run_script("endtoend", path)
        figures = {line[0]: line[1:] for line in lines}
        self.assertIn("peers: eigen, mkl-opt:500, plain; 1 matrices with a disturbed figure", text)
        # 5 / (5 + 5)
        self.assertEqual(figures["worst total of 5, over plain"],
                         ["3", "0.50", "0.9", "missed", "0.50 (m)"])
        self.assertEqual(figures["planning for 5, plain multiplications"],
                         ["3", "0.70", "< 0.5", "missed", "0.70 (m)"])
        # (5 + 25) / (5 + 25), (5 + 250) / (130 + 125)
        self.assertEqual(figures["total of 50, over mkl-opt:50"][:4], ["3", "1.00", "1.1", "missed"])
        self.assertEqual(figures["total of 500, over mkl-opt:500"][:4], ["3", "1.00", "1.4", "missed"])
        self.assertEqual(figures["one multiplication, over mkl-opt:500"][:4], ["3", "2.00", "1.5", "reached"])
        # 4 / 2 on m, 4 / 4 on n
        self.assertEqual(figures["one multiplication, over the best peer"],
                         ["2", "1.41", "1.15", "reached", "1.00 (n)"])

    def test_planning(self):
        path = self.write("run.json", [
            row("quick", "tulle:auto:1000", 2, 5, planning_plain=1.5, choice="sell"),
            row("slow", "tulle:auto:1000", 2, 5, planning_plain=2.5, choice="csr")])
        lines, _ = self.run_script("planning", "--from", path)
        self.assertEqual([line[3:] for line in lines[-2:]],
                         [["sell", "1.50", "< 2", "reached", "3.50"],
                          ["csr", "2.50", "< 2", "missed", "2.50"]])


if __name__ == "__main__":
    unittest.main()
