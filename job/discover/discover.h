/* SPDX-License-Identifier: BSD-3-Clause */
/* discover.h - parts of a job on several hosts that find each other on Ethernet. */

/*
 *	host a				host b			   host c
 *
 *	supervisor ------- ESP ------- supervisor		   supervisor
 *	  |     \			  |				|
 *	  |	 `---------------- ESP -- | -------------------------'	|
 *	  | post			  | post			| post
 *	processes 0-1			processes 2-3		processes 4-7
 *
 * Each part has a supervisor, which forks its processes (local.c, supervise.c) when the parts
 * have found each other. The one with process 0 is the hub, to which the others are connected.
 * The data of an exchange are in the post, memory that processes share with their supervisor: it
 * forwards the data of its own processes, and stores those of other parts. The connections also
 * detect the failure of parts.
 */
#ifndef BSPT_DISCOVER_H
#define BSPT_DISCOVER_H

#include "job/launch/roll.h"

#include <poll.h>

enum {
	BSPT_DISCOVER_PORT = 1998,	/* of EDP, at which a hub receives requests of parts */
	BSPT_PARTS_MOST = 64,
	BSPT_JOB_NAME = 64,
	BSPT_POST_MOST = BSPT_EXCHANGE_MOST,
};

/*
 * The introduction of a part of the job. All numbers are in the byte order that the mark shows.
 */
struct bspt_part {
	uint64_t mark;
	uint32_t protocol;
	char version[24];		/* of the library */
	char job[BSPT_JOB_NAME];
	int32_t nprocs;			/* of the job */
	int32_t first, last;		/* processes of this part */
	char host[64];
	char machine[40];		/* the same: they are on one host */
	uint64_t network;		/* and in one namespace of it */
};

/* ---- discover_post.c: what processes say in exchanges ------------------------------------- */

struct bspt_post;

/*
 * Shared by all processes forked later; NULL: no memory or files. @first to @last are those of
 * this part.
 */
struct bspt_post *bspt_post_create(int nprocs, int first, int last);
/*
 * By process @me: as struct bspt_wire has it, among the first @n. Later ones may be of fewer, not
 * of more.
 */
int bspt_post_exchange(struct bspt_post *post, int me, const void *mine, size_t len, void *all,
		       int n);
int bspt_post_meet(struct bspt_post *post, int me, int n, void (*meanwhile)(void *arg), void *arg);

/* The supervisor's side. A descriptor that can be read when a process has said something. */
int bspt_post_bell(const struct bspt_post *post);
void bspt_post_answer_bell(struct bspt_post *post);
/* The bytes that process @p of this part has given and that were not yet taken; or NULL. */
const void *bspt_post_take(struct bspt_post *post, int p, uint32_t *round, uint32_t *len);
/* Put down what process @p of another part has said. */
void bspt_post_put(struct bspt_post *post, int p, uint32_t round, const void *data, uint32_t len);

/* ---- discover_find.c: how parts find each other --------------------------------------------- */

struct bspt_found {
	int nparts;
	struct bspt_part part[BSPT_PARTS_MOST];		/* in the order of their processes */
	/* the hub's connection to each, or that of another to the hub (0); else -1 */
	int fd[BSPT_PARTS_MOST];
	int mine;
};

/*
 * Returns when all are there, the first of them the hub. @interfaces as BSP_ESP_INTERFACE. 0,
 * or a negative errno and the reason in @why, after at most @timeout_s; all is closed then.
 */
int bspt_find_parts(const struct bspt_part *mine, const char *interfaces, double timeout_s,
		    struct bspt_found *found, char *why, size_t len);

/* ---- discover_link.c: the supervisor and the other parts ------------------------------------- */

struct bspt_parts;

/* Takes over the connections and the post. NULL: no memory. */
struct bspt_parts *bspt_parts_open(const struct bspt_found *found, struct bspt_post *post,
				   double lifeline_s);
/* In a process, which forgets them: only the supervisor is to hold the connections. */
void bspt_parts_close(struct bspt_parts *ps);

int bspt_parts_first(const struct bspt_parts *ps);
/* The part of each of the *@nprocs processes, and which is ours. */
const int *bspt_parts_of_processes(const struct bspt_parts *ps, int *mine, int *nprocs);

enum { BSPT_PARTS_FDS = BSPT_PARTS_MOST + 1 };

/*
 * The descriptors to poll, and returns how many; and the ms after which the next function is to be
 * called at the latest, again and again.
 */
int bspt_parts_poll(const struct bspt_parts *ps, struct pollfd *fds);
int bspt_parts_timeout_ms(const struct bspt_parts *ps);

struct bspt_news {
	bool failed;		/* the job ends, with @status; what is to be said has been said */
	bool moved;		/* to the hub: processes of others get on */
	bool stuck;		/* from the hub: no process makes progress, and the job ends */
	bool still;		/* from the hub: none does, and the job goes on */
	int status;
};

/* Hand on and take in what there is. */
struct bspt_news bspt_parts_see_to(struct bspt_parts *ps, const struct pollfd *fds);

/* Notify the others: process @p has ended the job, as @what describes. Once. */
void bspt_parts_tell_failure(struct bspt_parts *ps, int p, int status, const char *what);
void bspt_parts_tell_moved(struct bspt_parts *ps);
void bspt_parts_tell_stuck(struct bspt_parts *ps);
void bspt_parts_tell_still(struct bspt_parts *ps);
/* All processes of this part have ended well, the part with @status. */
void bspt_parts_tell_over(struct bspt_parts *ps, int status);
/* Are all parts over? Then *@status is that of the job. */
bool bspt_parts_are_over(const struct bspt_parts *ps, int *status);
/* Let what has been said leave, before the supervisor ends. Bounded. */
void bspt_parts_flush(struct bspt_parts *ps);

#endif
