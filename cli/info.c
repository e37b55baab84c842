/* info.c -- `tulle info FILE`: properties of a matrix, as text or as JSON. */
#include "picture.h"
#include "statistics.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* ---- for a person ---------------------------------------------------------------------------- */

static void print_head(const cli_matrix *m)
{
	const tulle_csr_view *const a = &m->view;

	printf("%s%s%s: %s x %s, %s", cli_bold(), m->name, cli_plain(), cli_commas(m->lists.rows),
	       cli_commas(m->lists.cols), cli_count(a->nnz, "entry", "entries"));
	if (m->file.entries != a->nnz)
		printf(" (%s in the file)", cli_commas(m->file.entries));
	printf(", %s %s %s\n", m->file.field, m->file.symmetry, m->file.layout);
	cli_print_lists(m);
	if (m->stand_in)
		printf("%sA STAND-IN: like a published matrix in its figures, not that matrix itself.%s\n",
		       cli_bold(), cli_plain());
}

/* The first comment lines of the file, at most three. */
static void print_comment(const char *comment)
{
	enum { LINES = 3, WIDTH = 90 };
	int lines = 0;

	while (*comment && lines < LINES) {
		const size_t length = strcspn(comment, "\n");
		size_t blank = strspn(comment, "% \t-=");

		if (blank < length) {
			size_t shown = length - blank;

			/* Not in the middle of a character. */
			for (shown = shown < WIDTH ? shown : WIDTH;
			     ((unsigned char)comment[blank + shown] & 0xc0) == 0x80;)
				shown--;
			printf("  %s%% %.*s%s%s\n", cli_faint(), (int)shown, comment + blank,
			       blank + shown < length ? "..." : "", cli_plain());
			lines++;
		}
		comment += length + (comment[length] == '\n');
	}
}

static void print_lengths(const char *name, const cli_lengths *l)
{
	printf("%-10s %9s %11.2f %11s %11.2f %11.2f %8.3f %11s\n", name, cli_commas(l->min), l->mean,
	       cli_commas(l->max), (double)l->max - l->mean, l->sd, l->mean > 0 ? l->sd / l->mean : 0,
	       cli_commas(l->empty));
}

enum { BAR = 14, CELL = 45 };

/* One line of a histogram, padded to `width` characters. */
static void print_bin(const cli_lengths *l, int bin, int width)
{
	char range[48] = "";
	int64_t most = 0;

	if (bin >= l->bins) {
		printf("%*s", width, "");
		return;
	}
	for (int b = 0; b < l->bins; b++)
		most = l->bin[b] > most ? l->bin[b] : most;
	const int64_t first = cli_bin_first(l, bin), last = cli_bin_last(l, bin);
	snprintf(range, sizeof range, first == last ? "%" PRId64 : "%" PRId64 "-%" PRId64, first, last);
	const int length = (int)ceil((double)l->bin[bin] / (double)most * BAR);
	printf("%15s ", range);
	cli_bar(length, BAR);
	printf(" %-*s", width ? width - BAR - 17 : 0, cli_commas(l->bin[bin]));
}

/* Row and column lengths side by side, without the empty bins before the first nonempty one. */
static void print_histograms(const cli_statistics *s)
{
	int r = 0, c = 0;

	while (r < s->rows.bins && !s->rows.bin[r])
		r++;
	while (c < s->cols.bins && !s->cols.bin[c])
		c++;
	if (r == s->rows.bins && c == s->cols.bins)
		return;
	printf("\n%15s %-*s%15s\n", "row length", CELL - 16, "rows", "column length columns");
	for (; r < s->rows.bins || c < s->cols.bins; r++, c++) {
		print_bin(&s->rows, r, c < s->cols.bins ? CELL : 0);
		print_bin(&s->cols, c, 0);
		putchar('\n');
	}
}

static const char *symmetry_word(const cli_statistics *s)
{
	static const char *const words[] = { "not symmetric", "symmetric", "skew-symmetric",
		                                 "Hermitian" };
	return words[s->symmetry];
}

static void print_structure(const tulle_csr_view *a, const cli_statistics *s)
{
	printf("\nbandwidth  %s below the diagonal, %s above; %s on it\n", cli_commas(s->lower),
	       cli_commas(s->upper), cli_count(s->diagonal, "entry", "entries"));
	if (s->pattern_symmetry < 0)
		printf("symmetry   not square\n");
	else
		printf("symmetry   %s; %.1f %% of the entries have a partner across the diagonal\n",
		       symmetry_word(s), 100 * s->pattern_symmetry);
	printf("blocks    ");
	for (int n = 0; n < CLI_BLOCKS; n++)
		printf(" %d x %d %.1f %%%s", CLI_BLOCK[n], CLI_BLOCK[n], 100 * s->block_fill[n],
		       n + 1 < CLI_BLOCKS ? "," : " full\n");
	if (s->distinct > CLI_DISTINCT_MOST)
		printf("values     more than %d different", CLI_DISTINCT_MOST);
	else
		printf("values     %d different%s", s->distinct, a->val ? "" : " (a pattern: all ones)");
	printf("; %s zero, %s not finite\n", cli_commas(s->zeros), cli_commas(s->nonfinite));
	if (s->duplicates || !s->sorted)
		printf("order      %s duplicates; columns %s\n", cli_commas(s->duplicates),
		       s->sorted ? "ascend" : "in any order");
	printf("HYB        ELL part %s wide, holds %.1f %% of the entries\n", cli_commas(s->ell_width),
	       100 * s->ell_share);
	printf("CSR2       width %s, padding factor %.3f\n", cli_commas(s->csr2_width),
	       a->nnz ? (double)s->csr2_padded / (double)a->nnz : 1);
}

static void print_info(const cli_matrix *m, const cli_statistics *s, int picture)
{
	print_head(m);
	print_comment(m->file.comment);
	printf("\n%s%-10s %9s %11s %11s %11s %11s %8s %11s%s\n", cli_bold(), "lengths", "min", "mean",
	       "max", "max - mean", "sd", "sd/mean", "empty", cli_plain());
	print_lengths("rows", &s->rows);
	print_lengths("columns", &s->cols);
	print_histograms(s);
	print_structure(&m->view, s);
	if (picture && m->lists.rows && m->lists.cols) {
		putchar('\n');
		cli_picture_text(m, cli_has_utf8());
	}
}

/* ---- as JSON --------------------------------------------------------------------------------- */

static void json_lengths(const char *key, const cli_lengths *l)
{
	cli_json_open(key, '{');
	cli_json_integer("min", l->min);
	cli_json_number("mean", l->mean);
	cli_json_integer("max", l->max);
	cli_json_number("max_minus_mean", (double)l->max - l->mean);
	cli_json_number("sd", l->sd);
	cli_json_number("sd_over_mean", l->mean > 0 ? l->sd / l->mean : 0);
	cli_json_integer("empty", l->empty);
	cli_json_open("histogram", '[');
	for (int b = 0; b < l->bins; b++) {
		if (!l->bin[b])
			continue;
		cli_json_open(NULL, '{');
		cli_json_integer("from", cli_bin_first(l, b));
		cli_json_integer("to", cli_bin_last(l, b));
		cli_json_integer("count", l->bin[b]);
		cli_json_close();
	}
	cli_json_close();
	cli_json_close();
}

static void json_structure(const tulle_csr_view *a, const cli_statistics *s)
{
	cli_json_open("bandwidth", '{');
	cli_json_integer("lower", s->lower);
	cli_json_integer("upper", s->upper);
	cli_json_close();
	cli_json_integer("diagonal_entries", s->diagonal);
	cli_json_integer("duplicates", s->duplicates);
	cli_json_bool("columns_ascend", s->sorted);
	cli_json_open("block_fill", '{');
	for (int n = 0; n < CLI_BLOCKS; n++) {
		char size[16];
		snprintf(size, sizeof size, "%d", CLI_BLOCK[n]);
		cli_json_number(size, s->block_fill[n]);
	}
	cli_json_close();
	if (s->distinct > CLI_DISTINCT_MOST)
		cli_json_null("distinct_values");
	else
		cli_json_integer("distinct_values", s->distinct);
	cli_json_integer("zeros", s->zeros);
	cli_json_integer("not_finite", s->nonfinite);
	if (s->pattern_symmetry < 0)
		cli_json_null("pattern_symmetry");
	else
		cli_json_number("pattern_symmetry", s->pattern_symmetry);
	cli_json_bool("numerically_symmetric", s->symmetry == CLI_IS_SYMMETRIC);
	cli_json_bool("numerically_skew", s->symmetry == CLI_IS_SKEW);
	cli_json_bool("numerically_hermitian", s->symmetry == CLI_IS_HERMITIAN);
	cli_json_open("hyb", '{');
	cli_json_integer("ell_width", s->ell_width);
	cli_json_number("ell_share", s->ell_share);
	cli_json_close();
	cli_json_open("csr2", '{');
	cli_json_integer("mtx_width", s->csr2_width);
	cli_json_integer("padded_entries", s->csr2_padded);
	cli_json_number("padding", a->nnz ? (double)s->csr2_padded / (double)a->nnz : 1);
	cli_json_close();
}

static void json_info(const cli_matrix *m, const cli_statistics *s)
{
	cli_json_open(NULL, '{');
	cli_json_text("file", m->path);
	cli_json_integer("file_bytes", m->file.file_bytes);
	cli_json_text("packing", m->file.packing);
	cli_json_text("layout", m->file.layout);
	cli_json_text("field", m->file.field);
	cli_json_text("symmetry", m->file.symmetry);
	cli_json_bool("stand_in", m->stand_in);
	cli_json_integer("rows", m->lists.rows);
	cli_json_integer("cols", m->lists.cols);
	cli_json_lists(m);
	cli_json_integer("nnz", m->view.nnz);
	cli_json_integer("stored_entries", m->file.entries);
	json_lengths("row_lengths", &s->rows);
	json_lengths("column_lengths", &s->cols);
	json_structure(&m->view, s);
	cli_json_close();
}

/* ---------------------------------------------------------------------------------------------- */

int cli_info(int argc, char **argv)
{
	enum { NO_SPY = 1 };
	static const struct option options[] = { CLI_JSON_OPTION,
		                                     { "no-spy", no_argument, NULL, NO_SPY },
		                                     CLI_READ_OPTIONS,
		                                     CLI_HELP_OPTION,
		                                     { NULL, 0, NULL, 0 } };
	cli_common common = { .command = "info", .complex = 1 };
	int picture = 1;

	while (cli_option(argc, argv, "", options, &common) != -1)
		picture = 0;
	cli_matrix m = cli_read(&common, cli_arguments(argc, argv, 1, "FILE")[0], NULL);
	cli_progress_begin(&common, "analysing", m.name);
	cli_progress_rate(1e-6 * (double)m.view.nnz, "M entries");
	const cli_statistics s = cli_statistics_of(&m);
	cli_progress_end();
	if (common.json)
		json_info(&m, &s);
	else
		print_info(&m, &s, picture);
	cli_close(&m);
	return CLI_OK;
}
