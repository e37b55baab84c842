/* custom_allocator.c -- give tulle your memory, a limit, and see what it took.
 *
 * Everything the library allocates for a context goes through the context's two functions; at the
 * end every block has come back. */
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <tulle.h>

/* Calls may come from any thread, so the counters are atomic. */
typedef struct {
	atomic_size_t blocks, bytes, most;
} arena;

static void *take(void *user, size_t bytes, size_t align)
{
	arena *r = user;
	/* aligned_alloc wants a multiple of the alignment */
	void *block = aligned_alloc(align, (bytes + align - 1) / align * align);
	if (block) {
		r->blocks++;
		const size_t now = atomic_fetch_add(&r->bytes, bytes) + bytes;
		if (now > r->most)
			r->most = now;
	}
	return block;
}

static void give_back(void *user, void *block, size_t bytes)
{
	arena *r = user;
	r->blocks--;
	r->bytes -= bytes;
	free(block);
}

int main(void)
{
	/* The arrow matrix: a full first row, a full first column, the diagonal. As triplets, so that
	 * the library has something to build. */
	enum { N = 2000, NNZ = 3 * N - 2 };
	static int32_t row[NNZ], col[NNZ];
	static double x[N], y[N];
	int nnz = 0;
	for (int i = 0; i < N; i++) {
		x[i] = 1;
		row[nnz] = col[nnz] = i;
		nnz++;
		if (i > 0) {
			row[nnz] = 0, col[nnz++] = i;
			row[nnz] = i, col[nnz++] = 0;
		}
	}

	arena r = { 0 };
	tulle_context *context = NULL;
	tulle_matrix *a = NULL, *too_large = NULL;
	tulle_plan *p = NULL;
	const tulle_context_options options = {
		.size = sizeof options,
		.alloc = take,
		.free = give_back,
		.user = &r,
		.memory_limit = 1 << 20,
	};
	if (tulle_context_create(&options, &context) ||
	    tulle_matrix_from_coo(context, N, N, NNZ, TULLE_I32, row, col, TULLE_F64, NULL, NULL, &a) ||
	    tulle_plan_create(a, NULL, &p) || tulle_mul_f64(p, 1.0, x, 0.0, y)) {
		fprintf(stderr, "%s\n", tulle_last_error());
		return 1;
	}

	/* A matrix of 10^9 empty rows is legal, but its offsets do not fit the limit. */
	const tulle_status refused = tulle_matrix_from_coo(context, 1000000000, 1, 0, TULLE_I32, row,
	                                                   col, TULLE_F64, NULL, NULL, &too_large);
	printf("refused, as it should be: %s: %s\n", tulle_status_name(refused), tulle_last_error());

	tulle_plan_destroy(p);
	tulle_matrix_destroy(a);
	tulle_context_destroy(context);
	printf("at most %zu bytes held, %zu blocks left\n", (size_t)r.most, (size_t)r.blocks);
	return !(refused == TULLE_E_LIMIT && y[0] == N && y[N - 1] == 2 && r.most > 0 &&
	         r.blocks == 0 && r.bytes == 0);
}
