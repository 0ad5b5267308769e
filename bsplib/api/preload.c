// SPDX-License-Identifier: BSD-3-Clause
/* preload.c - the transport of simulated nodes, loaded once for all of their processes. */

#include "bsplib/api/spmd.h"
#include "bsplib/core/env.h"

#include "transport/transport.h"

#include <string.h>

enum { PRELOAD_WHY = 512 };

static bool preload_is_one_of(const char *text, const char *one, const char *other)
{
	return strcmp(text, one) == 0 || strcmp(text, other) == 0;
}

/* By itself, or as the far one of mix, where it is the first that is tried. */
static bool wants_ofi(const struct bspi_env *env)
{
	if (strcmp(env->transport, "ofi") == 0)
		return true;
	return preload_is_one_of(env->transport, "auto", "mix") &&
	       (!*env->far || preload_is_one_of(env->far, "auto", "ofi"));
}

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
	ops = wants_ofi(&env) ? bspt_find("ofi") : NULL;
	if (ops)
		ops->probe(nprocs, why, sizeof(why));
}
