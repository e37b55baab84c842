/* json_run.c -- description of a run: command, date, machine, compiler, sources. */
#include "json_run.h"

#include "bench_revision.h"
#include "json_text.h"

#include <stdio.h>
#include <time.h>

const char *bench_revision(void)
{
	return BENCH_REVISION;
}

const char *bench_cpu_model(void)
{
	static char model[256] = "unknown";
	char line[256], found[256];
	FILE *file = fopen("/proc/cpuinfo", "r");
	if (!file)
		return model;
	while (fgets(line, sizeof line, file))
		if (sscanf(line, "model name : %255[^\n]", found) == 1) {
			snprintf(model, sizeof model, "%s", found);
			break;
		}
	fclose(file);
	return model;
}

static void command_line(FILE *out, int argc, char **argv)
{
	fputs("    \"command\": [", out);
	for (int n = 0; n < argc; n++) {
		if (n)
			fputs(", ", out);
		json_string(out, argv[n]);
	}
	fputs("],\n", out);
}

void bench_json_run(FILE *out, int argc, char **argv)
{
	char date[32];
	time_t now = time(NULL);
	strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%SZ", gmtime(&now));
	command_line(out, argc, argv);
	json_text(out, "    ", "date", date, ",\n");
	json_text(out, "    ", "cpu", bench_cpu_model(), ",\n");
	json_text(out, "    ", "compiler", BENCH_COMPILER, ",\n");
	json_text(out, "    ", "plain_flags", BENCH_PLAIN_FLAGS, ",\n");
	json_text(out, "    ", "revision", bench_revision(), ",\n");
}
