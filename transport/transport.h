/* SPDX-License-Identifier: BSD-3-Clause */
/* transport.h - the contract between the runtime and what moves bytes between processes. */

/*
 * Terms
 *   job      nprocs processes, numbered from 0, that run one program.
 *   peer     another process of the job; itself a process reaches by bspt_own().
 *   chunk    a buffer that belongs to the transport. The runtime asks for one,
 *	      fills it in place, hands it over; it arrives whole at the peer, is
 *	      read in place there and given back. What is in it is no business
 *	      of the transport.
 *   window   memory of one process that others write and read without its help.
 *   tally    a counted barrier: who enters says how many chunks he sent to whom;
 *	      who leaves knows how many are for him.
 *   bulk     a large transfer straight from the memory of one process into that of
 *	      another, both of which know of it.
 *   schedule a graph of sends, receives and computations (goal/), of which each process has its part;
 *	      a flight is one run of it.
 *   clock    the time of a process on a network that is emulated: it stands still
 *	      while the process waits and is set on to what it waited for.
 *   node     processes that share memory. What the wire-up calls one.
 *
 * Two tiers. The core is what every transport provides: chunks and wait. The
 * rest is announced by a capability bit, and the runtime has its own way, built on
 * chunks, where the bit is missing. A slot without its bit is filled with a stub
 * (stubs.c) when transports are looked up, so no slot is ever NULL; a bit and
 * a slot that disagree make the transport unusable, with a message.
 *
 * Who owns what. open() returns an object that embeds struct bspt first; close()
 * frees it, and every chunk with it. A chunk is the caller's from chunk() until
 * send(), and the receiver's from poll() until release(). Memory given to
 * expose() stays the caller's, who must call conceal() before it goes.
 *
 * Calls come from one thread of each process; with plan->threads from several, but one at a time. Only wait() blocks, and prepare() and open(),
 * in which processes may tell each other something. Whoever dies takes the job down
 * (wireup/), so no call reports a dead peer; a transport that loses one calls plan->lost().
 *
 * Results: 0, or a negative errno, and then nothing has happened.
 */
#ifndef BSPT_TRANSPORT_H
#define BSPT_TRANSPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

struct bspt;

/* What a transport can do beyond the core. */
enum bspt_cap {
	BSPT_CAP_TALLY = 1 << 0,	/* tally_* */
	BSPT_CAP_WINDOW = 1 << 1,	/* expose .. stamp_of */
	BSPT_CAP_CLOCK = 1 << 2,	/* now .. reach */
	BSPT_CAP_BULK = 1 << 3,		/* bulk_send, bulk_recv */
	BSPT_CAP_SCHEDULE = 1 << 4,	/* schedule_* */
	BSPT_ONE_NODE = 1 << 29,	/* no slots: it reaches only processes of the same node */
	BSPT_COMPLETE = 1 << 30,	/* not the transport's to set: stubs are where it has no slot */
};

/* How waiting is done; times in nanoseconds. */
struct bspt_patience {
	uint64_t spin_ns;	/* look again at once for so long */
	uint64_t yield_ns;	/* then give the processor away between looks for so long */
				/* then sleep until woken */
};

enum { BSPT_TRIM_LEAST = 1 << 20 };	/* bytes of idle memory that are not worth a look */

enum { BSPT_EXCHANGE_MOST = 1024 };	/* bytes that each process can tell the others at once */

/*
 * Before there are chunks: who is where, what processes share, how they tell each other
 * something. Made by the wire-up (wireup/), which has one for each way in which a job can start.
 *
 * Processes are forked after prepare() (inherits), which is then called once; or a launcher
 * has started them, and each calls prepare() itself.
 */
struct bspt_wire {
	int nprocs;
	int me;			/* -1 in the parent of processes to come */
	bool inherits;
	const int *node;	/* number of the node of each process, 0 and up */
	int nnodes;

	/*
	 * In prepare(): @bytes of memory, zeroed, that starts on a multiple of 2 MiB; pages come
	 * when they are touched. The first @usable bytes can be used; the rest is reserved, and each process gives itself
	 * access to what it comes to use (mprotect), so that mlockall() does not fill it.
	 * All processes see it that inherit what the call returns; where a
	 * launcher has started them, those of one node, each of which makes the same calls in the
	 * same order. NULL: there is none, and then for all of them.
	 */
	void *(*share)(struct bspt_wire *w, size_t bytes, size_t usable);

	/*
	 * In open(), by all processes: @len <= BSPT_EXCHANGE_MOST bytes of each to all, into
	 * @all by number of process. Returns when all have called. 0 or a negative errno.
	 */
	int (*exchange)(struct bspt_wire *w, const void *mine, size_t len, void *all);

	/*
	 * After open(), by all processes: returns when all have called, and until then calls
	 * meanwhile(@arg) again and again, as others may need to be polled to get here.
	 */
	int (*meet)(struct bspt_wire *w, void (*meanwhile)(void *arg), void *arg);
};

/* What the runtime tells a transport. */
struct bspt_plan {
	int nprocs;
	struct bspt_patience patience;
	size_t reserve_bytes;	/* address space for what one process sends; 0: as much as can be had */
	const char *network;	/* the network to emulate, "" for none; accepted by accepts() */
	bool offload;		/* schedules are to be run beside the processes, BSPT_CAP_SCHEDULE */
	bool threads;		/* calls come from several threads, never two at once */
	const char *provider;	/* of libfabric, "" for the best; NULL as "" */
	const char *interface;	/* of Ethernet, for esp between nodes, or two: "eth0,eth1"; "" for the first that is up; NULL as "" */
	const char *far;	/* the transport between nodes, where there is one inside them too; NULL, "" or "auto": the best */
	struct bspt_wire *wire;	/* NULL for the way of a process to itself */
	void *shared;		/* out of prepare(): inherited by every process, input of open() */

	/*
	 * A transport calls this, from prepare() on, when it cannot or can no longer reach @peer (-1:
	 * not known which), or its network has failed, for the reason in @why. Does not return.
	 */
	void (*lost)(int peer, const char *why);

	/*
	 * And this when a message of @bytes from @from has come for a receive of another length: @operation of @flight, see
	 * schedule_start(). Does not return, but if the flight is not known.
	 */
	void (*misfit)(uint32_t flight, uint32_t operation, int from, uint64_t bytes);
};

/* Counters since open(), of this process. */
struct bspt_stats {
	uint64_t chunks_sent;
	uint64_t bytes_sent;
	uint64_t chunks_received;
	uint64_t yields;	/* times the processor was given away */
	uint64_t sleeps;	/* times wait() slept */
	uint64_t refused;	/* messages of no process of the job, which were dropped */
};

/* What everybody put into a tally, and what of it concerns this process. */
struct bspt_tally {
	uint64_t chunks;	/* sent to this process in this round, by all */
	uint32_t any;		/* or of the words of all processes */
	uint32_t all;		/* and of the words of all processes */
};

/* A chunk that somebody waited for. */
struct bspt_event {
	uint64_t arrival;	/* of the chunk, see arrival() */
	uint32_t bytes;		/* its length */
	int32_t peer;		/* who sent it */
};

/*
 * A large transfer. Lies with the caller, and stays there until it is done, as do the
 * bytes at @at. The sender chooses @id and tells the receiver by chunk; of the transfers
 * from one process to another no two under way have the same.
 */
struct bspt_bulk {
	int peer;
	uint32_t id;
	void *at;
	size_t len;		/* the same on both sides; may be 0 */
	bool done;		/* set by poll() or by the call itself: sent, and @at is free; or all is at @at */
	void *own[6];		/* the transport's, from the call until it is done */
};

/*
 * One transport. Members are called on the object that open() returned, but for
 * the first four.
 */
struct bspt_ops {
	const char *name;	/* folder, prefix and value of BSP_TRANSPORT */
	const char *summary;	/* one line for bspinfo */
	unsigned int caps;	/* enum bspt_cap */

	/*
	 * Can it carry @network, the text of BSP_EMULATE, or "" for what there really is?
	 * 0, or a negative errno and the reason in words in @why.
	 */
	int (*accepts)(const char *network, char *why, size_t len);

	/*
	 * Can it run here, with so many processes? 0, or a negative errno and the
	 * reason in words in @why (@len bytes, always terminated). Leaves nothing behind.
	 */
	int (*probe)(int nprocs, char *why, size_t len);

	/*
	 * Before open(): in the parent, once, before the processes exist, whatever they are to
	 * inherit; or in each process, see struct bspt_wire. Sets plan->shared. On failure
	 * nothing is left.
	 */
	int (*prepare)(struct bspt_plan *plan);

	/*
	 * In each process, once. On success *@out is the object but for its ops, and
	 * plan->shared is used up; on failure nothing has changed, or plan->lost() has
	 * been called with the reason. @me >= plan->nprocs is a process that a launcher has
	 * started and the job has no use for: it does what the network asks of all, and
	 * returns -ECANCELED.
	 */
	int (*open)(const struct bspt_plan *plan, int me, struct bspt **out);

	/*
	 * Who carries to @peer, and from it, and its number there: @t itself and the same
	 * number, except for a transport made of others. What is said below of chunks,
	 * windows and bulk to one peer is asked of the object returned here, under that number;
	 * poll(), wait(), expose(), conceal(), stamp() and tallies of @t.
	 */
	struct bspt *(*via)(struct bspt *t, int peer, int *number);

	/* Ends it; cannot fail. What is under way may or may not arrive. */
	void (*close)(struct bspt *t);

	/*
	 * A chunk for @peer with room for at least @want bytes (but never more
	 * than t->max_chunk), aligned to 64; *@room says how many. NULL: out of
	 * credit. Any number of chunks to one peer may be open.
	 * Serialisation: chunks to a peer arrive in the order of send().
	 */
	void *(*chunk)(struct bspt *t, int peer, size_t want, size_t *room);

	/*
	 * Hand over the first @len bytes of @chunk, 0 < @len <= its room. Never
	 * blocks, never fails: what cannot leave now counts in t->unsent and leaves
	 * during later calls of poll(), as soon as its receiver polls.
	 */
	void (*send)(struct bspt *t, int peer, void *chunk, size_t len);

	/* Take back a chunk that was not sent. */
	void (*discard)(struct bspt *t, int peer, void *chunk);

	/*
	 * The next chunk that has arrived, from whomever, or NULL. Also moves on
	 * what send() could not. The data are visible: poll() acquires what send()
	 * released. @peer is set only if a chunk is returned, @len too.
	 */
	void *(*poll)(struct bspt *t, int *peer, size_t *len);

	/* Give back an arrived chunk. Those of one peer are given back in the order of poll(). */
	void (*release)(struct bspt *t, int peer, void *chunk);

	/*
	 * Called every now and then. Memory for chunks that was idle all the time since the last call
	 * goes back to the system; where it comes from malloc() it is freed, and the result is how many
	 * bytes. Less than BSPT_TRIM_LEAST bytes of idle memory may stay.
	 */
	size_t (*trim)(struct bspt *t);

	/*
	 * Return when poll() or tally_test() may have something new, or earlier:
	 * spins, then yields, then sleeps, as plan->patience says. @idle counts the
	 * calls since something last came (0: none), so that patience spans calls;
	 * with 0 it does not sleep. A stamp of a peer wakes nobody.
	 */
	void (*wait)(struct bspt *t, unsigned int idle);

	/* ---- BSPT_CAP_TALLY ---- */

	/* Before tally_enter(): @n more chunks for @peer belong to the round to come. */
	void (*tally_add)(struct bspt *t, int peer, uint32_t n);

	/* Enter the round with @word. A round ends when all have entered. */
	void (*tally_enter)(struct bspt *t, uint32_t word);

	/* Has the round ended? If so *@result tells. Chunks counted in it can be polled. */
	bool (*tally_test)(struct bspt *t, struct bspt_tally *result);

	/* ---- BSPT_CAP_WINDOW ---- */

	/*
	 * Let peers reach @base .. @base + @len - 1. *@window names it to them;
	 * *@head and *@tail are the bytes at its ends that are out of their reach
	 * (parts of pages). The contents stay as they are. -ENOTSUP: this memory
	 * cannot be exposed.
	 */
	int (*expose)(struct bspt *t, void *base, size_t len, uint64_t *window,
		      size_t *head, size_t *tail);

	/* End that; no peer uses the window any more. The contents stay. */
	void (*conceal)(struct bspt *t, uint64_t window);

	/*
	 * Write @len bytes at @offset from the base of @peer's window, or read
	 * them; within what its expose() left in reach. Done when it returns; a
	 * write is visible to @peer when it has polled a chunk sent, or left a
	 * tally entered, after it.
	 */
	void (*window_write)(struct bspt *t, int peer, uint64_t window, size_t offset,
			     const void *src, size_t len);
	void (*window_read)(struct bspt *t, int peer, uint64_t window, size_t offset,
			    void *dst, size_t len);

	/* A number that peers can read; it only grows. What came before stamp() is visible to whom stamp_of() shows it. */
	void (*stamp)(struct bspt *t, uint32_t value);
	uint32_t (*stamp_of)(struct bspt *t, int peer);

	/* ---- BSPT_CAP_BULK: for transfers of any size, but meant for large ones ---- */

	/*
	 * @b->len bytes at @b->at to @b->peer. May be called before or after the peer calls
	 * bulk_recv(), and leaves its memory alone until then. Both move on in poll() only. In
	 * no order with chunks, or with one another.
	 */
	void (*bulk_send)(struct bspt *t, struct bspt_bulk *b);

	/* Those of @b->peer with that id go to @b->at. */
	void (*bulk_recv)(struct bspt *t, struct bspt_bulk *b);

	/*
	 * ---- BSPT_CAP_SCHEDULE: schedules that progress whatever the process does. Only where t->runs_schedules is set. All
	 * processes load and unload the same ones in the same order, and start them as often: a message belongs to the n-th
	 * flight of the m-th that was loaded. What fails beyond a call is plan->lost(). ----
	 */

	/* A block without calls (copied); *@schedule is this process's number of it. */
	int (*schedule_load)(struct bspt *t, const void *block, size_t len, uint32_t *schedule);

	/*
	 * Start it. @buffers: as many addresses as its header says, the schedule's until the flight is over. The first @len bytes
	 * of its scratchpad are those at @scratch, which are read now; the rest is zero. *@flight is this process's number of it.
	 * -EBUSY, -ENOSPC, -ENOMEM: there are too many flights, or they take too much memory, of the transport's or that stays in
	 * place; perhaps others' end helps. Any other error is for good.
	 */
	int (*schedule_start)(struct bspt *t, uint32_t schedule, void *const *buffers,
			      const void *scratch, size_t len, uint32_t *flight);

	/* Is it over? If so all that it wrote is visible. No system call. wait() returns when it may be. */
	bool (*schedule_over)(struct bspt *t, uint32_t flight);

	/* It is over, and ends: the first @len bytes of its scratchpad go to @scratch. */
	void (*schedule_finish)(struct bspt *t, uint32_t flight, void *scratch, size_t len);

	/* No flight of it is under way, and none will be. */
	void (*schedule_unload)(struct bspt *t, uint32_t schedule);

	/* ---- BSPT_CAP_CLOCK: times are virtual, in nanoseconds since open() ---- */

	/* The clock of this process. */
	uint64_t (*now)(struct bspt *t);

	/*
	 * @on: from here on the process computes, which moves the clock on; false: it is in
	 * a call that communicates, in which only what the network asks for does. Off at first.
	 */
	void (*computing)(struct bspt *t, bool on);

	/* When an arrived chunk is at this process, its overhead not counted. Until release(). */
	uint64_t (*arrival)(struct bspt *t, int peer, const void *chunk);

	/*
	 * A wait ended that depended on @n chunks: the clock moves to when the last of them
	 * has been received. Each chunk is named once, by the first wait that depends on it. Sorts them.
	 */
	void (*advance)(struct bspt *t, struct bspt_event *events, size_t n);

	/*
	 * For what goes on beside the process, as though it had a processor to itself (schedules). Send as send()
	 * does, at time @when or as soon after that as the interface and that processor are free, which may be
	 * before now; returns when the processor is. Calls need not be in the order of time.
	 */
	uint64_t (*send_at)(struct bspt *t, int peer, void *chunk, size_t len, uint64_t when);

	/* The chunk @event was waited for since @when: when it has been received. */
	uint64_t (*receive_at)(struct bspt *t, const struct bspt_event *event, uint64_t when);

	/* The clock moves on to @when, if it is not there yet: the process waited for something beside it. */
	void (*reach)(struct bspt *t, uint64_t when);
};

/*
 * What messages cost, as far as the transport knows without measuring: LogGP, in nanoseconds. For who chooses
 * algorithms and has no better figures.
 */
struct bspt_cost {
	double L, o, g, G;
};

/* The object: first member of every transport's own. Read-only for the runtime. */
struct bspt {
	const struct bspt_ops *ops;
	int me;
	int nprocs;
	size_t max_chunk;	/* largest room of a chunk, bytes */
	size_t good_chunk;	/* there is nothing to gain from larger ones */
	size_t min_direct;	/* transfers from this size on are better written to a window */
	size_t min_bulk;	/* and from this size on moved in bulk */
	bool runs_schedules;	/* schedule_* can be used: on all processes of the job, or on none */
	bool multicasts;	/* and a multicast there is one message; else one to each */
	int networks;		/* over which messages there may be spread (nic); 0 is 1 */
	size_t unsent;		/* chunks of send() that have not left yet; poll() moves them on */
	struct bspt_cost cost;	/* set by open() */
	struct bspt_stats stats;
};

/* The processor, where C has no word for it. */
static inline void bspt_pause(void)
{
#if defined(__x86_64__)
	__asm__ volatile("pause");
#elif defined(__aarch64__)
	__asm__ volatile("yield");
#endif
}

/* Nanoseconds of the monotonic clock. */
static inline uint64_t bspt_now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

/* The compiler's prefetch for writing is one for reading unless told that the processor has the other. */
static inline void bspt_prefetch_for_write(const void *at)
{
#if defined(__x86_64__)
	__asm__ volatile("prefetchw %0" : : "m"(*(const char *)at));
#else
	__builtin_prefetch(at, 1);
#endif
}

/* ---- table.c, transport.c: all transports ---------------------------------------------- */

/* The transport by which a process reaches itself. */
const struct bspt_ops *bspt_own(void);

/* The i-th transport built in, in order of preference, or NULL after the last. */
const struct bspt_ops *bspt_at(unsigned int i);

/* The one of that name, or NULL. */
const struct bspt_ops *bspt_find(const char *name);
/*
 * Both for transports that are built on others (emu, mix): these are listed in the table, so must not call it
 * themselves. The table sets it before it gives out any transport.
 */
struct bspt_table {
	const struct bspt_ops *(*at)(unsigned int i);
	const struct bspt_ops *(*find)(const char *name);
};

extern const struct bspt_table *bspt_others;

/* Open @ops in this process; what the runtime calls. As the slot, and sets ops of the object. */
int bspt_open(const struct bspt_ops *ops, const struct bspt_plan *plan, int me,
	      struct bspt **out);

/* slots.c: accepts() of a transport that does not emulate a network. */
int bspt_accepts_none(const char *network, char *why, size_t len);

/* slots.c: via() of a transport that is not built on others. */
struct bspt *bspt_via_itself(struct bspt *t, int peer, int *number);

/*
 * plugin.c: parts that need libraries of others are loaded when they are wanted. The symbol
 * @symbol of the part @name, or NULL and the reason in @why.
 */
void *bspt_plugin(const char *name, const char *symbol, char *why, size_t len);

/* Do the capability bits agree with the slots? 0, or -EINVAL and the slot's name in @why. */
int bspt_check(const struct bspt_ops *ops, char *why, size_t len);

/* Fill the slots of missing capabilities with stubs. */
void bspt_complete(struct bspt_ops *ops);

#endif
