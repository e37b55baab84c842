/* opencl_cache.c -- compiled OpenCL programs in a private folder of the user. */
#include "gpu/opencl_cache.h"

#include "core/hash.h"
#include "core/log.h"
#include "core/memory.h"
#include "core/new_file.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* A file: this, then the parts of the key, then the binary. */
typedef struct {
	char magic[16];
	uint64_t length[TULLE__OPENCL_KEY_PARTS];
	uint64_t bytes; /* of the binary */
	uint64_t check; /* hash of everything after the head */
} head;

static const char magic[16] = "tulle opencl 1";

enum { NAME = 40, MOST_BYTES = 256 << 20 };

static uint64_t hash_key(const tulle__opencl_key *key)
{
	uint64_t h = 1;

	for (int n = 0; n < TULLE__OPENCL_KEY_PARTS; n++)
		h = tulle__hash(h, key->part[n], key->length[n]);
	return h;
}

static size_t key_bytes(const tulle__opencl_key *key)
{
	size_t bytes = 0;

	for (int n = 0; n < TULLE__OPENCL_KEY_PARTS; n++)
		bytes += key->length[n];
	return bytes;
}

/* Opens the folder if only the user can access it; -1 otherwise. */
static int open_folder(const char *folder)
{
	const int fd = open(folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	struct stat is;

	if (fd < 0)
		return -1;
	if (fstat(fd, &is) == 0 && is.st_uid == geteuid() && (is.st_mode & 077) == 0)
		return fd;
	close(fd);
	errno = EPERM;
	return -1;
}

static int read_all(int fd, void *to, size_t bytes)
{
	for (char *at = to; bytes > 0;) {
		const ssize_t got = read(fd, at, bytes);

		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			return 0;
		at += got;
		bytes -= (size_t)got;
	}
	return 1;
}

/* Does the header match this key and a file of this size? */
static int head_fits(const head *h, const tulle__opencl_key *key, off_t size)
{
	if (memcmp(h->magic, magic, sizeof magic) != 0 || h->bytes > MOST_BYTES)
		return 0;
	for (int n = 0; n < TULLE__OPENCL_KEY_PARTS; n++)
		if (h->length[n] != key->length[n])
			return 0;
	return (uint64_t)size == sizeof *h + key_bytes(key) + h->bytes;
}

static int key_matches(const unsigned char *read_key, const tulle__opencl_key *key)
{
	for (int n = 0; n < TULLE__OPENCL_KEY_PARTS; read_key += key->length[n], n++)
		if (memcmp(read_key, key->part[n], key->length[n]) != 0)
			return 0;
	return 1;
}

/* The binary in an open file, or NULL. */
static unsigned char *read_file(tulle__env *env, int fd, const tulle__opencl_key *key,
                                size_t *bytes)
{
	const size_t keys = key_bytes(key);
	unsigned char *rest, *binary = NULL;
	struct stat is;
	head h;

	if (fstat(fd, &is) != 0 || !S_ISREG(is.st_mode) || is.st_uid != geteuid() ||
	    (is.st_mode & 022) != 0 || !read_all(fd, &h, sizeof h) || !head_fits(&h, key, is.st_size) ||
	    tulle__alloc(env, (int64_t)(keys + h.bytes), 1, &rest) != TULLE_OK)
		return NULL;
	if (read_all(fd, rest, keys + h.bytes) && tulle__hash(1, rest, keys + h.bytes) == h.check &&
	    key_matches(rest, key) && tulle__alloc(env, (int64_t)h.bytes, 1, &binary) == TULLE_OK)
		memcpy(binary, rest + keys, h.bytes);
	tulle__free(env, rest);
	*bytes = h.bytes;
	return binary;
}

int tulle__opencl_cache_get(tulle__env *env, const char *folder, const tulle__opencl_key *key,
                            unsigned char **binary, size_t *bytes)
{
	const int in = open_folder(folder);
	char name[NAME];
	int fd;

	*binary = NULL;
	if (in < 0)
		return 0;
	snprintf(name, sizeof name, "%016" PRIx64 ".opencl", hash_key(key));
	/* O_NONBLOCK: opening a FIFO must not wait */
	fd = openat(in, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	if (fd >= 0) {
		*binary = read_file(env, fd, key, bytes);
		close(fd);
	}
	close(in);
	return *binary != NULL;
}

/* Everything after the head, in one piece. */
static unsigned char *join(tulle__env *env, const tulle__opencl_key *key,
                           const unsigned char *binary, size_t bytes)
{
	unsigned char *all, *at;

	if (tulle__alloc(env, (int64_t)(key_bytes(key) + bytes), 1, &all) != TULLE_OK)
		return NULL;
	at = all;
	for (int n = 0; n < TULLE__OPENCL_KEY_PARTS; at += key->length[n], n++)
		memcpy(at, key->part[n], key->length[n]);
	memcpy(at, binary, bytes);
	return all;
}

static int write_file(tulle__env *env, int in, const tulle__opencl_key *key,
                      const unsigned char *binary, size_t bytes)
{
	const size_t keys = key_bytes(key);
	unsigned char *const all = join(env, key, binary, bytes);
	tulle__new_file file;
	char name[NAME];
	head h = { .bytes = bytes };
	int error;

	if (!all)
		return 0;
	memcpy(h.magic, magic, sizeof magic);
	for (int n = 0; n < TULLE__OPENCL_KEY_PARTS; n++)
		h.length[n] = key->length[n];
	h.check = tulle__hash(1, all, keys + bytes);
	snprintf(name, sizeof name, "%016" PRIx64 ".opencl", hash_key(key));
	error = tulle__new_file_open(&file, in, name, 0600, NULL);
	if (!error) {
		error = tulle__new_file_write(&file, &h, sizeof h);
		if (!error)
			error = tulle__new_file_write(&file, all, keys + bytes);
		error = tulle__new_file_close(&file, error, 0);
	}
	tulle__free(env, all);
	return !error;
}

void tulle__opencl_cache_put(tulle__env *env, const char *folder, const tulle__opencl_key *key,
                             const unsigned char *binary, size_t bytes)
{
	int in;

	if (bytes > MOST_BYTES)
		return;
	mkdir(folder, 0700);
	in = open_folder(folder);
	if (in < 0) {
		tulle__log(env, TULLE_LOG_WARNING, "compiled kernels are not kept in %.200s: %s", folder,
		           errno == EPERM ? "it is not yours alone (mode 0700)" : strerror(errno));
		return;
	}
	if (!write_file(env, in, key, binary, bytes))
		tulle__log(env, TULLE_LOG_WARNING, "compiled kernels could not be written to %.200s",
		           folder);
	close(in);
}
