"""What SciPy users are used to: formats, types, layouts of x, both sides of @."""

import pickle

import numpy as np
import pytest
import scipy.sparse as sp

import tulle
from conftest import whole

FORMATS = ["csr", "csc", "coo", "bsr", "dia", "lil", "dok"]
TYPES = ["float32", "float64"]


def layouts(x):
    """The same x in every way it may lie in memory."""
    n = len(x)
    apart = np.zeros((2 * n, *x.shape[1:]), x.dtype)
    apart[::2] = x
    readonly = x.copy()
    readonly.flags.writeable = False
    raw = np.zeros(x.nbytes + 1, "u1")
    crooked = raw[1:].view(x.dtype).reshape(x.shape)
    crooked[...] = x
    yield "contiguous", x.copy()
    yield "strided", apart[::2]
    yield "reversed", x[::-1].copy()[::-1]
    yield "readonly", readonly
    yield "transposed", np.asfortranarray(x)
    yield "unaligned", crooked
    yield "swapped", x.astype(x.dtype.newbyteorder())
    yield "list", x.tolist()
    if x.ndim == 2:
        wide = np.zeros((n, x.shape[1] + 3), x.dtype)
        wide[:, 1:-2] = x
        yield "columns of more", wide[:, 1:-2]
        yield "rows of more", np.asfortranarray(wide)[:, 1:-2]


def with_indices(S, index):
    """S with index arrays of that type, where the format has any."""
    for name in ("indices", "indptr", "offsets"):
        if hasattr(S, name):
            setattr(S, name, getattr(S, name).astype(index))
    if hasattr(S, "coords") and S.format == "coo":
        S.coords = tuple(c.astype(index) for c in S.coords)
    return S


@pytest.mark.parametrize("index", ["int32", "int64"])
@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("kind", ["array", "matrix"])
@pytest.mark.parametrize("form", FORMATS)
def test_formats_and_layouts(dense, rng, form, kind, dtype, index):
    d = dense.astype(dtype)
    S = with_indices(getattr(sp, f"{form}_{kind}")(d), index)
    A = tulle.matrix(S)
    assert A.shape == (30, 20) and A.dtype == dtype and A.ndim == 2
    assert A.shares_memory == (form in ("csr", "bsr"))
    for vectors in [(), (1,), (3,), (0,)]:
        x, z = whole(rng, 20, *vectors, dtype=dtype), whole(rng, 30, *vectors, dtype=dtype)
        for name, given in layouts(x):
            y = A @ given
            assert type(y) is np.ndarray and y.dtype == dtype, name
            np.testing.assert_array_equal(y, d @ x, name)
            np.testing.assert_array_equal(A.dot(given), d @ x, name)
        for name, given in layouts(z):
            np.testing.assert_array_equal(A.T @ given, d.T @ z, name)
            if name != "list":
                np.testing.assert_array_equal(np.asarray(given).T @ A, z.T @ d, name)
    np.testing.assert_array_equal(A.to_scipy().toarray(), d)


@pytest.mark.parametrize("form", tulle.formats())
def test_every_storage_format(rng, form):
    half = whole(rng, 24, 24) * (rng.random((24, 24)) < 0.3)
    d = half + half.T  # so that those for symmetric matrices take it too
    x, X = whole(rng, 24), whole(rng, 24, 5)
    for dtype in TYPES:
        A = tulle.matrix(sp.csr_array(d.astype(dtype))).plan(format=form)
        assert form in A.explain()
        np.testing.assert_array_equal(A @ x.astype(dtype), d @ x)
        np.testing.assert_array_equal(A @ X.astype(dtype), d @ X)


def test_mixed_indices(dense):
    S = sp.csr_array(dense)
    A = tulle.matrix((S.data, S.indices.astype("int32"), S.indptr.astype("int64")), shape=S.shape)
    np.testing.assert_array_equal(A @ np.ones(20), dense @ np.ones(20))
    A = tulle.matrix((S.data, S.indices.astype("uint8"), S.indptr.astype("uint64")), shape=S.shape)
    np.testing.assert_array_equal(A @ np.ones(20), dense @ np.ones(20))


def test_duplicates_add_up_and_ones_need_no_values():
    A = tulle.matrix((None, [1, 1, 0], [0, 2, 3]))
    assert A.shape == (2, 2) and A.nnz == 3
    np.testing.assert_array_equal(A @ [1, 10], [20, 1])
    np.testing.assert_array_equal(A.to_scipy().toarray(), [[0, 2], [1, 0]])


@pytest.mark.parametrize("given, made", [("int8", "float64"), ("bool", "float64"), ("uint64", "float64"),
                                         ("float32", "float32")])
def test_other_types_of_values(dense, given, made):
    d = abs(dense).astype(given)
    A = tulle.matrix(sp.csr_array(d))
    assert A.dtype == made and A.shares_memory
    np.testing.assert_array_equal(A @ np.ones(20, made), d.astype(made) @ np.ones(20, made))
    assert tulle.matrix(sp.csr_array(d), dtype="float32").dtype == "float32"


def test_borrowed_arrays_are_read_and_copies_are_not(dense):
    S, T = sp.csr_array(dense), sp.csr_array(dense)
    A, B = tulle.matrix(S).plan(format="csr"), tulle.matrix(T, copy=True).plan(format="csr")
    assert A.shares_memory and not B.shares_memory
    S.data *= 2
    T.data *= 2
    np.testing.assert_array_equal(A @ np.ones(20), 2 * dense @ np.ones(20))
    np.testing.assert_array_equal(B @ np.ones(20), dense @ np.ones(20))


def test_borrowed_arrays_stay_alive(dense):
    A = tulle.matrix(sp.csr_array(dense)).plan(format="csr")
    filler = [np.full(A.nnz, np.nan) for _ in range(100)]  # what is free is taken by these
    np.testing.assert_array_equal(A @ np.ones(20), dense @ np.ones(20))
    del filler


@pytest.mark.parametrize("shape", [(0, 0), (0, 5), (5, 0), (1, 1)])
def test_empty(shape):
    A = tulle.matrix(sp.csr_array(shape))
    np.testing.assert_array_equal(A @ np.ones(shape[1]), np.zeros(shape[0]))
    np.testing.assert_array_equal(A.T @ np.ones((shape[0], 2)), np.zeros((shape[1], 2)))


@pytest.mark.parametrize("dtype", TYPES)
def test_dot_into_out(dense, rng, dtype):
    d = dense.astype(dtype)
    A = tulle.matrix(sp.csr_array(d))
    for vectors in [(), (4,)]:
        x, y = whole(rng, 20, *vectors, dtype=dtype), whole(rng, 30, *vectors, dtype=dtype)
        for name, given in layouts(x):
            for place in (y.copy(), np.asfortranarray(y), np.repeat(y, 2, -1)[..., :4] if vectors else y.copy()):
                before = place.copy()
                assert A.dot(given, out=place, alpha=2, beta=-3) is place
                np.testing.assert_array_equal(place, 2 * d @ x - 3 * before, name)
        nan = np.full_like(y, np.nan)
        np.testing.assert_array_equal(A.dot(x, out=nan), d @ x)
        np.testing.assert_array_equal(A.dot(x, alpha=3), 3 * d @ x)
        np.testing.assert_array_equal(A.T.dot(y, out=np.empty_like(x), alpha=-1), -d.T @ y)


def test_dot_into_every_second_column_of_one_row():
    A = tulle.matrix(sp.csr_array([[1.0, 2, 3]]))
    x, place = np.arange(6.0).reshape(3, 2), np.zeros((1, 4))
    out = place[:, ::2]
    assert A.dot(x, out=out) is out
    np.testing.assert_array_equal(place, [[16, 0, 22, 0]])


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("vectors", [1, 2, 8, 17])
def test_planned_for_several_vectors(dense, rng, dtype, vectors):
    d = dense.astype(dtype)
    A = tulle.matrix(sp.csr_array(d)).plan(500, vectors=vectors)
    assert A.describe()["vectors"] == vectors and ("at once" in A.explain()) == (vectors > 1)
    for format in [None, "csr", "sell", "bsell", "hot", "csr2", "csr5"]:
        if format:
            A.plan(format=format, vectors=vectors)
        for order in "CF":
            x = np.asarray(whole(rng, 20, vectors, dtype=dtype), order=order)
            np.testing.assert_array_equal(A @ x, d @ x, f"{format} {order}")
    A.T.plan(vectors=vectors)
    y = whole(rng, 30, vectors, dtype=dtype)
    np.testing.assert_array_equal(A.T @ y, d.T @ y)


@pytest.mark.parametrize("form", ["csr", "csc", "coo"])
@pytest.mark.parametrize("copy", [False, True])
def test_update(dense, form, copy):
    S = getattr(sp, f"{form}_array")(dense)
    A, x, z = tulle.matrix(S, copy=copy), np.ones(20), np.ones(30)
    for planned in range(3):  # no plan, one, both
        new = S.copy()
        new.data = np.arange(S.nnz) + 100.0 * planned
        A.update(new.data)
        if planned > 0:
            np.testing.assert_array_equal(A.T @ z, new.T @ z)
        np.testing.assert_array_equal(A @ x, new @ x)
        np.testing.assert_array_equal(A.to_scipy().toarray(), new.toarray())
    A.plan(format="sell")  # a plan made after an update has its values
    np.testing.assert_array_equal(A @ x, new @ x)


@pytest.mark.parametrize("copy", [False, True])
def test_an_update_may_end_symmetry(copy):
    """The planner keeps half of a symmetric matrix; values that are not symmetric any more are taken as well."""
    band = sp.diags_array([1.0] * 31, offsets=range(-15, 16), shape=(4000, 4000))
    S = sp.coo_array(sp.kron(band, np.ones((3, 3))))
    i, j = (part.astype(np.int64) for part in S.coords)
    S = sp.csr_array((2.0 ** 30 + 1 + 2 * ((i * j + i + j) % 1009), (i, j)))  # not exact in float32
    x = np.arange(float(S.shape[1])) % 17
    A = tulle.matrix(S, copy=copy).plan(multiplies=1e6, reproducible=1)
    assert A.describe()["format"] == "sym"
    for turn in range(3):
        values = S.data.copy()
        values[7 + turn] += 1
        A.update(values)
        np.testing.assert_array_equal(A @ x, sp.csr_array((values, S.indices, S.indptr)) @ x)
        assert A.describe()["format"] != "sym"
        assert "sym refused" in A.explain()
    np.testing.assert_array_equal(A.T @ x, sp.csr_array((values, S.indices, S.indptr)).T @ x)


def test_the_way_of_a_transposed_plan_is_told():
    """Few products scatter from A, many have A^T built; a plan for A says that it needs neither."""
    S = sp.random_array((4000, 3000), density=.005, rng=np.random.default_rng(1), format="csr")
    x = np.ones(4000)
    A = tulle.matrix(S)
    assert A.plan(1000, reproducible=1).describe()["way"] == "as is"
    for multiplies, way in ((5, "scatter"), (1e6, "built")):
        plan = A.T.plan(multiplies, reproducible=1).describe()
        assert plan["way"] == way
        np.testing.assert_allclose(A.T @ x, S.T @ x)
    ways = [(one["format"], one["way"]) for one in plan["candidates"]]
    assert ways[:2] == [("csr", "scatter"), ("csr", "built")]
    assert "csr (scatter)" in A.T._repr_html_()


def test_an_update_of_a_copy_is_copied(dense):
    A = tulle.matrix(sp.csr_array(dense), copy=True).plan(format="csr")
    values = np.arange(float(A.nnz))
    A.update(values)
    y = A @ np.ones(20)
    values[:] = np.nan
    np.testing.assert_array_equal(A @ np.ones(20), y)
    np.testing.assert_array_equal(A.plan(format="csr") @ np.ones(20), y)


def test_ones_of_float32_and_their_pickle():
    A = tulle.matrix((None, [1, 0], [0, 1, 2]), dtype="float32")
    B = pickle.loads(pickle.dumps(A))
    for a in (A, B):
        assert a.dtype == "float32" and (a @ np.array([1, 2], "float32")).dtype == "float32"
        assert a._csr()[0] is None and a.to_scipy().data.tolist() == [1, 1]


def test_pickle(dense):
    A = pickle.loads(pickle.dumps(tulle.matrix(sp.csr_array(dense.astype("float32")))))
    assert A.dtype == "float32"
    np.testing.assert_array_equal(A.to_scipy().toarray(), dense)


def test_words(dense):
    A = tulle.matrix(sp.csr_array(dense))
    assert repr(A) == f"<tulle.Matrix 30 x 20, {A.nnz} entries of float64>"
    assert "20 x 30" in repr(A.T) and A.T.T is A
    assert "not planned" in A._repr_html_() and not any(A._planned)
    A.plan(multiplies=500)
    html = A._repr_html_()
    assert "not planned" not in html and html.count("<p>") == html.count("</p>") == 1
    assert "not planned" in A.T._repr_html_()
    assert A.explain().strip() and A.T.plan(5, reproducible=2).explain().strip()


def test_threads_do_not_change_bits(rng):
    n = 200_000
    S = sp.csr_array((rng.random(5 * n), rng.integers(0, n, 5 * n), np.arange(0, 5 * n + 1, 5)), (n, n))
    A, x, results = tulle.matrix(S), rng.random(n), []
    try:
        for count in (1, 2, 3, None):
            tulle.set_threads(count)
            assert count is None or tulle.get_threads() == count
            results.append(A @ x)
    finally:
        tulle.set_threads(None)
    assert all((y == results[0]).all() for y in results)
    np.testing.assert_allclose(results[0], S @ x)
