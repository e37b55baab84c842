#!/usr/bin/env python3
"""The report of a run on a device: a made-up GPU, by hand, and not a single time for what is not a GPU.

Usage: test_device_report.py
"""

import json
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

HERE = Path(__file__).parent
TIMES = ("µs", "GFlop/s", "GB/s", "conversion", "fastest", "won")


def launch(kernel, best):
    return {"kernel": kernel, "blocks": 4, "threads": 128, "seconds_best": best}


def result(contender, best=None, **more):
    """One result; without a time as of a device that is not a GPU."""
    return {"contender": contender, "same_bits": True, "seconds_best": best,
            "seconds_median": best and 2 * best, "seconds_convert": best and 300 * best, "bytes": 12000,
            "peak_bytes": 24000, "launches": 1, "launch": [launch("one", best)], "right": True, "bits_changed": False, "error_over_bound": 0.25,
            "note": "", **more}


def matrix(name, results, nnz=1000):
    return {"matrix": name, "rows": 500, "cols": 250, "nnz": nnz, "longest_row": 7, "length_variation": 0.5,
            "results": results}


class DeviceReport(unittest.TestCase):
    def report(self, matrices, gpu=True, program="compare"):
        """What bench/run prints, and {first cell: the other cells} of its tables, later ones first."""
        run = {"command": [f"/x/tulle-{program}", "--device", "cuda:0"], "cpu": "a host", "compiler": "a compiler",
               "revision": "abc123", "tulle": "0.1.0", "type": "f64", "peers": "", "device": "cuda:0",
               "model": "Model", "driver": "driver 7", "memory_gib": 3.0, "units": 4, "width": 32,
               "shuffles": True, "gpu": gpu}
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "run.json")
            path.write_text(json.dumps({"run": run, "matrices": matrices}))
            text = subprocess.run([sys.executable, HERE / "run", program, "--from", path], check=True,
                                  capture_output=True, text=True).stdout
        cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in text.splitlines()
                 if line.startswith("|")]
        return text, {(line[0], len(line)): line[1:] for line in cells}

    def test_gpu(self):
        """a: right; b: right, slower, bits change; c: the fastest, but wrong; d: refused; x: a peer."""
        first = [result("tulle:a", 1e-5, note="8 lanes"), result("tulle:b", 4e-5, same_bits=False, bits_changed=True),
                 result("tulle:c", 1e-6, right=False, error_over_bound=9.0),
                 {"contender": "tulle:d", "same_bits": True, "refused": "too wide"},
                 result("peer:x", 2.5e-5, peak_bytes=0, launches=0)]
        second = [result("tulle:a", 2e-4, launches=2, launch=[launch("sums", 1.5e-4), launch("carries", 2e-5)]), result("tulle:b", 1e-3), result("peer:x", 1e-4)]
        text, rows = self.report([matrix("m", first), matrix("n", second, nnz=4000)])
        for line in ("## cuda:0: Model\n", "- driver: driver 7\n", "- command: `tulle-compare --device cuda:0`\n",
                     "- tulle 0.1.0, abc123; host a host, a compiler\n",
                     "longest row 7, standard deviation of row lengths 0.50 of their mean\n"):
            self.assertIn(line, text)
        self.assertNotIn("ot a GPU", text)
        # 2 * 1000 / 1e-5 and (12 * 1000 + 4 * 501 + 8 * 750) / 1e-5
        by_name = dict(zip("abcdx", (line.split("|")[2:-1] for line in text.split("### n")[0].splitlines()
                                     if line.startswith(("| tulle", "| peer")))))
        by_name = {name: [cell.strip() for cell in line] for name, line in by_name.items()}
        self.assertEqual(by_name["a"], ["same", "10.00", "20.00", "0.20", "2.0", "3.00", "12.0", "24.0", "1",
                                        "right, 0.250 of the bound; 8 lanes"])
        self.assertEqual(by_name["b"][-1], "right, 0.250 of the bound, bits changed")
        self.assertEqual(by_name["c"], ["same", *[""] * 5, "12.0", "24.0", "1", "**WRONG**, 9.000 of the bound"])
        self.assertEqual(by_name["d"], ["same", *[""] * 8, "refused: too wide"])
        self.assertEqual(by_name["x"][6:9], ["12.0", "", ""])
        # a has 0.2 and 0.04 GFlop/s: sqrt(.2 * .04), 2 / (1/.2 + 1/.04), (.2 * 1000 + .04 * 4000) / 5000
        self.assertEqual(rows[("tulle:a", 6)], ["2", "0.09", "0.07", "0.07", "1"])
        self.assertEqual(rows[("peer:x", 6)][-1], "1")
        self.assertNotIn(("tulle:c", 6), rows)
        self.assertEqual(rows[("m", 4)], ["tulle:a", "peer:x", "2.50"])
        self.assertEqual(rows[("n", 4)], ["tulle:a", "peer:x", "0.50"])
        self.assertIn("\n- tulle:a: 200.00 µs; sums 150.00, carries 20.00\n", text)
        self.assertEqual(text.count("\n- tulle:"), 1)
        self.assertIn("tulle over the fastest peer: geometric mean 1.12, ahead on 1 of 2\n", text)

    def test_batch(self):
        """4 problems of 250 nonzeros and 125 rows each; loops are no contenders of ours."""
        rows = [result("tulle:coo:form=block", 1e-5), result("loop:tulle:csr", 4e-5), result("loop:peer:x", 5e-5)]
        text, cells = self.report([{**matrix("each:m", rows), "problems": 4, "one_pattern": False}], program="batch")
        self.assertIn("- command: `tulle-batch --device cuda:0`\n- y += A x of every problem in f64", text)
        self.assertIn("\n4 problems, 500 rows, 250 columns, 1000 nonzeros, ", text)
        # (4 * (1000 + 500 + 4) + 8 * (1000 + 500 + 250)) / 1e-5
        self.assertEqual(cells[("tulle:coo:form=block", 11)][4], "2.0")
        self.assertEqual(cells[("each:m", 4)], ["tulle:coo:form=block", "loop:tulle:csr", "4.00"])
        self.assertIn("### 1 batch: GFlop/s\n", text)
        self.assertIn("tulle over the fastest loop: geometric mean 4.00, ahead on 1 of 1\n", text)
        shared = {**matrix("pattern:m", rows), "problems": 4, "one_pattern": True}
        _, cells = self.report([shared], program="batch")
        # (1000 + 500 + 4 + 8 * (1000 + 500 + 250)) / 1e-5
        self.assertEqual(cells[("tulle:coo:form=block", 11)][4], "1.6")

    def test_not_a_gpu(self):
        """Not even times that are in the file are shown."""
        failed = result("tulle:b", error_over_bound=None, right=False)
        parts = [launch("sums", 1e-5), launch("carries", 2e-5)]
        text, rows = self.report([matrix("m", [result("tulle:a", 1e-5, launch=parts), failed])], gpu=False)
        self.assertIn("\n- tulle:a: sums, carries\n", text)
        self.assertIn("**Not a GPU: no times are given**", text)
        self.assertFalse([word for word in TIMES if word in text])
        self.assertEqual(rows[("tulle:a", 6)], ["same", "12.0", "24.0", "1", "right, 0.250 of the bound"])
        self.assertEqual(rows[("tulle:b", 6)][-1], "**WRONG**, failed")

    # ---- calibrate --device ----

    def calibrate(self, matrices, gpu=True):
        run = {"device": "cuda:0", "model": "Model", "gpu": gpu}
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "run.json")
            path.write_text(json.dumps({"run": run, "matrices": matrices}))
            return subprocess.run([sys.executable, HERE / "calibrate", "--device", "cuda:0", path], check=True,
                                  capture_output=True, text=True).stdout

    @staticmethod
    def sweep(best, rules):
        """Every sigma takes 2e-5 s, but for the best one, 1e-5; the rules as given."""
        return [*(result(f"tulle:csr5:rule={rule}", seconds) for rule, seconds in rules.items()),
                *(result(f"tulle:csr5:sigma={s}", 1e-5 if s == best else 2e-5) for s in range(4, 49, 4))]

    def test_sigma(self):
        """2 nonzeros per row want sigma 8, 40 want 20."""
        few = matrix("few", self.sweep(8, {"nvidia": 2e-5, "amd": 1e-5}), nnz=1000)
        many = matrix("many", self.sweep(20, {"nvidia": 2e-5, "amd": 2e-5}), nnz=20000)
        text = self.calibrate([few, many])
        self.assertIn("| few    | 2.0     | 8          | 0.20    | 50.0 %              | 0.0 %", text)
        self.assertIn("rule=nvidia <4, 32, 256, 4>: 50.0 %.\n", text)
        self.assertIn("rule=amd <4, 7, 256, 4>: 29.3 %.\n", text)  # 1 - sqrt(1 / 2)
        self.assertIn("Suggested <r, s, t, u>: <8, 20, 64, 4>, which would lose 0.0 %", text)

    def test_sigma_not_a_gpu(self):
        """Nothing but whether the results are right, and what is wrong never counts."""
        wrong = self.sweep(8, {"nvidia": 2e-5, "amd": 1e-5})
        wrong[3]["right"] = False
        text = self.calibrate([matrix("m", wrong)], gpu=False)
        self.assertEqual(text, "cuda:0: Model; 13 of 14 results right\nNot a GPU: nothing to calibrate, since times "
                               "would be those of a CPU, not of a GPU.\n")
        self.assertIn("No matrix on which every sigma was timed.", self.calibrate([matrix("m", wrong)]))


if __name__ == "__main__":
    unittest.main()
