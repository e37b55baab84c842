/* standins.c -- stand-ins: matrices with the sizes and row lengths that the papers publish. */
#include <stdio.h>
#include <stdlib.h>

#include "standins.h"

enum { NONE = -1, EXACT = 0, ROUNDED = 1, REGULAR = 0, IRREGULAR = 1, GENERAL = 0, SYMMETRIC = 1 };

static const struct {
	kit_published published;
	kit__recipe recipe;
} table[] = {
#define MATRIX(name, alias, papers, rows, cols, nnz, half, sizes, min, avg, max, sd, irregular, \
               symmetric, ...)                                                                  \
	{ { name, alias, papers, rows, cols, nnz, half, sizes, min, avg, max, sd, irregular,        \
		symmetric },                                                                            \
	  { __VA_ARGS__ } },
#include "published.def"
#undef MATRIX
};

enum { TABLE = sizeof table / sizeof *table };

const kit_published *kit_published_at(int n)
{
	return n >= 0 && n < TABLE ? &table[n].published : NULL;
}

/* ---- one row at a time ---- */

typedef struct {
	int64_t rows, cols;
	const kit__recipe *recipe;
	const int32_t *len;
} plan;

/* Runs of columns a stride apart around the diagonal, pushed inwards at the edges. */
static void runs(const plan *p, int64_t i, int64_t n, int32_t *col)
{
	int64_t middle = i * p->cols / p->rows, put = 0;
	int count = p->recipe->runs;
	for (int q = 0; q < count; q++) {
		int64_t share = n * (q + 1) / count - n * q / count;
		int64_t from = middle + (2 * q - count + 1) * p->recipe->stride / 2 - share / 2;
		int64_t least = put ? col[put - 1] + 1 : 0, most = p->cols - (n - put);
		from = from < least ? least : from;
		from = from > most ? most : from;
		for (int64_t k = 0; k < share; k++)
			col[put++] = (int32_t)(from + k);
	}
}

/* A column that many rows have: its rank is the cube of a random number, and ranks are spread over
 * the range. */
static int64_t hub(const plan *p, kit_rng *rng)
{
	double u = kit_random_unit(rng);
	uint64_t rank = (uint64_t)(u * u * u * (double)p->cols);
	return (int64_t)(rank * 0x9e3779b1u % (uint64_t)p->cols);
}

/* Some columns near the diagonal, the others among the hubs. */
static void scatter(const plan *p, int64_t i, int64_t n, int32_t *col)
{
	kit_rng rng = kit_random_seed(99, (uint64_t)i);
	if (p->recipe->far >= 1 || 8 * n > p->cols) {
		kit__sample(&rng, n, 0, p->cols, col);
		return;
	}
	int64_t far = 0;
	for (int64_t k = 0; k < n; k++)
		far += kit_random_unit(&rng) < p->recipe->far;
	int64_t near = n - far, middle = i * p->cols / p->rows, reach = 2 * near + 30;
	int64_t lo = middle > reach ? middle - reach : 0;
	int64_t hi = middle + reach < p->cols ? middle + reach : p->cols;
	kit__sample(&rng, near, lo, hi, col);
	int64_t got = near;
	for (int round = 0; got < n; round++) {
		for (int64_t k = got; k < n; k++)
			col[k] = (int32_t)(round < 8 ? hub(p, &rng) : kit_random_below(&rng, p->cols));
		got = kit__unique(col, n);
	}
}

static int64_t planned_row(const void *self, int64_t i, int32_t *col)
{
	const plan *p = self;
	int64_t n = p->len[i];
	if (col && p->recipe->runs)
		runs(p, i, n, col);
	else if (col)
		scatter(p, i, n, col);
	return n;
}

int kit__rows(const kit_published *p, const kit__recipe *r, kit_matrix *out)
{
	kit__target t = { .low = kit__least(p, r),
		              .high = kit__longest(p, r),
		              .sd = kit__spread(p, r) };
	int32_t *len = kit__alloc(p->rows, sizeof *len);
	if (!len)
		return -1;
	/* One row of the least and one of the greatest length; the remaining entries are divided among
	 * the others. */
	int64_t shortest = p->rows / 3, longest = p->rows / 2;
	int64_t others = p->nnz - (int64_t)t.low - (int64_t)t.high;
	t.mean = (double)others / (double)(p->rows - 2);
	len[shortest] = len[longest] = -1;
	kit__lengths(&t, 7, p->rows, NULL, others, len);
	len[shortest] = (int32_t)t.low;
	len[longest] = (int32_t)t.high;
	plan s = { p->rows, p->cols, r, len };
	int rc = kit__build(out, planned_row, &s);
	if (!rc && out->nnz != p->nnz)
		rc = kit__fail("the stand-in for %s has %lld entries, not %lld", p->name,
		               (long long)out->nnz, (long long)p->nnz);
	free(len);
	return rc;
}

/* ---- known structures ---- */

/* mc2depi: a walk on a 513 x 1025 grid, to the four neighbours; the first point may stay. */
static int64_t walk_row(const void *self, int64_t i, int32_t *col)
{
	int64_t width = *(const int64_t *)self, rows = 525825, n = 0;
	const int64_t to[5] = { i - width, i % width ? i - 1 : -1, i ? -1 : 0,
		                    (i + 1) % width ? i + 1 : -1, i + width < rows ? i + width : -1 };
	for (int k = 0; k < 5; k++)
		if (to[k] >= 0) {
			if (col)
				col[n] = (int32_t)to[k];
			n++;
		}
	return n;
}

static int known(const char *spec, kit_matrix *out)
{
	kit_free(out);
	return kit_generate(spec, out);
}

static int make(const kit_published *p, const kit__recipe *r, kit_matrix *out)
{
	char spec[64];
	int64_t width = 513;
	switch (r->how) {
	case KIT__DENSE:
		snprintf(spec, sizeof spec, "dense:rows=%d,cols=%d,values=ones", (int)p->rows,
		         (int)p->cols);
		return known(spec, out);
	case KIT__LATTICE: return known("qcd:l=8,t=8,values=ones", out);
	case KIT__EPIDEMIC: return kit__build(out, walk_row, &width);
	case KIT__MIRROR: return kit__mirror(p, r, out);
	case KIT__ROWS: return kit__rows(p, r, out);
	}
	return -1;
}

/* ---- names ---- */

/* Keep the lower triangle with the diagonal. */
static void halve(kit_matrix *m)
{
	int64_t next = 0;
	for (int64_t i = 0, k = 0; i < m->rows; i++) {
		int64_t end = m->row_ptr[i + 1];
		for (; k < end; k++)
			if (m->col[k] <= i)
				m->col[next++] = m->col[k];
		m->row_ptr[i + 1] = next;
	}
	m->nnz = next;
}

static int find(const char *name, size_t length)
{
	for (int n = 0; n < TABLE; n++) {
		const char *names[2] = { table[n].published.name, table[n].published.alias };
		for (int k = 0; k < 2; k++)
			if (strlen(names[k]) == length && length && !strncmp(names[k], name, length))
				return n;
	}
	return -1;
}

int kit_like(const char *name, kit_matrix *out)
{
	*out = (kit_matrix){ .nnz = 0 };
	size_t length = strcspn(name, ":");
	int n = find(name, length), half = !strcmp(name + length, ":half");
	if (n < 0)
		return kit__fail("unknown matrix '%.*s'; the papers have %s, %s and others: see --list",
		                 (int)length, name, table[2].published.name, table[5].published.name);
	const kit_published *p = &table[n].published;
	if (name[length] && !half)
		return kit__fail("'%s' after %s is unknown: only :half may follow", name + length, p->name);
	if (half && p->half_nnz < 0)
		return kit__fail("'%s': the CSR2 paper has no stored half of %s", name, p->name);
	out->rows = p->rows;
	out->cols = p->cols;
	out->nnz = p->nnz;
	int rc = make(p, &table[n].recipe, out);
	if (!rc && half)
		halve(out);
	if (rc || kit__values(out, p->symmetric ? KIT__SYMMETRIC : KIT__RANDOM, 1)) {
		kit_free(out);
		return -1;
	}
	snprintf(out->name, sizeof out->name, "%s%s", p->name, half ? ":half" : "");
	out->stand_in = 1;
	return 0;
}
