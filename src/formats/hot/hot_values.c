/* hot_values.c -- moves values from CSR to their slots in the layers, in the code of their
 * class. */
#include "formats/hot/hot_build.h"

#include "core/inline.h"
#include "core/memory.h"
#include "core/split.h"
#include "core/threads.h"
#include "csr/value_codes.h"

typedef struct {
	const hot_data *d;
	const hot_layer *l;
	const void *val; /* in the order of CSR */
	int64_t parts;
} job;

TULLE_INLINE void encode(const job *j, int64_t begin, int64_t end, tulle__value_class class,
                         size_t size)
{
	for (int64_t slot = begin; slot < end; slot++) {
		const int64_t k = tulle__index_at(j->l->source, j->d->source_type, slot);

		tulle__encode_value(j->l->val, slot, &j->d->code, class, size,
		                    (const char *)j->val + (size_t)k * size);
	}
}

TULLE_INLINE void encode_class(const job *j, int64_t begin, int64_t end, size_t size)
{
	switch (j->d->code.class) {
	case TULLE__OWN: encode(j, begin, end, TULLE__OWN, size); break;
	case TULLE__SINGLE: encode(j, begin, end, TULLE__SINGLE, size); break;
	case TULLE__TABLE: encode(j, begin, end, TULLE__TABLE, size); break;
	default: break; /* ones have no array, and nothing is rounded here */
	}
}

static void encode_part(const void *arg, int64_t part)
{
	const job *j = arg;
	const size_t size = tulle__value_size(j->d->value_type);
	const int64_t begin = tulle__cut(j->l->slots, j->parts, part);
	const int64_t end = tulle__cut(j->l->slots, j->parts, part + 1);

	switch (size) {
	case 4: encode_class(j, begin, end, 4); break;
	case 8: encode_class(j, begin, end, 8); break;
	default: encode_class(j, begin, end, size); break;
	}
}

/* A new array per layer if values of another class do not fit into the old ones. */
static tulle_status make_room(const hot_data *d, tulle__value_class class, tulle__env *env,
                              void **val)
{
	tulle_status s = TULLE_OK;

	for (int64_t n = 0; n <= d->blocks; n++)
		val[n] = NULL;
	for (int64_t n = 0; n <= d->blocks && s == TULLE_OK; n++)
		s = tulle__alloc_codes(env, d->layer[n].slots + HOT_TALLEST, class, d->value_type, &val[n]);
	for (int64_t n = 0; n <= d->blocks && s != TULLE_OK; n++)
		tulle__free(env, val[n]);
	return s;
}

tulle_status tulle__hot_set_values(hot_data *d, const tulle__csr *a, tulle__env *env)
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
