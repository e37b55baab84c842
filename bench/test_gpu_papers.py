#!/usr/bin/env python3
"""The report of gpu_papers: figures of a made-up GPU by hand, every section filled or marked, no time of a CPU.

Usage: test_gpu_papers.py
"""

import json
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

HERE = Path(__file__).parent
SECTIONS = 24
HEIGHTS = (0, 1, 2, 4, 8, 16, 32)


def result(contender, best, convert=10):
    """Conversions in multiplications of its own."""
    return {"contender": contender, "same_bits": True, "seconds_best": best, "seconds_median": best,
            "seconds_convert": convert * best, "bytes": 12000, "peak_bytes": 24000, "launches": 1, "launch": [],
            "right": True, "bits_changed": False, "error_over_bound": 0.25, "note": ""}


def matrix(name, times, nnz=1000, **more):
    """times: {contender: microseconds}"""
    return {"matrix": name, "rows": 500, "cols": 500, "nnz": nnz, "longest_row": 7, "length_variation": 0.4,
            "results": [result(c, 1e-6 * t) for c, t in times.items()], **more}


def runs(gpu=True):
    """{run: matrices} with every contender of the papers and cuSPARSE."""
    csr = {"tulle:csr": 8, "tulle:csr:kernel=scalar": 40, "tulle:csr:kernel=vector,lanes=32": 16,
           "tulle:csr:kernel=adaptive": 5, "tulle:hyb": 10, "cusparse:csr": 4}
    csr5 = {"tulle:csr5:rule=nvidia": 2, "tulle:csr5:rule=amd": 20}
    sweep = {f"tulle:csr5:sigma={s}": 1 if s == 8 else 4 for s in range(4, 49, 4)}
    ellpack_r = {"tulle:csr:kernel=scalar": 8, "tulle:csr:kernel=vector,lanes=32": 4, "tulle:csr:kernel=padded": 4,
                 "tulle:ell": 2, "tulle:ellr:lanes=1": 1, "tulle:hyb": 2}
    fastload = {"tulle:csc": 8, "tulle:csr5:rule=nvidia": 4, "cusparse:csr": 2, "tulle:fastload:add=sums,height=1": 1,
                "tulle:fastload:add=gathered": 2, "tulle:fastload:add=rearranged": 1,
                **{f"tulle:fastload:add=atomics,height={h}": 2 for h in HEIGHTS}}
    batch = {"tulle:coo:form=block": 2, "tulle:coo:form=classes": 1, "tulle:csr:kernel=smart,form=block": 4,
             "tulle:ell:form=block": 2, "loop:tulle:csr": 30, "loop:cusparse:csr": 20}
    more = {"problems": 10, "one_pattern": False}
    found = {
        "csr5": [matrix("like:dc2", {**csr, **csr5}),
                 matrix("like:ins2", {**csr, **csr5, "tulle:csr5:rule=nvidia": 1}), matrix("like:cant", {**csr, **csr5})],
        "segsum": [matrix("like:dc2", {"tulle:csr:kernel=segsum": 6, **csr5})],
        "sigma": [matrix("like:dc2", {**csr5, **sweep})],
        "ellpackr": [matrix("like:qh1484", ellpack_r), matrix("like:cant", {**ellpack_r, "tulle:ellr:lanes=1": 2}, 3000)],
        "fastload": [matrix("a", fastload), matrix("b", {**fastload, "tulle:csc": 2}, 20000, length_variation=3.0)],
        "batch-sizes-10": [matrix("pattern:nos3", batch, **more)],
        "batch-density": [matrix("each:random", batch, **more)],
        "batch-few-rows": [matrix("each:empty", batch, **more)],
        "batch-matrices": [matrix("pattern:nos3", batch, **more)],
        "batch-mixed-large": [matrix("mixed:nos3", batch, **more)],
        "batch-mixed": [matrix("mixed:nos3", batch, **more)]}
    info = {"command": ["/x/tulle-compare"], "cpu": "a host", "compiler": "a compiler", "revision": "abc123",
            "tulle": "0.1.0", "type": "f64", "peers": "cusparse: 12.5", "device": "cuda:0", "model": "Model",
            "driver": "driver 7", "memory_gib": 3.0, "units": 4, "width": 32, "shuffles": True, "gpu": gpu}
    return {name: {"run": dict(info), "matrices": matrices} for name, matrices in found.items()}


class GpuPapers(unittest.TestCase):
    def report(self, given):
        """(the text, {title of a section: {first cell: other cells}})"""
        with tempfile.TemporaryDirectory() as folder:
            for name, run in given.items():
                Path(folder, f"{name}.json").write_text(json.dumps(run))
            text = subprocess.run([sys.executable, HERE / "gpu_papers", "--from", folder], check=True,
                                  capture_output=True, text=True).stdout
        sections = {}
        for part in text.split("\n### ")[1:]:
            title, _, body = part.partition("\n")
            lines = [[cell.strip() for cell in line.strip("|").split("|")] for line in body.splitlines()
                     if line.startswith("|")]
            sections[title.partition(":")[0]] = {line[0]: line[1:] for line in lines}
            self.assertTrue(lines or "Not run: " in body, title)
        self.assertEqual(len(text.split("\n### ")) - 1, SECTIONS)
        return text, sections

    def test_csr5(self):
        _, found = self.report(runs())
        self.assertEqual(found["CSR5, Fig. 3"]["tulle:csr5:rule=nvidia"], ["1", "3.00", "3.00"])
        # 2 * 1000 / 2e-6 and 1e-6 on the irregular: harmonic mean of 1 and 2 GFlop/s
        self.assertEqual(found["CSR5, Fig. 7 and 8"]["tulle:csr5:rule=nvidia"], ["1.00", "1.33"])
        self.assertEqual(found["CSR5, Fig. 7 and 8"]["here"], ["166.7 %", "300.0 %", "cusparse:csr"])
        self.assertEqual(found["CSR5, Fig. 9"]["rule=nvidia"][:2], ["1", "50.0 %"])
        self.assertEqual(found["CSR5, Fig. 10"]["tulle:csr5:rule=nvidia"], ["10.00", "10.00"])
        # 50 * 4 / (20 + 50 * 2), 500 * 4 / (20 + 1000); irregular 50 * 4 / 60, too: cuSPARSE is the CSR
        self.assertEqual(found["CSR5, Table 3"]["tulle:csr5:rule=nvidia"],
                         ["10.00", "1.67", "1.67", "1.96", "1.96", "10.00", "2.22", "3.33", "2.61", "3.92"])
        self.assertEqual(found["CSR5, Table 3"]["published: nGPU-CSR5"][:2], ["3.06", "1.04"])

    def test_ellpack_r(self):
        _, found = self.report(runs())
        self.assertEqual(found["ELLPACK-R, Table I"]["like:qh1484"], ["2.00", "4.12", "40.00", "38.87"])
        self.assertEqual(found["ELLPACK-R, Fig. 4"]["like:cant"],
                         ["0.75", "1.50", "1.50", "3.00", "3.00", "3.00", "SpMV4GPU best"])
        # (1000 * 2 + 3000 * 3) / 4000
        self.assertEqual(found["ELLPACK-R, Fig. 5"]["ELLPACK-R"], ["2", "2.75", "1st"])

    def test_batched(self):
        text, found = self.report(runs())
        self.assertEqual(found["Batched SpMV, Fig. 3"]["nos3"],
                         ["10", "2.00", "-", "-", "0.50", "-", "1.00", "0.10", "20.00"])
        self.assertEqual(found["Batched SpMV, Fig. 6"]["here, 10 problems"][0], "2.00")
        # (4 * (1000 + 500 + 10) + 8 * 2000) / 1e-6
        self.assertEqual(found["Batched SpMV, Fig. 6"]["here, GB/s of CSR's arrays, x and y"][0], "22.0")
        self.assertEqual(found["Batched SpMV, Fig. 7"]["published"][0], "> 55")
        self.assertNotIn("No cuSPARSE", text)

    def test_fastload(self):
        _, found = self.report(runs())
        self.assertEqual(found["FastLoad, Fig. 1"]["here, all matrices"], ["2", "1.00", "2.00", "-", "4.00", "4.00"])
        self.assertEqual(found["FastLoad, Fig. 5"]["CSR5"], ["2", "4.00", "2"])
        self.assertEqual(found["FastLoad, Fig. 7"]["CSC"], ["4.00", "2 of 2", "2.12", "2342 of 2757"])
        self.assertEqual(found["FastLoad, Fig. 7"]["TileSpMV"][:2], ["-", "-"])
        self.assertEqual(found["FastLoad, Fig. 8"]["0 to 0.5"], ["1", "8.00", "2.00", "4.00"])
        self.assertEqual(found["FastLoad, Fig. 8"]["2 and more"], ["1", "2.00", "2.00", "4.00"])
        self.assertEqual(found["FastLoad, Table I"]["none"][:4], ["100.0 %", "2.00", "0.0 %", "1.00"])
        self.assertEqual(found["FastLoad, Fig. 9"]["b"][-1], "40.00")
        self.assertEqual(found["FastLoad, Fig. 10"]["from 10^4 on"], ["1", "0.25", "above 1"])
        self.assertEqual(found["FastLoad, Fig. 11"]["a"], ["24.0", "24.0", "24.0"])

    def test_wrong_and_missing(self):
        """A wrong result has no time and is reported; missing runs and missing peers are marked."""
        given = runs()
        given["fastload"]["matrices"][0]["results"][0]["right"] = False
        given["segsum"]["run"]["peers"] = given["csr5"]["run"]["peers"] = "cusparse: absent"
        for row in given["csr5"]["matrices"]:
            row["results"] = [r for r in row["results"] if not r["contender"].startswith("cusparse")]
        del given["batch-mixed"], given["ellpackr"]
        text, found = self.report(given)
        self.assertEqual(found["FastLoad, Fig. 7"]["CSC"][1], "1 of 1")
        self.assertIn("25 results right, 1 **WRONG** (tulle:csc).", text)
        self.assertIn("- No cuSPARSE: absent.", text)
        self.assertEqual(found["CSR5, Fig. 7 and 8"]["here"][2], "tulle:csr:kernel=adaptive")
        self.assertIn("Not run: there are no results of ellpackr.", text)
        self.assertIn("Not run: none of its matrices is in $TULLE_MATRICES, or there are no results of batch-mixed.", text)

    def test_not_a_gpu(self):
        """Not even times that are in the files are shown: all figures of tables are published or no times."""
        text, found = self.report(runs(gpu=False))
        self.assertIn("**Not a GPU: no times are given.** They would be times of a CPU, not of a GPU.", text)
        self.assertIn("\n- No times: not a GPU.\n", text)
        timeless = ("ELLPACK-R, Table I", "FastLoad, Fig. 11")
        for title, rows in found.items():
            for name, cells in rows.items():
                if name.startswith(("tulle:", "here", "like:", "nos3")) and title not in timeless:
                    self.assertFalse([cell for cell in cells if "." in cell], f"{title}, {name}")
        self.assertEqual(found["FastLoad, Fig. 7"]["CSC"][:2], ["-", "-"])
        self.assertEqual(found["CSR5, Fig. 9"]["rule=nvidia"][:2], ["0", "-"])


if __name__ == "__main__":
    unittest.main()
