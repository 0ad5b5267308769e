// SPDX-License-Identifier: BSD-3-Clause
/* discover_nodes.c - parts of a job that are simulated nodes of one machine. */

/*
 * The process that calls becomes the supervisor of node 0, and the hub. It forks the supervisors of
 * the other nodes, which die with it and are connected as a tree (job/tree.h) by pairs of sockets.
 * A supervisor has to inherit its ends of the pairs to its parent and to its children, and the hub
 * forks parents first; so before it forks one it makes the pairs to the children of that, and it
 * keeps the children's ends until it has forked these. From then on they are parts as those of
 * several hosts; but all of them write to one terminal, so an error is reported once: by the first
 * that claims it in a word that all share.
 */

#include "discover.h"

#include "job/launch/start.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

static int nodes_block(int nprocs, int nodes)
{
	return (nprocs - 1) / nodes + 1;
}

bool bspj_nodes_fit(int nprocs, int nodes, char *why, size_t len)
{
	int block = nodes_block(nprocs, nodes), filled = (nprocs - 1) / block + 1;

	if (nodes > nprocs)
		snprintf(why, len,
			 "%d nodes need %d processes or more, and there are %d (bsprun -n)",
			 nodes, nodes, nprocs);
	else if (filled < nodes)
		snprintf(why, len,
			 "%d processes in blocks of %d fill %d nodes; ask for %d nodes, or for "
			 "another number of processes",
			 nprocs, block, filled, filled);
	else if (block > BSPT_NODE_MOST)
		snprintf(why, len,
			 "%d nodes have %d processes each, and a node has memory for %d in common; "
			 "ask for %d nodes or more",
			 nodes, block, BSPT_NODE_MOST, (nprocs - 1) / BSPT_NODE_MOST + 1);
	return nodes <= nprocs && filled == nodes && block <= BSPT_NODE_MOST;
}

/* A node is a host of its own for all that looks at parts. */
static void nodes_describe(struct bspj_found *found, int nprocs, int nodes)
{
	int block = nodes_block(nprocs, nodes);

	*found = (struct bspj_found){
		.nparts = nodes, .arity = BSPJ_TREE_ARITY, .simulated = true,
	};
	for (int k = 0; k < nodes; k++) {
		struct bspj_part *part = &found->part[k];

		part->nprocs = nprocs;
		part->first = k * block;
		part->last = k + 1 < nodes ? (k + 1) * block - 1 : nprocs - 1;
		part->network = (uint64_t)k;
		snprintf(part->host, sizeof(part->host), "node %d", k);
		found->fd[k] = -1;
	}
}

/* ---- Supervisors --------------------------------------------------------------------- */

/* The ends of children that the hub has not forked yet, by node; -1: none. */
struct nodes_ends {
	int of[BSPJ_PARTS_MOST];
};

static void nodes_close(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

static void nodes_close_all(struct bspj_found *found, struct nodes_ends *ends)
{
	for (int k = 0; k < found->nparts; k++) {
		nodes_close(&found->fd[k]);
		nodes_close(&ends->of[k]);
	}
}

/*
 * In the hub, when one of them cannot be started. The others are connected with each other, and
 * none is to report that it has lost one that ended before it: the hub's caller reports the reason.
 */
static void nodes_end_first(struct bspj_found *found, int n)
{
	bspj_claim_once(found->fault, 0);
	for (int k = 1; k < n; k++)
		kill(found->supervisor[k], SIGKILL);
	for (int k = 1; k < n; k++)
		waitpid(found->supervisor[k], NULL, 0);
}

/* Pairs to the children of node @k; @down has the ends of @k. 0 or a negative errno. */
static int nodes_connect(const struct bspj_found *found, int k, int down[BSPJ_PARTS_MOST],
			 struct nodes_ends *ends)
{
	int end = bspj_tree_place(found->nparts, found->arity, k).end, pair[2];

	for (int c = k + 1; c < end; c = bspj_tree_place(found->nparts, found->arity, c).end) {
		if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) < 0)
			return -errno;
		down[c] = pair[0];
		ends->of[c] = pair[1];
	}
	return 0;
}

/* In a new supervisor: it has its own connections alone, those to its children in @down. */
static void nodes_become_supervisor(struct bspj_found *found, int k,
				    const int down[BSPJ_PARTS_MOST], struct nodes_ends *ends,
				    pid_t hub)
{
	int up = ends->of[k];

	if (prctl(PR_SET_PDEATHSIG, SIGKILL) < 0 || getppid() != hub)
		_exit(EXIT_FAILURE);
	ends->of[k] = -1;
	nodes_close_all(found, ends);
	memcpy(found->fd, down, sizeof(found->fd));
	found->fd[bspj_tree_place(found->nparts, found->arity, k).parent] = up;
	memset(found->supervisor, 0, sizeof(found->supervisor));
	found->mine = k;
}

/* 1: we are the supervisor of node @k; 0: we are the hub; negative errno. */
static int nodes_fork_one(struct bspj_found *found, int k, struct nodes_ends *ends)
{
	int down[BSPJ_PARTS_MOST], err;
	pid_t hub = getpid();

	for (int c = 0; c < found->nparts; c++)
		down[c] = -1;
	err = nodes_connect(found, k, down, ends);
	if (!err) {
		found->supervisor[k] = fork();
		err = found->supervisor[k] < 0 ? -errno : 0;
	}
	if (!err && found->supervisor[k] == 0) {
		nodes_become_supervisor(found, k, down, ends, hub);
		return 1;
	}
	nodes_close(&ends->of[k]);
	for (int c = 0; c < found->nparts; c++)
		nodes_close(&down[c]);
	return err;
}

static int nodes_fork(struct bspj_found *found)
{
	int err = bspj_processes_fit(found->part[0].nprocs + found->nparts), k = 1;
	struct nodes_ends ends;

	for (int c = 0; c < found->nparts; c++)
		ends.of[c] = -1;
	if (!err)
		err = nodes_connect(found, 0, found->fd, &ends);
	while (!err && k < found->nparts)
		err = nodes_fork_one(found, k++, &ends);
	if (err >= 0)
		return 0;
	nodes_end_first(found, k - 1);
	nodes_close_all(found, &ends);
	return err;
}

int bspj_start_nodes(int nprocs, int nodes, struct bspj_found *found)
{
	void *shared = mmap(NULL, sizeof(*found->fault), PROT_READ | PROT_WRITE,
			    MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	int err;

	if (shared == MAP_FAILED)
		return -ENOMEM;
	nodes_describe(found, nprocs, nodes);
	found->fault = shared;
	err = nodes_fork(found);
	if (err) {
		munmap(shared, sizeof(*found->fault));
		found->fault = NULL;
	}
	return err;
}
