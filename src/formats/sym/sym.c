/* sym.c -- the format sym: the lower half of a symmetric, skew or Hermitian matrix, in blocks where they are
 * full (README.md draws it). */
#include "core/kernel_table.h"
#include "core/memory.h"
#include "core/split.h"
#include "core/status.h"
#include "formats/sym/sym_convert.h"

#include <stdio.h>

TULLE__KERNEL_TABLE_COMPLEX(kernels, sym, );
TULLE__KERNEL_TABLE_COMPLEX_WITHOUT_GATHERS(many_kernels, sym_many, );

enum { PARAM_BLOCK, PARAM_STRIPS };
enum { STRIPS_AUTO, STRIPS_NO, STRIPS_YES };

/* The words of block=, and the kernel of each. */
static const int block_sizes[] = { 0, 1, 2, 3, 4, 6 };

/* ---- build ---- */

static void release(void *data, tulle__env *env)
{
	sym_triangle *t = data;

	if (!t)
		return;
	for (int n = 0; n < 2; n++) {
		const sym_rows *r = n ? &t->shared.entries : &t->shared.blocks;

		tulle__free(env, r->end);
		tulle__free(env, r->col);
		tulle__free(env, r->val);
	}
	tulle__free(env, t->shared.strips.span);
	tulle__free(env, t->shared.strips.strip);
	tulle__free(env, t->shared.strips.val);
	tulle__free(env, t->shared.strips.row);
	tulle__free(env, t);
}

/* Are the halves of A mirror images, as the plan requires? `d` then gets the signs of mirror images. */
static tulle_status compare(const sym_triangle *t, const sym_half *h, tulle__env *env, sym_data *d)
{
	const unsigned conjugates = TULLE__CONJUGATE | TULLE__CONJUGATE_ZERO;
	const int adjoint = t->op == TULLE_CONJUGATE || t->op == TULLE_BOTH_CONJUGATE;
	unsigned relations;
	const tulle_status s = tulle__sym_compare(env, h, &t->shared, &relations);

	if (s != TULLE_OK)
		return s;
	if (adjoint && !((relations & conjugates) && tulle__sym_real_diagonal(h)))
		return tulle__fail(TULLE_E_UNSUPPORTED,
		                   "sym: the matrix is not Hermitian, so A^H is not A");
	if (t->op != TULLE_NORMAL && !adjoint && !(relations & TULLE__EQUAL))
		return tulle__fail(TULLE_E_UNSUPPORTED, "sym: the matrix is %s, so A^T is not A",
		                   relations & TULLE__OPPOSITE ? "skew" : "Hermitian");
	if (adjoint)
		relations &= conjugates;
	d->minus_re = !(relations & TULLE__EQUAL) && (relations & TULLE__OPPOSITE);
	d->minus_im = !(relations & TULLE__EQUAL);
	d->keeps_zero = d->minus_im && !d->minus_re && !(relations & TULLE__CONJUGATE);
	return TULLE_OK;
}

/* Set the size of blocks, or 1 and *strips, to what was asked for or is fastest. */
static tulle_status choose(const sym_half *h, const tulle__params *params, tulle__env *env,
                           sym_data *d, int *strips)
{
	const int block = block_sizes[params->value[PARAM_BLOCK]];
	double cost, by_strips;
	const int best = tulle__sym_best_block(h, &cost);
	const tulle_status s = tulle__sym_strips_cost(env, h, &by_strips);

	*strips = block <= 1 && params->value[PARAM_STRIPS] != STRIPS_NO &&
	          (params->value[PARAM_STRIPS] == STRIPS_YES || by_strips < cost);
	d->b = block ? block : *strips ? 1 : best;
	return s;
}

static tulle_status build(sym_triangle *t, const sym_half *h, const tulle__params *params,
                          tulle__env *env)
{
	sym_data *d = &t->shared;
	tulle_status s, far;
	int strips;

	d->rows = h->a.rows;
	d->row_parts = tulle__parts(h->a.rows);
	t->value_type = h->a.value_type;
	t->nnz = h->a.nnz;
	far = tulle__sym_cut(h, d);
	/* Also if entries are too far from the diagonal: a missing symmetry is the more useful reason. */
	s = compare(t, h, env, d);
	if (s != TULLE_OK || far != TULLE_OK)
		return s != TULLE_OK ? s : far;
	s = choose(h, params, env, d, &strips);
	return s == TULLE_OK ? tulle__sym_lay_out(env, h, d, strips) : s;
}

static tulle_status convert(const tulle__csr *a, const tulle__request *request, tulle__env *env,
                            void **data)
{
	sym_triangle *t = NULL;
	sym_half h;
	tulle_status s = tulle__sym_open(env, a, &h);

	*data = NULL;
	if (s == TULLE_OK)
		s = tulle__alloc_zero(env, 1, sizeof *t, &t);
	if (s == TULLE_OK) {
		t->op = request->op;
		s = build(t, &h, &request->params, env);
	}
	tulle__sym_close(env, &h);
	if (s != TULLE_OK) {
		release(t, env);
		return s;
	}
	*data = t;
	return TULLE_OK;
}

/* Nothing is written before the symmetry of the new values is verified and nothing can fail. */
static tulle_status update(void *data, const tulle__csr *a, tulle__env *env)
{
	sym_triangle *t = data;
	sym_data d = t->shared;
	sym_half h;
	tulle_status s = tulle__sym_open(env, a, &h);

	if (s == TULLE_OK)
		s = compare(t, &h, env, &d);
	if (s == TULLE_OK)
		s = tulle__sym_fill(env, &h, &d);
	if (s == TULLE_OK)
		t->shared = d;
	tulle__sym_close(env, &h);
	return s;
}

/* ---- describe ---- */

static size_t column_size(const sym_rows *r)
{
	return r->near ? sizeof(uint16_t) : sizeof(int32_t);
}

static const char *kind_of(const sym_data *d)
{
	return d->minus_re ? "skew" : d->minus_im ? "Hermitian" : "symmetric";
}

static size_t strip_bytes(const sym_data *d, size_t value)
{
	const int64_t spans = d->part[d->parts].span;
	const sym_strips *s = &d->strips;

	if (!s->span)
		return 0;
	return (size_t)(spans + 1) * sizeof *s->span + (size_t)s->span[spans].strip * sizeof *s->strip +
	       (size_t)s->span[spans].value * value + (size_t)s->span[spans].entry * sizeof *s->row;
}

/* `count` values of those that are stored, where all others are single entries. */
static double percent_of(const sym_data *d, int64_t count)
{
	const int64_t all = count + d->part[d->parts].entry;

	return all > 0 ? 100.0 * (double)count / (double)all : 0;
}

static void describe(const void *data, tulle__layout *out)
{
	const sym_triangle *t = data;
	const sym_data *d = &t->shared;
	const sym_part *last = &d->part[d->parts];
	const size_t value = tulle__value_size(t->value_type);
	const size_t block = (size_t)(d->b * d->b) * value + column_size(&d->blocks);
	const size_t blocks = d->b > 1 ? (size_t)(d->rows / d->b) * sizeof *d->blocks.end : 0;
	const size_t entries = d->strips.span ? 0 : (size_t)d->rows * sizeof *d->entries.end;
	const int64_t in_blocks = last->block * d->b * d->b;

	*out = (tulle__layout){
		.bytes = blocks + (size_t)last->block * block + (last->entry > 0 ? entries : 0) +
		         (size_t)last->entry * (value + column_size(&d->entries)) + strip_bytes(d, value),
		.scratch = tulle__bytes(tulle__sym_sums(d), tulle__element_size(t->value_type)),
		.parts = { d->parts, d->row_parts },
		.finishing_phase = 1,
	};
	out->own_bytes = sizeof *t + out->bytes + (last->entry > 0 ? 0 : entries);
	if (d->b > 1)
		snprintf(out->note, sizeof out->note, "%s, %d x %d blocks hold %.0f %% of the entries",
		         kind_of(d), d->b, d->b, percent_of(d, in_blocks));
	else if (d->strips.span)
		snprintf(out->note, sizeof out->note, "%s, strips hold %.0f %% of the entries", kind_of(d),
		         percent_of(d, d->strips.span[last->span].value));
	else
		snprintf(out->note, sizeof out->note, "%s, no blocks", kind_of(d));
}

static void finishes(const void *data, int64_t part, int64_t *begin, int64_t *end)
{
	const sym_data *d = &((const sym_triangle *)data)->shared;

	*begin = tulle__cut(d->rows, d->row_parts, part);
	*end = tulle__cut(d->rows, d->row_parts, part + 1);
}

/* ---- kernels ---- */

/* The index of the kernel for this block size, or for strips. */
static int variant(const void *data)
{
	enum { BLOCK_SIZES = sizeof block_sizes / sizeof *block_sizes - 1 };
	const sym_data *d = &((const sym_triangle *)data)->shared;
	int n = 0;

	if (d->strips.span)
		return BLOCK_SIZES;

	while (block_sizes[n + 1] != d->b)
		n++;
	return n;
}

static const tulle__kernel *kernel(const void *data, tulle__isa isa, tulle_value_type type)
{
	return kernels[isa][type] ? kernels[isa][type] + variant(data) : NULL;
}

static const tulle__kernel *many(const void *data, tulle__isa isa, tulle_value_type type)
{
	return many_kernels[isa][type] ? many_kernels[isa][type] + variant(data) : NULL;
}

const tulle__format tulle__format_sym = {
	.name = "sym",
	.summary =
	    "lower triangle of a symmetric, skew-symmetric or Hermitian matrix, in blocks or strips",
	.tunables = "block=auto,1,2,3,4,6 strips=auto,no,yes",
	.version = 2,
	.flags = TULLE__SCATTERS | TULLE__RESTRICTED | TULLE__MIRRORS | TULLE__HAS_COMPLEX,
	.estimator = &tulle__sym_estimator,
	.convert = convert,
	.update = update,
	.release = release,
	.describe = describe,
	.finishes = finishes,
	.check = tulle__sym_check,
	.to_csr = tulle__sym_to_csr,
	.kernel = kernel,
	.many = many,
};
