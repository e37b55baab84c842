/* hyb.c -- how wide the ELLPACK part of hyb is: as the longest of the shortest rows, whatever the
 * share, and as in Table I of the ELLPACK-R paper. */
#include "shapes.h"
#include "support.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int by_size(const void *a, const void *b)
{
	const int64_t p = *(const int64_t *)a, q = *(const int64_t *)b;

	return (p > q) - (p < q);
}

/* The width, by sorting all lengths. */
static int64_t width_of(const matrix *m, int64_t share)
{
	int64_t *lengths = grab(m->rows, sizeof *lengths), width;
	const int64_t shortest = (m->rows * share + 11) / 12;

	for (int64_t i = 0; i < m->rows; i++)
		lengths[i] = m->row_ptr[i + 1] - m->row_ptr[i];
	qsort(lengths, (size_t)m->rows, sizeof *lengths, by_size);
	width = shortest > 0 ? lengths[shortest - 1] : 0;
	free(lengths);
	return width;
}

static void check_note(const matrix *m, const char *spec, int64_t share)
{
	const int64_t width = width_of(m, share);
	arrays arr = cast(m, pairs[0], TULLE_F64, 0);
	tulle_matrix *a = borrow(NULL, m, pairs[0], TULLE_F64, &arr);
	tulle_plan *plan = a ? plan_for(a, spec, TULLE_NORMAL) : NULL;
	tulle_plan_info info = { .size = sizeof info };
	int64_t inside = 0;
	char want[80];

	for (int64_t i = 0; i < m->rows; i++) {
		const int64_t length = m->row_ptr[i + 1] - m->row_ptr[i];

		inside += length < width ? length : width;
	}
	snprintf(want, sizeof want, "%.1f %% of the nonzeros in ELL, width %" PRId64 ",",
	         m->nnz > 0 ? 100 * (double)inside / (double)m->nnz : 100, width);
	check_about("%s, %s", spec, m->name);
	if (plan && CHECK_OK(tulle_plan_describe(plan, &info)))
		CHECK_THAT(strncmp(info.note, want, strlen(want)) == 0, "\"%s\", not \"%s\"", info.note,
		           want);
	tulle_plan_destroy(plan);
	tulle_matrix_destroy(a);
	arrays_free(&arr);
}

static void check_shares(void)
{
	matrix m;

	for (int shape = 0; shape_at(shape, &m); shape++) {
		check_note(&m, "hyb", 8);
		for (int64_t share = 0; share <= 12; share++) {
			char spec[32];

			snprintf(spec, sizeof spec, "hyb:share=%" PRId64, share);
			check_note(&m, spec, share);
		}
		matrix_free(&m);
	}
	check_group("the width of ELL at every share of the rows");
}

/* Rows and row lengths of rbsa480 (rbs480a in the paper): 192 of 35 and 288 of 36 entries. Table I
 * puts all of it into ELL. */
static void check_paper(void)
{
	enum { ROWS = 480 };
	uint64_t state = 1;
	int64_t lengths[ROWS];
	matrix m;
	arrays arr;
	tulle_matrix *a;
	tulle_plan *plan;
	char text[2048];

	for (int i = 0; i < ROWS; i++)
		lengths[i] = i % 5 < 2 ? 35 : 36;
	m = matrix_new("rbsa480", ROWS, ROWS, lengths);
	matrix_random_columns(&m, &state);
	CHECK_EQUAL(m.nnz, 17088);
	arr = cast(&m, pairs[0], TULLE_F64, 0);
	a = borrow(NULL, &m, pairs[0], TULLE_F64, &arr);
	plan = a ? plan_for(a, "hyb", TULLE_NORMAL) : NULL;
	tulle_plan_explain(plan, text, sizeof text);
	CHECK_THAT(strstr(text, "100.0 % of the nonzeros in ELL"), "%s", text);
	tulle_plan_destroy(plan);
	tulle_matrix_destroy(a);
	arrays_free(&arr);
	matrix_free(&m);
	check_group("rbsa480 lies in ELL");
}

int main(void)
{
	check_shares();
	check_paper();
	return check_end();
}
