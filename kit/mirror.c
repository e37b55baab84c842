/* mirror.c -- stand-ins with a symmetric pattern, exact nnz and given row lengths.
 *
 * Rows are grouped into nodes that share their columns, as unknowns of a finite element node do.
 * Every node has a target number of entries. In a first pass each node links to later nodes, in runs
 * of neighbours a stride apart, until it has half of its target; the other half comes from earlier
 * nodes. A second pass adds links between nodes below their target. (In a single pass each node would
 * take all its links from the next nodes. The result would be a sequence of cliques, not a mesh.)
 * Single entries are then added or removed, evenly, until nnz is exact. */
#include <stdlib.h>

#include "standins.h"

enum { SPARE = 6 }; /* free places of a row for entries that are added at the end */

typedef struct {
	int64_t n, nodes;
	int32_t *start;     /* first row of each node, nodes + 1 of them */
	int32_t *node_of;   /* of each row */
	int32_t *len;       /* target: entries of each row of a node; -1: a special row */
	int32_t *left;      /* entries that are missing from the target */
	int32_t *next;      /* a path to the first node at or after this one that is below its target */
	int32_t *from, *to; /* links between nodes, from < to */
	int64_t links, capacity;
	int64_t *begin;       /* where a node's links of the first pass begin */
	int32_t *one, *other; /* links between rows: those of special rows */
	int64_t pairs;
	uint8_t *special, *bare; /* rows: special; without a diagonal entry */
	kit__triangle rows;
} graph;

static void drop(graph *g)
{
	void *all[] = { g->start, g->node_of, g->len,   g->left, g->next,
		            g->from,  g->to,      g->begin, g->one,  g->other };
	for (size_t i = 0; i < sizeof all / sizeof *all; i++)
		free(all[i]);
	kit__triangle_free(&g->rows);
}

static int32_t size_of(const graph *g, int64_t node)
{
	return g->start[node + 1] - g->start[node];
}

static int64_t find(const graph *g, int64_t node)
{
	int32_t *next = g->next;
	while (next[node] != node) {
		next[node] = next[next[node]];
		node = next[node];
	}
	return node;
}

/* A node that lacks less than half a usual node has reached its target. */
static void serve(graph *g, int64_t node, int32_t entries, int block)
{
	g->left[node] -= entries;
	if (2 * g->left[node] < block)
		g->next[node] = (int32_t)node + 1;
}

static int link(graph *g, int64_t a, int64_t b, int block)
{
	if (g->links == g->capacity)
		return 0;
	g->from[g->links] = (int32_t)a;
	g->to[g->links++] = (int32_t)b;
	serve(g, a, size_of(g, b), block);
	serve(g, b, size_of(g, a), block);
	return 1;
}

/* ---- special rows ---- */

/* The d-th of the `dense` longest rows; with one more, the place of the shortest. */
static int64_t place(const graph *g, int d, int dense)
{
	return (2 * d + 1) * g->n / (2 * (dense + 1));
}

/* `length` entries for row i besides the diagonal, from all rows or, when they are few, near ones. */
static void spread(graph *g, int64_t i, int64_t length, int block)
{
	int64_t reach = 8 * length + 64;
	int64_t lo = reach < i ? i - reach : 0, hi = i + reach < g->n ? i + reach : g->n;
	int64_t got = 0, node = 0;
	for (int64_t t = 0; t < length; t++) {
		/* One from each stratum, or the first after it that needs an entry. */
		int64_t j = lo + t * (hi - lo) / length;
		int64_t found = find(g, g->node_of[j] > node ? g->node_of[j] : node);
		if (found == g->nodes)
			break;
		g->one[g->pairs] = (int32_t)i;
		g->other[g->pairs++] = found == g->node_of[j] ? (int32_t)j : g->start[found];
		if (block == 1)
			serve(g, found, 1, block);
		node = found + 1;
		got++;
	}
	/* If the end of the range has too few, continue at its beginning. */
	for (node = find(g, g->node_of[lo]); got < length && node < g->nodes;
	     node = find(g, node + 1)) {
		int taken = 0;
		for (int64_t k = g->pairs - got; k < g->pairs && !taken; k++)
			taken = g->node_of[g->other[k]] == node;
		if (taken)
			continue;
		g->one[g->pairs] = (int32_t)i;
		g->other[g->pairs++] = g->start[node];
		if (block == 1)
			serve(g, node, 1, block);
		got++;
	}
}

/* ---- passes ---- */

/* Links to anywhere ahead; returns how many, their nodes in `seen`. */
static int leap(graph *g, const kit__recipe *r, kit_rng *rng, int64_t node, int64_t wanted,
                int64_t *seen, int room)
{
	int n = 0;
	for (int64_t k = 0; k < wanted && n < room && r->far > 0; k++) {
		if (kit_random_unit(rng) >= r->far || node + 1 >= g->nodes)
			continue;
		int64_t to = find(g, node + 1 + kit_random_below(rng, g->nodes - node - 1));
		int again = to == g->nodes;
		for (int s = 0; s < n; s++)
			again |= seen[s] == to;
		if (!again && link(g, node, to, r->block))
			seen[n++] = to;
	}
	return n;
}

static void first_pass(graph *g, const kit__recipe *r)
{
	for (int64_t node = 0; node < g->nodes; node++) {
		g->begin[node] = g->links;
		if (g->len[node] < 0)
			continue;
		int64_t half = (g->len[node] - size_of(g, node) + 1) / 2;
		half = half < g->left[node] ? half : g->left[node];
		int64_t wanted = (half + r->block / 2) / r->block;
		kit_rng rng = kit_random_seed(77, (uint64_t)node);
		int64_t seen[64], last = node;
		int far = leap(g, r, &rng, node, wanted, seen, 64);
		wanted -= far;
		for (int q = 0; q < r->runs; q++) {
			int64_t share = wanted * (q + 1) / r->runs - wanted * q / r->runs;
			int64_t to = node + q * r->stride > last ? node + q * r->stride : last + 1;
			for (to = to < g->nodes ? find(g, to) : g->nodes; share > 0 && to < g->nodes;
			     to = find(g, to + 1)) {
				int again = to == node;
				for (int s = 0; s < far; s++)
					again |= seen[s] == to;
				if (again)
					continue;
				if (!link(g, node, to, r->block))
					return;
				last = to;
				share--;
			}
		}
	}
	g->begin[g->nodes] = g->links;
}

static int compare(const void *a, const void *b)
{
	int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
	return (x > y) - (x < y);
}

static void second_pass(graph *g, const kit__recipe *r)
{
	for (int64_t node = 0; node < g->nodes; node++) {
		if (find(g, node) != node)
			continue;
		int32_t *own = g->to + g->begin[node];
		size_t n = (size_t)(g->begin[node + 1] - g->begin[node]);
		qsort(own, n, sizeof *own, compare);
		for (int64_t to = find(g, node + 1); to < g->nodes && find(g, node) == node;
		     to = find(g, to + 1)) {
			int32_t key = (int32_t)to;
			if (!bsearch(&key, own, n, sizeof *own, compare) && !link(g, node, to, r->block))
				return;
		}
	}
}

/* ---- from links to rows ---- */

static void sort_row(const void *self, int64_t i)
{
	const graph *g = self;
	kit__sort(g->rows.up + g->rows.at[i], g->rows.count[i]);
}

/* The strict upper triangle, row by row, columns ascending, SPARE places after each row. */
static int assemble(graph *g)
{
	int64_t n = g->n;
	g->rows.at = kit__alloc(n + 1, sizeof *g->rows.at);
	g->rows.count = kit__alloc(n, sizeof *g->rows.count);
	g->rows.full = kit__alloc(n, sizeof *g->rows.full);
	if (!g->rows.at || !g->rows.count || !g->rows.full)
		return -1;
	for (int64_t i = 0; i < n; i++)
		g->rows.at[i + 1] = g->start[g->node_of[i] + 1] - i - 1 + SPARE;
	for (int64_t k = 0; k < g->links; k++)
		for (int32_t i = g->start[g->from[k]]; i < g->start[g->from[k] + 1]; i++)
			g->rows.at[i + 1] += size_of(g, g->to[k]);
	for (int64_t k = 0; k < g->pairs; k++)
		g->rows.at[(g->one[k] < g->other[k] ? g->one[k] : g->other[k]) + 1]++;
	for (int64_t i = 0; i < n; i++)
		g->rows.at[i + 1] += g->rows.at[i];
	g->rows.up = kit__alloc(g->rows.at[n], sizeof *g->rows.up);
	if (!g->rows.up)
		return -1;
	for (int64_t i = 0; i < n; i++)
		for (int32_t j = (int32_t)i + 1; j < g->start[g->node_of[i] + 1]; j++)
			g->rows.up[g->rows.at[i] + g->rows.count[i]++] = j;
	for (int64_t k = 0; k < g->links; k++)
		for (int32_t i = g->start[g->from[k]]; i < g->start[g->from[k] + 1]; i++)
			for (int32_t j = g->start[g->to[k]]; j < g->start[g->to[k] + 1]; j++)
				g->rows.up[g->rows.at[i] + g->rows.count[i]++] = j;
	for (int64_t k = 0; k < g->pairs; k++) {
		int32_t a = g->one[k], b = g->other[k], i = a < b ? a : b;
		g->rows.up[g->rows.at[i] + g->rows.count[i]++] = a < b ? b : a;
	}
	kit__each(n, sort_row, g);
	for (int64_t i = 0; i < n; i++) {
		g->rows.full[i] += g->rows.count[i] + !g->rows.bare[i];
		for (int32_t k = 0; k < g->rows.count[i]; k++)
			g->rows.full[g->rows.up[g->rows.at[i] + k]]++;
	}
	return 0;
}

/* ---- all of it ---- */

/* Nodes of `block` rows, aligned to multiples of it; a special row is a node of its own. */
static int nodes(graph *g, int block)
{
	g->start = kit__alloc(g->n + 1, sizeof *g->start);
	g->node_of = kit__alloc(g->n, sizeof *g->node_of);
	if (!g->start || !g->node_of)
		return -1;
	for (int64_t i = 0; i < g->n; i++) {
		int cut = i % block == 0 || g->rows.special[i] || g->rows.special[i - 1];
		if (cut)
			g->start[g->nodes++] = (int32_t)i;
		g->node_of[i] = (int32_t)g->nodes - 1;
	}
	g->start[g->nodes] = (int32_t)g->n;
	return 0;
}

/* Which rows are special, and how many entries the others share. */
static int64_t mark(graph *g, const kit_published *p, const kit__recipe *r, int dense)
{
	int64_t others = p->nnz, bare = 0;
	for (int64_t e = 0; e < r->empty; e++) {
		int64_t i = e * g->n / r->empty;
		g->rows.special[i] = g->rows.bare[i] = 1;
		bare++;
	}
	for (int d = 0; d <= dense; d++) {
		int64_t i = place(g, d, dense);
		bare -= g->rows.bare[i];
		g->rows.special[i] = 1;
		g->rows.bare[i] = 0;
	}
	/* Empty rows that had to give way are replaced by the first rows that are not special. */
	for (int64_t i = 1; bare < r->empty; i++)
		if (!g->rows.special[i]) {
			g->rows.special[i] = g->rows.bare[i] = 1;
			bare++;
		}
	if ((p->nnz - p->rows + bare) % 2) {
		int64_t i = g->n / 2;
		while (g->rows.special[i])
			i++;
		g->rows.bare[i] = 1;
	}
	double longest = kit__longest(p, r), least = kit__least(p, r);
	for (int d = 0; d < dense; d++)
		others -= (int64_t)(longest / (double)(1 << d));
	return others - (r->empty ? 0 : (int64_t)least);
}

static int allocate(graph *g, int64_t pairs)
{
	g->len = kit__alloc(g->nodes, sizeof *g->len);
	g->left = kit__alloc(g->nodes, sizeof *g->left);
	g->next = kit__alloc(g->nodes + 1, sizeof *g->next);
	g->begin = kit__alloc(g->nodes + 1, sizeof *g->begin);
	g->one = kit__alloc(pairs, sizeof *g->one);
	g->other = kit__alloc(pairs, sizeof *g->other);
	return g->len && g->left && g->next && g->begin && g->one && g->other ? 0 : -1;
}

/* The target of each node. */
static int want(graph *g, const kit_published *p, const kit__recipe *r, int64_t others)
{
	int32_t *size = kit__alloc(g->nodes, sizeof *size);
	if (!size)
		return -1;
	int64_t ordinary = 0, wanted = 0;
	for (int64_t i = 0; i < g->nodes; i++) {
		size[i] = size_of(g, i);
		g->len[i] = g->rows.special[g->start[i]] ? -1 : 0;
		ordinary += g->len[i] < 0 ? 0 : size[i];
	}
	kit__target t = { .low = r->low > 0 ? r->low : kit__least(p, r),
		              .high = r->high > 0 ? r->high : kit__longest(p, r) - r->block,
		              .mean = (double)others / (double)ordinary,
		              .sd = kit__spread(p, r) };
	if (r->dense && r->high <= 0)
		t.high = 2000;
	t.low = t.low > r->block ? t.low : r->block;
	kit__lengths(&t, 7, g->nodes, size, others, g->len);
	free(size);
	for (int64_t i = 0; i < g->nodes; i++) {
		g->left[i] = g->len[i] < 0 ? 0 : g->len[i] - size_of(g, i);
		wanted += g->left[i];
		g->next[i] = (int32_t)i;
		serve(g, i, 0, r->block);
	}
	g->next[g->nodes] = (int32_t)g->nodes;
	/* A link counts for both of its nodes. */
	g->capacity = wanted / 2 + g->nodes + 64;
	g->from = kit__alloc(g->capacity, sizeof *g->from);
	g->to = kit__alloc(g->capacity, sizeof *g->to);
	return g->from && g->to ? 0 : -1;
}

static int make(graph *g, const kit_published *p, const kit__recipe *r, kit_matrix *out)
{
	int dense = r->dense > 1 ? r->dense : 1;
	int64_t longest = (int64_t)kit__longest(p, r), least = (int64_t)kit__least(p, r);
	g->rows.special = kit__alloc(g->n, 1);
	g->rows.bare = kit__alloc(g->n, 1);
	if (!g->rows.special || !g->rows.bare)
		return -1;
	int64_t others = mark(g, p, r, dense);
	if (nodes(g, r->block) || allocate(g, 2 * longest + least) || want(g, p, r, others))
		return -1;
	for (int d = 0; d < dense; d++)
		spread(g, place(g, d, dense), (longest >> d) - 1, r->block);
	if (least > 1)
		spread(g, place(g, dense, dense), least - 1, r->block);
	first_pass(g, r);
	second_pass(g, r);
	if (assemble(g) || kit__triangle_exact(&g->rows, p->nnz, least, longest))
		return -1;
	return kit__triangle_reflect(&g->rows, out);
}

int kit__mirror(const kit_published *p, const kit__recipe *r, kit_matrix *out)
{
	graph g = { .n = p->rows, .rows = { .n = p->rows } };
	int rc = make(&g, p, r, out);
	drop(&g);
	return rc;
}
