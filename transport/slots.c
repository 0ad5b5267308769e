// SPDX-License-Identifier: BSD-3-Clause
/* slots.c - slots that most transports share, plugins too */

#include "transport.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

int bspt_accepts_none(const char *network, char *why, size_t len)
{
	if (!network[0])
		return 0;
	snprintf(why, len, "it does not emulate a network");
	return -EINVAL;
}

struct bspt *bspt_via_itself(struct bspt *t, int peer, int *number)
{
	*number = peer;
	return t;
}

struct all_bytes {
	char *at;
	size_t len;
};

static void slots_keep(void *arg, int p, const void *its)
{
	struct all_bytes *all = arg;

	memcpy(all->at + (size_t)p * all->len, its, all->len);
}

void bspt_take_one(void *one, int p, const void *its)
{
	const struct bspt_one *wanted = one;

	if (p == wanted->of)
		memcpy(wanted->into, its, wanted->len);
}

int bspt_exchange_all(struct bspt_wire *w, const void *mine, size_t len, void *all)
{
	struct all_bytes into = { all, len };

	return w->exchange(w, mine, len, slots_keep, &into);
}
