/* batch_explain.c -- what became of a batch, in words. */
#include "api/batch_handle.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

/* Text that grows as far as there is room, and counts on. */
typedef struct {
	char *text;
	size_t size, length;
} page;

static __attribute__((format(printf, 2, 3))) void say(page *p, const char *format, ...)
{
	const size_t at = p->length < p->size ? p->length : p->size;
	va_list args;
	int n;

	va_start(args, format);
	n = vsnprintf(p->text ? p->text + at : NULL, p->size - at, format, args);
	va_end(args);
	p->length += n > 0 ? (size_t)n : 0;
}

static double percent(double part, double all)
{
	return all > 0 ? 100 * part / all : 0;
}

static void say_class(page *p, const tulle_batch *b, const tulle__batch_class *c)
{
	say(p, "  %-12s %8" PRId64 " problems of ", tulle__batch_kernel_name[c->kernel], c->problems);
	if (c->least_rows < c->most_rows)
		say(p, "%" PRId64 " to ", c->least_rows);
	say(p, "%" PRId64 " rows, %.1f nonzeros a row, %.0f %% of the work: %s\n", c->most_rows,
	    (double)c->nnz / (double)(c->rows > 0 ? c->rows : 1),
	    percent((double)c->nnz, (double)b->nnz), c->because);
}

size_t tulle_batch_explain(const tulle_batch *batch, char *text, size_t size)
{
	page p = { size > 0 ? text : NULL, text ? size : 0, 0 };
	const tulle_batch *b = batch;
	double seconds = 0;

	if (!b) {
		say(&p, "no batch\n");
		return p.length;
	}
	say(&p, "%" PRId64 " problems, %" PRId64 " rows and %" PRId64 " nonzeros in all, %s, %s\n",
	    b->store.data.count, b->rows, b->nnz, tulle__type_of(b->store.value_type)->name,
	    tulle__isa_name(b->run.isa));
	say(&p, "have in common: %s\n", b->classes.special);
	for (int n = 0; n < b->classes.classes; n++) {
		say_class(&p, b, &b->classes.class[n]);
		seconds += b->classes.class[n].seconds;
	}
	say(&p, "reads %.3g MB of matrices, %.1f bytes a nonzero; takes about %.3g ms on one thread\n",
	    (double)b->store.bytes / 1e6, b->nnz > 0 ? (double)b->store.bytes / (double)b->nnz : 0.0,
	    1e3 * seconds);
	say(&p, "%" PRId64 " parts; made in %.3g ms for %.0f multiplications\n", b->store.data.parts,
	    1e3 * b->seconds, b->multiplies);
	if (b->store.interleaved)
		say(&p, "vectors may be interleaved, %d problems side by side\n", b->store.lanes);
	if (b->store.borrows)
		say(&p, "values are the caller's\n");
	return p.length;
}
