/* SPDX-License-Identifier: BSD-3-Clause */
/* A card shows the address of a late endpoint whole, however it came to be opened. */

/*
 * One thread owns the cards, the other is the first process of the node: it asks for each endpoint
 * and reads its address. The owner opens half of them by itself, at any time, and the others only
 * when they are wanted.
 */

#include "transport/card.h"

#include "../lib/tap.h"

#include <pthread.h>
#include <sched.h>

enum { CARDS = 2000 };

static struct bspt_card cards[CARDS];

static uint32_t length_of(int i)
{
	return 16 + (uint32_t)i % (BSPT_CARD_NAME - 15);
}

static void *own(void *unused)
{
	char name[BSPT_CARD_NAME];

	for (int i = 0; i < CARDS; i++) {
		while (i % 2 && !bspt_card_is_wanted(&cards[i]))
			sched_yield();
		memset(name, i % 100 + 1, sizeof(name));
		bspt_card_show(&cards[i], name, length_of(i));
	}
	return unused;
}

/* How many bytes of the address on card @i are not as its owner has written them. */
static int wrong_bytes(int i)
{
	const char *name;
	uint32_t len;
	int wrong = 0;

	bspt_card_want(&cards[i]);
	while (!(name = bspt_card_read(&cards[i], &len)))
		sched_yield();
	if (len != length_of(i))
		return BSPT_CARD_NAME;
	for (uint32_t k = 0; k < len; k++)
		wrong += name[k] != i % 100 + 1;
	return wrong;
}

static bool is_open(int i)
{
	uint32_t len;

	bspt_card_want(&cards[i]);
	return bspt_card_read(&cards[i], &len) && !bspt_card_is_wanted(&cards[i]);
}

int main(void)
{
	pthread_t owner;
	uint32_t len;
	int wrong = 0, open = 0;

	tap_limit(60);
	ok(!bspt_card_read(&cards[0], &len), "a card has no address at first");
	ok(!bspt_card_is_wanted(&cards[0]), "and is not wanted");
	if (pthread_create(&owner, NULL, own, NULL))
		bail("no thread");
	for (int i = 0; i < CARDS; i++)
		wrong += wrong_bytes(i);
	pthread_join(owner, NULL);
	is_int(0, wrong, "%d addresses arrive whole", CARDS);
	for (int i = 0; i < CARDS; i++)
		open += is_open(i);
	is_int(CARDS, open, "asked for again, cards that are open stay so");
	return done_testing();
}
