/* gpu_estimates.c -- print what formats for GPUs are estimated to ask of one, one line of JSON each, for
 * tests/gpu_estimates.py.
 *
 * Usage: test_gpu_estimates f32|f64 SPEC...   SPEC as in kit_generate() */
#include "core/format.h"
#include "gpu/gpu_plan.h"
#include "inner.h"
#include "kit.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void print_pattern(const char *spec, const kit_matrix *m)
{
	printf("{\"matrix\": \"%s\", \"rows\": %" PRId64 ", \"cols\": %" PRId64 ", \"row_ptr\": [0",
	       spec, m->rows, m->cols);
	for (int64_t i = 0; i < m->rows; i++)
		printf(",%" PRId64, m->row_ptr[i + 1]);
	printf("], \"col\": [");
	for (int64_t k = 0; k < m->nnz; k++)
		printf("%s%d", k > 0 ? "," : "", m->col[k]);
	printf("]}\n");
}

static void print_estimate(const tulle__format *format, const tulle__gpu_estimate *e, int wide)
{
	printf("{\"format\": \"%s%s%s\", \"refuses\": \"%s\", \"requested\": %.0f, \"x\": %.0f, "
	       "\"instructions\": %.0f, \"launches\": %d, \"kernel\": \"%s\", \"registers\": %d, "
	       "\"shared\": %d}\n",
	       format->name, e->params[0] ? ":" : "", e->params, e->refuses, e->requested,
	       e->x_requested, e->instructions, e->launches, e->use->kernel, e->use->registers[wide],
	       e->use->shared[wide]);
}

static void print_matrix(const char *spec, tulle_value_type type)
{
	const tulle__format *format;
	tulle_device_model device;
	tulle__gpu_subject s;
	tulle__env env;
	kit_matrix m;
	tulle__csr a;
	void *val;

	inner_env(&env, 0);
	if (!CHECK_THAT(kit_generate(spec, &m) == 0, "%s: %s", spec, kit_error()))
		return;
	const tulle_csr_view view = kit_view(&m);
	a = inner_view(&view);
	a.value_type = type;
	val = grab(m.nnz, value_size(type));
	kit_random_fill(KIT_UNIFORM, 1, type, m.nnz, val); /* such that no format compresses them */
	a.val = val;
	print_pattern(spec, &m);
	tulle__gpu_preset(0, &device);
	CHECK_OK(tulle__gpu_subject_make(&env, &a, &device, 0, &s));
	for (int n = 0; (format = tulle__format_at(n)); n++) {
		tulle__gpu_estimates all = { .count = 0 };

		if (format->gpu && format->gpu->estimate && CHECK_OK(format->gpu->estimate(&s, &all)))
			for (int k = 0; k < all.count; k++)
				print_estimate(format, &all.of[k], type == TULLE_F64);
	}
	kit_free(&m);
	free(val);
}

int main(int argc, char **argv)
{
	const tulle_value_type type = argc > 1 && !strcmp(argv[1], "f32") ? TULLE_F32 : TULLE_F64;

	for (int n = 2; n < argc; n++)
		print_matrix(argv[n], type);
	return check_failures() > 0;
}
