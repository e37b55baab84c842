/* device.c -- tulle-compare --device: every matrix of a suite on one GPU. */
#include "device.h"

#include <stdio.h>
#include <string.h>

static void compare(bench_device_session *s, const bench_item *item, int f32)
{
	bench_device_subject subject;
	bench_loaded m;
	const int left_out = bench_load(item, &m);
	if (left_out) {
		if (left_out < 0)
			bench_device_failed(s);
		return;
	}
	if (bench_device_subject_make(&m, f32, &subject)) {
		fprintf(stderr, "%s: out of memory\n", m.name);
		bench_device_failed(s);
	} else {
		bench_device_one(s, &subject);
		bench_device_subject_free(&subject);
	}
	bench_unload(&m);
}

int bench_compare_device(const bench_device_wishes *wishes, const bench_suite *suite)
{
	enum { EXIT_USAGE = 2 };
	bench_device_session *s = bench_device_begin(wishes);
	if (!s)
		return EXIT_USAGE;
	for (int n = 0; n < suite->count; n++)
		compare(s, &suite->item[n], !strcmp(wishes->type, "f32"));
	return bench_device_end(s);
}
