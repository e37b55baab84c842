/* rules.c -- the definition of the ranks as text, shared by the command, Python and other
 * callers. */
#include "api/handles.h"
#include "pagerank/graph.h"

tulle_status tulle_pagerank_describe(tulle_pagerank_rules *rules)
{
	return tulle__write_info(
	    "tulle_pagerank_rules", rules,
	    &(tulle_pagerank_rules){
	        .formula = "r' = d (P^T r + D v) + (1 - d) v",
	        .links =
	            "P is A with each row divided by its sum: a node gives its rank to the nodes it "
	            "links to, by weight",
	        .dangling = "D is the rank of the nodes without links: it goes to all nodes, by v",
	        .teleport = "v = 1/N for each of the N nodes",
	        .start = "r = v",
	        .norm = "L1, the sum of |r'_j - r_j|",
	        .stop = "||r' - r||_1 < tolerance (networkx stops at N times its tol)" },
	    sizeof *rules);
}
