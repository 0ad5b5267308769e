/* SPDX-License-Identifier: BSD-3-Clause */
/* hooks.h - what a lower part of the runtime needs from a higher one: the higher one fills it in when it opens. */
#ifndef BSPI_HOOKS_H
#define BSPI_HOOKS_H

#include <stdbool.h>
#include <stddef.h>

struct bspi_arrival;

/*
 * Each is called only while the flag of struct bspi behind it is set, which its owner does; so what is
 * not in use costs a branch, and a hook that is called is never NULL.
 */
struct bspi_hooks {
	/* schedule/ */
	void (*poll)(void);		/* flying: take in what has come, and move runs on */
	bool (*move_goals)(void);	/* goal_work: move runs on. Has anything moved? */
	void (*on_goals)(const struct bspi_arrival *a);	/* a chunk with messages of schedules has come */
	void (*lock)(void), (*unlock)(void);	/* locked: keep the thread that moves schedules out */
	/* transfer/ */
	bool (*settle_bulk)(void);	/* bulks: look after transfers in bulk. Has one ended? */
	bool (*messages_may_move)(void);	/* chunks are kept for their messages: may they be copied? */
	void (*messages_moved)(const char *old, size_t len, const char *to);	/* one has been, from @old */
	/* sync/ */
	void (*arrive)(struct bspi_arrival *a);	/* relaxed: a chunk has come */
	void (*effected)(const struct bspi_arrival *a);	/* relaxed: its records have taken effect */
};

extern struct bspi_hooks bspi_hooks;

#endif
