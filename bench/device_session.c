/* device_session.c -- a run on one device: every subject with every contender, reported line by line and in
 * JSON. */
#include "device.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { EXIT_WRONG = 1, EXIT_USAGE = 2 };

/* Contenders and what they did on one subject; large. */
struct bench_device_session {
	const bench_device_wishes *wishes;
	bench_device_run run;
	bench_device_contender who[BENCH_DEVICE_MAX];
	bench_device_row row[BENCH_DEVICE_MAX];
	int count;
	FILE *json;                  /* or NULL */
	int subjects, wrong, failed; /* subjects; results; subjects */
};

static int number_of(const char *device)
{
	const char *colon = strchr(device, ':');
	return colon ? atoi(colon + 1) : 0;
}

/* What each contender did, a line each: device_report.py makes tables of the JSON. */
static void print(bench_device_session *s, const char *subject)
{
	for (int n = 0; n < s->count; n++) {
		const bench_device_row *row = &s->row[n];
		printf("%-36s %-32s ", subject, row->who->name);
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

void bench_device_failed(bench_device_session *s)
{
	s->failed++;
}

void bench_device_one(bench_device_session *s, const bench_device_subject *of)
{
	/* Devices that are not GPUs are not timed: the minimum number of samples is used. */
	const double seconds = s->run.info.gpu ? s->wishes->seconds : 0;
	if (bench_device_measure(of, number_of(s->run.info.name), seconds, s->who, s->count, s->row)) {
		fprintf(stderr, "%s: out of memory\n", of->name);
		s->failed++;
		return;
	}
	print(s, of->name);
	if (s->json)
		bench_device_json_matrix(s->json, &s->run, of, !s->subjects, s->row, s->count);
	s->subjects++;
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

static int start(bench_device_session *s)
{
	const bench_device_wishes *w = s->wishes;
	if (bench_device_open(w->device, &s->run.info))
		return -1;
	if (check_type(w, &s->run.info) || bench_device_choose(w, &s->run, s->who, &s->count))
		return -1;
	if (w->json && !(s->json = fopen(w->json, "w"))) {
		perror(w->json);
		return -1;
	}
	printf("%s: %s%s\n", s->run.info.name, s->run.info.model,
	       s->run.info.gpu ? "" : ", not a GPU: no times");
	if (s->json)
		bench_device_json_begin(s->json, &s->run);
	return 0;
}

bench_device_session *bench_device_begin(const bench_device_wishes *wishes)
{
	bench_device_session *s = calloc(1, sizeof *s);
	if (!s)
		return NULL;
	s->wishes = wishes;
	s->run.type = wishes->type;
	s->run.argc = wishes->argc;
	s->run.argv = wishes->argv;
	if (!start(s))
		return s;
	bench_device_close();
	free(s);
	return NULL;
}

int bench_device_end(bench_device_session *s)
{
	int status = 0;
	if (s->json) {
		bench_device_json_end(s->json);
		status = ferror(s->json);
		status |= fclose(s->json);
		if (status)
			fprintf(stderr, "%s cannot be written\n", s->wishes->json);
	}
	status = status || s->failed ? EXIT_USAGE : s->wrong ? EXIT_WRONG : 0;
	bench_device_close();
	free(s);
	return status;
}
