/* fuzz_batch.c -- descriptors of batches of any content: tulle_batch_create refuses them with a sentence, or makes a batch
 * that multiplies exactly what they describe.
 *
 * The target knows which descriptors are valid. The packed arrays are short: a valid descriptor that says that they are longer
 * is the caller's fault, and is not used. */
#include "chosen.h"
#include "fuzz.h"
#include "sound.h"
#include "tulle_batch.h"

#include <string.h>

enum { MOST = 6, OFFSETS = 48, ENTRIES = 96, ELEMENTS = 96, BEYOND = -1 };

typedef struct {
	tulle_batch_source s;
	tulle_batch_options o;
	int64_t rows[MOST], cols[MOST], row_at[MOST], col_at[MOST], val_at[MOST], x_at[MOST],
	    y_at[MOST];
	int64_t ptr[OFFSETS], col[ENTRIES];
	double val[ENTRIES], scale[MOST];
	/* where the arrays of each problem begin, once it is known to be valid */
	int64_t row_begin[MOST], col_begin[MOST], val_begin[MOST], x_begin[MOST], y_begin[MOST];
	int64_t x_size, y_size;
} descriptor;

static int64_t odd_number(choices *c)
{
	static const int64_t odd[] = { -1,        INT32_MAX, 1ll << 31, 1ll << 32,
		                           1ll << 59, INT64_MAX, INT64_MIN, -7 };

	return odd[choose(c, 8)];
}

/* An array of positions, sometimes with an invalid one; NULL: contiguous. */
static const int64_t *choose_places(choices *c, int64_t *at, int64_t count, int64_t most)
{
	if (choose(c, 2) == 0)
		return NULL;
	for (int64_t i = 0, next = 0; i < count; i++) {
		at[i] = choose(c, 4) ? next : choose(c, most);
		if (choose(c, 32) == 0)
			at[i] = odd_number(c);
		next += choose(c, 8);
	}
	return at;
}

static void choose_descriptor(choices *c, descriptor *d)
{
	static const char *const kernels[] = { NULL, NULL, "csr", "sell", "ell", "interleaved" };
	const int64_t count = choose(c, MOST + 1);
	const int same = (int)choose(c, 2); /* of one size */

	memset(d, 0, sizeof *d);
	for (int64_t i = 0; i < count; i++) {
		d->rows[i] = same && i ? d->rows[0] : choose(c, 6);
		d->cols[i] = same && i ? d->cols[0] : choose(c, 6);
		if (choose(c, 48) == 0)
			d->rows[i] = odd_number(c);
		if (choose(c, 48) == 0)
			d->cols[i] = odd_number(c);
		d->scale[i] = (double)(choose(c, 5) - 2);
	}
	/* A few patterns that ascend, and repeat where problems may share them. */
	for (int64_t k = 0, at = 0; k < OFFSETS; k++) {
		if (choose(c, 4) == 0)
			at = 0;
		d->ptr[k] = at;
		at += choose(c, 4);
	}
	if (count > 0 && d->rows[0] >= 0 && d->rows[0] < 6 && same && choose(c, 2)) {
		d->ptr[0] = 0; /* all problems have the rows of the first one */
		for (int64_t k = 1; k < OFFSETS; k++)
			d->ptr[k] =
			    k <= d->rows[0] ? d->ptr[k - 1] + d->ptr[k] % 4 : d->ptr[k % (d->rows[0] + 1)];
	}
	for (int64_t k = 0; k < ENTRIES; k++) {
		d->col[k] = choose(c, 5);
		d->val[k] = (double)(k % 7 - 3);
	}
	if (choose(c, 8) == 0)
		d->ptr[choose(c, OFFSETS)] = odd_number(c);
	if (choose(c, 8) == 0)
		d->col[choose(c, ENTRIES)] = odd_number(c);
	d->s = (tulle_batch_source){ .size = sizeof d->s,
		                         .count = count,
		                         .rows = d->rows,
		                         .cols = d->cols,
		                         .offset_type = choose(c, 2) ? TULLE_I64 : TULLE_I32,
		                         .column_type = choose(c, 2) ? TULLE_I64 : TULLE_I32,
		                         .value_type = choose(c, 2) ? TULLE_F64 : TULLE_F32,
		                         .shared = (int)choose(c, 2) * (int)choose(c, 8),
		                         .row_at = choose_places(c, d->row_at, count, OFFSETS / 2),
		                         .col_at = choose_places(c, d->col_at, count, ENTRIES / 2),
		                         .val_at = choose_places(c, d->val_at, count, ENTRIES / 2),
		                         .x_at = choose_places(c, d->x_at, count, ELEMENTS / 2),
		                         .y_at = choose_places(c, d->y_at, count, ELEMENTS / 2),
		                         .scale = choose(c, 2) ? d->scale : NULL };
	d->o = (tulle_batch_options){ .size = sizeof d->o, .kernel = kernels[choose(c, 6)] };
	for (int64_t k = 0; k < OFFSETS && d->s.offset_type == TULLE_I32; k++)
		d->ptr[k] = (int32_t)(uint32_t)(uint64_t)d->ptr[k];
	for (int64_t k = 0; k < ENTRIES && d->s.column_type == TULLE_I32; k++)
		d->col[k] = (int32_t)(uint32_t)(uint64_t)d->col[k];
}

/* ---- what is valid ---- */

static int64_t begin(const int64_t *at, int shared, int64_t i, int64_t next)
{
	return shared ? (at ? at[0] : 0) : at ? at[i] : next;
}

/* 1: valid, 0: not, BEYOND: only with longer arrays. What is invalid must be refused whatever is beyond our arrays. */
static int judge(descriptor *d)
{
	const tulle_batch_source *s = &d->s;
	int64_t row = 0, col = 0, val = 0, x = 0, y = 0;
	int verdict = 1;

	for (int64_t i = 0; i < s->count; i++) {
		const int64_t *ptr;
		int64_t nnz;

		d->row_begin[i] = begin(s->row_at, s->shared & TULLE_SHARED_ROWS, i, row);
		d->x_begin[i] = s->x_at ? s->x_at[i] : x;
		d->y_begin[i] = s->y_at ? s->y_at[i] : y;
		if (d->rows[i] < 0 || d->rows[i] >= INT32_MAX - 64 || d->cols[i] < 0 ||
		    d->cols[i] >= INT32_MAX - 64 || d->row_begin[i] < 0 || d->x_begin[i] < 0 ||
		    d->y_begin[i] < y || d->row_begin[i] >= 1ll << 58 || d->x_begin[i] >= 1ll << 58 ||
		    d->y_begin[i] >= 1ll << 58 ||
		    ((s->shared & TULLE_SHARED_ROWS) && d->rows[i] != d->rows[0]))
			return 0; /* found before anything of a later problem is read */
		if (d->row_begin[i] + d->rows[i] >= OFFSETS)
			return BEYOND;
		ptr = d->ptr + d->row_begin[i];
		nnz = ptr[d->rows[i]] < 0 ? 0 : ptr[d->rows[i]];
		d->col_begin[i] = begin(s->col_at, s->shared & TULLE_SHARED_COLUMNS, i, col);
		d->val_begin[i] = begin(s->val_at, s->shared & TULLE_SHARED_VALUES, i, val);
		if (d->col_begin[i] < 0 || d->val_begin[i] < 0 || d->col_begin[i] >= 1ll << 58 ||
		    d->val_begin[i] >= 1ll << 58 || nnz >= 1ll << 58)
			return 0;
		for (int64_t r = 0; r < d->rows[i]; r++)
			if (ptr[r] > ptr[r + 1])
				verdict = 0;
		if (ptr[0] != 0 || nnz >= INT32_MAX - 64)
			verdict = 0;
		if (verdict && (d->col_begin[i] + nnz > ENTRIES || d->val_begin[i] + nnz > ENTRIES))
			return BEYOND;
		for (int64_t k = 0; verdict && k < nnz; k++)
			if (d->col[d->col_begin[i] + k] < 0 || d->col[d->col_begin[i] + k] >= d->cols[i])
				verdict = 0;
		row = d->row_begin[i] + d->rows[i] + 1;
		col = d->col_begin[i] + nnz;
		val = d->val_begin[i] + nnz;
		x = d->x_begin[i] + d->cols[i];
		y = d->y_begin[i] + d->rows[i];
		d->x_size = x > d->x_size ? x : d->x_size;
		d->y_size = y > d->y_size ? y : d->y_size;
	}
	return verdict;
}

/* ---- products ---- */

static double row_of(const descriptor *d, int64_t i, int64_t r)
{
	const int64_t *ptr = d->ptr + d->row_begin[i];
	double sum = 0;

	for (int64_t k = ptr[r]; k < ptr[r + 1]; k++)
		sum += d->val[d->val_begin[i] + k] *
		       (double)(1 + (d->x_begin[i] + d->col[d->col_begin[i] + k]) % 5);
	return sum * (d->s.scale ? d->scale[i] : 1);
}

/* Whole numbers: exact in any order. What is between the vectors stays. */
static void check_products(const descriptor *d, const tulle_batch *b)
{
	const tulle_value_type type = d->s.value_type;
	const double mark = -77;
	void *x = grab(d->x_size, value_size(type)), *y = grab(d->y_size, value_size(type));
	int64_t next = 0;

	for (int64_t j = 0; j < d->x_size; j++)
		value_set(type, x, j, (double)(1 + j % 5));
	value_fill(type, y, d->y_size, mark);
	REQUIRE((type == TULLE_F32 ? tulle_batch_mul_f32(b, TULLE_PACKED, 1, x, 0, y)
	                           : tulle_batch_mul_f64(b, TULLE_PACKED, 1, x, 0, y)) == TULLE_OK);
	for (int64_t i = 0; i < d->s.count; i++) {
		for (; next < d->y_begin[i]; next++)
			REQUIRE(value_at(type, y, next) == mark);
		for (int64_t r = 0; r < d->rows[i]; r++, next++)
			REQUIRE(value_at(type, y, next) == row_of(d, i, r));
	}
	free(y);
	free(x);
}

static void check_batch(tulle_context *context, descriptor *d, int valid)
{
	void *ptr = cast_indices(d->ptr, OFFSETS, d->s.offset_type, 0);
	void *col = cast_indices(d->col, ENTRIES, d->s.column_type, 0);
	void *val = cast_values(d->val, ENTRIES, d->s.value_type);
	tulle_batch_info info = { .size = sizeof info };
	tulle_batch *b = NULL;
	tulle_status s;

	d->s.row_ptr = ptr;
	d->s.col = col;
	d->s.val = val;
	s = tulle_batch_create(context, &d->s, &d->o, &b);
	REQUIRE((s == TULLE_OK) == valid && (b != NULL) == valid);
	if (valid) {
		REQUIRE(tulle_batch_describe(b, &info) == TULLE_OK);
		REQUIRE(info.x_size[0] == d->x_size && info.y_size[0] == d->y_size);
		if (d->x_size < 1 << 16 && d->y_size < 1 << 16) {
			check_products(d, b);
			REQUIRE(tulle_batch_update(b, val) == TULLE_OK);
			check_products(d, b);
		}
	} else {
		REQUIRE(s == TULLE_E_ARGUMENT || s == TULLE_E_MATRIX || s == TULLE_E_UNSUPPORTED);
		check_sentence(tulle_last_error());
	}
	tulle_batch_destroy(b);
	free(val);
	free(col);
	free(ptr);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const tulle_context_options limits = { .size = sizeof limits, .threads = 1 };
	tulle_context_info held = { .size = sizeof held };
	choices c = choices_of_bytes(data, size);
	tulle_context *context;
	descriptor d;
	int verdict;

	choose_descriptor(&c, &d);
	verdict = judge(&d);
	if (verdict == BEYOND)
		return 0;
	REQUIRE(tulle_context_create(&limits, &context) == TULLE_OK);
	check_batch(context, &d, verdict);
	tulle_context_describe(context, &held);
	REQUIRE(held.blocks_held == 0);
	tulle_context_destroy(context);
	return 0;
}
