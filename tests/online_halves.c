/* online_halves.c -- options.online for values of 16 bits, of which csr multiplies a widened copy: a conversion has the
 * values of the latest update. */
#include "online_stage.h"

#include <stdlib.h>
#include <string.h>

/* The plan multiplies by the values of its latest update, and gives them back. */
static void check_values(stage *g, int format)
{
	tulle_csr_view view = { .size = sizeof view };
	tulle_matrix *back = NULL;

	multiply_by(g, format);
	if (g->op != TULLE_NORMAL)
		return; /* A^T comes back, with its values in another order */
	if (CHECK_OK(tulle_matrix_from_plan(g->plan, &back)) &&
	    CHECK_OK(tulle_matrix_view_csr(back, &view)) && CHECK_EQUAL(view.value_type, g->type) &&
	    g->val[g->values])
		CHECK_THAT(memcmp(view.val, g->val[g->values], (size_t)view.nnz * sizeof(uint16_t)) == 0,
		           "other values than %d come back", g->values);
	tulle_matrix_destroy(back);
}

/* The caller's array may be overwritten after an update. */
static void update_from_copy(stage *g, int values)
{
	const size_t bytes = (size_t)g->m.nnz * sizeof(uint16_t);
	void *kept = g->val[values], *given = grab(g->m.nnz, sizeof(uint16_t));

	if (kept) {
		memcpy(given, kept, bytes);
		g->val[values] = given;
	}
	update(g, values);
	g->val[values] = kept;
	memset(given, 0x55, bytes);
	free(given);
}

/* An update before the comparison, and one to `last` between comparison and conversion. */
static void test_converted(tulle_value_type type, tulle_op op, const tulle_plan_options *o,
                           int last)
{
	stage g;

	reset_hooks();
	set_up_halves(&g, type, op, o);
	update_from_copy(&g, 1);
	multiply_times(&g, COMPARED_AT, BY_CSR);
	wait_until_compared(&g);
	update_from_copy(&g, last);
	check_values(&g, BY_CSR);
	hooks.hold = CONVERTED;
	multiply_until_held(&g);
	let_go();
	wait_for_phase(&g, TULLE_ONLINE_CONVERTED);
	check_values(&g, BY_SELL);
	update_from_copy(&g, 0);
	check_values(&g, BY_SELL);
	tear_down(&g);
}

/* The same where csr is the best. */
static void test_stayed(tulle_value_type type, tulle_op op, const tulle_plan_options *o)
{
	stage g;

	reset_hooks();
	hooks.multiply = TICK;
	set_up_halves(&g, type, op, o);
	update_from_copy(&g, 1);
	multiply_times(&g, COMPARED_AT, BY_CSR);
	wait_for_phase(&g, TULLE_ONLINE_STAYED);
	check_values(&g, BY_CSR);
	update_from_copy(&g, 0);
	check_values(&g, BY_CSR);
	tear_down(&g);
}

void test_halves(void)
{
	static const tulle_value_type types[] = { TULLE_F16, TULLE_BF16 };

	for (int n = 0; n < 8; n++) {
		const tulle_value_type type = types[n % 2];
		const tulle_op op = n / 2 % 2 ? TULLE_TRANSPOSED : TULLE_NORMAL;
		const tulle_plan_options o = { .size = sizeof o,
			                           .vector_type = n / 4 ? TULLE_F64 : TULLE_F32 };

		check_about("%s times %s, op %d", type_name(type), type_name(o.vector_type), (int)op);
		for (int last = 0; last < VALUES; last++)
			test_converted(type, op, &o, last);
		test_stayed(type, op, &o);
	}
}
