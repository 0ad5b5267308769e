// SPDX-License-Identifier: BSD-3-Clause
/* gauge_ofi.c - the plugin with modules of libfabric: messages and remote writes. */

/*
 * One endpoint of the provider that BSP_OFI_PROVIDER names, or of the best. Messages are tagged
 * with their sender and keep their order.
 *
 * A remote write is followed, when the other side has it (delivery complete), by a write of its
 * number to the counter that this process has there. Providers that move on only when they are
 * called are called by the process that waits.
 *
 * The memory that a remote write comes from was registered when the module was opened, or is
 * registered during the send, or its bytes are copied to memory that was: the option registration.
 */

#include "gauge_module.h"

#include "tools/measure/fabric.h"

#include <rdma/fi_cm.h>
#include <rdma/fi_errno.h>
#include <rdma/fi_rma.h>
#include <rdma/fi_tagged.h>

#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ADDRESS = 512, KEY_SRC = 101, KEY_DST = 102, KEY_CAME = 103, KEY_NUMBER = 104,
       KEY_SEND = 105 };

/* The addresses that a process gives the others. */
struct card {
	bool good;
	size_t len;
	char address[ADDRESS];
	uint64_t dst, dst_key, came, came_key;	/* of remote writes */
};

/* An operation under way: what the library hands back when it is done. */
struct pending {
	struct fi_context2 context;
	bool done;
};

static struct {
	struct fabric fabric;
	struct fid_mr *src, *dst, *came_mr, *number_mr;
	enum registration { REGISTERED, DURING_SEND, COPIED } registration;
	void *copy;			/* where bytes are copied to; it is what src registers */
	fi_addr_t *address;
	struct card *cards;
	_Atomic uint64_t *came;		/* written by others: what each has sent here */
	uint64_t *number;		/* to each */
	uint64_t *received;
} net;

static struct gauge_option rma_options[] = {
	{ .key = "registration", .values = "registered|send|copy", .value = "registered",
	  .what = "of the memory that is sent: once, during each send, or of memory that it is "
		  "copied to" },
	{ .key = NULL },
};

static void ofi_insist(struct gauge_job *job, long result, const char *what)
{
	if (result < 0)
		job->fail("%s: %s", what, fi_strerror((int)-result));
}

/* ---- Completions ----------------------------------------------------------------------------- */

static void ofi_poll_queue(struct gauge_job *job)
{
	struct fi_cq_entry events[FABRIC_EVENTS];
	ssize_t n = fabric_poll(net.fabric.sent, events);

	if (n == 0 && !job->alone)
		sched_yield();
	ofi_insist(job, n, "fi_cq_read");
	for (ssize_t i = 0; i < n; i++)
		((struct pending *)events[i].op_context)->done = true;
}

/* Is there no room for it yet? Then something else has to be done first. */
static bool is_full(struct gauge_job *job, ssize_t result, const char *what)
{
	if (result == -FI_EAGAIN)
		return true;
	ofi_insist(job, result, what);
	return false;
}

static void *desc_of(struct fid_mr *mr)
{
	return mr ? fi_mr_desc(mr) : NULL;
}

/* ---- Messages ----------------------------------------------------------------------- */

static void ofi_start_send(struct gauge_job *job, struct pending *p, int to, size_t bytes)
{
	while (is_full(job,
		       fi_tsend(net.fabric.endpoint, job->src, bytes, desc_of(net.src),
				net.address[to], (uint64_t)job->me, &p->context),
		       "fi_tsend"))
		ofi_poll_queue(job);
}

static void ofi_start_receive(struct gauge_job *job, struct pending *p, int from, size_t bytes)
{
	while (is_full(job,
		       fi_trecv(net.fabric.endpoint, job->dst, bytes, desc_of(net.dst),
				net.address[from], (uint64_t)from, 0, &p->context),
		       "fi_trecv"))
		ofi_poll_queue(job);
}

static void ofi_send_message(struct gauge_job *job, int to, size_t bytes)
{
	struct pending p = { .done = false };

	if (bytes <= net.fabric.info->tx_attr->inject_size) {
		while (is_full(job,
			       fi_tinject(net.fabric.endpoint, job->src, bytes, net.address[to],
					  (uint64_t)job->me),
			       "fi_tinject"))
			ofi_poll_queue(job);
		return;
	}
	ofi_start_send(job, &p, to, bytes);
	while (!p.done)
		ofi_poll_queue(job);
}

static bool ofi_receive_message(struct gauge_job *job, int from, size_t bytes)
{
	struct pending p = { .done = false };

	ofi_start_receive(job, &p, from, bytes);
	while (!p.done)
		ofi_poll_queue(job);
	return true;
}

static struct pending *new_pending(struct gauge_job *job)
{
	struct pending *p = calloc(1, sizeof(*p));

	if (!p)
		job->fail("no memory");
	return p;
}

static void *isend(struct gauge_job *job, int to, size_t bytes)
{
	struct pending *p = new_pending(job);

	ofi_start_send(job, p, to, bytes);
	return p;
}

static void *irecv(struct gauge_job *job, int from, size_t bytes)
{
	struct pending *p = new_pending(job);

	ofi_start_receive(job, p, from, bytes);
	return p;
}

static bool test(struct gauge_job *job, void *request)
{
	struct pending *p = request;

	if (!p->done)
		ofi_poll_queue(job);
	if (!p->done)
		return false;
	free(p);
	return true;
}

/* ---- Remote writes ------------------------------------------------------------------ */

/* Done when the other process has it. */
static void write_there(struct gauge_job *job, int to, const void *from, struct fid_mr *mr,
			size_t bytes, uint64_t at, uint64_t key)
{
	struct iovec part = { (void *)(uintptr_t)from, bytes };
	struct fi_rma_iov there = { at, bytes, key };
	void *desc = desc_of(mr);
	struct pending p = { .done = false };
	struct fi_msg_rma m = {
		.msg_iov = &part,
		.desc = &desc,
		.iov_count = 1,
		.addr = net.address[to],
		.rma_iov = &there,
		.rma_iov_count = 1,
		.context = &p.context,
	};

	while (is_full(job,
		       fi_writemsg(net.fabric.endpoint, &m,
				   FI_COMPLETION | FI_DELIVERY_COMPLETE),
		       "fi_writemsg"))
		ofi_poll_queue(job);
	while (!p.done)
		ofi_poll_queue(job);
}

static void ofi_put(struct gauge_job *job, int to, size_t bytes)
{
	const struct card *c = &net.cards[to];
	const void *from = net.copy ? net.copy : job->src;
	struct fid_mr *mr = net.src;

	net.number[to]++;
	if (net.registration == COPIED)
		memcpy(net.copy, job->src, bytes);
	if (net.registration == DURING_SEND)
		ofi_insist(job,
			   fi_mr_reg(net.fabric.domain, job->src, bytes, FI_WRITE, 0, KEY_SEND, 0,
				     &mr, NULL),
			   "fi_mr_reg");
	write_there(job, to, from, mr, bytes, c->dst, c->dst_key);
	if (net.registration == DURING_SEND)
		ofi_insist(job, fi_close(&mr->fid), "fi_close");
	write_there(job, to, &net.number[to], net.number_mr, sizeof(uint64_t),
		    c->came + (uint64_t)job->me * sizeof(uint64_t), c->came_key);
}

/*
 * Pairs with the completion that write_there() awaits: bytes have arrived before their number is
 * sent.
 */
static bool ofi_await_number(struct gauge_job *job, int from, size_t bytes)
{
	uint64_t wanted = ++net.received[from];

	(void)bytes;
	while (atomic_load_explicit(&net.came[from], memory_order_acquire) < wanted)
		ofi_poll_queue(job);
	return true;
}

/* ---- Open and close ----------------------------------------------------------------- */

static struct fid_mr *known(struct gauge_job *job, void *at, size_t bytes, uint64_t access,
			    uint64_t key)
{
	struct fid_mr *mr = NULL;

	ofi_insist(job, fabric_register(&net.fabric, at, bytes, access, key, &mr), "fi_mr_reg");
	return mr;
}

static void open_memory(struct gauge_job *job, struct card *c, bool rma)
{
	size_t counters = (size_t)job->nprocs * sizeof(uint64_t);
	bool virtual = net.fabric.info->domain_attr->mr_mode & FI_MR_VIRT_ADDR;
	uint64_t remote = rma ? FI_REMOTE_WRITE : 0;

	if (net.registration == COPIED && !(net.copy = malloc(job->bytes)))
		job->fail("no memory");
	if (net.registration != DURING_SEND)
		net.src = known(job, net.copy ? net.copy : job->src, job->bytes,
				FI_SEND | (rma ? FI_WRITE : 0), KEY_SRC);
	net.dst = known(job, job->dst, job->bytes, FI_RECV | remote, KEY_DST);
	if (!rma)
		return;
	net.came_mr = known(job, (void *)(uintptr_t)net.came, counters, remote, KEY_CAME);
	net.number_mr = known(job, net.number, counters, FI_WRITE, KEY_NUMBER);
	c->dst = virtual ? (uint64_t)(uintptr_t)job->dst : 0;
	c->dst_key = fi_mr_key(net.dst);
	c->came = virtual ? (uint64_t)(uintptr_t)net.came : 0;
	c->came_key = fi_mr_key(net.came_mr);
}

static void free_tables(void)
{
	free(net.address);
	free(net.cards);
	free((void *)(uintptr_t)net.came);
	free(net.number);
	free(net.received);
	free(net.copy);
	net.copy = NULL;
}

/* All have found a provider, or none opens one. */
static bool all_found(struct gauge_job *job, struct card *mine)
{
	bool good = true;

	mine->good = net.fabric.info;
	job->exchange(mine, sizeof(*mine), net.cards);
	for (int q = 0; q < job->nprocs; q++)
		good = good && net.cards[q].good;
	return good;
}

static int ofi_open_any(struct gauge_job *job, uint64_t caps, char *why, size_t len)
{
	size_t n = (size_t)job->nprocs;
	struct card mine = { .len = ADDRESS };
	const char *call;
	int error;

	net.address = calloc(n, sizeof(*net.address));
	net.cards = calloc(n, sizeof(*net.cards));
	net.came = calloc(n, sizeof(*net.came));
	net.number = calloc(n, sizeof(*net.number));
	net.received = calloc(n, sizeof(*net.received));
	if (!net.address || !net.cards || !net.came || !net.number || !net.received)
		job->fail("no memory");
	fabric_find(caps, FI_PROGRESS_UNSPEC, &net.fabric.info);
	if (!all_found(job, &mine)) {
		snprintf(why, len, "libfabric has no provider that can");
		fabric_close(&net.fabric);
		free_tables();
		return -1;
	}
	error = fabric_open(&net.fabric, false, &call);
	ofi_insist(job, error, call);
	open_memory(job, &mine, caps & FI_RMA);
	error = fi_getname(&net.fabric.endpoint->fid, mine.address, &mine.len);
	ofi_insist(job, error, "fi_getname");
	job->exchange(&mine, sizeof(mine), net.cards);
	for (int q = 0; q < job->nprocs; q++)
		if (fi_av_insert(net.fabric.book, net.cards[q].address, 1, &net.address[q], 0,
				 NULL) != 1)
			job->fail("fi_av_insert: the address of process %d is refused", q);
	return 0;
}

static int ofi_open_messages(struct gauge_job *job, char *why, size_t len)
{
	net.registration = REGISTERED;
	return ofi_open_any(job, FI_TAGGED, why, len);
}

static int ofi_open_rma(struct gauge_job *job, char *why, size_t len)
{
	const char *way = rma_options[0].value;

	net.registration = strcmp(way, "send") == 0 ? DURING_SEND :
			   strcmp(way, "copy") == 0 ? COPIED : REGISTERED;
	return ofi_open_any(job, FI_RMA, why, len);
}

static void close_any(struct gauge_job *job)
{
	(void)job;
	fabric_close(&net.fabric);
	free_tables();
}

static int ofi_probe_caps(uint64_t caps, char *why, size_t len)
{
	struct fi_info *info;

	fabric_find(caps, FI_PROGRESS_UNSPEC, &info);
	if (!info)
		snprintf(why, len, "libfabric has no provider that can");
	if (!info)
		return -1;
	fi_freeinfo(info);
	return 0;
}

static int probe_messages(char *why, size_t len)
{
	return ofi_probe_caps(FI_TAGGED, why, len);
}

static int probe_rma(char *why, size_t len)
{
	return ofi_probe_caps(FI_RMA, why, len);
}

static const struct gauge_module messages = {
	.name = "ofi-msg",
	.summary = "tagged messages of libfabric",
	.can = GAUGE_NONBLOCKING | GAUGE_RELIABLE | GAUGE_CHANNEL | GAUGE_REGISTERED,
	.probe = probe_messages,
	.open = ofi_open_messages,
	.close = close_any,
	.send = ofi_send_message,
	.recv = ofi_receive_message,
	.isend = isend,
	.irecv = irecv,
	.test = test,
};

static const struct gauge_module writes = {
	.name = "ofi-rma",
	.summary = "remote writes of libfabric with sequence numbers",
	.can = GAUGE_RELIABLE | GAUGE_ONE_SIDED | GAUGE_REGISTERED,
	.options = rma_options,
	.probe = probe_rma,
	.open = ofi_open_rma,
	.close = close_any,
	.send = ofi_put,
	.recv = ofi_await_number,
};

__attribute__((visibility("default"))) const struct gauge_module *const gauge_mod_ofi_all[] = {
	&messages, &writes, NULL,
};
