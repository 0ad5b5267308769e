/* SPDX-License-Identifier: BSD-3-Clause */
/* mpi.h - what the files of the transport on MPI share. */
#ifndef BSPT_MPI_MPI_H
#define BSPT_MPI_MPI_H

#include "transport/buffers.h"
#include "transport/ports.h"
#include "transport/transport.h"

#include <mpi.h>

enum {
	BSPT_MPI_CHUNK = 1,			/* tag of chunks, and of making our communicators */
	BSPT_MPI_EXCHANGE = 2,			/* of the making of that of exchange() */
	BSPT_MPI_IDLE_MOST = 64 << 20,		/* bytes that are kept to be used again */
	/* bytes on their way here; beyond, we do not match */
	BSPT_MPI_HELD_MOST = 64 << 20,
};

struct bspt_mpi_peer {
	struct bspt_queue line;	/* from it: one not all here, and what came after */
	struct bspt_queue backlog;	/* to it: not given to MPI yet */
	int under_way;			/* to it: given to MPI, and not complete */
};

enum bspt_mpi_kind {
	BSPT_MPI_SEND,			/* what: the buffer */
	BSPT_MPI_RECEIVE,		/* what: the buffer */
	BSPT_MPI_SCRAP,			/* what: the buffer; its data are dropped */
	BSPT_MPI_BULK_SEND,		/* what: struct bspt_bulk */
	BSPT_MPI_BULK_RECEIVE,
};

/* The purpose of a request of MPI. */
struct bspt_mpi_task {
	enum bspt_mpi_kind kind;
	int peer;
	void *what;
};

/* Requests that MPI has not completed; task i is that of request i. */
struct bspt_mpi_pending {
	MPI_Request *request;
	struct bspt_mpi_task *task;
	int n, room;
	int turn;			/* where to look next */
};

struct mpi_host;

struct bspt_mpi {
	struct bspt base;
	MPI_Comm chunks, bulks;		/* ours, numbered as the processes of the job */
	int most_tag;
	struct bspt_mpi_pending pending;
	struct bspt_queue ready;	/* to be polled */
	struct bspt_mpi_peer *peer;	/* one for each process */
	size_t held;			/* bytes in lines */
	struct bspt_pool pool;
	struct bspt_wait_policy wait_policy;
	/* MPI gives the processor away itself when it finds nothing */
	bool yields;
	uint64_t waiting_since;		/* 0: something has come since */
	void (*lost)(int peer, const char *why);
	bool closing, failed;
	struct mpi_host *host;		/* NULL: under another launcher */
};

static inline struct bspt_mpi *bspt_mpi_of(struct bspt *t)
{
	return (struct bspt_mpi *)t;
}

/* ---- mpi_move.c -------------------------------------------------------------- */

/* The job is lost, and this does not return; unless we are closing: then m->failed is set. */
void bspt_mpi_fail(struct bspt_mpi *m, int peer, const char *why);

/* So it is if @rc is an error of MPI. */
void bspt_mpi_check(struct bspt_mpi *m, int rc, int peer);

/* MPI has not completed @request; poll() sees to it when it has. */
void bspt_mpi_fly(struct bspt_mpi *m, MPI_Request request, struct bspt_mpi_task task);

/*
 * The count of *@type that is @len bytes. If the type is not MPI_BYTE the caller frees it. 0 on
 * failure, for @len > 0.
 */
int bspt_mpi_span(size_t len, MPI_Datatype *type);

void *bspt_mpi_chunk(struct bspt *t, int peer, size_t want, size_t *room);
void bspt_mpi_send(struct bspt *t, int peer, void *chunk, size_t len);
void bspt_mpi_release(struct bspt *t, int peer, void *chunk);
size_t bspt_mpi_trim(struct bspt *t);
void *bspt_mpi_poll(struct bspt *t, int *peer, size_t *len);
void bspt_mpi_wait(struct bspt *t, unsigned int idle);

/* ---- mpi_bulk.c --------------------------------------------------------------- */

void bspt_mpi_bulk_send(struct bspt *t, struct bspt_bulk *b);
void bspt_mpi_bulk_recv(struct bspt *t, struct bspt_bulk *b);

/*
 * Receive and drop all messages until no process has any in flight. False: a process did not
 * join, or MPI failed, and messages are still in flight.
 */
bool bspt_mpi_settle(struct bspt_mpi *m);

/* ---- mpi_hold.c ------------------------------------------------------------- */

/* Is the MPI that is called here the one whose mpi.h we know? 0 or a negative errno. */
int bspt_mpi_compatible(char *why, size_t len);

/* How many processes a launcher has started, as the environment says; 0: none; -1: some. */
int bspt_mpi_launched(void);

/* A message that the launcher is of another MPI, as each process is alone, with what to do. */
void bspt_mpi_mismatch(char *why, size_t len);

/* Name and version of the MPI library. */
void bspt_mpi_version(char *text, size_t len);

/*
 * Unless MPI has begun: it waits for connections at the ports @text, as in transport/ports.h. 0,
 * -EADDRINUSE if none is free, with what to do in @why, or another negative errno.
 */
int bspt_mpi_use_ports(const char *text, char why[BSPT_PORTS_WHY]);

/*
 * Hold MPI: initialise it unless it is, for calls from several @threads if that is set. Else for
 * one thread: threads that never call MPI need no more, and any other level makes Open MPI lock
 * in every call. Each hold has its drop; the last one finalises, if this library has initialised
 * MPI. Forsake: never finalise, since that would not return.
 */
int bspt_mpi_hold(bool threads);
void bspt_mpi_drop(void);
/*
 * Before the last drop: processes are on several hosts. MPICH's MPI_Finalize, which may hang then,
 * is waited for that long; 0: for ever.
 */
void bspt_mpi_is_far(double timeout_s);
void bspt_mpi_forsake(void);

#endif
