/* csr5_gpu_estimate.c -- estimated work of CSR5 on a GPU. */
#include "formats/csr5/csr5_gpu.h"

#include <math.h>

/* The kernel for this sigma, of those that the rules choose. */
static const tulle__gpu_use *use_of(int64_t sigma)
{
	static const tulle__gpu_use any = { "csr5_tiles", { 56, 54 }, { 0, 0 } };
	static const tulle__gpu_use of_4 = { "csr5_tiles_4", { 36, 40 }, { 0, 0 } };
	static const tulle__gpu_use of_7 = { "csr5_tiles_7", { 41, 46 }, { 0, 0 } };
	static const tulle__gpu_use of_16 = { "csr5_tiles_16", { 42, 52 }, { 0, 0 } };
	static const tulle__gpu_use of_32 = { "csr5_tiles_32", { 40, 48 }, { 0, 0 } };

	switch (sigma) {
	case 4: return &of_4;
	case 7: return &of_7;
	case 16: return &of_16;
	case 32: return &of_32;
	default: return &any;
	}
}

typedef struct {
	int64_t width, sigma, tiles;
	double tail, tail_rows,
	    tail_warps; /* entries after the last tile, their rows, and warps for them */
} layout;

static layout lay_out(const tulle__gpu_subject *s)
{
	const int64_t width = s->device->width;
	layout l = { .width = width, .sigma = tulle__csr5_gpu_sigma(s->a, (int)width) };
	double lanes = 1;
	int64_t first;

	l.tiles = s->a->nnz / (width * l.sigma);
	first = l.tiles * width * l.sigma;
	l.tail = (double)(s->a->nnz - first);
	if (l.tail > 0)
		l.tail_rows = (double)(s->a->rows - tulle__csr_row_at(s->a, 0, first));
	while (lanes < (double)width && lanes * l.tail_rows < l.tail)
		lanes *= 2;
	l.tail_warps = ceil(l.tail_rows * lanes / (double)width);
	return l;
}

/* Lane l of tile n has entries (n * width + l) * sigma and the sigma - 1 after it; stored are the first ones of all
 * lanes, then the second ones. */
static void warp_of(const tulle__gpu_subject *s, const void *of, int64_t n, tulle__gpu_warp *out)
{
	const layout *const l = of;

	(void)s;
	out->lanes = (int)l->width;
	out->entry_stride = 1;
	out->slot_stride = l->width;
	for (int64_t lane = 0; lane < l->width; lane++) {
		out->slot[lane] = n * l->width * l->sigma + lane;
		out->entry[lane] = (n * l->width + lane) * l->sigma;
		out->turns[lane] = l->sigma;
	}
}

/* Requests of warps: tiles, the tail after them, rows without entries. */
static void count_requests(const tulle__gpu_subject *s, const layout *l, double descriptors,
                           const tulle__gpu_requests *r, tulle__gpu_estimate *e)
{
	enum {
		OF_TILE = 4,  /* its number and the next, one offset, the sum that it carries */
		OF_CARRY = 3, /* the same in the last launch, neighbours together */
		OF_ROW = 4    /* loads of row_ptr in the tail */
	};
	const double tiles = (double)l->tiles, rows = s->rows - (double)s->empty_rows;
	const double empty = s->empty_rows > 0 ? s->rows : 0; /* one launch reads all rows */
	const double per_warp = l->tail_rows / fmax(1, l->tail_warps);
	const tulle__gpu_requests entries = tulle__gpu_count_entries(s);
	const double share = s->nnz > 0 ? l->tail / s->nnz : 0;

	e->requested = descriptors + 2 * empty * s->index;
	e->requested += TULLE__GPU_SECTOR * (r->col + r->val + tiles * (OF_TILE + OF_CARRY));
	e->requested += TULLE__GPU_SECTOR * (entries.col + entries.val) * share;
	e->requested +=
	    TULLE__GPU_SECTOR * l->tail_warps * OF_ROW * (tulle__gpu_sectors(per_warp, s->index) + .5);
	if (empty > 0) /* destinations of sums are looked up, and neighbouring sums end in different
	                  steps */
		e->requested += TULLE__GPU_SECTOR * (.6 * rows * (1 - share) + empty / (double)l->width);
	e->x_requested = TULLE__GPU_SECTOR * (r->x + entries.x * share);
	e->y_requested = TULLE__GPU_SECTOR * fmin(rows, rows * s->value / 8 + 4 * tiles);
}

tulle_status tulle__csr5_gpu_estimate(const tulle__gpu_subject *s, tulle__gpu_estimates *out)
{
	enum { OF_TILE = 230, TURN = 20, OF_TAIL = 110, OF_CARRIES = 60, OF_EMPTY = 30 };
	const layout l = lay_out(s);
	const double tiles = (double)l.tiles, width = (double)l.width;
	const double descriptors =
	    tiles * tulle__csr5_gpu_shape((int)l.width, (int)l.sigma).units * width * sizeof(int32_t);
	const double empty = s->empty_rows > 0 ? s->rows / width : 0;
	const double carries = tiles > 0 ? ceil((tiles + 1) / width) : 0;
	const tulle__gpu_requests r = tulle__gpu_count(s, l.tiles, warp_of, &l);
	tulle__gpu_estimate *const e = tulle__gpu_add(out, use_of(l.sigma));

	e->held = s->nnz * (s->value + sizeof(int32_t)) + (s->rows + 1) * s->index + descriptors +
	          tiles * sizeof(int32_t);
	e->array_bytes = e->held - (empty > 0 ? 0 : s->rows * s->index) + tiles * 2 * s->value;
	count_requests(s, &l, descriptors, &r, e);
	e->warps = tiles + l.tail_warps + empty + carries;
	e->shuffles = tiles * (log2(width) + 1);
	e->instructions = tiles * OF_TILE + r.turns * TURN + l.tail_warps * OF_TAIL +
	                  carries * OF_CARRIES + empty * OF_EMPTY;
	e->arithmetic = 2 * r.turns + e->shuffles;
	e->waits = 4 * tiles + tulle__gpu_waits(r.turns, tiles) + 4 * l.tail_warps;
	e->chain = 6 + tulle__gpu_waits((double)l.sigma, 1) +
	           (double)s->longest / (width * (double)l.sigma * TULLE__GPU_THREADS);
	e->launches = 2 * (tiles > 0) + (l.tail > 0) + (empty > 0);
	return TULLE_OK;
}
