/* options.c -- what the options database says to tulle, and the process's context. */
#include "plugin.h"

/* One name with the matrix's prefix, else without. The blocks of a parallel matrix mostly have none. */
static PetscErrorCode find(Mat A, const char *name, const char **prefix)
{
	PetscBool with;

	PetscFunctionBegin;
	PetscCall(MatGetOptionsPrefix(A, prefix));
	if (*prefix) {
		PetscCall(PetscOptionsHasName(NULL, *prefix, name, &with));
		if (!with)
			*prefix = NULL;
	}
	PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode get_string(Mat A, const char *name, char *text, size_t size)
{
	const char *prefix;

	PetscFunctionBegin;
	PetscCall(find(A, name, &prefix));
	PetscCall(PetscOptionsGetString(NULL, prefix, name, text, size, NULL));
	PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode tulle__petsc_options(Mat A, tulle_petsc_options *options)
{
	static const char *const efforts[] = { "estimate", "measure" };
	const char *prefix;
	PetscInt effort = 0;

	PetscFunctionBegin;
	PetscCall(PetscMemzero(options, sizeof(*options)));
	PetscCall(get_string(A, "-mat_tulle_format", options->format, sizeof(options->format)));
	PetscCall(get_string(A, "-mat_tulle_wisdom", options->wisdom, sizeof(options->wisdom)));
	PetscCall(find(A, "-mat_tulle_multiplies", &prefix));
	PetscCall(
	    PetscOptionsGetReal(NULL, prefix, "-mat_tulle_multiplies", &options->multiplies, NULL));
	PetscCheck(options->multiplies >= 0, PETSC_COMM_SELF, PETSC_ERR_ARG_OUTOFRANGE,
	           "-mat_tulle_multiplies %g: a number of products, or 0 to have them counted",
	           (double)options->multiplies);
	PetscCall(find(A, "-mat_tulle_effort", &prefix));
	PetscCall(PetscOptionsGetEList(NULL, prefix, "-mat_tulle_effort", efforts, 2, &effort, NULL));
	options->effort = effort ? TULLE_MEASURE : TULLE_ESTIMATE;
	PetscCall(find(A, "-mat_tulle_reproducible", &prefix));
	PetscCall(
	    PetscOptionsGetInt(NULL, prefix, "-mat_tulle_reproducible", &options->reproducible, NULL));
	PetscCall(find(A, "-mat_tulle_view", &prefix));
	PetscCall(PetscOptionsGetBool(NULL, prefix, "-mat_tulle_view", &options->view, NULL));
	PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode tulle__petsc_context(tulle_context **context)
{
	static tulle_context *made;
	static PetscInt made_threads;
	PetscInt threads = 1; /* pure MPI: the ranks share the cores already */

	PetscFunctionBegin;
	PetscCall(PetscOptionsGetInt(NULL, NULL, "-mat_tulle_threads", &threads, NULL));
	PetscCheck(threads >= 0, PETSC_COMM_SELF, PETSC_ERR_ARG_OUTOFRANGE,
	           "-mat_tulle_threads %d is negative; 0: OMP_NUM_THREADS, else one per CPU",
	           (int)threads);
	if (!made || threads != made_threads) {
		tulle_context_options options = { .size = sizeof(options), .threads = (int)threads };
		tulle_context_destroy(made);
		made = NULL;
		TulleCall(tulle_context_create(&options, &made));
		made_threads = threads;
	}
	*context = made;
	PetscFunctionReturn(PETSC_SUCCESS);
}
