"""Every matrix of the folder TULLE_MATRICES, against its INDEX.tsv and the papers' figures."""

import csv
import json
import os
from pathlib import Path

from harness import Skip, same, well


def index():
    folder = os.environ.get("TULLE_MATRICES")
    if not folder:
        raise Skip("TULLE_MATRICES names no folder")
    with open(Path(folder) / "INDEX.tsv", newline="", encoding="utf-8") as file:
        return Path(folder), list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))


def info(place, path, *more):
    return json.loads(well(place.run("info", "--json", *more, path)))


def case_sizes_and_lengths(place):
    folder, rows = index()
    for row in rows:
        name = row["file"]
        got = info(place, folder / name, "--real-part")
        same(got["rows"], int(row["rows"]), f"{name}: rows")
        same(got["cols"], int(row["cols"]), f"{name}: cols")
        same(got["nnz"], int(row["nnz_expanded"]), f"{name}: nnz")
        same(got["field"], row["field"], f"{name}: field")
        same(got["symmetry"], row["symmetry"], f"{name}: symmetry")
        lengths = got["row_lengths"]
        same(lengths["min"], int(row["min_row"]), f"{name}: shortest row")
        same(lengths["max"], int(row["max_row"]), f"{name}: longest row")
        same(lengths["empty"], int(row["empty_rows"]), f"{name}: empty rows")
        assert abs(lengths["mean"] - float(row["avg_row"])) <= 0.00501, f"{name}: mean {lengths['mean']}"
    print(f"{len(rows)} files")


def case_paper_002(place):
    """rbsa480 is the one matrix of its table that is at hand: its figures, as printed there."""
    folder, _ = index()
    got = info(place, folder / "rbsa480.mtx.gz")
    lengths = got["row_lengths"]
    same(f"{lengths['mean']:.2f}", "35.60", "Av")
    same(f"{lengths['max_minus_mean']:.2f}", "0.40", "Max - Av")
    same(f"{lengths['sd']:.2f}", "0.49", "sigma")
    same(f"{100 * lengths['sd_over_mean']:.2f}", "1.38", "% sigma / Av")
    same(f"{100 * got['hyb']['ell_share']:.1f}", "100.0", "% ELL")
