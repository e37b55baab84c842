/* value_codes.c -- classes of values. */
#include "csr/value_codes.h"

#include "core/inline.h"
#include "core/memory.h"
#include "core/split.h"
#include "core/status.h"
#include "core/threads.h"

#include <float.h>
#include <inttypes.h>
#include <math.h>

/* What one part has seen. */
typedef struct {
	int count; /* of different values; TULLE__TABLE_SIZE + 1: too many */
	int single;
	uint64_t bits[TULLE__TABLE_SIZE];
} sight;

typedef struct {
	const void *val;
	const tulle__type *type;
	int64_t nnz, parts;
	sight *seen;
} job;

static int is_single(uint64_t bits)
{
	double wide, back;
	uint64_t again;

	memcpy(&wide, &bits, sizeof wide);
	back = (float)wide;
	memcpy(&again, &back, sizeof again);
	return again == bits;
}

static void note_value(sight *s, uint64_t bits)
{
	for (int n = 0; n < s->count && n < TULLE__TABLE_SIZE; n++)
		if (s->bits[n] == bits)
			return;
	if (s->count < TULLE__TABLE_SIZE)
		s->bits[s->count] = bits;
	if (s->count <= TULLE__TABLE_SIZE)
		s->count++;
}

/* For most matrices a few values show that they have no class. */
TULLE_INLINE void look(sight *s, const job *j, int64_t k, int64_t end, size_t size)
{
	const char *val = (const char *)j->val;
	uint64_t last = ~tulle__bits(val + (size_t)k * size, size);

	for (; k < end && (s->single || s->count <= TULLE__TABLE_SIZE); k++) {
		const uint64_t bits = tulle__bits(val + (size_t)k * size, size);

		if (bits == last)
			continue;
		last = bits;
		note_value(s, bits);
		s->single = s->single && is_single(bits);
	}
}

static void analyze_part(const void *arg, int64_t part)
{
	const job *j = arg;
	const int64_t k = tulle__cut(j->nnz, j->parts, part),
	              end = tulle__cut(j->nnz, j->parts, part + 1);
	sight s = { .single = j->type->is_double };

	switch (j->type->size) {
	case 8: look(&s, j, k, end, 8); break;
	case 4: look(&s, j, k, end, 4); break;
	default: look(&s, j, k, end, j->type->size); break;
	}
	j->seen[part] = s;
}

/* In the order of the parts, so that the table has the order of the matrix. */
static sight add_up(const job *j)
{
	sight all = { .single = j->type->is_double };

	for (int64_t p = 0; p < j->parts; p++) {
		const sight *s = &j->seen[p];

		all.single &= s->single;
		for (int n = 0; n < s->count && n < TULLE__TABLE_SIZE; n++)
			note_value(&all, s->bits[n]);
		if (s->count > TULLE__TABLE_SIZE)
			all.count = s->count;
	}
	return all;
}

static void set_code(const sight *s, const tulle__type *type, tulle__value_code *out)
{
	*out = (tulle__value_code){ .class = TULLE__OWN };
	if (s->count <= TULLE__TABLE_SIZE) {
		out->class = TULLE__TABLE;
		out->count = s->count;
		for (int n = 0; n < s->count; n++)
			tulle__set_bits((char *)&out->table + (size_t)n * type->size, type->size, s->bits[n]);
		if (s->count == 1 && memcmp(&out->table, type->one, type->size) == 0)
			out->class = TULLE__ONES;
	} else if (s->single) {
		out->class = TULLE__SINGLE;
	}
}

/* Kernels decode classes to their compute type; other types use OWN. Complex ones are not a class: their
 * imaginary part 0 times an Inf in x must give NaN. */
static int has_classes(const tulle__type *type)
{
	return type->compute == type->type && type->parts == 1;
}

tulle_status tulle__classify(tulle__env *env, int64_t nnz, tulle_value_type type, const void *val,
                             tulle__value_code *out)
{
	job j = { val, tulle__type_of(type), nnz, tulle__parts(nnz), NULL };
	tulle_status s;
	sight all;

	*out = (tulle__value_code){ .class = TULLE__ONES };
	if (!val || nnz == 0)
		return TULLE_OK;
	if (!has_classes(j.type)) {
		out->class = TULLE__OWN;
		return TULLE_OK;
	}
	s = tulle__alloc(env, j.parts, sizeof *j.seen, &j.seen);
	if (s != TULLE_OK)
		return s;
	tulle__run_parts(env, analyze_part, &j, j.parts, nnz);
	all = add_up(&j);
	tulle__free(env, j.seen);
	set_code(&all, j.type, out);
	return TULLE_OK;
}

tulle_status tulle__alloc_codes(tulle__env *env, int64_t slots, tulle__value_class class,
                                tulle_value_type type, void **out)
{
	const size_t size = tulle__code_size(class, type);

	return class == TULLE__TABLE ? tulle__alloc_zero(env, slots, size, out)
	                             : tulle__alloc(env, slots, size, out);
}

const char *tulle__class_name(tulle__value_class class)
{
	static const char *const names[TULLE__VALUE_CLASSES] = {
		[TULLE__SINGLE] = "f32",
		[TULLE__TABLE] = "1-byte codes of a table",
		[TULLE__ONES] = "ones",
		[TULLE__BF16] = "bf16 with a scale per chunk",
		[TULLE__F16] = "f16 with a scale per chunk",
	};

	return names[class];
}

tulle_status tulle__classify_given(tulle__env *env, const tulle__csr *a, tulle_value_type given,
                                   tulle__value_code *out)
{
	const tulle_status s = tulle__classify(env, a->nnz, a->value_type, a->val, out);

	if (out->class == TULLE__OWN || out->class == TULLE__SINGLE)
		out->class = given == TULLE_BF16 ? TULLE__BF16 : TULLE__F16;
	return s;
}

/* ---- rounded ---- */

static int float_holds(double v)
{
	return v == 0 || !isfinite(v) || (fabs(v) >= FLT_MIN && fabs(v) <= FLT_MAX);
}

double tulle__code_error(const tulle__value_code *code)
{
	if (!code->rounded)
		return 0;
	return code->class == TULLE__BF16  ? 1. / (2 << TULLE__BF16_FRACTION)
	       : code->class == TULLE__F16 ? 1. / (2 << TULLE__F16_FRACTION)
	                                   : FLT_EPSILON / 2;
}

tulle_status tulle__classify_rounded(tulle__env *env, const tulle__csr *a, int lossy,
                                     tulle__value_code *out)
{
	const double *val = a->val;
	const tulle_status s = tulle__classify(env, a->nnz, a->value_type, val, out);

	if (s != TULLE_OK || !tulle__type_of(a->value_type)->is_double)
		return s;
	if (lossy > TULLE_LOSSY_F32 && (out->class == TULLE__OWN || out->class == TULLE__SINGLE)) {
		out->class = lossy == TULLE_LOSSY_BF16 ? TULLE__BF16 : TULLE__F16;
		return TULLE_OK;
	}
	if (out->class != TULLE__OWN)
		return TULLE_OK;
	out->class = TULLE__SINGLE;
	out->rounded = 1;
	for (int64_t i = 0; i < a->rows; i++)
		for (int64_t k = tulle__csr_offset(a, i); k < tulle__csr_offset(a, i + 1); k++)
			if (!float_holds(val[k]))
				return tulle__fail(TULLE_E_UNSUPPORTED,
				                   "value %.17g in row %" PRId64 " does not fit in a float", val[k],
				                   i);
	return TULLE_OK;
}
