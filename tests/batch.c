/* batch.c -- batches of small matrices: every row within the bound of a reference of 100 bits, whatever the
 * kernel, the layout of the vectors and the sharing; the same bits at any number of threads. */
#include "batch_support.h"
#include "judged.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { COMBINATIONS = 4 };

static const double alphas[COMBINATIONS] = { 1, -0.5, 2, 0 };
static const double betas[COMBINATIONS] = { 0, 1, -0.5, 1 };
enum { KERNELS = 5 };
static const char *const kernel_names[KERNELS] = { NULL, "csr", "sell", "ell", "interleaved" };

static struct {
	long long batches, rows, violations;
	double worst;
	int seen[KERNELS]; /* kernels that classes had */
} tally;

/* ---- one batch against the oracle ---- */

static void check_product(const problems *p, const kit_oracle *oracle, const void *y,
                          const char *what)
{
	const kit_verdict v = judged(oracle, p->type, y, what);

	tally.rows += v.rows;
	tally.violations += v.violations;
	tally.worst = v.worst > tally.worst ? v.worst : tally.worst;
}

static void begin_y(const problems *p, double beta, void *y)
{
	if (beta == 0)
		value_fill(p->type, y, p->rows, NAN);
	else
		memcpy(y, p->b, (size_t)p->rows * value_size(p->type));
}

/* Through lists of pointers the bits are the same. */
static void check_list(const problems *p, const tulle_batch *b, double alpha, double beta,
                       const void *want)
{
	const size_t size = value_size(p->type);
	const void **x = grab(p->count, sizeof *x);
	void **y = grab(p->count, sizeof *y);
	char *all = grab(p->rows, size);

	for (int64_t i = 0; i < p->count; i++) {
		x[i] = (const char *)p->x + (size_t)p->x_at[i] * size;
		y[i] = all + (size_t)p->y_at[i] * size;
	}
	begin_y(p, beta, all);
	if (CHECK_OK(batch_mul_list(b, p->type, alpha, x, beta, y)))
		CHECK_THAT(memcmp(all, want, (size_t)p->rows * size) == 0, "a list has other bits");
	free(all);
	free(y);
	free(x);
}

/* Interleaved vectors give the bits of packed ones, and nothing else is written. */
static void check_interleaved(const problems *p, const tulle_batch *b, const tulle_batch_info *info,
                              double alpha, double beta, const void *want)
{
	const double mark = -77;
	const int64_t lanes = info->lanes, cols = p->m[0].cols, rows = p->m[0].rows;
	void *x = grab(info->x_size[1], value_size(p->type));
	void *y = grab(info->y_size[1], value_size(p->type));
	int wrong = 0, touched = 0;

	value_fill(p->type, x, info->x_size[1], NAN);
	value_fill(p->type, y, info->y_size[1], mark);
	for (int64_t i = 0; i < p->count; i++) {
		for (int64_t j = 0; j < cols; j++)
			value_set(p->type, x, (i / lanes * cols + j) * lanes + i % lanes,
			          value_at(p->type, p->x, p->x_at[i] + j));
		for (int64_t r = 0; r < rows; r++)
			value_set(p->type, y, (i / lanes * rows + r) * lanes + i % lanes,
			          beta == 0 ? (double)NAN : value_at(p->type, p->b, p->y_at[i] + r));
	}
	if (CHECK_OK(batch_mul(b, p->type, TULLE_INTERLEAVED, alpha, x, beta, y)))
		for (int64_t i = 0; i < info->y_size[1] / (rows > 0 ? rows : 1); i++)
			for (int64_t r = 0; r < rows; r++) {
				const double got = value_at(p->type, y, (i / lanes * rows + r) * lanes + i % lanes);

				if (i >= p->count)
					touched += got != mark;
				else
					wrong += !same_bits(got, value_at(p->type, want, p->y_at[i] + r));
			}
	CHECK_EQUAL(wrong, 0);
	CHECK_EQUAL(touched, 0);
	free(y);
	free(x);
}

static void count_kernels(const tulle_batch *b, const tulle_batch_info *info)
{
	for (int n = 0; n < info->classes; n++) {
		tulle_batch_class_info c = { .size = sizeof c };

		if (!CHECK_OK(tulle_batch_class(b, n, &c)))
			continue;
		CHECK(c.problems > 0 && c.least_rows <= c.most_rows && c.because[0]);
		for (int k = 1; k < KERNELS; k++)
			tally.seen[k] += strcmp(c.kernel, kernel_names[k]) == 0;
	}
}

static void check_description(const problems *p, const tulle_batch *b, const char *isa,
                              tulle_batch_info *info)
{
	char text[4096];

	*info = (tulle_batch_info){ .size = sizeof *info };
	if (!CHECK_OK(tulle_batch_describe(b, info)))
		return;
	CHECK_EQUAL(info->count, p->count);
	CHECK_EQUAL(info->nnz, p->nnz);
	CHECK_EQUAL(info->rows, p->rows);
	CHECK_EQUAL(info->y_size[0], p->rows);
	CHECK_EQUAL(info->x_size[0], p->cols);
	CHECK_THAT(strcmp(info->isa, isa) == 0, "the batch runs %s, not %s", info->isa, isa);
	CHECK(tulle_batch_explain(b, text, sizeof text) > 0 && strstr(text, "shared structure: "));
	count_kernels(b, info);
}

/* All of a batch's promises, for one way to make it. */
static void check_batch(const problems *p, kit_oracle *const *oracle, const char *isa,
                        const tulle_batch_source *s, const tulle_batch_options *o)
{
	static const int teams[] = { 1, 2, 5 };
	const size_t bytes = (size_t)p->rows * value_size(p->type);
	void *y = grab(p->rows, value_size(p->type)), *first = grab(p->rows, value_size(p->type));

	tally.batches++;
	for (int t = 0; t < 3; t++) {
		tulle_context *context = context_for(isa, teams[t], t > 0 ? -1 : 0);
		tulle_batch *b = NULL;
		tulle_batch_info info;

		if (context && CHECK_OK(tulle_batch_create(context, s, o, &b))) {
			check_description(p, b, isa, &info);
			for (int c = 0; c < COMBINATIONS; c++) {
				begin_y(p, betas[c], y);
				if (!CHECK_OK(batch_mul(b, p->type, TULLE_PACKED, alphas[c], p->x, betas[c], y)))
					continue;
				if (t == 0)
					check_product(p, oracle[c], y, "packed");
				if (t == 0 && c == 1)
					check_list(p, b, alphas[c], betas[c], y);
				if (info.lanes > 0)
					check_interleaved(p, b, &info, alphas[c], betas[c], y);
				if (c == 2 && t == 0)
					memcpy(first, y, bytes);
				else if (c == 2)
					CHECK_THAT(memcmp(first, y, bytes) == 0, "%d threads: other bits", teams[t]);
			}
		}
		tulle_batch_destroy(b);
		CHECK_EQUAL(context_info(context).blocks_held, 0);
		tulle_context_destroy(context);
	}
	free(first);
	free(y);
}

/* New values give the bits of a new batch. */
static void check_update(const problems *p, const char *isa, const tulle_batch_source *s,
                         const tulle_batch_options *o)
{
	tulle_context *context = context_for(isa, 2, -1);
	void *y = grab(p->rows, value_size(p->type)), *want = grab(p->rows, value_size(p->type));
	tulle_batch *fresh = NULL, *b = NULL;
	void *other = NULL;
	tulle_batch_source t = *s;

	if (s->val) {
		other = grab(p->values, value_size(p->type));
		for (int64_t k = 0; k < p->values; k++)
			value_set(p->type, other, k, 1 - 2 * value_at(p->type, s->val, k));
		t.val = other;
	}
	if (context && CHECK_OK(tulle_batch_create(context, s, o, &b)) &&
	    CHECK_OK(tulle_batch_create(context, &t, o, &fresh))) {
		CHECK_OK(tulle_batch_update(b, other));
		CHECK_OK(batch_mul(fresh, p->type, TULLE_PACKED, 1, p->x, 0, want));
		CHECK_OK(batch_mul(b, p->type, TULLE_PACKED, 1, p->x, 0, y));
		CHECK_THAT(memcmp(y, want, (size_t)p->rows * value_size(p->type)) == 0,
		           "an updated batch has other bits than a new one");
	}
	tulle_batch_destroy(fresh);
	tulle_batch_destroy(b);
	CHECK_EQUAL(context_info(context).blocks_held, 0);
	tulle_context_destroy(context);
	free(other);
	free(want);
	free(y);
}

/* Every kernel, values copied and borrowed. */
static void check_problems(const options *o, problems *p, const char *isa)
{
	kit_oracle *oracle[COMBINATIONS];

	for (int c = 0; c < COMBINATIONS; c++)
		oracle[c] = problems_oracle(p, alphas[c], betas[c]);
	for (int k = 0; k < KERNELS; k++)
		for (int borrowed = 0; borrowed < 2; borrowed++) {
			const tulle_batch_options with = { .size = sizeof with,
				                               .kernel = kernel_names[k],
				                               .borrow_values = borrowed };
			const tulle_batch_source s = problems_source(p);

			if (borrowed && k > 1)
				continue;
			check_about("%s, %s, %s, kernel %s%s", p->name, isa, type_name(p->type),
			            kernel_names[k] ? kernel_names[k] : "auto", borrowed ? ", borrowed" : "");
			check_batch(p, oracle, isa, &s, &with);
			if (!o->brief || k == 0)
				check_update(p, isa, &s, &with);
		}
	for (int c = 0; c < COMBINATIONS; c++)
		kit_oracle_free(oracle[c]);
	problems_free(p);
}

static void check_all(const options *o, const char *isa, tulle_value_type type)
{
	problems p;

	memset(&tally, 0, sizeof tally);
	for (int n = 0; batch_at(n, type, o->full, &p); n++)
		check_problems(o, &p, isa);
	for (int k = 1; k < KERNELS; k++)
		CHECK_THAT(tally.seen[k] > 0, "no class had the kernel %s", kernel_names[k]);
	check_group("%s %s: %lld batches, %lld rows, %lld violations, worst error %.3f of its bound",
	            isa, type_name(type), tally.batches, tally.rows, tally.violations, tally.worst);
}

int main(int argc, char **argv)
{
	const options o = read_options(argc, argv);

	for (int i = 0; i < ISAS; i++)
		for (int t = TULLE_F32; t <= TULLE_F64; t++)
			if (wants_isa(&o, isas[i]) && wants_type(&o, (tulle_value_type)t))
				check_all(&o, isas[i], (tulle_value_type)t);
	return check_end();
}
