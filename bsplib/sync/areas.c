// SPDX-License-Identifier: BSD-3-Clause
/* areas.c - the processes agree on what they push and pop in a superstep. */

/*
 * Up to DIRECT_MOST processes each sends its pushes and pops to each other one, with the chunks of
 * the superstep: no latency besides. With P processes that is P * P messages, and each pair of
 * processes would need the memory of one that talks. So more processes use a tree, after the wait
 * for all: each merges what its children have sent with its own and sends that to its parent, and
 * what the root has goes back the same way. 2 (P - 1) messages, of which no process has more than
 * 2 (CHILDREN + 1), or 2 (2 CHILDREN + 1) with nodes: there each node has a tree of its processes,
 * and the first processes of the nodes have one. So messages between nodes are 2 for each node, and
 * the other processes of a node need no connection to other nodes. Where a message to each of few
 * is as good they still go to all.
 *
 * A process sends when it has left the wait for all, so its parent and children have entered it
 * with their own pushes and pops, of the same numbers; and it is not in the next superstep before
 * they have what it sent. So there is room for one message of each.
 *
 * With a clock all is direct: its model has no messages beside those of the superstep.
 */

#include "bsplib/sync/areas.h"

#include "bsplib/core/error.h"
#include "bsplib/core/state.h"
#include "bsplib/core/status.h"
#include "bsplib/engine/engine.h"
#include "bsplib/engine/in.h"
#include "bsplib/engine/record.h"
#include "bsplib/model/nodes.h"
#include "bsplib/schedule/note.h"
#include "bsplib/transfer/region.h"

#include <stdlib.h>
#include <string.h>

enum { DIRECT_MOST = 64, NODES_DIRECT_MOST = 8, CHILDREN = 8, BELOW = 2 * CHILDREN };

/* The slot that a pop means, -1 if it is not known, and a process that knows it. */
struct areas_pop {
	int32_t slot, process;
};

/* Pops of this superstep, and messages that have come; pushes are noted in their slots. */
static struct {
	struct areas_pop *pops;
	size_t pops_room;
	/* what has come of each child in the node, of each in the other nodes, of the parent */
	char *from[BELOW + 1];
} areas;

static bool areas_go_to_all(void)
{
	return bspi.nprocs <= (bspi_nodes() ? NODES_DIRECT_MOST : DIRECT_MOST) || bspi.clock;
}

/* ---- The trees ----------------------------------------------------------------- */

/* The node of this process, and its processes: from *@first to below *@end; 0: all are one. */
static int areas_node(int *first, int *end)
{
	const struct goal_node_map *map = bspi_nodes();
	int k = map ? goal_node_in_map(map, bspi.me) : 0;

	*first = 0;
	*end = bspi.nprocs;
	if (!map)
		return 0;
	*first = map->first[k];
	*end = map->first[k + 1];
	return k;
}

/* -1: this is the root. */
static int areas_parent(void)
{
	int first, end, k = areas_node(&first, &end);

	if (bspi.me > first)
		return first + (bspi.me - first - 1) / CHILDREN;
	return k > 0 ? bspi_nodes()->first[(k - 1) / CHILDREN] : -1;
}

/* The child of which areas.from[@i] is; -1 if there is none. */
static int areas_child(int i)
{
	int first, end, k = areas_node(&first, &end);
	int64_t child = first + (int64_t)CHILDREN * (bspi.me - first) + 1 + i;
	int64_t node = (int64_t)CHILDREN * k + 1 + i - CHILDREN;

	if (i < CHILDREN)
		return child < end ? (int)child : -1;
	return bspi.me == first && bspi_nodes() && node < bspi_nodes()->n ?
		bspi_nodes()->first[node] : -1;
}

static size_t areas_bytes(void)
{
	return bspi_regions.npush + bspi_regions.npop * sizeof(struct areas_pop);
}

/* Where what comes from that process is kept; NULL: nothing comes from there. */
static char **areas_from(int process)
{
	if (process == areas_parent())
		return &areas.from[BELOW];
	for (int i = 0; i < BELOW; i++)
		if (process == areas_child(i))
			return &areas.from[i];
	return NULL;
}

/* ---- Messages -------------------------------------------------------------------- */

/* Pushes come first, a byte each, then pops, which lie at any address. */
static void areas_write(char *at)
{
	for (size_t i = 0; i < bspi_regions.npush; i++)
		at[i] = (char)bspi_regions.slots[bspi_regions.pushes[i].slot].extent;
	if (bspi_regions.npop)
		memcpy(at + bspi_regions.npush, areas.pops,
		       bspi_regions.npop * sizeof(*areas.pops));
}

static void areas_send(int process)
{
	struct bspi_note note = { .kind = BSPI_NOTE_AREAS };
	size_t bytes = bspi_note_bytes(areas_bytes());
	struct bspi_outgoing p = { .pid = process };

	bspi_outgoing_alone(&p, bytes);
	if (p.len > p.room)
		bspi_fail("bsp_sync", bspi_own_site(),
			  "%zu bytes do not fit a chunk of the transport, which has %zu", bytes,
			  p.room);
	areas_write(bspi_note_fill(p.rec, &note, areas_bytes()));
	bspi_outgoing_send(&p);
}

static void areas_on_note(int from, const struct bspi_note *note, size_t n,
			  const struct bspt_event *event)
{
	char **at = areas_from(from);

	(void)event;
	if (!at || *at || n != areas_bytes())
		bspi_fail_damaged(from);
	*at = malloc(n);
	if (!*at)
		bspi_fail_memory("bsp_sync", bspi_own_site());
	memcpy(*at, note + 1, n);
}

static void areas_merge(int from, const char *at)
{
	const char *pops = at + bspi_regions.npush;

	for (size_t i = 0; i < bspi_regions.npush; i++)
		bspi_region_extend(from, bspi_regions.pushes[i].slot, at[i]);
	for (size_t i = 0; i < bspi_regions.npop; i++) {
		struct areas_pop pop;

		memcpy(&pop, pops + i * sizeof(pop), sizeof(pop));
		bspi_region_on_pop(pop.process, i, pop.slot);
		if (areas.pops[i].slot < 0)
			areas.pops[i] = pop;
	}
}

/* Wait for what comes of process @from there, and merge it with what is known. */
static void areas_take(int from, char **at)
{
	unsigned int idle = 0;

	while (!*at)
		bspi_pump_for(&idle, BSPI_WAIT_BARRIER, 0, 0);
	areas_merge(from, *at);
	free(*at);
	*at = NULL;
}

/* ---- In bsp_sync ------------------------------------------------------------------- */

void bspi_areas_announce(void)
{
	bspi_note_handle(BSPI_NOTE_AREAS, areas_on_note);
	bspi_region_announce(areas_go_to_all());
}

static void note_own_pops(void)
{
	for (size_t i = 0; i < bspi_regions.npop; i++) {
		areas.pops = bspi_grow(areas.pops, i, sizeof(*areas.pops), &areas.pops_room);
		areas.pops[i] = (struct areas_pop){ (int32_t)bspi_regions.popped[i], bspi.me };
	}
}

void bspi_areas_agree(void)
{
	if (areas_go_to_all()) {
		bspi_handle_held(0, 0, BSPI_AT_REGISTRATION);
		return;
	}
	note_own_pops();
	for (int i = 0; i < BELOW; i++)
		if (areas_child(i) >= 0)
			areas_take(areas_child(i), &areas.from[i]);
	if (areas_parent() >= 0) {
		areas_send(areas_parent());
		areas_take(areas_parent(), &areas.from[BELOW]);
	}
	for (int i = 0; i < BELOW; i++)
		if (areas_child(i) >= 0)
			areas_send(areas_child(i));
}
