/* small.c -- tulle-small: the cost of one small product, and the size from which on a team pays off.
 *
 * One process, one thread, everything in L1: the figures are call overhead and short loops. MKL runs
 * with its SEQUENTIAL layer, which is its fastest form here, so this is not part of tulle-compare. */
#include "check.h"
#include "contenders.h"
#include "ours.h"
#include "plain.h"

#include <inttypes.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROW = 5 };
enum { BREAK_EVEN_FIRST = 1024, BREAK_EVEN_LAST = 262144 };

/* The limits that this program checks: the time of csr over plain, and the size from which on the
 * automatic plan must be no slower than MKL optimized. */
#define MOST_OVER_PLAIN_NS 15.0
enum { AS_FAST_FROM = 64 };

typedef struct {
	bench_matrix a;
	int32_t *row_ptr, *col;
	double *val, *x, *y;
	kit_oracle *oracle;
} problem;

static void problem_free(problem *p)
{
	kit_oracle_free(p->oracle);
	free(p->row_ptr);
	free(p->col);
	free(p->val);
	free(p->x);
	free(p->y);
}

/* ROW distinct columns per row, scattered and ascending. */
static void fill(problem *p)
{
	int64_t rows = p->a.rows;
	kit_rng rng = kit_random_seed(1, 0);
	p->row_ptr[0] = 0;
	for (int64_t i = 0; i < rows; i++) {
		int32_t *col = p->col + i * ROW;
		int64_t left = rows;
		p->row_ptr[i + 1] = (int32_t)((i + 1) * ROW);
		/* Leave room for the columns still to come. */
		for (int j = 0, next = 0; j < ROW; j++) {
			int64_t room = (left - (ROW - 1 - j)) / (ROW - j);
			next += (int)kit_random_below(&rng, room < 1 ? 1 : room);
			col[j] = next++;
			left = rows - next;
		}
	}
	kit_random_fill(KIT_UNIFORM, 1, TULLE_F64, p->a.nnz, p->val);
	kit_random_fill(KIT_UNIFORM, 2, TULLE_F64, rows, p->x);
}

static int problem_make(problem *p, int64_t rows)
{
	size_t n = (size_t)rows;
	*p = (problem){ 0 };
	p->row_ptr = malloc((n + 1) * sizeof *p->row_ptr);
	p->col = malloc(n * ROW * sizeof *p->col);
	p->val = malloc(n * ROW * sizeof *p->val);
	p->x = malloc(n * sizeof *p->x);
	p->y = malloc(n * sizeof *p->y);
	if (!p->row_ptr || !p->col || !p->val || !p->x || !p->y)
		return -1;
	p->a = (bench_matrix){ rows, rows, rows * ROW, p->row_ptr, p->col, p->val, NULL };
	fill(p);
	p->oracle = bench_oracle(&p->a, p->x);
	return p->oracle ? 0 : -1;
}

/* ---- runners --------------------------------------------------------------------------------- */

/* Our csr with a team for any size. */
static void *prepare_team(const bench_problem *p, const char *variant)
{
	return bench_ours_plan(p->a,
	                       &(tulle_context_options){ .size = sizeof(tulle_context_options),
	                                                 .threads = p->threads,
	                                                 .serial_below = -1 },
	                       variant, 1);
}

typedef struct {
	const char *name, *variant;
	const bench_competitor *table;
	int threads;
} entrant;

/* Prepares, samples, checks and releases all. If a state is NULL afterwards, the contender did not
 * take part. */
static int race(problem *p, double budget, const entrant *entrants, int count,
                bench_runner *runners)
{
	int wrong = 0;
	for (int c = 0; c < count; c++) {
		const entrant *e = &entrants[c];
		runners[c] = (bench_runner){ .table = e->table };
		if (e->table)
			runners[c].state = e->table->prepare(
			    &(bench_problem){ .a = &p->a, .threads = e->threads }, e->variant);
	}
	if (bench_sample(runners, count, p->x, p->y, bench_protocol_at(0), budget))
		return -1;
	for (int c = 0; c < count; c++) {
		if (!runners[c].state)
			continue;
		double error = bench_error(&runners[c], p->oracle, p->a.rows, p->x, p->y);
		if (runners[c].failed || !(error <= 1)) {
			fprintf(stderr, "WRONG: %s at %" PRId64 " rows\n", entrants[c].name, p->a.rows);
			wrong = 1;
		}
		runners[c].table->release(runners[c].state);
	}
	return wrong ? -1 : 0;
}

/* ---- one small product ----------------------------------------------------------------------- */

enum { PLAIN, OURS, PLANNED, RAW, OPTIMIZED, ENTRANTS };

/* The automatic plan beside MKL optimized. */
static void print_planned(int64_t rows, const bench_runner *r)
{
	double over = r[OPTIMIZED].best / r[PLANNED].best;
	printf("; plan %.2f times as fast as mkl opt", over);
	if (rows >= AS_FAST_FROM)
		printf(" (%s)", over >= 1 ? "ok" : "TOO SLOW");
}

static void print_small(int64_t rows, const bench_runner *r)
{
	double ns[ENTRANTS];
	for (int c = 0; c < ENTRANTS; c++)
		ns[c] = 1e9 * r[c].best;
	printf("%6" PRId64 " %12.1f %12.1f %12.1f", rows, ns[PLAIN], ns[OURS], ns[PLANNED]);
	for (int c = RAW; c < ENTRANTS; c++)
		if (r[c].state)
			printf(" %12.1f", ns[c]);
		else
			printf(" %12s", "absent");
	double over = ns[OURS] - ns[PLAIN];
	printf("   %+.1f over plain (%s)", over, over <= MOST_OVER_PLAIN_NS ? "ok" : "TOO SLOW");
	if (r[RAW].state)
		printf(", %+.1f over mkl raw", ns[OURS] - ns[RAW]);
	if (r[OPTIMIZED].state)
		print_planned(rows, r);
	int disturbed = 0;
	for (int c = 0; c < ENTRANTS; c++)
		disturbed |= r[c].state && r[c].disturbed;
	printf("%s\n", disturbed ? " ?" : "");
}

static int small_products(double budget)
{
	static const int64_t sizes[] = { 8, 64, 512 };
	const entrant entrants[ENTRANTS] = {
		{ "plain", "", &bench_plain_serial, 1 },
		{ "tulle:csr", "csr", &bench_ours, 1 },
		{ "tulle:auto", "auto", &bench_ours, 1 },
		{ "mkl", "sequential", bench_plugin_named(BENCH_ONE, "mkl"), 1 },
		{ "mkl-opt", "sequential", bench_plugin_named(BENCH_ONE, "mkl-opt"), 1 },
	};
	int status = 0;
	printf("One product, %d nonzeros per row, one thread, ns per call (best); at most %.0f over "
	       "plain:\n\n",
	       ROW, MOST_OVER_PLAIN_NS);
	printf("%6s %12s %12s %12s %12s %12s\n", "rows", "plain", "tulle:csr", "tulle:auto", "mkl raw",
	       "mkl opt");
	for (size_t n = 0; n < sizeof sizes / sizeof *sizes && !status; n++) {
		problem p;
		bench_runner runners[ENTRANTS];
		status =
		    problem_make(&p, sizes[n]) || race(&p, budget, entrants, ENTRANTS, runners) ? -1 : 0;
		if (!status)
			print_small(sizes[n], runners);
		problem_free(&p);
	}
	return status;
}

/* ---- break-even ------------------------------------------------------------------------------ */

/* Threads that the library uses for this problem by default; 0: unknown. */
static int team_of(problem *p, int threads)
{
	tulle_context *context = NULL;
	tulle_matrix *matrix = NULL;
	tulle_plan *plan = NULL;
	tulle_context_options options = { .size = sizeof options, .threads = threads };
	tulle_context_info info = { .size = sizeof info };
	if (!tulle_context_create(&options, &context) &&
	    !tulle_matrix_from_csr(context, p->a.rows, p->a.cols, TULLE_I32, p->row_ptr, TULLE_I32,
	                           p->col, TULLE_F64, p->val, NULL, &matrix) &&
	    !tulle_plan_create(
	        matrix, &(tulle_plan_options){ .size = sizeof(tulle_plan_options), .format = "csr" },
	        &plan) &&
	    !tulle_mul_f64(plan, 1.0, p->x, 0.0, p->y))
		tulle_context_describe(context, &info);
	tulle_plan_destroy(plan);
	tulle_matrix_destroy(matrix);
	tulle_context_destroy(context);
	return info.last_team;
}

enum { THREADS = 2 };

/* One thread and a team, for ours and for the plain loop. Ours has a single part below some size; the
 * plain loop is always divided in two, so it shows the break-even of the machine. */
enum { ONE, TEAM, PLAIN_ONE, PLAIN_TEAM, PAIRS };

static int print_break_even(problem *p, double budget, const entrant *entrants)
{
	bench_runner r[PAIRS];
	if (race(p, budget, entrants, PAIRS, r))
		return -1;
	printf("%8" PRId64 " %8" PRId64, p->a.nnz, p->a.nnz + p->a.rows);
	for (int c = 0; c < PAIRS; c += 2)
		printf(" %11.0f %11.0f %6.2f", 1e9 * r[c].best, 1e9 * r[c + 1].best,
		       r[c].best / r[c + 1].best);
	printf(" %8d%s\n", team_of(p, THREADS), r[ONE].disturbed || r[TEAM].disturbed ? " ?" : "");
	return 0;
}

static int break_even(double budget)
{
	bench_competitor team = bench_ours;
	team.prepare = prepare_team;
	const entrant entrants[PAIRS] = {
		{ "tulle:csr", "csr", &bench_ours, 1 },
		{ "tulle:csr team", "csr", &team, THREADS },
		{ "plain", "", &bench_plain_serial, 1 },
		{ "plain team", "", &bench_plain_openmp, THREADS },
	};
	printf("\nWhere %d threads beat one (work = nonzeros + rows, ns per call; team: forced; taken: "
	       "what "
	       "the\nlibrary takes by itself):\n\n",
	       THREADS);
	printf("%8s %8s %11s %11s %6s %11s %11s %6s %8s\n", "nnz", "work", "csr, one", "csr, team",
	       "gain", "plain, one", "plain, team", "gain", "taken");
	for (int64_t nnz = BREAK_EVEN_FIRST; nnz <= BREAK_EVEN_LAST; nnz *= 2) {
		problem p;
		int status = problem_make(&p, nnz / ROW) || print_break_even(&p, budget, entrants) ? -1 : 0;
		problem_free(&p);
		if (status)
			return -1;
	}
	return 0;
}

int main(int argc, char **argv)
{
	double budget = 1.0;
	char *end = NULL;
	if (argc == 3 && !strcmp(argv[1], "--seconds"))
		budget = strtod(argv[2], &end);
	if (argc > 1 && (!end || *end || end == argv[2] || !(budget >= 0))) {
		fputs("usage: tulle-small [--seconds S]\n\n"
		      "  --seconds S  time for the samples of one size (default 1)\n",
		      stderr);
		return 2;
	}
	if (bench_load_own_plugins("competitors") || small_products(budget))
		return 1;
	if (omp_get_num_procs() < 2) {
		printf("\none core: no break-even to find\n");
		return 0;
	}
	return break_even(budget) ? 1 : 0;
}
