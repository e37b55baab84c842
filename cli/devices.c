/* devices.c -- `tulle devices`: the GPUs that drivers offer, and the formats for them. */
#include "cli.h"
#include "tulle_gpu.h"

#include <string.h>

/* ---- formats --------------------------------------------------------------------------------- */

/* One way to multiply by a matrix, or by a batch of them. */
typedef struct {
	const char *of, *name, *words;
	int same_bits, lanes;
} way;

static void print_way(const way *w, int width)
{
	const int batch = !strcmp(w->of, "batch");
	const char *const prefix = batch ? "batch " : "";
	char needs[32] = "";

	if (w->lanes > 0)
		snprintf(needs, sizeof needs, "; warps of %d or more", w->lanes);
	printf("%s%-*s  %-9s  %s%s\n", prefix, width - (int)strlen(prefix), w->name,
	       w->same_bits ? "same bits" : "", w->words, needs);
}

static void json_way(const way *w)
{
	cli_json_open(NULL, '{');
	cli_json_text("of", w->of);
	cli_json_text("format", w->name);
	cli_json_text("about", w->words);
	cli_json_bool("same_bits", w->same_bits);
	cli_json_integer("lanes", w->lanes);
	cli_json_close();
}

static void tell_way(const way *w, int json)
{
	enum { WIDTH = 38 };

	if (json)
		json_way(w);
	else
		print_way(w, WIDTH);
}

static void list_formats(int json)
{
	tulle_device_format_info f = { .size = sizeof f };
	tulle_device_batch_kernel_info b = { .size = sizeof b };

	for (int n = 0; tulle_device_format(n, &f); n++)
		tell_way(&(way){ "matrix", f.format, f.words, f.same_bits, f.width }, json);
	for (int n = 0; tulle_device_batch_kernel(n, &b); n++)
		tell_way(&(way){ "batch", b.kernel, b.words, b.same_bits, 0 }, json);
}

/* ---- devices --------------------------------------------------------------------------------- */

static void print_memory(size_t bytes)
{
	const double gib = (double)bytes / (1 << 30);

	printf(gib < 10 ? "%.1f GiB" : "%.0f GiB", gib);
}

static void print_device(const tulle_device_info *d)
{
	printf("%s%s%s  %s%s\n", cli_bold(), d->name, cli_plain(), cli_safe(d->model),
	       d->gpu ? "" : " (not a GPU: times say nothing)");
	printf("  driver   %s\n", cli_safe(d->driver));
	printf("  memory   ");
	print_memory(d->memory);
	printf(", %d unit%s\n", d->units, d->units == 1 ? "" : "s");
	printf("  lanes    %d of a warp, exchanging %s\n", d->width,
	       d->shuffles ? "by shuffles" : "through local memory");
	printf("  types    f32%s\n", d->f64 ? ", f64" : "; no f64");
	if (!d->usable)
		printf("  unusable %s\n", cli_safe(d->why));
}

static void json_device(const tulle_device_info *d)
{
	cli_json_open(NULL, '{');
	cli_json_text("name", d->name);
	cli_json_text("model", d->model);
	cli_json_text("driver", d->driver);
	cli_json_bool("gpu", d->gpu);
	cli_json_integer("memory", (int64_t)d->memory);
	cli_json_integer("units", d->units);
	cli_json_integer("lanes", d->width);
	cli_json_bool("shuffles", d->shuffles);
	cli_json_bool("f64", d->f64);
	cli_json_bool("usable", d->usable);
	cli_json_text("why", d->why);
	cli_json_close();
}

static void list_devices(int json)
{
	int count = 0;
	tulle_status s = tulle_device_count(NULL, &count);

	for (int n = 0; n < count && s == TULLE_OK; n++) {
		tulle_device_info info = { .size = sizeof info };

		s = tulle_device_describe(NULL, n, &info);
		if (s != TULLE_OK)
			break;
		if (json)
			json_device(&info);
		else
			print_device(&info);
	}
	if (s != TULLE_OK)
		cli_fail_status(s, 0);
	if (count == 0 && !json)
		printf("No devices: neither libcuda.so.1 nor libOpenCL.so.1 is found and offers a device.\n"
		       "NVIDIA's driver installs the first library. For the second, install an ICD loader\n"
		       "(ocl-icd-libopencl1) and a driver: that of the GPU, or PoCL (pocl-opencl-icd) for "
		       "CPUs.\n");
}

int cli_devices(int argc, char **argv)
{
	enum { FORMATS = 1 };
	static const struct option options[] = { { "formats", no_argument, NULL, FORMATS },
		                                     CLI_JSON_OPTION,
		                                     CLI_HELP_OPTION,
		                                     { NULL, 0, NULL, 0 } };
	cli_common common = { .command = "devices" };
	int formats = 0;

	while (cli_option(argc, argv, "", options, &common) != -1)
		formats = 1;
	cli_arguments(argc, argv, 0, "nothing");
	if (common.json)
		cli_json_open(NULL, '[');
	if (formats)
		list_formats(common.json);
	else
		list_devices(common.json);
	if (common.json)
		cli_json_close();
	return CLI_OK;
}
