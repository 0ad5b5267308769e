// SPDX-License-Identifier: BSD-3-Clause
/* shm_window.c - windows: pages of a process replaced in place by shared ones. */

/*
 * A process's memory is private, and process_vm_writev() is four times slower
 * than a copy through shared memory. So expose() takes a block of the arena,
 * copies the whole pages of the area into it and maps the block over them: the
 * program's address now shows shared pages, which every peer sees in the arena.
 * withdraw() copies them into private pages and puts these in place again.
 *
 * Only whole pages: other data in the first and last page may be in use, by another thread
 * perhaps, which would write between the copy and the mapping. Never the first page of an area:
 * mremap() makes a mapping that it is given from its start larger in place, and behind the pages
 * of a window lie those of other blocks; over two mappings it fails. Only plain memory: private,
 * anonymous, readable and writable, not a stack, not locked, with the memory policy of the
 * process. The kernel cannot be asked for what else madvise() may have said of it. And only while
 * the process has half of the mappings that it may have, as a window takes two.
 *
 * From withdraw() on the pages are the program's alone, for it may free them: memory allocators
 * count on it that MADV_DONTNEED empties private pages, which it does not do to shared ones. Peers
 * may go on to use the block until unexpose(), and collect() has what they write there.
 *
 * A program may have freed the area, or moved it, before it withdraws its registration, and the
 * addresses may have been reused by now. If one mapping has the ends of the window, that is it:
 * a page of the area lies before it, so no other mapping of the same size would come there.
 * Else all mappings are searched for pages of the block; they become private where they are.
 */

#include "shm.h"
#include "transport/poison.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { PAGE = SHM_BLOCK, MAPPINGS_EACH = 2, POLICY_WORDS = 16, BY_ADDRESS = 1 << 1 };

static const size_t huge = (size_t)2 << 20;

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

/* ---- Which memory ------------------------------------------------------------ */

struct policy {
	int mode;
	unsigned long nodes[POLICY_WORDS];
};

static bool read_policy(struct policy *p, uintptr_t at, int flags)
{
	*p = (struct policy){ 0 };
	return syscall(SYS_get_mempolicy, &p->mode, p->nodes, 8 * sizeof(p->nodes), at, flags) == 0;
}

/* Where the system does not say it, mbind() is not allowed either. */
static bool has_own_policy(uintptr_t at)
{
	struct policy area, process;

	return read_policy(&area, at, BY_ADDRESS) && read_policy(&process, 0, 0) &&
	       memcmp(&area, &process, sizeof(area)) != 0;
}

/* MS_INVALIDATE does nothing to anonymous memory, but is refused if it is locked. */
static bool is_locked(struct shm_range r)
{
	return msync((void *)r.from, r.to - r.from, MS_INVALIDATE) < 0;
}

static bool may_be_replaced(struct shm_range r)
{
	return !is_locked(r) && !has_own_policy(r.from);
}

/*
 * The whole pages of an area but its first, as a window without a block; NULL if there are none
 * or they may not be used.
 */
static struct shm_window *plan_window(struct bspt_shm *s, char *base, size_t len)
{
	uintptr_t from = ((uintptr_t)base + PAGE) & ~(uintptr_t)(PAGE - 1);
	uintptr_t to = ((uintptr_t)base + len) & ~(uintptr_t)(PAGE - 1);
	struct shm_window *w;

	if (from >= to ||
	    s->survey.mappings + MAPPINGS_EACH > s->survey.mappings_most / 2 ||
	    !bspt_shm_survey_covers(&s->survey, (struct shm_range){ from, to }, may_be_replaced))
		return NULL;
	w = malloc(sizeof(*w));
	if (!w)
		return NULL;
	*w = (struct shm_window){ .base = (char *)from, .bytes = to - from,
				  .head = (char *)from - base };
	return w;
}

/* ---- Pages in place of others ---------------------------------------------------- */

/*
 * Private pages with the contents of these, which are those of the block at @from. They are filled
 * before they are put in place, for the eyes of other threads; but in place where address space
 * or memory is limited so that there cannot be two copies in private pages.
 */
static bool make_private(struct shm_range r, const char *from)
{
	size_t bytes = r.to - r.from;
	char *fresh = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (fresh != MAP_FAILED) {
		memcpy(fresh, from, bytes);
		if (mremap(fresh, bytes, bytes, MREMAP_MAYMOVE | MREMAP_FIXED, (void *)r.from) !=
		    MAP_FAILED)
			return true;
		munmap(fresh, bytes);
	}
	fresh = mmap((void *)r.from, bytes, PROT_READ | PROT_WRITE,
		     MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
	if (fresh == MAP_FAILED)
		return false;
	memcpy(fresh, from, bytes);
	return true;
}

static struct shm_range pages_of(const struct shm_window *w)
{
	return (struct shm_range){ (uintptr_t)w->base, (uintptr_t)w->base + w->bytes };
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
	make_private(pages_of(w), alias);
	return false;
}

static struct shm_window **window_bucket(struct bspt_shm *s, uint64_t window)
{
	return &s->windows[window / PAGE * UINT64_C(0x9e3779b97f4a7c15) >> 32 & (SHM_BUCKETS - 1)];
}

int bspt_shm_expose(struct bspt *t, void *base, size_t len, uint64_t *window,
		    size_t *head, size_t *tail)
{
	struct bspt_shm *s = bspt_shm_of(t);
	struct shm_window *w = plan_window(s, base, len), **bucket;

	if (!w)
		return -ENOTSUP;
	w->block = bspt_shm_block_get(s, &s->peers[t->me],
				      PAGE + w->bytes + (w->bytes >= 2 * huge ? huge : 0));
	if (!w->block)
		goto err_window;
	if (!put_in_place(w))
		goto err_block;
	s->survey.mappings += MAPPINGS_EACH;
	bspt_shm_survey_cut(&s->survey, pages_of(w));
	w->name = alias_of(w) - w->head - s->map.base;
	bucket = window_bucket(s, w->name);
	w->next = *bucket;
	*bucket = w;
	*head = w->head;
	*tail = len - w->head - w->bytes;
	*window = w->name;
	return 0;

err_block:
	bspt_shm_block_free(s, w->block);
err_window:
	free(w);
	return -ENOTSUP;
}

/* ---- What still shows a block ------------------------------------------------------- */

/* Mappings of the program that show pages of a window, wherever they are. */
struct rest {
	const struct bspt_shm *s;
	uint64_t from, to;		/* offsets of the window's pages in the segment */
	struct shm_mapping *parts;
	size_t n, room;
	bool lacks_memory;
};

static bool shows_window(const struct rest *rest, const struct shm_mapping *m)
{
	const struct shm_mapping *segment = &rest->s->survey.segment;
	uintptr_t base = (uintptr_t)rest->s->map.base;

	return m->inode == segment->inode && strcmp(m->device, segment->device) == 0 &&
	       m->offset < rest->to && m->offset + (m->to - m->from) > rest->from &&
	       (m->from < base || m->from >= base + rest->s->map.bytes);
}

static void rest_see(const struct shm_mapping *m, void *arg)
{
	struct rest *rest = arg;
	struct shm_mapping *parts;

	if (!shows_window(rest, m))
		return;
	if (rest->n == rest->room) {
		rest->room = rest->room ? 2 * rest->room : 16;
		parts = realloc(rest->parts, rest->room * sizeof(*parts));
		if (!parts) {
			rest->lacks_memory = true;
			return;
		}
		rest->parts = parts;
	}
	rest->parts[rest->n++] = *m;
}

/* The program may have changed the size of a mapping, and what may be done to it. */
static bool make_rest_private(struct bspt_shm *s, const struct shm_window *w)
{
	uint64_t offset = (uint64_t)(alias_of(w) - s->map.base);
	struct rest rest = { .s = s, .from = offset, .to = offset + w->bytes };
	bool ok = bspt_shm_maps_each(rest_see, &rest) && !rest.lacks_memory;

	for (size_t i = 0; i < rest.n; i++) {
		const struct shm_mapping *m = &rest.parts[i];
		struct shm_range r = { m->from, m->to };
		char *block = s->map.base + m->offset;
		int protection = (m->mode[0] == 'r' ? PROT_READ : 0) |
				 (m->mode[1] == 'w' ? PROT_WRITE : 0) |
				 (m->mode[2] == 'x' ? PROT_EXEC : 0);

		bspt_shm_reach(s, s->base.me, block, r.to - r.from);
		ok &= make_private(r, block) &&
		      mprotect((void *)r.from, r.to - r.from, protection) == 0;
	}
	free(rest.parts);
	return ok;
}

/* ---- The end of a window ---------------------------------------------------------------- */

static struct shm_window **find_window(struct bspt_shm *s, uint64_t window)
{
	struct shm_window **at = window_bucket(s, window);

	while (*at && (*at)->name != window)
		at = &(*at)->next;
	return at;
}

static bool is_as_exposed(struct shm_range r)
{
	return bspt_shm_maps_has(r) && bspt_shm_maps_may_write(r.from);
}

static bool window_withdraw(struct bspt_shm *s, struct shm_window *w)
{
	if (!w->withdrawn)
		w->withdrawn = is_as_exposed(pages_of(w)) ?
			make_private(pages_of(w), alias_of(w)) : make_rest_private(s, w);
	return w->withdrawn;
}

int bspt_shm_withdraw(struct bspt *t, uint64_t window)
{
	struct bspt_shm *s = bspt_shm_of(t);
	struct shm_window *w = *find_window(s, window);

	return !w || window_withdraw(s, w) ? 0 : -ENOMEM;
}

void bspt_shm_collect(struct bspt *t, uint64_t window, size_t offset, void *dst, size_t len)
{
	memcpy(dst, bspt_shm_of(t)->map.base + window + offset, len);
}

/* A block that is still shown somewhere stays with the program. */
void bspt_shm_unexpose(struct bspt *t, uint64_t window)
{
	struct bspt_shm *s = bspt_shm_of(t);
	struct shm_window **at = find_window(s, window), *w = *at;

	if (!w)
		return;
	*at = w->next;
	if (window_withdraw(s, w))
		bspt_shm_block_free(s, w->block);
	free(w);
}

/* ---- Peers -------------------------------------------------------------------------------- */

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

/*
 * All that this process did before is there for a process that sees the value. Pairs with the
 * acquire in bspt_shm_published_by().
 */
void bspt_shm_publish(struct bspt *t, uint32_t value)
{
	atomic_store_explicit(&bspt_shm_of(t)->map.ranks[t->me].published, value,
			      memory_order_release);
}

/*
 * Bytes that the caller writes through a window from now on come after all that the peer did before
 * the value. Pairs with the release in bspt_shm_publish().
 */
uint32_t bspt_shm_published_by(struct bspt *t, int peer)
{
	return atomic_load_explicit(&bspt_shm_of(t)->map.ranks[peer].published,
				    memory_order_acquire);
}
