/* gpu_check.c -- arrays of a device plan, read back and compared with what a layout guarantees. */
#include "gpu/gpu_check.h"

#include "core/memory.h"
#include "core/split.h"
#include "core/status.h"

#include <inttypes.h>
#include <string.h>

/* ---- arguments of the steps ---- */

/* The argument `name` of the first step of this module that has one. */
static const tulle__gpu_arg *find(const tulle__gpu_plan *plan, const char *module, const char *name,
                                  tulle__gpu_element *element)
{
	for (int n = 0; n < plan->steps; n++) {
		const tulle__gpu_kernel *const k = plan->step[n].kernel;

		for (int p = 0; p < k->params && strcmp(k->module, module) == 0; p++)
			if (strcmp(k->param[p].name, name) == 0) {
				*element = k->param[p].element;
				return &plan->step[n].arg[p];
			}
	}
	return NULL;
}

int64_t tulle__gpu_number(const tulle__gpu_check *c, const char *module, const char *name)
{
	tulle__gpu_element element;
	const tulle__gpu_arg *const arg = find(c->plan, module, name, &element);

	return arg ? arg->number : -1;
}

static size_t bytes_of(const tulle__gpu_plan *plan, tulle__gpu_memory memory)
{
	for (int n = 0; n < plan->arrays; n++)
		if (plan->array[n].memory.handle == memory.handle)
			return plan->array[n].bytes;
	return 0;
}

static int64_t element_at(const void *raw, tulle__gpu_element element, tulle_index_type index,
                          int64_t i)
{
	switch (element) {
	case TULLE__GPU_OF_CODED:
	case TULLE__GPU_OF_CHAR: return ((const signed char *)raw)[i];
	case TULLE__GPU_OF_INT: return ((const int32_t *)raw)[i];
	case TULLE__GPU_OF_UNSIGNED: return ((const uint32_t *)raw)[i];
	case TULLE__GPU_OF_INDEX: return tulle__index_at(raw, index, i);
	default: return ((const int64_t *)raw)[i];
	}
}

/* Widens elements of `bytes` bytes. */
static void read_numbers(tulle__gpu_check *c, tulle__gpu_memory memory, tulle__gpu_element element,
                         size_t bytes, tulle__gpu_numbers *out)
{
	static const size_t sizes[] = { [TULLE__GPU_OF_CODED] = 1, /* if they are values: their bytes */
		                            [TULLE__GPU_OF_CHAR] = 1,
		                            [TULLE__GPU_OF_INT] = 4,
		                            [TULLE__GPU_OF_UNSIGNED] = 4,
		                            [TULLE__GPU_OF_I64] = 8 };
	const tulle_index_type index = c->plan->types.index;
	const size_t size = element == TULLE__GPU_OF_INDEX ? tulle__index_size(index) : sizes[element];
	tulle__env *const env = c->plan->device->env;
	void *raw = NULL;
	int64_t *at = NULL;

	out->count = (int64_t)(bytes / size);
	c->status = tulle__alloc(env, out->count + 1, size, &raw);
	if (c->status == TULLE_OK)
		c->status = tulle__alloc(env, out->count + 1, sizeof *at, &at);
	if (c->status == TULLE_OK)
		c->status = tulle__gpu_read(c->plan, memory, raw, (size_t)out->count * size);
	for (int64_t i = 0; c->status == TULLE_OK && i < out->count; i++)
		at[i] = element_at(raw, element, index, i);
	tulle__free(env, raw);
	c->array[c->arrays++] = at; /* freed at the end */
	out->at = at;
}

tulle__gpu_numbers tulle__gpu_fetch(tulle__gpu_check *c, const char *module, const char *name,
                                    int64_t count)
{
	tulle__gpu_numbers out = { name, 0, NULL };
	tulle__gpu_element element;
	const tulle__gpu_arg *const arg = find(c->plan, module, name, &element);

	if (c->status != TULLE_OK || !arg)
		return out;
	if (c->arrays == (int)(sizeof c->array / sizeof *c->array))
		c->status = tulle__fail(TULLE_E_INTERNAL, "a check of more arrays than expected");
	else
		read_numbers(c, arg->memory, element, bytes_of(c->plan, arg->memory), &out);
	if (c->status == TULLE_OK && out.count < count)
		c->status = tulle__fail(TULLE_E_INTERNAL, "%s has %" PRId64 " elements, not %" PRId64, name,
		                        out.count, count);
	if (c->status != TULLE_OK)
		out.at = NULL;
	return out;
}

/* ---- what numbers are ---- */

void tulle__gpu_wrong(tulle__gpu_check *c, const tulle__gpu_numbers *n, int64_t i)
{
	if (c->status == TULLE_OK)
		c->status =
		    tulle__fail(TULLE_E_INTERNAL, "%s[%" PRId64 "] = %" PRId64 " violates an invariant",
		                n->name, i, n->at[i]);
}

void tulle__gpu_check_inside(tulle__gpu_check *c, const tulle__gpu_numbers *n, int64_t count,
                             int64_t below)
{
	for (int64_t i = 0; n->at && i < count && c->status == TULLE_OK; i++)
		if (n->at[i] < 0 || n->at[i] >= below)
			tulle__gpu_wrong(c, n, i);
}

void tulle__gpu_check_cuts(tulle__gpu_check *c, const tulle__gpu_numbers *n, int64_t count,
                           int64_t last)
{
	for (int64_t i = 0; n->at && i < count && c->status == TULLE_OK; i++)
		if ((i == 0 && n->at[i] != 0) || (i > 0 && n->at[i] < n->at[i - 1]) ||
		    (i == count - 1 && n->at[i] != last))
			tulle__gpu_wrong(c, n, i);
}

void tulle__gpu_check_distinct(tulle__gpu_check *c, const tulle__gpu_numbers *n, int64_t count,
                               int64_t below)
{
	tulle__env *const env = c->plan->device->env;
	char *seen = NULL;

	tulle__gpu_check_inside(c, n, count, below);
	if (c->status != TULLE_OK || !n->at)
		return;
	c->status = tulle__alloc_zero(env, below, 1, &seen);
	for (int64_t i = 0; i < count && c->status == TULLE_OK; i++) {
		if (seen[n->at[i]])
			tulle__gpu_wrong(c, n, i);
		seen[n->at[i]] = 1;
	}
	tulle__free(env, seen);
}

/* ---- rows ---- */

tulle__gpu_numbers tulle__gpu_check_rows(tulle__gpu_check *c, const char *module,
                                         const char *pointer, int64_t majors, const char *index,
                                         int64_t below)
{
	const tulle__gpu_numbers row_ptr = tulle__gpu_fetch(c, module, pointer, majors + 1);
	const tulle__gpu_numbers col = tulle__gpu_fetch(c, module, index, c->plan->nnz);

	tulle__gpu_check_cuts(c, &row_ptr, majors + 1, c->plan->nnz);
	tulle__gpu_check_inside(c, &col, c->plan->nnz, below);
	c->entries += c->plan->nnz;
	return row_ptr;
}

/* seen[slot]: 1 where an entry is. */
static void mark_slots(tulle__gpu_check *c, const tulle__gpu_numbers *col,
                       const tulle__gpu_slot_rule *rule, const void *of, char *seen)
{
	for (int64_t n = 0; n < rule->lanes; n++) {
		const int64_t length = rule->length(of, n);

		if (length < 0 || length > c->plan->nnz)
			c->status = tulle__fail(TULLE_E_INTERNAL, "lane %" PRId64 " has %" PRId64 " entries", n,
			                        length);
		for (int64_t j = 0; c->status == TULLE_OK && j < length; j++) {
			const int64_t slot = rule->slot(of, n, j);

			if (slot < 0 || slot >= col->count || seen[slot])
				c->status = tulle__fail(TULLE_E_INTERNAL,
				                        "entry %" PRId64 " of lane %" PRId64 " is in slot %" PRId64,
				                        j, n, slot);
			else if (col->at[slot] < 0 || col->at[slot] >= c->plan->cols)
				tulle__gpu_wrong(c, col, slot);
			else
				seen[slot] = 1;
			c->entries++;
		}
		if (c->status != TULLE_OK)
			return;
	}
}

void tulle__gpu_check_slots(tulle__gpu_check *c, const char *module,
                            const tulle__gpu_slot_rule *rule, const void *of)
{
	tulle__env *const env = c->plan->device->env;
	const tulle__gpu_numbers col = tulle__gpu_fetch(c, module, "col", 0);
	char *seen = NULL;

	if (!col.at)
		return;
	c->status = tulle__alloc_zero(env, col.count, 1, &seen);
	if (c->status == TULLE_OK)
		mark_slots(c, &col, rule, of, seen);
	for (int64_t slot = 0; slot < col.count && c->status == TULLE_OK; slot++)
		if (!seen[slot] && col.at[slot] != rule->padding)
			tulle__gpu_wrong(c, &col, slot);
	tulle__free(env, seen);
}

/* ---- shared kernels ---- */

typedef struct {
	int64_t lead, width;
	tulle__gpu_numbers col;
} ell;

/* Counts the entries before the padding; an entry after padding is reported as a wrong column. */
static int64_t ell_length(const void *of, int64_t n)
{
	const ell *e = of;
	int64_t j = 0;

	while (j < e->width && e->col.at[j * e->lead + n] >= 0)
		j++;
	return j;
}

static int64_t ell_slot(const void *of, int64_t n, int64_t j)
{
	return j * ((const ell *)of)->lead + n;
}

void tulle__gpu_check_ell(tulle__gpu_check *c)
{
	const tulle__gpu_slot_rule rule = { c->plan->rows, ell_length, ell_slot, -1 };
	ell e = { .lead = tulle__gpu_number(c, "ell", "lead"),
		      .width = tulle__gpu_number(c, "ell", "width") };

	e.col = tulle__gpu_fetch(c, "ell", "col", e.lead * e.width);
	tulle__gpu_check_slots(c, "ell", &rule, &e);
}

void tulle__gpu_check_coo(tulle__gpu_check *c)
{
	const int64_t nnz = tulle__gpu_number(c, "coo", "nnz");
	const tulle__gpu_numbers row = tulle__gpu_fetch(c, "coo", "row", nnz);
	const tulle__gpu_numbers col = tulle__gpu_fetch(c, "coo", "col", nnz);

	tulle__gpu_check_inside(c, &row, nnz, c->plan->rows);
	tulle__gpu_check_inside(c, &col, nnz, c->plan->cols);
	for (int64_t k = 1; k < nnz && c->status == TULLE_OK; k++)
		if (row.at[k] < row.at[k - 1])
			tulle__gpu_wrong(c, &row, k);
	c->entries += nnz;
}

/* Rows that are divided between parts: core/split.h. */
static void check_split(tulle__gpu_check *c)
{
	const int64_t count = tulle__gpu_number(c, "carries", "count");
	const tulle__gpu_numbers split = tulle__gpu_fetch(c, "carries", "split", 3 * count);

	for (int64_t n = 0; split.at && n < 3 * count && c->status == TULLE_OK; n += 3) {
		const int64_t *at = split.at + n;

		if (at[0] < 0 || at[0] >= c->plan->rows || (n > 0 && at[0] <= at[-3]))
			tulle__gpu_wrong(c, &split, n);
		if (at[1] < 0 || (n > 0 && at[1] < at[-1]))
			tulle__gpu_wrong(c, &split, n + 1);
		if (at[2] <= at[1] || at[2] > c->plan->nnz)
			tulle__gpu_wrong(c, &split, n + 2);
	}
}

tulle_status tulle__gpu_plan_check(tulle__gpu_plan *plan, const tulle__gpu_format *format)
{
	tulle__gpu_device *const device = plan->device;
	tulle__gpu_check c = { .plan = plan };

	c.status = device->driver->queue_open(device, NULL, &plan->queue);
	if (c.status != TULLE_OK)
		return c.status;
	format->check(&c);
	check_split(&c);
	if (c.status == TULLE_OK && c.entries != plan->nnz)
		c.status = tulle__fail(TULLE_E_INTERNAL, "%" PRId64 " entries of %" PRId64 " are there",
		                       c.entries, plan->nnz);
	for (int n = 0; n < c.arrays; n++)
		tulle__free(device->env, c.array[n]);
	return tulle__gpu_plan_end(plan, c.status);
}
