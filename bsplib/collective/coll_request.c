// SPDX-License-Identifier: BSD-3-Clause
/* coll_request.c - numbers for collective operations under way. */

/*
 * The number of a request is its slot in the table, from 1, and above that how often the slot
 * was given: so a number that was waited for differs from one that is under way, and from one
 * that never was. The number is the program's copy; the request stays where it is until it is
 * waited for.
 */

#include "bsplib/collective/coll.h"

#include "bsplib/core/base.h"
#include "bsplib/core/error.h"
#include "bsplib/core/phase.h"
#include "bsplib/core/site.h"

#include <stdlib.h>
#include <string.h>

enum { SLOT_BITS = 16, SLOTS_MOST = (1 << SLOT_BITS) - 1 };

static struct {
	struct bspi_request **at;	/* by slot; those that are free have the number 0 */
	unsigned long *given;		/* how often that slot was */
	uint32_t *free;			/* slots, last freed last */
	size_t n, room, given_room, nfree, free_room;
} requests;

/* ---- Slots -------------------------------------------------------------------------- */

static struct bspi_request *request_add_slot(const struct bspi_coll *c)
{
	struct bspi_request *r = calloc(1, sizeof(*r));

	if (requests.n == SLOTS_MOST)
		bspi_fail(c->call, c->site,
			  "%zu operations are under way, more than can be; call bsp_wait for them",
			  requests.n);
	if (!r)
		bspi_fail_memory(c->call, c->site);
	requests.at = bspi_grow(requests.at, requests.n, sizeof(struct bspi_request *),
				&requests.room);
	requests.given = bspi_grow(requests.given, requests.n, sizeof(*requests.given),
				   &requests.given_room);
	requests.given[requests.n] = 0;
	requests.at[requests.n++] = r;
	return r;
}

static void request_free_slot(uint32_t slot)
{
	requests.at[slot]->number = 0;
	requests.free = bspi_grow(requests.free, requests.nfree, sizeof(*requests.free),
				  &requests.free_room);
	requests.free[requests.nfree++] = slot;
}

bsp_request bspi_request_start(struct bspi_coll *c)
{
	uint32_t slot;

	if (!requests.nfree)
		request_add_slot(c);
	slot = requests.nfree ? requests.free[--requests.nfree] : requests.n - 1;
	bspi_coll_start(c, requests.at[slot]);
	requests.given[slot] = (requests.given[slot] + 1) & (~0ul >> SLOT_BITS);
	requests.given[slot] += requests.given[slot] == 0;
	return requests.at[slot]->number = requests.given[slot] << SLOT_BITS | (slot + 1);
}

/* ---- Asking for one ------------------------------------------------------------------- */

static _Noreturn __attribute__((cold)) void request_refuse(const char *call, const char *site,
							   bsp_request number)
{
	size_t i = (number & SLOTS_MOST) - 1;

	if (i < requests.n && number >> SLOT_BITS && number >> SLOT_BITS <= requests.given[i])
		bspi_fail(call, site, "request %lu has been waited for already", number);
	bspi_fail(call, site, "there is no request %lu; use what bsp_ibcast and its kin returned",
		  number);
}

static struct bspi_request *request_find(const char *call, const char *site,
					 const bsp_request *number)
{
	size_t i;

	bspi_require_running(call, site);
	if (!number)
		bspi_fail(call, site, "the address of the request is NULL");
	if (*number == BSP_NO_REQUEST)
		return NULL;
	i = (*number & SLOTS_MOST) - 1;
	if (i >= requests.n || requests.at[i]->number != *number)
		request_refuse(call, site, *number);
	return requests.at[i];
}

static void request_settle(struct bspi_request *r, bsp_request *number)
{
	request_free_slot((r->number & SLOTS_MOST) - 1);
	*number = BSP_NO_REQUEST;
}

bool bspi_request_test(const char *site, bsp_request *number)
{
	struct bspi_request *r = request_find("bsp_test", site, number);

	if (!r)
		return true;
	if (!bspi_coll_test(r, "bsp_test", site))
		return false;
	request_settle(r, number);
	return true;
}

void bspi_request_wait(const char *site, bsp_request *number)
{
	struct bspi_request *r = request_find("bsp_wait", site, number);

	if (!r)
		return;
	bspi_coll_wait(r, "bsp_wait", site);
	request_settle(r, number);
}

/* ---- The end -------------------------------------------------------------------------- */

static size_t requests_count(const struct bspi_request **first)
{
	size_t n = 0;

	for (size_t i = 0; i < requests.n; i++) {
		const struct bspi_request *r = requests.at[i];

		if (!r->number)
			continue;
		n++;
		if (!*first || bspi_before(r->turn, (*first)->turn))
			*first = r;
	}
	return n;
}

void bspi_coll_end(const char *site)
{
	const struct bspi_request *first = NULL;
	size_t n = requests_count(&first);

	bspi_require_no_operator("bsp_end", site);
	if (n)
		bspi_fail("bsp_end", site, "%zu collective operation%s %s not been waited for, "
			  "the first of %s at %s; call bsp_wait for each",
			  n, bspi_plural(n), n == 1 ? "has" : "have", first->call,
			  bspi_site_text(first->site));
}

void bspi_coll_close(void)
{
	bspi_kept_close();
	bspi_lengths_close();
	bspi_neighbor_close();
	bspi_coll_agree_close();
	for (size_t i = 0; i < requests.n; i++)
		free(requests.at[i]);
	free(requests.at);
	free(requests.given);
	free(requests.free);
	memset(&requests, 0, sizeof(requests));
}
