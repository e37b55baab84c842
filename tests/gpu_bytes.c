/* gpu_bytes.c -- sell takes as many bytes per nonzero on a GPU as on the CPU, at most 5 % more; and estimates know it.
 *
 * Both layouts have chunks of 32 rows, and all rows in them. By default the CPU keeps rows of more than 512 nonzeros
 * apart, where their columns may need less; matrices on which that makes a difference are printed. Generated matrices with values of every class, and those of $TULLE_MATRICES. */
#include "core/format.h"
#include "csr/value_codes.h"
#include "formats/sell/sell_gpu.h"
#include "inner.h"
#include "kit.h"

#include <dirent.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double MOST = 1.05;
enum { SOME = 256 }; /* bytes of an almost empty matrix, for a table of values among others */

static struct {
	int64_t matrices;
	double worst;
	char name[96];
} seen;

/* ---- one matrix ---- */

static double on_cpu(const tulle__csr *a, const char *spec)
{
	tulle__layout layout = { .bytes = 0 };
	inner in;

	if (inner_convert(&in, spec, TULLE__SCALAR, a)) {
		in.format->describe(in.data, &layout);
		inner_release(&in);
	}
	return (double)layout.bytes;
}

static double on_gpu(const tulle__csr *a, tulle__env *env)
{
	const sell_shape shape = { .height = 32, .sigma = SELL_GPU_SIGMA, .ordered = 1 };
	sell_gpu_counts counts;
	double bytes;
	sell_data *d;

	if (!CHECK_OK(tulle__sell_plan(a, &shape, env, &d)))
		return 0;
	counts = tulle__sell_gpu_count(d);
	bytes = tulle__sell_gpu_bytes(d, &counts, tulle__index_size(tulle__index_type_for(a->nnz)));
	tulle__sell_release(d, env);
	return bytes;
}

static double estimated(const tulle__csr *a, tulle__env *env)
{
	tulle__gpu_estimates all = { .count = 0 };
	tulle_device_model device;
	tulle__gpu_subject s;

	tulle__gpu_preset(0, &device);
	CHECK_EQUAL(device.width, 32);
	CHECK_OK(tulle__gpu_subject_make(env, a, &device, 0, &s));
	CHECK_OK(tulle__sell_gpu_estimate(&s, &all));
	return all.count == 1 ? all.of[0].held : -1;
}

static void check_bytes(const char *name, const tulle__csr *a)
{
	tulle__env env;
	double cpu, gpu;

	inner_env(&env, TULLE__SCALAR);
	check_about("%s", name);
	cpu = on_cpu(a, "sell:height=32,longest=2147483647");
	gpu = on_gpu(a, &env);
	if (gpu > MOST * on_cpu(a, "sell:height=32") + SOME)
		printf("%s: %.2f times the bytes of the CPU's layout with long rows apart\n", name,
		       gpu / on_cpu(a, "sell:height=32"));
	CHECK_THAT(gpu <= MOST * cpu + SOME, "%.0f bytes on a GPU, %.0f on the CPU", gpu, cpu);
	CHECK_THAT(estimated(a, &env) == gpu, "estimated %.0f bytes, not %.0f", estimated(a, &env),
	           gpu);
	seen.matrices++;
	if (gpu - SOME > seen.worst * cpu) {
		seen.worst = (gpu - SOME) / cpu;
		snprintf(seen.name, sizeof seen.name, "%s", name);
	}
}

/* ---- generated ---- */

typedef enum { OWN, FLOATS, TABLE, ONES, VALUES } values;
static const char *const value_names[] = { "own", "floats", "table", "ones" };

static double value_of(values kind, uint64_t *state)
{
	const double any = random_unit(state);

	return kind == FLOATS ? (double)(float)any : kind == TABLE ? floor(8 * any) : any;
}

static void check_generated(const char *spec)
{
	tulle_csr_view view;
	uint64_t state = 3;
	char name[96];
	kit_matrix m;
	tulle__csr a;

	check_about("%s", spec);
	if (!CHECK_THAT(kit_generate(spec, &m) == 0, "%s", kit_error()))
		return;
	view = kit_view(&m);
	a = inner_view(&view);
	check_bytes(spec, &a); /* with the values of the generator: constant stencils among them */
	for (int kind = 0; kind < VALUES; kind++) {
		for (int64_t k = 0; k < m.nnz; k++)
			m.val[k] = value_of((values)kind, &state);
		if (kind == ONES)
			a.val = NULL;
		snprintf(name, sizeof name, "%s, %s", spec, value_names[kind]);
		check_bytes(name, &a);
	}
	kit_free(&m);
	check_group("%s", spec);
}

/* ---- real ---- */

static void check_file(const char *folder, const char *file)
{
	enum { MOST_ENTRIES = 2000000 };
	tulle_csr_view view = { .size = sizeof view };
	tulle_file_info info = { .size = sizeof info };
	tulle_matrix *m = NULL;
	tulle__csr a;
	char path[1024];

	snprintf(path, sizeof path, "%s/%s", folder, file);
	if (tulle_file_describe(path, &info) != TULLE_OK || info.entries > MOST_ENTRIES ||
	    tulle_matrix_read(NULL, path, NULL, &m) != TULLE_OK)
		return;
	CHECK_OK(tulle_matrix_view_csr(m, &view));
	a = inner_view(&view);
	check_bytes(file, &a);
	tulle_matrix_destroy(m);
}

static void check_folder(const char *folder)
{
	DIR *d = opendir(folder);
	const struct dirent *e;

	CHECK_THAT(d, "TULLE_MATRICES = %s cannot be opened", folder);
	while (d && (e = readdir(d)))
		if (strstr(e->d_name, ".mtx"))
			check_file(folder, e->d_name);
	if (d)
		closedir(d);
	check_group("TULLE_MATRICES");
}

int main(void)
{
	static const char *const specs[] = { "stencil5:n=140,values=constant",
		                                 "stencil27:n=16",
		                                 "fem:n=8",
		                                 "fem:n=16,b=1,order=shuffled",
		                                 "qcd:l=4,t=4",
		                                 "banded:rows=6000,width=12,fill=0.6",
		                                 "random:rows=16000,cols=16000,mean=6",
		                                 "random:rows=9000,cols=300000,mean=7",
		                                 "rmat:scale=13",
		                                 "rmat:scale=17",
		                                 "lp:rows=40,cols=20000,mean=2500",
		                                 "circuit:rows=16000",
		                                 "circuit:rows=200000",
		                                 "empty:rows=100000,cols=20000" };
	const char *folder = getenv("TULLE_MATRICES");

	for (size_t n = 0; n < sizeof specs / sizeof *specs; n++)
		check_generated(specs[n]);
	if (folder && *folder)
		check_folder(folder);
	printf("%" PRId64 " layouts; the largest is %.3f of that of the CPU: %s\n", seen.matrices,
	       seen.worst, seen.name);
	return check_end();
}
