#!/usr/bin/env python3
"""What each format asks of a GPU, as tables in Markdown: a row per matrix, a column per format.

Counted by the PTX interpreter; no time is measured or estimated. docs/gpu-counts.md defines the figures. Matrices are
gen:SPEC, as in tulle-compare, files, or batches, NxSPEC+NxSPEC: N problems of each matrix; a SPEC with a slash is a
file. Without any, the twelve matrices and seven batches of that page. With --before FILE, what `--json` printed in
another version of the tree, each cell is two figures: before, after. With --from FILE nothing is counted: the figures are
those of such a file.
"""

import argparse
import json
import sys

import counts

FORMATS = ["csr", "csr:kernel=scalar", "csr:kernel=adaptive", "csr:kernel=balanced", "ellr", "sell", "csr5", "coo"]
KERNELS = ["coo", "csr:kernel=balanced", "csr:kernel=smart", "csr:kernel=scalar", "ell"]
# Key of counts.figures(): heading, digits after the point.
FIGURES = {
    "over": ("Bytes before L2, as a multiple of the minimum", 2),
    "over_arrays": ("The same, arrays of the matrix only", 2),
    "over_x": ("The same, x only", 2),
    "over_l2": ("Bytes through the L2 model, as a multiple of the minimum", 2),
    "least": ("Minimum: bytes per nonzero", 1),
    "instructions": ("Warp instructions per 32 nonzeros", 1),
    "active": ("Active lanes, share of issued ones", 2),
    "loads_in_flight": ("Loads in flight when a warp waits", 2),
    "conflicts": ("Passes through shared memory, as a multiple of the least", 2),
    "launches": ("Launches", 0),
}


def counted(options, matrices, value_type, formats, kept):
    if kept is None:
        return counts.run(options.layers, options.program, matrices, value_type, formats, options.l2,
                          values=options.values, keep_x=options.keep_x)
    return [line for (kind, matrix, form), line in kept.items()
            if kind == value_type and matrix in matrices and form in formats]


def measured(options, matrices, formats, kept):
    """{(type, matrix): {format: line with its figures}}"""
    rows = {}
    for value_type in options.type or ["f64", "f32"]:
        lines = counted(options, matrices, value_type, formats, kept)
        for line in lines:
            if not line.get("refused") and "figures" not in line:
                line["figures"] = counts.figures(line)
            rows.setdefault((value_type, line["matrix"]), {})[line["format"]] = line
    return rows


def cell(line, key, digits):
    if line is None:
        return "none"
    if "figures" not in line:
        return "refused"
    value = line["figures"][key]
    if key == "least":
        value = value / line["nnz"] if line["nnz"] else None
    return "-" if value is None else f"{value:.{digits}f}"


def kept_counts(path):
    """{(type, matrix, format): line} of a file that --json wrote; None without a file."""
    if path is None:
        return None
    with open(path, encoding="utf-8") as file:
        return {(line["type"], line["matrix"], line["format"]): line for line in json.load(file)}


def print_table(rows, value_type, key, formats, before):
    heading, digits = FIGURES[key]
    print(f"\n{heading}, {value_type}:\n")
    print(f"| matrix | nonzeros | {' | '.join(f'`{form}`' for form in formats)} |")
    print("|---|---:|" + "---:|" * len(formats))
    for (kind, matrix), lines in rows.items():
        if kind == value_type:
            cells = [cell(lines[form], key, digits) for form in formats]
            if before is not None:
                cells = [f"{cell(before.get((kind, matrix, form)), key, digits)}, {after}"
                         for form, after in zip(formats, cells)]
            print(f"| {matrix} | {lines[formats[0]]['nnz']} | {' | '.join(cells)} |")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--layers", required=True, help=argparse.SUPPRESS)
    parser.add_argument("--program", required=True, help=argparse.SUPPRESS)
    parser.add_argument("--type", action="append", choices=["f32", "f64"], help="default: both")
    parser.add_argument("--format", dest="formats", action="append", help="may be repeated")
    parser.add_argument("--figure", dest="figures", action="append", choices=FIGURES,
                        help="may be repeated; default: all")
    parser.add_argument("--l2", type=int, metavar="BYTES", help="of the L2 model; default: 65536")
    parser.add_argument("--keep-x", action="store_true",
                        help="the L2 model evicts lines of other arrays than x first, as hints on their loads would")
    parser.add_argument("--values", default="uniform", choices=["uniform", "floats", "table", "ones", "given"],
                        help="values of the matrices: sell compresses them; given: those of the generator or file")
    parser.add_argument("--json", action="store_true", help="all counts, by launch and array")
    parser.add_argument("--before", metavar="FILE", help="what --json printed in another version: cells are before, after")
    parser.add_argument("--from", dest="kept", metavar="FILE", help="take the counts of a file that --json wrote")
    parser.add_argument("matrices", nargs="*", metavar="MATRIX")
    options = parser.parse_args()
    given = options.matrices or [*counts.SUITE, *counts.BATCH_SUITE]
    batches = [name for name in given if name[0].isdigit()]
    everything, before, kept = [], kept_counts(options.before), kept_counts(options.kept)
    for matrices, formats in (([name for name in given if name not in batches], FORMATS), (batches, KERNELS)):
        formats = options.formats or formats
        rows = measured(options, matrices, formats, kept) if matrices else {}
        everything += [line for lines in rows.values() for line in lines.values()]
        for value_type in (options.type or ["f64", "f32"]) if rows and not options.json else []:
            for key in options.figures or FIGURES:
                print_table(rows, value_type, key, formats, before)
    if options.json:
        json.dump(everything, sys.stdout, indent=1)
        print()


if __name__ == "__main__":
    main()
