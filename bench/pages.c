/* pages.c -- tulle-pages: the effect of huge pages, measured in one process and in turn.
 *
 * Each format multiplies with its arrays in small and in huge pages, and with x and y in either. A
 * context with the bench's allocator represents the library without huge pages. */
#include "memory.h"
#include "suite.h"
#include "timing.h"
#include "tulle.h"

#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WAYS = 4, SECONDS = 3 };

static const struct {
	const char *name;
	bench_pages matrix, vectors;
} ways[WAYS] = {
	{ "none", BENCH_SMALL_PAGES, BENCH_SMALL_PAGES },
	{ "matrix", BENCH_HUGE_PAGES, BENCH_SMALL_PAGES },
	{ "x and y", BENCH_SMALL_PAGES, BENCH_HUGE_PAGES },
	{ "all", BENCH_HUGE_PAGES, BENCH_HUGE_PAGES },
};

typedef struct {
	tulle_plan *plan;
	double *x, *y;
} state;

static void *small_alloc(void *user, size_t bytes, size_t align)
{
	(void)user;
	(void)align; /* the bench's own is not less */
	return bench_array_in(BENCH_SMALL_PAGES, (int64_t)bytes, 1);
}

static void small_free(void *user, void *block, size_t bytes)
{
	(void)user;
	(void)bytes;
	free(block);
}

/* A copy, so that a format that reads the matrix itself also has it in pages of this kind. */
static tulle_plan *plan_in(bench_pages pages, const bench_matrix *a, const char *format,
                           int threads)
{
	tulle_context_options own = { .size = sizeof own, .threads = threads };
	tulle_matrix_options copied = { .size = sizeof copied, .ownership = TULLE_COPY };
	tulle_plan_options wanted = { .size = sizeof wanted, .format = format };
	tulle_context *context = NULL;
	tulle_matrix *matrix = NULL;
	tulle_plan *plan = NULL;
	if (pages == BENCH_SMALL_PAGES) {
		own.alloc = small_alloc;
		own.free = small_free;
	}
	if (tulle_context_create(&own, &context) ||
	    tulle_matrix_from_csr(context, a->rows, a->cols, TULLE_I32, a->row_ptr, TULLE_I32, a->col,
	                          TULLE_F64, a->val, &copied, &matrix) ||
	    tulle_plan_create(matrix, &wanted, &plan))
		fprintf(stderr, "tulle:%s: %s\n", format, tulle_last_error());
	tulle_matrix_destroy(matrix);
	tulle_context_destroy(context);
	return plan;
}

static int multiply(void *s, const double *x, double *y)
{
	const state *own = s;
	(void)x;
	(void)y;
	return tulle_mul_f64(own->plan, 1, own->x, 0, own->y) != TULLE_OK;
}

static const bench_competitor table = { .name = "pages", .multiply = multiply };

static int set_up(state *s, int way, const bench_matrix *a, const char *format, int threads)
{
	s->plan = plan_in(ways[way].matrix, a, format, threads);
	s->x = bench_array_in(ways[way].vectors, a->cols, sizeof *s->x);
	s->y = bench_array_in(ways[way].vectors, a->rows, sizeof *s->y);
	for (int64_t j = 0; s->x && j < a->cols; j++)
		s->x[j] = 1;
	return s->plan && s->x && s->y ? 0 : -1;
}

static int measure(const bench_loaded *m, const char *format, int threads)
{
	state states[WAYS] = { { NULL, NULL, NULL } };
	bench_runner runners[WAYS];
	int status = 0;
	for (int w = 0; w < WAYS && !status; w++) {
		status = set_up(&states[w], w, &m->a, format, threads);
		runners[w] = (bench_runner){ .table = &table, .state = &states[w] };
	}
	if (!status)
		status = bench_sample(runners, WAYS, NULL, NULL, bench_protocol_at(0), SECONDS);
	if (!status) {
		printf("%-36.36s %-8.8s %8.3f", m->name, format, 1e3 * runners[0].best);
		for (int w = 1; w < WAYS; w++)
			printf(" %7.2f%s", runners[0].best / runners[w].best,
			       runners[w].disturbed | runners[0].disturbed ? "?" : " ");
		printf("\n");
	}
	for (int w = 0; w < WAYS; w++) {
		tulle_plan_destroy(states[w].plan);
		free(states[w].x);
		free(states[w].y);
	}
	return status;
}

static int measure_all(const bench_suite *suite, const char *formats, int threads)
{
	int status = 0;
	printf("Times as fast as without huge pages, %d thread%s; ?: disturbed\n\n%-36s %-8s %8s",
	       threads, threads == 1 ? "" : "s", "matrix", "format", "none ms");
	for (int w = 1; w < WAYS; w++)
		printf(" %7s ", ways[w].name);
	printf("\n");
	for (int n = 0; n < suite->count; n++) {
		bench_loaded m;
		int left_out = bench_load(&suite->item[n], &m);
		if (left_out) {
			status |= left_out < 0;
			continue;
		}
		char list[256], *rest = list, *format;
		snprintf(list, sizeof list, "%s", formats);
		while ((format = strsep(&rest, " ")))
			status |= measure(&m, format, threads);
		bench_unload(&m);
	}
	return status;
}

int main(int argc, char **argv)
{
	const char *suite_name = NULL, *formats = "csr sell";
	int threads = omp_get_max_threads(), first = 1;
	bench_suite suite = { 0 };
	for (; first + 1 < argc && !strncmp(argv[first], "--", 2); first += 2) {
		const char *option = argv[first], *value = argv[first + 1];
		if (!strcmp(option, "--suite"))
			suite_name = value;
		else if (!strcmp(option, "--formats"))
			formats = value;
		else if (!strcmp(option, "--threads") && atoi(value) > 0)
			threads = atoi(value);
		else
			break;
	}
	if (first < argc && !strncmp(argv[first], "--", 2)) {
		printf("usage: tulle-pages [--threads N] [--formats \"csr sell\"] "
		       "[--suite NAME | MATRIX...]\n");
		return strcmp(argv[first], "--help") ? 2 : 0;
	}
	if (bench_suite_choose(suite_name, argv + first, argc - first, &suite))
		return 2;
	int status = measure_all(&suite, formats, threads);
	bench_suite_free(&suite);
	return status ? 2 : 0;
}
