/* updates.c -- new values in plans on a device, and the check of what is there.
 *
 * Usage: as device.h says. In every format, a plan that was updated gives the bits of a new plan, whatever the
 * matrix was made from. The values are whole numbers: exact in any order, also where atomics add. Every array
 * of numbers that a kernel gets is then damaged at both ends, and the check has to notice. */
#include "api/device.h"
#include "core/format.h"
#include "device.h"
#include "gpu/gpu_check.h"
#include "matrices.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* What the matrix is made from. */
typedef enum { CSR, TRANSPOSED, COO, SKEW, SOURCES } source;
static const char *const source_names[] = { "CSR", "A^T", "COO", "skew" };

typedef struct {
	const matrix *m;
	const tulle_device_format_info *f;
	tulle_value_type type;
	source from;
	int64_t rows, cols; /* of the product */
	int64_t stored;     /* values */
	int32_t *row, *col; /* of them, for triplets */
	arrays a;           /* for CSR; its values are not used */
} subject;

static int64_t updated;

/* ---- matrices ---- */

/* Triplets from the last to the first; below the diagonal alone, where the rest follows from the kind. */
static void make_triplets(subject *s)
{
	s->row = grab(s->m->nnz, sizeof *s->row);
	s->col = grab(s->m->nnz, sizeof *s->col);
	s->stored = 0;
	for (int64_t i = s->m->rows; i-- > 0;)
		for (int64_t k = s->m->row_ptr[i + 1]; k-- > s->m->row_ptr[i];)
			if (s->from == COO || s->m->col[k] < i) {
				s->row[s->stored] = (int32_t)i;
				s->col[s->stored++] = (int32_t)s->m->col[k];
			}
}

static subject make_subject(const matrix *m, const tulle_device_format_info *f,
                            tulle_value_type type, source from)
{
	const int64_t side = m->rows > m->cols ? m->rows : m->cols;
	subject s = { .m = m, .f = f, .type = type, .from = from, .stored = m->nnz };

	s.rows = from == SKEW ? side : from == TRANSPOSED ? m->cols : m->rows;
	s.cols = from == SKEW ? side : from == TRANSPOSED ? m->rows : m->cols;
	s.a = cast(m, pairs[0], type, 0);
	if (from >= COO)
		make_triplets(&s);
	return s;
}

static void free_subject(subject *s)
{
	arrays_free(&s->a);
	free(s->row);
	free(s->col);
}

static tulle_device_plan *plan_with(const subject *s, const void *val, int updates)
{
	const tulle_matrix_options kind = { .size = sizeof kind,
		                                .kind = s->from == SKEW ? TULLE_SKEW : TULLE_GENERAL,
		                                .triangle = TULLE_LOWER };
	const tulle_device_plan_options o = { .size = sizeof o,
		                                  .format = s->f->format,
		                                  .offset_bits = gpu.offsets,
		                                  .op = s->from == TRANSPOSED ? TULLE_TRANSPOSED
		                                                              : TULLE_NORMAL,
		                                  .updates = updates };
	tulle_device_plan *plan = NULL;
	tulle_matrix *a = NULL;
	const tulle_status status =
	    s->from >= COO
	        ? tulle_matrix_from_coo(NULL, s->rows, s->cols, s->stored, TULLE_I32, s->row, s->col,
	                                s->type, val, &kind, &a)
	        : tulle_matrix_from_csr(NULL, s->m->rows, s->m->cols, pairs[0].offset, s->a.row_ptr,
	                                pairs[0].column, s->a.col, s->type, val, NULL, &a);

	if (CHECK_OK(status))
		CHECK_OK(tulle_device_plan_create(gpu.device, a, &o, &plan));
	tulle_matrix_destroy(a);
	return plan;
}

/* ---- updates ---- */

static tulle_vector *vector(tulle_value_type type, int64_t count, const void *from)
{
	tulle_vector *v = NULL;

	if (CHECK_OK(tulle_vector_create(gpu.device, type, count, NULL, &v)) && from)
		CHECK_OK(tulle_vector_write(gpu.queue, v, 0, count, from));
	return v;
}

static void *product(const subject *s, const tulle_device_plan *plan, const tulle_vector *x)
{
	void *y = grab(s->rows, value_size(s->type));
	tulle_vector *dy = vector(s->type, s->rows, NULL);

	if (plan && CHECK_OK(tulle_device_mul(plan, gpu.queue, 1, x, 0, dy)))
		CHECK_OK(tulle_vector_read(gpu.queue, dy, 0, s->rows, y));
	tulle_vector_destroy(dy);
	return y;
}

static void *whole_numbers(tulle_value_type type, int64_t count, uint64_t seed)
{
	void *v = grab(count, value_size(type));

	for (int64_t i = 0; i < count; i++)
		value_set(type, v, i, (double)random_below(&seed, 17) - 8);
	return v;
}

/* Does the plan multiply as a new one for these values does? */
static void check_same(const subject *s, const tulle_device_plan *plan, const void *val,
                       const tulle_vector *x, const char *when)
{
	tulle_device_plan *fresh = plan_with(s, val, 0);
	void *got = product(s, plan, x), *want = product(s, fresh, x);

	CHECK_THAT(memcmp(got, want, (size_t)s->rows * value_size(s->type)) == 0,
	           "%s, y is not that of a new plan", when);
	free(got);
	free(want);
	tulle_device_plan_destroy(fresh);
}

static void check_updates(const subject *s)
{
	void *first = whole_numbers(s->type, s->stored, 5),
	     *then = whole_numbers(s->type, s->stored, 6);
	void *x = whole_numbers(s->type, s->cols, 7);
	tulle_vector *dx = vector(s->type, s->cols, x), *val = vector(s->type, s->stored, then);
	tulle_device_plan *plan = plan_with(s, first, 1);

	if (plan) {
		check_same(s, plan, first, dx, "at first");
		if (CHECK_OK(tulle_device_plan_update(plan, gpu.queue, val)))
			check_same(s, plan, then, dx, "after an update");
		updated++;
	}
	tulle_device_plan_destroy(plan);
	tulle_vector_destroy(dx);
	tulle_vector_destroy(val);
	free(first);
	free(then);
	free(x);
}

/* Without values there are ones; an update brings others. */
static void check_ones(const subject *s)
{
	void *val = whole_numbers(s->type, s->stored, 8), *x = whole_numbers(s->type, s->cols, 9);
	tulle_vector *dx = vector(s->type, s->cols, x), *dv = vector(s->type, s->stored, val);
	tulle_device_plan *plan = plan_with(s, NULL, 1);

	if (plan) {
		check_same(s, plan, NULL, dx, "with ones");
		if (CHECK_OK(tulle_device_plan_update(plan, gpu.queue, dv)))
			check_same(s, plan, val, dx, "after an update of ones");
	}
	tulle_device_plan_destroy(plan);
	tulle_vector_destroy(dx);
	tulle_vector_destroy(dv);
	free(val);
	free(x);
}

/* ---- check ---- */

static const tulle__gpu_format *format_of(const char *name)
{
	return tulle__format_named(name, strcspn(name, ":"))->gpu;
}

/* Other bytes at the end or the beginning of an array, and back. */
static void damage(const subject *s, tulle__gpu_plan *plan, const tulle__gpu_array_held *held,
                   const char *name, int end)
{
	const tulle__gpu_driver *const driver = plan->device->driver;
	const size_t bytes = held->bytes < 4 ? held->bytes : 4, at = end ? held->bytes - bytes : 0;
	const unsigned char wrong[4] = { 0x5a, 0x5a, 0x5a, 0x5a };
	unsigned char kept[4];
	void *const queue = gpu.queue->native;

	if (!CHECK_OK(driver->read(plan->device, queue, held->memory, at, kept, bytes)) ||
	    !CHECK_OK(driver->write(plan->device, queue, held->memory, at, wrong, bytes)) ||
	    !CHECK_OK(driver->finish(plan->device, queue))) /* the check has a queue of its own */
		return;
	CHECK_THAT(tulle__gpu_plan_check(plan, format_of(s->f->format)) == TULLE_E_INTERNAL,
	           "%s is damaged at its %s, and nothing is noticed", name, end ? "end" : "beginning");
	CHECK_OK(driver->write(plan->device, queue, held->memory, at, kept, bytes));
	CHECK_OK(driver->finish(plan->device, queue));
}

static void damage_arrays(const subject *s, tulle__gpu_plan *plan, const tulle__gpu_recorded *step)
{
	for (int n = 0; n < step->kernel->params; n++) {
		const tulle__gpu_param *const p = &step->kernel->param[n];

		for (int a = 0; a < plan->arrays; a++)
			if (p->element != TULLE__GPU_OF_NONE && p->element != TULLE__GPU_OF_VALUE &&
			    p->element != TULLE__GPU_OF_CODED &&
			    plan->array[a].memory.handle == step->arg[n].memory.handle &&
			    plan->array[a].bytes > 1) { /* one byte: an empty array */
				damage(s, plan, &plan->array[a], p->name, 0);
				damage(s, plan, &plan->array[a], p->name, 1);
			}
	}
}

static void check_arrays(const subject *s)
{
	void *val = whole_numbers(s->type, s->stored, 5);
	tulle_device_plan *plan = plan_with(s, val, 0);

	if (plan && CHECK_OK(tulle__gpu_plan_check(&plan->gpu, format_of(s->f->format))))
		for (int n = 0; n < plan->gpu.steps; n++)
			damage_arrays(s, &plan->gpu, &plan->gpu.step[n]);
	tulle_device_plan_destroy(plan);
	free(val);
}

/* ---- misuse ---- */

static void check_misuse(void)
{
	tulle_device_format_info f = { .size = sizeof f };
	matrix m;
	subject s;
	tulle_device_plan *fixed, *plan;
	tulle_vector *val, *few, *other;

	for (int n = 0; gpu_matrix(n, 3, &m) && m.nnz == 0; n++)
		matrix_free(&m);
	CHECK(tulle_device_format(0, &f));
	s = make_subject(&m, &f, TULLE_F32, CSR);
	fixed = plan_with(&s, s.a.val, 0);
	plan = plan_with(&s, s.a.val, 1);
	val = vector(TULLE_F32, s.stored, s.a.val);
	few = vector(TULLE_F32, s.stored - 1, s.a.val);
	other = gpu.info.f64 ? vector(TULLE_F64, s.stored, NULL) : NULL;
	CHECK_STATUS(tulle_device_plan_update(fixed, gpu.queue, val), TULLE_E_UNSUPPORTED);
	CHECK_WORDS(tulle_last_error(), "options.updates");
	CHECK_STATUS(tulle_device_plan_update(NULL, gpu.queue, val), TULLE_E_ARGUMENT);
	CHECK_STATUS(tulle_device_plan_update(plan, NULL, val), TULLE_E_ARGUMENT);
	CHECK_STATUS(tulle_device_plan_update(plan, gpu.queue, NULL), TULLE_E_ARGUMENT);
	CHECK_STATUS(tulle_device_plan_update(plan, gpu.queue, few), TULLE_E_ARGUMENT);
	if (other)
		CHECK_STATUS(tulle_device_plan_update(plan, gpu.queue, other), TULLE_E_TYPE);
	CHECK_OK(tulle_device_plan_update(plan, gpu.queue, val));
	tulle_vector_destroy(val);
	tulle_vector_destroy(few);
	tulle_vector_destroy(other);
	tulle_device_plan_destroy(fixed);
	tulle_device_plan_destroy(plan);
	free_subject(&s);
	matrix_free(&m);
	check_group("misuse");
}

/* ---- the walk ---- */

static void check_matrix(const matrix *m, int number, const tulle_device_format_info *f,
                         tulle_value_type type)
{
	const source from[] = { CSR, (source)(1 + number % (SOURCES - 1)) };

	for (int n = 0; n < 2; n++) {
		subject s = make_subject(m, f, type, from[n]);

		check_about("%s, %s, %s, %s", f->format, type_name(type), m->name, source_names[from[n]]);
		check_updates(&s);
		if (n == 0 && number % 4 == 2)
			check_ones(&s);
		if (n == 0)
			check_arrays(&s);
		free_subject(&s);
	}
}

int main(int argc, char **argv)
{
	tulle_device_format_info f = { .size = sizeof f };
	matrix m;

	if (!gpu_open(argc, argv))
		return check_end();
	check_misuse();
	for (int n = 0; tulle_device_format(n, &f); n++)
		for (int t = TULLE_F32; t <= TULLE_F64; t++) {
			if ((f.width > 0 && f.width > gpu.width) || !gpu_wants(f.format, (tulle_value_type)t))
				continue;
			for (int i = 0; gpu_matrix(i, gpu.terse, &m); i++) {
				check_matrix(&m, i, &f, (tulle_value_type)t);
				matrix_free(&m);
			}
			check_group("%s, %s", f.format, type_name((tulle_value_type)t));
		}
	gpu_close();
	CHECK_THAT(updated > 0, "no plan was updated");
	return check_end();
}
