#!/usr/bin/env python3
"""Compare what the PTX interpreter counts with a model and with a table.

Usage: check.py LAYERS.json PROGRAM IMAGES TABLE             exit status 1 if a count differs, 77 if skipped
       check.py LAYERS.json PROGRAM IMAGES TABLE --write     write the table anew

The model (model.py) must agree with the interpreter in every launch and array of the formats it knows, exactly. The
table holds the totals of every format. Both are of the PTX of one release of nvcc, which the first line of the
table names; with another release the test is skipped.
"""

import sys
from pathlib import Path

import counts
import model

sys.path.insert(0, str(counts.HERE.parent / "resources"))
import table as resources  # noqa: E402

SKIPPED = 77
TYPES = ("f32", "f64")


def model_faults(line, expected):
    """Sentences about launches and arrays in which model and interpreter differ."""
    about = f"{line['matrix']} {line['type']} {line['format']}, {line['values']} values"
    names = [launch["kernel"] for launch in line["launches"]]
    if names != [launch.kernel for launch in expected]:
        yield f"{about}: launches {names}, the model {[launch.kernel for launch in expected]}"
        return
    for counted, launch in zip(line["launches"], expected):
        seen = {array["name"]: [array[key] for key in ("load", "load_sectors", "store", "store_sectors")]
                for array in counted["arrays"]}
        for name in sorted(set(seen) | set(launch.arrays)):
            if seen.get(name) != launch.arrays.get(name):
                yield (f"{about}, {launch.kernel}, {name}: loads, sectors, stores, sectors {seen.get(name)}, "
                       f"the model {launch.arrays.get(name)}")


def count(layers, program):
    """(lines of the table, differences from the model, products compared with it)"""
    lines, faults, compared = [], [], 0
    for value_type in TYPES:
        patterns = {}
        for line in (counts.run(layers, program, counts.MATRICES, value_type, counts.MODELLED, pattern=True) +
                     counts.run(layers, program, counts.OTHER_MATRICES, value_type, counts.OTHERS) +
                     counts.run(layers, program, counts.BATCHES, value_type, counts.KERNELS) +
                     sum((counts.run(layers, program, counts.COMPRESSED_MATRICES, value_type, ["sell"], values=values)
                          for values in counts.COMPRESSED), [])):
            if "row_ptr" in line:
                patterns[line["matrix"]] = model.Matrix(line["rows"], line["cols"], line["row_ptr"], line["col"])
                continue
            values = f"/{line['values']}" if line["values"] in counts.COMPRESSED else ""
            head = f"{line['matrix']} {line['type']} {line['format']}{values}"
            if line.get("refused"):
                lines.append(f"{head} refused")
                continue
            pattern = patterns.get(line["matrix"])  # None: a batch
            expected = pattern and model.product(pattern, line["type"], line["format"], line["values"])
            if expected is not None:
                faults += model_faults(line, expected)
                compared += 1
            lines.append(" ".join([head, *(str(column(line)) for column in counts.COLUMNS.values())]))
    return lines, faults, compared


def main():
    layers, program, images, file = sys.argv[1:5]
    head = f"# nvcc {resources.release_of(Path(images))}: matrix type format {' '.join(counts.COLUMNS)}"
    old = Path(file).read_text().splitlines() if Path(file).exists() else [head]
    write = sys.argv[5:] == ["--write"]
    if old[0].split(":")[0] != head.split(":")[0] and not write:
        print(f"skipped: the table is of another release of nvcc ({old[0].split(':')[0][2:]})")
        sys.exit(SKIPPED)
    lines, faults, compared = count(layers, program)
    if write:
        Path(file).write_text("\n".join([head, *lines]) + "\n")
    else:
        new = [head, *lines]
        faults += [f"was  {line}" for line in old if line not in set(new)]
        faults += [f"now  {line}" for line in new if line not in set(old)]
    for fault in faults:
        print(fault)
    print(f"{compared} products compared with the model, {len(lines)} with the table, {len(faults)} faults")
    if faults and not write:
        print(f"if that is as it should be: {' '.join(sys.argv)} --write")
    sys.exit(bool(faults) or not compared)


if __name__ == "__main__":
    main()
