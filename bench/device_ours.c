/* device_ours.c -- libtulle's formats on a GPU, through its public header only. */
#include "device.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static tulle_device *device;
static tulle_queue *queue;

/* "cuda:1", or "cuda" for the first of its kind. */
static int is_named(const char *full, const char *name)
{
	const size_t length = strlen(name);
	return !strncmp(full, name, length) &&
	       (!full[length] || (full[length] == ':' && !strchr(name, ':')));
}

static int find(const char *name, tulle_device_info *info)
{
	int count = 0;
	tulle_device_count(NULL, &count);
	for (int n = 0; n < count; n++)
		if (!tulle_device_describe(NULL, n, info) && is_named(info->name, name))
			return 0;
	fprintf(stderr, "--device: there is no %s among %d devices; `tulle devices` lists them\n", name,
	        count);
	return -1;
}

int bench_device_open(const char *name, tulle_device_info *info)
{
	*info = (tulle_device_info){ .size = sizeof *info };
	if (find(name, info))
		return -1;
	if (tulle_device_open(NULL, info->name, NULL, &device) ||
	    tulle_queue_create(device, NULL, &queue)) {
		fprintf(stderr, "--device: %s\n", tulle_last_error());
		bench_device_close();
		return -1;
	}
	return 0;
}

void bench_device_close(void)
{
	tulle_queue_destroy(queue);
	tulle_device_close(device);
	queue = NULL;
	device = NULL;
}

tulle_device *bench_device_handle(void)
{
	return device;
}

tulle_queue *bench_device_queue(void)
{
	return queue;
}

typedef struct {
	tulle_device_plan *plan;
	tulle_vector *x, *y;
	int64_t rows, cols;
	double beta;
} state;

static int about(int number, char *text, size_t room)
{
	(void)number;
	snprintf(text, room, "tulle");
	return 0;
}

static void release(void *s)
{
	state *p = s;
	tulle_device_plan_destroy(p->plan);
	tulle_vector_destroy(p->x);
	tulle_vector_destroy(p->y);
	free(p);
}

static tulle_status make(state *p, const bench_device_matrix *a, const char *format)
{
	const tulle_value_type type = a->f32 ? TULLE_F32 : TULLE_F64;
	const tulle_matrix_options unchecked = { .size = sizeof unchecked, .check = TULLE_CHECK_NONE };
	const tulle_device_plan_options options = { .size = sizeof options, .format = format };
	tulle_matrix *matrix = NULL;
	tulle_status s = tulle_matrix_from_csr(NULL, a->rows, a->cols, TULLE_I32, a->row_ptr, TULLE_I32,
	                                       a->col, type, a->val, &unchecked, &matrix);
	if (!s)
		s = tulle_device_plan_create(device, matrix, &options, &p->plan);
	if (!s)
		s = tulle_vector_create(device, type, a->cols, NULL, &p->x);
	if (!s)
		s = tulle_vector_create(device, type, a->rows, NULL, &p->y);
	tulle_matrix_destroy(matrix);
	p->rows = a->rows;
	p->cols = a->cols;
	p->beta = a->adds;
	return s ? s : tulle_queue_finish(queue);
}

static void *prepare(const bench_device_matrix *a, int number, const char *variant, char *why,
                     size_t room)
{
	state *p = calloc(1, sizeof *p);
	(void)number;
	if (p && !make(p, a, variant))
		return p;
	snprintf(why, room, "%s", p ? tulle_last_error() : "out of memory");
	if (p)
		release(p);
	return NULL;
}

static int set(void *s, const void *x, const void *y)
{
	const state *p = s;
	return tulle_vector_write(queue, p->x, 0, p->cols, x) ||
	       tulle_vector_write(queue, p->y, 0, p->rows, y);
}

static int multiply(void *s)
{
	const state *p = s;
	return tulle_device_mul(p->plan, queue, 1.0, p->x, p->beta, p->y) != TULLE_OK;
}

static int wait(void *s)
{
	(void)s;
	return tulle_queue_finish(queue) != TULLE_OK;
}

static int get(void *s, void *y)
{
	const state *p = s;
	return tulle_vector_read(queue, p->y, 0, p->rows, y) != TULLE_OK;
}

static tulle_device_plan_info describe(const void *s)
{
	tulle_device_plan_info info = { .size = sizeof info };
	tulle_device_plan_describe(((const state *)s)->plan, &info);
	return info;
}

static size_t bytes(const void *s)
{
	return describe(s).bytes;
}

void bench_device_ours_tell(const void *s, bench_device_row *row)
{
	const tulle_device_plan_info info = describe(s);
	row->peak = info.peak;
	row->launches = info.launches;
	row->same_bits = info.same_bits;
	memcpy(row->note, info.note, sizeof row->note);
	for (int n = 0; n < info.launches && n < BENCH_DEVICE_LAUNCHES; n++) {
		row->launch[n].is.size = sizeof row->launch[n].is;
		tulle_device_plan_launch(((const state *)s)->plan, n, &row->launch[n].is);
		row->described = n + 1;
	}
}

int bench_device_ours_launch(void *s, int n)
{
	const state *p = s;
	return tulle_device_mul_launch(p->plan, queue, n, 1.0, p->x, p->beta, p->y) != TULLE_OK;
}

static const bench_device_calls calls = { NULL,     NULL, about, prepare, set,
	                                      multiply, wait, get,   bytes,   release };

const bench_competitor bench_device_ours = {
	"tulle", BENCH_DEVICE | BENCH_F32 | BENCH_F64, NULL, NULL, NULL, NULL, &calls
};
