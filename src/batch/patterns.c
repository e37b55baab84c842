/* patterns.c -- which problems have the same row lengths, and which the same columns too. */
#include "batch/batch_store.h"
#include "core/hash.h"
#include "core/memory.h"
#include "core/split.h"
#include "core/threads.h"

#include <string.h>

/* What is compared between two problems. */
typedef struct {
	const void *array;
	size_t bytes;
	int64_t class; /* only problems of one class are compared */
} content;

typedef content content_of(const tulle__problems *p, int64_t i);

static content rows_of(const tulle__problems *p, int64_t i)
{
	const tulle__problem *a = &p->problem[i];

	return (content){ a->row_ptr, (size_t)(a->rows + 1) * tulle__index_size(p->offset_type),
		              a->rows };
}

static content columns_of(const tulle__problems *p, int64_t i)
{
	const tulle__problem *a = &p->problem[i];

	/* Without entries there may be no array. */
	return (content){ a->nnz > 0 ? a->col : a->row_ptr,
		              (size_t)a->nnz * tulle__index_size(p->column_type),
		              a->cols ^ a->same_rows << 32 };
}

typedef struct {
	const tulle__problems *p;
	content_of *of;
	int64_t parts;
	uint64_t *hash;
	int64_t *same; /* of each problem: the first that seems, or is, the same */
} search;

static void hash_part(const void *arg, int64_t part)
{
	const search *w = arg;
	const int64_t first = tulle__cut(w->p->count, w->parts, part);

	for (int64_t i = first; i < tulle__cut(w->p->count, w->parts, part + 1); i++) {
		const content c = w->of(w->p, i), last = w->of(w->p, i > first ? i - 1 : i);

		/* An array that consecutive problems share is hashed once. */
		if (i > first && c.array == last.array && c.bytes == last.bytes && c.class == last.class)
			w->hash[i] = w->hash[i - 1];
		else
			w->hash[i] = tulle__hash((uint64_t)c.class, c.array, c.bytes);
	}
}

/* Hashes may collide, so equal hashes are verified by a comparison. */
static void compare_part(const void *arg, int64_t part)
{
	const search *w = arg;

	for (int64_t i = tulle__cut(w->p->count, w->parts, part);
	     i < tulle__cut(w->p->count, w->parts, part + 1); i++) {
		const content c = w->of(w->p, i), d = w->of(w->p, w->same[i]);

		if (c.class != d.class || c.bytes != d.bytes ||
		    (c.array != d.array && c.bytes > 0 && memcmp(c.array, d.array, c.bytes) != 0))
			w->same[i] = i;
	}
}

/* table: a power of two of places, each -1 or a problem. */
static void look_up(const search *w, int64_t *table, int64_t size)
{
	for (int64_t n = 0; n < size; n++)
		table[n] = -1;
	for (int64_t i = 0; i < w->p->count; i++) {
		int64_t n = (int64_t)(w->hash[i] & (uint64_t)(size - 1));

		while (table[n] >= 0 && w->hash[table[n]] != w->hash[i])
			n = (n + 1) & (size - 1);
		if (table[n] < 0)
			table[n] = i;
		w->same[i] = table[n];
	}
}

static void find_same(search *w, int64_t *table, int64_t size, int64_t work)
{
	tulle__run_parts(w->p->env, hash_part, w, w->parts, work);
	look_up(w, table, size);
	tulle__run_parts(w->p->env, compare_part, w, w->parts, work);
}

/* Values are the same where the caller's offsets are. */
static void find_same_values(tulle__problems *p)
{
	for (int64_t i = 0; i < p->count; i++) {
		tulle__problem *a = &p->problem[i];

		a->same_values = i;
		if (p->shares_values && i > 0 && a->nnz == p->problem[i - 1].nnz &&
		    a->value_at == p->problem[i - 1].value_at)
			a->same_values = p->problem[i - 1].same_values;
	}
}

tulle_status tulle__problems_compare(tulle__problems *p)
{
	const int64_t work = p->nnz + p->rows + p->count, most = tulle__parts(work);
	int64_t size = 16, *table = NULL;
	search w = { p, rows_of, most < p->count ? most : p->count, NULL, NULL };
	tulle_status s;

	while (size < 2 * p->count)
		size *= 2;
	s = tulle__alloc(p->env, size, sizeof *table, &table);
	if (s == TULLE_OK)
		s = tulle__alloc(p->env, p->count, sizeof *w.hash, &w.hash);
	if (s == TULLE_OK)
		s = tulle__alloc(p->env, p->count, sizeof *w.same, &w.same);
	if (s == TULLE_OK) {
		find_same(&w, table, size, work);
		for (int64_t i = 0; i < p->count; i++)
			p->problem[i].same_rows = w.same[i];
		w.of = columns_of;
		find_same(&w, table, size, work);
		for (int64_t i = 0; i < p->count; i++)
			p->problem[i].same_pattern = w.same[i];
		find_same_values(p);
	}
	tulle__free(p->env, w.same);
	tulle__free(p->env, w.hash);
	tulle__free(p->env, table);
	return s;
}
