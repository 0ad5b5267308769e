// SPDX-License-Identifier: BSD-3-Clause
/* wire_launched.c - the wire of processes that a launcher has started. */

/*
 * Processes exchange data by the launcher. Memory of a node is a file without a name that its
 * first process makes and the others open where /proc shows it, which they can if they have the
 * same user and see the same processes. A cookie behind the memory proves that it is the right
 * file: two containers on one machine may both have a process 17. If some cannot open it, their
 * first process passes it to them by a socket (wire_pass.h). No process uses the memory before all
 * have reported that they have it; else none does, and all know why.
 */

#include "job/internal.h"

#include "handshake.h"
#include "node_exchange.h"
#include "wire_pass.h"

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
	int32_t fd;		/* or a negative errno */
	uint64_t cookie;
	uint64_t name;		/* where the file is passed; 0: nowhere */
};

enum { LACKS_MEMORY = -1, HAS_MEMORY = 0 };	/* above: the errno of opening the file */

struct launched_wire {
	struct bspt_wire base;
	const struct bspj_launch *launch;
	/*
	 * for exchanges; all are at the start of the job, so that one that does not come is
	 * stopped, or lost
	 */
	double timeout_s;
	/* of the first exchange that failed here: others may be in it, and no further one fits */
	int err;
	int first;		/* the first process of this node */
	struct bspj_node_exchange *nodes;	/* NULL: the launcher exchanges */
};

static struct launched_wire *wire_of(struct bspt_wire *w)
{
	return (struct launched_wire *)w;
}

static int launched_exchange(struct bspt_wire *w, const void *mine, size_t len,
			     bspt_take_fn *take, void *arg)
{
	struct launched_wire *l = wire_of(w);

	if (len > BSPT_EXCHANGE_MOST)
		return -EMSGSIZE;
	if (w->me >= w->nprocs)
		return -ECANCELED;	/* the job does without us */
	if (!l->err && l->nodes)
		l->err = bspj_node_exchange(l->nodes, mine, len, take, arg, l->timeout_s);
	else if (!l->err)
		l->err = l->launch->exchange(mine, len, take, arg, w->nprocs, l->timeout_s);
	return l->err;
}

static void take_nothing(void *arg, int p, const void *its)
{
	(void)arg, (void)p, (void)its;
}

static int launched_meet(struct bspt_wire *w, void (*meanwhile)(void *arg), void *arg)
{
	const struct bspj_launch *launch = wire_of(w)->launch;

	if (w->me >= w->nprocs)
		return -ECANCELED;
	if (launch->meet)
		return launch->meet(w->nprocs, meanwhile, arg);
	return launch->exchange("", 1, take_nothing, NULL, w->nprocs, 0);
}

/* ---- Memory of a node ------------------------------------------------------ */

static size_t file_bytes(size_t bytes)
{
	return (bytes + huge_page - 1) / huge_page * huge_page + sizeof(uint64_t);
}

/* Without memfd_create(), which some containers forbid, by what else makes such a file. */
static int make_shared_file(void)
{
	int fd = memfd_create("bsp", MFD_CLOEXEC), err = errno;

	if (fd < 0)
		fd = open("/dev/shm", O_TMPFILE | O_RDWR | O_EXCL | O_CLOEXEC, 0600);
	return fd < 0 ? -err : fd;
}

static struct offer make_offer(size_t bytes)
{
	struct offer offer = { .pid = getpid(), .fd = -EFBIG };
	struct rlimit limit;
	int fd;

	/* Beyond it the kernel would not say no, but send a signal. */
	if (getrlimit(RLIMIT_FSIZE, &limit) < 0 || file_bytes(bytes) > limit.rlim_cur)
		return offer;
	fd = make_shared_file();
	offer.fd = fd;
	if (fd < 0)
		return offer;
	if (getrandom(&offer.cookie, sizeof(offer.cookie), 0) != sizeof(offer.cookie) ||
	    pwrite(fd, &offer.cookie, sizeof(offer.cookie),
		   file_bytes(bytes) - sizeof(offer.cookie)) != sizeof(offer.cookie)) {
		offer.fd = -ENOSPC;
		close(fd);
	}
	return offer;
}

/* The file, if it is the one that is offered; a negative errno. */
static int check_cookie(const struct offer *offer, size_t bytes, int fd)
{
	uint64_t cookie = ~offer->cookie;

	if (pread(fd, &cookie, sizeof(cookie), file_bytes(bytes) - sizeof(cookie)) ==
	    sizeof(cookie) && cookie == offer->cookie)
		return fd;
	close(fd);
	return -ESRCH;
}

/* The answers of processes: do they have the memory? */
struct memory_report {
	const struct bspt_wire *wire;
	int32_t lack;		/* HAS_MEMORY, or what the first lacks */
	int ready;		/* others of this node that have it */
};

static void take_report(void *arg, int p, const void *its)
{
	struct memory_report *r = arg;
	int32_t has;

	memcpy(&has, its, sizeof(has));
	if (r->lack <= HAS_MEMORY && has != HAS_MEMORY)
		r->lack = has;
	r->ready += p != r->wire->me && r->wire->node[p] == r->wire->node[r->wire->me] &&
		    has == HAS_MEMORY;
}

/* This process has @ours of the memory. */
static struct memory_report report_memory(struct bspt_wire *w, int32_t ours)
{
	struct memory_report report = { .wire = w, .lack = HAS_MEMORY };

	if (w->exchange(w, &ours, sizeof(ours), take_report, &report) < 0)
		report.lack = LACKS_MEMORY;
	return report;
}

/*
 * Offers are exchanged, and *@offer is the one for this node, by its first process. 0 or a negative
 * errno.
 */
static int exchange_offers(struct bspt_wire *w, const struct offer *mine, struct offer *offer)
{
	struct bspt_one first = { wire_of(w)->first, sizeof(*offer), offer };

	return w->exchange(w, mine, sizeof(*mine), bspt_take_one, &first);
}

/* @fd is a negative errno if there is no file. */
static int32_t map_shared_file(int fd, size_t bytes, size_t usable, void **at)
{
	*at = NULL;
	if (fd == -ENOMEM || fd == -EFBIG)
		return LACKS_MEMORY;
	if (fd < 0)
		return -fd;
	*at = bspj_map_shared(fd, bytes, usable);
	return *at ? HAS_MEMORY : LACKS_MEMORY;
}

/* The memory that is offered to this node: others than its first process open a file of theirs. */
static int32_t map_offer(struct bspt_wire *w, const struct offer *offer, size_t bytes,
			 size_t usable, void **at)
{
	bool ours = wire_of(w)->first == w->me;
	int fd = offer->fd;
	char path[64];
	int32_t have;

	if (!ours && fd >= 0) {
		snprintf(path, sizeof(path), "/proc/%d/fd/%d", offer->pid, offer->fd);
		fd = open(path, O_RDWR | O_CLOEXEC);
		fd = fd < 0 ? -errno : check_cookie(offer, bytes, fd);
	}
	have = map_shared_file(fd, bytes, usable, at);
	if (!ours && fd >= 0)
		close(fd);
	return have;
}

/*
 * By the socket: what map_offer() does, for processes that do not see each other's files. The first
 * process of a node passes the file to all others of it that have connected.
 */
static int32_t map_passed(struct bspt_wire *w, struct offer *mine, size_t bytes, size_t usable,
			  void **at)
{
	int listener = -1, connection, fd;
	bool ours = wire_of(w)->first == w->me;
	struct memory_report report;
	struct offer offer;
	int32_t have;

	if (ours && mine->fd >= 0)
		listener = bspj_pass_listen(&mine->name);
	if (exchange_offers(w, mine, &offer) < 0)
		return LACKS_MEMORY;
	/* the file, or a connection to the process that has it */
	fd = ours || offer.fd < 0 ? offer.fd : bspj_pass_connect(offer.name, offer.cookie);
	report = report_memory(w, fd < 0 ? -fd : HAS_MEMORY);
	if (listener >= 0) {
		bspj_pass_give(listener, fd, mine->cookie, report.ready);
	} else if (!ours && fd >= 0) {
		connection = fd;
		fd = bspj_pass_take(connection);
		close(connection);
		fd = fd < 0 ? fd : check_cookie(&offer, bytes, fd);
	}
	have = map_shared_file(fd, bytes, usable, at);
	if (!ours && fd >= 0)
		close(fd);
	if (listener >= 0)
		close(listener);
	return have;
}

static void *launched_share(struct bspt_wire *w, size_t bytes, size_t usable)
{
	struct offer mine = { .fd = -ENOENT }, offer;
	size_t page = sysconf(_SC_PAGESIZE);
	int32_t have = LACKS_MEMORY;
	void *at = NULL;

	bytes = (bytes + page - 1) / page * page;
	if (w->me >= w->nprocs)
		return bspj_map_shared(
			-1, bytes, usable); /* the job needs us not; but prepare() is to go well */
	if (wire_of(w)->first == w->me)
		mine = make_offer(bytes);
	if (exchange_offers(w, &mine, &offer) == 0)
		have = map_offer(w, &offer, bytes, usable, &at);
	have = report_memory(w, have).lack;
	if (have > HAS_MEMORY) {
		if (at)
			munmap(at, bytes);
		at = NULL;
		have = report_memory(w, map_passed(w, &mine, bytes, usable, &at)).lack;
	}
	if (have != HAS_MEMORY && at) {
		munmap(at, bytes);
		at = NULL;
	}
	w->closed = have > HAS_MEMORY ? have : 0;
	if (mine.fd >= 0)
		close(mine.fd);		/* all that had to open it have done so */
	return at;
}

struct bspt_wire *bspj_wire_launched(const struct bspj_job *job, int *node, int nnodes,
				     double timeout_s, int *err)
{
	struct launched_wire *l = calloc(1, sizeof(*l));

	*err = -ENOMEM;
	if (!l)
		return NULL;
	l->base = (struct bspt_wire){
		.nprocs = job->nprocs, .me = job->me, .one_machine = job->launch->one_machine,
		.node = node, .nnodes = nnodes,
		.share = launched_share, .exchange = launched_exchange,
		.meet = launched_meet,
	};
	l->launch = job->launch;
	l->timeout_s = timeout_s;
	while (node[l->first] != node[job->me])
		l->first++;
	*err = bspj_node_exchange_open(&l->base, l->launch, &l->nodes);
	if (!*err)
		*err = l->err;
	if (!*err)
		return &l->base;
	bspj_node_exchange_close(l->nodes);
	free(l);
	return NULL;
}

int bspj_wire_launched_error(const struct bspt_wire *w)
{
	return ((const struct launched_wire *)w)->err;
}

void bspj_wire_launched_free(struct bspt_wire *w)
{
	bspj_node_exchange_close(wire_of(w)->nodes);
	free((int *)(uintptr_t)w->node);
	free(w);
}
