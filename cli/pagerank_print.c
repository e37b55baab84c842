/* pagerank_print.c -- prints ranks and the course of the iteration, as text or as JSON. */
#include "pagerank.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* ---- for a person ---------------------------------------------------------------------------- */

/* "formula, d = 0.85" and the rules below it, in the words of the library. */
static void print_rules(const cli_ranks *r)
{
	const char *const more[] = { r->rules.links, r->rules.dangling, r->rules.teleport };

	printf("%sranks       %s%s, d = %g, from %s on\n", cli_bold(), r->rules.formula, cli_plain(),
	       r->info.damping, r->rules.start);
	for (size_t n = 0; n < sizeof more / sizeof *more; n++)
		printf("            %s\n", more[n]);
	printf("norm        %s\n", r->rules.norm);
	printf("stop        %s, tolerance = %g\n", r->rules.stop, r->info.tolerance);
}

static void print_end(const cli_ranks *r)
{
	const tulle_pagerank_info *const i = &r->info;

	printf("nodes       %s, %s of them dangling; %s links\n", cli_commas(i->nodes),
	       cli_commas(i->dangling), cli_commas(i->links));
	printf("iterations  %s", cli_commas(i->iterations));
	if (i->converged)
		printf(" (%s are enough for any graph)",
		       cli_commas(tulle_pagerank_iterations(i->damping, i->tolerance)));
	else
		printf(", %sNOT CONVERGED%s", cli_bold(), cli_plain());
	printf("; residual %.3g\n", i->residual);
	printf("error       at most %.3g but for rounding, d/(1-d) times the residual (L1)\n",
	       i->error_bound);
	printf("measured    %.6f ms per iteration, %.3f ms total; %.3f ms to count links and plan; %d "
	       "thread%s\n",
	       1e3 * i->seconds_per_iteration, 1e3 * i->seconds, 1e3 * i->create_seconds, r->threads,
	       r->threads == 1 ? "" : "s");
}

/* Residuals decrease by a factor per iteration, so the bars show their logarithms. */
static void print_curve(const cli_ranks *r)
{
	enum { LINES = 12, BAR = 40 };
	const int64_t count = r->info.iterations;
	const double high = log(r->residual[0]), low = log(r->info.tolerance);

	if (!(high > low))
		return;
	printf("\n%siteration    residual%s\n", cli_bold(), cli_plain());
	for (int64_t line = 0, before = -1; line < LINES; line++) {
		const int64_t k = (count - 1) * line / (LINES - 1);

		if (k == before)
			continue;
		before = k;
		printf("%9s  %10.3e ", cli_commas(k + 1), r->residual[k]);
		cli_bar((int)ceil((log(r->residual[k]) - low) / (high - low) * BAR), BAR);
		putchar('\n');
	}
}

static void print_top(const cli_ranks *r)
{
	if (!r->top_count)
		return;
	printf("\n%s            rank      node%s%s\n", cli_bold(), r->name ? "  name" : "",
	       cli_plain());
	for (int64_t n = 0; n < r->top_count; n++) {
		printf("%4s  %.8e  %8s", cli_commas(n + 1), r->ranks[r->top[n]], cli_commas(r->top[n] + 1));
		if (r->name)
			printf("  %s", cli_safe(r->name[n]));
		putchar('\n');
	}
}

static void print_contenders(const cli_ranks *r)
{
	if (!r->contenders)
		return;
	printf("\n%s%-16s %-8s  ms/iteration      best  ms to plan%s\n", cli_bold(), "format", "is",
	       cli_plain());
	for (int n = 0; n < r->contenders; n++) {
		const cli_contender *const c = &r->contender[n];

		printf("%-16s %-8s %13.6f %9.6f %11.3f\n", cli_safe(c->asked), c->format, 1e3 * c->median,
		       1e3 * c->best, 1e3 * c->plan_seconds);
	}
}

void cli_pagerank_print(const cli_ranks *r)
{
	char *const text = cli_explain(tulle_pagerank_plan(r->graph), 1);

	cli_print_matrix(r->matrix);
	print_rules(r);
	print_end(r);
	printf("\n%s", text);
	cli_free(text);
	if (!r->format)
		cli_print_wisdom(r->wisdom);
	print_curve(r);
	print_contenders(r);
	print_top(r);
}

/* ---- as JSON --------------------------------------------------------------------------------- */

static void json_rules(const tulle_pagerank_rules *rules)
{
	cli_json_text("formula", rules->formula);
	cli_json_text("links_rule", rules->links);
	cli_json_text("dangling_rule", rules->dangling);
	cli_json_text("teleport", rules->teleport);
	cli_json_text("start", rules->start);
	cli_json_text("norm", rules->norm);
	cli_json_text("stop", rules->stop);
}

static void json_run(const cli_ranks *r)
{
	const tulle_pagerank_info *const i = &r->info;

	cli_json_number("damping", i->damping);
	cli_json_number("tolerance", i->tolerance);
	cli_json_integer("max_iterations", i->max_iterations);
	cli_json_integer("nodes", i->nodes);
	cli_json_integer("links", i->links);
	cli_json_integer("dangling", i->dangling);
	cli_json_bool("converged", i->converged);
	cli_json_integer("iterations", i->iterations);
	cli_json_number("residual", i->residual);
	cli_json_number("error_bound", i->error_bound);
	cli_json_integer("threads", r->threads);
	cli_json_number("seconds", i->seconds);
	cli_json_number("seconds_per_iteration", i->seconds_per_iteration);
	cli_json_number("create_seconds", i->create_seconds);
	cli_json_open("residuals", '[');
	for (int64_t k = 0; k < i->iterations; k++)
		cli_json_number(NULL, r->residual[k]);
	cli_json_close();
}

static void json_plan(const tulle_plan *plan)
{
	tulle_plan_info info = { .size = sizeof info };
	char *const text = cli_explain(plan, 0);

	tulle_plan_describe(plan, &info);
	cli_json_open("plan", '{');
	cli_json_text("format", info.format);
	cli_json_text("kernel", info.kernel);
	cli_json_text("isa", info.isa);
	cli_json_text("why", info.why);
	cli_json_integer("bytes", (int64_t)info.bytes);
	cli_json_number("seconds", info.seconds);
	cli_json_text("explain", text);
	cli_json_close();
	cli_free(text);
}

static void json_top(const cli_ranks *r)
{
	cli_json_open("top", '[');
	for (int64_t n = 0; n < r->top_count; n++) {
		cli_json_open(NULL, '{');
		cli_json_integer("node", r->top[n] + 1);
		cli_json_number("rank", r->ranks[r->top[n]]);
		if (r->name)
			cli_json_text("name", r->name[n]);
		cli_json_close();
	}
	cli_json_close();
}

void cli_pagerank_json(const cli_ranks *r)
{
	cli_json_open(NULL, '{');
	cli_json_matrix(r->matrix);
	json_rules(&r->rules);
	json_run(r);
	json_plan(tulle_pagerank_plan(r->graph));
	cli_json_wisdom(r->wisdom);
	cli_json_open("formats", '[');
	for (int n = 0; n < r->contenders; n++) {
		const cli_contender *const c = &r->contender[n];

		cli_json_open(NULL, '{');
		cli_json_text("asked", c->asked);
		cli_json_text("format", c->format);
		cli_json_number("median_seconds", c->median);
		cli_json_number("best_seconds", c->best);
		cli_json_number("plan_seconds", c->plan_seconds);
		cli_json_close();
	}
	cli_json_close();
	json_top(r);
	cli_json_close();
}
