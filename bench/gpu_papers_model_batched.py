"""The paper on batched SpMV in gpu_papers_model: its statements about its kernels compared with counts of ours.

`tulle plan --device` does not rank batches. The counts are those of `./dev bench gpu-counts`; arguments() has its
arguments, judgements() reads its JSON. A kernel is predicted to be faster if its product moves fewer bytes through
the L2 model; the other figures are shown beside it.
"""

from itertools import product

from gpu_papers_order import pairs_of
from paper_tables import BATCHED, BATCHED_LARGE
from results import geomean

SECTOR = 32
KERNELS = {"COO": "coo:form=block", "CSRI": "csr:kernel=balanced,form=block", "CSR_smart": "csr:kernel=smart,form=block",
           "CSR_scal": "csr:kernel=scalar,form=block", "CSR_vec": "csr:kernel=vector,form=block", "ELL": "ell:form=block"}
CSR = ["CSRI", "CSR_smart", "CSR_vec", "CSR_scal"]
MIXED = ["COO", "CSRI", "CSR_smart", "ELL"]  # Fig. 6 and 7
PROBLEMS = 4  # of each matrix; in mixed batches half of them
LOW, FEW_ROWS = (1, 2), (1, 8, 64)  # nonzeros per row in Fig. 4
SPARSE, BALANCED = "west0989", ["dwt_992", "gr_30_30", "nos3"]  # section 4.2


def above(fast, slow):
    """All pairs (a, b), a of `fast`, b of `slow`."""
    return list(product(fast, slow))


def others(*names):
    return [name for name in KERNELS if name not in names]


def mixture(paths, names):
    return "+".join(f"{PROBLEMS // 2}x{paths[name]}" for name in names if name in paths)


def comparisons(paths):
    """(what, batches, matrices, published pairs) of what is there; paths: {name: file}"""
    single = {name: f"{PROBLEMS}x{paths[name]}" for name in BATCHED if name in paths}
    balanced = {mean: f"{PROBLEMS}xrandom:rows=1024,cols=1024,mean={mean}" for mean in LOW}
    few_rows = {mean: f"{PROBLEMS}xempty:rows=1024,cols=1024,mean={mean},empty=0.9375" for mean in FEW_ROWS}
    large = [name for name in BATCHED_LARGE if name in paths]
    found = [(f"Section 4.2, {SPARSE}", [single.get(SPARSE)], 1,
              above(["CSR_scal", "COO"], others("CSR_scal", "COO")))]
    found += [(f"Section 4.2, {name}", [single.get(name)], 1, above(["ELL"], others("ELL"))) for name in BALANCED]
    found += [(f"Fig. 4, balanced, {mean} per row", [batch], 1, above(["CSR_scal", "CSR_smart"], ["CSRI"]))
              for mean, batch in balanced.items()]
    found += [(f"Fig. 4, few rows, {mean} per row", [batch], 1, above(["CSRI"], CSR[1:]))
              for mean, batch in few_rows.items()]
    found += [("Fig. 5, geometric mean", list(single.values()), len(single),
               above(["COO"], CSR) + above(["CSRI", "CSR_smart"], ["CSR_vec", "CSR_scal"])),
              ("Fig. 6, mixed", [mixture(paths, large)], len(large), pairs_of(MIXED)),
              ("Fig. 7, mixed", [mixture(paths, single)], len(single), pairs_of(MIXED))]
    return [comparison for comparison in found if comparison[1] and all(comparison[1])]


def arguments(paths):
    """Of `./dev bench gpu-counts`."""
    batches = dict.fromkeys(batch for _, batches, _, _ in comparisons(paths) for batch in batches)
    return ["--json", "--type", "f64", *(word for kernel in KERNELS.values() for word in ("--format", kernel)), *batches]


def traffic(line):
    return SECTOR * (line["l2_reads"] + line["l2_writes"])


def requests(line):
    return SECTOR * sum(array[f"{kind}_sectors"] for launch in line["launches"] for array in launch["arrays"]
                        for kind in ("load", "store", "atomic"))


def instructions(line):
    return sum(launch["instructions"] for launch in line["launches"])


def predictions(counted, batches, by, names):
    """{name of the paper: geometric mean over the batches}"""
    return {name: geomean([by(counted[batch, KERNELS[name]]) for batch in batches]) for name in names}


def judgements(paths, lines):
    """(what, matrices, published pairs, {figure: prediction}) of each comparison; lines: of the JSON."""
    counted = {(line["matrix"], line["format"]): line for line in lines}
    for what, batches, matrices, pairs in comparisons(paths):
        names = [name for name in KERNELS if any(name in pair for pair in pairs)]
        yield what, matrices, pairs, {by: predictions(counted, batches, by, names)
                                      for by in (traffic, requests, instructions)}
