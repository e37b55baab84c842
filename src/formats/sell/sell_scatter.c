/* sell_scatter.c -- A^T x from the chunks of A: parts, figures and kernels. */
#include "core/kernel_table.h"
#include "core/memory.h"
#include "csr/scatter_parts.h"
#include "formats/sell/sell_convert.h"

#include <string.h>

TULLE__KERNEL_TABLE_COMPLEX_WITHOUT_GATHERS(kernels, sell_scatter, );

typedef struct {
	const sell_data *d;
	const tulle__csr *a;
} job;

/* Chunks are numbered first, then pieces. Parts of A x, which have equal work, are merged. */
static int64_t part_begins(const void *data, int64_t parts, int64_t part)
{
	const sell_data *d = ((const job *)data)->d;
	const int64_t n = tulle__cut(d->chunk_parts + d->piece_parts, parts, part);

	return n < d->chunk_parts ? d->cut[n] : d->chunks + d->piece_cut[n - d->chunk_parts];
}

static tulle__columns widen_by_row(tulle__columns c, const tulle__csr *a, int64_t row)
{
	return tulle__widen_columns(c, a, tulle__csr_offset(a, row), tulle__csr_offset(a, row + 1));
}

static tulle__columns columns_of(const void *data, int64_t n, int64_t end)
{
	const job *j = data;
	const sell_data *d = j->d;
	tulle__columns c = { INT64_MAX, 0 };

	for (; n < end && n < d->chunks; n++)
		for (int r = 0; r < d->chunk[n].lanes; r++)
			c = widen_by_row(c, j->a, d->row[n * d->height + r]);
	for (; n < end; n++) {
		const sell_piece *piece = &d->piece[n - d->chunks];
		const int64_t k = tulle__csr_offset(j->a, piece->row) + piece->skip;

		c = tulle__widen_columns(c, j->a, k, k + piece->length);
	}
	return c;
}

tulle_status tulle__sell_cut_scatter(sell_data *d, const tulle__csr *a, tulle__env *env)
{
	const tulle__scattered of = { .data = &(job){ d, a },
		                          .work = d->nnz + d->rows,
		                          .nnz = d->nnz,
		                          .cols = d->cols,
		                          .begins = part_begins,
		                          .columns = columns_of };

	return tulle__cut_scatter(env, &of, &d->scatter);
}

static void describe(const void *data, tulle__layout *out)
{
	const sell_data *d = data;
	tulle__layout forward;

	tulle__sell_describe(data, &forward);
	*out = (tulle__layout){
		.bytes = forward.bytes,
		.scratch = tulle__bytes(d->scatter.elements, tulle__element_size(d->value_type)),
		.parts = { d->scatter.parts, d->scatter.column_parts },
		.values = forward.values,
		.value_error = forward.value_error,
	};
	memcpy(out->note, forward.note, sizeof out->note);
}

static const tulle__kernel *kernel(const void *data, tulle__isa isa, tulle_value_type type)
{
	return tulle__sell_variant(data, kernels[isa][type]);
}

const tulle__backward tulle__sell_backward = { &tulle__sell_scatter_estimator, describe, kernel };
