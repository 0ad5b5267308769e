/* SPDX-License-Identifier: BSD-3-Clause */
/* model.h - what collective operations cost on a network, and which algorithm costs least. */

/*
 * pLogP (Kielmann, Bal and Verstoep, 2000): latency L, and by size of a message the overheads
 * os(m) and or(m) of the sender and the receiver, and the gap g(m) between messages. The formulae
 * are those of Barchet-Estefanel and Mounié, "Performance Characterisation of Intra-Cluster
 * Collective Communications", Tables 1 to 3, and of Iwasaki and others, "Fast Barrier
 * Synchronization on commodity PC Cluster connected with Ethernet", section 5; where we have an
 * algorithm that is in neither, model_*.c derives its cost and says how.
 *
 * A message of m bytes is there L + g(m) after its sender began with it. So L is what is left of
 * half a round trip when the gap is taken off, with the overheads in it. Times are in
 * nanoseconds, sizes in bytes.
 *
 * Where the gap is that of a train, a message by itself takes longer: in a train it is copied in
 * while the one before it is copied out, and asked for while that is under way. Kielmann and others
 * derive g(m) from a round trip of one message (2000, RTT(m) - RTT(0) + g(0)); here both are
 * measured: alone(m), until a message is there whose receiver waits for it, and g(m), the pace of
 * those that follow it. Where processes send to each other at once, both processors are busy, and
 * share memory and locks: cross(m), until the message of the other one is there. Rico-Gallego and
 * Diaz-Martin ("tau-Lop: Modeling performance of shared memory MPI", 2015) make the cost of a
 * transfer depend on how many are made at once, for that reason.
 *
 * In a total exchange or an allgather a process copies its own block, too, and a fold in order
 * copies the operand that it overwrites: fold(m) and move(m) of one operation of a schedule. For
 * few bytes that is the operation, and for many it depends on which cache they are in, so that a
 * cost of a byte alone describes neither. Cameron and Sun ("Quantifying Locality Effect in Data
 * Access Delay: Memory logP", 2003) count copies by size for that reason.
 */
#ifndef BSPI_MODEL_H
#define BSPI_MODEL_H

#include "goal/gen/goal_gen.h"

enum { BSPI_SIZES_MOST = 64 };

struct bspi_plogp {
	double L;
	/* 1 at least; in order; between them linear, beyond the last as between the last two */
	int nsizes;
	uint64_t size[BSPI_SIZES_MOST];
	double os[BSPI_SIZES_MOST], or_[BSPI_SIZES_MOST], g[BSPI_SIZES_MOST];
	/* one message alone, and two that cross; 0 at all sizes: L + g(m) */
	double alone[BSPI_SIZES_MOST], cross[BSPI_SIZES_MOST];
	/* contention factor of total exchange, 0 .. 1 for most networks: section 5 */
	double gamma;
	double combine;			/* ns per byte of a local fold */
	double copy;			/* ns per byte of a local copy */
	/* local operations by size, if @has_local; else combine and copy for each byte */
	bool has_local;
	double fold[BSPI_SIZES_MOST], move[BSPI_SIZES_MOST];
	const struct bspi_plogp *inside;	/* of nodes; NULL: all messages cost the same */
};

/* Parameters of the BSP model, in Oxford's units: see bsp_s(3). */
struct bspi_slg {
	double s;			/* Mflop/s */
	double l, g;			/* flops; flops per word of 4 bytes */
	int nhalf;			/* words */
};

/* g(m), os(m), or(m). */
double bspi_model_gap(const struct bspi_plogp *p, uint64_t bytes);
double bspi_model_send(const struct bspi_plogp *p, uint64_t bytes);
double bspi_model_receive(const struct bspi_plogp *p, uint64_t bytes);

/* A fold and a copy of so many bytes in the memory of a process. */
double bspi_model_fold(const struct bspi_plogp *p, uint64_t bytes);
double bspi_model_copy(const struct bspi_plogp *p, uint64_t bytes);

/*
 * The same network without alone(m) and cross(m): L + g(m), as the papers have it, in which copies
 * take no time and folds as much for each byte.
 */
struct bspi_plogp bspi_model_of_trains(const struct bspi_plogp *p);

/*
 * When a message is there: alone, and if its receiver sends one as long at the same time. The
 * latency is what is left of a message alone with the gap taken off, and never negative.
 */
double bspi_model_hop(const struct bspi_plogp *p, uint64_t bytes);
double bspi_model_cross(const struct bspi_plogp *p, uint64_t bytes);
double bspi_model_latency(const struct bspi_plogp *p, uint64_t bytes);

/*
 * The same as bspi_model_cross(), if each processor has @work ns to do between its send and its
 * receive: that costs nothing while the message is on its way.
 */
double bspi_model_cross_beside(const struct bspi_plogp *p, uint64_t bytes, double work);

/*
 * The same network by four numbers (LogGP): g(m) = max(o, g + (m - 1) G), and L + g(1) is what a
 * byte takes, L + 2o.
 */
void bspi_plogp_of(struct bspi_plogp *p, double L, double o, double g, double G);

/* Folds and copies cost as much as with @from: they are in the same memory. */
void bspi_plogp_take_local(struct bspi_plogp *p, const struct bspi_plogp *from);

/*
 * The cost of @task with its algorithm, segment and arity on @nprocs processes; HUGE_VAL: there is
 * no model of it.
 */
double bspi_model_cost(const struct bspi_plogp *p, const struct goal_task *task, int nprocs);

/*
 * The best segment or arity of the algorithm that @task has. Returns the cost; HUGE_VAL: the
 * algorithm refuses, or has no model, or multicasts what the network does not (multicast_most).
 */
double bspi_model_tune(const struct bspi_plogp *p, struct goal_task *task, int nprocs);

/*
 * Choose algorithm, segment (by search over m / 2^i and then hill climbing, as the paper does)
 * and arity of @task so that the cost is least; what BSP_COLL forces is not chosen. Release and
 * networks of a barrier stay as they are. If the task has nodes (goal_gen.h), two levels are
 * compared with one, and if that costs less it has none afterwards. Returns the cost, HUGE_VAL if
 * all algorithms refuse. Takes some microseconds: remember what was chosen.
 */
double bspi_model_choose(const struct bspi_plogp *p, struct goal_task *task, int nprocs);

/*
 * The end of a superstep by consensus (sync/consensus.c), in which each process has sent to @fan
 * others: the last chunks, as many acknowledgements of so many bytes, and a barrier without counts.
 * A barrier with counts costs what bspi_model_choose() says.
 */
enum { BSPI_ACKNOWLEDGEMENT = 56 };
double bspi_model_consensus(const struct bspi_plogp *p, int nprocs, int node, int fan);

/* ---- params.c: where the numbers come from ------------------------------------ */

/*
 * In order: the file BSP_PARAMS; that of the user's configuration folder, in which bspprobe
 * stores what it has measured, for this transport and number of processes (nearest); the
 * transport's estimate (struct bspt_cost). Read before the processes are there, or by process 0
 * and sent to all, in bsp_begin: so all choose alike, and asking needs no communication.
 */
struct bspi_params {
	struct bspi_plogp plogp;
	struct bspi_plogp inside;	/* of a node; no sizes: neither measured nor estimated */
	struct bspi_slg slg;
	int nprocs;			/* for so many processes measured; 0: an estimate */
	char from[256];			/* for messages: file, or "estimate of transport shm" */
	bool measured;
};

/* From bsp_begin on. */
const struct bspi_params *bspi_params(void);

/* ---- BSP_COLL=bcast:binomial,exchange:bruck --------------------------------------- */

/* Read it, in bsp_begin; a wrong one ends the program. */
void bspi_coll_read(const char *site);
/* Print a notice for each algorithm that was given by a name of an earlier version. */
void bspi_coll_announce_renamed(void);
/*
 * The algorithm that is forced for a kind, and *@number: with ":4k" behind it a segment, or ":3" an
 * arity, else 0; NULL if none is forced.
 */
const struct goal_algorithm *bspi_coll_forced(enum goal_kind kind, uint64_t *number);
/* Is it forced in two levels, "binomial+nodes", where there are nodes? */
bool bspi_coll_forced_nodes(enum goal_kind kind);

#endif
