/* pagerank.c -- `tulle pagerank FILE`: the ranks of a graph's nodes, and the course of the
 * iteration. */
#include "pagerank.h"

#include <errno.h>
#include <fcntl.h>
#include <float.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct {
	const char *format, *isa, *names, *out;
	char *formats;
	double damping, tolerance;
	int64_t max_iterations, top;
} wishes;

/* ---- names ----------------------------------------------------------------------------------- */

/* A whole regular file as text, from cli_alloc(). */
static char *text_of(const char *path)
{
	const int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	struct stat about;
	size_t got = 0;
	ssize_t n = 1;

	if (fd < 0 || fstat(fd, &about))
		cli_fail(CLI_INPUT, "%s: %s", path, strerror(errno));
	if (!S_ISREG(about.st_mode))
		cli_fail(CLI_INPUT, "%s: is not a regular file", path);
	char *const text = cli_alloc((int64_t)about.st_size + 1, 1);
	while (got < (size_t)about.st_size && n > 0) {
		n = read(fd, text + got, (size_t)about.st_size - got);
		if (n < 0 && errno == EINTR)
			n = 1;
		else
			got += n > 0 ? (size_t)n : 0;
	}
	close(fd);
	if (n < 0)
		cli_fail(CLI_INPUT, "%s: %s", path, strerror(errno));
	return text;
}

/* Splits the text into one line per node; their numbers must agree. */
static char **lines_of(char *text, const char *path, int64_t nodes)
{
	char **const line = cli_alloc(nodes, sizeof *line);
	int64_t count = 0;

	for (char *p = text; *p;) {
		char *const end = p + strcspn(p, "\n");

		if (count < nodes)
			line[count] = p;
		count++;
		if (end > p && end[-1] == '\r')
			end[-1] = 0;
		p = end + (*end == '\n');
		*end = 0;
	}
	if (count != nodes)
		cli_fail(CLI_INPUT,
		         "%s: %s names for %s nodes; expected one name per line and one per node", path,
		         cli_commas(count), cli_commas(nodes));
	return line;
}

/* ---- the best --------------------------------------------------------------------------------- */

static const double *ranks_to_sort;

/* By rank, the highest first; nodes of the same rank by their number. */
static int by_rank(const void *a, const void *b)
{
	const int64_t i = *(const int64_t *)a, j = *(const int64_t *)b;
	const double u = ranks_to_sort[i], v = ranks_to_sort[j];

	return u != v ? (u < v) - (u > v) : (i > j) - (i < j);
}

/* At most twice the requested number is kept; when the buffer is full, its lower half is dropped. */
static void find_top(cli_ranks *r, int64_t top)
{
	const int64_t nodes = r->info.nodes;

	r->top_count = top < nodes ? top : nodes;
	r->top = cli_alloc(2 * r->top_count, sizeof *r->top);
	ranks_to_sort = r->ranks;
	int64_t kept = 0;
	for (int64_t i = 0; i < nodes && r->top_count; i++) {
		r->top[kept++] = i;
		if (kept == 2 * r->top_count || i + 1 == nodes) {
			qsort(r->top, (size_t)kept, sizeof *r->top, by_rank);
			kept = kept < r->top_count ? kept : r->top_count;
		}
	}
}

/* ---- the whole ------------------------------------------------------------------------------- */

static int keep_residual(void *user, int64_t iteration, double residual)
{
	cli_ranks *const r = user;

	if (iteration > r->room) {
		double *const more = cli_alloc(2 * iteration, sizeof *more);

		if (r->room > 0)
			memcpy(more, r->residual, (size_t)r->room * sizeof *more);
		cli_free(r->residual);
		r->residual = more;
		r->room = 2 * iteration;
	}
	r->residual[iteration - 1] = residual;
	return 0;
}

/* The library counts nodes from 0, as its message says; the command and files count from 1. */
_Noreturn static void fail_at_node(const tulle_csr_view *a, tulle_status status)
{
	for (int64_t i = 0; status == TULLE_E_MATRIX && a->rows == a->cols && i < a->rows; i++) {
		double sum = 0;

		for (int64_t k = cli_row_begin(a, i); k < cli_row_begin(a, i + 1); k++) {
			const double weight = cli_value(a, k);

			if (!(weight >= 0 && weight <= DBL_MAX))
				cli_fail(CLI_INPUT,
				         "the link from node %" PRId64 " to node %" PRId64
				         " has weight %g: weights are finite and not negative",
				         i + 1, cli_col(a, k) + 1, weight);
			sum += weight;
		}
		if (sum != 0 && !(sum >= 0x1p-900 && sum <= 0x1p900))
			cli_fail(CLI_INPUT,
			         "the weights of node %" PRId64 " add up to %g, which is not in %g .. %g",
			         i + 1, sum, 0x1p-900, 0x1p900);
	}
	cli_fail_status(status, 0);
}

static void rank(const cli_common *common, cli_ranks *r, const wishes *w,
                 const tulle_pagerank_options *options)
{
	const int64_t most = tulle_pagerank_iterations(options->damping, options->tolerance);
	const tulle_plan_options plan = {
		.size = sizeof plan,
		.multiplies =
		    (double)(w->max_iterations && w->max_iterations < most ? w->max_iterations : most),
		.format = w->format,
		.wisdom = r->wisdom
	};
	tulle_context_info context = { .size = sizeof context };

	cli_progress_begin(common, "planning", r->matrix->name);
	tulle_status status = tulle_pagerank_create(r->matrix->matrix, &plan, &r->graph);
	cli_progress_end();
	if (status)
		fail_at_node(&r->matrix->view, status);
	cli_progress_begin(common, "ranking", r->matrix->name);
	r->ranks = cli_alloc(r->matrix->view.rows, sizeof *r->ranks);
	status = tulle_pagerank_run(r->graph, options, r->ranks, &r->info);
	tulle_context_describe(r->matrix->context, &context);
	r->threads = context.last_team;
	cli_progress_end();
	if (status)
		cli_fail_status(status, 0);
}

/* One rank per line, by node, with enough digits to read back the same bits. */
static void save_ranks(const cli_ranks *r, const char *path)
{
	enum { LINE = 26 };
	char *const text = cli_alloc(r->info.nodes * LINE + 1, 1);
	size_t length = 0;

	for (int64_t i = 0; i < r->info.nodes; i++)
		length += (size_t)snprintf(text + length, LINE + 1, "%.17g\n", r->ranks[i]);
	cli_save(path, text, length);
	cli_free(text);
}

static int run(const cli_common *common, const char *path, const wishes *w)
{
	cli_matrix m = cli_read(common, path, w->isa);
	cli_ranks r = { .matrix = &m,
		            .format = w->format,
		            .wisdom = w->format ? NULL : cli_wisdom(common, 0),
		            .info.size = sizeof r.info,
		            .rules.size = sizeof r.rules };
	const tulle_pagerank_options options = { .size = sizeof options,
		                                     .damping = w->damping,
		                                     .tolerance = w->tolerance,
		                                     .max_iterations = w->max_iterations,
		                                     .progress = keep_residual,
		                                     .user = &r };
	char *const text = w->names ? text_of(w->names) : NULL;
	const char **name = NULL;
	char **const line = text ? lines_of(text, w->names, m.view.rows) : NULL;

	tulle_pagerank_describe(&r.rules);
	rank(common, &r, w, &options);
	find_top(&r, w->top);
	if (line) {
		name = cli_alloc(r.top_count, sizeof *name);
		for (int64_t n = 0; n < r.top_count; n++)
			name[n] = line[r.top[n]];
		r.name = name;
	}
	if (w->formats) {
		cli_progress_begin(common, "comparing", m.name);
		cli_pagerank_compare(&r, w->formats, &options);
		cli_progress_end();
	}
	if (w->out)
		save_ranks(&r, w->out);
	if (common->json)
		cli_pagerank_json(&r);
	else
		cli_pagerank_print(&r);
	cli_free(name);
	cli_free(line);
	cli_free(text);
	cli_free(r.top);
	cli_free(r.ranks);
	cli_free(r.residual);
	tulle_pagerank_destroy(r.graph);
	cli_close(&m);
	return r.info.converged ? CLI_OK : CLI_WRONG;
}

int cli_pagerank(int argc, char **argv)
{
	enum {
		FORMAT = 'f',
		OUT = 'o',
		DAMPING = 1,
		TOLERANCE,
		MAX_ITERATIONS,
		TOP,
		NAMES,
		FORMATS,
		ISA
	};
	static const struct option options[] = { { "damping", required_argument, NULL, DAMPING },
		                                     { "tolerance", required_argument, NULL, TOLERANCE },
		                                     { "max-iterations", required_argument, NULL,
		                                       MAX_ITERATIONS },
		                                     { "top", required_argument, NULL, TOP },
		                                     { "names", required_argument, NULL, NAMES },
		                                     { "out", required_argument, NULL, OUT },
		                                     { "format", required_argument, NULL, FORMAT },
		                                     { "formats", required_argument, NULL, FORMATS },
		                                     { "isa", required_argument, NULL, ISA },
		                                     CLI_WISDOM_OPTIONS,
		                                     CLI_JSON_OPTION,
		                                     CLI_READ_OPTIONS,
		                                     CLI_HELP_OPTION,
		                                     { NULL, 0, NULL, 0 } };
	cli_common common = { .command = "pagerank", .warn = 1, .whole = 1 };
	wishes w = { .damping = 0.85, .tolerance = 1e-8, .top = 10 };
	int option;

	while ((option = cli_option(argc, argv, "f:o:", options, &common)) != -1) {
		switch (option) {
		case DAMPING: w.damping = cli_number("--damping", optarg, 1e-6, 0.999999); break;
		case TOLERANCE: w.tolerance = cli_number("--tolerance", optarg, 1e-300, 1); break;
		case MAX_ITERATIONS:
			w.max_iterations = cli_integer("--max-iterations", optarg, 1, 1000000000);
			break;
		case TOP: w.top = cli_integer("--top", optarg, 0, 1000000); break;
		case NAMES: w.names = optarg; break;
		case OUT: w.out = optarg; break;
		case FORMAT: w.format = optarg; break;
		case FORMATS: w.formats = optarg; break;
		default: w.isa = optarg; break;
		}
	}
	const char *const path = cli_arguments(argc, argv, 1, "FILE")[0];
	if (w.format && common.wisdom)
		cli_usage(
		    "--wisdom is for plans that choose a format: it cannot be combined with --format");
	if (w.formats && !*w.formats)
		cli_usage("--formats requires names, for example csr,csr2,auto");
	if (w.out)
		cli_check_output(w.out, path);
	return run(&common, path, &w);
}
