/* bench.c -- `tulle bench FILE`: every format on one matrix, measured, beside a plain loop and the choice. */
#include "bench.h"

#include <math.h>

typedef struct {
	const char *isa, *html, *compare;
	double multiplies, seconds;
	int markdown;
} wishes;

static tulle_plan *choose(const cli_common *common, const cli_matrix *m, double multiplies)
{
	tulle_plan *plan = NULL;

	cli_progress_begin(common, "planning", m->name);
	const tulle_status status =
	    tulle_plan_create(m->matrix,
	                      &(tulle_plan_options){ .size = sizeof(tulle_plan_options),
	                                             .multiplies = multiplies,
	                                             .wisdom = cli_wisdom(common, 0) },
	                      &plan);
	cli_progress_end();
	if (status)
		cli_fail_status(status, 0);
	return plan;
}

static int any_wrong(const cli_bench_results *r)
{
	int wrong = r->plain.wrong;

	for (int n = 0; n < r->count; n++)
		wrong |= r->of[n].wrong;
	return wrong;
}

static int run(const cli_common *common, const char *path, const wishes *w)
{
	static cli_bench_results r; /* large */
	tulle_context_info context = { .size = sizeof context };
	cli_matrix m = cli_read(common, path, w->isa);
	tulle_plan *const plan = choose(common, &m, w->multiplies);

	r = (cli_bench_results){ .matrix = &m,
		                     .info.size = sizeof r.info,
		                     .multiplies = w->multiplies };
	tulle_context_describe(m.context, &context);
	r.threads = context.threads;
	tulle_plan_describe(plan, &r.info);
	r.explain = cli_explain(plan, 0);
	cli_bench_measure(common, w->seconds, &r);
	cli_bench_peers(common, w->compare, w->isa, w->seconds, &r);
	if (w->html)
		cli_bench_html(&r, w->html);
	if (common->json)
		cli_bench_json(&r);
	else if (w->markdown)
		cli_bench_markdown(&r);
	else
		cli_bench_print(&r);
	if (w->html && !common->json && !w->markdown)
		printf("\nwrote %s\n", cli_safe(w->html));
	cli_free(r.explain);
	tulle_plan_destroy(plan);
	cli_close(&m);
	return any_wrong(&r) ? CLI_WRONG : CLI_OK;
}

int cli_bench(int argc, char **argv)
{
	enum { MULTIPLIES = 1, SECONDS, HTML, MARKDOWN, COMPARE, ISA };
	static const struct option options[] = { { "multiplies", required_argument, NULL, MULTIPLIES },
		                                     { "seconds", required_argument, NULL, SECONDS },
		                                     { "html", required_argument, NULL, HTML },
		                                     { "markdown", no_argument, NULL, MARKDOWN },
		                                     { "compare", required_argument, NULL, COMPARE },
		                                     { "isa", required_argument, NULL, ISA },
		                                     CLI_WISDOM_OPTIONS,
		                                     CLI_VALUE_TYPE_OPTION,
		                                     CLI_JSON_OPTION,
		                                     CLI_READ_OPTIONS,
		                                     CLI_HELP_OPTION,
		                                     { NULL, 0, NULL, 0 } };
	cli_common common = { .command = "bench" };
	wishes w = { .multiplies = 1000, .seconds = 0.3 };
	int option;

	while ((option = cli_option(argc, argv, "", options, &common)) != -1) {
		switch (option) {
		case MULTIPLIES: w.multiplies = cli_number("--multiplies", optarg, 1, 1e18); break;
		case SECONDS: w.seconds = cli_number("--seconds", optarg, 0.001, 86400); break;
		case HTML: w.html = optarg; break;
		case MARKDOWN: w.markdown = 1; break;
		case COMPARE: w.compare = optarg; break;
		default: w.isa = optarg; break;
		}
	}
	const char *const path = cli_arguments(argc, argv, 1, "FILE")[0];
	if (w.markdown && common.json)
		cli_usage("--markdown and --json exclude each other");
	if (w.html && !cli_ends_with(w.html, ".html"))
		cli_usage("'%s': the report is an HTML file, so its name ends in .html", w.html);
	if (w.html)
		cli_check_output(w.html, path);
	return run(&common, path, &w);
}
