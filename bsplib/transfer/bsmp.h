/* SPDX-License-Identifier: BSD-3-Clause */
/* bsmp.h - messages, and the queue of those that have arrived. */
#ifndef BSPI_BSMP_H
#define BSPI_BSMP_H

#include "bsplib/core/base.h"

/* Tag sizes: of the messages being read, being sent, and set last. */
struct bspi_tags {
	size_t now, sending, set;
	bool called;			/* bsp_set_tagsize was, in this epoch */
	const char *site;		/* the last time */
};

extern struct bspi_tags bspi_tags;

/* A superstep ends: messages that were sent in it are read; after a barrier a new size counts. */
static inline void bspi_tags_begin_superstep(void)
{
	bspi_tags.now = bspi_tags.sending;
}

static inline void bspi_tags_begin_epoch(void)
{
	bspi_tags_begin_superstep();
	bspi_tags.sending = bspi_tags.set;
	bspi_tags.called = false;
}

void bspi_set_tagsize(const char *site, size_t *nbytes);
void bspi_send(const char *call, const char *site, int64_t pid, const void *tag,
	       const void *payload, size_t nbytes);
/* From now on messages wait for bsp_expect, or join the queue when they take effect. */
void bspi_messages_wait(bool on);
void bspi_queue_open(void);
/*
 * Messages of relaxed supersteps, which wait until they are expected:
 * how many there are; the oldest @n join the queue; all vanish.
 */
size_t bspi_pending(void);
void bspi_pending_move(size_t n);
void bspi_pending_vanish(void);
void bspi_queue_clear(void);
void bspi_queue_close(void);
size_t bspi_queue_trim(void);
/* @look at each message that waits: its superstep, its sender, and the call site or NULL. */
typedef void bspi_look_at_message(void *to, uint32_t step, int from, const char *site);
void bspi_pending_each(bspi_look_at_message *look, void *to);
void bspi_queue_shuffle(void);
void bspi_qsize(const char *site, size_t *nmessages, size_t *nbytes);
/* Its length, or -1; @status is only checked, as its type depends on the interface. */
int64_t bspi_get_tag(const char *site, const void *status, void *tag);
void bspi_move(const char *site, void *payload, size_t nbytes);
int64_t bspi_hpmove(const char *site, void **tag, void **payload);

#endif
