/* SPDX-License-Identifier: BSD-3-Clause */
/* measure.h - measure what a network and a processor cost, as a BSP program. */

/*
 * All processes make the same calls in the same order; process 0 has the results. Decisions
 * of process 0 (whether there is time for more) are sent to the others, so that all do the same.
 * Messages are those of schedules, as collective operations send them. Times are those of
 * bsp_time(), virtual on an emulated network, in nanoseconds; the budget is in real time.
 *
 * pLogP is measured between process 0 and the last one, which are on different nodes if there are
 * several; then also between process 0 and the last one of its node, if that has several. The
 * method is that of Kielmann, Bal and Verstoep, "Fast Measurement of LogP
 * Parameters for Message Passing Platforms" (2000), in the form of netgauge: a train of n
 * messages that the other side answers once,
 *
 *	PRTT(n, m)	from the first send to the answer
 *	g(m)		(PRTT(n, m) - PRTT(1, m)) / (n - 1)
 *	L		PRTT(1, 1) / 2 - g(1): so that a byte is there after L + g(1)
 *	os(m)		sends of which each waits for the end of the one before
 *	or(m)		likewise receives of messages that have arrived already
 *	fold(m), copy(m)	likewise folds and copies in the memory of each process
 *
 * A train and its answers are a loop in which nothing else runs. A program begins an operation out
 * of other work, with caches and predictors that are used to that; over TCP on one machine a byte
 * then takes 12 us, and not the 8.5 of half a round trip. So where the carrier can, what a message
 * by itself takes is measured like an operation (measure_coll.c), after all have waited for the
 * same time to come:
 *
 *	alone(m)	a message to the peer, until it is there
 *	cross(m)	a message to the peer and one from it, until both are there
 *
 * Between machines, whose clocks differ, the peer answers and half of PRTT(1, 1) is taken off; for
 * two that cross the mean of both processes counts, as one is early by what the other is late.
 *
 * No delays are needed, which would take no time on a network whose processors compute for nothing.
 */
#ifndef BSP_MEASURE_H
#define BSP_MEASURE_H

#include "bsplib/model/model.h"
#include "goal.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct goal_schedule;

/*
 * A median with a confidence interval of 95 %, without any assumption about how the samples are
 * distributed.
 */
struct measure_value {
	double median, low, high;
	int n;			/* samples */
	/* of these, so many quartile ranges off that they are no part of the rest */
	int outliers;
	int lost;		/* samples that came to nothing, as a message was lost */
	/* not what can be: negative, and so taken as 0, or not measured; @why */
	bool flagged;
	const char *why;
};

struct measure_point {
	uint64_t bytes;
	struct measure_value one, train;	/* PRTT(1, m), PRTT(n, m) */
	int n;
	struct measure_value os, or_, g;
	/* 0 samples: the carrier has no such ways */
	struct measure_value alone, cross, fold, copy;
	/* the gap jumps between the size before and this: another protocol */
	bool changes;
};

/*
 * Samples of one value: the least, if there is no time for more, and then twice as many each time
 * until they agree; before them so many that do not count, or one if there is no time. Nor do those
 * count in which the system gave the processor of a process to another program, as long as there is
 * a processor for each process and at least the least number is left.
 */
enum { MEASURE_SAMPLES_LEAST = 3, MEASURE_SAMPLES = 192, MEASURE_WARM = 2 };

enum { MEASURE_EXCHANGES = 5 };

/* A total exchange beside its bounds (measure_gamma.c), all in ns. */
struct measure_exchange {
	uint64_t bytes;
	double took;
	double lower, upper;
	double calm;			/* predicted without contention */
	double linear;			/* predicted by Clement's l + b gamma / W */
	double gamma;			/* of this size alone; NAN: the bounds are too close */
};

/* A machine as it was measured. */
struct measure_machine {
	int npoints;
	struct measure_point point[BSPI_SIZES_MOST];
	struct measure_value L, gamma, combine, copy;	/* combine and copy: ns per byte */
	/* points and L between two processes of a node; NULL: of one, or all are on it */
	struct measure_machine *inside;
	struct measure_value s;			/* Mflop/s */
	/* of bsp_sync; of a word, by total exchange and by cyclic shift */
	struct measure_value l_ns, g_ns, g_shift_ns;
	struct measure_value nhalf;		/* words */
	struct measure_exchange exchange[MEASURE_EXCHANGES];
	int nexchanges;
	bool virtual_time;
	double seconds;				/* that it took */
};

struct measure;

/* One sample, by all processes; NAN if a message was lost. */
typedef double measure_sample(struct measure *m, void *what);

/* A way to measure messages between process 0, whose time counts, and the peer. */
enum measure_way {
	MEASURE_PRTT,		/* a train to the peer, which answers once, when it has all */
	MEASURE_SENDS,		/* sends, each of which waits for the end of the one before */
	MEASURE_RECEIVES,	/* likewise receives of what has arrived already */
	/* no messages: likewise folds and copies, of both; of carriers that have pairs */
	MEASURE_FOLDS, MEASURE_COPIES,
	/* from a start in common: a message, and two that cross; of carriers that have pairs */
	MEASURE_ALONE, MEASURE_CROSS,
};

/*
 * The carrier of the messages that are measured. Calls are collective, also of processes that take
 * no part.
 */
struct measure_carrier {
	void *(*load)(struct measure *m, enum measure_way way, int n, uint64_t bytes);
	measure_sample *sample;		/* of what load() gave, in ns */
	void (*unload)(struct measure *m, void *loaded);
	bool has_pairs;			/* MEASURE_ALONE, CROSS, FOLDS and COPIES */
};

/* measure_schedule.c: messages of schedules. */
extern const struct measure_carrier measure_schedules;

/* How. */
struct measure {
	int me, nprocs, peer;
	int near;			/* the last process of the node of process 0; 0: one node */
	double seconds;			/* to be spent, about */
	int samples;			/* of each value, whatever they take; 0: until they agree */
	uint64_t began_ns;
	uint64_t bytes_most;		/* largest message */
	/* a line on standard error that says what is going on, and how long still */
	bool progress;
	bool virtual_time;
	/* what comes when the budget is spent, for the progress line */
	double later_seconds;
	/*
	 * NULL, or called on process 0 after each value that has been taken when its @part of the
	 * budget was spent
	 */
	void (*is_late)(struct measure *m, double part);
	/* of measure_plogp(); measure_machine(): measure_schedules */
	const struct measure_carrier *carrier;
	double answer_ns;		/* half of PRTT(1, 1), on process 0 */
	double *gathered;		/* of measure_gather(), on process 0 */
	unsigned char *preempted;	/* of MEASURE_SAMPLES of each process, on process 0 */
	double last[MEASURE_SAMPLES];	/* samples of the last measure_take() as they came */
	int nlast;
};

/* measure_job.c: in the SPMD part, collectively. */
void measure_open(struct measure *m, double seconds, uint64_t bytes_most, bool progress);
void measure_close(struct measure *m);
/* measure.c: all of it. @machine on process 0. */
void measure_machine(struct measure *m, struct measure_machine *machine);
/* measure_params.c: as the models want it; the same on all processes. */
void measure_tell(struct measure *m, const struct measure_machine *machine,
		  struct bspi_params *params);

/*
 * measure_job.c, as all up to measure_load(): end the job, with the name of the program before
 * the message.
 */
void measure_fail(const char *format, ...) __attribute__((format(printf, 1, 2), noreturn));

/* Give all processes the value of process 0. */
void measure_agree(struct measure *m, void *what, size_t bytes);
/* Seconds since measure_open(). */
double measure_elapsed(const struct measure *m);
/* Is less than @part of the budget gone? As process 0 sees it. */
bool measure_has_time(struct measure *m, double part);
/* On process 0: what is being done now, when @part of all is done. */
void measure_say(const struct measure *m, double part, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/*
 * Load what @g is; it is used up. Processes that take no part load a schedule without
 * operations.
 */
struct goal_schedule *measure_load(struct goal_graph *g);

/* measure_stats.c: sorts @samples. */
struct measure_value measure_median(double *samples, int n);
/* (a - b) / by; and a value that cannot be negative. */
struct measure_value measure_difference(const struct measure_value *a,
					const struct measure_value *b, double by);
void measure_clamp(struct measure_value *v, double least);
struct measure_value measure_nothing(const char *why);

/* measure_clock.c: time in ns, of this process: virtual, or of the best clock that there is. */
void measure_clock_open(void);
double measure_now(const struct measure *m);
/* "tsc" with its rate, or what else. */
const char *measure_clock_name(void);

/*
 * measure_others.c: how many processors other programs have taken from the job since
 * measure_others_begin(), on the machine on which they took most, on process 0; 0 if it is less
 * than can be measured.
 */
struct measure_others {
	double all, own, began;		/* seconds */
};
void measure_others_begin(struct measure_others *o);
double measure_others(struct measure *m, const struct measure_others *o);

/* measure_align.c: a number that no other machine has, or 0 if it is not known. */
double measure_boot_number(void);
/*
 * measure_align.c: on process 0 what each process says, by number, until the next call; NULL on
 * the others.
 */
const double *measure_gather(struct measure *m, double mine);
/* The largest, on process 0; NAN if any is, as that of a process that has lost a message. */
double measure_most(struct measure *m, double mine);
/* All start together, at a time that process 0 sets. */
void measure_align(struct measure *m);
/* Have all processes one clock, so that they start at the same moment? */
bool measure_has_one_clock(struct measure *m);

/* measure_job.c: as many as are needed, and there is time for until @part of the budget is gone. */
struct measure_value measure_take(struct measure *m, measure_sample *take, void *what, double part);

/* measure_plogp.c; until @part of the budget is gone */
void measure_plogp(struct measure *m, struct measure_machine *machine, double part);
/* Messages by m->carrier, one of them or what @way makes of it: measured apart. */
struct measure_value measure_message(struct measure *m, enum measure_way way, uint64_t bytes,
				     double part);
/* measure_bsp.c: s, combine, copy; l, g, nhalf */
void measure_processor(struct measure *m, struct measure_machine *machine, double part);
void measure_supersteps(struct measure *m, struct measure_machine *machine, double part);

/*
 * An h-relation of so many words from each process, as a shift or a total exchange: ns. Between
 * open and close.
 */
enum { MEASURE_WORD_BYTES = 4, MEASURE_WORDS_MOST = 1 << 16 };
void measure_relations_open(void);
struct measure_value measure_relation(struct measure *m, int words, bool shift, double part);
void measure_relations_close(void);

/*
 * measure_coll.c: what a collective operation of the first @nprocs processes takes until the
 * last of them is done, on process 0. False on all: the algorithm refuses.
 */
bool measure_task(struct measure *m, const struct goal_task *task, int nprocs, double part,
		  struct measure_value *v);
/* A task of @bytes, or of as many whole doubles if it folds; the caller sets the algorithm. */
struct goal_task measure_task_of(enum goal_kind kind, uint64_t bytes);

/*
 * measure_variant.c: how barriers are made besides the algorithm, as BSP_BARRIER names it; the last
 * has no name. "+networks": over two networks, without which it is over one.
 */
struct measure_variant {
	const char *name;		/* "+multicast"; of the first, along a tree, "" */
	enum goal_release release;
	int networks;
	bool by_nodes;
};
extern const struct measure_variant measure_variants[];
/* Has the algorithm such a variant? Then it is that of @task. */
bool measure_variant_take(const struct measure_variant *v, struct goal_task *task);
/* Why the first @nprocs processes cannot make such barriers here, or NULL if they can. */
const char *measure_variant_refuses(const struct measure *m, const struct measure_variant *v,
				    int nprocs);
/* Why a multicast of the first @nprocs processes is not one message here, or NULL if it is. */
const char *measure_multicast_refuses(const struct measure *m, int nprocs);
/*
 * measure_gamma.c: gamma, by total exchanges of 1 KiB to 256 KiB. Bytes and time of an exchange are
 * given, the rest of it is worked out; and the median of those that tell, marked if gamma cannot be
 * measured.
 */
void measure_exchange_bounds(const struct bspi_plogp *p, int nprocs, struct measure_exchange *x);
struct measure_value measure_gamma_of(const struct measure_exchange *x, int n);
/* measure_coll.c: measure it */
void measure_gamma(struct measure *m, struct measure_machine *machine, double part);

#endif
