/* SPDX-License-Identifier: BSD-3-Clause */
/* An empty superstep of N nodes that count takes N ceil(log2 N) messages between them, and no chunk
 * inside a node; with a tree inside the nodes instead there are chunks. */
#include "bsplib/sync/barrier.h"
#include "../lib/sent.h"
#include "../lib/spmd.h"

#include <sys/mman.h>

enum { CALLS = 10, PROCESSES = 6 };

/* Counts of each process, shared with the job. */
static struct {
	uint64_t messages, chunks, near;
} *seen;

static const char *barrier_name;

/* Chunks for processes of this node. */
static uint64_t sent_near(void)
{
	const int *node = bspi.job.wire->node;

	for (int q = 0; q < bspi.nprocs; q++)
		if (q != bspi.me && node[q] == node[bspi.me])
			return bspi_out_of(q)->t->stats.chunks_sent;
	return 0;
}

static void body(void)
{
	uint64_t before;

	enter();
	is_str(barrier_name, bspi_barrier_name(), "the barrier");
	bsp_sync();
	before = sent_near();
	sent_watch();
	for (int i = 0; i < CALLS; i++)
		bsp_sync();
	seen[bspi.me].messages = sent.messages;
	seen[bspi.me].chunks = sent.chunks;
	seen[bspi.me].near = sent_near() - before;
	bsp_end();
}

/* @near: -1: some */
static void supersteps(const char *barrier, int node, const char *name, int messages, int near)
{
	uint64_t sum[3] = { 0, 0, 0 };
	char text[12];

	snprintf(text, sizeof(text), "%d", node);
	setenv("BSP_NODE_SIZE", text, 1);
	setenv("BSP_BARRIER", barrier, 1);
	barrier_name = name;
	memset(seen, 0xff, PROCESSES * sizeof(*seen));
	lives_ok(body, PROCESSES, "BSP_BARRIER=%s, nodes of %d", barrier, node);
	for (int p = 0; p < PROCESSES; p++) {
		sum[0] += seen[p].messages;
		sum[1] += seen[p].chunks;
		sum[2] += seen[p].near;
	}
	is_int(CALLS * messages, (long long)sum[0], "%s, nodes of %d: messages between nodes",
	       barrier, node);
	is_int(0, (long long)sum[1], "%s, nodes of %d: other chunks between nodes", barrier, node);
	if (near < 0)
		ok(sum[2] > 0, "%s, nodes of %d: chunks inside nodes", barrier, node);
	else
		is_int(CALLS * near, (long long)sum[2], "%s, nodes of %d: chunks inside nodes",
		       barrier, node);
}

int main(void)
{
	const char *counting = "dissemination of counting nodes";
	char why[600];

	if (getenv("BSP_TRANSPORT") && strcmp(getenv("BSP_TRANSPORT"), "mix") != 0)
		skip_all("not applicable: this is about mix");
	setenv("BSP_TRANSPORT", "mix", 1);
	setenv("BSP_PARAMS", "none", 1);
	if (bspt_find("mix")->probe(PROCESSES, why, sizeof(why)) < 0)
		skip_all("no transport without a counted barrier can run here");
	seen = mmap(NULL, PROCESSES * sizeof(*seen), PROT_READ | PROT_WRITE,
		    MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (seen == MAP_FAILED)
		bail("no shared memory");
	supersteps("auto", 3, counting, 2 * 1, 0);
	supersteps("auto", 2, counting, 3 * 2, 0);
	supersteps("counting", 4, counting, 2 * 1, 0);	/* 4 and 2 */
	supersteps("auto", 5, counting, 2 * 1, 0);	/* one is alone */
	supersteps("auto", 1, "dissemination", 6 * 3, 0);
	supersteps("dissemination+nodes", 3, "dissemination+nodes", 2 * 1, -1);
	return done_testing();
}
