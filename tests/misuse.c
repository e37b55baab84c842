/* misuse.c -- every argument made wrong in turn: the documented status, a sentence that names the
 * argument, the index and the value, NULL handles, untouched outputs, and nothing held afterwards. */
#include "misuse.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const int32_t ptr32[] = { 0, 2, 2, 5, 6 };
static const int64_t ptr64[] = { 0, 2, 2, 5, 6 };
static const int32_t col32[] = { 0, 1, 2, 0, 1, 3 };
static const int64_t col64[] = { 0, 1, 2, 0, 1, 3 };
static const double val64[] = { 1, 2, 3, 4, 5, 6 };

tulle_context *misuse_shared;
static int cases;

void misuse_refused(const char *file, int line, tulle_status got, tulle_status want,
                    const char *words)
{
	cases++;
	if (check_status_at(file, line, "the call", got, want))
		check_words_at(file, line, tulle_last_error(), words);
}

static void misuse_context(void)
{
	tulle_context *c = (tulle_context *)(uintptr_t)64;
	tulle_context_options o = { .size = sizeof o };
	tulle_context_info info = { .size = sizeof info };
	struct {
		tulle_context_options known;
		char unknown;
	} newer = { .known = { .size = sizeof newer }, .unknown = 1 };

	REFUSED(tulle_context_create(&o, NULL), TULLE_E_ARGUMENT, "out NULL");
	o.threads = -1;
	REFUSED(tulle_context_create(&o, &c), TULLE_E_ARGUMENT, "threads -1");
	CHECK(c == NULL);
	o.threads = INT_MAX;
	REFUSED(tulle_context_create(&o, &c), TULLE_E_ARGUMENT, "threads 2147483647");
	o.threads = 0;
	o.isa = "mmx";
	REFUSED(tulle_context_create(&o, &c), TULLE_E_ARGUMENT, "mmx scalar avx2 avx512");
	o.isa = NULL;
	o.free = (void (*)(void *, void *, size_t))abort;
	REFUSED(tulle_context_create(&o, &c), TULLE_E_ARGUMENT, "alloc");
	o.free = NULL;
	o.alloc = (void *(*)(void *, size_t, size_t))abort;
	REFUSED(tulle_context_create(&o, &c), TULLE_E_ARGUMENT, "free");
	o.alloc = NULL;
	o.size = 0;
	REFUSED(tulle_context_create(&o, &c), TULLE_E_ARGUMENT, "size tulle_context_options");
	REFUSED(tulle_context_create(&newer.known, &c), TULLE_E_UNSUPPORTED, "tulle_context_options");
	CHECK(c == NULL);
	REFUSED(tulle_context_describe(NULL, NULL), TULLE_E_ARGUMENT, "info NULL");
	info.size = 3;
	REFUSED(tulle_context_describe(NULL, &info), TULLE_E_ARGUMENT, "size 3 tulle_context_info");
	check_group("context");
}

/* ---- plans ---- */

static void refused_plan(const tulle_matrix *a, tulle_plan_options o, tulle_status want,
                         const char *words)
{
	tulle_plan *p = (tulle_plan *)(uintptr_t)64;
	const size_t held = context_info(misuse_shared).blocks_held;

	if (!o.size)
		o.size = sizeof o;
	REFUSED(tulle_plan_create(a, &o, &p), want, words);
	CHECK(p == NULL);
	CHECK_EQUAL(context_info(misuse_shared).blocks_held, held);
}

static void misuse_plan(const tulle_matrix *a)
{
	const char *format;
	tulle_plan *p;
	tulle_plan_info info = { .size = 1 };
	tulle_matrix *back = (tulle_matrix *)(uintptr_t)64;

	REFUSED(tulle_plan_create(a, NULL, NULL), TULLE_E_ARGUMENT, "out NULL");
	p = (tulle_plan *)(uintptr_t)64;
	REFUSED(tulle_plan_create(NULL, NULL, &p), TULLE_E_ARGUMENT, "matrix NULL");
	CHECK(p == NULL);
	refused_plan(a, (tulle_plan_options){ .size = 7 }, TULLE_E_ARGUMENT, "size 7");
	refused_plan(a, (tulle_plan_options){ .multiplies = -1 }, TULLE_E_ARGUMENT, "multiplies -1");
	refused_plan(a, (tulle_plan_options){ .multiplies = (double)NAN }, TULLE_E_ARGUMENT,
	             "multiplies nan");
	refused_plan(a, (tulle_plan_options){ .op = 5 }, TULLE_E_ARGUMENT, "op 5");
	refused_plan(a, (tulle_plan_options){ .reproducible = 3 }, TULLE_E_ARGUMENT, "reproducible 3");
	refused_plan(a, (tulle_plan_options){ .reproducible = -1 }, TULLE_E_ARGUMENT,
	             "reproducible -1");
	refused_plan(a, (tulle_plan_options){ .lossy = 4 }, TULLE_E_ARGUMENT, "lossy 4");
	refused_plan(a, (tulle_plan_options){ .format = "csr", .lossy = 1 }, TULLE_E_UNSUPPORTED,
	             "lossy csr");
	refused_plan(a, (tulle_plan_options){ .format = "nosuch" }, TULLE_E_ARGUMENT, "nosuch");
	refused_plan(a, (tulle_plan_options){ .format = "" }, TULLE_E_ARGUMENT, "format");
	for (int f = 0; (format = tulle_formats(f)); f++) {
		char spec[128];

		snprintf(spec, sizeof spec, "%s:nosuch=1", format);
		refused_plan(a, (tulle_plan_options){ .format = spec }, TULLE_E_ARGUMENT, "nosuch");
		snprintf(spec, sizeof spec, "%s:%.*s=nosuch", format,
		         (int)strcspn(tulle_format_tunables(format), "="), tulle_format_tunables(format));
		if (*tulle_format_tunables(format))
			refused_plan(a, (tulle_plan_options){ .format = spec }, TULLE_E_ARGUMENT, "nosuch");
		snprintf(spec, sizeof spec, "%sx", format);
		refused_plan(a, (tulle_plan_options){ .format = spec }, TULLE_E_ARGUMENT, spec);
		CHECK_THAT(*tulle_format_summary(format), "%s has no summary", format);
	}
	CHECK(tulle_format_summary(NULL) == NULL && tulle_format_summary("nosuch") == NULL);
	CHECK(tulle_format_tunables(NULL) == NULL);
	CHECK(tulle_format_tunables("nosuch") == NULL);
	CHECK(tulle_formats(-1) == NULL);
	CHECK(tulle_formats(INT_MAX) == NULL);

	CHECK_OK(tulle_plan_create(a, NULL, &p));
	REFUSED(tulle_plan_describe(NULL, &info), TULLE_E_ARGUMENT, "plan NULL");
	REFUSED(tulle_plan_describe(p, NULL), TULLE_E_ARGUMENT, "NULL");
	REFUSED(tulle_plan_describe(p, &info), TULLE_E_ARGUMENT, "size 1");
	REFUSED(tulle_matrix_from_plan(p, NULL), TULLE_E_ARGUMENT, "out NULL");
	REFUSED(tulle_matrix_from_plan(NULL, &back), TULLE_E_ARGUMENT, "plan NULL");
	CHECK(back == NULL);
	REFUSED(tulle_plan_update(NULL, val64), TULLE_E_ARGUMENT, "plan NULL");
	REFUSED(tulle_plan_update(p, (const char *)val64 + 4), TULLE_E_ARGUMENT, "val multiple");
	CHECK_EQUAL(tulle_plan_explain(NULL, NULL, 0), 0);
	tulle_plan_destroy(p);
	check_group("plan");
}

/* ---- multiplications: y stays as it was ---- */

enum { VECTORS = 64, MARK = 0x5a };

typedef struct {
	_Alignas(64) double room[VECTORS]; /* x, b and y live here, so that overlaps are well defined */
} workspace;

static int untouched(const workspace *w)
{
	const unsigned char *bytes = (const unsigned char *)w->room;

	for (size_t i = 0; i < sizeof w->room; i++)
		if (bytes[i] != MARK)
			return 0;
	return 1;
}

#define REFUSED_MUL(call, want, words)                     \
	do {                                                   \
		memset(w.room, MARK, sizeof w.room);               \
		REFUSED(call, want, words);                        \
		CHECK_THAT(untouched(&w), "outputs were touched"); \
	} while (0)

static void misuse_mul(const tulle_plan *p, const tulle_plan *single)
{
	static workspace w;
	double *x = w.room, *y = w.room + 16, *b = w.room + 32;
	float *xf = (float *)w.room, *yf = (float *)(w.room + 16);

	REFUSED_MUL(tulle_mul_f64(NULL, 1, x, 0, y), TULLE_E_ARGUMENT, "plan NULL");
	REFUSED_MUL(tulle_mul_f64(p, 1, NULL, 0, y), TULLE_E_ARGUMENT, "x NULL");
	REFUSED_MUL(tulle_mul_f64(p, 1, x, 0, NULL), TULLE_E_ARGUMENT, "y NULL");
	REFUSED_MUL(tulle_mul_f32(p, 1, xf, 0, yf), TULLE_E_TYPE, "f32 f64");
	REFUSED_MUL(tulle_mul_f64(single, 1, x, 0, y), TULLE_E_TYPE, "f64 f32");
	REFUSED_MUL(tulle_mul_f64(p, 1, x, 0, x), TULLE_E_ARGUMENT, "x y overlap");
	REFUSED_MUL(tulle_mul_f64(p, 1, x, 0, x + 3), TULLE_E_ARGUMENT, "x y overlap");
	REFUSED_MUL(tulle_mul_f64(p, 1, x + 3, 0, x), TULLE_E_ARGUMENT, "x y overlap");
	REFUSED_MUL(tulle_mul_f32(single, 1, xf + 3, 1, xf), TULLE_E_ARGUMENT, "x y overlap");
	for (uintptr_t off = 1; off < 8; off++) {
		double *odd = (double *)((uintptr_t)b + off);

		REFUSED_MUL(tulle_mul_f64(p, 1, odd, 0, y), TULLE_E_ARGUMENT, "x multiple 8");
		REFUSED_MUL(tulle_mul_f64(p, 1, x, 0, odd), TULLE_E_ARGUMENT, "y multiple 8");
		REFUSED_MUL(tulle_mul_add_f64(p, 1, x, 1, odd, y), TULLE_E_ARGUMENT, "b multiple 8");
	}
	REFUSED_MUL(tulle_mul_f32(single, 1, (float *)((uintptr_t)b + 2), 0, yf), TULLE_E_ARGUMENT,
	            "x multiple 4");
	REFUSED_MUL(tulle_mul_add_f64(NULL, 1, x, 1, b, y), TULLE_E_ARGUMENT, "plan NULL");
	REFUSED_MUL(tulle_mul_add_f64(p, 1, NULL, 1, b, y), TULLE_E_ARGUMENT, "x NULL");
	REFUSED_MUL(tulle_mul_add_f64(p, 1, x, 1, NULL, y), TULLE_E_ARGUMENT, "b NULL");
	REFUSED_MUL(tulle_mul_add_f64(p, 1, x, 1, b, NULL), TULLE_E_ARGUMENT, "y NULL");
	REFUSED_MUL(tulle_mul_add_f64(p, 1, x, 1, b, x), TULLE_E_ARGUMENT, "x y overlap");
	REFUSED_MUL(tulle_mul_add_f64(p, 1, x, 1, y + 1, y), TULLE_E_ARGUMENT, "b y overlap");
	REFUSED_MUL(tulle_mul_add_f64(p, 1, x, 1, y - 3, y), TULLE_E_ARGUMENT, "b y overlap");
	REFUSED_MUL(tulle_mul_add_f32(p, 1, xf, 1, yf, yf), TULLE_E_TYPE, "f32 f64");
	check_group("mul, mul_add");

	REFUSED_MUL(tulle_mul_many_f64(NULL, 2, TULLE_ROW_MAJOR, 1, x, 2, 0, y, 2), TULLE_E_ARGUMENT,
	            "plan NULL");
	REFUSED_MUL(tulle_mul_many_f64(p, -1, TULLE_ROW_MAJOR, 1, x, 2, 0, y, 2), TULLE_E_ARGUMENT,
	            "k -1");
	REFUSED_MUL(tulle_mul_many_f64(p, 2, 5, 1, x, 4, 0, y, 4), TULLE_E_ARGUMENT, "order 5");
	REFUSED_MUL(tulle_mul_many_f64(p, 2, TULLE_ROW_MAJOR, 1, NULL, 2, 0, y, 2), TULLE_E_ARGUMENT,
	            "x NULL");
	REFUSED_MUL(tulle_mul_many_f64(p, 2, TULLE_ROW_MAJOR, 1, x, 2, 0, NULL, 2), TULLE_E_ARGUMENT,
	            "y NULL");
	REFUSED_MUL(tulle_mul_many_f64(p, 2, TULLE_ROW_MAJOR, 1, x, 1, 0, y, 2), TULLE_E_ARGUMENT,
	            "ldx 1");
	REFUSED_MUL(tulle_mul_many_f64(p, 2, TULLE_ROW_MAJOR, 1, x, 2, 0, y, 1), TULLE_E_ARGUMENT,
	            "ldy 1");
	REFUSED_MUL(tulle_mul_many_f64(p, 2, TULLE_COLUMN_MAJOR, 1, x, 3, 0, y, 4), TULLE_E_ARGUMENT,
	            "ldx 3");
	REFUSED_MUL(tulle_mul_many_f64(p, 2, TULLE_COLUMN_MAJOR, 1, x, 4, 0, y, -4), TULLE_E_ARGUMENT,
	            "ldy -4");
	REFUSED_MUL(tulle_mul_many_f64(p, 2, TULLE_COLUMN_MAJOR, 1, x, 4, 0, x + 7, 4),
	            TULLE_E_ARGUMENT, "x y overlap");
	REFUSED_MUL(tulle_mul_many_f64(p, 2, TULLE_ROW_MAJOR, 1, x, 2, 0, x + 7, 2), TULLE_E_ARGUMENT,
	            "x y overlap");
	REFUSED_MUL(tulle_mul_many_f64(p, INT64_MAX, TULLE_COLUMN_MAJOR, 1, x, INT64_MAX, 0, y, 4),
	            TULLE_E_ARGUMENT, "");
	REFUSED_MUL(tulle_mul_many_f32(p, 2, TULLE_ROW_MAJOR, 1, xf, 2, 0, yf, 2), TULLE_E_TYPE,
	            "f32 f64");
	check_group("mul_many");
}

/* `wide` has 4 rows and 5 columns. */
static void misuse_steps(const tulle_plan *p, const tulle_plan *single, const tulle_plan *wide)
{
	static workspace w;
	double *x = w.room, *y = w.room + 16, *b = w.room + 32, dot = 7, other = 7;
	float *xf = (float *)w.room, *yf = (float *)(w.room + 16);

	REFUSED_MUL(tulle_mul_dot_f64(NULL, x, y, &dot, &other), TULLE_E_ARGUMENT, "plan NULL");
	REFUSED_MUL(tulle_mul_dot_f64(p, NULL, y, &dot, &other), TULLE_E_ARGUMENT, "x NULL");
	REFUSED_MUL(tulle_mul_dot_f64(p, x, NULL, &dot, &other), TULLE_E_ARGUMENT, "y NULL");
	REFUSED_MUL(tulle_mul_dot_f64(p, x, x + 3, &dot, &other), TULLE_E_ARGUMENT, "x y overlap");
	REFUSED_MUL(tulle_mul_dot_f32(p, xf, yf, &dot, &other), TULLE_E_TYPE, "f32 f64");
	REFUSED_MUL(tulle_mul_dot_f64(single, x, y, &dot, &other), TULLE_E_TYPE, "f64 f32");
	REFUSED_MUL(tulle_mul_dot_f64(wide, x, y, &dot, NULL), TULLE_E_ARGUMENT, "xy square 4 x 5");
	REFUSED_MUL(tulle_residual_f64(NULL, x, b, y, &dot), TULLE_E_ARGUMENT, "plan NULL");
	REFUSED_MUL(tulle_residual_f64(p, x, NULL, y, &dot), TULLE_E_ARGUMENT, "b NULL");
	REFUSED_MUL(tulle_residual_f64(p, x, b, NULL, &dot), TULLE_E_ARGUMENT, "r NULL");
	REFUSED_MUL(tulle_residual_f64(p, x, y + 1, y, &dot), TULLE_E_ARGUMENT, "b r overlap");
	REFUSED_MUL(tulle_residual_f64(p, x, b, x, &dot), TULLE_E_ARGUMENT, "x r overlap");
	REFUSED_MUL(tulle_residual_f32(p, xf, yf, yf, &dot), TULLE_E_TYPE, "f32 f64");
	REFUSED_MUL(tulle_step_f64(NULL, 1, x, 1, 1, b, y, &dot, &other), TULLE_E_ARGUMENT,
	            "plan NULL");
	REFUSED_MUL(tulle_step_f64(p, 1, x, 1, 2, NULL, y, &dot, &other), TULLE_E_ARGUMENT,
	            "w NULL gamma 2");
	REFUSED_MUL(tulle_step_f64(p, 1, x, 1, 1, y + 1, y, &dot, &other), TULLE_E_ARGUMENT,
	            "w z overlap");
	REFUSED_MUL(tulle_step_f64(p, 1, x, 1, 1, b, x + 1, &dot, &other), TULLE_E_ARGUMENT,
	            "x z overlap");
	REFUSED_MUL(tulle_step_f64(p, 1, (double *)((uintptr_t)b + 4), 1, 1, b, y, NULL, NULL),
	            TULLE_E_ARGUMENT, "x w z multiple 8");
	REFUSED_MUL(tulle_step_f64(wide, 1, x, 2, 0, NULL, y, NULL, &other), TULLE_E_ARGUMENT,
	            "beta x square 4 x 5");
	REFUSED_MUL(tulle_step_f64(wide, 1, x, 0, 0, NULL, y, &dot, &other), TULLE_E_ARGUMENT,
	            "xz square 4 x 5");
	REFUSED_MUL(tulle_step_f32(p, 1, xf, 1, 1, yf, yf, &dot, &other), TULLE_E_TYPE, "f32 f64");
	CHECK(dot == 7 && other == 7);
	CHECK_OK(tulle_step_f64(wide, 1, x, 0, 0, NULL, y, NULL, &other));
	CHECK_OK(tulle_step_f64(p, 1, x, 1, 1, x, y, &dot, &other)); /* w is x: both only read */
	check_group("mul_dot, residual, step");
}

/* Things next to a mistake that are none: they must work. */
static void near_misses(const tulle_plan *p)
{
	double room[12] = { 1, 1, 1, 1 }, empty[1] = { 0 };
	tulle_matrix *a = NULL;
	tulle_plan *q = NULL;
	const int32_t zero[1] = { 0 };

	CHECK_OK(tulle_mul_f64(p, 1, room, 0, room + 4)); /* neighbours */
	CHECK_OK(tulle_mul_f64(p, 1, room + 4, 0, room));
	CHECK_OK(tulle_mul_add_f64(p, 1, room, 1, room + 4, room + 4));
	CHECK_OK(tulle_mul_add_f64(p, 1, room, 1, room, room + 4)); /* b is x: both only read */
	CHECK_OK(tulle_mul_add_f64(p, 1, room, 0, NULL, room + 4));
	CHECK_OK(tulle_mul_many_f64(p, 0, TULLE_ROW_MAJOR, 1, NULL, 0, 0, NULL, 0));
	CHECK_OK(tulle_mul_f64(p, (double)NAN, room, (double)INFINITY, room + 4));

	/* Nothing to read, nothing to write: NULL arrays are fine. */
	CHECK_OK(tulle_matrix_from_csr(NULL, 0, 0, TULLE_I32, zero, TULLE_I32, NULL, TULLE_F64, NULL,
	                               NULL, &a));
	CHECK_OK(tulle_plan_create(a, NULL, &q));
	CHECK_OK(tulle_mul_f64(q, 1, NULL, 0, NULL));
	CHECK_OK(tulle_mul_f64(q, 1, empty, 0, empty));
	tulle_plan_destroy(q);
	tulle_matrix_destroy(a);
	CHECK_OK(
	    tulle_matrix_from_coo(NULL, 3, 3, 0, TULLE_I64, NULL, NULL, TULLE_F32, NULL, NULL, &a));
	tulle_matrix_destroy(a);

	tulle_plan_destroy(NULL);
	tulle_matrix_destroy(NULL);
	tulle_context_destroy(NULL);
	check_group("near misses");
}

int main(void)
{
	tulle_context_options o = { .size = sizeof o };
	tulle_matrix *a = NULL, *f = NULL, *wide = NULL;
	tulle_plan *p = NULL, *q = NULL, *r = NULL;

	CHECK_OK(tulle_context_create(&o, &misuse_shared));
	misuse_context();
	misuse_matrix();
	CHECK_OK(tulle_matrix_from_csr(misuse_shared, 4, 4, TULLE_I64, ptr64, TULLE_I64, col64,
	                               TULLE_F64, val64, NULL, &a));
	CHECK_OK(tulle_matrix_from_csr(misuse_shared, 4, 4, TULLE_I32, ptr32, TULLE_I32, col32,
	                               TULLE_F32, NULL, NULL, &f));
	misuse_plan(a);
	CHECK_OK(tulle_plan_create(a, NULL, &p));
	CHECK_OK(tulle_plan_create(f, NULL, &q));
	misuse_mul(p, q);
	CHECK_OK(tulle_matrix_from_csr(misuse_shared, 4, 5, TULLE_I64, ptr64, TULLE_I64, col64,
	                               TULLE_F64, val64, NULL, &wide));
	CHECK_OK(tulle_plan_create(wide, NULL, &r));
	misuse_steps(p, q, r);
	near_misses(p);
	tulle_plan_destroy(p);
	tulle_plan_destroy(q);
	tulle_plan_destroy(r);
	tulle_matrix_destroy(wide);
	tulle_matrix_destroy(a);
	tulle_matrix_destroy(f);
	CHECK_EQUAL(context_info(misuse_shared).blocks_held, 0);
	tulle_context_destroy(misuse_shared);
	printf("%d cases of misuse\n", cases);
	CHECK(cases >= 60);
	return check_end();
}
