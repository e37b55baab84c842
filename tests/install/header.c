/* header.c -- tulle.h alone, as the strictest users compile it: as C11 and as C++17. */
#include <tulle.h>

int uses_the_header(void);
int uses_the_header(void)
{
	tulle_plan_options options = { sizeof(tulle_plan_options), 0, TULLE_NORMAL, NULL, 0 };
	return (int)options.size + TULLE_VERSION;
}
