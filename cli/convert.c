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

int cli_convert(int argc, char **argv)
{
	enum { GENERAL = 1 };
	static const struct option options[] = { { "general", no_argument, NULL, GENERAL },
		                                     CLI_VALUE_TYPE_OPTION,
		                                     CLI_READ_OPTIONS,
		                                     CLI_HELP_OPTION,
		                                     { NULL, 0, NULL, 0 } };
	cli_common common = { .command = "convert" };
	int general = 0;

	while (cli_option(argc, argv, "", options, &common) != -1)
		general = 1;
	char **const names = cli_arguments(argc, argv, 2, "IN OUT");
	cli_check_matrix_output(names[1], names[0]);
	cli_matrix m = cli_read(&common, names[0], NULL);
	tulle_matrix *const expanded = general ? expand(&m) : NULL;
	cli_write(&common, expanded ? expanded : m.matrix, names[1], m.file.comment);
	tulle_matrix_destroy(expanded);
	cli_close(&m);
	return CLI_OK;
}
