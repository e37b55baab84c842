#!/usr/bin/env python3
"""Compare what formats are estimated to ask of a GPU with what was counted (tests/gpu/counts).

Usage: gpu_estimates.py PROGRAM        exit status 1 if an estimate is too far off

PROGRAM is test_gpu_estimates. Bytes of the arrays of the matrix and of x are compared with the model of
tests/gpu/counts/model.py, instructions and launches with tests/gpu/counts/table.txt, registers and shared memory with
tests/gpu/resources/table.txt. Neither a GPU nor nvcc is needed.
"""

import json
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE / "gpu" / "counts"))
import counts  # noqa: E402
import model  # noqa: E402

SECTOR = 32
# How far an estimate may be off, as a factor: bytes of the matrix, bytes of x, instructions. A fixed number of bytes
# and instructions is allowed besides, which matters for matrices of a few rows.
ARRAYS, X, INSTRUCTIONS = 1.25, 1.4, 2
BYTES, SOME_INSTRUCTIONS = 256, 200
OCCUPANCY = 1.4  # warps per unit by registers
REGISTERS, WARPS, WIDTH = 65536, 64, 32


def estimates(program, value_type, specs):
    """{spec: (matrix, {format: estimate})}"""
    done = subprocess.run([program, value_type, *specs], capture_output=True, text=True, check=True)
    found, last = {}, None
    for line in map(json.loads, done.stdout.splitlines()):
        if "matrix" in line:
            last = found[line["matrix"]] = (model.Matrix(line["rows"], line["cols"], line["row_ptr"], line["col"]), {})
        else:
            last[1][line["format"]] = line
    return found


def named(form, matrix):
    """The estimate that a format of the tables has: with the lanes that its rule gives."""
    if form == "csr:kernel=vector":
        return f"csr:kernel=vector,lanes={max(4, model.lanes_for(matrix.rows, matrix.nnz, 4))}"
    if form == "ellr":
        return f"ellr:lanes={model.lanes_for(matrix.rows, matrix.nnz, 8)}"
    return form


def off(estimate, counted, factor, more):
    return estimate > factor * counted + more or counted > factor * estimate + more


def check_bytes(about, estimate, launches):
    """Faults of bytes that warps request."""
    arrays = x = 0
    for launch in launches:
        for name, (_, loaded, _, stored) in launch.arrays.items():
            if name == "x":
                x += SECTOR * loaded
            elif name != "y":
                arrays += SECTOR * (loaded + stored)
    if off(estimate["requested"], arrays, ARRAYS, BYTES):
        yield f"{about}: {estimate['requested']} bytes of the matrix, counted {arrays}"
    if off(estimate["x"], x, X, BYTES):
        yield f"{about}: {estimate['x']} bytes of x, counted {x}"
    if estimate["launches"] != len(launches):
        yield f"{about}: {estimate['launches']} launches, counted {len(launches)}"


def table():
    """{(matrix, type, format): instructions}"""
    lines = (HERE / "gpu" / "counts" / "table.txt").read_text().splitlines()
    names = lines[0].split(":", 1)[1].split()
    rows = [dict(zip(names, line.split())) for line in lines[1:] if not line.endswith(" refused")]
    return {(r["matrix"].removeprefix("gen:"), r["type"], r["format"]): int(r["instructions"]) for r in rows}


def check_counts(program):
    faults, compared, instructions = [], 0, table()
    specs = [name.removeprefix("gen:") for name in counts.MATRICES]
    for value_type in ("f32", "f64"):
        for spec, (matrix, found) in estimates(program, value_type, specs).items():
            for form in counts.MODELLED:
                estimate = found.get(named(form, matrix))
                expected = model.product(matrix, value_type, form)
                if form == "csr" or not estimate or estimate["refuses"] or not expected:
                    continue
                about = f"{spec} {value_type} {estimate['format']}"
                faults += check_bytes(about, estimate, expected)
                counted = instructions[spec, value_type, form]
                if off(estimate["instructions"], counted, INSTRUCTIONS, SOME_INSTRUCTIONS):
                    faults.append(f"{about}: {estimate['instructions']} instructions, counted {counted}")
                compared += 1
    return faults, compared


def warps(registers):
    return min(WARPS, REGISTERS // (WIDTH * registers))


def check_resources(program):
    """Registers of kernels, as far as occupancy depends on them, and shared memory."""
    lines = [line.split("|")[0].split() for line in
             (HERE / "gpu" / "resources" / "table.txt").read_text().splitlines() if not line.startswith("#")]
    known = {line[0]: ([int(n) for n in line[1:6]], int(line[6])) for line in lines}
    faults, compared = [], 0
    for value_type in ("f32", "f64"):
        for _, found in estimates(program, value_type, ["stencil5:n=20"]).values():
            for estimate in found.values():
                kernel = f"{estimate['kernel']}_{value_type}_i32"
                registers, shared = known[kernel]
                counted, stated = warps(sorted(registers)[len(registers) // 2]), warps(estimate["registers"])
                if off(stated, counted, OCCUPANCY, 0):
                    faults.append(f"{kernel}: {estimate['registers']} registers, compiled with {registers}")
                if shared != estimate["shared"]:
                    faults.append(f"{kernel}: {estimate['shared']} bytes of shared memory, compiled with {shared}")
                compared += 1
    return faults, compared


def main():
    program = sys.argv[1]
    faults, compared = check_counts(program)
    more, kernels = check_resources(program)
    for fault in faults + more:
        print(fault)
    print(f"{compared} products and {kernels} kernels compared, {len(faults + more)} faults")
    sys.exit(bool(faults or more) or compared < 150 or kernels < 10)


if __name__ == "__main__":
    main()
