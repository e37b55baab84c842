/* kit_random.c -- the random numbers are the pinned ones, and each class of values is what it says. */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "kit.h"

static void test_numbers(void)
{
	kit_rng rng = kit_random_seed(1, 2), again = kit_random_seed(1, 2),
	        other = kit_random_seed(1, 3);
	uint64_t first = kit_random_u64(&rng);
	CHECK_THAT(first == 0x715b8f09695611fd, "0x%016llx", (unsigned long long)first);
	CHECK_THAT(first == kit_random_u64(&again), "the same stream");
	CHECK_THAT(first != kit_random_u64(&other), "another stream");
	double sum = 0;
	int64_t counts[10] = { 0 };
	for (int i = 0; i < 100000; i++) {
		double u = kit_random_unit(&rng);
		CHECK_THAT(u >= 0 && u < 1, "%g", u);
		sum += u;
		counts[kit_random_below(&rng, 10)]++;
	}
	/* Five standard deviations: .2887 / sqrt(1e5) and sqrt(1e5 * .09). */
	CHECK_THAT(fabs(sum / 100000 - 0.5) < 5 * 0.00092, "%g", sum / 100000);
	for (int i = 0; i < 10; i++)
		CHECK_THAT(llabs(counts[i] - 10000) < 5 * 95, "%d: %lld", i, (long long)counts[i]);
}

static double at(tulle_value_type type, const void *a, int64_t k)
{
	return type == TULLE_F32 ? (double)((const float *)a)[k] : ((const double *)a)[k];
}

typedef struct {
	int64_t denormal, underflow;
	double least, most; /* magnitudes of the products that are not zero */
	double cancelled;   /* the smallest |sum| / sum of sizes over rows of at least 3 */
	double sizes;       /* the largest sum of sizes of a row */
	int whole;          /* every number is an integer */
} census;

static census count(const tulle_csr_view *a, const void *val, const void *x)
{
	const int64_t *ptr = a->row_ptr;
	const int32_t *col = a->col;
	double tiny = a->value_type == TULLE_F32 ? FLT_MIN : DBL_MIN;
	census c = { .least = INFINITY, .cancelled = 1, .whole = 1 };
	for (int64_t i = 0; i < a->rows; i++) {
		long double sum = 0, sizes = 0;
		for (int64_t k = ptr[i]; k < ptr[i + 1]; k++) {
			double v = at(a->value_type, val, k), xj = at(a->value_type, x, col[k]);
			long double p = (long double)v * xj;
			CHECK_THAT(isfinite(v) && isfinite(xj), "entry %lld", (long long)k);
			c.denormal += (v != 0 && fabs(v) < tiny) || (xj != 0 && fabs(xj) < tiny);
			c.underflow += p != 0 && fabsl(p) < tiny;
			c.whole &= v == floor(v) && xj == floor(xj);
			sum += p;
			sizes += fabsl(p);
			c.least = p != 0 && fabsl(p) < c.least ? (double)fabsl(p) : c.least;
			c.most = fabsl(p) > c.most ? (double)fabsl(p) : c.most;
		}
		if (ptr[i + 1] - ptr[i] >= 3 && fabsl(sum) / sizes < c.cancelled)
			c.cancelled = (double)(fabsl(sum) / sizes);
		c.sizes = sizes > c.sizes ? (double)sizes : c.sizes;
	}
	return c;
}

static void test_systems(tulle_value_type type)
{
	int single = type == TULLE_F32;
	kit_matrix m;
	CHECK_THAT(!kit_generate("random:rows=3000,cols=2000,mean=9", &m), "%s", kit_error());
	tulle_csr_view a = kit_view(&m);
	a.value_type = type;
	a.val = NULL;
	double *val = malloc((size_t)m.nnz * 8), *x = malloc((size_t)m.cols * 8);
	census c[KIT_VALUES];
	for (int v = 0; v < KIT_VALUES; v++) {
		kit_random_system((kit_values)v, 7, &a, val, x);
		c[v] = count(&a, val, x);
	}
	CHECK_THAT(c[KIT_UNIFORM].most < 1 && c[KIT_UNIFORM].most > 0.9, "%g", c[KIT_UNIFORM].most);
	double wide = log2(c[KIT_WIDE].most) - log2(c[KIT_WIDE].least);
	CHECK_THAT(wide > (single ? 100 : 1000), "2^%g", wide);
	CHECK_THAT(c[KIT_CANCEL].cancelled < (single ? 0x1p-14 : 0x1p-39), "%g",
	           c[KIT_CANCEL].cancelled);
	CHECK_THAT(c[KIT_DENORMAL].denormal > m.nnz / 4, "%lld", (long long)c[KIT_DENORMAL].denormal);
	CHECK_THAT(c[KIT_DENORMAL].underflow > m.nnz / 4, "%lld", (long long)c[KIT_DENORMAL].underflow);
	double mixed = log2(c[KIT_MIXED].most) - log2(c[KIT_MIXED].least);
	CHECK_THAT(mixed > (single ? 80 : 200), "2^%g", mixed);
	CHECK_THAT(c[KIT_INTEGER].whole && !c[KIT_UNIFORM].whole, "integers");
	CHECK_THAT(2 * c[KIT_INTEGER].sizes + 16 < 0x1p24, "%g", c[KIT_INTEGER].sizes);
	free(val);
	free(x);
	kit_free(&m);
}

/* A row so long that the integers have to be smaller. */
static void test_long_row(void)
{
	kit_matrix m;
	CHECK_THAT(!kit_generate("dense:rows=1,cols=1000000,values=ones", &m), "%s", kit_error());
	tulle_csr_view a = kit_view(&m);
	double *val = malloc((size_t)m.nnz * 8), *x = malloc((size_t)m.cols * 8);
	kit_random_system(KIT_INTEGER, 7, &a, val, x);
	double bound = 0, most = 0;
	for (int64_t k = 0; k < m.nnz; k++) {
		bound = fmax(bound, fabs(val[k]) * fabs(x[k]));
		most = fmax(most, fabs(val[k]));
	}
	CHECK_THAT(most >= 1 && 2 * bound * 1e6 + 16 < 0x1p24, "%g %g", most, bound);
	free(val);
	free(x);
	kit_free(&m);
}

static void test_fill(void)
{
	double a[2000], b[2000];
	float f[2000];
	for (int v = 0; v < KIT_VALUES; v++) {
		kit_random_fill((kit_values)v, 3, TULLE_F64, 2000, a);
		kit_random_fill((kit_values)v, 3, TULLE_F64, 2000, b);
		CHECK_THAT(!memcmp(a, b, sizeof a), "%s", kit_values_name((kit_values)v));
		kit_random_fill((kit_values)v, 4, TULLE_F64, 2000, b);
		CHECK_THAT(memcmp(a, b, sizeof a), "%s", kit_values_name((kit_values)v));
		kit_random_fill((kit_values)v, 3, TULLE_F32, 2000, f);
		for (int i = 0; i < 2000; i++)
			CHECK_THAT(isfinite(a[i]) && isfinite(f[i]), "%s", kit_values_name((kit_values)v));
	}
	kit_random_fill(KIT_CANCEL, 3, TULLE_F64, 2000, a);
	for (int i = 0; i < 2000; i += 2)
		CHECK_THAT(fabs(a[i] + a[i + 1]) <= 0x1p-39 * fabs(a[i]), "pair %d", i);
}

int main(void)
{
	test_numbers();
	test_systems(TULLE_F64);
	test_systems(TULLE_F32);
	test_long_row();
	test_fill();
	return check_end();
}
