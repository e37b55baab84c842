#!/usr/bin/env python3
"""Test the command. Usage: run.py TULLE MODULE [NAME...]

Modules: batch, cases, collection, devices, figures, formats, hostile, machine, manual, outputs, pagerank, peers,
pictures, plans, plots, terminal. NAME chooses single cases.
"""

import importlib
import sys
from pathlib import Path

import harness


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    module = importlib.import_module(sys.argv[2])
    return harness.run_all(module, Path(sys.argv[1]).resolve(), sys.argv[3:])


if __name__ == "__main__":
    sys.dont_write_bytecode = True
    sys.exit(main())
