// SPDX-License-Identifier: BSD-3-Clause
/* wire.c - shared memory and exchange of processes that are forked. */

/*
 * An exchange is a barrier with data. Each process writes its data into its slot of this round,
 * then publishes the number of the round; when all have, it reads. There are slots for two
 * rounds: a process that writes a slot of round r + 2 has seen all processes in round r + 1, so
 * none reads those of r any more. To meet is a round without data.
 */

#include "job/internal.h"

#include <errno.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static const size_t huge_page = (size_t)2 << 20;

struct local_wire {
	struct bspt_wire base;
	uint32_t round;			/* of this process */
	_Atomic uint32_t *rounds;	/* of all: shared, as are the slots */
	/* BSPT_EXCHANGE_MOST for each process, for even rounds, then for odd ones */
	char *slots;
};

void *bspj_map_shared(int fd, size_t bytes, size_t usable)
{
	size_t page = sysconf(_SC_PAGESIZE);
	char *room, *at;

	bytes = (bytes + page - 1) / page * page;
	room = mmap(NULL, bytes + huge_page, PROT_NONE,
		    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	at = (char *)(((uintptr_t)room + huge_page - 1) / huge_page * huge_page);
	if (room == MAP_FAILED)
		return NULL;
	if (mmap(at, bytes, PROT_NONE,
		 MAP_SHARED | MAP_NORESERVE | MAP_FIXED | (fd < 0 ? MAP_ANONYMOUS : 0), fd,
		 0) == MAP_FAILED ||
	    mprotect(at, (usable + page - 1) / page * page, PROT_READ | PROT_WRITE) < 0) {
		munmap(room, bytes + huge_page);
		return NULL;
	}
	if (at > room)
		munmap(room, at - room);
	munmap(at + bytes, room + huge_page - at);
	return at;
}

static void *local_share(struct bspt_wire *w, size_t bytes, size_t usable)
{
	(void)w;
	return bspj_map_shared(-1, bytes, usable);
}

static char *wire_slot_of(const struct local_wire *l, int p)
{
	return l->slots + ((size_t)(l->round % 2) * l->base.nprocs + p) * BSPT_EXCHANGE_MOST;
}

static void wire_publish_round(struct local_wire *l)
{
	/* pairs with the acquire in await_round() */
	atomic_store_explicit(&l->rounds[l->base.me], l->round, memory_order_release);
}

static void yield(void *unused)
{
	(void)unused;
	sched_yield();
}

/*
 * Not for long: all come here at the beginning, or at the end. The death of a process ends all.
 * Pairs with the release in wire_publish_round(): the slot is written, and those of the round
 * before have been read.
 */
static void await_round(const struct local_wire *l, int p, void (*meanwhile)(void *arg), void *arg)
{
	while ((int32_t)(atomic_load_explicit(&l->rounds[p], memory_order_acquire) - l->round) < 0)
		meanwhile(arg);
}

static int local_exchange(struct bspt_wire *w, const void *mine, size_t len, bspt_take_fn *take,
			  void *arg)
{
	struct local_wire *l = (struct local_wire *)w;

	if (len > BSPT_EXCHANGE_MOST)
		return -EMSGSIZE;
	l->round++;
	memcpy(wire_slot_of(l, w->me), mine, len);
	wire_publish_round(l);
	for (int p = 0; p < w->nprocs; p++) {
		await_round(l, p, yield, NULL);
		take(arg, p, wire_slot_of(l, p));
	}
	return 0;
}

static int local_meet(struct bspt_wire *w, void (*meanwhile)(void *arg), void *arg)
{
	struct local_wire *l = (struct local_wire *)w;

	l->round++;
	wire_publish_round(l);
	for (int p = 0; p < w->nprocs; p++)
		await_round(l, p, meanwhile, arg);
	return 0;
}

static size_t shared_bytes(int nprocs)
{
	return (size_t)nprocs * (2 * BSPT_EXCHANGE_MOST + sizeof(uint32_t));
}

struct bspt_wire *bspj_wire_local(int nprocs, int node_size)
{
	struct local_wire *l = calloc(1, sizeof(*l));
	int *node = calloc(nprocs, sizeof(*node));
	char *shared = mmap(NULL, shared_bytes(nprocs), PROT_READ | PROT_WRITE,
			    MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	if (!l || !node || shared == MAP_FAILED) {
		free(l);
		free(node);
		if (shared != MAP_FAILED)
			munmap(shared, shared_bytes(nprocs));
		return NULL;
	}
	/* So many successive processes are a node; 0: all. */
	for (int p = 0; node_size > 0 && p < nprocs; p++)
		node[p] = p / node_size;
	l->base = (struct bspt_wire){
		.nprocs = nprocs, .me = -1, .inherits = true,
		.one_machine = true, .node = node,
		.nnodes = node[nprocs - 1] + 1, .share = local_share, .exchange = local_exchange,
		.meet = local_meet,
	};
	l->slots = shared;
	l->rounds = (_Atomic uint32_t *)(shared + (size_t)nprocs * 2 * BSPT_EXCHANGE_MOST);
	return &l->base;
}

void bspj_wire_local_free(struct bspt_wire *w)
{
	struct local_wire *l = (struct local_wire *)w;

	munmap(l->slots, shared_bytes(w->nprocs));
	free((int *)(uintptr_t)w->node);
	free(l);
}
