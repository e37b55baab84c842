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

static const char *const efforts[] = { "estimate", "measure" };
enum { EFFORTS = sizeof efforts / sizeof *efforts };

PetscErrorCode tulle__petsc_help(void)
{
	static const char page[] = "tulle: bindings/petsc/README.md";
	tulle_petsc_options shown = { .multiplies = 0 };
	PetscInt threads = 1, effort = 0;
	PetscBool asked;

	PetscFunctionBegin;
	/* Queries mark options as used, which -options_left would then not report. */
	PetscCall(PetscOptionsHasHelp(NULL, &asked));
	if (!asked)
		PetscFunctionReturn(PETSC_SUCCESS);
	PetscOptionsBegin(PETSC_COMM_WORLD, NULL,
	                  "Options of the matrix types aijtulle, seqaijtulle and baijtulle", "Mat");
	PetscCall(
	    PetscOptionsReal("-mat_tulle_multiplies",
	                     "Plan at the first product for this number of products; 0: count them",
	                     page, shown.multiplies, &shown.multiplies, NULL));
	PetscCall(
	    PetscOptionsString("-mat_tulle_format",
	                       "Use this format from the first product on; empty: the planner chooses",
	                       page, shown.format, shown.format, sizeof shown.format, NULL));
	PetscCall(PetscOptionsBool("-mat_tulle_view", "Print the plan of each block, with the reason",
	                           page, shown.view, &shown.view, NULL));
	PetscCall(PetscOptionsInt("-mat_tulle_threads",
	                          "Threads of each rank; 0: OMP_NUM_THREADS, else one per CPU", page,
	                          threads, &threads, NULL));
	PetscCall(PetscOptionsEList("-mat_tulle_effort", "Whether the planner may time formats", page,
	                            efforts, EFFORTS, efforts[0], &effort, NULL));
	PetscCall(PetscOptionsString("-mat_tulle_wisdom", "Store measurements in this file", page,
	                             shown.wisdom, shown.wisdom, sizeof shown.wisdom, NULL));
	PetscCall(
	    PetscOptionsInt("-mat_tulle_reproducible",
	                    "1: the same format on every machine; 2: also rows summed in stored order",
	                    page, shown.reproducible, &shown.reproducible, NULL));
	PetscOptionsEnd();
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
	PetscCall(
	    PetscOptionsGetEList(NULL, prefix, "-mat_tulle_effort", efforts, EFFORTS, &effort, NULL));
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
