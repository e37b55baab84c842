"""Matrices and vectors of whole numbers: every product is exact, so every comparison is for equality."""

import os

# Threads that spin while they wait take the cores from other tests. Read when tulle is loaded.
os.environ.setdefault("OMP_WAIT_POLICY", "passive")

import numpy  # noqa: E402
import pytest  # noqa: E402


def whole(rng, *shape, dtype="float64"):
    return rng.integers(-8, 9, shape).astype(dtype)


@pytest.fixture
def rng():
    return numpy.random.default_rng(1)


@pytest.fixture
def dense(rng):
    """30 x 20 with empty rows and columns; sides divide by 10, for bsr."""
    d = whole(rng, 30, 20) * (rng.random((30, 20)) < 0.2)
    d[7], d[:, 3] = 0, 0
    return d
