/* SPDX-License-Identifier: BSD-3-Clause */
/* card.h - the endpoint of a process that opens it when it first needs one, as its node sees it. */

/*
 * In memory that the processes of a node share, zeroed. The owner of a card writes it; the first
 * process of the node, which has an endpoint from the start, asks for an endpoint and reads its
 * address:
 *
 *	NONE --- first process ---> WANTED --- owner ---> OPEN
 *	  `----------------- owner, by itself ------------^
 *
 * The owner of a WANTED card opens its endpoint when it polls next. OPEN stays.
 */
#ifndef BSPT_CARD_H
#define BSPT_CARD_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum { BSPT_CARD_NAME = 512 };

enum bspt_card_state { BSPT_CARD_NONE, BSPT_CARD_WANTED, BSPT_CARD_OPEN };

struct bspt_card {
	_Alignas(64) _Atomic uint32_t state;	/* enum bspt_card_state */
	uint32_t len;
	char name[BSPT_CARD_NAME];		/* the address, as the transport has it */
};

/* By the first process. One that is open stays so. */
static inline void bspt_card_want(struct bspt_card *card)
{
	uint32_t none = BSPT_CARD_NONE;

	atomic_compare_exchange_strong_explicit(&card->state, &none, BSPT_CARD_WANTED,
						memory_order_relaxed, memory_order_relaxed);
}

/* By the owner: is an endpoint wanted? */
static inline bool bspt_card_is_wanted(const struct bspt_card *card)
{
	return atomic_load_explicit(&card->state, memory_order_relaxed) == BSPT_CARD_WANTED;
}

/* By the owner, once: the endpoint is open. @len is at most BSPT_CARD_NAME. */
static inline void bspt_card_show(struct bspt_card *card, const void *name, uint32_t len)
{
	card->len = len;
	memcpy(card->name, name, len);
	/* Pairs with the acquire in bspt_card_read(). */
	atomic_store_explicit(&card->state, BSPT_CARD_OPEN, memory_order_release);
}

/* By the first process: the address, or NULL if there is none yet. */
static inline const char *bspt_card_read(const struct bspt_card *card, uint32_t *len)
{
	/* Pairs with the release in bspt_card_show(). */
	if (atomic_load_explicit(&card->state, memory_order_acquire) != BSPT_CARD_OPEN)
		return NULL;
	*len = card->len;
	return card->name;
}

#endif
