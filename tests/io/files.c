/* files.c -- files of a test: made in a folder of their own, gone when the test ends. */
#include "files.h"

#include <dirent.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include <zlib.h>

static char folder[200];

static void remove_folder(void)
{
	char command[300];

	snprintf(command, sizeof command, "rm -rf '%s'", folder);
	if (system(command) != 0)
		printf("%s is left\n", folder);
}

const char *file_path(const char *name)
{
	static char path[4][500];
	static int turn;

	if (!folder[0]) {
		const char *const base = getenv("TMPDIR");

		snprintf(folder, sizeof folder, "%s/tulle-test-XXXXXX", base && *base ? base : "/tmp");
		if (!mkdtemp(folder))
			abort();
		atexit(remove_folder);
	}
	turn = (turn + 1) % 4;
	snprintf(path[turn], sizeof path[turn], "%s/%s", folder, name);
	return path[turn];
}

const char *file_put(const char *name, const void *from, size_t count)
{
	const char *const path = file_path(name);
	FILE *f = fopen(path, "wb");

	if (!f || fwrite(from, 1, count, f) != count || fclose(f) != 0)
		abort();
	return path;
}

const char *file_text(const char *name, const char *text)
{
	return file_put(name, text, strlen(text));
}

char *file_get(const char *path, size_t *count)
{
	FILE *f = fopen(path, "rb");
	bytes b = { 0 };
	char piece[4096];
	size_t got;

	bytes_add(&b, "", 0);
	while (f && (got = fread(piece, 1, sizeof piece, f)) > 0)
		bytes_add(&b, piece, got);
	if (f)
		fclose(f);
	*count = b.count;
	return b.at;
}

int file_count(const char *end)
{
	DIR *d = opendir(file_path(""));
	const struct dirent *e;
	int count = 0;

	while (d && (e = readdir(d))) {
		const size_t n = strlen(e->d_name), m = strlen(end);

		count += n >= m && strcmp(e->d_name + n - m, end) == 0;
	}
	if (d)
		closedir(d);
	return count;
}

void in_child(void (*run)(void))
{
	const long before = check_failures();
	int status = -1;
	pid_t child;

	file_path(""); /* the folder is the parent's, who removes it */
	fflush(stdout);
	child = fork();
	if (child == 0) {
		run();
		fflush(stdout);
		_exit(check_failures() > before);
	}
	CHECK(waitpid(child, &status, 0) == child);
	CHECK_THAT(WIFEXITED(status) && WEXITSTATUS(status) == 0, "the child ended with %#x", status);
}

void bytes_add(bytes *b, const void *from, size_t count)
{
	if (b->count + count + 1 > b->room) {
		b->room = 2 * (b->count + count) + 1000;
		b->at = realloc(b->at, b->room);
		if (!b->at)
			abort();
	}
	memcpy(b->at + b->count, from, count);
	b->count += count;
	b->at[b->count] = '\0';
}

void bytes_print(bytes *b, const char *format, ...)
{
	char line[2000];
	va_list args;

	va_start(args, format);
	bytes_add(b, line, (size_t)vsnprintf(line, sizeof line, format, args));
	va_end(args);
}

void bytes_add_gzip(bytes *b, const void *from, size_t count)
{
	z_stream z = { .zalloc = NULL };
	const size_t room = compressBound(count) + 100;
	char *to = grab((int64_t)room, 1);

	deflateInit2(&z, 6, Z_DEFLATED, 16 + MAX_WBITS, 8, Z_DEFAULT_STRATEGY);
	z.next_in = (unsigned char *)(uintptr_t)from;
	z.avail_in = (uInt)count;
	z.next_out = (unsigned char *)to;
	z.avail_out = (uInt)room;
	if (deflate(&z, Z_FINISH) != Z_STREAM_END)
		abort();
	bytes_add(b, to, z.total_out);
	deflateEnd(&z);
	free(to);
}

void bytes_add_tar(bytes *b, const char *name, const char *text)
{
	char block[512] = "";
	unsigned sum = 0;

	if (!name) {
		bytes_add(b, block, sizeof block);
		bytes_add(b, block, sizeof block);
		return;
	}
	snprintf(block, 100, "%s", name);
	snprintf(block + 100, 8, "0000644");
	snprintf(block + 124, 12, "%011o", (unsigned)strlen(text));
	memcpy(block + 257, "ustar\00000", 8);
	block[156] = '0';
	memset(block + 148, ' ', 8);
	for (int n = 0; n < 512; n++)
		sum += (unsigned char)block[n];
	snprintf(block + 148, 8, "%06o", sum);
	bytes_add(b, block, sizeof block);
	bytes_add(b, text, strlen(text));
	memset(block, 0, sizeof block);
	bytes_add(b, block, (512 - strlen(text) % 512) % 512);
}

void check_refused(const char *path, const tulle_read_options *how, tulle_status status,
                   const char *words)
{
	tulle_context_info info = { .size = sizeof info };
	tulle_context *context = NULL;
	tulle_matrix *a = (tulle_matrix *)&info;

	check_about("%s", path ? path : "no path");
	CHECK_OK(tulle_context_create(NULL, &context));
	CHECK_STATUS(tulle_matrix_read(context, path, how, &a), status);
	CHECK(a == NULL);
	CHECK_WORDS(tulle_last_error(), words);
	tulle_context_describe(context, &info);
	CHECK_EQUAL(info.blocks_held, 0);
	tulle_context_destroy(context);
	check_about(" ");
}

void check_entries(const char *path, const tulle_read_options *how, const char *entries)
{
	tulle_csr_view v = { .size = sizeof v };
	tulle_matrix *a = NULL;
	bytes b = { 0 };

	check_about("%s", path ? path : "no path");
	if (!CHECK_OK(tulle_matrix_read(NULL, path, how, &a)))
		return;
	CHECK_OK(tulle_matrix_view_csr(a, &v));
	bytes_print(&b, "%lldx%lld", (long long)v.rows, (long long)v.cols);
	for (int64_t i = 0; i < v.rows; i++) {
		const int64_t begin = v.offset_type == TULLE_I32 ? ((const int32_t *)v.row_ptr)[i]
		                                                 : ((const int64_t *)v.row_ptr)[i];
		const int64_t end = v.offset_type == TULLE_I32 ? ((const int32_t *)v.row_ptr)[i + 1]
		                                               : ((const int64_t *)v.row_ptr)[i + 1];

		for (int64_t k = begin; k < end; k++) {
			bytes_print(&b, " %lld:%lld", (long long)i,
			            (long long)(v.column_type == TULLE_I32 ? ((const int32_t *)v.col)[k]
			                                                   : ((const int64_t *)v.col)[k]));
			if (v.val)
				bytes_print(&b, "=%.17g", value_at(v.value_type, v.val, k));
		}
	}
	CHECK_THAT(strcmp(b.at, entries) == 0, "%s, expected %s", b.at, entries);
	free(b.at);
	tulle_matrix_destroy(a);
	check_about(" ");
}
