// SPDX-License-Identifier: GPL-2.0-only
/* espgoal_progress.c - who moves a job on: calls of the process, the tasklet, the worker. */

#include "espgoal_job.h"

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

/* Under job->turn. True: the worker has something to do. */
static bool run_softly(struct eg_job *job)
{
	bool more;

	if (job->error || !eg_may_be_soft(job) || (job->floats && !eg_floats_usable()))
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

void eg_clear_away(struct eg_job *job)
{
	eg_forget_matches(job);
	eg_rx_close(job);
	eg_tx_close(job);
	eg_cast_close(job);
}

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
