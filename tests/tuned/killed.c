/* killed.c -- a process that saves two plans in turn under one name is killed at any moment: the file is always one of
 * them, whole. */
#include "tuned_support.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { ROWS = 60000, EACH = 4 }; /* some 3 MB: a save takes long enough to be hit */

static tulle_context *context;
static tulle_matrix *matrices[2];
static tulle_plan *plans[2];
static char path[500];

static void make_plans(void)
{
	static int32_t ptr[ROWS + 1], col[ROWS * EACH];
	static double val[2][ROWS * EACH];
	const tulle_plan_options o = { .size = sizeof o, .format = "csr" };

	for (int i = 0; i <= ROWS; i++)
		ptr[i] = EACH * i;
	for (int k = 0; k < ROWS * EACH; k++) {
		col[k] = (k * 7) % ROWS;
		val[0][k] = k;
		val[1][k] = -k;
	}
	for (int n = 0; n < 2; n++) {
		CHECK_OK(tulle_matrix_from_csr(context, ROWS, ROWS, TULLE_I32, ptr, TULLE_I32, col,
		                               TULLE_F64, val[n], NULL, &matrices[n]));
		CHECK_OK(tulle_plan_create(matrices[n], &o, &plans[n]));
	}
}

/* Saves for ever; one byte says that the first save begins. */
static void save_in_turns(int ready)
{
	(void)!write(ready, "r", 1);
	for (int n = 1;; n = !n)
		if (tulle_plan_save(plans[n], path, NULL) != TULLE_OK)
			_exit(1);
}

/* 1 if it was hit inside a save: it left what it was writing. */
static int kill_once(int n)
{
	const struct timespec nap = { .tv_nsec = 200000 + (long)(n * 7919 % 997) * 20000 };
	int ready[2];
	char byte;
	pid_t child;

	if (!CHECK(pipe(ready) == 0))
		return 0;
	fflush(stdout);
	child = fork();
	if (child == 0)
		save_in_turns(ready[1]);
	CHECK(read(ready[0], &byte, 1) == 1);
	nanosleep(&nap, NULL);
	kill(child, SIGKILL);
	waitpid(child, NULL, 0);
	close(ready[0]);
	close(ready[1]);
	return file_count(".part") > 0;
}

static int is_one_of_both(void)
{
	tulle_matrix *m = NULL;
	tulle_plan *p = NULL;
	const int good = tulle_plan_load(context, path, NULL, &m, &p) == TULLE_OK &&
	                 (same_matrix(m, matrices[0]) || same_matrix(m, matrices[1]));

	tulle_plan_destroy(p);
	tulle_matrix_destroy(m);
	return good;
}

int main(int argc, char **argv)
{
	const int full = argc > 1 && strcmp(argv[1], "--full") == 0;
	const int kills = full ? 300 : 40, least = kills / 3;
	int inside = 0, bad = 0;

	context = context_for(NULL, 1, 0);
	make_plans();
	snprintf(path, sizeof path, "%s", file_path("killed.tulle"));
	CHECK_OK(tulle_plan_save(plans[0], path, NULL));
	for (int n = 0; n < kills; n++) {
		inside += kill_once(n);
		bad += !is_one_of_both();
		remove_parts(path);
	}
	CHECK_THAT(bad == 0, "%d of %d kills left a bad file", bad, kills);
	CHECK_THAT(inside >= least, "only %d of %d kills were inside a save", inside, kills);
	check_group("%d kills, %d of them inside a save", kills, inside);
	for (int n = 0; n < 2; n++) {
		tulle_plan_destroy(plans[n]);
		tulle_matrix_destroy(matrices[n]);
	}
	tulle_context_destroy(context);
	return check_end();
}
