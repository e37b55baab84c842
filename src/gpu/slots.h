/* slots.h -- the entries of a CSR in the slots of a format, filled on the host and copied to the
 * device. */
#ifndef TULLE_GPU_SLOTS_H
#define TULLE_GPU_SLOTS_H

#include "gpu/gpu_plan.h"

typedef struct {
	int64_t count; /* of places; those that no entry is put to have column 0 and value 0 */
	int32_t *col;
	void *val;
} tulle__gpu_slots;

/* The caller releases what was allocated, also after a failure. TULLE_E_UNSUPPORTED, with the name of the
 * format, if there is too much padding (TULLE__MOST_PADDING). */
tulle_status tulle__gpu_slots_make(tulle__env *env, const char *format, const tulle__csr *a,
                                   int64_t count, tulle__gpu_slots *out);
void tulle__gpu_slots_release(tulle__env *env, tulle__gpu_slots *s);

/* Entries k, k + stride, ..., n of them, to the places at, at + step, ... */
void tulle__gpu_slots_fill(const tulle__gpu_slots *s, const tulle__csr *a, int64_t k,
                           int64_t stride, int64_t n, int64_t at, int64_t step);

/* Put row i in its places; rows are put by several threads at a time. */
typedef void tulle__gpu_put_row(const void *table, const tulle__csr *a, int64_t i);
void tulle__gpu_put_rows(tulle__env *env, const tulle__csr *a, tulle__gpu_put_row *put,
                         const void *table);

tulle_status tulle__gpu_slots_upload(tulle__gpu_plan *plan, const tulle__gpu_slots *s,
                                     tulle__gpu_memory *col, tulle__gpu_memory *val);

#endif
