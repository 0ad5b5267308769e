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
	int place;			/* of that process in this node */
};

/* ---- Peers ----------------------------------------------------------------- */

/*
 * A process has to do with some of thousands, those to which its messages go and those of the tree
 * or rounds of barriers. So of each of the others it has a word of a table, and, where there are no
 * late endpoints, an address.
 */
int bspt_ofi_late_init(struct bspt_ofi *s, const struct bspt_plan *plan)
{
	int n = s->base.nprocs;

	s->late = plan->late;
	s->cards = plan->cards;
	s->nknown = s->late ? plan->wire->nnodes : n;
	s->peers = calloc((size_t)n, sizeof(struct ofi_peer *));
	s->addrs = calloc((size_t)s->nknown, sizeof(*s->addrs));
	if (!s->peers || !s->addrs)
		return -FI_ENOMEM;
	if (!s->late)
		return 0;
	s->node = plan->wire->node;
	s->first_of_node = malloc((size_t)s->nknown * sizeof(*s->first_of_node));
	s->datagram_ports = calloc((size_t)n, sizeof(*s->datagram_ports));
	if (!s->first_of_node || !s->datagram_ports)
		return -FI_ENOMEM;
	for (int k = 0; k < s->nknown; k++)
		s->first_of_node[k] = -1;	/* it has no process of the job */
	for (int q = n - 1; q >= 0; q--)
		s->first_of_node[s->node[q]] = q;
	for (int q = 0; q < s->base.me; q++)
		s->own_place += s->node[q] == s->node[s->base.me];
	return 0;
}

void bspt_ofi_late_free(struct bspt_ofi *s)
{
	while (s->asks) {
		struct ofi_ask *ask = s->asks;

		s->asks = ask->next;
		free(ask);
	}
	while (s->made) {
		struct ofi_peer *p = s->made;

		s->made = p->made_before;
		if (!bspt_ofi_leads(s, p->number))
			free((char *)(uintptr_t)p->name);
		free(p);
	}
	free(s->peers);
	free(s->names);
	free(s->addrs);
	free(s->first_of_node);
	free(s->datagram_ports);
}

static void late_insert(struct bspt_ofi *s, int peer, const char *name, fi_addr_t *addr)
{
	if (fi_av_insert(s->av, name, 1, addr, 0, NULL) != 1)
		bspt_ofi_lost(s, peer, "its address is not one for the provider", FI_EINVAL);
}

void bspt_ofi_insert_known(struct bspt_ofi *s)
{
	for (int i = 0; i < s->nknown; i++) {
		int q = s->late ? s->first_of_node[i] : i;

		if (q >= 0)
			late_insert(s, q, s->names + (size_t)i * s->name_len, &s->addrs[i]);
	}
	for (struct ofi_peer *p = s->made; p; p = p->made_before) {
		if (bspt_ofi_leads(s, p->number))
			p->addr = s->addrs[bspt_ofi_known_at(s, p->number)];
		else if (p->known)
			late_insert(s, p->number, p->name, &p->addr);
	}
}

/* ---- Addresses --------------------------------------------------------------- */

void bspt_ofi_late_expect(struct bspt_ofi *s)
{
	s->names = calloc((size_t)s->nknown, s->name_len + 1);
	if (!s->names)
		bspt_ofi_lost(s, -1, "the addresses of the processes", FI_ENOMEM);
}

void bspt_ofi_late_note_name(struct bspt_ofi *s, int peer, const char *name)
{
	if (bspt_ofi_leads(s, peer))
		memcpy(s->names + (size_t)bspt_ofi_known_at(s, peer) * s->name_len, name,
		       s->name_len);
}

static void late_store_name(struct bspt_ofi *s, struct ofi_peer *p, const char *name)
{
	char *copy = malloc(s->name_len);

	if (!copy)
		bspt_ofi_lost(s, -1, "the address of a peer", FI_ENOMEM);
	p->name = memcpy(copy, name, s->name_len);
	p->known = true;
}

void bspt_ofi_late_learn_own(struct bspt_ofi *s, const char *name)
{
	late_store_name(s, bspt_ofi_peer(s, s->base.me), name);
}

void bspt_ofi_late_learn(struct bspt_ofi *s, int peer, const char *name)
{
	struct ofi_peer *p = bspt_ofi_peer(s, peer);

	if (p->known)
		return;
	late_store_name(s, p, name);
	late_insert(s, peer, p->name, &p->addr);
	if (p->introduced)
		s->base.asked--;
	bspt_ofi_resume(s, p);
}

/* False: its endpoint is not open yet. */
static bool late_answer(struct bspt_ofi *s, const struct ofi_ask *ask)
{
	char note[sizeof(uint32_t) + BSPT_CARD_NAME];
	uint32_t number = (uint32_t)ask->of, len;
	const char *name = bspt_card_read(&s->cards[ask->place], &len);

	if (!name)
		return false;
	if (len != s->name_len)
		bspt_ofi_lost(s, ask->of, "its address has another length", FI_EINVAL);
	memcpy(note, &number, sizeof(number));
	memcpy(note + sizeof(number), name, len);
	bspt_ofi_note(s, ask->from, OFI_ADDRESS, 0, note, sizeof(number) + len);
	return true;
}

/* Only of a process of this node, and by the first of it. */
static bool late_may_ask(const struct bspt_ofi *s, uint32_t of)
{
	return s->late && of < (uint32_t)s->base.nprocs && (int)of != s->base.me &&
	       bspt_ofi_first_of(s, (int)of) == s->base.me;
}

static void late_asked(struct bspt_ofi *s, int from, int of)
{
	struct ofi_ask *ask = malloc(sizeof(*ask));

	if (!ask)
		bspt_ofi_lost(s, -1, "a request for an address", FI_ENOMEM);
	*ask = (struct ofi_ask){ .next = s->asks, .from = from, .of = of };
	for (int q = s->base.me; q < of; q++)
		ask->place += s->node[q] == s->node[of];
	if (late_answer(s, ask)) {
		free(ask);
		return;
	}
	bspt_card_want(&s->cards[ask->place]);
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
		 of < (uint32_t)s->base.nprocs && bspt_ofi_first_of(s, (int)of) == from)
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

		if (!late_answer(s, ask)) {
			at = &ask->next;
			continue;
		}
		*at = ask->next;
		free(ask);
	}
}
