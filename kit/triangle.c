/* triangle.c -- the strict upper triangle of a symmetric pattern: adds and removes single entries,
 * then writes both triangles. */
#include <stdlib.h>

#include "standins.h"

static int compare(const void *a, const void *b)
{
	int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
	return (x > y) - (x < y);
}

/* ---- to the exact number of entries ---- */

static int adjacent(const kit__triangle *t, int64_t i, int64_t j)
{
	int32_t key = (int32_t)j;
	return !!bsearch(&key, t->up + t->at[i], (size_t)t->count[i], sizeof key, compare);
}

/* Inserts entry (i, j), i < j; 0 if row i has no room. */
static int insert(kit__triangle *t, int64_t i, int64_t j)
{
	if (t->at[i] + t->count[i] == t->at[i + 1])
		return 0;
	int32_t *row = t->up + t->at[i], k = t->count[i]++;
	for (; k > 0 && row[k - 1] > j; k--)
		row[k] = row[k - 1];
	row[k] = (int32_t)j;
	t->full[i]++;
	t->full[j]++;
	return 1;
}

/* Adds an entry to row i, in the column of the nearest row that may also have one more. */
static int grow(kit__triangle *t, int64_t i, int64_t longest)
{
	if (t->special[i] || t->full[i] >= longest)
		return 0;
	for (int64_t d = 1; d < 4000; d++)
		for (int side = -1; side <= 1; side += 2) {
			int64_t j = i + side * d, a = j < i ? j : i, b = j < i ? i : j;
			if (j < 0 || j >= t->n || t->special[j] || t->full[j] >= longest || adjacent(t, a, b))
				continue;
			if (insert(t, a, b))
				return 1;
		}
	return 0;
}

/* Removes an entry from row i: the last one whose other row may also lose one. */
static int shrink(kit__triangle *t, int64_t i, int64_t least)
{
	if (t->special[i] || t->full[i] <= least)
		return 0;
	int32_t *row = t->up + t->at[i];
	for (int32_t k = t->count[i]; k-- > 0;) {
		int32_t j = row[k];
		if (t->special[j] || t->full[j] <= least)
			continue;
		memmove(row + k, row + k + 1, (size_t)(t->count[i] - k - 1) * sizeof *row);
		t->count[i]--;
		t->full[i]--;
		t->full[j]--;
		return 1;
	}
	return 0;
}

int kit__triangle_exact(kit__triangle *t, int64_t nnz, int64_t least, int64_t longest)
{
	int64_t sum = 0;
	for (int64_t i = 0; i < t->n; i++)
		while (t->full[i] > longest && shrink(t, i, least))
			continue;
	for (int64_t i = 0; i < t->n; i++)
		for (int tries = 0; tries < 1000 && t->full[i] < least; tries++)
			if (!grow(t, i, longest))
				break;
	for (int64_t i = 0; i < t->n; i++)
		sum += t->full[i];
	int64_t missing = (nnz - sum) / 2;
	for (int round = 0; round < 50 && missing; round++) {
		int64_t todo = missing < 0 ? -missing : missing, step = t->n / todo;
		step = step < 1 ? 1 : step;
		for (int64_t i = round % step; i < t->n && missing; i += step) {
			if (missing > 0)
				missing -= grow(t, i, longest);
			else
				missing += shrink(t, i, least);
		}
	}
	return missing ? kit__fail("the stand-in misses nnz by twice %lld", (long long)missing) : 0;
}

/* Writes both triangles and the diagonal. Rows are processed in order, so when row i is reached it
 * has the columns below i, ascending. */
int kit__triangle_reflect(const kit__triangle *t, kit_matrix *out)
{
	if (kit__allocate(out))
		return -1;
	for (int64_t i = 0; i < t->n; i++)
		out->row_ptr[i + 1] = t->full[i];
	kit__lengths_to_offsets(out);
	int64_t *put = kit__alloc(t->n, sizeof *put);
	if (!put)
		return -1;
	memcpy(put, out->row_ptr, (size_t)t->n * sizeof *put);
	for (int64_t i = 0; i < t->n; i++) {
		const int32_t *row = t->up + t->at[i];
		if (!t->bare[i])
			out->col[put[i]++] = (int32_t)i;
		memcpy(out->col + put[i], row, (size_t)t->count[i] * sizeof *row);
		for (int32_t k = 0; k < t->count[i]; k++)
			out->col[put[row[k]]++] = (int32_t)i;
	}
	free(put);
	return 0;
}

void kit__triangle_free(kit__triangle *t)
{
	void *all[] = { t->special, t->bare, t->at, t->up, t->count, t->full };
	for (size_t i = 0; i < sizeof all / sizeof *all; i++)
		free(all[i]);
}
