/* features.c -- all features of a matrix that are computed before a format is chosen. */
#include "analysis/features.h"

#include "core/hash.h"

/* In full blocks of two columns, half of the nonzeros are right neighbours of another, and more in
 * larger blocks. If far fewer are, blocks are not counted: that costs more than all other features. */
static const double CONTIGUOUS_IN_BLOCKS = .35;

static void analyze_blocks(const tulle__csr *a, tulle__env *env, tulle__features *f)
{
	tulle__block_counts c;

	if (f->contiguous < CONTIGUOUS_IN_BLOCKS) {
		for (int n = 0; n < TULLE__BLOCK_SIZES; n++)
			f->fill[n] = 1. / tulle__block_sizes[n];
		return;
	}
	tulle__count_blocks(a, a->nnz / 512, env, &c);
	for (int n = 0; n < TULLE__BLOCK_SIZES; n++) {
		f->fill[n] = tulle__block_fill(&c, n);
		f->full[n] = tulle__block_full(&c, n);
	}
}

uint64_t tulle__fingerprint(const tulle__csr *a, const tulle__features *f)
{
	enum { SAMPLES = 1024 };
	const int64_t head[] = { a->rows,        a->cols,        a->nnz,       a->value_type,
		                     a->offset_type, a->column_type, f->symmetric, (int64_t)f->values };
	uint64_t hash = tulle__hash(0, head, sizeof head);

	for (int64_t n = 0; n < SAMPLES && a->nnz > 0; n++) {
		const int64_t sample[2] = { tulle__csr_offset(a, tulle__sample(a->rows, SAMPLES, n)),
			                        tulle__index_at(a->col, a->column_type,
			                                        tulle__sample(a->nnz, SAMPLES, n)) };

		hash = tulle__hash(hash, sample, sizeof sample);
	}
	return hash;
}

uint64_t tulle__fingerprint_blocks(const tulle__bsr *a, const tulle__features *f)
{
	const int64_t size[] = { a->height, a->width, f->rows, f->cols };
	const tulle__csr pattern = tulle__block_pattern(a);

	return tulle__hash(tulle__fingerprint(&pattern, f), size, sizeof size);
}

/* Do not count entries per column if cols > MOST_COLUMNS * nnz: no column can be hot. */
enum { MOST_COLUMNS = 4 };

tulle_status tulle__analyse(const tulle__csr *a, const tulle__machine *machine, tulle__env *env,
                            tulle__features *out)
{
	const double value = (double)tulle__value_size(a->value_type);
	const double element = (double)tulle__element_size(a->value_type);
	tulle_status s;

	*out = (tulle__features){ .rows = a->rows,
		                      .cols = a->cols,
		                      .nnz = a->nnz,
		                      .value_type = a->value_type,
		                      .value_bytes = element,
		                      .given_bytes = a->val ? value : 0,
		                      .csr_bytes = (double)tulle__csr_bytes(a),
		                      .x_bytes = (double)a->cols * element,
		                      .y_bytes = (double)a->rows * element };
	s = tulle__analyze_row_lengths(a, env, out);
	if (s == TULLE_OK)
		s = tulle__analyze_locality(a, machine, env, out);
	if (s == TULLE_OK && out->misses_l2 >= TULLE__WORTH_MISSES && a->cols / MOST_COLUMNS <= a->nnz)
		s = tulle__analyze_columns(a, env, out);
	if (s == TULLE_OK)
		s = tulle__analyze_values(a, env, out);
	if (s != TULLE_OK)
		return s;
	tulle__analyze_neighbours(a, env, out);
	analyze_blocks(a, env, out);
	tulle__analyze_symmetry(a, env, out);
	return TULLE_OK;
}
