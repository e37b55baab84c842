#!/usr/bin/env python3
"""Keep what tulle-compare measured in docs/results, one folder per machine, and write the pages from it.

Usage: results_docs.py TREE --write    write the pages and pictures
       results_docs.py TREE --check    exit status 1 if one of them is not what the kept JSON says
       results_docs.py TREE --keep MACHINE NAME-N RUN.json [VARIABLE=VALUE...]

--keep writes docs/results/MACHINE/NAME-N.json, run N of measurement NAME: what tulle-compare --json wrote, without the
members of a result that are not in KEPT (results_kept.py), without folders in the command, and with the environment variables
that are named. bench/runs.py reads such files.

A folder has machine.json (name, facts, note) and at least one run of the automatic plan (tulle:auto:N). Written from it:

  docs/results/MACHINE/README.md, speed.svg   means, and each matrix
  docs/results/README.md                      the list of machines, between two marks
  docs/papers/PAPER.md, docs/pictures/...     a figure for each of PAPERS, between two marks
"""

import json
import shlex
import statistics
import sys
from pathlib import Path

import bars
from check_readme import slug
from results_kept import BEST, FOLDER, Fault, keep, measurements_of

from results import counted, geomean, load  # of bench/, which results_kept makes known
from runs import Contender

BEGIN, END = "<!-- begin: made by ./dev docs results -->\n", "<!-- end: made by ./dev docs results -->\n"
NAMES = {"plain": "plain loop", "mkl": "MKL", "mkl-opt": "MKL optimized", "eigen": "Eigen", "graphblas": "GraphBLAS"}
FLOOR = 0.95  # of the best peer, asked on each matrix
# The measurement that has figures for a paper, and whom to draw: the paper's subject, then others.
PAPERS = {"csr5": ("real", ["tulle:csr5", "tulle:csr", "mkl-opt", "mkl"]),
          "csr2": ("real", ["tulle:csr2", "tulle:csr5", "tulle:csr", "mkl-opt", "mkl"]),
          "ellpackr": ("real", ["mkl-opt", "mkl"])}


# ---- the page of a machine -----------------------------------------------------------------------

def table(heads, rows):
    lines = [heads, ["---"] * len(heads), *rows]
    return "".join("| " + " | ".join(str(cell) for cell in line) + " |\n" for line in lines)


def figures(values):
    return ", ".join(f"{value:.2f}" for value in values)


def unbroken(words):
    """For cells of wide tables: a browser wraps at a blank."""
    return words.replace(" ", "\u00a0")


def named(peer):
    return NAMES.get(peer, peer)


def command_of(m):
    run = m.written[0]["run"]
    suites = {name for word in run["command"] for name in word.split(",")}
    matrices = ["TULLE_MATRICES=folder"] if suites & {"real", "classes"} else []
    return " ".join([*run.get("environment", []), *matrices, *map(shlex.quote, run["command"])])


def commits_of(m):
    names = dict.fromkeys(written["run"]["revision"] for written in m.written)
    return ", ".join(name.removesuffix("-dirty") + (" with changes that were not committed" if name.endswith("-dirty") else "")
                     for name in names)


def heading(m, all_of_them):
    several = sum(other.name == m.name for other in all_of_them) > 1
    return f"{m.name}, {counted(m.threads, 'thread')}" if several else m.name


def about(m):
    run = m.written[0]["run"]
    dates = [written["run"]["date"].replace("T", " ").removesuffix("Z") for written in m.written]
    limited = f"; MKL limited to {run['mkl_instructions']}" if run.get("mkl_instructions") else ""
    kept = ", ".join(f"[{file.name}]({file.name})" for file in m.files)
    return table(["", ""], [["command", f"`{command_of(m)}`"], ["commit", commits_of(m)], ["ended (UTC)", ", ".join(dates)],
                            ["instruction set", run["isa"] + limited], ["threads", m.threads],
                            ["compiler", run["compiler"]], ["kept JSON", kept]])


def means_table(m):
    def cell(values):
        return figures(values) or "-"
    counts = ", ".join(str(len(m.quiet(run))) for run in m.all)
    rows = [[named(peer), cell(m.means(peer, True)), cell(m.means(peer, False))] for peer in m.order()]
    return table(["over", f"undisturbed matrices ({counts})", f"all matrices ({len(m.matrices)})"], rows)


def spread_text(m):
    ours = [run[name][m.subject] for run in m.all for name in m.matrices]
    within = [row["seconds_median"] / row["seconds_best"] for row in ours]
    text = (f"Spread: the median sample of {m.subject} takes {statistics.median(within):.2f} times as long as its best one, "
            f"at most {max(within):.2f} times.")
    if len(m.all) > 1:
        between = {name: [m.over(run[name], BEST) for run in m.all] for name in m.matrices}
        ratios = {name: max(values) / min(values) for name, values in between.items()}
        most = max(ratios, key=ratios.get)
        text += (f" The largest ratio to the best peer in {len(m.all)} runs is {statistics.median(ratios.values()):.2f} "
                 f"times the least, at most {ratios[most]:.2f} times (`{most}`).")
    low = [{name for name in m.matrices if m.over(run[name], BEST) < FLOOR} for run in m.all]
    text += f" Matrices below {FLOOR} of their best peer: {', '.join(str(len(names)) for names in low)}"
    if len(low) > 1:
        text += f"; in every run: {', '.join(sorted(set.intersection(*low))) or 'none'}"
    return text + ".\n"


def others_text(m):
    if not m.others:
        return ""
    runs = [load([file])[m.threads] for file in m.files]
    undisturbed = [name for name in m.others if any(name in rows for run in runs for rows in run.values())]
    found = [Contender(name, runs) for name in undisturbed]
    rows = [[c.name.removeprefix("tulle:"), len(c.matrices), figures(c.over_plain())] for c in found if c.matrices]
    return ("\nOther formats over the plain loop, on the matrices on which each was undisturbed in every run:\n\n"
            + table(["format", "matrices", "over plain"], rows))


def matrix_table(m):
    rows = []
    for name in m.matrices:
        ours = [run[name][m.subject] for run in m.all]
        peers = [m.best_peer(run[name]) for run in m.all]
        marks = ["?" if row["disturbed"] else "" for row in ours]
        ratios = [f"{m.over(run[name], BEST):.2f}{mark}" for run, mark in zip(m.all, marks)]
        formats = ", ".join(dict.fromkeys(row.get("choice", "-") for row in ours))
        rows.append([name.replace(",", ",<wbr>"), f"{ours[0]['nnz']:,}", formats,
                     f"{1e3 * statistics.median(row['seconds_best'] for row in ours):.4g}",
                     f"{1e3 * statistics.median(row['seconds_best'] for row in peers):.4g}",
                     ", ".join(dict.fromkeys(row["contender"] for row in peers)), unbroken(", ".join(ratios)),
                     unbroken(figures(run[name][m.subject]["plain_ratio"] for run in m.all))])
    return table(["matrix", "nonzeros", "format", "tulle, ms", "best peer, ms", "best peer", "over the best peer", "over plain"],
                 rows)


def machine_page(machine, found):
    text = f"# {machine['name']}\n\nMade by `./dev docs results` from the JSON in this folder; [how](../README.md).\n\n"
    text += table(["", ""], machine["facts"].items()) + f"\n{machine['note']}\n\n"
    text += "![how many times as fast as each peer](speed.svg)\n"
    for m in found:
        text += (f"\n## {heading(m, found)}\n\n{about(m)}\nGeometric means of each run, {m.subject}:\n\n{means_table(m)}"
                 f"\n{spread_text(m)}{others_text(m)}\n{matrix_table(m)}")
    return text


def picture(machine, found):
    sections = [(f"{heading(m, found)} ({m.written[0]['run']['isa']}, {counted(len(m.all), 'run')})",
                 [(named(peer), means) for peer in m.order() if (means := m.means(peer, True))]) for m in found]
    return bars.draw(f"Speed of the automatic plan over that of each peer: {machine['name']}", sections)


# ---- other pages ---------------------------------------------------------------------------------

def with_section(path, text, new):
    if text.count(BEGIN) != 1 or text.count(END) != 1 or text.index(BEGIN) > text.index(END):
        raise Fault(f"{path}: expected exactly one pair of lines\n{BEGIN}{END}")
    head, _, rest = text.partition(BEGIN)
    return head + BEGIN + "\n" + new + "\n" + END + rest.partition(END)[2]


def machines_table(machines):
    rows = []
    for folder, (machine, found) in machines.items():
        for m in found:
            name = f"[{machine['name']}]({folder}/README.md)" if m is found[0] else ""
            rows.append([name, heading(m, found), m.written[0]["run"]["isa"],
                         *(unbroken(figures(m.means(peer, True))) or "-" for peer in (BEST, "mkl-opt", "plain"))])
    return table(["machine", "measurement", "instruction set", "over the best peer", "over MKL optimized", "over plain"], rows)


class Figure:
    """The contenders of a paper's figure on one machine, on the matrices on which all were undisturbed in every run."""

    def __init__(self, m, contenders):
        runs = [load([file])[m.threads] for file in m.files]
        whole = [[name for name, rows in run.items() if {"plain", *contenders} <= set(rows)] for run in runs]
        self.m, self.contenders, self.runs = m, contenders, runs
        self.matrices = sorted(set.intersection(*map(set, whole)))
        if not self.matrices:
            raise Fault(f"{m.files[0].name}: no matrix with {', '.join(contenders)}, all undisturbed in every run")

    def ratios(self, run, contender, base):
        return [run[name][contender]["plain_ratio"] / run[name][base]["plain_ratio"] for name in self.matrices]

    def means(self):
        return [(short(c), [geomean(self.ratios(run, c, "plain")) for run in self.runs]) for c in self.contenders]

    def range_over(self, base):
        """Least, median and largest of the matrices, each the median of its runs."""
        runs = [self.ratios(run, self.contenders[0], base) for run in self.runs]
        values = sorted(statistics.median(values) for values in zip(*runs))
        return [values[0], statistics.median(values), values[-1]]

    def sections(self, name):
        bases = ["plain", *self.contenders[1:]]
        return [(f"{name}, {self.m.name}: over the plain loop, geometric mean of each run", self.means()),
                (f"{short(self.contenders[0])} over others: least, median and largest of {counted(len(self.matrices), 'matrix')}",
                 [(short(base), self.range_over(base)) for base in bases])]


def short(contender):
    return named(contender).removeprefix("tulle:")


def paper_figure(machines, name, contenders):
    """(SVG, text) of a figure with two sections per machine that has these contenders."""
    sections, lines = [], ""
    for folder, (machine, found) in machines.items():
        for m in (m for m in found if m.name == name and set(contenders) <= {*m.peers, *m.others}):
            sections += Figure(m, contenders).sections(machine["name"])
            lines += (f"Measured on [{machine['name']}](../results/{folder}/README.md#{slug(heading(m, found))}), commit "
                      f"{commits_of(m)}, {counted(len(m.files), 'run')} of `{command_of(m)}`.\n")
    if not sections:
        raise Fault(f"no machine has {name} with {', '.join(contenders)}")
    return bars.draw(", ".join(map(short, contenders)), sections, one_scale=False), lines


# ---- all -----------------------------------------------------------------------------------------

def made(tree):
    """{path: text} of everything that is generated."""
    machines = {}
    for folder in sorted(path.parent for path in (tree / FOLDER).glob("*/machine.json")):
        try:
            machines[folder.name] = json.loads((folder / "machine.json").read_text()), measurements_of(folder)
        except (Fault, KeyError, ValueError) as fault:
            raise Fault(f"{FOLDER}/{folder.name}: {fault}") from fault
    files = {}
    for folder, (machine, found) in machines.items():
        files[f"{FOLDER}/{folder}/README.md"] = machine_page(machine, found)
        files[f"{FOLDER}/{folder}/speed.svg"] = picture(machine, found)
    path = f"{FOLDER}/README.md"
    files[path] = with_section(path, (tree / path).read_text(), machines_table(machines))
    for paper, (name, contenders) in PAPERS.items():
        path, drawn = f"docs/papers/{paper}.md", f"docs/pictures/paper-{paper}.svg"
        files[drawn], lines = paper_figure(machines, name, contenders)
        shown = ", ".join(map(short, contenders))
        files[path] = with_section(path, (tree / path).read_text(),
                                   f"![speed of {shown}](../{drawn.removeprefix('docs/')})\n\n{lines}")
    return files


def main(arguments):
    if arguments[1:] not in (["--check"], ["--write"]) and (len(arguments) < 5 or arguments[1] != "--keep"):
        sys.exit(__doc__)
    tree, check = Path(arguments[0]), arguments[1] == "--check"
    try:
        if arguments[1] == "--keep":
            keep(tree, *arguments[2:5], arguments[5:])
            return 0
        files = made(tree)
    except Fault as fault:
        print(fault)
        return 1
    stale = [path for path, text in files.items() if not (tree / path).exists() or (tree / path).read_text() != text]
    for path in stale:
        if check:
            print(f"{path} is not what the kept JSON says: run ./dev docs results")
        else:
            (tree / path).write_text(files[path])
    return 1 if check and stale else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
