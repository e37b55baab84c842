/* inflate.c -- gzip to text: with ISA-L (three times faster) when it is there, else with zlib.
 *
 * ISA-L is not linked but looked for with dlopen, once in a process, so that libtulle needs nothing
 * beyond zlib. Only its header, which gives the layout of its state, must be there at build time; the
 * number in the library's name changes when that layout does. Both sides stream: the text is never
 * in memory as a whole, and a small file that unpacks to a huge one costs time, not memory. */
#include "core/memory.h"
#include "io/gzip.h"
#include "io/source.h"

/* One side. open: TULLE_E_UNSUPPORTED when it is not there. step: take from next_in, put to next_out;
 * 0 go on, 1 the member ended, -1 bad data, or no memory when z->memory.status says so. */
typedef struct {
	tulle_status (*open)(tulle__inflater *z, tulle__env *env);
	int (*step)(tulle__inflater *z, char *to, size_t *room);
	void (*restart)(tulle__inflater *z); /* before the next member */
	void (*close)(tulle__inflater *z, tulle__env *env);
} side;

enum { GZIP_FIRST_BYTE = 0x1f };

struct tulle__inflater {
	const side *side;
	z_stream zlib;
	tulle__zlib_memory memory;
	struct inflate_state *isal;
	unsigned char *next; /* input not yet used */
	size_t waiting;
	int inside; /* 1: within a member, so the file must not end here */
};

/* ---- zlib ---- */

static tulle_status zlib_open(tulle__inflater *z, tulle__env *env)
{
	int result;

	z->memory.env = env;
	z->zlib.zalloc = tulle__zlib_alloc;
	z->zlib.zfree = tulle__zlib_free;
	z->zlib.opaque = &z->memory;
	result = inflateInit2(&z->zlib, 16 + MAX_WBITS); /* 16: a gzip header and trailer */
	return result == Z_OK ? TULLE_OK : tulle__zlib_fail(&z->memory, result);
}

static int zlib_step(tulle__inflater *z, char *to, size_t *room)
{
	const uInt most = *room < UINT32_MAX / 2 ? (uInt)*room : UINT32_MAX / 2;
	int result;

	z->zlib.next_in = z->next;
	z->zlib.avail_in = (uInt)z->waiting;
	z->zlib.next_out = (unsigned char *)to;
	z->zlib.avail_out = most;
	result = inflate(&z->zlib, Z_NO_FLUSH);
	z->next += z->waiting - z->zlib.avail_in;
	z->waiting = z->zlib.avail_in;
	*room = most - z->zlib.avail_out;
	return result == Z_STREAM_END ? 1 : result == Z_OK || result == Z_BUF_ERROR ? 0 : -1;
}

static void zlib_restart(tulle__inflater *z)
{
	inflateReset(&z->zlib);
}

static void zlib_close(tulle__inflater *z, tulle__env *env)
{
	(void)env;
	inflateEnd(&z->zlib);
}

static const side zlib_side = { zlib_open, zlib_step, zlib_restart, zlib_close };

/* ---- ISA-L ---- */

#ifdef TULLE__HAVE_ISAL
#include <dlfcn.h>
#include <isa-l/igzip_lib.h>
#include <pthread.h>

static struct {
	void (*init)(struct inflate_state *);
	void (*reset)(struct inflate_state *);
	int (*inflate)(struct inflate_state *);
} isal;

/* Never closed: the library stays as long as the process. */
static void isal_load(void)
{
	void *const library = dlopen("libisal.so.2", RTLD_NOW | RTLD_LOCAL);

	if (!library)
		return;
	*(void **)&isal.init = dlsym(library, "isal_inflate_init");
	*(void **)&isal.reset = dlsym(library, "isal_inflate_reset");
	*(void **)&isal.inflate = dlsym(library, "isal_inflate");
}

static tulle_status isal_open(tulle__inflater *z, tulle__env *env)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;
	tulle_status status;

	pthread_once(&once, isal_load);
	if (!isal.init || !isal.reset || !isal.inflate)
		return TULLE_E_UNSUPPORTED;
	status = tulle__alloc_zero(env, 1, sizeof *z->isal, &z->isal);
	if (status != TULLE_OK)
		return status;
	isal.init(z->isal);
	z->isal->crc_flag = ISAL_GZIP;
	return TULLE_OK;
}

static int isal_step(tulle__inflater *z, char *to, size_t *room)
{
	const uint32_t most = *room < UINT32_MAX / 2 ? (uint32_t)*room : UINT32_MAX / 2;
	int result;

	z->isal->next_in = z->next;
	z->isal->avail_in = (uint32_t)z->waiting;
	z->isal->next_out = (unsigned char *)to;
	z->isal->avail_out = most;
	result = isal.inflate(z->isal);
	z->next = z->isal->next_in;
	z->waiting = z->isal->avail_in;
	*room = most - z->isal->avail_out;
	if (result != ISAL_DECOMP_OK && result != ISAL_END_INPUT)
		return -1;
	return z->isal->block_state == ISAL_BLOCK_FINISH;
}

static void isal_restart(tulle__inflater *z)
{
	isal.reset(z->isal);
	z->isal->crc_flag = ISAL_GZIP;
}

static void isal_close(tulle__inflater *z, tulle__env *env)
{
	tulle__free(env, z->isal);
}

static const side isal_side = { isal_open, isal_step, isal_restart, isal_close };
#endif

/* ---- the stream of members that a gzip file is ---- */

tulle__inflater *tulle__inflate_open(tulle__source *s)
{
	const side *const sides[] = {
#ifdef TULLE__HAVE_ISAL
		&isal_side,
#endif
		&zlib_side
	};
	tulle__inflater *z;
	tulle_status status = tulle__alloc(s->env, TULLE__SOURCE_INPUT, 1, &s->input);

	if (status == TULLE_OK)
		status = tulle__alloc_zero(s->env, 1, sizeof *z, &z);
	if (status == TULLE_OK) {
		/* zlib needs less memory than ISA-L, so it is tried after either kind of failure. */
		for (size_t n = 0; n < sizeof sides / sizeof *sides; n++) {
			z->side = sides[n];
			status = z->side->open(z, s->env);
			if (status == TULLE_OK)
				return z;
		}
		tulle__free(s->env, z);
	}
	tulle__source_problem(s, status, tulle_last_error());
	return NULL;
}

/* Input for the next step. Between members only another member may follow, or zero bytes, with which
 * some tools pad; 0 at the end of the file. */
static int refill(tulle__inflater *z, tulle__source *s)
{
	for (;;) {
		if (z->waiting == 0) {
			z->next = s->input;
			z->waiting = tulle__source_read_file(s, s->input, TULLE__SOURCE_INPUT);
			if (z->waiting == 0)
				return 0;
		}
		if (z->inside || *z->next == GZIP_FIRST_BYTE)
			return 1;
		if (*z->next != 0) {
			tulle__source_problem(s, TULLE_E_MATRIX, "something follows the compressed data");
			return 0;
		}
		z->next++;
		z->waiting--;
	}
}

size_t tulle__inflate_read(tulle__inflater *z, tulle__source *s, char *to, size_t bytes)
{
	size_t got = 0;

	while (got < bytes && s->status == TULLE_OK) {
		size_t room = bytes - got;
		const int fed = refill(z, s);
		int end;

		if (!fed && !z->inside)
			break; /* between members: the end; within one a step may still have output to give */
		z->inside = 1;
		end = z->side->step(z, to + got, &room);
		got += room;
		if (end < 0) {
			if (z->memory.status != TULLE_OK) /* zlib's window waits for the first output */
				tulle__source_problem(s, z->memory.status, tulle_last_error());
			tulle__source_problem(s, TULLE_E_MATRIX, "the compressed data are damaged");
		} else if (end) {
			z->side->restart(z);
			z->inside = 0;
		} else if (!fed && room == 0) {
			tulle__source_problem(s, TULLE_E_MATRIX, "the compressed data end too early");
		}
	}
	return got;
}

void tulle__inflate_rewind(tulle__inflater *z)
{
	z->side->restart(z);
	z->waiting = 0;
	z->inside = 0;
}

void tulle__inflate_close(tulle__inflater *z, tulle__env *env)
{
	z->side->close(z, env);
	tulle__free(env, z);
}
