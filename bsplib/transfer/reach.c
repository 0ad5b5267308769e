// SPDX-License-Identifier: BSD-3-Clause
/* reach.c - which processes the program may put to, read and send to: all, or its neighbours. */

/*
 * Calls compare the process with bspi.reach where they look whether it exists. While all may be
 * reached that is the number of processes, and the look costs nothing more. While there is a list
 * it is 0: then each call that is not on the fast path comes here.
 */

#include "bsplib/transfer/reach.h"

#include "bsplib/core/error.h"
#include "bsplib/core/list.h"
#include "bsplib/core/site.h"
#include "bsplib/engine/engine.h"
#include "bsplib/engine/out.h"

#include <stdlib.h>
#include <string.h>

struct bspi_neighbors bspi_neighbors;

static _Noreturn __attribute__((cold)) void refuse_other(const char *call, const char *site,
							 int pid)
{
	struct bspi_list l = { .len = 0 };

	bspi_neighbors.is[bspi.me] = true;
	bspi_list_processes(&l, bspi_neighbors.is);
	bspi_fail(call, site,
		  "process %d is no neighbour: bsp_set_neighbors at %s leaves process %d %s; name "
		  "process %d there, and process %d on process %d",
		  pid, bspi_site_text(bspi_neighbors.site), bspi.me, l.text, pid, bspi.me, pid);
}

void bspi_require_neighbor(const char *call, const char *site, int64_t pid)
{
	if (!bspi_is_neighbor(pid))
		refuse_other(call, site, pid);
}

/* Supersteps before the list open no chunks ahead to a process that it does not have. */
static void forget_hints(void)
{
	for (int q = 0; q < bspi.nprocs; q++)
		if (bspi_engine.out[q].hint && !bspi_is_neighbor(q))
			bspi_engine.out[q].hint = 0;
}

void bspi_reach_limit(const char *site, int *pids, int n)
{
	free(bspi_neighbors.pids);
	free(bspi_neighbors.is);
	bspi_neighbors = (struct bspi_neighbors){ .limited = pids, .pids = pids, .n = n,
						  .site = site,
						  .number = bspi_neighbors.number + 1 };
	bspi.reach = pids ? 0 : bspi.nprocs;
	if (!pids)
		return;
	bspi_neighbors.is = calloc(bspi.nprocs, sizeof(*bspi_neighbors.is));
	if (!bspi_neighbors.is)
		bspi_fail_memory("bsp_set_neighbors", site);
	for (int i = 0; i < n; i++)
		bspi_neighbors.is[pids[i]] = true;
	forget_hints();
}

void bspi_reach_shut_others(void)
{
	for (int i = 0; i < bspi_engine.ntouched; i++) {
		int q = bspi_engine.touched[i];
		struct bspi_out *o = &bspi_engine.out[q];

		if (bspi_is_neighbor(q))
			continue;
		o->hint = 0;
		if (!o->chunk || bspi_has_records(o))
			continue;
		o->t->ops->discard(o->t, o->peer, o->chunk);
		o->chunk = o->at = o->end = NULL;
	}
}

void bspi_reach_open(void)
{
	bspi.reach = bspi.nprocs;
}

void bspi_reach_close(void)
{
	bspi_reach_limit(NULL, NULL, 0);
}
