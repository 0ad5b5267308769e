// SPDX-License-Identifier: GPL-2.0-only
/* espgoal_job.c - what all parts need of a job: lock, wake-ups, budget, memory account, failure. */

#include "espgoal_job.h"

#include <linux/module.h>
#include <linux/sched/signal.h>

struct workqueue_struct *eg_queue;

bool eg_softirq = true;
module_param_named(softirq, eg_softirq, bool, 0644);
MODULE_PARM_DESC(softirq,
		 "schedules move on in softirq where they may (Y), or by the worker alone (N)");

/* ---- The lock ----- */

static void eg_job_set_acquired(struct eg_job *job)
{
	spin_lock_bh(&job->run_lock);
	job->acquired = true;
	spin_unlock_bh(&job->run_lock);
}

void eg_job_acquire(struct eg_job *job)
{
	mutex_lock(&job->lock);
	eg_job_set_acquired(job);
}

int eg_job_acquire_interruptible(struct eg_job *job)
{
	if (mutex_lock_interruptible(&job->lock))
		return -ERESTARTSYS;
	eg_job_set_acquired(job);
	return 0;
}

void eg_job_release(struct eg_job *job)
{
	bool missed;

	spin_lock_bh(&job->run_lock);
	job->acquired = false;
	missed = job->missed_wakeup;
	job->missed_wakeup = false;
	if (missed)
		eg_wake(job);		/* it runs when softirqs are on again */
	spin_unlock_bh(&job->run_lock);
	mutex_unlock(&job->lock);
}

/* ---- Wake-ups ----- */

bool eg_softirq_allowed(const struct eg_job *job)
{
	return READ_ONCE(eg_softirq) && !READ_ONCE(job->nheavy);
}

void eg_wake_worker(struct eg_job *job)
{
	mod_delayed_work(eg_queue, &job->work, 0);
}

/* An earlier deadline stays; a later one may be late by little, as all delays are short. */
void eg_wake_worker_in(struct eg_job *job, unsigned long delay)
{
	if (!READ_ONCE(job->closing))
		queue_delayed_work(eg_queue, &job->work, delay);
}

/* A hint: the tasklet checks again. */
void eg_wake(struct eg_job *job)
{
	if (eg_softirq_allowed(job))
		tasklet_schedule(&job->tasklet);
	else
		eg_wake_worker(job);
}

/* ---- Budget and account ----- */

void eg_budget_spend(struct eg_job *job, u64 bytes)
{
	job->budget -= min_t(u64, job->budget, 1 + bytes / 1024);
}

/* Calls and the worker, too: while they have the job no other call can. */
void eg_budget_spend_step(struct eg_job *job, const struct eg_schedule *s)
{
	eg_budget_spend(job, s->step_bytes);
}

unsigned long eg_timeout(const struct eg_job *job)
{
	return msecs_to_jiffies(job->timeout_ms ? job->timeout_ms : EG_TIMEOUT_MS);
}

/* In softirq, current is unrelated to the job. */
bool eg_may_continue(const struct eg_job *job)
{
	if (!job->budget || job->error || READ_ONCE(job->closing))
		return false;
	return job->in_softirq || !fatal_signal_pending(current);
}

bool eg_charge(struct eg_job *job, u64 bytes)
{
	if (bytes > EG_WORKSPACE_MOST || job->workspace + bytes > EG_WORKSPACE_MOST)
		return false;
	job->workspace += bytes;
	return true;
}

/* ---- Failure ----- */

void eg_job_fail(struct eg_job *job, int error)
{
	if (job->error)
		return;
	job->error = error;
	/* Pairs with the acquire in the process: the rest of the page is written before. */
	smp_store_release(&job->page->error, error);
	for (int i = 0; i < ESPGOAL_RUNS_MOST; i++)
		if (job->runs[i])
			smp_store_release(&job->page->state[i], ESPGOAL_FAILED);
	wake_up(&job->over);
}
