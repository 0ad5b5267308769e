/* SPDX-License-Identifier: BSD-3-Clause */
/* prof_section.h - for prof_load(): sections of the program, and what of a run counts. */
#ifndef PROF_SECTION_H
#define PROF_SECTION_H

#include "prof.h"

/* A section that is open. */
struct prof_open {
	uint32_t section;
	bool is_outer;			/* no other of that name is */
	uint64_t computed, waited;	/* of the process, when it began */
};

/* One process on its way: the sections that are open, the last to begin last. */
struct prof_inside {
	struct prof_open *open;
	size_t n, room;
	size_t nchosen;			/* of these, by prof_choice */
	uint64_t since;			/* up to here its time is counted */
	uint64_t all_computed, all_waited;
	uint64_t computed;		/* since the last call, of what counts */
	bool counts;			/* what is done now */
	uint64_t times;			/* that it has begun to count */
};

/* False: no memory. */
bool prof_inside_begin(struct prof *p, struct prof_inside *in, uint64_t since);
void prof_inside_free(struct prof_inside *in);

/* A section of @pid begins or ends, as @e says; times are @offset later. False: no memory. */
bool prof_section_turn(struct prof *p, struct prof_inside *in, int pid,
		       const struct recording_event *e, uint64_t offset);
/* A call, to which in->computed and in->counts belong. */
void prof_section_call(struct prof_inside *in, const struct recording_event *e, uint64_t offset);
/* After that call. */
void prof_section_go_on(struct prof_inside *in);
/* The last call of @pid has ended: so have its sections. */
void prof_section_end(struct prof *p, struct prof_inside *in, int pid);

/*
 * When all is loaded: how long sections last, and of p->time what counts. 0, or -1 and in @why that
 * the section that is to count is none.
 */
int prof_sections_finish(struct prof *p, char *why, size_t len);
void prof_sections_free(struct prof *p);

#endif
