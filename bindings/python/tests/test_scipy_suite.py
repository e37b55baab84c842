"""A few of SciPy's own tests inside tulle.accelerate. `./dev test scipy` runs all of scipy.sparse."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent


def test_solvers():
    module = "scipy.sparse.linalg._isolve.tests.test_iterative"
    pytest.importorskip(module)
    done = subprocess.run([sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "scipy_under_tulle", "--pyargs",
                           module, "-k", "test_convergence"], capture_output=True, text=True, cwd=HERE, timeout=300, check=False,
                          env={**os.environ, "PYTHONPATH": os.pathsep.join([str(HERE), os.environ.get("PYTHONPATH", "")])})
    assert done.returncode == 0, done.stdout
    assert int(re.search(r"products_by_tulle ([\d,]+)", done.stdout)[1].replace(",", "")) > 1000, done.stdout
    assert int(re.search(r"(\d+) passed", done.stdout)[1]) > 50
