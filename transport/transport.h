/* SPDX-License-Identifier: BSD-3-Clause */
/* transport.h - the contract between the runtime and what moves bytes between processes. */

/*
 * Terms
 *   job	nprocs processes, numbered from 0, that run one program.
 *   peer	another process of the job. A process reaches itself by bspt_own().
 *   chunk	a buffer that belongs to the transport. The runtime asks for one, fills it in
 *		place and sends it; it arrives whole at the peer, which reads it in place and
 *		releases it. The transport does not look at the contents.
 *   window	memory of one process that peers write and read without its help.
 *   counting	a counting barrier. A process that enters says how many chunks it has sent to
 *		each peer; a process that leaves knows how many chunks are for it.
 *   bulk	a large transfer directly from the memory of one process to that of another,
 *		which both call for.
 *   schedule	a graph of sends, receives and computations (goal/). Each process has its part
 *		of it; a run is one start of all the parts.
 *   clock	the time of a process on an emulated network. It stands still while the process
 *		waits, and then advances to the time of the event waited for.
 *   node	processes that share memory, as the wire-up defines it.
 *
 * Two tiers. The core is what every transport provides: chunks and wait(). Everything else has a
 * capability bit, and the runtime does the same by chunks where the bit is not set. When a
 * transport is looked up, the slots of capabilities that it lacks are filled with stubs (stubs.c),
 * so no slot is ever NULL; a bit that disagrees with its slots makes the transport unusable, with
 * a message.
 *
 * Ownership. open() returns an object that embeds struct bspt first; close() frees the object and
 * all chunks. A chunk belongs to the caller from chunk() until send(), and to the receiver from
 * poll() until release(). Memory given to expose() stays the caller's, which must call unexpose()
 * before it frees that memory.
 *
 * Threads. The calls come from one thread of each process; if plan->threads is set, from several
 * threads, but never from two at once.
 *
 * Blocking. Only wait(), and prepare() and open(), in which processes may exchange data.
 *
 * Errors. A call returns 0, or a negative errno, and then it has changed nothing. The death of a
 * process ends the job (job/), so no call reports a dead peer; a transport that loses a peer
 * calls plan->lost().
 */
#ifndef BSPT_TRANSPORT_H
#define BSPT_TRANSPORT_H

#include <sched.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

struct bspt;
struct bspt_card;

/* Abilities of a transport beyond the core. */
enum bspt_cap {
	BSPT_CAP_COUNTING = 1 << 0,	/* count_* */
	BSPT_CAP_WINDOW = 1 << 1,	/* expose .. published_by */
	BSPT_CAP_CLOCK = 1 << 2,	/* now .. reach */
	BSPT_CAP_BULK = 1 << 3,		/* bulk_send, bulk_recv */
	BSPT_CAP_SCHEDULE = 1 << 4,	/* schedule_* */
	BSPT_CAP_COUNTING_NODES = 1 << 5,	/* count_*, with count_full and count_release */
	BSPT_LATE = 1 << 25,		/* no slots: it heeds plan->late */
	BSPT_ASKS_PLUGINS = 1 << 26,	/* no slots: its probe() may load plugins */
	BSPT_FAR = 1 << 27,		/* no slots: it reaches other nodes, so mix may take it */
	/* no slots: it is for bspt_is_privileged(), loads nothing */
	BSPT_PRIVILEGED = 1 << 28,
	BSPT_ONE_NODE = 1 << 29,	/* no slots: it reaches only processes of the same node */
	BSPT_COMPLETE = 1 << 30,	/* set by the table: missing slots are filled with stubs */
};

/* How wait() waits: it spins, then yields, then sleeps until woken. Times in nanoseconds. */
struct bspt_wait_policy {
	uint64_t spin_ns;	/* poll without a pause for this long */
	uint64_t yield_ns;	/* then call sched_yield() between polls for this long */
};

enum { BSPT_TRIM_LEAST = 1 << 20 };	/* less idle memory than this, in bytes, may stay */

enum { BSPT_EXCHANGE_MOST = 1024 };	/* bytes of each process in one exchange() */

enum { BSPT_NODE_MOST = 4096 };	/* processes of a node that share memory: shm.h says why */

/* In an exchange: process @p has given the bytes at @its, which are there for this call alone. */
typedef void bspt_take_fn(void *arg, int p, const void *its);

/*
 * The means that processes have before there are chunks: the nodes, shared memory, and an exchange
 * of a few bytes. Provided by the wire-up (job/), which has one for each way in which a job can
 * start.
 *
 * Either the processes are forked after prepare() (inherits), which is then called once; or a
 * launcher has started them, and each calls prepare() itself.
 */
struct bspt_wire {
	int nprocs;
	int me;			/* -1 in the parent of processes that are still to be forked */
	bool inherits;
	bool one_machine;	/* all processes are on this machine, also those of other nodes */
	const int *node;	/* number of the node of each process, from 0 */
	int nnodes;

	/*
	 * share - allocate memory that processes share
	 * @bytes: size; the memory is zeroed and aligned to 2 MiB, and pages are allocated when
	 *	they are touched
	 * @usable: size of the part, from the start, that can be accessed. The rest is reserved:
	 *	each process gives itself access to what it uses (mprotect), so that mlockall()
	 *	does not fill it.
	 *
	 * Called in prepare(). The memory is shared by all processes that inherit the result;
	 * where a launcher has started the processes, by those of one node, all of which must make
	 * the same calls in the same order. Returns NULL if there is none, to all of them alike.
	 */
	void *(*share)(struct bspt_wire *w, size_t bytes, size_t usable);
	/*
	 * Set by share(): why processes of a node cannot open the memory that one of them has made,
	 * an errno, the same on all; 0: they can, or memory is what they lack.
	 */
	int closed;

	/*
	 * exchange - give @len bytes of each process to all
	 * @mine: the bytes of this process; @len is at most BSPT_EXCHANGE_MOST
	 * @take: called with @arg for each process in turn, from 0 on. It keeps what this process
	 *	needs: the bytes of thousands of processes would be megabytes in each of them.
	 *
	 * Called in open(), by all processes. Returns when all have called: 0; or a negative errno,
	 * and then some may have been taken.
	 */
	int (*exchange)(struct bspt_wire *w, const void *mine, size_t len, bspt_take_fn *take,
			void *arg);

	/*
	 * meet - wait until all processes have called
	 * @meanwhile: called with @arg again and again until then, since others may depend on this
	 *	process polling
	 *
	 * Called after open(). Returns 0 or a negative errno.
	 */
	int (*meet)(struct bspt_wire *w, void (*meanwhile)(void *arg), void *arg);
};

/* The job for which a transport is opened: argument of prepare() and open(). */
struct bspt_plan {
	int nprocs;
	struct bspt_wait_policy wait_policy;
	size_t reserve_bytes;	/* address space for what one process sends; 0: the most there is */
	const char *network;	/* the network to emulate, "" for none; accepted by accepts() */
	bool offload;		/* BSPT_CAP_SCHEDULE is wanted: schedules beside the processes */
	bool threads;		/* calls come from several threads, never two at once */
	const char *provider;	/* of libfabric; NULL or "": the best */
	const char *networks;	/* interfaces and subnets that ofi may use, as in interface.h */
	const char *ports;	/* at which ofi over IP and mpi wait for others, as in ports.h */
	const char *interface;	/* Ethernet interfaces of esp, "eth0" or "eth0,eth1"; NULL or "":
				   the first that is up */
	/*
	 * To a transport with BSPT_LATE: only the first process of each node opens its endpoint in
	 * open(), the others when they first need it, and the processes of a node show each other
	 * in @cards, by their numbers in it, whether they have. The first process of a node polls
	 * until no process of another node needs an address any more. NULL: alone on a node.
	 */
	bool late;
	struct bspt_card *cards;
	/* With BSPT_CAP_COUNTING_NODES: a round ends by count_release(), not by itself. */
	bool holds_rounds;
	const char *far;	/* of mix: transport between nodes; NULL, "" or "auto": the best */
	struct bspt_wire *wire;	/* NULL for the transport of a process to itself */
	void *shared;		/* set by prepare(), inherited by every process, used by open() */

	/*
	 * lost - end the job because a peer or the network has failed
	 * @peer: the peer that cannot be reached, or can no longer be; -1 if it is not known which
	 * @why: the reason in words
	 *
	 * Called by the transport, from prepare() on. Does not return.
	 */
	void (*lost)(int peer, const char *why);

	/*
	 * With a clock: end the job, because others wait for the virtual time of process @peer, and
	 * it has slept outside of the transport for stall_ns; 0: they wait for ever
	 *
	 * Called by the transport. Does not return.
	 */
	void (*stalled)(int peer);
	uint64_t stall_ns;

	/*
	 * Shared memory that the transport uses may be written over by mistake: nothing in it is
	 * believed without a sum. A transport without such memory, or with a clock, does nothing.
	 */
	bool sums;

	/*
	 * damaged - end the job because such memory has been written over
	 * @what: what was there, in words
	 *
	 * Called by the transport. Does not return.
	 */
	void (*damaged)(const char *what);
	const int *numbers;	/* in the job, of the processes 0 .. nprocs - 1; NULL: the same */

	/*
	 * length_mismatch - report a length mismatch in a schedule
	 * @run: the run, as schedule_start() has numbered it
	 * @operation: the receive that expected another length
	 * @from: the sender
	 * @bytes: the length of the message
	 *
	 * Called by the transport. Returns only if the runtime does not know the run.
	 */
	void (*length_mismatch)(uint32_t run, uint32_t operation, int from, uint64_t bytes);
};

/* Counters of this process since open(). */
struct bspt_stats {
	uint64_t chunks_sent;
	uint64_t bytes_sent;
	uint64_t chunks_received;
	uint64_t yields;	/* calls of sched_yield() */
	uint64_t sleeps;	/* times that wait() slept */
	uint64_t refused;	/* messages dropped because no process of the job has sent them */
};

/* The result of a counting barrier. */
struct bspt_counts {
	uint64_t chunks;	/* sent to this process in this round, by all */
	uint32_t any;		/* bitwise or of the words of all processes */
	uint32_t all;		/* bitwise and of the words of all processes */
};

/* A chunk that a wait depended on. */
struct bspt_event {
	uint64_t arrival;	/* as arrival() returns it */
	uint32_t bytes;		/* its length */
	int32_t peer;		/* its sender */
};

/*
 * A large transfer. The struct belongs to the caller and must stay in place until @done, as must
 * the bytes at @at. The sender chooses @id and sends it to the receiver by chunk; no two
 * transfers in progress from one process to another have the same @id.
 */
struct bspt_bulk {
	int peer;
	uint32_t id;
	void *at;
	size_t len;		/* the same on both sides; may be 0 */
	bool done;		/* set by poll() or by the call itself: @at may be used again, or
				   all bytes have arrived there */
	void *own[6];		/* for the transport, from the call until it is done */
};

/* Memory of a process that a run of a schedule has copies of. */
struct bspt_run_memory {
	void *scratch;		/* the first bytes of its scratchpad; the rest is zero */
	size_t scratch_bytes;
	void *copy;		/* all buffers, if they are not to be pinned */
	size_t copy_bytes;	/* or 0 */
};

/* One transport. All members but the first four need the object that open() returned. */
struct bspt_ops {
	const char *name;	/* folder, prefix and value of BSP_TRANSPORT */
	const char *summary;	/* one line for bspinfo */
	unsigned int caps;	/* enum bspt_cap */
	int node_most;		/* processes of a node that it takes; 0: no limit of its own */
	const struct bspt_cost *cost;	/* of messages, if it is the same everywhere; or NULL */

	/*
	 * accepts - can it carry this network?
	 * @network: the value of BSP_EMULATE; "" is the network that there really is
	 * @why: receives the reason in words if not (@len bytes, always terminated)
	 *
	 * Returns 0 or a negative errno.
	 */
	int (*accepts)(const char *network, char *why, size_t len);

	/*
	 * probe - can it run here, with @nprocs processes?
	 * @why: receives the reason in words if not (@len bytes, always terminated)
	 *
	 * Returns 0 or a negative errno. Leaves nothing behind.
	 */
	int (*probe)(int nprocs, char *why, size_t len);

	/*
	 * prepare - set up what processes share
	 * @plan: prepare() sets plan->shared
	 *
	 * Called before open(): once in the parent, before it forks the processes, or in each
	 * process (struct bspt_wire). Returns 0; or a negative errno, and leaves nothing behind.
	 */
	int (*prepare)(struct bspt_plan *plan);

	/*
	 * open - create the object of this process
	 * @me: number of this process. Where @me >= plan->nprocs a launcher has started more
	 *	processes than the job uses, and this is one of those: it does what the network
	 *	requires of all, and returns -ECANCELED.
	 * @out: receives the object, complete but for its ops, or with others: bspt_open()
	 *
	 * Called once in each process. On success plan->shared is used up. Returns 0; or a negative
	 * errno, and then nothing has changed or plan->lost() has been called.
	 */
	int (*open)(const struct bspt_plan *plan, int me, struct bspt **out);

	/*
	 * via - the object that carries to and from @peer, and the number of @peer there
	 *
	 * It is @t and @peer, unless the transport is built on others. Chunks, windows and bulk of
	 * one peer are asked of the object returned, under that number; poll(), wait(), expose(),
	 * unexpose(), publish() and counting barriers are asked of @t.
	 */
	struct bspt *(*via)(struct bspt *t, int peer, int *number);

	/* close - free the object. Cannot fail. Chunks in transit may arrive or not. */
	void (*close)(struct bspt *t);

	/*
	 * chunk - allocate a chunk for @peer
	 * @want: room wanted, in bytes; t->max_chunk if it is larger than that
	 * @room: receives the room there is, at least the smaller of @want and t->max_chunk
	 *
	 * Returns the chunk, aligned to 64 bytes; or NULL if the transport is out of credit. Any
	 * number of chunks to one peer may be open; they arrive in the order of send().
	 */
	void *(*chunk)(struct bspt *t, int peer, size_t want, size_t *room);

	/*
	 * send - send the first @len bytes of @chunk, 0 < @len <= its room
	 *
	 * Never blocks, never fails. A chunk that cannot leave now counts in t->unsent and leaves
	 * during a later poll(), as soon as its receiver polls.
	 */
	void (*send)(struct bspt *t, int peer, void *chunk, size_t len);

	/* discard - free a chunk that was not sent */
	void (*discard)(struct bspt *t, int peer, void *chunk);

	/*
	 * poll - return the next chunk that has arrived, from any peer, or NULL
	 * @peer: receives its sender, and @len its length, if there is a chunk
	 *
	 * Also sends what send() could not. The contents are visible: poll() acquires what send()
	 * has released.
	 */
	void *(*poll)(struct bspt *t, int *peer, size_t *len);

	/* release - free a chunk from poll(); those of one peer in the order of poll() */
	void (*release)(struct bspt *t, int peer, void *chunk);

	/*
	 * trim - return idle memory to the system
	 *
	 * Called from time to time; memory for chunks that has been idle since the last call goes.
	 * Less than BSPT_TRIM_LEAST bytes of idle memory may stay, and memory of chunks of a size
	 * that was used meanwhile, if these take turns. Returns how many bytes were freed of those
	 * that came from malloc().
	 */
	size_t (*trim)(struct bspt *t);

	/*
	 * wait - return when poll() or count_test() may have something new, or earlier
	 * @idle: calls since there last was something; 0: none, and then it does not sleep
	 *
	 * Spins, then yields, then sleeps, as plan->wait_policy says; @idle lets these times span
	 * several calls. A peer's publish() does not wake.
	 */
	void (*wait)(struct bspt *t, unsigned int idle);

	/* ---- BSPT_CAP_COUNTING ---- */

	/* count_add - count @n more chunks for @peer in the round that is entered next */
	void (*count_add)(struct bspt *t, int peer, uint32_t n);

	/* count_enter - enter the round with @word. A round ends when all have entered it. */
	void (*count_enter)(struct bspt *t, uint32_t word);

	/*
	 * count_test - has the round ended?
	 * @result: receives the result if it has; then the chunks counted in it can be polled
	 */
	bool (*count_test)(struct bspt *t, struct bspt_counts *result);

	/*
	 * ---- BSPT_CAP_COUNTING_NODES: the three above, and ----
	 *
	 * Rounds of each node, in which its processes count chunks for all of the job. When all of
	 * a node have entered, its first process gets the sums; exchanges them with other nodes, in
	 * a way that is not the transport's; and ends the round. Chunks from other nodes that are
	 * counted may still be on their way then.
	 */

	/*
	 * count_full - have all processes of this node entered the round? To be called by its
	 *	first process, which has entered itself. True once in a round.
	 * @out: out[d] is set to the chunks counted for process me + d, modulo the number of
	 *	processes, where that is of another node and they are not 0; others stay
	 * @node: receives the or and the and of the words of the node
	 */
	bool (*count_full)(struct bspt *t, uint32_t *out, struct bspt_counts *node);

	/*
	 * count_release - end this node's round, once it was full
	 * @in: in[i] chunks more, of other nodes, are for the i-th process of this one
	 * @all: has the or and the and of the words of all
	 */
	void (*count_release)(struct bspt *t, const uint32_t *in, const struct bspt_counts *all);

	/* ---- BSPT_CAP_WINDOW ---- */

	/* survey - look at the memory of this process, for the calls of expose() that follow */
	void (*survey)(struct bspt *t);

	/*
	 * expose - let peers access the @len bytes at @base
	 * @window: receives the name of the window for peers
	 * @head, @tail: receive the numbers of bytes at both ends, parts of pages, that peers
	 *	cannot access
	 *
	 * The contents stay. Returns 0, or -ENOTSUP if this memory cannot be exposed. Since the
	 * last survey() the memory was mapped, and only expose() has changed how.
	 */
	int (*expose)(struct bspt *t, void *base, size_t len, uint64_t *window,
		      size_t *head, size_t *tail);

	/*
	 * withdraw - the memory is this process's alone from here on; may be called again
	 *
	 * The contents stay. Peers may go on to use the window: they read what was there and do
	 * not change the memory any more; collect() has what they write. Returns 0, or -ENOMEM,
	 * and then the memory stays exposed.
	 */
	int (*withdraw)(struct bspt *t, uint64_t window);

	/*
	 * collect - copy @len bytes at @offset from the base of a window of this process to @dst,
	 * as peers see them after withdraw()
	 */
	void (*collect)(struct bspt *t, uint64_t window, size_t offset, void *dst, size_t len);

	/*
	 * unexpose - end all of it, and withdraw() if that has not been called. No peer uses the
	 * window any more. The contents stay.
	 */
	void (*unexpose)(struct bspt *t, uint64_t window);

	/*
	 * window_write, window_read - access @len bytes at @offset from the base of @peer's window
	 *
	 * Only bytes that expose() has not excluded. Complete on return. A write is visible to
	 * @peer when it has polled a chunk that was sent, or left a counting barrier that was
	 * entered, after the write.
	 */
	void (*window_write)(struct bspt *t, int peer, uint64_t window, size_t offset,
			     const void *src, size_t len);
	void (*window_read)(struct bspt *t, int peer, uint64_t window, size_t offset,
			    void *dst, size_t len);

	/*
	 * publish, published_by - publish a number of this process that only grows, and read a
	 * peer's
	 *
	 * Writes of a process before publish(@value) are visible to a peer to which published_by()
	 * has returned @value.
	 */
	void (*publish)(struct bspt *t, uint32_t value);
	uint32_t (*published_by)(struct bspt *t, int peer);

	/* ---- BSPT_CAP_BULK: for transfers of any size, but meant for large ones ---- */

	/*
	 * bulk_send - send the @b->len bytes at @b->at to @b->peer
	 *
	 * May be called before or after the peer calls bulk_recv(), and does not write the memory
	 * of the peer until then. Both sides progress in poll() only. Not ordered with chunks or
	 * with other bulks.
	 */
	void (*bulk_send)(struct bspt *t, struct bspt_bulk *b);

	/* bulk_recv - receive the bulk of @b->peer with @b->id at @b->at */
	void (*bulk_recv)(struct bspt *t, struct bspt_bulk *b);

	/*
	 * ---- BSPT_CAP_SCHEDULE: schedules that progress while the process computes ----
	 *
	 * Only if t->runs_schedules is set. All processes load and unload the same schedules in the
	 * same order, and start them equally often: a message belongs to the n-th run of the
	 * m-th schedule loaded. A failure outside a call is reported by plan->lost().
	 */

	/*
	 * schedule_load - load a schedule, which is copied
	 * @block: this process's part, without calls of the program
	 * @schedule: receives this process's number of the schedule
	 *
	 * Returns 0 or a negative errno.
	 */
	int (*schedule_load)(struct bspt *t, const void *block, size_t len, uint32_t *schedule);

	/*
	 * schedule_start - start a run
	 * @buffers: as many addresses as the block's header says; the memory there belongs to the
	 *	schedule until the run is over. With memory->copy_bytes all are in memory->copy.
	 * @memory: read during the call
	 * @run: receives this process's number of the run
	 *
	 * Returns 0; -EBUSY, -ENOSPC or -ENOMEM if there are too many runs, or they take too
	 * much memory of the transport or too much pinned memory, which may succeed after other
	 * runs have ended; or another negative errno, which is permanent: -EFAULT if a buffer
	 * cannot be pinned.
	 */
	int (*schedule_start)(struct bspt *t, uint32_t schedule, void *const *buffers,
			      const struct bspt_run_memory *memory, uint32_t *run);

	/*
	 * schedule_over - is the run over? If so all that it wrote is visible.
	 *
	 * Makes no system call. wait() returns when a run may be over.
	 */
	bool (*schedule_over)(struct bspt *t, uint32_t run);

	/*
	 * schedule_finish - end a run that is over; copy what it has to @memory
	 *
	 * When it was over: bspt_now_ns() of then, 0: not known.
	 */
	uint64_t (*schedule_finish)(struct bspt *t, uint32_t run,
				    const struct bspt_run_memory *memory);

	/* schedule_unload - unload a schedule that has no run and will have none */
	void (*schedule_unload)(struct bspt *t, uint32_t schedule);

	/* ---- BSPT_CAP_CLOCK: times are virtual, in nanoseconds since open() ---- */

	/* now - the clock of this process */
	uint64_t (*now)(struct bspt *t);

	/*
	 * computing - does the process compute (@on), or is it in a call that communicates?
	 *
	 * The clock advances with the processor time of computing; in a call it advances only by
	 * what the network costs. Off at first.
	 */
	void (*computing)(struct bspt *t, bool on);

	/*
	 * charge - in a call: the process has computed for @ns; from now on computing costs this
	 * only, and no processor time
	 */
	void (*charge)(struct bspt *t, uint64_t ns);

	/* arrival - when a chunk arrived, without its overhead. From poll() until release(). */
	uint64_t (*arrival)(struct bspt *t, int peer, const void *chunk);

	/*
	 * advance - a wait has ended that depended on the @n chunks of @events
	 *
	 * The clock advances to the time when the last of them has been received. Each chunk is
	 * named once, by the first wait that depends on it. Sorts @events.
	 */
	void (*advance)(struct bspt *t, struct bspt_event *events, size_t n);

	/*
	 * send_at - send a chunk for a schedule, as send() does, at time @when
	 *
	 * Schedules run beside the process, as if on a processor of their own. The chunk leaves at
	 * @when, or as soon after that as the interface and that processor are free; @when may be
	 * before now(), and calls need not be in the order of times. Returns the time when the
	 * processor is free again.
	 */
	uint64_t (*send_at)(struct bspt *t, int peer, void *chunk, size_t len, uint64_t when);

	/* receive_at - when a schedule that has waited for @event since @when has received it */
	uint64_t (*receive_at)(struct bspt *t, const struct bspt_event *event, uint64_t when);

	/* reach - advance the clock to @when: the process has waited for a schedule until then */
	void (*reach)(struct bspt *t, uint64_t when);
};

/*
 * The cost of messages by LogGP, in nanoseconds, as far as the transport knows without measuring.
 * For the choice of algorithms, where there are no better figures.
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
	size_t good_chunk;	/* larger chunks are no faster */
	size_t min_direct;	/* from this size on a transfer is faster by window_write() */
	size_t min_bulk;	/* from this size on a transfer is faster in bulk */
	bool runs_schedules;	/* schedule_* can be used; the same on all processes of the job */
	/*
	 * So many bytes of a run's buffers, in whole pages, can be used in place, if other runs and
	 * the process do not pin any; schedule_start() returns -ENOMEM for more.
	 */
	size_t pinnable;
	bool multicasts;	/* a multicast of a schedule is one message, not one to each */
	int networks;		/* over which messages of schedules may be spread (nic); 0 is 1 */
	const char *choice;	/* of open(), and why, in words; NULL: there was none */
	size_t unsent;		/* chunks of send() that have not left yet; poll() sends them */
	size_t asked;		/* peers of chunk() whose address is asked for; poll() gets it */
	struct bspt_cost cost;	/* set by open() */
	/* Inside a node, on all processes of the job, where that is another one; else 0. */
	struct bspt_cost inside;
	struct bspt_stats stats;
};

/*
 * One step of a wait that has lasted @waited ns: return at once to spin, or yield the processor,
 * as it does beyond the time for that if the wait must not sleep. True: sleep now.
 */
static inline bool bspt_wait_step(struct bspt *t, const struct bspt_wait_policy *policy,
				  uint64_t waited, bool must_not_sleep)
{
	if (waited < policy->spin_ns)
		return false;
	if (waited >= policy->spin_ns + policy->yield_ns && !must_not_sleep)
		return true;
	t->stats.yields++;
	sched_yield();
	return false;
}

/* Hint to the processor that this loop polls. */
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

/* Without -mprfchw the compiler turns __builtin_prefetch(at, 1) into a prefetch for reading. */
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

/* The i-th transport, in order of preference, or NULL after the last. */
const struct bspt_ops *bspt_at(unsigned int i);

/* The transport of that name, or NULL. */
const struct bspt_ops *bspt_find(const char *name);

/*
 * Has a plugin to be loaded, to see whether this transport can run here? Loading may take longer
 * than a job: libfabric 1.17 took 0.3 s, 0.2 of it in libraries for networks that are not there.
 */
bool bspt_needs_plugin(const char *name);

/*
 * bspt_at() and bspt_find() for transports that are built on others (emu, mix). The table names
 * these, so they must not name the table: it sets bspt_others before it returns any transport.
 */
struct bspt_table {
	const struct bspt_ops *(*at)(unsigned int i);
	const struct bspt_ops *(*find)(const char *name);
};

extern const struct bspt_table *bspt_others;

/*
 * Call ops->open() and set the ops of the object, unless open() has: others, complete, with less
 * capabilities. Returns what open() returns.
 */
int bspt_open(const struct bspt_ops *ops, const struct bspt_plan *plan, int me,
	      struct bspt **out);

/* slots.c: accepts() of a transport that does not emulate a network. */
int bspt_accepts_none(const char *network, char *why, size_t len);

/*
 * slots.c: an exchange of which this process keeps all: @all has room for nprocs * @len bytes, in
 * the order of processes.
 */
int bspt_exchange_all(struct bspt_wire *w, const void *mine, size_t len, void *all);

/* slots.c: of an exchange, the @len bytes of process @of alone. */
struct bspt_one {
	int of;
	size_t len;
	void *into;
};

/* Takes them; its argument is a struct bspt_one. */
void bspt_take_one(void *one, int p, const void *its);

/* slots.c: via() of a transport that is not built on others. */
struct bspt *bspt_via_itself(struct bspt *t, int peer, int *number);

/*
 * plugin.c: the symbol @symbol of the plugin @name, which is loaded if it is not yet; or NULL, and
 * the reason in @why. Plugins are the parts that need libraries of others.
 */
void *bspt_plugin(const char *name, const char *symbol, char *why, size_t len);

/*
 * Is the stack large enough for the libraries that plugins need? If not, @why says what to raise.
 * bspt_plugin() looks itself.
 */
bool bspt_plugin_has_stack(char *why, size_t len);

/* Is there a file bsp-NAME.so where plugins are? Names for mpi are mpi-openmpi and mpi-mpich. */
bool bspt_plugin_is_installed(const char *name);

/*
 * started.c: does the program have rights that its user has not (AT_SECURE: setuid,
 * setgid, capabilities of its file)? Then that user must not gain them: no setting that names a
 * file, no plugin, no launcher, and only transports with BSPT_PRIVILEGED.
 */
bool bspt_is_privileged(void);

/* started.c: the folder in which the program was started, or "" if that is not known. */
const char *bspt_start_folder(void);

/*
 * started.c: make @name, which is "" or the name of a file, absolute: as seen from that folder.
 * False, and @name as it was, if that takes more than @room bytes.
 */
bool bspt_absolute_name(char *name, size_t room);

/*
 * system_file.c: read @path, a small file of /proc or /sys, into @text, by one call. False: it
 * cannot be read, or is empty; then @text is "". Allocates nothing.
 */
bool bspt_system_file(const char *path, char *text, size_t len);
/*
 * The same of /proc/PID/stat or /proc/self/task/TID/stat, for which 512 bytes are enough. Returns
 * the part behind the name of the program, which may contain anything: a blank, the letter of the
 * state, numbers (proc(5)); or NULL.
 */
const char *bspt_task_stat(const char *path, char *text, size_t len);

/* Do the capability bits agree with the slots? 0, or -EINVAL and the slot's name in @why. */
int bspt_check(const struct bspt_ops *ops, char *why, size_t len);

/* Fill the slots of missing capabilities with stubs. */
void bspt_complete(struct bspt_ops *ops);

#endif
