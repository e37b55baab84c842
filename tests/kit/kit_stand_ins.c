/* kit_stand_ins.c -- the stand-ins have the figures that the papers print.
 *
 *     kit_test_stand_ins FROM TO      those with nnz above FROM (in thousands) and at most TO */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "kit.h"

typedef struct {
	int64_t least, longest;
	double mean, sd;
	int valid;
} figures;

static figures measure(const kit_matrix *m)
{
	figures f = { INT64_MAX, 0, (double)m->nnz / (double)m->rows, 0,
		          m->row_ptr[0] == 0 && m->row_ptr[m->rows] == m->nnz };
	for (int64_t i = 0; i < m->rows; i++) {
		int64_t n = m->row_ptr[i + 1] - m->row_ptr[i], before = -1;
		f.least = n < f.least ? n : f.least;
		f.longest = n > f.longest ? n : f.longest;
		f.sd += ((double)n - f.mean) * ((double)n - f.mean);
		for (int64_t k = m->row_ptr[i]; k < m->row_ptr[i + 1]; before = m->col[k++])
			f.valid &= m->col[k] > before && m->col[k] < m->cols && m->val[k] != 0;
	}
	f.sd = sqrt(f.sd / (double)m->rows);
	return f;
}

/* Rows in order, so each row's lower entries must come up in order: one pointer a row will do. */
static int symmetric(const kit_matrix *m)
{
	int64_t *next = malloc((size_t)m->rows * sizeof *next);
	int ok = 1;
	memcpy(next, m->row_ptr, (size_t)m->rows * sizeof *next);
	for (int64_t i = 0; i < m->rows && ok; i++)
		for (int64_t k = m->row_ptr[i]; k < m->row_ptr[i + 1] && ok; k++) {
			int64_t j = m->col[k], t = next[j]++;
			ok = t < m->row_ptr[j + 1] && m->col[t] == i && m->val[t] == m->val[k];
		}
	free(next);
	return ok;
}

/* Share of the entries' aligned b x b blocks that is filled. */
static double block_fill(const kit_matrix *m, int b)
{
	int64_t blocks = 0, *last = malloc((size_t)(m->cols / b + 1) * sizeof *last);
	for (int64_t j = 0; j <= m->cols / b; j++)
		last[j] = -1;
	for (int64_t i = 0; i < m->rows; i++)
		for (int64_t k = m->row_ptr[i]; k < m->row_ptr[i + 1]; k++)
			if (last[m->col[k] / b] != i / b) {
				last[m->col[k] / b] = i / b;
				blocks++;
			}
	free(last);
	return (double)m->nnz / (double)(blocks * b * b);
}

static void check_half(const kit_published *p)
{
	kit_matrix m;
	char name[64];
	snprintf(name, sizeof name, "%s:half", p->name);
	CHECK_THAT(!kit_like(name, &m), "%s", kit_error());
	if (!m.rows)
		return;
	CHECK_THAT(m.nnz == p->half_nnz && m.rows == p->rows, "%s: nnz %lld", name, (long long)m.nnz);
	CHECK_THAT(measure(&m).valid && !strcmp(m.name, name) && m.stand_in, "%s", m.name);
	int lower = 1;
	for (int64_t i = 0; i < m.rows; i++)
		lower &= m.col[m.row_ptr[i + 1] - 1] == i;
	CHECK_THAT(lower, "%s: every row must end with its diagonal entry", name);
	kit_free(&m);
}

static void check(const kit_published *p)
{
	kit_matrix m;
	CHECK_THAT(!kit_like(p->name, &m), "%s: %s", p->name, kit_error());
	if (!m.rows)
		return;
	figures f = measure(&m);
	CHECK_THAT(f.valid && m.stand_in && !strcmp(m.name, p->name), "%s", p->name);
	CHECK_THAT(m.rows == p->rows && m.cols == p->cols, "%s", p->name);
	CHECK_THAT(m.nnz == p->nnz, "%s: nnz %lld", p->name, (long long)m.nnz);
	if (p->min >= 0)
		CHECK_THAT(f.least == (int64_t)p->min, "%s: least %lld", p->name, (long long)f.least);
	if (p->max >= 0)
		CHECK_THAT(f.longest == (int64_t)p->max, "%s: longest %lld", p->name, (long long)f.longest);
	/* Printed to the unit, some rounded and some cut off. */
	CHECK_THAT(fabs(f.mean - p->avg) < 1, "%s: mean %g", p->name, f.mean);
	if (p->sd >= 0)
		CHECK_THAT(fabs(f.sd - p->sd) <= 0.15 * p->sd, "%s: sd %g", p->name, f.sd);
	if (p->symmetric)
		CHECK_THAT(symmetric(&m), "%s", p->name);
	if (p->half_nnz >= 0) {
		CHECK_THAT(p->symmetric && 2 * p->half_nnz - p->rows == p->nnz, "%s", p->name);
		check_half(p);
	}
	if (!strcmp(p->name, "cant") || !strcmp(p->name, "pwtk")) {
		double fill = block_fill(&m, p->name[0] == 'c' ? 3 : 6);
		CHECK_THAT(fill > 0.9, "%s: fill of the node blocks %g", p->name, fill);
	}
	kit_free(&m);
}

static void test_names(void)
{
	kit_matrix a, b;
	CHECK_THAT(!kit_like("Circuit", &a) && !strcmp(a.name, "scircuit"), "%s", a.name);
	kit_free(&a);
	CHECK_THAT(!kit_like("bcsstk24", &a), "%s", kit_error());
	CHECK_THAT(!kit_like("bcsstk24", &b), "%s", kit_error());
	CHECK_THAT(a.nnz == b.nnz && !memcmp(a.col, b.col, (size_t)a.nnz * sizeof *a.col),
	           "twice the same");
	kit_free(&a);
	kit_free(&b);
	static const char *const bad[][2] = {
		{ "nothing", "'nothing'" },        { "", "''" },
		{ "pwtk:full", "only :half" },     { "consph:half", "no stored half" },
		{ "pwt", "unknown matrix 'pwt'" },
	};
	for (size_t n = 0; n < sizeof bad / sizeof *bad; n++) {
		CHECK_THAT(kit_like(bad[n][0], &a) == -1 && strstr(kit_error(), bad[n][1]), "%s: %s",
		           bad[n][0], kit_error());
		CHECK_THAT(!a.row_ptr && !a.rows, "%s", bad[n][0]);
	}
	CHECK_THAT(!kit_published_at(-1) && !kit_published_at(1000), "beyond the table");
}

int main(int argc, char **argv)
{
	if (argc != 3)
		return 2;
	int64_t from = atol(argv[1]) * 1000, to = atol(argv[2]) * 1000;
	int checked = 0;
	const kit_published *p;
	for (int n = 0; (p = kit_published_at(n)); n++)
		if (p->nnz > from && p->nnz <= to) {
			check(p);
			checked++;
		}
	if (from == 0)
		test_names();
	check_group("%d stand-ins", checked);
	return check_end();
}
