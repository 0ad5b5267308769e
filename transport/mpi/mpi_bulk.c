// SPDX-License-Identifier: BSD-3-Clause
/* mpi_bulk.c - large transfers from memory to memory, and how all that is under way ends. */

/*
 * A transfer is one message, straight from the memory of one process into that of the other, on a
 * communicator of its own; its tag is the id, modulo the largest tag. Empty transfers are not
 * sent: both sides know their length.
 *
 * The end. MPI_Finalize may wait for ever for a message that no process receives, and memory must
 * not be freed into which a message still arrives. So a process that closes receives and drops
 * messages until its own requests are complete; then it enters a non-blocking barrier, and goes
 * on receiving until that is over. Since all have entered it without requests, every message has
 * been matched. (Messages that MPI has buffered in full may still arrive; they stay inside MPI
 * and block no process.)
 */

#include "mpi.h"

#include <stdlib.h>

static const uint64_t SETTLE_MOST_NS = 30000000000;	/* no live process needs so long */

/* ---- Transfers -------------------------------------------------------------------- */

static void mpi_begin(struct bspt_mpi *m, struct bspt_bulk *b, enum bspt_mpi_kind kind)
{
	int tag = (int)(b->id % ((uint32_t)m->most_tag + 1)), count, rc;
	MPI_Request request = MPI_REQUEST_NULL;
	MPI_Datatype type;

	b->done = b->len == 0;
	if (b->done)
		return;
	count = bspt_mpi_span(b->len, &type);
	if (!count)
		rc = MPI_ERR_NO_MEM;
	else if (kind == BSPT_MPI_BULK_SEND)
		rc = MPI_Isend(b->at, count, type, b->peer, tag, m->bulks, &request);
	else
		rc = MPI_Irecv(b->at, count, type, b->peer, tag, m->bulks, &request);
	if (type != MPI_BYTE)
		MPI_Type_free(&type);
	bspt_mpi_check(m, rc, b->peer);
	bspt_mpi_fly(m, request, (struct bspt_mpi_task){ kind, b->peer, b });
}

void bspt_mpi_bulk_send(struct bspt *t, struct bspt_bulk *b)
{
	mpi_begin(bspt_mpi_of(t), b, BSPT_MPI_BULK_SEND);
}

void bspt_mpi_bulk_recv(struct bspt *t, struct bspt_bulk *b)
{
	mpi_begin(bspt_mpi_of(t), b, BSPT_MPI_BULK_RECEIVE);
}

/* ---- The end ----------------------------------------------------------------------- */

/* Drop a transfer without a receive, into memory of our own. */
static bool take_in_bulk(struct bspt_mpi *m)
{
	MPI_Message message;
	MPI_Request request = MPI_REQUEST_NULL;
	MPI_Datatype type;
	MPI_Status status;
	MPI_Count len;
	int there, count;
	size_t room;
	void *chunk;

	if (MPI_Improbe(MPI_ANY_SOURCE, MPI_ANY_TAG, m->bulks, &there, &message, &status))
		return false;
	if (!there)
		return true;
	MPI_Get_elements_x(&status, MPI_BYTE, &len);
	chunk = bspt_mpi_chunk(&m->base, 0, len, &room);
	count = bspt_mpi_span(len, &type);
	if (!chunk || !count)
		return false;
	if (MPI_Imrecv(chunk, count, type, &message, &request))
		return false;
	if (type != MPI_BYTE)
		MPI_Type_free(&type);
	bspt_mpi_fly(m, request, (struct bspt_mpi_task){ BSPT_MPI_SCRAP, status.MPI_SOURCE,
							 bspt_buffer_of(chunk) });
	return true;
}

/* Everything that has come by now. */
static bool mpi_bulk_receive(struct bspt_mpi *m)
{
	void *chunk;
	size_t len;
	int peer;

	while ((chunk = bspt_mpi_poll(&m->base, &peer, &len)))
		bspt_mpi_release(&m->base, peer, chunk);
	return take_in_bulk(m);
}

bool bspt_mpi_settle(struct bspt_mpi *m)
{
	uint64_t late = bspt_now_ns() + SETTLE_MOST_NS;
	MPI_Request barrier = MPI_REQUEST_NULL;
	bool entered = false;
	int over = 0;

	m->closing = true;	/* an error now is no reason to end a job that is over */
	/* Transfers that their sender has not begun never arrive; the others do. */
	for (int i = 0; i < m->pending.n; i++)
		if (m->pending.task[i].kind == BSPT_MPI_BULK_RECEIVE)
			MPI_Cancel(&m->pending.request[i]);
	for (unsigned int idle = 0; !over || m->pending.n; idle++) {
		if (!mpi_bulk_receive(m) || m->failed || bspt_now_ns() > late)
			return false;
		if (!entered && m->pending.n == 0) {
			entered = true;
			if (MPI_Ibarrier(m->chunks, &barrier))
				return false;
		}
		if (entered && MPI_Test(&barrier, &over, MPI_STATUS_IGNORE))
			return false;
		bspt_mpi_wait(&m->base, idle);
	}
	return mpi_bulk_receive(m);
}
