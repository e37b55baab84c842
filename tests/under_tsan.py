"""Run a test of the ThreadSanitizer build; fail if it fails, or if Archer did not watch its OpenMP.

The library synchronizes by C11 atomics, which the sanitizer knows. Some tests use OpenMP themselves.
Without Archer the sanitizer does not know its barriers: it reports races that are none, and with its
reports about libomp ignored it may see nothing at all. Either way the run would mean nothing.
"""
import os
import subprocess
import sys

SIGN = "Archer detected OpenMP application with TSan"
SETTINGS = {
    "OMP_NUM_THREADS": "4",
    "TSAN_OPTIONS": "ignore_noninstrumented_modules=1 halt_on_error=1",
    "ARCHER_OPTIONS": "verbose=1",
}

needed = subprocess.run(["readelf", "-dW", sys.argv[1]], text=True, stdout=subprocess.PIPE,
                        check=True).stdout
run = subprocess.run(sys.argv[1:], env={**SETTINGS, **os.environ}, text=True, errors="replace",
                     stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
print(run.stdout, end="")
if run.returncode != 0:
    sys.exit(run.returncode if run.returncode > 0 else 1)
if "libomp" in needed and SIGN not in run.stdout:
    print(f"under_tsan: no line \"{SIGN}\": the run means nothing")
    sys.exit(1)
