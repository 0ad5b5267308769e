// SPDX-License-Identifier: BSD-3-Clause
/* engine.c - the engine opens and closes: the transport to each process, and queues of arrivals. */

#include "bsplib/engine/engine.h"

#include "bsplib/core/error.h"
#include "bsplib/core/state.h"
#include "bsplib/engine/flow.h"
#include "bsplib/engine/hold.h"
#include "bsplib/engine/record.h"

#include <stdlib.h>
#include <string.h>

static void engine_find_carriers(void)
{
	for (int q = 0; q < bspi.nprocs; q++) {
		int i = 0, number;
		struct bspt *t;

		if (q == bspi.me)
			continue;
		t = bspi.net->ops->via(bspi.net, q, &number);
		while (i < bspi_engine.ncarriers && bspi_engine.carriers[i] != t)
			i++;
		if (i == bspi_engine.ncarriers && i < BSPI_CARRIERS)
			bspi_engine.carriers[bspi_engine.ncarriers++] = t;
	}
}

void bspi_engine_open(void)
{
	bspi_engine = (struct bspi_engine){ .due = 0 };
	bspi_engine.out = calloc(bspi.nprocs, sizeof(*bspi_engine.out));
	bspi_engine.touched = calloc(bspi.nprocs, sizeof(*bspi_engine.touched));
	bspi_engine.aside = calloc(bspi.nprocs, sizeof(*bspi_engine.aside));
	bspi_engine.asking = calloc(bspi.nprocs, sizeof(*bspi_engine.asking));
	if (!bspi_engine.out || !bspi_engine.touched || !bspi_engine.aside || !bspi_engine.asking)
		bspi_fail_memory("bsp_begin", NULL);
	engine_find_carriers();
	bspi_engine.count[0].all = UINT32_MAX;
	bspi_engine.count[1].all = UINT32_MAX;
	bspi_records_open();
	bspi_flow_open();
}

void bspi_engine_close(void)
{
	bspi_release_kept();
	bspi_flow_close();
	for (int q = 0; q < bspi.nprocs; q++) {
		const struct bspi_out *o = &bspi_engine.out[q];

		if (o->chunk)
			o->t->ops->discard(o->t, o->peer, o->chunk);
	}
	free(bspi_engine.held.at);
	free(bspi_engine.kept.at);
	free(bspi_engine.stash.at);
	free(bspi_engine.out);
	free(bspi_engine.touched);
	free(bspi_engine.aside);
	free(bspi_engine.asking);
	memset(&bspi_engine, 0, sizeof(bspi_engine));
}
