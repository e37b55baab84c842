/* best_print.c -- the best of our formats, for people: each matrix, each class, what is asked. */
#include "best.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { NAME_WIDTH = 46 };

static void print_figure(int width, double value)
{
	if (isfinite(value))
		printf(" %*.2f", width, value);
	else
		printf(" %*s", width, "-");
}

static void print_matrices(const bench_bests *bests)
{
	printf("\nThe best of our formats on each matrix, %d thread%s: how many times as fast\n\n%-*s "
	       "%-14s %-12s %6s %7s %7s %-10s %8s\n",
	       bests->threads, bests->threads == 1 ? "" : "s", NAME_WIDTH, "matrix", "class", "format",
	       "plain", "mkl-opt", "peer", "(best peer)", "convert");
	for (int n = 0; n < bests->count; n++) {
		const bench_best *b = &bests->item[n];
		printf("%-*.*s %-14s ", NAME_WIDTH, NAME_WIDTH, b->plain->matrix,
		       b->plain->class ? b->plain->class->name : "");
		if (!b->ours) {
			printf("-\n");
			continue;
		}
		printf("%-12s", b->ours->contender);
		print_figure(6, bench_over(b->ours, b->plain));
		print_figure(7, bench_over(b->ours, b->mkl));
		print_figure(7, bench_over(b->ours, b->peer));
		printf(" %-10s %9.1f%s\n", b->peer ? b->peer->contender : "-", b->ours->convert_plain,
		       b->sure ? "" : " ?");
	}
}

static const char *verdict(double got, double floor)
{
	return !isfinite(got) ? "" : got >= floor ? "reached" : "missed";
}

static void print_gain(const char *name, const bench_gain *g, double floor)
{
	printf("%-40s %4d", name, g->matrices);
	print_figure(7, g->over_plain);
	print_figure(7, g->over_peer);
	print_figure(8, g->over_mkl);
	if (floor > 0)
		printf("  asked %.2f %s", floor, verdict(g->over_mkl, floor));
	printf("\n");
}

static void print_gains(const bench_bests *bests)
{
	const bench_class *class;
	printf("\nGeometric means of the best of our formats over\n\n%-40s %4s %7s %7s %8s\n", "", "n",
	       "plain", "peer", "mkl-opt");
	for (int n = 0; (class = bench_class_at(n)); n++) {
		bench_gain g = bench_gain_of(bests, class);
		if (g.matrices)
			print_gain(class->about, &g, class->floor);
	}
	bench_gain all = bench_gain_of(bests, NULL);
	print_gain("all", &all, 0);
	printf("asked of papers,real: %.2f over the best peer of each matrix, %.2f over mkl-opt\n",
	       BENCH_FLOOR_PEER, BENCH_FLOOR_MKL);
}

static void print_below(const bench_bests *bests)
{
	int below = 0;
	for (int n = 0; n < bests->count; n++) {
		const bench_best *b = &bests->item[n];
		double over = bench_over(b->ours, b->peer);
		if (!b->sure || !(over < BENCH_FLOOR_EACH))
			continue;
		if (!below++)
			printf("\nBelow %.2f of the best peer:\n", BENCH_FLOOR_EACH);
		printf("  %s: %s has %.2f of %s\n", b->plain->matrix, b->ours->contender, over,
		       b->peer->contender);
	}
	if (!below)
		printf("\nNo matrix is below %.2f of the best peer.\n", BENCH_FLOOR_EACH);
}

static void print_shares(const bench_bests *bests)
{
	bench_shares s = bench_shares_of(bests);
	if (!s.matrices)
		return;
	printf("\nShare of the speed of reading alone, where bandwidth is the limit: of the bytes "
	       "that the format\nstores, and with those of x and y\n\n%-*s %-12s %9s %7s %7s\n",
	       NAME_WIDTH, "matrix", "format", "bytes/nnz", "stored", "+ x, y");
	for (int n = 0; n < bests->count; n++) {
		const bench_row *row = bests->item[n].ours;
		if (!row || !row->bound)
			continue;
		printf("%-*.*s %-12s %9.2f", NAME_WIDTH, NAME_WIDTH, row->matrix, row->contender,
		       row->bytes_per_nnz);
		print_figure(7, row->stored_share > 0 ? row->stored_share : NAN);
		print_figure(7, row->moved_share > 0 ? row->moved_share : NAN);
		printf("%s\n", bench_streams(row) ? "" : "  x and y are a third or more");
	}
	printf("geometric mean of %-28d %21s", s.matrices, "");
	print_figure(7, s.stored);
	print_figure(7, s.moved);
	printf("\ngeometric mean of %-28d %21s", s.streams, "");
	print_figure(7, s.streams_stored);
	printf(" where it stores twice what x and y have: asked %.2f %s\n", BENCH_FLOOR_SHARE,
	       verdict(s.streams_stored, BENCH_FLOOR_SHARE));
}

static void print_cost(const char *name, const bench_bests *bests, const char *contender,
                       int contenders)
{
	bench_cost c;
	if (!bench_cost_of(bests, contender, contenders, &c) && c.matrices)
		printf("%-24s %4d %8.1f %8.1f  %s\n", name, c.matrices, c.median, c.most, c.where);
}

static void print_costs(const bench_bests *bests, const bench_contenders *contenders)
{
	printf("\nConversion in multiplications of plain\n\n%-24s %4s %8s %8s\n", "", "n", "median",
	       "most");
	for (int n = 0; n < contenders->count; n++)
		print_cost(contenders->item[n].name, bests, contenders->item[n].name, contenders->count);
	print_cost("the best of ours", bests, NULL, contenders->count);
}

static void print_refused(const bench_results *results, const bench_contenders *contenders)
{
	const char *head = "\nRefused (- in the table):\n";
	for (int c = 1; c <= contenders->count; c++) {
		const bench_row *first = NULL;
		int count = 0;
		for (int n = c; n < results->count; n += 1 + contenders->count) {
			const bench_row *row = &results->row[n];
			if (row->verdict != BENCH_REFUSED || !row->ours)
				continue;
			first = first ? first : row;
			count++;
		}
		if (!count)
			continue;
		printf("%s  %s: %d; on %s: %s\n", head, first->contender, count, first->matrix,
		       first->reason);
		head = "";
	}
}

void bench_print_best(const bench_results *results, const bench_contenders *contenders)
{
	for (int t = 0; (t = bench_next_threads(results, t));) {
		bench_bests bests;
		if (!bench_find_best(results, contenders->count, t, &bests) &&
		    bench_gain_of(&bests, NULL).matrices) {
			print_matrices(&bests);
			print_gains(&bests);
			print_below(&bests);
			print_shares(&bests);
			print_costs(&bests, contenders);
		}
		free(bests.item);
	}
	print_refused(results, contenders);
}
