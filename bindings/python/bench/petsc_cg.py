"""PETSc's conjugate gradients for cg_steps.py, through its C interface: one rank, no preconditioner.

PETSc has no threads: it is compared with tulle on one thread. Needs PETSc with 32-bit integers and real numbers in double
precision, as Debian's libpetsc-real-dev has it.
"""

import ctypes
import ctypes.util

import numpy as np

MPI_COMM_SELF = "ompi_mpi_comm_self"  # Open MPI's
NORM_NATURAL = 3  # KSPNormType: sqrt(r.r), which CG computes in any case
INT, REAL, OBJECT = ctypes.c_int, ctypes.c_double, ctypes.c_void_p


class Missing(Exception):
    """PETSc cannot be loaded."""


def library():
    """PETSc, initialised."""
    name = ctypes.util.find_library("petsc_real")
    if not name:
        raise Missing("no libpetsc_real")
    found = ctypes.CDLL(name, mode=ctypes.RTLD_GLOBAL)
    if not hasattr(found, MPI_COMM_SELF):
        raise Missing("PETSc uses an MPI other than Open MPI")
    checked(found.PetscInitializeNoArguments())
    return found


def checked(code):
    if code:
        raise RuntimeError(f"PETSc: error {code}")


class Cg:
    """`iterations` of PETSc's CG on the csr_array A."""

    def __init__(self, petsc, A, iterations):
        self.petsc, n = petsc, A.shape[0]
        self_comm = ctypes.addressof(ctypes.c_char.in_dll(petsc, MPI_COMM_SELF))
        self.arrays = A.indptr.astype(np.int32), A.indices.astype(np.int32), A.data.astype(np.float64)
        self.x, self.b = np.zeros(n), np.empty(n)
        comm, one, size = OBJECT(self_comm), INT(1), INT(n)
        self.matrix, self.ksp, self.preconditioner = OBJECT(), OBJECT(), OBJECT()
        self.to, self.right = OBJECT(), OBJECT()
        pointers = [OBJECT(array.ctypes.data) for array in self.arrays]
        checked(petsc.MatCreateSeqAIJWithArrays(comm, size, size, *pointers, ctypes.byref(self.matrix)))
        checked(petsc.VecCreateSeqWithArray(comm, one, size, OBJECT(self.x.ctypes.data), ctypes.byref(self.to)))
        checked(petsc.VecCreateSeqWithArray(comm, one, size, OBJECT(self.b.ctypes.data), ctypes.byref(self.right)))
        checked(petsc.KSPCreate(comm, ctypes.byref(self.ksp)))
        checked(petsc.KSPSetType(self.ksp, b"cg"))
        checked(petsc.KSPGetPC(self.ksp, ctypes.byref(self.preconditioner)))
        checked(petsc.PCSetType(self.preconditioner, b"none"))
        checked(petsc.KSPSetOperators(self.ksp, self.matrix, self.matrix))
        checked(petsc.KSPSetNormType(self.ksp, INT(NORM_NATURAL)))
        checked(petsc.KSPSetTolerances(self.ksp, REAL(1e-300), REAL(0), REAL(1e300), INT(iterations)))

    def solve(self, b):
        self.b[:] = b
        checked(self.petsc.KSPSolve(self.ksp, self.right, self.to))
        return self.x

    def iterations(self):
        done = INT()
        checked(self.petsc.KSPGetIterationNumber(self.ksp, ctypes.byref(done)))
        return done.value

    def destroy(self):
        for destroy, what in ((self.petsc.KSPDestroy, self.ksp), (self.petsc.MatDestroy, self.matrix),
                              (self.petsc.VecDestroy, self.to), (self.petsc.VecDestroy, self.right)):
            checked(destroy(ctypes.byref(what)))
