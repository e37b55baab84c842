/* slots.h -- the entries of a CSR in places of a format's own, made on the host and put on the device. */
#ifndef TULLE_GPU_SLOTS_H
#define TULLE_GPU_SLOTS_H

#include "gpu/gpu_plan.h"

typedef struct {
	int64_t count; /* of places; those that no entry is put to have column 0 and value 0 */
	int32_t *col;
	void *val;
} tulle__gpu_slots;

/* What was allocated is released by the caller, also after a failure. TULLE_E_UNSUPPORTED, in the name of
 * the format, when padding is many times the nonzeros and too large to be ignored. */
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
