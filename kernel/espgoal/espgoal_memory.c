// SPDX-License-Identifier: GPL-2.0-only
/* espgoal_memory.c - memory of the process, pinned while a run uses it. */

#include "espgoal_job.h"

#include <linux/capability.h>
#include <linux/mm.h>
#include <linux/sched/user.h>
#include <linux/slab.h>
#include <linux/vmalloc.h>

/*
 * Pinned pages outlive their process while another one has its file. So they are charged to the
 * user who pins them, as those of io_uring and MSG_ZEROCOPY are, and together with these: an
 * account of the process, mm->pinned_vm, would end with it, and its children would begin with
 * empty ones. This account of the process is kept beside, for VmPin.
 */
static int eg_pin_charge_user(struct eg_pinned *p)
{
	long most = min_t(unsigned long, rlimit(RLIMIT_MEMLOCK) >> PAGE_SHIFT, LONG_MAX);
	struct user_struct *user = current_user();
	long pinned = atomic_long_read(&user->locked_vm);

	if (capable(CAP_IPC_LOCK))
		return 0;
	do {
		if (pinned + p->npages > most)
			return -ENOMEM;
	} while (!atomic_long_try_cmpxchg(&user->locked_vm, &pinned, pinned + p->npages));
	p->user = get_uid(user);
	return 0;
}

static int eg_pin_charge(struct eg_job *job, struct eg_pinned *p)
{
	int err = eg_pin_charge_user(p);

	if (!err)
		atomic64_add(p->npages, &job->mm->pinned_vm);
	return err;
}

static void eg_pin_uncharge(struct eg_job *job, struct eg_pinned *p)
{
	atomic64_sub(p->npages, &job->mm->pinned_vm);
	if (!p->user)
		return;
	atomic_long_sub(p->npages, &p->user->locked_vm);
	free_uid(p->user);
	p->user = NULL;
}

/*
 * A file system cleans the pages of a file, and must see each first write after that, which the
 * kernel's mapping does not show it. Later kernels refuse such pins themselves.
 */
static bool eg_pin_may_write(const struct eg_pinned *p)
{
	for (unsigned int i = 0; p->written && i < p->npages; i++) {
		struct folio *folio = page_folio(p->pages[i]);

		if (!folio_test_anon(folio) && !folio_test_swapbacked(folio) &&
		    !folio_test_hugetlb(folio))
			return false;
	}
	return true;
}

static int eg_pin_pages(struct eg_job *job, u64 at, struct eg_pinned *p)
{
	unsigned int flags = FOLL_LONGTERM | (p->written ? FOLL_WRITE : 0);
	int n, err = eg_pin_charge(job, p);

	if (err)
		return err;
	n = pin_user_pages_fast(at & PAGE_MASK, p->npages, flags, p->pages);
	if (n == (int)p->npages && eg_pin_may_write(p))
		return 0;
	if (n > 0)
		unpin_user_pages(p->pages, n);
	eg_pin_uncharge(job, p);
	return n < 0 ? n : -EFAULT;
}

/* A single page is in the linear mapping; vmap() would cost more than the rest of a short run. */
static bool eg_pin_map(struct eg_pinned *p)
{
	if (p->npages == 1 && !PageHighMem(p->pages[0])) {
		p->at = page_address(p->pages[0]);
		return true;
	}
	p->map = vmap(p->pages, p->npages, VM_MAP, PAGE_KERNEL);
	p->at = p->map;
	return p->map;
}

int eg_pin(struct eg_job *job, u64 at, u64 bytes, bool written, struct eg_pinned *pinned)
{
	struct eg_pinned p = { .written = written };
	int err = -ENOMEM;

	if (current->mm != job->mm)
		return -EPERM;
	if (!bytes)
		return 0;
	if (at + bytes < at || (at + bytes - 1) >> PAGE_SHIFT > ULONG_MAX >> PAGE_SHIFT)
		return -EFAULT;
	if ((bytes >> PAGE_SHIFT) > INT_MAX / 2)
		return -EINVAL;
	p.npages = ((at + bytes - 1) >> PAGE_SHIFT) - (at >> PAGE_SHIFT) + 1;
	if (p.npages > totalram_pages())
		return err;
	p.pages = kvcalloc(p.npages, sizeof(*p.pages), GFP_KERNEL_ACCOUNT | __GFP_NOWARN);
	if (!p.pages)
		return err;
	err = eg_pin_pages(job, at, &p);
	if (err)
		goto err_free;
	if (!eg_pin_map(&p)) {
		err = -ENOMEM;
		goto err_unpin;
	}
	p.at += at & ~PAGE_MASK;
	*pinned = p;
	return 0;

err_unpin:
	unpin_user_pages(p.pages, p.npages);
	eg_pin_uncharge(job, &p);
err_free:
	kvfree(p.pages);
	return err;
}

/* In process context. Marks written pages dirty. */
void eg_unpin(struct eg_job *job, struct eg_pinned *pinned)
{
	if (!pinned->npages)
		return;
	if (pinned->map)
		vunmap(pinned->map);
	unpin_user_pages_dirty_lock(pinned->pages, pinned->npages, pinned->written);
	eg_pin_uncharge(job, pinned);
	kvfree(pinned->pages);
	*pinned = (struct eg_pinned){ 0 };
}
