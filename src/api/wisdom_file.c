/* wisdom_file.c -- lists and clears wisdom files: the public functions. */
#include "api/handles.h"
#include "core/status.h"
#include "core/text.h"
#include "planner/recall.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
	void (*record)(void *user, const tulle_wisdom_info *info);
	void *user;
} listener;

static void hand_on(void *user, const tulle__wisdom_record *r)
{
	const listener *to = user;
	tulle_wisdom_info info = { .size = sizeof info };

	snprintf(info.matrix, sizeof info.matrix, "%016" PRIx64, r->matrix);
	snprintf(info.machine, sizeof info.machine, "%016" PRIx64, r->machine);
	memcpy(info.name, r->name, sizeof info.name);
	info.used = tulle__read_record(r, &info);
	to->record(to->user, &info);
}

tulle_status tulle_wisdom_list(tulle_context *context, const char *path,
                               void (*record)(void *user, const tulle_wisdom_info *info),
                               void *user)
{
	tulle_context *c;
	tulle_status s = tulle__check_path(path);

	if (s == TULLE_OK && !record)
		s = tulle__fail(TULLE_E_ARGUMENT, "record is NULL");
	if (s == TULLE_OK)
		s = tulle__context_of(context, &c);
	return s == TULLE_OK ? tulle__wisdom_walk(&c->env, path, hand_on, &(listener){ record, user })
	                     : s;
}

/* Exactly 16 hexadecimal digits, of either case. */
static tulle_status read_key(const char *text, uint64_t *key)
{
	enum { DIGITS = 16 };
	char *end;

	if (strspn(text, "0123456789abcdefABCDEF") != DIGITS || text[DIGITS] != 0)
		return tulle__fail(TULLE_E_ARGUMENT, "matrix = \"%s\" is not 16 hexadecimal digits",
		                   tulle__show_name(text, strlen(text)).text);
	*key = strtoull(text, &end, 16);
	return TULLE_OK;
}

tulle_status tulle_wisdom_forget(tulle_context *context, const char *path, const char *matrix,
                                 int64_t *forgotten)
{
	tulle_context *c;
	uint64_t key = 0;
	int64_t count = 0;
	tulle_status s = tulle__check_path(path);

	if (s == TULLE_OK && matrix)
		s = read_key(matrix, &key);
	if (s == TULLE_OK)
		s = tulle__context_of(context, &c);
	if (s == TULLE_OK)
		s = tulle__wisdom_forget(&c->env, path, matrix ? &key : NULL, NULL, &count);
	if (s == TULLE_OK && forgotten)
		*forgotten = count;
	return s;
}
