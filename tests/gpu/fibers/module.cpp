// One module for one pair of types, compiled for fibers. From outside: FIBERS_MODULE, its file;
// FIBERS_SHARED, a name for its shared memory; and what dialect.h wants.
#include "fibers/cuda.h"
#include "gpu/dialect.h"
#include "gpu/rows.h"
// The dialect's words are on; KERNEL gets another meaning.
#include "fibers/register.h"

#include FIBERS_MODULE

FIBERS_REGISTER
