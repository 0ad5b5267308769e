/* SPDX-License-Identifier: BSD-3-Clause */
/* ofi.h - what the files of transport/ofi share: endpoint, peers, buffers, messages. */

/*
 * Terms
 *   message   what one call of libfabric sends: a head of 8 bytes, and what follows it.
 *   note      a message of ours that is no chunk.
 *   room      what a chunk holds at most that travels as one message. A larger chunk
 *	       is announced by a note and travels as a transfer.
 *   transfer  a bulk, of the runtime or of a large chunk. Its receiver sends a grant, which
 *	       says where the bytes go; then they are written there (RMA) and the receiver is
 *	       notified by the data of the completion; or, where a provider has no RMA,
 *	       they are sent with the grant's token as tag.
 *
 *	sender				receiver
 *	bulk_send()			bulk_recv()
 *	   |  <-------- GRANT ----------   |		id, token, address, key
 *	   |  --- write, data = token -->  |		in pieces, if it is large
 *	 done				 done
 *
 * Order. Each message to a peer has a number; a receiver puts in order what comes, so the
 * provider need not. A large chunk has the number of its announcement, and
 * counts as come when all of it has.
 *
 * Authentication. Any process on the network may be able to connect to an endpoint. Each message
 * carries a secret of the job, 64 random bits that processes have exchanged with their addresses:
 * in the data of its completion, which is part of every message anyway, or, where a provider has
 * less than 64 bits there, in 8 bytes before the head. A message without it is dropped and
 * counted before its contents are read. Tokens contain as much of the secret as fits, and keys of
 * memory are random, so that no peer can write without a grant.
 *
 * A buffer is in one place at any time: idle, with the runtime, waiting to be sent, with
 * the provider, held because an earlier one is missing, or arrived.
 */
#ifndef BSPT_OFI_H
#define BSPT_OFI_H

#include "transport/buffers.h"
#include "transport/card.h"
#include "transport/ofi/ofi_pace.h"
#include "transport/ports.h"
#include "transport/transport.h"

#include <rdma/fabric.h>
#include <rdma/fi_cm.h>
#include <rdma/fi_domain.h>
#include <rdma/fi_endpoint.h>
#include <rdma/fi_eq.h>
#include <rdma/fi_errno.h>
#include <rdma/fi_rma.h>
#include <rdma/fi_tagged.h>

enum {
	OFI_VERSION = 5,		/* of the messages; all processes must have the same */
	OFI_NOTE_ROOM = 448,		/* of a small buffer */
	OFI_ROOM = 16256,		/* with a head below what ofi_rxm sends without asking */
	OFI_POSTED = 64,		/* receives posted at any time, for all peers together */
	OFI_OPEN_MOST = 64,		/* transfers under way to a process at any time */
	OFI_QUEUE_MOST = 256,		/* operations that the provider is asked to have room for */
	OFI_BLIND_MOST = 64,		/* successive messages without a completion */
	OFI_BLIND_BYTES = 256,		/* of one of them, at most */
	OFI_TEXT = 256,			/* an error in words */
	OFI_WHY = 600,			/* with what to do about it */
	OFI_CHOICE = 200,
	OFI_NAME_MOST = BSPT_CARD_NAME,	/* bytes of an address */
	OFI_DATAGRAM_NAME = 32,		/* of one in a datagram, at most */
};

#define OFI_MAX_CHUNK ((size_t)1 << 40)
#define OFI_PIECE ((size_t)1 << 30)
#define OFI_MIN_BULK ((size_t)32 << 10)
#define OFI_ASK_FIRST 1000000ull	/* then the same request leaves as a datagram */
#define OFI_UNOPENED_SLEEP 10000000ull	/* without an endpoint, at most; */
#define OFI_UNOPENED_EACH 10000ull	/* for each process of one machine, if that is more */
#define OFI_LINGER_NS 200000000ull	/* close() waits so long for what the provider has taken */

/* Bits of a token that say which transfer it is. */
#define OFI_TOKEN_INDEX ((uint64_t)0xff)

enum ofi_kind {
	OFI_CHUNK,
	OFI_LARGE,			/* struct ofi_announcement */
	OFI_GRANT,			/* struct ofi_grant */
	OFI_SHUTDOWN,			/* its sender has closed */
	OFI_PING,			/* nothing: does it get there? */
	OFI_NAME,			/* the address of its sender; ofi_late.c has the rest */
	OFI_ASK,			/* uint32_t: for the address of this process */
	OFI_ADDRESS,			/* uint32_t, and the address of this process */
};

/*
 * On the wire. In the byte order of the machine, which all share (a BSP program moves raw
 * memory); that is checked when processes exchange their addresses.
 */
struct ofi_head {
	uint32_t from_kind;		/* sender << 8 | enum ofi_kind */
	uint32_t number;		/* of chunks of this sender to this receiver */
};

_Static_assert(sizeof(struct ofi_head) == 8, "56 bytes and a head are what ofi_rxm injects");

struct ofi_announcement {
	uint64_t len;
};

struct ofi_grant {
	uint32_t id;
	uint32_t of_chunk;		/* 1: @id is the number of a large chunk */
	uint64_t token;
	uint64_t at;			/* address or offset, as the provider has it */
	uint64_t key;
};

/* The purpose of an operation: the first member of its object. The context is the provider's. */
enum ofi_use {
	OFI_RECEIVING,			/* a posted buffer */
	OFI_SENDING,			/* a buffer */
	OFI_MOVING,			/* a piece of a transfer leaves */
	OFI_LANDING,			/* and comes, by tag */
};

struct ofi_op {
	struct fi_context2 context;
	struct ofi_op *next;		/* waiting for the same peer */
	int peer;
	enum ofi_use use;
};

struct ofi_transfer {
	struct ofi_op op;
	struct ofi_transfer *next;	/* in a list of the peer, or idle */
	struct ofi_transfer *made_before;
	struct bspt_bulk *b;
	struct fid_mr *mr;
	struct ofi_grant grant;
	size_t moved;			/* bytes of pieces that are done */
	size_t piece;			/* bytes of the one that is under way */
	uint64_t began;			/* when the provider took it, ns */
	uint64_t pieces;		/* receiver by RMA: those that it will be notified of */
};

/* Oldest first. */
struct ofi_transfers {
	struct ofi_transfer *first, **last;
};

/* A class of buffers that are alike. */
struct ofi_pool {
	struct ofi_buf *idle;		/* most recently used first */
	struct ofi_slab *slabs;
	size_t room;
	size_t at_once;
	size_t nidle, least;		/* least: there were always so many since the last trim */
};

struct ofi_slab {
	struct ofi_slab *made_before;
	struct fid_mr *mr;
	size_t nidle;			/* of its buffers, while a trim counts; none: it goes */
};

/* The head before the bytes of a chunk. */
struct ofi_buf {
	struct ofi_op op;
	struct ofi_buf *next;		/* idle, held or arrived */
	struct ofi_pool *pool;		/* NULL: a large one */
	struct ofi_slab *slab;		/* it lies in, if it is of a pool */
	void *desc;			/* of its memory, where the provider wants it registered */
	size_t room;
	size_t len;
	uint32_t number;
	struct bspt_bulk bulk;		/* large ones */
	_Alignas(64) char pad[64 - sizeof(uint64_t) - sizeof(struct ofi_head)];
	uint64_t secret;		/* sent before the head, unless s->by_data */
	struct ofi_head head;		/* sent with what follows */
};

_Static_assert(sizeof(struct ofi_buf) % 64 == 0, "chunks are aligned to 64");

/* A process that this one has had to do with: it is made when it is first asked for. */
struct ofi_peer {
	int number;
	struct ofi_peer *made_before;
	fi_addr_t addr;
	const char *name;		/* its address, if it is known; name_len bytes */
	struct ofi_op *first, **last;	/* waiting, in order */
	struct ofi_peer *next_waiting;
	struct ofi_peer *next_asked;
	bool waiting;			/* in the list of peers with a queue */
	bool has_shut_down;		/* it sent a notice when it closed */
	bool known;			/* addr is its address; else operations wait */
	bool introduced;		/* it has our address, or gets it before all else */
	bool failed;			/* the provider cannot reach it */
	uint32_t sent;			/* chunks */
	uint32_t expected;		/* number of the next chunk from it */
	uint32_t blind;			/* messages injected since the last completion */
	uint32_t in_flight;		/* messages that the provider has */
	struct ofi_pace pace;		/* of transfers to it, if s->paced */
	struct ofi_buf *held, *held_last;	/* by number */
	struct ofi_transfers ungranted;	/* to it */
	struct ofi_transfers grants;	/* from it, that came before their transfer */
	uint64_t stuck_since;		/* the first one waits since then; 0: it does not */
	uint64_t doubt_at;		/* then check whether the peer is there */
};

struct bspt_ofi {
	struct bspt base;
	struct fid_ep *ep;		/* first what each call looks at; NULL: not open yet */
	struct fid_cq *cq;
	size_t inject_most;		/* messages up to so many bytes may be injected */
	bool rma;			/* else by tag */
	bool paced;			/* pieces are acknowledged: ofi_pace.c */
	bool by_data;			/* the secret is in the data of completions */
	uint64_t secret;		/* of the job */
	struct ofi_ask *asks;		/* for addresses that are not there yet */
	struct ofi_buf *arrived, **arrived_last;
	struct ofi_peer **peers;	/* of each process; NULL: not made yet */
	struct ofi_peer *made;		/* the last one */
	struct ofi_peer *waiting, **waiting_last;
	struct ofi_pool small, large_enough;	/* OFI_NOTE_ROOM, OFI_ROOM */
	struct ofi_buf *unposted;	/* receives that the provider did not take yet */
	uint64_t events;		/* completions so far */
	struct bspt_wait_policy wait_policy;
	uint64_t waiting_since;		/* 0: not */
	uint64_t pinged_at;
	uint64_t sleep_ns;
	uint64_t unopened_sleep_most;	/* without an endpoint */
	int wait_fd;			/* of the completion queue; -1: there is none */
	size_t piece;			/* of a transfer, bytes at most */

	struct bspt_pool big;		/* of larger ones */
	struct ofi_transfer *idle_transfers, *transfers;
	struct ofi_transfer **landing;	/* by token */
	size_t nlanding, first_free;
	struct ofi_transfers unopened;	/* to this process, that have no token yet */
	uint32_t open_now, open_most;	/* transfers to this process that have one */
	uint32_t in_flight_most;	/* messages to one peer */
	uint64_t next_key;		/* hashed with the following: the key of a registration */
	uint64_t key_secret;		/* of this process */
	uint64_t token_mask;		/* bits of a token that are those of the secret */
	bool closing;
	bool late;			/* as plan->late */
	struct bspt_card *cards;	/* of this node */
	const int *node;		/* of each process, of the job's wire; all with s->late */
	int *first_of_node;		/* of each node, likewise */
	int own_place;			/* the number of this process in its node */
	/* for requests (ofi_datagram.c), of each process; 0: it receives none; NULL: none does */
	uint16_t *datagram_ports;
	uint64_t endpoint_bytes;	/* of memory that one takes at least */
	int datagram_fd;		/* for requests to this process, or -1 */
	uint32_t looks;			/* calls of progress() */
	struct ofi_peer *asked_peers;	/* that requests are repeated to */
	struct ofi_peer **ask_next;	/* the next of them; NULL: the first */
	uint64_t ask_at, ask_interval;	/* when that is due, and then for all again */
	void (*open_late)(struct bspt_ofi *s);	/* ofi.c; fails by lost() */
	struct bspt_ports ports;	/* to listen at */
	bool connects;			/* a connection shows whether a peer is there */
	int doubted;			/* the peer that a connection of ours tries, or -1 */
	int doubt_fd;
	uint64_t doubt_until;
	/* looks in a row in which an allocation failed: the first, the last */
	uint64_t starved_since, starved_at;
	uint64_t starved_events;	/* events then */
	int failed_peer;		/* the first that failed and has not shut down, or -1 */
	uint64_t failed_at;
	char failure[OFI_WHY];

	struct fi_info *info;
	struct fid_fabric *fabric;
	struct fid_domain *domain;
	struct fid_av *av;
	/*
	 * Addresses that are known from the start, of all processes, or with s->late of the first
	 * of each node: their bytes, name_len each, and what the provider calls them
	 */
	int nknown;
	char *names;
	fi_addr_t *addrs;
	size_t name_len;
	void (*lost)(int peer, const char *why);
	char choice[OFI_CHOICE];	/* base.choice */
};

/* The length of the head before the bytes of a chunk in a message; where it begins. */
static inline size_t bspt_ofi_head_bytes(const struct bspt_ofi *s)
{
	return sizeof(struct ofi_head) + (s->by_data ? 0 : sizeof(uint64_t));
}

static inline void *bspt_ofi_message_of(const struct bspt_ofi *s, struct ofi_buf *b)
{
	return s->by_data ? (void *)&b->head : (void *)&b->secret;
}

/* Open the endpoint if it is not open. */
static inline void bspt_ofi_need_endpoint(struct bspt_ofi *s)
{
	if (!s->ep)
		s->open_late(s);
}

/* The first process of its node, with s->late; else itself. */
static inline int bspt_ofi_first_of(const struct bspt_ofi *s, int peer)
{
	return s->late ? s->first_of_node[s->node[peer]] : peer;
}

/* Has @peer had its endpoint from the start? */
static inline bool bspt_ofi_leads(const struct bspt_ofi *s, int peer)
{
	return bspt_ofi_first_of(s, peer) == peer;
}

/* Where the address of the first of its node is in s->names and s->addrs. */
static inline int bspt_ofi_known_at(const struct bspt_ofi *s, int peer)
{
	return s->late ? s->node[peer] : peer;
}

/* ofi_peer.c */
struct ofi_peer *bspt_ofi_make_peer(struct bspt_ofi *s, int peer);

static inline struct ofi_peer *bspt_ofi_peer(struct bspt_ofi *s, int peer)
{
	return s->peers[peer] ? s->peers[peer] : bspt_ofi_make_peer(s, peer);
}

static inline struct bspt_ofi *bspt_ofi_of(struct bspt *t)
{
	return (struct bspt_ofi *)t;
}

static inline struct ofi_buf *bspt_ofi_buf_of(void *chunk)
{
	return (struct ofi_buf *)chunk - 1;
}

static inline struct ofi_buf *bspt_ofi_buf_of_op(struct ofi_op *op)
{
	return (struct ofi_buf *)op;
}

static inline struct ofi_transfer *bspt_ofi_transfer_of_op(struct ofi_op *op)
{
	return (struct ofi_transfer *)op;
}

static inline enum ofi_kind bspt_ofi_kind_of(const struct ofi_head *head)
{
	return (enum ofi_kind)(head->from_kind & 0xff);
}

/* ofi_late.c */
/* The table of peers, and the first processes of their nodes. 0 or a negative errno. */
int bspt_ofi_late_init(struct bspt_ofi *s, const struct bspt_plan *plan);
/* In the exchange: s->name_len is known, and checked; then the address of @peer. */
void bspt_ofi_late_expect(struct bspt_ofi *s);
void bspt_ofi_late_note_name(struct bspt_ofi *s, int peer, const char *name);
/* Give the provider the addresses that are known, of an endpoint that has just been opened. */
void bspt_ofi_insert_known(struct bspt_ofi *s);
/* A message of kind NAME, ASK or ADDRESS has come. False: it makes no sense. */
bool bspt_ofi_late_note(struct bspt_ofi *s, int from, enum ofi_kind kind, const void *what,
			size_t len);
/* Answer those that have asked for what is there now. */
void bspt_ofi_late_answer(struct bspt_ofi *s);
void bspt_ofi_late_free(struct bspt_ofi *s);
/* @name is the address of @peer, unless that is known. */
void bspt_ofi_late_learn(struct bspt_ofi *s, int peer, const char *name);
/* @name is that of this process, whose endpoint has been opened. */
void bspt_ofi_late_learn_own(struct bspt_ofi *s, const char *name);

/* ofi_datagram.c */
/* The port at which this process can be asked for its address; 0: at none. */
uint32_t bspt_ofi_datagram_open(struct bspt_ofi *s);
/* Send the requests of s->asked_peers that are due. */
void bspt_ofi_datagram_ask(struct bspt_ofi *s);
/* Answer those that have come. */
void bspt_ofi_datagram_receive(struct bspt_ofi *s);

/* ofi_error.c */
/* Report to the runtime that @peer, or with -1 the network, is lost: what failed, and why. */
_Noreturn void bspt_ofi_lost(struct bspt_ofi *s, int peer, const char *what, int err);
/* The same in words, into s->failure; @error is the error @err in words. */
void bspt_ofi_describe(struct bspt_ofi *s, int peer, const char *what, int err, const char *error);

/* ofi_provider.c */
enum ofi_reach {
	OFI_ONE_MACHINE,		/* all processes are on it, for certain */
	OFI_MANY,
};

struct ofi_request {
	const char *provider;		/* NULL or "": any */
	const char *networks;		/* to other nodes, as in transport/interface.h */
	const uint32_t *duplicates;	/* as in transport/duplicate.h; NULL: none */
	int nprocs;
	enum ofi_reach reach;
};

/* The provider, domain and address to use: 0, or a negative errno and the reason in @why. */
int bspt_ofi_choose(const struct ofi_request *r, struct fi_info **out, char *why, size_t len);
/* The choice of bspt_ofi_choose(), and why, in words. */
void bspt_ofi_put_choice(const struct ofi_request *r, const struct fi_info *info, char *text,
			 size_t len);
/* Does it write to peers, with a completion there? */
bool bspt_ofi_has_rma(const struct fi_info *info);
/* Have completions of messages 64 bits of data? */
bool bspt_ofi_has_data(const struct fi_info *info);
/*
 * Is it of IP, and does no setting of libfabric say at which ports it is to listen? Then the type
 * of its sockets; else 0.
 */
int bspt_ofi_socket_type(const struct fi_info *info);
/* Is it made on TCP connections, so that a connection shows whether a peer is there? */
bool bspt_ofi_over_tcp(const struct fi_info *info);

/* ofi_mem.c */
void bspt_ofi_pools_init(struct bspt_ofi *s);
void bspt_ofi_pools_free(struct bspt_ofi *s);
/* An idle buffer; NULL: no memory. */
struct ofi_buf *bspt_ofi_take(struct bspt_ofi *s, struct ofi_pool *pool);
struct ofi_buf *bspt_ofi_take_big(struct bspt_ofi *s, size_t room);
void bspt_ofi_recycle(struct bspt_ofi *s, struct ofi_buf *b);
/* Register memory: for the provider itself, and for peers. NULL: not needed. Fails by lost(). */
struct fid_mr *bspt_ofi_register(struct bspt_ofi *s, int peer, void *at, size_t len, bool remote);
void bspt_ofi_release(struct bspt *t, int peer, void *chunk);
size_t bspt_ofi_trim(struct bspt *t);

/* ofi_queue.c */
/* Hand an operation to the provider; or queue it, if the provider has no room. */
void bspt_ofi_start(struct bspt_ofi *s, struct ofi_op *op);
/* Before the first message to @peer: our address, and a request for its own (ofi_late.c). */
void bspt_ofi_introduce(struct bspt_ofi *s, int peer);
/* The address of @p is known now: its queue moves. */
void bspt_ofi_resume(struct bspt_ofi *s, struct ofi_peer *p);
/* Try again those that are queued, of some peers. */
void bspt_ofi_start_queued(struct bspt_ofi *s);
/* Start the message in @b, to b->op.peer. */
void bspt_ofi_start_message(struct bspt_ofi *s, struct ofi_buf *b, enum ofi_kind kind,
			    uint32_t number);
void bspt_ofi_note(struct bspt_ofi *s, int peer, enum ofi_kind kind, uint32_t number,
		   const void *what, size_t len);
/* A note with a completion, which shows that it and every message before it has left. */
void bspt_ofi_last_note(struct bspt_ofi *s, int peer, enum ofi_kind kind);
void bspt_ofi_send_grant(struct bspt_ofi *s, struct ofi_transfer *x);
/* The provider is done with a message that it had accepted. */
void bspt_ofi_message_completed(struct bspt_ofi *s, struct ofi_buf *b);
/* The transfer will not go on: its peer is gone. */
void bspt_ofi_transfer_abandon(struct bspt_ofi *s, const struct ofi_transfer *x);
/* @peer has sent OFI_SHUTDOWN: nothing sent to it matters any more. */
void bspt_ofi_peer_closed(struct bspt_ofi *s, int peer);
/*
 * Nothing reaches @peer any more. This is no error if it has closed; otherwise wait() calls lost(),
 * unless OFI_SHUTDOWN arrives in time.
 */
void bspt_ofi_fail(struct bspt_ofi *s, int peer, const char *what, int err, const char *error);

/* ofi_order.c */
/* A chunk is complete: it, or it and those held back for it, can be polled. */
void bspt_ofi_arrive(struct bspt_ofi *s, struct ofi_buf *b);

/* ofi_bulk.c */
void bspt_ofi_bulk_send(struct bspt *t, struct bspt_bulk *b);
void bspt_ofi_bulk_recv(struct bspt *t, struct bspt_bulk *b);
void bspt_ofi_large_send(struct bspt_ofi *s, struct ofi_buf *b);
void bspt_ofi_large_announced(struct bspt_ofi *s, int peer, uint32_t number, size_t len);
void bspt_ofi_granted(struct bspt_ofi *s, int peer, const struct ofi_grant *grant);
/* The provider is done with a piece. */
void bspt_ofi_moved(struct bspt_ofi *s, struct ofi_transfer *x);
/* A peer has written a piece of the transfer of that token. */
void bspt_ofi_written(struct bspt_ofi *s, uint64_t token);
void bspt_ofi_transfers_free(struct bspt_ofi *s);

/* ofi_move.c */
void bspt_ofi_post_all(struct bspt_ofi *s);
void *bspt_ofi_chunk(struct bspt *t, int peer, size_t want, size_t *room);
void bspt_ofi_send(struct bspt *t, int peer, void *chunk, size_t len);
void *bspt_ofi_poll(struct bspt *t, int *peer, size_t *len);
/* Handle the completions there are, and start what is queued. */
void bspt_ofi_progress(struct bspt_ofi *s);

/* ofi_sync.c */
void bspt_ofi_wait(struct bspt *t, unsigned int idle);
void bspt_ofi_doubt_end(struct bspt_ofi *s);

#endif
