/* meshes.c -- finite elements with several unknowns per node, lattice QCD, bands, dense. */
#include <stdlib.h>

#include "inner.h"

#define SEED                                 \
	{                                        \
		"seed", "1", "of all that is random" \
	}

/* Values of every kind except the stencils and fem: random, or none. */
static int finish(const kit__spec *s, kit_matrix *out, int64_t seed)
{
	int values;
	if (kit__word(s, "values", "random|ones", &values))
		return -1;
	return kit__values(out, values == 1 ? KIT__ONES : KIT__RANDOM, (uint64_t)seed);
}

/* ---- fem ---- */

typedef struct {
	int64_t n, b; /* nodes per side, unknowns per node */
	double fill;  /* share of the links between neighbouring nodes that exist */
	int general;  /* 1: a link may exist in one direction only */
	uint64_t seed;
} mesh;

static int linked(const mesh *m, int64_t i, int64_t j)
{
	if (i == j || m->fill >= 1)
		return 1;
	int swap = i < j && !m->general;
	return kit__unit(kit__hash(m->seed, (uint64_t)(swap ? j : i), (uint64_t)(swap ? i : j))) <
	       m->fill;
}

static int64_t mesh_row(const void *self, int64_t row, int32_t *col)
{
	const mesh *m = self;
	int64_t n = m->n, i = row / m->b, x = i % n, y = i / n % n, z = i / n / n, count = 0;
	for (int64_t dz = -1; dz <= 1; dz++)
		for (int64_t dy = -1; dy <= 1; dy++)
			for (int64_t dx = -1; dx <= 1; dx++) {
				int64_t j = i + dx + n * (dy + n * dz);
				if (x + dx < 0 || x + dx >= n || y + dy < 0 || y + dy >= n || z + dz < 0 ||
				    z + dz >= n || !linked(m, i, j))
					continue;
				for (int64_t d = 0; d < m->b && col; d++)
					col[count + d] = (int32_t)(j * m->b + d);
				count += m->b;
			}
	return count;
}

/* Permutes the nodes; the unknowns of a node stay together. */
static int shuffle_nodes(kit_matrix *m, int64_t b, uint64_t seed)
{
	int32_t *node = kit__permutation(seed, m->rows / b);
	int32_t *order = kit__alloc(m->rows, sizeof *order);
	int rc = node && order ? 0 : -1;
	for (int64_t i = 0; i < m->rows && !rc; i++)
		order[i] = (int32_t)(node[i / b] * b + i % b);
	rc = rc ? rc : kit__reorder(m, order);
	free(node);
	free(order);
	return rc;
}

static int make_fem(const kit__spec *s, kit_matrix *out)
{
	mesh m;
	int64_t seed;
	int values, shuffled;
	if (kit__integer(s, "n", 1, 700, &m.n) || kit__integer(s, "b", 1, 6, &m.b) ||
	    kit__real(s, "fill", 0, 1, &m.fill) ||
	    kit__word(s, "pattern", "symmetric|general", &m.general) ||
	    kit__word(s, "order", "natural|shuffled", &shuffled) ||
	    kit__word(s, "values", "symmetric|random|ones", &values) ||
	    kit__integer(s, "seed", 0, INT64_MAX / 2, &seed))
		return -1;
	m.seed = (uint64_t)seed;
	out->rows = out->cols = m.n * m.n * m.n * m.b;
	if (kit__build(out, mesh_row, &m) || (shuffled && shuffle_nodes(out, m.b, m.seed)))
		return -1;
	static const kit__val how[] = { KIT__SYMMETRIC, KIT__RANDOM, KIT__ONES };
	return kit__values(out, how[values], m.seed + 1);
}

static const kit_param fem_params[] = {
	{ "n", "10", "nodes per side: n^3 b rows" },
	{ "b", "3", "unknowns per node, 1 to 6: dense b x b blocks" },
	{ "fill", "0.8", "share of the 26 possible links of a node that exist" },
	{ "pattern", "symmetric", "symmetric or general" },
	{ "order", "natural", "natural or shuffled (nodes change places)" },
	{ "values", "symmetric", "symmetric, random or ones (a pattern)" },
	SEED,
	{ 0 },
};

/* ---- qcd ---- */

/* A periodic l x l x l x t lattice, 4 spins and 3 colours per site; the Wilson hopping matrix. A
 * step in space couples a spin with itself and one other; a step in time with itself, and only
 * forward or only backward: (6 * 2 + 1) * 3 = 39 entries in each row. */
typedef struct {
	int64_t l, t;
} lattice;

static int64_t lattice_row(const void *self, int64_t row, int32_t *col)
{
	const lattice *q = self;
	int64_t site = row / 12, spin = row % 12 / 3, count = 0;
	int64_t stride = 1;
	int32_t buffer[39];
	for (int mu = 0; mu < 4; mu++) {
		int64_t side = mu < 3 ? q->l : q->t, place = site / stride % side;
		int64_t other = mu < 2 ? 3 - spin : (spin + 2) % 4;
		for (int64_t step = -1; step <= 1; step += 2) {
			if (mu == 3 && (step == 1) != (spin < 2))
				continue;
			int64_t to = site + ((place + step + side) % side - place) * stride;
			for (int64_t c = 0; c < 3; c++)
				buffer[count++] = (int32_t)(to * 12 + spin * 3 + c);
			for (int64_t c = 0; c < 3 && mu < 3; c++)
				buffer[count++] = (int32_t)(to * 12 + other * 3 + c);
		}
		stride *= side;
	}
	count = kit__unique(buffer, count); /* in lattices with sides of 1 and 2, neighbours coincide */
	if (col)
		memcpy(col, buffer, (size_t)count * sizeof *col);
	return count;
}

static int make_qcd(const kit__spec *s, kit_matrix *out)
{
	lattice q;
	int64_t seed;
	if (kit__integer(s, "l", 1, 64, &q.l) || kit__integer(s, "t", 1, 512, &q.t) ||
	    kit__integer(s, "seed", 0, INT64_MAX / 2, &seed))
		return -1;
	out->rows = out->cols = q.l * q.l * q.l * q.t * 12;
	return kit__build(out, lattice_row, &q) ? -1 : finish(s, out, seed);
}

static const kit_param qcd_params[] = {
	{ "l", "4", "sites per side in space" },
	{ "t", "4", "sites in time: 12 l^3 t rows" },
	{ "values", "random", "random or ones (a pattern)" },
	SEED,
	{ 0 },
};

/* ---- banded and dense ---- */

typedef struct {
	int64_t rows, width;
	double fill;
	uint64_t seed;
} band;

static int64_t band_row(const void *self, int64_t i, int32_t *col)
{
	const band *b = self;
	int64_t from = i > b->width ? i - b->width : 0, count = 0;
	int64_t to = i + b->width < b->rows ? i + b->width + 1 : b->rows;
	for (int64_t j = from; j < to; j++)
		if (i == j || b->fill >= 1 ||
		    kit__unit(kit__hash(b->seed, (uint64_t)i, (uint64_t)j)) < b->fill) {
			if (col)
				col[count] = (int32_t)j;
			count++;
		}
	return count;
}

static int make_banded(const kit__spec *s, kit_matrix *out)
{
	band b;
	int64_t seed;
	if (kit__integer(s, "rows", 1, INT32_MAX, &b.rows) ||
	    kit__integer(s, "width", 0, 100000, &b.width) || kit__real(s, "fill", 0, 1, &b.fill) ||
	    kit__integer(s, "seed", 0, INT64_MAX / 2, &seed))
		return -1;
	b.seed = (uint64_t)seed;
	out->rows = out->cols = b.rows;
	return kit__build(out, band_row, &b) ? -1 : finish(s, out, seed + 1);
}

static const kit_param banded_params[] = {
	{ "rows", "10000", "and columns" },
	{ "width", "8", "diagonals on each side of the main one" },
	{ "fill", "1", "share of the band that is not zero" },
	{ "values", "random", "random or ones (a pattern)" },
	SEED,
	{ 0 },
};

static int64_t dense_row(const void *self, int64_t i, int32_t *col)
{
	(void)i;
	int64_t cols = *(const int64_t *)self;
	for (int64_t j = 0; j < cols && col; j++)
		col[j] = (int32_t)j;
	return cols;
}

static int make_dense(const kit__spec *s, kit_matrix *out)
{
	int64_t seed;
	if (kit__integer(s, "rows", 0, 1000000, &out->rows) ||
	    kit__integer(s, "cols", 0, 1000000, &out->cols) ||
	    kit__integer(s, "seed", 0, INT64_MAX / 2, &seed))
		return -1;
	return kit__build(out, dense_row, &out->cols) ? -1 : finish(s, out, seed);
}

static const kit_param dense_params[] = {
	{ "rows", "500", "" },
	{ "cols", "500", "" },
	{ "values", "random", "random or ones (a pattern)" },
	SEED,
	{ 0 },
};

const kit__maker kit__meshes[] = {
	{ { "fem", "Finite elements: node blocks on a mesh in space.", fem_params }, make_fem },
	{ { "qcd", "Lattice QCD: a periodic 4-D lattice, 39 entries per row.", qcd_params }, make_qcd },
	{ { "banded", "A band around the diagonal, full or with holes.", banded_params }, make_banded },
	{ { "dense", "Every entry is there.", dense_params }, make_dense },
	{ { 0 }, NULL },
};
