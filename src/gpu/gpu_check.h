/* gpu_check.h -- checks the invariants of a layout on a device, from the arguments of its kernels.
 *
 * A format's check() refers to arrays and numbers by module and parameter name, as its kernels do. The first
 * violation is stored in `status`; later calls do nothing. */
#ifndef TULLE_GPU_GPU_CHECK_H
#define TULLE_GPU_GPU_CHECK_H

#include "gpu/gpu_plan.h"

struct tulle__gpu_check {
	tulle__gpu_plan *plan;
	tulle_status status;
	int64_t entries; /* that were found so far: at the end those of the matrix */
	int arrays;
	int64_t *array[16]; /* read so far */
};

/* An array, copied from the device. */
typedef struct {
	const char *name;
	int64_t count;
	const int64_t *at; /* NULL: the array was not read, or the step has none */
} tulle__gpu_numbers;

/* The array that steps of this module have as argument `name`, with at least `count` elements. If no step
 * has it, .at is NULL, which is not a violation. */
tulle__gpu_numbers tulle__gpu_fetch(tulle__gpu_check *c, const char *module, const char *name,
                                    int64_t count);

/* The number that steps of this module have as argument `name`; -1: none. */
int64_t tulle__gpu_number(const tulle__gpu_check *c, const char *module, const char *name);

/* The violation: name[i] = value. */
void tulle__gpu_wrong(tulle__gpu_check *c, const tulle__gpu_numbers *n, int64_t i);

/* Three checks of the first `count` numbers: they begin at 0, never decrease and end at `last`; they are in
 * 0 .. below - 1; no two of them are equal. */
void tulle__gpu_check_cuts(tulle__gpu_check *c, const tulle__gpu_numbers *n, int64_t count,
                           int64_t last);
void tulle__gpu_check_inside(tulle__gpu_check *c, const tulle__gpu_numbers *n, int64_t count,
                             int64_t below);
void tulle__gpu_check_distinct(tulle__gpu_check *c, const tulle__gpu_numbers *n, int64_t count,
                               int64_t below);

/* Checks compressed rows: `majors` rows, offsets, and indices below `below`. Counts the entries. */
tulle__gpu_numbers tulle__gpu_check_rows(tulle__gpu_check *c, const char *module,
                                         const char *pointer, int64_t majors, const char *index,
                                         int64_t below);

/* Checks rows in slots: entry j of lane n is in slot slot(of, n, j), j < length(of, n). Slots without an
 * entry have the column `padding`. Counts the entries. */
typedef struct {
	int64_t lanes; /* with rows, each of them one */
	int64_t (*length)(const void *of, int64_t n);
	int64_t (*slot)(const void *of, int64_t n, int64_t j);
	int64_t padding;
} tulle__gpu_slot_rule;
void tulle__gpu_check_slots(tulle__gpu_check *c, const char *module,
                            const tulle__gpu_slot_rule *rule, const void *of);

/* ---- shared kernels ---- */

void tulle__gpu_check_ell(tulle__gpu_check *c);
void tulle__gpu_check_coo(tulle__gpu_check *c);

/* ---- for tests ---- */

/* Runs all checks on a plan that `format` built. TULLE_E_INTERNAL: the message names the violation. */
tulle_status tulle__gpu_plan_check(tulle__gpu_plan *plan, const tulle__gpu_format *format);

#endif
