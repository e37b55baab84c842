/* random.c -- portable random numbers, vectors and systems of the classes that tests need. */
#include <stdlib.h>

#include "inner.h"

kit_rng kit_random_seed(uint64_t seed, uint64_t stream)
{
	return (kit_rng){ kit__hash(seed, stream, 0) };
}

uint64_t kit_random_u64(kit_rng *rng)
{
	return kit__mix(rng->state += 0x9e3779b97f4a7c15u);
}

double kit_random_unit(kit_rng *rng)
{
	return kit__unit(kit_random_u64(rng));
}

int64_t kit_random_below(kit_rng *rng, int64_t n)
{
	__extension__ typedef unsigned __int128 wide;
	return (int64_t)((wide)kit_random_u64(rng) * (uint64_t)n >> 64);
}

/* ---- sets of columns ---- */

static void sift(int32_t *a, int64_t root, int64_t n)
{
	int32_t v = a[root];
	for (int64_t child; (child = 2 * root + 1) < n; root = child) {
		if (child + 1 < n && a[child + 1] > a[child])
			child++;
		if (a[child] <= v)
			break;
		a[root] = a[child];
	}
	a[root] = v;
}

/* Insertion sort for short and nearly sorted rows, which most are; heap sort for the others. */
void kit__sort(int32_t *a, int64_t n)
{
	if (n <= 48) {
		for (int64_t i = 1; i < n; i++) {
			int32_t v = a[i];
			int64_t j = i;
			for (; j > 0 && a[j - 1] > v; j--)
				a[j] = a[j - 1];
			a[j] = v;
		}
		return;
	}
	int64_t sorted = 1;
	while (sorted < n && a[sorted - 1] <= a[sorted])
		sorted++;
	if (sorted == n)
		return;
	for (int64_t i = n / 2; i-- > 0;)
		sift(a, i, n);
	for (int64_t i = n; i-- > 1;) {
		int32_t v = a[0];
		a[0] = a[i];
		a[i] = v;
		sift(a, 0, i);
	}
}

int64_t kit__unique(int32_t *a, int64_t n)
{
	kit__sort(a, n);
	int64_t kept = 0;
	for (int64_t i = 0; i < n; i++)
		if (!kept || a[i] != a[kept - 1])
			a[kept++] = a[i];
	return kept;
}

/* Few numbers: draw, remove duplicates, draw again. Many: one from each of k equal strata, which
 * takes linear time and gives sorted numbers. */
void kit__sample(kit_rng *rng, int64_t k, int64_t lo, int64_t hi, int32_t *out)
{
	int64_t span = hi - lo;
	if (k <= 32 && 2 * k <= span) {
		for (int64_t n = 0; n < k; n = kit__unique(out, k))
			for (int64_t i = n; i < k; i++)
				out[i] = (int32_t)(lo + kit_random_below(rng, span));
		return;
	}
	for (int64_t t = 0; t < k; t++) {
		int64_t from = t * span / k, to = (t + 1) * span / k;
		out[t] = (int32_t)(lo + from + kit_random_below(rng, to - from));
	}
}

int32_t *kit__permutation(uint64_t seed, int64_t n)
{
	int32_t *p = kit__alloc(n, sizeof *p);
	if (!p)
		return NULL;
	kit_rng rng = kit_random_seed(seed, 0x5bd1e995);
	for (int64_t i = 0; i < n; i++) {
		int64_t j = kit_random_below(&rng, i + 1);
		p[i] = p[j];
		p[j] = (int32_t)i;
	}
	return p;
}

/* ---- values of a class ---- */

const char *kit_values_name(kit_values c)
{
	static const char *const names[KIT_VALUES] = { "uniform",  "wide",  "cancel",
		                                           "denormal", "mixed", "integer" };
	return names[c];
}

/* What the classes mean in a value type. */
typedef struct {
	int wide;      /* exponents -wide .. wide */
	int mixed;     /* scales 2^-mixed, 1, 2^mixed */
	int tiny;      /* the result of a cancelling sum, 2^-tiny */
	int root;      /* the product of two 2^-root is about the smallest normal number */
	int smallest;  /* 2^-smallest is the smallest denormal */
	int denormals; /* there are 2^denormals of them */
} ranges;

static ranges ranges_of(tulle_value_type type)
{
	return type == TULLE_F32 ? (ranges){ 30, 20, 15, 64, 149, 23 }
	                         : (ranges){ 300, 50, 40, 513, 1074, 52 };
}

/* 2^e, -1022 <= e <= 1023, from its bits. */
static double power(int e)
{
	uint64_t bits = (uint64_t)(e + 1023) << 52;
	double v;
	memcpy(&v, &bits, sizeof v);
	return v;
}

/* One value. `x` distinguishes elements of a vector from those of a matrix. This matters for
 * denormals only: a matrix of denormals times a vector of denormals would be zero everywhere. */
static double draw(kit_values c, const ranges *r, kit_rng *rng, int64_t largest, int x)
{
	double v = kit__signed(kit_random_u64(rng));
	switch (c) {
	case KIT_WIDE: return v * power((int)kit_random_below(rng, 2 * r->wide + 1) - r->wide);
	case KIT_MIXED: return v * power(r->mixed * ((int)kit_random_below(rng, 3) - 1));
	case KIT_INTEGER: return (double)(kit_random_below(rng, 2 * largest + 1) - largest);
	case KIT_DENORMAL:
		if (kit_random_below(rng, 2))
			return v * power((int)kit_random_below(rng, 24) - 16 - r->root);
		if (!x)
			return v;
		v = (double)(kit_random_below(rng, (int64_t)1 << r->denormals) + 1);
		/* In two steps: 2^-1074 is not a normal number. */
		v = v * power(-r->smallest / 2) * power(r->smallest / 2 - r->smallest);
		return kit_random_below(rng, 2) ? v : -v;
	case KIT_UNIFORM:
	case KIT_CANCEL: break;
	}
	return v;
}

static void put(tulle_value_type type, void *out, int64_t k, double v)
{
	if (type == TULLE_F32)
		((float *)out)[k] = (float)v;
	else
		((double *)out)[k] = v;
}

static double get(tulle_value_type type, const void *a, int64_t k)
{
	return type == TULLE_F32 ? (double)((const float *)a)[k] : ((const double *)a)[k];
}

typedef struct {
	kit_values class;
	uint64_t seed;
	tulle_value_type type;
	ranges ranges;
	void *out;
} filling;

static void fill_element(const void *self, int64_t i)
{
	const filling *f = self;
	/* The second of a cancelling pair starts from the same numbers as the first. */
	int64_t source = f->class == KIT_CANCEL ? i / 2 : i;
	kit_rng rng = kit_random_seed(f->seed, (uint64_t)source);
	double v = draw(f->class, &f->ranges, &rng, 8, 1);
	if (f->class == KIT_CANCEL && i % 2)
		v = -v * (1 + kit_random_unit(&rng) * power(-f->ranges.tiny));
	put(f->type, f->out, i, v);
}

void kit_random_fill(kit_values c, uint64_t seed, tulle_value_type type, int64_t n, void *out)
{
	kit__each(n, fill_element, &(filling){ c, seed, type, ranges_of(type), out });
}

static int64_t at(tulle_index_type type, const void *a, int64_t k)
{
	return type == TULLE_I32 ? ((const int32_t *)a)[k] : ((const int64_t *)a)[k];
}

/* The largest m with m * m * (entries of any row or column) * 2 + 16 < 2^24. */
static int64_t largest_integer(const tulle_csr_view *a)
{
	int64_t most = 1;
	int32_t *count = kit__alloc(a->cols, sizeof *count);
	for (int64_t i = 0; i < a->rows; i++) {
		int64_t n = at(a->offset_type, a->row_ptr, i + 1) - at(a->offset_type, a->row_ptr, i);
		most = n > most ? n : most;
	}
	for (int64_t k = 0; count && k < a->nnz; k++) {
		int32_t n = ++count[at(a->column_type, a->col, k)];
		most = n > most ? n : most;
	}
	int64_t m = 1;
	while (m < 8 && (m + 1) * (m + 1) * most * 2 + 16 < 1 << 24)
		m++;
	free(count);
	return m;
}

typedef struct {
	kit_values class;
	uint64_t seed;
	ranges ranges;
	int64_t largest;
	const tulle_csr_view *a;
	void *val, *x;
} linear_system;

static void draw_x(const void *self, int64_t j)
{
	const linear_system *s = self;
	kit_rng rng = kit_random_seed(s->seed, (uint64_t)j);
	put(s->a->value_type, s->x, j, draw(s->class, &s->ranges, &rng, s->largest, 1));
}

static void draw_row(const void *self, int64_t i)
{
	const linear_system *s = self;
	const tulle_csr_view *a = s->a;
	int64_t from = at(a->offset_type, a->row_ptr, i);
	int64_t to = at(a->offset_type, a->row_ptr, i + 1);
	kit_rng rng = kit_random_seed(~s->seed, (uint64_t)i);
	double sum = 0;
	for (int64_t k = from; k < to; k++) {
		double xj = get(a->value_type, s->x, at(a->column_type, a->col, k));
		double v = draw(s->class, &s->ranges, &rng, s->largest, 0);
		/* The last entry of a row nearly cancels the others. */
		if (s->class == KIT_CANCEL && k == to - 1 && k > from)
			v = -(sum / xj) * (1 + kit_random_unit(&rng) * power(-s->ranges.tiny));
		put(a->value_type, s->val, k, v);
		sum += v * xj;
	}
}

void kit_random_system(kit_values c, uint64_t seed, const tulle_csr_view *a, void *val, void *x)
{
	const linear_system s = {
		.class = c,
		.seed = seed,
		.ranges = ranges_of(a->value_type),
		.largest = c == KIT_INTEGER ? largest_integer(a) : 0,
		.a = a,
		.val = val,
		.x = x,
	};
	kit__each(a->cols, draw_x, &s);
	kit__each(a->rows, draw_row, &s);
}
