// SPDX-License-Identifier: GPL-2.0-only
/* espgoal_turn.c - who moves a job on: calls of the process, the tasklet, the worker. */

#include "espgoal_job.h"

#include <linux/sched/signal.h>

/* ---- Owners --------------------------------------------------------------------------------- */

static void set_owned(struct eg_job *job)
{
	spin_lock_bh(&job->turn);
	job->owned = true;
	spin_unlock_bh(&job->turn);
}

void eg_own(struct eg_job *job)
{
	mutex_lock(&job->lock);
	set_owned(job);
}

int eg_own_interruptible(struct eg_job *job)
{
	if (mutex_lock_interruptible(&job->lock))
		return -ERESTARTSYS;
	set_owned(job);
	return 0;
}

void eg_disown(struct eg_job *job)
{
	bool missed;

	spin_lock_bh(&job->turn);
	job->owned = false;
	missed = job->missed;
	job->missed = false;
	if (missed)
		eg_wake(job);		/* it runs when softirqs are on again */
	spin_unlock_bh(&job->turn);
	mutex_unlock(&job->lock);
}

/* ---- How far, and how long --------------------------------------------------------------------- */

void eg_spend(struct eg_job *job, u64 bytes)
{
	job->left -= min_t(u64, job->left, 1 + bytes / 1024);
}

unsigned long eg_patience(const struct eg_job *job)
{
	return msecs_to_jiffies(job->timeout_ms ? job->timeout_ms : EG_PATIENCE_MS);
}

/* In softirq the process that is current is anybody's. */
bool eg_may_go_on(const struct eg_job *job)
{
	if (!job->left || job->error || READ_ONCE(job->closing))
		return false;
	return job->soft || !fatal_signal_pending(current);
}

bool eg_go(struct eg_job *job, unsigned int units)
{
	bool more = job->joined;

	job->left = units;
	while (more && eg_may_go_on(job)) {
		more = eg_step(job);
		more |= !job->soft && eg_cast_hear(job);
		more |= eg_hear(job);	/* after that: a message may have waited for a receive that was begun */
		if (!job->soft)
			eg_cast_tick(job);
		more |= eg_flush(job);
	}
	return more;
}

/* ---- The tasklet ----------------------------------------------------------------------------------- */

static bool may_be_soft(const struct eg_job *job)
{
	return READ_ONCE(eg_softirq) && !READ_ONCE(job->heavy);
}

void eg_wake_worker(struct eg_job *job)
{
	mod_delayed_work(eg_queue, &job->work, 0);
}

/* One that is due sooner stays; one that is due later is of no importance here, none is due much later. */
void eg_wake_in(struct eg_job *job, unsigned long delay)
{
	if (!READ_ONCE(job->closing))
		queue_delayed_work(eg_queue, &job->work, delay);
}

/* A guess: the tasklet looks again. */
void eg_wake(struct eg_job *job)
{
	if (may_be_soft(job))
		tasklet_schedule(&job->tasklet);
	else
		eg_wake_worker(job);
}

/* Under job->turn. True: the worker has something to do. */
static bool run_softly(struct eg_job *job)
{
	bool more;

	if (job->error || !may_be_soft(job) || (job->floats && !eg_floats_usable()))
		return true;
	job->stats.softirq_runs++;
	job->soft = true;
	more = eg_go(job, EG_SOFT_UNITS);
	job->soft = false;
	return more || job->for_worker || job->error;
}

static void run_tasklet(struct tasklet_struct *t)
{
	struct eg_job *job = from_tasklet(job, t, tasklet);

	spin_lock(&job->turn);
	if (job->owned)
		job->missed = true;
	else if (run_softly(job))
		eg_wake_worker(job);
	spin_unlock(&job->turn);
}

/* ---- The worker ------------------------------------------------------------------------------------------ */

/*
 * Whatever can be done is done. What has failed is cleared away here, where nobody is in the middle of it. When to come
 * again, in jiffies.
 */
static unsigned long work_owned(struct eg_job *job)
{
	unsigned long next;
	bool more = false;

	job->stats.workqueue_runs++;
	job->for_worker = false;
	if (job->joined && !job->error) {
		more = eg_accept(job);
		eg_note_hang_ups(job);
		eg_do_later(job);
		more |= eg_go(job, EG_WORK_UNITS);
	}
	if (job->error) {
		eg_clear_away(job);
		return MAX_SCHEDULE_TIMEOUT;
	}
	next = min(eg_next_try(job), eg_cast_next(job));
	/* A socket may have been in use by a call. */
	return more ? 0 : job->for_worker ? min(next, 1ul) : next;
}

static void work(struct work_struct *w)
{
	struct eg_job *job = container_of(w, struct eg_job, work.work);
	unsigned long next;

	eg_own(job);
	next = work_owned(job);
	if (!next && !READ_ONCE(job->closing))
		eg_wake_worker(job);
	else if (next != MAX_SCHEDULE_TIMEOUT)
		eg_wake_in(job, next);
	eg_disown(job);
}

/* ---- Life --------------------------------------------------------------------------------------------------- */

void eg_turn_init(struct eg_job *job)
{
	mutex_init(&job->lock);
	spin_lock_init(&job->turn);
	tasklet_setup(&job->tasklet, run_tasklet);
	INIT_DELAYED_WORK(&job->work, work);
	INIT_DELAYED_WORK(&job->silence, eg_look_after_peers);
}

void eg_turn_stop(struct eg_job *job)
{
	cancel_delayed_work_sync(&job->silence);
	tasklet_kill(&job->tasklet);
	cancel_delayed_work_sync(&job->work);
}
