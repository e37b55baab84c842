#!/usr/bin/env python3
"""A cooling plate with petsc4py, multiplied by tulle: load the plugin, name the type, and nothing else.

Usage: [mpiexec -n 2] heat.py build/libtulle_petsc.so [-mat_tulle_view] [PETSc's options]

Implicit time steps of different lengths: each changes the values of the matrix, never its pattern, so
tulle refills the layout that it has chosen.
"""

import sys

import petsc4py

petsc4py.init(["heat", "-dll_append", *sys.argv[1:]])
from petsc4py import PETSc  # noqa: E402  (after the options)

SIDE = 100


def laplacian():
    """Five points on a square, with the type that the plugin has brought."""
    A = PETSc.Mat().create()
    A.setSizes(SIDE * SIDE)
    A.setType("aijtulle")
    A.setPreallocationNNZ(5)
    for row in range(*A.getOwnershipRange()):
        i, j = divmod(row, SIDE)
        A[row, row] = 4
        for a, b in (i - 1, j), (i + 1, j), (i, j - 1), (i, j + 1):
            if 0 <= a < SIDE and 0 <= b < SIDE:
                A[row, a * SIDE + b] = -1
    A.assemble()
    return A


L = laplacian()
A = L.duplicate(copy=True)
u, b = A.createVecs()
u.set(1)
solver = PETSc.KSP().create()
solver.setOperators(A)
solver.setType("cg")
solver.getPC().setType("jacobi")
solver.setTolerances(rtol=1e-8)
solver.setFromOptions()

products = 0
for length in 100, 200, 400, 800:
    L.copy(A, PETSc.Mat.Structure.SAME)  # A = I + length L
    A.scale(length)
    A.shift(1)
    u.copy(b)
    solver.solve(b, u)
    products += solver.getIterationNumber()
    PETSc.Sys.Print(f"step of {length}: {solver.getIterationNumber()} iterations, "
                    f"mean temperature {u.sum() / SIDE**2:.10f}")
residual = A * u - b
PETSc.Sys.Print(f"type {A.getType()}, {products} products, "
                f"residual {residual.norm() / b.norm():.1e}")
