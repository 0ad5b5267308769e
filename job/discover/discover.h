/* SPDX-License-Identifier: BSD-3-Clause */
/* discover.h - parts of a job: on hosts that find each other on Ethernet, or simulated nodes. */

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
 * sends the data of its own processes, and stores those of other parts. The connections also
 * detect the failure of parts.
 *
 * Simulated nodes (discover_nodes.c) are parts on one machine, with pairs of sockets for ESP. They
 * are connected as a tree (job/tree.h) whose root is the hub; the hub of other parts is the root of
 * a tree that has nothing below its children. For these a tree would not always be one: a part
 * knows that it reaches the hub, and two parts that reach it by different interfaces of the hub do
 * not reach each other. A part without its parent would take the hub after all, so that notes would
 * need two ways through them, for a hub that sends at most 63 notes in a round.
 *
 * In an exchange of the processes of m parts each of these but the hub sends one note up, with the
 * data of its subtree, and gets one, with those of all others: 2 (m - 1) notes, and a supervisor
 * sends one and one to each child. It sends as many bytes of data to a child and gets from it, both
 * together, as all processes have: no part can do with less, as each of its processes gets all.
 */
#ifndef BSPJ_DISCOVER_H
#define BSPJ_DISCOVER_H

#include "job/launch/handshake.h"
#include "job/tree.h"
#include "transport/hostname.h"

#include <poll.h>

enum {
	BSPJ_DISCOVER_PORT = 1998,	/* of EDP, at which a hub receives requests of parts */
	/*
	 * Each is a connection of the hub, or a process of this machine; of 4096 processes each
	 * they are 16 times what a job has
	 */
	BSPJ_PARTS_MOST = 64,
	BSPJ_JOB_NAME = 64,
	BSPJ_POST_MOST = BSPT_EXCHANGE_MOST,
};

/*
 * The introduction of a part of the job. All numbers are in the byte order that the mark shows.
 */
struct bspj_part {
	uint64_t mark;
	uint32_t protocol;
	char version[24];		/* of the library */
	char job[BSPJ_JOB_NAME];
	int32_t nprocs;			/* of the job */
	int32_t first, last;		/* processes of this part */
	char host[BSPT_HOSTNAME];
	char machine[39];		/* the same: they are on one host */
	uint64_t network;		/* and in one namespace of it */
};

/* ---- discover_post.c: what processes say in exchanges ------------------------------------- */

struct bspj_post;

/*
 * Shared by all processes forked later; NULL: no memory or files. @first to @last are those of
 * this part.
 */
struct bspj_post *bspj_post_create(int nprocs, int first, int last);
/*
 * By process @me: as struct bspt_wire has it, among the first @n. Later ones may be of fewer, not
 * of more.
 */
int bspj_post_exchange(struct bspj_post *post, int me, const void *mine, size_t len,
		       bspt_take_fn *take, void *arg, int n);
int bspj_post_meet(struct bspj_post *post, int me, int n, void (*meanwhile)(void *arg), void *arg);

/*
 * The supervisor's side: rounds are numbered from 1, and an exchange is two of them. A descriptor
 * that can be read when a process has said something.
 */
int bspj_post_event_fd(const struct bspj_post *post);
void bspj_post_clear_event(struct bspj_post *post);
/* Has process @p come to that round? */
bool bspj_post_has_said(const struct bspj_post *post, int p, uint32_t round);
/* Among how many the exchange is, when the first process of this part has come to that round. */
int bspj_post_nprocs(const struct bspj_post *post, uint32_t round);
/* The bytes that @p has given in that round, to which it has come, or that were written for it. */
const void *bspj_post_data(const struct bspj_post *post, int p, uint32_t round, uint32_t *len);
/*
 * Write what process @p of another part has said; when all are there, make those of the first @n
 * known to the processes of this part, which then may go on to the next round.
 */
void bspj_post_write(struct bspj_post *post, int p, uint32_t round, const void *data, uint32_t len);
void bspj_post_publish(struct bspj_post *post, int n, uint32_t round);

/* ---- discover_interfaces.c: over which interfaces they do ----------------------------------- */

enum { BSPJ_INTERFACES_MOST = 16 };

struct bspj_interfaces {
	unsigned int index[BSPJ_INTERFACES_MOST];
	int n;
};

/*
 * The interfaces that @names has, separated by commas, or without a name all that are up;
 * loopback comes last. @fd is any socket. -ENODEV: one that is named cannot be used, and why.
 */
int bspj_choose_interfaces(int fd, const char *names, struct bspj_interfaces *list, char *why,
			   size_t len);

/* ---- discover_find.c: how parts find each other --------------------------------------------- */

struct bspj_found {
	int nparts;
	struct bspj_part part[BSPJ_PARTS_MOST];		/* in the order of their processes */
	int arity;		/* of their tree */
	int fd[BSPJ_PARTS_MOST];	/* to the parent and the children; else -1 */
	int mine;
	/* nodes of this machine; then the hub's children, and the fault that all may claim */
	bool simulated;
	pid_t supervisor[BSPJ_PARTS_MOST];	/* of other parts, in the hub; 0: not its child */
	_Atomic int *fault;			/* process that has an error + 1; NULL: none do */
};

/*
 * Returns when all are there, the first of them the hub. @interfaces as BSP_ESP_INTERFACE. 0,
 * or a negative errno and the reason in @why, after at most @timeout_s; all is closed then.
 */
int bspj_find_parts(const struct bspj_part *mine, const char *interfaces, double timeout_s,
		    struct bspj_found *found, char *why, size_t len);

/* ---- discover_nodes.c: parts that are simulated nodes ---------------------------------------- */

/*
 * Fork a supervisor for each of @nodes but the first, which this process becomes. 0 in each of
 * them, with *@found filled in; or a negative errno in this process, and nothing is left.
 */
int bspj_start_nodes(int nprocs, int nodes, struct bspj_found *found);

/* ---- discover_link.c: the supervisor and the other parts ------------------------------------- */

struct bspj_parts;

/* Takes over the connections and the post. NULL: no memory. */
struct bspj_parts *bspj_parts_open(const struct bspj_found *found, struct bspj_post *post,
				   double lifeline_s);
/* In a process, which forgets them: only the supervisor is to hold the connections. */
void bspj_parts_close(struct bspj_parts *ps);

int bspj_parts_first(const struct bspj_parts *ps);
/* The part of each of the *@nprocs processes, and which is ours. */
const int *bspj_parts_of_processes(const struct bspj_parts *ps, int *mine, int *nprocs);

enum { BSPJ_PARTS_FDS = BSPJ_PARTS_MOST + 1 };

/*
 * The descriptors to poll, and returns how many; and the ms after which the next function is to be
 * called at the latest, again and again.
 */
int bspj_parts_poll(const struct bspj_parts *ps, struct pollfd *fds);
int bspj_parts_timeout_ms(const struct bspj_parts *ps);

struct bspj_news {
	bool failed;		/* the job ends, with @status; what is to be said has been said */
	bool moved;		/* to the hub: processes of others get on */
	bool stuck;		/* from the hub: no process makes progress, and the job ends */
	bool warn;		/* from the hub: none does, and the job goes on */
	int status;
};

/* Hand on and take in what there is. */
struct bspj_news bspj_parts_see_to(struct bspj_parts *ps, const struct pollfd *fds);

/* How messages name our part: its host, or "node 2". */
const char *bspj_parts_host(const struct bspj_parts *ps);
/* May this supervisor report that process @p has ended the job? */
bool bspj_parts_claim_fault(const struct bspj_parts *ps, int p);

/*
 * In the hub of simulated nodes: a child has ended; are supervisors left; send all a signal; kill
 * those that have not ended in time, and say so.
 */
void bspj_parts_on_exit(struct bspj_parts *ps, pid_t pid);
bool bspj_parts_have_supervisors(const struct bspj_parts *ps);
void bspj_parts_signal(const struct bspj_parts *ps, int signo);
void bspj_parts_kill(const struct bspj_parts *ps);

/* Notify the others: process @p has ended the job, as @what describes. Once. */
void bspj_parts_send_failure(struct bspj_parts *ps, int p, int status, const char *what);
void bspj_parts_send_moved(struct bspj_parts *ps);
void bspj_parts_send_stuck(struct bspj_parts *ps);
void bspj_parts_send_warning(struct bspj_parts *ps);
/* All processes of this part have ended well, the part with @status. */
void bspj_parts_send_over(struct bspj_parts *ps, int status);
/* Are all parts over? Then *@status is that of the job. */
bool bspj_parts_are_over(const struct bspj_parts *ps, int *status);
/* Let what has been said leave, before the supervisor ends. Bounded. */
void bspj_parts_flush(struct bspj_parts *ps);

#endif
