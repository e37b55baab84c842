/* plan_updates_subjects.c -- values of every class, and matrices for which every format is chosen. */
#include "plan_updates.h"
#include "value_rules.h"

#include <stdlib.h>
#include <string.h>

/* ---- classes of values ---- */

static double symmetric(int64_t row, int64_t col, int64_t k)
{
	(void)k;
	return 1.0 / (double)(3 + (row * col + row + col) % 1009);
}

static double skew(int64_t row, int64_t col, int64_t k)
{
	return row < col ? -symmetric(row, col, k) : symmetric(row, col, k);
}

/* One entry that no sample meets. */
static double almost_symmetric(int64_t row, int64_t col, int64_t k)
{
	return row == 77 && col < 77 ? 7 : symmetric(row, col, k);
}

static double floats(int64_t row, int64_t col, int64_t k)
{
	return 0.25 + (double)((row + 3 * col + k) % 4001);
}

/* Not for a lossy plan. */
static double huge(int64_t row, int64_t col, int64_t k)
{
	return k == 30 ? 1e300 : any(row, col, k);
}

static value_rule *const rules[CLASSES] = { symmetric, almost_symmetric, one,    any,
	                                        skew,      sixteen,          floats, huge };

const char *const class_names[CLASSES] = { "symmetric", "almost symmetric", "ones",   "any",
	                                       "skew",      "sixteen values",   "floats", "huge" };

/* ---- matrices and the formats that are chosen for them ---- */

const subject subjects[SUBJECTS] = {
	{ "fem:n=6,b=3", "sym", 1e4, 150000, SYMMETRIC, 0 }, /* csr is all that is left */
	{ "fem:n=6,b=3", "bsell", 1e4, 0, ANY, 0 },
	{ "stencil5:n=60", "sell", 1e4, 0, ANY, 0 },
	{ "lp:rows=50,cols=5000,mean=600", "csr2", 100, 0, ANY, 0 },
	{ "random:rows=400,cols=3000,mean=60", "csr", 20, 0, ANY, 0 },
	{ "random:rows=900,cols=700,mean=7", "csr", 5, 0, ANY, 0 }, /* nothing is weighed */
	{ "rmat:scale=14,order=shuffled", "csr5", 20, 0, ANY, 1 },
	{ "rmat:scale=17,order=shuffled", "hot", 1e4, 0, ANY, 1 },
	{ "hubs", "sym", 1e4, 1300000, SYMMETRIC, 1 },
};

/* A band, and two last rows and columns that are full: formats cut such rows, and need scratch. */
static void make_hubs(kit_matrix *m)
{
	enum { ROWS = 6000, WIDTH = 14, HUBS = 2 };
	int64_t k = 0;

	*m = (kit_matrix){ .name = "hubs", .rows = ROWS, .cols = ROWS };
	m->row_ptr = grab(ROWS + 1, sizeof *m->row_ptr);
	m->col = grab(ROWS * (2 * WIDTH + 1 + 2 * HUBS), sizeof *m->col);
	for (int32_t i = 0; i < ROWS; i++) {
		for (int32_t j = 0; j < ROWS; j++)
			if (abs(i - j) <= WIDTH || i >= ROWS - HUBS || j >= ROWS - HUBS)
				m->col[k++] = j;
		m->row_ptr[i + 1] = k;
	}
	m->nnz = k;
}

int make_subject(const subject *s, kit_matrix *m)
{
	if (!strcmp(s->spec, "hubs"))
		make_hubs(m);
	else
		return CHECK_THAT(kit_generate(s->spec, m) == 0, "%s", kit_error());
	return 1;
}

tulle_plan_options options_of(const subject *s, tulle_op op)
{
	return (tulle_plan_options){ .size = sizeof(tulle_plan_options),
		                         .multiplies = s->multiplies,
		                         .max_bytes = s->max_bytes,
		                         .reproducible = 1,
		                         .op = op };
}

const char *const source_names[SOURCES] = { "borrowed", "copied", "from coo" };

/* Where the caller's arrays have entry k, of row i: triplets stand by row from the last row to the first. */
static int64_t place_of(const kit_matrix *m, source from, int64_t i, int64_t k)
{
	return from == FROM_COO ? m->nnz - m->row_ptr[i + 1] + k - m->row_ptr[i] : k;
}

double *given_values(const kit_matrix *m, source from, int class)
{
	double *val = grab(m->nnz, sizeof *val);

	for (int64_t i = 0; i < m->rows; i++)
		for (int64_t k = m->row_ptr[i]; k < m->row_ptr[i + 1]; k++)
			val[place_of(m, from, i, k)] = rules[class](i, m->col[k], k);
	return val;
}

tulle_matrix *make_matrix(tulle_context *context, const kit_matrix *m, source from,
                          const double *val)
{
	const tulle_matrix_options o = { .size = sizeof o,
		                             .ownership = from == COPIED ? TULLE_COPY : TULLE_BORROW };
	tulle_matrix *a = NULL;

	if (from == FROM_COO) {
		int32_t *row = grab(m->nnz, sizeof *row), *col = grab(m->nnz, sizeof *col);

		for (int64_t i = 0; i < m->rows; i++)
			for (int64_t k = m->row_ptr[i]; k < m->row_ptr[i + 1]; k++) {
				row[place_of(m, from, i, k)] = (int32_t)i;
				col[place_of(m, from, i, k)] = m->col[k];
			}
		CHECK_OK(tulle_matrix_from_coo(context, m->rows, m->cols, m->nnz, TULLE_I32, row, col,
		                               TULLE_F64, val, NULL, &a));
		free(row);
		free(col);
	} else {
		CHECK_OK(tulle_matrix_from_csr(context, m->rows, m->cols, TULLE_I64, m->row_ptr, TULLE_I32,
		                               m->col, TULLE_F64, val, &o, &a));
	}
	return a;
}

tulle_plan_info info_of(const tulle_plan *plan)
{
	tulle_plan_info info = { .size = sizeof info };

	CHECK_OK(tulle_plan_describe(plan, &info));
	return info;
}

void explain(const tulle_plan *plan, char text[EXPLAINED])
{
	CHECK(tulle_plan_explain(plan, text, EXPLAINED) < EXPLAINED);
}
