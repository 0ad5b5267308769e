/* SPDX-License-Identifier: BSD-3-Clause */
/* offload.h - schedules run by the kernel and by processes: what the files share. */
#ifndef BENCH_OFFLOAD_H
#define BENCH_OFFLOAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
	OFFLOAD_PROCESSES = 8,		/* at most: the hosts h1 to h8 of the guest */
	OFFLOAD_HOSTS = 32,		/* the same for offload_barriers() */
	OFFLOAD_OPERATIONS = 4,
	/* bytes that a process gives each other, or its neighbours, in an exchange */
	OFFLOAD_BLOCK = 8,
	OFFLOAD_WAYS = 4,
};

/* One process of a job; host h1 is rank 0, and so on. */
struct offload_job {
	int nprocs, rank;
	uint64_t key;			/* the same on all, another one for each job */
};

/* The runner of schedules, and its network. Everything belongs to the process and ends with it. */
struct offload_way {
	const char *name;
	/* what the parameter of espgoal must be: Y, N; 0: no matter */
	char softirq;
	/* All processes, at once; @meet returns when all have called it. */
	void (*open)(const struct offload_job *job, void (*meet)(void));
	/* Operation number @operation is this schedule; the block stays as it is. */
	void (*load)(int operation, const void *block, size_t len);
	/* Begin: what can be sent at once is sent. One operation at a time. */
	void (*start)(int operation, void *source, void *target);
	/* Sleep until it is over, and do what is left to do. */
	void (*finish)(int operation);
};

extern const struct offload_way offload_softirq, offload_worker, offload_esp, offload_tcp;
/* The parameter of the module, for all processes; only while none is in an operation. */
void offload_set_softirq(char value);
/* Likewise, for connections that are made from then on. */
void offload_set_near(char value);

/* offload_measure.c: all rows of one number of processes. @link: how the rows name the link. */
void offload_collectives(int nprocs, int rounds, const char *link);
/* offload_neighbors.c: the neighbours of a process on a closed ring; how many. */
int offload_neighbors_of(const struct offload_job *job, int pids[2]);
/* An exchange with them: block q of the source to process q, that of the target from it. */
void *offload_neighbors(const struct offload_job *job, size_t *len);
/* offload_barriers.c: barriers on hosts h1, h2, ... with interfaces eth0 and eth1. */
void offload_barriers(int nprocs, int rounds, const char *link);
/* The same as each process sees them: one @variant or "all", @times barriers. */
void offload_nodes(int nprocs, int times, const char *link, const char *variant);
/* Barriers of processes of one host, inside the device and by frames over lo. */
void offload_near(int nprocs, int rounds);
/* The overheads of messages and multicasts of two hosts. @link: how slow it is, us; 0: work. */
void offload_overheads(const char *link);
/* offload_incast.c: goodput of several senders to host h1, in Mbit/s; messages of @bytes. */
void offload_incast(bool esp, int nsenders, int rounds, long bytes, const char *link);
/* offload_reductions.c: vectors folded in the kernel and by the process; bytes stand for LINK. */
void offload_reductions(int rounds);
/* offload_kernel.c: @operation, until it is over; @bytes of its scratchpad are copied to @out. */
void offload_run_timed(int operation, void *source, void *target, void *out, size_t bytes);
/* offload_answer.c: who answers a frame; two hosts. */
void offload_answers(int rounds);

/* offload_row.c. End the process, and with it the benchmark: "offload: @what: " and why. */
void offload_fail(const char *what) __attribute__((noreturn));
/* Sockets are from here on opened on host @rank. */
void offload_enter(int rank);
/* One row: median, quartiles, and 95 % confidence of the median, of @n values, which it sorts. */
void offload_row(const char *table, const char *what, const char *way, int nprocs, const char *link,
		 double *value, int n);

#endif
