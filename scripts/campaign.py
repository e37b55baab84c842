#!/usr/bin/env python3
"""Run the fuzz targets and the differential fuzzer in turn, and record each run in fuzz/campaigns.tsv.

Usage: campaign.py [--seconds N] [--slice N] [--target NAME]... [--fuzz BUILD] [--tests BUILD] [--record FILE] [--total]

The record is part of the repository, so that the time of all campaigns adds up over machines and build folders. One line per run:
date, commit, target, seed, CPU-seconds, runs, finds. The target with the least time is next. Seeds are new: of libFuzzer's the one
after the largest of its target, of the differential fuzzer (`differential`) the one after its last case.
A target runs N seconds at a time (--slice, default 120) until --seconds have passed (default: one run of each target).
BUILD are builds of the presets fuzz and release (default: build/fuzz, build/release). Inputs that libFuzzer keeps, and those that
fail, go to build/corpus. A find ends the campaign: exit status 1.

--total   run nothing; print the sums of the record: of each target after its last find, of all after the last find of any.
"""

import argparse
import datetime
import os
import re
import subprocess
import sys
import tempfile
import time
from dataclasses import astuple, dataclass, fields
from pathlib import Path

TREE = Path(__file__).resolve().parent.parent
RECORD = TREE / "fuzz/campaigns.tsv"
DIFFERENTIAL = "differential"


@dataclass
class Run:
    """One line of the record."""
    date: str
    commit: str
    target: str
    seed: int
    cpu_seconds: int
    runs: int
    finds: int


HEAD = "\t".join(field.name for field in fields(Run))


def targets():
    return sorted(file.stem.removeprefix("fuzz_") for file in (TREE / "fuzz").glob("fuzz_*.c")) + [DIFFERENTIAL]


# ---- the record ----------------------------------------------------------------------------------

def read(record):
    if not record.exists():
        return []
    lines = record.read_text().splitlines()
    if not lines or lines[0] != HEAD:
        sys.exit(f"{record}: the first line is not {HEAD!r}")
    return [Run(*cells[:3], *map(int, cells[3:])) for cells in (line.split("\t") for line in lines[1:])]


def add(record, run):
    new = not record.exists()
    with record.open("a") as out:
        out.write((HEAD + "\n" if new else "") + "\t".join(map(str, astuple(run))) + "\n")


def since_the_last_find(runs):
    """A campaign without finds begins after the last find."""
    last = max((n for n, run in enumerate(runs) if run.finds), default=-1)
    return runs[last + 1:]


def next_target(runs, chosen):
    """The one with the least time so far."""
    spent = {name: sum(run.cpu_seconds for run in runs if run.target == name) for name in chosen}
    return min(chosen, key=lambda name: (spent[name], chosen.index(name)))


def next_seed(runs, target):
    """Each case of the differential fuzzer has a seed; libFuzzer has one per run."""
    ends = (run.seed + (run.runs if target == DIFFERENTIAL else 1) for run in runs if run.target == target)
    return max(ends, default=1)


def spent(runs):
    return f"{sum(run.cpu_seconds for run in runs)} CPU-seconds, {sum(run.runs for run in runs)} runs"


def sums(runs):
    """A find ends the count of its own target, and of all."""
    lines = []
    for name in sorted({run.target for run in runs}):
        own = since_the_last_find([run for run in runs if run.target == name])
        lines.append(f"{name}: {len(own)} campaigns, {spent(own)}")
    counted = since_the_last_find(runs)
    lines.append(f"all campaigns since the last find: {len({run.target for run in counted})} targets, {spent(counted)}; "
                 f"{sum(run.finds for run in runs)} finds before")
    return lines


# ---- runs ----------------------------------------------------------------------------------------

def execute(command, log):
    """Exit status, output and CPU-seconds of a command."""
    with log.open("w") as out:
        process = subprocess.Popen(command, cwd=TREE, stdin=subprocess.DEVNULL, stdout=out, stderr=subprocess.STDOUT)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    return process.returncode, log.read_text(errors="replace"), round(usage.ru_utime + usage.ru_stime)


def fuzz(build, target, seed, seconds, log):
    """libFuzzer for so long. It also ends well when it could not read its dictionary: want a count of runs."""
    found = TREE / "build/corpus"
    (found / target).mkdir(parents=True, exist_ok=True)
    words = TREE / f"fuzz/{target}.dict"
    code, text, cpu = execute([build / f"fuzz/fuzz_{target}", f"-seed={seed}", f"-max_total_time={seconds}", "-timeout=5", "-max_len=4096",
                               "-rss_limit_mb=512", *([f"-dict={words}"] if words.exists() else []), f"-artifact_prefix={found}/",
                               "-print_final_stats=1", found / target, f"fuzz/corpus/{target}"], log)
    done = re.search(r"^(?:Done (\d+) runs|stat::number_of_executed_units: (\d+))", text, re.M)
    runs = int(done.group(1) or done.group(2)) if done else 0
    return runs, int(code != 0), cpu if runs or code else sys.exit(f"{target} has not run: {text[-2000:]}")


def differ(build, seed, seconds, log):
    """The differential fuzzer continues after the cases of a state, which is made of the record."""
    with tempfile.TemporaryDirectory() as folder:
        state = Path(folder, "state.tsv")
        state.write_text(f"{seed}\t0\t0\t0\t0\n")
        code, text, cpu = execute([build / "tests/test_differential", "--seconds", str(seconds), "--state", state], log)
    done = re.search(r"^seeds (\d+) \.\. \d+: (\d+) random cases.* (\d+) failures", text, re.M)
    if not done or int(done.group(1)) != seed:
        sys.exit(f"{DIFFERENTIAL} has not run: {text[-2000:]}")
    return int(done.group(2)), int(done.group(3)) or int(code != 0), cpu


def commit():
    done = subprocess.run(["git", "rev-parse", "--short", "HEAD"], cwd=TREE, capture_output=True, text=True, check=False)
    return done.stdout.strip() or "-"


def run_one(options, target, seconds):
    """Run a target, and add the line about it."""
    seed = next_seed(read(options.record), target)
    log = TREE / "build/corpus" / f"{target}.log"
    log.parent.mkdir(parents=True, exist_ok=True)
    if target == DIFFERENTIAL:
        runs, finds, cpu = differ(options.tests, seed, seconds, log)
    else:
        runs, finds, cpu = fuzz(options.fuzz, target, seed, seconds, log)
    run = Run(datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%d"), commit(), target, seed, cpu, runs, finds)
    add(options.record, run)
    print(f"{target}: seed {seed}, {cpu} CPU-seconds, {runs} runs, {finds} finds" + (f": {log}" if finds else ""), flush=True)
    return run


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--seconds", type=int, default=0)
    parser.add_argument("--slice", type=int, default=120)
    parser.add_argument("--target", action="append", choices=targets())
    parser.add_argument("--fuzz", type=Path, default=TREE / "build/fuzz")
    parser.add_argument("--tests", type=Path, default=TREE / "build/release")
    parser.add_argument("--record", type=Path, default=RECORD)
    parser.add_argument("--total", action="store_true")
    options = parser.parse_args()
    chosen = options.target or targets()
    if not options.total:
        begin, left = time.monotonic(), len(chosen)
        while left > 0 if not options.seconds else time.monotonic() - begin < options.seconds:
            target = next_target(read(options.record), chosen) if options.seconds else chosen[-left]
            if run_one(options, target, options.slice).finds:
                return 1
            left -= 1
    print("\n".join(sums(read(options.record))))
    return 0


if __name__ == "__main__":
    sys.exit(main())
