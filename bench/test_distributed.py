#!/usr/bin/env python3
"""The parser of -log_view in distributed.py, what is computed from it, and the tables of the page.

Usage: test_distributed.py
"""

import json
import unittest

import distributed
from page_tables import page_with_tables

HEAD = "Stage Name,Event Name,Rank,Count,Time,Num Messages,Message Length,Num Reductions,FLOP,dof0,e0,2\n"
# Two ranks, 10 products. Rank 0 sends 3 values and receives 5 in each, rank 1 the reverse.
LOG = HEAD + """Main Stage,summary,0,1,8.5,16.,2.5e+07,43.,0.
Main Stage,MatMult,0,1,100.,4.,999.,0.,0.
iterations,summary,0,1,10.,20.,640.,11.,2e+07
iterations,MatMult,0,10,7.,20.,640.,0.,2e+07
iterations,VecScatterBegin,0,10,1.,20.,640.,0.,0.
iterations,VecScatterEnd  ,0,10,2.,0.,0.,0.,0.
iterations,PageRankNodes,0,10,2.,0.,0.,0.,0.
iterations,PageRankSum,0,10,1.,0.,0.,10.,0.
Main Stage,summary,1,1,8.5,16.,2.5e+07,43.,0.
Main Stage,MatMult,1,1,100.,4.,999.,0.,0.
iterations,summary,1,1,10.,20.,640.,11.,2e+07
iterations,MatMult,1,10,8.,20.,640.,0.,2e+07
iterations,VecScatterBegin,1,10,2.,20.,640.,0.,0.
iterations,VecScatterEnd  ,1,10,0.,0.,0.,0.,0.
iterations,PageRankNodes,1,10,1.,0.,0.,0.,0.
iterations,PageRankSum,1,10,1.,0.,0.,10.,0.
"""


class Log(unittest.TestCase):
    def setUp(self):
        self.events = distributed.read_log(LOG)["iterations"]

    def test_split(self):
        split = distributed.split_of(self.events, 10, **distributed.PAGERANK)
        self.assertEqual({name: round(seconds, 12) for name, seconds in split.items()},
                         {"product": 0.5, "begin": 0.15, "wait": 0.1, "vectors": 0.15, "sums": 0.1, "all": 1.0})

    def test_traffic(self):
        """A message is counted by its sender and by its receiver: 2 messages and 8 values, not 4 and 16."""
        self.assertEqual(distributed.traffic_of(self.events), {"messages": 2, "bytes": 64, "most": 64})

    def test_one_rank(self):
        alone = {name: ranks[:1] for name, ranks in self.events.items() if not name.startswith("VecScatter")}
        self.assertEqual(distributed.traffic_of(alone), {"messages": 0, "bytes": 0, "most": 0})
        self.assertEqual(distributed.split_of(alone, 10, **distributed.PAGERANK)["product"], 0.7)

    def test_columns_are_found_by_name(self):
        swapped = LOG.replace("Num Messages,Message Length", "Message Length,Num Messages")
        self.assertEqual(distributed.traffic_of(distributed.read_log(swapped)["iterations"])["messages"], 64)

    def test_faults(self):
        """Logs that must not be believed: a line cut short, a rank left out, another kind of file."""
        lines = LOG.splitlines(keepends=True)
        for bad in (LOG + "iterations,MatMult,2,10\n", "".join(lines[:3] + lines[11:]), LOG.replace("Num Messages", "Mess")):
            with self.assertRaises(ValueError):
                distributed.read_log(bad)


class Page(unittest.TestCase):
    def test_page_has_the_tables(self):
        measured = json.loads(distributed.MEASURED.read_text())
        self.assertEqual(page_with_tables(distributed.PAGE.read_text(), measured, distributed.TABLES),
                         distributed.PAGE.read_text(), "run bench/distributed.py write")

    def test_tables(self):
        row = {"matrix": "web", "program": "tulle-pagerank", "ranks": 2, "order": "natural", "all": 3e-3, "product": 2e-3, "begin": 1e-5,
               "wait": 2e-5, "vectors": 5e-4, "sums": 1e-4}
        text = distributed.distributed_times({"times": [row], "machine": "one"})
        self.assertIn("| web | tulle-pagerank | 2 | natural | 3,000 | 2,000 | 10 | 20 | 500 | 100 |", text)
        count = {"matrix": "web", "ranks": 4, "order": "natural", "messages": 12, "bytes": 800, "most": 300, "matrix_bytes": 40000}
        self.assertIn("| web | 4 | natural | 12 | 100 | 800 | 400 | 200 | 300 | 2.00% |", distributed.distributed_counts({"counts": [count]}))


if __name__ == "__main__":
    unittest.main()
