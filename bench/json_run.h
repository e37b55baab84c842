/* json_run.h -- description of a run, for the "run" of a JSON file and the head of a report. */
#ifndef BENCH_JSON_RUN_H
#define BENCH_JSON_RUN_H

#include <stdio.h>

/* "Intel(R) Xeon(R) Processor", or "unknown". */
const char *bench_cpu_model(void);

/* What git calls the sources of this build. */
const char *bench_revision(void);

/* The members command, date, cpu, compiler, plain_flags and revision, each with a comma after it. */
void bench_json_run(FILE *out, int argc, char **argv);

#endif
