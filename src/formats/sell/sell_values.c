/* sell_values.c -- slots for the values of SELL-C-sigma, depending on their class; a stencil has
 * one value per step for all rows. */
#include "formats/sell/sell_convert.h"

#include "core/memory.h"
#include "core/split.h"
#include "core/threads.h"
#include "csr/chunks.h"
#include "csr/value_codes.h"

#include <string.h>

/* How the values of a chunk are stored. */
typedef enum { EACH, ONE_PER_STEP, AS_BEFORE } need;

typedef struct {
	const sell_data *d;
	const tulle__csr *a;
	int64_t parts;
	unsigned char *need; /* of each chunk */
} job;

static int same_values(const tulle__csr *a, int64_t i, int64_t j)
{
	const size_t size = tulle__value_size(a->value_type);
	const char *val = a->val;

	return memcmp(val + (size_t)tulle__csr_offset(a, i) * size,
	              val + (size_t)tulle__csr_offset(a, j) * size,
	              (size_t)tulle__csr_length(a, i) * size) == 0;
}

static int one_value_per_step(const job *j, int64_t c)
{
	const int64_t first = j->d->chunk[c].first;

	for (int r = 1; r < j->d->height; r++)
		if (!same_values(j->a, first, first + r))
			return 0;
	return 1;
}

static void look_part(const void *arg, int64_t part)
{
	const job *j = arg;
	const int64_t begin = tulle__cut(j->d->chunks, j->parts, part);
	const int64_t end = tulle__cut(j->d->chunks, j->parts, part + 1);

	for (int64_t c = begin; c < end; c++) {
		const sell_chunk *chunk = &j->d->chunk[c];

		if (chunk->columns < COLUMNS_STRIPS || !one_value_per_step(j, c))
			j->need[c] = EACH;
		else if (c > begin && j->need[c - 1] != EACH && chunk[-1].width == chunk->width &&
		         same_values(j->a, chunk[-1].first, chunk->first))
			j->need[c] = AS_BEFORE;
		else
			j->need[c] = ONE_PER_STEP;
	}
}

/* Value slots that chunk c adds. */
static int64_t slots_of(const job *j, int64_t c)
{
	return j->need[c] == AS_BEFORE      ? 0
	       : j->need[c] == ONE_PER_STEP ? tulle__sell_list_slots(j->d, j->d->chunk[c].width)
	                                    : tulle__sell_chunk_slots(j->d, c);
}

static void place_values(const job *j, sell_data *d)
{
	d->slots = d->piece_slots;
	for (int64_t c = 0; c < d->chunks; c++) {
		sell_chunk *chunk = &d->chunk[c];

		chunk->base = j->need[c] == AS_BEFORE ? chunk[-1].base
		                                      : tulle__place_chunk(&d->slots, slots_of(j, c));
		if (chunk->columns >= COLUMNS_STRIPS)
			chunk->columns = j->need[c] == EACH ? COLUMNS_STRIPS : COLUMNS_STENCIL;
	}
}

/* A new array if the old one does not have the required size. A table's codes are cleared, so their memory is
 * in use before anything is released. */
static tulle_status make_room(sell_data *d, int64_t slots, tulle__value_class class,
                              size_t releases, void **val, tulle__env *env)
{
	const size_t size = tulle__code_size(class, d->value_type);
	const size_t old = tulle__code_size(d->code.class, d->value_type);

	*val = d->val;
	if (d->val && slots == d->slots && size == old)
		return TULLE_OK;
	if (releases > 0 && class != TULLE__TABLE)
		tulle__allow_beyond_limit(releases);
	return tulle__alloc_codes(env, slots + SELL_TALLEST, class, d->value_type, val);
}

/* Find the class of the values, the storage of each chunk, and the number of slots. The caller frees
 * j->need. */
static tulle_status analyze_values(job *j, tulle__env *env, tulle__value_code *code, int64_t *slots)
{
	const sell_data *d = j->d;
	const tulle__csr *a = j->a;
	tulle_status s = TULLE_OK;

	*code = (tulle__value_code){ .class = TULLE__OWN };
	if (!d->separate)
		s = d->given     ? tulle__classify_given(env, a, d->given, code)
		    : d->rounded ? tulle__classify_rounded(env, a, d->rounded, code)
		                 : tulle__classify(env, a->nnz, a->value_type, a->val, code);
	if (s == TULLE_OK)
		s = tulle__alloc_zero(env, d->chunks, sizeof *j->need, &j->need);
	if (s != TULLE_OK)
		return s;
	if (code->class != TULLE__ONES && !d->separate)
		tulle__run_parts(env, look_part, j, j->parts, a->nnz + a->rows);
	*slots = d->piece_slots;
	for (int64_t c = 0; c < d->chunks; c++)
		*slots += slots_of(j, c);
	return TULLE_OK;
}

tulle_status tulle__sell_place_values(sell_data *d, const tulle__csr *a, tulle__env *env)
{
	job j = { d, a, tulle__parts(a->rows), NULL };
	int64_t slots;
	const tulle_status s = analyze_values(&j, env, &d->code, &slots);

	if (s == TULLE_OK)
		place_values(&j, d);
	tulle__free(env, j.need);
	return s;
}

tulle_status tulle__sell_make_values(sell_data *d, const tulle__csr *a, size_t releases,
                                     tulle__env *env)
{
	job j = { d, a, tulle__parts(a->rows), NULL };
	tulle__value_code code;
	int64_t slots;
	void *val = NULL;
	double *scale = NULL;
	tulle_status s = analyze_values(&j, env, &code, &slots);

	if (s == TULLE_OK && tulle__is_half(code.class) && !d->given)
		s = tulle__sell_find_scales(d, a, code.class, env, &scale, &code.rounded);
	if (s == TULLE_OK)
		s = make_room(d, slots, code.class, releases, &val, env);
	if (s != TULLE_OK) {
		tulle__free(env, scale);
	} else {
		if (val != d->val)
			tulle__free(env, d->val);
		tulle__free(env, d->scale);
		d->val = val;
		d->scale = scale;
		d->code = code;
		place_values(&j, d);
	}
	tulle__free(env, j.need);
	return s;
}

tulle_status tulle__sell_set_values(sell_data *d, const tulle__csr *a, tulle__env *env)
{
	const tulle_status s = tulle__sell_make_values(d, a, 0, env);

	if (s == TULLE_OK)
		tulle__sell_move_values(d, a, env);
	return s;
}
