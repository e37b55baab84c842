/* graphs.c -- irregular matrices: random, power law, linear programs, circuits, empty rows. */
#include <stdlib.h>

#include "inner.h"

#define SEED                                 \
	{                                        \
		"seed", "1", "of all that is random" \
	}
#define VALUES                                           \
	{                                                    \
		"values", "random", "random or ones (a pattern)" \
	}

static int finish(const kit__spec *s, kit_matrix *out, uint64_t seed)
{
	int values;
	if (kit__word(s, "values", "random|ones", &values))
		return -1;
	return kit__values(out, values == 1 ? KIT__ONES : KIT__RANDOM, seed);
}

/* What the kinds with rows of random columns share. */
typedef struct {
	int64_t rows, cols;
	double mean, root; /* entries per row, and the square root of that */
	double empty;      /* share of rows without any */
	int64_t dense;
	double share;
	uint64_t seed;
} shape;

static int common(const kit__spec *s, shape *g)
{
	int64_t seed;
	*g = (shape){ .rows = 0 };
	if (kit__integer(s, "rows", 0, INT32_MAX, &g->rows) || kit__real(s, "mean", 0, 1e6, &g->mean) ||
	    kit__integer(s, "seed", 0, INT64_MAX / 2, &seed))
		return -1;
	g->seed = (uint64_t)seed;
	/* Newton's iteration: the same bits everywhere, which libm does not promise. */
	g->root = g->mean > 1 ? g->mean : 1;
	for (int i = 0; i < 60; i++)
		g->root = (g->root + g->mean / g->root) / 2;
	return 0;
}

/* A binomial number with about this `mean` and a standard deviation near its square root, from the
 * count of bits of one random number. */
static int64_t length(const shape *g, kit_rng *rng)
{
	int heads = __builtin_popcountll(kit_random_u64(rng));
	double v = g->mean + (heads - 32) * g->root / 4 + kit_random_unit(rng);
	int64_t n = v < 0 ? 0 : (int64_t)v;
	return n < g->cols ? n : g->cols;
}

/* ---- random, empty ---- */

static int64_t random_row(const void *self, int64_t i, int32_t *col)
{
	const shape *g = self;
	kit_rng rng = kit_random_seed(g->seed, (uint64_t)i);
	if (g->empty > 0 && kit_random_unit(&rng) < g->empty)
		return 0;
	int64_t n = length(g, &rng);
	if (col)
		kit__sample(&rng, n, 0, g->cols, col);
	return n;
}

static int make_random(const kit__spec *s, kit_matrix *out)
{
	shape g;
	if (common(s, &g) || kit__integer(s, "cols", 0, INT32_MAX, &g.cols))
		return -1;
	out->rows = g.rows;
	out->cols = g.cols;
	return kit__build(out, random_row, &g) ? -1 : finish(s, out, g.seed + 1);
}

static int make_empty(const kit__spec *s, kit_matrix *out)
{
	shape g;
	if (common(s, &g) || kit__integer(s, "cols", 0, INT32_MAX, &g.cols) ||
	    kit__real(s, "empty", 0, 1, &g.empty))
		return -1;
	out->rows = g.rows;
	out->cols = g.cols;
	return kit__build(out, random_row, &g) ? -1 : finish(s, out, g.seed + 1);
}

static const kit_param random_params[] = {
	{ "rows", "10000", "" },
	{ "cols", "10000", "" },
	{ "mean", "8", "entries per row" },
	VALUES,
	SEED,
	{ 0 },
};

static const kit_param empty_params[] = {
	{ "rows", "10000", "" },
	{ "cols", "10000", "" },
	{ "mean", "8", "entries of a row that is not empty" },
	{ "empty", "0.9", "share of empty rows" },
	VALUES,
	SEED,
	{ 0 },
};

/* ---- lp ---- */

/* Lengths fall off like 1/rank, up to eleven times the mean. */
static int64_t lp_row(const void *self, int64_t i, int32_t *col)
{
	const shape *g = self;
	kit_rng rng = kit_random_seed(g->seed, (uint64_t)i);
	double v = g->mean * 0.2694 / (kit_random_unit(&rng) + 0.025);
	int64_t n = v < 1 ? 1 : (int64_t)v;
	n = n < g->cols ? n : g->cols;
	if (col)
		kit__sample(&rng, n, 0, g->cols, col);
	return n;
}

static int make_lp(const kit__spec *s, kit_matrix *out)
{
	shape g;
	if (common(s, &g) || kit__integer(s, "cols", 0, INT32_MAX, &g.cols))
		return -1;
	out->rows = g.rows;
	out->cols = g.cols;
	return kit__build(out, lp_row, &g) ? -1 : finish(s, out, g.seed + 1);
}

static const kit_param lp_params[] = {
	{ "rows", "100", "few" },
	{ "cols", "100000", "many" },
	{ "mean", "1000", "entries per row" },
	VALUES,
	SEED,
	{ 0 },
};

/* ---- circuit ---- */

/* Is i one of the `dense` evenly spread rails (supply, ground, clock) that are connected to
 * everything? */
static int64_t rail(const shape *g, int64_t d)
{
	return (2 * d + 1) * g->rows / (2 * g->dense);
}

enum { SHORT = 128 }; /* entries of the longest ordinary row */

static int64_t circuit_row(const void *self, int64_t i, int32_t *col)
{
	const shape *g = self;
	kit_rng rng = kit_random_seed(g->seed, (uint64_t)i);
	for (int64_t d = 0; d < g->dense; d++)
		if (i == rail(g, d)) {
			int64_t n = (int64_t)(g->share * (double)g->cols);
			if (col)
				kit__sample(&rng, n, 0, g->cols, col);
			return n;
		}
	int32_t buffer[SHORT];
	int64_t n = 0, wanted = 1 + kit_random_below(&rng, (int64_t)(2 * g->mean));
	buffer[n++] = (int32_t)i;
	for (int64_t d = 0; d < g->dense; d++)
		if (kit_random_unit(&rng) < g->share)
			buffer[n++] = (int32_t)rail(g, d);
	/* Most wires are short; every eighth goes to a random node. */
	while (n < wanted) {
		int64_t near = i - 50 + kit_random_below(&rng, 101);
		int64_t j = kit_random_below(&rng, 8) ? near : kit_random_below(&rng, g->cols);
		buffer[n++] = (int32_t)(j < 0 || j >= g->cols ? i : j);
	}
	n = kit__unique(buffer, n);
	if (col)
		memcpy(col, buffer, (size_t)n * sizeof *col);
	return n;
}

static int make_circuit(const kit__spec *s, kit_matrix *out)
{
	shape g;
	if (common(s, &g) || kit__real(s, "mean", 1, 40, &g.mean) ||
	    kit__integer(s, "dense", 0, 32, &g.dense) || kit__real(s, "share", 0, 1, &g.share))
		return -1;
	g.cols = out->rows = out->cols = g.rows;
	return kit__build(out, circuit_row, &g) ? -1 : finish(s, out, g.seed + 1);
}

static const kit_param circuit_params[] = {
	{ "rows", "10000", "and columns" },
	{ "mean", "5", "entries of an ordinary row, 1 to 40" },
	{ "dense", "2", "dense rows and as many dense columns, up to 32" },
	{ "share", "0.3", "share of the entries that a dense row or column has" },
	VALUES,
	SEED,
	{ 0 },
};

/* ---- rmat ---- */

/* One edge of the recursive model with quadrants .57 .19 .19 .05: 16 random bits per level. */
static void edge(uint64_t seed, int64_t e, int64_t scale, int32_t *from, int32_t *to)
{
	uint64_t bits = 0;
	int32_t i = 0, j = 0;
	for (int64_t level = 0; level < scale; level++) {
		if (level % 4 == 0)
			bits = kit__hash(seed, (uint64_t)e, (uint64_t)level);
		uint64_t chance = bits & 0xffff; /* of 65536 */
		bits >>= 16;
		i = 2 * i + (chance >= 49807);
		j = 2 * j + ((chance >= 37356 && chance < 49807) || chance >= 62258);
	}
	*from = i;
	*to = j;
}

typedef struct {
	const kit_matrix *m;
	int64_t *kept;
} uniques;

static void sort_row(const void *self, int64_t i)
{
	const uniques *u = self;
	const int64_t *at = u->m->row_ptr + i;
	u->kept[i] = kit__unique(u->m->col + at[0], at[1] - at[0]);
}

/* Sorts each row, removes duplicate edges and closes the gaps. */
static int compress(kit_matrix *m)
{
	int64_t *kept = kit__alloc(m->rows, sizeof *kept);
	if (!kept)
		return -1;
	kit__each(m->rows, sort_row, &(uniques){ m, kept });
	int64_t next = 0;
	for (int64_t i = 0; i < m->rows; i++) {
		memmove(m->col + next, m->col + m->row_ptr[i], (size_t)kept[i] * sizeof *m->col);
		m->row_ptr[i] = next;
		next += kept[i];
	}
	m->row_ptr[m->rows] = m->nnz = next;
	free(kept);
	return 0;
}

typedef struct {
	uint64_t seed;
	int64_t scale;
	int32_t *from, *to;
} edge_list;

static void draw_edge(const void *self, int64_t e)
{
	const edge_list *l = self;
	edge(l->seed, e, l->scale, l->from + e, l->to + e);
}

static int make_rmat(const kit__spec *s, kit_matrix *out)
{
	int64_t scale, edges, seed;
	int shuffled;
	if (kit__integer(s, "scale", 0, 28, &scale) || kit__integer(s, "edges", 0, 1000, &edges) ||
	    kit__word(s, "order", "natural|shuffled", &shuffled) ||
	    kit__integer(s, "seed", 0, INT64_MAX / 2, &seed))
		return -1;
	out->rows = out->cols = (int64_t)1 << scale;
	int64_t m = out->nnz = edges << scale;
	int32_t *from = kit__alloc(m, sizeof *from), *to = kit__alloc(m, sizeof *to);
	int32_t *order = shuffled ? kit__permutation((uint64_t)seed, out->rows) : NULL;
	int rc = from && to && (order || !shuffled) ? kit__allocate(out) : -1;
	if (!rc) {
		kit__each(m, draw_edge, &(edge_list){ (uint64_t)seed, scale, from, to });
		for (int64_t e = 0; e < m; e++)
			out->row_ptr[from[e] + 1]++;
		kit__lengths_to_offsets(out);
		/* Rows are filled from the end, so afterwards row_ptr[i + 1] is the beginning of row i. */
		for (int64_t e = 0; e < m; e++)
			out->col[--out->row_ptr[from[e] + 1]] = to[e];
		memmove(out->row_ptr, out->row_ptr + 1, (size_t)out->rows * sizeof *out->row_ptr);
		out->row_ptr[out->rows] = m;
		rc = compress(out) || (shuffled && kit__reorder(out, order)) ? -1 : 0;
	}
	free(from);
	free(to);
	free(order);
	return rc ? rc : finish(s, out, (uint64_t)seed + 1);
}

static const kit_param rmat_params[] = {
	{ "scale", "12", "2^scale rows" },
	{ "edges", "16", "edges per node, before repeated ones are dropped" },
	{ "order", "natural", "natural (hubs first) or shuffled" },
	VALUES,
	SEED,
	{ 0 },
};

const kit__maker kit__graphs[] = {
	{ { "random", "Columns drawn at random.", random_params }, make_random },
	{ { "rmat", "A power-law graph, R-MAT .57 .19 .19 .05.", rmat_params }, make_rmat },
	{ { "lp", "A linear program: few long rows, many columns.", lp_params }, make_lp },
	{ { "circuit", "Short rows, and some dense rows and columns.", circuit_params }, make_circuit },
	{ { "empty", "Most rows have no entry.", empty_params }, make_empty },
	{ { 0 }, NULL },
};
