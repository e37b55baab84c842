"""The benchmarks of iterative methods run on tiny matrices, compare results, and compute what they print."""

import gzip
import importlib.util
import json
import math
import os
import shutil
import subprocess
import sys
from pathlib import Path

import numpy
import pytest
import scipy.io
import scipy.sparse

BENCH = Path(__file__).parent.parent / "bench"


def run(name, *arguments, status=0):
    done = subprocess.run([sys.executable, BENCH / name, *map(str, arguments)], capture_output=True, text=True, timeout=300,
                          env=os.environ | {"TULLE_MATRICES": "no-such-folder"}, check=False)
    assert done.returncode == status, done.stdout + done.stderr
    return done.stdout + done.stderr


def tiny(folder, positive):
    """A file with a matrix: positive definite, or rectangular."""
    n = 40
    if positive:
        S = scipy.sparse.diags_array([-1.0, 2.5, -1.0], offsets=[-1, 0, 1], shape=(n, n))
    else:
        S = scipy.sparse.random_array((n, 2 * n), density=0.1, rng=numpy.random.default_rng(1))
    path = folder / f"{'positive' if positive else 'rectangle'}.mtx"
    scipy.io.mmwrite(path, S.tocoo())
    return path


def interleaved():
    sys.path.insert(0, str(BENCH))
    try:
        return importlib.import_module("interleaved")
    finally:
        sys.path.remove(str(BENCH))


def all_numbers(row):
    return all(math.isfinite(value) for value in row.values() if isinstance(value, (int, float)))


def test_storage():
    told = run("storage.py", "--rows", 30000, "--rounds", 1)
    kinds = [line.split()[1] for line in told.splitlines() if "speed" in line]
    assert kinds == 2 * ["f64", "f32", "f64", "f32", "f16", "bf16"]


@pytest.mark.parametrize("section", ["both", "pdlp", "lsqr"])
def test_both_directions(tmp_path, section):
    told = run("solvers.py", "--only", section, "--rounds", 2, "--seconds", 1e-3, "--json", tmp_path / "out.json",
               tiny(tmp_path, False))
    kept = json.loads((tmp_path / "out.json").read_text())
    row = kept[section]["rows"]["rectangle"]
    assert all_numbers(row) and row["both" if section == "both" else "/ scipy"] > 0 and "asked >=" in told
    assert kept["machine"]["isa"] in told and kept["machine"]["gathers"] in told


def test_definite(tmp_path):
    if shutil.which(os.environ.get("CC", "cc")) is None:
        pytest.skip("no C compiler")
    run("solvers.py", "--only", "cg,scipy", "--rounds", 1, "--json", tmp_path / "out.json", tiny(tmp_path, True))
    kept = json.loads((tmp_path / "out.json").read_text())
    assert all(all_numbers(kept[section]["rows"]["positive"]) for section in ("cg", "scipy"))
    assert kept["cg"]["rows"]["positive"]["/ separate"] > 0


def test_accelerate(tmp_path):
    pytest.importorskip("networkx")
    run("accelerate.py", "--rounds", 1, "--small-rounds", 1, "--scale", 1e-3, "--json", tmp_path / "out.json")
    kept = json.loads((tmp_path / "out.json").read_text())
    for section in ("long", "small"):
        assert len(kept[section]["rows"]) >= 7 and all(map(all_numbers, kept[section]["rows"].values()))
        assert all(0 < row["share"] < 1 for row in kept[section]["rows"].values())


def test_unknown_section():
    assert "unknown section bot; available: both," in run("solvers.py", "--only", "bot", status=2)


def test_turns():
    """Every contender has one turn per round, in another order each time, with one call more than is timed."""
    module, order = interleaved(), []
    taken = module.in_turns({name: lambda name=name: order.append(name) for name in "abc"}, rounds=3, calls=2, rest=0)
    assert order == [*"aaabbbccc", *"bbbcccaaa", *"cccaaabbb"]
    assert {name: len(seconds) for name, seconds in taken.items()} == {"a": 3, "b": 3, "c": 3}
    assert module.medians({"a": [3.0, 1.0, 2.0]}) == {"a": 2.0}
    assert module.geomean([1.0, 4.0]) == pytest.approx(2.0)


def test_verdicts(capsys):
    module = interleaved()
    table = module.Table("title", {"speed": ".2f", "bytes": ".2f"}, ["speed", "bytes"], {"speed": (">=", 1.9), "bytes": ("<=", 1.5)},
                         {"speed": (">=", 1)})
    table.add("slow", {"speed": 0.5, "bytes": 2.0})
    table.add("fast", {"speed": 8.0, "bytes": 0.5})
    assert table.finish()["geomeans"] == pytest.approx({"speed": 2.0, "bytes": 1.0})
    told = capsys.readouterr().out
    assert "speed: 2.00, asked >= 1.9: met" in told and "bytes: 1.00, asked <= 1.5: met" in told
    assert "speed: asked >= 1 of each: MISSED by slow\n" in told


def test_files(tmp_path):
    path = tmp_path / "tiny.mtx.gz"
    path.write_bytes(gzip.compress(tiny(tmp_path, positive=True).read_bytes()))
    run("files.py", "--rounds", 1, "--json", tmp_path / "files.json", path)
    found = json.loads((tmp_path / "files.json").read_text())["files"]
    assert found["rows"]["tiny"]["entries"] == 118 and all_numbers(found["rows"]["tiny"])
    assert set(found["geomeans"]) == {"over gz", "over npz", "over stored"}
