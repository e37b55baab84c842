/* split.h -- into how many parts work is cut. The matrix decides, never the number of threads. */
#ifndef TULLE_CORE_SPLIT_H
#define TULLE_CORE_SPLIT_H

#include <stdint.h>

enum {
	TULLE__WHOLE = 16384, /* less work than this is one part: a second part would not pay for the
	                         barrier */
	TULLE__GRAIN = 4096,  /* work in a part, as long as there are no more than TULLE__MAX_PARTS */
	TULLE__MAX_PARTS = 1024,
	TULLE__MAX_PRIVATE = 8,
	TULLE__LANES = 16 /* of the widest vector: arrays that are read in whole vectors are padded to
	                     it */
};

/* Number of parts for this much work, counted in nonzeros + rows. By nonzeros alone, a million
 * empty rows would be one part, although their y must be written. */
static inline int64_t tulle__parts(int64_t work)
{
	const int64_t parts = work / TULLE__GRAIN;

	if (work < TULLE__WHOLE)
		return work > 0;
	return parts < TULLE__MAX_PARTS ? parts : TULLE__MAX_PARTS;
}

/* Where part p of `parts` begins if n items are divided evenly; no overflow for n up to 2^62. */
static inline int64_t tulle__cut(int64_t n, int64_t parts, int64_t p)
{
	const int64_t each = n / parts, rest = n % parts;

	return p * each + (p < rest ? p : rest);
}

static inline int64_t tulle__round_up(int64_t n, int64_t multiple)
{
	return (n + multiple - 1) / multiple * multiple;
}

/* Number of private copies of a y of `length` elements for this much work: few enough that summing
 * the copies reads less than the matrix, and at most 8, since more gain nothing. */
static inline int64_t tulle__private_parts(int64_t work, int64_t nnz, int64_t length)
{
	int64_t parts = tulle__parts(work);

	if (parts > TULLE__MAX_PRIVATE)
		parts = TULLE__MAX_PRIVATE;
	if (length > 0 && parts > nnz / length)
		parts = nnz / length;
	return parts > 1 ? parts : 1;
}

/* What a part adds into: columns begin .. end-1, kept from scratch[at] on. */
typedef struct {
	int64_t begin, end, at;
} tulle__copy;

/* How scattering is divided into parts (csr/scatter_parts.h). */
typedef struct {
	int64_t parts;
	int64_t *cut;         /* part p scatters items cut[p] .. cut[p+1]-1: rows or chunks */
	tulle__copy *copy;    /* of each part */
	int64_t elements;     /* of all copies */
	int64_t column_parts; /* of the phase that sums the copies */
} tulle__scatter_parts;

/* A part begins at entry k, in row `row`. The cut is clean when the entries before k belong to rows
 * before it. */
typedef struct {
	int64_t row, k;
} tulle__row_cut;

/* The first index in k .. end-1 of an ascending array whose element is at least `value`, or end. */
static inline int64_t tulle__first_at_least(const int32_t *rising, int64_t k, int64_t end,
                                            int64_t value)
{
	while (k < end) {
		const int64_t middle = k + (end - k) / 2;

		if (rising[middle] < value)
			k = middle + 1;
		else
			end = middle;
	}
	return k;
}

/* A row that lies in parts first .. last. Each part leaves the sum of its first row's end at
 * scratch[2 * part] and that of its last row's beginning at scratch[2 * part + 1]; the row is
 * tail[first] + head[first+1] + ... + head[last], added in this order by a later phase. */
typedef struct {
	int64_t row, first, last;
} tulle__split_row;

#endif
