/* batch_gpu_teams.c -- divides the problems of a batch among teams of threads of a GPU.
 *
 * A problem gets the smallest team that has room for its vectors and processes its entries in some dozens of
 * steps: a quarter of a warp, one, two or four warps, or a block. A problem that is too large for a block is
 * divided by rows into pieces, one block per piece. In the paper's form all teams have the size that the largest
 * problem needs. */
#include "batch/batch_gpu.h"

enum { EACH = 4 /* as in batch.gpu */ };

enum {
	STEPS = 32,       /* of a small team: more entries go to a larger one */
	BLOCK_STEPS = 64, /* of a block: more entries are cut */
	CLASSES = BATCH_GPU_CLASSES,
	BLOCK = CLASSES - 1
};

static int fits(const tulle__problem *a, int64_t team)
{
	return a->rows <= EACH * team && a->cols <= EACH * team && a->nnz <= STEPS * team;
}

int tulle__batch_gpu_class(const batch_gpu_cut *c, int64_t i)
{
	int n = 0;

	if (c->only >= 0)
		return c->only;
	while (n < BLOCK && !fits(&c->p->problem[i], c->team[n]))
		n++;
	return n;
}

/* As many rows as there is room for and as a block can process in its number of steps; at least one. */
int64_t tulle__batch_gpu_piece_end(const batch_gpu_cut *c, int64_t i, int64_t r)
{
	const tulle__csr a = tulle__problem_csr(c->p, i);
	const int64_t room = EACH * c->team[BLOCK], most = BLOCK_STEPS * c->team[BLOCK];
	const int64_t last = a.rows - r < room ? a.rows : r + room;
	int64_t end = r + 1;

	if (c->one_size)
		return last;
	while (end < last && tulle__csr_offset(&a, end + 1) - tulle__csr_offset(&a, r) <= most)
		end++;
	return end;
}

batch_gpu_cut tulle__batch_gpu_cut_for(const tulle__problems *p, const tulle__gpu_device *device,
                                       int one_size)
{
	const int width = device->width;
	batch_gpu_cut c = { .p = p,
		                .team = { width > 4 ? width / 4 : 1, width, 2 * width, 4 * width,
		                          TULLE__GPU_BLOCK },
		                .only = -1,
		                .one_size = one_size };
	int largest = 0;

	for (int n = 0; n < CLASSES; n++)
		c.team[n] = c.team[n] < TULLE__GPU_BLOCK ? c.team[n] : TULLE__GPU_BLOCK;
	for (int64_t i = 0; one_size && i < p->count; i++) {
		const int n = tulle__batch_gpu_class(&c, i);

		largest = n > largest ? n : largest;
	}
	c.only = one_size ? largest : -1;
	return c;
}
