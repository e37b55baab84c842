/* device_subject.c -- one matrix as a device is to multiply it: values of the right type, vectors, oracle. */
#include "device.h"

#include <math.h>
#include <stdlib.h>

static void *narrowed(const bench_matrix *a)
{
	float *val = malloc(((size_t)a->nnz + 1) * sizeof *val);
	for (int64_t k = 0; val && k < a->nnz; k++)
		val[k] = (float)a->val[k];
	return val;
}

/* A row that is not written stays NaN. */
static void spoil(void *y, int64_t rows, int f32)
{
	for (int64_t i = 0; i < rows; i++)
		if (f32)
			((float *)y)[i] = NAN;
		else
			((double *)y)[i] = NAN;
}

static int fill(const bench_matrix *a, bench_device_subject *out)
{
	const int f32 = out->a.f32;
	const size_t size = f32 ? sizeof(float) : sizeof(double);
	const tulle_value_type type = f32 ? TULLE_F32 : TULLE_F64;
	out->x = malloc(((size_t)a->cols + 1) * size);
	out->start = malloc(((size_t)a->rows + 1) * size);
	out->own = f32 ? narrowed(a) : NULL;
	if (!out->x || !out->start || (f32 && !out->own))
		return -1;
	if (f32)
		out->a.val = out->own;
	kit_random_fill(KIT_UNIFORM, 1, type, a->cols, out->x);
	spoil(out->start, a->rows, f32);
	out->oracle = kit_oracle_create(&(tulle_csr_view){ .size = sizeof(tulle_csr_view),
	                                                   .rows = a->rows,
	                                                   .cols = a->cols,
	                                                   .nnz = a->nnz,
	                                                   .offset_type = TULLE_I32,
	                                                   .column_type = TULLE_I32,
	                                                   .value_type = type,
	                                                   .row_ptr = a->row_ptr,
	                                                   .col = a->col,
	                                                   .val = out->a.val },
	                                TULLE_NORMAL, 1.0, out->x, 0.0, NULL);
	return out->oracle ? 0 : -1;
}

double bench_length_squares(const int32_t *row_ptr, int64_t rows, double mean)
{
	double squares = 0;
	for (int64_t i = 0; i < rows; i++) {
		const double off = row_ptr[i + 1] - row_ptr[i] - mean;
		squares += off * off;
	}
	return squares;
}

static double length_variation(const bench_matrix *a)
{
	const double mean = (double)a->nnz / (double)a->rows;
	return sqrt(bench_length_squares(a->row_ptr, a->rows, mean) / (double)a->rows) / mean;
}

int bench_device_subject_make(const bench_loaded *m, int f32, bench_device_subject *out)
{
	*out = (bench_device_subject){ .name = m->name,
		                           .a = { .rows = m->a.rows,
		                                  .cols = m->a.cols,
		                                  .nnz = m->a.nnz,
		                                  .row_ptr = m->a.row_ptr,
		                                  .col = m->a.col,
		                                  .val = m->a.val,
		                                  .f32 = f32 },
		                           .longest = m->longest,
		                           .variation = length_variation(&m->a) };
	const int status = fill(&m->a, out);
	if (status)
		bench_device_subject_free(out);
	return status;
}

void bench_device_subject_free(bench_device_subject *s)
{
	kit_oracle_free(s->oracle);
	free(s->x);
	free(s->start);
	free(s->own);
}
