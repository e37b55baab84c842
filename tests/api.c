/* api.c -- the small promises of tulle.h: names, versions of structures, counted handles, contexts,
 * descriptions, and each status code from at least one call. */
#include "inner.h"

#include <omp.h>
#include <pthread.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static const int32_t ptr[] = { 0, 2, 3, 5 };
static const int32_t col[] = { 0, 2, 1, 0, 1 };
static const double val[] = { 1, 2, 3, 4, 5 };
static const double x[] = { 1, 10, 100 };
static const double product[] = { 201, 30, 54 };

static tulle_matrix *small(tulle_context *context)
{
	tulle_matrix *a = NULL;

	CHECK_OK(tulle_matrix_from_csr(context, 3, 3, TULLE_I32, ptr, TULLE_I32, col, TULLE_F64, val,
	                               NULL, &a));
	return a;
}

/* ---- names ---- */

static const struct {
	tulle_status status;
	const char *name;
} codes[] = {
	{ TULLE_OK, "TULLE_OK" },
	{ TULLE_E_ARGUMENT, "TULLE_E_ARGUMENT" },
	{ TULLE_E_MATRIX, "TULLE_E_MATRIX" },
	{ TULLE_E_TYPE, "TULLE_E_TYPE" },
	{ TULLE_E_MEMORY, "TULLE_E_MEMORY" },
	{ TULLE_E_LIMIT, "TULLE_E_LIMIT" },
	{ TULLE_E_UNSUPPORTED, "TULLE_E_UNSUPPORTED" },
	{ TULLE_E_IO, "TULLE_E_IO" },
	{ TULLE_E_DEVICE, "TULLE_E_DEVICE" },
	{ TULLE_E_INTERNAL, "TULLE_E_INTERNAL" },
};

static void check_names(void)
{
	static const int pinned[] = { 0, -1, -2, -3, -4, -5, -6, -7, -8, -99 };
	int known = 0;

	CHECK_EQUAL(tulle_version(), TULLE_VERSION);
	for (size_t n = 0; n < sizeof codes / sizeof *codes; n++) {
		CHECK_EQUAL(codes[n].status, pinned[n]);
		CHECK_THAT(strcmp(tulle_status_name(codes[n].status), codes[n].name) == 0, "%s",
		           codes[n].name);
	}
	/* A code that is added later must be added above, and so to the test of all codes. */
	for (int code = -200; code <= 0; code++)
		known += strncmp(tulle_status_name((tulle_status)code), "TULLE_", 6) == 0;
	CHECK_EQUAL(known, sizeof codes / sizeof *codes);
	CHECK(tulle_status_name((tulle_status)12345) != NULL);
	check_group("version and status names");
}

/* ---- the sentence belongs to the thread ---- */

static void *other_thread(void *arg)
{
	CHECK_THAT(*tulle_last_error() == 0, "a new thread begins with \"%s\"", tulle_last_error());
	CHECK_STATUS(tulle_plan_create(NULL, NULL, arg), TULLE_E_ARGUMENT);
	CHECK_WORDS(tulle_last_error(), "matrix");
	return NULL;
}

static void check_sentence(void)
{
	tulle_plan *plan = NULL;
	tulle_context *context = NULL;
	pthread_t thread;
	char before[256];

	CHECK_THAT(*tulle_last_error() == 0, "before the first failure: \"%s\"", tulle_last_error());
	CHECK_STATUS(
	    tulle_context_create(
	        &(tulle_context_options){ .size = sizeof(tulle_context_options), .isa = "z80" },
	        &context),
	    TULLE_E_ARGUMENT);
	snprintf(before, sizeof before, "%s", tulle_last_error());
	CHECK_WORDS(before, "z80");
	CHECK_EQUAL(pthread_create(&thread, NULL, other_thread, &plan), 0);
	pthread_join(thread, NULL);
	CHECK(strcmp(before, tulle_last_error()) == 0);
	check_group("last error");
}

/* ---- every status, from somewhere ---- */

static void *no_alloc(void *user, size_t bytes, size_t align)
{
	(void)user;
	(void)bytes;
	(void)align;
	return NULL;
}

static void no_free(void *user, void *block, size_t bytes)
{
	(void)user;
	(void)block;
	(void)bytes;
}

/* A format's own check of data that no longer fits together: what TULLE_E_INTERNAL is for. */
static tulle_status internal(void)
{
	int32_t offsets[] = { 0, 2, 3, 5 };
	const tulle__csr a = { 3, 3, 5, TULLE_I32, TULLE_I32, TULLE_F64, offsets, col, val };
	tulle_status status = TULLE_OK;
	inner in;

	if (inner_convert(&in, "csr", TULLE__SCALAR, &a)) {
		offsets[3] = 4;
		status = in.format->check(in.data, &in.env);
		inner_release(&in);
	}
	return status;
}

static void check_codes(void)
{
	static const int32_t outside[] = { 0, 2, 1, 0, 3 };
	tulle_context_options o = { .size = sizeof o, .memory_limit = 100 };
	tulle_context *context = NULL;
	tulle_matrix *a = small(NULL), *b = NULL;
	tulle_plan *plan = plan_for(a, NULL, TULLE_NORMAL), *none = NULL;
	float xf[3] = { 0 }, yf[3];

	CHECK_STATUS(tulle_plan_create(NULL, NULL, &none), TULLE_E_ARGUMENT);
	CHECK_STATUS(tulle_matrix_from_csr(NULL, 3, 3, TULLE_I32, ptr, TULLE_I32, outside, TULLE_F64,
	                                   val, NULL, &b),
	             TULLE_E_MATRIX);
	CHECK_STATUS(tulle_mul_f32(plan, 1, xf, 0, yf), TULLE_E_TYPE);
	CHECK_OK(tulle_context_create(&o, &context));
	CHECK_STATUS(
	    tulle_matrix_from_coo(context, 3, 3, 5, TULLE_I32, col, col, TULLE_F64, val, NULL, &b),
	    TULLE_E_LIMIT);
	tulle_context_destroy(context);
	o = (tulle_context_options){ .size = sizeof o, .alloc = no_alloc, .free = no_free };
	CHECK_STATUS(tulle_context_create(&o, &context), TULLE_E_MEMORY);
	CHECK_STATUS(tulle_plan_create(a,
	                               &(tulle_plan_options){ .size = sizeof(tulle_plan_options),
	                                                      .format = "csr",
	                                                      .reproducible = 2 },
	                               &none),
	             TULLE_E_UNSUPPORTED);
	CHECK_STATUS(tulle_matrix_read(NULL, "no/such/file.mtx", NULL, &b), TULLE_E_IO);
	CHECK_WORDS(tulle_last_error(), "no/such/file.mtx");
	CHECK_STATUS(internal(), TULLE_E_INTERNAL);
	tulle_plan_destroy(plan);
	tulle_matrix_destroy(a);
	check_group("every status code");
}

/* ---- structures of other versions ---- */

static void check_sizes(void)
{
	struct {
		tulle_context_info known;
		unsigned char later[64];
	} newer;
	struct {
		tulle_context_options known;
		unsigned char later[64];
	} wanted;
	tulle_context *context = NULL;
	tulle_context_info older;

	memset(&older, 0x77, sizeof older);
	older.size = offsetof(tulle_context_info, isa);
	CHECK_OK(tulle_context_describe(NULL, &older));
	CHECK(older.threads > 0 && older.threads < 100000);
	CHECK_EQUAL(older.bytes_held, 0x7777777777777777);
	CHECK_EQUAL(older.size, offsetof(tulle_context_info, isa));

	memset(&newer, 0x77, sizeof newer);
	newer.known.size = sizeof newer;
	CHECK_OK(tulle_context_describe(NULL, &newer.known));
	CHECK_EQUAL(newer.later[0], 0);
	CHECK_EQUAL(newer.later[63], 0);

	memset(&wanted, 0, sizeof wanted);
	wanted.known.size = sizeof wanted;
	CHECK_OK(tulle_context_create(&wanted.known, &context));
	tulle_context_destroy(context);
	wanted.later[8] = 1; /* an option that we cannot know */
	CHECK_STATUS(tulle_context_create(&wanted.known, &context), TULLE_E_UNSUPPORTED);
	wanted.known.size = offsetof(tulle_context_options, isa); /* a program of an older header */
	wanted.known.threads = 3;
	wanted.known.isa = "never read";
	if (CHECK_OK(tulle_context_create(&wanted.known, &context)))
		CHECK_EQUAL(context_info(context).threads, 3);
	tulle_context_destroy(context);
	check_group("structures of older and newer headers");
}

/* ---- contexts ---- */

static void check_isa(const char *isa)
{
	tulle_context *context = context_for(isa, 5, 0);

	CHECK(strcmp(context_info(context).isa, isa) == 0);
	CHECK_EQUAL(context_info(context).threads, 5);
	tulle_context_destroy(context);
	setenv("TULLE_ISA", isa, 1);
	context = context_for(NULL, 0, 0);
	CHECK(strcmp(context_info(context).isa, isa) == 0);
	tulle_context_destroy(context);
	context = context_for("scalar", 0, 0); /* the option is stronger than the environment */
	CHECK(strcmp(context_info(context).isa, "scalar") == 0);
	tulle_context_destroy(context);
	unsetenv("TULLE_ISA");
}

/* In a process of its own: the default context reads the environment once. */
static void check_environment(const char *value, tulle_status want)
{
	tulle_context_info info = { .size = sizeof info };
	const pid_t pid = fork();
	int status = -1;

	if (pid == 0) {
		setenv("TULLE_ISA", value, 1);
		_exit(tulle_context_describe(NULL, &info) == want &&
		              (want == TULLE_OK ? strcmp(info.isa, value) == 0
		                                : strstr(tulle_last_error(), "TULLE_ISA") != NULL)
		          ? 0
		          : 1);
	}
	waitpid(pid, &status, 0);
	CHECK_THAT(status == 0, "TULLE_ISA=%s for the default context", value);
}

static void check_contexts(void)
{
	tulle_context *context = NULL;

	for (int i = 0; i < ISAS; i++)
		if (isa_available(isas[i]))
			check_isa(isas[i]);
	setenv("TULLE_ISA", "z80", 1);
	CHECK_STATUS(tulle_context_create(NULL, &context), TULLE_E_ARGUMENT);
	CHECK_WORDS(tulle_last_error(), "TULLE_ISA z80");
	unsetenv("TULLE_ISA");
	if (CHECK_OK(tulle_context_create(NULL, &context))) {
		CHECK_EQUAL(context_info(context).threads, omp_get_max_threads());
		CHECK_EQUAL(context_info(context).blocks_held, 0);
		CHECK_EQUAL(context_info(context).bytes_held, 0);
	}
	tulle_context_destroy(context);
	check_group("contexts");
}

/* ---- handles: destroyed in any order, the plan goes on working ---- */

static void check_order(int first)
{
	tulle_context *context = context_for(NULL, 1, 0);
	tulle_matrix *a = small(context);
	tulle_plan *plan = plan_for(a, NULL, TULLE_NORMAL), *again;
	double y[3] = { 0 };
	size_t held;

	if (first == 0) {
		tulle_context_destroy(context);
		tulle_matrix_destroy(a);
		CHECK_OK(tulle_mul_f64(plan, 1, x, 0, y));
		CHECK(memcmp(y, product, sizeof y) == 0);
		tulle_plan_destroy(plan);
		return;
	}
	held = context_info(context).blocks_held;
	tulle_matrix_destroy(a);
	CHECK_EQUAL(context_info(context).blocks_held, held); /* the plan still holds it */
	CHECK_OK(tulle_mul_f64(plan, 1, x, 0, y));
	CHECK(memcmp(y, product, sizeof y) == 0);
	tulle_plan_destroy(plan);
	CHECK_EQUAL(context_info(context).blocks_held, 0);
	a = small(context);
	plan = plan_for(a, NULL, TULLE_NORMAL);
	again = plan_for(a, NULL, TULLE_TRANSPOSED);
	tulle_plan_destroy(plan);
	CHECK_OK(tulle_mul_f64(again, 1, x, 0, y));
	tulle_context_destroy(context);
	tulle_plan_destroy(again);
	tulle_matrix_destroy(a);
}

/* ---- plans in words and figures ---- */

/* All of the text or as much as there is room for, always with its end; nothing beyond it. */
static void check_explanation(const tulle_plan *plan)
{
	char text[8192], part[8192];
	const size_t length = tulle_plan_explain(plan, text, sizeof text);

	CHECK(length > 40 && length < sizeof text && strlen(text) == length);
	CHECK_EQUAL(tulle_plan_explain(plan, NULL, 0), length);
	for (size_t size = 1; size <= length + 2; size++) {
		memset(part, 'z', sizeof part);
		CHECK_EQUAL(tulle_plan_explain(plan, part, size), length);
		CHECK_EQUAL(strlen(part), size <= length ? size - 1 : length);
		CHECK(memcmp(part, text, strlen(part)) == 0);
		CHECK_EQUAL(part[size <= length ? size : length + 1], 'z');
	}
}

static void check_plan(void)
{
	tulle_matrix *a = small(NULL);
	tulle_plan *plan = plan_for(a, "csr", TULLE_NORMAL);
	tulle_plan_info info = { .size = sizeof info };
	char text[2048];

	CHECK_OK(tulle_plan_describe(plan, &info));
	CHECK(strcmp(info.format, "csr") == 0);
	CHECK(info.kernel && *info.kernel);
	CHECK(info.note && *info.note == 0);
	CHECK_EQUAL(info.borrows_values, 1);
	CHECK_EQUAL(info.bytes, sizeof ptr + sizeof col + sizeof val);
	CHECK_EQUAL(info.parts, 1);
	CHECK(info.seconds >= 0 && info.seconds < 60);
	check_explanation(plan);
	tulle_plan_explain(plan, text, sizeof text);
	CHECK_WORDS(text, "csr 3 5 nonzeros");
	CHECK(!strstr(text, "\n\n"));

	/* Values after an update: the caller's array goes on being read, as promised. */
	double mine[5] = { 0 }, y[3];

	CHECK_OK(tulle_plan_update(plan, mine));
	mine[2] = 7;
	CHECK_OK(tulle_mul_f64(plan, 1, x, 0, y));
	CHECK(y[0] == 0 && y[1] == 70 && y[2] == 0);
	CHECK_OK(tulle_plan_update(plan, NULL));
	CHECK_OK(tulle_mul_f64(plan, 1, x, 0, y));
	CHECK(y[0] == 101 && y[1] == 10 && y[2] == 11);
	tulle_plan_destroy(plan);

	/* No format named: the library chooses, whatever the number of multiplications. */
	for (int multiplies = 0; multiplies < 10000000; multiplies = 10 * multiplies + 1) {
		CHECK_OK(tulle_plan_create(a,
		                           &(tulle_plan_options){ .size = sizeof(tulle_plan_options),
		                                                  .multiplies = multiplies,
		                                                  .reproducible = 1 },
		                           &plan));
		CHECK_OK(tulle_mul_f64(plan, 1, x, 0, y));
		CHECK(memcmp(y, product, sizeof y) == 0);
		if (multiplies == 1111) {
			check_explanation(plan);
			tulle_plan_explain(plan, text, sizeof text);
			CHECK(strstr(text, "\n\n") && strstr(text, "1111"));
		}
		tulle_plan_destroy(plan);
	}
	tulle_matrix_destroy(a);
	check_group("plan: describe, explain, update");
}

/* ---- log ---- */

static void keep_line(void *user, tulle_log_level level, const char *line)
{
	CHECK(level == TULLE_LOG_INFO || level == TULLE_LOG_DEBUG);
	CHECK_THAT(!strchr(line, '\n'), "a line of the log ends by itself");
	snprintf(user, 200, "%s", line);
}

static void check_log(void)
{
	char line[200] = "";
	tulle_context *c = NULL;
	tulle_plan *p = NULL;

	CHECK_OK(tulle_context_create(&(tulle_context_options){ .size = sizeof(tulle_context_options),
	                                                        .log = keep_line,
	                                                        .user = line },
	                              &c));
	tulle_matrix *a = small(c);
	CHECK_WORDS(line, "");
	CHECK_OK(tulle_plan_create(a, NULL, &p));
	CHECK_WORDS(line, "plan: 5 nonzeros");
	tulle_plan_destroy(p);
	tulle_matrix_destroy(a);
	tulle_context_destroy(c);
	check_group("log");
}

int main(void)
{
	check_environment("scalar", TULLE_OK); /* before anybody has used the default context */
	check_environment("z80", TULLE_E_ARGUMENT);
	check_sentence();
	check_names();
	check_codes();
	check_sizes();
	check_contexts();
	check_order(0);
	check_order(1);
	check_group("handles in any order");
	check_plan();
	check_log();
	return check_end();
}
