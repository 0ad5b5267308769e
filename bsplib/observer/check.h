/* SPDX-License-Identifier: BSD-3-Clause */
/* check.h - what the files of bsprun --check share. */

/*
 *	check.c		when what is compared
 *	updates.c	registered areas, puts and bsp_read
 *	announced.c	gets and bsp_serve, messages and bsp_expect
 *	frames.c	memory in frames of functions that have returned
 *	entry.c		where puts and gets came from
 *	violation.c	what is found
 *	suggest.c	the n that would have been right; the last line
 *	partners.c	lists of neighbours that would do
 */
#ifndef CHECK_H
#define CHECK_H

#include "bsplib/core/list.h"
#include "bsplib/core/state.h"
#include "bsplib/engine/chunk.h"

#include "bsp.h"

enum { BSPI_REMEMBERED_MOST = 1 << 18 };	/* entries of one area */

/* ---- entry.c ------------------------------------------------------------------- */

/* Puts side by side, or gets, that one line asked for in one superstep of one process. */
struct bspi_entry {
	int64_t site;		/* packed */
	uint64_t offset, nbytes;
	uint64_t count;
	uint32_t step;
	int32_t from;
	bool hp;
};

struct bspi_entries {
	struct bspi_entry *at;
	size_t n, room;
};

/* The entry of the record of a put or get. */
struct bspi_entry bspi_entry_of(int from, const struct bspi_rec *rec);
void bspi_entries_add(struct bspi_entries *e, const struct bspi_entry *entry);
void bspi_entries_drop(struct bspi_entries *e);
/* Order: by superstep, process and line. */
int bspi_by_source(const void *a, const void *b);
bool bspi_ranges_overlap(uint64_t a, uint64_t a_bytes, uint64_t b, uint64_t b_bytes);

/*
 * Where @total puts or gets came from, of which these are remembered:
 * ": process 0, superstep 1, 2 x ring.c:20; process 2, superstep 1, ring.c:20". Sorts them.
 */
void bspi_entries_list_calls(struct bspi_list *l, struct bspi_entries *e, uint64_t total);
/* The same for messages: ": 2 from process 0, superstep 1; 1 from process 2, superstep 1". */
void bspi_entries_list_messages(struct bspi_list *l, struct bspi_entries *e);

/*
 * If bspi.env.check asks for it the program runs with barriers, and what it says of relaxed
 * supersteps is compared.
 */
void bspi_check_open(void);

struct bspi_transfer;

/* ---- updates.c ------------------------------------------------------------------- */

struct bspi_checked;

void bspi_updates_open(void);
/* Events of puts, registrations, bsp_read and bsp_read_test, see core/observe.h. */
void bspi_updates_sent(const struct bspi_transfer *t, uint32_t slot);
void bspi_updates_follow_registrations(void);
void bspi_updates_read(const char *site, uint32_t slot, int n);
void bspi_updates_read_test(const char *site, uint32_t slot, int n, bool *answer);
/* Whether the superstep is a relaxed one is known; it is whole. */
void bspi_updates_begin(void);
void bspi_updates_compare(void);
/* Report puts that no bsp_read waited for by @when, a text, and those that no bsp_sync sends. */
void bspi_updates_none_is_read(const char *when);
void bspi_updates_never_sent(void);
/* How many puts and reads there were. */
void bspi_updates_sum(struct bspi_checked *sum);
/* Puts to the area of a slot that no bsp_read has waited for. */
const struct bspi_entries *bspi_updates_unread(uint32_t slot);
/* Where it was registered, as a text. */
const char *bspi_updates_area_name(uint32_t slot);
/* In which superstep it was. */
uint32_t bspi_updates_area_step(uint32_t slot);
void bspi_updates_close(void);

/* ---- announced.c ------------------------------------------------------------------ */

void bspi_announced_open(void);
/* @barrier: the superstep would end with one in a relaxed run too, so gets need no bsp_serve. */
void bspi_announced_begin(bool barrier);
/* Events of bsp_serve and bsp_expect, see core/observe.h. */
void bspi_announced_serve(const char *site, uint32_t slot, int n);
void bspi_announced_expect(const char *site, int n, size_t *take);
/* At the end of a superstep. */
void bspi_announced_compare(void);
/* How many gets and messages there were in relaxed supersteps, and calls that announce them. */
void bspi_announced_sum(struct bspi_checked *sum);
/* A message is sent. */
void bspi_announced_sent(void);
/* Messages that wait are lost, in @call. */
void bspi_announced_lost(const char *call);
void bspi_announced_close(void);

/* ---- frames.c ---------------------------------------------------------------------- */

void bspi_frames_open(void);
/* Events of puts and gets. */
void bspi_frames_moved(const struct bspi_transfer *t);
/* bsp_sync begins at @site, or bsp_end. */
void bspi_frames_compare(const char *site, bool ending);
void bspi_frames_close(void);

/* ---- violation.c ------------------------------------------------------------------- */

/* A violation of a rule. Printed once for each format, call sites and numbers. */
struct bspi_violation {
	const char *call;
	int pid;		/* that called it, when and where */
	uint32_t step;
	const char *site;
	const char *other, *third;	/* other call sites in it, or NULL */
	uint64_t given, counted;
	uint64_t times;		/* 0 is once */
};

__attribute__((format(printf, 2, 3), cold))
void bspi_violation(const struct bspi_violation *v, const char *format, ...);
/* How often there was one here. */
uint64_t bspi_violations(void);
/* How many of them are not kept, since the table of different ones was full. */
uint64_t bspi_violations_unshown(void);
/* In bsp_end: process 0 gets what this process has found, as records that it takes. */
void bspi_violations_send(void);
void bspi_violations_take(const void *data);
/* On process 0: print them; @unshown of all processes are in none of these records. */
void bspi_violations_report(uint64_t unshown);
/* This process ends with an error. */
void bspi_violations_fail(void);
void bspi_violations_close(void);

/* Records for process 0, in bsp_end. */
enum bspi_checked_record {
	BSPI_CHECKED_SUM, BSPI_CHECKED_ROW, BSPI_CHECKED_PARTNERS, BSPI_CHECKED_VIOLATION,
};

/* Room for what follows such a record. */
void *bspi_checked_room(enum bspi_checked_record which, size_t nbytes);

/* ---- suggest.c ----------------------------------------------------------------------- */

/* The counts of the report: supersteps, calls, violations. */
struct bspi_checked {
	uint64_t supersteps, reads, puts, serves, gets, expects, messages, violations, unshown;
};

enum bspi_suggestion { BSPI_OF_READ, BSPI_OF_SERVE, BSPI_OF_EXPECT };

/* This @n would have been right. */
void bspi_suggest_note(enum bspi_suggestion of, const char *site, uint64_t n);
/* In bsp_end. */
void bspi_suggest_send(const struct bspi_checked *sum);
/* On process 0: what all have found is listed, with the verdict. */
void bspi_suggest_report(void);
void bspi_suggest_open(void);
void bspi_suggest_close(void);

#endif
