// SPDX-License-Identifier: BSD-3-Clause
/* places.c - the processors on which processes run: requests and reports. */

#include "bsplib/api/places.h"

#include "bsplib/core/error.h"
#include "bsplib/core/state.h"

#include <string.h>

enum {
	WHY_MOST = 600,
	SPIN_US = 20,		/* for so long a process polls that has a processor to itself */
};

enum bspj_bind bspi_binding_of(const char *bind)
{
	static const char *const names[] = {
		[BSPJ_BIND_NOT] = "none", [BSPJ_BIND_CORE] = "core", [BSPJ_BIND_SHARE] = "share",
		[BSPJ_BIND_CACHE] = "cache", [BSPJ_BIND_NUMA] = "numa",
		[BSPJ_BIND_SOCKET] = "socket",
	};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (strcmp(bind, names[i]) == 0)
			return i;
	return BSPJ_BIND_SHARE;
}

void bspi_places_restrict(const char *call, const char *site, const char *bind)
{
	char why[WHY_MOST];

	if (bspj_processors_restrict(bind, why, sizeof(why)) < 0)
		bspi_fail(call, site, "BSP_BIND: %s", why);
}

struct bspi_node bspi_places_of_node(int64_t spin)
{
	const struct bspt_wire *w = bspi.job.wire;
	struct bspi_node node = { .processes = 0 };
	int me = w->me < 0 ? 0 : w->me;

	node.processors = bspi.job.launched ? bspj_processors_of_node() : bspj_processors();
	for (int q = 0; q < w->nprocs; q++)
		node.processes += w->one_machine || w->node[q] == w->node[me];
	node.spin_us = spin >= 0 ? spin : node.processes > node.processors ? 0 : SPIN_US;
	return node;
}

void bspi_places_report(void)
{
	char processors[256];
	const char *why;
	bool is_bound = bspj_binding_describe(processors, sizeof(processors), &why);

	if (is_bound)
		bspi_warn("bsp_begin", "process %d is bound to processors %s: %s", bspi.me,
			  processors, why);
	else
		bspi_warn("bsp_begin", "process %d is not bound, and may use processors %s: %s",
			  bspi.me, processors, why);
}
