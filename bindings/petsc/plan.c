/* plan.c -- when a block is planned, and for how many products.
 *
 * A program does not state how often it will multiply by a matrix. So products are counted, and after
 * n products n more are expected. A block begins on PETSc's own arrays, which costs no conversion.
 * From FIRST_LOOK products on the planner is asked for n more. It also reports what the formats that
 * it did not choose would cost, so it is known when to ask again: as soon as the conversion to one
 * that is faster than today's would have been paid by the products so far. Whenever a program stops,
 * it has lost at most about as much as it has saved or could have saved.
 *
 * Blocks of BAIJ are not CSR, and every plan for them converts. So they begin with PETSc's own products. */
#include "plugin.h"

#include <math.h>

/* For fewer products the planner never converts (docs/planner.md). */
#define FIRST_LOOK 20

static PetscLogEvent plan_event, update_event;

PetscErrorCode tulle__petsc_events(void)
{
	PetscFunctionBegin;
	PetscCall(PetscLogEventRegister("MatTullePlan", MAT_CLASSID, &plan_event));
	PetscCall(PetscLogEventRegister("MatTulleUpdate", MAT_CLASSID, &update_event));
	PetscFunctionReturn(PETSC_SUCCESS);
}

void tulle__petsc_forget(tulle_petsc_block *block)
{
	for (int op = 0; op < 2; op++) {
		tulle_plan_destroy(block->way[op].plan);
		block->way[op] = (tulle_petsc_way){ 0 };
	}
	tulle_matrix_destroy(block->matrix);
	block->matrix = NULL;
	block->changes = 0;
}

static double best_known(double measured, double predicted)
{
	return measured > 0 ? measured : predicted;
}

/* The number of products that pays for the next better format, but at least as many again: asking
 * costs about one product. */
static PetscErrorCode next_look(const tulle_plan *plan, double products, double *look)
{
	tulle_plan_info info = { .size = sizeof info };

	PetscFunctionBegin;
	*look = INFINITY;
	TulleCall(tulle_plan_describe(plan, &info));
	for (int n = 0; n < info.candidates; n++) {
		tulle_candidate_info other = { .size = sizeof other };
		TulleCall(tulle_plan_candidate(plan, n, &other));
		const double saved =
		    info.multiply_seconds - best_known(other.measured_multiply, other.multiply_seconds);
		const double cost = best_known(other.measured_convert, other.convert_seconds);
		if (!other.out && !other.chosen && saved > 0)
			*look = PetscMin(*look, cost / saved);
	}
	*look = PetscMax(*look, 2 * products);
	PetscFunctionReturn(PETSC_SUCCESS);
}

static tulle_status make(const tulle_petsc_block *block, tulle_op op, const char *format,
                         double multiplies, tulle_plan **plan)
{
	const tulle_petsc_options *asked = &block->options;
	const tulle_plan_options options = {
		.size = sizeof options,
		.op = op,
		.format = format,
		.multiplies = multiplies,
		.effort = asked->effort,
		.wisdom = asked->wisdom[0] ? asked->wisdom : NULL,
		.reproducible = (int)asked->reproducible,
	};

	return tulle_plan_create(block->matrix, &options, plan);
}

/* Whether a plan keeps these blocks. The CSR of others needs half as much memory again as PETSc's blocks, so that
 * PETSc's own product is the better default. So it is for complex blocks, which have not been timed. */
static PetscBool kept(const tulle_petsc_block *block, tulle_op op)
{
	const PetscInt size = block->arrays.size;

	return !PetscDefined(USE_COMPLEX) && op == TULLE_NORMAL && (size % 2 == 0 || size % 3 == 0);
}

/* The plan of the first product: final if the user said enough to make it so. */
static PetscErrorCode begin(tulle_petsc_block *block, tulle_op op)
{
	const tulle_petsc_options *asked = &block->options;
	tulle_petsc_way *way = &block->way[op];
	double look = INFINITY;

	PetscFunctionBegin;
	if (asked->format[0]) {
		TulleCall(make(block, op, asked->format, asked->multiplies, &way->plan));
	} else if (asked->multiplies > 0) {
		TulleCall(make(block, op, NULL, asked->multiplies, &way->plan));
	} else if (block->arrays.size > 1 && asked->reproducible < 2) {
		look = kept(block, op) ? FIRST_LOOK : INFINITY;
	} else {
		/* for so few the planner takes the arrays as they are */
		TulleCall(make(block, op, NULL, 1, &way->plan));
		look = FIRST_LOOK;
	}
	way->look = look;
	PetscFunctionReturn(PETSC_SUCCESS);
}

/* Ask the planner anew. If it fails, say for want of memory, there is still the plan of before. */
static PetscErrorCode look(Mat A, tulle_petsc_block *block, tulle_op op)
{
	tulle_petsc_way *way = &block->way[op];
	tulle_plan *plan;

	PetscFunctionBegin;
	if (make(block, op, NULL, way->products, &plan) != TULLE_OK) {
		PetscCall(PetscInfo(A, "tulle does not plan anew: %s\n", tulle_last_error()));
		way->look = INFINITY;
		PetscFunctionReturn(PETSC_SUCCESS);
	}
	tulle_plan_destroy(way->plan);
	way->plan = plan;
	PetscCall(next_look(plan, way->products, &way->look));
	PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode tulle__petsc_plan(Mat A, tulle_petsc_block *block, tulle_op op)
{
	tulle_petsc_way *way = &block->way[op];

	PetscFunctionBegin;
	/* New values are taken to cost as much as a conversion: an upper bound. */
	if (PetscLikely(way->look > 0 && way->products < way->look * (1 + block->changes))) {
		way->products++;
		PetscFunctionReturn(PETSC_SUCCESS);
	}
	PetscCall(PetscLogEventBegin(plan_event, A, 0, 0, 0));
	if (way->look > 0)
		PetscCall(look(A, block, op));
	else
		PetscCall(begin(block, op));
	PetscCall(PetscLogEventEnd(plan_event, A, 0, 0, 0));
	way->products++;
	if (!way->plan)
		PetscFunctionReturn(PETSC_SUCCESS);
	block->plans++;
	if (block->options.view)
		PetscCall(tulle__petsc_view_plan(A, block, op));
	PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode tulle__petsc_update(Mat A, tulle_petsc_block *block)
{
	PetscFunctionBegin;
	PetscCall(PetscLogEventBegin(update_event, A, 0, 0, 0));
	block->changes++;
	for (int op = 0; op < 2; op++) {
		if (!block->way[op].plan)
			continue;
		TulleCall(tulle_plan_update(block->way[op].plan, block->arrays.a));
		block->updates++;
	}
	PetscCall(PetscLogEventEnd(update_event, A, 0, 0, 0));
	PetscFunctionReturn(PETSC_SUCCESS);
}
