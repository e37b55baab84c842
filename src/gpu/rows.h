/* rows.h -- what kernels share that sum the entries of rows, in the words of dialect.h, after which it is compiled. */
#ifndef TULLE_GPU_ROWS_H
#define TULLE_GPU_ROWS_H

/* y = alpha s + beta y for one row. */
FN void store_row(GLOBAL T *y, i64 row, T alpha, T s, T beta)
{
	y[row] = is_zero(beta) ? scaled(alpha, s) : add_scaled(scaled(alpha, s), beta, y[row]);
}

/* ---- entries ---- */

/* How columns and values are stored: constants at every call. */
enum {
	COLUMNS_32,
	COLUMNS_16,  /* unsigned, two in an int */
	VALUES_OWN,  /* as T */
	VALUES_F32,  /* as float, where T is double */
	VALUES_CODE, /* as a byte: which value of a table */
	VALUES_ONE   /* not at all */
};

typedef struct {
	GLOBAL const int *col;
	GLOBAL const void *val;
	LOCAL_POINTER const T *table; /* VALUES_CODE; else not read */
	GLOBAL const T *x;
	i64 ldx; /* elements from that of a column to that of the next: 1, or more where several vectors are side by side */
	int once; /* a constant: columns and values are read by load_once() */
} entries;

#define LOAD_ENTRY(p, once) ((once) ? load_once(p) : *(p))

FN int column_at(entries e, i64 k, const int columns)
{
	return columns == COLUMNS_16 ? LOAD_ENTRY((GLOBAL const unsigned short *)e.col + k, e.once)
	                             : LOAD_ENTRY(e.col + k, e.once);
}

/* Complex values are stored in full, or not at all. */
FN T value_at(entries e, i64 k, const int values)
{
	if (values == VALUES_ONE)
		return ONE;
#if !TULLE_COMPLEX
	if (values == VALUES_CODE)
		return e.table[LOAD_ENTRY((GLOBAL const unsigned char *)e.val + k, e.once)];
	if (values == VALUES_F32)
		return (T)LOAD_ENTRY((GLOBAL const float *)e.val + k, e.once);
#endif
	return LOAD_ENTRY((GLOBAL const T *)e.val + k, e.once);
}

/* s + a x. A complex matrix without values has no product: the zero of 1 + 0i would make NaN of an Inf in x. */
#if TULLE_COMPLEX
FN T add_entry(T s, T a, T x, const int values)
{
	return values == VALUES_ONE ? s + x : multiply_add(s, a, x);
}
#else
#define add_entry(s, a, x, values) multiply_add(s, a, x)
#endif

/* Where value k is. */
FN GLOBAL const void *values_from(entries e, i64 k, const int values)
{
	return values == VALUES_ONE    ? e.val
	       : values == VALUES_CODE ? (GLOBAL const void *)((GLOBAL const unsigned char *)e.val + k)
	       : values == VALUES_F32  ? (GLOBAL const void *)((GLOBAL const float *)e.val + k)
	                               : (GLOBAL const void *)((GLOBAL const T *)e.val + k);
}

/* Adds to s, in this order, the products of the `count` entries whose columns are at c, c + c_stride, ... and whose
 * values are at v, v + v_stride, .... Four entries are loaded before the first of them is used, so that a lane has
 * four loads in flight. The remaining entries, up to three, come last. A compiler that unrolls the loop puts them
 * first: lanes with different counts are then at different steps, and their loads are not coalesced. */
FN T add_entries(T s, entries e, I c, I c_stride, I v, I v_stride, I count, const int columns,
                 const int values, const int cached)
{
	NOT_UNROLLED
	for (; count >= 4; count -= 4, c += 4 * c_stride, v += 4 * v_stride) {
		const I c1 = c + c_stride, c2 = c1 + c_stride, v1 = v + v_stride, v2 = v1 + v_stride;
		const int j0 = column_at(e, c, columns), j1 = column_at(e, c1, columns);
		const int j2 = column_at(e, c2, columns), j3 = column_at(e, c2 + c_stride, columns);
		const T a0 = value_at(e, v, values), a1 = value_at(e, v1, values);
		const T a2 = value_at(e, v2, values), a3 = value_at(e, v2 + v_stride, values);
		const T x0 = load_x(e.x, j0 * e.ldx, cached), x1 = load_x(e.x, j1 * e.ldx, cached);
		const T x2 = load_x(e.x, j2 * e.ldx, cached), x3 = load_x(e.x, j3 * e.ldx, cached);

		s = add_entry(s, a0, x0, values);
		s = add_entry(s, a1, x1, values);
		s = add_entry(s, a2, x2, values);
		s = add_entry(s, a3, x3, values);
	}
	if (count > 0) {
		const I c1 = c + c_stride, c2 = c1 + c_stride, v1 = v + v_stride, v2 = v1 + v_stride;
		const int j0 = column_at(e, c, columns), j1 = count > 1 ? column_at(e, c1, columns) : 0;
		const int j2 = count > 2 ? column_at(e, c2, columns) : 0;
		const T a0 = value_at(e, v, values), a1 = count > 1 ? value_at(e, v1, values) : ZERO;
		const T a2 = count > 2 ? value_at(e, v2, values) : ZERO;
		const T x0 = load_x(e.x, j0 * e.ldx, cached);
		const T x1 = count > 1 ? load_x(e.x, j1 * e.ldx, cached) : ZERO;
		const T x2 = count > 2 ? load_x(e.x, j2 * e.ldx, cached) : ZERO;

		s = add_entry(s, a0, x0, values);
		if (count > 1)
			s = add_entry(s, a1, x1, values);
		if (count > 2)
			s = add_entry(s, a2, x2, values);
	}
	return s;
}

/* The sum of `count` entries k, k + stride, ..., stored in full. The distance from the first to the last must fit in
 * I. */
FN T sum_entries(i64 k, I stride, I count, GLOBAL const int *col, GLOBAL const T *val,
                 GLOBAL const T *x, const int cached)
{
	const entries e = { col + k, val + k, 0, x, 1, 0 };

	return add_entries(ZERO, e, 0, stride, 0, stride, count, COLUMNS_32, VALUES_OWN, cached);
}

/* The sum of every 2^shift-th of the entries begin .. end - 1, starting with that of lane `part`. */
FN T sum_part(I begin, I end, int part, int shift, GLOBAL const int *col, GLOBAL const T *val,
              GLOBAL const T *x, const int cached)
{
	const I lanes = (I)1 << shift;

	return sum_entries((i64)begin + part, lanes, (end - begin - part + lanes - 1) >> shift, col,
	                   val, x, cached);
}

/* The sum of v over each group of `lanes` lanes (a power of two), in the group's first lane. */
FN T group_sum(warp w, T v, int lanes)
{
	for (int d = lanes / 2; d > 0; d /= 2)
		v += shuffle(w, v, lane() + d);
	return v;
}

/* The sum of v over this lane and the lanes directly before it that have the same key. Lanes of one segment are
 * adjacent; a segment has at most `lanes` of them (a power of two). */
FN T segment_scan(warp w, T v, I key, int lanes)
{
	for (int d = 1; d < lanes; d *= 2) {
		const I before = shuffle_index(w, key, lane() - d);
		const T more = shuffle(w, v, lane() - d);

		if (lane() >= d && before == key)
			v += more;
	}
	return v;
}

/* ---- rows that several warps share ---------------------------------------------------------------- */

/* The last of the rows first .. last that begins at or before entry k. This is the row of entry k if it is among
 * them. */
FN int find_row(GLOBAL const I *row_ptr, int first, int last, I k)
{
	while (first < last) {
		const int middle = last - (last - first) / 2;

		if (row_ptr[middle] <= k)
			first = middle;
		else
			last = middle - 1;
	}
	return first;
}

/* The entries of one warp, processed in row order, WIDTH at a time. Sums of rows that belong to this warp alone are
 * written to y. Row `head` begins before the warp's entries and row `tail` continues after them (-1: none). Their sums
 * are stored in carry[0] and carry[1], and a later launch adds them (kernel `carries`). A row that is both head and
 * tail has its sum in carry[0]. */
typedef struct {
	int head, tail;
	GLOBAL T *carry;
	GLOBAL T *y;
	T alpha, beta;
	int row; /* that of the last entry so far, -1 before the first; its sum */
	T sum;
} share;

FN void share_put(const share *s, int row, T sum)
{
	if (row >= 0 && row == s->head)
		s->carry[0] = sum;
	else if (row >= 0 && row == s->tail)
		s->carry[1] = sum;
	else if (row >= 0)
		store_row(s->y, row, s->alpha, sum, s->beta);
}

/* v is the product of this lane's entry, `row` its row. Lanes after the last entry pass 0 and -1. */
FN void share_step(warp w, share *s, T v, int row)
{
	I next;

	if (lane() == 0 && s->row == row)
		v += s->sum;
	else if (lane() == 0)
		share_put(s, s->row, s->sum);
	v = segment_scan(w, v, (I)row, WIDTH);
	next = shuffle_index(w, (I)row, lane() + 1);
	if (lane() < WIDTH - 1 && next != row)
		share_put(s, row, v);
	s->sum = shuffle(w, v, WIDTH - 1);
	s->row = (int)shuffle_index(w, (I)row, WIDTH - 1);
}

/* After the last step. */
FN void share_end(const share *s)
{
	if (lane() == 0)
		share_put(s, s->row, s->sum);
}

#endif
