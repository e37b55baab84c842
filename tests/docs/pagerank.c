/* pagerank.c -- a program around calls for PageRank: three nodes that link to each other in a circle. */
#include <stdio.h>
#include <tulle_pagerank.h>

int main(void)
{
	const int32_t row_ptr[] = { 0, 1, 2, 3 }, col[] = { 1, 2, 0 };
	tulle_matrix *links = NULL;
	tulle_pagerank *graph = NULL;
	tulle_pagerank_info info = { .size = sizeof info };
	double ranks[3] = { 0 };

	tulle_matrix_from_csr(NULL, 3, 3, TULLE_I32, row_ptr, TULLE_I32, col, TULLE_F64, NULL, NULL,
	                      &links);
	/* BLOCK */
	tulle_matrix_destroy(links);
	if (ranks[0] < .33 || ranks[0] > .34)
		fprintf(stderr, "%s\n", tulle_last_error());
	return ranks[0] < .33 || ranks[0] > .34;
}
