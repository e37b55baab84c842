/* scatter_parts.c -- divides scattering into parts, finds the columns of each part, and assigns a private
 * copy of y to each. */
#include "csr/scatter_parts.h"

#include "core/inline.h"
#include "core/memory.h"
#include "core/status.h"
#include "core/threads.h"

#include <inttypes.h>

/* Small parts, whose columns are found first; they are then merged. */
enum { MOST = 64 };

TULLE_INLINE tulle__columns widen(tulle__columns c, const void *col, tulle_index_type type,
                                  int64_t k, int64_t end)
{
	for (; k < end; k++) {
		const int64_t j = tulle__index_at(col, type, k);

		c.begin = j < c.begin ? j : c.begin;
		c.end = j >= c.end ? j + 1 : c.end;
	}
	return c;
}

tulle__columns tulle__widen_columns(tulle__columns c, const tulle__csr *a, int64_t k, int64_t end)
{
	return a->column_type == TULLE_I32 ? widen(c, a->col, TULLE_I32, k, end)
	                                   : widen(c, a->col, TULLE_I64, k, end);
}

typedef struct {
	const tulle__scattered *of;
	int64_t parts;
	tulle__columns *found;
} search;

static void look(const void *arg, int64_t part)
{
	const search *s = arg;
	const tulle__scattered *of = s->of;

	s->found[part] = of->columns(of->data, of->begins(of->data, s->parts, part),
	                             of->begins(of->data, s->parts, part + 1));
}

/* Columns of small parts n .. end-1. */
static tulle__columns join(const tulle__columns *of, int64_t n, int64_t end)
{
	tulle__columns all = { INT64_MAX, 0 };

	for (; n < end; n++) {
		all.begin = of[n].begin < all.begin ? of[n].begin : all.begin;
		all.end = of[n].end > all.end ? of[n].end : all.end;
	}
	return all.begin < all.end ? all : (tulle__columns){ 0, 0 };
}

static int64_t count_elements(const tulle__columns *found, int64_t small, int64_t parts)
{
	int64_t elements = 0;

	for (int64_t p = 0; p < parts; p++) {
		const tulle__columns c =
		    join(found, tulle__cut(small, parts, p), tulle__cut(small, parts, p + 1));

		elements += c.end - c.begin;
	}
	return elements;
}

/* An element of a copy costs as much as two nonzeros: it is set to zero, added to, and summed. A second
 * part is worth a higher cost, because a second thread can then work. */
static int64_t parts_for(const tulle__columns *found, int64_t small, int64_t nnz)
{
	int64_t parts = small;

	while (parts > 1 && count_elements(found, small, parts) > (parts > 2 ? nnz / 4 : nnz))
		parts /= 2;
	return parts > 1 ? parts : 1;
}

static tulle_status fill(tulle__env *env, const tulle__scattered *of, const tulle__columns *found,
                         int64_t small, tulle__scatter_parts *out)
{
	const int64_t parts = out->parts;
	tulle_status s = tulle__alloc(env, parts + 1, sizeof *out->cut, &out->cut);

	if (s == TULLE_OK)
		s = tulle__alloc(env, parts, sizeof *out->copy, &out->copy);
	if (s != TULLE_OK)
		return s;
	for (int64_t p = 0; p < parts; p++) {
		const int64_t from = tulle__cut(small, parts, p), to = tulle__cut(small, parts, p + 1);
		const tulle__columns c =
		    of->columns ? join(found, from, to) : (tulle__columns){ 0, of->cols };

		out->cut[p] = of->begins(of->data, small, from);
		out->copy[p] = (tulle__copy){ c.begin, c.end, out->elements };
		out->elements += c.end - c.begin;
	}
	out->cut[parts] = of->begins(of->data, small, small);
	out->column_parts = tulle__parts(tulle__plus(of->cols, out->elements));
	return TULLE_OK;
}

tulle_status tulle__cut_scatter(tulle__env *env, const tulle__scattered *of,
                                tulle__scatter_parts *out)
{
	const int64_t possible = tulle__parts(of->work);
	tulle__columns *found = NULL;
	int64_t small = possible < MOST ? possible : MOST;
	tulle_status s = TULLE_OK;

	*out = (tulle__scatter_parts){ .parts = 1 };
	small = small > 1 ? small : 1;
	if (of->columns) {
		s = tulle__alloc(env, small, sizeof *found, &found);
		if (s != TULLE_OK)
			return s;
		tulle__run_parts(env, look, &(search){ of, small, found }, small, of->work);
		out->parts = parts_for(found, small, of->nnz);
	} else {
		small = out->parts = tulle__private_parts(of->work, of->nnz, of->cols);
	}
	s = fill(env, of, found, small, out);
	tulle__free(env, found);
	if (s != TULLE_OK)
		tulle__release_scatter(env, out);
	return s;
}

void tulle__release_scatter(tulle__env *env, tulle__scatter_parts *p)
{
	tulle__free(env, p->cut);
	tulle__free(env, p->copy);
	*p = (tulle__scatter_parts){ .parts = 0 };
}

size_t tulle__scatter_bytes(const tulle__scatter_parts *p)
{
	return p->cut ? (size_t)(p->parts + 1) * sizeof *p->cut + (size_t)p->parts * sizeof *p->copy
	              : 0;
}

tulle_status tulle__check_scatter(const char *format, const tulle__scatter_parts *p, int64_t things,
                                  int64_t cols)
{
	int64_t at = 0;
	const tulle_status s = tulle__check_cuts(format, p->cut, p->parts, things);

	if (s != TULLE_OK)
		return s;
	for (int64_t n = 0; n < p->parts; n++) {
		const tulle__copy c = p->copy[n];

		if (c.begin < 0 || c.end < c.begin || c.end > cols || c.at != at)
			return tulle__fail(TULLE_E_INTERNAL, "%s: the copy of part %" PRId64 " is malformed",
			                   format, n);
		at += c.end - c.begin;
	}
	if (at != p->elements)
		return tulle__fail(TULLE_E_INTERNAL, "%s: the copies do not fill their memory", format);
	return TULLE_OK;
}
