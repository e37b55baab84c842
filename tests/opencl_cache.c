/* opencl_cache.c -- compiled kernels are taken from the cache only if nobody else can have put them there.
 */
#include "gpu/opencl_cache.h"
#include "support.h"

#include "api/handles.h"
#include "core/memory.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static tulle_context *context;
static char folder[200], file[500];
static char binary[] = "this would be a program";
static const tulle__opencl_key key = { { "device", "driver", "options", "dialect", "module" },
	                                   { 6, 6, 7, 7, 6 } };

static int get(const char *from, const tulle__opencl_key *k)
{
	unsigned char *got = NULL;
	size_t bytes = 0;
	const int found = tulle__opencl_cache_get(&context->env, from, k, &got, &bytes);

	if (found)
		CHECK_THAT(bytes == sizeof binary && memcmp(got, binary, bytes) == 0, "another program");
	CHECK_EQUAL(found, got != NULL);
	tulle__free(&context->env, got);
	return found;
}

static void put(const char *to)
{
	tulle__opencl_cache_put(&context->env, to, &key, (const unsigned char *)binary, sizeof binary);
}

/* The one file in the folder; how many there are. */
static int find_file(void)
{
	DIR *d = opendir(folder);
	struct dirent *e;
	int count = 0;

	while (d && (e = readdir(d)))
		if (e->d_name[0] != '.') {
			snprintf(file, sizeof file, "%s/%s", folder, e->d_name);
			count++;
		}
	if (d)
		closedir(d);
	return count;
}

static void remove_all(void)
{
	while (find_file() > 0)
		unlink(file);
	rmdir(folder);
}

static void keeps(void)
{
	struct stat is;

	check_about("a folder of one's own");
	CHECK(!get(folder, &key));
	put(folder);
	CHECK(stat(folder, &is) == 0 && (is.st_mode & 0777) == 0700);
	CHECK_EQUAL(find_file(), 1);
	CHECK(stat(file, &is) == 0 && (is.st_mode & 0777) == 0600);
	CHECK(get(folder, &key));
	put(folder);
	CHECK_EQUAL(find_file(), 1);
	check_group("keeps and finds");
}

/* Every part counts, and where one ends and the next begins. */
static void other_keys(void)
{
	tulle__opencl_key k;

	for (int n = 0; n < TULLE__OPENCL_KEY_PARTS; n++) {
		check_about("another part %d", n);
		k = key;
		k.part[n] = "DEVICES";
		CHECK(!get(folder, &k));
		k = key;
		k.length[n]--;
		CHECK(!get(folder, &k));
	}
	check_group("other keys");
}

/* A file under the right name whose key is another: what an attacker on the hash would aim at. */
static void another_key_inside(void)
{
	FILE *f = fopen(file, "r+b");

	check_about("another key inside");
	if (!CHECK(f))
		return;
	CHECK(fseek(f, 80, SEEK_SET) == 0 && fputc('X', f) == 'X');
	fclose(f);
	CHECK(!get(folder, &key));
	unlink(file);
	put(folder);
	CHECK(get(folder, &key));
	check_group("another key inside");
}

static void write_file(const char *text, size_t bytes)
{
	FILE *f = fopen(file, "wb");

	CHECK(f && fwrite(text, 1, bytes, f) == bytes);
	if (f)
		fclose(f);
}

/* Each byte of the file changed, and each length it could be cut to: a miss, never another program. */
static void spoiled(void)
{
	char text[1000];
	size_t size = 0;
	FILE *f;

	CHECK_EQUAL(find_file(), 1);
	f = fopen(file, "rb");
	if (!CHECK(f))
		return;
	size = fread(text, 1, sizeof text, f);
	fclose(f);
	CHECK(size > sizeof binary && size < sizeof text);
	for (size_t n = 0; n < size; n++) {
		check_about("byte %zu changed", n);
		text[n] ^= 0x10;
		write_file(text, size);
		text[n] ^= 0x10;
		CHECK(!get(folder, &key));
		check_about("cut to %zu bytes", n);
		write_file(text, n);
		CHECK(!get(folder, &key));
	}
	unlink(file);
	put(folder);
	CHECK(get(folder, &key));
	check_group("spoiled files");
}

/* Folders and files that somebody else could have written. */
static void strangers(void)
{
	char link[300];

	for (int mode = 0701; mode <= 0777; mode += 076 / 2) {
		check_about("folder of mode %o", (unsigned)mode);
		CHECK(chmod(folder, (mode_t)mode) == 0);
		CHECK(!get(folder, &key));
	}
	CHECK(chmod(folder, 0700) == 0);
	check_about("a file that others may write");
	CHECK(find_file() == 1 && chmod(file, 0622) == 0);
	CHECK(!get(folder, &key));
	CHECK(chmod(file, 0600) == 0 && get(folder, &key));
	check_about("a link to the folder");
	snprintf(link, sizeof link, "%s.link", folder);
	unlink(link);
	CHECK(symlink(folder, link) == 0);
	CHECK(!get(link, &key));
	unlink(link);
	check_about("a link instead of the file");
	snprintf(link, sizeof link, "%s.moved", folder);
	CHECK(rename(file, link) == 0 && symlink(link, file) == 0);
	CHECK(!get(folder, &key));
	unlink(file);
	unlink(link);
	check_about("a FIFO instead of the file");
	CHECK(mkfifo(file, 0600) == 0);
	CHECK(!get(folder, &key));
	unlink(file);
	if (geteuid() == 0) {
		check_about("a file of another user");
		put(folder);
		CHECK(find_file() == 1 && chown(file, 12345, 12345) == 0);
		CHECK(!get(folder, &key));
		CHECK(chown(folder, 12345, 12345) == 0);
		CHECK(!get(folder, &key));
	}
	check_group("strangers");
}

/* What cannot be kept is not kept, and nobody is hurt. */
static void nowhere(void)
{
	check_about("folders that cannot be");
	put("/dev/null/no");
	put("/proc/no");
	CHECK(!get("/dev/null", &key));
	CHECK(!get("/proc", &key));
	check_group("nowhere");
}

int main(void)
{
	const char *tmp = getenv("TMPDIR");

	snprintf(folder, sizeof folder, "%.120s/tulle-opencl-cache.%ld", tmp ? tmp : "/tmp",
	         (long)getpid());
	context = context_for(NULL, 1, 0);
	if (context) {
		remove_all();
		keeps();
		other_keys();
		another_key_inside();
		spoiled();
		strangers();
		nowhere();
		remove_all();
		CHECK_EQUAL(context->env.blocks_held, 0);
		tulle_context_destroy(context);
	}
	return check_end();
}
