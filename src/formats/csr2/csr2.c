/* csr2.c -- rows in padded segments, one block per vector of segments (README.md draws it).
 *
 *   invariant 1   rows and blocks of the parts are contiguous and span the matrix
 *   invariant 2   inside a part row r has the segments segment[r] .. segment[r+1]-1, from 0 on;
 *                 segments that a part's last block has besides are padding
 *   invariant 3   a segment's entries come first, then padding: column -1, value 0; only the last
 *                 segment of a row has any
 *   invariant 4   the split rows are those with a part that begins inside, in order
 */
#include "formats/csr2/csr2.h"

#include "core/kernel_table.h"
#include "core/memory.h"
#include "core/status.h"
#include "formats/csr2/csr2_fill.h"

#include <inttypes.h>
#include <stdio.h>

TULLE__KERNEL_TABLE(kernels, csr2, _i32_i32);
TULLE__KERNEL_TABLE_WITHOUT_GATHERS(many_kernels, csr2_many, _i32_i32);

enum { PARAM_HIGH, PARAM_WIDTH };
enum { WIDTH_AUTO = 0, WIDTH_PAPER = CSR2_MAX_WIDTH + 1 }; /* of PARAM_WIDTH; others are widths */

static void release(void *data, tulle__env *env)
{
	csr2_data *d = data;

	if (!d)
		return;
	tulle__free(env, d->split);
	tulle__free(env, d->part);
	tulle__free(env, d->segment);
	tulle__free(env, d->col);
	tulle__free(env, d->val);
	tulle__free(env, d);
}

/* mtx_high: SIMD bits / element bits (sec. IV-B); without vectors as for 16 bytes. */
static int32_t lanes(tulle__isa isa, tulle_value_type type)
{
	enum { LEAST_BYTES = 16 };
	const size_t size = tulle__element_size(type);
	const int vector = tulle__kernel_lanes(isa, size);

	return vector > 1 ? vector : LEAST_BYTES / (int32_t)size;
}

static int32_t width_of(const tulle__csr *a, int64_t asked)
{
	if (asked == WIDTH_AUTO)
		return tulle__csr2_width(a);
	return asked == WIDTH_PAPER ? tulle__csr2_paper_width(a->nnz, a->rows) : (int32_t)asked;
}

static tulle_status alloc_values(const csr2_data *d, tulle__env *env, void **val)
{
	return tulle__alloc(env, tulle__csr2_places(d), tulle__value_size(d->value_type), val);
}

static tulle_status update(void *data, const tulle__csr *a, tulle__env *env)
{
	csr2_data *d = data;

	if (!a->val) {
		tulle__free(env, d->val);
		d->val = NULL;
		return TULLE_OK;
	}
	if (!d->val) {
		const tulle_status s = alloc_values(d, env, &d->val);

		if (s != TULLE_OK)
			return s;
	}
	tulle__csr2_fill(&(csr2_fill){ .d = d, .a = a, .val = d->val }, env);
	return TULLE_OK;
}

static tulle_status fill(csr2_data *d, const tulle__csr *a, tulle__env *env)
{
	tulle_status s = tulle__csr2_cut(d, a, env);

	if (s == TULLE_OK)
		s = tulle__alloc(env, d->rows + 2 * d->parts, sizeof *d->segment, &d->segment);
	if (s == TULLE_OK)
		s = tulle__alloc(env, tulle__csr2_places(d), sizeof *d->col, &d->col);
	if (s == TULLE_OK && a->val)
		s = alloc_values(d, env, &d->val);
	if (s == TULLE_OK)
		tulle__csr2_fill(&(csr2_fill){ .d = d, .a = a, .columns = 1, .val = d->val }, env);
	return s;
}

static tulle_status convert(const tulle__csr *a, const tulle__request *request, tulle__env *env,
                            void **data)
{
	static const int32_t high_of[] = { 0, 4, 8, 16 };
	const int32_t high = high_of[request->params.value[PARAM_HIGH]];
	csr2_data *d;
	tulle_status s;

	*data = NULL;
	if (a->cols > TULLE__I32_MAX)
		return tulle__fail(TULLE_E_UNSUPPORTED, "csr2 has 32-bit columns, cols = %" PRId64,
		                   a->cols);
	s = tulle__alloc_zero(env, 1, sizeof *d, &d);
	if (s != TULLE_OK)
		return s;
	d->rows = a->rows;
	d->cols = a->cols;
	d->nnz = a->nnz;
	d->value_type = a->value_type;
	d->high = high > 0 ? high : lanes(env->isa, a->value_type);
	d->width = width_of(a, request->params.value[PARAM_WIDTH]);
	s = fill(d, a, env);
	if (s != TULLE_OK) {
		release(d, env);
		return s;
	}
	*data = d;
	return TULLE_OK;
}

static void describe(const void *data, tulle__layout *out)
{
	const csr2_data *d = data;
	const int64_t places = tulle__csr2_places(d);
	const size_t value = tulle__value_size(d->value_type);
	const size_t bytes = (size_t)places * (sizeof *d->col + (d->val ? value : 0)) +
	                     (size_t)(d->rows + 2 * d->parts) * sizeof *d->segment +
	                     (size_t)(d->parts + 1) * sizeof *d->part;

	*out = (tulle__layout){
		.bytes = bytes,
		.own_bytes = sizeof *d + bytes + (size_t)d->parts * sizeof *d->split,
		.parts = { d->parts },
	};
	if (d->splits > 0) {
		out->scratch = 2 * (size_t)d->parts * tulle__element_size(d->value_type);
		out->parts[1] = 1;
	}
	snprintf(out->note, sizeof out->note, "blocks of %" PRId32 " x %" PRId32 ", %.1f %% padding",
	         d->high, d->width,
	         d->nnz > 0 ? 100.0 * (double)(places - d->nnz) / (double)d->nnz : 0);
}

/* A split row is finished later, with its carries. */
static void finishes(const void *data, int64_t part, int64_t *begin, int64_t *end)
{
	const csr2_part *p = &((const csr2_data *)data)->part[part];

	*begin = p->row + (p->before > 0);
	*end = p->row + p->rows - (p[1].before > 0);
}

/* ---- prove ---- */

static tulle_status wrong(const char *what, int64_t part, int64_t row)
{
	return tulle__fail(TULLE_E_INTERNAL, "csr2: part %" PRId64 ", row %" PRId64 ": %s", part, row,
	                   what);
}

/* Number of entries in segment s of a part, or -1 if padding is misplaced. */
static int64_t check_segment(const csr2_data *d, int64_t block, int64_t s)
{
	const int64_t place = (block + s / d->high) * d->high * d->width + s % d->high;
	int64_t n = 0;

	for (int64_t j = 0; j < d->width; j++) {
		const int64_t at = place + j * d->high;

		if (d->col[at] == CSR2_PADDING) {
			if (d->val && !tulle__value_is_zero(d->val, at, tulle__value_size(d->value_type)))
				return -1;
		} else if (n < j || d->col[at] < 0 || d->col[at] >= d->cols) {
			return -1;
		} else {
			n++;
		}
	}
	return n;
}

static tulle_status check_part(const csr2_data *d, int64_t p, int64_t *entries)
{
	const csr2_part *part = &d->part[p];
	const int32_t *start = d->segment + part->start;
	const int64_t fit = (part[1].block - part->block) * d->high;

	if (fit < 0 || part->row + part->rows != part[1].row + (part[1].before > 0) ||
	    part->start + part->rows + 1 > part[1].start || part->before < 0)
		return wrong("the parts do not follow each other", p, part->row);
	if (start[0] != 0 || start[part->rows] > fit || start[part->rows] + d->high <= fit)
		return wrong("the segments do not fit the blocks", p, part->row);
	for (int64_t r = 0; r < part->rows; r++) {
		const int cut = r + 1 == part->rows && part[1].before > 0;

		if (start[r + 1] < start[r])
			return wrong("the segments go back", p, part->row + r);
		for (int64_t s = start[r]; s < start[r + 1]; s++) {
			const int64_t n = check_segment(d, part->block, s);

			if (n < 1 || (n < d->width && (cut || s + 1 < start[r + 1])))
				return wrong("a segment is not full, or its columns are wrong", p, part->row + r);
			*entries += n;
		}
	}
	for (int64_t s = start[part->rows]; s < fit; s++)
		if (check_segment(d, part->block, s) != 0)
			return wrong("entries after the last row", p, part->row);
	return TULLE_OK;
}

static tulle_status check(const void *data, tulle__env *env)
{
	const csr2_data *d = data;
	const csr2_part *end = &d->part[d->parts];
	int64_t entries = 0, cuts = 0;
	tulle_status s = TULLE_OK;

	(void)env;
	if (d->part[0].row != 0 || d->part[0].block != 0 || d->part[0].before != 0 ||
	    end->row != d->rows || end->block != d->blocks || end->before != 0 ||
	    end->start != d->rows + 2 * d->parts)
		return wrong("the parts do not span the matrix", d->parts, d->rows);
	for (int64_t p = 0; p < d->parts && s == TULLE_OK; p++) {
		cuts += d->part[p].before > 0;
		s = check_part(d, p, &entries);
	}
	if (s != TULLE_OK)
		return s;
	if (entries != d->nnz)
		return wrong("the entries are not as many as nnz", d->parts, d->rows);
	for (int64_t r = 0; r < d->splits; r++)
		for (int64_t p = d->split[r].first + 1; p <= d->split[r].last; p++, cuts--)
			if (d->part[p].before == 0 || d->part[p].row != d->split[r].row)
				return wrong("the split row is not cut here", p, d->split[r].row);
	return cuts == 0 ? TULLE_OK : wrong("a cut row is not listed", d->parts, d->rows);
}

static tulle_status to_csr(const void *data, tulle__env *env, tulle__csr *out)
{
	return tulle__csr2_back(data, env, out);
}

static const tulle__kernel *kernel(const void *data, tulle__isa isa, tulle_value_type type)
{
	(void)data;
	return kernels[isa][type];
}

static const tulle__kernel *many(const void *data, tulle__isa isa, tulle_value_type type)
{
	const csr2_data *d = data;

	return many_kernels[isa][type] ? &many_kernels[isa][type][d->val == NULL] : NULL;
}

const tulle__format tulle__format_csr2 = {
	.name = "csr2",
	.summary = "rows padded to SIMD blocks (CSR2 paper)",
	.tunables = "high=auto,4,8,16 width=0..128:0,paper",
	.version = 1,
	.flags = TULLE__SLICES,
	.estimator = &tulle__csr2_estimator,
	.convert = convert,
	.update = update,
	.release = release,
	.describe = describe,
	.finishes = finishes,
	.check = check,
	.to_csr = to_csr,
	.kernel = kernel,
	.many = many,
};
