// SPDX-License-Identifier: BSD-3-Clause
/* slots.c - slots that most transports share, plugins too */

#include "transport.h"

#include <errno.h>
#include <stdio.h>

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
