/* wrong.c -- contenders with a fault each, which tulle-compare must call WRONG; for its test only. */
#include "competitor.h"

#include <stdlib.h>

typedef struct {
	bench_matrix a;
	int calls;
} state;

static void *prepare(const bench_problem *p, const char *variant)
{
	state *s = *variant ? NULL : calloc(1, sizeof *s);
	if (s)
		s->a = *p->a;
	return s;
}

static double row(const bench_matrix *a, int64_t i, const double *x)
{
	double sum = 0;
	for (int32_t k = a->row_ptr[i]; k < a->row_ptr[i + 1]; k++)
		sum += a->val[k] * x[a->col[k]];
	return sum;
}

static void rows(const bench_matrix *a, const double *x, double *y)
{
	for (int64_t i = 0; i < a->rows; i++)
		y[i] = row(a, i, x);
}

/* One element, of a row with entries, off by far less than a tolerance of 1e-6 would see. */
static void spoil(const bench_matrix *a, double *y)
{
	int64_t i = 0;
	while (i < a->rows && a->row_ptr[i] == a->row_ptr[i + 1])
		i++;
	if (i < a->rows)
		y[i] += 1e-12;
}

static int multiply_little(void *s, const double *x, double *y)
{
	const state *p = s;
	rows(&p->a, x, y);
	spoil(&p->a, y);
	return 0;
}

/* Right the first time only. */
static int multiply_later(void *s, const double *x, double *y)
{
	state *p = s;
	rows(&p->a, x, y);
	if (p->calls++)
		spoil(&p->a, y);
	return 0;
}

/* Leaves a row without entries as it was. */
static int multiply_unwritten(void *s, const double *x, double *y)
{
	const state *p = s;
	for (int64_t i = 0; i < p->a.rows; i++)
		if (p->a.row_ptr[i] < p->a.row_ptr[i + 1])
			y[i] = row(&p->a, i, x);
	return 0;
}

/* Right, but says that it failed. */
static int multiply_failing(void *s, const double *x, double *y)
{
	const state *p = s;
	rows(&p->a, x, y);
	return 1;
}

static size_t bytes(const void *s)
{
	return bench_matrix_bytes(&((const state *)s)->a);
}

static void *prepare_never(const bench_problem *p, const char *variant)
{
	(void)p;
	(void)variant;
	return NULL;
}

static int multiply_right(void *s, const double *x, double *y)
{
	const state *p = s;
	rows(&p->a, x, y);
	return 0;
}

enum { CAN = BENCH_ONE | BENCH_F64 };

BENCH_EXPORT const bench_competitor bench_competitors[] = {
	{ "wrong-little", CAN, prepare, multiply_little, bytes, free, NULL },
	{ "wrong-later", CAN, prepare, multiply_later, bytes, free, NULL },
	{ "wrong-unwritten", CAN, prepare, multiply_unwritten, bytes, free, NULL },
	{ "wrong-failing", CAN, prepare, multiply_failing, bytes, free, NULL },
	{ "refusing", CAN, prepare_never, multiply_right, bytes, free, NULL },
	{ "right", CAN, prepare, multiply_right, bytes, free, NULL },
	{ 0 },
};
