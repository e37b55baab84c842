/* earlier.c -- files of every version of every file format, kept in this folder, are read with the same bits; files of a
 * version that does not exist yet are refused. README.md lists the files.
 *
 *     test_earlier                 the test
 *     test_earlier --write FOLDER  write the files of today's versions */
#include "tuned/tuned_support.h"
#include "wisdom/records.h"

#include "planner/known_machine.h"
#include "tulle_gpu.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static tulle_context *context;

static const char *kept(const char *name)
{
	static char path[600];

	snprintf(path, sizeof path, TESTS_EARLIER "/%s", name);
	return path;
}

/* A file of today in place of the kept one of that name: the same bytes. */
static void check_bytes(const char *name, const char *today)
{
	size_t was, is;
	char *const old = file_get(kept(name), &was), *const new = file_get(today, &is);

	CHECK_THAT(was == is && memcmp(old, new, was) == 0,
	           "%s: today's file of this version has other bytes", name);
	free(old);
	free(new);
}

/* The kept file with other bytes at one place. */
static const char *changed(const char *name, size_t at, const void *with, size_t size)
{
	size_t count;
	char *const file = file_get(kept(name), &count);
	const char *path = NULL;

	if (CHECK(at + size <= count)) {
		memcpy(file + at, with, size);
		path = file_put("changed", file, count);
	}
	free(file);
	return path;
}

/* ---- tuned files ---- */

typedef enum { NARROW, WIDE } columns;

typedef struct {
	const char *name;
	uint32_t version;
	tulle_value_type type;
	int ones;           /* no values are stored */
	columns columns;    /* wide ones need 64 bits */
	const char *format; /* of the plan; NULL: none */
} tuned_file;

static const tuned_file tuned[] = {
	{ "tuned-1-f32.tulle", 1, TULLE_F32, 0, NARROW, NULL },
	{ "tuned-1-f64.tulle", 1, TULLE_F64, 0, NARROW, NULL },
	{ "tuned-1-c64.tulle", 1, TULLE_C64, 0, NARROW, NULL },
	{ "tuned-1-c128.tulle", 1, TULLE_C128, 0, NARROW, NULL },
	{ "tuned-1-ones.tulle", 1, TULLE_F64, 1, NARROW, NULL },
	{ "tuned-1-wide.tulle", 1, TULLE_F64, 0, WIDE, NULL },
	{ "tuned-1-plan.tulle", 1, TULLE_F64, 0, NARROW, "sell" },
};
enum { TUNED = sizeof tuned / sizeof *tuned, ROWS = 5, ENTRIES = 9 };

static const tulle_write_options commented = { .size = sizeof commented,
	                                           .comment = "kept for the tests of later versions" };

/* An empty row, an entry twice, columns out of order; values whose bits are easily lost. */
static tulle_matrix *make(const tuned_file *f)
{
	static const int64_t ptr[ROWS + 1] = { 0, 2, 2, 5, 6, 9 };
	static const double part[2 * ENTRIES] = { 1 / 3.0, -0.0, DBL_TRUE_MIN, DBL_MAX,  -1.5, 1e-300,
		                                      1e30,    7,    -2 / 3.0,     0.1,      42,   1e10,
		                                      0,       -3,   FLT_MIN,      INFINITY, 5,    -7e-4 };
	const tulle_matrix_options copied = { .size = sizeof copied, .ownership = TULLE_COPY };
	const int64_t cols = f->columns == WIDE ? ((int64_t)1 << 31) + 9 : 6;
	const int64_t col[ENTRIES] = { 5, 0, 1, cols - 1, 1, 3, 0, 2, 4 };
	double wide[2 * ENTRIES];
	float single[2 * ENTRIES];
	tulle_matrix *m = NULL;

	for (int n = 0; n < 2 * ENTRIES; n++) {
		wide[n] = f->format && !isfinite(part[n]) ? 2 : part[n];
		single[n] = (float)part[n];
	}
	CHECK_OK(tulle_matrix_from_csr(context, ROWS, cols, TULLE_I64, ptr, TULLE_I64, col, f->type,
	                               f->ones                                        ? NULL
	                               : f->type == TULLE_F32 || f->type == TULLE_C64 ? (void *)single
	                                                                              : (void *)wide,
	                               &copied, &m));
	return m;
}

static tulle_plan *make_plan(const tuned_file *f, const tulle_matrix *m)
{
	const tulle_plan_options o = { .size = sizeof o, .format = f->format, .multiplies = 500 };
	tulle_plan *p = NULL;

	CHECK_OK(tulle_plan_create(m, &o, &p));
	return p;
}

static void write_tuned(const tuned_file *f, const tulle_matrix *m, const char *path)
{
	if (f->format) {
		tulle_plan *const p = make_plan(f, m);

		CHECK_OK(tulle_plan_save(p, path, &commented));
		tulle_plan_destroy(p);
	} else {
		CHECK_OK(tulle_matrix_write(m, path, &commented));
	}
}

static void check_plan(const tuned_file *f, const tulle_matrix *m)
{
	tulle_plan_info info = { .size = sizeof info };
	tulle_plan *const same = make_plan(f, m);
	tulle_plan *p = NULL;

	if (CHECK_OK(tulle_plan_load(context, kept(f->name), NULL, NULL, &p))) {
		CHECK_OK(tulle_plan_describe(p, &info));
		CHECK(strcmp(info.format, f->format) == 0 && info.multiplies == 500);
		CHECK_THAT(same_products(p, same), "products have other bits");
	}
	tulle_plan_destroy(p);
	tulle_plan_destroy(same);
}

static void check_tuned(const tuned_file *f)
{
	const uint32_t next = TULLE__TUNED_VERSION + 1;
	tulle_file_info info = { .size = sizeof info };
	tulle_matrix *const m = make(f);
	tulle_matrix *read = NULL;

	CHECK_OK(tulle_file_describe(kept(f->name), &info));
	CHECK(strcmp(info.comment, commented.comment) == 0 && info.has_plan == (f->format != NULL));
	if (CHECK_OK(tulle_matrix_read(context, kept(f->name), NULL, &read)))
		CHECK_THAT(same_matrix(m, read), "another matrix");
	tulle_matrix_destroy(read);
	if (f->format) { /* its file also has figures that a later planner may compute differently */
		check_plan(f, m);
	} else if (f->version == TULLE__TUNED_VERSION) {
		write_tuned(f, m, file_path("today.tulle"));
		check_bytes(f->name, file_path("today.tulle"));
	}
	CHECK_STATUS(tulle_matrix_read(
	                 context,
	                 changed(f->name, offsetof(tulle__tuned_header, version), &next, sizeof next),
	                 NULL, &read),
	             TULLE_E_UNSUPPORTED);
	CHECK_WORDS(tulle_last_error(), "changed: header: newer");
	tulle_matrix_destroy(m);
}

static int tuned_files(void)
{
	int count = 0;

	for (int n = 0; n < TUNED; n++) {
		if (!tulle__type_of(tuned[n].type)->built)
			continue;
		check_about("%s", tuned[n].name);
		check_tuned(&tuned[n]);
		count++;
	}
	check_about(" ");
	return count;
}

/* ---- the wisdom file ---- */

static const char wisdom[] = "wisdom-1";
static const uint64_t matrix_of_wisdom = 0x00c0ffee00c0ffee, machine = 0x5be0cd19137e2179;

/* In the order of the file. The last one is the machine's own, of version 2. */
static const tulle__wisdom_record records[] = {
	{ matrix_of_wisdom, machine, "csr", 1, 4, { 0, 0.00048, 0, 1.0625 } },
	{ matrix_of_wisdom, machine, "sell", 1, 4, { 0.0213, 0.00036, 0, 1.01 } },
	{ matrix_of_wisdom, machine, "csr/scatter", 1, 4, { 1e-7, 1 / 3.0, 1, 1 } },
	{ matrix_of_wisdom, machine, "search", 1, 1, { 5000 } },
	{ 0, machine, "machine", 2, 9, { 1e-11, 2e-11, 5e-11, 1e-10, 1e-9, 2e-9, 5e-9, 8e-8, 2e-6 } },
};
enum { RECORDS = sizeof records / sizeof *records };

static void write_wisdom(caller *c, const char *path)
{
	remove(path);
	tulle__wisdom_add(&c->env, path, records, RECORDS);
}

static void check_record(void *user, const tulle__wisdom_record *r)
{
	int *const next = user;

	if (CHECK(*next < RECORDS))
		CHECK_THAT(record_same(r, &records[*next]), "record %d has other bits", *next);
	++*next;
}

/* The record of a machine, as if the file was of this one. */
static void check_machine(caller *c)
{
	tulle__wisdom_record r = { .count = 0 };
	tulle__machine m;

	CHECK_EQUAL(tulle__wisdom_find(&c->env, kept(wisdom), 0, machine, &r, 1), 1);
	tulle__machine_assume(&c->env, &m);
	r.machine = tulle__machine_signature(&m);
	remove(file_path("machine"));
	tulle__wisdom_add(&c->env, file_path("machine"), &r, 1);
	tulle__know_machine(&c->env, NULL, file_path("machine"), 0, &m);
	CHECK(m.caches_timed && m.memory_timed && m.region == r.number[2 * TULLE__LEVELS]);
	CHECK(memcmp(m.read, r.number, sizeof m.read) == 0);
	CHECK(memcmp(m.gather, r.number + TULLE__LEVELS, sizeof m.gather) == 0);
}

/* A file of version 2: nothing is read from it, and nothing is written to it. */
static void check_unknown_wisdom(caller *c)
{
	const char *const path = changed(wisdom, strlen("tulle wisdom "), "2", 1);
	size_t before, after;
	tulle__wisdom_record r;
	int next = 0;

	if (!path)
		return;
	free(file_get(path, &before));
	CHECK_STATUS(tulle__wisdom_walk(&c->env, path, check_record, &next), TULLE_E_IO);
	CHECK_EQUAL(tulle__wisdom_find(&c->env, path, 0, machine, &r, 1), 0);
	tulle__wisdom_add(&c->env, path, records, 1);
	free(file_get(path, &after));
	CHECK(next == 0 && before == after);
}

static int wisdom_file(void)
{
	caller c;
	int next = 0;

	caller_begin(&c);
	check_about("%s", wisdom);
	CHECK_OK(tulle__wisdom_walk(&c.env, kept(wisdom), check_record, &next));
	CHECK_EQUAL(next, RECORDS);
	CHECK_EQUAL(c.warnings, 0);
	check_machine(&c);
	write_wisdom(&c, file_path("wisdom"));
	check_bytes(wisdom, file_path("wisdom"));
	check_unknown_wisdom(&c);
	check_about(" ");
	caller_end(&c);
	return 1;
}

/* ---- the description of a device ---- */

static int device_file(void)
{
	tulle_device_model d = { .size = sizeof d };

	check_about("device.txt");
	if (CHECK_OK(tulle_device_model_find(context, kept("device.txt"), &d))) {
		CHECK(strcmp(d.model, "Mine") == 0 && d.units == 60 && d.width == 64);
		CHECK(d.clock == 1700.5e6 && d.bandwidth == 1638.4e9 && d.l2 == 8192 * 1024.0);
		CHECK(d.memory == 65536 * 1048576.0 && d.registers == 131072 && d.warps == 32);
		CHECK(d.shared == 64 * 1024.0 && d.issue == 1 && d.f32 == 128 && d.f64 == 64);
	}
	check_about(" ");
	return 1;
}

static void write_all(const char *folder)
{
	char path[600];
	caller c;

	for (int n = 0; n < TUNED; n++)
		if (tuned[n].version == TULLE__TUNED_VERSION) {
			tulle_matrix *const m = make(&tuned[n]);

			snprintf(path, sizeof path, "%s/%s", folder, tuned[n].name);
			write_tuned(&tuned[n], m, path);
			tulle_matrix_destroy(m);
		}
	caller_begin(&c);
	snprintf(path, sizeof path, "%s/%s", folder, wisdom);
	write_wisdom(&c, path);
	caller_end(&c);
}

int main(int argc, char **argv)
{
	context = context_for("scalar", 1, 0);
	if (argc == 3 && strcmp(argv[1], "--write") == 0)
		write_all(argv[2]);
	else
		check_group("%d files of earlier and of today's versions",
		            tuned_files() + wisdom_file() + device_file());
	CHECK_EQUAL(context_info(context).blocks_held, 0);
	tulle_context_destroy(context);
	return check_end();
}
