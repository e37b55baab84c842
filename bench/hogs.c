/* hogs.c -- tulle-hogs: the speed of two threads next to one busy process per CPU.
 *
 * Three ways to do one product, in turn and in the same run: one thread; tulle's team of two; two OpenMP
 * threads that sleep while they wait, each with half of the rows. All by the kernels of csr. Medians with
 * hogs decide: the team may take at most MOST times as long as the better of the others. */
#include "kit.h"
#include "timing.h"

#include <errno.h>
#include <omp.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

static const double MOST = 1.25;

enum { SERIAL, TEAM, PASSIVE, WAYS };
enum { HALVES = 2, MOST_HOGS = 1024, ROUNDS = 401 };

static const char *const specs[] = { "stencil5:n=110", "stencil5:n=200", "stencil27:n=40" };

typedef struct {
	kit_matrix m;
	tulle_context *context[HALVES]; /* of one thread, of two */
	tulle_plan *plan[HALVES];       /* of all rows, with one thread and with two */
	tulle_plan *half[HALVES];
	int64_t middle; /* the first row of the second half */
	double *x, *y;
} problem;

_Noreturn static void fail(const char *what)
{
	fprintf(stderr, "tulle-hogs: %s\n", what);
	exit(2);
}

static void must(tulle_status s)
{
	if (s != TULLE_OK)
		fail(tulle_last_error());
}

static void *grab(size_t bytes)
{
	void *block = malloc(bytes);

	if (!block)
		fail("out of memory");
	return block;
}

/* ---- products ---- */

static tulle_plan *plan_rows(tulle_context *context, const kit_matrix *m, int64_t begin,
                             int64_t end)
{
	const tulle_plan_options csr = { .size = sizeof csr, .format = "csr" };
	const tulle_matrix_options copy = { .size = sizeof copy, .ownership = TULLE_COPY };
	const int64_t first = m->row_ptr[begin];
	int64_t *row_ptr = grab((size_t)(end - begin + 1) * sizeof *row_ptr);
	tulle_matrix *a;
	tulle_plan *plan;

	for (int64_t i = begin; i <= end; i++)
		row_ptr[i - begin] = m->row_ptr[i] - first;
	must(tulle_matrix_from_csr(context, end - begin, m->cols, TULLE_I64, row_ptr, TULLE_I32,
	                           m->col + first, TULLE_F64, m->val + first, &copy, &a));
	must(tulle_plan_create(a, &csr, &plan));
	tulle_matrix_destroy(a);
	free(row_ptr);
	return plan;
}

static void problem_make(problem *p, const char *spec)
{
	memset(p, 0, sizeof *p);
	if (kit_generate(spec, &p->m))
		fail(kit_error());
	p->middle = p->m.rows / 2;
	p->x = grab((size_t)p->m.cols * sizeof *p->x);
	p->y = grab((size_t)p->m.rows * sizeof *p->y);
	kit_random_fill(KIT_UNIFORM, 1, TULLE_F64, p->m.cols, p->x);
	for (int n = 0; n < HALVES; n++) {
		const tulle_context_options o = { .size = sizeof o, .threads = n + 1 };

		must(tulle_context_create(&o, &p->context[n]));
		p->plan[n] = plan_rows(p->context[n], &p->m, 0, p->m.rows);
		p->half[n] = plan_rows(p->context[0], &p->m, n ? p->middle : 0, n ? p->m.rows : p->middle);
	}
}

static void problem_free(problem *p)
{
	for (int n = 0; n < HALVES; n++) {
		tulle_plan_destroy(p->plan[n]);
		tulle_plan_destroy(p->half[n]);
		tulle_context_destroy(p->context[n]);
	}
	free(p->x);
	free(p->y);
	kit_free(&p->m);
}

static void multiply(const problem *p, int way)
{
	if (way != PASSIVE) {
		must(tulle_mul_f64(p->plan[way == TEAM], 1, p->x, 0, p->y));
		return;
	}
#pragma omp parallel num_threads(HALVES)
	{
		const int n = omp_get_thread_num();

		must(tulle_mul_f64(p->half[n], 1, p->x, 0, p->y + (n ? p->middle : 0)));
	}
}

static int by_size(const void *a, const void *b)
{
	const double u = *(const double *)a, v = *(const double *)b;

	return (u > v) - (u < v);
}

/* Seconds of one product by each way. A median hides occasional interruptions, a mean shows them. */
typedef struct {
	double median[WAYS], mean[WAYS];
} times;

static times take_times(const problem *p)
{
	static double seconds[WAYS][ROUNDS];
	times t = { { 0 }, { 0 } };

	for (int round = 0; round < ROUNDS; round++)
		for (int way = 0; way < WAYS; way++) {
			const double begin = bench_now();

			multiply(p, way);
			seconds[way][round] = bench_now() - begin;
			t.mean[way] += seconds[way][round] / ROUNDS;
		}
	for (int way = 0; way < WAYS; way++) {
		qsort(seconds[way], ROUNDS, sizeof *seconds[way], by_size);
		t.median[way] = seconds[way][ROUNDS / 2];
	}
	return t;
}

/* ---- hogs ---- */

static int allowed_cpus(void)
{
	cpu_set_t set;

	return sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;
}

static int start_hogs(pid_t hogs[MOST_HOGS])
{
	const int cpus = allowed_cpus(), count = cpus < MOST_HOGS ? cpus : MOST_HOGS;

	for (int n = 0; n < count; n++) {
		hogs[n] = fork();
		if (hogs[n] < 0)
			fail(strerror(errno));
		if (hogs[n] == 0) {
			prctl(PR_SET_PDEATHSIG, SIGKILL);
			for (;;)
				__asm__ volatile("");
		}
	}
	return count;
}

static void end_hogs(const pid_t *hogs, int count)
{
	for (int n = 0; n < count; n++) {
		kill(hogs[n], SIGKILL);
		waitpid(hogs[n], NULL, 0);
	}
}

/* ---- the whole ---- */

/* The team's time over the better of the others. */
static double ratio(const double seconds[WAYS])
{
	return seconds[TEAM] /
	       (seconds[SERIAL] < seconds[PASSIVE] ? seconds[SERIAL] : seconds[PASSIVE]);
}

static void print_row(const problem *p, const char *beside, const char *what,
                      const double seconds[WAYS])
{
	printf("%-16s %9lld  %-8s %-7s %9.1f %9.1f %9.1f   %.2f\n", p->m.name, (long long)p->m.nnz,
	       beside, what, 1e6 * seconds[SERIAL], 1e6 * seconds[TEAM], 1e6 * seconds[PASSIVE],
	       ratio(seconds));
}

static void print_times(const problem *p, const char *beside, const times *t)
{
	print_row(p, beside, "median", t->median);
	print_row(p, beside, "mean", t->mean);
}

/* 1: the team took too long. */
static int run(const char *spec)
{
	static pid_t hogs[MOST_HOGS];
	problem p;
	times t;
	int count;

	problem_make(&p, spec);
	t = take_times(&p);
	print_times(&p, "nothing", &t);
	count = start_hogs(hogs);
	t = take_times(&p);
	end_hogs(hogs, count);
	print_times(&p, "hogs", &t);
	problem_free(&p);
	return ratio(t.median) > MOST;
}

int main(int argc, char **argv)
{
	const int given = argc > 1;
	const int count = given ? argc - 1 : (int)(sizeof specs / sizeof *specs);
	int slow = 0;

	if (given && argv[1][0] == '-') {
		printf("Usage: tulle-hogs [SPEC...]\n\nProducts of one and two threads beside one busy "
		       "process per CPU. SPEC as in tulle generate.\n");
		return strcmp(argv[1], "--help") ? 2 : 0;
	}
	if (!getenv("OMP_WAIT_POLICY")) { /* which is read when the runtime is loaded */
		setenv("OMP_WAIT_POLICY", "passive", 1);
		execv("/proc/self/exe", argv);
		fail("cannot start again with OMP_WAIT_POLICY=passive");
	}
	printf("us per product, of %d taken in turn; %d CPUs\n", ROUNDS, allowed_cpus());
	printf("%-16s %9s  %-8s %-7s %9s %9s %9s   team / better of the others\n", "matrix", "nonzeros",
	       "beside", "", "one", "team of 2", "passive 2");
	for (int n = 0; n < count; n++)
		slow |= run(given ? argv[1 + n] : specs[n]);
	printf("beside hogs, medians of the team at most %.2f times the better of the others: %s\n",
	       MOST, slow ? "NO" : "yes");
	return slow;
}
