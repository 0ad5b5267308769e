// SPDX-License-Identifier: BSD-3-Clause
/* forked.c - a child that the program forks gets a copy of the areas that peers write to. */

/*
 * The pages behind a window are shared, and fork() does not copy such pages. So the child copies
 * them before fork() returns there, and the process that forks waits for that: what it writes
 * next is not in the copy. It waits for the end of a pipe, which comes as well if the child dies or
 * there is none. Functions that start a program without fork(), as system() and posix_spawn(), copy
 * nothing.
 */

#include "bsplib/transfer/forked.h"

#include "bsplib/core/state.h"
#include "bsplib/transfer/region.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stddef.h>
#include <sys/mman.h>
#include <unistd.h>

static struct {
	pthread_mutex_t one;	/* thread forks at a time */
	bool copies;
	int done[2];		/* pipe: the child has copied */
} forked = { .one = PTHREAD_MUTEX_INITIALIZER };

void bspi_fork_begins(void)
{
	pthread_mutex_lock(&forked.one);
	forked.copies = bspi_regions.windows && pipe2(forked.done, O_CLOEXEC) == 0;
}

void bspi_fork_ends(void)
{
	char none;

	if (forked.copies) {
		close(forked.done[1]);
		while (read(forked.done[0], &none, 1) < 0 && errno == EINTR)
			continue;
		close(forked.done[0]);
	}
	pthread_mutex_unlock(&forked.one);
}

/* Without memory for a copy the child has no such pages: better than those of its parent. */
static void copy_area(const struct bspi_slot *s)
{
	if (bspi.net->ops->withdraw(bspi.net, s->own.window) < 0)
		mprotect(s->base + s->own.from, s->own.to - s->own.from, PROT_NONE);
}

void bspi_fork_child(void)
{
	const struct bspi_regions *r = &bspi_regions;

	for (size_t i = 0; r->windows && i < r->nslots; i++)
		if (r->slots[i].used && r->slots[i].exposed && !r->slots[i].withdrawn)
			copy_area(&r->slots[i]);
	if (forked.copies) {
		close(forked.done[0]);
		close(forked.done[1]);
	}
	pthread_mutex_unlock(&forked.one);
}
