/* explain.c -- a plan in words. */
#include "api/handles.h"

#include <inttypes.h>
#include <stdio.h>

size_t tulle_plan_explain(const tulle_plan *plan, char *text, size_t size)
{
	tulle_plan_info i = { .size = sizeof i };
	const char *whose;
	int length;

	if (size > 0 && text)
		*text = 0;
	if (tulle_plan_describe(plan, &i) != TULLE_OK)
		return 0;
	whose = plan->transposed.row_ptr                  ? "the transposed matrix was built first"
	        : !(plan->format->flags & TULLE__BORROWS) ? "into arrays of its own"
	        : plan->matrix->owned.col                 ? "none, on the library's copy of the arrays"
	                                                  : "none, on the arrays of the caller";
	length = snprintf(
	    text, size,
	    "y = %s x with %s, kernel %s, %s: chosen because %s\n"
	    "matrix      %" PRId64 " x %" PRId64 ", %" PRId64 " nonzeros, %s\n"
	    "reads       %.3f MB a multiplication, %.2f bytes a nonzero%s%s\n"
	    "conversion  %s; %.3f ms, %.3f MB of its own\n"
	    "work        %" PRId64 " parts fixed by the matrix: the same bits at any thread count\n",
	    i.op == TULLE_TRANSPOSED ? "A^T" : "A", i.format, i.kernel, i.isa, plan->why, i.rows,
	    i.cols, i.nnz, i.value_type == TULLE_F32 ? "f32" : "f64", 1e-6 * (double)i.bytes,
	    i.nnz > 0 ? (double)i.bytes / (double)i.nnz : 0, *i.note ? "; " : "", i.note, whose,
	    1e3 * i.seconds, 1e-6 * (double)i.extra_bytes, i.parts);
	return length > 0 ? (size_t)length : 0;
}
