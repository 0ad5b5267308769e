// SPDX-License-Identifier: GPL-2.0-only
/* espgoal_join.c - opens a job, joins it, closes it. */

#include "espgoal_job.h"

#include <linux/etherdevice.h>
#include <linux/memcontrol.h>
#include <linux/mm.h>
#include <linux/sched/mm.h>
#include <linux/slab.h>
#include <linux/uaccess.h>
#include <net/net_namespace.h>

/* ---- Joining --------------------------------------------------------------------------------- */

static int eg_join_check(const struct espgoal_join *join)
{
	if (join->version != ESPGOAL_VERSION)
		return -EPROTO;
	if (join->zero || !join->nprocs || join->nprocs > ESPGOAL_NPROCS_MOST ||
	    join->rank >= join->nprocs ||
	    !join->networks || join->networks > ESPGOAL_NETWORKS)
		return -EINVAL;
	return 0;
}

static bool eg_join_peer_is_good(const struct sockaddr_en *to)
{
	return to->sen_family == enet_family && to->sen_addrlen == ETH_ALEN && to->sen_port &&
	       !is_multicast_ether_addr(to->sen_addr);
}

/* Addresses of the first network, then those of the second. */
struct sockaddr_en *eg_join_read(const struct espgoal_join *join)
{
	u32 n = join->nprocs * join->networks;
	struct sockaddr_en *peers;
	int err = eg_join_check(join);

	if (err)
		return ERR_PTR(err);
	peers = kvmalloc_array(n, sizeof(*peers), GFP_KERNEL_ACCOUNT);
	if (!peers)
		return ERR_PTR(-ENOMEM);
	if (copy_from_user(peers, u64_to_user_ptr(join->peers), n * sizeof(*peers)))
		err = -EFAULT;
	for (u32 i = 0; i < n && !err; i++)
		err = eg_join_peer_is_good(&peers[i]) ? 0 : -EINVAL;
	if (!err)
		return peers;
	kvfree(peers);
	return ERR_PTR(err);
}

static void eg_join_set_peers(struct eg_job *job, const struct sockaddr_en *peers)
{
	for (u32 network = 0; network < job->networks; network++)
		for (u32 rank = 0; rank < job->nprocs; rank++) {
			struct eg_tx_conn *conn = &job->peers[rank].tx[network];

			job->peers[rank].addr[network] = *peers++;
			INIT_LIST_HEAD(&job->peers[rank].half_closed_link);
			conn->job = job;
			conn->rank = rank;
			conn->network = network;
			INIT_LIST_HEAD(&conn->queue);
			INIT_LIST_HEAD(&conn->ready_link);
		}
}

int eg_job_join(struct eg_job *job, const struct espgoal_join *join,
		const struct sockaddr_en *peers)
{
	int err = 0;

	if (job->joined)
		return -EISCONN;
	if (current->mm != job->mm)
		return -EPERM;
	job->peers = kvcalloc(join->nprocs, sizeof(*job->peers), GFP_KERNEL_ACCOUNT);
	if (!job->peers)
		return -ENOMEM;
	job->nprocs = join->nprocs;
	job->rank = join->rank;
	job->networks = join->networks;
	job->timeout_ms = join->timeout_ms;
	eg_auth_init(job, join->key);
	eg_join_set_peers(job, peers);
	eg_rx_unreserve(job);		/* so that listeners can have its port */
	for (u32 network = 0; network < job->networks && !err; network++)
		err = eg_rx_listen(job, network);
	if (!err)
		err = eg_mcast_open(job, &join->group);
	if (err) {
		eg_job_disconnect(job);
		kvfree(job->peers);
		job->peers = NULL;
		job->nprocs = job->networks = 0;
		return err;
	}
	job->joined = true;
	eg_near_publish(job);
	return 0;
}

/* ---- Life ----- */

static LIST_HEAD(eg_processes);
static DEFINE_MUTEX(eg_processes_lock);

static struct eg_process *eg_process_find(fl_owner_t files)
{
	struct eg_process *p;

	list_for_each_entry(p, &eg_processes, link)
		if (p->files == files)
			return p;
	p = kzalloc(sizeof(*p), GFP_KERNEL_ACCOUNT);
	if (!p)
		return NULL;
	p->files = files;
	list_add(&p->link, &eg_processes);
	return p;
}

/* The one of the caller. NULL: no memory. */
static struct eg_process *eg_process_get(void)
{
	struct eg_process *p;

	mutex_lock(&eg_processes_lock);
	p = eg_process_find(current->files);
	if (p)
		p->njobs++;
	mutex_unlock(&eg_processes_lock);
	return p;
}

static void eg_process_put(struct eg_process *p)
{
	mutex_lock(&eg_processes_lock);
	if (!--p->njobs) {
		list_del(&p->link);
		kfree(p);
	}
	mutex_unlock(&eg_processes_lock);
}

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
	job->process = job->page && job->drain ? eg_process_get() : NULL;
	if (!job->process) {
		free_page((unsigned long)job->page);
		free_page((unsigned long)job->drain);
		kvfree(job);
		return NULL;
	}
	eg_progress_init(job);
	init_llist_head(&job->notified);
	init_llist_head(&job->near_pending);
	INIT_LIST_HEAD(&job->rx_ready);
	INIT_LIST_HEAD(&job->rx_conns);
	INIT_LIST_HEAD(&job->half_closed);
	INIT_LIST_HEAD(&job->tx_ready);
	xa_init(&job->loaded);
	job->next_schedule = EG_FIRST_NUMBER;
	INIT_LIST_HEAD(&job->running);
	INIT_LIST_HEAD(&job->deferred);
	init_waitqueue_head(&job->over);
	job->mm = current->mm;
	mmgrab(job->mm);
	job->memcg = get_mem_cgroup_from_mm(job->mm);
	job->net = get_net(current->nsproxy->net_ns);
	job->user = current_euid();
	return job;
}

/*
 * The tasklet and the worker may run once more after this, and do nothing, as the job has failed.
 */
void eg_job_end(struct eg_job *job)
{
	struct eg_run *r, *next;
	LIST_HEAD(ended);

	eg_linger(job);
	WRITE_ONCE(job->closing, true);
	eg_job_acquire(job);
	eg_job_fail(job, ESHUTDOWN);
	eg_job_disconnect(job);
	eg_run_end_all(job, &ended);
	eg_schedule_unload_all(job);
	eg_job_release(job);
	list_for_each_entry_safe(r, next, &ended, list)
		eg_run_destroy(r);
}

/* No ioctl() runs any more; once the sockets are released, no callback does. */
void eg_job_close(struct eg_job *job)
{
	eg_job_end(job);
	eg_rx_unreserve(job);
	eg_progress_stop(job);
	kvfree(job->peers);
	put_net(job->net);
	mem_cgroup_put(job->memcg);
	mmdrop(job->mm);
	eg_process_put(job->process);
	/* Each mapping of the page holds a reference of its own. */
	free_page((unsigned long)job->page);
	free_page((unsigned long)job->drain);
	kvfree(job);
}
