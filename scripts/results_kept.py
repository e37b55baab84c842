"""What tulle-compare measured, as kept in docs/results: how a run is reduced, and the runs of one measurement."""

import json
import math
import re
import statistics
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "bench"))

from results import TINY_BELOW, geomean, is_ours, is_planned, read

FOLDER = "docs/results"
KEPT = ("matrix", "nnz", "contender", "threads", "type", "seconds_best", "seconds_median", "plain_ratio", "convert_plain",
        "convert_own", "bytes_per_nnz", "memory_over_csr", "error_over_bound", "class", "choice")
BEST = "best peer"


class Fault(Exception):
    """Something in a folder of which no page can be made."""


# ---- what is kept --------------------------------------------------------------------------------

def without_folders(words):
    """The command without --json and its file, and without the folders of other files."""
    words = list(words)
    if "--json" in words:
        at = words.index("--json")
        del words[at:at + 2]
    return [word.rsplit("/", 1)[-1] for word in words]


def reduced(written, variables):
    run = dict(written["run"], command=without_folders(written["run"]["command"]), environment=sorted(variables))
    results = [{key: row[key] for key in KEPT if row.get(key, "") != ""} for row in written["results"]]
    return {"run": run, "results": results, "refused": written["refused"]}


def as_text(kept):
    """JSON with one line per result, for people who compare two versions."""
    lines = [json.dumps(row, separators=(",", ":")) for row in kept["results"]]
    rest = {key: json.dumps(kept[key]) for key in ("run", "refused")}
    return f'{{"run":{rest["run"]},\n"refused":{rest["refused"]},\n"results":[\n' + ",\n".join(lines) + "\n]}\n"


def keep(tree, machine, name, path, variables):
    if not re.fullmatch(r"[a-z0-9-]+-[1-9][0-9]*", name) or not re.fullmatch(r"[a-z0-9-]+", machine):
        raise Fault(f"{machine} {name}: expected small letters, and the number of the run at the end: real-1")
    if not all(re.fullmatch(r"\w+=[^/]*", variable) for variable in variables):
        raise Fault("expected VARIABLE=VALUE, without folders")
    written = json.loads(Path(path).read_text())
    file = tree / FOLDER / machine / f"{name}.json"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(as_text(reduced(written, variables)))


# ---- what was measured ---------------------------------------------------------------------------

class Measurement:
    """The runs of one name and one number of threads."""

    def __init__(self, name, threads, files):
        self.name, self.threads, self.files = name, threads, files
        self.written = [read(file) for file in files]
        self.all = [self.rows_of(written) for written in self.written]
        names = {name: None for run in self.all for rows in run.values() for name in rows}
        self.subject = next((name for name in names if is_planned(name)), None)
        if not self.subject:
            raise Fault(f"{files[0].name}: no result of tulle:auto")
        self.all = [{m: rows for m, rows in run.items() if self.subject in rows and "plain" in rows} for run in self.all]
        self.peers = [name for name in names if not is_ours(name)]
        self.others = [name for name in names if is_ours(name) and name != self.subject]
        self.matrices = sorted(set.intersection(*(set(run) for run in self.all)))
        if not self.matrices:
            raise Fault(f"{files[0].name}: no matrix in every run")
        if not any(map(self.quiet, self.all)):
            raise Fault(f"{files[0].name}: every matrix was disturbed")

    def rows_of(self, written):
        run = {}
        for row in written["results"]:
            if row["right"] and row["threads"] == self.threads and row["nnz"] >= TINY_BELOW:
                run.setdefault(row["matrix"], {})[row["contender"]] = row
        return run

    def quiet(self, run):
        """The matrices of a run on which neither ours nor a peer was disturbed."""
        return [m for m, rows in run.items()
                if not any(rows[name]["disturbed"] for name in [self.subject, *self.peers] if name in rows)]

    def best_peer(self, rows):
        return max((rows[name] for name in self.peers if name in rows), key=lambda row: row["plain_ratio"])

    def over(self, rows, peer):
        """How many times as fast ours is; None where the peer has no result."""
        other = self.best_peer(rows) if peer == BEST else rows.get(peer)
        return rows[self.subject]["plain_ratio"] / other["plain_ratio"] if other else None

    def means(self, peer, quiet):
        """The geometric mean of each run."""
        figures = [[self.over(run[m], peer) for m in (self.quiet(run) if quiet else self.matrices)] for run in self.all]
        return [geomean([value for value in values if value]) for values in figures if any(values)]

    def order(self):
        """The best peer, then the peers by their means; last those that were measured on disturbed matrices only."""
        return [BEST, *sorted(self.peers, key=lambda peer: statistics.median(self.means(peer, True) or [math.inf]))]


def name_and_number(file):
    name, _, number = file.stem.rpartition("-")
    return name, int(number)


def measurements_of(folder):
    groups = {}
    for file in sorted(folder.glob("*-*.json"), key=name_and_number):
        if re.search(r'["\s=:]/\w', file.read_text()):
            raise Fault(f"{file.name}: has the path of a folder")
        groups.setdefault(name_and_number(file)[0], []).append(file)
    found = []
    for name, files in groups.items():
        threads = sorted({row["threads"] for file in files for row in read(file)["results"]})
        found += [Measurement(name, number, files) for number in threads]
    if not found:
        raise Fault("no runs")
    return found
