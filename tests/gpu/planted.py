#!/usr/bin/env python3
"""Plant bugs in kernels for GPUs, one at a time, and tell which of the stand-ins catches each.

A bug is a patch of tests/gpu/planted, as in tests/planted, whose head says

    Bug: one sentence
    Format: csr:kernel=vector      the kernels to run: what --format of test_gpu_products takes, or,
                                   after the word batch, layouts, updates, compressed, complex, many, capture, host_threads
                                   or single_launches, that of
                                   test_gpu_batch, ...
    Caught by: oclgrind pocl       layers that must catch it; the others may

Every layer runs, or with --required those that must catch it alone, without CUDA where none of these needs it. A layer
catches a bug if the test fails on it. No layer sees all of them, which is why there are several. The layer `counts` is the test gpu.counts: it sees accesses that are right and wasteful, and
faults of the counting itself.
"""

import argparse
import os
import re
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "planted"))
import run as planted  # noqa: E402
sys.path.insert(0, str(HERE))
import on  # noqa: E402

# What is run on each layer, besides --format. Interpreters get the few small matrices.
LAYERS = {
    "pocl": [],
    "intel": ["--brief"],
    "intel.local": ["--brief", "--local"],
    "oclgrind": ["--tiny", "--type", "f64"],
    "fibers": ["--brief"],
    "ptx90": ["--tiny", "--type", "f64"],
    "counts": [],
}
TIMEOUT = 300
# Two kinds of build: nvcc and the stand-ins take minutes after each change of the dialect. Stand-ins by the layers that need them.
CUDA = {"fibers": ["fibers_plain"], "ptx90": ["ptx_interpreter"], "counts": ["ptx_interpreter", "test_gpu_counts"]}
for kind in ("cuda", "opencl"):
    planted.BUILDS[kind] = [*planted.BUILDS["release"], "-DTULLE_GPU_TESTS=ON", "-DTULLE_BUILD_CLI=OFF",
                            "-DTULLE_ISAS=scalar", f"-DTULLE_CUDA={'ON' if kind == 'cuda' else 'OFF'}", "-DTULLE_CUDA_ARCHITECTURES=90",
                            f"-DTULLE_GPU_VENV={planted.SOURCE / 'build/gpu-tools'}"]


class Bug:
    def __init__(self, path):
        text = path.read_text()
        fields = dict(re.findall(r"^([A-Z][a-z ]+): *(.+)$", text.partition("--- ")[0], re.M))
        if set(fields) != {"Bug", "Format", "Caught by"}:
            sys.exit(f"{path.name}: the head wants Bug:, Format: and Caught by:")
        self.name, self.path, self.format = path.stem, path, fields["Format"]
        self.catchers = fields["Caught by"].split()
        self.files = re.findall(r"^\+\+\+ b/(\S+)", text, re.M)

    def program(self):
        *program, words = self.format.split()
        return program[0] if program else "products", words

    def targets(self, layers):
        """What these layers run: a build of all takes several times as long."""
        return [f"test_gpu_{self.program()[0]}", *(target for layer in layers for target in CUDA.get(layer, []))]

    def layers(self, given):
        """Those on which it is run."""
        return [layer for layer in given.layers if not given.required or layer in self.catchers]


def counts_differ(yard, kind):
    """Does gpu.counts fail?"""
    here, build = yard.tree / "tests/gpu/counts", yard.root / kind
    done = planted.run([sys.executable, here / "check.py", build / "tests/gpu/layers.json",
                        build / "tests/gpu/counts/test_gpu_counts", build / "src/gpu/cuda", here / "table.txt"])
    if done.returncode == on.SKIPPED:
        sys.exit(f"counts: {done.stdout}")
    return done.returncode != 0


def caught(yard, kind, layer, program, words):
    """Does the test fail on this layer?"""
    if layer == "counts":
        return counts_differ(yard, kind)
    folder = yard.root / kind / "tests/gpu"
    if program == "capture" and layer not in CUDA:
        return False  # a stream of CUDA
    command = [str(folder / f"test_gpu_{program}"), *LAYERS[layer],
               *(["--type", "c128"] if program == "complex" else []), "--format", words]
    try:
        status, _ = on.run(folder / "layers.json", layer.split(".")[0], command, timeout=TIMEOUT)
    except subprocess.TimeoutExpired:
        return True
    return status != 0


def plant(yard, kind, bug, layers):
    """The layers that catch the bug."""
    old = {yard.tree / name: (yard.tree / name).read_bytes() for name in bug.files}
    try:
        applied = planted.run(["patch", "-p1", "--silent", "--no-backup-if-mismatch", "-i", bug.path],
                              cwd=yard.tree)
        if applied.returncode != 0:
            sys.exit(f"{bug.name}: the patch does not apply any more: {applied.stdout}")
        built = yard.build(kind, bug.targets(layers))
        if built.returncode != 0:
            sys.exit(f"{bug.name}: does not compile: {built.stdout[-2000:]}")
        return [layer for layer in layers if caught(yard, kind, layer, *bug.program())]
    finally:
        for path, text in old.items():
            path.write_bytes(text)


def kind_of(layers):
    return "cuda" if CUDA.keys() & set(layers) else "opencl"


def plant_all(yard, kind, runs):
    """Plant bugs in one kind of build, each for its layers; how many were missed."""
    built = yard.build(kind, sorted({target for bug, layers in runs.items() for target in bug.targets(layers)})) if runs else None
    if built and built.returncode != 0:
        sys.exit(f"nothing was planted\n{built.stdout[-4000:]}")
    for form, layer in sorted({(bug.program(), layer) for bug, layers in runs.items() for layer in layers}):
        if caught(yard, kind, layer, *form):
            sys.exit(f"{' '.join(form)} fails on {layer} without any bug")
    missed = 0
    for bug, layers in runs.items():
        by = plant(yard, kind, bug, layers)
        right = bool(by) and all(layer in by for layer in bug.catchers if layer in layers)
        missed += not right
        print(f"{'caught' if right else 'NOT CAUGHT':10} {bug.name:32} by {' '.join(by) or 'none'}", flush=True)
    return missed


def main():
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--scratch", type=Path, default=planted.SOURCE / "build/gpu-planted")
    options.add_argument("--jobs", type=int, default=os.cpu_count())
    options.add_argument("--layers", nargs="+", choices=LAYERS, default=list(LAYERS))
    options.add_argument("--required", action="store_true", help="only the layers that must catch a bug")
    options.add_argument("names", nargs="*", help="bugs to plant; all without names")
    given = options.parse_args()

    bugs = [Bug(path) for path in sorted((HERE / "planted").glob("*.patch"))]
    bugs = [bug for bug in bugs if bug.layers(given) and (not given.names or bug.name in given.names)]
    given.scratch.mkdir(parents=True, exist_ok=True)
    yard = planted.Yard(given.scratch.resolve(), given.jobs)
    if not bugs:
        sys.exit("nothing was planted")
    missed = 0
    for kind in ("opencl", "cuda"):
        missed += plant_all(yard, kind, {bug: bug.layers(given) for bug in bugs if kind_of(bug.layers(given)) == kind})
    print(f"{len(bugs) - missed} passed, {missed} failed")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
