/* recall.c -- reads times of candidates from the wisdom file, and adds new ones. */
#include "planner/recall.h"

#include "core/hash.h"
#include "core/log.h"
#include "planner/wisdom.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* CONVERT is 0 if it was disturbed. Records without a spread come from versions that trusted any time. */
enum { CONVERT, MULTIPLY, SLICED, SPREAD, CANDIDATE_NUMBERS };

/* A separate record: the number of multiplications for which likely formats were measured. */
static const char SEARCH[] = "search";
enum { SEARCH_VERSION = 2, SEARCH_NUMBERS = 1 };

/* A record for this factor more or fewer multiplications is not used. */
static const double ALIKE = 2;

/* Requests that lead to different layouts have separate records. */
static uint64_t key_of(const tulle__candidates *p, const tulle__request *request)
{
	const int asked[] = { request->ordered, request->rounded, (int)request->op };
	const size_t size = request->op == TULLE_NORMAL ? 2 * sizeof *asked : sizeof asked;
	const uint64_t key = tulle__hash(p->fingerprint, asked, size);

	return request->vectors == 1 ? key
	                             : tulle__hash(key, &request->vectors, sizeof request->vectors);
}

/* A record's name: "sell", or with the way if the format does not store A as it is: "sell/built". */
static void name_of(const tulle__format *format, tulle__way way, char name[TULLE__WISDOM_NAME])
{
	snprintf(name, TULLE__WISDOM_NAME, "%s%s%s", format->name, way == TULLE__AS_IS ? "" : "/",
	         way == TULLE__AS_IS ? "" : tulle__way_name(way));
}

static int is_time_of(const tulle__format *format, tulle__way way, const tulle__wisdom_record *r)
{
	char name[TULLE__WISDOM_NAME];

	name_of(format, way, name);
	return !strcmp(r->name, name) && r->version == format->version && r->count == CANDIDATE_NUMBERS;
}

int tulle__read_record(const tulle__wisdom_record *r, tulle_wisdom_info *out)
{
	const tulle__format *format = tulle__format_named(r->name, strcspn(r->name, "/"));

	if (!format || (!is_time_of(format, TULLE__AS_IS, r) && !is_time_of(format, TULLE__BUILT, r) &&
	                !is_time_of(format, TULLE__SCATTER, r)))
		return 0;
	out->convert_seconds = r->number[CONVERT];
	out->multiply_seconds = r->number[MULTIPLY];
	out->sliced = r->number[SLICED] > 0;
	out->spread = r->number[SPREAD];
	return 1;
}

static void recall_record(tulle__candidates *p, const tulle__wisdom_record *r)
{
	if (!strcmp(r->name, SEARCH) && r->version == SEARCH_VERSION && r->count == SEARCH_NUMBERS)
		p->searched =
		    r->number[0] <= ALIKE * p->multiplies && r->number[0] >= p->multiplies / ALIKE;
	for (int n = 0; n < p->count; n++) {
		tulle__candidate *c = &p->candidate[n];

		if (!is_time_of(c->format, c->way, r))
			continue;
		c->measured_convert = r->number[CONVERT];
		c->measured_multiply = r->number[MULTIPLY];
		c->sliced = r->number[SLICED] > 0;
		c->spread = r->number[SPREAD];
		c->recalled = 1;
	}
}

void tulle__recall(tulle__candidates *p, const tulle__request *request, const char *wisdom,
                   tulle__env *env)
{
	tulle__wisdom_record known[TULLE__MOST_CANDIDATES + 1];
	const int count = !wisdom ? 0
	                          : tulle__wisdom_find(env, wisdom, key_of(p, request), p->signature,
	                                               known, TULLE__MOST_CANDIDATES);

	if (wisdom)
		snprintf(p->wisdom_key, sizeof p->wisdom_key, "%016" PRIx64, key_of(p, request));
	for (int r = 0; r < count; r++)
		recall_record(p, &known[r]);
	tulle__calibrate(p);
}

static int doubtful(const tulle__candidates *p)
{
	for (int n = 0; n < p->count; n++)
		if (p->candidate[n].doubt)
			return 1;
	return 0;
}

void tulle__remember(const tulle__candidates *p, const tulle__request *request, const char *wisdom,
                     tulle__env *env)
{
	const tulle__wisdom_record key = { .matrix = key_of(p, request), .machine = p->signature };
	tulle__wisdom_record r[TULLE__MOST_CANDIDATES + 1];
	int count = 0;

	if (!wisdom)
		return;
	for (int n = 0; n < p->count; n++) {
		const tulle__candidate *c = &p->candidate[n];
		const double number[CANDIDATE_NUMBERS] = { [CONVERT] = c->measured_convert,
			                                       [MULTIPLY] = c->measured_multiply,
			                                       [SLICED] = c->sliced,
			                                       [SPREAD] = c->spread };

		if (!(c->measured_multiply > 0) || c->recalled)
			continue;
		r[count] = key;
		r[count].version = c->format->version;
		r[count].count = CANDIDATE_NUMBERS;
		memcpy(r[count].number, number, sizeof number);
		name_of(c->format, c->way, r[count++].name);
	}
	if (!doubtful(p)) {
		r[count] = key;
		r[count].version = SEARCH_VERSION;
		r[count].count = SEARCH_NUMBERS;
		r[count].number[0] = p->multiplies;
		memcpy(r[count++].name, SEARCH, sizeof SEARCH);
	}
	if (count > 0)
		tulle__wisdom_add(env, wisdom, r, count);
}

void tulle__forget(const tulle__candidates *p, const tulle__request *request, const char *wisdom,
                   tulle__env *env)
{
	const uint64_t matrix = key_of(p, request);
	int64_t forgotten;

	if (wisdom)
		tulle__wisdom_forget(env, wisdom, &matrix, &p->signature, &forgotten);
}
