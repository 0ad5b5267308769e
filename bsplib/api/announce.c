// SPDX-License-Identifier: BSD-3-Clause
/* announce.c - notices at the beginning of a program. */

#include "bsplib/api/announce.h"

#include "bsplib/collective/coll.h"
#include "bsplib/core/env.h"
#include "bsplib/core/state.h"
#include "bsplib/engine/engine.h"
#include "bsplib/model/nodes.h"
#include "bsplib/model/params.h"
#include "bsplib/schedule/schedule.h"
#include "bsplib/sync/barrier.h"

#include <stdio.h>
#include <string.h>

enum { RUNS_MOST = 16 };	/* successive processes of one node, in a line */

/* The transport to the first peer on this node, or not on it; NULL: there is no such peer. */
static const struct bspt *carrier(bool near)
{
	const int *node = bspi.job.wire->node;

	for (int q = 0; bspi.net && q < bspi.nprocs; q++)
		if (q != bspi.me && (node[q] == node[bspi.me]) == near)
			return bspi_out_of(q)->t;
	return NULL;
}

static const char *name_of_barrier(void)
{
	static const char *const fast[] = {
		[BSPI_ALLTOALL] = "alltoall", [BSPI_COUNTING] = "counting",
		[BSPI_TWO_PHASES] = "twophase",
	};

	return bspi_barrier == BSPI_BY_SCHEDULE || bspi_barrier == BSPI_COUNTING_NODES ?
	       bspi_barrier_name() : fast[bspi_barrier];
}

static void announce_offload(bool is_auto)
{
	if (is_auto && strcmp(bspi.env.offload, "0") == 0)
		fprintf(stderr, "bsp: the kernel runs no schedules (BSP_OFFLOAD=auto): %s\n",
			bspi_params()->measured ?
			"the network is too fast for it to pay" :
			"the network is not measured, bspprobe --save does it");
	if (strcmp(bspi.env.offload, "0") != 0)
		fprintf(stderr, "bsp: the kernel runs %s\n",
			!bspi_offload_is_on(BSPI_OFFLOAD_BARRIER) ?
			"no schedules: the transport has no way, or not all processes may open "
			"the device" :
			bspi_offload_is_on(BSPI_OFFLOAD_ALL) ?
				"schedules" : "the schedule of bsp_sync");
}

static void announce_map(const int *node)
{
	int from = 0, runs = 0;

	fputs("bsp: processes of nodes:", stderr);
	for (int q = 1; q <= bspi.nprocs && runs < RUNS_MOST; q++) {
		if (q < bspi.nprocs && node[q] == node[from])
			continue;
		fprintf(stderr, "%s node %d: %d to %d", runs++ ? "," : "", node[from], from, q - 1);
		from = q;
	}
	fputs(from < bspi.nprocs ? ", ...\n" : "\n", stderr);
}

static void announce_algorithms(void)
{
	static const size_t sizes[] = { 8, 64 << 10 };
	bool named = strcmp(bspi.env.barrier, "auto") != 0;

	fprintf(stderr, "bsp: bsp_sync %s, collective operations %sby their cost, which is %s\n",
		named ? "as BSP_BARRIER says" : "as BSP_BARRIER=auto chooses",
		*bspi.env.coll ? "as BSP_COLL says, else " : "",
		bspi_params()->measured ? "measured" :
		"estimated by the transport (bspprobe --save measures it)");
	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		fprintf(stderr, "bsp: of %zu bytes: ", sizes[i]);
		bspi_coll_describe(stderr, sizes[i]);
		fputc('\n', stderr);
	}
}

/* Process 0 may be alone on its node, but not in the job. */
static void announce_nodes(int nodes, const struct bspt *near, const struct bspt *far)
{
	fprintf(stderr, "bsp: %d nodes", nodes);
	if (near)
		fprintf(stderr, ", %s inside", near->ops->name);
	fprintf(stderr, ", %s between them\n", far->ops->name);
}

void bspi_announce_choice(const struct bspt_ops *ops, bool offload_is_auto,
			  const struct bspi_node *node)
{
	int nodes = bspi.job.wire->nnodes;
	const struct bspt *near = carrier(true), *far = carrier(false);

	fprintf(stderr, "bsp: %d processes, transport %s, bsp_sync %s\n", bspi.nprocs, ops->name,
		bspi.nprocs == 1 ? "alone" : name_of_barrier());
	if (nodes > 1) {
		announce_nodes(nodes, near, far);
		announce_map(bspi.job.wire->node);
	}
	if (nodes > 1 && nodes < bspi.nprocs && !bspi_nodes())
		fprintf(stderr, "bsp: barriers and collective operations have one level: the "
			"processes of a node have no consecutive numbers\n");
	far = far ? far : near;
	if (far && far->choice)
		fprintf(stderr, "bsp: %s: %s\n", far->ops->name, far->choice);
	if (bspi.nprocs > 1)
		announce_algorithms();
	if (bspi.nprocs > 1)
		fprintf(stderr, "bsp: waits poll for %lld us before they yield for %lld us: "
			"%d process%s and %d processor%s on this node\n", node->spin_us,
			node->yield_us, node->processes, node->processes == 1 ? "" : "es",
			node->processors, node->processors == 1 ? "" : "s");
	if (ops->caps & BSPT_CAP_SCHEDULE || !offload_is_auto)
		announce_offload(offload_is_auto);
}

void bspi_announce_renamed(void)
{
	static bool announced;

	if (!announced) {
		bspi_env_announce_unread();
		bspi_env_announce_near();
		bspi_env_announce_renamed();
		bspi_coll_announce_renamed();
	}
	announced = true;
}
