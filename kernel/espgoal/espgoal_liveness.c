// SPDX-License-Identifier: GPL-2.0-only
/* espgoal_liveness.c - peers that disconnect or do not answer, and closing a job. */

/*
 * A receive that waits for a peer that has disconnected fails the job, and one that waits for any
 * peer when all have. A peer has disconnected when:
 *
 *	all its connections have ended: at once. If one of two has, when nothing arrives
 *	over the other within the timeout.
 *
 *	it has closed a connection that this process made: it receives nothing any more, but
 *	what it has sent may still be under way. So when nothing arrives within the timeout,
 *	and no message from it waits for room.
 *
 *	it does not answer: for each receive of a run that was started longer than the timeout
 *	ago a keepalive probe, EG_KEEPALIVE, is sent to the peer over each network. The probe has no
 *	effect, but must be acknowledged. If it is not, or the peer does not listen, the
 *	connection fails, and the job if the receive still waits.
 *
 * The timeout is eg_timeout(). One delayed work, job->liveness, does all this. It is queued for the
 * time at which the first deadline may pass, job->liveness_at, which is set until the work has the
 * job: while it waits for the job, a call cannot queue it for a later time.
 */

#include "espgoal_job.h"

#include <linux/sched/mm.h>
#include <linux/sched/signal.h>
#include <net/sock.h>

/* ---- Peers that disconnect ----- */

/* The peer sends no more: what it has not sent will not come. */
static void eg_peer_closed(struct eg_job *job, u32 rank, int error)
{
	list_del_init(&job->peers[rank].half_closed_link);
	eg_mcast_receive_all(job);	/* it may have multicast before */
	eg_mcast_peer_closed(job, rank);
	if (eg_peer_is_awaited(job, rank) || (job->nposted_any && eg_peer_is_closed(job, GOAL_ANY)))
		eg_job_fail(job, error);
}

/* All have the same timeout, so the last one added has the latest deadline. */
static void eg_peer_set_deadline(struct eg_job *job, struct eg_peer *peer)
{
	peer->closed_at = jiffies + eg_timeout(job);
	list_move_tail(&peer->half_closed_link, &job->half_closed);
}

/* An earlier time stays. */
static void eg_liveness_queue(struct eg_job *job, unsigned long at)
{
	if (job->error || (job->liveness_at && !time_before(at, job->liveness_at)))
		return;
	job->liveness_at = at | 1;
	mod_delayed_work(eg_queue, &job->liveness, time_before(jiffies, at) ? at - jiffies : 0);
}

static void eg_liveness_schedule(struct eg_job *job)
{
	struct eg_peer *first = list_first_entry_or_null(&job->half_closed, struct eg_peer,
							 half_closed_link);

	if (first)
		eg_liveness_queue(job, first->closed_at);
}

/*
 * The peer's job has ended, so it needs no multicasts any more. The end of the other connection may
 * be under way, or lost with its link.
 */
void eg_peer_conn_closed(struct eg_job *job, u32 rank)
{
	struct eg_peer *peer = &job->peers[rank];

	job->nclosed += ++peer->nclosed == job->networks;
	if (eg_peer_is_closed(job, rank))
		return eg_peer_closed(job, rank, ECONNRESET);
	eg_mcast_peer_closed(job, rank);
	eg_peer_set_deadline(job, peer);
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

			if (READ_ONCE(conn->error))
				eg_tx_on_error(job, conn, -conn->error);
			else if (conn->hello_sent && !conn->peer_shutdown && eg_tx_is_shut(conn))
				eg_peer_on_shutdown(job, conn);
		}
	eg_liveness_schedule(job);
}

/* ---- Keepalive ----- */

/*
 * Not if data are queued, which do as well, nor if the peer has ended, which has its deadline.
 * Without memory, next time.
 */
static void eg_keepalive_send(struct eg_job *job, u32 rank)
{
	struct eg_wire probe = { .kind = cpu_to_le32(EG_KEEPALIVE) };

	if (eg_peer_is_leaving(job, rank))
		return;
	for (u32 i = 0; i < job->networks; i++) {
		const struct eg_tx_conn *conn = &job->peers[rank].tx[i];

		if (list_empty(&conn->ready_link))
			eg_tx_enqueue_detached(job, rank, i, &probe, 0, NULL);
	}
}

static bool eg_run_is_overdue(const struct eg_job *job, const struct eg_run *r)
{
	return !time_before(jiffies, r->started_at + eg_timeout(job));
}

static void eg_keepalive_check(struct eg_job *job, const struct eg_posted *p)
{
	if (p->op->peer < job->nprocs && eg_run_is_overdue(job, p->run))
		eg_keepalive_send(job, p->op->peer);
}

/* To peers from which a receive has nothing, and to those that stopped within a message. */
static void eg_keepalive_send_all(struct eg_job *job)
{
	const struct eg_rx_conn *conn;

	eg_match_for_each_posted(job, eg_keepalive_check);
	list_for_each_entry(conn, &job->rx_conns, list)
		if (conn->posted && eg_run_is_overdue(job, conn->posted->run))
			eg_keepalive_send(job, conn->from);
}

void eg_liveness_start(struct eg_job *job)
{
	if (!list_empty(&job->running))
		eg_liveness_queue(job, jiffies + eg_timeout(job));
}

/* Does a message from it wait for room? Others may be behind it, and the end of the connection. */
static bool eg_peer_has_unread(const struct eg_job *job, u32 rank)
{
	const struct eg_rx_conn *conn;

	list_for_each_entry(conn, &job->rx_conns, list)
		if (conn->from == (int)rank && !conn->in_message && conn->have == EG_HEADER)
			return true;
	return false;
}

/* Nothing has arrived since it closed one of two connections, or a send connection. */
static void eg_peer_timed_out(struct eg_job *job, struct eg_peer *peer)
{
	u32 rank = peer - job->peers;

	if (eg_peer_has_unread(job, rank))
		return eg_peer_set_deadline(job, peer);
	job->nclosed += peer->nclosed < job->networks;
	peer->nclosed = job->networks;
	eg_peer_closed(job, rank, ETIMEDOUT);
}

void eg_liveness_work(struct work_struct *w)
{
	struct eg_job *job = container_of(w, struct eg_job, liveness.work);
	struct mem_cgroup *other = set_active_memcg(job->memcg);
	struct eg_peer *peer, *next;

	eg_job_acquire(job);
	job->liveness_at = 0;
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
	set_active_memcg(other);
}

/* ---- Closing ----- */

static bool eg_linger_is_done(const struct eg_job *job)
{
	return READ_ONCE(job->error) ||
	       !(READ_ONCE(job->mcast_unacked) || READ_ONCE(job->ndetached));
}

/*
 * A process killed by a signal has that in its exit status. A kernel thread that closes the file
 * must not wait.
 */
static bool eg_linger_is_refused(void)
{
	if (current->flags & PF_EXITING)
		return current->signal->group_exit_code & 0x7f;
	return (current->flags & PF_KTHREAD) || fatal_signal_pending(current);
}

/* All jobs of an exiting process, one after the other, wait no longer than one of them. */
static unsigned long eg_linger_left(struct eg_process *process)
{
	unsigned long until = READ_ONCE(process->linger_until);

	if (!until) {
		until = (jiffies + msecs_to_jiffies(EG_EXIT_MS)) | 1;
		WRITE_ONCE(process->linger_until, until);
	}
	return time_before(jiffies, until) ? until - jiffies : 0;
}

void eg_linger(struct eg_job *job)
{
	unsigned long timeout = eg_timeout(job);

	if (current->flags & PF_EXITING)
		timeout = min(timeout, eg_linger_left(job->process));
	eg_job_acquire(job);
	if (!job->error)
		eg_mcast_settle(job);
	eg_job_release(job);
	if (eg_linger_is_done(job) || eg_linger_is_refused())
		return;
	eg_wake_worker(job);
	wait_event_killable_timeout(job->over, eg_linger_is_done(job), timeout);
}
