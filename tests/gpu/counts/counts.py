"""Runs of test_gpu_counts, and what is derived from them. docs/gpu-counts.md defines every figure."""

import json
import re
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
SOURCE = HERE.parents[2]
sys.path.insert(0, str(HERE.parent))
import on  # noqa: E402

SECTOR = 32
LAYER = "ptx90"  # sm_75, sm_80 and sm_90 have the same PTX

# Small matrices of every kind, for the test: each format goes through all of its branches.
MATRICES = [f"gen:{spec}" for spec in (
    "stencil5:n=3", "stencil5:n=20", "stencil7:n=8", "stencil9:n=16", "stencil27:n=6",
    "fem:n=3", "fem:n=6,b=1,order=shuffled", "qcd:l=2,t=2", "banded:rows=300,width=6,fill=0.6",
    "dense:rows=40,cols=70", "random:rows=33,cols=40,mean=1", "random:rows=500,cols=700,mean=6",
    "random:rows=1500,cols=8,mean=1", "rmat:scale=8", "rmat:scale=8,order=shuffled",
    "lp:rows=5,cols=3000,mean=700", "lp:rows=1,cols=20000,mean=9000", "circuit:rows=500",
    "circuit:rows=1200,dense=1,share=0.9", "empty:rows=1500,cols=400",
    "banded:rows=300,width=3,fill=1", "random:rows=200,cols=200000,mean=6")]
MODELLED = ["csr", "csr:kernel=scalar", "csr:kernel=vector", "csr:kernel=adaptive", "ellr", "sell", "csr5",
            "csr5:sigma=48"]
# Formats without a model, and the matrices on which they are counted.
OTHERS = ["csr:kernel=vector,x=plain", "csr:kernel=padded", "csr:kernel=balanced", "csr:kernel=segsum", "ell", "hyb",
          "coo", "csc", "fastload:add=sums,height=1", "fastload:add=atomics,height=4", "fastload:add=gathered",
          "fastload:add=rearranged"]
OTHER_MATRICES = [f"gen:{spec}" for spec in (
    "stencil7:n=8", "fem:n=3", "rmat:scale=8", "circuit:rows=500", "empty:rows=1500,cols=400")]
# Values that sell compresses, and matrices for them: the last two have strips and 32-bit columns.
COMPRESSED = ["floats", "table", "ones"]
COMPRESSED_MATRICES = OTHER_MATRICES + MATRICES[-2:]

# Batches: N problems of each matrix. One pattern, several sizes of teams, rows longer than a warp and than a team.
BATCHES = ["70xstencil5:n=4", "9xrandom:rows=90,cols=90,mean=12", "3xdense:rows=66,cols=66",
           "9xstencil5:n=3+5xfem:n=3+3xstencil7:n=8+2xrandom:rows=300,cols=300,mean=6+1xlp:rows=5,cols=3000,mean=700"]
KERNELS = [f"{kernel}form={form}" for form in ("classes", "block")
           for kernel in ("coo:", "csr:kernel=balanced,", "csr:kernel=smart,", "csr:kernel=scalar,", "ell:")]

# Larger matrices and batches, for the page in docs/.
SUITE = [f"gen:{spec}" for spec in (
    "stencil5:n=140", "stencil7:n=24", "stencil27:n=16", "fem:n=10", "fem:n=16,b=1,order=shuffled",
    "qcd:l=4,t=4", "banded:rows=6000,width=12,fill=0.6", "random:rows=16000,cols=16000,mean=6",
    "rmat:scale=13", "lp:rows=40,cols=20000,mean=2500", "circuit:rows=16000", "empty:rows=100000,cols=20000")]

BATCH_SUITE = ["2000xstencil5:n=4", "400xrandom:rows=60,cols=60,mean=6", "100xstencil7:n=8", "40xfem:n=4",
               "60xdense:rows=66,cols=66", "100xcircuit:rows=200",
               "300xstencil5:n=3+100xrandom:rows=60,cols=60,mean=6+30xstencil7:n=8+20xfem:n=4"]


def parameters():
    """{kernel: names of its parameters}, from the .gpu files."""
    found = {}
    for file in sorted((SOURCE / "src").rglob("*.gpu")):
        code = re.sub(r"\s*\\\n\s*", " ", file.read_text())
        for name, members in re.findall(r"^#define ([A-Z]+)\(how\) (.*)$", code, re.M):
            code = code.replace(f"{name}(restrict)", members)
        for name, text in re.findall(r"^KERNEL\((\w+)\)\(([^)]*)\)", code, re.M):
            found[name] = [re.findall(r"\w+", parameter)[-1] for parameter in text.split(",")]
    return found


def run(layers, program, matrices, value_type, formats=(), l2=None, pattern=False, values="uniform", keep_x=False):
    """Lines of test_gpu_counts; arrays have the names of their parameters."""
    command = [program, "--type", value_type, "--values", values, *(["--pattern"] if pattern else [])]
    command += ["--l2", str(l2)] if l2 else []
    command += ["--keep-x"] if keep_x else []
    for form in formats:
        command += ["--format", form]
    status, output = on.run(layers, LAYER, [*command, *matrices])
    if status != 0:
        sys.exit(f"{program} ended with {status}:\n{output[-2000:]}")
    lines, names = [json.loads(line) for line in output.splitlines() if line.startswith("{")], parameters()
    for launch in (launch for line in lines for launch in line.get("launches", [])):
        launch["kernel"] = re.sub(r"_f\d\d_i\d\d$", "", launch["kernel"])
        for array in launch["arrays"]:
            if array["argument"] < 0:
                sys.exit(f"{launch['kernel']} accesses an array that is not one of its arguments")
            array["name"] = names[launch["kernel"]][array["argument"]]
    return lines


def add(line, *keys):
    return sum(launch[key] for launch in line["launches"] for key in keys)


def sectors(line, *kinds):
    """{array: sectors of these kinds (load, store, atomic)} of all launches."""
    total = [0] * len(line["once"])
    for launch in line["launches"]:
        for array in launch["arrays"]:
            total[array["array"]] += sum(array[f"{kind}_sectors"] for kind in kinds)
    return total


def arrays_named(line, name):
    return {array["array"] for launch in line["launches"] for array in launch["arrays"] if array["name"] == name}


# What the table of the test holds, a column each.
COLUMNS = {
    "launches": lambda line: len(line["launches"]),
    "instructions": lambda line: add(line, "instructions"),
    "lanes": lambda line: add(line, "lanes"),
    "loaded": lambda line: sum(sectors(line, "load")),
    "stored": lambda line: sum(sectors(line, "store")),
    "atomics": lambda line: sum(sectors(line, "atomic")),
    "once": lambda line: sum(line["once"]),
    "l2_read": lambda line: line["l2_reads"],
    "l2_written": lambda line: line["l2_writes"],
    "loads": lambda line: add(line, "loads"),
    "waits": lambda line: add(line, "waits"),
    "in_flight": lambda line: add(line, "in_flight"),
    "passes": lambda line: add(line, "passes"),
    "least_passes": lambda line: add(line, "least_passes"),
}


def figures(line):
    """What a reader wants of a product: ratios. None where there is nothing to divide by."""
    def ratio(a, b):
        return a / b if b else None

    every = sectors(line, "load", "store", "atomic")
    vectors = {name: arrays_named(line, name) for name in "xy"}
    arrays = set(range(len(every))) - vectors["x"] - vectors["y"]

    def over(some):
        return ratio(sum(every[n] for n in some), sum(line["once"][n] for n in some))

    count = {name: column(line) for name, column in COLUMNS.items()}
    return {
        "launches": count["launches"],
        "instructions": ratio(32 * count["instructions"], line["nnz"]),
        "active": ratio(count["lanes"], 32 * count["instructions"]),
        "loads_in_flight": ratio(count["in_flight"], count["waits"]),
        "bytes": SECTOR * sum(every),
        "least": SECTOR * count["once"],
        "over": over(range(len(every))),
        "over_arrays": over(arrays),
        "over_x": over(vectors["x"]),
        "over_y": over(vectors["y"]),
        "l2": SECTOR * (count["l2_read"] + count["l2_written"]),
        "over_l2": ratio(count["l2_read"] + count["l2_written"], count["once"]),
        "conflicts": ratio(count["passes"], count["least_passes"]),
    }
