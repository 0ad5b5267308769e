/* SPDX-License-Identifier: BSD-3-Clause */
/* hooks.h - what a lower part of the runtime calls of a higher one, which fills it in. */
#ifndef BSPI_HOOKS_H
#define BSPI_HOOKS_H

#include <stdbool.h>
#include <stddef.h>

struct bspi_arrival;

/*
 * Each is called only while the flag of struct bspi behind it is set, which its owner does; so
 * a hook that is not in use costs a branch, and a hook that is called is never NULL.
 */
struct bspi_hooks {
	/* schedule/ */
	void (*poll)(void);		/* flying: take in chunks, and move runs on */
	bool (*move_goals)(void);	/* goal_work: move runs on. Has anything moved? */
	/* a chunk with messages of schedules has come */
	void (*on_goals)(const struct bspi_arrival *a);
	/* locked: keep the thread that moves schedules out */
	void (*lock)(void), (*unlock)(void);
	/* transfer/ */
	bool (*settle_bulk)(void);	/* bulks: look after transfers in bulk. Has one ended? */
	/* chunks are kept for their messages: may they be copied? */
	bool (*messages_may_move)(void);
	/* one has been, from @old */
	void (*messages_moved)(const char *old, size_t len, const char *to);
	/* sync/ */
	void (*arrive)(struct bspi_arrival *a);	/* relaxed: a chunk has come */
	void (*effected)(const struct bspi_arrival *a);	/* relaxed: its records have taken effect */
	void (*ended)(const struct bspi_arrival *a);	/* consensus: the last one of an epoch */
};

extern struct bspi_hooks bspi_hooks;

#endif
