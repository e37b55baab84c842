/* compressed.c -- sell on a device with columns and values of every kind: bits, bytes, checks and refusals.
 *
 * Usage: as device.h says; only --format sell and those that begin so. Products of the values and of x are exact, so
 * a fused multiply-add makes no difference, and y has the bits of the CPU's ordered sum (reproducible = 2). Sums are
 * rounded: another order, or sums in float, give other bits. Intel's driver adds in another order where few rows are
 * multiplied; there y has to be within the bound of both sums. */
#include "api/device.h"
#include "core/format.h"
#include "device.h"
#include "formats/sell/sell_gpu.h"
#include "gpu/gpu_check.h"
#include "kit.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const formats[] = { "sell", "sell:height=32", "sell:height=64", "sell:sigma=1",
	                                   "sell:x=plain" };
enum { FORMATS = sizeof formats / sizeof *formats, LAST = FORMATS - 1 };

/* Strips, near and far columns, rows of one length and of many; the first are for interpreters. */
static const char *const specs[] = { "banded:rows=200,width=3,fill=1",
	                                 "random:rows=90,cols=200000,mean=5",
	                                 "random:rows=70,cols=900,mean=9",
	                                 "banded:rows=700,width=12,fill=0.6",
	                                 "stencil27:n=9",
	                                 "fem:n=4",
	                                 "rmat:scale=9",
	                                 "circuit:rows=900",
	                                 "lp:rows=9,cols=90000,mean=700",
	                                 "empty:rows=1500,cols=400" };
enum { SPECS = sizeof specs / sizeof *specs, FEW = 3 };

typedef enum {
	OWN,
	STEPS, /* most rows have the same values: a stencil */
	FLOATS,
	TABLE,
	ONES,
	ROUNDED, /* options.lossy */
	KINDS
} kind;

static const char *const kind_names[] = { "own", "stencil", "floats", "table", "ones", "rounded" };

typedef struct {
	const char *format;
	tulle_value_type type;
	kind kind;
	kit_matrix m;
	void *val, *x;
	tulle_matrix *a;
} problem;

/* ---- values ---- */

/* A whole number of `count` bits, odd: no smaller number of bits holds it. */
static double bits(uint64_t *state, int count)
{
	const double half = ldexp(1, count - 2);

	return 2 * (floor(half * random_unit(state)) + half) + 1 - ldexp(1, count - 1);
}

/* In f64, 30 bits times 20 bits are exact, and more than a float has; in f32, 12 times 12. */
static double value_for(const problem *p, int64_t row, int64_t step, uint64_t *state)
{
	const int wide = p->type == TULLE_F64;
	uint64_t same = 77 + (uint64_t)step;

	switch (p->kind) {
	case FLOATS: return bits(state, wide ? 24 : 12);
	case TABLE: return (double)(random_below(state, 16) - 8) * 256 + 1;
	case STEPS: return bits(row < 5 || row % 97 == 5 ? state : &same, wide ? 30 : 12);
	default: return bits(state, wide ? 30 : 12);
	}
}

static void fill(problem *p)
{
	const int wide = p->type == TULLE_F64;
	uint64_t state = 11;

	p->val = grab(p->m.nnz, value_size(p->type));
	p->x = grab(p->m.cols, value_size(p->type));
	for (int64_t i = 0; i < p->m.rows; i++)
		for (int64_t k = p->m.row_ptr[i]; k < p->m.row_ptr[i + 1]; k++)
			value_set(p->type, p->val, k, value_for(p, i, k - p->m.row_ptr[i], &state));
	for (int64_t j = 0; j < p->m.cols; j++)
		value_set(p->type, p->x, j,
		          ldexp(bits(&state, wide ? 20 : 12), (int)random_below(&state, wide ? 24 : 12)));
}

static int make(problem *p, const char *spec)
{
	if (!CHECK_THAT(kit_generate(spec, &p->m) == 0, "%s", kit_error()))
		return 0;
	fill(p);
	return CHECK_OK(tulle_matrix_from_csr(NULL, p->m.rows, p->m.cols, TULLE_I64, p->m.row_ptr,
	                                      TULLE_I32, p->m.col, p->type,
	                                      p->kind == ONES ? NULL : p->val, NULL, &p->a));
}

static void drop(problem *p)
{
	tulle_matrix_destroy(p->a);
	kit_free(&p->m);
	free(p->val);
	free(p->x);
}

/* ---- products ---- */

static tulle_device_plan *plan_of(const problem *p)
{
	const tulle_device_plan_options o = { .size = sizeof o,
		                                  .format = p->format,
		                                  .offset_bits = gpu.offsets,
		                                  .lossy = p->kind == ROUNDED };
	tulle_device_plan *plan = NULL;

	CHECK_OK(tulle_device_plan_create(gpu.device, p->a, &o, &plan));
	return plan;
}

/* NaN in y: beta is 0. */
static void *on_device(const problem *p, const tulle_device_plan *plan)
{
	void *y = grab(p->m.rows, value_size(p->type));
	tulle_vector *dx = NULL, *dy = NULL;

	value_fill(p->type, y, p->m.rows, NAN);
	if (CHECK_OK(tulle_vector_create(gpu.device, p->type, p->m.cols, NULL, &dx)) &&
	    CHECK_OK(tulle_vector_create(gpu.device, p->type, p->m.rows, NULL, &dy)) &&
	    CHECK_OK(tulle_vector_write(gpu.queue, dx, 0, p->m.cols, p->x)) &&
	    CHECK_OK(tulle_vector_write(gpu.queue, dy, 0, p->m.rows, y)) &&
	    CHECK_OK(tulle_device_mul(plan, gpu.queue, 1, dx, 0, dy)))
		CHECK_OK(tulle_vector_read(gpu.queue, dy, 0, p->m.rows, y));
	tulle_vector_destroy(dx);
	tulle_vector_destroy(dy);
	return y;
}

/* Value k as it is stored. */
static double stored(const problem *p, int64_t k)
{
	const double v = p->kind == ONES ? 1 : value_at(p->type, p->val, k);

	return p->kind == ROUNDED ? (double)(float)v : v;
}

/* Rows in stored order. */
static void *in_order(const problem *p)
{
	void *y = grab(p->m.rows, value_size(p->type));

	for (int64_t i = 0; i < p->m.rows; i++) {
		double s = 0;

		for (int64_t k = p->m.row_ptr[i]; k < p->m.row_ptr[i + 1]; k++) {
			s += stored(p, k) * value_at(p->type, p->x, p->m.col[k]);
			s = p->type == TULLE_F32 ? (double)(float)s : s; /* exact before: rounded once */
		}
		value_set(p->type, y, i, s);
	}
	return y;
}

/* The CPU says the same, where it has fused multiply-adds. */
static void check_cpu(const problem *p, const void *want)
{
	const tulle_plan_options o = {
		.size = sizeof o, .format = "sell", .reproducible = 2, .lossy = p->kind == ROUNDED
	};
	tulle_plan *plan = NULL;
	const tulle_status s = tulle_plan_create(p->a, &o, &plan);
	void *y;

	if (s == TULLE_E_UNSUPPORTED || !CHECK_OK(s))
		return;
	y = grab(p->m.rows, value_size(p->type));
	CHECK_OK(mul(plan, p->type, 1, p->x, 0, y));
	CHECK_THAT(memcmp(y, want, (size_t)p->m.rows * value_size(p->type)) == 0,
	           "the CPU's y is not in stored order");
	tulle_plan_destroy(plan);
	free(y);
}

/* By how much two sums of row i may differ: n rounded additions each. */
static double allowed(const problem *p, int64_t i)
{
	const double n = (double)(p->m.row_ptr[i + 1] - p->m.row_ptr[i]);
	const double unit = p->type == TULLE_F64 ? 0x1p-53 : 0x1p-24;
	double sum = 0;

	if (gpu_adds_in_order())
		return 0;
	for (int64_t k = p->m.row_ptr[i]; k < p->m.row_ptr[i + 1]; k++)
		sum += fabs(stored(p, k) * value_at(p->type, p->x, p->m.col[k]));
	return 2 * n * unit / (1 - n * unit) * sum * (1 + 0x1p-20);
}

static void check_bits(const problem *p, const tulle_device_plan *plan)
{
	void *got = on_device(p, plan), *want = in_order(p);
	int64_t i = 0;

	check_cpu(p, want);
	while (i < p->m.rows &&
	       fabs(value_at(p->type, got, i) - value_at(p->type, want, i)) <= allowed(p, i))
		i++;
	if (!CHECK_THAT(i == p->m.rows, "y[%" PRId64 "] is not that of the sum in stored order", i))
		printf("  %.17g, not %.17g\n", value_at(p->type, got, i), value_at(p->type, want, i));
	free(got);
	free(want);
}

/* ---- what is there ---- */

static const char *kernel_for(const problem *p)
{
	switch (p->kind) {
	case FLOATS:
	case ROUNDED: return p->type == TULLE_F64 ? "sell_floats" : "sell_rows";
	case TABLE: return "sell_codes";
	case ONES: return "sell_ones";
	default: return "sell_rows";
	}
}

static void check_info(const problem *p, const tulle_device_plan *plan)
{
	tulle_device_plan_info info = { .size = sizeof info };
	tulle_device_launch_info launch = { .size = sizeof launch };
	const int rounded = p->kind == ROUNDED && p->type == TULLE_F64;
	const char *const plain = strstr(p->format, "x=plain") ? "_plain" : "";
	char kernel[48];

	CHECK_OK(tulle_device_plan_describe(plan, &info));
	CHECK_OK(tulle_device_plan_launch(plan, 0, &launch));
	CHECK(info.value_error == (rounded ? 0x1p-24 : 0));
	snprintf(kernel, sizeof kernel, "%s%s", kernel_for(p), plain);
	CHECK_THAT(strcmp(launch.kernel, kernel) == 0, "%s, not %s", launch.kernel, kernel);
}

/* Bytes of the arrays are those that the layout is known to have; empty ones have a byte. */
static void check_bytes(const problem *p, const tulle_device_plan *plan)
{
	const int height = strstr(p->format, "64")   ? 64
	                   : strstr(p->format, "32") ? 32
	                                             : tulle__sell_gpu_height(gpu.width);
	const sell_shape shape = { .height = height,
		                       .sigma = strstr(p->format, "sigma=1") ? 1 : SELL_GPU_SIGMA,
		                       .ordered = 1,
		                       .rounded = p->kind == ROUNDED };
	tulle__env *const env = gpu.device->gpu.env;
	sell_gpu_counts counts;
	double bytes;
	sell_data *d;

	if (!CHECK_OK(tulle__sell_plan(&p->a->a, &shape, env, &d)))
		return;
	counts = tulle__sell_gpu_count(d);
	bytes = tulle__sell_gpu_bytes(d, &counts, tulle__index_size(plan->gpu.types.index));
	CHECK_THAT((double)plan->gpu.bytes >= bytes && (double)plan->gpu.bytes <= bytes + 8,
	           "%zu bytes, not %.0f", plan->gpu.bytes, bytes);
	tulle__sell_release(d, env);
}

/* The other checks of arrays are in updates.c; it does not damage values. */
static void damage_codes(tulle__gpu_plan *plan)
{
	const tulle__gpu_driver *const driver = plan->device->driver;
	const unsigned char wrong = 0x5a;
	const tulle__gpu_recorded *const step = &plan->step[0];
	void *const queue = gpu.queue->native;

	for (int n = 0; n < step->kernel->params; n++) {
		unsigned char kept;

		if (step->kernel->param[n].element != TULLE__GPU_OF_CODED)
			continue;
		CHECK_OK(driver->read(plan->device, queue, step->arg[n].memory, 0, &kept, 1));
		CHECK_OK(driver->write(plan->device, queue, step->arg[n].memory, 0, &wrong, 1));
		CHECK_OK(driver->finish(plan->device, queue));
		CHECK_STATUS(tulle__gpu_plan_check(plan, &tulle__sell_gpu), TULLE_E_INTERNAL);
		CHECK_OK(driver->write(plan->device, queue, step->arg[n].memory, 0, &kept, 1));
		CHECK_OK(driver->finish(plan->device, queue));
	}
}

static void check_problem(problem *p, const char *spec)
{
	tulle_device_plan *plan = make(p, spec) ? plan_of(p) : NULL;

	if (plan) {
		check_info(p, plan);
		check_bits(p, plan);
		check_bytes(p, plan);
		if (gpu.terse < 3) {
			CHECK_OK(tulle__gpu_plan_check(&plan->gpu, &tulle__sell_gpu));
			if (p->kind == TABLE)
				damage_codes(&plan->gpu);
		}
	}
	tulle_device_plan_destroy(plan);
	drop(p);
}

/* ---- refusals ---- */

static void check_refusals(void)
{
	tulle_device_plan_options o = { .size = sizeof o, .format = "sell", .lossy = 1, .updates = 1 };
	problem p = { .format = "sell", .type = TULLE_F64, .kind = OWN };
	tulle_device_plan *plan = NULL;
	tulle_matrix *huge = NULL;

	check_about("refusals");
	if (!gpu.info.f64 || !make(&p, specs[0]))
		return;
	CHECK_STATUS(tulle_device_plan_create(gpu.device, p.a, &o, &plan), TULLE_E_UNSUPPORTED);
	CHECK_WORDS(tulle_last_error(), "options.lossy options.updates");
	o.updates = 0;
	o.format = "csr";
	CHECK_STATUS(tulle_device_plan_create(gpu.device, p.a, &o, &plan), TULLE_E_UNSUPPORTED);
	CHECK_WORDS(tulle_last_error(), "options.lossy csr");
	o.lossy = 2;
	CHECK_STATUS(tulle_device_plan_create(gpu.device, p.a, &o, &plan), TULLE_E_ARGUMENT);
	o.lossy = 1;
	o.format = NULL; /* the only one that rounds */
	if (CHECK_OK(tulle_device_plan_create(gpu.device, p.a, &o, &plan)))
		CHECK_THAT(strncmp(plan->format, "sell", 4) == 0, "%s", plan->format);
	tulle_device_plan_destroy(plan);
	((double *)p.val)[3] = 1e300;
	CHECK_OK(tulle_matrix_from_csr(NULL, p.m.rows, p.m.cols, TULLE_I64, p.m.row_ptr, TULLE_I32,
	                               p.m.col, TULLE_F64, p.val, NULL, &huge));
	o.format = "sell";
	CHECK_STATUS(tulle_device_plan_create(gpu.device, huge, &o, &plan), TULLE_E_UNSUPPORTED);
	CHECK_WORDS(tulle_last_error(), "1e+300 float");
	tulle_matrix_destroy(huge);
	drop(&p);
	check_group("refusals");
}

int main(int argc, char **argv)
{
	if (!gpu_open(argc, argv))
		return check_end();
	check_refusals();
	for (int f = 0; f < FORMATS; f++)
		for (int t = TULLE_F32; t <= TULLE_F64; t++) {
			if (!gpu_wants(formats[f], (tulle_value_type)t) || (gpu.terse == 3 && f % LAST > 0))
				continue;
			for (int n = 0; n < (gpu.terse >= 2 ? FEW : SPECS); n++)
				for (int k = 0; k < KINDS; k++) {
					problem p = { .format = formats[f],
						          .type = (tulle_value_type)t,
						          .kind = (kind)k };

					check_about("%s, %s, %s, %s", formats[f], type_name(p.type), specs[n],
					            kind_names[k]);
					check_problem(&p, specs[n]);
				}
			check_group("%s, %s", formats[f], type_name((tulle_value_type)t));
		}
	gpu_close();
	return check_end();
}
