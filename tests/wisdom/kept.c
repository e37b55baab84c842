/* kept.c -- what is kept when a wisdom file is rewritten: the newest line of each key, no other. */
#include "records.h"

#include "core/hash.h"

#include <stdlib.h>
#include <string.h>

/* Against the plain way: a line stays if no later one has its key, and the budget has room. */
static void check_sift(const tulle__wisdom_record *r, int count, size_t budget, uint64_t seed)
{
	caller c;
	bytes b = { 0 }, want = { 0 };
	int64_t kept = -1, dropped = -1, keep = 0, bad = 0;
	size_t used = 0, size;
	char *text, *stays = grab(count, 1);

	bytes_add(&b, "", 0);
	bytes_add(&want, "", 0);
	for (int n = count - 1; n >= 0; n--) {
		char line[TULLE__WISDOM_LINE_MAX];
		const size_t length = tulle__wisdom_write(&r[n], line);

		stays[n] = 1;
		for (int k = n + 1; k < count; k++)
			if (r[k].matrix == r[n].matrix && r[k].machine == r[n].machine &&
			    r[k].version == r[n].version && strcmp(r[k].name, r[n].name) == 0)
				stays[n] = 0;
		if (stays[n] && used + length > budget)
			stays[n] = 0;
		used += stays[n] ? length : 0;
		keep += stays[n];
	}
	for (int n = 0; n < count; n++) {
		static const char *const junk[] = { "\n", "x\n", "tulle wisdom 1\n", "\n\n" };
		const uint64_t h = tulle__hash(seed, &n, sizeof n) % 8;

		if (h < 4) {
			bytes_add(&b, junk[h], strlen(junk[h]));
			bad += h == 3 ? 2 : 1;
		}
		record_print(&b, &r[n]);
		if (stays[n])
			record_print(&want, &r[n]);
	}
	caller_begin(&c);
	size = b.count - (seed % 2 && b.count > 0); /* the last newline missing */
	text = text_with_slack(b.at, size);
	CHECK_OK(tulle__wisdom_sift(&c.env, text, &size, budget, &kept, &dropped));
	CHECK_EQUAL(kept, keep);
	CHECK_EQUAL(dropped, count - keep + bad);
	CHECK(size == want.count && memcmp(text, want.at, size) == 0);
	caller_end(&c);
	free(text);
	free(stays);
	free(b.at);
	free(want.at);
}

static void sift(void)
{
	static const char *const names[] = { "csr", "sell", "hot", "sym", "csr5", "ell" };
	tulle__wisdom_record r[200];

	for (int n = 0; n < 60; n++) {
		const int count = n * n % 200;

		for (int k = 0; k < count; k++) {
			const uint64_t h = tulle__hash((uint64_t)n, &k, sizeof k);

			r[k] = record_make(h % 3, h / 3 % 2, names[h / 6 % 6], (int)(h / 36 % 2), k);
		}
		check_sift(r, count, n % 3 ? (size_t)(20 * n) : 100000, (uint64_t)n);
	}
	check_group("what is kept, against the plain way");
}

int main(void)
{
	sift();
	return check_end();
}
