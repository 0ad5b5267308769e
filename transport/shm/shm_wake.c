// SPDX-License-Identifier: BSD-3-Clause
/* shm_wake.c - sleep until a peer wakes this process, and wake a peer. */

/*
 * The sleeper stores asleep, passes a barrier and looks once more; the waker stores what the
 * sleeper waits for and loads asleep (bspt_shm_wake() in shm.h). One of the two sees the other's
 * store if both pass a barrier between. The waker is the fast path, so the sleeper passes the
 * barrier for all processes: membarrier(). Without it a sleeper wakes by itself after sleep_most.
 */

#include "shm.h"

#include <limits.h>
#include <linux/futex.h>
#include <linux/membarrier.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static const struct timespec sleep_most = { .tv_nsec = 1000000 };

bool bspt_shm_fences_open(void)
{
	return syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_GLOBAL_EXPEDITED, 0, 0) == 0;
}

/* Make every process of the job pass a full barrier, this one included. */
static bool fence_all_processes(const struct bspt_shm *s)
{
	atomic_thread_fence(memory_order_seq_cst);
	return s->fences &&
	       syscall(SYS_membarrier, MEMBARRIER_CMD_GLOBAL_EXPEDITED, 0, 0) == 0;
}

void bspt_shm_sleep(struct bspt_shm *s, bool (*has_news)(const struct bspt_shm *s))
{
	struct shm_rank *rank = &s->map.ranks[s->base.me];
	const struct timespec *limit;

	atomic_fetch_add_explicit(&s->map.root->sleepers, 1, memory_order_relaxed);
	atomic_store_explicit(&rank->asleep, 1, memory_order_relaxed);
	limit = fence_all_processes(s) ? NULL : &sleep_most;
	if (!has_news(s)) {
		s->base.stats.sleeps++;
		syscall(SYS_futex, &rank->asleep, FUTEX_WAIT, 1, limit, NULL, 0);
	}
	atomic_store_explicit(&rank->asleep, 0, memory_order_relaxed);
	atomic_fetch_sub_explicit(&s->map.root->sleepers, 1, memory_order_relaxed);
}

void bspt_shm_wake_slow(struct bspt_shm *s, int peer)
{
	_Atomic uint32_t *asleep = &s->map.ranks[peer].asleep;

	if (atomic_exchange_explicit(asleep, 0, memory_order_relaxed))
		syscall(SYS_futex, asleep, FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
}
