/* both_choice.c -- plans for both directions: what is chosen, what that is said to cost, and misuse. */
#include "both.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char SUBJECT[] = "random:rows=6000,cols=5000,mean=40";

/* ---- memory ---- */

void test_memory(void)
{
	static const char *const formats[] = { NULL, "sell", "csr" };
	both_subject s;

	both_set_up(&s, SUBJECT, NULL);
	for (int n = 0; n < 3; n++) {
		tulle_plan_options o = { .size = sizeof o,
			                     .op = TULLE_BOTH,
			                     .multiplies = 1e6,
			                     .reproducible = 1,
			                     .format = formats[n] };
		tulle_plan_info two, one;
		tulle_plan *p;

		check_about("%s", formats[n] ? formats[n] : "automatic");
		if (!CHECK_OK(tulle_plan_create(s.a, &o, &p)))
			continue;
		two = both_info(p);
		CHECK_THAT(two.stores == 2, "for a million multiplications A^T is not stored");
		tulle_plan_destroy(p);

		/* Room for one store alone: A^T has 16 bytes per nonzero before it is converted. */
		o.max_bytes = (size_t)s.m.nnz * 13;
		if (!CHECK_OK(tulle_plan_create(s.a, &o, &p)))
			continue;
		one = both_info(p);
		CHECK_THAT(one.stores == 1, "max_bytes leaves room for one store, but there are two");
		CHECK_THAT(one.extra_bytes <= o.max_bytes + 8192, "%zu bytes, allowed were %zu",
		           one.extra_bytes, o.max_bytes);
		both_check(&s, p, s.m.val);
		tulle_plan_destroy(p);
	}
	both_tear_down(&s);
	check_group("a memory limit leads from two stores to one");
}

/* ---- what is chosen ---- */

void test_choice(void)
{
	both_subject s;

	both_set_up(&s, SUBJECT, NULL);
	for (int stores = 0; stores <= 2; stores++) {
		const tulle_plan_options o = {
			.size = sizeof o, .op = TULLE_BOTH, .multiplies = 1e5, .stores = stores
		};
		tulle_plan *p;
		tulle_plan_info i, t;

		check_about("stores %d", stores);
		if (!CHECK_OK(tulle_plan_create(s.a, &o, &p)))
			continue;
		i = both_info(p);
		t = both_info(tulle_plan_transposed(p));
		CHECK_EQUAL(t.rows, i.cols);
		CHECK_EQUAL(t.cols, i.rows);
		CHECK_EQUAL(t.op, TULLE_TRANSPOSED);
		CHECK_THAT(i.multiply_seconds > 0 && i.transposed_seconds > 0, "times are missing");
		CHECK(t.multiply_seconds == i.transposed_seconds);
		CHECK(i.extra_bytes >= t.extra_bytes);
		CHECK_THAT(stores != 1 || !strcmp(t.way, "scatter"), "%s", t.way);
		tulle_plan_destroy(p);
	}
	for (int few = 0; few < 2; few++) {
		const tulle_plan_options o = { .size = sizeof o, .op = TULLE_BOTH, .multiplies = 5 };
		tulle_plan *p;

		if (!CHECK_OK(tulle_plan_create(s.a, &o, &p)))
			continue;
		CHECK_THAT(both_info(p).stores == 1 && !strcmp(both_info(p).format, "csr"), "%s for 5",
		           both_info(p).format);
		CHECK(both_info(p).extra_bytes < 20000);
		both_check(&s, p, s.m.val);
		tulle_plan_destroy(p);
	}
	both_tear_down(&s);
	check_group("what is chosen");
}

/* ---- words ---- */

void test_words(void)
{
	both_subject s;

	both_set_up(&s, SUBJECT, NULL);
	for (int stores = 1; stores <= 2; stores++) {
		const tulle_plan_options o = {
			.size = sizeof o, .op = TULLE_BOTH, .multiplies = 1e5, .stores = stores
		};
		char text[8192];
		tulle_plan *p;

		check_about("stores %d", stores);
		if (!CHECK_OK(tulle_plan_create(s.a, &o, &p)))
			continue;
		CHECK(tulle_plan_explain(p, text, sizeof text) < sizeof text);
		CHECK_WORDS(text, "A^T stores time (predicted) directions");
		CHECK_THAT(strstr(text, stores == 1 ? "one: " : "two: ") != NULL, "%s", text);
		CHECK_THAT(strstr(text, "A^T time") != NULL, "%s", text);
		CHECK(tulle_plan_explain(tulle_plan_transposed(p), text, sizeof text) < sizeof text);
		CHECK_THAT(!strncmp(text, "y = A^T x with ", 15), "%s", text);
		tulle_plan_destroy(p);
	}
	both_tear_down(&s);
	check_group("explanations");
}

/* ---- misuse ---- */

static void refuse(const tulle_matrix *a, tulle_plan_options o, tulle_status status,
                   const char *words)
{
	tulle_plan *p = NULL;

	o.size = sizeof o;
	CHECK_STATUS(tulle_plan_create(a, &o, &p), status);
	CHECK_WORDS(tulle_last_error(), words);
	CHECK_THAT(!p, "a failed call must give no plan");
	tulle_plan_destroy(p);
}

void test_misuse(void)
{
	both_subject s;
	tulle_plan *p;

	both_set_up(&s, SUBJECT, NULL);
	for (int op = TULLE_NORMAL; op <= TULLE_TRANSPOSED; op++) {
		const tulle_plan_options o = { .size = sizeof o, .op = (tulle_op)op, .format = "csr" };

		check_about("op %d", op);
		if (!CHECK_OK(tulle_plan_create(s.a, &o, &p)))
			continue;
		CHECK_STATUS(tulle_mul_transposed_f64(p, 1, s.x, 0, s.y), TULLE_E_ARGUMENT);
		CHECK_WORDS(tulle_last_error(), "options.op TULLE_BOTH");
		CHECK(tulle_plan_transposed(p) == NULL);
		CHECK_WORDS(tulle_last_error(), "options.op TULLE_BOTH");
		tulle_plan_destroy(p);
	}
	check_about("arguments");
	CHECK_STATUS(tulle_mul_transposed_f64(NULL, 1, s.x, 0, s.y), TULLE_E_ARGUMENT);
	CHECK_WORDS(tulle_last_error(), "plan NULL");
	CHECK(tulle_plan_transposed(NULL) == NULL);
	refuse(s.a, (tulle_plan_options){ .op = (tulle_op)5 }, TULLE_E_ARGUMENT, "op 5 unknown");
	refuse(s.a, (tulle_plan_options){ .stores = 1 }, TULLE_E_ARGUMENT, "stores 1 TULLE_BOTH");
	refuse(s.a, (tulle_plan_options){ .op = TULLE_BOTH, .stores = 3 }, TULLE_E_ARGUMENT,
	       "stores 3");
	refuse(s.a, (tulle_plan_options){ .op = TULLE_BOTH, .stores = 1, .format = "csr5" },
	       TULLE_E_UNSUPPORTED, "stores csr5 csr sell");
	refuse(s.a, (tulle_plan_options){ .op = TULLE_BOTH, .format = "elll" }, TULLE_E_ARGUMENT,
	       "elll");
	if (fused_available()) {
		refuse(s.a, (tulle_plan_options){ .op = TULLE_BOTH, .stores = 1, .reproducible = 2 },
		       TULLE_E_UNSUPPORTED, "stores stored order");
		refuse(s.a,
		       (tulle_plan_options){
		           .op = TULLE_BOTH, .stores = 1, .reproducible = 2, .format = "sell" },
		       TULLE_E_UNSUPPORTED, "stores stored order");
	}
	if (CHECK_OK(tulle_plan_create(
	        s.a, &(tulle_plan_options){ .size = sizeof(tulle_plan_options), .op = TULLE_BOTH },
	        &p))) {
		float f = 0, g = 0;

		CHECK_STATUS(tulle_mul_transposed_f32(p, 1, &f, 0, &g), TULLE_E_TYPE);
		CHECK_STATUS(tulle_mul_transposed_f64(p, 1, NULL, 0, s.y), TULLE_E_ARGUMENT);
		CHECK_STATUS(tulle_mul_transposed_f64(p, 1, s.x, 0, s.x), TULLE_E_ARGUMENT);
		CHECK_WORDS(tulle_last_error(), "overlap");
		tulle_plan_destroy(p);
	}
	both_tear_down(&s);
	check_group("misuse");
}
