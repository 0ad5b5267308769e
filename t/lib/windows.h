/* SPDX-License-Identifier: BSD-3-Clause */
/* windows.h - what the 3xx tests of windows share: areas, and telling peers of a window. */

/*
 * Over a mixture processes reach windows of their own node only, so a test for n processes
 * has two nodes of n there, and asks for the next on its node, not for the next of all.
 */
#ifndef WINDOWS_H
#define WINDOWS_H

#include "transports.h"

#include <sys/wait.h>

enum { PAGE = 4096 };

/* An exposed part of memory, as its owner and its peers know it. */
struct window {
	unsigned char *base;
	size_t len;
	uint64_t name;
	size_t head, tail;	/* out of reach */
	bool refused;
};

static inline void *map_private(size_t len)
{
	void *area = mmap(NULL, len, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (area == MAP_FAILED)
		bail("no memory: %s", strerror(errno));
	return area;
}

static inline struct window expose(struct bspt *t, void *base, size_t len)
{
	struct window w = { .base = base, .len = len };
	int err;

	t->ops->survey(t);
	err = t->ops->expose(t, base, len, &w.name, &w.head, &w.tail);

	if (err && err != -ENOTSUP)
		bail("%s: expose: %s", t->ops->name, strerror(-err));
	w.refused = err != 0;
	return w;
}

/* The process of this node that is @step further, around and around. */
static inline int mate(const struct bspt *t, int step)
{
	int size = job.node_size ? job.node_size : t->nprocs;
	int first = t->me / size * size;

	return first + (t->me - first + step) % size;
}

static inline int next_mate(const struct bspt *t)
{
	return mate(t, 1);
}

static inline int prev_mate(const struct bspt *t)
{
	return mate(t, (job.node_size ? job.node_size : t->nprocs) - 1);
}

static inline void write_window(struct bspt *t, int peer, uint64_t window, size_t offset,
				const void *src, size_t len)
{
	struct way w = carrier_of(t, peer);

	w.t->ops->window_write(w.t, w.peer, window, offset, src, len);
}

static inline void read_window(struct bspt *t, int peer, uint64_t window, size_t offset, void *dst,
			       size_t len)
{
	struct way w = carrier_of(t, peer);

	w.t->ops->window_read(w.t, w.peer, window, offset, dst, len);
}

static inline uint32_t published_seen(struct bspt *t, int peer)
{
	struct way w = carrier_of(t, peer);

	return w.t->ops->published_by(w.t, w.peer);
}

/* The body over every transport that has windows. */
static inline void over_windows(void (*body)(struct bspt *t), struct bspt_plan plan,
				const char *claim)
{
	const struct bspt_ops *ops;
	struct bspt_plan doubled = plan;

	doubled.nprocs *= 2;
	for (unsigned int i = 0; (ops = bspt_at(i)); i++) {
		if (!is_wanted(ops))
			continue;
		if (!(ops->caps & BSPT_CAP_WINDOW))
			not_applicable("%s has no windows: %s", ops->name, claim);
		else if (is_mixture(ops))
			over_nodes(ops, body, doubled, plan.nprocs, claim);
		else
			over(ops, body, plan, claim);
	}
}

/* Bytes of it that peers reach. */
static inline size_t reach(const struct window *w)
{
	return w->len - w->head - w->tail;
}

/* Exchange windows with all processes; returns the one of @peer. Word 0 has another use. */
static inline struct window exchange(struct bspt *t, const struct window *mine, int peer)
{
	_Atomic uint64_t *words = job.common->word[t->me];
	struct window w = { .len = mine->len };

	atomic_store(&words[1], mine->refused ? UINT64_MAX : mine->name);
	atomic_store(&words[2], mine->head);
	atomic_store(&words[3], mine->tail);
	meet(t);
	words = job.common->word[peer];
	w.name = atomic_load(&words[1]);
	w.head = atomic_load(&words[2]);
	w.tail = atomic_load(&words[3]);
	w.refused = w.name == UINT64_MAX;
	meet(t);
	return w;
}

/* How many of the bytes @from .. @to - 1 of an area are not those of the pattern. */
static inline long wrong_part(const unsigned char *area, size_t from, size_t to, uint32_t seed)
{
	long n = 0;

	for (size_t i = from; i < to; i++)
		n += area[i] != pattern(seed, i);
	return n;
}

/* Does a process that is forked now get a copy of @area, as of all its memory? */
static inline bool is_private(unsigned char *area, size_t len)
{
	unsigned char first = area[0], last = area[len - 1];
	pid_t child = fork();

	if (child < 0)
		bail("fork: %s", strerror(errno));
	if (child == 0) {
		memset(area, ~first, len);
		_exit(EXIT_SUCCESS);
	}
	waitpid(child, NULL, 0);
	return area[0] == first && area[len - 1] == last;
}

#endif
