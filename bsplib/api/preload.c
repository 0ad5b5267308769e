// SPDX-License-Identifier: BSD-3-Clause
/* preload.c - the transport of simulated nodes, loaded once for all of their processes. */

#include "bsplib/api/spmd.h"
#include "bsplib/core/env.h"

#include "transport/transport.h"

#include <string.h>

enum { PRELOAD_WHY = 512 };

/*
 * These processes look for their transport after they have been forked, as those of a launcher do.
 * libfabric with all its providers takes 0.3 s to load and then has memory of its own in each
 * process, while copies of a process that has loaded it have the memory in common. Errors are found
 * again by each process, and reported there.
 */
void bspi_preload_transport(int nprocs)
{
	static struct bspi_env env;
	const struct bspt_ops *ops;
	char why[PRELOAD_WHY];

	bspi_env_read(&env);
	ops = bspt_find(strcmp(env.transport, "auto") == 0 ? "mix" : env.transport);
	if (ops && (strcmp(ops->name, "mix") == 0 || strcmp(ops->name, "ofi") == 0))
		ops->probe(nprocs, why, sizeof(why));
}
