/* SPDX-License-Identifier: BSD-3-Clause */
/* gauge_module.h - what a module of bspgauge is: all that one in a plugin knows. */

/*
 * Messages go from the area job->src to the area job->dst of the other process; their bytes are
 * carried, and no pattern reads them. Calls come from one thread. No call is made before open(),
 * or after close(). Messages between two processes keep their order, without tags; both sides know
 * their lengths.
 *
 * Why there are two fixed areas, where Netgauge's calls have a buffer, recvfrom() returns a length,
 * and modules allocate memory and keep a table of its registrations:
 *   - No pattern needs another address: each sends from and receives into one area of its own. So
 *     all memory that is ever sent is known when the module is opened, and a network registers it
 *     there, once, with one key for each area and process, which open() exchanges. A table that
 *     finds the registration of an address would be looked up for each message and be measured.
 *   - The memory is the runner's, on pages of its own, so that the same memory, as warm in caches,
 *     is measured over all modules; a module whose network has memory of its own copies to it,
 *     and its option says so ("copy" of ofi-rma).
 *   - A message arrives whole or is lost: both sides know its length, and what is shorter than that
 *     is not the message, so recv() has nothing to tell but whether it came. Parts of a stream are
 *     put together by the module, as Netgauge's macros for complete messages do.
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
	GAUGE_CHANNEL = 1 << 5,		/* channel semantics: each send meets a receive */
	/* no ability, but a need: the network moves only memory that was registered with it */
	GAUGE_REGISTERED = 1 << 6,
};

/* An option of a module, of an array that ends with one without a key. */
struct gauge_option {
	const char *key;
	const char *values;		/* "a|b|c", or a word in capitals with is_good() */
	const char *what;
	bool (*is_good)(const char *value);
	const char *value;		/* what was chosen, or at first the default */
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
	/* set by --option before probe() and open(); NULL: it has none */
	struct gauge_option *options;

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
