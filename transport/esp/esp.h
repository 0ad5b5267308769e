/* SPDX-License-Identifier: BSD-3-Clause */
/* esp.h - what the files of the transport on plain Ethernet share. */

/*
 * Between two processes there is one connection, made by the process with the lower number as
 * soon as it knows the address of the other. Both send over it:
 *
 *	hello			once; from the accepting process when it has verified the other's
 *	head chunk		as often as there are chunks
 *	head			shutdown notice: the last one
 *
 * Nothing follows the own hello before that of the other end has been verified.
 *
 *   esp.c	   where it can run, how it begins and ends
 *   esp_auth.c	   proofs in a hello
 *   esp_connect.c addresses, connections that come to be
 *   esp_move.c	   chunks: their memory, sending, receiving
 *   esp_sync.c	   waiting
 *   esp_goal.c	   schedules in the kernel
 */
#ifndef BSPT_ESP_ESP_H
#define BSPT_ESP_ESP_H

#include "transport/buffers.h"
#include "transport/siphash.h"
#include "transport/transport.h"

#include <sys/socket.h>
#include <enet.h>
#include <espgoal.h>

enum {
	/* bytes of buffers that are kept to be used again */
	BSPT_ESP_IDLE_MOST = 16 << 20,
	BSPT_ESP_STAGE = 4096,			/* bytes of small chunks that are read at once */
	BSPT_ESP_WHY = 200,			/* length of a reason in words */
};

/* Precedes the bytes of a chunk on the connection, in the byte order of both. */
struct bspt_esp_head {
	uint32_t len;			/* of the chunk; 0: shutdown notice, nothing follows */
	uint32_t magic;
};

struct bspt_esp_peer {
	int fd;				/* -1: no connection yet, or no more */
	bool greeted;			/* our hello has been sent */
	bool up;			/* so has its own, and is right: it can be written */
	bool wants_room;		/* EPOLLOUT is on */
	bool has_shut_down;		/* nothing more comes */
	bool over;			/* there was a connection */
	int error;			/* errno that writing it has met */
	struct siphash_key key;		/* of us two */
	struct bspt_queue out;	/* not all given to the kernel */
	struct bspt_buffer *in;	/* the chunk that is coming, too long for the stage */
	size_t staged;			/* bytes in the stage; of the hello until it is up */
	char stage[BSPT_ESP_STAGE];	/* what was read of chunks that begin here */
};

/* The first bytes on a connection, in both directions. */
struct bspt_esp_hello {
	uint32_t magic;
	uint32_t rank;
	uint64_t proof;			/* esp_auth.c */
};

/* A connection whose hello has not arrived completely. */
struct bspt_esp_unauth {
	int fd;				/* -1: none */
	size_t len;
	struct bspt_esp_hello hello;
};

struct bspt_esp {
	struct bspt base;
	struct bspt_esp_peer *peer;		/* one for each process */
	struct bspt_esp_unauth *unauth;	/* so many as well */
	int turn;				/* the next to be closed when there are too many */
	int listener, epoll;
	struct bspt_queue ready;		/* to be polled */
	struct bspt_pool pool;
	struct bspt_wait_policy wait_policy;
	uint64_t waiting_since;			/* 0: something has come since */
	uint64_t events;			/* things that have happened on connections */
	int goal;				/* /dev/espgoal, joined by all; -1: not */
	const volatile struct espgoal_page *page;	/* the state of runs */
	bool goal_news;				/* a run has ended since the last wait */
	void (*lost)(int peer, const char *why);
	void (*length_mismatch)(uint32_t run, uint32_t operation, int from, uint64_t bytes);
	bool closing;
};

static inline struct bspt_esp *bspt_esp_of(struct bspt *t)
{
	return (struct bspt_esp *)t;
}

/* ---- esp_watch.c ---------------------------------------------------------------- */

/* Switch notification of room for data to @peer on or off. */
void bspt_esp_want_room(struct bspt_esp *s, int peer, bool on);
/* Watch @fd: @what is the number of a peer, or one of those below. */
int bspt_esp_watch(struct bspt_esp *s, int fd, uint32_t what, bool room_too);

/* The unauthenticated connection is from now on that of @peer. */
void bspt_esp_rename(struct bspt_esp *s, int fd, int peer);

enum {
	BSPT_ESP_LISTENER = 1 << 30,
	BSPT_ESP_UNAUTH = 1 << 29,	/* and its index */
	BSPT_ESP_GOAL = 1 << 28,
};

/* ---- esp_auth.c --------------------------------------------------------------- */

/* The numbers that we and @peer have published become the key of both. */
void bspt_esp_share_key(struct bspt_esp *s, int peer, uint64_t mine, uint64_t theirs);
/* Send our hello to @peer, which @fd is connected to. False: that failed, and errno is why. */
bool bspt_esp_send_hello(const struct bspt_esp *s, int fd, int peer);
/* Is the @hello that came from @fd one of another process of the job, for this connection? */
bool bspt_esp_is_authentic(const struct bspt_esp *s, int fd, const struct bspt_esp_hello *hello);

/* ---- esp_connect.c ------------------------------------------------------------ */

/*
 * Listen, publish the address, and begin to connect to the processes with higher numbers. 0; or a
 * negative errno, after which either nothing is open or plan->lost() has been called.
 */
int bspt_esp_connect(struct bspt_esp *s, const struct bspt_plan *plan);

/* The connection that we asked for is there, or will not be. */
void bspt_esp_finish_connect(struct bspt_esp *s, int peer);
/* @peer, to which we have sent our hello, has sent something. */
void bspt_esp_receive_answer(struct bspt_esp *s, int peer);

/* Accept a connection. */
void bspt_esp_accept(struct bspt_esp *s);
/* The @i-th of those has sent something. */
void bspt_esp_receive_hello(struct bspt_esp *s, int i);

/* ---- esp_move.c ---------------------------------------------------------------- */

void *bspt_esp_chunk(struct bspt *t, int peer, size_t want, size_t *room);
void bspt_esp_send(struct bspt *t, int peer, void *chunk, size_t len);
void bspt_esp_release(struct bspt *t, int peer, void *chunk);
size_t bspt_esp_trim(struct bspt *t);

/*
 * A connection with @peer is over: as it should, or the job is lost, and then this returns only
 * while we close.
 */
void bspt_esp_ended(struct bspt_esp *s, int peer, int err);
/* Give the kernel what it takes of what is queued for @peer. */
void bspt_esp_flush(struct bspt_esp *s, int peer);
/* Read what there is of @peer, as far as one call does. */
void bspt_esp_receive(struct bspt_esp *s, int peer);
/* Send nothing more to @peer: drop its queue. */
void bspt_esp_forget_unsent(struct bspt_esp *s, int peer);
/* The last that is sent to @peer. Without memory it is not. */
void bspt_esp_send_shutdown(struct bspt_esp *s, int peer);
/* Drop the data that have arrived. */
void bspt_esp_drop_ready(struct bspt_esp *s);

/* ---- esp_sync.c ----------------------------------------------------------------- */

/* See to what has happened, and wait up to @ms for it; -1: for ever. */
void bspt_esp_look(struct bspt_esp *s, int ms);
void *bspt_esp_poll(struct bspt *t, int *peer, size_t *len);
void bspt_esp_wait(struct bspt *t, unsigned int idle);

/* ---- esp_goal.c ------------------------------------------------------------------ */

/*
 * The port for the kernels of other processes, in network order, or 0: the kernel cannot run our
 * schedules. The device reserves it.
 */
uint16_t bspt_esp_goal_port(struct bspt_esp *s);
/* Does this kernel copy messages between processes of a node, without frames? */
bool bspt_esp_goal_is_near(void);
/*
 * By all, with the addresses of all on one network after the other, and the interface by which they
 * multicast. 0, or a negative errno; then s->goal is no more.
 */
int bspt_esp_goal_join(struct bspt_esp *s, struct sockaddr_en *peers, uint32_t networks,
		       uint64_t key, uint64_t group_number, unsigned int group_ifindex);
/* It is not used. */
void bspt_esp_goal_leave(struct bspt_esp *s);
/* The device has reported a run that is over. */
void bspt_esp_goal_receive(struct bspt_esp *s);

int bspt_esp_schedule_load(struct bspt *t, const void *block, size_t len, uint32_t *schedule);
int bspt_esp_schedule_start(struct bspt *t, uint32_t schedule, void *const *buffers,
			    const struct bspt_run_memory *memory, uint32_t *run);
bool bspt_esp_schedule_over(struct bspt *t, uint32_t run);
uint64_t bspt_esp_schedule_finish(struct bspt *t, uint32_t run,
				  const struct bspt_run_memory *memory);
void bspt_esp_schedule_unload(struct bspt *t, uint32_t schedule);

#endif
