/* device.c -- tulle-compare --device: every matrix of a suite on one GPU. */
#include "device.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { EXIT_WRONG = 1, EXIT_USAGE = 2 };

/* Contenders and what they did on one matrix; large. */
typedef struct {
	bench_device_run run;
	bench_device_contender who[BENCH_DEVICE_MAX];
	bench_device_row row[BENCH_DEVICE_MAX];
	int count;
	FILE *json;                  /* or NULL */
	int matrices, wrong, failed; /* matrices; results; matrices */
} session;

static int number_of(const char *device)
{
	const char *colon = strchr(device, ':');
	return colon ? atoi(colon + 1) : 0;
}

/* What each contender did, a line each: device_report.py makes tables of the JSON. */
static void print(session *s, const char *matrix)
{
	for (int n = 0; n < s->count; n++) {
		const bench_device_row *row = &s->row[n];
		printf("%-36s %-32s ", matrix, row->who->name);
		if (*row->why)
			printf("refused: %s\n", row->why);
		else if (row->wrong || !s->run.info.gpu)
			printf("%s, %.3f of the bound\n", row->wrong ? "WRONG" : "right", row->error);
		else
			printf("right, %.3f of the bound, %.2f us\n", row->error, 1e6 * row->best);
		s->wrong += row->wrong;
	}
	fflush(stdout);
}

static void compare(session *s, const bench_device_wishes *w, const bench_item *item)
{
	/* What is no GPU has nothing to be timed: as few samples as there must be. */
	const double seconds = s->run.info.gpu ? w->seconds : 0;
	bench_loaded m;
	const int left_out = bench_load(item, &m);
	s->failed += left_out < 0;
	if (left_out)
		return;
	if (bench_device_measure(&m.a, !strcmp(w->type, "f32"), number_of(s->run.info.name), seconds,
	                         s->who, s->count, s->row)) {
		fprintf(stderr, "%s: out of memory\n", m.name);
		s->failed++;
	} else {
		print(s, m.name);
		if (s->json)
			bench_device_json_matrix(s->json, &s->run, &m, !s->matrices, s->row, s->count);
		s->matrices++;
	}
	bench_unload(&m);
}

static int check_type(const bench_device_wishes *w, const tulle_device_info *info)
{
	if (strcmp(w->type, "f32") && strcmp(w->type, "f64")) {
		fprintf(stderr, "--type wants f32 or f64, not %s\n", w->type);
		return -1;
	}
	if (!strcmp(w->type, "f64") && !info->f64) {
		fprintf(stderr, "%s has no double precision: --type f32\n", w->device);
		return -1;
	}
	return 0;
}

/* Every matrix of the suite, with the contenders that are chosen. */
static int compare_all(session *s, const bench_device_wishes *w, const bench_suite *suite)
{
	int status = 0;
	if (w->json && !(s->json = fopen(w->json, "w"))) {
		perror(w->json);
		return EXIT_USAGE;
	}
	printf("%s: %s%s\n", s->run.info.name, s->run.info.model,
	       s->run.info.gpu ? "" : ", not a GPU: no times");
	if (s->json)
		bench_device_json_begin(s->json, &s->run);
	for (int n = 0; n < suite->count; n++)
		compare(s, w, &suite->item[n]);
	if (s->json) {
		bench_device_json_end(s->json);
		status = ferror(s->json);
		status |= fclose(s->json);
		if (status)
			fprintf(stderr, "%s cannot be written\n", w->json);
	}
	return status || s->failed ? EXIT_USAGE : s->wrong ? EXIT_WRONG : 0;
}

int bench_compare_device(const bench_device_wishes *wishes, const bench_suite *suite)
{
	session *s = calloc(1, sizeof *s);
	int status = EXIT_USAGE;
	if (!s)
		return EXIT_USAGE;
	s->run.type = wishes->type;
	s->run.argc = wishes->argc;
	s->run.argv = wishes->argv;
	if (!bench_device_open(wishes->device, &s->run.info)) {
		if (!check_type(wishes, &s->run.info) &&
		    !bench_device_choose(wishes, &s->run, s->who, &s->count))
			status = compare_all(s, wishes, suite);
		bench_device_close();
	}
	free(s);
	return status;
}
