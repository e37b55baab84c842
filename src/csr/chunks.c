/* chunks.c -- rows sorted by length into the lanes of chunks, and the chunks that they make. */
#include "csr/chunks.h"

#include "core/limits.h"
#include "core/memory.h"
#include "core/split.h"
#include "core/status.h"
#include "core/threads.h"

#include <inttypes.h>
#include <string.h>

typedef struct {
	int64_t rows, window, windows, parts;
	int height;
	const int32_t *length;
	int32_t *row, *spare;
} job;

enum { DIGITS = 256, DIGIT_BITS = 8 };

static uint32_t digit_of(int32_t length, int shift)
{
	return (((uint32_t)length + 1) >> shift) % DIGITS;
}

/* One pass of a radix sort, longest first; rows that agree in this digit keep their order. */
static void sort_digit(const int32_t *length, const int32_t *from, int32_t *to, int64_t n,
                       int shift)
{
	int32_t at[DIGITS] = { 0 };
	int32_t sum = 0;

	for (int64_t i = 0; i < n; i++)
		at[digit_of(length[from[i]], shift)]++;
	for (int digit = DIGITS; digit-- > 0;) {
		const int32_t count = at[digit];

		at[digit] = sum;
		sum += count;
	}
	for (int64_t i = 0; i < n; i++)
		to[at[digit_of(length[from[i]], shift)]++] = from[i];
}

/* Adjacent rows of one length form whole chunks: their elements of y are contiguous, and their columns
 * may be as well. The other rows are sorted and follow. */
void tulle__sort_window(const int32_t *length, int64_t begin, int64_t n, int height, int32_t *row,
                        int32_t *spare)
{
	int32_t *loose = spare, longest = 0;
	int64_t placed = 0, rest = 0;

	for (int64_t i = begin, end = begin; i < begin + n; i = end) {
		int64_t alike;

		while (end < begin + n && length[end] == length[i])
			end++;
		alike = (end - i) / height * height;
		for (int64_t r = i; r < i + alike; r++)
			row[placed++] = TULLE__I32(r);
		for (int64_t r = i + alike; r < end; r++)
			loose[rest++] = TULLE__I32(r);
		longest = alike < end - i && length[i] > longest ? length[i] : longest;
	}
	row += placed;
	for (int shift = 0; shift < 32 && ((uint32_t)longest + 1) >> shift > 0; shift += DIGIT_BITS) {
		sort_digit(length, loose, row, rest, shift);
		memcpy(loose, row, (size_t)rest * sizeof *row);
	}
	memcpy(row, loose, (size_t)rest * sizeof *row);
}

static void sort_part(const void *arg, int64_t part)
{
	const job *j = arg;
	const int64_t begin = tulle__cut(j->windows, j->parts, part) * j->window;
	const int64_t until = tulle__cut(j->windows, j->parts, part + 1) * j->window;
	const int64_t end = until < j->rows ? until : j->rows;

	for (int64_t i = begin; i < end; i += j->window)
		tulle__sort_window(j->length, i, end - i < j->window ? end - i : j->window, j->height,
		                   j->row + i, j->spare + i);
}

tulle_status tulle__sort_lanes(tulle__env *env, int64_t rows, const int32_t *length, int height,
                               int64_t sigma, int32_t *row)
{
	const int64_t window = tulle__round_up(sigma, height);
	job j = { rows,
		      window,
		      .windows = (rows + window - 1) / window,
		      .height = height,
		      .length = length,
		      .row = row };
	const tulle_status s = tulle__alloc(env, rows, sizeof *j.spare, &j.spare);

	if (s != TULLE_OK)
		return s;
	j.parts = tulle__parts(rows);
	if (j.parts > j.windows)
		j.parts = j.windows;
	tulle__run_parts(env, sort_part, &j, j.parts, rows);
	tulle__free(env, j.spare);
	return TULLE_OK;
}

tulle__chunk tulle__make_chunk(const int32_t *row, int64_t rows, const int32_t *length_of,
                               int height, int32_t *length)
{
	const int most = rows < height ? (int)rows : height;
	int64_t entries = 0;
	int lanes = 0, consecutive = 1;

	for (; lanes < most && length_of[row[lanes]] != TULLE__ABSENT; lanes++) {
		length[lanes] = length_of[row[lanes]];
		entries += length[lanes];
		consecutive &= row[lanes] == row[0] + lanes;
	}
	for (int r = lanes; r < height; r++)
		length[r] = 0;
	return (tulle__chunk){
		.entries = entries,
		.full = length[height - 1],
		.width = length[0],
		.lanes = lanes,
		.first = consecutive && lanes == height ? row[0] : TULLE__SCATTERED,
	};
}

tulle_status tulle__check_lanes(const char *format, int64_t chunk, const int32_t *length,
                                int height, int lanes, int32_t full, int32_t width)
{
	if (lanes < 0 || lanes > height)
		return tulle__fail(TULLE_E_INTERNAL, "%s: chunk %" PRId64 " has %d lanes", format, chunk,
		                   lanes);
	for (int r = 0; r < height; r++)
		if (length[r] < 0 || (r > 0 && length[r] > length[r - 1]) || (r >= lanes && length[r] > 0))
			return tulle__fail(TULLE_E_INTERNAL, "%s: lane %d of chunk %" PRId64 " is too long",
			                   format, r, chunk);
	if (width != length[0] || full != length[height - 1])
		return tulle__fail(TULLE_E_INTERNAL, "%s: the width of chunk %" PRId64 " is wrong", format,
		                   chunk);
	return TULLE_OK;
}

tulle_status tulle__check_first(const char *format, int64_t chunk, const int32_t *row, int height,
                                int lanes, int apart, int32_t first)
{
	int32_t expected = lanes == height ? row[0] : TULLE__SCATTERED;

	for (int r = 1; r < lanes; r++)
		if (row[r] != row[r - 1] + apart)
			expected = TULLE__SCATTERED;
	if (first != expected)
		return tulle__fail(TULLE_E_INTERNAL, "%s: the rows of chunk %" PRId64 " are wrong", format,
		                   chunk);
	return TULLE_OK;
}

tulle_status tulle__check_place(const char *format, int64_t chunk, int64_t base, int64_t next,
                                int64_t entries, int height)
{
	if (base % height != 0 || next - base < entries || next - base >= entries + height)
		return tulle__fail(TULLE_E_INTERNAL, "%s: the size of chunk %" PRId64 " is wrong", format,
		                   chunk);
	return TULLE_OK;
}
