/* files.c -- reads matrices and writes files: progress, memory limit, and no accidental overwriting. */
#include "cli.h"

#include "core/new_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- memory ---------------------------------------------------------------------------------- */

/* The memory limit of the run. Without --memory-limit it is the memory of the machine, because an error is
 * better than swapping; for a file, it is at most what the number of entries justifies. */
static size_t limit, held;
static tulle_context *current;

void *cli_alloc(int64_t count, size_t size)
{
	tulle_context_info info = { .size = sizeof info };
	const size_t bytes = (size_t)count * size;
	size_t *block = NULL;

	if (current)
		tulle_context_describe(current, &info);
	if ((size_t)count <= SIZE_MAX / 2 / size && (!limit || bytes <= limit) &&
	    held + info.bytes_held <= (limit ? limit - bytes : SIZE_MAX))
		block = calloc(1, bytes + 2 * sizeof *block);
	if (!block)
		cli_fail(CLI_MEMORY, "no memory for %s elements of %zu bytes%s", cli_commas(count), size,
		         limit ? " within the limit; --memory-limit SIZE raises it" : "");
	*block = bytes;
	held += bytes;
	return block + 2;
}

void cli_free(void *block)
{
	if (!block)
		return;
	held -= ((size_t *)block)[-2];
	free((size_t *)block - 2);
}

static void warn(void *unused, tulle_log_level level, const char *line)
{
	(void)unused;
	if (level == TULLE_LOG_WARNING)
		cli_warn(line);
}

static tulle_context *make_context(const cli_common *common, const char *isa, size_t most)
{
	const long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
	tulle_status status;

	limit = common->memory_limit;
	if (!limit && pages > 0 && page > 0)
		limit = (size_t)pages * (size_t)page;
	if (!common->memory_limit && (!limit || limit > most))
		limit = most;
	status = tulle_context_create(&(tulle_context_options){ .size = sizeof(tulle_context_options),
	                                                        .threads = common->threads,
	                                                        .isa = isa,
	                                                        .memory_limit = limit,
	                                                        .log = common->warn ? warn : NULL },
	                              &current);
	if (status)
		cli_fail_status(status, 0);
	return current;
}

tulle_context *cli_context(const cli_common *common, const char *isa)
{
	return make_context(common, isa, SIZE_MAX);
}

/* ---- in -------------------------------------------------------------------------------------- */

/* The size of a file limits its number of entries, but not its rows and columns: a file of 60 bytes can
 * state billions of them. So the memory limit is computed from the entries. */
static size_t memory_for(const tulle_file_info *file)
{
	const size_t always = (size_t)1 << 28, per_entry = 1 << 10;
	const size_t entries = (size_t)file->entries;

	return entries < (SIZE_MAX - always) / per_entry ? always + per_entry * entries : SIZE_MAX;
}

static _Noreturn void refuse_complex(const char *path)
{
	cli_fail(CLI_INPUT, "%s: the values are complex; --real-part takes their real parts", path);
}

/* `with_plan`: m.plan becomes the plan of the file. */
static cli_matrix read_matrix(const cli_common *common, const char *path, const char *isa,
                              int with_plan)
{
	const char *slash = strrchr(path, '/');
	cli_matrix m = { .path = path, .name = cli_safe(slash && slash[1] ? slash + 1 : path) };
	tulle_status status;

	m.file.size = sizeof m.file;
	m.view.size = sizeof m.view;
	m.lists.size = sizeof m.lists;
	status = tulle_file_describe(path, &m.file);
	if (status)
		cli_fail_reading(status, path);
	const int complex = !common->real_part && !strcmp(m.file.field, "complex");
	if (complex && (!common->complex || (common->value_type && cli_parts(common->value_type) == 1)))
		refuse_complex(path);
	m.context = make_context(common, isa, memory_for(&m.file));
	m.stand_in = strstr(m.file.comment, CLI_STAND_IN) != NULL;
	const double start = cli_now();
	cli_progress_begin(common, "reading", m.name);
	cli_progress_rate(1e-6 * (double)m.file.file_bytes, "MB");
	const tulle_read_options how = { .size = sizeof how,
		                             .value_type = common->value_type ? common->value_type
		                                           : complex && strcmp(m.file.layout, "tuned")
		                                               ? TULLE_C128
		                                               : 0,
		                             .real_part = common->real_part,
		                             .progress = cli_progress_set,
		                             .compact =
		                                 common->whole ? TULLE_COMPACT_NONE : TULLE_COMPACT_AUTO };
	status = with_plan && m.file.has_plan
	             ? tulle_plan_load(m.context, path, &how, &m.matrix, &m.plan)
	             : tulle_matrix_read(m.context, path, &how, &m.matrix);
	cli_progress_end();
	m.seconds = cli_now() - start;
	if (!status)
		status = tulle_matrix_view_csr(m.matrix, &m.view);
	if (!status)
		status = tulle_matrix_lists(m.matrix, &m.lists);
	if (status)
		cli_fail_reading(status, path);
	/* A tuned file without values is a pattern, also if their type is complex. */
	if (!common->complex && cli_parts(m.view.value_type) == 2)
		refuse_complex(path);
	return m;
}

cli_matrix cli_read(const cli_common *common, const char *path, const char *isa)
{
	return read_matrix(common, path, isa, 0);
}

cli_matrix cli_read_with_plan(const cli_common *common, const char *path, const char *isa)
{
	return read_matrix(common, path, isa, 1);
}

void cli_print_matrix(const cli_matrix *m)
{
	printf("%s%s%s: %s x %s, %s%s, read in %.3f s\n", cli_bold(), m->name, cli_plain(),
	       cli_commas(m->lists.rows), cli_commas(m->lists.cols),
	       cli_count(m->view.nnz, "entry", "entries"), m->stand_in ? " (a STAND-IN)" : "",
	       m->seconds);
	cli_print_lists(m);
}

void cli_print_lists(const cli_matrix *m)
{
	if (m->lists.row)
		printf("  stored as the %s with entries\n", cli_count(m->view.rows, "row", "rows"));
	if (m->lists.col)
		printf("  stored as the %s with entries\n", cli_count(m->view.cols, "column", "columns"));
}

void cli_json_lists(const cli_matrix *m)
{
	if (m->lists.row)
		cli_json_integer("present_rows", m->view.rows);
	if (m->lists.col)
		cli_json_integer("present_cols", m->view.cols);
}

void cli_json_matrix(const cli_matrix *m)
{
	cli_json_text("file", m->path);
	cli_json_bool("stand_in", m->stand_in);
	cli_json_integer("rows", m->lists.rows);
	cli_json_integer("cols", m->lists.cols);
	cli_json_lists(m);
	cli_json_integer("nnz", m->view.nnz);
	cli_json_number("read_seconds", m->seconds);
}

void cli_close(cli_matrix *m)
{
	current = NULL;
	tulle_plan_destroy(m->plan);
	tulle_matrix_destroy(m->matrix);
	tulle_context_destroy(m->context);
}

/* ---- out ------------------------------------------------------------------------------------- */

int cli_ends_with(const char *text, const char *end)
{
	const size_t n = strlen(text), m = strlen(end);
	return n >= m && !strcmp(text + n - m, end);
}

static _Noreturn void fail_writing(const char *path, int error)
{
	char text[4096];

	snprintf(text, sizeof text, "%s: %s", path, strerror(error));
	cli_warn(text);
	cli_advise_output(path);
	exit(CLI_OUTPUT);
}

void cli_check_output(const char *path, const char *input)
{
	struct stat out, in;

	if (!path[0])
		cli_usage("the name of the output is empty");
	if (!strcmp(path, "-"))
		cli_usage("'-': tulle works on files, not on pipes; a file of that name is './-'");
	if (lstat(path, &out)) {
		if (errno != ENOENT)
			fail_writing(path, errno);
		if (cli_ends_with(path, "/"))
			cli_fail(CLI_OUTPUT, "%s: is the name of a folder; add the name of a file", path);
		return;
	}
	if (S_ISLNK(out.st_mode))
		cli_fail(CLI_OUTPUT, "%s: is a symbolic link; name the file itself", path);
	if (!S_ISREG(out.st_mode))
		cli_fail(CLI_OUTPUT, "%s: exists and is not a regular file; choose another name", path);
	if (input && !stat(input, &in) && in.st_dev == out.st_dev && in.st_ino == out.st_ino)
		cli_fail(CLI_OUTPUT, "%s: is the input itself; choose another name", path);
}

void cli_check_matrix_output(const char *path, const char *input)
{
	if (!cli_ends_with(path, ".mtx") && !cli_ends_with(path, ".mtx.gz") &&
	    !cli_ends_with(path, ".tulle"))
		cli_usage("'%s': matrices are written as .mtx, .mtx.gz or .tulle", path);
	cli_check_output(path, input);
}

void cli_write(const cli_common *common, const tulle_matrix *matrix, const tulle_plan *plan,
               const char *path, const char *comment)
{
	tulle_matrix_info info = { .size = sizeof info };
	struct stat written = { 0 };
	const double start = cli_now();

	cli_progress_begin(common, "writing", cli_safe(path));
	tulle_matrix_describe(matrix, &info);
	cli_progress_rate(1e-6 * (double)info.nnz, "M entries");
	const tulle_write_options how = { .size = sizeof how,
		                              .comment = comment,
		                              .progress = cli_progress_set };
	const tulle_status status =
	    plan ? tulle_plan_save(plan, path, &how) : tulle_matrix_write(matrix, path, &how);
	cli_progress_end();
	if (status == TULLE_E_IO) {
		cli_warn(tulle_last_error());
		cli_advise_output(path);
		exit(CLI_OUTPUT);
	}
	if (status)
		cli_fail_status(status, 0);
	stat(path, &written);
	printf("%s: %s x %s, %s, %s bytes written in %.2f s\n", cli_safe(path), cli_commas(info.rows),
	       cli_commas(info.cols), cli_count(info.nnz, "entry", "entries"),
	       cli_commas((int64_t)written.st_size), cli_now() - start);
}

void cli_save(const char *path, const void *bytes, size_t count)
{
	struct stat old;
	tulle__new_file file;
	const int replaces = lstat(path, &old) == 0 && S_ISREG(old.st_mode);
	int error = tulle__new_file_open(&file, AT_FDCWD, path, 0666, replaces ? &old : NULL);

	if (!error)
		error = tulle__new_file_close(&file, tulle__new_file_write(&file, bytes, count), 0);
	if (error)
		fail_writing(path, error);
}
