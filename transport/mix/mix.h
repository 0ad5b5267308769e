/* SPDX-License-Identifier: BSD-3-Clause */
/* mix.h - shared by the files of this transport: carriers of peers, and the nodes of a job. */

/*
 *		node 0			node 1
 *	   0 ------- 1		   2 ------- 3		--- near: one object of shm for each
 *	   :         :             :         :		    node, processes numbered in it
 *	   :.........:.............:.........:		... far: one object of ofi or mpi for
 *							    the job, numbered as in the job
 *
 * A process has a near object if there are others on its node, and a far one if there are other
 * nodes; with only one of them this is that transport under another name. Each peer has one
 * carrier, which never changes. So order, reach and credit between two processes are those of
 * their carrier; nothing has to be ordered across the two.
 *
 * Order of polling. To poll the near one takes some ten nanoseconds, the far one microseconds, as
 * it may call the kernel. So poll() polls the far one when the near one has nothing, or has
 * delivered MIX_NEAR_RUN chunks since: with any traffic inside the node the network is polled
 * after that many chunks, and its queues move on. And wait(), while it spins, polls the near one
 * alone for a while before poll() polls both again.
 *
 * Sleeping. No call sleeps until either of two events, of which one is a futex and the other
 * depends on the provider. With peers of both kinds wait() sleeps for short times instead, up to
 * 1 ms, which is the latency of a chunk after a long silence (a part of the wait where ofi has no
 * endpoint yet, up to 10 ms, and more with thousands: README). The sleeps are those of the far one,
 * which yields and sleeps by itself, as a network has to be polled; and which finds out in its
 * wait(), and only there, that a peer is lost. With one kind of peers wait() is that of its
 * transport.
 *
 * Capabilities. Windows: the runtime calls expose() and its like on this object, so the bit is
 * set; they go to the near one, and a peer reaches a window if the object that via() names has
 * the bit. The runtime calls bulk operations only on that object, and the near one has none: a
 * bit here would promise them for every peer, though only those on other nodes have them, so it
 * is not set. Counting barriers are those of nodes: the near one counts what stays inside and says
 * when all have entered, and what leaves is counted in memory of the node. Schedules beside the
 * processes are those of the far one, which has all processes of the job.
 *
 * Chunks may be taken and sent by this object too, which forwards to the carrier. Its max_chunk
 * is the smaller one. Its unsent and stats are sums; what was sent by way of the carrier is in
 * them from the next poll() or wait() on.
 */

#ifndef BSPT_MIX_H
#define BSPT_MIX_H

#include "transport/transport.h"

enum {
	MIX_NEAR_RUN = 16,	/* most chunks of the near one between two looks at the far one */
	MIX_PIECES = 8,		/* of memory that a node can share */
};

/* The wire of one node: a part of the job's. */
struct mix_wire {
	struct bspt_wire base;
	struct bspt_wire *whole;
	int npieces;
	struct {
		void *at;
		size_t bytes;
	} pieces[MIX_PIECES];		/* of memory that it has shared */
};

/* A node, as prepare() sees it. */
struct mix_node {
	int nprocs;			/* of the job */
	bool prepared;
	void *shared;			/* of the near transport */
	struct bspt_card *cards;	/* of endpoints of the far one; NULL: none are late */
	/* Chunks of this round for each process of the job, if of another node. Added to by all. */
	_Atomic uint32_t *outside;
	struct mix_wire *wire;		/* of one that is prepared; there may be thousands */
};

/* Out of prepare(). Nodes that are not ours are prepared if their processes are to be forked. */
struct mix_shared {
	const struct bspt_ops *near, *far;	/* far: NULL on a single node */
	void *far_shared;
	struct mix_shared *kept_before;
	int *numbers;			/* of the nodes in the wire of each: all 0 */
	int nnodes, nprocs;
	struct mix_node nodes[];
};

struct bspt_mix {
	struct bspt base;
	struct bspt *near, *far;	/* NULL: no such peers */
	int *near_number;		/* in the job, of each process of the node, ascending */
	int nnear;
	int near_run;			/* chunks of it since the last look at the far one */
	struct bspt_wait_policy wait_policy;
	uint64_t waiting_since;		/* ns; 0: not waiting */
	bool far_waits;			/* the far one has seen the beginning of this wait */
	long sleep_ns;			/* the next one, where the far one takes none */
	_Atomic uint32_t *outside;	/* of our node; our own, if we are alone there */
	/* A round of a process that is alone. */
	struct {
		enum mix_alone { MIX_NO_ROUND, MIX_FULL, MIX_SEEN, MIX_OVER } is;
		struct bspt_counts counts;
	} alone;
	struct mix_shared *shared;	/* has the wire of the near one */
};

static inline struct bspt_mix *bspt_mix_of(struct bspt *t)
{
	return (struct bspt_mix *)t;
}

/* mix_nodes.c: which transports, and prepare() of both */
int bspt_mix_probe(int nprocs, char *why, size_t len);
int bspt_mix_prepare(struct bspt_plan *plan);
/* Do the processes of node @k need a near transport? */
bool bspt_mix_has_near(const struct mix_shared *shared, int k);
/* The number of the node of process @p. */
int bspt_mix_node_of(const struct bspt_plan *plan, int p);
struct bspt_plan bspt_mix_plan_near(const struct bspt_plan *plan, struct mix_node *node);
/* @k: our node; -1: it is not known yet */
struct bspt_plan bspt_mix_plan_far(const struct bspt_plan *plan, const struct mix_shared *shared,
				   int k);
/* Unmap the cards and counts, when no endpoint is opened any more. */
void bspt_mix_drop_cards(struct mix_shared *shared);
/* After the last open; @opened: our own node was opened. */
void bspt_mix_shared_release(struct mix_shared *shared, bool opened);

/* mix_move.c: chunks, by the transport that carries to the peer; calls for both transports */
/* The number of process @p in this node; -1: it is of another. */
int bspt_mix_number(const struct bspt_mix *m, int p);
struct bspt *bspt_mix_via(struct bspt *t, int peer, int *number);
void *bspt_mix_chunk(struct bspt *t, int peer, size_t want, size_t *room);
void bspt_mix_send(struct bspt *t, int peer, void *chunk, size_t len);
void bspt_mix_discard(struct bspt *t, int peer, void *chunk);
void *bspt_mix_poll(struct bspt *t, int *peer, size_t *len);
void bspt_mix_release(struct bspt *t, int peer, void *chunk);
size_t bspt_mix_trim(struct bspt *t);
void bspt_mix_wait(struct bspt *t, unsigned int idle);
/* mix_count.c: counting barriers of nodes */
int bspt_mix_count_open(struct bspt_mix *m, int node);
void bspt_mix_count_close(struct bspt_mix *m);
void bspt_mix_count_add(struct bspt *t, int peer, uint32_t n);
void bspt_mix_count_enter(struct bspt *t, uint32_t word);
bool bspt_mix_count_test(struct bspt *t, struct bspt_counts *result);
bool bspt_mix_count_full(struct bspt *t, uint32_t *out, struct bspt_counts *node);
void bspt_mix_count_release(struct bspt *t, const uint32_t *in, const struct bspt_counts *all);
void bspt_mix_survey(struct bspt *t);
int bspt_mix_expose(struct bspt *t, void *base, size_t len, uint64_t *window,
		    size_t *head, size_t *tail);
int bspt_mix_withdraw(struct bspt *t, uint64_t window);
void bspt_mix_collect(struct bspt *t, uint64_t window, size_t offset, void *dst, size_t len);
void bspt_mix_unexpose(struct bspt *t, uint64_t window);
void bspt_mix_window_write(struct bspt *t, int peer, uint64_t window, size_t offset,
			   const void *src, size_t len);
void bspt_mix_window_read(struct bspt *t, int peer, uint64_t window, size_t offset,
			  void *dst, size_t len);
void bspt_mix_publish(struct bspt *t, uint32_t value);
uint32_t bspt_mix_published_by(struct bspt *t, int peer);
int bspt_mix_schedule_load(struct bspt *t, const void *block, size_t len, uint32_t *schedule);
int bspt_mix_schedule_start(struct bspt *t, uint32_t schedule, void *const *buffers,
			    const struct bspt_run_memory *memory, uint32_t *run);
bool bspt_mix_schedule_over(struct bspt *t, uint32_t run);
uint64_t bspt_mix_schedule_finish(struct bspt *t, uint32_t run,
				  const struct bspt_run_memory *memory);
void bspt_mix_schedule_unload(struct bspt *t, uint32_t schedule);

#endif
