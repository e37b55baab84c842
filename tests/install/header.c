/* header.c -- the headers alone, as the strictest users compile them: as C11 and as C++17. */
#include <tulle_batch.h>
#include <tulle_gpu.h>
#include <tulle_machine.h>
#include <tulle_pagerank.h>

int uses_the_header(tulle_plan_options *options);
int uses_the_header(tulle_plan_options *options)
{
	options->size = sizeof *options;
	options->op = TULLE_TRANSPOSED;
	return TULLE_VERSION;
}

void uses_pagerank(tulle_pagerank_options *options);
void uses_pagerank(tulle_pagerank_options *options)
{
	options->size = sizeof *options;
}

void uses_devices(tulle_device_options *options);
void uses_devices(tulle_device_options *options)
{
	options->size = sizeof *options;
}
