"""Products on devices: on_device.py, run where a driver is found: the stand-in for libcuda, and PoCL.

Both come from `./dev test gpu`, whose layers.json says by which environment a process finds a driver.
"""

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest
import scipy.sparse as sp

import tulle
from tulle import _core

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[2]
LAYERS = Path(os.environ.get("TULLE_GPU_LAYERS", ROOT / "build/release/tests/gpu/layers.json"))
sys.path.insert(0, str(ROOT / "tests/gpu"))
import on  # noqa: E402


@pytest.mark.parametrize("layer", ["fibers", "pocl"])
def test_on(layer):
    if not LAYERS.exists():
        pytest.skip(f"{LAYERS} is missing: ./dev test gpu writes it")
    if layer not in json.loads(LAYERS.read_text()):
        pytest.skip(f"{LAYERS} has no {layer}: it was written without nvcc")
    environment = on.environment(LAYERS, layer)
    folder = Path(environment.get("LD_LIBRARY_PATH", ""))
    if layer == "fibers" and not (folder / "libcuda.so.1").exists():
        pytest.skip(f"{folder} has no stand-in for libcuda: ./dev test gpu builds it")
    done = subprocess.run([sys.executable, "-m", "pytest", "-q", "-rs", "-p", "no:cacheprovider", "on_device.py"],
                          cwd=HERE, env=environment, capture_output=True, text=True, timeout=300, check=False)
    print(done.stdout, done.stderr)
    if done.returncode == 5 or not re.search(r"\d+ passed", done.stdout):
        skipped = re.search(r"^SKIPPED .*: (.*)$", done.stdout, re.M)
        if done.returncode in (0, 5) and skipped:
            pytest.skip(skipped.group(1))
    assert done.returncode == 0, "on_device.py failed"


@pytest.mark.skipif(any(one["name"].startswith("cuda:") for one in tulle.devices()), reason="there is CUDA")
def test_without_cuda():
    theirs = SimpleNamespace(__cuda_array_interface__={"version": 3, "shape": (3,), "typestr": "<f8", "data": (64, False)})
    A = tulle.matrix(sp.csr_array([[4.0, 0, 1]]))
    for call in (lambda: A @ theirs, lambda: tulle.matrix((theirs, theirs, theirs)), lambda: A.on("cuda:0")):
        with pytest.raises(ValueError, match='there is no device "cuda:0"'):
            call()
    assert A.T.rank("a100")[0]["format"]
    with pytest.raises(ValueError, match="none"):
        A.rank("none")


@pytest.mark.parametrize("base", [_core.Matrix, _core.Device, _core.DevicePlan, _core.DeviceVector], ids=lambda base: base.__name__)
def test_classes_hide_nothing_of_the_module(base):
    """An attribute of the same name would be read in its place, on a device only where there is one."""
    for derived in base.__subclasses__():
        assert vars(base).keys() & vars(derived).keys() <= {"__doc__", "__module__"}
