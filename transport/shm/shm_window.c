// SPDX-License-Identifier: BSD-3-Clause
/* shm_window.c - windows: pages of a process replaced in place by shared ones. */

/*
 * A process's memory is private, and process_vm_writev() is four times slower
 * than a copy through shared memory. So expose() takes a block of the arena,
 * copies the whole pages of the area into it and maps the block over them: the
 * program's address now shows shared pages, which every peer sees in the arena.
 * conceal() copies them into private pages and puts these in place again.
 *
 * Only whole pages: the rest of the first and last page may belong to somebody
 * else, another thread perhaps, who would write between the copy and the mapping.
 * Only plain memory: private, readable and writable, neither stack nor mapped by
 * somebody for a purpose we do not know. A program may have freed
 * the area without withdrawing its registration, and the address may belong to
 * something else by now; conceal() looks before it maps.
 *
 * A process that the program forks shares the pages instead of having a
 * copy; that is harmless when it calls exec, and bsp(7) says so.
 */

#include "shm.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { PAGE = SHM_BLOCK };

static const size_t huge = (size_t)2 << 20;

/* A line of /proc/self/maps. */
struct mapping {
	uintptr_t from, to;
	char mode[5];
	uint64_t offset;
	uint64_t inode;
	char name[32];
};

static bool read_mapping(FILE *maps, struct mapping *m)
{
	char *line = NULL;
	size_t size = 0;
	bool ok = false;

	if (getline(&line, &size, maps) > 0) {
		m->name[0] = '\0';
		ok = sscanf(line, "%" SCNxPTR "-%" SCNxPTR " %4s %" SCNx64 " %*s %" SCNu64 " %31s",
			    &m->from, &m->to, m->mode, &m->offset, &m->inode, m->name) >= 5;
	}
	free(line);
	return ok;
}

/* Does @fits hold for every mapping that covers from .. to - 1, and are there no holes? */
static bool covered(uintptr_t from, uintptr_t to,
		    bool (*fits)(const struct mapping *m, const void *arg), const void *arg)
{
	FILE *maps = fopen("/proc/self/maps", "re");
	struct mapping m;

	if (!maps)
		return false;
	while (from < to && read_mapping(maps, &m)) {
		if (m.to <= from)
			continue;
		if (m.from > from || !fits(&m, arg))
			break;
		from = m.to;
	}
	fclose(maps);
	return from >= to;
}

static bool is_plain(const struct mapping *m, const void *arg)
{
	(void)arg;
	return strcmp(m->mode, "rw-p") == 0 && strncmp(m->name, "[stack", 6) != 0;
}

struct place {
	uint64_t inode;
	uintptr_t from;		/* this address shows */
	uint64_t offset;	/* the segment from here on */
};

static bool is_segment(const struct mapping *m, const void *arg)
{
	const struct place *p = arg;

	return m->inode == p->inode && strcmp(m->mode, "rw-s") == 0 &&
	       m->from - m->offset == p->from - p->offset;
}

static bool note_inode(const struct mapping *m, const void *arg)
{
	*(uint64_t *)(uintptr_t)arg = m->inode;
	return true;
}

static bool still_in_place(struct bspt_shm *s, const struct shm_window *w, const char *alias)
{
	struct place p = { .from = (uintptr_t)w->base, .offset = alias - s->map.base };
	uintptr_t at = (uintptr_t)s->map.base;

	return covered(at, at + 1, note_inode, &p.inode) &&
	       covered(p.from, p.from + w->bytes, is_segment, &p);
}

/*
 * Where in its block a window's pages lie: after the page of the block's header, and
 * for large ones at the same distance from a huge page as in the
 * program's address, so that both can use huge pages.
 */
static char *alias_of(const struct shm_window *w)
{
	uintptr_t at = (uintptr_t)w->block + PAGE;

	if (w->bytes >= 2 * huge)
		at += ((uintptr_t)w->base - at) % huge;
	return (char *)at;
}

static bool overlaps_a_window(const struct bspt_shm *s, const char *from, const char *to)
{
	for (const struct shm_window *w = s->windows; w; w = w->next)
		if (from < w->base + w->bytes && w->base < to)
			return true;
	return false;
}

/* The whole pages of an area, as a window without a block; NULL if there are none or they may not be used. */
static struct shm_window *plan_window(struct bspt_shm *s, char *base, size_t len)
{
	uintptr_t from = ((uintptr_t)base + PAGE - 1) & ~(uintptr_t)(PAGE - 1);
	uintptr_t to = ((uintptr_t)base + len) & ~(uintptr_t)(PAGE - 1);
	struct shm_window *w;

	if (from >= to || overlaps_a_window(s, (char *)from, (char *)to) ||
	    !covered(from, to, is_plain, NULL))
		return NULL;
	w = malloc(sizeof(*w));
	if (!w)
		return NULL;
	w->base = (char *)from;
	w->bytes = to - from;
	w->head = (char *)from - base;
	return w;
}

/* Replace the pages by those of the block. The old ones stay until the new ones are in place. */
static bool put_in_place(struct shm_window *w)
{
	char *alias = alias_of(w);

	memcpy(alias, w->base, w->bytes);
	return mremap(alias, 0, w->bytes, MREMAP_MAYMOVE | MREMAP_FIXED, w->base) == w->base;
}

int bspt_shm_expose(struct bspt *t, void *base, size_t len, uint64_t *window,
		    size_t *head, size_t *tail)
{
	struct bspt_shm *s = bspt_shm_of(t);
	struct shm_window *w = plan_window(s, base, len);

	if (!w)
		return -ENOTSUP;
	w->block = bspt_shm_block_get(s, &s->peers[t->me],
				      PAGE + w->bytes + (w->bytes >= 2 * huge ? huge : 0));
	if (!w->block)
		goto err_window;
	if (!put_in_place(w))
		goto err_block;
	w->next = s->windows;
	s->windows = w;
	*head = w->head;
	*tail = len - w->head - w->bytes;
	*window = alias_of(w) - w->head - s->map.base;
	return 0;

err_block:
	bspt_shm_block_free(s, w->block);
err_window:
	free(w);
	return -ENOTSUP;
}

static bool make_private(struct shm_window *w, const char *alias)
{
	void *fresh = mmap(NULL, w->bytes, PROT_READ | PROT_WRITE,
			   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (fresh == MAP_FAILED)
		return false;
	memcpy(fresh, alias, w->bytes);
	if (mremap(fresh, w->bytes, w->bytes, MREMAP_MAYMOVE | MREMAP_FIXED, w->base) == w->base)
		return true;
	munmap(fresh, w->bytes);
	return false;
}

/* If private pages are not to be had, the program keeps the shared ones, and the block with them. */
void bspt_shm_conceal(struct bspt *t, uint64_t window)
{
	struct bspt_shm *s = bspt_shm_of(t);

	for (struct shm_window **at = &s->windows; *at; at = &(*at)->next) {
		struct shm_window *w = *at;
		char *alias = alias_of(w);

		if (alias - w->head - s->map.base != (ptrdiff_t)window)
			continue;
		*at = w->next;
		if (!still_in_place(s, w, alias) || make_private(w, alias))
			bspt_shm_block_free(s, w->block);
		free(w);
		return;
	}
}

void bspt_shm_window_write(struct bspt *t, int peer, uint64_t window, size_t offset,
			   const void *src, size_t len)
{
	(void)peer;
	memcpy(bspt_shm_of(t)->map.base + window + offset, src, len);
}

void bspt_shm_window_read(struct bspt *t, int peer, uint64_t window, size_t offset,
			  void *dst, size_t len)
{
	(void)peer;
	memcpy(dst, bspt_shm_of(t)->map.base + window + offset, len);
}

/* Releases what this process did before, to whoever acquires it in stamp_of(). */
void bspt_shm_stamp(struct bspt *t, uint32_t value)
{
	atomic_store_explicit(&bspt_shm_of(t)->map.seats[t->me].stamp, value,
			      memory_order_release);
}

uint32_t bspt_shm_stamp_of(struct bspt *t, int peer)
{
	return atomic_load_explicit(&bspt_shm_of(t)->map.seats[peer].stamp,
				    memory_order_acquire);
}
