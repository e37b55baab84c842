/* convert.c -- `tulle convert IN OUT`: read a matrix file and write another. */
#include "cli.h"

/* The same entries as a general matrix, so that both triangles are written. */
static tulle_matrix *expand(const cli_matrix *m)
{
	const tulle_csr_view *const a = &m->view;
	tulle_matrix *general = NULL;
	const tulle_status status = tulle_matrix_from_csr(
	    m->context, a->rows, a->cols, a->offset_type, a->row_ptr, a->column_type, a->col,
	    a->value_type, a->val,
	    &(tulle_matrix_options){ .size = sizeof(tulle_matrix_options), .check = TULLE_CHECK_NONE },
	    &general);

	if (status)
		cli_fail_status(status, 1);
	return general;
}

static tulle_plan *make_plan(const cli_common *common, const cli_matrix *m, const char *format,
                             double multiplies)
{
	tulle_plan *plan = NULL;

	cli_progress_begin(common, "converting", m->name);
	const tulle_status status = tulle_plan_create(
	    m->matrix,
	    &(tulle_plan_options){
	        .size = sizeof(tulle_plan_options), .format = format, .multiplies = multiplies },
	    &plan);
	cli_progress_end();
	if (status)
		cli_fail_plan(status, format);
	char *const text = cli_explain(plan, 1);
	printf("%s", text);
	cli_free(text);
	return plan;
}

/* The same entries, converted to a storage format and back. */
static tulle_matrix *pass_through(const tulle_plan *plan, const char *format)
{
	tulle_matrix *back = NULL;
	const tulle_status status = tulle_matrix_from_plan(plan, &back);

	if (status)
		cli_fail_plan(status, format);
	return back;
}

int cli_convert(int argc, char **argv)
{
	enum { FORMAT = 'f', GENERAL = 1, MULTIPLIES };
	static const struct option options[] = { { "format", required_argument, NULL, FORMAT },
		                                     { "multiplies", required_argument, NULL, MULTIPLIES },
		                                     { "general", no_argument, NULL, GENERAL },
		                                     CLI_VALUE_TYPE_OPTION,
		                                     CLI_READ_OPTIONS,
		                                     CLI_HELP_OPTION,
		                                     { NULL, 0, NULL, 0 } };
	cli_common common = { .command = "convert", .complex = 1 };
	const char *format = NULL;
	double multiplies = 0;
	int general = 0, option;

	while ((option = cli_option(argc, argv, "f:", options, &common)) != -1) {
		if (option == FORMAT)
			format = optarg;
		else if (option == MULTIPLIES)
			multiplies = cli_number("--multiplies", optarg, 1, 1e18);
		else
			general = 1;
	}
	char **const names = cli_arguments(argc, argv, 2, "IN OUT");
	cli_check_matrix_output(names[1], names[0]);
	const int tuned = cli_ends_with(names[1], ".tulle");
	if (multiplies > 0 && !tuned)
		cli_usage("--multiplies is for plans, which only .tulle files hold: '%s'", names[1]);
	common.whole = tuned || format || general; /* what is made from the arrays has no lists */
	cli_matrix m = cli_read(&common, names[0], NULL);
	tulle_plan *const plan = tuned || format ? make_plan(&common, &m, format, multiplies) : NULL;
	tulle_matrix *const other = tuned     ? NULL
	                            : format  ? pass_through(plan, format)
	                            : general ? expand(&m)
	                                      : NULL;
	cli_write(&common, other ? other : m.matrix, tuned ? plan : NULL, names[1], m.file.comment);
	tulle_matrix_destroy(other);
	tulle_plan_destroy(plan);
	cli_close(&m);
	return CLI_OK;
}
