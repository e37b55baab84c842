#!/usr/bin/env python3
"""The simulated schedule of docs/planner.md: cases that can be computed by hand, and the tables of the page.

Usage: test_schedule_model.py
"""

import json
import random
import unittest

import schedule_model as model
from page_tables import page_with_tables


class Schedule(unittest.TestCase):
    def test_each_part_once_and_no_thread_twice_at_a_time(self):
        for threads in (3, 64, 200):
            seconds, taken = model.schedule(500, 1e6, threads, 1, model.by_number, None, random.Random(1))
            rate = min(model.THREAD_BANDWIDTH, model.NODE_BANDWIDTH / threads)
            most = max(taken.count(t) for t in range(threads))
            self.assertEqual(len(taken), 500)
            self.assertGreaterEqual(seconds, most * 1e6 / rate * (1 - model.JITTER))

    def test_own_lane_is_local(self):
        self.assertGreater(model.simulate(model.large(1024), 64, 8)[1], .99)

    def test_shared_lanes_are_not(self):
        """Two threads of different nodes share a lane: a part is on the own node about half of the time."""
        self.assertLess(model.simulate(model.large(1024), 128, 2)[1], .75)
        self.assertGreater(model.simulate(model.large(1024), 128, 2, model.by_neighbours)[1], .99)

    def test_few_parts_limit(self):
        """8 parts on 8 nodes: 8 threads read, 12 of 50 GB/s each."""
        self.assertAlmostEqual(model.simulate(model.large(8), 256, 8)[0], 12 / 50, delta=.02)

    def test_tables(self):
        page = model.PAGE.read_text()
        self.assertEqual(page_with_tables(page, json.loads(model.PLANS.read_text()), model.TABLES), page,
                         "run bench/schedule_model.py write")


if __name__ == "__main__":
    unittest.main()
