// SPDX-License-Identifier: GPL-2.0-only
/* espgoal_main.c - the device /dev/espgoal and its calls. */

#include "espgoal_job.h"

#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/netdevice.h>
#include <linux/poll.h>
#include <linux/uaccess.h>

static int eg_dev_open(struct inode *inode, struct file *file)
{
	file->private_data = eg_job_open();
	return file->private_data ? 0 : -ENOMEM;
}

/*
 * A child process may have the file, but not the memory: the job ends when the process exits that
 * has opened it.
 */
static int eg_dev_flush(struct file *file, fl_owner_t owner)
{
	struct eg_job *job = file->private_data;

	if ((current->flags & PF_EXITING) && owner == job->process->files)
		eg_job_end(job);
	return 0;
}

static int eg_dev_release(struct inode *inode, struct file *file)
{
	eg_job_close(file->private_data);
	return 0;
}

/* After a run was started: do at once what can be done. */
static void eg_dev_progress(struct eg_job *job)
{
	if (eg_progress(job, EG_CALL_BUDGET) || job->error || job->need_worker ||
	    eg_tx_next_retry(job) != MAX_SCHEDULE_TIMEOUT)
		eg_wake_worker(job);
}

/* After messages that no receive will match were dropped: others may have waited for their room. */
static void eg_dev_use_room(struct eg_job *job)
{
	if (!list_empty(&job->rx_ready))
		eg_wake_worker(job);
}

/* ---- Calls: the job is acquired only while no memory of the process is accessed ----- */

static long eg_dev_join(struct eg_job *job, void __user *arg)
{
	struct espgoal_join join;
	struct sockaddr_en *peers;
	int err;

	if (copy_from_user(&join, arg, sizeof(join)))
		return -EFAULT;
	if (READ_ONCE(job->joined))
		return -EISCONN;
	peers = eg_join_read(&join);
	if (IS_ERR(peers))
		return PTR_ERR(peers);
	err = eg_job_acquire_interruptible(job);
	if (!err) {
		err = eg_job_join(job, &join, peers);
		eg_job_release(job);
	}
	kvfree(peers);
	return err;
}

static long eg_dev_port(struct eg_job *job, void __user *arg)
{
	int err = eg_job_acquire_interruptible(job);
	u16 port;

	if (err)
		return err;
	err = job->joined ? -EISCONN : eg_rx_reserve(job, &port);
	eg_job_release(job);
	return err ? err : put_user(port, (u16 __user *)arg);
}

static int eg_dev_charge_schedule(struct eg_job *job, const struct espgoal_load *load)
{
	int err = eg_job_acquire_interruptible(job);

	if (err)
		return err;
	err = eg_schedule_charge(job, load);
	eg_job_release(job);
	return err;
}

static long eg_dev_load(struct eg_job *job, void __user *arg)
{
	struct espgoal_load load;
	void *block;
	int err;

	if (copy_from_user(&load, arg, sizeof(load)))
		return -EFAULT;
	load.error = 0;
	load.at = 0;
	err = eg_dev_charge_schedule(job, &load);
	if (err)
		return err;
	block = eg_schedule_read(&load);
	eg_job_acquire(job);
	err = eg_schedule_load(job, &load, block);
	eg_job_release(job);
	if ((!err || err == -EBADMSG) && copy_to_user(arg, &load, sizeof(load)))
		return -EFAULT;
	return err;
}

static long eg_dev_unload(struct eg_job *job, void __user *arg)
{
	int err;
	u32 id;

	if (get_user(id, (u32 __user *)arg))
		return -EFAULT;
	err = eg_job_acquire_interruptible(job);
	if (err)
		return err;
	err = eg_schedule_unload(job, id);
	eg_dev_use_room(job);
	eg_job_release(job);
	return err;
}

static int eg_dev_create_run(struct eg_job *job, const struct espgoal_start *start,
			     struct eg_run **r)
{
	int err = eg_job_acquire_interruptible(job);

	if (err)
		return err;
	err = eg_run_create(job, start, r);
	eg_job_release(job);
	return err;
}

static long eg_dev_start(struct eg_job *job, void __user *arg)
{
	struct espgoal_start start;
	struct eg_run *r;
	int err;

	if (copy_from_user(&start, arg, sizeof(start)))
		return -EFAULT;
	err = eg_dev_create_run(job, &start, &r);
	if (err)
		return err;
	err = eg_run_read(r, &start);
	eg_job_acquire(job);
	if (!err)
		err = eg_run_start(r, &start);
	if (err)
		eg_run_remove(r);
	else
		eg_dev_progress(job);
	eg_job_release(job);
	if (err) {
		eg_run_destroy(r);
		return err;
	}
	return copy_to_user(arg, &start, sizeof(start)) ? -EFAULT : 0;
}

/* -EAGAIN: it is not over. */
static int eg_dev_claim_run(struct eg_job *job, const struct espgoal_finish *finish,
			    struct eg_run **r)
{
	int err = eg_job_acquire_interruptible(job);

	if (err)
		return err;
	err = eg_run_claim(job, finish, r);
	eg_job_release(job);
	return err;
}

static int eg_dev_finish_run(struct eg_run *r, const struct espgoal_finish *finish)
{
	int err = eg_run_write(r, finish);
	struct eg_job *job = r->job;
	bool remove;

	eg_job_acquire(job);
	remove = !err || eg_run_disclaim(r);
	if (remove)
		eg_run_remove(r);
	eg_dev_use_room(job);
	eg_job_release(job);
	if (remove)
		eg_run_destroy(r);
	return err;
}

/* Waits without the job. Another thread may finish the same run meanwhile: EINVAL then. */
static long eg_dev_finish(struct eg_job *job, void __user *arg)
{
	struct espgoal_finish finish;
	struct eg_run *r;
	const u32 *state;
	int err;

	if (copy_from_user(&finish, arg, sizeof(finish)))
		return -EFAULT;
	if (finish.slot >= ESPGOAL_RUNS_MOST)
		return -EINVAL;
	for (;;) {
		err = eg_dev_claim_run(job, &finish, &r);
		if (!err)
			return eg_dev_finish_run(r, &finish);
		if (err != -EAGAIN || finish.nowait)
			return err;
		state = &job->page->state[finish.slot];
		err = wait_event_interruptible(job->over, READ_ONCE(*state) != ESPGOAL_RUNNING);
		if (err)
			return err;
	}
}

static long eg_dev_stats(struct eg_job *job, void __user *arg)
{
	int err = eg_job_acquire_interruptible(job);
	struct espgoal_stats stats;

	if (err)
		return err;
	stats = job->stats;
	stats.receive_events = atomic64_read(&job->receive_events);
	eg_job_release(job);
	return copy_to_user(arg, &stats, sizeof(stats)) ? -EFAULT : 0;
}

static long eg_dev_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	struct eg_job *job = file->private_data;
	void __user *at = (void __user *)arg;

	switch (cmd) {
	case ESPGOAL_JOIN:
		return eg_dev_join(job, at);
	case ESPGOAL_PORT:
		return eg_dev_port(job, at);
	case ESPGOAL_LOAD:
		return eg_dev_load(job, at);
	case ESPGOAL_UNLOAD:
		return eg_dev_unload(job, at);
	case ESPGOAL_START:
		return eg_dev_start(job, at);
	case ESPGOAL_FINISH:
		return eg_dev_finish(job, at);
	case ESPGOAL_STATS:
		return eg_dev_stats(job, at);
	default:
		return -ENOTTY;
	}
}

/* One page, read-only. */
static int eg_dev_mmap(struct file *file, struct vm_area_struct *vma)
{
	const struct eg_job *job = file->private_data;

	if (vma->vm_pgoff || vma->vm_end - vma->vm_start != PAGE_SIZE)
		return -EINVAL;
	if (vma->vm_flags & VM_WRITE)
		return -EPERM;
	vm_flags_clear(vma, VM_MAYWRITE);
	return vm_insert_page(vma, vma->vm_start, virt_to_page(job->page));
}

/* Readable when a run is over. */
static __poll_t eg_dev_poll(struct file *file, poll_table *wait)
{
	struct eg_job *job = file->private_data;
	__poll_t mask = 0;

	poll_wait(file, &job->over, wait);
	for (int i = 0; i < ESPGOAL_RUNS_MOST; i++)
		if (READ_ONCE(job->page->state[i]) == ESPGOAL_OVER)
			mask = EPOLLIN | EPOLLRDNORM;
	return READ_ONCE(job->error) ? mask | EPOLLERR : mask;
}

static const struct file_operations eg_dev_fops = {
	.owner		= THIS_MODULE,
	.open		= eg_dev_open,
	.flush		= eg_dev_flush,
	.release	= eg_dev_release,
	.unlocked_ioctl = eg_dev_ioctl,
	.compat_ioctl	= compat_ptr_ioctl,
	.mmap		= eg_dev_mmap,
	.poll		= eg_dev_poll,
	.llseek		= noop_llseek,
};

static struct miscdevice eg_dev = {
	.minor = MISC_DYNAMIC_MINOR,
	.name  = "espgoal",
	.fops  = &eg_dev_fops,
	.mode  = 0660,
};

static int __init espgoal_init(void)
{
	int err;

	BUILD_BUG_ON(sizeof(struct espgoal_page) > PAGE_SIZE);
	eg_queue = alloc_workqueue("espgoal", WQ_UNBOUND | WQ_HIGHPRI, 0);
	if (!eg_queue)
		return -ENOMEM;
	err = misc_register(&eg_dev);
	if (err)
		destroy_workqueue(eg_queue);
	return err;
}

/* No file is open: each holds a reference to the module. */
static void __exit espgoal_exit(void)
{
	misc_deregister(&eg_dev);
	synchronize_net();	/* a callback that found its job gone may still be returning */
	destroy_workqueue(eg_queue);
}

module_init(espgoal_init);
module_exit(espgoal_exit);
MODULE_SOFTDEP("pre: enet");
MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("Schedules (GOAL) that progress while their process computes");
