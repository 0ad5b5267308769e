// SPDX-License-Identifier: BSD-3-Clause
/* ofi_peer.c - what is known of a process, made when this one first has to do with it. */

#include "ofi.h"

#include <stdlib.h>

struct ofi_peer *bspt_ofi_make_peer(struct bspt_ofi *s, int peer)
{
	struct ofi_peer *p = calloc(1, sizeof(*p));
	size_t at = (size_t)bspt_ofi_known_at(s, peer);

	if (!p)
		bspt_ofi_lost(s, -1, "what is known of a peer", FI_ENOMEM);
	p->number = peer;
	p->last = &p->first;
	p->ungranted.last = &p->ungranted.first;
	p->grants.last = &p->grants.first;
	bspt_ofi_pace_init(&p->pace);
	p->introduced = !s->late;
	p->known = bspt_ofi_leads(s, peer);
	if (p->known) {
		p->name = s->names + at * s->name_len;
		p->addr = s->addrs[at];
	}
	p->made_before = s->made;
	s->made = p;
	s->peers[peer] = p;
	return p;
}
