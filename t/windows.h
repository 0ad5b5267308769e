/* SPDX-License-Identifier: BSD-3-Clause */
/* windows.h - what the 3xx tests of windows share: areas, and telling peers of a window. */
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
	int err = t->ops->expose(t, base, len, &w.name, &w.head, &w.tail);

	if (err && err != -ENOTSUP)
		bail("%s: expose: %s", t->ops->name, strerror(-err));
	w.refused = err != 0;
	return w;
}

/* Bytes of it that peers reach. */
static inline size_t reach(const struct window *w)
{
	return w->len - w->head - w->tail;
}

/* All tell their window; the one that @peer has told. Word 0 is not ours. */
static inline struct window exchange(struct bspt *t, const struct window *mine, int peer)
{
	_Atomic uint64_t *told = job.common->word[t->me];
	struct window w = { .len = mine->len };

	atomic_store(&told[1], mine->refused ? UINT64_MAX : mine->name);
	atomic_store(&told[2], mine->head);
	atomic_store(&told[3], mine->tail);
	meet(t);
	told = job.common->word[peer];
	w.name = atomic_load(&told[1]);
	w.head = atomic_load(&told[2]);
	w.tail = atomic_load(&told[3]);
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
