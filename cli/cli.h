/* cli.h -- what the files of the command share: exit codes, options, text, matrices, pictures. */
#ifndef CLI_H
#define CLI_H

#include "tulle.h"

#include <getopt.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

/* Exit codes; docs/command.md and tulle(1) promise them. */
enum {
	CLI_OK = 0,
	CLI_WRONG = 1,    /* a result differs from the reference by more than rounding can explain, or
	                     ranks did not reach their tolerance */
	CLI_USAGE = 2,    /* the command line is wrong */
	CLI_INPUT = 3,    /* the input cannot be read or is not a matrix */
	CLI_OUTPUT = 4,   /* the output cannot be written */
	CLI_MEMORY = 5,   /* no memory, or beyond --memory-limit */
	CLI_CANNOT = 6,   /* this build, machine or format cannot do that */
	CLI_INTERNAL = 70 /* a bug of ours */
};

/* ---- commands: each gets its own name as argv[0] and returns an exit code ------------------- */

typedef struct {
	const char *name, *about;
	int (*run)(int argc, char **argv);
} cli_command;

extern const cli_command CLI_COMMANDS[]; /* ends with a NULL name */

int cli_info(int argc, char **argv);
int cli_spy(int argc, char **argv);
int cli_plan(int argc, char **argv);
int cli_mul(int argc, char **argv);
int cli_bench(int argc, char **argv);
int cli_batch(int argc, char **argv);
int cli_pagerank(int argc, char **argv);
int cli_convert(int argc, char **argv);
int cli_generate(int argc, char **argv);
int cli_formats(int argc, char **argv);
int cli_devices(int argc, char **argv);
int cli_wisdom_file(int argc, char **argv);
int cli_machine(int argc, char **argv);
int cli_help(int argc, char **argv);

/* Print a page of the manual ("tulle", "tulle-info"); 0 if there is no such page. */
int cli_help_page(const char *name);

/* ---- options.c ------------------------------------------------------------------------------ */

/* What several commands take; parsed in one place. */
typedef struct {
	const char *command;
	int json, quiet, real_part;
	int complex;                 /* the command takes complex values */
	int warn;                    /* lines of the library's log are wanted on stderr */
	int threads;                 /* 0: as OpenMP says */
	tulle_value_type value_type; /* 0: not given */
	size_t memory_limit;         /* 0: not given */
	const char *wisdom;          /* NULL: not given */
	int no_wisdom;
	int whole; /* the command needs every row and column, also those without entries */
} cli_common;

/* getopt values of the common options; commands number their own from 1. */
enum {
	CLI_OPT_HELP = 'h',
	CLI_OPT_QUIET = 'q',
	CLI_OPT_JSON = 0x100,
	CLI_OPT_REAL_PART,
	CLI_OPT_THREADS,
	CLI_OPT_VALUE_TYPE,
	CLI_OPT_MEMORY_LIMIT,
	CLI_OPT_WISDOM,
	CLI_OPT_NO_WISDOM
};

/* Entries for the `struct option` table of a command that takes the option. */
#define CLI_JSON_OPTION                         \
	{                                           \
		"json", no_argument, NULL, CLI_OPT_JSON \
	}
#define CLI_HELP_OPTION                         \
	{                                           \
		"help", no_argument, NULL, CLI_OPT_HELP \
	}
#define CLI_READ_OPTIONS                                                   \
	{ "real-part", no_argument, NULL, CLI_OPT_REAL_PART },                 \
	    { "threads", required_argument, NULL, CLI_OPT_THREADS },           \
	    { "memory-limit", required_argument, NULL, CLI_OPT_MEMORY_LIMIT }, \
	{                                                                      \
		"quiet", no_argument, NULL, CLI_OPT_QUIET                          \
	}
#define CLI_VALUE_TYPE_OPTION                                     \
	{                                                             \
		"value-type", required_argument, NULL, CLI_OPT_VALUE_TYPE \
	}

#define CLI_WISDOM_OPTIONS                                 \
	{ "wisdom", required_argument, NULL, CLI_OPT_WISDOM }, \
	{                                                      \
		"no-wisdom", no_argument, NULL, CLI_OPT_NO_WISDOM  \
	}

/* The next option of the command itself, or -1 after the last; optarg as getopt sets it. Common
 * options are taken into *common; wrong ones end the program with CLI_USAGE. */
int cli_option(int argc, char **argv, const char *short_options, const struct option *options,
               cli_common *common);

/* The arguments after the options: exactly `count` names, else CLI_USAGE with "missing argument: `what`". */
char **cli_arguments(int argc, char **argv, int count, const char *what);

/* A number in min .. max, or CLI_USAGE names the option. */
double cli_number(const char *option, const char *text, double min, double max);
int64_t cli_integer(const char *option, const char *text, int64_t min, int64_t max);
size_t cli_size(const char *option, const char *text); /* bytes, or 500M, 2G */

/* --transposed and --both exclude each other; --both is not for devices, and --stores is for --both. */
void cli_set_op(tulle_op *op, tulle_op wanted);
void cli_check_both(tulle_op op, int stores, const char *device);

/* ---- advice.c: what to do next ---------------------------------------------------------------- */

/* One line on stderr after the message of a failure, or none: of the library, with the input at fault if it
 * is named; of a format that the user named; of writing a file. */
void cli_advise(tulle_status status, const char *input);
void cli_advise_format(tulle_status status);
void cli_advise_output(const char *path);

/* The name that resembles `word` most of those that were compared; NULL: none does. */
typedef struct {
	const char *word, *name;
	size_t distance;
} cli_nearest;

void cli_compare_name(cli_nearest *best, const char *name);

/* ---- terminal.c: what a person sees --------------------------------------------------------- */

/* Say what is wrong on stderr and exit. The words come out as cli_safe() shows them. */
_Noreturn void cli_fail(int code, const char *format, ...) __attribute__((format(printf, 2, 3)));
_Noreturn void cli_usage(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* The same without an end. */
void cli_warn(const char *text);

/* End with the code that belongs to a library's failure and its sentence; reading: the input was
 * at fault, not the output. */
_Noreturn void cli_fail_status(tulle_status status, int reading);

/* Likewise for the input `path`, and for a plan of the format that the user named (NULL: of none): with advice. */
_Noreturn void cli_fail_reading(tulle_status status, const char *path);
_Noreturn void cli_fail_plan(tulle_status status, const char *format);

/* The command that runs, for "Try 'tulle help NAME'"; NULL: none yet. */
void cli_set_command(const char *name);

/* Text without control characters, broken UTF-8 or characters that cannot be seen (core/unicode.h):
 * each byte of those is shown as \xNN. In memory that is never freed; a few names per run. */
const char *cli_safe(const char *text);

/* Bytes of the UTF-8 character at `text` that is safe to show as it is; 0: not safe. */
int cli_safe_bytes(const char *text);

const char *cli_bold(void); /* escape sequences for stdout, "" where stdout is not a terminal */
const char *cli_faint(void);
const char *cli_underline(void);
const char *cli_plain(void);
int cli_has_utf8(void); /* the locale's words say that the terminal understands UTF-8 */

/* A bar of `length` out of `width` characters, filled up with blanks. */
void cli_bar(int length, int width);

/* "1 181 120" as "1,181,120", in one of a few static buffers. */
const char *cli_commas(int64_t number);
/* "1 entry", "1,181,120 entries": a number and its noun, in one of a few static buffers. */
const char *cli_count(int64_t number, const char *one, const char *several);

/* ---- progress.c ----------------------------------------------------------------------------- */

/* One line on stderr for work that takes over a second, if stderr is a terminal: "reading a.mtx".
 * `set` reports the part that is done; without it only the time is shown. */
void cli_progress_begin(const cli_common *common, const char *what, const char *name);
void cli_progress_rate(double amount, const char *unit); /* of the whole work, after begin */
void cli_progress_set(void *unused, double fraction);
void cli_progress_end(void);
double cli_now(void); /* seconds, monotonic */

/* ---- interrupt.c ---------------------------------------------------------------------------- */

/* From now on a signal that ends the command first removes the files it was writing. */
void cli_watch_signals(void);
/* Such a signal is sent to this process, too; 0: to none. */
void cli_watch_child(pid_t child);

/* ---- files.c: matrices in, files out --------------------------------------------------------- */

typedef struct {
	const char *path;
	const char *name; /* the path without folders, safe to print */
	tulle_file_info file;
	tulle_context *context;
	tulle_matrix *matrix;
	tulle_plan *plan;    /* of a tuned file; NULL if none was requested or the file has none */
	tulle_csr_view view; /* of the present rows and columns, both triangles */
	tulle_lists lists;   /* their numbers in the whole matrix */
	int stand_in;        /* the file says that it only stands in for a published matrix */
	double seconds;      /* that reading took */
} cli_matrix;

/* Zeroed memory for count things of one size; exits when it cannot be had within the limit. */
void *cli_alloc(int64_t count, size_t size);
void cli_free(void *block);

/* The context for this run: threads and memory limit. `isa` may be NULL. */
tulle_context *cli_context(const cli_common *common, const char *isa);

/* Read a matrix with progress; exits on failure. Of one with far more rows or columns than entries only the
 * present ones, unless common->whole. Without --memory-limit the limit follows the number of entries. */
cli_matrix cli_read(const cli_common *common, const char *path, const char *isa);
/* The same, and the plan if the file has one. */
cli_matrix cli_read_with_plan(const cli_common *common, const char *path, const char *isa);
void cli_close(cli_matrix *m);

/* What was read, as the first line for people; or as the first members of an object. */
void cli_print_matrix(const cli_matrix *m);
void cli_json_matrix(const cli_matrix *m);
/* The same of what is left out; nothing where nothing is. */
void cli_print_lists(const cli_matrix *m);
void cli_json_lists(const cli_matrix *m);

/* Exit unless `path` is a good place for output: not the input, a link, a folder, a device, or "-".
 * Called before the work begins. `input` may be NULL. */
void cli_check_output(const char *path, const char *input);

/* Write bytes to a file that appears when it is complete; one that is there keeps its mode. */
void cli_save(const char *path, const void *bytes, size_t count);

/* The same for a matrix, whose name says how it is written; and write it, with its plan unless that is NULL, telling
 * stdout what. */
void cli_check_matrix_output(const char *path, const char *input);
void cli_write(const cli_common *common, const tulle_matrix *matrix, const tulle_plan *plan,
               const char *path, const char *comment);

/* 1 if text ends so. */
int cli_ends_with(const char *text, const char *end);

/* Words in comments of files that are stand-ins. */
#define CLI_STAND_IN "stand-in for "

static inline int64_t cli_index(tulle_index_type type, const void *array, int64_t k)
{
	return type == TULLE_I32 ? ((const int32_t *)array)[k] : ((const int64_t *)array)[k];
}

/* Numbers of which a value consists, and their type; the bytes of a value, and its name. */
static inline int cli_parts(tulle_value_type type)
{
	return type == TULLE_C64 || type == TULLE_C128 ? 2 : 1;
}

/* Real multiply-adds of this number of entries: a complex product has four. */
static inline int64_t cli_products(tulle_value_type type, int64_t entries)
{
	return cli_parts(type) == 2 ? 4 * entries : entries;
}

static inline tulle_value_type cli_part_type(tulle_value_type type)
{
	return type == TULLE_F32 || type == TULLE_C64 ? TULLE_F32 : TULLE_F64;
}

static inline size_t cli_value_size(tulle_value_type type)
{
	return (size_t)cli_parts(type) *
	       (cli_part_type(type) == TULLE_F32 ? sizeof(float) : sizeof(double));
}

static inline const char *cli_type_name(tulle_value_type type)
{
	return type == TULLE_F32    ? "f32"
	       : type == TULLE_C64  ? "c64"
	       : type == TULLE_C128 ? "c128"
	                            : "f64";
}

/* Value k, of a complex one the real part; and its imaginary part. */
static inline double cli_value(const tulle_csr_view *a, int64_t k)
{
	const int64_t at = cli_parts(a->value_type) * k;

	if (!a->val)
		return 1;
	return a->value_type == TULLE_F32 || a->value_type == TULLE_C64
	           ? (double)((const float *)a->val)[at]
	           : ((const double *)a->val)[at];
}

static inline double cli_imaginary(const tulle_csr_view *a, int64_t k)
{
	if (!a->val || cli_parts(a->value_type) == 1)
		return 0;
	return a->value_type == TULLE_C64 ? (double)((const float *)a->val)[2 * k + 1]
	                                  : ((const double *)a->val)[2 * k + 1];
}

static inline int64_t cli_row_begin(const tulle_csr_view *a, int64_t i)
{
	return cli_index(a->offset_type, a->row_ptr, i);
}

static inline int64_t cli_col(const tulle_csr_view *a, int64_t k)
{
	return cli_index(a->column_type, a->col, k);
}

/* The number of a present row or column in the whole matrix. */
static inline int64_t cli_listed(const int64_t *list, int64_t n)
{
	return list ? list[n] : n;
}

/* ---- plan.c, wisdom.c ------------------------------------------------------------------------ */

/* The file of what was measured: the one that the options name, or the one in the user's cache folder;
 * NULL: none. To `make` it is to make the folder, as far as that is possible. Valid until the next call. */
const char *cli_wisdom(const cli_common *common, int make);

/* One line, and one member, that name it. */
void cli_print_wisdom(const char *path);
void cli_json_wisdom(const char *path);

/* What the library says of a plan; from cli_alloc(). The formats that were weighed are its second
 * paragraph: only_plan leaves them out. */
char *cli_explain(const tulle_plan *plan, int only_plan);

/* ---- json.c: one JSON value on stdout -------------------------------------------------------- */

/* key == NULL: an element of an array, or the outermost value. */
void cli_json_open(const char *key, char bracket); /* '{' or '[' */
void cli_json_close(void);
void cli_json_text(const char *key, const char *text);
void cli_json_integer(const char *key, int64_t value);
void cli_json_number(const char *key, double value); /* NaN and infinities become null */
void cli_json_bool(const char *key, int value);
void cli_json_null(const char *key);
void cli_json_known(const char *key, double value); /* 0 stands for what is not known: null */

#endif
