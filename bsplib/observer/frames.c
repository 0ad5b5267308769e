// SPDX-License-Identifier: BSD-3-Clause
/* frames.c - bsprun --check: memory in frames of functions that have returned. */

/*
 * A local variable ends with its function. It is gone when its address lies below the stack
 * pointer of the caller of bsp_sync, since stacks grow down. If it is registered then, puts and
 * gets reach whatever is there now; so do the replies of bsp_get and bsp_hpget to such a
 * destination, and bsp_hpput may read such a source.
 *
 * The stack pointer is found by the unwinder that C++ uses; where there is none, nothing is
 * compared. A stack pointer says nothing of another stack: an area counts only if it lies between
 * the ends of the thread's own stack, and bsp_sync must be called on that, by way of the function
 * that began the thread. So coroutines are not compared, nor stacks that are split, or lie in an
 * array on this one.
 */

#include "bsplib/observer/check.h"

#include "bsplib/core/base.h"
#include "bsplib/core/error.h"
#include "bsplib/core/site.h"
#include "bsplib/core/state.h"
#include "bsplib/observer/unwinder.h"
#include "bsplib/sync/superstep.h"
#include "bsplib/transfer/chunked.h"
#include "bsplib/transfer/region.h"

#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* The frames of calls that have not returned. */
struct frames {
	int below;		/* since that of bspi_superstep(), which is 1; 0: not there yet */
	uintptr_t caller;	/* the stack pointer in the caller of bsp_sync or bsp_end */
	uintptr_t first;	/* in the outermost function */
};

/* A line with transfers to or from the stack in this superstep: that of the lowest address. */
struct local {
	const char *call, *site;
	uintptr_t at;
	size_t nbytes;
};

static struct {
	struct local *lines;
	size_t n, room;
} locals;

static struct {
	struct bspi_unwinder unwinder;
	uintptr_t from, to;	/* the stack of the thread; empty: nothing is compared */
	uintptr_t first;	/* as above, when the SPMD part began */
} stack;

/* ---- The stack ------------------------------------------------------------------------ */

static _Unwind_Reason_Code see_frame(struct _Unwind_Context *c, void *arg)
{
	struct frames *f = arg;

	f->first = stack.unwinder.stack_pointer(c);
	if (f->below)
		f->below++;
	else if (stack.unwinder.function(c) == (_Unwind_Ptr)bspi_superstep)
		f->below = 1;
	if (f->below == 3)	/* bspi_superstep(), the call, the program */
		f->caller = f->first;
	return _URC_NO_REASON;
}

static bool find_ends(void)
{
	pthread_attr_t attr;
	void *from;
	size_t nbytes;

	if (pthread_getattr_np(pthread_self(), &attr) != 0)
		return false;
	if (pthread_attr_getstack(&attr, &from, &nbytes) == 0) {
		stack.from = (uintptr_t)from;
		stack.to = stack.from + nbytes;
	}
	pthread_attr_destroy(&attr);
	return stack.to > stack.from;
}

void bspi_frames_open(void)
{
	struct frames now = { .below = 0 };

	if (!bspi_unwinder_open(&stack.unwinder) || !find_ends()) {
		stack.from = stack.to = 0;
		return;
	}
	stack.unwinder.each(see_frame, &now);
	stack.first = now.first;
}

static bool is_on_the_stack(uintptr_t at)
{
	return at >= stack.from && at < stack.to;
}

/* The stack pointer in the caller of this bsp_sync or bsp_end; 0: not to be found, or elsewhere. */
static uintptr_t stack_pointer_of_the_program(void)
{
	struct frames now = { .below = 0 };

	stack.unwinder.each(see_frame, &now);
	return now.first == stack.first && is_on_the_stack(now.caller) ? now.caller : 0;
}

/* ---- Transfers ---------------------------------------------------------------------- */

static struct local *locals_of(const struct bspi_transfer *t)
{
	for (size_t i = 0; i < locals.n; i++)
		if (locals.lines[i].site == t->site && locals.lines[i].call == t->call)
			return &locals.lines[i];
	locals.lines = bspi_grow(locals.lines, locals.n, sizeof(*locals.lines), &locals.room);
	locals.lines[locals.n] = (struct local){ t->call, t->site, UINTPTR_MAX, 0 };
	return &locals.lines[locals.n++];
}

/* bsp_put has read its source when it returns, and bsp_direct_get written its destination. */
static bool ends_with_the_superstep(const char *call)
{
	return strcmp(call, "bsp_put") != 0 && strcmp(call, "bsp_direct_get") != 0;
}

void bspi_frames_moved(const struct bspi_transfer *t)
{
	uintptr_t at = (uintptr_t)t->local;
	struct local *l;

	if (!is_on_the_stack(at) || !t->nbytes || !ends_with_the_superstep(t->call))
		return;
	l = locals_of(t);
	if (at < l->at) {
		l->at = at;
		l->nbytes = t->nbytes;
	}
}

static void moved_in_a_frame_that_ended(const struct local *l, const char *site)
{
	struct bspi_violation v = {
		.call = l->call, .pid = bspi.me, .step = bspi.step, .site = l->site,
	};

	bspi_violation(&v,
		       "the %s of %zu byte%s is in the frame of a function that has returned "
		       "before bsp_sync, %.200s; it has to stay until then",
		       strcmp(l->call, "bsp_hpput") == 0 ? "source" : "destination", l->nbytes,
		       bspi_plural(l->nbytes), bspi_site_text(site));
}

static void compare_locals(const char *site, uintptr_t live)
{
	for (size_t i = 0; i < locals.n; i++)
		if (locals.lines[i].at < live)
			moved_in_a_frame_that_ended(&locals.lines[i], site);
}

/* ---- Areas ---------------------------------------------------------------------------- */

static bool is_registered(const struct bspi_base *b)
{
	return b->newest >= -1 && b->left > 0;
}

static bool any_on_the_stack(void)
{
	for (size_t i = 0; i < bspi_regions.nbases; i++)
		if (is_registered(&bspi_regions.bases[i]) &&
		    is_on_the_stack((uintptr_t)bspi_regions.bases[i].at))
			return true;
	return false;
}

/* A registration of this address: the one that a pop would mean now. */
struct registration {
	const char *site;
	uint32_t step;
	size_t nbytes;
};

static struct registration registration_of(int32_t base)
{
	const struct bspi_base *b = &bspi_regions.bases[base];
	const struct bspi_push *p = bspi_regions.pushes + bspi_regions.npush;
	const struct bspi_slot *s;

	if (b->pushed) {
		do
			p--;
		while (p->base != base);
		return (struct registration){ p->site, bspi.step, p->nbytes };
	}
	s = &bspi_regions.slots[b->next_pop];
	return (struct registration){ s->site, bspi_updates_area_step(b->next_pop), s->nbytes };
}

/* An address with size 0 is only a name for the areas of other processes. */
static void in_a_frame_that_ended(int32_t base, const char *site, bool ending)
{
	struct registration r = registration_of(base);
	struct bspi_violation v = {
		.call = "bsp_push_reg", .pid = bspi.me, .step = r.step, .site = r.site,
	};

	if (!r.nbytes)
		return;
	bspi_violation(&v,
		       "the area of %zu byte%s is in the frame of a function that has returned: "
		       "%s in superstep %u, %.200s; pop it before the function returns, or make "
		       "it static",
		       r.nbytes, bspi_plural(r.nbytes), ending ? "bsp_end" : "bsp_sync", bspi.step,
		       bspi_site_text(site));
}

static void compare_areas_with(const char *site, bool ending, uintptr_t live)
{
	for (size_t i = 0; i < bspi_regions.nbases; i++) {
		const struct bspi_base *b = &bspi_regions.bases[i];

		if (is_registered(b) && is_on_the_stack((uintptr_t)b->at) &&
		    (uintptr_t)b->at < live)
			in_a_frame_that_ended(i, site, ending);
	}
}

/* bsp_end drops transfers. */
void bspi_frames_compare(const char *site, bool ending)
{
	uintptr_t live;

	if (!locals.n && !any_on_the_stack())
		return;
	live = stack_pointer_of_the_program();
	compare_areas_with(site, ending, live);
	if (!ending)
		compare_locals(site, live);
	locals.n = 0;
}

void bspi_frames_close(void)
{
	bspi_unwinder_close(&stack.unwinder);
	stack.from = stack.to = 0;
	free(locals.lines);
	memset(&locals, 0, sizeof(locals));
}
