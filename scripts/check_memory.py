#!/usr/bin/env python3
"""Run test programs under valgrind: no invalid access, no use of uninitialized memory, no leak.

Usage: check_memory.py BUILD [--jobs N]. BUILD is a release build. valgrind knows no AVX-512, so kernels are those of AVX2; guard pages and
AddressSanitizer check the others. Exit status 1 if a program fails or valgrind reports an error. What glibc holds for threads that still wait when the
program ends, and a value that libisal did not set, do not count (SYSTEM); there are no suppressions for memory of tulle.
"""

import argparse
import os
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

KERNELS = "--isa avx2 --brief"
PROGRAMS = ["isas", "hash", "misuse", "features", *(f"conformance --format {format} --type f64 {KERNELS}" for format in ("csr", "sell", "csr5")),
            *(f"roundtrip --format {format} --type f64 --brief" for format in ("bsell", "csr2")), f"nonfinite --format hot {KERNELS}",
            "alloc_failure --format csr", "io/io_texts", "io/io_hostile", "io/io_packed", "wisdom/wisdom_kept"]
VALGRIND = ["valgrind", "--quiet", "--error-exitcode=99", "--leak-check=full", "--errors-for-leak-kinds=definite,possible",
            "--show-leak-kinds=definite,possible"]
# glibc's table of thread-local storage, allocated inside pthread_create(): the helpers of a team wait for work until the process ends.
# libisal's checksum of a gzip header that is cut short, on the stack of isal_inflate() (2.30): at worst a wrong one goes unnoticed, and the
# text has a checksum of its own.
SYSTEM = """{
   thread-local storage of a thread that waits
   Memcheck:Leak
   match-leak-kinds: possible
   fun:calloc
   ...
   fun:allocate_dtv
   fun:_dl_allocate_tls
   fun:allocate_stack
   fun:pthread_create*
}
{
   checksum of a gzip header
   Memcheck:Cond
   fun:isal_read_gzip_header
   fun:isal_inflate
}
"""
TIMEOUT = 3600


def program_of(build, words):
    """build/tests/io/test_io_texts for io/io_texts."""
    folder, _, name = words[0].rpartition("/")
    return [str(build / "tests" / folder / f"test_{name}"), *words[1:]]


def run(build, words):
    """What is wrong with a run; "": nothing. A run that checks nothing is wrong, too."""
    suppressions = build / "valgrind.supp"
    suppressions.write_text(SYSTEM)
    environment = {**os.environ, "OMP_WAIT_POLICY": "passive", "TULLE_GATHER": "instruction"}
    try:
        done = subprocess.run([*VALGRIND, f"--suppressions={suppressions}", *program_of(build, words)], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True, errors="replace", env=environment, timeout=TIMEOUT, check=False)
    except subprocess.TimeoutExpired:
        return f"did not end within {TIMEOUT} s"
    if done.returncode == 0 and re.search(r"^[1-9]\d* checks, 0 failures", done.stdout, re.M):
        return ""
    return f"status {done.returncode}\n{done.stdout[-3000:]}"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("build", type=Path)
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args()
    bad = 0
    with ThreadPoolExecutor(options.jobs) as pool:
        for program, fault in zip(PROGRAMS, pool.map(lambda words: run(options.build, words.split()), PROGRAMS)):
            print(f"{'FAILED' if fault else 'clean':7} {program} {fault}", flush=True)
            bad += bool(fault)
    print(f"{len(PROGRAMS)} programs, {bad} failed")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
