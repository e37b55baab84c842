/* iterate.c -- the iteration of tulle_pagerank.h, on distributed vectors. */
#include <math.h>
#include <petsctime.h>

#include "graph.h"

/* What -log_view shows of the iterations, beside MatMult. */
static PetscLogStage stage;
static PetscLogEvent nodes_event, sum_event;

static PetscErrorCode register_events(void)
{
	PetscFunctionBegin;
	PetscCall(PetscLogStageRegister("iterations", &stage));
	PetscCall(PetscLogEventRegister("PageRankNodes", MAT_CLASSID, &nodes_event));
	PetscCall(PetscLogEventRegister("PageRankSum", MAT_CLASSID, &sum_event));
	PetscFunctionReturn(PETSC_SUCCESS);
}

/* What an iteration finds out on one rank, or on all. */
typedef struct {
	double difference, dangling;
} global_sums;

/* s = r / W, and the rank of this rank's dangling nodes. */
static double divide(const double *inverse, const double *r, double *s, PetscInt n)
{
	double dangling = 0;

	for (PetscInt i = 0; i < n; i++) {
		s[i] = r[i] * inverse[i];
		if (inverse[i] == 0)
			dangling += r[i];
	}
	return dangling;
}

/* r' = d z + c, in place of r. */
static double step(const double *z, double *r, PetscInt n, double d, double c)
{
	double difference = 0;

	for (PetscInt i = 0; i < n; i++) {
		const double next = d * z[i] + c;
		difference += fabs(next - r[i]);
		r[i] = next;
	}
	return difference;
}

static PetscErrorCode add_up(global_sums *found)
{
	PetscFunctionBegin;
	PetscCall(PetscLogEventBegin(sum_event, 0, 0, 0, 0));
	PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, found, 2, MPI_DOUBLE, MPI_SUM, PETSC_COMM_WORLD));
	PetscCall(PetscLogEventEnd(sum_event, 0, 0, 0, 0));
	PetscFunctionReturn(PETSC_SUCCESS);
}

/* One iteration: one multiplication, one sum over the ranks. `now` goes from r to r'. */
static PetscErrorCode iterate_once(const pagerank_graph *graph, const pagerank_run *run, Vec r,
                                   Vec s, Vec z, global_sums *now)
{
	const double d = run->damping;
	const PetscScalar *inverse, *sums;
	PetscScalar *ranks, *shares;
	PetscInt n;

	PetscFunctionBegin;
	PetscCall(MatMult(graph->links, s, z));
	PetscCall(PetscLogEventBegin(nodes_event, 0, 0, 0, 0));
	PetscCall(VecGetLocalSize(r, &n));
	PetscCall(VecGetArrayRead(graph->inverse, &inverse));
	PetscCall(VecGetArrayRead(z, &sums));
	PetscCall(VecGetArray(r, &ranks));
	PetscCall(VecGetArrayWrite(s, &shares));
	now->difference = step(sums, ranks, n, d, (d * now->dangling + 1 - d) / (double)graph->nodes);
	now->dangling = divide(inverse, ranks, shares, n);
	PetscCall(VecRestoreArrayWrite(s, &shares));
	PetscCall(VecRestoreArray(r, &ranks));
	PetscCall(VecRestoreArrayRead(z, &sums));
	PetscCall(VecRestoreArrayRead(graph->inverse, &inverse));
	PetscCall(PetscLogEventEnd(nodes_event, 0, 0, 0, 0));
	PetscCall(add_up(now));
	PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode iterate(const pagerank_graph *graph, pagerank_run *run, Vec r)
{
	const PetscScalar *inverse, *ranks;
	global_sums now = { .difference = INFINITY, .dangling = 0 };
	PetscLogDouble begin, end;
	PetscScalar *shares;
	PetscInt n;
	Vec s, z;

	PetscFunctionBegin;
	PetscCall(register_events());
	PetscCall(VecDuplicate(r, &s));
	PetscCall(VecDuplicate(r, &z));
	PetscCall(VecSet(r, 1 / (double)graph->nodes));
	PetscCall(VecGetLocalSize(r, &n));
	PetscCall(VecGetArrayRead(graph->inverse, &inverse));
	PetscCall(VecGetArrayRead(r, &ranks));
	PetscCall(VecGetArrayWrite(s, &shares));
	now.dangling = divide(inverse, ranks, shares, n);
	PetscCall(VecRestoreArrayWrite(s, &shares));
	PetscCall(VecRestoreArrayRead(r, &ranks));
	PetscCall(VecRestoreArrayRead(graph->inverse, &inverse));
	PetscCall(add_up(&now));
	now.difference = INFINITY;
	for (PetscInt k = 0; k < run->warm_up; k++)
		PetscCall(MatMult(graph->links, s, z));
	PetscCall(PetscLogStagePush(stage));
	PetscCall(PetscTime(&begin));
	for (run->iterations = 0;
	     run->iterations < run->max_iterations && !(now.difference < run->tolerance);
	     run->iterations++)
		PetscCall(iterate_once(graph, run, r, s, z, &now));
	PetscCall(PetscTime(&end));
	PetscCall(PetscLogStagePop());
	run->residual = now.difference;
	run->seconds = end - begin;
	PetscCallMPI(
	    MPI_Allreduce(MPI_IN_PLACE, &run->seconds, 1, MPI_DOUBLE, MPI_MAX, PETSC_COMM_WORLD));
	PetscCall(VecDestroy(&s));
	PetscCall(VecDestroy(&z));
	PetscFunctionReturn(PETSC_SUCCESS);
}
