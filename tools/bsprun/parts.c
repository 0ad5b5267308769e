// SPDX-License-Identifier: BSD-3-Clause
/* parts.c - options for jobs of several parts: do they make sense together? */

#include "parts.h"

#include "common/complain.h"
#include "common/setting.h"
#include "job/job.h"

#include <stdlib.h>
#include <string.h>

static int parts_number(const char *variable)
{
	const char *value = bspi_setting_nonempty(variable);

	return value ? atoi(value) : 0;
}

/* ---- Parts that find each other ---------------------------------------------------- */

static void check_part(const char *discover, const char *part)
{
	int nprocs = parts_number("BSP_NPROCS"), first, last;

	if (!nprocs)
		fail(EXIT_USAGE, "--discover %s: -n says how many processes the whole job has",
		     discover);
	if (!part)
		fail(EXIT_USAGE, "--discover %s: --part says which processes are started here",
		     discover);
	if (!bspj_part_read(part, nprocs, &first, &last))
		fail(EXIT_USAGE, "--part %s: expected FIRST-LAST, processes from 0 to %d",
		     part, nprocs - 1);
}

static void check_discover(const struct parts_request *request)
{
	const char *discover = bspi_setting_nonempty("BSP_DISCOVER");
	const char *part = bspi_setting_nonempty("BSP_PART");
	const char *emulate = bspi_setting_nonempty("BSP_EMULATE");

	if (part && !discover)
		fail(EXIT_USAGE, "--part goes with --discover");
	if (!discover)
		return;
	check_part(discover, part);
	if (request->hosts || request->launcher)
		fail(EXIT_USAGE,
		     "--discover starts processes on this host alone; leave out %s, and run "
		     "bsprun on the other hosts",
		     request->launcher ? "--launcher" : "the hosts");
	if (request->compare)
		fail(EXIT_USAGE, "--compare runs all of a job; leave out --discover");
	if (emulate)
		fail(EXIT_USAGE,
		     "--emulate %s: networks are emulated on one machine; leave out --discover",
		     emulate);
}

/* ---- Simulated nodes ---------------------------------------------------------------- */

static void check_nodes(const struct parts_request *request)
{
	int nprocs = parts_number("BSP_NPROCS"), nodes = parts_number("BSP_NODES");
	const char *emulate = bspi_setting_nonempty("BSP_EMULATE");
	bool local = !request->launcher || strcmp(request->launcher, "local") == 0;
	char why[160];

	if (nodes <= 1)
		return;
	if (request->hosts || !local)
		fail(EXIT_USAGE, "--nodes makes nodes of this machine; leave out %s",
		     request->hosts ? "the hosts" : "--launcher");
	if (bspi_setting_nonempty("BSP_DISCOVER"))
		fail(EXIT_USAGE, "--nodes makes all nodes of a job; leave out --discover");
	if (emulate)
		fail(EXIT_USAGE,
		     "--emulate %s: an emulated network has no nodes; leave out --nodes",
		     emulate);
	if (nprocs > 0 && !bspj_nodes_fit(nprocs, nodes, why, sizeof(why)))
		fail(EXIT_USAGE, "--nodes %d: %s", nodes, why);
}

void parts_check(const struct parts_request *request)
{
	check_discover(request);
	check_nodes(request);
}

bool parts_are_here(void)
{
	return bspi_setting_nonempty("BSP_DISCOVER") || parts_number("BSP_NODES") > 1;
}
