/* main.c -- tulle-pagerank: the ranks of a graph that is distributed over many processes.
 *
 *     mpiexec -n 4 tulle-pagerank GRAPH [options]
 *
 * The words are those of tulle_pagerank.h, and so are formula, norm and stop test. */
#include <stdlib.h>
#include <tulle_pagerank.h>

#include "graph.h"

static char help[] =
    "tulle-pagerank GRAPH: PageRank, distributed.\n"
    "GRAPH: a PETSc binary or a tuned file (.tulle), read in parallel, or a Matrix Market file; "
    "(i, j) is "
    "a link i -> j\n"
    "  -damping d            0.85\n"
    "  -tolerance t          stop when ||r' - r||_1 < t; 1e-8\n"
    "  -max_iterations n     as many as are proven to be enough\n"
    "  -order natural|ptscotch   which rank has which nodes: as in the file, or by a partitioning\n"
    "  -warm_up n            multiply n times first, so that times are without planning; 0\n"
    "  -top k                print the k highest ranks; 10\n"
    "  -output FILE          write all ranks, one per line\n"
    "  -type aijtulle|aij    of the links; aijtulle, and -mat_tulle_... are its options\n";

/* Of the plugin, which is linked: no -dll_append is needed. */
#define JOIN_(a, b) a##b
#define JOIN(a, b) JOIN_(a, b)
PETSC_EXTERN PetscErrorCode JOIN(PetscDLLibraryRegister_, TULLE_PETSC_NAME)(void);

static PetscErrorCode read_options(pagerank_run *run)
{
	PetscFunctionBegin;
	run->damping = 0.85;
	run->tolerance = 1e-8;
	PetscCall(PetscOptionsGetReal(NULL, NULL, "-damping", &run->damping, NULL));
	PetscCall(PetscOptionsGetReal(NULL, NULL, "-tolerance", &run->tolerance, NULL));
	PetscCheck(run->damping > 0 && run->damping < 1 && run->tolerance > 0, PETSC_COMM_WORLD,
	           PETSC_ERR_ARG_OUTOFRANGE, "-damping is above 0 and below 1, -tolerance above 0");
	run->max_iterations = (PetscInt)tulle_pagerank_iterations(run->damping, run->tolerance);
	PetscCall(PetscOptionsGetInt(NULL, NULL, "-max_iterations", &run->max_iterations, NULL));
	run->warm_up = 0;
	PetscCall(PetscOptionsGetInt(NULL, NULL, "-warm_up", &run->warm_up, NULL));
	PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode show_graph(const pagerank_graph *graph, const char *order)
{
	PetscMPIInt size;
	tulle_pagerank_rules rules = { .size = sizeof rules };

	PetscFunctionBegin;
	PetscCallMPI(MPI_Comm_size(PETSC_COMM_WORLD, &size));
	TulleCall(tulle_pagerank_describe(&rules));
	PetscCall(PetscPrintf(PETSC_COMM_WORLD, "formula     %s\nlinks       %s\ndangling    %s\n",
	                      rules.formula, rules.links, rules.dangling));
	PetscCall(PetscPrintf(PETSC_COMM_WORLD, "teleport    %s\nstart       %s\nnorm        %s\n",
	                      rules.teleport, rules.start, rules.norm));
	PetscCall(PetscPrintf(PETSC_COMM_WORLD, "stop        %s\n", rules.stop));
	PetscCall(PetscPrintf(PETSC_COMM_WORLD, "graph       %lld nodes, %lld links, %lld dangling\n",
	                      (long long)graph->nodes, (long long)graph->entries,
	                      (long long)graph->dangling));
	PetscCall(
	    PetscPrintf(PETSC_COMM_WORLD,
	                "ghosts      %lld values from other ranks each iteration, at most %lld for one "
	                "of %d ranks; %s order\n",
	                (long long)graph->ghosts, (long long)graph->most, size, order));
	PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode show_run(const pagerank_run *run)
{
	PetscFunctionBegin;
	PetscCall(PetscPrintf(PETSC_COMM_WORLD,
	                      "iterations  %lld%s, residual %.3e, error at most %.3e\n"
	                      "time        %.3f ms per iteration\n",
	                      (long long)run->iterations,
	                      run->residual < run->tolerance ? "" : ", the tolerance is not reached",
	                      run->residual, run->damping / (1 - run->damping) * run->residual,
	                      run->seconds * 1e3 / (double)PetscMax(run->iterations, 1)));
	PetscFunctionReturn(PETSC_SUCCESS);
}

int main(int argc, char **argv)
{
	char order[64] = "natural", type[64] = MATAIJTULLE, output[PETSC_MAX_PATH_LEN];
	PetscInt top = 10;
	PetscBool write;
	pagerank_graph graph;
	pagerank_run run;
	Vec r;

	PetscCall(PetscInitialize(&argc, &argv, NULL, help));
	PetscCall(JOIN(PetscDLLibraryRegister_, TULLE_PETSC_NAME)());
	PetscCheck(argc > 1 && argv[1][0] != '-', PETSC_COMM_WORLD, PETSC_ERR_USER,
	           "wanted: a file; see tulle-pagerank -help");
	PetscCall(read_options(&run));
	PetscCall(PetscOptionsGetString(NULL, NULL, "-order", order, sizeof order, NULL));
	PetscCall(PetscOptionsGetString(NULL, NULL, "-type", type, sizeof type, NULL));
	PetscCall(PetscOptionsGetString(NULL, NULL, "-output", output, sizeof output, &write));
	PetscCall(PetscOptionsGetInt(NULL, NULL, "-top", &top, NULL));
	PetscCall(graph_load(argv[1], order, type, &graph));
	PetscCall(show_graph(&graph, order));
	PetscCall(VecDuplicate(graph.inverse, &r));
	PetscCall(iterate(&graph, &run, r));
	PetscCall(show_run(&run));
	if (top > 0)
		PetscCall(show_top(&graph, r, top));
	if (write)
		PetscCall(write_ranks(&graph, r, output));
	PetscCall(VecDestroy(&r));
	PetscCall(graph_destroy(&graph));
	PetscCall(PetscFinalize());
	return 0;
}
