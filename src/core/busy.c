/* busy.c -- reads getrusage and, on Linux, two files of /proc. */
#include "core/busy.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

long tulle__preemptions(void)
{
	struct rusage usage;

	return getrusage(RUSAGE_SELF, &usage) == 0 ? usage.ru_nivcsw : 0;
}

/* The beginning of a file, as a string; empty if it cannot be read. */
static void read_beginning(const char *path, char *text, size_t size)
{
	const int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t got = -1;

	if (fd >= 0) {
		got = read(fd, text, size - 1);
		close(fd);
	}
	text[got > 0 ? got : 0] = 0;
}

/* /proc/loadavg: three averages, then the number of threads that run or want to, "3/159", and more. */
int tulle__overloaded(void)
{
	char text[128], *word = text;

	read_beginning("/proc/loadavg", text, sizeof text);
	for (int n = 0; n < 3 && word; n++)
		word = (word = strchr(word, ' ')) ? word + 1 : NULL;
	return word && strtol(word, NULL, 10) > sysconf(_SC_NPROCESSORS_ONLN);
}

/* /proc/stat: "cpu", then ticks of user, nice, system, idle, iowait, irq, softirq, steal. */
double tulle__stolen_seconds(void)
{
	enum { STEAL = 8 };
	char text[256], *word = text;
	const long ticks = sysconf(_SC_CLK_TCK);
	double stolen = 0;

	read_beginning("/proc/stat", text, sizeof text);
	if (ticks <= 0 || strncmp(text, "cpu ", 4) != 0)
		return 0;
	word += 3;
	for (int n = 0; n < STEAL; n++) {
		char *end;

		stolen = (double)strtoull(word, &end, 10);
		if (end == word)
			return 0;
		word = end;
	}
	return stolen / (double)ticks;
}
