/* stencils.c -- matrices of regular grids: 5 and 9 points in the plane, 7 and 27 in space. */
#include "inner.h"

typedef struct {
	int64_t n;      /* points per side */
	int dimensions; /* 2 or 3 */
	int full;       /* 1: also the neighbours across edges and corners */
	int64_t rows;
} grid;

/* The neighbours of a point in ascending order, itself among them. */
static int64_t neighbours(const void *self, int64_t i, int32_t *col)
{
	const grid *g = self;
	int64_t n = g->n, x = i % n, y = i / n % n, z = i / n / n, count = 0;
	int deep = g->dimensions == 3;
	for (int64_t dz = -deep; dz <= deep; dz++)
		for (int64_t dy = -1; dy <= 1; dy++)
			for (int64_t dx = -1; dx <= 1; dx++) {
				int64_t far = dx * dx + dy * dy + dz * dz;
				if ((far > 1 && !g->full) || x + dx < 0 || x + dx >= n || y + dy < 0 ||
				    y + dy >= n || z + dz < 0 || (deep && z + dz >= n))
					continue;
				if (col)
					col[count] = (int32_t)(i + dx + n * (dy + n * dz));
				count++;
			}
	return count;
}

typedef struct {
	const kit_matrix *m;
	uint64_t seed;
	int varying, points;
} conduction;

static void conduct_row(const void *self, int64_t i)
{
	const conduction *of = self;
	const kit_matrix *m = of->m;
	double sum = 0.125;
	int64_t diagonal = 0;
	for (int64_t k = m->row_ptr[i]; k < m->row_ptr[i + 1]; k++) {
		uint64_t r = (uint64_t)i, j = (uint64_t)m->col[k];
		double c = 1;
		if (j == r)
			diagonal = k;
		else if (of->varying)
			c = 0.5 + kit__unit(kit__hash(of->seed, r > j ? r : j, r > j ? j : r));
		m->val[k] = -c;
		sum += j == r ? 0 : c;
	}
	m->val[diagonal] = of->varying ? sum : of->points - 1;
}

/* Diffusion: the negative conductivity between two points, and a diagonal that makes the row sum
 * positive. Constant: every conductivity is one, so there are only a few distinct values. */
static int conduct(kit_matrix *m, int varying, uint64_t seed, int points)
{
	m->val = kit__alloc(m->nnz, sizeof *m->val);
	if (!m->val)
		return -1;
	kit__each(m->rows, conduct_row, &(conduction){ m, seed, varying, points });
	return 0;
}

static int stencil(const kit__spec *s, kit_matrix *out, int dimensions, int full)
{
	grid g = { .dimensions = dimensions, .full = full };
	int64_t seed;
	int values;
	if (kit__integer(s, "n", 1, dimensions == 3 ? 1290 : 46340, &g.n) ||
	    kit__integer(s, "seed", 0, INT64_MAX / 2, &seed) ||
	    kit__word(s, "values", "constant|varying|ones", &values))
		return -1;
	out->rows = out->cols = g.rows = dimensions == 3 ? g.n * g.n * g.n : g.n * g.n;
	if (kit__build(out, neighbours, &g))
		return -1;
	int points = full ? (dimensions == 3 ? 27 : 9) : 2 * dimensions + 1;
	return values == 2 ? 0 : conduct(out, values == 1, (uint64_t)seed, points);
}

static int make5(const kit__spec *s, kit_matrix *out)
{
	return stencil(s, out, 2, 0);
}

static int make7(const kit__spec *s, kit_matrix *out)
{
	return stencil(s, out, 3, 0);
}

static int make9(const kit__spec *s, kit_matrix *out)
{
	return stencil(s, out, 2, 1);
}

static int make27(const kit__spec *s, kit_matrix *out)
{
	return stencil(s, out, 3, 1);
}

#define VALUES                                                                            \
	{                                                                                     \
		"values", "constant", "constant, varying (symmetric, random) or ones (a pattern)" \
	}
#define SEED                                 \
	{                                        \
		"seed", "1", "of the varying values" \
	}
static const kit_param plane[] = {
	{ "n", "100", "points per side: n^2 rows" }, VALUES, SEED, { 0 }
};
static const kit_param space[] = {
	{ "n", "20", "points per side: n^3 rows" }, VALUES, SEED, { 0 }
};

const kit__maker kit__stencils[] = {
	{ { "stencil5", "A grid in the plane, each point with its 4 nearest.", plane }, make5 },
	{ { "stencil7", "A grid in space, each point with its 6 nearest.", space }, make7 },
	{ { "stencil9", "A grid in the plane, each point with all 8 around it.", plane }, make9 },
	{ { "stencil27", "A grid in space, each point with all 26 around it.", space }, make27 },
	{ { 0 }, NULL },
};
