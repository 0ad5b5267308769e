// SPDX-License-Identifier: GPL-2.0-only
/* espgoal_progress.c - moves a job on: in calls, in the tasklet, in the worker. */

#include "espgoal_job.h"

#include <linux/sched/mm.h>

bool eg_progress(struct eg_job *job, unsigned int units)
{
	bool more = job->joined;

	job->budget = units;
	while (more && eg_may_continue(job)) {
		/* Before the runs, which may send others: they keep their order. */
		more = !job->in_softirq && eg_send_deferred(job);
		more |= eg_run_step_all(job);
		more |= eg_mcast_receive(job);
		/* After the runs: a message may have waited for a receive that was just posted. */
		more |= eg_rx_progress(job);
		if (!job->in_softirq)
			eg_mcast_request_status(job);
		more |= eg_tx_progress(job);
	}
	return more;
}

/* ---- The tasklet ----- */

/* Under job->run_lock. True: the worker has something to do. */
static bool eg_progress_softirq(struct eg_job *job)
{
	bool more;

	if (job->error || !eg_softirq_allowed(job) || (job->nfloat && !eg_fpu_usable()))
		return true;
	job->stats.softirq_runs++;
	job->in_softirq = true;
	more = eg_progress(job, EG_SOFTIRQ_BUDGET);
	job->in_softirq = false;
	return more || job->need_worker || job->error;
}

static void eg_progress_tasklet(struct tasklet_struct *t)
{
	struct eg_job *job = from_tasklet(job, t, tasklet);

	struct mem_cgroup *other = set_active_memcg(job->memcg);

	spin_lock(&job->run_lock);
	if (job->acquired)
		job->missed_wakeup = true;
	else if (eg_progress_softirq(job))
		eg_wake_worker(job);
	spin_unlock(&job->run_lock);
	set_active_memcg(other);
}

/* ---- The worker ----- */

void eg_job_disconnect(struct eg_job *job)
{
	eg_match_clear(job);
	eg_near_close(job);
	eg_rx_close(job);
	eg_tx_close(job);
	eg_mcast_close(job);
}

/*
 * All that can be done. A failed job is torn down here, where no other function works on it.
 * Returns the jiffies until the next run, or MAX_SCHEDULE_TIMEOUT.
 */
static unsigned long eg_progress_acquired(struct eg_job *job)
{
	unsigned long next;
	bool more = false;

	job->stats.workqueue_runs++;
	job->need_worker = false;
	if (job->joined && !job->error) {
		more = eg_rx_accept(job);
		eg_peers_check_shutdown(job);
		more |= eg_progress(job, EG_WORKER_BUDGET);
	}
	if (job->error) {
		eg_job_disconnect(job);
		return MAX_SCHEDULE_TIMEOUT;
	}
	next = min(eg_tx_next_retry(job), eg_mcast_next_request(job));
	/* A call may have held a socket. */
	return more ? 0 : job->need_worker ? min(next, 1ul) : next;
}

static void eg_progress_work(struct work_struct *w)
{
	struct eg_job *job = container_of(w, struct eg_job, work.work);
	struct mem_cgroup *other = set_active_memcg(job->memcg);
	unsigned long next;

	eg_job_acquire(job);
	next = eg_progress_acquired(job);
	if (!next && !READ_ONCE(job->closing))
		eg_wake_worker(job);
	else if (next != MAX_SCHEDULE_TIMEOUT)
		eg_wake_worker_in(job, next);
	eg_job_release(job);
	set_active_memcg(other);
}

/* ---- Begin and end ----- */

void eg_progress_init(struct eg_job *job)
{
	mutex_init(&job->lock);
	spin_lock_init(&job->run_lock);
	tasklet_setup(&job->tasklet, eg_progress_tasklet);
	INIT_DELAYED_WORK(&job->work, eg_progress_work);
	INIT_DELAYED_WORK(&job->liveness, eg_liveness_work);
}

void eg_progress_stop(struct eg_job *job)
{
	cancel_delayed_work_sync(&job->liveness);
	tasklet_kill(&job->tasklet);
	cancel_delayed_work_sync(&job->work);
}
