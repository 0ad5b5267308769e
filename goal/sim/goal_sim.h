/* SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause */
/* goal_sim.h - how long a schedule takes on a network of LogGPS. */

/*
 * LogGPS (Ino, Fujimoto and Hagihara, 2001) with the rules of LogGOPSim (Hoefler, Schneider and
 * Lumsdaine, 2010): the same numbers for the same schedule. Times are integers in one free unit.
 *
 * Each process has processors and networks, which do one thing after the other. A message of s
 * bytes
 *	takes the sender's processor for o + (s - 1) O and its network for g + (s - 1) G, both from
 *	the same time on,
 *	arrives o + L after that time,
 *	takes the receiver's processor for r + max((s - 1) O, (s - 1) G) and its network, in the
 *	other direction, for g + (s - 1) G, whether or not it is awaited: the processor and the
 *	network of the numbers that the sender named. r is o, unless the network has one of its
 *	own: o and r are then o_s and o_r of LogP with both overheads apart.
 * A send has ended when its processor is free; one of more than S bytes is a rendezvous and ends
 * L after its receive. A receive takes no time of its own: it is over when the message has been
 * received. An empty message counts as one byte. A calc takes its cost; a local operation or a
 * call waits for the processor and takes nothing. A multicast is a send to one process after the
 * other, unless the network has it: then it is one send that arrives everywhere at once.
 *
 * Where processes share cores, a processor is one of those. Process p of a machine with c of them
 * has core p mod c, together with others in turn, in the order of their numbers. A process keeps
 * the core as long as it has something to do, and then the next one gets it a turn later, whether
 * or not that has something to do: a process that waits looks for messages and yields. Sends,
 * messages that arrive and calcs wait for a turn of their process. A process that shares a core has
 * no other one, so all of its processors are that. If it sends again before its network is free it
 * yields in between. With a core for each process all is as without.
 *
 * An operation can start when all that it requires has ended, which LogGOPSim only keeps on one
 * processor: there one on another processor starts as soon as that one is free. Operations that
 * get free at the same time go sends first, then receives, then the rest, each in the order of
 * their numbers.
 */
#ifndef GOAL_SIM_H
#define GOAL_SIM_H

#include "goal/gen/goal_gen.h"

struct goal_net {
	uint64_t L, o, g;		/* latency, overhead, gap */
	uint64_t r;			/* overhead of receiving, if @has_r; else it is @o */
	uint64_t G, O;			/* gap and overhead for each byte */
	uint64_t S;			/* most bytes of a send that is no rendezvous */
	bool has_r;
	bool multicast;
	/*
	 * Processes of each node, with consecutive numbers, whose messages to each other cost as
	 * this other network says; NULL: all cost the same.
	 */
	int node;
	const struct goal_net *inside;
	/*
	 * Cores that the processes of a machine share, with consecutive numbers, and so many
	 * processes of each; 0 cores: each process has processors of its own; 0 processes: all are
	 * on one machine. @turn is what a core takes to change from a process to the next.
	 */
	int cores, machine;
	uint64_t turn;
};

/* One operation as the simulator sees it. */
struct goal_sim_op {
	enum goal_type type;
	uint32_t peer, tag;
	uint64_t bytes;			/* of a message; cost of a calc, else 0 */
	uint8_t cpu, nic;
};

/*
 * Where schedules come from: a set in memory, or made up while it runs. Operations of a process
 * are numbered from 0 to nops - 1, as in a block: first those that wait for none, then each
 * behind what it waits for. The simulator keeps 4 bytes for each one that waits, and what is
 * posted, arrived or on its way; no operation.
 */
struct goal_source {
	int nprocs;
	unsigned int ncpus, nnics;	/* numbers are below these */
	uint32_t (*nops)(const struct goal_source *s, int rank);
	void (*op)(const struct goal_source *s, int rank, uint32_t i, struct goal_sim_op *op);
	/* How many entries in the lists of others name it. */
	uint32_t (*dependencies)(const struct goal_source *s, int rank, uint32_t i);
	/*
	 * The numbers of those that wait for its end, or for its start: the first @most into
	 * @list. How many there are, which may be more.
	 */
	uint32_t (*dependents)(const struct goal_source *s, int rank, uint32_t i, uint32_t *list,
			       uint32_t most);
	uint32_t (*followers)(const struct goal_source *s, int rank, uint32_t i, uint32_t *list,
			      uint32_t most);
};

/*
 * A source for a set, which stays the caller's; and one that makes up a barrier, of which nothing
 * is kept: algorithm, arity, release and networks of the task, no counts. NULL: no memory, or no
 * such barrier. free() both.
 */
struct goal_source *goal_source_of(const struct goal_set *set);
struct goal_source *goal_source_barrier(const struct goal_task *task, int nprocs);

/* Callbacks while it runs; any of them may be NULL. */
struct goal_sim_watch {
	void *owner;
	/*
	 * An operation took the processor (or @wire: the network) of @rank from @begin to @end.
	 * For a receive it is called when it is matched, which may be later.
	 */
	void (*busy)(void *owner, int rank, uint32_t i, const struct goal_sim_op *op, bool wire,
		     uint64_t begin, uint64_t end);
	/* A message left the processor of @from, and had been received by operation @j of @to. */
	void (*message)(void *owner, int from, uint32_t i, int to, uint32_t j, uint64_t left,
			uint64_t arrived);
	/* Operations that have ended, of all; now and then. */
	void (*progress)(void *owner, uint64_t done, uint64_t all);
};

/*
 * Run it. @finish: nprocs times, when the last operation of each ended. 0, or -1 and the reason
 * in @why: no memory, times that 64 bits do not hold, or what is left unmatched, with ranks and
 * tags. The same every time.
 */
int goal_sim(const struct goal_source *source, const struct goal_net *net,
	     const struct goal_sim_watch *watch, uint64_t *finish, char *why, size_t len);

/*
 * A picture: rank by time, with operations as bars and messages as lines. goal_draw_svg.c. 0, or
 * -1 and the reason in @why, as goal_sim(); then nothing has been written. ferror() says whether
 * @out was written.
 */
int goal_draw_svg(const struct goal_set *set, const struct goal_net *net, FILE *out, char *why,
		  size_t len);

#endif
