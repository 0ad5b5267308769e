// SPDX-License-Identifier: BSD-3-Clause
/* state.c - the state of the engine, which engine.c fills in. */

#include "bsplib/engine/engine.h"

struct bspi_engine bspi_engine;

/* The transport to it, and what that can do for transfers. */
void bspi_out_reach(int pid)
{
	struct bspi_out *o = &bspi_engine.out[pid];

	o->min_direct = o->min_bulk = SIZE_MAX;
	if (pid == bspi.me) {
		o->t = bspi.self;
		return;
	}
	o->t = bspi.net->ops->via(bspi.net, pid, &o->peer);
	if (bspi.env.check)
		return;			/* the checker sees records alone */
	if ((o->t->ops->caps & BSPT_CAP_WINDOW) && bspi.env.share && !bspi.two_phases)
		o->min_direct = o->t->min_direct;
	if (o->t->ops->caps & BSPT_CAP_BULK)
		o->min_bulk = o->t->min_bulk;
}
