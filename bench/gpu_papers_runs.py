"""The runs that gpu_papers measured, as its sections need them: times of GPUs only, and only of correct results."""

from device_report import gflops, timed
from results import counted, geomean

NOT_A_GPU = "No times: not a GPU."


def figure(value, digits=2):
    """A cell; "-" for what was not measured."""
    return "-" if value is None else f"{value:.{digits}f}"


def percent(value):
    return "-" if value is None else f"{100 * value:.1f} %"


def mean(values, of=geomean):
    """None for no values."""
    values = list(values)
    return of(values) if values else None


class Runs:
    def __init__(self, runs):
        self.runs = runs
        self.info = next(iter(runs.values()))["run"]
        self.gpu = all(run["run"]["gpu"] for run in runs.values())

    def matrices(self, *names):
        """Matrices, or batches, of these runs."""
        return [matrix for name in names for matrix in self.runs.get(name, {"matrices": []})["matrices"]]

    def timed(self, matrix):
        """{contender: row} of what has a time; nothing where a device is not a GPU, whatever the file says."""
        return timed(matrix) if self.gpu and matrix["nnz"] else {}

    def speeds(self, name, contender):
        """{matrix: GFlop/s}"""
        found = {}
        for matrix in self.matrices(name):
            rows = self.timed(matrix)
            if contender in rows:
                found[matrix["matrix"]] = gflops(matrix, rows[contender])
        return found

    def contenders(self, *names):
        """In order of appearance."""
        return list({row["contender"]: None for matrix in self.matrices(*names) for row in matrix["results"]})

    def over(self, name, new, old):
        """[(matrix, how many times as fast `new` is as `old`)]; old: contenders, of which the fastest counts."""
        found = []
        for matrix in self.matrices(name):
            rows = self.timed(matrix)
            others = [rows[other]["seconds_best"] for other in old if other in rows]
            if new in rows and others:
                found.append((matrix, min(others) / rows[new]["seconds_best"]))
        return found

    def cusparse(self, name):
        """Its contenders in a run."""
        return [contender for contender in self.contenders(name) if contender.startswith("cusparse:")]

    def checked(self, *names):
        """A sentence about the results of these runs."""
        rows = [row for matrix in self.matrices(*names) for row in matrix["results"]]
        refused = [row for row in rows if "refused" in row]
        wrong = [row for row in rows if "refused" not in row and not row["right"]]
        text = f"Checked row by row: {counted(len(rows) - len(refused) - len(wrong), 'result')} right"
        if wrong:
            text += f", {len(wrong)} **WRONG** ({', '.join(sorted({row['contender'] for row in wrong}))})"
        if refused:
            text += f", {len(refused)} refused ({refused[0]['contender']}: {refused[0]['refused']})"
        return text + "."

    def cusparse_mark(self, name):
        """Why a run has no cuSPARSE."""
        if self.cusparse(name) or name not in self.runs:
            return []
        peers = dict(peer.partition(": ")[::2] for peer in self.runs[name]["run"]["peers"].split("; ") if peer)
        return [f"No cuSPARSE: {peers.get('cusparse', 'not asked for')}."]


def section(runs, title, names, body, marks=(), has_times=True):
    """One experiment: names are the runs that it needs, body() makes its tables. What is missing is marked."""
    text = f"\n### {title}\n\n"
    missing = [name for name in names if not runs.matrices(name)]
    if missing and len(missing) == len(names):
        why = "none of its matrices is in $TULLE_MATRICES, or " if names[0].startswith("batch-") else ""
        return text + f"Not run: {why}there are no results of {', '.join(names)}.\n"
    times = [NOT_A_GPU] if has_times and not runs.gpu else []
    if missing:
        marks = [*marks, f"Incomplete: no results of {', '.join(missing)}."]
    return text + body() + "\n" + "".join(f"- {line}\n" for line in [runs.checked(*names), *times, *marks])


def not_run(title, why):
    return f"\n### {title}\n\nNot run: {why}.\n"
