"""The figures of `tulle info --json`, computed a second time here, slowly, straight from the words of
docs/command.md and the papers."""

import json
import math
import random

from harness import UNSUPPORTED, same, well

# kind:parameters of matrices that differ in all the figures
SPECS = ["stencil5:n=9", "stencil27:n=4", "fem:n=3,b=3", "fem:n=3,b=2,pattern=general", "qcd:l=2,t=2",
         "banded:rows=60,width=3,fill=0.5", "dense:rows=7,cols=5", "random:rows=50,cols=80,mean=6",
         "rmat:scale=7,edges=4,values=ones", "lp:rows=4,cols=900,mean=50",
         "circuit:rows=300,mean=4", "empty:rows=200,cols=100,mean=5", "random:rows=1,cols=1,mean=1"]


def entries_of(path):
    """rows, cols and the list of (i, j, value text) of a general coordinate file."""
    lines = [line for line in path.read_text().splitlines() if not line.startswith("%")]
    rows, cols, _ = map(int, lines[0].split())
    entries = []
    for line in lines[1:]:
        words = line.split()
        entries.append((int(words[0]) - 1, int(words[1]) - 1, words[2] if words[2:] else "1"))
    return rows, cols, entries


def lengths(counts):
    mean = sum(counts) / len(counts)
    return {"min": min(counts), "max": max(counts), "mean": mean, "empty": counts.count(0),
            "max_minus_mean": max(counts) - mean,
            "sd": math.sqrt(sum((n - mean) ** 2 for n in counts) / len(counts))}


def algorithm_4(nnz, rows):
    """Algorithm 4 of the CSR2 paper (docs/papers/csr2.md), line by line."""
    x = int(nnz * 1.0 / rows + 0.5)
    if x > 16:
        if x >= 128:
            count = 0
            while x >= 128:
                if x & 1:
                    x += 1
                x >>= 1
                if count == 4:
                    break
                count += 1
        elif x >= 36:
            count = 0
            while x >= 36:
                if x & 1:
                    x += 1
                x >>= 1
                if count == 2:
                    break
                count += 1
        else:
            if x & 1:
                x = (x // 10 + 1) * 10 if x % 10 >= 5 else x // 10 * 10
            x >>= 1
    return max(x, 1)


def wanted(rows, cols, entries):
    in_row, in_col = [0] * rows, [0] * cols
    for i, j, _ in entries:
        in_row[i] += 1
        in_col[j] += 1
    nnz, places = len(entries), {(i, j) for i, j, _ in entries}
    fill = {}
    for b in (2, 3, 4, 6):
        blocks = {(i // b, j // b) for i, j in places}
        fill[str(b)] = len(places) / (len(blocks) * b * b)
    width = sorted(in_row)[math.ceil(2 * rows / 3) - 1]
    mtx_width = algorithm_4(nnz, rows)
    values = {float(v) for _, _, v in entries}
    at = {(i, j): float(v) for i, j, v in entries}
    return {
        "rows": rows, "cols": cols, "nnz": nnz, "duplicates": nnz - len(places),
        "row_lengths": lengths(in_row), "column_lengths": lengths(in_col),
        "bandwidth": {"lower": max([0] + [i - j for i, j in places]),
                      "upper": max([0] + [j - i for i, j in places])},
        "diagonal_entries": sum(i == j for i, j, _ in entries),
        "block_fill": fill,
        "distinct_values": len(values) if len(values) <= 256 else None,
        "zeros": sum(float(v) == 0 for _, _, v in entries),
        "pattern_symmetry": None if rows != cols else
            sum((j, i) in places for i, j, _ in entries) / nnz,
        "numerically_symmetric": rows == cols and all(at.get((j, i)) == v for (i, j), v in at.items()),
        "numerically_skew": rows == cols and all(at.get((j, i)) == -v for (i, j), v in at.items()),
        "hyb": {"ell_width": width, "ell_share": sum(min(n, width) for n in in_row) / nnz},
        "csr2": {"mtx_width": mtx_width,
                 "padded_entries": sum(-(-n // mtx_width) * mtx_width for n in in_row)},
    }


def agree(got, want, name):
    if isinstance(want, dict):
        for key, value in want.items():
            agree(got[key], value, f"{name}.{key}")
    elif isinstance(want, float):
        assert math.isclose(got, want, rel_tol=1e-10, abs_tol=1e-12), f"{name}: {got}, not {want}"
    else:
        same(got, want, name)


def info(place, name):
    return json.loads(well(place.run("info", "--json", name)))


def histograms_add_up(got):
    for key, count in (("row_lengths", "rows"), ("column_lengths", "cols")):
        bins = got[key]["histogram"]
        same(sum(b["count"] for b in bins), got[count], f"{key}: all bins")
        for before, after in zip(bins, bins[1:]):
            assert before["to"] < after["from"], f"{key}: {before} and {after} overlap"


def of_kind(spec):
    def run(place):
        well(place.run("generate", spec, "-o", "a.mtx"))
        got = info(place, "a.mtx")
        agree(got, wanted(*entries_of(place.folder / "a.mtx")), spec)
        histograms_add_up(got)
    return run


def case_unsorted_with_duplicates(place):
    """Symmetry is found whatever the order of the entries; duplicates are counted."""
    rng = random.Random(3)
    for skew in (1, -1):
        entries = [(i, j, (i + 1) * 10 + j + 1) for i in range(9) for j in range(i) if rng.random() < .4]
        entries += [(j, i, skew * v) for i, j, v in entries]
        rng.shuffle(entries)
        text = "".join(f"{i + 1} {j + 1} {v}\n" for i, j, v in entries)
        place.write("a.mtx", f"%%MatrixMarket matrix coordinate real general\n9 9 {len(entries)}\n{text}")
        got = info(place, "a.mtx")
        agree(got, wanted(*entries_of(place.folder / "a.mtx")), "shuffled")
        same(got["columns_ascend"], False, "columns_ascend")
        same(got["numerically_skew"], skew < 0, "numerically_skew")
    place.write("b.mtx", "%%MatrixMarket matrix coordinate real general\n2 2 4\n"
                         "1 1 1\n1 1 2\n1 1 1\n2 1 1\n")
    same(info(place, "b.mtx")["duplicates"], 2, "duplicates")


def case_symmetric_files_are_expanded(place):
    place.write("half.mtx", "%%MatrixMarket matrix coordinate real symmetric\n4 4 5\n"
                            "1 1 1\n2 1 2\n3 3 3\n4 1 4\n4 3 5\n")
    well(place.run("convert", "--general", "half.mtx", "full.mtx"))
    half, full = info(place, "half.mtx"), info(place, "full.mtx")
    agree(full, wanted(*entries_of(place.folder / "full.mtx")), "full")
    same((half["nnz"], half["stored_entries"]), (8, 5), "entries")
    for key in set(half) - {"file", "file_bytes", "symmetry", "stored_entries"}:
        same(half[key], full[key], key)


def case_distinct_values_up_to_the_cap(place):
    for count, want in ((1, 1), (255, 255), (256, 256), (257, None), (1000, None)):
        text = "".join(f"{n % 100 + 1} {n // 100 + 1} {n % count}\n" for n in range(2000))
        place.write("a.mtx", f"%%MatrixMarket matrix coordinate real general\n100 20 2000\n{text}")
        same(info(place, "a.mtx")["distinct_values"], want, f"{count} values")


# CSR2 paper (docs/papers/csr2.md): entries and rows of its matrices, and the widths that Algorithm 4 gives for them.
WIDTHS = [("nd24k", 14393817, 72000, 100), ("Si41Ge41H72", 7598452, 185639, 21),
          ("Dense", 4194304, 2048, 64), ("Ga41As41H72", 9378286, 268096, 20),
          ("pwtk", 5926171, 217918, 15), ("pdb1HYS", 2190591, 36417, 30), ("cant", 2034917, 62451, 15),
          ("crankseg_2", 7106348, 63838, 28), ("QCD", 1916928, 49152, 20),
          ("shipsec1", 3977139, 140874, 14), ("ins2", 1530448, 309412, 5), ("mip1", 5209641, 66463, 20),
          ("rail4284", 11284032, 4284, 83)]


def case_widths_of_the_csr2_paper(place):
    """A small matrix with the same mean has the same width."""
    for name, nnz, rows, width in WIDTHS:
        small = round(nnz / rows * 10)
        text = "".join(f"{k % 10 + 1} {k // 10 + 1}\n" for k in range(small))
        place.write("a.mtx", "%%MatrixMarket matrix coordinate pattern general\n"
                             f"10 {small // 10 + 1} {small}\n{text}")
        same(info(place, "a.mtx")["csr2"]["mtx_width"], width, name)


def case_other_json_is_valid(place):
    place.matrix()
    well(place.run("generate", "stencil5:n=3", "-o", "square.mtx"))
    lists = json.loads(well(place.run("generate", "--list", "--json")))
    assert {"stencil5", "fem"} <= {kind["name"] for kind in lists["kinds"]}
    assert any(s["name"] == "pwtk" and s["half_nnz"] == 5926171 for s in lists["stand_ins"])
    formats = json.loads(well(place.run("formats", "--json")))
    assert "csr" in {f["name"] for f in formats}
    for f in formats:
        command = ["mul", "--json", "--seconds", "0.001", "--format", f["name"]]
        result = place.run(*command, "a.mtx")
        if result.returncode == UNSUPPORTED:  # a format may take square or symmetric ones only
            result = place.run(*command, "square.mtx")
        got = json.loads(well(result))
        same(got["plan"]["format"], f["name"], "format")
        same(got["check"]["right"], True, f"result of {f['name']}")
        assert 0 < got["time"]["best_seconds"] <= got["time"]["median_seconds"]


CASES = ([(spec, of_kind(spec)) for spec in SPECS] +
         [(name[5:], f) for name, f in list(globals().items()) if name.startswith("case_")])
