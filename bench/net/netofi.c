/* SPDX-License-Identifier: BSD-3-Clause */
/* netofi.c - libfabric as the layer below, by an endpoint as fi_pingpong makes it. */

/*
 * The provider is that of the transport (BSP_OFI_PROVIDER). Endpoints exchange their addresses by
 * bsp_put, so nothing else is in the process. Two processes send messages without tags, as
 * fi_pingpong does; more of them tell senders apart by tag. Transfers between two
 * processes arrive in the order in which they were sent, so nothing else needs a number.
 */
#include "net.h"

#include "tools/measure/fabric.h"

#include <bsp.h>
#include <rdma/fi_cm.h>
#include <rdma/fi_errno.h>
#include <rdma/fi_tagged.h>

#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { ADDRESS = 512, MOST_STEPS = 16, KEY_SRC = 101, KEY_DST = 102 };

/* The address of an endpoint as the others receive it. */
struct address {
	size_t len;
	char bytes[ADDRESS];
};

static struct fabric net;
static void *src_key, *dst_key;		/* what operations name the memory with */
static fi_addr_t *addresses;
static bool tagged, alone;
static int own_number;

/* Steps of the dissemination barrier, with a byte each way. */
static struct net_transfer barrier_step[MOST_STEPS];
static int barrier_steps;

static struct fi_context2 send_context[NET_ITEMS], receive_context[NET_ITEMS];

static void netofi_insist(long result, const char *what)
{
	if (result < 0)
		bsp_abort("netofi: %s: %s\n", what, fi_strerror((int)-result));
}

/* ---- Transfers ------------------------------------------------------------------ */

/* The part of a step that is done. */
struct progress {
	const struct net_transfer *t;
	int count;
	int receiving, sending;		/* handed to libfabric */
	int received, sent;
};

static int netofi_poll_queue(struct fid_cq *queue)
{
	struct fi_cq_entry events[FABRIC_EVENTS];
	ssize_t n = fabric_poll(queue, events);

	netofi_insist(n, "fi_cq_read");
	return (int)n;
}

static ssize_t netofi_receive(const struct net_transfer *t, void *context)
{
	if (tagged)
		return fi_trecv(net.endpoint, t->dst, t->nbytes, dst_key, addresses[t->from],
				(uint64_t)t->from, 0, context);
	return fi_recv(net.endpoint, t->dst, t->nbytes, dst_key, FI_ADDR_UNSPEC, context);
}

static ssize_t send_large(const struct net_transfer *t, void *context)
{
	if (tagged)
		return fi_tsend(net.endpoint, t->src, t->nbytes, src_key, addresses[t->to],
				(uint64_t)own_number, context);
	return fi_send(net.endpoint, t->src, t->nbytes, src_key, addresses[t->to], context);
}

/* Has left when the call returns. */
static ssize_t send_small(const struct net_transfer *t)
{
	if (tagged)
		return fi_tinject(net.endpoint, t->src, t->nbytes, addresses[t->to],
				  (uint64_t)own_number);
	return fi_inject(net.endpoint, t->src, t->nbytes, addresses[t->to]);
}

/* Is there room for more? */
static bool started(ssize_t result, const char *what)
{
	if (result == -FI_EAGAIN)
		return false;
	netofi_insist(result, what);
	return true;
}

static bool receive_next(struct progress *p)
{
	if (p->receiving == p->count ||
	    !started(netofi_receive(&p->t[p->receiving], &receive_context[p->receiving]),
		     "fi_recv"))
		return false;
	p->receiving++;
	return true;
}

static bool send_next(struct progress *p)
{
	const struct net_transfer *t = &p->t[p->sending];

	if (p->sending == p->count)
		return false;
	if (t->nbytes <= net.info->tx_attr->inject_size) {
		if (!started(send_small(t), "fi_inject"))
			return false;
		p->sent++;
	} else if (!started(send_large(t, &send_context[p->sending]), "fi_send")) {
		return false;
	}
	p->sending++;
	return true;
}

static void ofi_move(const struct net_transfer *t, int count)
{
	struct progress p = { .t = t, .count = count };

	while (p.received < count || p.sent < count) {
		while (receive_next(&p))
			;
		while (send_next(&p))
			;
		int n = netofi_poll_queue(net.received);

		p.received += n;
		if (p.sent < p.sending || p.sending < count)
			p.sent += netofi_poll_queue(net.sent);
		if (n == 0 && !alone)
			sched_yield();
	}
}

static void ofi_barrier(void)
{
	for (int i = 0; i < barrier_steps; i++)
		ofi_move(&barrier_step[i], 1);
}

/* ---- Open and close ---------------------------------------------------------------- */

static void *register_memory(char *at, size_t nbytes, uint64_t key)
{
	struct fid_mr *region;

	if (!(net.info->domain_attr->mr_mode & FI_MR_LOCAL))
		return NULL;
	netofi_insist(fabric_register(&net, at, nbytes, FI_SEND | FI_RECV, key, &region),
		      "fi_mr_reg");
	return fi_mr_desc(region);
}

/* Each process gives its address to every other. */
static void exchange_addresses(int me, int nprocs)
{
	struct address *all = calloc((size_t)nprocs, sizeof *all);
	struct address mine = { .len = ADDRESS };

	if (all == NULL)
		bsp_abort("netofi: no memory\n");
	netofi_insist(fi_getname(&net.endpoint->fid, mine.bytes, &mine.len), "fi_getname");
	bsp_push_reg(all, (bsp_size_t)((size_t)nprocs * sizeof *all));
	bsp_sync();
	for (int pid = 0; pid < nprocs; pid++)
		bsp_put(pid, &mine, all, (bsp_size_t)((size_t)me * sizeof mine), sizeof mine);
	bsp_sync();
	for (int pid = 0; pid < nprocs; pid++)
		if (fi_av_insert(net.book, all[pid].bytes, 1, &addresses[pid], 0, NULL) != 1)
			bsp_abort("netofi: fi_av_insert failed\n");
	bsp_pop_reg(all);
	bsp_sync();
	free(all);
}

static void plan_barrier(int me, int nprocs)
{
	static char said, received[MOST_STEPS];

	for (int far = 1; far < nprocs; far *= 2) {
		struct net_transfer *t = &barrier_step[barrier_steps];

		*t = (struct net_transfer){ .to = (me + far) % nprocs,
					    .from = (me + nprocs - far) % nprocs,
					    .src = &said,
					    .dst = &received[barrier_steps],
					    .nbytes = 1 };
		barrier_steps++;
	}
}

static int ofi_open(int me, int nprocs, const struct net_memory *memory)
{
	const char *call;
	int error;

	own_number = me;
	tagged = nprocs > 2;
	alone = sysconf(_SC_NPROCESSORS_ONLN) >= nprocs;
	addresses = calloc((size_t)nprocs, sizeof *addresses);
	if (addresses == NULL)
		return -1;
	netofi_insist(fabric_find(tagged ? FI_TAGGED : FI_MSG, FI_PROGRESS_MANUAL, &net.info),
		      "fi_getinfo");
	error = fabric_open(&net, true, &call);
	netofi_insist(error, call);
	src_key = register_memory(memory->src, memory->nbytes, KEY_SRC);
	dst_key = register_memory(memory->dst, memory->nbytes, KEY_DST);
	exchange_addresses(me, nprocs);
	plan_barrier(me, nprocs);
	return 0;
}

static void ofi_describe(char *text, size_t len)
{
	snprintf(text, len, "libfabric %d.%d, %.60s, %.40s", FI_MAJOR(fi_version()),
		 FI_MINOR(fi_version()), net.info->fabric_attr->prov_name,
		 net.info->domain_attr->name);
}

static void ofi_close(void)
{
	fabric_close(&net);
	free(addresses);
}

const struct net_layer net_raw = {
	.name = "libfabric",
	.open = ofi_open,
	.move = ofi_move,
	.barrier = ofi_barrier,
	.describe = ofi_describe,
	.close = ofi_close,
};
