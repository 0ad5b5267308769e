// SPDX-License-Identifier: BSD-3-Clause
/* recording.c - reading recordings. */

/*
 * A file may be cut off, damaged or no recording at all, so every number that is read is checked
 * before it is used. A part that ends within a record is what a process leaves that died; head.used
 * says how far it is complete.
 */

#include "recording.h"

#include "input.h"
#include "text.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* ns: clocks of one machine are not farther apart. */
enum { CLOCKS_APART = 1000000000 };

/* ---- Opening ------------------------------------------------------------------------------ */

bool recording_is_head(const struct recording_head *h)
{
	static const char *const magics[] = {
		RECORDING_MAGIC, RECORDING_MAGIC_7, RECORDING_MAGIC_6, RECORDING_MAGIC_5,
		RECORDING_MAGIC_4, RECORDING_MAGIC_3, RECORDING_MAGIC_2,
	};

	for (size_t i = 0; i < sizeof(magics) / sizeof(magics[0]); i++)
		if (memcmp(h->magic, magics[i], sizeof(h->magic)) == 0)
			return h->order == RECORDING_ORDER && h->head_bytes == sizeof(*h);
	return false;
}

static int refuse(struct recording *r, const char *why, char *text, size_t len)
{
	snprintf(text, len, "%s", why);
	recording_close(r);
	return -1;
}

static int map_file(struct recording *r, const char *path)
{
	int fd = input_descriptor(path), err = 0;
	struct stat st;
	void *at = NULL;

	if (fd < 0)
		return errno;
	if (fstat(fd, &st) < 0)
		err = errno;
	else if (st.st_size)
		at = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	if (at == MAP_FAILED)
		err = errno;
	close(fd);
	if (err)
		return err;
	r->bytes = (size_t)st.st_size;
	r->map = at;
	return 0;
}

/* Texts of a head end, and can be printed, whatever is in the file. */
static void end_texts(struct recording_head *h)
{
	h->program[sizeof(h->program) - 1] = '\0';
	h->transport[sizeof(h->transport) - 1] = '\0';
	h->emulate[sizeof(h->emulate) - 1] = '\0';
	text_make_printable(h->program);
	text_make_printable(h->transport);
	text_make_printable(h->emulate);
}

static const char *make_room(struct recording *r, const struct recording_head *h)
{
	if (h->nprocs < 1 || h->nprocs > RECORDING_PROCESSES_MOST)
		return "it names an impossible number of processes";
	r->nprocs = (int)h->nprocs;
	r->parts = calloc(h->nprocs, sizeof(*r->parts));
	return r->parts ? NULL : "there is no memory for it";
}

static const char *add_part(struct recording *r, const struct recording_head *h,
			    const unsigned char *stream, size_t len)
{
	const char *wrong = r->parts ? NULL : make_room(r, h);
	size_t note_len = h->used < sizeof(r->note) - 1 ? h->used : sizeof(r->note) - 1;
	struct recording_part *part;

	if (wrong)
		return wrong;
	if (h->me == RECORDING_NOTE) {
		memcpy(r->note, stream, note_len);
		r->note[note_len] = '\0';
		text_make_printable(r->note);
		return NULL;
	}
	if ((int)h->nprocs != r->nprocs || h->me >= h->nprocs ||
	    (r->first && h->job != r->first->job))
		return "its parts are not of one run";
	if (r->parts[h->me].head.nprocs)
		return "it has a process twice";
	if (h->nsums > RECORDING_SUMS)
		return "its sums are damaged";
	part = &r->parts[h->me];
	part->head = *h;
	end_texts(&part->head);
	part->stream = stream;
	part->len = len;
	r->present++;
	if (!r->first || h->me < r->first->me)
		r->first = &part->head;
	return NULL;
}

/* A part whose end is missing is kept as far as it goes. */
static const char *find_part(struct recording *r, size_t *at)
{
	const unsigned char *bytes = (const unsigned char *)r->map + *at;
	size_t left = r->bytes - *at;
	struct recording_head head;
	const char *wrong;

	if (left < sizeof(head)) {
		r->cut_off = *at > 0;
		*at = r->bytes;
		return r->cut_off ? NULL : "it is no recording of bsprun --record, or cut off";
	}
	memcpy(&head, bytes, sizeof(head));
	if (!recording_is_head(&head))
		return *at ? "it is damaged behind a part" :
			"it is no recording of bsprun --record of this version";
	left -= sizeof(head);
	r->cut_off |= head.used > left;
	if (left > head.used)
		left = head.used;
	head.used = left;
	wrong = add_part(r, &head, bytes + sizeof(head), left);
	*at += sizeof(head) + left;
	return wrong;
}

int recording_open(struct recording *r, const char *path, char *why, size_t len)
{
	const char *wrong = NULL;
	size_t at = 0;
	int err;

	*r = (struct recording){ .nprocs = 0 };
	err = map_file(r, path);
	if (err)
		return refuse(r, input_reason(err), why, len);
	while (!wrong && at < r->bytes)
		wrong = find_part(r, &at);
	if (!wrong && !r->present)
		wrong = "it is empty";
	/* each takes time and memory, and so many may be what a damaged number says */
	if (!wrong && r->nprocs - r->present > RECORDING_MISSING_MOST)
		wrong = "it lacks more than 65536 of the processes that it names";
	return wrong ? refuse(r, wrong, why, len) : 0;
}

uint64_t recording_axis(const struct recording *r)
{
	uint64_t least = UINT64_MAX, most = 0;

	for (int q = 0; q < r->nprocs; q++) {
		const struct recording_head *h = &r->parts[q].head;

		if (h->nprocs && h->began_ns < least)
			least = h->began_ns;
		if (h->nprocs && h->began_ns > most)
			most = h->began_ns;
	}
	return most - least <= CLOCKS_APART ? least : UINT64_MAX;
}

uint64_t recording_began(const struct recording *r, int pid, uint64_t axis)
{
	const struct recording_head *h = &r->parts[pid].head;

	return h->nprocs && axis != UINT64_MAX ? h->began_ns - axis : 0;
}

void recording_close(struct recording *r)
{
	if (r->map)
		munmap(r->map, r->bytes);
	free(r->parts);
	*r = (struct recording){ .nprocs = 0 };
}

/* ---- Records ------------------------------------------------------------------------------ */

void recording_begin(struct recording_cursor *c, const struct recording_part *part)
{
	*c = (struct recording_cursor){
		.part = part, .at = part->stream, .end = part->stream + part->len,
		.processor = UINT64_MAX, .node = -1,
	};
}

static void cursor_refuse(struct recording_cursor *c, const char *wrong)
{
	if (!c->wrong)
		c->wrong = wrong;
	c->at = c->end;
}

static uint64_t number(struct recording_cursor *c)
{
	uint64_t value = 0;

	for (int shift = 0; c->at < c->end && shift < 64; shift += 7) {
		unsigned char byte = *c->at++;

		value |= (uint64_t)(byte & 0x7f) << shift;
		if (!(byte & 0x80))
			return value;
	}
	cursor_refuse(c, "a number is cut off");
	return 0;
}

/* One more element of an array. */
static void *grown(struct recording_cursor *c, void *array, size_t n, size_t size, size_t *room)
{
	void *more;

	if (n < *room)
		return array;
	more = realloc(array, (2 * *room + 16) * size);
	if (!more) {
		cursor_refuse(c, "there is no memory for it");
		return NULL;
	}
	*room = 2 * *room + 16;
	return more;
}

static void take_site(struct recording_cursor *c)
{
	uint64_t len = number(c);
	uint32_t *callers;
	char **sites;

	if (len > RECORDING_SITE_MOST || len > (size_t)(c->end - c->at)) {
		cursor_refuse(c, "the text of a call site is cut off");
		return;
	}
	sites = grown(c, c->sites, c->nsites, sizeof(*sites), &c->sites_room);
	if (!sites)
		return;
	c->sites = sites;
	callers = grown(c, c->callers, c->nsites, sizeof(*callers), &c->callers_room);
	if (!callers)
		return;
	c->callers = callers;
	callers[c->nsites] = 0;
	sites[c->nsites] = strndup((const char *)c->at, len);
	if (!sites[c->nsites]) {
		cursor_refuse(c, "there is no memory for it");
		return;
	}
	text_make_printable(sites[c->nsites]);
	c->nsites++;
	c->at += len;
}

static bool take_transfer(struct recording_cursor *c, struct recording_transfer *t)
{
	uint64_t what = number(c), pid = number(c), area = number(c);

	t->what = (enum recording_what)what;
	t->pid = (uint32_t)pid;
	t->area = (uint32_t)area;
	t->calls = number(c);
	t->bytes = number(c);
	if (what >= RECORDING_WHATS || area > UINT32_MAX ||
	    (pid >= c->part->head.nprocs && pid != RECORDING_NO_PROCESS))
		cursor_refuse(c, "a transfer goes to a process that there is not");
	return !c->wrong;
}

static void skip_traffic(struct recording_cursor *c)
{
	const unsigned char *begin = c->at;
	uint64_t n = number(c);
	const unsigned char **traffic;
	struct recording_transfer t;

	for (uint64_t i = 0; i < n && take_transfer(c, &t); i++)
		;
	if (c->wrong)
		return;
	traffic = grown(c, c->traffic, c->ntraffic, sizeof(*traffic), &c->traffic_room);
	if (!traffic)
		return;
	c->traffic = traffic;
	c->traffic[c->ntraffic++] = begin;
}

const struct recording_transfer *recording_traffic(struct recording_cursor *c, uint32_t which,
						   size_t *n)
{
	struct recording_cursor at = *c;
	uint64_t count;

	at.at = c->traffic[which];
	count = number(&at);
	if (count > c->transfers_room) {
		struct recording_transfer *more = realloc(c->transfers, count * sizeof(*more));

		if (!more) {
			cursor_refuse(c, "there is no memory for it");
			*n = 0;
			return NULL;
		}
		c->transfers = more;
		c->transfers_room = count;
	}
	for (uint64_t i = 0; i < count; i++)
		take_transfer(&at, &c->transfers[i]);
	*n = count;
	return c->transfers;
}

static void take_neighbors(struct recording_cursor *c)
{
	uint64_t n = number(c);
	int *more;

	c->nneighbors = 0;
	while (c->nneighbors < n && !c->wrong) {
		uint64_t pid = number(c);

		more = grown(c, c->neighbors, c->nneighbors, sizeof(*more), &c->neighbors_room);
		if (!more)
			return;
		c->neighbors = more;
		if (pid >= c->part->head.nprocs || pid == c->part->head.me)
			cursor_refuse(c, "a neighbour is a process that there is not");
		else
			more[c->nneighbors++] = (int)pid;
	}
}

static const char *site_of(struct recording_cursor *c, uint64_t which)
{
	if (which < c->nsites)
		return c->sites[which];
	cursor_refuse(c, "a call site is not defined");
	return "";
}

static const char *caller_of(const struct recording_cursor *c, uint32_t site)
{
	return site < c->nsites && c->callers[site] ? c->sites[c->callers[site] - 1] : "";
}

static void take_caller(struct recording_cursor *c)
{
	uint64_t site = number(c), caller = number(c);

	if (site >= c->nsites || caller > c->nsites)
		cursor_refuse(c, "a call site is not defined");
	else
		c->callers[site] = (uint32_t)caller;
}

static void take_node(struct recording_cursor *c)
{
	uint64_t node = number(c), len = number(c);

	if (c->wrong || len > (size_t)(c->end - c->at) || node >= c->part->head.nprocs) {
		cursor_refuse(c, "the node of the process is damaged");
		return;
	}
	c->node = (int32_t)node;
	snprintf(c->machine, sizeof(c->machine), "%.*s", (int)(len < sizeof(c->machine) ? len :
		 sizeof(c->machine) - 1), (const char *)c->at);
	text_make_printable(c->machine);
	c->at += len;
}

static void take_times(struct recording_cursor *c, struct recording_event *e)
{
	e->computed = number(c);
	e->processor = c->processor < e->computed ? c->processor : e->computed;
	e->program = e->processor - (c->library < e->processor ? c->library : e->processor);
	c->processor = UINT64_MAX;
	c->library = 0;
	e->begin = c->now + e->computed;
	e->finish = e->begin + number(c);
	if (e->begin < c->now || e->finish < e->begin)
		cursor_refuse(c, "a time is impossible");
	c->now = e->finish;
}

static void take_sync(struct recording_cursor *c, struct recording_event *e)
{
	uint64_t end = number(c), traffic;

	e->site_number = (uint32_t)number(c);
	e->site = site_of(c, e->site_number);
	e->caller = caller_of(c, e->site_number);
	take_times(c, e);
	e->credit = number(c);
	traffic = number(c);
	e->end = (enum recording_end)(end % RECORDING_ALIKE);
	e->alike = end & RECORDING_ALIKE;
	e->met = end & RECORDING_MET;
	e->traffic = (uint32_t)traffic;
	if (e->end == RECORDING_LAST)
		e->name = "bsp_end";
	if (end >= 2 * RECORDING_MET || e->end >= RECORDING_ENDS || traffic >= c->ntraffic)
		cursor_refuse(c, "a superstep is damaged");
	c->step++;
}

static void take_call(struct recording_cursor *c, struct recording_event *e)
{
	e->site_number = (uint32_t)number(c);
	e->site = site_of(c, e->site_number);
	e->caller = caller_of(c, e->site_number);
	if (e->kind == RECORDING_COLLECTIVE || e->kind == RECORDING_SCHEDULE)
		e->name = site_of(c, number(c));
	if (e->kind == RECORDING_COLLECTIVE)
		e->bytes = number(c);
	if (e->kind == RECORDING_READ || e->kind == RECORDING_SERVE)
		e->area = (uint32_t)number(c);
	if (e->kind == RECORDING_READ || e->kind == RECORDING_SERVE || e->kind == RECORDING_EXPECT)
		e->n = number(c);
	if (e->kind == RECORDING_SERVE)
		e->begin = e->finish = c->now;
	else
		take_times(c, e);
}

/* A begin and an end, neither counted from the event before. */
static void take_span(struct recording_cursor *c, struct recording_event *e)
{
	e->begin = number(c);
	e->finish = e->begin + number(c);
	if (e->finish < e->begin)
		cursor_refuse(c, "a time is impossible");
}

static void take_offloaded(struct recording_cursor *c, struct recording_event *e)
{
	e->site = site_of(c, number(c));
	e->name = site_of(c, number(c));
	take_span(c, e);
}

static void take_operation(struct recording_cursor *c, struct recording_event *e)
{
	uint64_t peer;

	e->name = site_of(c, number(c));
	peer = number(c);
	e->peer = peer <= RECORDING_PROCESSES_MOST ? (int64_t)peer - 1 : -1;
	e->bytes = number(c);
	take_span(c, e);
}

/* Between calls, of which the time goes on. */
static void take_section(struct recording_cursor *c, struct recording_event *e)
{
	e->site = site_of(c, number(c));
	e->name = site_of(c, number(c));
	e->begin = e->finish = c->now + number(c);
	if (e->begin < c->now)
		cursor_refuse(c, "a time is impossible");
}

static bool is_of_section(unsigned int kind)
{
	return kind == RECORDING_SECTION || kind == RECORDING_SECTION_END;
}

/* Else it says what events after it refer to. */
static bool is_event(const struct recording_cursor *c, unsigned int kind)
{
	return kind >= RECORDING_SYNC && kind != RECORDING_NEIGHBORS_ARE &&
	       kind != RECORDING_PROCESSOR && kind != RECORDING_CALLED_BY &&
	       kind != RECORDING_NODE && kind != RECORDING_LIBRARY &&
	       (!is_of_section(kind) || c->with_sections);
}

bool recording_next(struct recording_cursor *c, struct recording_event *e)
{
	uint64_t now = c->now;
	uint32_t step = c->step;

	while (c->at < c->end) {
		unsigned int kind = *c->at++;

		*e = (struct recording_event){
			.kind = (enum recording_kind)kind, .step = c->step, .site = "", .name = "",
			.caller = "",
		};
		if (kind == RECORDING_SITE)
			take_site(c);
		else if (kind == RECORDING_TRAFFIC)
			skip_traffic(c);
		else if (kind == RECORDING_NEIGHBORS_ARE)
			take_neighbors(c);
		else if (kind == RECORDING_PROCESSOR)
			c->processor = number(c);
		else if (kind == RECORDING_LIBRARY)
			c->library = number(c);
		else if (kind == RECORDING_CALLED_BY)
			take_caller(c);
		else if (kind == RECORDING_NODE)
			take_node(c);
		else if (kind == RECORDING_SYNC)
			take_sync(c, e);
		else if (kind == RECORDING_OFFLOADED)
			take_offloaded(c, e);
		else if (kind == RECORDING_OPERATION)
			take_operation(c, e);
		else if (is_of_section(kind))
			take_section(c, e);
		else if (kind > RECORDING_SYNC && kind < RECORDING_OFFLOADED)
			take_call(c, e);
		else
			cursor_refuse(c, "a record is of no known kind");
		if (is_event(c, kind) && !c->wrong)
			return true;
		/*
		 * A record that is damaged has not happened: neither its time nor, if it is one,
		 * its superstep.
		 */
		if (is_event(c, kind)) {
			c->now = now;
			c->step = step;
			return false;
		}
	}
	return false;
}

void recording_end(struct recording_cursor *c)
{
	for (size_t i = 0; i < c->nsites; i++)
		free(c->sites[i]);
	free(c->sites);
	free(c->callers);
	free(c->traffic);
	free(c->transfers);
	free(c->neighbors);
	*c = (struct recording_cursor){ .at = NULL };
}
