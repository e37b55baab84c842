/* online.c -- tulle-online: plans with options.online compared with the best fixed choice in hindsight.
 *
 * For each matrix and each number of multiplications: the total time of creating a plan, multiplying and destroying
 * it, over the least total of conversion and multiplications of all formats. Targets: geomean at most 1.15, none
 * above 1.5. */
#include "kit.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <tulle.h>

#define MOST_GEOMEAN 1.15
#define MOST_WORST 1.5

static const int counts[] = { 1, 10, 100, 1000, 10000 };
enum { COUNTS = sizeof counts / sizeof *counts };

/* Products of some 20 to 100 us, so that 10,000 of them take a second. */
static const char *const specs[] = {
	"stencil5:n=100",
	"stencil5:n=200,values=varying",
	"stencil5:n=200,values=constant",
	"stencil7:n=25",
	"stencil9:n=120",
	"stencil27:n=16,values=varying",
	"stencil27:n=20,values=constant",
	"fem:n=8",
	"fem:n=10",
	"fem:n=10,order=shuffled",
	"banded:rows=10000,width=8",
	"banded:rows=3000,width=30",
	"random:rows=20000,cols=20000,mean=6",
	"random:rows=5000,cols=5000,mean=40",
	"random:rows=50000,cols=50000,mean=3",
	"rmat:scale=13",
	"rmat:scale=14,order=shuffled",
	"circuit:rows=20000",
	"circuit:rows=40000",
	"lp:rows=2000,cols=20000,mean=60",
};
enum { SPECS = sizeof specs / sizeof *specs };

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void must(tulle_status s)
{
	if (s != TULLE_OK) {
		fprintf(stderr, "tulle-online: %s: %s\n", tulle_status_name(s), tulle_last_error());
		exit(1);
	}
}

typedef struct {
	kit_matrix m;
	tulle_matrix *a;
	double *x, *y;
} problem;

static double run(const problem *p, const tulle_plan *plan, int times)
{
	const double begin = now();

	for (int n = 0; n < times; n++)
		must(tulle_mul_f64(plan, 1, p->x, 0, p->y));
	return now() - begin;
}

/* Seconds of a conversion and of one product: the least of a few runs. */
typedef struct {
	double convert, multiply;
} cost;

static cost cost_of(const problem *p, const char *format)
{
	enum { RUNS = 9, TIMES = 30 };
	const tulle_plan_options o = { .size = sizeof o, .format = format };
	cost least = { INFINITY, INFINITY };

	for (int n = 0; n < RUNS; n++) {
		const double begin = now();
		tulle_plan *plan;

		if (tulle_plan_create(p->a, &o, &plan) != TULLE_OK)
			return least;
		least.convert = fmin(least.convert, now() - begin);
		run(p, plan, 2);
		least.multiply = fmin(least.multiply, run(p, plan, TIMES) / TIMES);
		tulle_plan_destroy(plan);
	}
	return least;
}

/* The least total of all formats, for each count. */
static void find_best(const problem *p, double best[COUNTS], const char *who[COUNTS])
{
	const char *format;

	for (int c = 0; c < COUNTS; c++)
		best[c] = INFINITY;
	for (int f = 0; (format = tulle_formats(f)); f++) {
		const cost k = cost_of(p, format);

		for (int c = 0; c < COUNTS; c++)
			if (k.convert + counts[c] * k.multiply < best[c]) {
				best[c] = k.convert + counts[c] * k.multiply;
				who[c] = format;
			}
	}
}

/* The time from create to the end of destroy. */
static double total_of(const problem *p, const tulle_plan_options *o, int times,
                       tulle_plan_info *info)
{
	const double begin = now();
	tulle_plan *plan;

	must(tulle_plan_create(p->a, o, &plan));
	run(p, plan, times);
	*info = (tulle_plan_info){ .size = sizeof *info };
	must(tulle_plan_describe(plan, info));
	tulle_plan_destroy(plan);
	return now() - begin;
}

/* The time of an online plan over that of a format, measured in turn: the least of a few totals each, because a
 * disturbance only adds time. */
static double ratio_to(const problem *p, const char *format, int times, tulle_plan_info *info)
{
	const tulle_plan_options fixed = { .size = sizeof fixed, .format = format };
	const tulle_plan_options online = { .size = sizeof online, .online = 1 };
	const int rounds = times < 1000 ? 7 : times < 10000 ? 3 : 2;
	double least[2] = { INFINITY, INFINITY };

	for (int n = 0; n < rounds; n++) {
		least[0] = fmin(least[0], total_of(p, &fixed, times, info));
		least[1] = fmin(least[1], total_of(p, &online, times, info));
	}
	return least[1] / least[0];
}

static void set_up(problem *p, const char *spec)
{
	tulle_csr_view v;

	if (kit_generate(spec, &p->m)) {
		fprintf(stderr, "tulle-online: %s\n", kit_error());
		exit(1);
	}
	v = kit_view(&p->m);
	must(tulle_matrix_from_csr(NULL, v.rows, v.cols, v.offset_type, v.row_ptr, v.column_type, v.col,
	                           v.value_type, v.val, NULL, &p->a));
	p->x = malloc((size_t)v.cols * sizeof *p->x);
	p->y = malloc((size_t)v.rows * sizeof *p->y);
	if (!p->x || !p->y)
		exit(1);
	kit_random_fill(KIT_UNIFORM, 1, TULLE_F64, v.cols, p->x);
}

static void tear_down(problem *p)
{
	tulle_matrix_destroy(p->a);
	kit_free(&p->m);
	free(p->x);
	free(p->y);
}

/* One line; adds to the sums of logarithms and to the worst of each count. */
static void compare(const char *spec, double sum[COUNTS], double worst[COUNTS])
{
	const char *who[COUNTS];
	double best[COUNTS];
	tulle_plan_info info;
	problem p;

	set_up(&p, spec);
	find_best(&p, best, who);
	printf("%-38s", spec);
	for (int c = 0; c < COUNTS; c++) {
		const double ratio = ratio_to(&p, who[c], counts[c], &info);

		printf(" %5.2f %-6s", ratio, who[c]);
		sum[c] += log(ratio);
		worst[c] = fmax(worst[c], ratio);
	}
	printf(" %s at %.0f\n", info.format, info.online_multiplies);
	fflush(stdout);
	tear_down(&p);
}

int main(int argc, char **argv)
{
	const int given = argc > 1;
	const int matrices = given ? argc - 1 : SPECS;
	double sum[COUNTS] = { 0 }, worst[COUNTS] = { 0 }, all = 0, most = 0;

	if (given && argv[1][0] == '-') {
		printf("usage: tulle-online [SPEC...]\n"
		       "online plans over the best fixed choice in hindsight, and that choice\n");
		return strcmp(argv[1], "--help") != 0;
	}
	printf("%-38s", "multiplications");
	for (int c = 0; c < COUNTS; c++)
		printf(" %12d", counts[c]);
	printf(" chosen\n");
	for (int n = 0; n < matrices; n++)
		compare(given ? argv[n + 1] : specs[n], sum, worst);
	printf("%-38s", "geomean, worst");
	for (int c = 0; c < COUNTS; c++) {
		printf(" %5.2f %-6.2f", exp(sum[c] / matrices), worst[c]);
		all += sum[c] / COUNTS;
		most = fmax(most, worst[c]);
	}
	all = exp(all / matrices);
	printf("\nall: geomean %.3f (at most %.2f: %s), worst %.2f (at most %.2f: %s)\n", all,
	       MOST_GEOMEAN, all <= MOST_GEOMEAN ? "reached" : "missed", most, MOST_WORST,
	       most <= MOST_WORST ? "reached" : "missed");
	return 0;
}
