/* SPDX-License-Identifier: BSD-3-Clause */
/* A wait yields for 2 ms, or for eight turns of 4 us of all processes of a processor if that is
 * longer and the transport counts; or for as long as the user says. */
#include "bsplib/api/places.h"
#include "bsplib/core/state.h"
#include "../lib/tap.h"

#include <stdlib.h>

enum { AUTO = -1 };

static struct bspt_wire wire;
static struct bspt_ops ops = { .caps = BSPT_CAP_COUNTING };

/* With @nprocs processes, all of which are here, or with @node[q] the node of each. */
static struct bspi_node node_of(int nprocs, const int *node, int64_t spin, int64_t yield)
{
	wire = (struct bspt_wire){ .nprocs = nprocs, .me = 0, .one_machine = !node, .node = node };
	bspi.job.wire = &wire;
	return bspi_places_of_node(&ops, spin, yield);
}

static long long yields_us(int nprocs, int64_t yield)
{
	return node_of(nprocs, NULL, AUTO, yield).yield_us;
}

int main(void)
{
	int n = node_of(1, NULL, AUTO, AUTO).processors;
	int *alone = calloc(1000 * (size_t)n, sizeof(*alone));

	is_int(2000, yields_us(1, AUTO), "one process: 2 ms");
	is_int(2000, yields_us(62 * n, AUTO), "62 on each processor: 2 ms");
	is_int(2016, yields_us(63 * n, AUTO), "63: eight turns of 4 us");
	is_int(32768, yields_us(1024 * n, AUTO), "1024: as well");
	ops.caps = BSPT_CAP_COUNTING_NODES;
	is_int(32768, yields_us(1024 * n, AUTO), "nodes that count: as well");
	ops.caps = BSPT_CAP_SCHEDULE;
	is_int(2000, yields_us(1024 * n, AUTO), "2 ms where no process counts");
	ops.caps = BSPT_CAP_COUNTING;
	is_int(0, yields_us(1024 * n, 0), "not at all if the user says so");
	is_int(7, yields_us(1024 * n, 7), "or for a time of the user's");
	is_int(50000, yields_us(1, 50000), "which may be longer");
	for (int q = 1; q < 1000 * n; q++)
		alone[q] = q;
	is_int(2000, node_of(1000 * n, alone, AUTO, AUTO).yield_us,
	       "processes of other nodes take no turns");
	is_int(0, node_of(1024 * n, NULL, AUTO, 7).spin_us,
	       "many poll without a pause for no time");
	is_int(20, node_of(n, NULL, AUTO, 7).spin_us, "those with a processor each for 20 us");
	is_int(3, node_of(1024 * n, NULL, 3, 7).spin_us, "or as the user says");
	free(alone);
	return done_testing();
}
