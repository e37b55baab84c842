#!/usr/bin/env python3
"""gpu_papers_model: published orders, Kendall's tau and means by hand, and the report of made-up plans. The report of counts
before and after a change.

Usage: test_gpu_papers_model.py
"""

import json
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import gpu_papers_model_batched as batched
import gpu_papers_model_report
import gpu_papers_order as order

HERE = Path(__file__).parent


def plan(costs, nnz=100, stand_in=True, out=(), requests=None):
    """costs: {format: relative cost}"""
    return {"nnz": nnz, "stand_in": stand_in, "candidates": [
        {"format": name, "out": name in out, "relative": cost, "requested": (requests or costs)[name], "x_requested": 1}
        for name, cost in costs.items()]}


class Judging(unittest.TestCase):
    def test_tau(self):
        pairs = order.pairs_of(["a", "b", "c"])
        self.assertEqual(pairs, [("a", "b"), ("a", "c"), ("b", "c")])
        for figures, expected in (({"a": 1, "b": 2, "c": 3}, 1), ({"a": 3, "b": 2, "c": 1}, -1),
                                  ({"a": 2, "b": 1, "c": 3}, 1 / 3), ({"a": 1, "b": 1, "c": 1}, 0),
                                  ({"a": 1, "b": 1, "c": 2}, 2 / 3), ({"a": 1, "c": 2}, 1), ({"a": 1}, None)):
            self.assertEqual(order.tau(order.judge(pairs, figures)), expected, figures)

    def test_or_equal(self):
        self.assertEqual(order.judge([("a", "b", "or equal")], {"a": 1, "b": 1}), ([("a", "b", "or equal")], [], []))
        self.assertEqual(order.tau(order.judge([("a", "b", "or equal")], {"a": 2, "b": 1})), -1)

    def test_together(self):
        several = [([("a", "b")], [], [("b", "c")]), ([], [("a", "b")], [])]
        self.assertEqual(order.together(iter(several)), ([("a", "b")], [("a", "b")], [("b", "c")]))

    def test_predictions(self):
        """The best of the kernels of a name; nothing of what is ruled out, nor of other formats that begin alike."""
        given = plan({"csr:kernel=scalar": 3, "csr:kernel=vector,lanes=4": 2, "ell": 9, "ellr:lanes=2": 1, "csr5": 5},
                     out=["ell"])
        names = ["CSR", "CRS", "CSR-vector", "ELLPACK", "ELLPACK-R", "CSR5"]
        self.assertEqual(order.predictions(given, names),
                         {"CSR": 2, "CRS": 3, "CSR-vector": 2, "ELLPACK-R": 1, "CSR5": 5})
        self.assertEqual(order.predictions(given, ["CRS"], order.REQUESTS), {"CRS": 4})

    def test_means(self):
        plans = [plan({"csr5": 1, "hyb": 4}), plan({"csr5": 4, "hyb": 1}), plan({"csr5": 9, "hyb": 1}, out=["csr5"])]
        self.assertEqual(order.mean_predictions(plans, ["CSR5", "HYB"]), {"CSR5": 2, "HYB": 2})
        weighted = order.mean_predictions(plans, ["CSR5", "HYB"], weights=[3, 1, 9])
        self.assertLess(weighted["CSR5"], weighted["HYB"])
        self.assertEqual(order.mean_predictions(plans[2:], ["CSR5", "HYB"]), {})

    def test_published(self):
        """HYB, regular: .92 * 513.73 / 500 < 1; irregular: 2.77 * 528.59 / 500."""
        nvidia = {"CSR": "CSR", "HYB": "HYB", "CSR5": "CSR5"}
        self.assertEqual(order.csr5_order("nGPU", nvidia, False), ["CSR5", "CSR", "HYB"])
        self.assertEqual(order.csr5_order("nGPU", nvidia, True), ["CSR5", "HYB", "CSR"])
        self.assertEqual(order.ellpack_r_pairs("mc2depi"), [("ELLPACK", "HYB", "or equal"), ("ELLPACK", "ELLPACK-R")])
        self.assertEqual(order.ellpack_r_pairs("shipsec1"), [("ELLPACK-R", "ELLPACK"), ("HYB", "ELLPACK-R")])
        self.assertEqual(order.ellpack_r_pairs("qh1484"), [])
        self.assertEqual(order.fastload_order("VDOL"), ["CSR5", "CSC"])
        self.assertEqual([order.fastload_order(group) for group in ("HB", None)], [["CSC", "CSR5"]] * 2)


class Report(unittest.TestCase):
    def test_report(self):
        """Every disagreement is shown, and whatever cannot be compared is listed."""
        csr5 = {"csr5": 2, "hyb": 3, "csr:kernel=vector,lanes=8": 1, "csr:kernel=adaptive": 1.5}
        ellpack_r = {"ellr:lanes=1": 2, "hyb": 3, "ell": 3, "csr:kernel=scalar": 8}
        found = {"csr5": {"gtx980": {"dc2": plan(csr5)}, "r9290x": {"cant": plan(csr5)}},
                 "ellpackr": {"gtx295": {"mc2depi": plan(ellpack_r), "rbs480a": plan(ellpack_r, stand_in=False)}},
                 "fastload": {"rtx3090ti": {"west0067": plan({"csc": 2, "csr5": 1}, stand_in=False),
                                            "G51": plan({"csc": 1, "csr5": 2}, stand_in=False)}}}
        with tempfile.TemporaryDirectory() as folder:
            Path(folder, "plans").write_text(json.dumps(found))
            text = subprocess.run([sys.executable, HERE / "gpu_papers_model", "--from", Path(folder, "plans")],
                                  check=True, capture_output=True, text=True).stdout
        rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in text.splitlines()
                if line.startswith("|")]
        for row in (["Table 3, irregular", "gtx980", "1 stand-in", "CSR5 > HYB > CSR", "CSR > CSR5 > HYB", "-0.33",
                     "CSR > CSR5; CSR > HYB", "-0.33"],
                    ["dc2", "irregular", "CSR > CSR5 > HYB", "-0.33", "-", "-"],
                    ["mc2depi", "stand-in", "ELLPACK-R > HYB = ELLPACK > CRS", "1", "0.83",
                     "ELLPACK >= HYB; ELLPACK > ELLPACK-R", "0.00", "ELLPACK-R > ELLPACK"],
                    ["Fig. 1, HB", "rtx3090ti", "1 real", "CSC > CSR5", "CSR5 > CSC", "-1.00", "CSR5 > CSC", "-1.00"],
                    ["Gset", "1", "67", "1", "0", "0", "1.00"]):
            self.assertIn(row, rows)
        self.assertIn("All 6 pairs: 1 agree, 0 equal, 5 contrary; tau -0.67", text)
        self.assertEqual([row[0] for row in rows if row[0].startswith("Fig. 1, Sandia")], ["Fig. 1, Sandia"])
        self.assertEqual(text.count("| not compared"), 4)


def counted(matrix, kernel, sectors, instructions=1):
    """A line of test_gpu_counts: as many sectors are requested as twice those through L2."""
    array = {"load_sectors": sectors, "store_sectors": sectors, "atomic_sectors": 0}
    return {"matrix": matrix, "format": kernel, "l2_reads": sectors - 1, "l2_writes": 1,
            "launches": [{"instructions": instructions, "arrays": [array]}]}


class Batches(unittest.TestCase):
    PATHS = {"nos3": "/m/nos3.mtx", "mcfe": "/m/mcfe.mtx"}

    def lines(self, sectors, instructions=None):
        words = batched.arguments(self.PATHS)
        return [counted(batch, kernel, sectors[name], (instructions or sectors)[name])
                for batch in words[words.index(batched.KERNELS["ELL"]) + 1:] for name, kernel in batched.KERNELS.items()]

    def test_comparisons(self):
        """What needs a matrix that is missing is left out; batches are counted once each."""
        found = {what: (batches, matrices) for what, batches, matrices, _ in batched.comparisons(self.PATHS)}
        self.assertEqual(found["Section 4.2, nos3"], (["4x/m/nos3.mtx"], 1))
        self.assertEqual(found["Fig. 5, geometric mean"], (["4x/m/mcfe.mtx", "4x/m/nos3.mtx"], 2))
        self.assertEqual(found["Fig. 6, mixed"], (["2x/m/nos3.mtx"], 1))
        self.assertEqual(found["Fig. 7, mixed"], (["2x/m/mcfe.mtx+2x/m/nos3.mtx"], 2))
        self.assertNotIn("Section 4.2, west0989", found)
        self.assertEqual(batched.arguments(self.PATHS).count("4x/m/nos3.mtx"), 1)
        self.assertEqual([what for what, *_ in batched.comparisons({})], [what for what in found if "Fig. 4" in what])

    def test_report(self):
        order_of_fig_6 = {"COO": 10, "CSRI": 11, "CSR_smart": 12, "ELL": 13, "CSR_vec": 14, "CSR_scal": 15}
        reverse = {name: 30 - sectors for name, sectors in order_of_fig_6.items()}
        text = gpu_papers_model_report.batched(batched.judgements(self.PATHS, self.lines(order_of_fig_6, reverse)))
        rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in text.splitlines()]
        self.assertIn(["Fig. 7, mixed", "2", "COO > CSRI, CSR_smart, ELL; CSRI > CSR_smart, ELL; CSR_smart > ELL",
                       "COO > CSRI > CSR_smart > ELL", "1.00", "-", "1.00", "-1.00"], rows)
        self.assertIn(["Fig. 4, balanced, 1 per row", "1", "CSR_scal > CSRI; CSR_smart > CSRI",
                       "CSRI > CSR_smart > CSR_scal", "-1.00", "CSRI > CSR_scal; CSRI > CSR_smart", "-1.00", "1.00"], rows)
        self.assertIn("Not counted", gpu_papers_model_report.batched(()))

    def test_figures(self):
        line = counted("m", "coo", 5, 7)
        self.assertEqual([by(line) for by in (batched.traffic, batched.requests, batched.instructions)], [160, 320, 7])


class CountsReport(unittest.TestCase):
    def test_before_and_after(self):
        matrix = "gen:stencil5:n=140"
        with tempfile.TemporaryDirectory() as folder:
            files = [Path(folder, name) for name in ("before.json", "after.json")]
            for file, instructions in zip(files, (186.66, 40.8)):
                file.write_text(json.dumps([{"type": "f64", "matrix": matrix, "format": form, "nnz": 7,
                                             "figures": {"instructions": instructions}}
                                            for form in ("csr", "sell") if form == "csr" or file == files[1]]))
            done = subprocess.run([sys.executable, HERE.parent / "tests/gpu/counts/report.py", "--layers", "-", "--program", "-",
                                   "--before", files[0], "--from", files[1], "--type", "f64", "--figure", "instructions",
                                   "--format", "csr", "--format", "sell"], check=True, capture_output=True, text=True)
        self.assertIn(f"| {matrix} | 7 | 186.7, 40.8 | none, 40.8 |", done.stdout)


if __name__ == "__main__":
    unittest.main()
