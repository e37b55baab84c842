/* fuzz_wisdom.c -- any bytes are a wisdom file: what comes out of it are sound records, and adding to it
 * loses none of them.
 *
 * No fuzzer guesses check sums, so a '#' at the end of a line is made the right one. */
#include "core/memory.h"
#include "summed.h"

#include <math.h>
#include <sys/mman.h>
#include <unistd.h>

enum { MATRIX = 0xaa, MACHINE = 0xbb, MOST = 12 };

/* Nothing of a message may steer a terminal. */
static void check_line(void *user, tulle_log_level level, const char *line)
{
	(void)user;
	(void)level;
	REQUIRE(*line);
	for (; *line; line++)
		REQUIRE((unsigned char)*line >= 0x20 && *line != 0x7f);
}

static int same(const tulle__wisdom_record *a, const tulle__wisdom_record *b)
{
	int equal = a->matrix == b->matrix && a->machine == b->machine && a->version == b->version &&
	            a->count == b->count && memcmp(a->name, b->name, sizeof a->name) == 0;

	for (int k = 0; k < TULLE__WISDOM_NUMBERS; k++)
		equal = equal && a->number[k] == b->number[k]; /* neither -0 nor NaN is among them */
	return equal;
}

/* What was read could have been written by us, and comes back the same. */
static void check_record(const tulle__wisdom_record *r)
{
	char line[TULLE__WISDOM_LINE_MAX + TULLE__WISDOM_SLACK];
	const size_t n = tulle__wisdom_write(r, line);
	tulle__wisdom_record back;

	REQUIRE(r->matrix == MATRIX && r->machine == MACHINE);
	REQUIRE(r->count >= 0 && r->count <= TULLE__WISDOM_NUMBERS);
	for (int k = 0; k < r->count; k++)
		REQUIRE(isfinite(r->number[k]) && !signbit(r->number[k]));
	REQUIRE(n > 0);
	memset(line + n - 1, '\n', TULLE__WISDOM_SLACK);
	REQUIRE(tulle__wisdom_read(line, line + n - 1, &back));
	REQUIRE(same(r, &back));
}

/* Sifting keeps what is found, and twice is the same as once. */
static void check_sift(tulle__env *env, const char *text, size_t count,
                       const tulle__wisdom_record *found, int many)
{
	tulle__wisdom_record out[MOST];
	char *copy = malloc(count + TULLE__WISDOM_SLACK + 1), *once;
	size_t size = count, again;
	int64_t kept, dropped, still;

	REQUIRE(copy);
	memcpy(copy, text, count + TULLE__WISDOM_SLACK);
	REQUIRE(tulle__wisdom_sift(env, copy, &size, SIZE_MAX, &kept, &dropped) == TULLE_OK);
	REQUIRE(size <= count + 1 && kept >= 0 && dropped >= 0);
	again = size;
	once = malloc(size + TULLE__WISDOM_SLACK);
	REQUIRE(once);
	memcpy(once, copy, size);
	memset(once + size, '\n', TULLE__WISDOM_SLACK);
	REQUIRE(tulle__wisdom_pick(once, size, MATRIX, MACHINE, out, MOST) == many);
	for (int n = 0; n < many; n++)
		REQUIRE(same(&out[n], &found[n]));
	REQUIRE(tulle__wisdom_sift(env, once, &again, SIZE_MAX, &still, &dropped) == TULLE_OK);
	REQUIRE(again == size && still == kept && dropped == 0 && memcmp(once, copy, size) == 0);
	free(once);
	free(copy);
}

/* As a file, in memory: a first line that is ours or not, and a record more. */
static void check_file(tulle__env *env, const char *text, size_t count,
                       const tulle__wisdom_record *found, int many, int ours)
{
	const tulle__wisdom_record more = { .matrix = MATRIX, .machine = MACHINE, .name = "(more)" };
	const size_t header = ours ? TULLE__WISDOM_HEADER_BYTES : 0;
	tulle__wisdom_record out[MOST + 1];
	char path[40];
	const int fd = memfd_create("fuzz", MFD_CLOEXEC);
	int before, after;

	REQUIRE(fd >= 0 && write(fd, TULLE__WISDOM_HEADER, header) == (ssize_t)header);
	REQUIRE(write(fd, text, count) == (ssize_t)count);
	snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
	before = tulle__wisdom_find(env, path, MATRIX, MACHINE, out, MOST);
	REQUIRE(!ours || before == many);
	for (int n = 0; n < before; n++)
		REQUIRE(ours ? same(&out[n], &found[n]) : out[n].matrix == MATRIX);
	tulle__wisdom_add(env, path, &more, 1);
	after = tulle__wisdom_find(env, path, MATRIX, MACHINE, out, MOST + 1);
	if (ours) {
		REQUIRE(after >= many && same(&out[after - 1], &more));
		for (int n = 0, k = 0; n < many; n++) /* in their order, but for one of that name */
			if (strcmp(found[n].name, more.name) != 0 || found[n].version != more.version) {
				while (k < after && !same(&out[k], &found[n]))
					k++;
				REQUIRE(k < after);
			}
	}
	close(fd);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	tulle__env env = { .alloc = tulle__default_alloc,
		               .free = tulle__default_free,
		               .log = check_line,
		               .memory_limit = (size_t)64 << 20 };
	tulle__wisdom_record found[MOST];
	size_t count;
	char *const text = summed_text(data, size, 0, &count);
	const int many = tulle__wisdom_pick(text, count, MATRIX, MACHINE, found, MOST);

	REQUIRE(many <= MOST);
	for (int n = 0; n < many; n++)
		check_record(&found[n]);
	check_sift(&env, text, count, found, many);
	check_file(&env, text, count, found, many, 1);
	check_file(&env, text, count, found, many, 0);
	REQUIRE(atomic_load(&env.blocks_held) == 0);
	free(text);
	return 0;
}
