/* batch_plain.c -- batches by simple loops, compiled with a user's flags, not ours. */
#include "batch_plain.h"

#include <stdlib.h>
#ifdef __AVX512F__
#include <immintrin.h>
#endif

#define REAL double
#define NAME(x) x##_f64
#define VECTOR(op) _mm512_##op##_pd
#define LANES 8
#define MASK __mmask8
#define ALL ((MASK)0xff)
#define COLUMNS(m, p) _mm256_maskz_loadu_epi32(m, p)
#define GATHER(m, at, x) _mm512_mask_i32gather_pd(_mm512_setzero_pd(), m, at, x, 8)
#include "batch_rows.h"
#undef REAL
#undef NAME
#undef VECTOR
#undef LANES
#undef MASK
#undef ALL
#undef COLUMNS
#undef GATHER

#define REAL float
#define NAME(x) x##_f32
#define VECTOR(op) _mm512_##op##_ps
#define LANES 16
#define MASK __mmask16
#define ALL ((MASK)0xffff)
#define COLUMNS(m, p) _mm512_maskz_loadu_epi32(m, p)
#define GATHER(m, at, x) _mm512_mask_i32gather_ps(_mm512_setzero_ps(), m, at, x, 4)
#include "batch_rows.h"

typedef struct {
	const bench_batch *b;
	int threads;
} state;

static void *prepare(const bench_problem *p, const char *variant)
{
	state *s = malloc(sizeof *s);
	(void)variant;
	if (s)
		*s = (state){ p->batch, p->threads };
	return s;
}

static void one(const bench_batch *b, int64_t i, const double *x, double *y)
{
	if (b->f32)
		plain_f32(b, i, (const float *)(const void *)x + b->x_at[i],
		          (float *)(void *)y + b->y_at[i]);
	else
		plain_f64(b, i, x + b->x_at[i], y + b->y_at[i]);
}

static void one_wide(const bench_batch *b, int64_t i, const double *x, double *y)
{
	if (b->f32)
		wide_f32(b, i, (const float *)(const void *)x + b->x_at[i],
		         (float *)(void *)y + b->y_at[i]);
	else
		wide_f64(b, i, x + b->x_at[i], y + b->y_at[i]);
}

static int multiply_loop(void *p, const double *x, double *y)
{
	const state *s = p;
	for (int64_t i = 0; i < s->b->count; i++)
		one(s->b, i, x, y);
	return 0;
}

static int multiply_omp(void *p, const double *x, double *y)
{
	const state *s = p;
#pragma omp parallel for schedule(dynamic, 16) num_threads(s->threads)
	for (int64_t i = 0; i < s->b->count; i++)
		one(s->b, i, x, y);
	return 0;
}

static int multiply_wide(void *p, const double *x, double *y)
{
	const state *s = p;
#pragma omp parallel for schedule(dynamic, 16) num_threads(s->threads)
	for (int64_t i = 0; i < s->b->count; i++)
		one_wide(s->b, i, x, y);
	return 0;
}

static size_t bytes(const void *p)
{
	(void)p;
	return 0;
}

enum { CAN = BENCH_BATCH | BENCH_F32 | BENCH_F64 };

const bench_competitor bench_batch_plain[] = {
	{ "plain-loop", CAN, prepare, multiply_loop, bytes, free, NULL },
	{ "plain-omp", CAN, prepare, multiply_omp, bytes, free, NULL },
	{ "avx512-omp", CAN, prepare, multiply_wide, bytes, free, NULL },
	{ 0 },
};
