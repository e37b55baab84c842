/* register.c -- the function that PETSc calls when it has loaded the library. */
#include "plugin.h"

/* PETSc looks for PetscDLLibraryRegister_ and the library's name. */
#define JOIN_(a, b) a##b
#define JOIN(a, b) JOIN_(a, b)
#define ENTRY JOIN(PetscDLLibraryRegister_, TULLE_PETSC_NAME)

/* A plugin that was built for another PETSc would be linked all the same, and then read the program's
 * integers or scalars at the wrong width or call the wrong entry of a table. */
static PetscErrorCode check_petsc(void)
{
	PetscInt major, minor, subminor, release;
	PetscDataType scalar;
	PetscBool found;
	size_t bytes;

	PetscFunctionBegin;
	PetscCall(PetscDataTypeGetSize(PETSC_INT, &bytes));
	PetscCheck(bytes == sizeof(PetscInt), PETSC_COMM_SELF, PETSC_ERR_LIB,
	           "this tulle plugin was built for a PetscInt of %d bits, the program's has %d",
	           (int)(8 * sizeof(PetscInt)), (int)(8 * bytes));
	/* the library's answer: PETSC_SCALAR is what the headers said */
	PetscCall(PetscDataTypeFromString("scalar", &scalar, &found));
	PetscCheck(found && scalar == PETSC_SCALAR, PETSC_COMM_SELF, PETSC_ERR_LIB,
	           "this tulle plugin was built for a PetscScalar of type %s, the program's is %s",
	           PetscDataTypes[PETSC_SCALAR], found ? PetscDataTypes[scalar] : "unknown");
	PetscCall(PetscGetVersionNumber(&major, &minor, &subminor, &release));
	PetscCheck((int)major == PETSC_VERSION_MAJOR && (int)minor == PETSC_VERSION_MINOR,
	           PETSC_COMM_SELF, PETSC_ERR_LIB,
	           "this tulle plugin was built for PETSc %d.%d, the program runs another",
	           PETSC_VERSION_MAJOR, PETSC_VERSION_MINOR);
	PetscFunctionReturn(PETSC_SUCCESS);
}

PETSC_EXTERN PetscErrorCode ENTRY(void);

PetscErrorCode ENTRY(void)
{
	PetscFunctionBegin;
	PetscCall(check_petsc());
	PetscCall(tulle__petsc_events());
	PetscCall(tulle__petsc_help());
	PetscCall(MatSeqAIJRegister(MATSEQAIJTULLE, tulle__petsc_seq_from_aij));
	PetscCall(MatRegisterRootName(MATAIJTULLE, MATSEQAIJTULLE, MATMPIAIJTULLE));
	PetscCall(MatRegister(MATSEQAIJTULLE, tulle__petsc_seq_create));
	PetscCall(MatRegister(MATMPIAIJTULLE, tulle__petsc_mpi_create));
	PetscCall(MatRegisterRootName(MATBAIJTULLE, MATSEQBAIJTULLE, MATMPIBAIJTULLE));
	PetscCall(MatRegister(MATSEQBAIJTULLE, tulle__petsc_seq_baij_create));
	PetscCall(MatRegister(MATMPIBAIJTULLE, tulle__petsc_mpi_baij_create));
	PetscFunctionReturn(PETSC_SUCCESS);
}
