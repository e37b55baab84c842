/* kit_generators.c -- every kind gives a valid matrix at any size, and the same one for ever. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "kit.h"

static uint64_t fnv(uint64_t hash, const void *data, size_t size)
{
	for (size_t i = 0; i < size; i++)
		hash = (hash ^ ((const unsigned char *)data)[i]) * 0x100000001b3u;
	return hash;
}

static uint64_t fingerprint(const kit_matrix *m)
{
	uint64_t hash = 0xcbf29ce484222325u;
	hash = fnv(hash, m->row_ptr, (size_t)(m->rows + 1) * sizeof *m->row_ptr);
	hash = fnv(hash, m->col, (size_t)m->nnz * sizeof *m->col);
	return m->val ? fnv(hash, m->val, (size_t)m->nnz * sizeof *m->val) : hash;
}

static int valid(const kit_matrix *m)
{
	if (m->row_ptr[0] != 0 || m->row_ptr[m->rows] != m->nnz)
		return 0;
	for (int64_t i = 0; i < m->rows; i++) {
		int64_t before = -1;
		for (int64_t k = m->row_ptr[i]; k < m->row_ptr[i + 1]; before = m->col[k++])
			if (m->col[k] <= before || m->col[k] >= m->cols)
				return 0;
		if (m->row_ptr[i + 1] < m->row_ptr[i])
			return 0;
	}
	for (int64_t k = 0; m->val && k < m->nnz; k++)
		if (!isfinite(m->val[k]) || m->val[k] == 0)
			return 0;
	return 1;
}

/* Entry (i, j); 0 where there is none. */
static double entry(const kit_matrix *m, int64_t i, int64_t j)
{
	for (int64_t k = m->row_ptr[i]; k < m->row_ptr[i + 1]; k++)
		if (m->col[k] == j)
			return m->val ? m->val[k] : 1;
	return 0;
}

static int symmetric(const kit_matrix *m)
{
	for (int64_t i = 0; i < m->rows; i++)
		for (int64_t k = m->row_ptr[i]; k < m->row_ptr[i + 1]; k++)
			if (entry(m, m->col[k], i) != (m->val ? m->val[k] : 1))
				return 0;
	return 1;
}

/* The bytes of these must not change: results of tests and benches are compared across years. */
static const struct {
	const char *spec;
	uint64_t hash;
	int symmetric;
} pinned[] = {
#include "pinned.def"
};

static void test_pinned(void)
{
	for (size_t n = 0; n < sizeof pinned / sizeof *pinned; n++) {
		const char *spec = pinned[n].spec;
		for (int threads = 1; threads <= 3; threads += 2) {
			kit_matrix m;
			kit_set_threads(threads);
			int stand_in = !strncmp(spec, "like ", 5);
			int rc = stand_in ? kit_like(spec + 5, &m) : kit_generate(spec, &m);
			CHECK_THAT(rc == 0, "%s: %s", spec, kit_error());
			if (rc)
				break;
			CHECK_THAT(valid(&m), "%s", spec);
			CHECK_THAT(fingerprint(&m) == pinned[n].hash, "%s: 0x%016llx at %d threads", spec,
			           (unsigned long long)fingerprint(&m), threads);
			if (pinned[n].symmetric)
				CHECK_THAT(symmetric(&m), "%s", spec);
			CHECK_THAT(m.stand_in == stand_in && !strcmp(m.name, spec + 5 * stand_in), "%s",
			           m.name);
			kit_free(&m);
			CHECK_THAT(!m.row_ptr && !m.col && !m.val, "%s", spec);
		}
	}
	kit_set_threads(0);
}

/* Large enough for every parallel loop to run in parallel. */
static const char *const large[] = {
	"stencil27:n=20,values=varying", "fem:n=14,order=shuffled", "qcd:l=5,t=5",
	"rmat:scale=13,order=shuffled",  "circuit:rows=30000",      "random:rows=20000",
	"lp:rows=1200,mean=200",         "banded:rows=20000",       "dense:rows=1500,cols=200",
};

static void test_threads(void)
{
	for (size_t n = 0; n < sizeof large / sizeof *large; n++) {
		uint64_t hash[3];
		for (int t = 0; t < 3; t++) {
			kit_matrix m;
			kit_set_threads(t == 2 ? 7 : t + 1);
			CHECK_THAT(!kit_generate(large[n], &m), "%s", kit_error());
			CHECK_THAT(m.nnz > 20000, "%s: %lld entries", large[n], (long long)m.nnz);
			hash[t] = fingerprint(&m);
			kit_free(&m);
		}
		CHECK_THAT(hash[0] == hash[1] && hash[0] == hash[2], "%s", large[n]);
	}
	kit_set_threads(0);
}

static const char *const sizes[] = {
	"stencil5:n=1",
	"stencil5:n=2",
	"stencil7:n=1",
	"stencil7:n=3",
	"stencil9:n=1",
	"stencil9:n=31",
	"stencil27:n=1",
	"stencil27:n=2",
	"fem:n=1,b=1",
	"fem:n=1,b=6",
	"fem:n=2,b=4,fill=0",
	"fem:n=7,b=2,pattern=general",
	"rmat:scale=0",
	"rmat:scale=1",
	"rmat:scale=9,edges=0",
	"rmat:scale=9",
	"lp:rows=1,cols=1",
	"lp:rows=3,cols=10,mean=100",
	"lp:rows=0",
	"circuit:rows=1",
	"circuit:rows=2,dense=0",
	"circuit:rows=1000,dense=5,share=1",
	"circuit:rows=0",
	"qcd:l=1,t=1",
	"qcd:l=2,t=1",
	"qcd:l=2,t=3",
	"random:rows=1",
	"random:rows=0,cols=0",
	"random:rows=5,cols=0",
	"random:rows=7,cols=3,mean=50",
	"random:rows=1000,cols=20,mean=12",
	"random:rows=3,cols=1000,mean=400",
	"banded:rows=1,width=0",
	"banded:rows=3,width=9",
	"banded:rows=1000,width=20,fill=0.3",
	"empty:rows=1",
	"empty:rows=1000,empty=1",
	"empty:rows=1000,empty=0.5",
	"dense:rows=0,cols=0",
	"dense:rows=1,cols=1",
	"dense:rows=0,cols=5",
	"dense:rows=5,cols=0",
	"dense:rows=7,cols=1000",
};

static void test_sizes(void)
{
	for (size_t n = 0; n < sizeof sizes / sizeof *sizes; n++) {
		kit_matrix m;
		int rc = kit_generate(sizes[n], &m);
		CHECK_THAT(rc == 0, "%s: %s", sizes[n], kit_error());
		if (!rc)
			CHECK_THAT(valid(&m), "%s", sizes[n]);
		kit_free(&m);
	}
}

/* Every kind with its defaults, as a pattern, and with another seed. */
static void test_kinds(void)
{
	int n = 0;
	for (const kit_kind *kind; (kind = kit_kind_at(n)); n++) {
		kit_matrix a, b, c;
		char spec[128];
		CHECK_THAT(!kit_generate(kind->name, &a), "%s: %s", kind->name, kit_error());
		CHECK_THAT(valid(&a) && a.val, "%s", kind->name);
		snprintf(spec, sizeof spec, "%s:values=ones", kind->name);
		CHECK_THAT(!kit_generate(spec, &b), "%s: %s", spec, kit_error());
		CHECK_THAT(!b.val && b.nnz == a.nnz, "%s", spec);
		int stencil = !strncmp(kind->name, "stencil", 7);
		snprintf(spec, sizeof spec, "%s:seed=2%s", kind->name, stencil ? ",values=varying" : "");
		CHECK_THAT(!kit_generate(spec, &c), "%s: %s", spec, kit_error());
		CHECK_THAT(fingerprint(&a) != fingerprint(&c), "%s: the seed changes nothing", spec);
		kit_free(&a);
		kit_free(&b);
		kit_free(&c);
	}
	CHECK_THAT(n >= 13, "%d kinds", n);
	CHECK_THAT(!kit_kind_at(-1) && !kit_kind_at(n + 5), "a kind beyond the last");
}

static void test_shapes(void)
{
	kit_matrix m;
	CHECK_THAT(!kit_generate("stencil5:n=30", &m), "%s", kit_error());
	CHECK_THAT(m.rows == 900 && m.nnz == 5 * 900 - 4 * 30, "%lld", (long long)m.nnz);
	CHECK_THAT(entry(&m, 31, 31) == 4 && entry(&m, 31, 61) == -1, "constant coefficients");
	kit_free(&m);
	CHECK_THAT(!kit_generate("stencil27:n=5", &m), "%s", kit_error());
	CHECK_THAT(m.nnz == 13 * 13 * 13, "%lld: (3n-2)^3", (long long)m.nnz);
	kit_free(&m);
	CHECK_THAT(!kit_generate("qcd:l=4,t=4", &m), "%s", kit_error());
	for (int64_t i = 0; i < m.rows; i++)
		CHECK_THAT(m.row_ptr[i + 1] - m.row_ptr[i] == 39, "row %lld", (long long)i);
	kit_free(&m);
	CHECK_THAT(!kit_generate("random:rows=20000,cols=5000,mean=6.5", &m), "%s", kit_error());
	double mean = (double)m.nnz / 20000;
	CHECK_THAT(mean > 6.3 && mean < 6.7, "%g", mean);
	kit_free(&m);
	CHECK_THAT(!kit_generate("empty:rows=20000,empty=0.75", &m), "%s", kit_error());
	int64_t empty = 0;
	for (int64_t i = 0; i < m.rows; i++)
		empty += m.row_ptr[i] == m.row_ptr[i + 1];
	CHECK_THAT(empty > 14500 && empty < 15500, "%lld", (long long)empty);
	kit_free(&m);
	CHECK_THAT(!kit_generate("fem:n=5,b=3,fill=1", &m), "%s", kit_error());
	CHECK_THAT(m.nnz == 13 * 13 * 13 * 9, "%lld: blocks of 3 x 3", (long long)m.nnz);
	kit_free(&m);
	CHECK_THAT(!kit_generate("circuit:rows=5000,dense=2,share=0.5", &m), "%s", kit_error());
	CHECK_THAT(m.row_ptr[1251] - m.row_ptr[1250] == 2500, "a dense row");
	kit_free(&m);
}

/* Each sentence names the word that is wrong and what would be right. */
static void test_errors(void)
{
	static const struct {
		const char *spec, *word, *right;
	} bad[] = {
		{ "stensil5:n=3", "'stensil5'", "stencil5, stencil7" },
		{ "", "''", "stencil5" },
		{ "stencil5:m=3", "'m'", "n, values, seed" },
		{ "stencil5:n", "'n'", "name=value" },
		{ "stencil5:n=", "n=", "an integer from 1 to 46340" },
		{ "stencil5:n=-3", "n=-3", "an integer from 1 to 46340" },
		{ "stencil5:n=0", "n=0", "an integer from 1 to 46340" },
		{ "stencil5:n=99999999999999999999", "n=9999", "an integer from 1 to 46340" },
		{ "stencil5:n=3,values=vary", "values=vary", "constant|varying|ones" },
		{ "fem:fill=1.5", "fill=1.5", "a number from 0 to 1" },
		{ "fem:fill=0.5.5", "fill=0.5.5", "a number from 0 to 1" },
		{ "fem:fill=.", "fill=.", "a number from 0 to 1" },
		{ "fem:b=7", "b=7", "an integer from 1 to 6" },
		{ "rmat:order=random", "order=random", "natural|shuffled" },
	};
	for (size_t n = 0; n < sizeof bad / sizeof *bad; n++) {
		kit_matrix m = { .rows = 7 };
		CHECK_THAT(kit_generate(bad[n].spec, &m) == -1, "%s", bad[n].spec);
		CHECK_THAT(strstr(kit_error(), bad[n].word) && strstr(kit_error(), bad[n].right), "%s: %s",
		           bad[n].spec, kit_error());
		CHECK_THAT(m.rows == 0 && !m.row_ptr, "%s leaves something allocated", bad[n].spec);
	}
}

int main(void)
{
	test_pinned();
	test_threads();
	test_sizes();
	test_kinds();
	test_shapes();
	test_errors();
	return check_end();
}
