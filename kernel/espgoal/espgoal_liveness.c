// SPDX-License-Identifier: GPL-2.0-only
/* espgoal_liveness.c - peers that leave, peers that are not there, and leaving oneself. */

/*
 * Who waits for a peer that has left is told. How that is known:
 *
 *	its connections end	all: it has left. One of two: it has, if nothing of it comes over the other for long.
 *	it hangs up		on a connection that we have made: it hears nothing any more. What it has sent may still be under conn, so it has left if
 *				nothing comes for long, and nothing that has come waits for room.
 *	nothing at all		Whoever waits for a peer in a flight that was started long ago knocks, over each network: an EG_KEEPALIVE
 *				means nothing, but has to arrive. If it does not, or nobody listens, the connection fails, and the job if it
 *				still waits.
 *
 * Long is eg_timeout(). One delayed work, job->liveness, looks after all of it. It is queued if it is not yet, for a time at which the
 * first may be due: all have the same patience, so what is queued already is for one that is due sooner.
 */

#include "espgoal_job.h"

#include <linux/sched/signal.h>
#include <net/sock.h>

/* ---- Peers that leave ------------------------------------------------------------------------ */

/* A peer sends no more: what it owes us will not come. */
static void eg_peer_closed(struct eg_job *job, u32 rank, int error)
{
	list_del_init(&job->peers[rank].half_closed_link);
	for (int i = 0; i < 4 && eg_mcast_receive(job); i++)
		;			/* what it has multicast before; a flood of strangers is no reason to stay */
	eg_mcast_peer_closed(job, rank);
	if (eg_match_waits_for(job, rank))
		eg_job_fail(job, error);
}

/* All have the same time, so who comes last is due last. */
static void eg_peer_set_deadline(struct eg_job *job, struct eg_peer *peer)
{
	peer->closed_at = jiffies + eg_timeout(job);
	list_move_tail(&peer->half_closed_link, &job->half_closed);
}

static void eg_liveness_schedule(struct eg_job *job)
{
	struct eg_peer *first = list_first_entry_or_null(&job->half_closed, struct eg_peer, half_closed_link);

	if (first && !job->error)
		queue_delayed_work(eg_queue, &job->liveness,
				   time_before(jiffies, first->closed_at) ? first->closed_at - jiffies : 0);
}

/* That of the other connection may be on its conn, or lost with its link. */
void eg_peer_conn_closed(struct eg_job *job, u32 rank)
{
	if (++job->peers[rank].nclosed >= job->networks)
		return eg_peer_closed(job, rank, ECONNRESET);
	eg_peer_set_deadline(job, &job->peers[rank]);
	eg_liveness_schedule(job);
}

void eg_peer_active(struct eg_job *job, u32 rank)
{
	if (!list_empty(&job->peers[rank].half_closed_link))
		eg_peer_set_deadline(job, &job->peers[rank]);
}

static void eg_peer_on_shutdown(struct eg_job *job, struct eg_tx_conn *conn)
{
	struct eg_peer *peer = &job->peers[conn->rank];

	conn->peer_shutdown = true;
	eg_mcast_peer_closed(job, conn->rank);
	if (!eg_peer_is_closed(job, conn->rank) && list_empty(&peer->half_closed_link))
		eg_peer_set_deadline(job, peer);
}

void eg_peers_check_shutdown(struct eg_job *job)
{
	if (!xchg(&job->shutdown_pending, false))
		return;
	for (u32 rank = 0; rank < job->nprocs; rank++)
		for (u32 network = 0; network < job->networks; network++) {
			struct eg_tx_conn *conn = &job->peers[rank].tx[network];

			if (conn->hello_sent && !conn->peer_shutdown && (READ_ONCE(conn->sock->sk->sk_shutdown) & RCV_SHUTDOWN))
				eg_peer_on_shutdown(job, conn);
		}
	eg_liveness_schedule(job);
}

/* ---- Peers that are not there ------------------------------------------------------------------ */

/* Not if something is on its way there, which does as well, nor if it has hung up. Without memory we do so next time. */
static void eg_keepalive_send(struct eg_job *job, u32 rank)
{
	struct eg_wire knock = { .kind = cpu_to_le32(EG_KEEPALIVE) };

	for (u32 i = 0; i < job->networks; i++) {
		const struct eg_tx_conn *conn = &job->peers[rank].tx[i];

		if (list_empty(&conn->ready_link) && !conn->peer_shutdown)
			eg_tx_enqueue_detached(job, rank, i, &knock, 0, NULL);
	}
}

static bool eg_run_is_overdue(const struct eg_job *job, const struct eg_run *r)
{
	return !time_before(jiffies, r->started_at + eg_timeout(job));
}

/* At those of whom nothing has come, and those who stopped in the midst of a message. */
static void eg_keepalive_send_all(struct eg_job *job)
{
	const struct eg_posted *p;
	const struct eg_rx_conn *conn;

	list_for_each_entry(p, &job->posted, list)
		if (p->op->peer < job->nprocs && eg_run_is_overdue(job, p->run))
			eg_keepalive_send(job, p->op->peer);
	list_for_each_entry(conn, &job->rx_conns, list)
		if (conn->posted && eg_run_is_overdue(job, conn->posted->run))
			eg_keepalive_send(job, conn->from);
}

void eg_liveness_start(struct eg_job *job)
{
	if (!list_empty(&job->running) && !job->error)
		queue_delayed_work(eg_queue, &job->liveness, eg_timeout(job));
}

/* Has a message come that waits for room? Others are behind it, perhaps also the end. */
static bool eg_peer_has_unread(const struct eg_job *job, u32 rank)
{
	const struct eg_rx_conn *conn;

	list_for_each_entry(conn, &job->rx_conns, list)
		if (conn->from == (int)rank && !conn->in_message && conn->have == EG_HEADER)
			return true;
	return false;
}

/* It has been silent for long since it hung up, or closed one of two connections. */
static void eg_peer_timed_out(struct eg_job *job, struct eg_peer *peer)
{
	u32 rank = peer - job->peers;

	if (eg_peer_has_unread(job, rank))
		return eg_peer_set_deadline(job, peer);
	peer->nclosed = job->networks;
	eg_peer_closed(job, rank, ETIMEDOUT);
}

void eg_liveness_work(struct work_struct *w)
{
	struct eg_job *job = container_of(w, struct eg_job, liveness.work);
	struct eg_peer *peer, *next;

	eg_job_acquire(job);
	list_for_each_entry_safe(peer, next, &job->half_closed, half_closed_link) {
		if (job->error || time_before(jiffies, peer->closed_at))
			break;
		eg_peer_timed_out(job, peer);
	}
	if (!job->error)
		eg_keepalive_send_all(job);
	eg_liveness_schedule(job);
	eg_liveness_start(job);
	eg_wake_worker(job);
	eg_job_release(job);
}

/* ---- Leaving ----------------------------------------------------------------------------------- */

static bool eg_linger_is_done(const struct eg_job *job)
{
	return READ_ONCE(job->error) || !(READ_ONCE(job->mcast_unacked) || READ_ONCE(job->ndetached));
}

/* Who ends by a signal has it in the status of its exit. A thread of the kernel that closes the file has other things to do. */
static bool eg_linger_is_refused(void)
{
	if (current->flags & PF_EXITING)
		return current->signal->group_exit_code & 0x7f;
	return (current->flags & PF_KTHREAD) || fatal_signal_pending(current);
}

static unsigned long eg_linger_timeout(const struct eg_job *job)
{
	unsigned long patience = eg_timeout(job);

	return current->flags & PF_EXITING ? min(patience, msecs_to_jiffies(EG_EXIT_MS)) : patience;
}

void eg_linger(struct eg_job *job)
{
	eg_job_acquire(job);
	if (!job->error)
		eg_mcast_settle(job);
	eg_job_release(job);
	if (eg_linger_is_done(job) || eg_linger_is_refused())
		return;
	eg_wake_worker(job);
	wait_event_killable_timeout(job->over, eg_linger_is_done(job), eg_linger_timeout(job));
}
