/* gpu_choice.c -- which format is chosen for a device, and descriptions of devices, right and wrong. No device is
 * needed. */
#include "heap.h"
#include "inner.h"
#include "kit.h"
#include "tulle_gpu.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST = 32 };

/* ---- rankings ---- */

typedef struct {
	int count;
	tulle_device_candidate_info of[MOST];
} ranking;

static ranking rank_with(const char *spec, const char *device, const tulle_device_plan_options *o)
{
	tulle_device_model model = { .size = sizeof model };
	tulle_device_ranking *made = NULL;
	tulle_matrix *a = NULL;
	ranking r = { .count = 0 };
	kit_matrix m;

	check_about("%s on %s", spec, device);
	if (!CHECK_OK(tulle_device_model_find(NULL, device, &model)) ||
	    !CHECK_THAT(kit_generate(spec, &m) == 0, "%s", kit_error()))
		return r;
	CHECK_OK(tulle_matrix_from_csr(NULL, m.rows, m.cols, TULLE_I64, m.row_ptr, TULLE_I32, m.col,
	                               TULLE_F64, m.val, NULL, &a));
	CHECK_OK(tulle_device_ranking_create(a, &model, o, &made));
	for (; r.count < MOST; r.count++) {
		r.of[r.count].size = sizeof r.of[r.count];
		if (!tulle_device_ranking_candidate(made, r.count, &r.of[r.count]))
			break;
	}
	tulle_device_ranking_destroy(made);
	tulle_matrix_destroy(a);
	kit_free(&m);
	return r;
}

static ranking rank(const char *spec, const char *device)
{
	return rank_with(spec, device, NULL);
}

/* The place of the first candidate whose name begins so; MOST: none, or it is out. */
static int place(const ranking *r, const char *name)
{
	for (int n = 0; n < r->count && !r->of[n].out; n++)
		if (strncmp(r->of[n].format, name, strlen(name)) == 0)
			return n;
	return MOST;
}

static const tulle_device_candidate_info *find(const ranking *r, const char *name)
{
	for (int n = 0; n < r->count; n++)
		if (strncmp(r->of[n].format, name, strlen(name)) == 0)
			return &r->of[n];
	CHECK_THAT(0, "%s is not listed", name);
	return &r->of[0];
}

/* The best first, out last; each format that runs on GPUs once at least. */
static void check_order(const ranking *r)
{
	CHECK(r->count > 0 && !r->of[0].out && r->of[0].relative == 1);
	for (int n = 1; n < r->count; n++) {
		CHECK(r->of[n].out >= r->of[n - 1].out);
		CHECK(r->of[n].out || r->of[n].relative >= r->of[n - 1].relative);
	}
	for (int n = 0; n < r->count; n++) {
		CHECK(r->of[n].because[0]);
		if (r->of[n].out) {
			CHECK(r->of[n].bytes == 0 && r->of[n].launches == 0);
			continue;
		}
		CHECK(r->of[n].bytes > 0 && r->of[n].requested > 0 && r->of[n].instructions > 0);
		CHECK(r->of[n].occupancy > 0 && r->of[n].occupancy <= 1);
	}
	for (const char *const *name = (const char *[]){ "csr", "ell", "ellr", "sell", "csr5", "coo",
	                                                 "hyb", "csc", "fastload", NULL };
	     *name; name++)
		find(r, *name);
}

static void check_presets(void)
{
	tulle_device_model m = { .size = sizeof m };
	int n = 0;

	for (; tulle_device_preset(n, &m); n++) {
		ranking r = rank("stencil7:n=24", m.name);
		int csr;

		check_order(&r);
		csr = place(&r, "csr:");
		CHECK_THAT(place(&r, "ell") < MOST || place(&r, "sell") < MOST, "no ellpack");
		CHECK(place(&r, "csr:kernel=vector") < place(&r, "csr:kernel=balanced"));
		CHECK(csr < MOST);
	}
	CHECK_EQUAL(n, 9);
	CHECK(!tulle_device_preset(-1, &m));
}

static void check_choices(void)
{
	ranking r = rank("stencil27:n=40", "h100");

	CHECK(place(&r, "sell") < place(&r, "csr:") && place(&r, "ellr") < place(&r, "csr:"));
	r = rank("stencil27:n=40", "mi250");
	CHECK(place(&r, "sell") < place(&r, "csr:"));

	/* one row with nine tenths of the columns */
	r = rank("circuit:rows=20000,dense=1,share=0.9", "a100");
	check_order(&r);
	CHECK(place(&r, "ell") == MOST && strstr(find(&r, "ellr")->because, "padding"));
	CHECK(place(&r, "csr:kernel=vector") > place(&r, "csr:kernel=adaptive"));
	CHECK(place(&r, "sell") > place(&r, "csr5"));
	CHECK(strcmp(find(&r, "sell")->because, "longest warp") == 0);

	/* tiny: what has the fewest launches is first */
	r = rank("stencil5:n=3", "h100");
	check_order(&r);
	CHECK_EQUAL(r.of[0].launches, 1);
	CHECK(place(&r, "coo") > place(&r, "sell"));

	/* random columns and rows of different lengths: no ELLPACK */
	r = rank("rmat:scale=13", "a100");
	CHECK(place(&r, "ell") == MOST && place(&r, "csr") == 0);
}

static void check_options(void)
{
	const tulle_device_plan_options same = { .size = sizeof same, .reproducible = 1 };
	const tulle_device_plan_options turned = { .size = sizeof turned, .op = TULLE_TRANSPOSED };
	ranking r = rank_with("stencil7:n=8", "a100", &same);

	CHECK(find(&r, "csc")->out && strstr(find(&r, "csc")->because, "atomics"));
	r = rank("stencil7:n=8", "a100");
	CHECK(!find(&r, "csc")->out && !find(&r, "csc")->same_bits);

	/* A has one dense row, A^T one dense column */
	r = rank("lp:rows=5,cols=3000,mean=700", "a100");
	CHECK(place(&r, "csr:kernel=scalar") > place(&r, "csr:kernel=vector"));
	r = rank_with("lp:rows=5,cols=3000,mean=700", "a100", &turned);
	CHECK(find(&r, "csr:kernel=scalar")->relative < 2);

	r = rank("empty:rows=0,cols=5", "a100");
	CHECK(r.count > 0);
	r = rank("empty:rows=50,cols=0", "a100");
	CHECK(r.count > 0);
}

/* ---- files ---- */

static const char GOOD[] = "# mine\nunits = 10\nclock_mhz=1400\n\n  bandwidth_gb = 108.8 # GB/s\r\n"
                           "l2_kib = 512\nmemory_mib = 1024";

static tulle_status read_text(const char *text, size_t bytes, tulle_device_model *m)
{
	char path[] = "./device-XXXXXX";
	const int file = mkstemp(path);
	tulle_status s;

	*m = (tulle_device_model){ .size = sizeof *m };
	if (!CHECK(file >= 0))
		return TULLE_OK;
	CHECK(write(file, text, bytes) == (ssize_t)bytes);
	close(file);
	s = tulle_device_model_find(NULL, path, m);
	unlink(path);
	return s;
}

static void check_good_file(void)
{
	tulle_device_model m;

	check_about("a good file");
	CHECK_OK(read_text(GOOD, sizeof GOOD - 1, &m));
	CHECK_EQUAL(m.units, 10);
	CHECK_EQUAL(m.width, 32);
	CHECK(m.clock == 1.4e9 && m.bandwidth == 1e9 * 108.8 && m.l2 == 512 * 1024.);
	CHECK(m.registers == 65536 && m.f64 == 32 && m.shuffles == 1);
}

static void check_bad_files(void)
{
	static const struct {
		const char *line; /* after GOOD, whose lines are 7 */
		const char *words;
	} bad[] = {
		{ "\nunits 3", ":8: no =" },
		{ "\nunits = ", ":8: number" },
		{ "\nunits = 3", ":8: twice" },
		{ "\nlanes = 33", ":8: power" },
		{ "\nlanes = 128", ":8: lanes 1 64" },
		{ "\nlanes = 1.5", ":8: whole" },
		{ "\nlanes = 0x20", ":8: number" },
		{ "\nwarps = nan", ":8: warps" },
		{ "\nwarps = 1e999", ":8: warps" },
		{ "\nwarps = -1", ":8: warps" },
		{ "\nissue = 4 4", ":8: number" },
		{ "\n\n= 4", ":9: unknown" },
		{ "\n\x1b[2J = 4", ":8: unknown \\x1b" },
		{ "\nname = ", ":8: name" },
	};
	static char large[1 << 17];
	tulle_device_model m;
	char text[512];

	for (size_t n = 0; n < sizeof bad / sizeof *bad; n++) {
		check_about("a file with%s", bad[n].line);
		snprintf(text, sizeof text, "%s%s", GOOD, bad[n].line);
		CHECK_STATUS(read_text(text, strlen(text), &m), TULLE_E_ARGUMENT);
		CHECK_WORDS(tulle_last_error(), bad[n].words);
	}
	check_about("other bad files");
	CHECK_STATUS(read_text("units = 1", 9, &m), TULLE_E_ARGUMENT);
	CHECK_WORDS(tulle_last_error(), "no clock_mhz");
	CHECK_STATUS(read_text("", 0, &m), TULLE_E_ARGUMENT);
	CHECK_STATUS(read_text("a\0= 1\n", 6, &m), TULLE_E_ARGUMENT);
	memset(large, '#', sizeof large);
	CHECK_STATUS(read_text(large, sizeof large, &m), TULLE_E_ARGUMENT);
	CHECK_STATUS(tulle_device_model_find(NULL, "./", &m), TULLE_E_IO);
	CHECK_STATUS(tulle_device_model_find(NULL, "./none.txt", &m), TULLE_E_IO);
	CHECK_STATUS(tulle_device_model_find(NULL, "h1000", &m), TULLE_E_ARGUMENT);
	CHECK_WORDS(tulle_last_error(), "h1000 h100, gtx295,");
	CHECK_STATUS(tulle_device_model_find(NULL, "", &m), TULLE_E_ARGUMENT);
	CHECK_STATUS(tulle_device_model_find(NULL, NULL, &m), TULLE_E_ARGUMENT);
	CHECK_STATUS(tulle_device_model_find(NULL, "h100", NULL), TULLE_E_ARGUMENT);
}

/* Bytes that may be anything: no crash, and what is accepted can be ranked with. */
static void check_any_bytes(void)
{
	static const char alphabet[] = "units=lanes clock_mhz#\n\r\t.0123456789e+-\x80\x1b";
	uint64_t state = 7;
	tulle_device_model m;
	char text[256];

	for (int n = 0; n < 2000; n++) {
		const size_t bytes = (size_t)random_below(&state, sizeof text);

		snprintf(text, sizeof text, "%s", GOOD);
		for (size_t k = 0; k < bytes; k++)
			if (random_below(&state, 8) == 0)
				text[k] = alphabet[random_below(&state, sizeof alphabet)];
		if (read_text(text, bytes, &m) == TULLE_OK)
			CHECK(m.units > 0 && m.width > 0 && m.width <= 64 && m.bandwidth > 0 && m.clock > 0);
	}
}

static void check_models(void)
{
	const double row[] = { 1 };
	const int32_t ptr[] = { 0, 1 }, col[] = { 0 };
	tulle_device_model m = { .size = sizeof m };
	tulle_device_ranking *r;
	tulle_matrix *a = NULL;

	check_about("models");
	CHECK_OK(tulle_matrix_from_csr(NULL, 1, 1, TULLE_I32, ptr, TULLE_I32, col, TULLE_F64, row, NULL,
	                               &a));
	CHECK_STATUS(tulle_device_ranking_create(a, &m, NULL, &r), TULLE_E_ARGUMENT);
	CHECK_OK(tulle_device_model_find(NULL, "p100", &m));
	m.width = 48;
	CHECK_STATUS(tulle_device_ranking_create(a, &m, NULL, &r), TULLE_E_ARGUMENT);
	CHECK_OK(tulle_device_model_find(NULL, "p100", &m));
	m.f64 = 0;
	CHECK_STATUS(tulle_device_ranking_create(a, &m, NULL, &r), TULLE_E_UNSUPPORTED);
	m.f64 = 1;
	m.memory = 1;
	CHECK_OK(tulle_device_ranking_create(a, &m, NULL, &r));
	tulle_device_candidate_info c = { .size = sizeof c };
	CHECK(tulle_device_ranking_candidate(r, 0, &c) && c.out && strstr(c.because, "GiB"));
	CHECK(!tulle_device_ranking_candidate(r, -1, &c) && !tulle_device_ranking_candidate(r, 99, &c));
	tulle_device_ranking_destroy(r);
	tulle_device_ranking_destroy(NULL);
	CHECK_STATUS(tulle_device_ranking_create(NULL, &m, NULL, &r), TULLE_E_ARGUMENT);
	tulle_matrix_destroy(a);
}

/* Every allocation of a ranking fails once: an error, and nothing is lost. A small L2 makes x be looked at. */
static void check_allocations(void)
{
	const tulle_context_options c = {
		.size = sizeof c, .alloc = heap_alloc, .free = heap_free, .user = &heap
	};
	const tulle_device_plan_options o = { .size = sizeof o, .op = TULLE_TRANSPOSED };
	tulle_device_model model = { .size = sizeof model };
	tulle_context *context = NULL;
	tulle_matrix *a = NULL;
	kit_matrix m;
	long failed = 0;

	check_about("allocations");
	CHECK_OK(tulle_device_model_find(NULL, "a100", &model));
	model.l2 = 1024;
	CHECK(kit_generate("random:rows=3000,cols=3000,mean=8", &m) == 0);
	CHECK_OK(tulle_context_create(&c, &context));
	CHECK_OK(tulle_matrix_from_csr(context, m.rows, m.cols, TULLE_I64, m.row_ptr, TULLE_I32, m.col,
	                               TULLE_F64, m.val, NULL, &a));
	for (int ended = 0; !ended;) {
		const long blocks = heap.live_blocks;
		tulle_device_ranking *r = NULL;
		tulle_status s;

		heap.fail_at = heap.asked + ++failed;
		s = tulle_device_ranking_create(a, &model, &o, &r);
		ended = heap.asked < heap.fail_at;
		heap.fail_at = 0;
		CHECK_STATUS(s, ended ? TULLE_OK : TULLE_E_MEMORY);
		tulle_device_ranking_destroy(r);
		CHECK_EQUAL(heap.live_blocks, blocks);
	}
	CHECK(failed > 5);
	tulle_matrix_destroy(a);
	tulle_context_destroy(context);
	kit_free(&m);
	CHECK_EQUAL(heap.live_blocks, 0);
}

int main(void)
{
	check_presets();
	check_choices();
	check_options();
	check_good_file();
	check_bad_files();
	check_any_bytes();
	check_models();
	check_allocations();
	return check_end();
}
