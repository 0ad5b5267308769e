/* SPDX-License-Identifier: BSD-3-Clause */
/* mpi_watch.h - how long the host of mpi_host.c lives: as long as each process that uses it. */
#ifndef BSPT_MPI_WATCH_H
#define BSPT_MPI_WATCH_H

#include <stdbool.h>

/* Messages through the socket from parent and processes to the host; the first two have a pidfd. */
enum mpi_watch_notice { MPI_WATCH_PARENT = 'p', MPI_WATCH_ENTER = 'e', MPI_WATCH_LEAVE = 'l' };

/*
 * In the parent, or in a process that enters: the host is to watch the caller. False: it cannot,
 * and the caller keeps @life open to its end.
 */
bool mpi_watch_notify(int life, enum mpi_watch_notice kind);

/* In a process that has no further request to the host. False: the host has ended. */
bool mpi_watch_leave(int life);

struct mpi_watch;

/* In the host, which has @life, the other end of the socket. NULL: no memory. */
struct mpi_watch *mpi_watch_create(int life, int nprocs);

/*
 * Returns when each process that has entered has ended, and no other can enter: all have, or the
 * parent has ended, or the other end of the socket is closed everywhere. Calls @all_left when all
 * processes have left, if they do.
 */
void mpi_watch_wait(struct mpi_watch *w, void (*all_left)(void));

#endif
