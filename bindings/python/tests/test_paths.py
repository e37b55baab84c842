"""Every argument that is a path takes str, bytes and os.PathLike of any name, and errors show names whole."""

import os
from pathlib import Path

import numpy as np
import pytest
import scipy.sparse as sp

import tulle
import tulle.plot

TEXT = "%%MatrixMarket matrix coordinate real general\n2 2 2\n1 1 4\n2 1 3\n"
NAMES = [b"plain.mtx", "na\u00efve \u20ac \U0001f9f5.mtx".encode(), b"\xff\xfe-\xe4.mtx"]


class Named:
    """A path of its own kind."""

    def __init__(self, name):
        self.name = name

    def __fspath__(self):
        return self.name


KINDS = {
    "str": os.fsdecode,
    "bytes": os.fsencode,
    "Path": lambda name: Path(os.fsdecode(name)),
    "PathLike of str": lambda name: Named(os.fsdecode(name)),
    "PathLike of bytes": lambda name: Named(os.fsencode(name)),
}

READ = {
    "matrix": lambda path: tulle.matrix(path) @ np.ones(2),
    "pagerank": lambda path: tulle.pagerank(path).ranks,
    "density": lambda path: tulle.plot.density(path)[0],
}


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("entry", READ)
def test_files_that_are_read(tmp_path, entry, kind, name):
    path = os.path.join(os.fsencode(tmp_path), name)
    with open(path, "w") as file:
        file.write(TEXT)
    given = KINDS[kind](path)
    S = sp.csr_array([[4.0, 0], [3, 0]])
    direct = {"matrix": S @ np.ones(2), "pagerank": tulle.pagerank(S).ranks, "density": [[1, 0], [1, 0]]}
    np.testing.assert_array_equal(READ[entry](given), direct[entry])
    os.unlink(path)
    with pytest.raises(FileNotFoundError, match=r"\.mtx") as refusal:
        READ[entry](given)
    assert refusal.value.filename == os.fsdecode(path) and "\ufffd" not in str(refusal.value)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("transposed", [False, True])
def test_wisdom(tmp_path, transposed, kind, name):
    path = os.path.join(os.fsencode(tmp_path), name)
    A = tulle.matrix(sp.csr_array(np.ones((40, 40))))
    for _ in range(100):  # on a busy machine a plan may trust no time, and store nothing
        (A.T if transposed else A).plan(1e6, measure=True, wisdom=KINDS[kind](path))
        if os.path.exists(path):
            break
    assert os.path.getsize(path) > 0 and os.listdir(os.fsencode(tmp_path)) == [name]


@pytest.mark.parametrize("path, error", [(3, TypeError), (object(), TypeError), ("a\0b", ValueError),
                                         (b"a\0b", ValueError), (Named(3), TypeError)])
def test_no_paths(path, error):
    A = tulle.matrix(sp.csr_array(np.eye(3)))
    for call in (lambda: A.plan(wisdom=path), lambda: A.T.plan(wisdom=path), lambda: tulle.matrix(path)):
        with pytest.raises(error):
            call()
    assert not any(A._planned)


@pytest.mark.parametrize("letter", ["\u00e4", "\u20ac", "\U0001f9f5"])
def test_sentences_about_names_of_any_length(letter):
    """A character that is cut in two would make the exception another one, or leave its trace."""
    A, S = tulle.matrix(sp.csr_array(np.eye(3))), sp.csr_array(np.eye(3))
    for length in range(1, 600, 3):
        for shift in range(len(letter.encode())):
            name = "x" * shift + letter * length
            for call, error in [(lambda: A.plan(format=name), ValueError),
                                (lambda: A.plan(format="csr:" + name), ValueError),
                                (lambda: tulle.batch([S], kernel=name), ValueError),
                                (lambda: tulle.Matrix._read("/nowhere/" + name, 8), OSError)]:
                with pytest.raises(error) as refusal:
                    call()
                words = str(refusal.value)
                assert type(refusal.value) is error and letter in words
                assert "\ufffd" not in words and "\\x" not in words
