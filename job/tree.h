/* SPDX-License-Identifier: BSD-3-Clause */
/* tree.h - the tree of the nodes of a job, by which they gather, release and watch each other. */

/*
 * Nodes are numbered from 0, the root. The subtree of a node are successive nodes, of which it is
 * the first. The nodes behind it are divided among its children in blocks of one size, or of two
 * that differ by 1, the larger ones first; the first of each block is the child. A tree of 8, with
 * 4 children each:
 *
 *	0 (8) --- 1 (2) --- 2
 *		  3 (2) --- 4
 *		  5 (2) --- 6
 *		  7 (1)
 *
 * So a parent has a smaller number than its children, the nodes 0 to m - 1 of a larger tree are
 * a tree as well, and what a subtree has gathered is of successive processes if nodes are. With n
 * nodes of which each has at most a children, no node is deeper than log n / log a, rounded up.
 * A tree of 4 is no deeper than a star up to 5 nodes, and the root of a large one sends 4 messages.
 */
#ifndef BSPJ_TREE_H
#define BSPJ_TREE_H

enum { BSPJ_TREE_ARITY = 4 };

struct bspj_tree_place {
	int parent;		/* -1: the root */
	int end;		/* the subtree ends before this node */
};

/*
 * Node @i of a tree of @n with at most @arity children each. The first child of i is i + 1, and the
 * next one the end of that, until the end of i.
 */
static inline struct bspj_tree_place bspj_tree_place(int n, int arity, int i)
{
	struct bspj_tree_place place = { .parent = -1, .end = n };
	int at = 0;

	while (at != i) {
		int behind = place.end - at - 1, children = behind < arity ? behind : arity;
		int block = behind / children, larger = behind % children;

		place.parent = at;
		at++;
		for (int child = 0;; child++) {
			place.end = at + block + (child < larger);
			if (i < place.end)
				break;
			at = place.end;
		}
	}
	return place;
}

/* How many nodes are on the way from node @i to the root, without it. */
static inline int bspj_tree_depth(int n, int arity, int i)
{
	int depth = 0;

	for (; i > 0; i = bspj_tree_place(n, arity, i).parent)
		depth++;
	return depth;
}

/* How many nodes are below each other at most, below the first of a subtree of @size. */
static inline int bspj_tree_height(int size, int arity)
{
	int height = 0;

	for (; size > 1; size = (size - 2) / arity + 1)
		height++;
	return height;
}

#endif
