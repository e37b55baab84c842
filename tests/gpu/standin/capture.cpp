// Stream capture: launches are recorded into a graph, which can be launched any number of times.
#include "standin/driver.h"

using namespace standin;

struct CUgraph_st {
	std::vector<Work> work;
};
using CUgraph = CUgraph_st *;
using CUgraphExec = CUgraph_st *; // a copy of the graph

EXPORT cuStreamBeginCapture_v2(CUstream stream, int mode)
{
	ARRIVE(CONTEXT);
	if (!stream || known(stream) != stream || mode != 0)
		return INVALID_VALUE;
	if (stream->capturing)
		return CAPTURE_UNSUPPORTED;
	stream->capturing = true;
	return SUCCESS;
}

EXPORT cuStreamEndCapture(CUstream stream, CUgraph *graph)
{
	ARRIVE(CONTEXT);
	if (!stream || known(stream) != stream || !stream->capturing)
		return INVALID_VALUE;
	stream->capturing = false;
	*graph = new CUgraph_st{ stream->captured };
	stream->captured.clear();
	return SUCCESS;
}

EXPORT cuGraphInstantiateWithFlags(CUgraphExec *exec, CUgraph graph, unsigned long long flags)
{
	ARRIVE(CONTEXT);
	if (!graph || flags != 0)
		return INVALID_VALUE;
	*exec = new CUgraph_st(*graph);
	return SUCCESS;
}

EXPORT cuGraphLaunch(CUgraphExec exec, CUstream stream)
{
	ARRIVE(CONTEXT);
	if (!known(stream))
		return INVALID_HANDLE;
	for (const Work &work : exec->work)
		add(known(stream), work);
	return SUCCESS;
}

EXPORT cuGraphExecDestroy(CUgraphExec exec)
{
	ARRIVE(CONTEXT);
	delete exec;
	return SUCCESS;
}

EXPORT cuGraphDestroy(CUgraph graph)
{
	ARRIVE(CONTEXT);
	delete graph;
	return SUCCESS;
}
