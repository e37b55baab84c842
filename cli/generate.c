/* generate.c -- `tulle generate`: matrices of many kinds, and stand-ins for published ones. */
#include "cli.h"
#include "kit.h"

#include <string.h>

/* ---- lists ----------------------------------------------------------------------------------- */

static void list_kinds(void)
{
	const kit_kind *kind;

	printf("%skinds%s  tulle generate KIND[:PARAMETER=VALUE,...] -o FILE\n\n", cli_bold(),
	       cli_plain());
	for (int n = 0; (kind = kit_kind_at(n)); n++) {
		printf("%s%-12s%s %s\n", cli_bold(), kind->name, cli_plain(), kind->about);
		for (const kit_param *p = kind->params; p->name; p++)
			printf(*p->about ? "    %s=%-*s %s\n" : "    %s=%.*s\n", p->name,
			       *p->about ? (int)(20 - strlen(p->name)) : (int)strlen(p->value), p->value,
			       p->about);
	}
}

static void list_published(void)
{
	const kit_published *p;

	printf("\n%sstand-ins%s  tulle generate --like NAME -o FILE\n\n", cli_bold(), cli_plain());
	printf("%-12s %-16s %10s %10s %11s  %s\n", "name", "also", "rows", "columns", "entries",
	       "papers");
	for (int n = 0; (p = kit_published_at(n)); n++)
		printf("%-12s %-16s %10s %10s %11s  %s%s\n", p->name, p->alias, cli_commas(p->rows),
		       cli_commas(p->cols), cli_commas(p->nnz), p->papers,
		       p->half_nnz >= 0 ? "; NAME:half too" : "");
}

static void json_figure(const char *key, double value)
{
	if (value < 0)
		cli_json_null(key);
	else
		cli_json_number(key, value);
}

static void json_lists(void)
{
	const kit_kind *kind;
	const kit_published *p;

	cli_json_open(NULL, '{');
	cli_json_open("kinds", '[');
	for (int n = 0; (kind = kit_kind_at(n)); n++) {
		cli_json_open(NULL, '{');
		cli_json_text("name", kind->name);
		cli_json_text("about", kind->about);
		cli_json_open("parameters", '[');
		for (const kit_param *q = kind->params; q->name; q++) {
			cli_json_open(NULL, '{');
			cli_json_text("name", q->name);
			cli_json_text("default", q->value);
			cli_json_text("about", q->about);
			cli_json_close();
		}
		cli_json_close();
		cli_json_close();
	}
	cli_json_close();
	cli_json_open("stand_ins", '[');
	for (int n = 0; (p = kit_published_at(n)); n++) {
		cli_json_open(NULL, '{');
		cli_json_text("name", p->name);
		cli_json_text("alias", p->alias);
		cli_json_text("papers", p->papers);
		cli_json_integer("rows", p->rows);
		cli_json_integer("cols", p->cols);
		cli_json_integer("nnz", p->nnz);
		json_figure("half_nnz", (double)p->half_nnz);
		json_figure("min_row", p->min);
		json_figure("mean_row", p->avg);
		json_figure("max_row", p->max);
		json_figure("sd_row", p->sd);
		cli_json_close();
	}
	cli_json_close();
	cli_json_close();
}

/* ---- make ------------------------------------------------------------------------------------ */

static void comment_on(const kit_matrix *m, const char *wanted, char *text, size_t size)
{
	if (m->stand_in)
		snprintf(text, size,
		         " tulle " CLI_STAND_IN "%s\n"
		         " It has that matrix's published sizes and row-length statistics and a structure\n"
		         " of the same kind, but neither its pattern nor its values.\n",
		         cli_safe(wanted));
	else
		snprintf(text, size, " tulle generate %s\n", cli_safe(wanted));
}

static int make(const cli_common *common, const char *wanted, int like, const char *output)
{
	tulle_context *const context = cli_context(common, NULL);
	tulle_matrix *matrix = NULL;
	kit_matrix m;
	char comment[1024];

	cli_progress_begin(common, "generating", cli_safe(wanted));
	const int failed = like ? kit_like(wanted, &m) : kit_generate(wanted, &m);
	cli_progress_end();
	if (failed)
		cli_usage("%s", kit_error());
	const tulle_csr_view v = kit_view(&m);
	const tulle_status status =
	    tulle_matrix_from_csr(context, v.rows, v.cols, v.offset_type, v.row_ptr, v.column_type,
	                          v.col, v.value_type, v.val, NULL, &matrix);
	if (status)
		cli_fail_status(status, 0);
	comment_on(&m, wanted, comment, sizeof comment);
	if (m.stand_in)
		printf("A STAND-IN for %s: like it in its figures, not that matrix itself.\n",
		       cli_safe(wanted));
	cli_write(common, matrix, NULL, output, comment);
	tulle_matrix_destroy(matrix);
	tulle_context_destroy(context);
	kit_free(&m);
	return CLI_OK;
}

int cli_generate(int argc, char **argv)
{
	enum { OUTPUT = 'o', LIKE = 1, LIST };
	static const struct option options[] = { { "output", required_argument, NULL, OUTPUT },
		                                     { "like", required_argument, NULL, LIKE },
		                                     { "list", no_argument, NULL, LIST },
		                                     { "threads", required_argument, NULL,
		                                       CLI_OPT_THREADS },
		                                     { "quiet", no_argument, NULL, CLI_OPT_QUIET },
		                                     CLI_JSON_OPTION,
		                                     CLI_HELP_OPTION,
		                                     { NULL, 0, NULL, 0 } };
	cli_common common = { .command = "generate" };
	const char *output = NULL, *like = NULL;
	int option, list = 0;

	while ((option = cli_option(argc, argv, "o:", options, &common)) != -1) {
		switch (option) {
		case OUTPUT: output = optarg; break;
		case LIKE: like = optarg; break;
		default: list = 1; break;
		}
	}
	char **const names = cli_arguments(argc, argv, like || list ? 0 : 1, "KIND");
	if (common.json && !list)
		cli_usage("--json goes with --list");
	if (list && common.json) {
		json_lists();
	} else if (list) {
		list_kinds();
		list_published();
	} else {
		if (!output)
			cli_usage("missing option: -o FILE");
		cli_check_matrix_output(output, NULL);
		return make(&common, like ? like : names[0], like != NULL, output);
	}
	return CLI_OK;
}
