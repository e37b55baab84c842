/* header.c -- tulle.h alone, as the strictest users compile it: as C11 and as C++17. */
#include <tulle.h>

int uses_the_header(tulle_plan_options *options);
int uses_the_header(tulle_plan_options *options)
{
	options->size = sizeof *options;
	options->op = TULLE_TRANSPOSED;
	return TULLE_VERSION;
}
