// SPDX-License-Identifier: BSD-3-Clause
/* unread.c - puts and messages of relaxed supersteps that no bsp_read or bsp_expect covered. */

/*
 * A relaxed program that forgets a bsp_read, or reads too little, computes with what happens to
 * be in its memory, and nothing else shows it. Each area counts its updates since the last
 * bsp_read, and messages wait in a list until they are expected, so what is left at the end says
 * that something was forgotten. Puts and messages of a superstep that itself ends with a barrier
 * are covered by that barrier.
 *
 * With bsprun --check the checker reports the same, and more (observer/check.c).
 */

#include "bsplib/sync/unread.h"

#include "bsplib/core/error.h"
#include "bsplib/core/list.h"
#include "bsplib/core/site.h"
#include "bsplib/core/state.h"
#include "bsplib/core/status.h"
#include "bsplib/engine/chunk.h"
#include "bsplib/engine/effect.h"
#include "bsplib/engine/engine.h"
#include "bsplib/transfer/address.h"
#include "bsplib/transfer/bsmp.h"
#include "bsplib/transfer/region.h"

#include "bsp.h"

#include <string.h>

enum { WARNINGS_MOST = 8 };

static struct {
	bool ignored, warns;
	int warnings;
} unread;

static void unread_report(const char *call, const char *site, const char *text)
{
	if (!unread.warns)
		bspi_fail(call, site, "%s, or set BSP_UNREAD=warn or ignore", text);
	if (unread.warnings++ < WARNINGS_MOST)
		bspi_warn(call, "%s", text);
	if (unread.warnings == WARNINGS_MOST)
		bspi_warn(call, "further warnings of this kind are left out");
}

static void name_origin(struct bspi_list *l, int from, uint32_t step, const char *site)
{
	bspi_list_append(l, "process %d, superstep %u at %.200s", from, step, bspi_site_text(site));
}

/* ---- Puts ------------------------------------------------------------------------ */

static void name_puts(struct bspi_list *l, const struct bspi_slot *s)
{
	bspi_list_append(l, "%u put%s to %s %s never read; the last is of ", s->updates,
			 bspi_plural(s->updates), bspi_area_text(s),
			 s->updates == 1 ? "was" : "were");
	name_origin(l, s->last.from, s->last.step, bspi_site_unpack(s->last.site));
}

static void look_at_all_areas(const char *call)
{
	struct bspi_list l = { .len = 0 };
	size_t areas = 0;

	for (size_t i = 0; i < bspi_regions.nslots; i++) {
		const struct bspi_slot *s = &bspi_regions.slots[i];

		if (s->used && s->updates && areas++ == 0)
			name_puts(&l, s);
	}
	if (!areas)
		return;
	if (areas > 1)
		bspi_list_append(&l, "; so it is with %zu area%s more", areas - 1,
				 bspi_plural(areas - 1));
	bspi_list_append(&l, "; wait for puts with bsp_read");
	unread_report(call, bspi_own_site(), l.text);
}

static void look_at_popped_areas(void)
{
	for (size_t i = 0; i < bspi_regions.npop; i++) {
		int64_t slot = bspi_regions.popped[i];
		struct bspi_list l = { .len = 0 };

		if (slot < 0 || !bspi_regions.slots[slot].updates)
			continue;
		name_puts(&l, &bspi_regions.slots[slot]);
		bspi_list_append(&l, "; wait for puts with bsp_read before the bsp_pop_reg");
		unread_report("bsp_pop_reg", bspi_regions.pops[i].site, l.text);
	}
}

/* ---- Messages -------------------------------------------------------------------- */

struct first_message {
	uint32_t step;
	int from;
	const char *site;
	bool known;
};

static void find_first_message(void *first, uint32_t step, int from, const char *site)
{
	struct first_message *f = first;

	if (!f->known || bspi_before(step, f->step))
		*f = (struct first_message){ step, from, site, true };
}

static void look_at_messages(const char *call)
{
	struct first_message first = { .known = false };
	struct bspi_list l = { .len = 0 };
	size_t n = bspi_pending();

	if (!n)
		return;
	bspi_pending_each(find_first_message, &first);
	bspi_list_append(&l,
			 "%zu message%s of relaxed supersteps %s never expected; the first is of ",
			 n, bspi_plural(n), n == 1 ? "was" : "were");
	name_origin(&l, first.from, first.step, first.site);
	bspi_list_append(&l, "; announce messages with bsp_expect");
	unread_report(call, bspi_own_site(), l.text);
}

/* ---- When ------------------------------------------------------------------------ */

/*
 * Chunks of earlier supersteps that are held behind others take effect now. None has gets: those
 * would have ended the job when they came too late.
 */
static void let_older_take_effect(void)
{
	struct bspi_arrivals *held = &bspi_engine.held;

	for (size_t i = 0; i < held->n; i++) {
		struct bspi_arrival *a = &held->at[i];
		const struct bspi_head *h = bspi_head_of(a->chunk);

		if (a->done || !bspi_before(h->step, bspi.step) ||
		    (h->flags & (BSPI_REPLY | BSPI_DETAIL | BSPI_GETS)))
			continue;
		bspi_let_take_effect(a);
		a->done = true;
	}
}

void bspi_unread_at_barrier(void)
{
	bool leaves_relaxed = bspi_mode_turns() && !bspi_wants_relaxed();

	if (unread.ignored || (!leaves_relaxed && !bspi_regions.npop))
		return;
	if (bspi_is_relaxed()) {
		let_older_take_effect();
		look_at_popped_areas();
	}
	if (leaves_relaxed) {
		look_at_all_areas("bsp_sync");
		look_at_messages("bsp_sync");
	}
}

void bspi_unread_at_end(void)
{
	if (unread.ignored)
		return;
	if (bspi_is_relaxed()) {
		let_older_take_effect();
		look_at_all_areas("bsp_end");
	}
	if (bspi_wants_relaxed())
		look_at_messages("bsp_end");
}

void bspi_unread_open(void)
{
	memset(&unread, 0, sizeof(unread));
	unread.warns = strcmp(bspi.env.unread, "warn") == 0;
	unread.ignored = bspi.env.check || strcmp(bspi.env.unread, "ignore") == 0;
}
