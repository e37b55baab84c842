#!/usr/bin/env python3
"""Run a program on one of the stand-ins for a GPU. Usage: on.py LAYERS.json LAYER PROGRAM [ARGS...]

LAYERS.json, which the build writes, says by which environment a program meets each of them: no program
is built differently for any. A layer that is not there fails: the program must not end as skipped. What
oclgrind has to say fails the run, too.

PoCL gives each of its threads local memory for the blocks that it runs. An array that it overlooks becomes static in
the library made from the kernel, and blocks that run at the same time overwrite it: rarely, on few cores. So a run on
PoCL fails if a library that it used has static memory.

Intel's compiler of 2026.2 does not return from one build in some dozens: a pass over values that live
across barriers depends on the order of addresses. So a program on that layer that takes longer than
LIMIT seconds, five times what the slowest takes, is run again. A program that hangs by itself does so
in every attempt, and fails.
"""

import json
import os
import struct
import subprocess
import sys
import tempfile
import time
from pathlib import Path

SKIPPED = 77
LIMIT, ATTEMPTS = 150, 3


def environment(layers, layer):
    """The caller's, less what would bring in another driver, with what the layer sets."""
    described = json.loads(Path(layers).read_text())
    if layer not in described:
        sys.exit(f"there is no layer {layer}: {', '.join(described)}")
    kept = {name: value for name, value in os.environ.items()
            if name not in ("OCL_ICD_VENDORS", "OCL_ICD_FILENAMES", "LD_LIBRARY_PATH")}
    return {**kept, "OMP_WAIT_POLICY": "passive", **described[layer]}


def has_static_memory(library):
    """Has this ELF file a section of zeros that is writable (.bss)?"""
    zeros, writable = 8, 1
    text = library.read_bytes()
    table, = struct.unpack_from("<Q", text, 40)
    size, count = struct.unpack_from("<HH", text, 58)
    sections = [struct.unpack_from("<4xIQ16xQ", text, table + n * size) for n in range(count)]
    return any(kind == zeros and flags & writable and length > 0 for kind, flags, length in sections)


def static_locals(cache, since):
    """Kernels of programs that were used since then, and whose local memory PoCL made static."""
    programs = [used.parent for used in Path(cache).glob("*/*/last_accessed") if used.stat().st_mtime >= since]
    return sorted({library.stem for program in programs for library in program.glob("*/*/*.so")
                   if has_static_memory(library)})


def run(layers, layer, command, settings=None, **options):
    """(exit status, output) of a program on a layer, with more settings of the environment."""
    started = time.time() - 1  # times of files are coarser
    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder, "log")
        env = {**environment(layers, layer), **(settings or {})}
        if layer == "oclgrind":
            env["OCLGRIND_LOG"] = str(log)
        done = subprocess.run(command, env=env, text=True, errors="replace", check=False,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, **options)
        complaints = log.read_text(errors="replace").strip() if log.exists() else ""
    status, output = done.returncode, done.stdout
    if complaints:
        status, output = status or 1, output + "\noclgrind: " + complaints[:4000]
    shared = static_locals(env["POCL_CACHE_DIR"], started) if layer == "pocl" else []
    if shared:
        status, output = status or 1, output + "\nlocal memory is static in: " + ", ".join(shared) + "\n"
    if status == SKIPPED:
        status, output = 1, output + f"\n{layer} shows no device"
    return status, output


def run_in_time(layers, layer, command):
    for attempt in range(ATTEMPTS):
        try:
            return run(layers, layer, command, timeout=LIMIT)
        except subprocess.TimeoutExpired:
            print(f"attempt {attempt + 1} took more than {LIMIT} s", flush=True)
    return 1, f"none of {ATTEMPTS} attempts ended\n"


def main():
    if len(sys.argv) < 4:
        sys.exit(__doc__)
    layers, layer, command = sys.argv[1], sys.argv[2], sys.argv[3:]
    status, output = run_in_time(layers, layer, command) if layer == "intel" else run(layers, layer, command)
    sys.stdout.write(output)
    sys.exit(status if status >= 0 else 128 - status)


if __name__ == "__main__":
    main()
