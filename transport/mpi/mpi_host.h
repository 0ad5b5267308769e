/* SPDX-License-Identifier: BSD-3-Clause */
/* mpi_host.h - what a launcher does for MPI, where there is none: a process of our own. */
#ifndef BSPT_MPI_HOST_H
#define BSPT_MPI_HOST_H

#include <stddef.h>

struct mpi_host;

/*
 * Could a host and @nprocs processes be started here, for the MPI that we have? 0, or a
 * negative errno and the reason in words in @why (@len bytes, always terminated). Cheap, and
 * leaves nothing behind.
 */
int mpi_host_probe(int nprocs, char *why, size_t len);

/*
 * In the parent, before it forks the processes, or in the only process: makes the host for
 * @nprocs of them and returns when it is ready. *@out is inherited. The host is a child of no
 * process here, and ends when each process that has entered has ended in any way, and no other
 * can: all have entered, or the parent has ended. A negative errno: there is no host, and nothing
 * is left.
 */
int mpi_host_start(int nprocs, struct mpi_host **out);

/*
 * In process @me, before MPI_Init: what another launcher has left in the environment goes, and what
 * MPI needs to find the host comes; what the user has set for MPI stays. 0 or a negative errno.
 */
int mpi_host_enter(struct mpi_host *host, int me);

/* In the same thread, when MPI_Init has returned: what made it faster would slow down the rest. */
void mpi_host_entered(struct mpi_host *host);

/*
 * In a process that has finalised MPI, or will never call it again: the environment forgets
 * the host, which lives on until the process ends. Frees @host.
 */
void mpi_host_leave(struct mpi_host *host);

#endif
