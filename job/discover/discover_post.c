// SPDX-License-Identifier: BSD-3-Clause
/* discover_post.c - exchange of a part: in shared memory, to other parts by the supervisor. */

/*
 * As in wire.c: each process writes into its slot of this round and then publishes the number of
 * the round; there are slots for two, since a process that writes those of round r + 2 has seen
 * all of r + 1. Slots of other parts are written by the supervisor, which an eventfd wakes when a
 * process has said something. It publishes them when all are there and it has passed them on; until
 * then no process of its part goes on to the next round, and the slots of this one stay as they
 * are. Only if no other part takes part in the exchange a process may be further ahead; then there
 * is nothing to pass on.
 *
 * An exchange is two rounds, the second without data: a process that has not read those of the
 * first may take part in no later exchange, so that nothing but that second round would keep the
 * others from writing over them.
 */

#include "discover.h"

#include <errno.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <unistd.h>

enum { YIELDS = 100, PAUSE_LEAST_US = 50, PAUSE_MOST_US = 5000, PAUSE_EACH_US = 5 };

struct slot {
	uint32_t len;
	_Atomic int n;			/* processes of the exchange; read without the round, too */
	char data[BSPJ_POST_MOST];
};

struct bspj_post {
	int nprocs, first, last;
	int event_fd;
	_Atomic uint32_t *rounds;	/* of all: shared, as are the slots */
	struct slot *slots;		/* for even rounds, then for odd ones */
	uint32_t round;			/* of this process */
};

static struct slot *post_slot_of(const struct bspj_post *post, int p, uint32_t round)
{
	return &post->slots[(size_t)(round % 2) * post->nprocs + p];
}

struct bspj_post *bspj_post_create(int nprocs, int first, int last)
{
	size_t bytes = (size_t)nprocs * (2 * sizeof(struct slot) + sizeof(uint32_t));
	struct bspj_post *post = calloc(1, sizeof(*post));
	void *shared = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	int event_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);

	if (!post || shared == MAP_FAILED || event_fd < 0) {
		free(post);
		if (shared != MAP_FAILED)
			munmap(shared, bytes);
		if (event_fd >= 0)
			close(event_fd);
		return NULL;
	}
	*post = (struct bspj_post){ .nprocs = nprocs, .first = first, .last = last,
				    .event_fd = event_fd, .slots = shared };
	post->rounds = (_Atomic uint32_t *)(post->slots + 2 * (size_t)nprocs);
	return post;
}

/* ---- Processes ------------------------------------------------------------------- */

static void post_send(struct bspj_post *post, int me, const void *mine, size_t len, int n)
{
	uint64_t one = 1;
	struct slot *slot;

	post->round++;
	slot = post_slot_of(post, me, post->round);
	slot->len = (uint32_t)len;
	atomic_store_explicit(&slot->n, n, memory_order_relaxed);
	memcpy(slot->data, mine, len);
	/* Pairs with the acquire in bspj_post_has_said(). */
	atomic_store_explicit(&post->rounds[me], post->round, memory_order_release);
	while (write(post->event_fd, &one, sizeof(one)) < 0 && errno == EINTR)
		;
}

/* Pairs with the releases in post_send() and bspj_post_publish(): the slot is written. */
bool bspj_post_has_said(const struct bspj_post *post, int p, uint32_t round)
{
	return (int32_t)(atomic_load_explicit(&post->rounds[p], memory_order_acquire) - round) >= 0;
}

static bool has_said(const struct bspj_post *post, int p)
{
	return bspj_post_has_said(post, p, post->round);
}

/*
 * Processes of other hosts may take long, and the more processes wait the longer: pauses grow with
 * the wait, by a quarter of it, and for thousands, which may be of one machine, up to as long as
 * all of them take to look once. The death of a process ends all.
 */
static void post_await(const struct bspj_post *post, int p)
{
	unsigned int pause = PAUSE_LEAST_US, most = PAUSE_EACH_US * (unsigned int)post->nprocs;

	for (int i = 0; !has_said(post, p); i++) {
		if (i < YIELDS) {
			sched_yield();
			continue;
		}
		usleep(pause);
		if (pause < PAUSE_MOST_US || pause < most)
			pause += pause / 4;
	}
}

int bspj_post_exchange(struct bspj_post *post, int me, const void *mine, size_t len,
		       bspt_take_fn *take, void *arg, int n)
{
	int err = 0;

	if (len > BSPJ_POST_MOST)
		return -EMSGSIZE;
	post_send(post, me, mine, len, n);
	for (int p = 0; p < n; p++) {
		const struct slot *slot = post_slot_of(post, p, post->round);

		post_await(post, p);
		if (slot->len == len)
			take(arg, p, slot->data);
		else
			err = -EPROTO;
	}
	post_send(post, me, "", 0, n);
	for (int p = 0; p < n; p++)
		post_await(post, p);
	return err;
}

int bspj_post_meet(struct bspj_post *post, int me, int n, void (*meanwhile)(void *arg), void *arg)
{
	post_send(post, me, "", 0, n);
	for (int p = 0; p < n; p++)
		while (!has_said(post, p))
			meanwhile(arg);
	return 0;
}

/* ---- The supervisor ----------------------------------------------------------------- */

int bspj_post_event_fd(const struct bspj_post *post)
{
	return post->event_fd;
}

void bspj_post_clear_event(struct bspj_post *post)
{
	uint64_t events;

	while (read(post->event_fd, &events, sizeof(events)) < 0 && errno == EINTR)
		;
}

int bspj_post_nprocs(const struct bspj_post *post, uint32_t round)
{
	const struct slot *slot = post_slot_of(post, post->first, round);

	return atomic_load_explicit(&slot->n, memory_order_relaxed);
}

const void *bspj_post_data(const struct bspj_post *post, int p, uint32_t round, uint32_t *len)
{
	const struct slot *slot = post_slot_of(post, p, round);

	*len = slot->len < BSPJ_POST_MOST ? slot->len : BSPJ_POST_MOST;
	return slot->data;
}

void bspj_post_write(struct bspj_post *post, int p, uint32_t round, const void *data, uint32_t len)
{
	struct slot *slot;

	if (p < 0 || p >= post->nprocs || (p >= post->first && p <= post->last) ||
	    len > BSPJ_POST_MOST)
		return;
	slot = post_slot_of(post, p, round);
	slot->len = len;
	memcpy(slot->data, data, len);
}

void bspj_post_publish(struct bspj_post *post, int n, uint32_t round)
{
	/* Pairs with the acquire in bspj_post_has_said(). */
	for (int p = 0; p < n; p++)
		if (p < post->first || p > post->last)
			atomic_store_explicit(&post->rounds[p], round, memory_order_release);
}
