/* plan_device.c -- `tulle plan FILE --device NAME`: which format for a GPU, and why. Needs no GPU. */
#include "plan_device.h"

#include "tulle_gpu.h"

#include <string.h>

enum { MOST = 32 };

typedef struct {
	const cli_matrix *matrix;
	tulle_device_model model;
	double nnz;
	int count;
	tulle_device_candidate_info of[MOST];
} ranked;

/* ---- text ---- */

static void print_device(const tulle_device_model *m)
{
	printf("device   %s: %d units, warps of %d lanes, %.0f GB/s, L2 %.1f MiB\n", cli_safe(m->model),
	       m->units, m->width, m->bandwidth / 1e9, m->l2 / (1 << 20));
}

static void print_ranked(const ranked *r)
{
	printf("\n%-27s %8s %9s %11s %11s %8s %9s  %s\n", "format", "relative", "bytes/nnz",
	       "request/nnz", "instr./nnz", "launches", "occupancy", "limited by");
	for (int n = 0; n < r->count && !r->of[n].out; n++) {
		const tulle_device_candidate_info *const c = &r->of[n];

		printf("%s%-27s %8.2f %9.1f %11.1f %11.2f %8d %8.0f%%  %s%s\n", n ? "" : cli_bold(),
		       c->format, c->relative, c->bytes / r->nnz, (c->requested + c->x_requested) / r->nnz,
		       c->instructions / r->nnz, c->launches, 100 * c->occupancy, c->because,
		       n ? "" : cli_plain());
	}
}

static void print_out(const ranked *r)
{
	int first = 1;

	for (int n = 0; n < r->count; n++) {
		if (!r->of[n].out)
			continue;
		if (first)
			printf("\n");
		first = 0;
		printf("%-27s ruled out: %s\n", r->of[n].format, r->of[n].because);
	}
}

static void print(const ranked *r)
{
	cli_print_matrix(r->matrix);
	print_device(&r->model);
	printf("choice   %s\n", r->count > 0 && !r->of[0].out ? r->of[0].format : "none");
	print_ranked(r);
	print_out(r);
	printf(
	    "\nPredicted from the pattern and the published figures of the device; nothing was run or "
	    "timed.\n");
}

/* ---- JSON ---- */

static void json_device(const tulle_device_model *m)
{
	cli_json_open("device", '{');
	cli_json_text("name", m->name);
	cli_json_text("model", m->model);
	cli_json_integer("units", m->units);
	cli_json_integer("lanes", m->width);
	cli_json_bool("shuffles", m->shuffles);
	cli_json_number("clock", m->clock);
	cli_json_number("bandwidth", m->bandwidth);
	cli_json_number("l2", m->l2);
	cli_json_number("memory", m->memory);
	cli_json_number("registers", m->registers);
	cli_json_number("warps", m->warps);
	cli_json_number("shared", m->shared);
	cli_json_number("issue", m->issue);
	cli_json_number("f32", m->f32);
	cli_json_number("f64", m->f64);
	cli_json_close();
}

static void json_candidate(const tulle_device_candidate_info *c)
{
	cli_json_open(NULL, '{');
	cli_json_text("format", c->format);
	cli_json_bool("out", c->out);
	cli_json_text("because", c->because);
	cli_json_known("relative", c->relative);
	cli_json_known("bytes", c->bytes);
	cli_json_known("requested", c->requested);
	cli_json_known("x_requested", c->x_requested);
	cli_json_known("instructions", c->instructions);
	cli_json_integer("launches", c->launches);
	cli_json_known("occupancy", c->occupancy);
	cli_json_bool("same_bits", c->same_bits);
	cli_json_close();
}

static void json(const ranked *r)
{
	cli_json_open(NULL, '{');
	cli_json_matrix(r->matrix);
	json_device(&r->model);
	cli_json_open("candidates", '[');
	for (int n = 0; n < r->count; n++)
		json_candidate(&r->of[n]);
	cli_json_close();
	cli_json_close();
}

/* ---- the whole ---- */

static void rank(ranked *r, tulle_op op)
{
	const tulle_device_plan_options o = { .size = sizeof o, .op = op };
	tulle_matrix_info info = { .size = sizeof info };
	tulle_device_ranking *ranking = NULL;
	const tulle_status s = tulle_device_ranking_create(r->matrix->matrix, &r->model, &o, &ranking);

	if (s != TULLE_OK)
		cli_fail_status(s, 0);
	tulle_matrix_describe(r->matrix->matrix, &info);
	r->nnz = info.nnz > 0 ? (double)info.nnz : 1;
	for (r->count = 0; r->count < MOST; r->count++) {
		r->of[r->count].size = sizeof r->of[r->count];
		if (!tulle_device_ranking_candidate(ranking, r->count, &r->of[r->count]))
			break;
	}
	tulle_device_ranking_destroy(ranking);
}

int cli_plan_device(const cli_common *common, const char *path, const char *device, tulle_op op)
{
	ranked r = { .model.size = sizeof r.model };
	const tulle_status s = tulle_device_model_find(NULL, device, &r.model);

	if (s == TULLE_E_ARGUMENT)
		cli_usage("--device: %s", tulle_last_error());
	if (s != TULLE_OK)
		cli_fail_status(s, 0);
	cli_matrix m = cli_read(common, path, NULL);
	r.matrix = &m;
	rank(&r, op);
	if (common->json)
		json(&r);
	else
		print(&r);
	cli_close(&m);
	return CLI_OK;
}
