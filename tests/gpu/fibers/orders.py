#!/usr/bin/env python3
"""Run every kernel with its threads and blocks in six orders: right each time, and where the same bits are
promised, the same bits. Usage: orders.py LAYERS.json test_gpu_products|test_gpu_batch"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
import on  # noqa: E402

ORDERS = ["fibers", *(f"fibers.order{n}" for n in range(1, 6))]


def main():
    layers, program = sys.argv[1:]
    first, failed = None, 0
    for layer in ORDERS:
        status, output = on.run(layers, layer, [program, "--brief", "--bits"])
        bits = [line for line in output.splitlines() if line.startswith("bits ")]
        if status != 0 or not bits:
            print(f"{layer}: exit status {status}\n{output[-3000:]}")
            failed += 1
            continue
        first = first or bits
        other = [(a, b) for a, b in zip(first, bits) if a != b]
        if other or len(bits) != len(first):
            print(f"{layer}: {len(other)} of {len(first)} results have other bits:")
            print("\n".join(f"  {a}\n  {b}" for a, b in other[:5]))
            failed += 1
    print(f"{len(ORDERS)} orders, {len(first or [])} results that promise the same bits, "
          f"{failed} orders failed")
    sys.exit(failed > 0)


if __name__ == "__main__":
    main()
