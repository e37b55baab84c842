#!/usr/bin/env python3
"""Check that tulle-compare sees wrong results, refuses what it should and writes the JSON promised.

Usage: check.py TULLE_COMPARE PLUGINS, where PLUGINS is the folder of planted contenders.
"""

import json
import subprocess
import sys
import tempfile
from pathlib import Path

KEYS = ["matrix", "rows", "cols", "nnz", "longest_row", "contender", "threads", "type",
        "vectors", "problems", "seconds_best", "seconds_median", "gflops", "gbytes_per_s", "plain_ratio", "convert_plain", "convert_own",
        "bytes_per_nnz", "memory_over_csr", "bandwidth_share", "stored_share", "moved_share",
        "error_over_bound", "group", "class", "bound", "choice", "planning_plain", "note"]
MATRIX = "gen:empty:rows=3000,cols=3000,empty=0.5"

compare, plugins = sys.argv[1:]
scripts = Path(__file__).parent.parent
sys.path.insert(0, str(scripts))
from verdicts import CLASS_FLOORS


def run(*arguments, program=(compare,)):
    command = [*program, "--plugins", plugins, "--formats", "none", "--seconds", "0", *arguments]
    return subprocess.run(command, capture_output=True, text=True)


def judged(*arguments):
    """The same with the tables that ./dev bench prints."""
    return run(*arguments, program=(scripts / "run", "compare", "--program", compare))


def expect(condition, what, result):
    if not condition:
        sys.exit(f"{what}\nstatus {result.returncode}\n{result.stdout}\n{result.stderr}")


def counts(text, contender):
    """Does the contender have a line in the summary?"""
    return f"\n| {contender} " in text.split(": how many times as fast as plain")[-1]


for name in ["wrong-little", "wrong-later", "wrong-unwritten", "wrong-failing"]:
    result = judged("--contenders", name, MATRIX)
    expect(result.returncode == 1, f"{name}: exit status must be 1", result)
    expect(result.stdout.count("WRONG") == 2 and f"WRONG: {name}" in result.stderr,
           f"{name}: must be marked WRONG", result)
    expect(not counts(result.stdout, name), f"{name}: must not be in the summary", result)

result = judged("--contenders", "right,refusing", MATRIX)
expect(result.returncode == 0, "a right contender and one that refuses must pass", result)
expect(counts(result.stdout, "right"), "a right contender must be in the summary", result)
expect(not counts(result.stdout, "refusing"), "who refuses must not be in the summary", result)

result = run("--contenders", "none", "--require", "right", MATRIX)
expect(result.returncode == 2 and "right is absent" in result.stderr,
       "a required contender that is absent must be told", result)
for arguments in [["--suite", "none"], ["--contenders", "nobody"], ["--formats", "nothing"],
                  ["--threads", "0"], ["--protocol", "best"], ["--seconds", "x"], ["gen:nothing"],
                  ["--memory", "much"], ["--isa", "sse"], ["no-such-file.mtx"], ["--suite", "quick", MATRIX]]:
    result = run(*arguments)
    expect(result.returncode == 2 and result.stderr, f"{arguments} must be refused", result)

with tempfile.TemporaryDirectory() as folder:
    path = Path(folder) / "results.json"
    result = run("--contenders", "right,wrong-little,refusing", "--threads", "1,2",
                 "--json", str(path), MATRIX)
    written = json.loads(path.read_text())
    expect(list(written) == ["run", "results", "refused"], "the JSON holds run, results and refused", result)
    rows = written["results"]
    expect(all(list(row) == KEYS for row in rows), "each result has the keys promised", result)
    expect([(row["contender"], row["threads"]) for row in rows] ==
           [(c, t) for t in (1, 2) for c in ("plain", "right", "wrong-little")],
           "one result for each contender that multiplied and number of threads", result)
    for row in rows:
        wrong = row["contender"] == "wrong-little"
        expect((row["error_over_bound"] > 1) == wrong, "the error tells right from wrong", result)
        expect(abs(row["gflops"] * row["seconds_best"] / (2e-9 * row["nnz"]) - 1) < 1e-4,
               "gflops are 2 nnz a second", result)
        expect(row["seconds_best"] <= row["seconds_median"], "the best is no worse", result)
        expect(row["group"] == 1, "small matrices fit into memory together", result)
        expect(row["memory_over_csr"] == 0 and 0 < row["longest_row"] <= row["cols"],
               "arrays that are shared cost no memory", result)

# Too little memory for two: groups of one each, and every one still right and in the table.
with tempfile.TemporaryDirectory() as folder:
    path = Path(folder) / "results.json"
    result = judged("--contenders", "right,refusing,wrong-little", "--formats", "csr", "--memory", "0",
                    "--isa", "scalar", "--json", str(path), MATRIX)
    expect(result.returncode == 1, "a group of its own does not hide what is wrong", result)
    rows = json.loads(path.read_text())["results"]
    expect([(row["contender"], row["group"]) for row in rows] ==
           [("plain", 1), ("right", 1), ("wrong-little", 3), ("tulle:csr", 4)],
           "each contender has a group of its own", result)
    line = next(line for line in result.stdout.splitlines() if line.startswith("empty:"))
    expect(line.split()[7:9] == ["-", "WRONG"], "who refuses has a dash", result)
    expect(0 < rows[-1]["memory_over_csr"] < 0.05, "csr costs little beside the arrays", result)
    costs = result.stdout.split("What they cost")[1]
    expect([line.split()[1] for line in costs.splitlines()[5:8]] == ["plain", "right", "tulle:csr"],
           "who was right is in the table of costs", result)

with tempfile.TemporaryDirectory() as folder:
    path = Path(folder) / "results.json"
    result = run("--contenders", "right", "--formats", "best,ell", "--threads", "2", "--suite",
                 "random,const-stencils", "--largest", "400000", "--json", str(path))
    expect(result.returncode == 0 and "left out: --largest" in result.stdout,
           "a suite of two classes without its largest", result)
    written = json.loads(path.read_text())
    expect({row["class"] for row in written["results"]} == {"random"}, "one class was small", result)
    result = judged("--contenders", "right", "--formats", "csr,ell,sell", "--threads", "2", "--json", str(path),
                    "gen:stencil5:n=150", "gen:circuit:rows=20000,dense=1,share=0.9", "gen:rmat:scale=13")
    written = json.loads(path.read_text())
    expect({(r["matrix"].split(":")[0], r["contender"]) for r in written["refused"]} >=
           {("circuit", "tulle:ell")} and all(r["reason"] for r in written["refused"]),
           "who refused is told, and why", result)
    expect(result.stdout.count("padded to") == 1 and not result.stderr, "the reason is told once", result)

# Every class has a floor.
result = run("--list")
classes = result.stdout.partition("classes, ")[2].splitlines()[1:]
expect([line.split()[0] for line in classes] == list(CLASS_FLOORS), "verdicts.py knows the classes", result)

# The planner's choices are told, and what they cost.
with tempfile.TemporaryDirectory() as folder:
    path = Path(folder) / "results.json"
    result = run("--contenders", "right", "--formats", "csr,sell,auto:5,measure:1000", "--json", str(path),
                 "gen:stencil5:n=150")
    written = json.loads(path.read_text())
    ours = {row["contender"]: row for row in written["results"] if row["contender"].startswith("tulle:")}
    expect(result.returncode == 0 and len(ours) == 4, "plans that choose take part", result)
    expect(ours["tulle:auto:5"]["choice"] == "csr" and ours["tulle:sell"]["choice"] == "sell",
           "few multiplications are worth no conversion", result)
    # convert is the best of three conversions, planning that of the last.
    expect(all(0 <= row["planning_plain"] <= row["convert_plain"] + 1 for row in ours.values()) and
           ours["tulle:measure:1000"]["planning_plain"] > 1, "measuring costs something", result)

# Every stand-in that iterations asks for is one of the papers' suite.
listed = run("--list", "--suite", "papers")
wanted = subprocess.run([scripts / "iterations", "--list", "--compare", compare], capture_output=True,
                        text=True, env={})
expect(len(wanted.stdout.split()) == 35 and set(wanted.stdout.split()) <= set(listed.stdout.split()),
       "iterations knows the papers' matrices", wanted)

# And one real run of it, on a matrix that is not tiny.
result = subprocess.run([scripts / "iterations", "--compare", compare, "--formats", "csr",
                         "--contenders", "none", "--seconds", "0", "--matrix", "gen:stencil5:n=150"],
                        capture_output=True, text=True)
expect(result.returncode == 0 and "tulle:csr" in result.stdout, "iterations measures", result)

# So do the programs for several vectors and for batches.
for name, arguments in (("many", ["--vectors", "3", "gen:rmat:scale=10"]),
                        ("many", ["--vectors", "33", "--type", "f32", "gen:rmat:scale=10"]),
                        ("batch", ["--count", "20", "each:random:rows=20,cols=20"])):
    result = subprocess.run([scripts / "run", name, "--program", Path(compare).with_name(f"tulle-{name}"),
                             "--seconds", "0", *arguments], capture_output=True, text=True)
    expect(result.returncode == 0 and "| tulle:" in result.stdout and "WRONG" not in result.stdout,
           f"{name} measures", result)

# The scripts about the planner measure, too.
for script, *arguments in (["regret", "--formats", "csr,sell", "--counts", "100", "--matrix", "gen:rmat:scale=14"],
                           ["endtoend", "--peers", "none", "--matrix", "gen:rmat:scale=14"],
                           ["planning", "gen:rmat:scale=14"]):
    result = subprocess.run([scripts / script, "--compare", compare, "--seconds", "0.01", *arguments],
                            capture_output=True, text=True)
    quiet = "no figures" not in result.stderr  # nor are there any where every one was disturbed
    expect(result.returncode == (0 if quiet else 1) and ("rmat:scale=14" in result.stdout) == quiet,
           f"{script} measures", result)
print("all as it should be")
