#!/usr/bin/env python3
"""Has every kernel been launched? Usage: launched.py SOURCE LIST...

SOURCE is the tree, whose .gpu files name the kernels; each LIST is what a test wrote by --launches. A kernel
that no list names was never looked at by oclgrind.
"""

import re
import sys
from pathlib import Path


def main():
    source, lists = Path(sys.argv[1]), [Path(name) for name in sys.argv[2:]]
    kernels = {name for file in (source / "src").rglob("*.gpu")
               for name in re.findall(r"^KERNEL\((\w+)\)", file.read_text(), re.M)}
    launched = {re.sub(r"_[fc]\d+_i\d\d$", "", name) for file in lists
                for name in file.read_text().split()}
    unknown, missing = sorted(launched - kernels), sorted(kernels - launched)
    print(f"{len(kernels & launched)} of {len(kernels)} kernels were launched")
    if unknown or missing or not kernels:
        sys.exit(f"launched, but in no .gpu file: {unknown}\nnever launched: {missing}")


if __name__ == "__main__":
    main()
