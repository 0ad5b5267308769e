// SPDX-License-Identifier: BSD-3-Clause
/* gauge_mpi.c - the plugin with modules of MPI: its messages, and its one-sided communication. */

/*
 * The job's supersteps go over MPI as well (transport mpi), so that MPI is there when a module
 * is opened; a communicator of its own keeps the messages apart.
 *
 * One-sided: a window over the area and one over counters, both in a passive epoch all the
 * time. A message is put, made complete at the other process, and then its number is put into
 * the counter that this one has there: in that order it is visible.
 *
 * With the option epoch=message, as in the paper, a send is an access epoch and a receive an
 * exposure epoch of the two processes: there are no numbers, as the end of one epoch is that of the
 * other.
 */

#include "gauge_module.h"

#include <mpi.h>

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static MPI_Comm all = MPI_COMM_NULL;	/* its ranks are the numbers of the processes */

static int mpi_open_messages(struct gauge_job *job, char *why, size_t len)
{
	int ready = 0, size = 0;

	MPI_Initialized(&ready);
	if (ready)
		MPI_Comm_size(MPI_COMM_WORLD, &size);
	if (!ready || size != job->nprocs) {
		snprintf(why, len, "MPI has %d processes, the job %d", size, job->nprocs);
		return -1;
	}
	MPI_Comm_split(MPI_COMM_WORLD, 0, job->me, &all);
	return 0;
}

static void close_messages(struct gauge_job *job)
{
	(void)job;
	MPI_Comm_free(&all);
}

static void mpi_send_message(struct gauge_job *job, int to, size_t bytes)
{
	MPI_Send(job->src, (int)bytes, MPI_BYTE, to, 0, all);
}

static bool mpi_receive_message(struct gauge_job *job, int from, size_t bytes)
{
	MPI_Recv(job->dst, (int)bytes, MPI_BYTE, from, 0, all, MPI_STATUS_IGNORE);
	return true;
}

static MPI_Request *new_request(struct gauge_job *job)
{
	MPI_Request *r = malloc(sizeof(*r));

	if (!r)
		job->fail("no memory");
	return r;
}

static void *mpi_start_send(struct gauge_job *job, int to, size_t bytes)
{
	MPI_Request *r = new_request(job);

	MPI_Isend(job->src, (int)bytes, MPI_BYTE, to, 0, all, r);
	return r;
}

static void *mpi_start_receive(struct gauge_job *job, int from, size_t bytes)
{
	MPI_Request *r = new_request(job);

	MPI_Irecv(job->dst, (int)bytes, MPI_BYTE, from, 0, all, r);
	return r;
}

static bool test_request(struct gauge_job *job, void *request)
{
	int done;

	(void)job;
	MPI_Test(request, &done, MPI_STATUS_IGNORE);
	if (done)
		free(request);
	return done;
}

/* ---- One-sided ---------------------------------------------------------------------------- */

static struct {
	MPI_Win data, counters;
	_Atomic uint64_t *came;		/* in the window: what each process has sent here */
	uint64_t *sent, *received;	/* to and from each */
	MPI_Group *one;			/* of each process alone */
	bool by_message;		/* epoch=message */
} rma;

static struct gauge_option rma_options[] = {
	{ .key = "epoch", .values = "job|message", .value = "job",
	  .what = "one passive epoch of all messages, or an access and an exposure epoch of each" },
	{ .key = NULL },
};

static void mpi_make_groups(struct gauge_job *job)
{
	MPI_Group everyone;

	rma.one = calloc((size_t)job->nprocs, sizeof(*rma.one));
	if (!rma.one)
		job->fail("no memory");
	MPI_Comm_group(all, &everyone);
	for (int q = 0; q < job->nprocs; q++)
		MPI_Group_incl(everyone, 1, &q, &rma.one[q]);
	MPI_Group_free(&everyone);
}

static int mpi_open_rma(struct gauge_job *job, char *why, size_t len)
{
	MPI_Aint bytes = (MPI_Aint)((size_t)job->nprocs * sizeof(uint64_t));

	if (mpi_open_messages(job, why, len))
		return -1;
	rma.sent = calloc((size_t)job->nprocs, sizeof(*rma.sent));
	rma.received = calloc((size_t)job->nprocs, sizeof(*rma.received));
	if (!rma.sent || !rma.received)
		job->fail("no memory");
	MPI_Win_create(job->dst, (MPI_Aint)job->bytes, 1, MPI_INFO_NULL, all, &rma.data);
	MPI_Win_allocate(bytes, sizeof(uint64_t), MPI_INFO_NULL, all, (void *)&rma.came,
			 &rma.counters);
	for (int q = 0; q < job->nprocs; q++)
		atomic_store_explicit(&rma.came[q], 0, memory_order_relaxed);
	mpi_make_groups(job);
	rma.by_message = strcmp(rma_options[0].value, "message") == 0;
	MPI_Barrier(all);
	if (rma.by_message)
		return 0;
	MPI_Win_lock_all(MPI_MODE_NOCHECK, rma.data);
	MPI_Win_lock_all(MPI_MODE_NOCHECK, rma.counters);
	return 0;
}

static void close_rma(struct gauge_job *job)
{
	if (!rma.by_message) {
		MPI_Win_unlock_all(rma.data);
		MPI_Win_unlock_all(rma.counters);
	}
	for (int q = 0; q < job->nprocs; q++)
		MPI_Group_free(&rma.one[q]);
	free(rma.one);
	MPI_Win_free(&rma.data);
	MPI_Win_free(&rma.counters);
	free(rma.sent);
	free(rma.received);
	close_messages(job);
}

static void mpi_put(struct gauge_job *job, int to, size_t bytes)
{
	uint64_t number = ++rma.sent[to];

	if (rma.by_message) {
		MPI_Win_start(rma.one[to], 0, rma.data);
		MPI_Put(job->src, (int)bytes, MPI_BYTE, to, 0, (int)bytes, MPI_BYTE, rma.data);
		MPI_Win_complete(rma.data);
		return;
	}
	MPI_Put(job->src, (int)bytes, MPI_BYTE, to, 0, (int)bytes, MPI_BYTE, rma.data);
	MPI_Win_flush(to, rma.data);
	MPI_Accumulate(&number, 1, MPI_UINT64_T, to, job->me, 1, MPI_UINT64_T, MPI_REPLACE,
		       rma.counters);
	MPI_Win_flush(to, rma.counters);
}

/*
 * Puts of others may need MPI to be called here; the counter is read after that. The acquire pairs
 * with MPI_Win_flush() of the sender, between its bytes and their number.
 */
static bool mpi_await_number(struct gauge_job *job, int from, size_t bytes)
{
	uint64_t wanted = ++rma.received[from];
	int flag;

	(void)job;
	(void)bytes;
	if (rma.by_message) {
		MPI_Win_post(rma.one[from], 0, rma.data);
		MPI_Win_wait(rma.data);
		return true;
	}
	MPI_Win_sync(rma.counters);
	while (atomic_load_explicit(&rma.came[from], memory_order_acquire) < wanted) {
		MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, all, &flag, MPI_STATUS_IGNORE);
		MPI_Win_sync(rma.counters);
	}
	MPI_Win_sync(rma.data);
	return true;
}

static const struct gauge_module messages = {
	.name = "mpi-p2p",
	.summary = "MPI_Send and MPI_Recv, MPI_Isend and MPI_Irecv",
	.can = GAUGE_NONBLOCKING | GAUGE_RELIABLE | GAUGE_CHANNEL,
	.transport = "mpi",
	.open = mpi_open_messages,
	.close = close_messages,
	.send = mpi_send_message,
	.recv = mpi_receive_message,
	.isend = mpi_start_send,
	.irecv = mpi_start_receive,
	.test = test_request,
};

static const struct gauge_module one_sided = {
	.name = "mpi-rma", .summary = "MPI_Put with sequence numbers, or an epoch for each message",
	.can = GAUGE_RELIABLE | GAUGE_ONE_SIDED | GAUGE_REGISTERED, .transport = "mpi",
	.options = rma_options,
	.open = mpi_open_rma, .close = close_rma, .send = mpi_put, .recv = mpi_await_number,
};

__attribute__((visibility("default"))) const struct gauge_module *const gauge_mod_mpi_all[] = {
	&messages, &one_sided, NULL,
};
