/* csr_gpu_check.c -- plain CSR on a GPU: checks the invariants of the arrays that its kernels
 * read. */
#include "formats/csr/csr_gpu.h"
#include "gpu/gpu_check.h"

enum { GROUP = 16 }; /* as in csr_gpu.c */

/* ---- padded ---- */

typedef struct {
	tulle__gpu_numbers group, length;
} padded;

static int64_t length_of(const void *of, int64_t n)
{
	return ((const padded *)of)->length.at[n];
}

static int64_t slot_of(const void *of, int64_t n, int64_t j)
{
	return ((const padded *)of)->group.at[n] * GROUP + j;
}

static void check_padded(tulle__gpu_check *c)
{
	const int64_t rows = c->plan->rows;
	const tulle__gpu_slot_rule rule = { rows, length_of, slot_of, 0 };
	const padded p = { tulle__gpu_fetch(c, "csr", "group", rows),
		               tulle__gpu_fetch(c, "csr", "length", rows) };
	int64_t next = 0;

	tulle__gpu_check_inside(c, &p.length, rows, c->plan->nnz + 1);
	for (int64_t i = 0; i < rows && c->status == TULLE_OK; i++) {
		if (p.group.at[i] != next)
			tulle__gpu_wrong(c, &p.group, i);
		next += tulle__gpu_blocks(p.length.at[i], GROUP);
	}
	if (c->status == TULLE_OK)
		tulle__gpu_check_slots(c, "csr", &rule, &p);
}

/* ---- row blocks ---- */

/* Block b begins in row first_row[b], with entry first[b]. */
static void check_blocks(tulle__gpu_check *c, const tulle__gpu_numbers *row_ptr)
{
	const tulle__gpu_numbers row = tulle__gpu_fetch(c, "csr", "first_row", 1);
	const tulle__gpu_numbers first = tulle__gpu_fetch(c, "csr", "first", row.count);

	tulle__gpu_check_cuts(c, &row, row.count, c->plan->rows);
	tulle__gpu_check_cuts(c, &first, row.count, c->plan->nnz);
	for (int64_t b = 0; b + 1 < row.count && c->status == TULLE_OK; b++)
		if (row.at[b] >= c->plan->rows || first.at[b] < row_ptr->at[row.at[b]] ||
		    first.at[b] > row_ptr->at[row.at[b] + 1])
			tulle__gpu_wrong(c, &first, b);
}

/* ---- equal shares ---- */

/* Share n begins in row share_row[n], with entry n * each; the last element is the number of
 * rows. */
static void check_shares(tulle__gpu_check *c, const tulle__gpu_numbers *row_ptr)
{
	const int64_t nnz = c->plan->nnz, each = tulle__gpu_number(c, "csr", "each");
	const int64_t shares = tulle__gpu_blocks(nnz, (int)each);
	const tulle__gpu_numbers row = tulle__gpu_fetch(c, "csr", "share_row", shares + 1);

	for (int64_t n = 0; n < shares && c->status == TULLE_OK; n++)
		if (row.at[n] < 0 || row.at[n] >= c->plan->rows || row_ptr->at[row.at[n]] > n * each ||
		    row_ptr->at[row.at[n] + 1] <= n * each)
			tulle__gpu_wrong(c, &row, n);
	if (c->status == TULLE_OK && row.at[shares] != c->plan->rows)
		tulle__gpu_wrong(c, &row, shares);
}

/* ---- segmented sum ---- */

/* flag[k]: a row begins with entry k; begins[n]: one begins in share n. */
static void check_flags(tulle__gpu_check *c, const tulle__gpu_numbers *row_ptr)
{
	const int64_t nnz = c->plan->nnz, each = tulle__gpu_number(c, "csr", "each");
	const tulle__gpu_numbers flag = tulle__gpu_fetch(c, "csr", "flag", nnz);
	const tulle__gpu_numbers begins =
	    tulle__gpu_fetch(c, "csr", "begins", tulle__gpu_blocks(nnz, (int)each));
	int64_t row = 0;
	int begun = 0;

	for (int64_t k = 0; k < nnz && c->status == TULLE_OK; k++) {
		while (row_ptr->at[row + 1] <= k)
			row++;
		begun = (k % each > 0 && begun) || row_ptr->at[row] == k;
		if (flag.at[k] != (row_ptr->at[row] == k))
			tulle__gpu_wrong(c, &flag, k);
		if ((k % each == each - 1 || k == nnz - 1) && begins.at[k / each] != begun)
			tulle__gpu_wrong(c, &begins, k / each);
	}
}

void tulle__csr_gpu_check(tulle__gpu_check *c)
{
	tulle__gpu_numbers row_ptr;

	if (tulle__gpu_fetch(c, "csr", "group", 0).at) {
		check_padded(c);
		return;
	}
	row_ptr = tulle__gpu_check_rows(c, "csr", "row_ptr", c->plan->rows, "col", c->plan->cols);
	if (tulle__gpu_fetch(c, "csr", "first_row", 0).at)
		check_blocks(c, &row_ptr);
	if (tulle__gpu_fetch(c, "csr", "share_row", 0).at)
		check_shares(c, &row_ptr);
	if (tulle__gpu_fetch(c, "csr", "flag", 0).at)
		check_flags(c, &row_ptr);
}
