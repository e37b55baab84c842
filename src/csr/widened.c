/* widened.c -- values in the compute type of their type, for formats that have no kernels for it. */
#include "csr/widened.h"

#include "core/memory.h"
#include "core/split.h"
#include "core/threads.h"

/* f32 to f64, or back: values that were widened fit. */
typedef struct {
	const void *from;
	void *to;
	int64_t nnz, parts;
} job;

static void widen_part(const void *arg, int64_t part)
{
	const job *j = arg;
	const float *from = j->from;
	double *to = j->to;

	for (int64_t k = tulle__cut(j->nnz, j->parts, part); k < tulle__cut(j->nnz, j->parts, part + 1);
	     k++)
		to[k] = from[k];
}

static void narrow_part(const void *arg, int64_t part)
{
	const job *j = arg;
	const double *from = j->from;
	float *to = j->to;

	for (int64_t k = tulle__cut(j->nnz, j->parts, part); k < tulle__cut(j->nnz, j->parts, part + 1);
	     k++)
		to[k] = (float)from[k];
}

/* `a` with values of a type that the format supports. *own is the block with these values; NULL: they
 * are those of `a`. */
static tulle_status take(const tulle__format *format, const tulle__csr *a, tulle__env *env,
                         tulle__csr *out, void **own)
{
	job j = { .from = a->val, .nnz = a->nnz, .parts = tulle__parts(a->nnz) };
	tulle_status s;

	*out = *a;
	*own = NULL;
	out->value_type = tulle__format_type(format, a->value_type);
	if (out->value_type == a->value_type || !a->val)
		return TULLE_OK;
	s = tulle__alloc(env, a->nnz, tulle__value_size(out->value_type), &j.to);
	if (s != TULLE_OK)
		return s;
	tulle__run_parts(env, widen_part, &j, j.parts, a->nnz);
	out->val = *own = j.to;
	return TULLE_OK;
}

tulle_status tulle__format_convert(const tulle__format *format, const tulle__csr *a,
                                   const tulle__request *request, tulle__env *env, void **data)
{
	tulle__csr taken;
	void *own;
	tulle_status s;

	*data = NULL;
	s = take(format, a, env, &taken, &own);
	if (s == TULLE_OK)
		s = format->convert(&taken, request, env, data);
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
	job j;
	tulle_status s = format->to_csr(data, env, out);

	if (s != TULLE_OK || (int)type != TULLE__TYPE_f32f64)
		return s;
	if (out->value_type == TULLE_F64 && out->val) {
		j = (job){ .from = out->val, .nnz = out->nnz, .parts = tulle__parts(out->nnz) };
		s = tulle__alloc(env, out->nnz, sizeof(float), &j.to);
		if (s != TULLE_OK) {
			tulle__csr_release(env, out);
			return s;
		}
		tulle__run_parts(env, narrow_part, &j, j.parts, out->nnz);
		tulle__csr_replace_values(env, out, j.to);
	}
	out->value_type = TULLE_F32;
	return TULLE_OK;
}
