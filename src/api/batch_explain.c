/* batch_explain.c -- a batch in words: its classes of problems, the kernel of each, and the reason. */
#include "api/batch_handle.h"
#include "api/say.h"

#include <inttypes.h>

static const char *plural(int64_t n)
{
	return n == 1 ? "" : "s";
}

static double percent(double part, double all)
{
	return all > 0 ? 100 * part / all : 0;
}

static void say_class(tulle__page *p, const tulle_batch *b, const tulle__batch_class *c)
{
	tulle__say(p, "  %-12s %8" PRId64 " problem%s of ", tulle__batch_kernel_name[c->kernel],
	           c->problems, plural(c->problems));
	if (c->least_rows < c->most_rows)
		tulle__say(p, "%" PRId64 " to ", c->least_rows);
	tulle__say(p, "%" PRId64 " row%s, %.1f nonzeros per row, %.0f %% of the work: %s\n",
	           c->most_rows, plural(c->most_rows),
	           (double)c->nnz / (double)(c->rows > 0 ? c->rows : 1),
	           percent((double)c->nnz, (double)b->nnz), c->because);
}

size_t tulle_batch_explain(const tulle_batch *batch, char *text, size_t size)
{
	tulle__page p = { text, text ? size : 0, 0 };
	const tulle_batch *b = batch;
	double seconds = 0;

	if (!b) {
		tulle__say(&p, "no batch\n");
		return p.length;
	}
	tulle__say(
	    &p, "%" PRId64 " problem%s, %" PRId64 " rows and %" PRId64 " nonzeros in total, %s, %s\n",
	    b->store.data.count, plural(b->store.data.count), b->rows, b->nnz,
	    tulle__type_of(b->store.value_type)->name, tulle__isa_name(b->run.isa));
	tulle__say(&p, "shared structure: %s\n", b->classes.special);
	for (int n = 0; n < b->classes.classes; n++) {
		say_class(&p, b, &b->classes.class[n]);
		seconds += b->classes.class[n].seconds;
	}
	tulle__say(&p, "reads: %.3g MB of matrices, %.1f bytes per nonzero (actual)\n",
	           (double)b->store.bytes / 1e6,
	           b->nnz > 0 ? (double)b->store.bytes / (double)b->nnz : 0.0);
	tulle__say(&p, "time: %.3g ms per multiplication on one thread (predicted)\n", 1e3 * seconds);
	tulle__say(&p, "planning: %.3g ms (measured), for %.0f multiplication%s; %" PRId64 " part%s\n",
	           1e3 * b->seconds, b->multiplies, b->multiplies == 1 ? "" : "s", b->store.data.parts,
	           plural(b->store.data.parts));
	if (b->store.interleaved)
		tulle__say(&p, "vectors can be interleaved, %d problems per group\n", b->store.lanes);
	if (b->store.borrows)
		tulle__say(&p, "values: your array, not copied\n");
	return p.length;
}
