/* mixed.c -- plans whose vectors are of another type than the matrix. */
#include "api/handles.h"
#include "core/status.h"

/* The same arrays as values of another type of the same size. It holds `matrix`. */
static tulle_status read_as(const tulle_matrix *matrix, tulle_value_type type, tulle_matrix **out)
{
	tulle_matrix *m = NULL;
	const tulle_status s = tulle__matrix_new(matrix->context, matrix->kind, matrix->stored_nnz, &m);

	*out = m;
	if (s != TULLE_OK)
		return s;
	m->of = tulle__matrix_hold(matrix);
	m->a = matrix->a;
	m->owned = matrix->owned;
	m->mapping = matrix->mapping;
	m->order = matrix->order;
	m->lists = matrix->lists;
	m->blocks = matrix->blocks;
	m->owned_blocks = matrix->owned_blocks;
	m->a.value_type = m->blocks.value_type = type;
	return TULLE_OK;
}

/* A plan for the arrays of the matrix, read as a type whose compute type is that of the vectors. Only the
 * plan holds this second matrix. */
tulle_status tulle__create_mixed(const tulle_matrix *matrix, const tulle_plan_options *o,
                                 tulle_plan **out)
{
	tulle_matrix *mixed;
	tulle_status s;

	const int type = tulle__mixed_type(matrix->a.value_type, o->vector_type);

	if (type == TULLE__NO_TYPE)
		return tulle__fail(TULLE_E_UNSUPPORTED,
		                   "options.vector_type = %s: the matrix has %s values; only f32, f16 and "
		                   "bf16 matrices take vectors of another type, f64",
		                   tulle__type_of(o->vector_type)->name,
		                   tulle__type_of(matrix->a.value_type)->name);
	s = read_as(matrix, (tulle_value_type)type, &mixed);
	if (s != TULLE_OK)
		return s;
	s = tulle__plan_create(mixed, 1, o, out);
	tulle_matrix_destroy(mixed);
	return s;
}
