/* check.c -- checks whether arrays are a valid matrix, in one parallel pass that finds the first
 * fault. */
#include "core/memory.h"
#include "core/split.h"
#include "core/status.h"
#include "core/threads.h"
#include "csr/csr_matrix.h"

#include <inttypes.h>

const tulle__csr_words tulle__words_of_csr = { "row_ptr", "col", "row" };

enum { BLOCK = 4096 };

typedef struct {
	tulle_index_type type;
	const void *array;
	int64_t count, minors, parts;
	int base;
	int64_t *first_bad; /* one per part; `count` when the part is good */
} scan;

static void scan_offsets(const void *arg, int64_t part)
{
	const scan *s = arg;
	const int64_t end = tulle__cut(s->count, s->parts, part + 1);
	int64_t i = tulle__cut(s->count, s->parts, part);

	while (i < end &&
	       tulle__index_at(s->array, s->type, i) <= tulle__index_at(s->array, s->type, i + 1))
		i++;
	s->first_bad[part] = i < end ? i : s->count;
}

/* May any of the 32-bit v[k .. end-1] be outside base .. base+minors-1? Limited by memory
 * bandwidth: one comparison per element, no branch. May give a false alarm at INT32_MAX. */
static int suspicious(const int32_t *v, int64_t k, int64_t end, int base, int64_t minors)
{
	const uint32_t limit = minors < INT32_MAX ? (uint32_t)minors : INT32_MAX;
	uint32_t bad = 0;

	for (; k < end; k++)
		bad |= (uint32_t)v[k] - (uint32_t)base >= limit;
	return bad != 0;
}

static void scan_indices(const void *arg, int64_t part)
{
	const scan *s = arg;
	const int64_t end = tulle__cut(s->count, s->parts, part + 1);
	int64_t k = tulle__cut(s->count, s->parts, part);

	s->first_bad[part] = s->count;
	while (k < end) {
		const int64_t stop = k + BLOCK < end ? k + BLOCK : end;

		if (s->type == TULLE_I32 && !suspicious(s->array, k, stop, s->base, s->minors)) {
			k = stop;
			continue;
		}
		for (; k < stop; k++) {
			const int64_t index = tulle__index_at(s->array, s->type, k);

			if (index < s->base || index - s->base >= s->minors) {
				s->first_bad[part] = k;
				return;
			}
		}
	}
}

/* Parts are in order, so the first part with a fault has the first fault. */
static int64_t smallest(const int64_t *first_bad, int64_t parts, int64_t none)
{
	for (int64_t part = 0; part < parts; part++)
		if (first_bad[part] < none)
			return first_bad[part];
	return none;
}

/* Index of the first bad element, or s->count. */
static int64_t run_scan(tulle__env *env, scan *s, tulle__work *work)
{
	int64_t first_bad[TULLE__MAX_PARTS];

	s->parts = tulle__parts(s->count);
	s->first_bad = first_bad;
	tulle__run_parts(env, work, s, s->parts, s->count);
	return smallest(first_bad, s->parts, s->count);
}

tulle_status tulle__csr_check_order(tulle__env *env, int64_t majors, tulle_index_type type,
                                    const void *ptr, int64_t number, const tulle__csr_words *words)
{
	scan s = { .type = type, .array = ptr, .count = majors };
	const int64_t i = run_scan(env, &s, scan_offsets);

	if (i < majors)
		return tulle__fail(TULLE_E_MATRIX,
		                   "%s[%" PRId64 "] = %" PRId64 " is less than %s[%" PRId64 "] = %" PRId64,
		                   words->pointer, number + i + 1, tulle__index_at(ptr, type, i + 1),
		                   words->pointer, number + i, tulle__index_at(ptr, type, i));
	return TULLE_OK;
}

tulle_status tulle__csr_check_offsets(tulle__env *env, int64_t majors, tulle_index_type type,
                                      const void *ptr, int base, const tulle__csr_words *words)
{
	const int64_t first = tulle__index_at(ptr, type, 0);

	if (first != base)
		return tulle__fail(TULLE_E_MATRIX, "%s[0] = %" PRId64 " is not %d", words->pointer, first,
		                   base);
	return tulle__csr_check_order(env, majors, type, ptr, 0, words);
}

/* The row (or, of CSC, column) of entry k. */
static int64_t major_of(int64_t majors, tulle_index_type type, const void *ptr, int64_t k)
{
	int64_t low = 0, high = majors;

	while (high - low > 1) {
		const int64_t middle = low + (high - low) / 2;

		if (tulle__index_at(ptr, type, middle) <= k)
			low = middle;
		else
			high = middle;
	}
	return low;
}

int64_t tulle__check_indices(tulle__env *env, int64_t count, int64_t minors, tulle_index_type type,
                             const void *index, int base)
{
	scan s = { .type = type, .array = index, .count = count, .minors = minors, .base = base };

	return run_scan(env, &s, scan_indices);
}

tulle_status tulle__csr_check_indices(tulle__env *env, int64_t majors, int64_t minors,
                                      tulle_index_type offset_type, const void *ptr,
                                      tulle_index_type index_type, const void *index, int base,
                                      const tulle__csr_words *words)
{
	const int64_t nnz = tulle__index_at(ptr, offset_type, majors) - base;
	const int64_t k = tulle__check_indices(env, nnz, minors, index_type, index, base);

	if (k == nnz)
		return TULLE_OK;
	return tulle__fail(
	    TULLE_E_MATRIX, "%s[%" PRId64 "] = %" PRId64 " in %s %" PRId64 " is outside %d .. %" PRId64,
	    words->index, k, tulle__index_at(index, index_type, k), words->major,
	    major_of(majors, offset_type, ptr, k + base) + base, base, minors - 1 + base);
}

typedef struct {
	const tulle__triplets *t;
	tulle_triangle triangle;
	int64_t parts, *first_bad;
} triangle_scan;

static void scan_triangle(const void *arg, int64_t part)
{
	const triangle_scan *s = arg;
	const tulle__triplets *t = s->t;
	const int64_t end = tulle__cut(t->nnz, s->parts, part + 1);

	s->first_bad[part] = t->nnz;
	for (int64_t k = tulle__cut(t->nnz, s->parts, part); k < end; k++) {
		const int64_t i = tulle__index_at(t->row, t->row_type, k);
		const int64_t j = tulle__index_at(t->col, t->col_type, k);
		const int64_t below = s->triangle == TULLE_LOWER ? i - j : j - i;

		if (below < (t->kind == TULLE_SKEW)) {
			s->first_bad[part] = k;
			return;
		}
	}
}

int64_t tulle__check_triangle(tulle__env *env, const tulle__triplets *t, tulle_triangle triangle)
{
	int64_t first_bad[TULLE__MAX_PARTS];
	const triangle_scan s = { t, triangle, tulle__parts(t->nnz), first_bad };

	tulle__run_parts(env, scan_triangle, &s, s.parts, t->nnz);
	return smallest(first_bad, s.parts, t->nnz);
}

tulle_status tulle__check_alignment(const char *name, const void *array, size_t align)
{
	if ((uintptr_t)array % align != 0)
		return tulle__fail(TULLE_E_ARGUMENT, "%s = %p is not a multiple of its element's %zu bytes",
		                   name, array, align);
	return TULLE_OK;
}

tulle_status tulle__check_cuts(const char *format, const int64_t *cut, int64_t parts, int64_t end)
{
	for (int64_t p = 0; p < parts; p++)
		if (cut[p] > cut[p + 1])
			return tulle__fail(TULLE_E_INTERNAL, "%s: cut %" PRId64 " goes back", format, p + 1);
	if (cut[parts] != end || (parts > 0 && cut[0] != 0))
		return tulle__fail(TULLE_E_INTERNAL, "%s: the cuts do not span the matrix", format);
	return TULLE_OK;
}

tulle_status tulle__check_distinct(tulle__env *env, const int32_t *number, int64_t count,
                                   int64_t below, const char *name)
{
	unsigned char *seen;
	tulle_status s = tulle__alloc_zero(env, below, 1, &seen);

	for (int64_t n = 0; n < count && s == TULLE_OK; n++)
		if (number[n] < 0 || number[n] >= below || seen[number[n]]++)
			s = tulle__fail(TULLE_E_INTERNAL,
			                "%s[%" PRId64 "] = %" PRId32 " is beyond the end or twice", name, n,
			                number[n]);
	tulle__free(env, seen);
	return s;
}

tulle_status tulle__check_32_bits(const char *format, const tulle__csr *a, int64_t more)
{
	if (a->cols > TULLE__I32_MAX || a->rows > TULLE__I32_MAX - more)
		return tulle__fail(TULLE_E_UNSUPPORTED,
		                   "%s numbers rows and columns with 32 bits; the matrix is %" PRId64
		                   " x %" PRId64,
		                   format, a->rows, a->cols);
	return TULLE_OK;
}
