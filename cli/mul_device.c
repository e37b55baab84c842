/* mul_device.c -- `tulle mul --device`: matrix and vectors on a GPU; the result is checked as on the
 * CPU. */
#include "mul.h"
#include "tulle_gpu.h"

#include <string.h>

/* Everything on the device. */
typedef struct {
	tulle_device_info info;
	tulle_device *device;
	tulle_queue *queue;
	tulle_device_plan *plan;
	tulle_device_plan_info about;
	tulle_vector *x, *y;
} place;

static void demand(tulle_status status)
{
	if (status)
		cli_fail_status(status, 0);
}

static void open_device(place *p, tulle_context *context, const char *name)
{
	int count = 0, n = 0;

	p->info.size = sizeof p->info;
	demand(tulle_device_count(context, &count));
	for (; n < count; n++) {
		demand(tulle_device_describe(context, n, &p->info));
		if (!strcmp(p->info.name, name))
			break;
	}
	if (n == count)
		cli_usage("there is no device '%s'; 'tulle devices' lists them", name);
	demand(tulle_device_open(context, name, NULL, &p->device));
	demand(tulle_queue_create(p->device, NULL, &p->queue));
}

static void put(place *p, const cli_matrix *m, const cli_mul_wishes *w)
{
	const tulle_device_plan_options options = { .size = sizeof options,
		                                        .format = w->format,
		                                        .op = w->op };

	p->about.size = sizeof p->about;
	demand(tulle_device_plan_create(p->device, m->matrix, &options, &p->plan));
	demand(tulle_device_plan_describe(p->plan, &p->about));
	demand(tulle_vector_create(p->device, m->view.value_type, p->about.cols, NULL, &p->x));
	demand(tulle_vector_create(p->device, m->view.value_type, p->about.rows, NULL, &p->y));
}

static void close_device(place *p)
{
	tulle_vector_destroy(p->x);
	tulle_vector_destroy(p->y);
	tulle_device_plan_destroy(p->plan);
	tulle_queue_destroy(p->queue);
	tulle_device_close(p->device);
}

/* All are queued before the one wait. */
static void multiply(void *work, int times)
{
	const place *const p = work;

	for (int n = 0; n < times; n++)
		demand(tulle_device_mul(p->plan, p->queue, 1, p->x, 0, p->y));
	demand(tulle_queue_finish(p->queue));
}

static void print_result(const cli_matrix *m, const place *p, const cli_timing *t,
                         const kit_verdict *v)
{
	cli_print_matrix(m);
	printf("device      %s: %s, %s\n", p->info.name, cli_safe(p->info.model),
	       cli_safe(p->info.driver));
	printf("format      %s%s%s; %d launch%s, %s\n", p->about.format, *p->about.note ? ": " : "",
	       p->about.note, p->about.launches, p->about.launches == 1 ? "" : "es",
	       p->about.same_bits ? "same bits every time" : "adds by atomics: bits may change");
	printf("memory      %s bytes of the device, at most %s while it was built\n",
	       cli_commas((int64_t)p->about.bytes), cli_commas((int64_t)p->about.peak));
	if (t)
		cli_print_timing(t, cli_products(p->about.value_type, p->about.nnz));
	else
		printf("measured    nothing: the device is not a GPU\n");
	cli_print_verdict(v);
}

static void json_result(const cli_matrix *m, const place *p, const cli_timing *t,
                        const kit_verdict *v)
{
	cli_json_open(NULL, '{');
	cli_json_matrix(m);
	cli_json_open("device", '{');
	cli_json_text("name", p->info.name);
	cli_json_text("model", p->info.model);
	cli_json_text("driver", p->info.driver);
	cli_json_bool("gpu", p->info.gpu);
	cli_json_close();
	cli_json_open("plan", '{');
	cli_json_text("format", p->about.format);
	cli_json_text("value_type", cli_type_name(p->about.value_type));
	cli_json_integer("bytes", (int64_t)p->about.bytes);
	cli_json_integer("peak", (int64_t)p->about.peak);
	cli_json_integer("launches", p->about.launches);
	cli_json_bool("same_bits", p->about.same_bits);
	cli_json_text("note", p->about.note);
	cli_json_close();
	if (t)
		cli_json_timing(t, cli_products(p->about.value_type, p->about.nnz));
	else
		cli_json_null("time");
	cli_json_verdict(v);
	cli_json_close();
}

int cli_mul_device(const cli_common *common, const char *path, const cli_mul_wishes *w)
{
	cli_matrix m = cli_read(common, path, NULL);
	const tulle_value_type type = m.view.value_type;
	const size_t size = cli_value_size(type);
	cli_timing t = { 0 };
	place p = { 0 };

	cli_progress_begin(common, "planning", m.name);
	open_device(&p, m.context, w->device);
	put(&p, &m, w);
	void *const x = cli_alloc(p.about.cols, size), *const y = cli_alloc(p.about.rows, size);
	kit_random_fill(KIT_UNIFORM, 1, cli_part_type(type), cli_parts(type) * p.about.cols, x);
	cli_spoil(cli_part_type(type), y, cli_parts(type) * p.about.rows);
	demand(tulle_vector_write(p.queue, p.x, 0, p.about.cols, x));
	demand(tulle_vector_write(p.queue, p.y, 0, p.about.rows, y));
	cli_progress_end();

	cli_progress_begin(common, "timing", m.name);
	if (p.info.gpu)
		t = cli_measure(multiply, &p, w->seconds);
	else
		multiply(&p, 1);
	t.threads = -1;
	t.bytes = (double)p.about.bytes + (double)(p.about.rows + p.about.cols) * (double)size;
	demand(tulle_vector_read(p.queue, p.y, 0, p.about.rows, y));
	cli_progress_end();

	cli_progress_begin(common, "checking", m.name);
	const kit_verdict v = cli_verdict(&m.view, w->op, x, y);
	cli_progress_end();
	if (common->json)
		json_result(&m, &p, p.info.gpu ? &t : NULL, &v);
	else
		print_result(&m, &p, p.info.gpu ? &t : NULL, &v);
	close_device(&p);
	cli_free(x);
	cli_free(y);
	cli_close(&m);
	return v.violations ? CLI_WRONG : CLI_OK;
}
