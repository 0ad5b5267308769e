// SPDX-License-Identifier: BSD-3-Clause
/* ofi_error.c - errors of libfabric in words, and the end of a job that has lost a peer. */

#include "ofi.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

static void address_in_words(const struct bspt_ofi *s, int peer, char *text, size_t len)
{
	text[0] = '\0';
	if (peer >= 0 && s->av && s->peers[peer] && s->peers[peer]->known)
		fi_av_straddr(s->av, s->peers[peer]->name, text, &len);
}

static const char *advice_on(int err)
{
	switch (err) {
	case ENOMEM:
		return "raise the limits (ulimit -d, ulimit -v), or use fewer processes on a "
		       "machine";
	case EMFILE:
		return "raise the limit (ulimit -n)";
	default:
		return "can the nodes reach each other there (a firewall, an interface of another "
		       "network)? BSP_OFI_PROVIDER and BSP_INTERFACE choose others";
	}
}

void bspt_ofi_describe(struct bspt_ofi *s, int peer, const char *what, int err, const char *error)
{
	char address[OFI_TEXT];

	address_in_words(s, peer, address, sizeof(address));
	snprintf(s->failure, sizeof(s->failure), "libfabric, provider %s%s%s: %s: %s; %s",
		 s->info->fabric_attr->prov_name, *address ? ", its address " : "", address, what,
		 error, advice_on(err));
}

_Noreturn void bspt_ofi_lost(struct bspt_ofi *s, int peer, const char *what, int err)
{
	bspt_ofi_describe(s, peer, what, err, fi_strerror(err));
	s->lost(peer, s->failure);
	abort();
}
