#!/usr/bin/env python3
"""Tests of verify.py, its table and its readers: a number that is missed is reported as missed, and nothing is reported that
was not run."""

import json
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from unittest import mock

import analyze
import verify
from verify_checks import CHECKS, Check, Command, Tests
from verify_read import (FAILED, PASSED, SKIPPED, Evidence, Figure, Outcome, command_lines, command_number, count, exit_status,
                         groups, holds, least, least_sum, most, read_junit, total)

JUNIT = """<?xml version="1.0" encoding="UTF-8"?>
<testsuite name="x" tests="6">
<testcase name="good" classname="good" time="1" status="run"><system-out>12 points of failure
</system-out></testcase>
<testcase name="bad" classname="bad" time="1" status="fail"><failure message=""/><system-out>x</system-out></testcase>
<testcase name="left_out" time="1" status="notrun"><skipped message="SKIP_RETURN_CODE=77"/><system-out></system-out></testcase>
<testcase name="gone" time="0" status="notrun"><skipped message="Unable to find executable"/><system-out></system-out></testcase>
<testcase name="off" time="0" status="disabled"><skipped message="Disabled"/><system-out></system-out></testcase>
</testsuite>
"""


def evidence(**texts):
    return Evidence(tests={f"release:{name}": Outcome(PASSED, text) for name, text in texts.items()})


def check(required, rule=">=", **more):
    return Check("C99", "points", "some points", quick=[Tests("release", "^good$")],
                 figures=[Figure("points", total(r"(\d+) points"), rule, required)], **more)


class Numbers(unittest.TestCase):
    def test_rules(self):
        for reached, rule, required, want in [
                (200, ">=", 200, True), (199, ">=", 200, False), (201, ">=", 200, True), (0, "==", 0, True), (1, "==", 0, False),
                (0.9, "<=", 1, True), (1.1, "<=", 1, False), (None, ">=", 0, False), (None, "==", 0, False), (None, "<=", 1, False)]:
            self.assertEqual(holds(reached, rule, required), want, (reached, rule, required))
        with self.assertRaises(ValueError):
            holds(1, ">", 0)

    def test_readers(self):
        found = evidence(a="3 points\n5 points\n", b="4 points\nerror 0.25\n", c="nothing")
        self.assertEqual(total(r"(\d+) points")(found), 12)
        self.assertEqual(total(r"(\d+) points", "^a$")(found), 8)
        self.assertEqual(least(r"(\d+) points")(found), 3)
        self.assertEqual(most(r"error (\d+\.\d+)")(found), 0.25)
        self.assertEqual(least_sum(r"(\d+) points", "^(.)$")(found), 4)
        self.assertEqual(groups("^([ab])$")(found), 2)
        self.assertEqual(count(PASSED)(found), 3)
        self.assertEqual(count(PASSED, "dev:")(found), 0)

    def test_what_is_not_there_is_none(self):
        for read in (total("(x)"), least("(x)"), most("(x)"), least_sum("(x)", "(.)"), command_number("no", r"(\d+)"),
                     command_lines("no", "x"), exit_status("no")):
            self.assertIsNone(read(evidence(a="y")))

    def test_commands(self):
        found = Evidence(commands={"fuzz": (1, "a: Done 7 runs in 3 second(s)\nb: Done 9 runs in 2 second(s)\n")})
        self.assertEqual(command_number("fuzz", r"Done (\d+)")(found), 16)
        self.assertEqual(command_number("fuzz", r"in (\d+) second", min)(found), 2)
        self.assertEqual(command_lines("fuzz", r"^\w+: Done")(found), 2)
        self.assertEqual(exit_status("fuzz")(found), 1)


class Junit(unittest.TestCase):
    def test_outcomes(self):
        outcomes = read_junit(JUNIT)
        self.assertEqual({name: outcome.status for name, outcome in outcomes.items()},
                         {"good": PASSED, "bad": FAILED, "left_out": SKIPPED, "gone": FAILED, "off": SKIPPED})
        self.assertIn("12 points", outcomes["good"].text)


class Judgement(unittest.TestCase):
    def status(self, checked, found, mode="quick"):
        return verify.judge(checked, mode, found)["status"]

    def test_reached_and_missed(self):
        self.assertEqual(self.status(check(200), evidence(good="200 points")), verify.OK)
        self.assertEqual(self.status(check(200), evidence(good="199 points")), verify.MISSED)
        self.assertEqual(self.status(check(200), evidence(good="no figure")), verify.MISSED)

    def test_modes_have_their_own_numbers(self):
        two = check({"quick": 10, "full": 1000}, full=[Tests("release", "^good$")])
        self.assertEqual(self.status(two, evidence(good="20 points")), verify.OK)
        self.assertEqual(self.status(two, evidence(good="20 points"), "full"), verify.MISSED)

    def test_a_smaller_number_is_shown_with_the_required_one(self):
        two = check({"quick": 10, "full": 1000}, full=[Tests("release", "^good$")])
        text = verify.figure_text(verify.judge(two, "quick", evidence(good="20 points"))["figures"][-1])
        self.assertEqual(text, "points 20 (>= 10, in full 1 000)")

    def test_a_failed_test_is_missed(self):
        found = evidence(good="200 points")
        found.tests["release:bad"] = Outcome(FAILED, "100 points")
        record = verify.judge(check(200), "quick", found)
        self.assertEqual(record["status"], verify.MISSED)
        self.assertIn("release:bad", record["reason"])

    def test_no_test_at_all_is_missed(self):
        self.assertEqual(self.status(check(0), Evidence()), verify.MISSED)

    def test_a_gap_is_not_ok(self):
        record = verify.judge(check(200, gap="the other half"), "quick", evidence(good="200 points"))
        self.assertEqual((record["status"], record["reason"]), (verify.PARTLY, "the other half"))

    def test_a_limit_is_the_reason_of_a_miss_alone(self):
        limited = check(200, limit="hours are needed")
        self.assertEqual(verify.judge(limited, "quick", evidence(good="199 points"))["reason"], "hours are needed")
        self.assertEqual(verify.judge(limited, "quick", evidence(good="200 points"))["reason"], "")

    def test_lines(self):
        for points, words in ((200, "ok"), (199, "MISSED")):
            record = {**verify.judge(check(200), "quick", evidence(good=f"{points} points")), "commit": "abc"}
            line = verify.line_of(check(200), record, "abc")
            self.assertIn(words, line)
            self.assertIn(f"points {points} (>= 200)", line)
            self.assertEqual(points == 199, "<- MISSED" in line)
            self.assertIn("at abc", verify.line_of(check(200), record, "def"))
        self.assertIn("not run", verify.line_of(check(200), None))


class State(unittest.TestCase):
    def setUp(self):
        self.folder = Path(self.enterContext(tempfile.TemporaryDirectory()))
        self.ran = []

    def run_main(self, *words, checks=None, records=None):
        def fake(one, mode, _state, _run):
            self.ran.append((mode, one.name))
            status = (records or {}).get(one.name, verify.OK)
            return {"status": status, "figures": [], "reason": "", "commit": "abc", "date": "today", "seconds": 0}
        table = checks or [Check("C1", "one", "x"), Check("C2", "two", "x")]
        with mock.patch.object(verify, "CHECKS", table), mock.patch.object(verify, "verify", fake), \
                mock.patch.object(verify, "stamp", lambda: {"commit": "abc", "date": "today"}), \
                mock.patch.object(sys, "argv", ["verify", *words, "--state", str(self.folder)]), \
                mock.patch("builtins.print"):
            return verify.main()

    def test_resumed(self):
        self.run_main("full", "C1")
        self.run_main("full")
        self.assertEqual(self.ran, [("full", "C1"), ("full", "C2")])
        self.run_main("full", "--again", "C1")
        self.assertEqual(self.ran[2:], [("full", "C1")])
        self.run_main("quick", "C2")
        self.assertEqual(self.ran[3:], [("quick", "C2")])

    def test_runs_at_the_same_time_keep_each_others_records(self):
        def end(_):
            verify.save(self.folder, "full", "C2", {"status": verify.OK})  # by the other run
            return verify.OK
        self.run_main("full", "C1", records=mock.Mock(get=lambda name, _: end(name)))
        self.assertEqual(sorted(verify.load(self.folder / "state.json")["full"]), ["C1", "C2"])

    def test_missed_fails_and_is_run_again_at_another_commit(self):
        self.assertEqual(self.run_main("full", records={"C2": verify.MISSED}), 1)
        self.assertEqual(self.run_main("full", records={"C2": verify.MISSED}), 1)
        self.assertEqual(len(self.ran), 2)
        self.assertFalse(verify.is_finished({"status": verify.MISSED, "commit": "abc"}, "def"))
        self.assertTrue(verify.is_finished({"status": verify.OK, "commit": "abc"}, "def"))
        self.assertFalse(verify.is_finished({"status": verify.NOT_AVAILABLE, "commit": "abc"}, "abc"))
        self.assertEqual(self.run_main("full", "C1"), 0)

    def test_report(self):
        verify.save(self.folder, "full", "C1", {"status": verify.MISSED, "reason": "", "commit": "abc", "date": "today", "figures": [
            {"name": "points", "reached": 199, "rule": ">=", "required": 200, "holds": False}]})
        page = self.folder / "page.md"
        self.run_main("--report", str(page))
        text = page.read_text()
        self.assertIn("| C1 | one | MISSED | points 199 (>= 200) <- MISSED | abc, today |", text)
        self.assertIn("| C2 | two | not run | | |", text)
        self.assertEqual(json.loads((self.folder / "state.json").read_text())["full"]["C1"]["status"], verify.MISSED)

    def test_report_keeps_the_records_of_other_machines(self):
        def record(status, date):
            return {"status": status, "reason": "", "commit": "abc", "date": date, "figures": []}
        page = self.folder / "page.md"
        elsewhere = {"C1": record(verify.OK, "before"), "C2": record(verify.OK, "before")}
        page.with_suffix(".json").write_text(json.dumps({"quick": elsewhere, "full": {"C2": record(verify.MISSED, "before")}}))
        verify.save(self.folder, "quick", "C1", record(verify.NOT_AVAILABLE, "now"))
        verify.save(self.folder, "quick", "C2", record(verify.MISSED, "now"))
        for _ in range(2):
            self.run_main("--report", str(page))
        text = page.read_text()
        self.assertEqual(text.count("before"), 2)
        self.assertIn("| C1 | one | ok |  | abc, before |", text)
        self.assertIn("| C2 | two | MISSED |  | abc, now |", text)
        self.assertIn("| C2 | two | MISSED |  | abc, before |", text)
        verify.save(self.folder, "quick", "C2", record(verify.OK, "a time earlier than before"))
        self.run_main("--report", str(page))
        self.assertIn("| C2 | two | MISSED |  | abc, now |", page.read_text())

    def test_evidence_that_is_not_there(self):
        with mock.patch.object(verify, "TREE", self.folder):
            record = verify.verify(check(200), "quick", self.folder, run=False)
            self.assertEqual(record["status"], verify.NOT_AVAILABLE)
            self.assertIn("build/junit/release.xml", record["reason"])
            (self.folder / "build/junit").mkdir(parents=True)
            (self.folder / "build/junit/release.xml").write_text(JUNIT)
            record = verify.verify(check(12), "quick", self.folder, run=False)
            self.assertEqual(record["status"], verify.OK)
            (self.folder / "build/junit/release.xml").write_text(JUNIT.replace("good", "left_out").replace("run\"", "notrun\"", 1).replace(
                "<system-out>12", "<skipped message=\"SKIP_RETURN_CODE=77\"/><system-out>12"))
            skipped = Check("C96", "points", "x", quick=[Tests("release", "^left_out$")])
            self.assertIn("skipped", verify.verify(skipped, "quick", self.folder, run=False)["reason"])
            tool = Check("C98", "a tool", "x", full=[Command("x", "true", ("no-such-tool",))])
            self.assertIn("no-such-tool", verify.verify(tool, "full", self.folder, run=True)["reason"])
            none = verify.verify(Check("C97", "none", "x", gap="no program"), "full", self.folder, run=True)
            self.assertEqual((none["status"], none["reason"]), (verify.NOT_AVAILABLE, "no program"))


class Table(unittest.TestCase):
    def test_every_check_is_there_once(self):
        names = [one.name for one in CHECKS]
        self.assertEqual(sorted(set(names)), sorted(names))
        self.assertEqual(set(names), {f"C{number}" for number in range(1, 27)} | {"C2b", "C17b", "C22b", "C22c", "planted"})

    def test_each_can_fail(self):
        """With no evidence, no check is ok."""
        for one in CHECKS:
            for mode in ("quick", "full"):
                if one.evidence(mode):
                    self.assertEqual(verify.judge(one, mode, Evidence(tree=verify.TREE))["status"], verify.MISSED, one.name)
                else:
                    self.assertTrue(one.gap or one.evidence("full"), one.name)

    def test_ctest_reads_the_names_as_python_does(self):
        """Its regular expressions have no classes such as \\d."""
        for one in CHECKS:
            for wanted in [*one.quick, *one.full]:
                if isinstance(wanted, Tests):
                    self.assertNotRegex(wanted.include + wanted.exclude, r"\\[a-zA-Z]", one.name)

    def test_stages_and_presets_exist(self):
        stages = (verify.TREE / ".ci/run").read_text()
        presets = (verify.TREE / "CMakePresets.json").read_text()
        for one in CHECKS:
            for wanted in [*one.quick, *one.full]:
                if isinstance(wanted, Tests):
                    self.assertIn(f'"name": "{wanted.preset}"', presets, one.name)
                elif wanted in one.quick:
                    self.assertIn(f"stage {wanted.stage} ", stages, one.name)

    def test_differential_runs_add_up(self):
        """Cases and time are those of all runs. A failure that was mended does not count for ever."""
        text = ("differential: seed 101, 10 CPU-seconds, 50 runs, 0 finds\n"
                "differential: 3 campaigns, 30 CPU-seconds, 150 runs\n"
                "all campaigns since the last find: 1 targets, 30 CPU-seconds, 150 runs; 0 finds before\n"
                "seeds 101 .. 150: 50 random cases, 900 rows, 0 failures, worst error 0.500 of its bound: 60 checks\n"
                "all runs: 50 random cases, 900 rows, 0 failures, 10 CPU-seconds\n")
        found = Evidence(commands={"differential": (0, text)})
        one = next(one for one in CHECKS if one.name == "C2")
        self.assertEqual([figure.read(found) for figure in one.full_figures], [150, 0, 30])

    def test_the_command_lists_all(self):
        done = subprocess.run([sys.executable, str(verify.TREE / "scripts/verify.py"), "--list"], capture_output=True, text=True, check=True)
        self.assertEqual(len(done.stdout.splitlines()), len(CHECKS))


class Analyze(unittest.TestCase):
    def test_findings_and_excuses(self):
        found = [("src/a.c", "leak", "3: x"), ("src/b.c", "leak", "4: y")]
        excused = {("gcc", "src/a.c", "leak"): "because", ("gcc", "src/c.c", "leak"): "mended", ("cppcheck", "src/d.c", "x"): "other"}
        left, idle = analyze.judge("gcc", found, excused)
        self.assertEqual(left, [("src/b.c", "leak", "4: y")])
        self.assertEqual(idle, [("gcc", "src/c.c", "leak")])

    def test_one_command_for_each_file(self):
        tree = analyze.TREE
        entries = [{"file": f"{tree}/src/a.c", "command": "ccache /usr/bin/gcc -O3 -Werror -c a.c -o a.o", "directory": "."},
                   {"file": f"{tree}/src/k.c", "command": "gcc -DTULLE_ISA=avx2 -c k.c", "directory": "."},
                   {"file": f"{tree}/src/k.c", "command": "gcc -DTULLE_ISA=scalar -c k.c", "directory": "."},
                   {"file": f"{tree}/tests/t.c", "command": "gcc -c t.c", "directory": "."}]
        chosen = analyze.wanted(entries)
        self.assertEqual(sorted(chosen), ["src/a.c", "src/k.c"])
        self.assertIn("scalar", chosen["src/k.c"]["command"])
        self.assertEqual(analyze.compiler_words(entries[0]), ["/usr/bin/gcc", "a.c"])


if __name__ == "__main__":
    unittest.main()
