// SPDX-License-Identifier: BSD-3-Clause
/* ofi_order.c - put the chunks of each sender in order. */

#include "ofi.h"

static void append_arrived(struct bspt_ofi *s, struct ofi_buf *b)
{
	bspt_ofi_peer(s, b->op.peer)->expected++;
	b->next = NULL;
	*s->arrived_last = b;
	s->arrived_last = &b->next;
}

void bspt_ofi_arrive(struct bspt_ofi *s, struct ofi_buf *b)
{
	struct ofi_peer *p = bspt_ofi_peer(s, b->op.peer);

	if (b->number != p->expected) {
		/* Held in order; higher numbers usually arrive later. */
		struct ofi_buf **at = &p->held;

		if (p->held && (int32_t)(b->number - p->held_last->number) > 0)
			at = &p->held_last->next;
		while (*at && (int32_t)(b->number - (*at)->number) > 0)
			at = &(*at)->next;
		b->next = *at;
		*at = b;
		if (!b->next)
			p->held_last = b;
		return;
	}
	append_arrived(s, b);
	while (p->held && p->held->number == p->expected) {
		b = p->held;
		p->held = b->next;
		append_arrived(s, b);
	}
}
