// SPDX-License-Identifier: GPL-2.0-only
/* espgoal_job.c - joining a job, moving it on, leaving it. */

#include "espgoal_job.h"

#include <linux/etherdevice.h>
#include <linux/mm.h>
#include <linux/sched/mm.h>
#include <linux/slab.h>
#include <linux/uaccess.h>
#include <net/net_namespace.h>

void eg_wake(struct eg_job *job)
{
	mod_delayed_work(eg_queue, &job->work, 0);
}

/* One that is due sooner stays; one that is due later is of no importance here, none is due much later. */
void eg_wake_in(struct eg_job *job, unsigned long delay)
{
	if (!READ_ONCE(job->closing))
		queue_delayed_work(eg_queue, &job->work, delay);
}

void eg_fail(struct eg_job *job, int error)
{
	if (job->error)
		return;
	job->error = error;
	WRITE_ONCE(job->page->error, error);
	for (int i = 0; i < ESPGOAL_FLIGHTS_MOST; i++)
		if (job->flights[i])
			smp_store_release(&job->page->state[i], ESPGOAL_FAILED);
	wake_up(&job->over);
}

/* Whatever can be done is done. What has failed is cleared away here, where nobody is in the middle of it. */
static void work(struct work_struct *w)
{
	struct eg_job *job = container_of(w, struct eg_job, work.work);
	unsigned long next = MAX_SCHEDULE_TIMEOUT;
	int rounds = EG_ROUNDS;

	mutex_lock(&job->lock);
	job->stats.workqueue_runs++;
	while (job->joined && !job->error && rounds-- && !eg_hurry(job)) {
		bool more = eg_accept(job);

		more |= eg_cast_hear(job);
		more |= eg_hear(job);
		more |= eg_step(job);
		eg_cast_tick(job);
		more |= eg_flush(job);
		if (!more)
			break;
	}
	if (job->error) {
		eg_forget(job);
		eg_hang_up(job);
	} else if (job->joined) {
		next = rounds < 0 ? 0 : min(eg_next_try(job), eg_cast_next(job));
	}
	if (next != MAX_SCHEDULE_TIMEOUT && !READ_ONCE(job->closing))
		queue_delayed_work(eg_queue, &job->work, next);
	mutex_unlock(&job->lock);
}

/* ---- Joining --------------------------------------------------------------------------------- */

static int check_join(const struct espgoal_join *join)
{
	if (join->version != ESPGOAL_VERSION)
		return -EPROTO;
	if (join->zero || !join->nprocs || join->nprocs > ESPGOAL_NPROCS_MOST || join->rank >= join->nprocs ||
	    !join->networks || join->networks > ESPGOAL_NETWORKS)
		return -EINVAL;
	return 0;
}

static int read_peers(struct eg_job *job, const struct espgoal_join *join)
{
	const struct sockaddr_en __user *from = u64_to_user_ptr(join->peers);

	for (u32 network = 0; network < join->networks; network++)
		for (u32 rank = 0; rank < join->nprocs; rank++) {
			struct sockaddr_en *to = &job->peers[rank].addr[network];

			if (copy_from_user(to, from++, sizeof(*to)))
				return -EFAULT;
			if (to->sen_family != enet_family || to->sen_addrlen != ETH_ALEN ||
			    !to->sen_port || is_multicast_ether_addr(to->sen_addr))
				return -EINVAL;
			INIT_LIST_HEAD(&job->peers[rank].way[network].queue);
		}
	return 0;
}

static int listen_all(struct eg_job *job)
{
	int err = 0;

	for (u32 network = 0; network < job->networks && !err; network++)
		err = eg_listen(job, network);
	return err;
}

int eg_join(struct eg_job *job, const struct espgoal_join *join)
{
	int err = job->joined ? -EISCONN : check_join(join);

	if (err)
		return err;
	if (current->mm != job->mm)
		return -EPERM;
	job->peers = kvcalloc(join->nprocs, sizeof(*job->peers), GFP_KERNEL_ACCOUNT);
	if (!job->peers)
		return -ENOMEM;
	job->nprocs = join->nprocs;
	job->rank = join->rank;
	job->networks = join->networks;
	job->timeout_ms = join->timeout_ms;
	job->key = join->key;
	err = read_peers(job, join);
	if (!err)
		err = listen_all(job);
	if (!err)
		err = eg_cast_open(job, &join->group);
	if (err) {
		eg_hang_up(job);
		kvfree(job->peers);
		job->peers = NULL;
		job->nprocs = job->networks = 0;
		return err;
	}
	job->joined = true;
	return 0;
}

/* ---- Life ---------------------------------------------------------------------------------------- */

struct eg_job *eg_job_open(void)
{
	struct eg_job *job;

	if (!current->mm || !current->nsproxy)
		return NULL;
	job = kvzalloc(sizeof(*job), GFP_KERNEL_ACCOUNT);
	if (!job)
		return NULL;
	job->page = (void *)get_zeroed_page(GFP_KERNEL_ACCOUNT);
	job->drain = (void *)get_zeroed_page(GFP_KERNEL_ACCOUNT);
	if (!job->page || !job->drain) {
		free_page((unsigned long)job->page);
		free_page((unsigned long)job->drain);
		kvfree(job);
		return NULL;
	}
	mutex_init(&job->lock);
	INIT_LIST_HEAD(&job->ears);
	INIT_LIST_HEAD(&job->posted);
	INIT_LIST_HEAD(&job->unexpected);
	init_waitqueue_head(&job->over);
	INIT_DELAYED_WORK(&job->work, work);
	job->mm = current->mm;
	job->owner = current->files;
	mmgrab(job->mm);
	job->net = get_net(current->nsproxy->net_ns);
	return job;
}

bool eg_hurry(const struct eg_job *job)
{
	return READ_ONCE(job->closing) || fatal_signal_pending(current);
}

/* The worker may run once more after this; it does nothing then, as the job has failed. */
void eg_job_end(struct eg_job *job)
{
	eg_cast_linger(job);
	WRITE_ONCE(job->closing, true);
	mutex_lock(&job->lock);
	eg_fail(job, ESHUTDOWN);
	eg_forget(job);
	eg_hang_up(job);
	eg_end_flights(job);
	mutex_unlock(&job->lock);
}

/* No ioctl runs any more, and after the sockets are released nothing wakes the worker. */
void eg_job_close(struct eg_job *job)
{
	eg_job_end(job);
	cancel_delayed_work_sync(&job->work);
	kvfree(job->peers);
	put_net(job->net);
	mmdrop(job->mm);
	/* A mapping of the page holds a reference of its own. */
	free_page((unsigned long)job->page);
	free_page((unsigned long)job->drain);
	kvfree(job);
}
