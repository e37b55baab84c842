#!/usr/bin/env python3
"""Registers, shared memory, spills and loads of every kernel on every architecture.

Usage: table.py IMAGES TABLE [NVDISASM]           compare with the table; exit status 1 if anything differs or spills
       table.py IMAGES TABLE NVDISASM --write     write the table anew

IMAGES is the folder of the build in which nvcc left NAME_TYPES.usage and the machine code (src/gpu/cuda). A line
of the table is a kernel: its registers on each architecture and bytes of shared memory, as ptxas reports them; after
a bar loads in flight on sm_90 and sm_120, and loads of 128 bits (sass.py defines both). nvdisasm takes half a second
per file, so kernels with 64-bit offsets and other architectures are left out; they are much the same. Without
nvdisasm the part after the bar is not compared.
Where a kernel spills, the line has the bytes, and the line before it must say why that is all right:

    # csr_vector_f64_i32: why it may spill

Such lines stay when the table is written anew. Registers are those of one release of nvcc, which the first
line names; with another release only spills are looked at.
"""

import re
import sys
from pathlib import Path

import sass

ARCHITECTURES = ["75", "80", "90", "100", "120"]
DISASSEMBLED = ["90", "120"]
ENTRY = re.compile(r"Compiling entry function '(\w+)' for 'sm_(\w+)'")
SPILLS = re.compile(r"(\d+) bytes spill stores, (\d+) bytes spill loads")
USED = re.compile(r"Used (\d+) registers")
SHARED = re.compile(r"(\d+) bytes smem")
RELEASE = re.compile(r"^// Cuda compilation tools, release (\S+),", re.M)


def read_usage(images):
    """{kernel: {architecture: (registers, shared, spilled)}}"""
    kernels = {}
    for file in sorted(images.glob("*.usage")):
        kernel = architecture = None
        spilled = 0
        for line in file.read_text().splitlines():
            if found := ENTRY.search(line):
                kernel, architecture, spilled = found[1], found[2], 0
            elif found := SPILLS.search(line):
                spilled = int(found[1]) + int(found[2])
            elif kernel and (found := USED.search(line)):
                shared = SHARED.search(line)
                kernels.setdefault(kernel, {})[architecture] = (
                    int(found[1]), int(shared[1]) if shared else 0, spilled)
    return kernels


def release_of(images):
    """The release of nvcc, from the head of any PTX it left."""
    return RELEASE.search(next(images.glob("*/*.ptx")).read_text())[1]


def line_of(kernel, usage, loads=None):
    registers = " ".join(f"{usage[a][0]:3}" for a in ARCHITECTURES)
    shared = sorted({usage[a][1] for a in ARCHITECTURES})
    line = f"{kernel:40} {registers}  {'-'.join(map(str, shared)):>6}"
    spills = [f"sm_{a} spills {usage[a][2]} bytes" for a in ARCHITECTURES if usage[a][2]]
    if loads:
        in_flight = " ".join(f"{loads[a][0]:2}" for a in DISASSEMBLED)
        spills.append(f"| {in_flight}  {max(loads[a][1] for a in DISASSEMBLED)}")
    return " ".join([line, *spills])


def table(kernels, loads, release, reasons):
    lines = [f"# nvcc {release}: registers on sm_{', sm_'.join(ARCHITECTURES)}; bytes of shared memory"
             f" | loads in flight on sm_{', sm_'.join(DISASSEMBLED)}; loads of 128 bits"]
    for kernel in sorted(kernels):
        if kernel in reasons:
            lines.append(f"# {kernel}: {reasons[kernel]}")
        lines.append(line_of(kernel, kernels[kernel], loads.get(kernel)))
    return lines


def without_loads(lines):
    """What ptxas alone reports."""
    return [line.split(" |")[0] for line in lines]


def faults(kernels, loads, release, reasons, old):
    """Sentences about what is not as it should be."""
    for kernel, usage in sorted(kernels.items()):
        missing = [a for a in ARCHITECTURES if a not in usage]
        if missing:
            yield f"{kernel} has no machine code for sm_{', sm_'.join(missing)}"
            return
        if any(usage[a][2] for a in ARCHITECTURES) and kernel not in reasons:
            yield f"{line_of(kernel, usage)}: mend it, or say why in the table"
    for kernel in sorted(reasons):
        if kernel not in kernels or not any(u[2] for u in kernels[kernel].values()):
            yield f"{kernel}: the table says why it spills, and it does not"
    if not old or not old[0].startswith(f"# nvcc {release}:"):
        print(f"the table is of another release than nvcc {release}: only spills were looked at")
        return
    new = table(kernels, loads, release, reasons)
    if not loads:
        print("nvdisasm is not there: loads were not compared (./dev setup --gpu)")
        old, new = without_loads(old), without_loads(new)
    yield from (f"was  {line}" for line in sorted(set(old) - set(new)))
    yield from (f"now  {line}" for line in sorted(set(new) - set(old)))


def main():
    images, file = Path(sys.argv[1]), Path(sys.argv[2])
    old = file.read_text().splitlines() if file.exists() else []
    reasons = dict(re.findall(r"^# (\w+): (.*)$", "\n".join(old[1:]), re.M))
    kernels, release = read_usage(images), release_of(images)
    tool = next((word for word in sys.argv[3:] if word != "--write"), None)
    loads = sass.read_all(tool, images, DISASSEMBLED) if tool else {}
    if "--write" in sys.argv and loads:
        file.write_text("\n".join(table(kernels, loads, release, reasons)) + "\n")
        return
    found = list(faults(kernels, loads, release, reasons, old))
    for fault in found:
        print(fault)
    print(f"{len(kernels)} kernels on {len(ARCHITECTURES)} architectures, {len(found)} faults")
    if found:
        print(f"if that is as it should be: tests/gpu/resources/table.py {images} {file} {tool or 'NVDISASM'} --write")
    sys.exit(bool(found) or not kernels)


if __name__ == "__main__":
    main()
