/* batch_ours.c -- batches by libtulle: a loop of plans, and tulle_batch with each kernel. */
#include "batch_plain.h"

#include "batch_source.h"
#include "memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- a loop of plans ---- */

typedef struct {
	const bench_batch *b;
	tulle_plan **plan;
} loop;

static void release_loop(void *p)
{
	loop *s = p;
	if (!s)
		return;
	for (int64_t i = 0; s->plan && i < s->b->count; i++)
		tulle_plan_destroy(s->plan[i]);
	free(s->plan);
	free(s);
}

static void *prepare_loop(const bench_problem *p, const char *variant)
{
	const bench_batch *b = p->batch;
	loop *s = calloc(1, sizeof *s);
	(void)variant;
	if (!s)
		return NULL;
	s->b = b;
	s->plan = calloc((size_t)b->count + 1, sizeof *s->plan);
	tulle_status status = s->plan ? TULLE_OK : TULLE_E_MEMORY;
	for (int64_t i = 0; i < b->count && status == TULLE_OK; i++) {
		tulle_matrix *m = NULL;
		size_t size = b->f32 ? sizeof(float) : sizeof(double);
		status = tulle_matrix_from_csr(
		    NULL, b->rows[i], b->cols[i], TULLE_I32, b->row_ptr + b->row_at[i], TULLE_I32,
		    b->col + b->col_at[i], b->f32 ? TULLE_F32 : TULLE_F64,
		    (const char *)b->val + (size_t)b->val_at[i] * size, NULL, &m);
		if (status == TULLE_OK)
			status = tulle_plan_create(m, NULL, &s->plan[i]);
		tulle_matrix_destroy(m);
	}
	if (status == TULLE_OK)
		return s;
	fprintf(stderr, "tulle-loop: %s\n", tulle_last_error());
	release_loop(s);
	return NULL;
}

static int multiply_loop(void *p, const double *x, double *y)
{
	const loop *s = p;
	const bench_batch *b = s->b;
	int failed = 0;
	for (int64_t i = 0; i < b->count; i++)
		failed |= b->f32 ? tulle_mul_f32(s->plan[i], 1, (const float *)(const void *)x + b->x_at[i],
		                                 1, (float *)(void *)y + b->y_at[i])
		                 : tulle_mul_f64(s->plan[i], 1, x + b->x_at[i], 1, y + b->y_at[i]);
	return failed != 0;
}

static size_t no_bytes(const void *p)
{
	(void)p;
	return 0;
}

/* ---- batches ---- */

typedef struct {
	tulle_context *context;
	tulle_batch *batch;
	int f32;
	size_t stored;
	char text[2000];

	/* Interleaved copies of the vectors, made once, as a solver would keep them. */
	const bench_batch *b;
	int lanes;
	char *x, *y;
	int filled;
} batch;

static void release(void *p)
{
	batch *s = p;
	if (!s)
		return;
	tulle_batch_destroy(s->batch);
	tulle_context_destroy(s->context);
	free(s->x);
	free(s->y);
	free(s);
}

/* The variant is a kernel, or "auto". */
static void *prepare(const bench_problem *p, const char *variant)
{
	const bench_batch *b = p->batch;
	batch *s = calloc(1, sizeof *s);
	tulle_context_options context = { .size = sizeof context, .threads = p->threads };
	tulle_batch_options options = { .size = sizeof options,
		                            .kernel = strcmp(variant, "auto") ? variant : NULL };
	const tulle_batch_source source = bench_batch_source(b, b->f32);
	tulle_batch_info info = { .size = sizeof info };
	if (!s)
		return NULL;
	s->b = b;
	s->f32 = b->f32;
	if (tulle_context_create(&context, &s->context) ||
	    tulle_batch_create(s->context, &source, &options, &s->batch) ||
	    tulle_batch_describe(s->batch, &info)) {
		fprintf(stderr, "tulle: %s\n", tulle_last_error());
		release(s);
		return NULL;
	}
	s->stored = info.bytes;
	s->lanes = info.lanes;
	tulle_batch_explain(s->batch, s->text, sizeof s->text);
	return s;
}

static void *prepare_interleaved(const bench_problem *p, const char *variant)
{
	return p->batch->one_pattern ? prepare(p, variant) : NULL;
}

static int multiply(void *p, const double *x, double *y)
{
	const batch *s = p;
	return s->f32 ? tulle_batch_mul_f32(s->batch, TULLE_PACKED, 1, (const float *)(const void *)x,
	                                    1, (float *)(void *)y)
	              : tulle_batch_mul_f64(s->batch, TULLE_PACKED, 1, x, 1, y);
}

static size_t bytes(const void *p)
{
	return ((const batch *)p)->stored;
}

/* ---- interleaved vectors ---- */

static size_t element(const batch *s)
{
	return s->f32 ? sizeof(float) : sizeof(double);
}

/* Between a packed vector of n elements for each problem and an interleaved one. */
static void move(const batch *s, int64_t n, const int64_t *at, char *packed, char *interleaved,
                 int back)
{
	size_t size = element(s);
	for (int64_t i = 0; i < s->b->count; i++)
		for (int64_t j = 0; j < n; j++) {
			char *p = packed + (size_t)(at[i] + j) * size;
			char *w =
			    interleaved + (size_t)((i / s->lanes * n + j) * s->lanes + i % s->lanes) * size;
			memcpy(back ? p : w, back ? w : p, size);
		}
}

static void *prepare_vectors(const bench_problem *p, const char *variant)
{
	tulle_batch_info info = { .size = sizeof info };
	(void)variant;
	batch *s = prepare_interleaved(p, "interleaved");
	if (!s)
		return NULL;
	if (!s->lanes || tulle_batch_describe(s->batch, &info)) {
		release(s);
		return NULL;
	}
	s->x = bench_array(info.x_size[TULLE_INTERLEAVED], element(s));
	s->y = bench_array(info.y_size[TULLE_INTERLEAVED], element(s));
	if (!s->x || !s->y) {
		release(s);
		return NULL;
	}
	memset(s->y, 0, (size_t)info.y_size[TULLE_INTERLEAVED] * element(s));
	return s;
}

/* The first call interleaves the vectors and is not timed. Every call adds to the interleaved y. The y
 * of the first call is copied back, so that it can be checked. */
static int multiply_vectors(void *p, const double *x, double *y)
{
	batch *s = p;
	int first = !s->filled, failed;
	if (first) {
		move(s, s->b->cols[0], s->b->x_at, (char *)(uintptr_t)x, s->x, 0);
		move(s, s->b->rows[0], s->b->y_at, (char *)y, s->y, 0);
		s->filled = 1;
	}
	failed = s->f32 ? tulle_batch_mul_f32(s->batch, TULLE_INTERLEAVED, 1, (float *)(void *)s->x, 1,
	                                      (float *)(void *)s->y)
	                : tulle_batch_mul_f64(s->batch, TULLE_INTERLEAVED, 1, (double *)(void *)s->x, 1,
	                                      (double *)(void *)s->y);
	if (first)
		move(s, s->b->rows[0], s->b->y_at, (char *)y, s->y, 1);
	return failed;
}

enum { CAN = BENCH_BATCH | BENCH_F32 | BENCH_F64 };

const bench_competitor bench_batch_ours[] = {
	{ "tulle-loop", CAN, prepare_loop, multiply_loop, no_bytes, release_loop, NULL },
	{ "tulle:csr", CAN, prepare, multiply, bytes, release, NULL },
	{ "tulle:sell", CAN, prepare, multiply, bytes, release, NULL },
	{ "tulle:interleaved", CAN, prepare_interleaved, multiply, bytes, release, NULL },
	{ "tulle:auto", CAN, prepare, multiply, bytes, release, NULL },
	{ "tulle:interleaved-vectors", CAN, prepare_vectors, multiply_vectors, bytes, release, NULL },
	{ 0 },
};

const char *bench_batch_explain(const bench_competitor *table, const void *state)
{
	return table->bytes == bytes && state ? ((const batch *)state)->text : "";
}
