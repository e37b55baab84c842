/* matrix_given.c -- arguments that describe a matrix, checked. */
#include "api/matrix_given.h"
#include "core/memory.h"
#include "core/status.h"

#include <inttypes.h>

tulle_status tulle__check_index_array(const char *name, tulle_index_type type, const void *array,
                                      int may_be_null)
{
	if (type != TULLE_I32 && type != TULLE_I64)
		return tulle__fail(TULLE_E_ARGUMENT,
		                   "the type of %s is %d, neither TULLE_I32 nor TULLE_I64", name,
		                   (int)type);
	if (!array && !may_be_null)
		return tulle__fail(TULLE_E_ARGUMENT, "%s is NULL", name);
	return tulle__check_alignment(name, array, tulle__index_size(type));
}

static tulle_status check_options(const tulle__given *s)
{
	const tulle_matrix_options *o = &s->options;

	if (o->ownership != TULLE_BORROW && o->ownership != TULLE_COPY)
		return tulle__fail(TULLE_E_ARGUMENT, "options.ownership = %d is unknown",
		                   (int)o->ownership);
	if (o->base != 0 && o->base != 1)
		return tulle__fail(TULLE_E_ARGUMENT, "options.base = %d is neither 0 nor 1", o->base);
	if (o->kind != TULLE_GENERAL && o->kind != TULLE_SYMMETRIC && o->kind != TULLE_SKEW &&
	    o->kind != TULLE_HERMITIAN)
		return tulle__fail(TULLE_E_ARGUMENT, "options.kind = %d is unknown", (int)o->kind);
	if (o->triangle != TULLE_LOWER && o->triangle != TULLE_UPPER)
		return tulle__fail(TULLE_E_ARGUMENT, "options.triangle = %d is unknown", (int)o->triangle);
	if (o->check != TULLE_CHECK_FULL && o->check != TULLE_CHECK_FAST &&
	    o->check != TULLE_CHECK_NONE)
		return tulle__fail(TULLE_E_ARGUMENT, "options.check = %d is unknown", (int)o->check);
	if (o->kind != TULLE_GENERAL && s->rows != s->cols)
		return tulle__fail(TULLE_E_MATRIX,
		                   "a matrix of which one triangle is given is square, this is %" PRId64
		                   " x %" PRId64,
		                   s->rows, s->cols);
	return TULLE_OK;
}

tulle_status tulle__check_count(const char *name, int64_t count)
{
	if (count < 0)
		return tulle__fail(TULLE_E_ARGUMENT, "%s = %" PRId64 " is negative", name, count);
	if (count > TULLE__MOST)
		return tulle__fail(TULLE_E_ARGUMENT,
		                   "%s = %" PRId64 " is more than %" PRId64
		                   ": arrays of this size cannot be addressed",
		                   name, count, TULLE__MOST);
	return TULLE_OK;
}

tulle_status tulle__check_given(tulle__given *s, tulle_context *context,
                                const tulle_matrix_options *options, tulle_matrix **out)
{
	tulle_status status;

	if (!out)
		return tulle__fail(TULLE_E_ARGUMENT, "out is NULL");
	*out = NULL;
	status = tulle__context_of(context, &s->context);
	if (status == TULLE_OK)
		status =
		    tulle__read_options("tulle_matrix_options", options, &s->options, sizeof s->options);
	if (status == TULLE_OK)
		status = tulle__check_count("rows", s->rows);
	if (status == TULLE_OK)
		status = tulle__check_count("cols", s->cols);
	if (status != TULLE_OK)
		return status;
	status = tulle__check_value_type("value_type", s->value_type);
	if (status == TULLE_OK)
		status = tulle__check_alignment("val", s->val, tulle__type_of(s->value_type)->part_size);
	if (status == TULLE_OK)
		status = check_options(s);
	if (status == TULLE_OK && s->options.kind == TULLE_HERMITIAN &&
	    tulle__type_of(s->value_type)->parts == 1)
		s->options.kind = TULLE_SYMMETRIC;
	return status;
}

tulle_status tulle__check_compressed(const tulle__given *s, int64_t majors, int64_t minors,
                                     tulle_index_type offset_type, const void *ptr,
                                     tulle_index_type index_type, const void *index,
                                     const tulle__csr_words *words, int64_t *nnz)
{
	tulle__env *env = &s->context->env;
	const int base = s->options.base;
	tulle_status status = tulle__check_index_array(words->pointer, offset_type, ptr, 0);

	if (status == TULLE_OK && s->options.check != TULLE_CHECK_NONE)
		status = tulle__csr_check_offsets(env, majors, offset_type, ptr, base, words);
	if (status != TULLE_OK)
		return status;
	*nnz = tulle__index_at(ptr, offset_type, majors);
	if (*nnz < base || *nnz > TULLE__MOST)
		return tulle__fail(TULLE_E_MATRIX,
		                   "%s[%" PRId64 "] = %" PRId64 " is outside %d .. %" PRId64,
		                   words->pointer, majors, *nnz, base, TULLE__MOST);
	*nnz -= base;
	status = tulle__check_index_array(words->index, index_type, index, *nnz == 0);
	if (status == TULLE_OK && s->options.check == TULLE_CHECK_FULL)
		status = tulle__csr_check_indices(env, majors, minors, offset_type, ptr, index_type, index,
		                                  base, words);
	return status;
}
