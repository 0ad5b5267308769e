/* SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause */
/* goal_topology.h - trees and rounds of barriers: peers of each process. */

/*
 * The k-nomial tree. Processes are gathered in phases, k at a time, where the parent is one of the
 * k: in phase j = 0, 1, ... those whose number is a multiple of k^(j+1) receive from the k - 1 that
 * are k^j, 2 k^j, ... further on (Iwasaki and others, "Fast Barrier Synchronization on commodity PC
 * Cluster connected with Ethernet", section 3.2). So after log_k(P) phases process 0 has received
 * from all. With k = 2 that is the binomial tree, with k = P the linear one, and with k = 1, which
 * has no such tree, each receives from the next process: a chain. In all of them a subtree is a run
 * of processes that begins with its root.
 *
 * Nodes are runs of processes: of as many each, but for the last, which may have fewer, or of any
 * sizes, by a map. A tree that knows them has two levels: one tree inside each node, whose root is
 * the node's first process, and one of these first processes. So each message between nodes is for
 * a whole node, and subtrees are runs of processes again.
 */
#ifndef GOAL_TOPOLOGY_H
#define GOAL_TOPOLOGY_H

#include "goal_env.h"

struct goal_node_map;

struct goal_tree {
	int nprocs;
	int arity;		/* in both levels */
	int node;		/* processes of a node; 1: it does not know nodes */
	const struct goal_node_map *map;	/* NULL: all nodes are so large */
	bool counted;		/* of first processes alone: they have no children on their node */
};

/* Nodes as a task has them: of @node processes, 0 or 1 if it knows none, or those of @map. */
struct goal_tree goal_tree_make(int nprocs, int arity, int node, const struct goal_node_map *map);

/* How many nodes a tree has; the node of a process; the first process of node @k. */
int goal_tree_nodes(const struct goal_tree *t);
int goal_tree_node(const struct goal_tree *t, int me);
int goal_tree_node_first(const struct goal_tree *t, int k);
int goal_tree_node_size(const struct goal_tree *t, int k);

/* k of the barrier @algorithm: "binomial", "knomial", for which it is @arity, or "linear". */
int goal_tree_arity(const char *algorithm, int arity, int nprocs);

int goal_tree_children(const struct goal_tree *t, int me);
/* The children on its own node. */
int goal_tree_near_children(const struct goal_tree *t, int me);
/* The @n-th one, in the order of their numbers: those of the node come first. */
int goal_tree_child(const struct goal_tree *t, int me, int n);
/* Not of process 0. */
int goal_tree_parent(const struct goal_tree *t, int me);
/* Its index among the children of its parent. */
int goal_tree_place(const struct goal_tree *t, int me);
/* Processes of its subtree, with itself. */
int goal_tree_size(const struct goal_tree *t, int me);

/* The least n with 2^n >= @nprocs. */
int goal_rounds(int nprocs);

/*
 * Dissemination (Hensgen, Finkel and Manber, 1988), from the longest way to the shortest: in
 * round j of n a process sends this much further on, and receives from as far before.
 */
static inline int goal_hop(int rounds, int j)
{
	return 1 << (rounds - 1 - j);
}

/* The largest power of two that is not more than @nprocs: the processes of a butterfly. */
int goal_butterfly_core(int nprocs);

/* How many nodes there are, and how many processes the one has that begins with @first. */
int goal_nodes(int nprocs, int node);
int goal_node_size(int nprocs, int node, int first);

#endif
