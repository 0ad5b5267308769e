// SPDX-License-Identifier: GPL-2.0-only
/* espgoal_liveness.c - peers that leave, peers that are not there, and leaving oneself. */

/*
 * Who waits for a peer that has left is told. How that is known:
 *
 *	its connections end	all: it has left. One of two: it has, if nothing of it comes over the other for long.
 *	it hangs up		on a connection that we have made: it hears nothing any more. What it has sent may still be under way, so it has left if
 *				nothing comes for long, and nothing that has come waits for room.
 *	nothing at all		Whoever waits for a peer in a flight that was started long ago knocks, over each network: an EG_KNOCK
 *				means nothing, but has to arrive. If it does not, or nobody listens, the connection fails, and the job if it
 *				still waits.
 *
 * Long is eg_patience(). One delayed work, job->silence, looks after all of it. It is queued if it is not yet, for a time at which the
 * first may be due: all have the same patience, so what is queued already is for one that is due sooner.
 */

#include "espgoal_job.h"

#include <linux/sched/signal.h>
#include <net/sock.h>

/* ---- Peers that leave ------------------------------------------------------------------------ */

/* A peer sends no more: what it owes us will not come. */
static void part_with(struct eg_job *job, u32 rank, int error)
{
	list_del_init(&job->peers[rank].parting);
	for (int i = 0; i < 4 && eg_cast_hear(job); i++)
		;			/* what it has multicast before; a flood of strangers is no reason to stay */
	eg_cast_gone(job, rank);
	if (eg_waits_for(job, rank))
		eg_fail(job, error);
}

/* All have the same time, so who comes last is due last. */
static void give_time(struct eg_job *job, struct eg_peer *peer)
{
	peer->gone_at = jiffies + eg_patience(job);
	list_move_tail(&peer->parting, &job->parting);
}

static void await_silence(struct eg_job *job)
{
	struct eg_peer *first = list_first_entry_or_null(&job->parting, struct eg_peer, parting);

	if (first && !job->error)
		queue_delayed_work(eg_queue, &job->silence,
				   time_before(jiffies, first->gone_at) ? first->gone_at - jiffies : 0);
}

/* That of the other connection may be on its way, or lost with its link. */
void eg_ended(struct eg_job *job, u32 rank)
{
	if (++job->peers[rank].gone >= job->networks)
		return part_with(job, rank, ECONNRESET);
	give_time(job, &job->peers[rank]);
	await_silence(job);
}

void eg_heard_of(struct eg_job *job, u32 rank)
{
	if (!list_empty(&job->peers[rank].parting))
		give_time(job, &job->peers[rank]);
}

static void has_hung_up(struct eg_job *job, struct eg_way *way)
{
	struct eg_peer *peer = &job->peers[way->rank];

	way->deaf = true;
	eg_cast_gone(job, way->rank);
	if (!eg_is_gone(job, way->rank) && list_empty(&peer->parting))
		give_time(job, peer);
}

void eg_note_hang_ups(struct eg_job *job)
{
	if (!xchg(&job->hung_up, false))
		return;
	for (u32 rank = 0; rank < job->nprocs; rank++)
		for (u32 network = 0; network < job->networks; network++) {
			struct eg_way *way = &job->peers[rank].way[network];

			if (way->hello_sent && !way->deaf && (READ_ONCE(way->sock->sk->sk_shutdown) & RCV_SHUTDOWN))
				has_hung_up(job, way);
		}
	await_silence(job);
}

/* ---- Peers that are not there ------------------------------------------------------------------ */

/* Not if something is on its way there, which does as well, nor if it has hung up. Without memory we do so next time. */
static void knock_at(struct eg_job *job, u32 rank)
{
	struct eg_wire knock = { .kind = cpu_to_le32(EG_KNOCK) };

	for (u32 i = 0; i < job->networks; i++) {
		const struct eg_way *way = &job->peers[rank].way[i];

		if (list_empty(&way->busy) && !way->deaf)
			eg_queue_loose(job, rank, i, &knock, 0, NULL);
	}
}

static bool is_old(const struct eg_job *job, const struct eg_flight *f)
{
	return !time_before(jiffies, f->since + eg_patience(job));
}

/* At those of whom nothing has come, and those who stopped in the midst of a message. */
static void knock(struct eg_job *job)
{
	const struct eg_posted *p;
	const struct eg_ear *ear;

	list_for_each_entry(p, &job->posted, list)
		if (p->op->peer < job->nprocs && is_old(job, p->flight))
			knock_at(job, p->op->peer);
	list_for_each_entry(ear, &job->ears, list)
		if (ear->to && is_old(job, ear->to->flight))
			knock_at(job, ear->from);
}

void eg_watch(struct eg_job *job)
{
	if (!list_empty(&job->running) && !job->error)
		queue_delayed_work(eg_queue, &job->silence, eg_patience(job));
}

/* Has a message come that waits for room? Others are behind it, perhaps also the end. */
static bool has_unread(const struct eg_job *job, u32 rank)
{
	const struct eg_ear *ear;

	list_for_each_entry(ear, &job->ears, list)
		if (ear->from == (int)rank && !ear->in_message && ear->have == EG_HEADER)
			return true;
	return false;
}

/* It has been silent for long since it hung up, or closed one of two connections. */
static void part_with_silent(struct eg_job *job, struct eg_peer *peer)
{
	u32 rank = peer - job->peers;

	if (has_unread(job, rank))
		return give_time(job, peer);
	peer->gone = job->networks;
	part_with(job, rank, ETIMEDOUT);
}

void eg_look_after_peers(struct work_struct *w)
{
	struct eg_job *job = container_of(w, struct eg_job, silence.work);
	struct eg_peer *peer, *next;

	eg_own(job);
	list_for_each_entry_safe(peer, next, &job->parting, parting) {
		if (job->error || time_before(jiffies, peer->gone_at))
			break;
		part_with_silent(job, peer);
	}
	if (!job->error)
		knock(job);
	await_silence(job);
	eg_watch(job);
	eg_wake_worker(job);
	eg_disown(job);
}

/* ---- Leaving ----------------------------------------------------------------------------------- */

static bool is_settled(const struct eg_job *job)
{
	return READ_ONCE(job->error) || !(READ_ONCE(job->owed) || READ_ONCE(job->nloose));
}

/* Who ends by a signal has it in the status of its exit. A thread of the kernel that closes the file has other things to do. */
static bool is_in_a_hurry(void)
{
	if (current->flags & PF_EXITING)
		return current->signal->group_exit_code & 0x7f;
	return (current->flags & PF_KTHREAD) || fatal_signal_pending(current);
}

static unsigned long longest(const struct eg_job *job)
{
	unsigned long patience = eg_patience(job);

	return current->flags & PF_EXITING ? min(patience, msecs_to_jiffies(EG_EXIT_MS)) : patience;
}

void eg_linger(struct eg_job *job)
{
	eg_own(job);
	if (!job->error)
		eg_cast_settle(job);
	eg_disown(job);
	if (is_settled(job) || is_in_a_hurry())
		return;
	eg_wake_worker(job);
	wait_event_killable_timeout(job->over, is_settled(job), longest(job));
}
