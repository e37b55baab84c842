/* widened.c -- values in another type than they were given in, for formats that have no kernels for that. */
#include "csr/widened.h"

#include "core/inline.h"
#include "core/memory.h"
#include "core/split.h"
#include "core/threads.h"

/* From one type to another. Values that are narrowed were widened before: they fit. */
typedef struct {
	const void *from;
	void *to;
	tulle_value_type from_type, to_type; /* as given: f32, f64, f16 or bf16 */
	int64_t nnz, parts;
} job;

/* `from` and `to` are constants at every call. */
TULLE_INLINE void move_values(const job *j, int64_t part, tulle_value_type from,
                              tulle_value_type to)
{
	const int64_t end = tulle__cut(j->nnz, j->parts, part + 1);

	for (int64_t k = tulle__cut(j->nnz, j->parts, part); k < end; k++) {
		if (from == TULLE_F64 && to == TULLE_F32)
			((float *)j->to)[k] = (float)((const double *)j->from)[k];
		else if (to == TULLE_F16)
			((uint16_t *)j->to)[k] = tulle__to_f16(tulle__value_real(from, j->from, k));
		else if (to == TULLE_BF16)
			((uint16_t *)j->to)[k] = tulle__to_bf16(tulle__value_real(from, j->from, k));
		else if (to == TULLE_F32)
			((float *)j->to)[k] = (float)tulle__value_real(from, j->from, k);
		else
			((double *)j->to)[k] = tulle__value_real(from, j->from, k);
	}
}

static void move_part(const void *arg, int64_t part)
{
	const job *j = arg;
	const int wide = j->from_type == TULLE_F64, to_wide = j->to_type == TULLE_F64;

	if (j->from_type == TULLE_F16)
		to_wide ? move_values(j, part, TULLE_F16, TULLE_F64)
		        : move_values(j, part, TULLE_F16, TULLE_F32);
	else if (j->from_type == TULLE_BF16)
		to_wide ? move_values(j, part, TULLE_BF16, TULLE_F64)
		        : move_values(j, part, TULLE_BF16, TULLE_F32);
	else if (j->to_type == TULLE_F16)
		wide ? move_values(j, part, TULLE_F64, TULLE_F16)
		     : move_values(j, part, TULLE_F32, TULLE_F16);
	else if (j->to_type == TULLE_BF16)
		wide ? move_values(j, part, TULLE_F64, TULLE_BF16)
		     : move_values(j, part, TULLE_F32, TULLE_BF16);
	else
		wide ? move_values(j, part, TULLE_F64, TULLE_F32)
		     : move_values(j, part, TULLE_F32, TULLE_F64);
}

/* The values of `a`, in a block of their own. */
static tulle_status move_to(tulle__env *env, const tulle__csr *a, tulle_value_type type, void **out)
{
	job j = { .from = a->val,
		      .from_type = tulle__given_type(a->value_type),
		      .to_type = tulle__given_type(type),
		      .nnz = a->nnz,
		      .parts = tulle__parts(a->nnz) };
	const tulle_status s = tulle__alloc(env, a->nnz, tulle__value_size(type), &j.to);

	if (s == TULLE_OK)
		tulle__run_parts(env, move_part, &j, j.parts, a->nnz);
	*out = j.to;
	return s;
}

tulle_status tulle__csr_widen(tulle__env *env, const tulle__csr *a, tulle_value_type type,
                              tulle__csr *out, void **own)
{
	tulle_status s;

	*out = *a;
	*own = NULL;
	out->value_type = type;
	if (type == a->value_type || !a->val)
		return TULLE_OK;
	s = move_to(env, a, type, own);
	out->val = *own;
	return s;
}

/* `a` with values of a type that the format supports. */
static tulle_status take(const tulle__format *format, const tulle__csr *a, tulle__env *env,
                         tulle__csr *out, void **own)
{
	const int keeps = (format->flags & TULLE__BORROWS) != 0;

	return tulle__csr_widen(
	    env, a, keeps ? a->value_type : tulle__format_type(format, a->value_type), out, own);
}

tulle_status tulle__format_convert(const tulle__format *format, const tulle__csr *a,
                                   const tulle__request *request, tulle__env *env, void **data)
{
	tulle__request known = *request;
	tulle__csr taken;
	void *own;
	tulle_status s;

	*data = NULL;
	if (tulle__type_of(a->value_type)->stored)
		known.given = tulle__given_type(a->value_type);
	s = take(format, a, env, &taken, &own);
	if (s == TULLE_OK)
		s = format->convert(&taken, &known, env, data);
	tulle__free(env, own);
	return s;
}

tulle_status tulle__format_update(const tulle__format *format, void *data, const tulle__csr *a,
                                  tulle__env *env)
{
	tulle__csr taken;
	void *own;
	tulle_status s = take(format, a, env, &taken, &own);

	if (s == TULLE_OK)
		s = format->update(data, &taken, env);
	tulle__free(env, own);
	return s;
}

tulle_status tulle__format_give_back(const tulle__format *format, const void *data,
                                     tulle_value_type type, tulle__env *env, tulle__csr *out)
{
	const tulle_value_type given = tulle__given_type(type);
	tulle_status s = format->to_csr(data, env, out);

	if (s == TULLE_OK && out->val && tulle__given_type(out->value_type) != given) {
		void *values;

		s = move_to(env, out, given, &values);
		if (s != TULLE_OK) {
			tulle__csr_release(env, out);
			return s;
		}
		tulle__csr_replace_values(env, out, values);
	}
	if (s == TULLE_OK)
		out->value_type = given;
	return s;
}
