/* SPDX-License-Identifier: BSD-3-Clause */
/* One process reports by its lifeline that another has died, or that the host of process 0 is
 * silent, however nodes lie on hosts. */

#include "../lib/tap.h"
#include "job/lifeline/lifeline.c"

enum { EACH = 2, NODES_MOST = 40, PROCS_MOST = EACH * NODES_MOST };

static int node_of[PROCS_MOST], host_of[PROCS_MOST];
static struct bspj_members members = { .node = host_of };
static struct bspt_wire wire = { .node = node_of };
static struct bspj_job job = { .wire = &wire, .members = &members };

/* Nodes before @here are on the host of process 0, and the others on hosts of @size nodes. */
static void lay_out(int nodes, int here, int size)
{
	job.nprocs = wire.nprocs = EACH * nodes;
	wire.nnodes = nodes;
	for (int p = 0; p < job.nprocs; p++) {
		int node = p / EACH;

		node_of[p] = node;
		host_of[p] = node < here ? 0 : 1 + (node - here) / size;
	}
}

static int parent_of(int p)
{
	job.me = p;
	return lifeline_parent(&job);
}

/* How many of those that are connected with process @lost report that it has died. */
static int reports_of_a_death(int lost)
{
	int n = 0, parent = parent_of(lost);

	for (int p = 0; p < job.nprocs; p++)
		if (p != lost && (p == parent || parent_of(p) == lost)) {
			job.me = p;
			n += lifeline_is_reporter(&job, lost, false);
		}
	return n;
}

/* How many of those elsewhere report that the host of process 0, and so their parent, is silent. */
static int reports_of_the_first_host(void)
{
	int n = 0;

	for (int p = 0; p < job.nprocs; p++) {
		int parent = parent_of(p);

		if (host_of[p] != 0 && host_of[parent] == 0)
			n += lifeline_is_reporter(&job, parent, true);
	}
	return n;
}

int main(void)
{
	static const int nodes[] = { 2, 3, 5, 6, 9, 13, 21, NODES_MOST };
	int wrong_deaths = 0, wrong_hosts = 0;

	for (size_t i = 0; i < sizeof(nodes) / sizeof(nodes[0]); i++)
		for (int here = 1; here < nodes[i]; here++)
			for (int size = 1; size <= 3; size += 2) {
				lay_out(nodes[i], here, size);
				for (int p = 0; p < job.nprocs; p++)
					wrong_deaths += reports_of_a_death(p) != 1;
				wrong_hosts += reports_of_the_first_host() != 1;
			}
	is_int(0, wrong_deaths, "one process reports the death of another");
	is_int(0, wrong_hosts, "one elsewhere reports the loss of the host of process 0");
	return done_testing();
}
