// SPDX-License-Identifier: BSD-3-Clause
/* recorder_head.c - what the head of a recording says of the run. */

#include "bsplib/observer/recorder.h"

#include "bsplib/core/state.h"
#include "bsplib/engine/clock.h"

#include "common/recording.h"

#include <errno.h>
#include <stdio.h>

void bspi_recorder_fill_head(struct recording_head *h, uint64_t job)
{
	const struct bspt_cost *cost = bspi.net ? &bspi.net->cost : NULL;

	*h = (struct recording_head){
		.magic = RECORDING_MAGIC, .order = RECORDING_ORDER, .head_bytes = sizeof(*h),
		.job = job, .me = (uint32_t)bspi.me,
		.nprocs = (uint32_t)bspi.nprocs, .began_ns = bspi_now(),
		.virtual_clock = bspi.clock,
		.L = cost ? cost->L : 0, .o = cost ? cost->o : 0,
		.g = cost ? cost->g : 0, .G = cost ? cost->G : 0,
		.chunk = bspi.net ? bspi.net->good_chunk : 0,
	};
	snprintf(h->program, sizeof(h->program), "%s", program_invocation_short_name);
	snprintf(h->transport, sizeof(h->transport), "%s",
		 bspi.net ? bspi.net->ops->name : "self");
	snprintf(h->emulate, sizeof(h->emulate), "%.*s", (int)sizeof(h->emulate) - 1,
		 bspi.env.emulate);
}
