/* wrong.c -- contenders that call themselves users of a GPU, with a fault each; for the bench's test only. */
#include "device_competitor.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef enum { RIGHT, LITTLE, LATER, UNWRITTEN, FAILING, WAVERING, REFUSING } fault;

static const bench_device_variant variants[] = {
	{ "right", 1 },   { "little", 0 },   { "later", 0 },    { "unwritten", 0 },
	{ "failing", 0 }, { "wavering", 1 }, { "refusing", 0 }, { NULL, 0 },
};

typedef struct {
	bench_device_matrix a;
	fault is;
	int calls;
	double *x, *y;
} state;

static int about(int number, char *text, size_t room)
{
	snprintf(text, room, "made for device %d", number);
	return 0;
}

static int about_absent(int number, char *text, size_t room)
{
	(void)number;
	snprintf(text, room, "not to be had");
	return -1;
}

static void *prepare(const bench_device_matrix *a, int number, const char *variant, char *why,
                     size_t room)
{
	int n = 0;
	(void)number;
	while (variants[n].name && strcmp(variants[n].name, variant))
		n++;
	snprintf(why, room, "as planned");
	state *s = n == REFUSING || !variants[n].name ? NULL : calloc(1, sizeof *s);
	if (!s)
		return NULL;
	why[0] = 0;
	s->a = *a;
	s->is = (fault)n;
	s->x = calloc((size_t)a->cols + 1, sizeof *s->x);
	s->y = calloc((size_t)a->rows + 1, sizeof *s->y);
	return s;
}

static int set(void *state_, const void *x, const void *y)
{
	state *s = state_;
	memcpy(s->x, x, (size_t)s->a.cols * sizeof *s->x);
	memcpy(s->y, y, (size_t)s->a.rows * sizeof *s->y);
	return 0;
}

/* One element of a row with entries is off by far less than a tolerance of 1e-6 would see. */
static void spoil(state *s)
{
	int64_t i = 0;
	while (i < s->a.rows && s->a.row_ptr[i] == s->a.row_ptr[i + 1])
		i++;
	if (i < s->a.rows)
		s->y[i] += 1e-12;
}

static int queue(void *state_)
{
	state *s = state_;
	const double *val = s->a.val;
	for (int64_t i = 0; i < s->a.rows; i++) {
		double sum = s->a.adds ? s->y[i] : 0;
		for (int32_t k = s->a.row_ptr[i]; k < s->a.row_ptr[i + 1]; k++)
			sum += val[k] * s->x[s->a.col[k]];
		if (s->is != UNWRITTEN || s->a.row_ptr[i] < s->a.row_ptr[i + 1])
			s->y[i] = sum;
	}
	if (s->is == LITTLE || (s->is == LATER && s->calls > 0))
		spoil(s);
	if (s->is == WAVERING && s->calls > 0)
		s->y[s->a.rows - 1] = -s->y[s->a.rows - 1] == 0 ? -0.0 : nextafter(s->y[s->a.rows - 1], 9);
	s->calls++;
	return s->is == FAILING;
}

static int wait(void *state_)
{
	(void)state_;
	return 0;
}

static int get(void *state_, void *y)
{
	const state *s = state_;
	memcpy(y, s->y, (size_t)s->a.rows * sizeof *s->y);
	return 0;
}

static size_t bytes(const void *state_)
{
	return (size_t)((const state *)state_)->a.nnz * 12;
}

static void release(void *state_)
{
	state *s = state_;
	free(s->x);
	free(s->y);
	free(s);
}

static const bench_device_calls planted = { "opencl", variants, about, prepare, set,
	                                        queue,    wait,     get,   bytes,   release };
static const bench_device_calls absent = { "opencl", variants, about_absent, prepare, set,
	                                       queue,    wait,     get,          bytes,   release };
static const bench_device_calls elsewhere = { "cuda", variants, about, prepare, set,
	                                          queue,  wait,     get,   bytes,   release };

enum { CAN = BENCH_DEVICE | BENCH_F64 };

BENCH_EXPORT const bench_competitor bench_competitors[] = {
	{ "planted", CAN, NULL, NULL, NULL, NULL, &planted },
	{ "absent", CAN, NULL, NULL, NULL, NULL, &absent },
	{ "elsewhere", CAN, NULL, NULL, NULL, NULL, &elsewhere },
	{ 0 },
};
