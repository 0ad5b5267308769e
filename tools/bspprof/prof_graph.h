/* SPDX-License-Identifier: BSD-3-Clause */
/* prof_graph.h - a recording as a GOAL graph, and how long it takes on a network. */
#ifndef PROF_GRAPH_H
#define PROF_GRAPH_H

#include "common/recording.h"
#include "goal/goal.h"

#include <stdint.h>

/* How supersteps end in the graph. */
enum prof_form {
	PROF_AS_RECORDED,
	PROF_CLASSIC,		/* with a barrier, and reads wait for nothing */
	/*
	 * without one: right after it each process waits for just what was sent to it, as if
	 * each area were read with the right number at once
	 */
	PROF_RELAXED,
	/*
	 * as if bsp_set_neighbors were called in the first superstep, with all that a process
	 * exchanges anything with in the run: what has a barrier, and no mark that all processes
	 * do something alike, ends among these
	 */
	PROF_NEIGHBORS,
	/*
	 * as published by Kim, Ha and Jhon: in each superstep counts to all, then a message for
	 * each put; and request, acknowledgement and data for each put of a relaxed superstep,
	 * or, of a recording that has none, of each superstep, as in PROF_RELAXED
	 */
	PROF_ORG,
	PROF_REL,
	PROF_FORMS
};

enum { PROF_OWN_FORMS = PROF_ORG };	/* those of this library come first */

/* The form of the run in the graph, and how it differs from the recording. */
struct prof_variant {
	enum prof_form form;
	/*
	 * NULL, or calls at this line: a bsp_sync has no barrier, as in PROF_RELAXED; what
	 * bsp_read and bsp_expect wait for is there before them
	 */
	const char *site;
};

/* A network in picoseconds; computing takes @cpu times as long as where it was recorded. */
struct prof_network {
	uint64_t L, o, g, G;
	double cpu;
	bool charged;			/* o of what is sent is a part of computing */
	bool shared;			/* it has links that all share: not predicted */
};

/* Is it the text of a network, as of bsprun --emulate? 0, or -1 and why not. */
int prof_network_check(const char *text, char *why, size_t len);
/* The network of a text as of bsprun --emulate: 0, or -1 and why not. */
int prof_network_read(const struct recording *r, const char *text, struct prof_network *net,
		      char *why, size_t len);
/* The network on which it was recorded: emulated, or as the transport estimates itself. */
int prof_network_own(const struct recording *r, struct prof_network *net, char *why, size_t len);

/*
 * The graph: computing, sends and receives of all processes, with what waits for what; costs of
 * computing are picoseconds. 0, or -1 and in @why the reason. goal_set_free() the set.
 * A collective operation is an exchange by dissemination with all its bytes in each round;
 * schedules are computing.
 */
int prof_graph(const struct recording *r, const struct prof_variant *v,
	       const struct prof_network *net, struct goal_set *set, char *why, size_t len);

/* How long it takes on the network: picoseconds. 0, or -1 and in @why the reason. */
int prof_predict(const struct recording *r, const struct prof_variant *v,
		 const struct prof_network *net, uint64_t *ps, char *why, size_t len);

#endif
