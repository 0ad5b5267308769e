// SPDX-License-Identifier: BSD-3-Clause
/* partners.c - bsprun --check --suggest: would lists of neighbours spare the barriers? */

/*
 * Each process keeps which others it puts to, gets from and sends to in classic supersteps, as a
 * bit for each. With the last superstep process 0 gets all of them; a neighbour of a process is
 * one that either of the two names. The profile says what a list would save.
 */

#include "bsplib/observer/partners.h"

#include "bsplib/core/error.h"
#include "bsplib/core/state.h"
#include "bsplib/transfer/reach.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct {
	unsigned char *now;		/* bits of this superstep; NULL: nothing is kept */
	struct bspi_partners *kept;	/* of classic supersteps */
	bool some;			/* in this superstep */
	struct bspi_partners **of;	/* on process 0: of each */
} partners;

static size_t bitmap_bytes(void)
{
	return ((size_t)bspi.nprocs + 7) / 8;
}

size_t bspi_partners_bytes(void)
{
	return sizeof(struct bspi_partners) + bitmap_bytes();
}

void bspi_partners_note(int pid)
{
	if (!partners.now || pid == bspi.me)
		return;
	partners.now[pid / 8] |= (unsigned char)(1 << pid % 8);
	partners.some = true;
}

void bspi_partners_step(bool classic)
{
	if (!partners.some)
		return;
	for (size_t i = 0; classic && i < bitmap_bytes(); i++)
		partners.kept->bits[i] |= partners.now[i];
	partners.kept->steps += classic;
	memset(partners.now, 0, bitmap_bytes());
	partners.some = false;
}

const struct bspi_partners *bspi_partners_kept(void)
{
	return partners.kept;
}

void bspi_partners_take(int from, const struct bspi_partners *p)
{
	size_t bytes = bspi_partners_bytes();

	if (!partners.of)
		partners.of = calloc((size_t)bspi.nprocs, sizeof(*partners.of));
	if (!partners.of || partners.of[from])
		return;
	partners.of[from] = malloc(bytes);
	if (partners.of[from])
		memcpy(partners.of[from], p, bytes);
}

static bool partners_names(int a, int b)
{
	return partners.of[a] && partners.of[a]->bits[b / 8] >> b % 8 & 1;
}

static int partners_of(int q)
{
	int n = 0;

	for (int r = 0; r < bspi.nprocs; r++)
		n += r != q && (partners_names(q, r) || partners_names(r, q));
	return n;
}

void bspi_partners_report(void)
{
	int least = bspi.nprocs, most = 0;
	uint64_t steps = 0;
	char others[40];

	for (int q = 0; partners.of && q < bspi.nprocs; q++) {
		int n = partners_of(q);

		least = n < least ? n : least;
		most = n > most ? n : most;
		if (partners.of[q] && partners.of[q]->steps > steps)
			steps = partners.of[q]->steps;
	}
	if (steps < 2 || most >= bspi.nprocs - 1 || bspi_neighbors.number)
		return;
	if (least == most)
		snprintf(others, sizeof(others), "%d", most);
	else
		snprintf(others, sizeof(others), "%d to %d", least, most);
	fprintf(stderr, "bsp: every process exchanges with the same %s other%s: bsp_set_neighbors "
		"would spare barriers; bsprun --predict '' says what that saves\n", others,
		most == 1 ? "" : "s");
}

void bspi_partners_open(void)
{
	partners.now = calloc(1, bitmap_bytes());
	partners.kept = calloc(1, bspi_partners_bytes());
	if (!partners.now || !partners.kept)
		bspi_fail_memory("bsp_begin", NULL);
}

void bspi_partners_close(void)
{
	for (int q = 0; partners.of && q < bspi.nprocs; q++)
		free(partners.of[q]);
	free(partners.of);
	free(partners.now);
	free(partners.kept);
	memset(&partners, 0, sizeof(partners));
}
