/* machine.h -- what `tulle machine` found out, for the text and for the picture. */
#ifndef CLI_MACHINE_H
#define CLI_MACHINE_H

#include "cli.h"
#include "tulle_machine.h"

/* Tables from 4 KiB on, each twice as large as the one before it. */
enum { CLI_MOST_TABLES = 20, CLI_LEAST_TABLE = 4096 };

typedef struct {
	tulle_machine_info info;
	int tables; /* that were timed; 0: none */
	int sets;
	tulle_machine_table table[TULLE_MACHINE_SETS][CLI_MOST_TABLES];
} cli_machine_figures;

static inline double cli_table_bytes(int n)
{
	return (double)CLI_LEAST_TABLE * (double)(1 << n);
}

/* Draw bandwidth over working set and gathers over table size into an SVG file. */
void cli_plot_machine(const cli_machine_figures *m, const char *path);

#endif
