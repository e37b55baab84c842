"""Loads of kernels, read from their machine code by nvdisasm.

Loads in flight: in straight-line code (between labels and branches), the number of global loads that have been issued
when the result of one of them is first used; the maximum over the kernel. The warp waits there for that load and for
the earlier ones, which return in order. Loads of 128 bits: their number in the code of the kernel.
"""

import re
import subprocess
from concurrent.futures import ThreadPoolExecutor

SECTION = re.compile(r"^\s*\.section\s+\.text\.(\w+)|^\.text\.(\w+):")
INSTRUCTION = re.compile(r"^\s*/\*[0-9a-f]{4,}\*/\s+(?:@!?U?P\w+\s+)?([A-Z][\w.]*)\s*(.*?)\s*;")
REGISTER = re.compile(r"\bR(\d+)\b")
ENDS = ("BRA", "EXIT", "RET", "BSYNC", "BRX", "JMP", "CALL", "WARPSYNC", "BREAK")


def words_of(opcode):
    """Registers that a load fills."""
    return 4 if ".128" in opcode else 2 if ".64" in opcode else 1


def loads_of(code):
    """(loads in flight, loads of 128 bits) of the lines of one kernel."""
    most, wide, flying = 0, 0, []  # the registers of each load whose result has not been used
    for line in code:
        if re.match(r"^\s*\.L", line):
            flying = []
            continue
        found = INSTRUCTION.match(line)
        if not found:
            continue
        opcode, operands = found.groups()
        registers = [int(n) for n in REGISTER.findall(operands)]
        load = opcode.startswith("LDG")
        used = registers[1:] if load else registers
        waits = [n for n, results in enumerate(flying) if set(results) & set(used)]
        if waits:
            most = max(most, len(flying))
            flying = flying[max(waits) + 1:]
        if load:
            flying.append(range(registers[0], registers[0] + words_of(opcode)))
            wide += ".128" in opcode
        if opcode.split(".")[0] in ENDS:
            flying = []
    return most, wide


def read_cubin(nvdisasm, cubin):
    """{kernel: (loads in flight, loads of 128 bits)}"""
    text = subprocess.run([nvdisasm, "-c", str(cubin)], check=True, text=True, capture_output=True).stdout
    code, kernel = {}, None
    for line in text.splitlines():
        if found := SECTION.match(line):
            kernel = found[1] or found[2]
        elif kernel:
            code.setdefault(kernel, []).append(line)
    return {name: loads_of(lines) for name, lines in code.items()}


def read_all(nvdisasm, images, architectures):
    """{kernel: {architecture: (loads in flight, loads of 128 bits)}}, of kernels with 32-bit offsets"""
    kernels = {}
    for architecture in architectures:
        cubins = sorted(images.glob(f"*_i32/*_{architecture}.cubin"))
        with ThreadPoolExecutor() as pool:
            for found in pool.map(lambda cubin: read_cubin(nvdisasm, cubin), cubins):
                for kernel, loads in found.items():
                    kernels.setdefault(kernel, {})[architecture] = loads
    return kernels
