#!/usr/bin/env python3
"""The model of docs/scale.md: its formulas on made-up measurements, by hand, and the tables of the page.

Usage: test_scale_model.py
"""

import math
import unittest

import scale_model as scale
from page_tables import page_with_tables


def points(pages, ghosts):
    """A graph of 10 links per page whose parts have ghosts(parts, links of a part) per page."""
    return [{"parts": p, "links": 10 * pages / p, "pages": pages / p, "ghosts": ghosts(p, 10 * pages / p) * pages / p,
             "most_ghosts": 2 * ghosts(p, 10 * pages / p) * pages / p} for p in (2, 4, 16, 64)]


def by_parts(parts, _):
    return 0.1 * parts ** 0.5


# 2 ns per link at 3 GB/s: 6 bytes per link paid.
MEASURED = {"machine": {"read_bandwidth": 3e9},
            "beyond_cache": {"8 copies of web": {"csr": {"bytes": 5, "ns": 4}, "sell": {"bytes": 4, "ns": 2}},
                             "R-MAT, scale 9": {"csr": {"bytes": 4, "ns": 8}}},
            "web": {"web": {"ghosts": points(1e6, by_parts)}},
            "rmat": {"8": {"ghosts": points(2e3, lambda p, _: 0.2 * p ** 0.5)},
                     "9": {"ghosts": points(8e3, lambda p, _: 0.1 * p ** 0.5)}}}


class Formulas(unittest.TestCase):
    def test_laws(self):
        law = scale.Law(points(1e6, lambda _, links: 3 * links ** -0.4), scale.surface)
        self.assertAlmostEqual(law.coefficients[0], math.log(3))
        self.assertAlmostEqual(law.coefficients[1], -0.4)
        self.assertAlmostEqual(law.worst, 1)
        law = scale.laws_of(MEASURED)["R-MAT"]
        for got, want in zip(law.coefficients[1:], (0.5, 0, -0.5)):  # four times the pages, half the ghosts per page
            self.assertAlmostEqual(got, want)
        bent = points(1e6, by_parts)
        bent[1]["ghosts"] *= 2
        self.assertGreater(scale.Law(bent, scale.self_similar).worst, 1.1)

    def test_iteration(self):
        model = scale.Model(MEASURED, pages=1e8, links=1e10)
        self.assertAlmostEqual(model.link_bytes, 6)
        part, ghosts = 1e8, 1e6  # 0.1 * 10 per page
        self.assertAlmostEqual(model.ghosts(100) / ghosts, 1)
        self.assertAlmostEqual(model.compute(100), (part * 6 + 1e6 * 32) / 200e9)
        self.assertAlmostEqual(model.pack(100), ghosts * 72 / 200e9)
        self.assertAlmostEqual(model.exchange(100), ghosts * 8 / 12.5e9 + (99 + 2 * math.log2(100)) * 2e-6)
        self.assertAlmostEqual(model.total(1), model.compute(1))
        self.assertAlmostEqual(model.memory(100) / (part * 4 + 1e6 * 32 + ghosts * 24), 1)
        self.assertAlmostEqual(model.memory(100, 2) - model.memory(100), part * 4 + 1e6 * 8)

    def test_bounds(self):
        """Ghosts are neither more than the pages elsewhere nor more than the links of a part."""
        self.assertEqual(scale.Model(MEASURED, pages=100, links=1e10, ghosts=1000).ghosts(2), 50)
        self.assertEqual(scale.Model(MEASURED, pages=1e6, links=20, ghosts=1000).ghosts(10), 2)

    def test_no_locality(self):
        self.assertAlmostEqual(scale.Model(MEASURED, law="R-MAT").link_bytes, 24)

    def test_page(self):
        self.assertEqual(page_with_tables(scale.PAGE.read_text(), scale.json.loads(scale.MEASURED.read_text()), scale.TABLES),
                         scale.PAGE.read_text(), "run bench/scale_model.py write")


if __name__ == "__main__":
    unittest.main()
