/* SPDX-License-Identifier: BSD-3-Clause */
/* Tables of 16384 others are kilobytes until a process has to do with these. */

/* Pages that were written count, since a table is a place in address space until then. */
#include "../lib/written.h"

#include "bsplib/core/state.h"
#include "bsplib/engine/engine.h"
#include "bsplib/schedule/note.h"
#include "bsplib/schedule/schedule.h"
#include "bsplib/transfer/answer.h"

static int node[MANY];
static struct bspt_wire wire;

/* Tables of the runtime, and what a process with some partners writes there. */
static long runtime_kib(int nprocs)
{
	struct bspt_plan alone = { .nprocs = 1, .network = "" };
	long before;

	wire = (struct bspt_wire){ .nprocs = nprocs, .me = ME, .node = node, .nnodes = 1 };
	if (bspt_open(bspt_own(), &alone, 0, &bspi.self))
		bail("self does not open");
	bspi.net = bspi.self;
	bspi.nprocs = nprocs;
	bspi.me = ME;
	bspi.job.wire = &wire;
	before = written_kib();
	bspi_engine_open();
	bspi_answers_open();
	bspi_schedules_open();
	for (int k = 0; k < PARTNERS; k++) {
		int q = (ME + (1 << k)) % nprocs;

		bspi_out_of(q)->sent++;
		bspi_eager_credit_take(q, 8);
	}
	return written_kib() - before;
}

int main(void)
{
	if (SANITIZED)
		skip_all("not applicable: a sanitizer has memory of its own for each byte");
	if (written_kib() < 0)
		skip_all("no smaps_rollup in /proc here");
	is_small("the runtime", runtime_kib, 4, 12);
	return done_testing();
}
