/* batch_choose.c -- chooses a kernel for each problem, by predicted times; the prices are fitted to
 * measurements. */
#include "batch/batch_store.h"
#include "core/gather.h"
#include "core/memory.h"
#include "core/split.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

const char *const tulle__batch_kernel_name[BATCH_KERNELS] = { "csr", "sell", "ell", "interleaved" };

/* Nanoseconds of one thread per byte read sequentially from memory, per lane in a step, per row, per
 * problem. */
typedef struct {
	double byte, step, row, problem;
} prices;

static const prices price[TULLE__ISAS][BATCH_KERNELS] = {
#include "batch/batch_prices.def"
};

enum {
	LONGEST = 512,      /* rows up to here are counted one by one */
	LARGE_X = 1 << 19,  /* bytes of x that a group may interleave: they stay in L2 */
	SMALL_X = 40 << 10, /* ... in L1, too */
	NEAR = 1 << 25      /* bytes of a batch that come from a cache, for ... */
};
static const double near_price = 0.33; /* ... so much of a byte's price */
static const double far_price = 4;     /* of a step whose x is not in L1, for groups */

/* The prices of an instruction set, or of the set whose prices it uses. */
static const prices *prices_for(tulle__isa isa, batch_kernel kernel)
{
	while (price[isa][kernel].byte == 0 && tulle__isa_priced_as(isa) != TULLE__NONE)
		isa = tulle__isa_priced_as(isa);
	return &price[isa][kernel];
}

/* ---- what a problem would take ---- */

/* Lanes, busy and idle, of all steps if rows are sorted into chunks; a longer row is a chunk by
 * itself. */
static int64_t count_steps(const tulle__csr *a, int height)
{
	int32_t rows_of[LONGEST + 1] = { 0 };
	int64_t steps = 0, lanes = 0;

	for (int64_t i = 0; i < a->rows; i++) {
		const int64_t n = tulle__csr_length(a, i);

		if (n > LONGEST)
			steps += n * height;
		else
			rows_of[n]++;
	}
	/* In descending order of length: the first row of a chunk determines its width. */
	for (int n = LONGEST; n > 0; n--) {
		const int64_t open = (lanes + height - 1) / height;

		lanes += rows_of[n];
		steps += ((lanes + height - 1) / height - open) * height * n;
	}
	return steps;
}

typedef struct {
	double bytes, seconds;
} cost;

/* Multiplying and reading overlap; idle lanes, rows and problems are added. */
static cost cost_of(const tulle__problems *p, batch_kernel kernel, double bytes, double busy,
                    double idle, double rows)
{
	const prices *of =
	    prices_for(tulle__batch_set(tulle__kernel_isa(p->env), p->value_type), kernel);
	const int parts = tulle__type_of(p->value_type)->parts;
	const double step = of->step * parts * parts; /* products of real numbers per product */
	const double all = (double)p->nnz * (2 + (double)tulle__value_size(p->value_type));
	const double reading = of->byte * bytes * (all < NEAR ? near_price : 1);

	return (cost){ bytes, 1e-9 * (fmax(step * busy, reading) + step * idle + of->row * rows +
		                          of->problem) };
}

/* Bytes of an entry's column and value. */
static double entry_bytes(const tulle__problems *p, const tulle__problem *a)
{
	return (a->cols <= 65536 ? 2 : 4) + (p->ones ? 0 : (double)tulle__value_size(p->value_type));
}

static double vector_bytes(const tulle__problems *p, const tulle__problem *a)
{
	return (double)(a->rows + a->cols) * (double)tulle__element_size(p->value_type);
}

static cost csr_cost(const tulle__problems *p, const tulle__problem *a)
{
	const double bytes =
	    (double)a->nnz * entry_bytes(p, a) + 4 * (double)a->rows + sizeof(batch_unit);

	return cost_of(p, BATCH_CSR, bytes + vector_bytes(p, a), (double)a->nnz, 0, (double)a->rows);
}

static cost sell_cost(const tulle__problems *p, const tulle__problem *a, int64_t steps)
{
	const double bytes =
	    (double)a->nnz * entry_bytes(p, a) + 6 * (double)a->rows + sizeof(batch_unit);

	return cost_of(p, BATCH_SELL, bytes + vector_bytes(p, a), (double)a->nnz,
	               (double)(steps - a->nnz), (double)a->rows);
}

/* Rows of one length need no list: all lanes are busy, except in the last chunk. */
static cost ell_cost(const tulle__problems *p, const tulle__problem *a)
{
	const int64_t lanes = tulle__batch_lanes(p->env->isa, p->value_type);
	const int64_t width = a->nnz / a->rows, steps = tulle__round_up(a->rows, lanes) * width;
	const double bytes = (double)a->nnz * entry_bytes(p, a) + sizeof(batch_unit);

	return cost_of(p, BATCH_ELL, bytes + vector_bytes(p, a), (double)a->nnz,
	               (double)(steps - a->nnz), (double)a->rows);
}

static int has_one_length(const tulle__csr *a)
{
	if (a->nnz == 0 || a->nnz % a->rows != 0)
		return 0;
	for (int64_t i = 0; i < a->rows; i++)
		if (tulle__csr_length(a, i) != a->nnz / a->rows)
			return 0;
	return 1;
}

/* One of a group of `lanes` problems. */
static cost interleaved_cost(const tulle__problems *p, const tulle__problem *a, int64_t lanes)
{
	const size_t size = tulle__value_size(p->value_type);
	const int64_t group = tulle__batch_lanes(p->env->isa, p->value_type);
	const double idle = (double)group / (double)lanes, value = p->ones ? 0 : (double)size;
	const double bytes = (double)a->nnz * value * idle + sizeof(batch_unit) / (double)lanes;
	const double far = a->cols * group * (int64_t)size > SMALL_X ? far_price : 1;

	return cost_of(p, BATCH_INTERLEAVED, bytes + vector_bytes(p, a), (double)a->nnz * idle * far, 0,
	               (double)(a->rows + a->cols) * idle);
}

/* ---- classes ---- */

static int size_class(int64_t rows)
{
	int n = 0;

	for (int64_t most = 32; rows > most && n < TULLE__SIZE_CLASSES - 1; most *= 2)
		n++;
	return n;
}

static void join(tulle__batch_classes *out, tulle__problem *a, cost c, const char *because)
{
	const int wanted = (int)a->kernel * TULLE__SIZE_CLASSES + size_class(a->rows);
	tulle__batch_class *class = &out->class[wanted];

	a->class = wanted;
	if (class->problems++ == 0) {
		class->kernel = a->kernel;
		class->least_rows = class->most_rows = a->rows;
		snprintf(class->because, sizeof class->because, "%s", because);
	}
	class->rows += a->rows;
	class->nnz += a->nnz;
	class->bytes += c.bytes;
	class->seconds += c.seconds;
	class->least_rows = a->rows < class->least_rows ? a->rows : class->least_rows;
	class->most_rows = a->rows > class->most_rows ? a->rows : class->most_rows;
}

/* Removes empty classes, and renumbers the classes of the problems. */
static void number_classes(tulle__problems *p, tulle__batch_classes *out)
{
	int number[TULLE__BATCH_CLASSES];

	out->classes = 0;
	for (int n = 0; n < TULLE__BATCH_CLASSES; n++) {
		number[n] = out->classes;
		if (out->class[n].problems > 0)
			out->class[out->classes++] = out->class[n];
	}
	for (int64_t i = 0; i < p->count; i++)
		p->problem[i].class = number[p->problem[i].class];
}

static const char *what_is_shared(const tulle__problems *p)
{
	int rows = 1, pattern = 1, values = !p->ones, size = 1;

	for (int64_t i = 1; i < p->count; i++) {
		const tulle__problem *a = &p->problem[i];

		size &= a->rows == p->problem[0].rows && a->cols == p->problem[0].cols;
		rows &= a->same_rows == 0;
		pattern &= a->same_pattern == 0;
		values &= a->same_values == 0;
	}
	if (p->count < 2)
		return "none";
	return pattern && (values || p->ones) ? "one matrix"
	       : pattern                      ? "one pattern"
	       : values                       ? "same values"
	       : rows                         ? "same row lengths"
	       : size                         ? "same size"
	                                      : "none";
}

/* ---- the choice ---- */

typedef struct {
	const tulle__problems *p;
	int64_t *alike; /* problems of each pattern, by its first problem */
	int only, borrow, few;
} choosing;

static int can_interleave(const choosing *c, const tulle__problem *a)
{
	const int lanes = tulle__batch_lanes(c->p->env->isa, c->p->value_type);

	return !c->borrow && c->alike[a->same_pattern] > 1 &&
	       a->cols * lanes * (int64_t)tulle__element_size(c->p->value_type) <= LARGE_X;
}

static void choose(const choosing *c, int64_t i, tulle__batch_classes *out)
{
	const tulle__problems *p = c->p;
	tulle__problem *a = &p->problem[i];
	const tulle__csr csr = tulle__problem_csr(p, i);
	const int lanes = tulle__batch_lanes(p->env->isa, p->value_type);
	const int64_t alike = c->alike[a->same_pattern];
	const cost plain = csr_cost(p, a);
	const cost sell = sell_cost(p, a, count_steps(&csr, lanes));
	cost interleaved;

	a->kernel = BATCH_CSR;
	a->vectors_per_chunk = 1;
	if (c->borrow) {
		join(out, a, plain, "it reads your array of values");
		return;
	}
	if (can_interleave(c, a)) {
		interleaved = interleaved_cost(p, a, alike < lanes ? alike : lanes);
		if (c->only == BATCH_INTERLEAVED || (c->only == BATCH_KERNELS && !c->few)) {
			const int wins = c->only == BATCH_INTERLEAVED ||
			                 interleaved.seconds < fmin(plain.seconds, sell.seconds);

			if (wins) {
				a->kernel = BATCH_INTERLEAVED;
				join(out, a, interleaved, "one problem per lane: they have the same pattern");
				return;
			}
		}
	}
	if (c->few && c->only != BATCH_SELL && c->only != BATCH_ELL) {
		join(out, a, plain, "too few multiplications for a conversion to pay off");
		return;
	}
	if (p->shares_values && a->same_values != i && c->only != BATCH_SELL && c->only != BATCH_ELL) {
		join(out, a, plain, "problems share one array of values");
		return;
	}
	if ((c->only == BATCH_KERNELS || c->only == BATCH_ELL) && has_one_length(&csr)) {
		const cost ell = ell_cost(p, a);

		if (c->only == BATCH_ELL || ell.seconds < plain.seconds) {
			a->kernel = BATCH_ELL;
			join(out, a, ell, "one row per lane: all rows have the same length");
			return;
		}
	}
	if (c->only == BATCH_SELL || (c->only != BATCH_CSR && sell.seconds < plain.seconds)) {
		a->kernel = BATCH_SELL;
		join(out, a, sell, "one row per lane, sorted by length");
		return;
	}
	join(out, a, plain,
	     c->only == BATCH_CSR ? "you named the kernel"
	                          : "row lengths differ too much for one row per lane");
}

tulle_status tulle__problems_choose(tulle__problems *p, double multiplies, int only, int borrow,
                                    tulle__batch_classes *out)
{
	choosing c = { p, NULL, only, borrow, multiplies > 0 && multiplies < TULLE__FEW_MULTIPLIES };
	const tulle_status s = tulle__alloc_zero(p->env, p->count, sizeof *c.alike, &c.alike);

	if (s != TULLE_OK)
		return s;
	for (int64_t i = 0; i < p->count; i++)
		c.alike[p->problem[i].same_pattern]++;
	memset(out, 0, sizeof *out);
	for (int64_t i = 0; i < p->count; i++)
		choose(&c, i, out);
	tulle__free(p->env, c.alike);
	number_classes(p, out);
	out->special = what_is_shared(p);
	return TULLE_OK;
}
