/* SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause */
/* goal_sim.h - how long a schedule takes on a network of LogGPS. */

/*
 * LogGPS (Ino, Fujimoto and Hagihara, 2001) with the rules of LogGOPSim (Hoefler, Schneider and Lumsdaine, 2010):
 * the same numbers for the same schedule. Times are integers in one free unit.
 */
#ifndef GOAL_SIM_H
#define GOAL_SIM_H

#include "goal.h"

struct goal_net {
	uint64_t L, o, g, G, O, S;	/* latency, overhead, gap, gap and overhead per byte, bytes from which on a send is a rendezvous */
};

/* One operation as the simulator sees it. */
struct goal_sim_op {
	enum goal_type type;
	uint32_t peer, tag;
	uint64_t bytes;			/* of a message, 1 at least; or cost of a calc */
	uint8_t cpu, nic;
};

/*
 * Where schedules come from: a set in memory, or made up while it runs. Operations of a process are numbered
 * from 0 to nops - 1; those that wait come behind what they wait for. So the simulator keeps, of each process, no more than
 * what is between its first unfinished operation and its last started one.
 */
struct goal_source {
	int nprocs;
	void *owner;
	uint32_t (*nops)(const struct goal_source *s, int rank);
	void (*op)(const struct goal_source *s, int rank, uint32_t i, struct goal_sim_op *op);
	/* How many operations it waits for; the numbers of those that wait for its end, into @list of @most; their number. */
	uint32_t (*dependencies)(const struct goal_source *s, int rank, uint32_t i);
	uint32_t (*dependents)(const struct goal_source *s, int rank, uint32_t i, uint32_t *list,
			       uint32_t most);
	uint32_t (*followers)(const struct goal_source *s, int rank, uint32_t i, uint32_t *list,
			      uint32_t most);
};

/* A source for a set; and for a barrier, of which nothing is kept. NULL: no memory, or no such barrier. free() both. */
struct goal_source *goal_source_of(const struct goal_set *set);
struct goal_source *goal_source_barrier(const char *algorithm, int arity, int nprocs);

/* What is told while it runs; any of them may be NULL. */
struct goal_sim_watch {
	void *owner;
	/* An operation took the processor (or @wire: the network) of @rank from @begin to @end. */
	void (*busy)(void *owner, int rank, uint32_t i, const struct goal_sim_op *op, bool wire,
		     uint64_t begin, uint64_t end);
	/* A message left @from and was received. */
	void (*message)(void *owner, int from, uint32_t i, int to, uint32_t j, uint64_t left,
			uint64_t arrived);
	void (*progress)(void *owner, uint64_t done, uint64_t all);
};

/*
 * Run it. @finish: nprocs times. 0, or -1 and the reason in @why: no memory, or what is left unmatched, with the ranks.
 */
int goal_sim(const struct goal_source *source, const struct goal_net *net,
	     const struct goal_sim_watch *watch, uint64_t *finish, char *why, size_t len);

/* A picture: rank by time, with operations as bars and messages as lines. goal_draw.c */
int goal_draw_svg(const struct goal_set *set, const struct goal_net *net, FILE *out);

#endif
