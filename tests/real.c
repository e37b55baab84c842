/* real.c -- every format on matrices as they come from practice, badly scaled ones above all: within
 * the bound that CSR keeps to.
 *
 * bcsstk25 and s3rmt3m3 of $TULLE_MATRICES, with --full every matrix there of at most 100000
 * entries; always a generated one whose rows and columns are scaled by powers from 2^-40 to 2^40.
 * A segmented sum that takes differences of prefix sums loses five digits on these. */
#include "kit.h"
#include "support.h"

#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_ENTRIES = 100000 };

static struct {
	int plans, refused;
	double worst;
} tally;

/* ---- one matrix ---- */

static void check_plan(const tulle_plan *plan, const kit_oracle *oracle, const double *x, double *y,
                       int64_t rows)
{
	kit_verdict v;

	value_fill(TULLE_F64, y, rows, NAN);
	if (!CHECK_OK(tulle_mul_f64(plan, 1, x, 0, y)))
		return;
	v = kit_oracle_check(oracle, y);
	tally.plans++;
	tally.worst = v.worst > tally.worst ? v.worst : tally.worst;
	CHECK_THAT(v.violations == 0, "%lld rows beyond the bound, the worst %g of it",
	           (long long)v.violations, v.worst);
}

static void check_isa(const options *o, const tulle_csr_view *view, const kit_oracle *oracle,
                      const char *name, const char *isa, const double *x, double *y)
{
	tulle_context *context = context_for(isa, 0, 0);
	tulle_matrix *a = NULL;
	const char *format;
	char *spec;

	CHECK_OK(tulle_matrix_from_csr(context, view->rows, view->cols, view->offset_type,
	                               view->row_ptr, view->column_type, view->col, view->value_type,
	                               view->val, NULL, &a));
	for (int f = 0; a && (format = tulle_formats(f)); f++) {
		for (int n = 0; wants_format(o, format) && (spec = format_spec(format, n)); n++) {
			tulle_plan *plan;

			check_about("%s, %s, %s", spec, isa, name);
			plan = plan_unless_padded(a, spec, TULLE_NORMAL);
			if (plan)
				check_plan(plan, oracle, x, y, view->rows);
			else
				tally.refused++;
			tulle_plan_destroy(plan);
			free(spec);
		}
	}
	tulle_matrix_destroy(a);
	tulle_context_destroy(context);
}

static void check_view(const options *o, const tulle_csr_view *view, const char *name)
{
	double *x = grab(view->cols, sizeof *x), *y = grab(view->rows, sizeof *y);
	kit_oracle *oracle;

	kit_random_fill(KIT_UNIFORM, 11, TULLE_F64, view->cols, x);
	oracle = kit_oracle_create(view, TULLE_NORMAL, 1, x, 0, NULL);
	tally.plans = tally.refused = 0;
	tally.worst = 0;
	if (CHECK_THAT(oracle, "the oracle: %s", kit_error()))
		for (int i = 0; i < ISAS; i++)
			if (wants_isa(o, isas[i]))
				check_isa(o, view, oracle, name, isas[i], x, y);
	check_group("%s: %d plans, worst error %.3f of its bound, %d refused", name, tally.plans,
	            tally.worst, tally.refused);
	kit_oracle_free(oracle);
	free(x);
	free(y);
}

/* ---- which matrices ---- */

static void check_generated(const options *o)
{
	kit_matrix m;
	tulle_csr_view view;

	check_about("generated");
	if (!CHECK_THAT(kit_generate("fem:n=9", &m) == 0, "%s", kit_error()))
		return;
	for (int64_t i = 0; i < m.rows; i++)
		for (int64_t k = m.row_ptr[i]; k < m.row_ptr[i + 1]; k++)
			m.val[k] = ldexp(m.val[k], (int)(i * 7 % 41 + m.col[k] * 7 % 41) - 40);
	view = kit_view(&m);
	check_view(o, &view, "fem, scaled by 2^-40 to 2^40");
	kit_free(&m);
}

static int badly_scaled(const char *file)
{
	return strncmp(file, "bcsstk25.", 9) == 0 || strncmp(file, "s3rmt3m3.", 9) == 0;
}

static void check_file(const options *o, const char *folder, const char *file)
{
	char path[1024];
	tulle_matrix *a = NULL;
	tulle_file_info info = { .size = sizeof info };
	tulle_csr_view view = { .size = sizeof view };

	snprintf(path, sizeof path, "%s/%s", folder, file);
	check_about("%s", file);
	if (tulle_file_describe(path, &info) != TULLE_OK ||
	    (info.entries > MOST_ENTRIES && !badly_scaled(file)) ||
	    tulle_matrix_read(NULL, path, NULL, &a) != TULLE_OK)
		return; /* whether files can be read is another test's question */
	CHECK_OK(tulle_matrix_view_csr(a, &view));
	if (view.value_type == TULLE_F64)
		check_view(o, &view, file);
	tulle_matrix_destroy(a);
}

static void check_folder(const options *o, const char *folder)
{
	DIR *d = opendir(folder);
	const struct dirent *e;

	CHECK_THAT(d, "TULLE_MATRICES = %s cannot be opened", folder);
	if (!d)
		return;
	while ((e = readdir(d)))
		if (strstr(e->d_name, ".mtx") && (o->full || badly_scaled(e->d_name)))
			check_file(o, folder, e->d_name);
	closedir(d);
}

int main(int argc, char **argv)
{
	const options o = read_options(argc, argv);
	const char *folder = getenv("TULLE_MATRICES");

	check_generated(&o);
	if (folder && *folder)
		check_folder(&o, folder);
	else
		printf("TULLE_MATRICES is not set: no real matrices\n");
	return walk_end();
}
