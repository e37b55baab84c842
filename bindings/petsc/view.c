/* view.c -- -mat_tulle_view: what is planned for each block, and why. */
#include "plugin.h"

#include <string.h>

/* Print a text with the rank before each line, so that the ranks' texts can be told apart. */
static PetscErrorCode print(char *text)
{
	PetscMPIInt rank;
	char *rest = text;

	PetscFunctionBegin;
	PetscCallMPI(MPI_Comm_rank(PETSC_COMM_WORLD, &rank));
	for (char *line = strsep(&rest, "\n"); line; line = strsep(&rest, "\n"))
		PetscCall(PetscPrintf(PETSC_COMM_SELF, line[0] ? "[%d] %s\n" : "[%d]%s\n", rank, line));
	PetscFunctionReturn(PETSC_SUCCESS);
}

/* Blocks of a parallel matrix have no name of their own, so their sizes tell them apart. */
PetscErrorCode tulle__petsc_view_plan(Mat A, const tulle_petsc_block *block, tulle_op op)
{
	const tulle_petsc_way *way = &block->way[op];
	const size_t length = tulle_plan_explain(way->plan, NULL, 0), head = 256;
	const char *prefix;
	char *text;
	size_t used;

	PetscFunctionBegin;
	PetscCall(MatGetOptionsPrefix(A, &prefix));
	PetscCall(PetscMalloc1(head + length + 1, &text));
	PetscCall(PetscSNPrintf(text, head,
	                        "tulle: %.60s%sblock of %" PetscInt_FMT " x %" PetscInt_FMT
	                        ", %.0f nonzeros in %" PetscInt_FMT " rows, %sproduct %.0f\n",
	                        prefix ? prefix : "", prefix ? " " : "", block->m, block->n,
	                        tulle__petsc_entries(block), block->rows * block->arrays.size,
	                        op == TULLE_TRANSPOSED ? "transposed " : "", way->products));
	used = strlen(text);
	tulle_plan_explain(way->plan, text + used, length + 1);
	PetscCall(print(text));
	PetscCall(PetscFree(text));
	PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode tulle__petsc_view_end(const tulle_petsc_block *block)
{
	char text[256];

	PetscFunctionBegin;
	PetscCall(
	    PetscSNPrintf(text, sizeof text,
	                  "tulle: block of %" PetscInt_FMT " x %" PetscInt_FMT
	                  ": %.0f products, %.0f transposed, since the pattern is as it is; planned "
	                  "%" PetscInt_FMT " times, %" PetscInt_FMT " updates",
	                  block->m, block->n, block->way[TULLE_NORMAL].products,
	                  block->way[TULLE_TRANSPOSED].products, block->plans, block->updates));
	PetscCall(print(text));
	PetscFunctionReturn(PETSC_SUCCESS);
}
