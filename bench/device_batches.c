/* device_batches.c -- batches on a device: libtulle's kernels for them, and a loop over single products. */
#include "batch_source.h"
#include "device.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static size_t value_size(const bench_device_matrix *a)
{
	return a->f32 ? sizeof(float) : sizeof(double);
}

/* ---- tulle:KERNEL ---- */

typedef struct {
	tulle_device_batch *batch;
	tulle_vector *x, *y;
	int64_t rows, cols;
} ours;

static void release_ours(void *s)
{
	ours *p = s;
	tulle_device_batch_destroy(p->batch);
	tulle_vector_destroy(p->x);
	tulle_vector_destroy(p->y);
	free(p);
}

static tulle_status make(ours *p, const bench_device_matrix *a, const char *kernel)
{
	const tulle_value_type type = a->f32 ? TULLE_F32 : TULLE_F64;
	const tulle_device_batch_options options = { .size = sizeof options,
		                                         .kernel = strcmp(kernel, "auto") ? kernel : NULL,
		                                         .check = TULLE_CHECK_NONE };
	const tulle_batch_source source = bench_batch_source(a->batch, a->f32);
	tulle_status s = tulle_device_batch_create(bench_device_handle(), &source, &options, &p->batch);
	if (!s)
		s = tulle_vector_create(bench_device_handle(), type, a->cols, NULL, &p->x);
	if (!s)
		s = tulle_vector_create(bench_device_handle(), type, a->rows, NULL, &p->y);
	p->rows = a->rows;
	p->cols = a->cols;
	return s ? s : tulle_queue_finish(bench_device_queue());
}

static void *prepare_ours(const bench_device_matrix *a, int number, const char *variant, char *why,
                          size_t room)
{
	ours *p = calloc(1, sizeof *p);
	(void)number;
	if (p && !make(p, a, variant))
		return p;
	snprintf(why, room, "%s", p ? tulle_last_error() : "out of memory");
	if (p)
		release_ours(p);
	return NULL;
}

static int set_ours(void *s, const void *x, const void *y)
{
	const ours *p = s;
	return tulle_vector_write(bench_device_queue(), p->x, 0, p->cols, x) ||
	       tulle_vector_write(bench_device_queue(), p->y, 0, p->rows, y);
}

static int queue_ours(void *s)
{
	const ours *p = s;
	return tulle_device_batch_mul(p->batch, bench_device_queue(), 1.0, p->x, 1.0, p->y) != TULLE_OK;
}

static int wait_ours(void *s)
{
	(void)s;
	return tulle_queue_finish(bench_device_queue()) != TULLE_OK;
}

static int get_ours(void *s, void *y)
{
	const ours *p = s;
	return tulle_vector_read(bench_device_queue(), p->y, 0, p->rows, y) != TULLE_OK;
}

static tulle_device_batch_info describe(const void *s)
{
	tulle_device_batch_info info = { .size = sizeof info };
	tulle_device_batch_describe(((const ours *)s)->batch, &info);
	return info;
}

static size_t bytes_ours(const void *s)
{
	return describe(s).bytes;
}

void bench_device_batch_tell(const void *s, bench_device_row *row)
{
	const tulle_device_batch_info info = describe(s);
	row->peak = info.peak;
	row->launches = info.launches;
	row->same_bits = info.same_bits;
	memcpy(row->note, info.note, sizeof row->note);
}

static const bench_device_calls ours_calls = { NULL,       NULL,        NULL,      prepare_ours,
	                                           set_ours,   queue_ours,  wait_ours, get_ours,
	                                           bytes_ours, release_ours };

const bench_competitor bench_device_batch_ours = {
	"tulle", BENCH_DEVICE | BENCH_BATCH, NULL, NULL, NULL, NULL, &ours_calls
};

/* ---- loop:CONTENDER:VARIANT ---- */

/* One state of the contender per problem: queued one after the other, waited for once. */
typedef struct {
	const bench_device_calls *calls;
	const int64_t *x_at, *y_at; /* of the batch, which outlives this */
	size_t size;                /* of an element */
	int64_t count;
	void **state;
} loop;

static void release_loop(void *s)
{
	loop *p = s;
	for (int64_t i = 0; p->state && i < p->count; i++)
		if (p->state[i])
			p->calls->release(p->state[i]);
	free(p->state);
	free(p);
}

static bench_device_matrix problem_of(const bench_device_matrix *a, int64_t i)
{
	const bench_batch *b = a->batch;
	const int32_t *row_ptr = b->row_ptr + b->row_at[i];
	return (bench_device_matrix){ .rows = b->rows[i],
		                          .cols = b->cols[i],
		                          .nnz = row_ptr[b->rows[i]],
		                          .row_ptr = row_ptr,
		                          .col = b->col + b->col_at[i],
		                          .val =
		                              (const char *)b->val + (size_t)b->val_at[i] * value_size(a),
		                          .f32 = a->f32,
		                          .adds = a->adds };
}

/* The contender before the colon; NULL: it is not there. */
static const bench_competitor *contender_of(const char *name)
{
	char word[BENCH_NAME];
	snprintf(word, sizeof word, "%.*s", (int)strcspn(name, ":"), name);
	return strcmp(word, bench_device_ours.name) ? bench_plugin_named(BENCH_DEVICE, word)
	                                            : &bench_device_ours;
}

static void *prepare_loop(const bench_device_matrix *a, int number, const char *variant, char *why,
                          size_t room)
{
	const bench_competitor *table = contender_of(variant);
	const char *colon = strchr(variant, ':');
	loop *p = calloc(1, sizeof *p);
	int64_t made = 0;
	snprintf(why, room, table ? "out of memory" : "absent");
	if (!p || !table) {
		free(p);
		return NULL;
	}
	*p = (loop){ table->device,   a->batch->x_at,
		         a->batch->y_at,  value_size(a),
		         a->batch->count, calloc((size_t)a->batch->count + 1, sizeof *p->state) };
	for (; p->state && made < p->count; made++) {
		const bench_device_matrix one = problem_of(a, made);
		p->state[made] = p->calls->prepare(&one, number, colon ? colon + 1 : "", why, room);
		if (!p->state[made])
			break;
	}
	if (made == p->count) {
		*why = 0;
		return p;
	}
	release_loop(p);
	return NULL;
}

static int set_loop(void *s, const void *x, const void *y)
{
	const loop *p = s;
	int failed = 0;
	for (int64_t i = 0; i < p->count; i++)
		failed |= p->calls->set(p->state[i], (const char *)x + (size_t)p->x_at[i] * p->size,
		                        (const char *)y + (size_t)p->y_at[i] * p->size);
	return failed;
}

static int queue_loop(void *s)
{
	const loop *p = s;
	int failed = 0;
	for (int64_t i = 0; i < p->count; i++)
		failed |= p->calls->queue(p->state[i]);
	return failed;
}

static int wait_loop(void *s)
{
	const loop *p = s;
	return p->count > 0 ? p->calls->wait(p->state[0]) : 0;
}

static int get_loop(void *s, void *y)
{
	const loop *p = s;
	int failed = 0;
	for (int64_t i = 0; i < p->count; i++)
		failed |= p->calls->get(p->state[i], (char *)y + (size_t)p->y_at[i] * p->size);
	return failed;
}

static size_t bytes_loop(const void *s)
{
	const loop *p = s;
	size_t bytes = 0;
	for (int64_t i = 0; i < p->count; i++)
		bytes += p->calls->bytes(p->state[i]);
	return bytes;
}

static const bench_device_calls loop_calls = { NULL,       NULL,        NULL,      prepare_loop,
	                                           set_loop,   queue_loop,  wait_loop, get_loop,
	                                           bytes_loop, release_loop };

const bench_competitor bench_device_loop = {
	"loop", BENCH_DEVICE | BENCH_BATCH, NULL, NULL, NULL, NULL, &loop_calls
};
