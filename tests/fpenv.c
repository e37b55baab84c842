/* fpenv.c -- the library leaves the floating-point environment alone, when it is loaded and in every
 * call, and works in whatever environment it finds.
 *
 * Loads the shared library itself: linking with -ffast-math would put code into it that turns
 * denormals off in the whole process, at dlopen. */
#include "check.h"
#include "isas.h"

#include <dlfcn.h>
#include <fenv.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* ---- control words: rounding, masks, flush-to-zero; not the sticky flags ---- */

typedef struct {
	unsigned vectors, x87;
} control;

#if defined(__x86_64__)
static control read_control(void)
{
	unsigned sse;
	unsigned short x87;

	__asm__ volatile("stmxcsr %0" : "=m"(sse));
	__asm__ volatile("fnstcw %0" : "=m"(x87));
	return (control){ sse & 0xffc0u, x87 };
}

static void set_flush_to_zero(int on)
{
	unsigned sse;

	__asm__ volatile("stmxcsr %0" : "=m"(sse));
	sse = on ? sse | 0x8040u : sse & ~0x8040u;
	__asm__ volatile("ldmxcsr %0" : : "m"(sse));
}
#elif defined(__aarch64__)
static control read_control(void)
{
	uint64_t fpcr;

	__asm__ volatile("mrs %0, fpcr" : "=r"(fpcr));
	return (control){ (unsigned)fpcr, 0 };
}

static void set_flush_to_zero(int on)
{
	const uint64_t flush = 1u << 24, fpcr = read_control().vectors;

	__asm__ volatile("msr fpcr, %0" : : "r"(on ? fpcr | flush : fpcr & ~flush));
}
#else
static control read_control(void)
{
	return (control){ (unsigned)fegetround(), 0 };
}

static void set_flush_to_zero(int on)
{
	(void)on;
}
#endif

static control before;

static void check_control(const char *call)
{
	const control after = read_control();

	CHECK_THAT(after.vectors == before.vectors && after.x87 == before.x87,
	           "%s: control words %#x %#x, before %#x %#x", call, after.vectors, after.x87,
	           before.vectors, before.x87);
}

/* ---- the calls, from the library that was opened ---- */

static void *library;

/* A name of the library as a function pointer of the type declared in tulle.h. */
#define FUNCTION(name)                                               \
	__typeof__(&(name)) name##_ = NULL;                              \
	void *name##_found = dlsym(library, #name);                      \
	CHECK_THAT(name##_found != NULL, "no " #name " in the library"); \
	memcpy(&name##_, &name##_found, sizeof name##_)

/* Call, demand success, compare control words. */
#define CALL(name, ...)                                               \
	do {                                                              \
		FUNCTION(name);                                               \
		if (name##_) {                                                \
			const tulle_status status = name##_(__VA_ARGS__);         \
			CHECK_THAT(status == TULLE_OK, #name " gave %d", status); \
			check_control(#name);                                     \
		}                                                             \
	} while (0)

#define CALL_VOID(name, ...)      \
	do {                          \
		FUNCTION(name);           \
		if (name##_) {            \
			name##_(__VA_ARGS__); \
			check_control(#name); \
		}                         \
	} while (0)

enum { N = 40 };

static double x[N], y[N * 2];
static float xf[N], yf[N * 2];
static int32_t ptr[N + 1], col[N];

static void call_all(const char *isa, int threads)
{
	tulle_context *context = NULL;
	tulle_matrix *a = NULL, *f = NULL, *c = NULL, *t = NULL, *back = NULL;
	tulle_plan *p = NULL, *q = NULL, *r = NULL;
	tulle_plan_info info = { .size = sizeof info };
	const tulle_context_options o = {
		.size = sizeof o, .isa = isa, .threads = threads, .serial_below = -1
	};
	const tulle_plan_options transposed = { .size = sizeof transposed, .op = TULLE_TRANSPOSED };
	char text[256];
	double dot = 0;

	CALL(tulle_context_create, &o, &context);
	CALL(tulle_matrix_from_csr, context, N, N, TULLE_I32, ptr, TULLE_I32, col, TULLE_F64, x, NULL,
	     &a);
	CALL(tulle_matrix_from_csr, context, N, N, TULLE_I32, ptr, TULLE_I32, col, TULLE_F32, xf, NULL,
	     &f);
	CALL(tulle_matrix_from_csc, context, N, N, TULLE_I32, ptr, TULLE_I32, col, TULLE_F64, x, NULL,
	     &c);
	CALL(tulle_matrix_from_coo, context, N, N, N, TULLE_I32, col, col, TULLE_F64, x, NULL, &t);
	CALL(tulle_plan_create, a, NULL, &p);
	CALL(tulle_plan_create, f, NULL, &q);
	CALL(tulle_plan_create, a, &transposed, &r);
	CALL(tulle_mul_f64, p, 2, x, 0, y);
	CALL(tulle_mul_f64, r, 2, x, 0, y);
	CALL(tulle_mul_f32, q, 2, xf, 0, yf);
	CALL(tulle_mul_add_f64, p, 2, x, 1, y + N, y);
	CALL(tulle_mul_add_f32, q, 2, xf, 1, yf + N, yf);
	CALL(tulle_mul_many_f64, p, 1, TULLE_ROW_MAJOR, 1, x, 1, 1, y, 1);
	CALL(tulle_mul_many_f32, q, 1, TULLE_COLUMN_MAJOR, 1, xf, N, 1, yf, N);
	CALL(tulle_mul_dot_f64, p, x, y, &dot, NULL);
	CALL(tulle_mul_dot_f32, q, xf, yf, &dot, NULL);
	CALL(tulle_residual_f64, p, x, y + N, y, &dot);
	CALL(tulle_residual_f32, q, xf, yf + N, yf, &dot);
	CALL(tulle_step_f64, p, 1, x, 2, 1, y + N, y, NULL, &dot);
	CALL(tulle_step_f32, q, 1, xf, 2, 1, yf + N, yf, NULL, &dot);
	CALL(tulle_plan_update, p, x);
	CALL(tulle_plan_describe, p, &info);
	CALL(tulle_matrix_from_plan, r, &back);
	CALL_VOID(tulle_plan_explain, p, text, sizeof text);
	CALL_VOID(tulle_plan_destroy, p);
	CALL_VOID(tulle_plan_destroy, q);
	CALL_VOID(tulle_plan_destroy, r);
	CALL_VOID(tulle_matrix_destroy, a);
	CALL_VOID(tulle_matrix_destroy, f);
	CALL_VOID(tulle_matrix_destroy, c);
	CALL_VOID(tulle_matrix_destroy, t);
	CALL_VOID(tulle_matrix_destroy, back);
	CALL_VOID(tulle_context_destroy, context);
}

/* Values whose products need rounding and, some of them, fall below the smallest normal number. */
static void make_matrix(void)
{
	for (int i = 0; i < N; i++) {
		ptr[i + 1] = i + 1;
		col[i] = (i * 7) % N;
		x[i] = i % 3 ? 1.0 / (i + 3) : 0x1p-1060;
		xf[i] = i % 3 ? 1.0f / (float)(i + 3) : 0x1p-140f;
	}
}

static int isa_here(const char *isa)
{
	tulle_context *context = NULL;
	const tulle_context_options o = { .size = sizeof o, .isa = isa };
	tulle_status status = TULLE_E_INTERNAL;

	FUNCTION(tulle_context_create);
	FUNCTION(tulle_context_destroy);
	if (tulle_context_create_ && tulle_context_destroy_) {
		status = tulle_context_create_(&o, &context);
		tulle_context_destroy_(context);
	}
	return status == TULLE_OK;
}

#define NAME(name, NAME, bytes, fused, LOWER, PRICES) #name,

int main(void)
{
	static const char *const isas[] = { TULLE__EVERY_ISA(NAME) };
	static const int modes[] = { FE_TONEAREST, FE_DOWNWARD, FE_UPWARD, FE_TOWARDZERO };

	make_matrix();
	before = read_control();
	library = dlopen(TULLE_LIBRARY, RTLD_NOW | RTLD_LOCAL);
	if (!CHECK_THAT(library, "%s", dlerror()))
		return check_end();
	check_control("dlopen");
	for (size_t i = 0; i < sizeof isas / sizeof *isas; i++) {
		if (!isa_here(isas[i]))
			continue;
		for (int mode = 0; mode < 8; mode++) {
			fesetround(modes[mode % 4]);
			set_flush_to_zero(mode / 4);
			before = read_control();
			check_about("%s, rounding mode %d, flush to zero %d", isas[i], mode % 4, mode / 4);
			call_all(isas[i], 1);
			call_all(isas[i], 2);
		}
		fesetround(FE_TONEAREST);
		set_flush_to_zero(0);
		check_group("%s: four rounding modes, with and without flush to zero", isas[i]);
	}
	before = read_control();
	dlclose(library); /* must not take the code from under the team's threads */
	nanosleep(&(struct timespec){ .tv_nsec = 50000000 }, NULL);
	check_control("dlclose");
	return check_end();
}
