/* plan_create.c -- the public calls that make a plan: from a matrix that stays, or from one that is consumed. */
#include "api/handles.h"
#include "api/plan_options.h"
#include "core/memory.h"
#include "core/status.h"

tulle_status tulle__plan_create(const tulle_matrix *matrix, int as_csr, const tulle_plan_options *o,
                                tulle_plan **out)
{
	return tulle__op_is_both(o->op) ? tulle__create_both(matrix, o, 0, out)
	                                : tulle__plan_create_one(matrix, as_csr, o, out);
}

/* The options of a plan, as this matrix takes them. */
static tulle_status read_options(const tulle_matrix *matrix, const tulle_plan_options *options,
                                 tulle_plan_options *o)
{
	tulle_status s = tulle__read_options("tulle_plan_options", options, o, sizeof *o);

	if (s == TULLE_OK)
		s = tulle__check_plan_options(o);
	if (s == TULLE_OK)
		o->op = tulle__op_for(matrix, o->op);
	return s;
}

static int is_mixed(const tulle_matrix *matrix, const tulle_plan_options *o)
{
	return o->vector_type != 0 && o->vector_type != tulle__type_of(matrix->a.value_type)->compute;
}

static tulle_status create_any(const tulle_matrix *matrix, const tulle_plan_options *o,
                               tulle_plan **out)
{
	/* Formats that keep blocks have no kernels for values that are only stored. */
	const int as_csr = o->online || tulle__type_of(matrix->a.value_type)->stored;

	return is_mixed(matrix, o) ? tulle__create_mixed(matrix, o, out)
	                           : tulle__plan_create(matrix, as_csr, o, out);
}

tulle_status tulle_plan_create(const tulle_matrix *matrix, const tulle_plan_options *options,
                               tulle_plan **out)
{
	tulle_plan_options o;
	tulle_status s;

	if (!out)
		return tulle__fail(TULLE_E_ARGUMENT, "out is NULL");
	*out = NULL;
	if (!matrix)
		return tulle__fail(TULLE_E_ARGUMENT, "matrix is NULL");
	s = read_options(matrix, options, &o);
	return s == TULLE_OK ? create_any(matrix, &o, out) : s;
}

/* Bytes of columns and values that a plan may release; 0: they are not ours alone, or the plan needs them. */
static size_t releasable(const tulle_matrix *m, const tulle_plan_options *o)
{
	const tulle__csr *owned = &m->owned;

	if (o->op != TULLE_NORMAL || o->online || is_mixed(m, o) ||
	    tulle__type_of(m->a.value_type)->stored || atomic_load(&m->holds) != 1 ||
	    !tulle__can_drop_pages(&m->context->env) || m->a.nnz == 0 || !owned->col ||
	    owned->val != m->a.val)
		return 0;
	return tulle__bytes(m->a.nnz, tulle__index_size(m->a.column_type)) +
	       (owned->val ? tulle__bytes(m->a.nnz, tulle__value_size(m->a.value_type)) : 0);
}

tulle_status tulle_plan_consume(tulle_matrix **matrix, const tulle_plan_options *options,
                                tulle_plan **out)
{
	tulle_plan_options o;
	size_t releases;
	tulle_status s;

	if (!out)
		return tulle__fail(TULLE_E_ARGUMENT, "out is NULL");
	*out = NULL;
	if (!matrix || !*matrix)
		return tulle__fail(TULLE_E_ARGUMENT, "matrix is NULL");
	s = read_options(*matrix, options, &o);
	if (s != TULLE_OK)
		return s;
	releases = releasable(*matrix, &o);
	s = releases > 0 ? tulle__plan_create_releasing(*matrix, &o, releases, out)
	                 : create_any(*matrix, &o, out);
	if (s != TULLE_OK)
		return s;
	tulle_matrix_destroy(*matrix);
	*matrix = NULL;
	return TULLE_OK;
}
