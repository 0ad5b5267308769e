// SPDX-License-Identifier: BSD-3-Clause
/* wire_launched.c - the wire of processes that a launcher has started. */

/*
 * Processes exchange data by the launcher. Memory of a node is a file without a name that its
 * first process makes and the others open where /proc shows it, which they can if they have the
 * same user and see the same processes. A cookie behind the memory proves that it is the right
 * file: two containers on one machine may both have a process 17. No process uses the memory
 * before all have reported that they have it; else none does.
 */

#include "transport/wireup/wireup.h"

#include "roll.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <unistd.h>

static const size_t huge_page = (size_t)2 << 20;

/* Where the memory of a node is; by its first process. */
struct offer {
	int32_t pid;
	int32_t fd;		/* -1: there is none */
	uint64_t cookie;
};

struct launched_wire {
	struct bspt_wire base;
	const struct bspt_launch *launch;
	/*
	 * for exchanges; all are in bsp_begin, so that one that does not come is stopped, or
	 * lost
	 */
	double timeout_s;
	/* of all; here, so that an exchange never lacks memory */
	struct offer *offers;
	unsigned char *have;	/* 0 or 1 */
};

static struct launched_wire *wire_of(struct bspt_wire *w)
{
	return (struct launched_wire *)w;
}

static int launched_exchange(struct bspt_wire *w, const void *mine, size_t len, void *all)
{
	if (len > BSPT_EXCHANGE_MOST)
		return -EMSGSIZE;
	if (w->me >= w->nprocs)
		return -ECANCELED;	/* the job does without us */
	return wire_of(w)->launch->exchange(mine, len, all, w->nprocs, wire_of(w)->timeout_s);
}

static int launched_meet(struct bspt_wire *w, void (*meanwhile)(void *arg), void *arg)
{
	const struct bspt_launch *launch = wire_of(w)->launch;

	if (w->me >= w->nprocs)
		return -ECANCELED;
	if (launch->meet)
		return launch->meet(w->nprocs, meanwhile, arg);
	return launch->exchange("", 1, wire_of(w)->have, w->nprocs, 0);
}

/* ---- Memory of a node ------------------------------------------------------ */

static size_t whole_pages(size_t bytes)
{
	size_t page = sysconf(_SC_PAGESIZE);

	return (bytes + page - 1) / page * page;
}

static size_t file_bytes(size_t bytes)
{
	return (bytes + huge_page - 1) / huge_page * huge_page + sizeof(uint64_t);
}

/* Beyond it the kernel would not say no, but send a signal. */
static bool wire_launched_may_be_so_long(size_t bytes)
{
	struct rlimit limit;

	return getrlimit(RLIMIT_FSIZE, &limit) == 0 && file_bytes(bytes) <= limit.rlim_cur;
}

static struct offer make_offer(size_t bytes)
{
	struct offer offer = { .pid = getpid(), .fd = -1 };
	int fd = wire_launched_may_be_so_long(bytes) ? memfd_create("bsp", MFD_CLOEXEC) : -1;

	if (fd < 0)
		return offer;
	if (getrandom(&offer.cookie, sizeof(offer.cookie), 0) == sizeof(offer.cookie) &&
	    pwrite(fd, &offer.cookie, sizeof(offer.cookie),
		   file_bytes(bytes) - sizeof(offer.cookie)) == sizeof(offer.cookie))
		offer.fd = fd;
	else
		close(fd);
	return offer;
}

/* A file of our own for what another process offers, or -1. */
static int take_offer(const struct offer *offer, size_t bytes)
{
	char path[64];
	uint64_t cookie = ~offer->cookie;
	int fd;

	if (offer->fd < 0)
		return -1;
	snprintf(path, sizeof(path), "/proc/%d/fd/%d", offer->pid, offer->fd);
	fd = open(path, O_RDWR | O_CLOEXEC);
	if (fd < 0)
		return -1;
	if (pread(fd, &cookie, sizeof(cookie), file_bytes(bytes) - sizeof(cookie)) ==
	    sizeof(cookie) && cookie == offer->cookie)
		return fd;
	close(fd);
	return -1;
}

static int wire_launched_first_of_node(const struct bspt_wire *w)
{
	int p = 0;

	while (w->node[p] != w->node[w->me])
		p++;
	return p;
}

/* Whether all have what this process has. */
static bool all_have(struct bspt_wire *w, bool ours)
{
	const unsigned char *have = wire_of(w)->have;
	unsigned char mine = ours;
	bool all = launched_exchange(w, &mine, sizeof(mine), wire_of(w)->have) == 0;

	for (int p = 0; p < w->nprocs && all; p++)
		all = have[p];
	return all;
}

/* The memory that is offered to this node, or NULL. */
static void *map_offer(struct bspt_wire *w, const struct offer *offer, size_t bytes, size_t usable)
{
	bool ours = offer->pid == getpid() && wire_launched_first_of_node(w) == w->me;
	int fd = ours ? offer->fd : take_offer(offer, bytes);
	void *at = fd < 0 ? NULL : bspt_map_shared(fd, bytes, usable);

	if (!ours && fd >= 0)
		close(fd);
	return at;
}

static void *launched_share(struct bspt_wire *w, size_t bytes, size_t usable)
{
	struct offer mine = { .fd = -1 }, *offers = wire_of(w)->offers;
	void *at = NULL;

	bytes = whole_pages(bytes);
	if (w->me >= w->nprocs)
		return bspt_map_shared(
			-1, bytes, usable); /* the job needs us not; but prepare() is to go well */
	if (wire_launched_first_of_node(w) == w->me)
		mine = make_offer(bytes);
	if (launched_exchange(w, &mine, sizeof(mine), offers) == 0)
		at = map_offer(w, &offers[wire_launched_first_of_node(w)], bytes, usable);
	if (!all_have(w, at) && at) {
		munmap(at, bytes);
		at = NULL;
	}
	if (mine.fd >= 0)
		close(mine.fd);		/* all that had to open it have done so */
	return at;
}

struct bspt_wire *bspt_wire_launched(const struct bspt_job *job, int *node, int nnodes,
				     double timeout_s)
{
	struct launched_wire *l = calloc(1, sizeof(*l));

	if (!l)
		return NULL;
	l->offers = calloc(job->nprocs, sizeof(*l->offers));
	l->have = calloc(job->nprocs, sizeof(*l->have));
	if (!l->offers || !l->have) {
		free(l->offers);
		free(l->have);
		free(l);
		return NULL;
	}
	l->base = (struct bspt_wire){
		.nprocs = job->nprocs, .me = job->me, .node = node, .nnodes = nnodes,
		.share = launched_share, .exchange = launched_exchange,
		.meet = launched_meet,
	};
	l->launch = job->launch;
	l->timeout_s = timeout_s;
	return &l->base;
}

void bspt_wire_launched_free(struct bspt_wire *w)
{
	free(wire_of(w)->offers);
	free(wire_of(w)->have);
	free((int *)(uintptr_t)w->node);
	free(w);
}
