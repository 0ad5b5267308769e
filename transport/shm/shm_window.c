// SPDX-License-Identifier: BSD-3-Clause
/* shm_window.c - windows: pages of a process replaced in place by shared ones. */

/*
 * A process's memory is private, and process_vm_writev() is four times slower
 * than a copy through shared memory. So expose() takes a block of the arena,
 * copies the whole pages of the area into it and maps the block over them: the
 * program's address now shows shared pages, which every peer sees in the arena.
 * unexpose() copies them into private pages and puts these in place again.
 *
 * Only whole pages: other data in the first and last page may be in use, by another thread
 * perhaps, which would write between the copy and the mapping. Only plain memory: private,
 * readable and writable, neither stack nor a mapping with another purpose. A program may have
 * freed the area without withdrawing its registration, and the address may have been reused by
 * now; unexpose() checks before it maps.
 *
 * A process that the program forks shares the pages instead of having a
 * copy; that is harmless when it calls exec, and bsp(7) says so.
 */

#include "shm.h"
#include "transport/poison.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { PAGE = SHM_BLOCK, PARTS_MOST = 64 };

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

/* A range of addresses. */
struct range {
	uintptr_t from, to;
};

/* Does @fits hold for every mapping that covers the range, and are there no holes? */
static bool covered(struct range r, bool (*fits)(const struct mapping *m, const void *arg),
		    const void *arg)
{
	FILE *maps = fopen("/proc/self/maps", "re");
	struct mapping m;

	if (!maps)
		return false;
	while (r.from < r.to && read_mapping(maps, &m)) {
		if (m.to <= r.from)
			continue;
		if (m.from > r.from || !fits(&m, arg))
			break;
		r.from = m.to;
	}
	fclose(maps);
	return r.from >= r.to;
}

static bool is_plain(const struct mapping *m, const void *arg)
{
	(void)arg;
	return strcmp(m->mode, "rw-p") == 0 && strncmp(m->name, "[stack", 6) != 0;
}

static bool note_inode(const struct mapping *m, const void *arg)
{
	*(uint64_t *)(uintptr_t)arg = m->inode;
	return true;
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

/*
 * The whole pages of an area, as a window without a block; NULL if there are none or they may
 * not be used.
 */
static struct shm_window *plan_window(struct bspt_shm *s, char *base, size_t len)
{
	uintptr_t from = ((uintptr_t)base + PAGE - 1) & ~(uintptr_t)(PAGE - 1);
	uintptr_t to = ((uintptr_t)base + len) & ~(uintptr_t)(PAGE - 1);
	struct shm_window *w;

	if (from >= to || overlaps_a_window(s, (char *)from, (char *)to) ||
	    !covered((struct range){ from, to }, is_plain, NULL))
		return NULL;
	w = malloc(sizeof(*w));
	if (!w)
		return NULL;
	w->base = (char *)from;
	w->bytes = to - from;
	w->head = (char *)from - base;
	return w;
}

/*
 * Private pages with the contents of the block's at @offset from the window's start.
 * They are filled before they are put in place, for the eyes of other threads.
 */
static bool make_private(const struct shm_window *w, size_t offset, size_t bytes)
{
	char *fresh = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (fresh == MAP_FAILED)
		return false;
	memcpy(fresh, alias_of(w) + offset, bytes);
	if (mremap(fresh, bytes, bytes, MREMAP_MAYMOVE | MREMAP_FIXED, w->base + offset) !=
	    MAP_FAILED)
		return true;
	munmap(fresh, bytes);
	return false;
}

/*
 * Replace the pages by those of the block. When that fails the kernel may have taken
 * the old ones away already; the contents are in the block, so there are new ones.
 */
static bool put_in_place(const struct shm_window *w)
{
	char *alias = alias_of(w);

	memcpy(alias, w->base, w->bytes);
	if (mremap(alias, 0, w->bytes, MREMAP_MAYMOVE | MREMAP_FIXED, w->base) == w->base) {
		madvise(w->base, w->bytes, MADV_DODUMP);
		return true;
	}
	make_private(w, 0, w->bytes);
	return false;
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

/* What of a window still shows its block, and where. */
struct rest {
	struct range parts[PARTS_MOST];		/* at their places */
	size_t n;
	/* or moved by the program, or in more parts than there is room for */
	bool elsewhere;
};

static void note_rest(struct rest *rest, const struct bspt_shm *s, const struct shm_window *w,
		      const struct mapping *m)
{
	uintptr_t segment = (uintptr_t)s->map.base, base = (uintptr_t)w->base;
	uint64_t offset = alias_of(w) - s->map.base;
	struct range *part = &rest->parts[rest->n];

	if (m->offset >= offset + w->bytes || m->offset + (m->to - m->from) <= offset ||
	    (m->from >= segment && m->from < segment + s->map.bytes))
		return;
	if (m->from - m->offset != base - offset || rest->n == PARTS_MOST) {
		rest->elsewhere = true;
		return;
	}
	part->from = m->from > base ? m->from : base;
	part->to = m->to < base + w->bytes ? m->to : base + w->bytes;
	rest->n++;
}

/* The program may have freed the area in the meantime, all or some of it, or moved it. */
static struct rest find_rest(const struct bspt_shm *s, const struct shm_window *w)
{
	uintptr_t segment = (uintptr_t)s->map.base;
	struct rest rest = { .n = 0 };
	uint64_t inode = 0;
	struct mapping m;
	FILE *maps;

	covered((struct range){ segment, segment + 1 }, note_inode, &inode);
	maps = fopen("/proc/self/maps", "re");
	rest.elsewhere = !maps;
	while (maps && read_mapping(maps, &m))
		if (m.inode == inode)
			note_rest(&rest, s, w, &m);
	if (maps)
		fclose(maps);
	return rest;
}

/* Give every part that is left private pages. False if something still shows the block. */
static bool take_out_of_place(struct bspt_shm *s, const struct shm_window *w)
{
	struct rest rest = find_rest(s, w);
	bool ok = !rest.elsewhere;

	for (size_t i = 0; i < rest.n; i++)
		ok &= make_private(w, rest.parts[i].from - (uintptr_t)w->base,
				   rest.parts[i].to - rest.parts[i].from);
	return ok;
}

/* A block that is still shown somewhere stays with the program. */
void bspt_shm_unexpose(struct bspt *t, uint64_t window)
{
	struct bspt_shm *s = bspt_shm_of(t);

	for (struct shm_window **at = &s->windows; *at; at = &(*at)->next) {
		struct shm_window *w = *at;

		if (alias_of(w) - w->head - s->map.base != (ptrdiff_t)window)
			continue;
		*at = w->next;
		if (take_out_of_place(s, w))
			bspt_shm_block_free(s, w->block);
		free(w);
		return;
	}
}

void bspt_shm_window_write(struct bspt *t, int peer, uint64_t window, size_t offset,
			   const void *src, size_t len)
{
	struct bspt_shm *s = bspt_shm_of(t);
	char *at = s->map.base + window + offset;

	bspt_shm_reach(s, peer, at, len);
	bspt_poison_fresh(at, len);	/* a chunk may have been here */
	memcpy(at, src, len);
}

void bspt_shm_window_read(struct bspt *t, int peer, uint64_t window, size_t offset,
			  void *dst, size_t len)
{
	struct bspt_shm *s = bspt_shm_of(t);
	char *at = s->map.base + window + offset;

	bspt_shm_reach(s, peer, at, len);
	bspt_poison_arrived(at, len, len);
	memcpy(dst, at, len);
}

/* Releases what this process did before, to a process that acquires it in published_by(). */
void bspt_shm_publish(struct bspt *t, uint32_t value)
{
	atomic_store_explicit(&bspt_shm_of(t)->map.ranks[t->me].published, value,
			      memory_order_release);
}

uint32_t bspt_shm_published_by(struct bspt *t, int peer)
{
	return atomic_load_explicit(&bspt_shm_of(t)->map.ranks[peer].published,
				    memory_order_acquire);
}
