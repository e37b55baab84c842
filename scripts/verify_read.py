"""Evidence of a check, and how figures are read from it.

Evidence is what programs printed: the tests of a run of ctest, or the output of a command. A figure is one number read from
it, and the number that is required.
"""

import re
from dataclasses import dataclass, field
from pathlib import Path
from xml.etree import ElementTree

PASSED, FAILED, SKIPPED = "passed", "failed", "skipped"


@dataclass
class Outcome:
    """One test of ctest."""
    status: str
    text: str = ""


@dataclass
class Evidence:
    """What was run for a check: tests by "source:name", commands by name with exit status and output."""
    tests: dict = field(default_factory=dict)
    commands: dict = field(default_factory=dict)
    tree: Path = Path(".")

    def texts(self, pattern=""):
        """(name without its source, output) of the tests whose name matches."""
        for key, outcome in self.tests.items():
            name = key.partition(":")[2]
            if re.search(pattern, name):
                yield name, outcome.text


@dataclass
class Figure:
    """A number and what is required of it. `required` is a number, or one for each mode."""
    name: str
    read: object  # a function of the evidence; None if the figure is not there
    rule: str     # ">=", "<=" or "=="
    required: object

    def required_in(self, mode):
        return self.required[mode] if isinstance(self.required, dict) else self.required


def holds(reached, rule, required):
    """Is the number reached? A figure that could not be read is not."""
    if reached is None:
        return False
    if rule == ">=":
        return reached >= required
    if rule == "<=":
        return reached <= required
    if rule == "==":
        return reached == required
    raise ValueError(f"unknown rule {rule}")


# ---- ctest ---------------------------------------------------------------------------------------

def read_junit(text):
    """Outcomes by name, from what `ctest --output-junit` wrote. Only a test that exits with 0 passed: ctest's own log calls a
    program that was never built passed."""
    outcomes = {}
    for case in ElementTree.fromstring(text).iter("testcase"):
        status = {"run": PASSED, "notrun": SKIPPED, "disabled": SKIPPED}.get(case.get("status"), FAILED)
        reason = case.find("skipped")
        if case.get("status") == "notrun" and (reason is None or "SKIP_" not in reason.get("message", "")):
            status = FAILED  # no such program
        outcomes[case.get("name")] = Outcome(status, case.findtext("system-out") or "")
    return outcomes


# ---- readers of figures: each returns a function of the evidence ---------------------------------

def count(status, source=""):
    """How many tests ended like this."""
    return lambda evidence: sum(outcome.status == status and key.startswith(source)
                                for key, outcome in evidence.tests.items())


def numbers(pattern, tests=""):
    """All numbers that a pattern with one group finds in the outputs of tests."""
    def read(evidence):
        return [float(found) if "." in found else int(found)
                for _, text in evidence.texts(tests) for found in re.findall(pattern, text, re.M)]
    return read


def total(pattern, tests=""):
    return lambda evidence: sum(found) if (found := numbers(pattern, tests)(evidence)) else None


def least(pattern, tests=""):
    return lambda evidence: min(numbers(pattern, tests)(evidence), default=None)


def most(pattern, tests=""):
    return lambda evidence: max(numbers(pattern, tests)(evidence), default=None)


def least_sum(pattern, group, tests=""):
    """Sums of the numbers of the tests whose names agree in the group; the least of these sums."""
    def read(evidence):
        sums = {}
        for name, text in evidence.texts(tests):
            key = re.search(group, name)
            found = [int(number) for number in re.findall(pattern, text, re.M)]
            if key and found:
                sums[key.groups()] = sums.get(key.groups(), 0) + sum(found)
        return min(sums.values(), default=None)
    return read


def groups(group, tests=""):
    """How many different values a group of the names has, among tests that passed."""
    def read(evidence):
        found = {match.groups() for key, outcome in evidence.tests.items() if outcome.status == PASSED
                 and (match := re.search(group, key.partition(":")[2])) and re.search(tests, key.partition(":")[2])}
        return len(found)
    return read


def command_number(name, pattern, combine=sum):
    """Numbers in the output of a command; None if the command did not end well or printed none."""
    def read(evidence):
        code, text = evidence.commands.get(name, (None, ""))
        found = [float(number) if "." in number else int(number) for number in re.findall(pattern, text, re.M)]
        return combine(found) if found and code is not None else None
    return read


def command_lines(name, pattern):
    """How many lines of the output match; None if the command was not run."""
    def read(evidence):
        code, text = evidence.commands.get(name, (None, ""))
        return None if code is None else len(re.findall(pattern, text, re.M))
    return read


def exit_status(name):
    return lambda evidence: evidence.commands.get(name, (None, ""))[0]
