/* many.c -- several vectors on a device, row-major, against the oracle, one vector at a time.
 *
 * Usage: as device.h says. With sell, each vector has the bits of a single product, if the driver adds in order. Elements between the vectors stay
 * as they were. */
#include "device.h"
#include "matrices.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *const formats[] = { "csr",  "csr:kernel=scalar", "csr:kernel=balanced",
	                                   "sell", "sell:height=64",    "sell:sigma=1" };
enum { FORMATS = sizeof formats / sizeof *formats, GAP = 3 };
static const int64_t counts[] = { 1, 2, 7, 33 };
static const double BETWEEN = 77;

typedef struct {
	const matrix *m;
	const char *format;
	tulle_value_type type;
	arrays a;
	tulle_device_plan *plan;
	int64_t k, ldx, ldy;
	void *x, *y; /* row-major */
} problem;

static tulle_vector *vector(tulle_value_type type, int64_t count, const void *from)
{
	tulle_vector *v = NULL;

	if (CHECK_OK(tulle_vector_create(gpu.device, type, count, NULL, &v)))
		CHECK_OK(tulle_vector_write(gpu.queue, v, 0, count, from));
	return v;
}

/* Vector j of n elements, alone. */
static void *column(const problem *p, const void *block, int64_t n, int64_t ld, int64_t j)
{
	void *v = grab(n, value_size(p->type));

	for (int64_t i = 0; i < n; i++)
		value_set(p->type, v, i, value_at(p->type, block, i * ld + j));
	return v;
}

static void multiply_all(problem *p, double alpha, double beta)
{
	const int64_t x_count = p->m->cols * p->ldx, y_count = p->m->rows * p->ldy;
	tulle_vector *dx = vector(p->type, x_count, p->x), *dy = vector(p->type, y_count, p->y);

	if (CHECK_OK(
	        tulle_device_mul_many(p->plan, gpu.queue, p->k, alpha, dx, p->ldx, beta, dy, p->ldy)))
		CHECK_OK(tulle_vector_read(gpu.queue, dy, 0, y_count, p->y));
	tulle_vector_destroy(dx);
	tulle_vector_destroy(dy);
}

/* A single product gives these bits. */
static void check_single(const problem *p, const void *x, const void *got)
{
	void *want = grab(p->m->rows, value_size(p->type));
	tulle_vector *dx = vector(p->type, p->m->cols, x), *dy = vector(p->type, p->m->rows, want);

	if (CHECK_OK(tulle_device_mul(p->plan, gpu.queue, 1, dx, 0, dy)))
		CHECK_OK(tulle_vector_read(gpu.queue, dy, 0, p->m->rows, want));
	CHECK_THAT(memcmp(want, got, (size_t)p->m->rows * value_size(p->type)) == 0,
	           "other bits than those of a single product");
	tulle_vector_destroy(dx);
	tulle_vector_destroy(dy);
	free(want);
}

static void check_vectors(problem *p, double alpha, double beta, const void *b)
{
	const tulle_csr_view a = csr_view_of(p->m, p->type, &p->a);

	for (int64_t j = 0; j < p->k; j++) {
		void *x = column(p, p->x, p->m->cols, p->ldx, j);
		void *y = column(p, p->y, p->m->rows, p->ldy, j), *bj = column(p, b, p->m->rows, p->ldy, j);
		kit_oracle *oracle = kit_oracle_create(&a, TULLE_NORMAL, alpha, x, beta, bj);

		if (CHECK_THAT(oracle, "the oracle: %s", kit_error()))
			check_within(oracle, p->type, y, alpha, beta);
		if (alpha == 1 && beta == 0 && strncmp(p->format, "sell", 4) == 0 && gpu_adds_in_order())
			check_single(p, x, y);
		kit_oracle_free(oracle);
		free(x);
		free(y);
		free(bj);
	}
	for (int64_t i = 0; i < p->m->rows; i++)
		for (int64_t j = p->k; j < p->ldy; j++)
			CHECK(value_at(p->type, p->y, i * p->ldy + j) == BETWEEN);
}

/* Vectors are NaN where beta is 0. */
static void check_product(problem *p, double alpha, double beta)
{
	const int64_t x_count = p->m->cols * p->ldx, y_count = p->m->rows * p->ldy;
	void *b = grab(y_count, value_size(p->type));

	p->x = grab(x_count, value_size(p->type));
	p->y = grab(y_count, value_size(p->type));
	kit_random_fill(KIT_UNIFORM, 3, p->type, x_count, p->x);
	kit_random_fill(KIT_UNIFORM, 7, p->type, y_count, b);
	for (int64_t i = 0; i < y_count; i++)
		value_set(p->type, p->y, i,
		          i % p->ldy >= p->k ? BETWEEN
		          : beta == 0        ? NAN
		                             : value_at(p->type, b, i));
	multiply_all(p, alpha, beta);
	check_vectors(p, alpha, beta, b);
	free(b);
	free(p->x);
	free(p->y);
}

/* Values that sell stores in full, as floats, as codes and not at all. */
typedef enum { OWN, FLOATS, TABLE, ONES, KINDS } kind;

static void fill_values(matrix *m, kind k)
{
	uint64_t state = 5;

	for (int64_t n = 0; n < m->nnz; n++) {
		const double any = random_unit(&state);

		m->val[n] = k == ONES    ? 1
		            : k == TABLE ? floor(8 * any)
		                         : (k == FLOATS ? (double)(float)any : any);
	}
}

static void check_matrix(const matrix *m, const char *format, tulle_value_type type)
{
	const tulle_device_plan_options o = { .size = sizeof o,
		                                  .format = format,
		                                  .offset_bits = gpu.offsets };
	problem p = { .m = m, .format = format, .type = type, .a = cast(m, pairs[0], type, 0) };
	tulle_matrix *a = borrow(NULL, m, pairs[0], type, &p.a);

	if (a && CHECK_OK(tulle_device_plan_create(gpu.device, a, &o, &p.plan)))
		for (size_t n = gpu.terse >= 2 ? 2 : 0; n < (gpu.terse >= 2 ? 3 : 4); n++) {
			p.k = counts[n];
			p.ldx = p.k + (int64_t)n % 2 * GAP;
			p.ldy = p.k + GAP;
			check_product(&p, 1, 0);
			check_product(&p, -0.5, 2);
		}
	tulle_device_plan_destroy(p.plan);
	tulle_matrix_destroy(a);
	arrays_free(&p.a);
}

/* ---- misuse ---- */

static void refuse(const matrix *m, const arrays *a, const char *format, tulle_status want)
{
	const tulle_device_plan_options o = { .size = sizeof o, .format = format };
	void *zeros = grab(4000, sizeof(float));
	tulle_matrix *handle = borrow(NULL, m, pairs[0], TULLE_F32, a);
	tulle_vector *x = vector(TULLE_F32, m->cols * 2, zeros),
	             *y = vector(TULLE_F32, m->rows * 2, zeros);
	tulle_device_plan *plan = NULL;

	if (CHECK_OK(tulle_device_plan_create(gpu.device, handle, &o, &plan))) {
		CHECK_STATUS(tulle_device_mul_many(plan, gpu.queue, 2, 1, x, 2, 0, y, 2), want);
		CHECK_STATUS(tulle_device_mul_many(plan, gpu.queue, -1, 1, x, 2, 0, y, 2),
		             TULLE_E_ARGUMENT);
		CHECK_STATUS(tulle_device_mul_many(plan, gpu.queue, 2, 1, x, 1, 0, y, 2), TULLE_E_ARGUMENT);
		CHECK_WORDS(tulle_last_error(), "ldx");
		CHECK_STATUS(tulle_device_mul_many(plan, gpu.queue, 2, 1, x, 2, 0, y, 1), TULLE_E_ARGUMENT);
		CHECK_WORDS(tulle_last_error(), "ldy");
		CHECK_STATUS(tulle_device_mul_many(plan, gpu.queue, 2, 1, x, 3, 0, y, 2), TULLE_E_ARGUMENT);
		CHECK_WORDS(tulle_last_error(), "x has");
		CHECK_STATUS(tulle_device_mul_many(plan, gpu.queue, 2, 1, x, INT64_MAX / 2, 0, y, 2),
		             TULLE_E_ARGUMENT);
		CHECK_STATUS(tulle_device_mul_many(plan, gpu.queue, 0, 1, x, 0, 0, y, 0), want);
	}
	CHECK_STATUS(tulle_device_mul_many(NULL, gpu.queue, 2, 1, x, 2, 0, y, 2), TULLE_E_ARGUMENT);
	tulle_device_plan_destroy(plan);
	tulle_vector_destroy(x);
	tulle_vector_destroy(y);
	tulle_matrix_destroy(handle);
	free(zeros);
}

static void check_misuse(void)
{
	matrix m;
	arrays a;

	check_about("misuse");
	for (int n = 0; gpu_matrix(n, 3, &m) && m.rows < 3; n++)
		matrix_free(&m);
	a = cast(&m, pairs[0], TULLE_F32, 0);
	refuse(&m, &a, "sell", TULLE_OK);
	refuse(&m, &a, "coo", TULLE_E_UNSUPPORTED);
	arrays_free(&a);
	matrix_free(&m);
	check_group("misuse");
}

int main(int argc, char **argv)
{
	matrix m;

	if (!gpu_open(argc, argv))
		return check_end();
	check_misuse();
	for (int f = 0; f < FORMATS; f++)
		for (int t = TULLE_F32; t <= TULLE_F64; t++) {
			if (!gpu_wants(formats[f], (tulle_value_type)t))
				continue;
			for (int n = 0; gpu_matrix(n, gpu.terse ? gpu.terse : 1, &m); n++) {
				check_about("%s, %s, %s", formats[f], type_name((tulle_value_type)t), m.name);
				fill_values(&m, (kind)((n + f) % KINDS));
				check_matrix(&m, formats[f], (tulle_value_type)t);
				matrix_free(&m);
			}
			check_group("%s, %s", formats[f], type_name((tulle_value_type)t));
		}
	gpu_close();
	return check_end();
}
