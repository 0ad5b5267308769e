/* SPDX-License-Identifier: BSD-3-Clause */
/* emu.h - what the files of the emulated network share: the model, the clocks, the objects. */

/*
 * The model is LogGP (Alexandrov, Ionescu, Schauser and Scheiman, 1995):
 *
 *   L  latency: how long a byte is under way
 *   o  overhead: how long a processor is busy with sending or receiving a message
 *   g  gap: how long an interface rests after the last byte of a message
 *   G  gap per byte: how long after one byte the next one follows
 *
 * A message of k bytes:
 *
 *	sender     |<-- o -->|
 *	  its interface      |<-- (k-1) G -->|<- g ->|
 *	network              |<----- L ----->|
 *	  receiver's interface               |<-- (k-1) G -->|<- g ->|
 *	receiver                                             |<-- o -->|
 *	                                                  arrival
 *
 * So an interface is busy for (k-1) G + g with each message, in and out. A network may have links
 * that all processes share, in which messages wait for each other: emu_switch.c. The
 * sender's processor does not wait for its interface: messages queue there.
 *
 * Schedules run beside the process, as if on a processor of their own; both share the interface.
 *
 * Each process has a host: a processor and an interface. Its times depend only on the calls of
 * the program and on the processor time that counts as computing; they do not depend on when or
 * in which order chunks really arrive:
 *
 *   - the sender works out when a message arrives and writes that in front of it;
 *   - the receiver looks at it when a wait depends on it: advance() places the
 *     message in the calendar of its interface, wherever that was free then.
 *
 * Inside, times are in picoseconds since open(), because bytes may follow each
 * other in less than a nanosecond. An arrival is rounded up to whole
 * nanoseconds, in which the contract counts.
 */
#ifndef BSPT_EMU_H
#define BSPT_EMU_H

#include "common/emulated.h"
#include "transport/transport.h"

#include <pthread.h>
#include <stdatomic.h>

enum { EMU_PS = 1000 };		/* of a nanosecond */

/* Kinds of messages, for their jitter. */
enum emu_kind { EMU_CHUNK, EMU_BARRIER, EMU_BESIDE };

enum {
	EMU_LINE = 64,
	/* spans that a calendar of an interface, or of the processor beside, remembers */
	EMU_BUSY = 512,
	EMU_LINK_BUSY = 4096,	/* the same of a link that all processes share */
	EMU_IDLE = 64,		/* spans of idle time that a processor remembers */
	EMU_STEPS = 12,		/* of a barrier */
	/* most processes: they share memory, and the transport below has no more */
	EMU_PROCS = 1 << EMU_STEPS,
	EMU_HELD = 256,		/* chunks to choose from; with order=1 more */
};

/* The time from @from on, before @to. */
struct emu_span {
	uint64_t from, to;
};

/* Spans of time in order that do not touch. Without room for one more the oldest is forgotten. */
struct emu_spans {
	struct emu_span *at;
	int n, most;
};

/* A process on the network. */
struct emu_host {
	uint64_t clock;		/* of the processor */
	struct emu_spans sent;	/* when its interface sent */
	struct emu_spans busy;	/* when its interface received */
	struct emu_spans idle;	/* when its processor waited for a message and did nothing */
};

/* In front of the bytes of a chunk; a line, so that these stay aligned. */
struct emu_head {
	uint64_t arrival_ns;
	char pad[EMU_LINE - 8];
};

_Static_assert(sizeof(struct emu_head) == EMU_LINE, "chunks are aligned to 64");

/* Links that all processes share. */
enum { EMU_FABRIC, EMU_UP, EMU_DOWN, EMU_LINKS };

/*
 * When a link was busy, in memory of all processes: written by the holder of @lock. emu_switch.c
 * says why times do not depend on which process is first.
 */
struct emu_link {
	_Alignas(EMU_LINE) _Atomic uint32_t lock;
	uint32_t n;
	struct emu_span at[EMU_LINK_BUSY];
};

/* Messages to one peer. */
struct emu_way {
	uint64_t sent;
	uint64_t arrival_ns;	/* of the last one */
};

/*
 * The state of a process in a counting barrier, for the other processes. Written by its owner,
 * see emu_sync.c.
 */
struct emu_entry {
	_Alignas(EMU_LINE) _Atomic uint64_t clock;
	_Atomic uint64_t out_free;
};

/* Processor time of this thread, by two clocks: emu_clock.c. */
struct emu_meter {
	uint64_t used_ns, seen_ns;	/* processor time, and that which has passed, at a look */
	uint64_t clock_ns;		/* what the clock of the processor said there */
	uint64_t most_ns;		/* what was read last */
	uint64_t toll_ns;		/* of a look */
};

/* A chunk that has come and was not yet polled. */
struct emu_held {
	void *chunk;
	size_t len;
	int peer;
};

/* The times before which a process sends nothing, for the others: emu_order.c. */
enum emu_state {
	EMU_RUNS,
	EMU_WAITS,
	EMU_CLOSED,
};

struct emu_turn {
	_Alignas(EMU_LINE) enum emu_state state;
	bool rests;		/* it has entered a counting barrier that none has left */
	int pid;
	uint64_t clock;		/* when the state was last shown */
	uint64_t first;		/* arrival of the first chunk sent to it that it has not polled */
	uint64_t sent;		/* chunks to it */
	uint64_t needs;		/* the horizon for which it sleeps */
	_Atomic uint32_t wakes;	/* a futex */
};

/* Shared by all processes. */
struct emu_order {
	pthread_mutex_t lock;
	int entered;		/* processes that rest */
	struct emu_turn turns[];
};

/* The process on which the horizon depended when a sleeper last looked, and how that one was. */
struct emu_stall {
	uint64_t looked_ns, clock, ticks;
	int holder, pid;
	unsigned int looks;	/* that found it the same */
};

/* The object that prepare() makes and open() uses up. */
struct emu_shared {
	const struct bspt_ops *inner;
	struct bspt_plan plan;		/* of the inner transport */
	struct emulated net;
	struct emu_entry *entries;	/* of even rounds, then of odd ones; shared by all */
	struct emu_link *links;		/* behind them */
	struct emu_order *order;	/* NULL: chunks are polled as they come */
};

struct bspt_emu {
	struct bspt base;
	struct bspt *inner;		/* moves the bytes */
	struct emulated net;
	struct emu_host host;
	struct emu_span sent[EMU_BUSY], busy[EMU_BUSY], idle[EMU_IDLE];
	struct emu_spans beside;	/* when the processor of schedules was busy */
	struct emu_span beside_at[EMU_BUSY];
	uint64_t sent_beside;		/* messages of schedules */
	bool computing;
	uint64_t since_ns;		/* processor time when it began to compute */
	uint64_t toll_ns;		/* processor time of a call in which that is read twice */
	struct emu_meter meter;
	struct emu_way *ways;		/* to each process */
	/* counting barrier, emu_sync.c */
	struct emu_entry *entries;
	uint64_t round;			/* entered last */
	struct emu_link *links;		/* EMU_LINKS, of all processes */
	struct emu_host *hosts;		/* of all, in the barrier that is replayed */
	struct emu_span *spans;		/* theirs */
	uint64_t *arrivals;		/* of the messages of one step */
	/* order, emu_move.c */
	struct emu_held *held;		/* those of one process in their order */
	int nheld, held_room;
	uint64_t dice;
	/* virtual order, emu_order.c */
	struct emu_order *order;
	uint64_t taken;			/* chunks taken from the inner transport */
	bool waits, rests;
	uint64_t looked;		/* the clock when nothing was polled, and 1 */
	uint64_t slept;			/* times */
	uint64_t stall_ns;		/* 0: for ever */
	struct emu_stall stall;
	void (*stalled)(int peer);
};

static inline struct bspt_emu *bspt_emu_of(struct bspt *t)
{
	return (struct bspt_emu *)t;
}

/* emu_clock.c: hosts and clocks */
uint64_t bspt_emu_mix(uint64_t x);
uint64_t bspt_emu_jitter(const struct emulated *net, uint64_t kind, int from, int to, uint64_t i);
uint64_t bspt_emu_host_send(struct emu_host *h, const struct emulated *net, uint64_t bytes,
			    uint64_t jitter);
uint64_t bspt_emu_host_leave(struct emu_host *h, const struct emulated *net, uint64_t prepared,
			     uint64_t bytes);
uint64_t bspt_emu_arrives(const struct emulated *net, uint64_t left, uint64_t jitter);
uint64_t bspt_emu_host_free(const struct emu_host *h);
void bspt_emu_host_receive(struct emu_host *h, const struct emulated *net, uint64_t arrival_ns,
			   uint64_t bytes);
uint64_t bspt_emu_spans_fill(struct emu_spans *s, uint64_t from, uint64_t len);
uint64_t bspt_emu_spans_take(struct emu_spans *s, uint64_t from, uint64_t len);
void bspt_emu_clock_open(struct bspt_emu *e);
void bspt_emu_settle(struct bspt_emu *e);
uint64_t bspt_emu_now(struct bspt *t);
void bspt_emu_computing(struct bspt *t, bool on);
void bspt_emu_charge(struct bspt *t, uint64_t ns);
uint64_t bspt_emu_arrival(struct bspt *t, int peer, const void *chunk);
void bspt_emu_advance(struct bspt *t, struct bspt_event *events, size_t n);
uint64_t bspt_emu_receive_at(struct bspt *t, const struct bspt_event *event, uint64_t when);
void bspt_emu_reach(struct bspt *t, uint64_t when);

/* emu_move.c: chunks */
void *bspt_emu_chunk(struct bspt *t, int peer, size_t want, size_t *room);
void bspt_emu_send(struct bspt *t, int peer, void *chunk, size_t len);
uint64_t bspt_emu_send_at(struct bspt *t, int peer, void *chunk, size_t len, uint64_t when);
void bspt_emu_discard(struct bspt *t, int peer, void *chunk);
void *bspt_emu_poll(struct bspt *t, int *peer, size_t *len);
void bspt_emu_release(struct bspt *t, int peer, void *chunk);
size_t bspt_emu_trim(struct bspt *t);
void bspt_emu_wait(struct bspt *t, unsigned int idle);

/*
 * emu_switch.c: links that all processes share. When a message has passed them whose last byte left
 * at @left; with @take in virtual order, if the network asks for that, while chunks are taken in.
 */
typedef bool emu_take_fn(struct bspt_emu *e, struct emu_held *h);
uint64_t bspt_emu_pass(struct bspt_emu *e, int peer, uint64_t left, uint64_t bytes,
		       emu_take_fn *take);

/* emu_order.c: chunks in virtual order */
size_t bspt_emu_order_bytes(int nprocs);
int bspt_emu_order_prepare(struct emu_order *order, int nprocs);
void bspt_emu_order_open(struct bspt_emu *e);
void bspt_emu_order_close(struct bspt_emu *e);
void bspt_emu_order_run(struct bspt_emu *e);
void bspt_emu_order_enter(struct bspt_emu *e);
void bspt_emu_order_leave(struct bspt_emu *e);
bool bspt_emu_order_wait(struct bspt_emu *e);
void bspt_emu_order_sent(struct bspt_emu *e, int peer, uint64_t arrival_ns);
bool bspt_emu_order_take(struct bspt_emu *e, struct emu_held *h, emu_take_fn *take);

/* Wait until no more message can leave before one whose first byte leaves at @first. */
void bspt_emu_order_pass(struct bspt_emu *e, uint64_t first, emu_take_fn *take);

/* emu_sync.c: counting barrier */
int bspt_emu_replay_open(struct bspt_emu *e);
void bspt_emu_replay_close(struct bspt_emu *e);
void bspt_emu_count_add(struct bspt *t, int peer, uint32_t n);
void bspt_emu_count_enter(struct bspt *t, uint32_t word);
bool bspt_emu_count_test(struct bspt *t, struct bspt_counts *result);

#endif
