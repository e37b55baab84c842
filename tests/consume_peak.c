/* consume_peak.c -- memory at the peak of planning, with a matrix that stays and one that is consumed: each in its own
 * process, as the system reports it. */
#include "consume.h"

#include "support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static long peak_kib(void)
{
	FILE *status = fopen("/proc/self/status", "r");
	char line[256];
	long peak = 0;

	while (status && fgets(line, sizeof line, status))
		sscanf(line, "VmHWM: %ld kB", &peak);
	if (status)
		fclose(status);
	return peak;
}

/* Prints the peak before and after planning. */
int consume_child(const char *how, const char *path)
{
	const tulle_plan_options o = { .size = sizeof o, .format = "sell" };
	tulle_context *context = context_for(NULL, 2, 0);
	tulle_matrix *of = NULL;
	tulle_plan *plan = NULL;
	long before;

	if (tulle_matrix_read(context, path, NULL, &of) != TULLE_OK)
		return 1;
	before = peak_kib();
	if ((strcmp(how, "consume") == 0 ? tulle_plan_consume(&of, &o, &plan)
	                                 : tulle_plan_create(of, &o, &plan)) != TULLE_OK)
		return 1;
	printf("%ld %ld\n", before, peak_kib());
	tulle_plan_destroy(plan);
	tulle_matrix_destroy(of);
	tulle_context_destroy(context);
	return 0;
}

static void measure(const char *how, const char *path, long *before, long *after)
{
	int pipe_of[2], status;
	pid_t child;
	FILE *from;

	*before = *after = 0;
	if (!CHECK(pipe(pipe_of) == 0))
		return;
	child = fork();
	if (child == 0) {
		char *argv[] = { "test_consume", "--child", (char *)(uintptr_t)how, (char *)(uintptr_t)path,
			             NULL };

		dup2(pipe_of[1], STDOUT_FILENO);
		execv("/proc/self/exe", argv);
		_exit(2);
	}
	close(pipe_of[1]);
	from = fdopen(pipe_of[0], "r");
	CHECK(from && fscanf(from, "%ld %ld", before, after) == 2);
	if (from)
		fclose(from);
	CHECK(child > 0 && waitpid(child, &status, 0) == child && status == 0);
}

/* Columns all over the matrix, and values of which no two are alike: nothing can be left out. */
static void write_wide(const char *path, double *mib)
{
	enum { ROWS = 400000, EACH = 24 };
	int64_t *lengths = grab(ROWS, sizeof *lengths);
	uint64_t state = 6;
	matrix m;
	arrays a;
	tulle_matrix *of;

	for (int64_t i = 0; i < ROWS; i++)
		lengths[i] = EACH - 4 + random_below(&state, 9);
	m = matrix_new("wide", ROWS, ROWS, lengths);
	matrix_random_columns(&m, &state);
	for (int64_t k = 0; k < m.nnz; k++)
		m.val[k] = random_unit(&state);
	a = cast(&m, pairs[0], TULLE_F64, 0);
	of = borrow(NULL, &m, pairs[0], TULLE_F64, &a);
	CHECK_OK(tulle_matrix_write(of, path, NULL));
	*mib = (12 * (double)m.nnz + 4 * (double)m.rows) / (1 << 20);
	tulle_matrix_destroy(of);
	arrays_free(&a);
	matrix_free(&m);
	free(lengths);
}

void check_peak(void)
{
	char path[] = "/tmp/tulle_consume_XXXXXX.tulle";
	const int file = mkstemps(path, 6);
	long before[2], after[2];
	double mib, kept, consumed;

	check_about("memory at the peak");
	if (!CHECK(file >= 0))
		return;
	close(file);
	write_wide(path, &mib);
	measure("create", path, &before[0], &after[0]);
	measure("consume", path, &before[1], &after[1]);
	unlink(path);
	kept = (double)(after[0] - before[0]) / 1024;
	consumed = (double)(after[1] - before[1]) / 1024;
	/* sell has about the bytes of CSR here. Two threads have two slices of 4 MiB on each side, and huge pages that
	 * they have begun to fill. */
	CHECK_THAT(kept > 0.9 * mib, "%.1f MiB more for a plan beside a matrix of %.1f MiB", kept, mib);
	CHECK_THAT(consumed < 0.3 * mib,
	           "%.1f MiB more for a plan in the place of a matrix of %.1f MiB", consumed, mib);
	check_group("at the peak: a matrix of %.1f MiB, and %.1f MiB more if kept, %.1f if consumed",
	            mib, kept, consumed);
}
