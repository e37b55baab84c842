/* batch_gpu_choose.c -- the ways to multiply a batch on a GPU: their names, and the choice. */
#include "batch/batch_gpu.h"
#include "core/status.h"

#include <string.h>

const tulle__batch_gpu_kernel tulle__batch_gpu_kernels[] = {
	{ "coo:form=classes",
	  "entries cut evenly among threads, one scan per piece; few launches, teams by size" },
	{ "csr:kernel=scalar,form=classes", "one thread per row; few launches, teams by size" },
	{ "csr:kernel=vector,form=classes", "one warp per row; few launches, teams by size" },
	{ "csr:kernel=smart,form=classes",
	  "lanes per row by each problem's mean row; few launches, teams by size" },
	{ "csr:kernel=balanced,form=classes",
	  "CSR-I: the same, each thread has its starting row; few launches, teams by size" },
	{ "ell:form=classes", "one thread per row, rows side by side; few launches, teams by size" },
	{ "coo:form=block",
	  "entries cut evenly among threads, one scan per piece; one launch, teams of one size" },
	{ "csr:kernel=scalar,form=block", "one thread per row; one launch, teams of one size" },
	{ "csr:kernel=vector,form=block", "one warp per row; one launch, teams of one size" },
	{ "csr:kernel=smart,form=block",
	  "lanes per row by each problem's mean row; one launch, teams of one size" },
	{ "csr:kernel=balanced,form=block",
	  "CSR-I: the same, each thread has its starting row; one launch, teams of one size" },
	{ "ell:form=block", "one thread per row, rows side by side; one launch, teams of one size" },
	{ NULL, NULL },
};

/* The text before the colon, the tunables after it, and the method of the kernel with the number of the
 * first choice. */
static const struct {
	const char *name, *tunables;
	batch_gpu_method first;
} families[] = {
	{ "coo", "form=classes,block", BATCH_GPU_COO },
	{ "csr", "form=classes,block kernel=smart,scalar,vector,balanced", BATCH_GPU_SMART },
	{ "ell", "form=classes,block", BATCH_GPU_ELL },
};
enum { FAMILIES = sizeof families / sizeof *families };

static const batch_gpu_method csr_methods[] = { BATCH_GPU_SMART, BATCH_GPU_SCALAR, BATCH_GPU_VECTOR,
	                                            BATCH_GPU_BALANCED };

static tulle_status read_name(const char *name, batch_gpu_way *out)
{
	const size_t length = strcspn(name, ":");

	for (int n = 0; n < FAMILIES; n++)
		if (strlen(families[n].name) == length && memcmp(families[n].name, name, length) == 0) {
			tulle__params params;
			const tulle_status s = tulle__params_parse(
			    families[n].tunables, name[length] ? name + length + 1 : NULL, &params);

			if (s != TULLE_OK)
				return s;
			out->one_size = params.value[0] == 1;
			out->method = families[n].first == BATCH_GPU_SMART ? csr_methods[params.value[1]]
			                                                   : families[n].first;
			return TULLE_OK;
		}
	return tulle__fail(TULLE_E_ARGUMENT, "options.kernel = \"%.40s\" is not coo, csr or ell", name);
}

/* The paper's advice (sec. 4.2), measured on its GPU: ELL for rows of nearly equal length, else COO. */
static tulle_status choose_by_lengths(const tulle__problems *p, batch_gpu_way *out)
{
	batch_gpu_arrays a;
	const tulle_status s = tulle__batch_gpu_lay_out(NULL, p, BATCH_GPU_ELL, &a);
	const int64_t padded = s == TULLE_OK ? a.columns : 0;

	if (s != TULLE_OK && s != TULLE_E_UNSUPPORTED)
		return s;
	if (s == TULLE_OK)
		tulle__batch_gpu_forget(&a);
	*out = (batch_gpu_way){ .method = BATCH_GPU_COO };
	if (s == TULLE_OK) {
		int64_t entries = 0;

		for (int64_t i = 0; i < p->count; i++)
			entries += p->problem[i].same_pattern == i ? p->problem[i].nnz : 0;
		if (padded - entries <= entries / 4)
			out->method = BATCH_GPU_ELL;
	}
	return TULLE_OK;
}

tulle_status tulle__batch_gpu_choose(const tulle__problems *p, const char *name, batch_gpu_way *out)
{
	return name ? read_name(name, out) : choose_by_lengths(p, out);
}

const char *tulle__batch_gpu_name(batch_gpu_way way)
{
	return tulle__batch_gpu_kernels[(int)way.method + (way.one_size ? BATCH_GPU_METHODS : 0)].name;
}
