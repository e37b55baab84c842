/* gpu_subject.c -- properties of a matrix that the estimates of all formats need, and the memory traffic
 * of its x. */
#include "gpu/gpu_estimate.h"

#include "core/memory.h"
#include "core/split.h"

enum {
	WINDOWS = 16,      /* ranges of entries in the sample */
	ENTRIES = 1 << 14, /* of each */
	PLACES = 2 * ENTRIES
};

/* Distinct sectors of x that entries k .. k + ENTRIES - 1 read. */
static int64_t window_sectors(const tulle__csr *a, int64_t k, int64_t per_sector, int64_t *place)
{
	const int64_t end = k + ENTRIES < a->nnz ? k + ENTRIES : a->nnz;
	int64_t count = 0;

	for (int64_t n = 0; n < PLACES; n++)
		place[n] = -1;
	for (; k < end; k++) {
		const int64_t sector = tulle__csr_column(a, k) / per_sector;
		uint64_t at = (uint64_t)sector * 0x9e3779b97f4a7c15 >> 49;

		while (place[at] >= 0 && place[at] != sector)
			at = (at + 1) % PLACES;
		count += place[at] < 0;
		place[at] = sector;
	}
	return count;
}

/* A rule of thumb: an x that fits in half of L2 is read once. The sectors of a larger one are read again
 * in every ENTRIES entries. */
static tulle_status count_x(tulle__gpu_subject *s)
{
	const tulle__csr *const a = s->a;
	const int64_t per_sector = TULLE__GPU_SECTOR / (int64_t)s->value;
	const int64_t windows = a->nnz / ENTRIES < WINDOWS ? a->nnz / ENTRIES : WINDOWS;
	const double whole = (double)a->cols * s->value;
	int64_t sectors = 0, *place;
	tulle_status status;

	s->x_bytes = whole < s->nnz * TULLE__GPU_SECTOR ? whole : s->nnz * TULLE__GPU_SECTOR;
	if (whole <= s->device->l2 / 2 || windows == 0)
		return TULLE_OK;
	status = tulle__alloc(s->env, PLACES, sizeof *place, &place);
	if (status != TULLE_OK)
		return status;
	for (int64_t w = 0; w < windows; w++)
		sectors += window_sectors(a, tulle__cut(a->nnz - ENTRIES, windows, w), per_sector, place);
	tulle__free(s->env, place);
	if (s->x_bytes < (double)(TULLE__GPU_SECTOR * sectors) * s->nnz / (double)(windows * ENTRIES))
		s->x_bytes = (double)(TULLE__GPU_SECTOR * sectors) * s->nnz / (double)(windows * ENTRIES);
	return TULLE_OK;
}

tulle_status tulle__gpu_subject_make(tulle__env *env, const tulle__csr *a,
                                     const tulle_device_model *device, tulle_index_type offset,
                                     tulle__gpu_subject *out)
{
	const tulle_index_type type = offset ? offset : tulle__index_type_for(a->nnz);

	*out = (tulle__gpu_subject){ .env = env,
		                         .a = a,
		                         .device = device,
		                         .value = (double)tulle__value_size(a->value_type),
		                         .index = (double)tulle__index_size(type),
		                         .rows = (double)a->rows,
		                         .nnz = (double)a->nnz };
	for (int64_t i = 0; i < a->rows; i++) {
		const int64_t length = tulle__csr_length(a, i);

		out->longest = length > out->longest ? length : out->longest;
		out->empty_rows += length == 0;
	}
	return count_x(out);
}
