/* csr2.c -- the widths that Algorithm 4 of the CSR2 paper gives for the matrices of its Table II, and
 * what csr2 says of its blocks. */
#include "inner.h"

#include "formats/csr2/csr2.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Rows and nonzeros as its authors ran them (of symmetric matrices the stored half). */
static void paper_widths(void)
{
	static const struct {
		const char *name;
		int64_t rows, nnz;
		int32_t width;
	} table[] = {
		{ "nd24k", 72000, 14393817, 100 },
		{ "Si41Ge41H72", 185639, 7598452, 21 },
		{ "Dense", 2048, 4194304, 64 },
		{ "Ga41As41H72", 268096, 9378286, 20 },
		{ "pwtk", 217918, 5926171, 15 },
		{ "pdb1HYS", 36417, 2190591, 30 },
		{ "cant", 62451, 2034917, 15 },
		{ "crankseg_2", 63838, 7106348, 28 },
		{ "QCD", 49152, 1916928, 20 },
		{ "shipsec1", 140874, 3977139, 14 },
		{ "ins2", 309412, 1530448, 5 },
		{ "mip1", 66463, 5209641, 20 },
		{ "rail4284", 4284, 11284032, 83 },
		{ "no rows", 0, 0, 1 },
		{ "below .5 a row", 100, 49, 1 },
		{ "16 a row", 10, 160, 16 },
		{ "17 a row: odd", 10, 170, 10 },
		{ "18 a row: even", 10, 180, 9 },
		{ "33 a row: down", 10, 330, 15 },
		{ "36 a row", 10, 360, 18 },
		{ "127 a row", 10, 1270, 32 },
		{ "128 a row", 10, 1280, 64 },
		{ "10^6 a row: bounded", 1, 1000000, 128 },
	};

	for (size_t t = 0; t < sizeof table / sizeof *table; t++) {
		check_about("%s", table[t].name);
		CHECK_EQUAL(tulle__csr2_paper_width(table[t].nnz, table[t].rows), table[t].width);
	}
	check_group("Algorithm 4: widths of the paper");
}

static tulle__csr as_csr(const matrix *m, const arrays *a)
{
	return (tulle__csr){ m->rows,   m->cols,    m->nnz, TULLE_I32, TULLE_I32,
		                 TULLE_F64, a->row_ptr, a->col, a->val };
}

/* Blocks as high as the lanes of the instruction set; as wide as asked for. */
static void blocks(void)
{
	static const struct {
		const char *spec, *note;
		tulle__isa isa;
	} table[] = {
		{ "csr2", "blocks of 2 x 3, 0.0 % padding", TULLE__SCALAR },
		{ "csr2", "blocks of 4 x 3, 0.0 % padding", TULLE__AVX2 },
		{ "csr2", "blocks of 8 x 3, 0.0 % padding", TULLE__AVX512 },
		{ "csr2:high=16", "blocks of 16 x 3, 0.0 % padding", TULLE__AVX512 },
		{ "csr2:width=4", "blocks of 8 x 4, 33.3 % padding", TULLE__AVX512 },
	};
	int64_t lengths[32];
	matrix m;
	arrays arr;

	for (int i = 0; i < 32; i++)
		lengths[i] = 3;
	m = matrix_new("even", 32, 32, lengths);
	arr = cast(&m, pairs[0], TULLE_F64, 0);
	for (size_t t = 0; t < sizeof table / sizeof *table; t++) {
		const tulle__csr a = as_csr(&m, &arr);
		tulle__layout layout;
		inner in;

		check_about("%s, %s", table[t].spec, tulle__isa_name(table[t].isa));
		if (!inner_convert(&in, table[t].spec, table[t].isa, &a))
			continue;
		in.format->describe(in.data, &layout);
		CHECK_THAT(strcmp(layout.note, table[t].note) == 0, "note is \"%s\"", layout.note);
		inner_release(&in);
	}
	arrays_free(&arr);
	matrix_free(&m);
	check_group("blocks by instruction set and tunables");
}

/* The width of the blocks that a spec gives, from the description; -1 if there is none. */
static int width_by(const char *spec, const tulle__csr *a)
{
	tulle__layout layout;
	int width = -1;
	inner in;

	if (!inner_convert(&in, spec, TULLE__SCALAR, a))
		return -1;
	in.format->describe(in.data, &layout);
	CHECK(sscanf(layout.note, "blocks of 2 x %d", &width) == 1);
	inner_release(&in);
	return width;
}

/* Most rows have one nonzero, one has 4000: the paper's width would be nine tenths padding. */
static void ragged(void)
{
	int64_t lengths[400];
	matrix m;
	arrays arr;
	tulle__csr a;

	for (int i = 0; i < 400; i++)
		lengths[i] = i == 200 ? 4000 : 1;
	m = matrix_new("ragged", 400, 4000, lengths);
	arr = cast(&m, pairs[0], TULLE_F64, 0);
	a = as_csr(&m, &arr);
	check_about("one long row");
	CHECK_EQUAL(tulle__csr2_paper_width(a.nnz, a.rows), 11);
	CHECK_THAT(tulle__csr2_width(&a) < 6, "width is %d", (int)tulle__csr2_width(&a));
	CHECK_EQUAL(width_by("csr2:width=paper", &a), 11);
	CHECK_EQUAL(width_by("csr2:width=0", &a), tulle__csr2_width(&a));
	CHECK_EQUAL(width_by("csr2:width=128", &a), 128);
	arrays_free(&arr);
	matrix_free(&m);
	check_group("narrower where rows differ, unless the paper's width is asked for");
}

/* "paper" stands for a number that nobody may write. */
static void wrong_widths(void)
{
	static const char *const wrong[] = { "width=129", "width=pape", "width=papers", "width=" };
	tulle__params params;

	for (size_t t = 0; t < sizeof wrong / sizeof *wrong; t++) {
		check_about("%s", wrong[t]);
		CHECK_EQUAL(tulle__params_parse("width=0..128:0,paper", wrong[t], &params),
		            TULLE_E_ARGUMENT);
	}
	check_group("widths that there are not");
}

int main(void)
{
	paper_widths();
	blocks();
	ragged();
	wrong_widths();
	return check_end();
}
