/* complex_batch.c -- batches of c64 and c128: every part within the bound of complex arithmetic, whatever the kernel,
 * the layout of the vectors and the sharing; NaN and Inf stay in their problem; the same bits at any number of threads.
 * Values and vectors end at guard pages. */
#include "batch_support.h"
#include "complex_problem.h"
#include "core/types.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { COMBINATIONS = 4, KERNELS = 5 };

static const kit_complex alphas[COMBINATIONS] = { { 1, 0 }, { 1.75, -0.625 }, { 0, 2 }, { 0, 0 } };
static const kit_complex betas[COMBINATIONS] = { { 0, 0 }, { -0.5, 0.25 }, { 1, 0 }, { 0, 1 } };
static const char *const kernel_names[KERNELS] = { NULL, "csr", "sell", "ell", "interleaved" };

static struct {
	long long batches;
	int64_t parts;     /* that a batch had at most */
	int seen[KERNELS]; /* kernels that classes had */
} tally;

/* The patterns and places of a real batch, with values and vectors of `type`. */
typedef struct {
	problems of;
	tulle_value_type type, part;
	size_t size;
	fenced val, x, b, y;
} complex_batch;

static fenced numbers(const complex_batch *p, int64_t count, uint64_t seed)
{
	const fenced f = fence(count, p->size);

	kit_random_fill(KIT_UNIFORM, seed, p->part, 2 * count, f.at);
	return f;
}

static complex_batch complex_of(problems of, tulle_value_type type, uint64_t seed)
{
	complex_batch p = { .of = of, .type = type };

	p.part = type == TULLE_C64 ? TULLE_F32 : TULLE_F64;
	p.size = type == TULLE_C64 ? sizeof(tulle_c64) : sizeof(tulle_c128);
	p.val = numbers(&p, of.values, seed);
	p.x = numbers(&p, of.cols, seed + 1);
	p.b = numbers(&p, of.rows, seed + 2);
	p.y = fence(of.rows, p.size);
	return p;
}

static void release(complex_batch *p)
{
	unfence(&p->val);
	unfence(&p->x);
	unfence(&p->b);
	unfence(&p->y);
	problems_free(&p->of);
}

static tulle_batch_source source_of(const complex_batch *p)
{
	tulle_batch_source s = problems_source(&p->of);

	s.value_type = p->type;
	s.val = p->of.ones ? NULL : p->val.at;
	return s;
}

static tulle_batch *create(tulle_context *context, const complex_batch *p, const char *kernel,
                           int borrowed)
{
	const tulle_batch_source s = source_of(p);
	const tulle_batch_options o = { .size = sizeof o, .kernel = kernel, .borrow_values = borrowed };
	tulle_batch *b = NULL;

	CHECK_OK(tulle_batch_create(context, &s, &o, &b));
	return b;
}

/* ---- the oracle: all problems as the blocks of one diagonal matrix ---- */

/* Value `to` of the blocks is value `from` of the batch times a power of two. */
static void scaled(const complex_batch *p, void *val, int64_t to, int64_t from, double scale)
{
	for (int n = 0; n < 2; n++)
		value_set(p->part, val, 2 * to + n, scale * value_at(p->part, p->val.at, 2 * from + n));
}

static kit_complex_oracle *oracle_of(const complex_batch *p)
{
	const problems *of = &p->of;
	int64_t *row_ptr = grab(of->rows + 1, sizeof *row_ptr), *col = grab(of->nnz, sizeof *col);
	void *val = grab(of->nnz, p->size);
	int64_t row = 0, k = 0, value = 0;
	kit_complex_oracle *o;

	for (int64_t i = 0; i < of->count; i++) {
		const matrix *m = &of->m[i];

		if (of->shared & TULLE_SHARED_VALUES)
			value = 0;
		else if (of->val_at)
			value = of->val_at[i];
		for (int64_t r = 0; r < m->rows; r++)
			row_ptr[row++] = k + m->row_ptr[r];
		for (int64_t n = 0; n < m->nnz; n++, k++, value++) {
			col[k] = m->col[n] + of->x_at[i];
			if (!of->ones)
				scaled(p, val, k, value, of->scale ? of->scale[i] : 1);
		}
	}
	row_ptr[row] = k;
	o = kit_complex_oracle_create(&(tulle_csr_view){ .size = sizeof(tulle_csr_view),
	                                                 .rows = of->rows,
	                                                 .cols = of->cols,
	                                                 .nnz = of->nnz,
	                                                 .offset_type = TULLE_I64,
	                                                 .column_type = TULLE_I64,
	                                                 .value_type = p->type,
	                                                 .row_ptr = row_ptr,
	                                                 .col = col,
	                                                 .val = of->ones ? NULL : val },
	                              TULLE_NORMAL, p->x.at);
	CHECK_THAT(o, "the oracle: %s", kit_error());
	free(val);
	free(col);
	free(row_ptr);
	return o;
}

/* ---- calls ---- */

static tulle_c64 narrow(kit_complex s)
{
	return (tulle_c64){ (float)s.re, (float)s.im };
}

static tulle_c128 wide(kit_complex s)
{
	return (tulle_c128){ s.re, s.im };
}

static tulle_status call_mul(const tulle_batch *b, tulle_value_type type, tulle_batch_layout layout,
                             int c, const void *x, void *y)
{
	return type == TULLE_C64
	           ? tulle_batch_mul_c64(b, layout, narrow(alphas[c]), x, narrow(betas[c]), y)
	           : tulle_batch_mul_c128(b, layout, wide(alphas[c]), x, wide(betas[c]), y);
}

static tulle_status call_list(const tulle_batch *b, tulle_value_type type, int c,
                              const void *const *x, void *const *y)
{
	return type == TULLE_C64
	           ? tulle_batch_mul_list_c64(b, narrow(alphas[c]), (const tulle_c64 *const *)x,
	                                      narrow(betas[c]), (tulle_c64 *const *)y)
	           : tulle_batch_mul_list_c128(b, wide(alphas[c]), (const tulle_c128 *const *)x,
	                                       wide(betas[c]), (tulle_c128 *const *)y);
}

/* y before a product: NaN where it must not be read. */
static void begin_y(const complex_batch *p, int c, void *y)
{
	if (betas[c].re == 0 && betas[c].im == 0)
		value_fill(p->part, y, 2 * p->of.rows, NAN);
	else
		memcpy(y, p->b.at, (size_t)p->of.rows * p->size);
}

static int multiply_packed(const complex_batch *p, const tulle_batch *b, int c)
{
	begin_y(p, c, p->y.at);
	return CHECK_OK(call_mul(b, p->type, TULLE_PACKED, c, p->x.at, p->y.at));
}

/* ---- checks of one batch, whose packed product is in p->y ---- */

/* Through lists of pointers the bits are the same. */
static void check_list(const complex_batch *p, const tulle_batch *b, int c)
{
	const problems *of = &p->of;
	const void **x = grab(of->count, sizeof *x);
	void **y = grab(of->count, sizeof *y);
	fenced all = fence(of->rows, p->size);

	for (int64_t i = 0; i < of->count; i++) {
		x[i] = (const char *)p->x.at + (size_t)of->x_at[i] * p->size;
		y[i] = (char *)all.at + (size_t)of->y_at[i] * p->size;
	}
	begin_y(p, c, all.at);
	if (CHECK_OK(call_list(b, p->type, c, x, y)))
		CHECK_THAT(memcmp(all.at, p->y.at, (size_t)of->rows * p->size) == 0,
		           "a list has other bits");
	unfence(&all);
	free(y);
	free(x);
}

/* Interleaved vectors give the bits of packed ones, and lanes after the last problem stay. */
static void check_interleaved(const complex_batch *p, const tulle_batch *b,
                              const tulle_batch_info *info, int c)
{
	const int64_t lanes = info->lanes, cols = p->of.m[0].cols, rows = p->of.m[0].rows;
	fenced x = fence(info->x_size[1], p->size), y = fence(info->y_size[1], p->size);
	void *before = grab(p->of.rows, p->size), *mark = grab(info->y_size[1], p->size);
	const size_t bytes = (size_t)info->y_size[1] * p->size;

	begin_y(p, c, before);
	memset(x.at, 0xff, (size_t)info->x_size[1] * p->size);
	memset(y.at, 0x77, bytes);
	for (int64_t i = 0; i < p->of.count; i++) {
		for (int64_t j = 0; j < cols; j++)
			complex_turn(p->type, x.at, (i / lanes * cols + j) * lanes + i % lanes, p->x.at,
			             p->of.x_at[i] + j, 0);
		for (int64_t r = 0; r < rows; r++)
			complex_turn(p->type, y.at, (i / lanes * rows + r) * lanes + i % lanes, before,
			             p->of.y_at[i] + r, 0);
	}
	memset(mark, 0x77, bytes);
	for (int64_t i = 0; i < p->of.count; i++)
		for (int64_t r = 0; r < rows; r++)
			complex_turn(p->type, mark, (i / lanes * rows + r) * lanes + i % lanes, p->y.at,
			             p->of.y_at[i] + r, 0);
	if (CHECK_OK(call_mul(b, p->type, TULLE_INTERLEAVED, c, x.at, y.at)))
		CHECK_THAT(bytes == 0 || memcmp(mark, y.at, bytes) == 0,
		           "interleaved vectors give other bits, or a lane of no problem is written");
	free(mark);
	free(before);
	unfence(&x);
	unfence(&y);
}

/* i A gives i A x, exactly; then the values from before. */
static void check_update(complex_batch *p, tulle_batch *b, const kit_complex_oracle *o)
{
	fenced val = fence(p->of.values, p->size);

	for (int64_t k = 0; k < p->of.values; k++)
		complex_turn(p->type, val.at, k, p->val.at, k, 1);
	if (CHECK_OK(tulle_batch_update(b, val.at)) && multiply_packed(p, b, 0)) {
		for (int64_t i = 0; i < p->of.rows; i++)
			complex_turn(p->type, p->y.at, i, p->y.at, i, 3);
		complex_judge(o, "mul after an update", alphas[0], betas[0], NULL, p->y.at);
	}
	CHECK_OK(tulle_batch_update(b, p->val.at));
	unfence(&val);
}

static void check_description(const complex_batch *p, const tulle_batch *b, const char *isa,
                              tulle_batch_info *info)
{
	*info = (tulle_batch_info){ .size = sizeof *info };
	if (!CHECK_OK(tulle_batch_describe(b, info)))
		return;
	CHECK_EQUAL(info->value_type, p->type);
	tally.parts = info->parts > tally.parts ? info->parts : tally.parts;
	CHECK_THAT(strcmp(info->isa, complex_set(isa)) == 0, "the batch runs %s", info->isa);
	for (int n = 0; n < info->classes; n++) {
		tulle_batch_class_info class = { .size = sizeof class };

		CHECK_OK(tulle_batch_class(b, n, &class));
		for (int k = 1; k < KERNELS; k++)
			tally.seen[k] += strcmp(class.kernel, kernel_names[k]) == 0;
	}
}

/* ---- the walk ---- */

static void check_batch(complex_batch *p, const kit_complex_oracle *o, const char *isa,
                        const char *kernel, int borrowed)
{
	tulle_context *context = context_for(isa, 1, 0);
	tulle_batch *b = context ? create(context, p, kernel, borrowed) : NULL;
	tulle_batch_info info;

	tally.batches++;
	if (b) {
		check_description(p, b, isa, &info);
		for (int c = 0; c < COMBINATIONS; c++) {
			if (!multiply_packed(p, b, c))
				continue;
			complex_judge(o, "packed", alphas[c], betas[c], p->b.at, p->y.at);
			if (c == 1)
				check_list(p, b, c);
			if (info.lanes > 0)
				check_interleaved(p, b, &info, c);
		}
		if (!p->of.ones)
			check_update(p, b, o);
	}
	tulle_batch_destroy(b);
	CHECK_EQUAL(context_info(context).blocks_held, 0);
	tulle_context_destroy(context);
}

/* NaN and Inf in parts of x, at the end of a problem and at the beginning of the next: rows that meet them give what
 * they give, the others stay within the bound. One oracle serves all kernels. */
static void check_nonfinite(complex_batch *p, const char *isa)
{
	const double odd[] = { INFINITY, NAN };
	const int64_t middle = p->of.count > 1 ? p->of.x_at[p->of.count / 2] : 0;
	tulle_context *context = context_for(isa, 1, 0);
	kit_complex_oracle *o;

	if (middle > 0 && middle < p->of.cols && context) {
		for (int n = 0; n < 2; n++)
			value_set(p->part, p->x.at, 2 * middle - 1 + n, odd[n]);
		o = oracle_of(p);
		for (int k = 0; o && k < KERNELS; k++) {
			tulle_batch *b = create(context, p, kernel_names[k], 0);

			for (int c = 0; b && c < 2; c++)
				if (multiply_packed(p, b, c))
					complex_judge(o, "mul with Inf or NaN", alphas[c], betas[c], p->b.at, p->y.at);
			tulle_batch_destroy(b);
		}
		kit_complex_oracle_free(o);
	}
	tulle_context_destroy(context);
}

/* Two and five threads give the bits of one. */
static void check_threads(const complex_batch *p, const char *isa, const char *kernel)
{
	static const int teams[] = { 1, 2, 5 };
	const size_t bytes = (size_t)p->of.rows * p->size;
	void *first = grab(p->of.rows, p->size);

	for (int t = 0; t < 3; t++) {
		tulle_context *context = context_for(isa, teams[t], t > 0 ? -1 : 0);
		tulle_batch *b = context ? create(context, p, kernel, 0) : NULL;

		if (b && multiply_packed(p, b, 1)) {
			if (t == 0)
				memcpy(first, p->y.at, bytes);
			else
				CHECK_THAT(memcmp(first, p->y.at, bytes) == 0, "%d threads: other bits", teams[t]);
		}
		tulle_batch_destroy(b);
		tulle_context_destroy(context);
	}
	free(first);
}

static void check_problems(complex_batch *p, const char *isa)
{
	kit_complex_oracle *o = oracle_of(p);

	for (int k = 0; o && k < KERNELS; k++) {
		check_about("%s, %s, %s, kernel %s", p->of.name, isa, tulle__type_of(p->type)->name,
		            kernel_names[k] ? kernel_names[k] : "auto");
		check_batch(p, o, isa, kernel_names[k], 0);
		if (k == 1)
			check_batch(p, o, isa, kernel_names[k], 1);
		if (k != 1)
			check_threads(p, isa, kernel_names[k]);
	}
	kit_complex_oracle_free(o);
	check_about("%s, %s, %s, NaN and Inf", p->of.name, isa, tulle__type_of(p->type)->name);
	check_nonfinite(p, isa);
}

/* Takes the patterns. */
static void check_patterns(problems of, const char *isa, tulle_value_type type)
{
	complex_batch p = complex_of(of, type, (uint64_t)of.count);

	check_problems(&p, isa);
	release(&p);
}

/* The oracle is slow: the large batches are for the long form, and in the brief form each type has half of the others. */
static int wants_batch(const options *o, tulle_value_type type, const problems *p, int n)
{
	return o->full || (p->rows + p->nnz <= 30000 && (!o->brief || n % 2 == (type == TULLE_C64)));
}

/* Sets that use the kernels of another one have one batch. Its parts begin inside problems and groups. */
static void check_all(const options *o, const char *isa, tulle_value_type type)
{
	const int own = strcmp(isa, complex_set(isa)) == 0;
	problems of;

	memset(&tally, 0, sizeof tally);
	for (int n = 0; own && batch_at(n, TULLE_F64, o->full, &of); n++)
		if (wants_batch(o, type, &of, n))
			check_patterns(of, isa, type);
		else
			problems_free(&of);
	check_patterns(problems_of_pattern("cut", matrix_grid(24), 9, TULLE_F64, 0, 0, 1), isa, type);
	for (int k = 1; k < KERNELS && own; k++)
		CHECK_THAT(tally.seen[k] > 0, "no class had the kernel %s", kernel_names[k]);
	CHECK_THAT(tally.parts > 1, "no batch was cut into parts");
	check_group("%s %s: %lld batches of up to %lld parts", isa, tulle__type_of(type)->name,
	            tally.batches, (long long)tally.parts);
}

int main(int argc, char **argv)
{
	const options o = read_options(argc, argv);

	for (int i = 0; i < ISAS; i++)
		for (int t = TULLE_C64; t <= TULLE_C128; t++)
			if (wants_isa(&o, isas[i]))
				check_all(&o, isas[i], (tulle_value_type)t);
	return check_end();
}
