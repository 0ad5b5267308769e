/* SPDX-License-Identifier: BSD-3-Clause */
/* gauge_module.h - what a module of bspgauge is: all that one in a plugin knows. */

/*
 * Messages go from the area job->src to the area job->dst of the other process; what is in them
 * matters to nobody, but is carried. Calls come from one thread. No call is made before open(),
 * or after close(). Messages between two processes keep their order; both sides know their
 * lengths.
 *
 * One-sided modules write the message to job->dst of the other process and then a number to its
 * counters: how many have come from this one. The receiver waits until that number is as large
 * as that of its receives.
 */
#ifndef BSP_GAUGE_MODULE_H
#define BSP_GAUGE_MODULE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Abilities that a module has, and a pattern may need. */
enum gauge_can {
	GAUGE_NONBLOCKING = 1 << 0,	/* isend, irecv and test */
	GAUGE_RELIABLE = 1 << 1,	/* nothing is lost */
	GAUGE_ONE_SIDED = 1 << 2,	/* it writes to the memory of others */
	/* supersteps, schedules and collective operations of this library */
	GAUGE_LIBRARY = 1 << 3,
	GAUGE_REAL_TIME = 1 << 4,	/* of patterns: no virtual clock */
};

struct gauge_job {
	int me, nprocs;
	void *src, *dst;		/* areas, on a page */
	size_t bytes;			/* of each */
	bool alone;			/* each process has a processor, so that waiting may spin */
	/* of a script; the same on both sides. Datagrams of earlier ones are dropped */
	uint32_t round;
	/*
	 * In open() and close(): @len <= GAUGE_EXCHANGE bytes of each process to all, into @all
	 * by number. Returns when all have called.
	 */
	void (*exchange)(const void *mine, size_t len, void *all);
	/* Ends the job: an error of the network in what must not fail. */
	void (*fail)(const char *format, ...) __attribute__((format(printf, 1, 2), noreturn));
};

enum { GAUGE_EXCHANGE = 1024, GAUGE_LOST_MS = 200 };

struct gauge_module {
	const char *name, *summary;
	unsigned int can;
	size_t bytes_most;		/* of a message; 0: any */
	/* what a message has besides, and what its length is rounded up to; 0: not known */
	size_t header_bytes, align_bytes;
	/* of the library, for the supersteps of the job; NULL: the best */
	const char *transport;
	const char *offload;		/* of these: BSP_OFFLOAD; NULL: what the user says */

	/*
	 * Can it run on this machine? 0, or -1 and the reason in @why. Leaves nothing behind.
	 * NULL: it can.
	 */
	int (*probe)(char *why, size_t len);
	/* Collective. 0, or -1 and the reason, and for all processes alike nothing is left. */
	int (*open)(struct gauge_job *job, char *why, size_t len);
	void (*close)(struct gauge_job *job);

	/*
	 * The first @bytes of job->src to @to; when it returns they may be changed. NULL of the
	 * library's own.
	 */
	void (*send)(struct gauge_job *job, int to, size_t bytes);
	/* Wait for the next from @from; false: it is lost (after GAUGE_LOST_MS). */
	bool (*recv)(struct gauge_job *job, int from, size_t bytes);
	/*
	 * The same without waiting, with GAUGE_NONBLOCKING: what test() is asked for until it
	 * says true.
	 */
	void *(*isend)(struct gauge_job *job, int to, size_t bytes);
	void *(*irecv)(struct gauge_job *job, int from, size_t bytes);
	bool (*test)(struct gauge_job *job, void *request);
};

#endif
