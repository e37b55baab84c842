/* guard.c -- every array of a multiplication ends or begins at a page that must not be touched.
 *
 * A kernel that reads one element past x, col or val, or writes one past y, dies here, on whatever
 * instruction set. The arrays stand at all the alignments their lengths give, and at all others. */
#include "shapes.h"
#include "support.h"

#include <math.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* ---- memory between two forbidden pages ---- */

typedef struct {
	unsigned char *map;
	size_t bytes; /* of the whole mapping */
	void *at;     /* the array */
} fenced;

static size_t page;

typedef enum { AT_END, AT_START } edge;

static fenced fence(size_t bytes, edge where)
{
	const size_t inside = (bytes + page - 1) / page * page;
	fenced f = { .bytes = inside + 2 * page };

	f.map = mmap(NULL, f.bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (f.map == MAP_FAILED || (inside && mprotect(f.map + page, inside, PROT_READ | PROT_WRITE))) {
		printf("no memory for guard pages\n");
		exit(1);
	}
	f.at = f.map + page + (where == AT_END ? inside - bytes : 0);
	return f;
}

static fenced fence_copy(const void *from, size_t bytes, edge where)
{
	fenced f = fence(bytes, where);

	if (bytes > 0)
		memcpy(f.at, from, bytes);
	return f;
}

/* Only reading is allowed from now on. */
static void freeze(const fenced *f)
{
	if (f->bytes > 2 * page && mprotect(f->map + page, f->bytes - 2 * page, PROT_READ) != 0) {
		printf("mprotect failed\n");
		exit(1);
	}
}

static void unfence(fenced *f)
{
	munmap(f->map, f->bytes);
}

/* ---- a fault is a failed check, not the end ---- */

static sigjmp_buf after_fault;
static volatile sig_atomic_t armed;
static void *volatile fault_address;

static void on_fault(int number, siginfo_t *info, void *context)
{
	(void)context;
	if (!armed) {
		signal(number, SIG_DFL);
		raise(number);
		return;
	}
	fault_address = info->si_addr;
	siglongjmp(after_fault, 1);
}

static void catch_faults(void)
{
	struct sigaction action;

	memset(&action, 0, sizeof action);
	action.sa_sigaction = on_fault;
	action.sa_flags = SA_SIGINFO | SA_NODEFER;
	sigemptyset(&action.sa_mask);
	sigaction(SIGSEGV, &action, NULL);
	sigaction(SIGBUS, &action, NULL);
}

/* ---- the arrays of one multiplication ---- */

enum { ROW_PTR, COL, VAL, X, B, MANY_X, Y, MANY_Y, ARRAYS };

static const char *const names[ARRAYS] = {
	"row_ptr", "col", "val", "x", "b", "x of many vectors", "y", "y of many vectors"
};

/* Vectors at once: one more than fills the lanes of any instruction set. */
enum { VECTORS = 9 };

typedef struct {
	const matrix *m;
	index_pair pair;
	tulle_value_type type;
	fenced array[ARRAYS];
} scene;

static const char *whose(const scene *s, const void *address)
{
	for (int n = 0; n < ARRAYS; n++)
		if ((const unsigned char *)address >= s->array[n].map &&
		    (const unsigned char *)address < s->array[n].map + s->array[n].bytes)
			return names[n];
	return "something else";
}

static scene set_up(const matrix *m, index_pair pair, tulle_value_type type, tulle_op op,
                    edge where)
{
	const int64_t rows = op == TULLE_NORMAL ? m->rows : m->cols;
	const int64_t cols = m->rows + m->cols - rows;
	const size_t size = value_size(type);
	arrays a = cast(m, pair, type, 0);
	scene s = { .m = m, .pair = pair, .type = type };

	s.array[ROW_PTR] =
	    fence_copy(a.row_ptr, (size_t)(m->rows + 1) * index_size(pair.offset), where);
	s.array[COL] = fence_copy(a.col, (size_t)m->nnz * index_size(pair.column), where);
	s.array[VAL] = fence_copy(a.val, (size_t)m->nnz * size, where);
	s.array[X] = fence((size_t)cols * size, where);
	s.array[B] = fence((size_t)rows * size, where);
	s.array[Y] = fence((size_t)rows * size, where);
	s.array[MANY_X] = fence(VECTORS * (size_t)cols * size, where);
	s.array[MANY_Y] = fence(VECTORS * (size_t)rows * size, where);
	value_fill(type, s.array[X].at, cols, 1.5);
	value_fill(type, s.array[MANY_X].at, VECTORS * cols, 1.5);
	value_fill(type, s.array[B].at, rows, 2.5);
	for (int n = 0; n < Y; n++)
		freeze(&s.array[n]);
	arrays_free(&a);
	return s;
}

static void tear_down(scene *s)
{
	for (int n = 0; n < ARRAYS; n++)
		unfence(&s->array[n]);
}

/* Blocks of vectors without a gap, in both orders. */
static void multiply_many(const scene *s, const tulle_plan *plan, tulle_op op)
{
	const int64_t rows = op == TULLE_NORMAL ? s->m->rows : s->m->cols;
	const int64_t cols = s->m->rows + s->m->cols - rows;
	const void *x = s->array[MANY_X].at;
	void *y = s->array[MANY_Y].at;

	for (int n = 0; n < 4; n++) {
		const tulle_order order = n % 2 ? TULLE_ROW_MAJOR : TULLE_COLUMN_MAJOR;
		const int64_t ldx = n % 2 ? VECTORS : cols, ldy = n % 2 ? VECTORS : rows;

		if (s->type == TULLE_F32)
			CHECK_OK(tulle_mul_many_f32(plan, VECTORS, order, 1, x, ldx, n / 2 ? 0.5f : 0, y, ldy));
		else
			CHECK_OK(tulle_mul_many_f64(plan, VECTORS, order, 1, x, ldx, n / 2 ? 0.5 : 0, y, ldy));
	}
}

/* With x.z and beta x, which need a square matrix, and without. */
static void take_steps(const scene *s, const tulle_plan *plan)
{
	const void *x = s->array[X].at, *b = s->array[B].at;
	void *y = s->array[Y].at;
	double *dot = s->m->rows == s->m->cols ? &(double){ 0 } : NULL, other;

	if (s->type == TULLE_F32) {
		CHECK_OK(tulle_step_f32(plan, 1, x, dot ? 2 : 0, 1, b, y, dot, &other));
		CHECK_OK(tulle_residual_f32(plan, x, b, y, &other));
	} else {
		CHECK_OK(tulle_step_f64(plan, 1, x, dot ? 2 : 0, 1, b, y, dot, &other));
		CHECK_OK(tulle_residual_f64(plan, x, b, y, &other));
	}
}

/* A fault leaks the plan: the test has failed then anyway. */
static void multiply_fenced(scene *s, tulle_context *context, const char *spec, tulle_op op)
{
	const arrays arr = { s->array[ROW_PTR].at, s->array[COL].at, s->array[VAL].at };
	tulle_matrix *a = NULL;
	tulle_plan *plan = NULL;

	if (sigsetjmp(after_fault, 1)) {
		armed = 0;
		CHECK_THAT(0, "touched a guard page at %s", whose(s, fault_address));
		return;
	}
	armed = 1;
	a = borrow(context, s->m, s->pair, s->type, &arr);
	plan = a ? plan_for(a, spec, op) : NULL;
	if (plan) {
		const void *x = s->array[X].at;
		void *y = s->array[Y].at;

		CHECK_OK(mul(plan, s->type, 2, x, 0, y));
		CHECK_OK(mul(plan, s->type, 2, x, 1, y));
		if (s->type == TULLE_F32)
			CHECK_OK(tulle_mul_add_f32(plan, 1, x, -0.5f, s->array[B].at, y));
		else
			CHECK_OK(tulle_mul_add_f64(plan, 1, x, -0.5, s->array[B].at, y));
		multiply_many(s, plan, op);
		take_steps(s, plan);
	}
	armed = 0;
	tulle_plan_destroy(plan);
	tulle_matrix_destroy(a);
}

static void check_shape(const options *o, const matrix *m, const char *spec, tulle_context *context,
                        int turn)
{
	for (int pair = o->brief ? turn % PAIRS : 0; pair < PAIRS; pair += o->brief ? PAIRS : 1) {
		for (int t = TULLE_F32; t <= TULLE_F64; t++) {
			for (int n = 0; n < 4; n++) {
				const tulle_op op = n / 2 ? TULLE_TRANSPOSED : TULLE_NORMAL;
				const edge where = n % 2 ? AT_START : AT_END;
				scene s;

				if (!o->full && where == AT_START && (turn + pair + t) % 4)
					continue;
				s = set_up(m, pairs[pair], (tulle_value_type)t, op, where);
				check_about("%s, %s, %s, op %d, %s, arrays at the %s", spec, type_name(s.type),
				            pairs[pair].name, (int)op, m->name, n % 2 ? "start" : "end");
				multiply_fenced(&s, context, spec, op);
				tear_down(&s);
			}
		}
	}
}

/* ---- alignment ---- */

/* The same product with all arrays moved from a cache line by each multiple of their element size:
 * the same bits. (Less than an element would break the rules of C before it reached us.) */
static void check_alignment(tulle_context *context, const char *spec, tulle_value_type type,
                            tulle_kind kind)
{
	enum { ROOM = 64 };
	uint64_t state = 21;
	int64_t lengths[40];
	matrix m;
	arrays arr;
	const size_t size = value_size(type);
	_Alignas(64) unsigned char x[40 * 8 + ROOM], y[40 * 8 + ROOM], want[40 * 8];
	unsigned char *col = grab(64 * 40 + 2 * ROOM, 4), *val = grab(64 * 40 + 2 * ROOM, 8);
	unsigned char *col_line = col + (ROOM - (uintptr_t)col % ROOM);
	unsigned char *val_line = val + (ROOM - (uintptr_t)val % ROOM);

	for (int i = 0; i < 40; i++)
		lengths[i] = i;
	m = matrix_new("alignment", 40, 40, lengths);
	matrix_random_columns(&m, &state);
	if (kind != TULLE_GENERAL)
		m = matrix_mirrored(m, kind);
	for (int64_t k = 0; k < m.nnz; k++)
		m.val[k] = (float)random_unit(&state);
	matrix_mirror_values(&m);
	arr = cast(&m, pairs[0], type, 0);
	for (size_t shift = 0; shift < ROOM; shift += size) {
		const arrays moved = { arr.row_ptr, col_line + shift, val_line + shift };
		tulle_matrix *a;
		tulle_plan *plan;

		check_about("%s, %s, arrays %zu bytes past a cache line", spec, type_name(type), shift);
		memcpy(moved.col, arr.col, (size_t)m.nnz * 4);
		memcpy(moved.val, arr.val, (size_t)m.nnz * size);
		for (int64_t j = 0; j < 40; j++)
			value_set(type, x + shift, j, (float)(1.0 / (double)(j + 3)));
		a = borrow(context, &m, pairs[0], type, &moved);
		plan = a ? plan_for(a, spec, TULLE_NORMAL) : NULL;
		value_fill(type, y + shift, 40, (double)NAN);
		if (plan && CHECK_OK(mul(plan, type, 1, x + shift, 0, y + shift))) {
			if (shift == 0)
				memcpy(want, y, 40 * size);
			CHECK_THAT(memcmp(want, y + shift, 40 * size) == 0, "other bits than aligned");
		}
		tulle_plan_destroy(plan);
		tulle_matrix_destroy(a);
	}
	arrays_free(&arr);
	matrix_free(&m);
	free(col);
	free(val);
}

/* The fence is real: a read one byte outside is seen. */
static void check_fence(void)
{
	for (volatile int n = 0; n < 2; n++) { /* volatile: it outlives the jump */
		fenced f = fence(24, n ? AT_START : AT_END);
		volatile int seen = 0;

		if (sigsetjmp(after_fault, 1)) {
			seen = 1;
		} else {
			armed = 1;
			(void)*(volatile unsigned char *)((unsigned char *)f.at + (n ? -1 : 24));
		}
		armed = 0;
		CHECK_THAT(seen, "the guard page %s the array does not work", n ? "before" : "after");
		unfence(&f);
	}
}

int main(int argc, char **argv)
{
	const options o = read_options(argc, argv);
	const char *format;
	char *spec;
	matrix m;

	page = (size_t)sysconf(_SC_PAGESIZE);
	catch_faults();
	check_fence();
	for (int i = 0; i < ISAS; i++) {
		tulle_context *context = wants_isa(&o, isas[i]) ? context_for(isas[i], 1, 0) : NULL;

		for (int f = 0; context && (format = tulle_formats(f)); f++) {
			if (!wants_format(&o, format))
				continue;
			for (int n = 0; (spec = format_spec(format, n)); n++) {
				/* Briefly: an eighth of the shapes, others for each tunable, each with one pair. */
				for (int shape = o.brief ? n % 8 : 0; shape_at(shape, &m);
				     shape += o.brief ? 8 : 1) {
					for (int64_t k = 0; k < m.nnz; k++)
						m.val[k] = 1.25;
					matrix_mirror_values(&m);
					check_shape(&o, &m, spec, context, shape);
					matrix_free(&m);
				}
				for (int kind = o.brief ? TULLE_SYMMETRIC : TULLE_GENERAL; kind <= TULLE_SYMMETRIC;
				     kind++) {
					check_alignment(context, spec, TULLE_F32, (tulle_kind)kind);
					check_alignment(context, spec, TULLE_F64, (tulle_kind)kind);
				}
				check_group("%s %s", spec, isas[i]);
				free(spec);
			}
		}
		tulle_context_destroy(context);
	}
	return walk_end();
}
