"""The report of one run of tulle-compare or tulle-batch --device, as Markdown: device and versions, each matrix
or batch, means.

Devices that are not GPUs have no times, here as in the JSON."""

import json
from pathlib import Path

from results import counted, geomean, harmonic, is_ours, markdown

TIMED_HEADS = ["best µs", "median µs", "GFlop/s", "GB/s", "conversion ms"]


def bullets(run):
    way = "shuffles" if run["shuffles"] else "exchange through local memory"
    program, *options = run["command"]
    name = Path(program).name
    what = "y += A x of every problem" if name == "tulle-batch" else "y = A x"
    command = " ".join([name, *options])
    how = f"{what} in {run['type']}, matrix and vectors on the device; every y checked row by row"
    if run["gpu"]:
        how += ("; one sample = products queued for 2 ms and more, then one wait; best and median of two turns; "
                "GB/s count CSR's arrays, x and y once each")
    return [f"driver: {run['driver']}",
            f"device: {run['memory_gib']:.1f} GiB, {run['units']} units, {run['width']} lanes per warp, {way}",
            f"tulle {run['tulle']}, {run['revision']}; host {run['cpu']}, {run['compiler']}",
            f"peers: {run['peers'] or 'none'}", f"command: `{command}`", how]


def head(run):
    text = f"## {run['device']}: {run['model']}\n\n"
    if not run["gpu"]:
        text += "**Not a GPU: no times are given**, since they would be those of the host's CPU.\n\n"
    return text + "".join(f"- {line}\n" for line in bullets(run))


def gflops(matrix, row):
    return 2e-9 * matrix["nnz"] / row["seconds_best"]


def csr_bytes(matrix, kind):
    """Of the arrays of CSR, which problems of one pattern share, and of x and y."""
    value, problems = 4 if kind == "f32" else 8, matrix.get("problems", 1)
    pattern = 4 * (matrix["nnz"] + matrix["rows"] + problems) / (problems if matrix.get("one_pattern") else 1)
    return pattern + value * (matrix["nnz"] + matrix["rows"] + matrix["cols"])


def counts(row):
    """Only correct results have a time."""
    return row.get("right") and row["seconds_best"]


def times(matrix, row, kind):
    """The cells of TIMED_HEADS; empty for a result that is wrong or refused."""
    if not counts(row):
        return [""] * len(TIMED_HEADS)
    best = row["seconds_best"]
    return [f"{1e6 * best:.2f}", f"{1e6 * row['seconds_median']:.2f}", f"{gflops(matrix, row):.2f}",
            f"{1e-9 * csr_bytes(matrix, kind) / best:.1f}", f"{1e3 * row['seconds_convert']:.2f}"]


def verdict(row):
    if "refused" in row:
        return f"refused: {row['refused']}"
    error = "failed" if row["error_over_bound"] is None else f"{row['error_over_bound']:.3f} of the bound"
    text = f"{'right' if row['right'] else '**WRONG**'}, {error}"
    return text + (", bits changed" if row["bits_changed"] else "") + (f"; {row['note']}" if row["note"] else "")


def launches_text(matrix, run):
    """The launches of products that have several. Repeated alone, a launch finds other things in the cache than
    within a product, so the sum is not the time of the product."""
    lines = ""
    for row in matrix["results"]:
        parts = row.get("launch", [])
        if len(parts) < 2 or not row["right"]:
            continue
        if run["gpu"]:
            lines += (f"- {row['contender']}: {1e6 * row['seconds_best']:.2f} µs; "
                      + ", ".join(f"{part['kernel']} {1e6 * part['seconds_best']:.2f}" for part in parts) + "\n")
        else:
            lines += f"- {row['contender']}: {', '.join(part['kernel'] for part in parts)}\n"
    title = "Products of several launches"
    title += ": time of the product, then of each launch repeated alone" if run["gpu"] else " and their kernels"
    return f"\n{title}\n\n{lines}" if lines else ""


def matrix_text(matrix, run):
    def bytes_per_nnz(row, key):
        return f"{row[key] / matrix['nnz']:.1f}" if row.get(key) and matrix["nnz"] else ""

    lines = [[row["contender"], "same" if row["same_bits"] else "",
              *(times(matrix, row, run["type"]) if run["gpu"] else []), bytes_per_nnz(row, "bytes"),
              bytes_per_nnz(row, "peak_bytes"), row.get("launches") or "", verdict(row)]
             for row in matrix["results"]]
    variation = matrix["length_variation"]
    lengths = f"longest row {matrix['longest_row']}"
    if variation is not None:
        lengths += f", standard deviation of row lengths {variation:.2f} of their mean"
    heads = ["contender", "bits", *(TIMED_HEADS if run["gpu"] else []), "bytes/nnz", "peak bytes/nnz", "launches",
             "result"]
    problems = f"{matrix['problems']} problems, " if "problems" in matrix else ""
    return (f"\n### {matrix['matrix']}\n\n{problems}{matrix['rows']} rows, {matrix['cols']} columns, {matrix['nnz']} nonzeros, "
            f"{lengths}\n\n" + markdown(heads, lines) + launches_text(matrix, run))


def timed(matrix):
    """{contender: row} of the results that have a time."""
    return {row["contender"]: row for row in matrix["results"] if counts(row)}


def fastest(rows, ours):
    return min((row for name, row in rows.items() if is_ours(name) == ours), key=lambda row: row["seconds_best"],
               default=None)


def means_table(matrices):
    """Means of GFlop/s. Only rows of the same number of matrices can be compared."""
    found = {}
    for matrix in matrices:
        for name, row in timed(matrix).items():
            found.setdefault(name, []).append((matrix, row))
    lines = []
    for name, pairs in found.items():
        speeds = [gflops(matrix, row) for matrix, row in pairs]
        weighted = sum(speed * matrix["nnz"] for speed, (matrix, _) in zip(speeds, pairs))
        won = sum(row["seconds_best"] == min(r["seconds_best"] for r in timed(matrix).values())
                  for matrix, row in pairs)
        lines.append([name, len(pairs), f"{geomean(speeds):.2f}", f"{harmonic(speeds):.2f}",
                      f"{weighted / sum(matrix['nnz'] for matrix, _ in pairs):.2f}", won])
    return markdown(["contender", "matrices", "geometric mean", "harmonic", "weighted by nonzeros", "won"], lines)


def best_table(matrices):
    """The fastest of ours beside the fastest peer; of batches, beside the fastest loop over single products."""
    peer_is = "loop" if "problems" in matrices[0] else "peer"
    lines, ratios = [], []
    for matrix in matrices:
        ours, peer = (fastest(timed(matrix), kind) for kind in (True, False))
        if ours and peer:
            ratios.append(peer["seconds_best"] / ours["seconds_best"])
        if ours:
            lines.append([matrix["matrix"], ours["contender"], peer["contender"] if peer else "-",
                          f"{ratios[-1]:.2f}" if peer else "-"])
    text = markdown(["matrix", "fastest of tulle", f"fastest {peer_is}", "tulle over it"], lines) if lines else ""
    if ratios:
        text += (f"\ntulle over the fastest {peer_is}: geometric mean {geomean(ratios):.2f}, ahead on "
                 f"{sum(ratio > 1 for ratio in ratios)} of {len(ratios)}\n")
    return text


def report(path):
    written = json.loads(Path(path).read_text())
    run, matrices = written["run"], written["matrices"]
    text = head(run) + "".join(matrix_text(matrix, run) for matrix in matrices)
    counting = [matrix for matrix in matrices if matrix["nnz"] and timed(matrix)]
    if run["gpu"] and counting:
        kind = "batch" if "problems" in counting[0] else "matrix"
        text += f"\n### {counted(len(counting), kind)}: GFlop/s\n\n" + means_table(counting)
        text += "\n" + best_table(counting)
    return text
