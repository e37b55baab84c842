"""Time evolution of a chain of spins: products by a complex Hermitian matrix inside a Krylov method.

    python3 spin_chain.py [SPINS [STEPS]]    default: 10 spins, 5 steps of time; at least 6 spins

H is a Heisenberg chain with a Dzyaloshinskii-Moriya term, which makes it complex, and a field that differs from site to site. The state
begins with alternating spins. Each step multiplies it by exp(-i dt H) in the space that Lanczos's method builds from 20 products. The same
steps are made with SciPy's matrix, and with QuTiP's if QuTiP is installed.
"""

import sys
import time

import numpy as np
import scipy.linalg
import scipy.sparse as sp
import tulle

DT = 0.1
PRODUCTS = 20  # per step


def hamiltonian(spins):
    """The matrix in the basis of all 2^spins products of up and down: bit k of a row's number is spin k."""
    states, rng = np.arange(2**spins), np.random.default_rng(1)
    field = rng.uniform(-1, 1, spins)
    up = (states[:, None] >> np.arange(spins)) & 1
    diagonal = (up - 0.5) @ field + ((up[:, 1:] - 0.5) * (up[:, :-1] - 0.5)).sum(axis=1)
    rows, cols, values = [states], [states], [diagonal.astype(complex)]
    for k in range(spins - 1):  # S+ S- of neighbours, (J + i D) / 2, and its conjugate
        here = states[(up[:, k] == 0) & (up[:, k + 1] == 1)]
        there = here ^ (3 << k)
        rows += [here, there]
        cols += [there, here]
        values += [np.full(len(here), 0.5 + 0.15j), np.full(len(here), 0.5 - 0.15j)]
    return sp.csr_array((np.concatenate(values), (np.concatenate(rows), np.concatenate(cols))), shape=(2**spins, 2**spins))


def step(multiply, state):
    """exp(-i DT H) state, by Lanczos's method; `multiply` is the product by H."""
    basis = np.empty((PRODUCTS, len(state)), complex)
    diagonal, beside = np.zeros(PRODUCTS), np.zeros(PRODUCTS - 1)
    size = np.linalg.norm(state)
    basis[0] = state / size
    for k in range(PRODUCTS):
        y = multiply(basis[k])
        diagonal[k] = np.vdot(basis[k], y).real
        y -= diagonal[k] * basis[k]
        if k > 0:
            y -= beside[k - 1] * basis[k - 1]
        if k + 1 < PRODUCTS:
            beside[k] = np.linalg.norm(y)
            basis[k + 1] = y / beside[k]
    values, vectors = scipy.linalg.eigh_tridiagonal(diagonal, beside)
    return size * ((vectors @ (np.exp(-1j * DT * values) * vectors[0])) @ basis)


def evolve(multiply, state, steps):
    for _ in range(steps):
        state = step(multiply, state)
    return state


def error_bound(steps):
    """Rounding: a step makes an error of a few units per product, and later steps do not amplify it."""
    return 100 * steps * PRODUCTS * np.finfo(float).eps


def contenders(H):
    """Names, and what each needs to multiply by H."""
    yield "SciPy", H.__matmul__
    plan = tulle.matrix(H).plan(multiplies=1000)
    yield f"tulle ({plan.describe()['format']})", plan.__matmul__
    try:
        import qutip
    except ImportError:
        return
    Q = qutip.Qobj(sp.csr_matrix(H)).to("csr").data
    yield "QuTiP", lambda x: qutip.data.matmul(Q, qutip.data.Dense(x[:, None])).to_array().ravel()


def main(spins=10, steps=5):
    if spins < 6:
        sys.exit(f"{spins} spins have fewer states than a step has products: give at least 6")
    H = hamiltonian(spins)
    state = np.zeros(2**spins, complex)
    state[sum(1 << k for k in range(0, spins, 2))] = 1
    print(f"{spins} spins: {H.shape[0]} states, {H.nnz} entries, {steps} steps")
    first = None
    for name, multiply in contenders(H):
        begin = time.perf_counter()
        end = evolve(multiply, state, steps)
        took = time.perf_counter() - begin
        begin = time.perf_counter()
        for _ in range(PRODUCTS):
            multiply(end)
        product = (time.perf_counter() - begin) / PRODUCTS
        first = end if first is None else first
        print(f"  {name:14} {took:8.3f} s, {1e6 * product:9.1f} us per product, norm {np.linalg.norm(end):.12f}")
        if max(np.linalg.norm(end - first), abs(np.linalg.norm(end) - 1)) > error_bound(steps):
            print(f"  the states differ by {np.linalg.norm(end - first):.1e}, expected at most {error_bound(steps):.1e}")
            return 1
    print("the same states")
    return 0


if __name__ == "__main__":
    sys.exit(main(*map(int, sys.argv[1:])))
