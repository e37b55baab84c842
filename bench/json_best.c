/* json_best.c -- the members "summary" and "refused" of the results: the best of our formats. */
#include "best.h"
#include "json.h"
#include "json_text.h"

#include <math.h>
#include <stdlib.h>

static const char *name_or_empty(const bench_row *row)
{
	return row ? row->contender : "";
}

static void best(FILE *out, const bench_best *b)
{
	json_text(out, "      {", "matrix", b->plain->matrix, ", ");
	json_text(out, "", "class", b->plain->class ? b->plain->class->name : "", ", ");
	json_text(out, "", "format", name_or_empty(b->ours), ", ");
	json_number(out, "over_plain", bench_over(b->ours, b->plain), ", ");
	json_number(out, "over_mkl", bench_over(b->ours, b->mkl), ", ");
	json_number(out, "over_peer", bench_over(b->ours, b->peer), ", ");
	json_text(out, "", "peer", name_or_empty(b->peer), ", ");
	fprintf(out, "\"sure\": %s}", b->sure ? "true" : "false");
}

static void gain(FILE *out, const char *start, const bench_gain *g, const char *end)
{
	fprintf(out, "%s\"matrices\": %d, ", start, g->matrices);
	json_number(out, "over_plain", g->over_plain, ", ");
	json_number(out, "over_mkl", g->over_mkl, ", ");
	json_number(out, "over_peer", g->over_peer, end);
}

static void classes(FILE *out, const bench_bests *bests)
{
	const bench_class *class;
	const char *separator = "\n";
	fputs("    \"classes\": [", out);
	for (int n = 0; (class = bench_class_at(n)); n++) {
		bench_gain g = bench_gain_of(bests, class);
		if (!g.matrices)
			continue;
		fputs(separator, out);
		json_text(out, "      {", "class", class->name, ", ");
		json_text(out, "", "about", class->about, ", ");
		json_number(out, "asked", class->floor, ", ");
		gain(out, "", &g, "}");
		separator = ",\n";
	}
	fputs("],\n", out);
}

static void below(FILE *out, const bench_bests *bests)
{
	const char *separator = "";
	fputs("    \"below\": [", out);
	for (int n = 0; n < bests->count; n++) {
		const bench_best *b = &bests->item[n];
		if (!b->sure || !(bench_over(b->ours, b->peer) < BENCH_FLOOR_EACH))
			continue;
		fputs(separator, out);
		json_string(out, b->plain->matrix);
		separator = ", ";
	}
	fputs("],\n", out);
}

static void shares(FILE *out, const bench_bests *bests)
{
	bench_shares s = bench_shares_of(bests);
	fprintf(out, "    \"bandwidth\": {\"matrices\": %d, \"streams\": %d, ", s.matrices, s.streams);
	json_number(out, "stored", s.stored, ", ");
	json_number(out, "moved", s.moved, ", ");
	json_number(out, "streams_stored", s.streams_stored, "},\n");
}

static void cost(FILE *out, const char *start, const char *name, const bench_cost *c)
{
	json_text(out, start, "contender", name, ", ");
	fprintf(out, "\"matrices\": %d, ", c->matrices);
	json_number(out, "median", c->matrices ? c->median : NAN, ", ");
	json_number(out, "most", c->matrices ? c->most : NAN, "}");
}

/* Of each contender, and "best" of the best of ours. */
static void costs(FILE *out, const bench_bests *bests, const bench_contenders *contenders)
{
	bench_cost c;
	fputs("    \"conversion\": [\n", out);
	for (int n = 0; n < contenders->count; n++)
		if (!bench_cost_of(bests, contenders->item[n].name, contenders->count, &c)) {
			cost(out, "      {", contenders->item[n].name, &c);
			fputs(",\n", out);
		}
	if (bench_cost_of(bests, NULL, contenders->count, &c))
		c = (bench_cost){ 0 };
	cost(out, "      {", "best", &c);
	fputs("]\n", out);
}

static void summary(FILE *out, const bench_bests *bests, const bench_contenders *contenders)
{
	bench_gain all = bench_gain_of(bests, NULL);
	fprintf(out, "{\n    \"threads\": %d,\n    \"best\": [", bests->threads);
	for (int n = 0; n < bests->count; n++) {
		fputs(n ? ",\n" : "\n", out);
		best(out, &bests->item[n]);
	}
	fputs("],\n", out);
	classes(out, bests);
	gain(out, "    \"all\": {", &all, "},\n");
	fprintf(out,
	        "    \"asked\": {\"over_mkl\": %g, \"over_peer\": %g, \"each\": %g, \"stored\": %g},\n",
	        BENCH_FLOOR_MKL, BENCH_FLOOR_PEER, BENCH_FLOOR_EACH, BENCH_FLOOR_SHARE);
	below(out, bests);
	shares(out, bests);
	costs(out, bests, contenders);
	fputs("  }", out);
}

static void refused(FILE *out, const bench_results *results)
{
	const char *separator = "\n";
	fputs("  \"refused\": [", out);
	for (int n = 0; n < results->count; n++) {
		const bench_row *row = &results->row[n];
		if (row->verdict != BENCH_REFUSED)
			continue;
		fputs(separator, out);
		json_text(out, "    {", "matrix", row->matrix, ", ");
		json_text(out, "", "contender", row->contender, ", ");
		fprintf(out, "\"threads\": %d, ", row->threads);
		json_text(out, "", "reason", row->reason, "}");
		separator = ",\n";
	}
	fputs("]\n", out);
}

void bench_json_best(FILE *out, const bench_results *results, const bench_contenders *contenders)
{
	const char *separator = "";
	fputs("  \"summary\": [", out);
	for (int t = 0; (t = bench_next_threads(results, t));) {
		bench_bests bests;
		if (!bench_find_best(results, contenders->count, t, &bests)) {
			fputs(separator, out);
			summary(out, &bests, contenders);
			separator = ", ";
		}
		free(bests.item);
	}
	fputs("],\n", out);
	refused(out, results);
}
