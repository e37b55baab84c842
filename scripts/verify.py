#!/usr/bin/env python3
"""Run the checks C1 to C26 of reliability, and compare what they reach with what is required.

Usage: verify.py quick|full [CHECK...] [--again] [--no-run] [--list] [--report FILE] [--state FOLDER]

verify_checks.py is the table of checks. quick uses the tests that CI runs; full uses the long forms, and takes hours. One line
per check: ok, partly (the figures hold; a part of what is required has no test), MISSED, not available (with the reason) or
not run. Results are kept in FOLDER/state.json (default: build/verify). A check that has ended is not run again unless
--again is given, or it was missed at another commit, so an interrupted run continues where it stopped. Several runs at the
same time share the folder: `full C20`, which takes an hour, and another one for the rest.

--no-run    only read what the last run of ./dev test and .ci/run left in build/junit and build/ci; nothing is built or run
--report    write a page and run nothing. Records of other machines are kept beside it, in a .json file of the same name:
            a check that was not run here keeps the record that it has there
Exit status 1 if a check was missed.
"""

import argparse
import datetime
import fcntl
import json
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

from verify_checks import CHECKS, Command, Tests
from verify_read import FAILED, SKIPPED, Evidence, holds, read_junit

TREE = Path(__file__).resolve().parent.parent
OK, PARTLY, MISSED, NOT_AVAILABLE, NOT_RUN = "ok", "partly", "MISSED", "not available", "not run"
LONGEST = 6 * 3600  # seconds for one command


class Missing(Exception):
    """Evidence that cannot be had, and why."""


# ---- evidence ------------------------------------------------------------------------------------

def execute(command, log):
    """Run a command, keep its output in a file; its exit status and output."""
    log.parent.mkdir(parents=True, exist_ok=True)
    with open(log, "w", encoding="utf-8") as out:
        try:
            done = subprocess.run(command, cwd=TREE, stdin=subprocess.DEVNULL, stdout=out, stderr=subprocess.STDOUT,
                                  timeout=LONGEST, check=False)
            code = done.returncode
        except subprocess.TimeoutExpired:
            code = 124
    return code, log.read_text(encoding="utf-8", errors="replace")


def gather_tests(wanted, name, state, run):
    """Outcomes of the wanted tests, from a run of ctest or from what the last one left."""
    if not run:
        junit = TREE / "build/junit" / f"{wanted.preset}.xml"
        if not junit.exists():
            raise Missing(f"no {junit.relative_to(TREE)}")
    else:
        junit = state / "junit" / f"{name}-{wanted.preset}.xml"
        junit.parent.mkdir(parents=True, exist_ok=True)
        junit.unlink(missing_ok=True)
        code, _ = execute(["./dev", "build", wanted.preset], state / "logs" / f"{name}-{wanted.preset}-build.log")
        if code:
            raise Missing(f"./dev build {wanted.preset} failed: build/verify/logs/{name}-{wanted.preset}-build.log")
        execute(["ctest", "--preset", wanted.preset, "--parallel", str(os.cpu_count()), "-R", wanted.include,
                 *(["-E", wanted.exclude] if wanted.exclude else []), *(["-L", wanted.label] if wanted.label else []), "--output-junit", str(junit),
                 "--test-output-size-passed", "1048576"],
                state / "logs" / f"{name}-{wanted.preset}.log")
        if not junit.exists():
            raise Missing(f"ctest found no test: build/verify/logs/{name}-{wanted.preset}.log")
    return {f"{wanted.preset}:{test}": outcome for test, outcome in read_junit(junit.read_text()).items()
            if wanted.matches(test)}


def gather_command(wanted, name, state, run):
    """Exit status and output of a command, or of the stage of CI that runs it."""
    if not run:
        log = TREE / "build/ci" / f"{wanted.stage}.log"
        if not wanted.stage or not log.exists():
            raise Missing(f"no build/ci/{wanted.stage or wanted.name}.log")
        return 0, log.read_text(errors="replace")  # a stage that fails ends CI
    return execute(["bash", "-c", wanted.command], state / "logs" / f"{name}-{wanted.name}.log")


def gather(check, mode, state, run):
    evidence = Evidence(tree=TREE)
    tools = [tool for wanted in check.evidence(mode) if isinstance(wanted, Command) for tool in wanted.tools]
    missing = [tool for tool in tools if run and not shutil.which(tool)]
    if missing:  # before anything is run for hours
        raise Missing(f"{', '.join(missing)} not installed")
    for wanted in check.evidence(mode):
        if isinstance(wanted, Tests):
            evidence.tests.update(gather_tests(wanted, check.name, state, run))
        elif isinstance(wanted, Command):
            evidence.commands[wanted.name] = gather_command(wanted, check.name, state, run)
    if evidence.tests and not evidence.commands and all(outcome.status == SKIPPED for outcome in evidence.tests.values()):
        raise Missing("all tests were skipped on this machine")
    return evidence


# ---- judgement -----------------------------------------------------------------------------------

def figures_of(check, mode, evidence):
    """Each figure with what it reached."""
    figures = []
    for figure in check.figures_in(mode):
        reached, required = figure.read(evidence), figure.required_in(mode)
        figures.append({"name": figure.name, "reached": reached, "rule": figure.rule, "required": required,
                        "full": figure.required_in("full"), "holds": holds(reached, figure.rule, required)})
    return figures


def judge(check, mode, evidence):
    """The record of a check that has been run."""
    figures = figures_of(check, mode, evidence)
    failed = sorted(key for key, outcome in evidence.tests.items() if outcome.status == FAILED)
    good = bool(figures) and all(figure["holds"] for figure in figures)
    status = MISSED if not good else PARTLY if check.gap else OK
    reason = "failed: " + ", ".join(failed[:3]) if failed else {PARTLY: check.gap, MISSED: check.limit}.get(status, "")
    return {"status": status, "figures": figures, "reason": reason}


def git(*arguments):
    done = subprocess.run(["git", *arguments], cwd=TREE, capture_output=True, text=True, check=False)
    return done.stdout.strip() if done.returncode == 0 else ""


def stamp():
    """Commit and date of a run. Changes that are not committed are stated."""
    changed = "+" if git("status", "--porcelain", "--untracked-files=no") else ""
    return {"commit": (git("rev-parse", "--short", "HEAD") or "unknown") + changed,
            "date": datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%d %H:%M UTC")}


def verify(check, mode, state, run):
    """The record of a check, run now."""
    begin = time.monotonic()
    if not check.evidence(mode):
        record = {"status": NOT_AVAILABLE, "figures": [], "reason": check.gap or f"nothing in {mode}"}
    else:
        try:
            record = judge(check, mode, gather(check, mode, state, run))
        except Missing as missing:
            record = {"status": NOT_AVAILABLE, "figures": [], "reason": str(missing)}
    return {**record, **stamp(), "seconds": round(time.monotonic() - begin)}


# ---- state ---------------------------------------------------------------------------------------

def load(file):
    """{mode: {check: record}}"""
    return json.loads(file.read_text()) if file.exists() else {}


def save(folder, mode, name, record):
    """Add a record to the state, which other runs may have changed. A run that is interrupted here leaves the old state."""
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        state = load(folder / "state.json")
        state.setdefault(mode, {})[name] = record
        part = folder / "state.json.part"
        part.write_text(json.dumps(state, indent=1, sort_keys=True))
        part.replace(folder / "state.json")


def merged(kept, state):
    """The records of `kept`, replaced by newer ones of `state`, except that a run without evidence replaces none."""
    for mode, records in state.items():
        dates = {name: record.get("date", "") for name, record in kept.get(mode, {}).items()}
        found = {name: record for name, record in records.items()
                 if record["status"] != NOT_AVAILABLE and record.get("date", "") >= dates.get(name, "")}
        kept[mode] = {**records, **kept.get(mode, {}), **found}
    return kept


def report(page, state):
    """Write the page and the records that it shows."""
    records = page.with_suffix(".json")
    shown = merged(load(records), state)
    records.write_text(json.dumps(shown, indent=1, sort_keys=True) + "\n", encoding="utf-8")
    page.write_text(page_of(shown), encoding="utf-8")


def is_finished(record, commit):
    """What was missed may have been mended at another commit; what could not be had is tried again."""
    if not record or record["status"] == NOT_AVAILABLE:
        return False
    return record["status"] != MISSED or record["commit"] == commit


# ---- output --------------------------------------------------------------------------------------

def number(value):
    if value is None:
        return "none"
    if isinstance(value, float):
        return f"{value:.3g}" if value < 10 else f"{value:.1f}"
    return f"{value:,}".replace(",", " ")


def figure_text(figure):
    """A number that only the short forms of tests need to reach is shown with the one that is required in full."""
    least = number(figure["required"])
    if figure.get("full", figure["required"]) != figure["required"]:
        least += f", in full {number(figure['full'])}"
    text = f"{figure['name']} {number(figure['reached'])} ({figure['rule']} {least})"
    return text if figure["holds"] else text + " <- MISSED"


def line_of(check, record, commit=None):
    if not record:
        return f"{check.name:4} {NOT_RUN:13} {check.what}"
    texts = [figure_text(figure) for figure in record["figures"]]
    if record["reason"]:
        texts.append(("not covered: " if record["status"] == PARTLY else "") + record["reason"])
    if commit and record["commit"] != commit:
        texts.append(f"at {record['commit']}")
    return f"{check.name:4} {record['status']:13} {check.what}: {'; '.join(texts)}"


def page_of(state):
    """docs/verification.md: every check of the table, with the newest record of each mode."""
    lines = ["# Verification", "",
             "What `./dev verify` has shown, and at which commit. `./dev verify --report docs/verification.md` writes this page from",
             "the records of the runs, which [verification.json](verification.json) keeps; `scripts/verify_checks.py` is the table of checks, with the commands. *partly*: the figures",
             "hold, but a part of what is required has no test. *not available*: there is no test, or a tool was missing.", "",
             "The short forms of the tests run less, so some numbers of the second table are smaller than what is required; such a",
             "number is set to what the short forms reach, and only shows that they have not become shorter. The number after",
             "\"in full\" is the requirement.", "",
             "C5 reads [hostile files](../tests/hostile/README.md); that page compares three of them with SciPy and librsb.", ""]
    for mode, title in (("full", "Long forms"), ("quick", "Tests of every commit")):
        lines += [f"## {title}: `./dev verify {mode}`", "", "| check | what | result | reached (required) | commit, date |",
                  "|---|---|---|---|---|"]
        for check in CHECKS:
            record = state.get(mode, {}).get(check.name)
            if not record:
                lines.append(f"| {check.name} | {check.what} | {NOT_RUN} | | |")
                continue
            reached = [figure_text(figure) for figure in record["figures"]]
            if record["reason"]:
                reached.append(("not covered: " if record["status"] == PARTLY else "") + record["reason"])
            cells = [check.name, check.what, record["status"], "; ".join(reached), f"{record['commit']}, {record['date']}"]
            lines.append("| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |")
        lines.append("")
    return "\n".join(lines)


def summary(records):
    counts = {}
    for record in records:
        counts[record["status"]] = counts.get(record["status"], 0) + 1
    return ", ".join(f"{count} {status}" for status, count in counts.items())


def arguments():
    parser = argparse.ArgumentParser()
    parser.add_argument("words", nargs="*", metavar="quick|full|CHECK")
    parser.add_argument("--again", action="store_true")
    parser.add_argument("--no-run", action="store_true")
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--report", type=Path, metavar="FILE")
    parser.add_argument("--state", type=Path, default=TREE / "build/verify")
    options = parser.parse_intermixed_args()
    modes = [word for word in options.words if word in ("quick", "full")]
    options.mode = modes[0] if modes else "quick"
    options.names = [word for word in options.words if word not in ("quick", "full")]
    unknown = set(options.names) - {check.name for check in CHECKS}
    if unknown or len(modes) > 1:
        parser.error(f"unknown check {', '.join(sorted(unknown))}" if unknown else "quick or full, not both")
    return options


def main():
    options = arguments()
    if options.list:
        for check in CHECKS:
            print(f"{check.name:4} {check.what}: {check.required}")
        return 0
    state = load(options.state / "state.json")
    if options.report:
        report(options.report, state)
        return 0
    chosen = [check for check in CHECKS if not options.names or check.name in options.names]
    commit, records = stamp()["commit"], []
    for check in chosen:
        kept = state.setdefault(options.mode, {})
        if options.again or options.no_run or not is_finished(kept.get(check.name), commit):
            if not options.no_run:
                print(f"{check.name:4} running: {check.what}", file=sys.stderr, flush=True)
            kept[check.name] = verify(check, options.mode, options.state, not options.no_run)
            save(options.state, options.mode, check.name, kept[check.name])
        records.append(kept[check.name])
        print(line_of(check, records[-1], commit), flush=True)
    print(summary(records))
    return 1 if any(record["status"] == MISSED for record in records) else 0


if __name__ == "__main__":
    sys.exit(main())
