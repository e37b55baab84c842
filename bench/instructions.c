/* instructions.c -- products of one format, type and instruction set, as many as asked: bench/instructions.py counts what they execute.
 *
 *     instructions FORMAT TYPE ISA MATRIX PRODUCTS     prints the number of nonzeros
 *
 * MATRIX is grid (symmetric, five nonzeros per row) or rows (32, in random columns). One thread. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tulle.h>

enum { SIDE = 64, ROWS = SIDE * SIDE, MOST = 32 };

static int32_t row_ptr[ROWS + 1], col[ROWS * MOST];
static double val[2 * ROWS * MOST], x[2 * ROWS], y[2 * ROWS]; /* of any type: doubles suffice */

static int fail(const char *what)
{
	fprintf(stderr, "instructions: %s: %s\n", what, tulle_last_error());
	return 1;
}

static int ascending(const void *a, const void *b)
{
	return *(const int32_t *)a - *(const int32_t *)b;
}

static void make_grid(void)
{
	for (int32_t i = 0; i < ROWS; i++) {
		int32_t k = row_ptr[i];

		if (i >= SIDE)
			col[k++] = i - SIDE;
		if (i % SIDE > 0)
			col[k++] = i - 1;
		col[k++] = i;
		if (i % SIDE < SIDE - 1)
			col[k++] = i + 1;
		if (i < ROWS - SIDE)
			col[k++] = i + SIDE;
		row_ptr[i + 1] = k;
	}
}

/* Column n of a row is one of the n-th stretch of columns, so that none is there twice. */
static void make_rows(void)
{
	uint32_t state = 1;

	for (int32_t i = 0; i < ROWS; i++) {
		row_ptr[i + 1] = row_ptr[i] + MOST;
		for (int32_t n = 0; n < MOST; n++) {
			state = state * 1664525 + 1013904223;
			col[row_ptr[i] + n] = n * (ROWS / MOST) + (int32_t)(state >> 16) % (ROWS / MOST);
		}
		qsort(col + row_ptr[i], MOST, sizeof *col, ascending);
	}
}

static void put(void *to, int k, double v, int of_floats)
{
	if (of_floats)
		((float *)to)[k] = (float)v;
	else
		((double *)to)[k] = v;
}

/* Different values on each diagonal, but symmetric. */
static void mirror_grid(int parts, int of_floats)
{
	for (int32_t i = 0; i < ROWS; i++)
		for (int32_t k = row_ptr[i]; k < row_ptr[i + 1]; k++) {
			const int32_t j = col[k], low = i < j ? i : j, high = i < j ? j : i;

			for (int part = 0; part < parts; part++)
				put(val, parts * k + part, 1 / ((low + 17 * (high - low)) % 1009 + part + 1.5),
				    of_floats);
		}
}

/* Values and x that are neither ones nor few: a layout would store less. */
static void fill(void *to, int n, int of_floats)
{
	for (int k = 0; k < n; k++)
		put(to, k, 1 / (k % 1009 + 1.5), of_floats);
}

static tulle_status multiply(const tulle_plan *plan, tulle_value_type type)
{
	switch (type) {
	case TULLE_F32:
		return tulle_mul_f32(plan, 1, (const float *)(const void *)x, 0, (float *)(void *)y);
	case TULLE_F64: return tulle_mul_f64(plan, 1, x, 0, y);
	case TULLE_C64:
		return tulle_mul_c64(plan, (tulle_c64){ 1, 0 }, (const void *)x, (tulle_c64){ 0, 0 },
		                     (void *)y);
	default:
		return tulle_mul_c128(plan, (tulle_c128){ 1, 0 }, (const void *)x, (tulle_c128){ 0, 0 },
		                      (void *)y);
	}
}

int main(int argc, char **argv)
{
	static const char *const names[] = {
		[TULLE_F32] = "f32", [TULLE_F64] = "f64", [TULLE_C64] = "c64", [TULLE_C128] = "c128"
	};
	tulle_context_options wanted = { .size = sizeof wanted, .threads = 1 };
	tulle_plan_options options = { .size = sizeof options };
	tulle_plan_info info = { .size = sizeof info };
	tulle_context *context;
	tulle_matrix *a;
	tulle_plan *plan;
	int type = TULLE_F32, of_floats;

	if (argc != 6)
		return 2;
	while (type < TULLE_C128 && strcmp(names[type], argv[2]) != 0)
		type++;
	of_floats = type == TULLE_F32 || type == TULLE_C64;
	if (strcmp(argv[4], "grid") == 0) {
		make_grid();
		mirror_grid(type == TULLE_F32 || type == TULLE_F64 ? 1 : 2, of_floats);
	} else {
		make_rows();
		fill(val, 2 * row_ptr[ROWS], of_floats);
	}
	fill(x, 2 * ROWS, of_floats);
	wanted.isa = argv[3];
	options.format = argv[1];
	if (tulle_context_create(&wanted, &context) != TULLE_OK)
		return fail("context");
	if (tulle_matrix_from_csr(context, ROWS, ROWS, TULLE_I32, row_ptr, TULLE_I32, col,
	                          (tulle_value_type)type, val, NULL, &a) != TULLE_OK)
		return fail("matrix");
	if (tulle_plan_create(a, &options, &plan) != TULLE_OK ||
	    tulle_plan_describe(plan, &info) != TULLE_OK)
		return fail("plan");
	if (strcmp(info.isa, argv[3]) != 0) {
		fprintf(stderr, "instructions: the kernels are those of %s\n", info.isa);
		return 1;
	}
	for (int n = atoi(argv[5]); n > 0; n--)
		if (multiply(plan, (tulle_value_type)type) != TULLE_OK)
			return fail("product");
	printf("%d\n", (int)row_ptr[ROWS]);
	tulle_plan_destroy(plan);
	tulle_matrix_destroy(a);
	tulle_context_destroy(context);
	return 0;
}
