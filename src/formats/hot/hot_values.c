/* hot_values.c -- values from CSR to their slots in the layers, in the code of their class, and back. */
#include "formats/hot/hot_build.h"

#include "core/inline.h"
#include "core/memory.h"
#include "core/split.h"
#include "core/threads.h"
#include "csr/values.h"

#include <string.h>

typedef struct {
	const hot_data *d;
	const hot_layer *l;
	const void *val; /* in the order of CSR */
	int64_t parts;
} job;

TULLE_INLINE void encode(const job *j, int64_t begin, int64_t end, tulle__value_class class,
                         tulle_value_type type)
{
	const size_t size = tulle__value_size(type);

	for (int64_t slot = begin; slot < end; slot++) {
		const int64_t k = tulle__index_at(j->l->source, j->d->source_type, slot);
		const char *value = (const char *)j->val + (size_t)k * size;

		if (class == TULLE__OWN)
			memcpy((char *)j->l->val + (size_t)slot * size, value, size);
		else if (class == TULLE__SINGLE)
			((float *)j->l->val)[slot] = (float)((const double *)j->val)[k];
		else
			((unsigned char *)j->l->val)[slot] = tulle__find_value(&j->d->code, type, value);
	}
}

static void encode_part(const void *arg, int64_t part)
{
	const job *j = arg;
	const int64_t begin = tulle__cut(j->l->slots, j->parts, part);
	const int64_t end = tulle__cut(j->l->slots, j->parts, part + 1);

	switch (2 * j->d->code.class + (j->d->value_type == TULLE_F64)) {
	case 2 * TULLE__OWN: encode(j, begin, end, TULLE__OWN, TULLE_F32); break;
	case 2 * TULLE__OWN + 1: encode(j, begin, end, TULLE__OWN, TULLE_F64); break;
	case 2 * TULLE__SINGLE + 1: encode(j, begin, end, TULLE__SINGLE, TULLE_F64); break;
	case 2 * TULLE__TABLE: encode(j, begin, end, TULLE__TABLE, TULLE_F32); break;
	case 2 * TULLE__TABLE + 1: encode(j, begin, end, TULLE__TABLE, TULLE_F64); break;
	default: break;
	}
}

/* A new array for each layer when the values of another class do not fit into the old ones. Vectors may
 * be read whole, and codes that are nobody's must still be in the table. */
static tulle_status make_room(const hot_data *d, tulle__value_class class, tulle__env *env,
                              void **val)
{
	const size_t size = tulle__code_size(class, d->value_type);
	tulle_status s = TULLE_OK;

	for (int64_t n = 0; n <= d->blocks; n++)
		val[n] = NULL;
	for (int64_t n = 0; n <= d->blocks && s == TULLE_OK; n++) {
		const int64_t slots = d->layer[n].slots + HOT_TALLEST;

		s = class == TULLE__TABLE ? tulle__alloc_zero(env, slots, size, &val[n])
		                          : tulle__alloc(env, slots, size, &val[n]);
	}
	for (int64_t n = 0; n <= d->blocks && s != TULLE_OK; n++)
		tulle__free(env, val[n]);
	return s;
}

tulle_status hot_set_values(hot_data *d, const tulle__csr *a, tulle__env *env)
{
	const size_t old = tulle__code_size(d->code.class, d->value_type);
	void *val[HOT_MOST_BLOCKS + 1];
	tulle__value_code code;
	tulle_status s = tulle__classify(env, a->nnz, a->value_type, a->val, &code);

	if (s == TULLE_OK && (!d->layer[0].val || tulle__code_size(code.class, d->value_type) != old)) {
		s = make_room(d, code.class, env, val);
		for (int64_t n = 0; n <= d->blocks && s == TULLE_OK; n++) {
			tulle__free(env, d->layer[n].val);
			d->layer[n].val = val[n];
		}
	}
	if (s != TULLE_OK)
		return s;
	d->code = code;
	for (int64_t n = 0; n <= d->blocks && code.class != TULLE__ONES; n++) {
		const hot_layer *l = &d->layer[n];
		const job j = { d, l, a->val, tulle__parts(l->slots) };

		tulle__run_parts(env, encode_part, &j, j.parts, l->slots);
	}
	return TULLE_OK;
}

void hot_value_at(const hot_data *d, const hot_layer *l, int64_t slot, void *value)
{
	const size_t size = tulle__value_size(d->value_type);
	const char *own = (const char *)l->val + (size_t)slot * size;
	const double one = 1;
	const float short_one = 1;
	double wide;

	switch (d->code.class) {
	case TULLE__OWN: memcpy(value, own, size); break;
	case TULLE__SINGLE:
		wide = ((const float *)l->val)[slot];
		memcpy(value, &wide, size);
		break;
	case TULLE__TABLE:
		memcpy(value, (const char *)&d->code.table + ((const unsigned char *)l->val)[slot] * size,
		       size);
		break;
	case TULLE__ONES:
		memcpy(value, d->value_type == TULLE_F64 ? (const void *)&one : &short_one, size);
		break;
	}
}
