/* plan.c -- `tulle plan FILE`: which format tulle chooses, why, and what the others would cost. */
#include "plan_device.h"
#include "plot.h"

#include <math.h>
#include <string.h>

typedef struct {
	const char *isa, *wisdom, *plot, *device;
	double multiplies, max_seconds;
	int64_t vectors;
	size_t max_bytes;
	tulle_effort effort;
	tulle_op op;
	int stores; /* 0: tulle chooses */
} wishes;

char *cli_explain(const tulle_plan *plan, int only_plan)
{
	const size_t length = tulle_plan_explain(plan, NULL, 0);
	char *const text = cli_alloc((int64_t)length + 1, 1);

	tulle_plan_explain(plan, text, length + 1);
	char *const more = strstr(text, "\n\n");
	if (only_plan && more)
		more[1] = 0;
	return text;
}

/* ---- tell ------------------------------------------------------------------------------------ */

/* The first line and the row of the choice are highlighted. */
static void print_explanation(const char *text)
{
	for (const char *line = text; *line;) {
		const int length = (int)strcspn(line, "\n");
		const int bold = line == text || line[0] == '>';

		printf("%s%.*s%s\n", bold ? cli_bold() : "", length, line, bold ? cli_plain() : "");
		line += length + (line[length] == '\n');
	}
}

static void print_plan(const cli_weighed *w, const tulle_plan *plan, const wishes *wish)
{
	char *const text = cli_explain(plan, 0);

	cli_print_matrix(w->matrix);
	print_explanation(text);
	if (strstr(text, "\n\n"))
		printf("\n");
	cli_free(text);
	cli_print_wisdom(wish->wisdom);
	if (wish->plot)
		printf("\nwrote %s\n", cli_safe(wish->plot));
}

static void json_plan_info(const tulle_plan_info *i)
{
	cli_json_open("plan", '{');
	cli_json_text("format", i->format);
	cli_json_text("kernel", i->kernel);
	cli_json_text("isa", i->isa);
	cli_json_text("why", i->why);
	cli_json_bool("transposed", i->op == TULLE_TRANSPOSED);
	cli_json_bool("both", i->op == TULLE_BOTH);
	cli_json_integer("stores", i->stores);
	cli_json_text("way", i->way);
	cli_json_integer("rows", i->rows);
	cli_json_integer("cols", i->cols);
	cli_json_integer("nnz", i->nnz);
	cli_json_text("value_type", cli_type_name(i->value_type));
	cli_json_number("multiplies", i->multiplies);
	cli_json_integer("vectors", i->vectors);
	cli_json_integer("bytes", (int64_t)i->bytes);
	cli_json_integer("extra_bytes", (int64_t)i->extra_bytes);
	cli_json_integer("scratch", (int64_t)i->scratch);
	cli_json_integer("parts", i->parts);
	cli_json_bool("borrows_values", i->borrows_values);
	cli_json_text("note", i->note);
	cli_json_number("value_error", i->value_error);
	cli_json_number("seconds", i->seconds);
	cli_json_number("convert_seconds", i->convert_seconds);
	cli_json_known("multiply_seconds", i->multiply_seconds);
	cli_json_bool("measured", i->measured);
	cli_json_known("transposed_seconds", i->transposed_seconds);
	cli_json_bool("transposed_measured", i->transposed_measured);
	cli_json_known("read_bandwidth", i->read_bandwidth);
	cli_json_bool("machine_measured", i->machine_measured);
	cli_json_close();
}

static void json_candidate(const tulle_candidate_info *c)
{
	cli_json_open(NULL, '{');
	cli_json_text("format", c->format);
	cli_json_text("way", c->way);
	cli_json_bool("chosen", c->chosen);
	cli_json_bool("out", c->out);
	cli_json_text("because", c->because);
	cli_json_known("bytes", c->bytes);
	cli_json_known("convert_seconds", c->convert_seconds);
	cli_json_known("multiply_seconds", c->multiply_seconds);
	cli_json_known("measured_convert", c->measured_convert);
	cli_json_known("measured_multiply", c->measured_multiply);
	cli_json_known("spread", c->spread);
	cli_json_text("doubt", c->doubt ? c->doubt : "");
	cli_json_known("total_seconds", c->total_seconds);
	cli_json_number("break_even", c->out ? INFINITY : c->break_even);
	cli_json_close();
}

static void json_plan(const cli_weighed *w, const tulle_plan *plan, const wishes *wish)
{
	char *const text = cli_explain(plan, 0);

	cli_json_open(NULL, '{');
	cli_json_matrix(w->matrix);
	cli_json_integer("threads", w->threads);
	json_plan_info(&w->info);
	cli_json_open("candidates", '[');
	for (int n = 0; n < w->count; n++)
		json_candidate(&w->candidate[n]);
	cli_json_close();
	cli_json_wisdom(wish->wisdom);
	cli_json_text("explain", text);
	cli_json_close();
	cli_free(text);
}

/* ---- the whole ------------------------------------------------------------------------------- */

static tulle_plan *make_plan(const cli_common *common, const cli_matrix *m, const wishes *w)
{
	tulle_plan *plan = NULL;

	cli_progress_begin(common, "planning", m->name);
	const tulle_status status =
	    tulle_plan_create(m->matrix,
	                      &(tulle_plan_options){ .size = sizeof(tulle_plan_options),
	                                             .multiplies = w->multiplies,
	                                             .op = w->op,
	                                             .effort = w->effort,
	                                             .max_seconds = w->max_seconds,
	                                             .max_bytes = w->max_bytes,
	                                             .stores = w->stores,
	                                             .wisdom = w->wisdom,
	                                             .vectors = w->vectors },
	                      &plan);
	cli_progress_end();
	if (status)
		cli_fail_status(status, 0);
	return plan;
}

static void weigh(cli_weighed *w, const tulle_plan *plan, const cli_matrix *m)
{
	tulle_context_info context = { .size = sizeof context };

	*w = (cli_weighed){ .matrix = m, .info.size = sizeof w->info };
	tulle_context_describe(m->context, &context);
	w->threads = context.threads;
	tulle_plan_describe(plan, &w->info);
	while (w->count < w->info.candidates && w->count < CLI_MOST_CANDIDATES) {
		tulle_candidate_info *const c = &w->candidate[w->count];

		c->size = sizeof *c;
		if (tulle_plan_candidate(plan, w->count++, c))
			cli_fail(CLI_INTERNAL, "%s", tulle_last_error());
	}
}

static int run(const cli_common *common, const char *path, const wishes *wish)
{
	cli_matrix m = cli_read(common, path, wish->isa);
	tulle_plan *const plan = make_plan(common, &m, wish);
	cli_weighed w;

	weigh(&w, plan, &m);
	if (wish->plot)
		cli_plot(&w, wish->plot);
	if (common->json)
		json_plan(&w, plan, wish);
	else
		print_plan(&w, plan, wish);
	tulle_plan_destroy(plan);
	cli_close(&m);
	return CLI_OK;
}

/* Options about times and conversions on the CPU do not apply to a device. */
static int plan_device(const cli_common *common, const char *path, const wishes *w)
{
	if (w->plot || w->isa || w->effort == TULLE_MEASURE || w->multiplies > 0 ||
	    w->max_seconds > 0 || w->max_bytes > 0 || w->vectors > 0)
		cli_usage("--device takes no --multiplies, --vectors, --measure, --max-seconds, "
		          "--max-bytes, --plot or --isa");
	return cli_plan_device(common, path, w->device, w->op);
}

int cli_plan(int argc, char **argv)
{
	enum {
		TRANSPOSED = 't',
		MULTIPLIES = 1,
		VECTORS,
		MEASURE,
		MAX_SECONDS,
		MAX_BYTES,
		PLOT,
		ISA,
		DEVICE,
		BOTH,
		STORES
	};
	static const struct option options[] = { { "multiplies", required_argument, NULL, MULTIPLIES },
		                                     { "vectors", required_argument, NULL, VECTORS },
		                                     { "measure", no_argument, NULL, MEASURE },
		                                     { "max-seconds", required_argument, NULL,
		                                       MAX_SECONDS },
		                                     { "max-bytes", required_argument, NULL, MAX_BYTES },
		                                     { "transposed", no_argument, NULL, TRANSPOSED },
		                                     { "both", no_argument, NULL, BOTH },
		                                     { "stores", required_argument, NULL, STORES },
		                                     { "plot", required_argument, NULL, PLOT },
		                                     { "isa", required_argument, NULL, ISA },
		                                     { "device", required_argument, NULL, DEVICE },
		                                     CLI_WISDOM_OPTIONS,
		                                     CLI_VALUE_TYPE_OPTION,
		                                     CLI_JSON_OPTION,
		                                     CLI_READ_OPTIONS,
		                                     CLI_HELP_OPTION,
		                                     { NULL, 0, NULL, 0 } };
	cli_common common = { .command = "plan", .complex = 1, .warn = 1 };
	wishes w = { .isa = NULL };
	int option;

	while ((option = cli_option(argc, argv, "t", options, &common)) != -1) {
		switch (option) {
		case MULTIPLIES: w.multiplies = cli_number("--multiplies", optarg, 1, 1e18); break;
		case VECTORS: w.vectors = (int64_t)cli_number("--vectors", optarg, 1, 1e6); break;
		case MEASURE: w.effort = TULLE_MEASURE; break;
		case MAX_SECONDS: w.max_seconds = cli_number("--max-seconds", optarg, 0.001, 86400); break;
		case MAX_BYTES: w.max_bytes = cli_size("--max-bytes", optarg); break;
		case TRANSPOSED: cli_set_op(&w.op, TULLE_TRANSPOSED); break;
		case BOTH: cli_set_op(&w.op, TULLE_BOTH); break;
		case STORES: w.stores = (int)cli_integer("--stores", optarg, 1, 2); break;
		case PLOT: w.plot = optarg; break;
		case DEVICE: w.device = optarg; break;
		default: w.isa = optarg; break;
		}
	}
	const char *const path = cli_arguments(argc, argv, 1, "FILE")[0];
	cli_check_both(w.op, w.stores, w.device);
	if (w.device)
		return plan_device(&common, path, &w);
	if (w.plot && !cli_ends_with(w.plot, ".svg"))
		cli_usage("'%s': the picture is an SVG file, so its name ends in .svg", w.plot);
	if (w.plot)
		cli_check_output(w.plot, path);
	w.wisdom = cli_wisdom(&common, w.effort == TULLE_MEASURE);
	return run(&common, path, &w);
}
