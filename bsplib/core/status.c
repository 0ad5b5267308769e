// SPDX-License-Identifier: BSD-3-Clause
/* status.c - the status of this process: its superstep, its last call, what it waits for. */

/* The supervisor, the watchdog and messages read it; each process writes its own row alone. */

#include "bsplib/core/status.h"

#include "bsplib/core/site.h"

#include <stdio.h>

const char *bspi_own_site(void)
{
	return atomic_load_explicit(&bspi_own_status()->site, memory_order_relaxed);
}

/* A put or message, whose name and site are not noted, is a call after the last bsp_sync. */
const char *bspi_last_call(void)
{
	if (bspi.ending)
		return "bsp_end";
	if (bspi.job.table && bspj_state_of(bspi_own_status()) == BSPJ_COMPUTING)
		return "bsp, after bsp_sync";
	return "bsp_sync";
}

static void show_state(uint32_t state)
{
	atomic_store_explicit(&bspi_own_status()->state, state, memory_order_relaxed);
}

void bspi_show_awaited(enum bspi_wait_for what, uint32_t first, uint32_t second)
{
	struct bspj_status *status = bspi_own_status();
	uint32_t state = bspj_state_of(status) | (uint32_t)what << BSPJ_AWAITS_SHIFT;

	atomic_store_explicit(&status->awaited[0], first, memory_order_relaxed);
	atomic_store_explicit(&status->awaited[1], second, memory_order_relaxed);
	atomic_store_explicit(&status->state, state, memory_order_relaxed);
}

/*
 * A wait that comes again and again is put in words once: @what and @site stay where they are.
 */
static const void *shown_what, *shown_site;

void bspi_show_end(void)
{
	atomic_store(&bspi_own_status()->state, BSPJ_ENDED);
	shown_what = NULL;		/* another SPMD part has another status table */
}

void bspi_show_waiting_again(const char *call, const char *site, const char *what)
{
	if (what == shown_what && site == shown_site) {
		show_state(BSPJ_READING);
		return;
	}
	bspi_show_waiting(call, site, what);
	shown_what = what;
	shown_site = site;
}

/* The words come before the state that says they are there. Pairs with bspj_state_of(). */
void bspi_show_waiting(const char *call, const char *site, const char *what)
{
	struct bspj_status *status = bspi_own_status();

	shown_what = NULL;
	snprintf(status->waits_for, sizeof(status->waits_for), "%s at %s: %s", call,
		 bspi_site_text(site), what);
	atomic_store_explicit(&status->state, BSPJ_READING, memory_order_release);
}

void bspi_show_computing(void)
{
	show_state(BSPJ_COMPUTING);
}

void bspi_show_syncing(void)
{
	show_state(BSPJ_SYNCING);
}
