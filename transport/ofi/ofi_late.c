// SPDX-License-Identifier: BSD-3-Clause
/* ofi_late.c - endpoints that are opened when they are first needed. */

/*
 * With plan->late the first process of each node opens its endpoint in open(), and all processes
 * have its address. Another one opens its own when it first has something to send, or when its
 * card (transport/card.h) says that a process of another node has something for it:
 *
 *	a, on node A			first process of B		b, on node B
 *
 *	opens its endpoint
 *	  --- NAME, ASK(b) -------------->  card of b: WANTED
 *	  operations for b are queued				   polls: opens its endpoint,
 *	  <------------- ADDRESS(b) ------  reads the card  <----  card: OPEN, address
 *	  --- NAME, what is queued ----------------------------------->
 *
 * A process that has not had its endpoint from the start sends its own address (NAME) to each peer
 * before all else, so that the peer can answer, and can send its OFI_SHUTDOWN. An operation waits
 * for an address in the queue of its peer, as it does for a connection.
 *
 * The first process of a node answers when it polls, as each process does in bsp_sync, in a wait of
 * a relaxed superstep, and in bsp_end until all processes have left the last barrier. It may leave
 * bsp_sync before a request has come, and then compute for long; so a process asks as early as in
 * chunk(), and enters the barrier when it has the answers (bspi_barrier_announce()). Without a
 * barrier it may compute for as long; then a datagram asks b itself (ofi_datagram.c).
 */

#include "ofi.h"

#include <stdlib.h>
#include <string.h>

/* A request for the address of a process of this node that has no endpoint yet. */
struct ofi_ask {
	struct ofi_ask *next;
	int from, of;
};

/* ---- Peers ----------------------------------------------------------------- */

int bspt_ofi_late_init(struct bspt_ofi *s, const struct bspt_plan *plan)
{
	const int *node = plan->late ? plan->wire->node : NULL;
	int n = plan->late ? plan->wire->nnodes : 0;
	int *first = malloc(((size_t)n + 1) * sizeof(*first));
	int *count = calloc((size_t)n + 1, sizeof(*count));

	s->late = plan->late;
	s->cards = plan->cards;
	for (int q = 0; first && count && q < s->base.nprocs; q++) {
		struct ofi_peer *p = &s->peers[q];

		p->last = &p->first;
		p->ungranted.last = &p->ungranted.first;
		p->grants.last = &p->grants.first;
		bspt_ofi_pace_init(&p->pace);
		p->introduced = !s->late;
		p->first_of_node = q;
		if (!node)
			continue;
		if (!count[node[q]])
			first[node[q]] = q;
		p->first_of_node = first[node[q]];
		p->place = count[node[q]]++;
	}
	free(first);
	free(count);
	return first && count ? 0 : -FI_ENOMEM;
}

static void late_insert(struct bspt_ofi *s, int q)
{
	if (fi_av_insert(s->av, s->names + (size_t)q * s->name_len, 1, &s->peers[q].addr, 0,
			 NULL) != 1)
		bspt_ofi_lost(s, q, "its address is not one for the provider", FI_EINVAL);
}

void bspt_ofi_insert_known(struct bspt_ofi *s)
{
	for (int q = 0; q < s->base.nprocs; q++)
		if (s->peers[q].known)
			late_insert(s, q);
}

/* ---- Addresses --------------------------------------------------------------- */

void bspt_ofi_late_learn(struct bspt_ofi *s, int peer, const char *name)
{
	struct ofi_peer *p = &s->peers[peer];

	if (p->known)
		return;
	memcpy(s->names + (size_t)peer * s->name_len, name, s->name_len);
	late_insert(s, peer);
	p->known = true;
	if (p->introduced)
		s->base.asked--;
	bspt_ofi_resume(s, p);
}

/* False: its endpoint is not open yet. */
static bool late_answer(struct bspt_ofi *s, int to, int of)
{
	char note[sizeof(uint32_t) + BSPT_CARD_NAME];
	uint32_t number = (uint32_t)of, len;
	const char *name = bspt_card_read(&s->cards[s->peers[of].place], &len);

	if (!name)
		return false;
	if (len != s->name_len)
		bspt_ofi_lost(s, of, "its address has another length", FI_EINVAL);
	memcpy(note, &number, sizeof(number));
	memcpy(note + sizeof(number), name, len);
	bspt_ofi_note(s, to, OFI_ADDRESS, 0, note, sizeof(number) + len);
	return true;
}

/* Only of a process of this node, and by the first of it. */
static bool late_may_ask(const struct bspt_ofi *s, uint32_t of)
{
	return s->late && of < (uint32_t)s->base.nprocs && (int)of != s->base.me &&
	       s->peers[of].first_of_node == s->base.me;
}

static void late_asked(struct bspt_ofi *s, int from, int of)
{
	struct ofi_ask *ask;

	if (late_answer(s, from, of))
		return;
	bspt_card_want(&s->cards[s->peers[of].place]);
	ask = malloc(sizeof(*ask));
	if (!ask)
		bspt_ofi_lost(s, -1, "a request for an address", FI_ENOMEM);
	*ask = (struct ofi_ask){ .next = s->asks, .from = from, .of = of };
	s->asks = ask;
}

bool bspt_ofi_late_note(struct bspt_ofi *s, int from, enum ofi_kind kind, const void *what,
			size_t len)
{
	uint32_t of = 0;

	if (kind != OFI_NAME && len >= sizeof(of))
		memcpy(&of, what, sizeof(of));
	if (kind == OFI_NAME && len == s->name_len)
		bspt_ofi_late_learn(s, from, what);
	else if (kind == OFI_ASK && len == sizeof(of) && late_may_ask(s, of))
		late_asked(s, from, (int)of);
	else if (kind == OFI_ADDRESS && len == sizeof(of) + s->name_len &&
		 of < (uint32_t)s->base.nprocs && s->peers[of].first_of_node == from)
		bspt_ofi_late_learn(s, (int)of, (const char *)what + sizeof(of));
	else
		return false;
	return true;
}

void bspt_ofi_late_answer(struct bspt_ofi *s)
{
	struct ofi_ask **at = &s->asks;

	while (*at) {
		struct ofi_ask *ask = *at;

		if (!late_answer(s, ask->from, ask->of)) {
			at = &ask->next;
			continue;
		}
		*at = ask->next;
		free(ask);
	}
}

void bspt_ofi_late_free(struct bspt_ofi *s)
{
	while (s->asks) {
		struct ofi_ask *ask = s->asks;

		s->asks = ask->next;
		free(ask);
	}
}
