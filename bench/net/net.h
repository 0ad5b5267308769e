/* SPDX-License-Identifier: BSD-3-Clause */
/* net.h - supersteps beside the layer below: what netmpi and netofi are made of. */

/*
 * Terms
 *   layer    a way to move bytes between the processes without BSP: that which the
 *	      transport is made of (raw), and sockets.
 *   side     who does the work of a row: BSP, the raw layer, sockets.
 *   row      one piece of work, which each side does in its own way.
 *   step     doing it once: for BSP a superstep, or two.
 *   batch    so many steps of one side that the clock does not count.
 *   round    a batch of every row, by each side in turn.
 *
 * All sides are in the same processes and use the same wire at almost the same time, so what
 * happens to the machine happens to all of them. Each has memory of its own.
 */
#ifndef BENCH_NET_H
#define BENCH_NET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum {
	NET_ITEMS = 1000,	/* transfers of a step that has many small ones */
	NET_MOST_ROUNDS = 301,
	NET_MOST_PROCS = 256,
	NET_TEXT = 160,
	NET_BESIDE = 4,
};

enum net_side { NET_BSP, NET_RAW, NET_SOCKETS, NET_SIDES };

/* In one step: bytes from @src go to process @to, and as many come from process @from to @dst. */
struct net_transfer {
	int to, from;
	const char *src;
	char *dst;
	size_t nbytes;
};

/* The two blocks of memory of a side, in which the transfers of its rows are. */
struct net_memory {
	char *src, *dst;
	size_t nbytes;
};

struct net_layer {
	const char *name;

	/*
	 * start() comes before bsp_begin(); it may be NULL, as close() and finish(). open() is
	 * called within the BSP part by all processes, and may use supersteps to tell the
	 * others something. 0, or what went wrong has been printed.
	 */
	int (*start)(int *argc, char ***argv);
	int (*open)(int me, int nprocs, const struct net_memory *memory);

	/* All of @count transfers, there and here. */
	void (*move)(const struct net_transfer *t, int count);
	void (*barrier)(void);

	/* In words, what it is and what wire it has. */
	void (*describe)(char *text, size_t len);
	void (*close)(void);
	void (*finish)(void);
};

/* netmpi.c or netofi.c: what lies below the transport. */
extern const struct net_layer net_raw;

/* netsock.c: for two processes of one machine. */
extern const struct net_layer net_sockets;

/* The target of a row: a ratio to the raw layer; or, over TCP, a time. 0: none. */
struct net_target {
	double ratio;
	double us;
	double mpi_us;	/* in which plain MPI does the same there; 0: NET_TARGET_US holds */
};

/* In which it exchanges 8 bytes there. */
#define NET_TARGET_US 9.2

struct net_row {
	const char *name;
	const char *text;
	const char *below;	/* what the raw layer does */
	void (*step)(const struct net_row *row);	/* a superstep */
	size_t nbytes;		/* of one transfer; 0: the raw layer does a barrier only */
	int items;		/* transfers to the next process; 0: one to every other */
	/* one to each of NET_BESIDE, in supersteps that end among them (bsp_set_neighbors) */
	bool halo;
	bool relaxed;
	bool barrier;		/* the raw layer does one after the transfers */
	bool any_number;	/* of processes; else only with two, unless asked for by name */
	struct net_target target;
};

/* netrows.c: the last one has no name. */
extern const struct net_row net_rows[];

/* netrows.c: the memory of the supersteps, registered. Collective. */
void net_rows_open(const struct net_memory *memory);
void net_rows_close(void);

/* The numbers of the neighbours in the ring. */
int net_next(void);
int net_previous(void);

/*
 * The processes above, below, left and right on a torus that is as square as their number allows.
 * On a narrow one some are the same process.
 */
void net_beside(int pids[NET_BESIDE]);

/* The time of one step in each round, in nanoseconds, by the sides that do it. */
struct net_result {
	double time[NET_SIDES][NET_MOST_ROUNDS];
	bool has[NET_SIDES];
	unsigned char disturbed[NET_MOST_ROUNDS];	/* this process was, by other programs */
	int nrounds;		/* that count: the undisturbed ones, or all if there are none */
	bool stable;		/* there are some */
};

/* The measurements, for the table. */
struct net_table {
	int nprocs;
	int nrounds;
	int cpu[2];		/* where the first two processes are bound; -1: anywhere */
	bool tcp;		/* so targets in microseconds hold */
	char transport[NET_TEXT];
	char below[NET_TEXT];
	struct net_result *result;	/* as net_rows */
};

/* nettable.c */
void net_table_markdown(const struct net_table *table, FILE *out);
void net_table_csv(const struct net_table *table, FILE *out);

#endif
