// SPDX-License-Identifier: BSD-3-Clause
/* engine.c - the engine opens and closes: how each process is reached, and what has arrived. */

#include "bsplib/bspi.h"

#include <stdlib.h>

static void note_carrier(struct bspt *t)
{
	for (int i = 0; i < bspi.ncarriers; i++)
		if (bspi.carriers[i] == t)
			return;
	if (bspi.ncarriers < BSPI_CARRIERS)
		bspi.carriers[bspi.ncarriers++] = t;
}

/* How @pid is reached. */
static void open_way(int pid)
{
	struct bspi_out *o = &bspi.out[pid];

	*o = (struct bspi_out){ .t = bspi.self, .min_direct = SIZE_MAX, .min_bulk = SIZE_MAX };
	if (pid == bspi.me)
		return;
	o->t = bspi.net->ops->via(bspi.net, pid, &o->peer);
	note_carrier(o->t);
	if ((o->t->ops->caps & BSPT_CAP_WINDOW) && bspi.env.share)
		o->min_direct = o->t->min_direct;
	if (o->t->ops->caps & BSPT_CAP_BULK)
		o->min_bulk = o->t->min_bulk;
}

void bspi_engine_open(void)
{
	bspi.out = calloc(bspi.nprocs, sizeof(*bspi.out));
	bspi.touched = calloc(bspi.nprocs, sizeof(*bspi.touched));
	if (!bspi.out || !bspi.touched)
		bspi_fail_memory("bsp_begin", NULL);
	for (int q = 0; q < bspi.nprocs; q++)
		open_way(q);
	bspi.count[0].all = UINT32_MAX;
	bspi.count[1].all = UINT32_MAX;
	bspi_records_open();
	bspi_flow_open();
}

void bspi_engine_close(void)
{
	bspi_release_kept();
	bspi_flow_close();
	for (int q = 0; q < bspi.nprocs; q++)
		if (bspi.out[q].chunk)
			bspi.out[q].t->ops->discard(bspi.out[q].t, bspi.out[q].peer, bspi.out[q].chunk);
	free(bspi.held.at);
	free(bspi.kept.at);
	free(bspi.stash.at);
	free(bspi.out);
	free(bspi.touched);
	bspi.out = NULL;
	bspi.touched = NULL;
	bspi.ncarriers = 0;
}
