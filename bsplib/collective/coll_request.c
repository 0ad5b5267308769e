// SPDX-License-Identifier: BSD-3-Clause
/* coll_request.c - numbers for collective operations under way. */

/*
 * The number of a request is its place in the table, from 1, and above that how often the place was given: so
 * a number that was waited for is told from one that is under way, and from one that never was. The number is
 * the program's copy; the request stays where it is until it is waited for.
 */

#include "bsplib/collective/coll.h"

#include "bsplib/core/base.h"
#include "bsplib/core/error.h"
#include "bsplib/core/phase.h"
#include "bsplib/core/site.h"

#include <stdlib.h>
#include <string.h>

enum { PLACE_BITS = 16, PLACES_MOST = (1 << PLACE_BITS) - 1 };

static struct {
	struct bspi_request **at;	/* place - 1; those that are free have the number 0 */
	unsigned long *given;		/* how often that place was */
	uint32_t *free;			/* places, last freed last */
	size_t n, room, given_room, nfree, free_room;
} table;

/* ---- Places ------------------------------------------------------------------------- */

static struct bspi_request *add_place(const struct bspi_coll *c)
{
	struct bspi_request *r = calloc(1, sizeof(*r));

	if (table.n == PLACES_MOST)
		bspi_fail(c->call, c->place, "%zu operations are under way, more than can be; call bsp_wait for them",
			  table.n);
	if (!r)
		bspi_fail_memory(c->call, c->place);
	table.at = bspi_grow(table.at, table.n, sizeof(struct bspi_request *), &table.room);
	table.given = bspi_grow(table.given, table.n, sizeof(*table.given), &table.given_room);
	table.given[table.n] = 0;
	table.at[table.n++] = r;
	return r;
}

static uint32_t take_place(const struct bspi_coll *c)
{
	if (table.nfree)
		return table.free[--table.nfree];
	add_place(c);
	return table.n - 1;
}

static void give_back(uint32_t place)
{
	table.at[place]->number = 0;
	table.free = bspi_grow(table.free, table.nfree, sizeof(*table.free), &table.free_room);
	table.free[table.nfree++] = place;
}

bsp_request bspi_request_start(struct bspi_coll *c)
{
	uint32_t place;

	bspi_coll_check(c);
	place = take_place(c);
	bspi_coll_start(c, table.at[place]);
	table.given[place] = (table.given[place] + 1) & (~0ul >> PLACE_BITS);
	table.given[place] += table.given[place] == 0;
	return table.at[place]->number = table.given[place] << PLACE_BITS | (place + 1);
}

/* ---- Asking for one ------------------------------------------------------------------- */

static _Noreturn __attribute__((cold)) void refuse(const char *call, const char *place,
						   bsp_request number)
{
	size_t i = (number & PLACES_MOST) - 1;

	if (i < table.n && number >> PLACE_BITS && number >> PLACE_BITS <= table.given[i])
		bspi_fail(call, place, "request %lu has been waited for already", number);
	bspi_fail(call, place, "there is no request %lu; use what bsp_ibcast and its kin returned",
		  number);
}

static struct bspi_request *find(const char *call, const char *place, const bsp_request *number)
{
	size_t i;

	bspi_require_running(call, place);
	if (!number)
		bspi_fail(call, place, "the address of the request is NULL");
	if (*number == BSP_NO_REQUEST)
		return NULL;
	i = (*number & PLACES_MOST) - 1;
	if (i >= table.n || table.at[i]->number != *number)
		refuse(call, place, *number);
	return table.at[i];
}

static void settle(struct bspi_request *r, bsp_request *number)
{
	give_back((r->number & PLACES_MOST) - 1);
	*number = BSP_NO_REQUEST;
}

bool bspi_request_test(const char *place, bsp_request *number)
{
	struct bspi_request *r = find("bsp_test", place, number);

	if (!r)
		return true;
	if (!bspi_coll_test(r))
		return false;
	settle(r, number);
	return true;
}

void bspi_request_wait(const char *place, bsp_request *number)
{
	struct bspi_request *r = find("bsp_wait", place, number);

	if (!r)
		return;
	bspi_coll_wait(r, "bsp_wait", place);
	settle(r, number);
}

/* ---- The end -------------------------------------------------------------------------- */

static size_t count_open(const struct bspi_request **first)
{
	size_t n = 0;

	for (size_t i = 0; i < table.n; i++) {
		const struct bspi_request *r = table.at[i];

		if (!r->number)
			continue;
		n++;
		if (!*first || bspi_before(r->turn, (*first)->turn))
			*first = r;
	}
	return n;
}

void bspi_coll_end(const char *place)
{
	const struct bspi_request *first = NULL;
	size_t n = count_open(&first);

	bspi_require_no_operator("bsp_end", place);
	if (n)
		bspi_fail("bsp_end", place, "%zu collective operation%s %s not been waited for, the first of %s at %s; call bsp_wait for each",
			  n, bspi_plural(n), n == 1 ? "has" : "have", first->call, bspi_place_text(first->place));
}

void bspi_coll_close(void)
{
	bspi_kept_close();
	bspi_agree_close();
	for (size_t i = 0; i < table.n; i++)
		free(table.at[i]);
	free(table.at);
	free(table.given);
	free(table.free);
	memset(&table, 0, sizeof(table));
}
