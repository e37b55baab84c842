"""Matrices of a suite of tulle-compare, as SciPy arrays."""

import subprocess
import tempfile
from pathlib import Path

import tulle

RELEASE = Path(__file__).resolve().parents[3] / "build/release"


def names(suite):
    """Files, or "gen:SPEC". Real ones are found through TULLE_MATRICES."""
    listed = subprocess.run([RELEASE / "bench/tulle-compare", "--suite", suite, "--list"], check=True,
                            capture_output=True, text=True)
    return listed.stdout.split()


def command(*arguments):
    """Run `tulle` of the release build."""
    subprocess.run([RELEASE / "tulle", *arguments], check=True, capture_output=True)


def load(name):
    """(short name, csr_array of float64)"""
    spec = name.removeprefix("gen:")
    if spec == name:
        return Path(name).name.split(".")[0], tulle.matrix(name).to_scipy()
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "generated.mtx")
        command("generate", spec, "-o", file)
        return spec, tulle.matrix(file).to_scipy()
