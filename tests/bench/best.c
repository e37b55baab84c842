/* best.c -- the bench's own best.c must compute what it says: on a few made-up rows, by hand. */
#include "best.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CONTENDERS = 5, STRIDE = 1 + CONTENDERS, MATRICES = 7 };

static int failures;

static void expect(int ok, const char *what, double got)
{
	if (ok)
		return;
	printf("FAILED: %s, not %g\n", what, got);
	failures++;
}

static void expect_near(double got, double want, const char *what)
{
	expect(fabs(got - want) < 1e-9, what, got);
}

/* plain, mkl-opt, eigen, tulle:a and tulle:b with these ratios to plain; 0: refused. The planner's
 * tulle:auto is ten times as fast, by chance. */
static void make(bench_row *row, const char *matrix, double mkl, double eigen, double a, double b)
{
	static const char *const names[STRIDE] = { "plain",   "mkl-opt", "eigen",
		                                       "tulle:a", "tulle:b", "tulle:auto" };
	const double ratios[STRIDE] = { 1, mkl, eigen, a, b, 10 * (a + b) };
	for (int n = 0; n < STRIDE; n++) {
		row[n] = (bench_row){ .rows = 1000, .cols = 1000, .nnz = 100000, .threads = 2 };
		snprintf(row[n].matrix, sizeof row[n].matrix, "%s", matrix);
		snprintf(row[n].contender, sizeof row[n].contender, "%s", names[n]);
		row[n].ours = n >= 3;
		row[n].planned = n == 5;
		row[n].plain_ratio = ratios[n];
		row[n].verdict = ratios[n] > 0 ? BENCH_RIGHT : BENCH_REFUSED;
		row[n].bytes_per_nnz = 8;
		row[n].convert_plain = 10 * ratios[n];
		row[n].class = bench_class_at(0);
	}
}

static void set_class(bench_row *row, const bench_class *class)
{
	for (int n = 0; n < STRIDE; n++)
		row[n].class = class;
}

static void check_gains(const bench_bests *bests)
{
	bench_gain first = bench_gain_of(bests, bench_class_at(0)),
	           second = bench_gain_of(bests, bench_class_at(1)), all = bench_gain_of(bests, NULL);
	expect(first.matrices == 2, "two sure matrices of the first class", first.matrices);
	expect_near(first.over_plain, sqrt(4.0 * 9), "sqrt(4 * 9) over plain");
	expect_near(first.over_mkl, sqrt(2.0 * 9), "sqrt(4/2 * 9/1) over mkl-opt");
	expect_near(first.over_peer, sqrt(4.0 / 2 * 9 / 3), "sqrt(4/2 * 9/3) over the best peer");
	expect(second.matrices == 1, "one of the second class", second.matrices);
	expect(isnan(second.over_mkl), "no mkl-opt there", second.over_mkl);
	expect_near(second.over_peer, 0.5, "the best peer of that one is plain");
	expect(all.matrices == 3, "neither tiny nor disturbed ones, nor other threads", all.matrices);
	expect_near(all.over_plain, cbrt(4.0 * 9 * 0.5), "cbrt(4 * 9 * 0.5)");
}

static void check_shares(const bench_bests *bests)
{
	bench_shares s = bench_shares_of(bests);
	expect(s.matrices == 2 && s.streams == 1, "two shares, one of a stream", s.matrices);
	expect_near(s.stored, sqrt(0.8 * 0.2), "both shares of bytes stored");
	expect_near(s.moved, sqrt(0.9 * 0.5), "both with x and y");
	expect_near(s.streams_stored, 0.8, "the one that stores more than twice x and y");
}

static void check_costs(const bench_bests *bests)
{
	bench_cost a = { 0 }, best = { 0 };
	if (bench_cost_of(bests, "tulle:a", CONTENDERS, &a) ||
	    bench_cost_of(bests, NULL, CONTENDERS, &best))
		exit(1);
	expect(a.matrices == 2, "tulle:a converted two", a.matrices);
	expect_near(a.median, 35, "the median of 40 and 30");
	expect_near(a.most, 40, "the dearest one");
	expect(a.where && !strcmp(a.where, "m"), "it was m", 0);
	expect(best.matrices == 3, "the best of three", best.matrices);
	expect_near(best.median, 40, "the median of 40, 90 and 5");
	expect_near(best.most, 90, "the dearest of the best");
}

int main(void)
{
	static bench_row rows[MATRICES * STRIDE];
	bench_results results = { .row = rows, .count = MATRICES * STRIDE };
	bench_bests bests;
	make(&rows[0], "m", 2, 0.5, 4, 3);
	make(&rows[STRIDE], "n", 1, 3, 3, 9);
	make(&rows[2 * STRIDE], "slow", 0, 0, 0, 0.5);
	make(&rows[3 * STRIDE], "busy", 1, 1, 100, 100);
	make(&rows[4 * STRIDE], "tiny", 1, 1, 100, 100);
	make(&rows[5 * STRIDE], "serial", 1, 1, 100, 100);
	set_class(&rows[2 * STRIDE], bench_class_at(1));
	make(&rows[6 * STRIDE], "unnamed", 0, 0, 2, 3);
	rows[6 * STRIDE + 3].verdict = rows[6 * STRIDE + 4].verdict = BENCH_WRONG;
	for (int n = 0; n < STRIDE; n++)
		rows[6 * STRIDE + n].threads = 3;
	rows[3 * STRIDE + 2].disturbed = 1; /* a peer: perhaps it was the best one */
	rows[4 * STRIDE].nnz = BENCH_TINY_BELOW - 1;
	for (int n = 0; n < STRIDE; n++)
		rows[5 * STRIDE + n].threads = 1;
	bench_row *streams = &rows[3], *vectors = &rows[2 * STRIDE + 4];
	streams->bound = vectors->bound = 1;
	streams->stored_share = 0.8;
	streams->moved_share = 0.9;
	vectors->stored_share = 0.2;
	vectors->moved_share = 0.5;
	vectors->bytes_per_nnz = 0.31; /* 31000 bytes; x and y have 16000 */

	expect(bench_next_threads(&results, 0) == 1 && bench_next_threads(&results, 1) == 2 &&
	           bench_next_threads(&results, 2) == 3 && bench_next_threads(&results, 3) == 0,
	       "one thread, then two, then three", 0);
	if (bench_find_best(&results, CONTENDERS, 2, &bests))
		return 1;
	expect(bests.count == 4 && !bests.item[3].sure, "four matrices, one not sure", bests.count);
	expect(!strcmp(bests.item[0].ours->contender, "tulle:a") &&
	           !strcmp(bests.item[0].peer->contender, "mkl-opt"),
	       "the best on m", 0);
	expect(!strcmp(bests.item[1].ours->contender, "tulle:b") &&
	           !strcmp(bests.item[1].peer->contender, "eigen"),
	       "the best on n", 0);
	check_gains(&bests);
	check_shares(&bests);
	check_costs(&bests);
	free(bests.item);
	if (bench_find_best(&results, CONTENDERS, 3, &bests))
		return 1;
	expect(bests.count == 1 && bests.item[0].ours && bests.item[0].ours->planned,
	       "the planner's choice counts where no format that is named does", bests.count);
	free(bests.item);
	printf("%d failures\n", failures);
	return failures != 0;
}
