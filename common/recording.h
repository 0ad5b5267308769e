/* SPDX-License-Identifier: BSD-3-Clause */
/* recording.h - the file that a recorded run leaves: what each process did, and when. */

/*
 * A recording is a sequence of parts, one for each process, in any order: `cat` joins them. While
 * the program runs each process has a part of its own, FILE.RUN.part0 and so on, mapped into its
 * memory; so what was recorded is kept if the process dies. RUN are 16 digits, the number of the
 * run: no two runs share a file, whatever name they record to. A part is a head and a stream of
 * records. Numbers in the stream are unsigned and in base 128, lowest digits first, the top bit
 * of a byte says that another one follows. The first byte of a record is its kind:
 *
 *	SITE		length, text		a call site or the name of a call: the next number
 *	TRAFFIC		n, n times (what, process, area, calls, bytes): the next number
 *	NEIGHBORS_ARE	n, n times process	those of the next SYNC on that ends among neighbours
 *	SYNC		end, site, computed, waited, credit, traffic	bsp_sync or bsp_end
 *	READ		site, area, n, computed, waited			bsp_read
 *	EXPECT		site, n, computed, waited			bsp_expect
 *	SERVE		site, area, n					bsp_serve
 *	COLLECTIVE	site, name, bytes, computed, waited	bsp_wait, bsp_test: of no bytes
 *	SCHEDULE	site, name, computed, waited		goal_start, goal_wait ...
 *	DIRECT_GET	site, computed, waited			bsp_direct_get
 *	OFFLOADED	site, name, begin, took		a schedule that the kernel ran meanwhile
 *	OPERATION	name, peer + 1, bytes, begin, took	of the last OFFLOADED; no peer: 0
 *	PROCESSOR	ns		processor time of what is computed before the next call
 *	LIBRARY		ns		of that: in puts, gets and messages, by the library
 *	SECTION		site, name, since	bsp_section, ns since the end of the call before
 *	SECTION_END	site, name, since	bsp_section_end
 *	CALLED_BY	site, caller + 1	calls at that site from here on are of a function
 *			that is called from there; not known: 0
 *	NODE		number, length, text	the node of the process, and its machine's name
 *
 * Times are nanoseconds: from the end of the call before to the beginning of this one, and in it;
 * of OFFLOADED and OPERATION: from bsp_begin to its beginning, and its length. A PROCESSOR is there
 * only if it is shorter by one part of RECORDING_EXACT than the time computed; that also has what
 * the recording takes. A LIBRARY is there only if it is longer than one such part of the PROCESSOR.
 * A caller is a site with the text "OBJECT+0xADDRESS 0xADDRESS build=BUILD": instructions, relative
 * to their object, that call the function, and in the function that is called, which may be left
 * out; and 16 digits of common/build.h. A first address of 0: it is called from another object. Or,
 * of a language without instructions, it has the text that is shown: "step() heat.py:31".
 * Numbers of sites and of traffic count from 0 in each part. Transfers since the last SYNC are
 * in the traffic of the next one; if the part came near its limit only its sum is, as if all had
 * gone to process RECORDING_NO_PROCESS. At the limit the stream ends, and the rest of the run is in
 * the sums of the head, by call site.
 */
#ifndef RECORDING_H
#define RECORDING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#define RECORDING_MAGIC "bsprec8\n"
/*
 * Older ones, which are still read: without LIBRARY, and with a PROCESSOR only if it is shorter by
 * recording_is_short(); without NODE and builds; without callers; without sections;
 * without PROCESSOR; without NEIGHBORS_ARE and marks of ends.
 */
#define RECORDING_MAGIC_7 "bsprec7\n"
#define RECORDING_MAGIC_6 "bsprec6\n"
#define RECORDING_MAGIC_5 "bsprec5\n"
#define RECORDING_MAGIC_4 "bsprec4\n"
#define RECORDING_MAGIC_3 "bsprec3\n"
#define RECORDING_MAGIC_2 "bsprec2\n"
enum {
	RECORDING_ORDER = 0x01020304,	/* of the bytes of a number */
	RECORDING_SUMS = 64,
	RECORDING_SITE_MOST = 400,	/* bytes of a text */
	RECORDING_NAME = 4096,		/* of the name of a recording, with its folder */
	RECORDING_PART_NAME = RECORDING_NAME + 40,	/* and of a part of it */
	RECORDING_PROCESSES_MOST = 1 << 20,
	RECORDING_MISSING_MOST = 1 << 16,	/* processes without a part */
	RECORDING_MACHINE = 65,		/* bytes of the name of a machine, with its end */
	RECORDING_EXACT = 64,
	/* a note of the one that started the program: how the job ended; its stream is text */
	RECORDING_NOTE = UINT32_MAX,
};

#define RECORDING_NO_PROCESS UINT32_MAX
#define RECORDING_NO_NAME UINT32_MAX

enum recording_kind {
	RECORDING_SITE = 1,
	RECORDING_TRAFFIC,
	RECORDING_SYNC,
	RECORDING_READ,
	RECORDING_EXPECT,
	RECORDING_SERVE,
	RECORDING_COLLECTIVE,
	RECORDING_SCHEDULE,
	RECORDING_DIRECT_GET,
	RECORDING_OFFLOADED,
	RECORDING_OTHERS,		/* of a sum only: calls that found no sum of their own */
	RECORDING_OPERATION,
	RECORDING_NEIGHBORS_ARE,
	RECORDING_PROCESSOR,
	RECORDING_SECTION,
	RECORDING_SECTION_END,
	RECORDING_CALLED_BY,
	RECORDING_NODE,
	RECORDING_LIBRARY,
	RECORDING_KINDS
};

/* How a superstep ended; in the stream with marks. */
enum recording_end {
	RECORDING_BARRIER,
	RECORDING_RELAXED,
	RECORDING_LAST,
	RECORDING_NEIGHBORS,		/* among the neighbours of bsp_set_neighbors alone */
	RECORDING_ENDS,
	RECORDING_ALIKE = 8,		/* processes did what all do alike: a push, ... */
	RECORDING_MET = 16,		/* with a list, so they have met first */
};

enum recording_what {
	RECORDING_PUT,
	RECORDING_GET,
	RECORDING_MESSAGE,
	RECORDING_WHATS
};

/* Calls of one name at one place that the stream has no room for; kind 0: unused. */
struct recording_sum {
	uint32_t kind;
	uint32_t site, name;		/* numbers; RECORDING_NO_NAME: that of the kind */
	uint64_t calls;
	uint64_t computed, waited;	/* ns */
	uint64_t sent, bytes;		/* puts, gets and messages of these supersteps */
};

struct recording_head {
	char magic[8];
	uint32_t order;
	uint32_t head_bytes;		/* of this */
	uint64_t job;			/* the same in all parts of a run */
	uint32_t me, nprocs;
	uint64_t used;			/* bytes of the stream that are complete */
	uint64_t began_ns;		/* the clock in bsp_begin */
	uint64_t ended;			/* 1: bsp_end was called */
	uint64_t steps;			/* supersteps begun, with those in the sums */
	uint64_t virtual_clock;		/* 1: time is emulated */
	uint64_t summed;		/* supersteps whose traffic is a sum */
	uint64_t chunk;			/* bytes that the transport moves at once */
	uint64_t full;			/* error number, or 1: at the limit; 0: all is there */
	double L, o, g, G;		/* ns, ns for a byte: the transport's own estimate */
	char program[128], transport[32], emulate[256];
	uint64_t nsums;
	struct recording_sum sums[RECORDING_SUMS];
};

/* ---- Writing ------------------------------------------------------------------- */

/* The number of a run: random, and never 0. */
uint64_t recording_new_job(void);

/* The file of a part of @record; false if the name is too long. */
bool recording_part_name(char *name, size_t room, const char *record, uint64_t job, int pid);

/* Write a number at @at, which has room for 10 bytes; what comes after it. */
static inline unsigned char *recording_put(unsigned char *at, uint64_t value)
{
	while (value >= 0x80) {
		*at++ = (unsigned char)(value | 0x80);
		value >>= 7;
	}
	*at++ = (unsigned char)value;
	return at;
}

/*
 * How the job ended, if not well, into @record.RUN.end; by the one that sees it. The first note
 * stays. None if there are no parts, because they have been joined. @job 0: of a run of which this
 * process does not know the number.
 */
void recording_note_end(const char *record, uint64_t job, const char *text);

/*
 * Join the parts @record.RUN.partN, of @nprocs processes (0: as many as the first that is there
 * says), into @record, and remove them; @job 0: of the last run that has left parts. With them goes
 * a note of how the job ended: what @record.RUN.end says, or else @note, unless that is NULL. 0 or
 * an error number, and @record is as it was; *@found counts the parts, and without any @record is
 * as it was, too.
 */
int recording_join(const char *record, int nprocs, uint64_t job, const char *note, int *found);

/*
 * Remove all files whose names begin with that of @record and a point: of a name that is one run's
 * own, what is left if it was killed.
 */
void recording_remove_rest(const char *record);

/*
 * Is @processor so much less than @computed, ns, that the process had none for a part of it? The
 * rest may be what a recording takes.
 */
static inline bool recording_is_short(uint64_t processor, uint64_t computed)
{
	return processor < computed - computed / 10 && processor + 10000 < computed;
}

/* ---- Reading ------------------------------------------------------------------- */

struct recording_transfer {
	enum recording_what what;
	uint32_t pid;			/* or RECORDING_NO_PROCESS */
	uint32_t area;
	uint64_t calls, bytes;
};

/* The part of one process. */
struct recording_part {
	struct recording_head head;
	const unsigned char *stream;
	size_t len;
};

struct recording {
	struct recording_part *parts;	/* nprocs; those that are missing have head.nprocs 0 */
	int nprocs, present;
	const struct recording_head *first;	/* of the first part that is there */
	char note[512];			/* how the job ended, or empty */
	bool cut_off;			/* the end of the file is missing */
	void *map;
	size_t bytes;
};

bool recording_is_head(const struct recording_head *h);

/* 0, or -1 and in @why what is wrong with the file, which is then not open. */
int recording_open(struct recording *r, const char *path, char *why, size_t len);
void recording_close(struct recording *r);

/*
 * The clock at which the axis begins that all processes share: that of the first bsp_begin.
 * UINT64_MAX: clocks of different machines have nothing in common, so all processes begin there.
 */
uint64_t recording_axis(const struct recording *r);
/* On that axis, ns. */
uint64_t recording_began(const struct recording *r, int pid, uint64_t axis);

/*
 * A call that ends a piece of computation, what ran beside it (OFFLOADED, OPERATION), or, if the
 * cursor wants them, where a section begins or ends: in begin. Members as its kind has them.
 */
struct recording_event {
	enum recording_kind kind;
	enum recording_end end;
	bool alike, met;		/* of SYNC: the marks of its end */
	uint32_t step;			/* the superstep it is called in */
	const char *site, *name;	/* "" if not known; of SYNC: "bsp_end" or "" */
	const char *caller;		/* of a call: the text of CALLED_BY, or "" */
	uint32_t site_number;
	uint64_t begin, finish;		/* ns since bsp_begin of this process */
	uint64_t computed, credit;
	uint64_t processor;		/* time of a processor in that, at most all of it */
	uint64_t program;		/* of the processor: without calls of the library */
	uint32_t area;
	uint64_t n, bytes;
	int64_t peer;			/* of OPERATION; -1: none */
	uint32_t traffic;		/* number, for recording_traffic() */
};

/* Walks through a part. */
struct recording_cursor {
	const struct recording_part *part;
	const unsigned char *at, *end;
	uint64_t now;
	uint64_t processor;		/* of the next call; UINT64_MAX: all that it computed */
	uint64_t library;		/* of the next call, in that */
	bool with_sections;		/* set by the user: sections are events, too */
	uint32_t step;
	const unsigned char **traffic;	/* where each begins */
	size_t ntraffic, traffic_room;
	char **sites;
	size_t nsites, sites_room;
	uint32_t *callers;		/* of each site: number + 1, or 0 */
	size_t callers_room;
	int *neighbors;			/* of a SYNC that ends among neighbours */
	size_t nneighbors, neighbors_room;
	int32_t node;			/* of the process; -1: not known */
	char machine[RECORDING_MACHINE];	/* that it is on, or "" */
	struct recording_transfer *transfers;
	size_t transfers_room;
	const char *wrong;		/* NULL, or what is damaged */
};

void recording_begin(struct recording_cursor *c, const struct recording_part *part);
/*
 * The next event: true; false at the end, or where c->wrong says what is damaged. Texts last as
 * long as the cursor.
 */
bool recording_next(struct recording_cursor *c, struct recording_event *e);
/* The transfers of a traffic, until the next call; *@n is their number. */
const struct recording_transfer *recording_traffic(struct recording_cursor *c, uint32_t number,
						   size_t *n);
void recording_end(struct recording_cursor *c);

#endif
