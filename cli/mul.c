/* mul.c -- `tulle mul FILE`: plan, multiply, check against the oracle, and time it. */
#include "mul.h"

/* ---- multiply -------------------------------------------------------------------------------- */

static tulle_status multiply_once(const cli_product *p)
{
	switch (p->type) {
	case TULLE_F32: return tulle_mul_f32(p->plan, 1, p->x, 0, p->y);
	case TULLE_F64: return tulle_mul_f64(p->plan, 1, p->x, 0, p->y);
	case TULLE_C64:
		return tulle_mul_c64(p->plan, (tulle_c64){ 1, 0 }, p->x, (tulle_c64){ 0, 0 }, p->y);
	case TULLE_C128:
		return tulle_mul_c128(p->plan, (tulle_c128){ 1, 0 }, p->x, (tulle_c128){ 0, 0 }, p->y);
	case TULLE_F16:
	case TULLE_BF16: break; /* no vectors have these */
	}
	return TULLE_E_INTERNAL;
}

void cli_multiply(void *product, int times)
{
	const cli_product *const p = product;

	for (int n = 0; n < times; n++) {
		const tulle_status status = multiply_once(p);

		if (status)
			cli_fail_status(status, 0);
	}
}

/* ---- tell ------------------------------------------------------------------------------------ */

/* Results for one direction of a plan. */
typedef struct {
	tulle_plan_info info;
	cli_timing time;
	kit_verdict verdict;
} found;

/* back: of A^T x, where the plan is for both directions; NULL: it is not. */
static void print_result(const cli_matrix *m, const cli_mul_wishes *w, const tulle_plan *plan,
                         const found *f, const found *back)
{
	char *const text = cli_explain(plan, 1);

	cli_print_matrix(m);
	printf("%s", text);
	cli_free(text);
	if (!w->format)
		cli_print_wisdom(w->wisdom);
	cli_print_timing(&f->time, cli_products(f->info.value_type, f->info.nnz));
	cli_print_verdict(&f->verdict);
	if (!back)
		return;
	printf("\ny = A^T x with %s, kernel %s\n", back->info.format, back->info.kernel);
	cli_print_timing(&back->time, cli_products(back->info.value_type, back->info.nnz));
	cli_print_verdict(&back->verdict);
}

static void json_result(const cli_matrix *m, const cli_mul_wishes *w, const tulle_plan *plan,
                        const found *f, const found *back)
{
	const tulle_plan_info *const info = &f->info;
	char *const text = cli_explain(plan, 0);

	cli_json_open(NULL, '{');
	cli_json_matrix(m);
	cli_json_open("plan", '{');
	cli_json_text("format", info->format);
	cli_json_text("kernel", info->kernel);
	cli_json_text("isa", info->isa);
	cli_json_bool("transposed", info->op == TULLE_TRANSPOSED);
	cli_json_bool("both", info->op == TULLE_BOTH);
	cli_json_integer("stores", info->stores);
	cli_json_text("value_type", cli_type_name(info->value_type));
	cli_json_integer("bytes", (int64_t)info->bytes);
	cli_json_integer("extra_bytes", (int64_t)info->extra_bytes);
	cli_json_number("seconds", info->seconds);
	cli_json_text("note", info->note);
	cli_json_text("explain", text);
	cli_free(text);
	cli_json_close();
	cli_json_wisdom(w->wisdom);
	cli_json_timing(&f->time, cli_products(info->value_type, info->nnz));
	cli_json_verdict(&f->verdict);
	if (back) {
		cli_json_open("transposed", '{');
		cli_json_text("format", back->info.format);
		cli_json_text("kernel", back->info.kernel);
		cli_json_timing(&back->time, cli_products(back->info.value_type, back->info.nnz));
		cli_json_verdict(&back->verdict);
		cli_json_close();
	}
	cli_json_close();
}

/* ---- the whole ------------------------------------------------------------------------------- */

/* The plan of the file, if it is for this operation and the options request no other. */
static int has_plan(const cli_matrix *m, const cli_mul_wishes *w)
{
	tulle_plan_info info = { .size = sizeof info };

	return m->plan && !w->format && w->multiplies == 0 && !tulle_plan_describe(m->plan, &info) &&
	       info.op == w->op;
}

static tulle_plan *make_plan(cli_matrix *m, const cli_mul_wishes *w)
{
	tulle_plan *plan = NULL;

	if (has_plan(m, w)) {
		plan = m->plan;
		m->plan = NULL;
		return plan;
	}
	const tulle_status status =
	    tulle_plan_create(m->matrix,
	                      &(tulle_plan_options){ .size = sizeof(tulle_plan_options),
	                                             .multiplies = w->multiplies,
	                                             .op = w->op,
	                                             .format = w->format,
	                                             .stores = w->stores,
	                                             .wisdom = w->wisdom },
	                      &plan);
	if (status)
		cli_fail_plan(status, w->format);
	return plan;
}

/* Multiply by A or A^T, as `op` says and the plan does. */
static found multiply_and_check(const cli_common *common, const cli_matrix *m,
                                const tulle_plan *plan, tulle_op op, double seconds)
{
	const tulle_value_type type = m->view.value_type;
	const size_t size = cli_value_size(type);
	tulle_context_info context = { .size = sizeof context };
	found f = { .info.size = sizeof f.info };

	tulle_plan_describe(plan, &f.info);
	void *const x = cli_alloc(f.info.cols, size), *const y = cli_alloc(f.info.rows, size);
	kit_random_fill(KIT_UNIFORM, 1, cli_part_type(type), cli_parts(type) * f.info.cols, x);
	cli_spoil(cli_part_type(type), y, cli_parts(type) * f.info.rows);

	cli_progress_begin(common, "timing", m->name);
	f.time = cli_measure(cli_multiply, &(cli_product){ plan, type, x, y }, seconds);
	tulle_context_describe(m->context, &context);
	f.time.threads = context.last_team;
	f.time.bytes = (double)f.info.bytes + (double)(f.info.rows + f.info.cols) * (double)size;
	cli_progress_end();

	/* The y of the last timed multiplication is the one to check. */
	cli_progress_begin(common, "checking", m->name);
	f.verdict = cli_verdict(&m->view, op, x, y);
	cli_progress_end();
	cli_free(x);
	cli_free(y);
	return f;
}

static int run(const cli_common *common, const char *path, const cli_mul_wishes *w)
{
	const int both = w->op == TULLE_BOTH;
	cli_matrix m = cli_read_with_plan(common, path, w->isa);
	found back = { .info.size = 0 };

	cli_progress_begin(common, "planning", m.name);
	tulle_plan *const plan = make_plan(&m, w);
	cli_progress_end();
	const found f = multiply_and_check(common, &m, plan, both ? TULLE_NORMAL : w->op, w->seconds);
	if (both)
		back = multiply_and_check(common, &m, tulle_plan_transposed(plan), TULLE_TRANSPOSED,
		                          w->seconds);
	if (common->json)
		json_result(&m, w, plan, &f, both ? &back : NULL);
	else
		print_result(&m, w, plan, &f, both ? &back : NULL);
	tulle_plan_destroy(plan);
	cli_close(&m);
	return f.verdict.violations || (both && back.verdict.violations) ? CLI_WRONG : CLI_OK;
}

int cli_mul(int argc, char **argv)
{
	enum { FORMAT = 'f', TRANSPOSED = 't', MULTIPLIES = 1, SECONDS, ISA, DEVICE, BOTH, STORES };
	static const struct option options[] = { { "format", required_argument, NULL, FORMAT },
		                                     { "transposed", no_argument, NULL, TRANSPOSED },
		                                     { "both", no_argument, NULL, BOTH },
		                                     { "stores", required_argument, NULL, STORES },
		                                     { "multiplies", required_argument, NULL, MULTIPLIES },
		                                     { "seconds", required_argument, NULL, SECONDS },
		                                     { "isa", required_argument, NULL, ISA },
		                                     { "device", required_argument, NULL, DEVICE },
		                                     CLI_WISDOM_OPTIONS,
		                                     CLI_VALUE_TYPE_OPTION,
		                                     CLI_JSON_OPTION,
		                                     CLI_READ_OPTIONS,
		                                     CLI_HELP_OPTION,
		                                     { NULL, 0, NULL, 0 } };
	cli_common common = { .command = "mul", .complex = 1 };
	cli_mul_wishes w = { .seconds = 0.5 };
	int option;

	while ((option = cli_option(argc, argv, "f:t", options, &common)) != -1) {
		switch (option) {
		case FORMAT: w.format = optarg; break;
		case TRANSPOSED: cli_set_op(&w.op, TULLE_TRANSPOSED); break;
		case BOTH: cli_set_op(&w.op, TULLE_BOTH); break;
		case STORES: w.stores = (int)cli_integer("--stores", optarg, 1, 2); break;
		case MULTIPLIES: w.multiplies = cli_number("--multiplies", optarg, 1, 1e18); break;
		case SECONDS: w.seconds = cli_number("--seconds", optarg, 0.001, 86400); break;
		case ISA: w.isa = optarg; break;
		default: w.device = optarg; break;
		}
	}
	if (w.device && (w.isa || w.multiplies > 0))
		cli_usage("--device cannot be combined with --isa or --multiplies");
	cli_check_both(w.op, w.stores, w.device);
	if ((w.device || w.format) && common.wisdom)
		cli_usage("--wisdom is for plans that choose a format: it cannot be combined with --format "
		          "or --device");
	if (!w.format)
		w.wisdom = cli_wisdom(&common, 0);
	const char *const path = cli_arguments(argc, argv, 1, "FILE")[0];
	return w.device ? cli_mul_device(&common, path, &w) : run(&common, path, &w);
}
