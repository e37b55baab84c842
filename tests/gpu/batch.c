/* batch.c -- every kernel for batches on one device: within the bound of the oracle, exact on whole numbers,
 * NaN and Inf where plain sums have them, the same bits every time.
 *
 * Usage: test_gpu_batch [--device NAME] [--width N] [--local] [--format TEXT] [--type f32|f64]
 *                       [--brief | --tiny | --least] [--bits]
 *
 * The options are those of test_gpu_products; --format takes names of kernels. */
#include "batches.h"
#include "core/hash.h"
#include "device.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int64_t batches, refused_batches;

/* ---- one product ---- */

typedef struct {
	const problems *p;
	const tulle_device_batch *batch;
	void *x, *y;
} run;

/* y = alpha A x + beta y for all problems, all of it on the device. */
static int product(const run *r, double alpha, double beta, int64_t y_size)
{
	const tulle_value_type type = r->p->type;
	tulle_vector *x = NULL, *y = NULL;
	const int right = CHECK_OK(tulle_vector_create(gpu.device, type, r->p->cols, NULL, &x)) &&
	                  CHECK_OK(tulle_vector_create(gpu.device, type, y_size, NULL, &y)) &&
	                  CHECK_OK(tulle_vector_write(gpu.queue, x, 0, r->p->cols, r->x)) &&
	                  CHECK_OK(tulle_vector_write(gpu.queue, y, 0, y_size, r->y)) &&
	                  CHECK_OK(tulle_device_batch_mul(r->batch, gpu.queue, alpha, x, beta, y)) &&
	                  CHECK_OK(tulle_vector_read(gpu.queue, y, 0, y_size, r->y));

	tulle_vector_destroy(x);
	tulle_vector_destroy(y);
	return right;
}

/* ---- what a product has to be ---- */

static void check_bound(const run *r, double alpha, double beta)
{
	const problems *p = r->p;
	kit_oracle *oracle = problems_oracle(p, alpha, beta);

	memcpy(r->y, p->b, (size_t)p->rows * value_size(p->type));
	if (beta == 0)
		value_fill(p->type, r->y, p->rows, NAN);
	if (oracle && product(r, alpha, beta, p->rows))
		check_within(oracle, p->type, r->y, alpha, beta);
	kit_oracle_free(oracle);
}

static void check_bits(const run *r, const char *kernel)
{
	const size_t bytes = (size_t)r->p->rows * value_size(r->p->type);
	void *first = grab(r->p->rows, value_size(r->p->type));

	if (product(r, 1, 0, r->p->rows)) {
		memcpy(first, r->y, bytes);
		if (product(r, 1, 0, r->p->rows))
			CHECK_THAT(memcmp(first, r->y, bytes) == 0, "two calls, two results");
	}
	if (gpu.bits)
		printf("bits %s %s %016" PRIx64 " %s\n", kernel, type_name(r->p->type),
		       tulle__hash(1, r->y, bytes), r->p->name);
	free(first);
}

/* One element of one x is not finite: rows that hold its column notice, and no others. */
static void check_neighbours(const run *r, double odd)
{
	const problems *p = r->p;
	int64_t at = p->count / 2, j, wrong = -1;
	double kept;

	while (at < p->count && p->m[at].nnz == 0)
		at++;
	if (at == p->count)
		return;
	j = p->x_at[at] + p->m[at].col[p->m[at].nnz / 2];
	kept = value_at(p->type, r->x, j);
	value_set(p->type, r->x, j, odd);
	if (product(r, 1, 0, p->rows))
		for (int64_t i = 0; i < p->count; i++)
			for (int64_t n = 0; n < p->m[i].rows; n++) {
				int touched = 0;

				for (int64_t k = p->m[i].row_ptr[n]; k < p->m[i].row_ptr[n + 1]; k++)
					touched |= p->x_at[i] + p->m[i].col[k] == j;
				if (touched == !!isfinite(value_at(p->type, r->y, p->y_at[i] + n)) && wrong < 0)
					wrong = p->y_at[i] + n;
			}
	CHECK_THAT(wrong < 0, "x[%" PRId64 "] = %g: y[%" PRId64 "] = %g", j, odd, wrong,
	           wrong < 0 ? 0 : value_at(p->type, r->y, wrong));
	value_set(p->type, r->x, j, kept);
}

/* Whole numbers (and powers of two as scale) are exact in any order. */
static void check_exact(const run *r)
{
	const problems *p = r->p;
	int64_t wrong = -1;
	double want = 0;

	for (int64_t j = 0; j < p->cols; j++)
		value_set(p->type, r->x, j, (double)(j % 7) - 3);
	value_fill(p->type, r->y, p->rows, 3);
	if (!product(r, 2, -1, p->rows))
		return;
	for (int64_t i = 0; i < p->count && wrong < 0; i++)
		for (int64_t n = 0; n < p->m[i].rows && wrong < 0; n++) {
			double s = 0;

			for (int64_t k = p->m[i].row_ptr[n]; k < p->m[i].row_ptr[n + 1]; k++)
				s += (p->ones ? 1 : p->m[i].val[k]) *
				     value_at(p->type, r->x, p->x_at[i] + p->m[i].col[k]);
			want = 2 * (p->scale ? p->scale[i] : 1) * s - 3;
			if (value_at(p->type, r->y, p->y_at[i] + n) != want)
				wrong = p->y_at[i] + n;
		}
	CHECK_THAT(wrong < 0, "whole numbers: y[%" PRId64 "] = %.17g, not %.17g", wrong,
	           wrong < 0 ? 0 : value_at(p->type, r->y, wrong), want);
}

/* Room between the vectors of y is not touched, and what is in them does not change. */
static void check_gaps(const problems *p, const tulle_device_batch_options *o, const void *packed)
{
	enum { GAP = 3 };
	const double mark = -77;
	const int64_t size = p->rows + GAP * p->count;
	int64_t *y_at = grab(p->count, sizeof *y_at), touched = 0, other = 0, n = 0;
	tulle_batch_source s = problems_source(p);
	tulle_device_batch *batch = NULL;
	run r = { .p = p, .x = p->x, .y = grab(size, value_size(p->type)) };

	for (int64_t i = 0; i < p->count; i++)
		y_at[i] = p->y_at[i] + GAP * (i + 1);
	s.y_at = y_at;
	value_fill(p->type, r.y, size, mark);
	if (CHECK_OK(tulle_device_batch_create(gpu.device, &s, o, &batch))) {
		r.batch = batch;
		if (product(&r, 1, 0, size))
			for (int64_t i = 0; i < p->count; i++) {
				for (; n < y_at[i]; n++)
					touched += value_at(p->type, r.y, n) != mark;
				for (; n < y_at[i] + p->m[i].rows; n++)
					other += !same_bits(value_at(p->type, r.y, n),
					                    value_at(p->type, packed, n - GAP * (i + 1)));
			}
		CHECK_EQUAL(touched, 0);
		CHECK_EQUAL(other, 0);
	}
	tulle_device_batch_destroy(batch);
	free(r.y);
	free(y_at);
}

/* ---- the walk ---- */

static void check_info(const run *r, const char *kernel)
{
	tulle_device_batch_info info = { .size = sizeof info };

	if (!CHECK_OK(tulle_device_batch_describe(r->batch, &info)))
		return;
	CHECK_THAT(strcmp(info.kernel, kernel) == 0, "the kernel is %s", info.kernel);
	CHECK_EQUAL(info.count, r->p->count);
	CHECK_EQUAL(info.rows, r->p->rows);
	CHECK_EQUAL(info.cols, r->p->cols);
	CHECK_EQUAL(info.nnz, r->p->nnz);
	CHECK_EQUAL(info.x_size, r->p->cols);
	CHECK_EQUAL(info.y_size, r->p->rows);
	CHECK_EQUAL(info.value_type, r->p->type);
	CHECK_EQUAL(info.same_bits, 1);
	CHECK(info.bytes > 0 && info.peak >= info.bytes);
	CHECK(info.launches >= (r->p->rows > 0) && info.launches <= (strstr(kernel, "block") ? 1 : 5));
}

/* May this kernel have refused this batch? Only ELL may, when it would be nearly all padding. */
static tulle_device_batch *batch_of(const problems *p, const tulle_device_batch_options *o)
{
	const tulle_batch_source s = problems_source(p);
	tulle_device_batch *batch = NULL;
	const tulle_status status = tulle_device_batch_create(gpu.device, &s, o, &batch);

	if (status == TULLE_E_UNSUPPORTED && strncmp(o->kernel, "ell", 3) == 0) {
		CHECK_WORDS(tulle_last_error(), "padded");
		refused_batches++;
	} else {
		batches += CHECK_OK(status);
	}
	return batch;
}

static void check_values(const problems *p, const tulle_device_batch_options *o)
{
	static const double factor[][2] = { { -0.5, 2 }, { 0, 1 }, { 2, 1 }, { 1, 0 } };
	tulle_device_batch *batch = batch_of(p, o);
	const run r = { p, batch, p->x, grab(p->rows, value_size(p->type)) };

	if (batch) {
		check_info(&r, o->kernel);
		for (int n = gpu.terse >= 2 ? 2 : 0; n < 4; n++)
			check_bound(&r, factor[n][0], factor[n][1]);
		check_neighbours(&r, INFINITY);
		if (gpu.terse < 2)
			check_neighbours(&r, NAN);
		if (gpu.terse < 2 || gpu.bits)
			check_bits(&r, o->kernel);
		if (gpu.terse < 2)
			check_gaps(p, o, r.y);
	}
	tulle_device_batch_destroy(batch);
	free(r.y);
}

/* Takes the values of the batch away. They depend on nothing but their place in their problem, so that
 * whatever is shared stays so. */
static void check_whole_numbers(problems *p, const tulle_device_batch_options *o)
{
	tulle_device_batch *batch;
	run r = { .p = p, .x = p->x, .y = grab(p->rows, value_size(p->type)) };
	int64_t value = 0;

	for (int64_t i = 0; i < p->count; i++)
		for (int64_t k = 0; k < p->m[i].nnz; k++) {
			p->m[i].val[k] = (double)(k * 5 % 17) - 8;
			if (!p->ones && value < p->values)
				value_set(p->type, p->arr.val, value++, p->m[i].val[k]);
		}
	batch = batch_of(p, o);
	r.batch = batch;
	if (batch)
		check_exact(&r);
	tulle_device_batch_destroy(batch);
	free(r.y);
}

static void check_kernel(const char *kernel, tulle_value_type type)
{
	const tulle_device_batch_options o = { .size = sizeof o, .kernel = kernel };
	problems p;

	for (int n = 0; gpu_batch_at(n, type, gpu.terse, &p); n++) {
		check_about("%s, %s, %s", kernel, type_name(type), p.name);
		check_values(&p, &o);
		check_whole_numbers(&p, &o);
		problems_free(&p);
	}
	check_group("batch %s, %s", kernel, type_name(type));
}

/* ---- choice and misuse ---- */

static void check_choice(tulle_value_type type, int level)
{
	problems p = problems_of_pattern("choice", breaker(level ? "128 rows of 3" : "long row"), 3,
	                                 type, 0, 0, 0);
	const tulle_batch_source s = problems_source(&p);
	tulle_device_batch *batch = NULL;
	tulle_device_batch_info info = { .size = sizeof info };

	check_about("choice");
	if (CHECK_OK(tulle_device_batch_create(gpu.device, &s, NULL, &batch)) &&
	    CHECK_OK(tulle_device_batch_describe(batch, &info)))
		CHECK_THAT(strcmp(info.kernel, level ? "ell:form=classes" : "coo:form=classes") == 0,
		           "chosen: %s", info.kernel);
	tulle_device_batch_destroy(batch);
	problems_free(&p);
}

static void refuse(const tulle_batch_source *s, const char *kernel, tulle_status want,
                   const char *words)
{
	const tulle_device_batch_options o = { .size = sizeof o, .kernel = kernel };
	tulle_device_batch *batch = NULL;

	CHECK_STATUS(tulle_device_batch_create(gpu.device, s, &o, &batch), want);
	CHECK_WORDS(tulle_last_error(), words);
	CHECK(!batch);
}

static void check_vectors(const problems *p, const tulle_device_batch *batch)
{
	tulle_vector *x = NULL, *y = NULL, *tiny = NULL, *other = NULL;
	const tulle_value_type wrong = p->type == TULLE_F32 ? TULLE_F64 : TULLE_F32;

	CHECK_OK(tulle_vector_create(gpu.device, p->type, p->cols, NULL, &x));
	CHECK_OK(tulle_vector_create(gpu.device, p->type, p->rows, NULL, &y));
	CHECK_OK(tulle_vector_create(gpu.device, p->type, 1, NULL, &tiny));
	CHECK_STATUS(tulle_device_batch_mul(NULL, gpu.queue, 1, x, 0, y), TULLE_E_ARGUMENT);
	CHECK_STATUS(tulle_device_batch_mul(batch, NULL, 1, x, 0, y), TULLE_E_ARGUMENT);
	CHECK_STATUS(tulle_device_batch_mul(batch, gpu.queue, 1, NULL, 0, y), TULLE_E_ARGUMENT);
	CHECK_STATUS(tulle_device_batch_mul(batch, gpu.queue, 1, x, 0, NULL), TULLE_E_ARGUMENT);
	CHECK_STATUS(tulle_device_batch_mul(batch, gpu.queue, 1, tiny, 0, y), TULLE_E_ARGUMENT);
	CHECK_STATUS(tulle_device_batch_mul(batch, gpu.queue, 1, x, 0, tiny), TULLE_E_ARGUMENT);
	if (wrong == TULLE_F32 || gpu.info.f64) {
		CHECK_OK(tulle_vector_create(gpu.device, wrong, p->cols, NULL, &other));
		CHECK_STATUS(tulle_device_batch_mul(batch, gpu.queue, 1, other, 0, y), TULLE_E_TYPE);
	}
	tulle_vector_destroy(other);
	tulle_vector_destroy(tiny);
	tulle_vector_destroy(y);
	tulle_vector_destroy(x);
}

static void check_misuse(tulle_value_type type)
{
	static const char *const two[] = { "33 rows", "long row" };
	problems p = these("misuse", two, 2, type);
	tulle_batch_source s = problems_source(&p), bad = s;
	tulle_device_batch *batch = NULL;

	check_about("misuse");
	refuse(&s, "sell", TULLE_E_ARGUMENT, "sell coo csr ell");
	refuse(&s, "csr:kernel=fast", TULLE_E_ARGUMENT, "fast smart");
	refuse(NULL, NULL, TULLE_E_ARGUMENT, "source NULL");
	bad.cols = NULL;
	refuse(&bad, NULL, TULLE_E_ARGUMENT, "source.cols");
	p.col_count[1] = 1;
	refuse(&s, NULL, TULLE_E_MATRIX, "problem 1:");
	p.col_count[1] = p.m[1].cols;
	CHECK_STATUS(tulle_device_batch_create(NULL, &s, NULL, &batch), TULLE_E_ARGUMENT);
	CHECK_STATUS(tulle_device_batch_create(gpu.device, &s, NULL, NULL), TULLE_E_ARGUMENT);
	CHECK_STATUS(tulle_device_batch_describe(NULL, NULL), TULLE_E_ARGUMENT);
	if (CHECK_OK(tulle_device_batch_create(gpu.device, &s, NULL, &batch)))
		check_vectors(&p, batch);
	tulle_device_batch_destroy(batch);
	tulle_device_batch_destroy(NULL);
	problems_free(&p);
}

int main(int argc, char **argv)
{
	tulle_device_batch_kernel_info k = { .size = sizeof k };

	if (!gpu_open(argc, argv))
		return check_end();
	for (int n = 0; tulle_device_batch_kernel(n, &k); n++) {
		CHECK(k.same_bits == 1 && k.words[0]);
		for (int t = TULLE_F32; t <= TULLE_F64; t++)
			if (gpu_wants(k.kernel, (tulle_value_type)t))
				check_kernel(k.kernel, (tulle_value_type)t);
	}
	CHECK_EQUAL(tulle_device_batch_kernel(-1, &k), 0);
	check_choice(TULLE_F32, 0);
	check_choice(TULLE_F32, 1);
	check_misuse(TULLE_F32);
	check_group("choice and misuse");
	gpu_close();
	CHECK_THAT(batches > 2 * refused_batches, "%" PRId64 " batches made, %" PRId64 " refused",
	           batches, refused_batches);
	return check_end();
}
