"""The tables of one run of tulle-compare: each matrix, means, costs, the best of our formats, refusals."""

import statistics

import verdicts
from results import contenders_of, counted, geomean, harmonic, is_ours, load, markdown, read, unsure
from runs import Contender


def ratio(row):
    if row is None:
        return "-"
    return f"{row['plain_ratio']:.2f}{'?' if row['disturbed'] else ''}" if row["right"] else "WRONG"


def share(row):
    return f"{row['bandwidth_share']:.2f}" if row else "-"


def matrix_table(written, share_of=None):
    """Everything that was measured, whether it counts or not. share_of: a contender whose share of the reading speed
    is shown instead."""
    found, names = {}, {}
    for row in written["results"] + written["refused"]:
        names[row["contender"]] = None
    for row in written["results"]:
        found.setdefault((row["matrix"], row["threads"]), {})[row["contender"]] = row
    for name in ("plain", share_of):
        names.pop(name, None)
    lines = []
    for (matrix, threads), rows in found.items():
        plain = rows["plain"]
        lines.append([matrix, plain["rows"], plain["nnz"], threads,
                      f"{1e3 * plain['seconds_best']:.4f}{'?' if plain['disturbed'] else ''}",
                      *([share(rows.get(share_of))] if share_of else []), *(ratio(rows.get(name)) for name in names)])
    heads = ["matrix", "rows", "nnz", "threads", "plain ms", *(["share"] if share_of else []), *names]
    return "How many times as fast as plain, by the best sample\n\n" + markdown(heads, lines)


def fastest(rows):
    return max(row["plain_ratio"] for row in rows.values())


def means_table(run):
    """Four means of the papers; the share of matrices on which a contender is the fastest of all."""
    lines = []
    for name in ["plain", *contenders_of([run])]:
        rows = {m: rows[name] for m, rows in run.items() if name in rows}
        ratios = {m: row["plain_ratio"] for m, row in rows.items()}
        nonzeros = sum(row["nnz"] for row in rows.values())
        weighted = sum(row["plain_ratio"] * row["nnz"] for row in rows.values()) / nonzeros
        won = sum(ratios[m] == fastest(run[m]) for m in rows) / len(rows)
        worst = min(ratios, key=ratios.get)
        lines.append([name, len(rows), f"{geomean(ratios.values()):.3f}", f"{harmonic(ratios.values()):.3f}",
                      f"{weighted:.3f}", f"{100 * won:.0f} %",
                      f"{statistics.fmean(row['bandwidth_share'] for row in rows.values()):.2f}",
                      f"{ratios[worst]:.2f} ({worst})"])
    return markdown(["contender", "matrices", "geometric mean", "harmonic", "weighted by nonzeros", "won", "share",
                     "worst"], lines)


def costs_table(run):
    lines = []
    for name in ["plain", *contenders_of([run])]:
        contender = Contender(name, [run])
        pairs = [contender.spread(key) for key in ("convert_plain", "convert_own", "bytes_per_nnz")]
        memory = [100 * value for value in contender.spread("memory_over_csr")]
        lines.append([name, *(f"{middle:.2f} {most:.2f}" for middle, most in [*pairs, memory])])
    return ("\nWhat they cost, median and maximum: conversion in multiplications of plain and of their own, bytes "
            "per nonzero,\nmemory held over that of the CSR arrays\n\n"
            + markdown(["contender", "convert/plain", "convert/own", "bytes/nnz", "memory %"], lines))


def against(run, name, other):
    ratios = [rows[name]["plain_ratio"] / rows[other]["plain_ratio"]
              for rows in run.values() if name in rows and other in rows]
    ahead = sum(value > 1 for value in ratios)
    return f"{geomean(ratios):.3f} ({ahead} of {len(ratios)})" if ratios else "-"


def peers_table(run):
    names = ["plain", *contenders_of([run])]
    ours, peers = filter(is_ours, names), [name for name in names if not is_ours(name)]
    lines = [[name, *(against(run, name, other) for other in peers)] for name in ours]
    return ("\nOurs over each peer, geometric mean (ahead on)\n\n" + markdown(["", *peers], lines)
            if lines else "")


def summary(run, threads, kind):
    return (f"\n{counted(len(run), kind)}, {counted(threads, 'thread')}: how many times as fast as plain\n\n"
            + means_table(run) + costs_table(run) + peers_table(run))


def refused_text(written):
    """Our formats that refused a matrix, each with one reason."""
    cases = {}
    for row in written["refused"]:
        if is_ours(row["contender"]):
            cases.setdefault(row["contender"], []).append(row)
    lines = [f"  {name}: {len(rows)}; on {rows[0]['matrix']}: {rows[0]['reason']}\n"
             for name, rows in cases.items()]
    return "\nRefused (- in the table):\n" + "".join(lines) if lines else ""


def notes(written):
    text, rows = "", written["results"]
    disturbed = sum(row["disturbed"] for row in rows)
    if disturbed:
        text += (f"\n{disturbed} of {len(rows)} figures are marked ? and not in the summaries: another process "
                 "took a core\nduring nearly every sample.\n")
    if written["run"].get("check_plain"):
        text += ("\nThe full check of the arrays, once per matrix and in no figure above: "
                 f"{written['run']['check_plain']:.2f} plain multiplications on average.\n")
    return text


def report(path):
    written, large, tiny, busy = read(path), load([path]), load([path], tiny=True), unsure([path])
    if not written["results"]:
        return ""
    text = matrix_table(written)
    for threads in sorted(large | tiny):
        for runs, kind in ((large, "matrix"), (tiny, "tiny matrix")):
            text += summary(runs[threads], threads, kind) if threads in runs else ""
        if any(is_ours(name) for rows in large.get(threads, {}).values() for name in rows):
            text += verdicts.report(threads, [large[threads]], [busy.get(threads, set())])
    return text + refused_text(written) + notes(written)
