#!/usr/bin/env python3
"""Instructions per nonzero of each kernel on Arm, counted by an emulator, as Markdown.

    bench/instructions.py [--build build/arm] [--formats csr,sell] [--types f32,f64,c64,c128]

After ./dev build arm. A count is the difference of two runs that differ in the number of products, divided by products and
nonzeros. No time is taken: instructions differ in what they cost, and a gather is one of them."""

import argparse
import re
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
EMULATOR = ["qemu-aarch64", "-L", "/usr/aarch64-linux-gnu", "-E", "LD_LIBRARY_PATH=/usr/aarch64-linux-gnu/lib:/usr/lib/aarch64-linux-gnu"]
SETS = ("scalar", "neon", "sve128", "sve256", "sve512")
MATRICES = ("grid", "rows")
FEW, MORE = 2, 6  # products of the two runs


def compile_both(build, folder):
    """The plugin for this machine and the program for Arm."""
    plugin, program = folder / "plugin.so", folder / "instructions"
    subprocess.run(["gcc", "-O2", "-shared", "-fPIC", "-o", plugin, HERE / "instructions_plugin.c"], check=True)
    subprocess.run(["aarch64-linux-gnu-gcc", "-O1", "-std=c11", f"-I{HERE.parent / 'include'}", "-o", program, HERE / "instructions.c",
                    build / "src/libtulle.a", "-lz", "-lpthread", "-lm", "-ldl"], check=True)
    return plugin, program


def run(plugin, program, isa, arguments):
    """Nonzeros and executed instructions, or None if the kernel does not exist."""
    machine = f"max,{isa}=on" if isa.startswith("sve") else "cortex-a72"
    done = subprocess.run([*EMULATOR, "-cpu", machine, "-plugin", plugin, program, *arguments], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        print(f"{' '.join(arguments)}: {done.stderr.strip().splitlines()[0]}", file=sys.stderr)
        return None
    return int(done.stdout), int(re.search(r"executed (\d+)", done.stderr)[1])


def per_nonzero(plugin, program, isa, kernel):
    counts = [run(plugin, program, isa, [*kernel, str(n)]) for n in (FEW, MORE)]
    if None in counts:
        return None
    (nonzeros, few), (_, more) = counts
    return (more - few) / (MORE - FEW) / nonzeros


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", type=Path, default=HERE.parent / "build/arm")
    parser.add_argument("--formats", default="csr,sell")
    parser.add_argument("--types", default="f32,f64,c64,c128")
    o = parser.parse_args()
    print(f"| format | type | matrix | {' | '.join(SETS)} |\n|{'---|' * (3 + len(SETS))}")
    with tempfile.TemporaryDirectory() as folder:
        plugin, program = compile_both(o.build, Path(folder))
        for name in o.formats.split(","):
            for kind in o.types.split(","):
                for matrix in MATRICES:
                    counts = [per_nonzero(plugin, program, isa, [name, kind, isa, matrix]) for isa in SETS]
                    print(f"| {name} | {kind} | {matrix} | {' | '.join('' if c is None else f'{c:.1f}' for c in counts)} |", flush=True)


if __name__ == "__main__":
    main()
