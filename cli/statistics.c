/* statistics.c -- statistics of a matrix that indicate which storage formats suit it. */
#include "statistics.h"

#include <math.h>
#include <string.h>

const int CLI_BLOCK[CLI_BLOCKS] = { 2, 3, 4, 6 };

/* ---- progress -------------------------------------------------------------------------------- */

/* Passes over the entries: where they are, blocks of one and of each size, values; A^T takes about two, and one
 * compares with it. */
enum { PASSES = 1 + 1 + CLI_BLOCKS + 1 + 2 + 1 };

static void pass_done(int number)
{
	cli_progress_set(NULL, (double)number / PASSES);
}

/* ---- lengths --------------------------------------------------------------------------------- */

int64_t cli_bin_first(const cli_lengths *l, int bin)
{
	return l->linear ? l->min + bin : bin ? (int64_t)1 << (bin - 1) : 0;
}

int64_t cli_bin_last(const cli_lengths *l, int bin)
{
	return l->linear ? l->min + bin : bin ? ((int64_t)1 << (bin - 1)) * 2 - 1 : 0;
}

static int bin_of(const cli_lengths *l, int64_t length)
{
	if (l->linear)
		return (int)(length - l->min);
	return length ? 64 - __builtin_clzll((unsigned long long)length) : 0;
}

/* `absent` more have no entries. */
static cli_lengths lengths_of(const int64_t *length, int64_t present, int64_t absent)
{
	enum { FEW = 12 };
	const int64_t count = present + absent;
	cli_lengths l = { .count = count, .min = absent || !present ? 0 : length[0], .empty = absent };
	double sum = 0, squares = 0;

	for (int64_t i = 0; i < present; i++) {
		l.empty += !length[i];
		l.min = length[i] < l.min ? length[i] : l.min;
		l.max = length[i] > l.max ? length[i] : l.max;
		sum += (double)length[i];
	}
	l.mean = count ? sum / (double)count : 0;
	l.linear = l.max - l.min < FEW;
	for (int64_t i = 0; i < present; i++) {
		const double d = (double)length[i] - l.mean;
		squares += d * d;
		l.bin[bin_of(&l, length[i])]++;
	}
	if (absent) {
		squares += (double)absent * l.mean * l.mean;
		l.bin[bin_of(&l, 0)] += absent;
	}
	l.sd = count ? sqrt(squares / (double)count) : 0;
	l.bins = count ? bin_of(&l, l.max) + 1 : 0;
	return l;
}

/* ---- HYB and CSR2 ---------------------------------------------------------------------------- */

/* ELLPACK-R paper (docs/papers/ellpackr.md), section 3.4: the width of ELL is the longest of the 2/3 of the
 * rows with the fewest entries. */
static void hyb_split(const int64_t *length, const tulle_csr_view *a, cli_statistics *s)
{
	int64_t *const with = cli_alloc(s->rows.max + 1, sizeof *with); /* rows of each length */
	const int64_t wanted = a->rows - a->rows / 3;
	int64_t inside = 0;

	for (int64_t i = 0; i < a->rows; i++)
		with[length[i]]++;
	for (int64_t seen = with[0]; seen < wanted; seen += with[s->ell_width])
		s->ell_width++;
	cli_free(with);
	for (int64_t i = 0; i < a->rows; i++)
		inside += length[i] < s->ell_width ? length[i] : s->ell_width;
	s->ell_share = a->nnz ? (double)inside / (double)a->nnz : 1;
}

/* Halve, odd numbers rounded up, while x is at least `bound` and at most `times` times. */
static int64_t halve(int64_t x, int64_t bound, int times)
{
	while (x >= bound && times-- > 0)
		x = (x + 1) / 2;
	return x;
}

int64_t cli_csr2_width(int64_t nnz, int64_t rows)
{
	const int64_t x = rows ? (int64_t)((double)nnz / (double)rows + 0.5) : 0;

	if (x >= 128)
		return halve(x, 128, 5);
	if (x >= 36)
		return halve(x, 36, 3);
	if (x > 16)
		return (x % 2 ? (x % 10 >= 5 ? x / 10 + 1 : x / 10) * 10 : x) / 2;
	return x > 0 ? x : 1;
}

static void csr2_padding(const int64_t *length, const tulle_csr_view *a, cli_statistics *s)
{
	const int64_t w = cli_csr2_width(a->nnz, a->rows);

	s->csr2_width = w;
	for (int64_t i = 0; i < a->rows; i++)
		s->csr2_padded += (length[i] + w - 1) / w * w;
}

/* ---- places ---------------------------------------------------------------------------------- */

/* Counts the distinct b x b blocks that hold an entry. `seen` has an element for each present column, and
 * `block` is the number of its block column among those that have any. */
static int64_t count_blocks(const cli_matrix *m, int b, int64_t *seen, int64_t *block)
{
	const tulle_csr_view *const a = &m->view;
	int64_t blocks = 0;

	memset(seen, 0, (size_t)a->cols * sizeof *seen);
	for (int64_t j = 1; j < a->cols; j++)
		block[j] =
		    block[j - 1] + (cli_listed(m->lists.col, j) / b != cli_listed(m->lists.col, j - 1) / b);
	for (int64_t i = 0; i < a->rows; i++) {
		const int64_t row = cli_listed(m->lists.row, i) / b + 1;

		for (int64_t k = cli_row_begin(a, i); k < cli_row_begin(a, i + 1); k++) {
			int64_t *const mark = &seen[block[cli_col(a, k)]];

			blocks += *mark != row;
			*mark = row;
		}
	}
	return blocks;
}

static void block_fill(const cli_matrix *m, cli_statistics *s)
{
	const tulle_csr_view *const a = &m->view;
	int64_t *const seen = cli_alloc(a->cols, sizeof *seen);
	int64_t *const block = cli_alloc(a->cols, sizeof *block);
	const int64_t places = count_blocks(m, 1, seen, block);

	s->duplicates = a->nnz - places;
	for (int n = 0; n < CLI_BLOCKS; n++) {
		const int b = CLI_BLOCK[n];

		pass_done(2 + n);
		const int64_t blocks = count_blocks(m, b, seen, block);
		s->block_fill[n] = blocks ? (double)places / ((double)blocks * b * b) : 1;
	}
	cli_free(block);
	cli_free(seen);
}

static void places(const cli_matrix *m, int64_t *col_length, cli_statistics *s)
{
	const tulle_csr_view *const a = &m->view;

	s->sorted = 1;
	for (int64_t n = 0; n < a->rows; n++) {
		const int64_t i = cli_listed(m->lists.row, n);
		int64_t previous = -1;

		for (int64_t k = cli_row_begin(a, n); k < cli_row_begin(a, n + 1); k++) {
			const int64_t j = cli_listed(m->lists.col, cli_col(a, k));

			col_length[cli_col(a, k)]++;
			s->lower = i - j > s->lower ? i - j : s->lower;
			s->upper = j - i > s->upper ? j - i : s->upper;
			s->diagonal += i == j;
			s->sorted &= j >= previous;
			previous = j;
		}
	}
}

/* ---- values ---------------------------------------------------------------------------------- */

/* Counts distinct bit patterns in a small hash table with open addressing, up to a limit. */
static void values(const tulle_csr_view *a, cli_statistics *s)
{
	enum { SLOTS = 4 * CLI_DISTINCT_MOST };
	uint64_t slot[SLOTS][2];
	char used[SLOTS] = { 0 };

	for (int64_t k = 0; k < a->nnz; k++) {
		const double value[2] = { cli_value(a, k), cli_imaginary(a, k) };
		uint64_t bits[2];

		s->zeros += value[0] == 0 && value[1] == 0;
		s->nonfinite += !isfinite(value[0]) || !isfinite(value[1]);
		if (s->distinct > CLI_DISTINCT_MOST)
			continue;
		memcpy(bits, value, sizeof bits);
		uint64_t h = (bits[0] + 3 * bits[1]) * 0x9e3779b97f4a7c15u >> 54;
		while (used[h] && memcmp(slot[h], bits, sizeof bits) != 0)
			h = (h + 1) % SLOTS;
		s->distinct += !used[h];
		used[h] = 1;
		memcpy(slot[h], bits, sizeof bits);
	}
}

/* ---- symmetry -------------------------------------------------------------------------------- */

/* The transposed matrix: the rows of A are the columns of A^T. Its rows come out sorted. */
static tulle_matrix *transpose(tulle_context *context, const tulle_csr_view *a, tulle_csr_view *out)
{
	tulle_matrix *t = NULL;
	tulle_status status =
	    tulle_matrix_from_csc(context, a->cols, a->rows, a->offset_type, a->row_ptr, a->column_type,
	                          a->col, a->value_type, a->val, NULL, &t);

	out->size = sizeof *out;
	if (!status)
		status = tulle_matrix_view_csr(t, out);
	if (status)
		cli_fail_status(status, 1);
	return t;
}

typedef struct {
	int64_t all, equal, opposite, conjugate; /* entries with a partner across the diagonal */
} partners;

/* Row i of sorted A and row h of A^T, which have the same number. */
static void compare_rows(const tulle_csr_view *a, const tulle_csr_view *t, const tulle_lists *lists,
                         int64_t i, int64_t h, partners *p)
{
	int64_t k = cli_row_begin(a, i), l = cli_row_begin(t, h);
	const int64_t k_end = cli_row_begin(a, i + 1), l_end = cli_row_begin(t, h + 1);

	while (k < k_end && l < l_end) {
		const int64_t j = cli_listed(lists->col, cli_col(a, k));
		const int64_t g = cli_listed(lists->row, cli_col(t, l));

		if (j == g) {
			const double v = cli_value(a, k), w = cli_value(t, l);
			const double vi = cli_imaginary(a, k), wi = cli_imaginary(t, l);

			p->all++;
			p->equal += v == w && vi == wi;
			p->opposite += v == -w && vi == -wi;
			p->conjugate += v == w && vi == -wi;
		}
		k += j <= g;
		l += g <= j;
	}
}

/* Compare sorted A with A^T, row by row. The columns of A are the rows of A^T. */
static void compare(const tulle_csr_view *a, const tulle_csr_view *t, const tulle_lists *lists,
                    cli_statistics *s)
{
	partners p = { 0 };

	for (int64_t i = 0, h = 0; i < a->rows && h < t->rows;) {
		const int64_t row = cli_listed(lists->row, i), of_t = cli_listed(lists->col, h);

		if (row == of_t)
			compare_rows(a, t, lists, i, h, &p);
		i += row <= of_t;
		h += of_t <= row;
	}
	s->pattern_symmetry = a->nnz ? (double)p.all / (double)a->nnz : 1;
	s->symmetry = p.equal == a->nnz       ? CLI_IS_SYMMETRIC
	              : p.opposite == a->nnz  ? CLI_IS_SKEW
	              : p.conjugate == a->nnz ? CLI_IS_HERMITIAN
	                                      : CLI_NOT_SYMMETRIC;
}

static void symmetry(const cli_matrix *m, cli_statistics *s)
{
	tulle_matrix_info info = { .size = sizeof info };
	tulle_csr_view t, sorted = m->view;
	tulle_matrix *transposed, *again = NULL;

	s->pattern_symmetry = -1;
	if (m->lists.rows != m->lists.cols)
		return;
	tulle_matrix_describe(m->matrix, &info);
	if (info.kind != TULLE_GENERAL) {
		s->pattern_symmetry = 1;
		s->symmetry = info.kind == TULLE_SKEW        ? CLI_IS_SKEW
		              : info.kind == TULLE_HERMITIAN ? CLI_IS_HERMITIAN
		                                             : CLI_IS_SYMMETRIC;
		return;
	}
	transposed = transpose(m->context, &m->view, &t);
	if (!s->sorted)
		again = transpose(m->context, &t, &sorted);
	pass_done(PASSES - 1);
	compare(&sorted, &t, &m->lists, s);
	tulle_matrix_destroy(again);
	tulle_matrix_destroy(transposed);
}

/* ---- all ------------------------------------------------------------------------------------- */

cli_statistics cli_statistics_of(const cli_matrix *m)
{
	const tulle_csr_view *const a = &m->view;
	cli_statistics s = { 0 };
	int64_t *length = cli_alloc(a->rows, sizeof *length);

	for (int64_t i = 0; i < a->rows; i++)
		length[i] = cli_row_begin(a, i + 1) - cli_row_begin(a, i);
	s.rows = lengths_of(length, a->rows, m->lists.rows - a->rows);
	hyb_split(length, a, &s);
	csr2_padding(length, a, &s);
	cli_free(length);

	length = cli_alloc(a->cols, sizeof *length);
	places(m, length, &s);
	s.cols = lengths_of(length, a->cols, m->lists.cols - a->cols);
	cli_free(length);
	pass_done(1);

	block_fill(m, &s);
	values(a, &s);
	pass_done(3 + CLI_BLOCKS);
	symmetry(m, &s);
	return s;
}
