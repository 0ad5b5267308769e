// SPDX-License-Identifier: BSD-3-Clause
/* discover_nodes.c - parts of a job that are simulated nodes of one machine. */

/*
 * The process that calls becomes the supervisor of node 0, and the hub. It forks the supervisors of
 * the other nodes, which are connected to it by pairs of sockets, and die with it. From then on
 * they are parts as those of several hosts; but all of them write to one terminal, so an error is
 * reported once: by the first that claims it in a word that all share.
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
	return nodes <= nprocs && filled == nodes;
}

/* A node is a host of its own for all that looks at parts. */
static void nodes_describe(struct bspj_found *found, int nprocs, int nodes)
{
	int block = nodes_block(nprocs, nodes);

	*found = (struct bspj_found){ .nparts = nodes, .simulated = true };
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

/* In the hub, when one of them cannot be started. */
static void nodes_end_first(struct bspj_found *found, int n)
{
	for (int k = 1; k < n; k++) {
		kill(found->supervisor[k], SIGKILL);
		waitpid(found->supervisor[k], NULL, 0);
		close(found->fd[k]);
	}
}

/* In a new supervisor: it has its own connection alone. */
static void nodes_become_supervisor(struct bspj_found *found, int k, int fd, pid_t hub)
{
	if (prctl(PR_SET_PDEATHSIG, SIGKILL) < 0 || getppid() != hub)
		_exit(EXIT_FAILURE);
	for (int i = 1; i < k; i++) {
		close(found->fd[i]);
		found->fd[i] = -1;
		found->supervisor[i] = 0;
	}
	found->mine = k;
	found->fd[0] = fd;
}

/* 1: we are the supervisor of node @k; 0: we are the hub; negative errno. */
static int nodes_fork_one(struct bspj_found *found, int k)
{
	pid_t hub = getpid();
	int ends[2], err;

	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) < 0)
		return -errno;
	found->supervisor[k] = fork();
	err = -errno;
	if (found->supervisor[k] == 0) {
		close(ends[0]);
		nodes_become_supervisor(found, k, ends[1], hub);
		return 1;
	}
	close(ends[1]);
	if (found->supervisor[k] < 0) {
		close(ends[0]);
		return err;
	}
	found->fd[k] = ends[0];
	return 0;
}

static int nodes_fork(struct bspj_found *found)
{
	int err = bspj_processes_fit(found->part[0].nprocs + found->nparts) ? 0 : -EAGAIN;

	for (int k = 1; !err && k < found->nparts; k++) {
		err = nodes_fork_one(found, k);
		if (err < 0)
			nodes_end_first(found, k);
	}
	return err < 0 ? err : 0;
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
