/* batch.c -- `tulle batch FOLDER|LIST|FILE`: many small matrices in one call, the kernels chosen, and the time. */
#include "cli.h"
#include "kit.h"
#include "mul.h"
#include "tulle_batch.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

typedef struct {
	const char *kernel, *isa;
	int64_t rows; /* larger matrices are left out */
	int64_t times;
	double multiplies, seconds;
} wishes;

/* ---- which files ----------------------------------------------------------------------------- */

typedef struct {
	char **path;
	const char *list; /* the file that has the names; NULL: none */
	int64_t count, left_out;
} names;

static void add_name(names *n, const char *folder, const char *file)
{
	const size_t size = strlen(folder) + strlen(file) + 2;
	char **const more = cli_alloc(n->count + 1, sizeof *more);

	if (n->count > 0)
		memcpy(more, n->path, (size_t)n->count * sizeof *more);
	cli_free(n->path);
	n->path = more;
	n->path[n->count] = cli_alloc((int64_t)size, 1);
	snprintf(n->path[n->count++], size, "%s%s%s", folder, *folder && file[0] != '/' ? "/" : "",
	         file);
}

static int is_matrix(const struct dirent *entry)
{
	return entry->d_name[0] != '.' && strstr(entry->d_name, ".mtx");
}

static void add_folder(names *n, const char *folder)
{
	struct dirent **entries;
	const int count = scandir(folder, &entries, is_matrix, alphasort);

	if (count < 0)
		cli_fail(CLI_INPUT, "%s: %s", folder, strerror(errno));
	for (int e = 0; e < count; e++) {
		add_name(n, folder, entries[e]->d_name);
		free(entries[e]);
	}
	free(entries);
	if (count == 0)
		cli_warn("the folder has no file whose name contains .mtx");
}

/* One name per line, relative to the current folder; empty lines and lines that begin with # are skipped. */
static void add_list(names *n, const char *path)
{
	FILE *const file = fopen(path, "r");
	char line[4096];

	if (!file)
		cli_fail(CLI_INPUT, "%s: %s", path, strerror(errno));
	while (fgets(line, sizeof line, file)) {
		line[strcspn(line, "\r\n")] = 0;
		if (line[0] && line[0] != '#')
			add_name(n, "", line);
	}
	fclose(file);
}

static names find_names(const char *path)
{
	names n = { 0 };
	struct stat about;

	if (stat(path, &about) != 0)
		cli_fail(CLI_INPUT, "%s: %s; name a folder, a matrix or a list of file names", path,
		         strerror(errno));
	if (S_ISDIR(about.st_mode))
		add_folder(&n, path);
	else if (S_ISREG(about.st_mode) && strstr(path, ".mtx"))
		add_name(&n, "", path);
	else if (S_ISREG(about.st_mode))
		add_list(&n, n.list = path);
	else
		cli_fail(CLI_INPUT, "%s is neither a folder, a matrix nor a list of file names", path);
	return n;
}

/* ---- the batch ------------------------------------------------------------------------------- */

typedef struct {
	cli_matrix *matrix;
	tulle_csr_view *view; /* of each problem: the matrices, as often as wished */
	int64_t matrices, count;
} input;

static tulle_file_info describe(const names *n, int64_t f)
{
	tulle_file_info about = { .size = sizeof about };
	const tulle_status status = tulle_file_describe(n->path[f], &about);

	if (status && n->list)
		cli_fail(CLI_INPUT, "%s; %s is read as a list of file names, one per line",
		         tulle_last_error(), n->list);
	if (status)
		cli_fail_reading(status, n->path[f]);
	return about;
}

/* Remove the names of too large matrices. Returns the type of the others: if none is named, c128 if one of them is complex. */
static tulle_value_type choose(const cli_common *common, names *n, int64_t rows)
{
	tulle_value_type type = TULLE_F64;
	int64_t kept = 0;

	for (int64_t f = 0; f < n->count; f++) {
		const tulle_file_info about = describe(n, f);

		if (about.rows > rows || about.cols > rows) {
			cli_free(n->path[f]);
			continue;
		}
		if (!common->real_part && strcmp(about.field, "complex") == 0)
			type = TULLE_C128;
		n->path[kept++] = n->path[f];
	}
	n->left_out = n->count - kept;
	n->count = kept;
	return common->value_type ? common->value_type : type;
}

static input read_all(const cli_common *common, const names *n, const wishes *w)
{
	input in = { .matrix = cli_alloc(n->count, sizeof *in.matrix),
		         .matrices = n->count,
		         .count = n->count * w->times };

	for (int64_t f = 0; f < n->count; f++)
		in.matrix[f] = cli_read(common, n->path[f], w->isa);
	in.view = cli_alloc(in.count, sizeof *in.view);
	for (int64_t i = 0; i < in.count; i++)
		in.view[i] = in.matrix[i % in.matrices].view;
	return in;
}

/* All views must have one type of indices and values. Patterns get ones. 64-bit offsets occur only in large files,
 * which are left out. */
static void *give_values(input *in, tulle_value_type type)
{
	const int parts = cli_parts(type);
	int64_t most = 0;
	int some = 0;

	for (int64_t i = 0; i < in->count; i++) {
		some |= in->view[i].val != NULL;
		if (!in->view[i].val && in->view[i].nnz > most)
			most = in->view[i].nnz;
	}
	if (!some || most == 0)
		return NULL;
	void *const ones = cli_alloc(most, cli_value_size(type));
	for (int64_t k = 0; k < parts * most; k++)
		if (cli_part_type(type) == TULLE_F32)
			((float *)ones)[k] = k % parts == 0;
		else
			((double *)ones)[k] = k % parts == 0;
	for (int64_t i = 0; i < in->count; i++)
		if (!in->view[i].val)
			in->view[i].val = ones;
	return ones;
}

static tulle_status multiply(const tulle_batch *b, tulle_value_type type, const void *x, void *y)
{
	switch (type) {
	case TULLE_F32: return tulle_batch_mul_f32(b, TULLE_PACKED, 1, x, 0, y);
	case TULLE_F64: return tulle_batch_mul_f64(b, TULLE_PACKED, 1, x, 0, y);
	case TULLE_C64:
		return tulle_batch_mul_c64(b, TULLE_PACKED, (tulle_c64){ 1, 0 }, x, (tulle_c64){ 0, 0 }, y);
	case TULLE_C128:
		return tulle_batch_mul_c128(b, TULLE_PACKED, (tulle_c128){ 1, 0 }, x, (tulle_c128){ 0, 0 },
		                            y);
	case TULLE_F16:
	case TULLE_BF16: break; /* tulle_batch_create() refuses these */
	}
	return TULLE_E_INTERNAL;
}

/* The least time of the samples that fit in the time limit. */
static double measure(const tulle_batch *b, tulle_value_type type, const void *x, void *y,
                      double seconds)
{
	double best = 0;
	const double start = cli_now();

	for (int n = 0; n < 3 || cli_now() - start < seconds; n++) {
		const double before = cli_now();
		const tulle_status status = multiply(b, type, x, y);

		if (status)
			cli_fail_status(status, 0);
		const double taken = cli_now() - before;
		best = n == 0 || taken < best ? taken : best;
	}
	return best;
}

/* The number of rows whose error exceeds the bound. */
static int64_t check(const input *in, const tulle_batch_info *info, const char *x, const char *y)
{
	const size_t size = cli_value_size(info->value_type);
	int64_t wrong = 0;

	for (int64_t i = 0; i < in->count; i++)
		wrong += cli_verdict(&in->view[i], TULLE_NORMAL, x + (size_t)info->x_at[i] * size,
		                     y + (size_t)info->y_at[i] * size)
		             .violations;
	return wrong;
}

/* ---- tell ------------------------------------------------------------------------------------ */

typedef struct {
	const names *files;
	const input *in;
	const tulle_batch *batch;
	tulle_batch_info info;
	double best;
	int64_t wrong;
} outcome;

static double gflops(const outcome *o)
{
	return o->best > 0 ? 2e-9 * (double)cli_products(o->info.value_type, o->info.nnz) / o->best : 0;
}

static void print_outcome(const outcome *o, const char *text)
{
	printf("%s%s matrices%s, %s left out as too large\n", cli_bold(), cli_commas(o->in->matrices),
	       cli_plain(), cli_commas(o->files->left_out));
	printf("%s", text);
	printf("measured    best %.6f ms, %.3f us per problem, %.3f GFlop/s\n", 1e3 * o->best,
	       o->info.count > 0 ? 1e6 * o->best / (double)o->info.count : 0, gflops(o));
	if (o->wrong)
		printf("check       %sWRONG%s: %s rows beyond their error bound\n", cli_bold(), cli_plain(),
		       cli_commas(o->wrong));
	else
		printf("check       right: %s rows within their error bound\n", cli_commas(o->info.rows));
}

static void json_outcome(const outcome *o, const char *text)
{
	cli_json_open(NULL, '{');
	cli_json_integer("matrices", o->in->matrices);
	cli_json_integer("left_out", o->files->left_out);
	cli_json_integer("problems", o->info.count);
	cli_json_integer("rows", o->info.rows);
	cli_json_integer("nnz", o->info.nnz);
	cli_json_text("value_type", cli_type_name(o->info.value_type));
	cli_json_text("isa", o->info.isa);
	cli_json_text("special", o->info.special);
	cli_json_integer("bytes", (int64_t)o->info.bytes);
	cli_json_integer("parts", o->info.parts);
	cli_json_number("create_seconds", o->info.seconds);
	cli_json_open("classes", '[');
	for (int n = 0; n < o->info.classes; n++) {
		tulle_batch_class_info c = { .size = sizeof c };

		tulle_batch_class(o->batch, n, &c);
		cli_json_open(NULL, '{');
		cli_json_text("kernel", c.kernel);
		cli_json_integer("problems", c.problems);
		cli_json_integer("nnz", c.nnz);
		cli_json_integer("least_rows", c.least_rows);
		cli_json_integer("most_rows", c.most_rows);
		cli_json_text("because", c.because);
		cli_json_close();
	}
	cli_json_close();
	cli_json_text("explain", text);
	cli_json_number("best_seconds", o->best);
	cli_json_number("gflops", gflops(o));
	cli_json_bool("right", !o->wrong);
	cli_json_integer("violations", o->wrong);
	cli_json_close();
}

static void tell(const outcome *o, int json)
{
	const size_t length = tulle_batch_explain(o->batch, NULL, 0);
	char *const text = cli_alloc((int64_t)length + 1, 1);

	tulle_batch_explain(o->batch, text, length + 1);
	if (json)
		json_outcome(o, text);
	else
		print_outcome(o, text);
	cli_free(text);
}

/* ---- the whole ------------------------------------------------------------------------------- */

static int run(cli_common *common, const char *path, const wishes *w)
{
	names files = find_names(path);
	const tulle_value_type type = common->value_type = choose(common, &files, w->rows);
	const size_t size = cli_value_size(type);
	input in = read_all(common, &files, w);
	outcome o = { .files = &files, .in = &in, .info = { .size = sizeof o.info } };
	tulle_context *const context = cli_context(common, w->isa);
	tulle_batch *batch = NULL;
	void *const ones = give_values(&in, type);

	cli_progress_begin(common, "laying out", path);
	tulle_status status = tulle_batch_from_csr(
	    context, in.count, in.view,
	    &(tulle_batch_options){
	        .size = sizeof(tulle_batch_options), .kernel = w->kernel, .multiplies = w->multiplies },
	    &batch);
	cli_progress_end();
	if (!status)
		status = tulle_batch_describe(batch, &o.info);
	if (status)
		cli_fail_status(status, 0);
	void *const x = cli_alloc(o.info.x_size[0], size), *const y = cli_alloc(o.info.y_size[0], size);
	kit_random_fill(KIT_UNIFORM, 1, cli_part_type(type), cli_parts(type) * o.info.x_size[0], x);
	o.batch = batch;
	o.best = measure(batch, type, x, y, w->seconds);
	o.wrong = check(&in, &o.info, x, y);
	tell(&o, common->json);
	cli_free(x);
	cli_free(y);
	cli_free(ones);
	tulle_batch_destroy(batch);
	tulle_context_destroy(context);
	for (int64_t m = 0; m < in.matrices; m++)
		cli_close(&in.matrix[m]);
	cli_free(in.matrix);
	cli_free(in.view);
	for (int64_t f = 0; f < files.count; f++)
		cli_free(files.path[f]);
	cli_free(files.path);
	return o.wrong ? CLI_WRONG : CLI_OK;
}

int cli_batch(int argc, char **argv)
{
	enum { KERNEL = 1, MULTIPLIES, ROWS, TIMES, SECONDS, ISA };
	static const struct option options[] = { { "kernel", required_argument, NULL, KERNEL },
		                                     { "multiplies", required_argument, NULL, MULTIPLIES },
		                                     { "rows", required_argument, NULL, ROWS },
		                                     { "times", required_argument, NULL, TIMES },
		                                     { "seconds", required_argument, NULL, SECONDS },
		                                     { "isa", required_argument, NULL, ISA },
		                                     CLI_VALUE_TYPE_OPTION,
		                                     CLI_JSON_OPTION,
		                                     CLI_READ_OPTIONS,
		                                     CLI_HELP_OPTION,
		                                     { NULL, 0, NULL, 0 } };
	cli_common common = { .command = "batch", .whole = 1, .complex = 1 };
	wishes w = { .rows = 1024, .times = 1, .seconds = 0.5 };
	int option;

	while ((option = cli_option(argc, argv, "", options, &common)) != -1) {
		switch (option) {
		case KERNEL: w.kernel = optarg; break;
		case MULTIPLIES: w.multiplies = cli_number("--multiplies", optarg, 1, 1e18); break;
		case ROWS: w.rows = cli_integer("--rows", optarg, 0, INT32_MAX / 2); break;
		case TIMES: w.times = cli_integer("--times", optarg, 1, 1000000); break;
		case SECONDS: w.seconds = cli_number("--seconds", optarg, 0.001, 86400); break;
		default: w.isa = optarg; break;
		}
	}
	return run(&common, cli_arguments(argc, argv, 1, "FOLDER, LIST or FILE")[0], &w);
}
