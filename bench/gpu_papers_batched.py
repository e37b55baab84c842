"""Sections of gpu_papers about the paper on flexible batched SpMV."""

from device_report import csr_bytes, gflops
from gpu_papers_runs import figure, section
from paper_tables import BATCHED, BATCHED_LARGE, BATCHED_MIXED
from results import is_ours, markdown

KERNELS = {"coo": "coo", "scalar": "csr:kernel=scalar", "vector": "csr:kernel=vector", "smart": "csr:kernel=smart",
           "balanced": "csr:kernel=balanced", "ell": "ell"}
HEADS = ["COO", "CSR scalar", "CSR vector", "CSR smart", "CSR-I", "ELL"]
COUNTS = (1, 10, 100, 1000, 10000)


def fastest_of(rows, start):
    """The faster of the two forms of a kernel, or the fastest loop; None where none was timed."""
    found = [row for name, row in rows.items() if name.startswith(start)]
    return min(found, key=lambda row: row["seconds_best"], default=None)


def speed(matrix, row):
    return gflops(matrix, row) if row else None


def kernel_cells(runs, matrix):
    rows = runs.timed(matrix)
    return [figure(speed(matrix, fastest_of(rows, f"tulle:{kernel}"))) for kernel in KERNELS.values()]


def loop_over(runs, matrix):
    """GFlop/s of the fastest loop, and how many times as fast the fastest batch is."""
    rows = runs.timed(matrix)
    loop = fastest_of(rows, "loop:")
    batch = min((row for name, row in rows.items() if is_ours(name)), key=lambda row: row["seconds_best"],
                default=None)
    return [figure(speed(matrix, loop)),
            figure(loop["seconds_best"] / batch["seconds_best"] if loop and batch else None)]


def lines_of(runs, *names):
    return [[matrix["matrix"].partition(":")[2], matrix["problems"], *kernel_cells(runs, matrix),
             *loop_over(runs, matrix)] for matrix in runs.matrices(*names)]


def batch_table(runs, *names):
    return markdown(["GFlop/s in f64", "problems", *HEADS, "loop", "batch over loop"], lines_of(runs, *names))


def marks(runs, name, total):
    """How many of the matrices there are, and whether there is cuSPARSE."""
    known = [f"{len(runs.matrices(name))} of {total} matrices."] if total else []
    loops = [c for c in runs.contenders(name) if c.startswith("loop:cusparse")]
    return known + ([] if loops else runs.cusparse_mark(name))


def sizes(runs):
    names = [f"batch-sizes-{count}" for count in COUNTS if f"batch-sizes-{count}" in runs.runs] or ["batch-sizes-1"]
    return section(runs, "Batched SpMV, Fig. 3: one matrix, size of the batch", names,
                   lambda: batch_table(runs, *names),
                   ["Published (P100): a loop never above 5 GFlop/s; batches at least 10 and up to 25 times as fast; ELL "
                    "above 70 GFlop/s on dwt_992, gr_30_30 and nos3.", *marks(runs, names[0], len(BATCHED_LARGE))])


def density(runs, name, title, remark):
    names = [name, f"{name}-dense"] if f"{name}-dense" in runs.runs else [name]
    return section(runs, f"Batched SpMV, Fig. 4: nonzeros per row, {title}", names, lambda: batch_table(runs, *names),
                   [f"Published: 1000 problems of 1024 rows; {remark}", *marks(runs, name, 0)])


def every_matrix(runs):
    return section(runs, "Batched SpMV, Fig. 5: each matrix", ["batch-matrices"],
                   lambda: batch_table(runs, "batch-matrices"),
                   ["Published: 10000 problems; COO is the fastest on most, ELL only on balanced ones. The host checks "
                    "every problem, so there are fewer here.", *marks(runs, "batch-matrices", len(BATCHED))])


def mixed(runs, name, title, at, published_speed):
    def body():
        lines = []
        for matrix in runs.matrices(name):
            lines.append([f"here, {matrix['problems']} problems", *kernel_cells(runs, matrix),
                          *loop_over(runs, matrix)])
            rows = runs.timed(matrix)
            lines.append(["here, GB/s of CSR's arrays, x and y", *(
                figure(1e-9 * csr_bytes(matrix, "f64") / row["seconds_best"] if row else None, 1)
                for row in (fastest_of(rows, f"tulle:{kernel}") for kernel in KERNELS.values())), "-", "-"])
        known = [BATCHED_MIXED[name][at] if name in BATCHED_MIXED else "-" for name in KERNELS]
        return markdown(["GFlop/s in f64", *HEADS, "loop", "batch over loop"], [*lines, ["published", *known, "-", "-"]])
    return section(runs, title, [name], body, [published_speed, *marks(runs, name, 0)])


def sections(runs):
    return (sizes(runs)
            + density(runs, "batch-density", "balanced", "CSR scalar drops above 4, CSR smart has 35 to 60 GFlop/s.")
            + density(runs, "batch-few-rows", "in few rows", "CSR-I is the fastest everywhere.")
            + every_matrix(runs)
            + mixed(runs, "batch-mixed-large", "Batched SpMV, Fig. 6: matrices of order 800 to 1024 mixed", 0,
                    "Published GB/s, explicit zeros counted: ELL above 500, COO 450, CSR smart and CSR-I 300.")
            + mixed(runs, "batch-mixed", "Batched SpMV, Fig. 7: all matrices mixed", 1,
                    "Published GB/s, explicit zeros counted: ELL about 500."))
