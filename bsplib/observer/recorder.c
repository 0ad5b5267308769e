// SPDX-License-Identifier: BSD-3-Clause
/* recorder.c - what this process does, and when, into a file that bspprof reads. */

/*
 * The form is that of common/recording.h. The file of this process, which no other run has or can
 * cut off, is mapped and grows in steps, so what is recorded survives the process, and a disk that
 * is full is noticed before memory of the file is touched. It never grows beyond BSP_RECORD_LIMIT:
 * at three quarters the destinations of transfers are left out, and at the end of the room calls
 * are added up by their call site, in the head.
 *
 * A put adds to the counters of its destination and area; the last one is remembered, as programs
 * put to the same again. At the end of a superstep the counters become a traffic, and one that was
 * there before is a number only. So a regular program takes 10 to 20 bytes a superstep. A table
 * says where those of before are in the stream; it counts against the limit.
 */

#include "bsplib/observer/recorder.h"

#include "bsplib/core/base.h"
#include "bsplib/core/error.h"
#include "bsplib/core/observe.h"
#include "bsplib/core/site.h"
#include "bsplib/core/state.h"
#include "bsplib/engine/clock.h"
#include "bsplib/engine/out.h"
#include "bsplib/observer/callers.h"
#include "bsplib/observer/computed.h"
#include "bsplib/observer/gather.h"
#include "bsplib/observer/numbers.h"
#include "bsplib/sync/barrier.h"
#include "bsplib/sync/meet.h"
#include "bsplib/transfer/drma.h"
#include "bsplib/transfer/reach.h"

#include "common/recording.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum {
	GROWTH = 1 << 20,	/* bytes by which the file grows */
	EVENT_MOST = 128,	/* bytes of a record that has neither text nor transfers */
	TRANSFER_MOST = 40,	/* bytes of a transfer */
	NUMBER_MOST = 5,	/* bytes of the number of a process */
	TEXT_PART = 16,		/* of the room one part in so many is for texts only */
	NO_PROCESS = 0x3fffffff,	/* in a key: of a sum, which has no destination */
};

/* Transfers of this superstep to one process and area, of one kind. */
struct counted {
	uint64_t key;
	uint64_t calls, bytes;
};

/* A traffic that has a number. */
struct known {
	uint64_t at;		/* in the stream, after the kind of the record */
	uint32_t hash, bytes;
};

static struct {
	struct recording_head *head;	/* mapped, or NULL: nothing is recorded */
	unsigned char *stream;
	int fd;
	uint64_t limit, room;	/* bytes of the stream, that it may have and that the file has */
	char record[RECORDING_NAME];	/* name of the recording */
	int part;		/* SPMD parts before this one */
	uint64_t job;		/* number of the run, in the names of its files */

	uint64_t last, began;	/* end of the last call; beginning of that under way */
	struct bspi_computed computed;	/* between them, with a processor */
	uint64_t credit_began, credit;
	enum recording_kind kind;	/* of it */
	const char *site, *call;	/* its, and its name */
	const char *caller;		/* of the function with the call, or NULL */
	uint32_t area;
	uint64_t n, bytes;
	enum recording_end end;
	uint64_t marks;			/* of this end: RECORDING_ALIKE and so on */
	unsigned int list;		/* of neighbours: the number of the one recorded last */

	struct counted *counted;	/* of this superstep */
	size_t ncounted, counted_room, last_counted;
	struct bspi_numbers counted_numbers;	/* by key */

	const char **sites;		/* pointers, by their number */
	size_t nsites, sites_room;
	struct bspi_numbers site_numbers;
	unsigned char *traffic;		/* of this superstep, as the stream would have it */
	size_t traffic_bytes, traffic_room;
	struct known *known;
	size_t nknown, known_room;
	struct bspi_numbers known_numbers;
} rec;

/* ---- The file ----------------------------------------------------------------------------- */

/* The file grows to @bytes of the stream; false: the disk is full. */
static bool grow_file(uint64_t bytes)
{
	uint64_t room = rec.room;
	int err;

	while (room < bytes)
		room += GROWTH;
	room = room < rec.limit ? room : rec.limit;
	err = posix_fallocate(rec.fd, 0, (off_t)(sizeof(*rec.head) + room));
	if (err)
		rec.head->full = err > 1 ? (uint64_t)err : EIO;
	else
		rec.room = room;
	return !err;
}

/* The bytes that count against the limit: the stream, and the table of traffics with its hash. */
static uint64_t bytes_taken(void)
{
	return rec.head->used + 2 * rec.nknown * sizeof(*rec.known);
}

/* Room for @bytes more; once there is none, none comes after it. */
static bool has_room(uint64_t bytes)
{
	uint64_t used = rec.head->used + bytes;

	if (rec.head->full)
		return false;
	if (bytes_taken() + bytes > rec.limit - rec.limit / TEXT_PART)
		rec.head->full = 1;
	return !rec.head->full && (used <= rec.room || grow_file(used));
}

static unsigned char *open_record(enum recording_kind kind)
{
	unsigned char *at = rec.stream + rec.head->used;

	*at++ = (unsigned char)kind;
	return at;
}

/* A reader of the file finds whole records, also after this process has died. */
static void close_record(const unsigned char *end)
{
	__atomic_store_n(&rec.head->used, (uint64_t)(end - rec.stream), __ATOMIC_RELEASE);
}

/* ---- Call sites --------------------------------------------------------------------------- */

static bool site_is(uint32_t number, const void *site)
{
	return rec.sites[number] == site;
}

static uint64_t hash_of_site(uint32_t number)
{
	return bspi_numbers_hash((uintptr_t)rec.sites[number]);
}

/*
 * The number of a call site, or of the name of a call. The text of a new one is written, and has
 * room when there is none for anything else: sums name their call sites.
 */
static uint32_t recorder_number_of(const char *site, bool is_name)
{
	uint32_t *number;
	const char *text;
	unsigned char *at;
	uint64_t used;
	size_t len;

	bspi_numbers_make_room(&rec.site_numbers, hash_of_site);
	number = bspi_numbers_find(&rec.site_numbers, bspi_numbers_hash((uintptr_t)site), site_is,
				   site);
	if (*number)
		return *number - 1;
	rec.sites = bspi_grow(rec.sites, rec.nsites, sizeof(*rec.sites), &rec.sites_room);
	rec.sites[rec.nsites++] = site;
	*number = (uint32_t)rec.nsites;
	rec.site_numbers.n++;
	text = is_name ? site : site ? bspi_site_text(site) : "";
	len = strnlen(text, RECORDING_SITE_MOST);
	used = rec.head->used + len + EVENT_MOST;
	if (rec.head->full <= 1 && used <= rec.limit && (used <= rec.room || grow_file(used))) {
		at = recording_put(open_record(RECORDING_SITE), len);
		memcpy(at, text, len);
		close_record(at + len);
	}
	return *number - 1;
}

/* ---- Traffic ------------------------------------------------------------------------------ */

static bool counted_is(uint32_t number, const void *key)
{
	return rec.counted[number].key == *(const uint64_t *)key;
}

static uint64_t hash_of_counted(uint32_t number)
{
	return bspi_numbers_hash(rec.counted[number].key);
}

static struct counted *counted_of(uint64_t key)
{
	uint32_t *at;

	bspi_numbers_make_room(&rec.counted_numbers, hash_of_counted);
	at = bspi_numbers_find(&rec.counted_numbers, bspi_numbers_hash(key), counted_is, &key);
	if (!*at) {
		rec.counted = bspi_grow(rec.counted, rec.ncounted, sizeof(*rec.counted),
					&rec.counted_room);
		rec.counted[rec.ncounted++] = (struct counted){ .key = key };
		*at = (uint32_t)rec.ncounted;
		rec.counted_numbers.n++;
	}
	rec.last_counted = *at - 1;
	return &rec.counted[*at - 1];
}

static inline void count_transfer(enum recording_what what, int64_t pid, uint32_t area,
				  uint64_t bytes)
{
	uint64_t key = (uint64_t)what << 62 | (uint64_t)pid << 32 | area;
	struct counted *c = &rec.counted[rec.last_counted];

	if (BSPI_UNLIKELY(rec.last_counted >= rec.ncounted || c->key != key))
		c = counted_of(key);
	c->calls++;
	c->bytes += bytes;
}

static void forget_counted(void)
{
	if (rec.counted_numbers.n > rec.counted_numbers.room / 16) {
		memset(rec.counted_numbers.at, 0,
		       rec.counted_numbers.room * sizeof(*rec.counted_numbers.at));
	} else {
		for (size_t i = rec.ncounted; i-- > 0;)
			*bspi_numbers_find(&rec.counted_numbers, hash_of_counted((uint32_t)i),
					   counted_is, &rec.counted[i].key) = 0;
	}
	rec.counted_numbers.n = 0;
	rec.ncounted = 0;
	rec.last_counted = 0;
}

/* Into rec.traffic. */
static void encode_traffic(void)
{
	size_t most = (rec.ncounted + 1) * TRANSFER_MOST;
	unsigned char *at;

	if (rec.traffic_room < most) {
		free(rec.traffic);
		rec.traffic = malloc(2 * most);
		rec.traffic_room = 2 * most;
		if (!rec.traffic)
			bspi_fail_memory("bsp_sync", NULL);
	}
	at = recording_put(rec.traffic, rec.ncounted);
	for (size_t i = 0; i < rec.ncounted; i++) {
		const struct counted *c = &rec.counted[i];
		uint32_t pid = c->key >> 32 & NO_PROCESS;

		at = recording_put(at, c->key >> 62);
		at = recording_put(at, pid == NO_PROCESS ? RECORDING_NO_PROCESS : pid);
		at = recording_put(at, c->key & UINT32_MAX);
		at = recording_put(at, c->calls);
		at = recording_put(at, c->bytes);
	}
	rec.traffic_bytes = (size_t)(at - rec.traffic);
}

static bool known_is(uint32_t number, const void *hash)
{
	const struct known *k = &rec.known[number];

	return k->hash == *(const uint32_t *)hash && k->bytes == rec.traffic_bytes &&
	       memcmp(rec.stream + k->at, rec.traffic, k->bytes) == 0;
}

static uint64_t hash_of_known(uint32_t number)
{
	return rec.known[number].hash;
}

/* Where the number of the traffic in rec.traffic stands, or may stand. */
static uint32_t *find_traffic(uint32_t *hash)
{
	*hash = bspi_numbers_hash_bytes(rec.traffic, rec.traffic_bytes);
	bspi_numbers_make_room(&rec.known_numbers, hash_of_known);
	return bspi_numbers_find(&rec.known_numbers, *hash, known_is, hash);
}

/* It gets the next number; false: there is no room for it. */
static bool write_traffic(uint32_t hash, uint32_t *number)
{
	unsigned char *at;

	if (!has_room(rec.traffic_bytes + EVENT_MOST))
		return false;
	rec.known = bspi_grow(rec.known, rec.nknown, sizeof(*rec.known), &rec.known_room);
	at = open_record(RECORDING_TRAFFIC);
	rec.known[rec.nknown++] = (struct known){ .at = (uint64_t)(at - rec.stream), .hash = hash,
						  .bytes = (uint32_t)rec.traffic_bytes };
	*number = (uint32_t)rec.nknown;
	rec.known_numbers.n++;
	memcpy(at, rec.traffic, rec.traffic_bytes);
	close_record(at + rec.traffic_bytes);
	return true;
}

/* Near the limit: what is of one kind is one transfer, which has no destination. */
static void add_up_counted(void)
{
	struct counted sum[RECORDING_WHATS] = { { .key = 0 } };
	size_t n = 0;

	for (size_t i = 0; i < rec.ncounted; i++) {
		struct counted *s = &sum[rec.counted[i].key >> 62];

		s->calls += rec.counted[i].calls;
		s->bytes += rec.counted[i].bytes;
	}
	forget_counted();
	for (int what = 0; what < RECORDING_WHATS; what++)
		if (sum[what].calls) {
			struct counted *c = counted_of((uint64_t)what << 62 |
						       (uint64_t)NO_PROCESS << 32);

			c->calls = sum[what].calls;
			c->bytes = sum[what].bytes;
			n++;
		}
	rec.head->summed += n > 0;
}

/* false: neither is it there nor has it room. */
static bool number_of_traffic(uint32_t *number)
{
	uint32_t hash, *at;

	encode_traffic();
	at = find_traffic(&hash);
	if (!*at && bytes_taken() > rec.limit / 4 * 3 && rec.ncounted > RECORDING_WHATS) {
		add_up_counted();
		encode_traffic();
		at = find_traffic(&hash);
	}
	if (!*at && !write_traffic(hash, at))
		return false;
	*number = *at - 1;
	return true;
}

/* ---- Sums --------------------------------------------------------------------------------- */

static void add_to_sum(enum recording_kind kind, uint32_t site, uint32_t name, uint64_t now)
{
	struct recording_sum *s = bspi_recorder_sum(rec.head, kind, site, name);

	s->calls++;
	s->computed += rec.began - rec.last;
	s->waited += now - rec.began;
	for (size_t i = 0; kind == RECORDING_SYNC && i < rec.ncounted; i++) {
		s->sent += rec.counted[i].calls;
		s->bytes += rec.counted[i].bytes;
	}
}

/* ---- Calls -------------------------------------------------------------------------------- */

static void call_is_begun(enum recording_kind kind, const char *site)
{
	if (!rec.last)
		rec.last = rec.head->began_ns = bspi.began_ns;
	rec.began = bspi_now();
	rec.computed = bspi_computed_take();
	rec.kind = kind;
	rec.site = site;
	/* sums name no callers, and what has room behind the limit is for their call sites */
	rec.caller = rec.head->full ? NULL : bspi_caller_of(site);
}

static void write_number(enum recording_kind kind, uint64_t n)
{
	close_record(recording_put(open_record(kind), n));
}

/* Before the record of the call, unless it is next to all of the time, or next to nothing of it. */
static void write_processor(void)
{
	const struct bspi_computed *c = &rec.computed;
	uint64_t most = rec.began - rec.last;

	if (!bspi.clock && c->processor < most - most / RECORDING_EXACT)
		write_number(RECORDING_PROCESSOR, c->processor);
	if (c->library > c->processor / RECORDING_EXACT)
		write_number(RECORDING_LIBRARY, c->library);
}

/* Unless the last call at this site had the same. Its text is there, as that needs room, too. */
static void write_caller(uint32_t site, uint32_t caller)
{
	unsigned char *at;

	if (!bspi_caller_changes(site, caller))
		return;
	at = recording_put(open_record(RECORDING_CALLED_BY), site);
	close_record(recording_put(at, caller));
}

static unsigned char *put_times(unsigned char *at, uint64_t now)
{
	at = recording_put(at, rec.began - rec.last);
	return recording_put(at, now - rec.began);
}

/* The list that this superstep ends with, unless it is there already; false: it has no room. */
static bool write_neighbors(void)
{
	unsigned char *at;

	if (rec.end != RECORDING_NEIGHBORS || rec.list == bspi_neighbors.number)
		return true;
	if (!has_room(EVENT_MOST + (uint64_t)bspi_neighbors.n * NUMBER_MOST))
		return false;
	at = recording_put(open_record(RECORDING_NEIGHBORS_ARE), (uint64_t)bspi_neighbors.n);
	for (int i = 0; i < bspi_neighbors.n; i++)
		at = recording_put(at, (uint64_t)bspi_neighbors.pids[i]);
	close_record(at);
	rec.list = bspi_neighbors.number;
	return true;
}

static void write_sync(uint32_t site, uint64_t now)
{
	uint32_t caller = rec.caller ? recorder_number_of(rec.caller, true) + 1 : 0, traffic;
	unsigned char *at;

	if (rec.head->full || !number_of_traffic(&traffic) || !write_neighbors() ||
	    !has_room(EVENT_MOST)) {
		add_to_sum(RECORDING_SYNC, site, rec.end == RECORDING_LAST ?
			   recorder_number_of("bsp_end", true) : RECORDING_NO_NAME, now);
		return;
	}
	write_processor();
	write_caller(site, caller);
	at = recording_put(open_record(RECORDING_SYNC), rec.end + rec.marks);
	at = recording_put(at, site);
	at = put_times(at, now);
	at = recording_put(at, rec.credit);
	close_record(recording_put(at, traffic));
}

static void sync_is_over(uint64_t now)
{
	write_sync(recorder_number_of(rec.site, false), now);
	forget_counted();
	rec.head->steps++;
	rec.last = now;
}

static bool has_name(enum recording_kind kind)
{
	return kind == RECORDING_COLLECTIVE || kind == RECORDING_SCHEDULE;
}

static void write_call(enum recording_kind kind, uint64_t now)
{
	uint32_t site = recorder_number_of(rec.site, false);
	uint32_t name = has_name(kind) ? recorder_number_of(rec.call, true) : RECORDING_NO_NAME;
	uint32_t caller = rec.caller ? recorder_number_of(rec.caller, true) + 1 : 0;
	unsigned char *at;

	if (!has_room(EVENT_MOST)) {
		add_to_sum(kind, site, name, now);
		return;
	}
	write_processor();
	write_caller(site, caller);
	at = recording_put(open_record(kind), site);
	if (has_name(kind))
		at = recording_put(at, name);
	if (kind == RECORDING_COLLECTIVE)
		at = recording_put(at, rec.bytes);
	if (kind == RECORDING_READ)
		at = recording_put(at, rec.area);
	if (kind == RECORDING_READ || kind == RECORDING_EXPECT)
		at = recording_put(at, rec.n);
	close_record(put_times(at, now));
}

/* ---- Events ------------------------------------------------------------------------------- */

static void recorder_put(const struct bspi_transfer *t, uint32_t slot)
{
	bspi_computed_copies(t->nbytes);
	count_transfer(RECORDING_PUT, t->pid, slot, t->nbytes);
}

static void recorder_get(const struct bspi_transfer *t, uint32_t slot)
{
	count_transfer(RECORDING_GET, t->pid, slot, t->nbytes);
}

static void recorder_message(const char *site, int pid, size_t tag_bytes, size_t nbytes)
{
	(void)site;
	bspi_computed_copies(nbytes);
	count_transfer(RECORDING_MESSAGE, pid, 0, tag_bytes + nbytes);
}

static void recorder_collective(const char *call, const char *site, uint64_t bytes)
{
	(void)call;
	(void)site;
	rec.bytes = bytes;
}

static void recorder_sync_begins(const char *site, bool ending)
{
	call_is_begun(RECORDING_SYNC, site);
	rec.end = ending ? RECORDING_LAST : RECORDING_BARRIER;
	rec.marks = 0;
	rec.credit = 0;
}

static void recorder_way(bool barrier)
{
	rec.end = bspi_barrier == BSPI_AMONG_NEIGHBORS ? RECORDING_NEIGHBORS :
		  barrier || !bspi_is_relaxed() ? RECORDING_BARRIER : RECORDING_RELAXED;
	rec.marks = (barrier ? RECORDING_ALIKE : 0) + (bspi_have_met() ? RECORDING_MET : 0);
}

static void recorder_sync_ends(void)
{
	if (rec.end != RECORDING_LAST)
		sync_is_over(bspi_now());
}

static void recorder_credit_begins(void)
{
	rec.credit_began = bspi_now();
}

static void recorder_credit_ends(void)
{
	rec.credit = bspi_now() - rec.credit_began;
}

static void recorder_call_begins(enum bspi_activity what, const char *call, const char *site)
{
	call_is_begun(what == BSPI_COLLECTIVES ? RECORDING_COLLECTIVE :
		      what == BSPI_SCHEDULES ? RECORDING_SCHEDULE : RECORDING_DIRECT_GET, site);
	rec.call = call;
	rec.bytes = 0;
}

static void recorder_call_ends(void)
{
	uint64_t now = bspi_now();

	write_call(rec.kind, now);
	rec.last = now;
}

static void recorder_read_begins(const char *site, uint32_t slot, int n)
{
	call_is_begun(RECORDING_READ, site);
	rec.area = slot;
	rec.n = n < 0 ? 0 : (uint64_t)n;
}

static void recorder_expect_begins(const char *site, int wanted, size_t *n)
{
	(void)wanted;
	call_is_begun(RECORDING_EXPECT, site);
	rec.n = *n;
}

static void recorder_serve(const char *site, uint32_t slot, int n)
{
	uint32_t number = recorder_number_of(site, false);
	unsigned char *at;

	if (n <= 0 || !has_room(EVENT_MOST))
		return;
	at = recording_put(open_record(RECORDING_SERVE), number);
	at = recording_put(at, slot);
	close_record(recording_put(at, (uint64_t)n));
}

static void record_section(enum recording_kind kind, const char *site, const char *name)
{
	uint64_t last = rec.last ? rec.last : bspi.began_ns, now = bspi_now();
	uint32_t place = recorder_number_of(site, false), number = recorder_number_of(name, true);
	unsigned char *at;

	if (!has_room(EVENT_MOST))
		return;
	at = recording_put(open_record(kind), place);
	at = recording_put(at, number);
	close_record(recording_put(at, now - last));
}

static void recorder_section_begins(const char *site, const char *name)
{
	record_section(RECORDING_SECTION, site, name);
}

static void recorder_section_ends(const char *site, const char *name)
{
	record_section(RECORDING_SECTION_END, site, name);
}

/*
 * Not near the limit: it is no call of the program, so no sum has it. Nor the barrier of bsp_end,
 * before which the recording is closed.
 */
static void recorder_offloaded(const char *call, const char *site, uint64_t began, uint64_t over)
{
	uint32_t place, name;
	unsigned char *at;

	if (!rec.head || began < bspi.began_ns)
		return;
	place = recorder_number_of(site ? site : rec.site, false);
	name = recorder_number_of(call, true);
	if (!has_room(EVENT_MOST))
		return;
	at = recording_put(open_record(RECORDING_OFFLOADED), place);
	at = recording_put(at, name);
	at = recording_put(at, began - bspi.began_ns);
	close_record(recording_put(at, over - began));
}

static void recorder_operation(const char *name, int peer, uint64_t bytes, uint64_t began,
			       uint64_t over)
{
	uint32_t number;
	unsigned char *at;

	if (!rec.head || began < bspi.began_ns || over < began)
		return;
	number = recorder_number_of(name, true);
	if (!has_room(EVENT_MOST))
		return;
	at = recording_put(open_record(RECORDING_OPERATION), number);
	at = recording_put(at, (uint64_t)(peer + 1));
	at = recording_put(at, bytes);
	at = recording_put(at, began - bspi.began_ns);
	close_record(recording_put(at, over - began));
}

/* ---- The end ------------------------------------------------------------------------------ */

/*
 * Before the barrier of bsp_end, so that process 0 finds all files complete after it; those of
 * other machines are sent to it. How long this process waits in that barrier follows from when the
 * others come to it.
 */
static void recorder_job_ends(void)
{
	char name[RECORDING_PART_NAME];
	size_t bytes;

	rec.marks = bspi_have_met() ? RECORDING_MET : 0;
	sync_is_over(rec.began);
	rec.head->ended = 1;
	bytes = sizeof(*rec.head) + rec.head->used;
	if (bspi_gather_is_due(bytes) &&
	    recording_part_name(name, sizeof(name), rec.record, rec.job, bspi.me)) {
		unlink(name);
		bspi_gather_send(rec.head, bytes);
	}
	munmap(rec.head, sizeof(*rec.head) + rec.limit);
	rec.head = NULL;
	/* The next part begins right behind it when parts are joined with cat. */
	(void)!ftruncate(rec.fd, (off_t)bytes);
	close(rec.fd);
}

static void recorder_report(const char *site)
{
	(void)site;
	bspi_recorder_join(rec.record, rec.job);
}

static void recorder_close(void)
{
	free(rec.known);
	free(rec.traffic);
	free(rec.counted);
	free(rec.sites);
	bspi_callers_close();
	free(rec.counted_numbers.at);
	free(rec.site_numbers.at);
	free(rec.known_numbers.at);
	bspi_gather_close();
}

/* ---- Opening ------------------------------------------------------------------------------ */

void bspi_recorder_choose(void)
{
	static int parts;
	int len;

	memset(&rec, 0, sizeof(rec));
	if (!bspi.env.record[0])
		return;
	rec.part = parts++;
	rec.job = recording_new_job();
	len = snprintf(rec.record, sizeof(rec.record), "%s", bspi.env.record);
	/* a later SPMD part has a file of its own */
	if (rec.part > 0 && len > 0 && (size_t)len < sizeof(rec.record))
		snprintf(rec.record + len, sizeof(rec.record) - (size_t)len, ".%d", rec.part + 1);
}

void bspi_recorder_note_failure(int process, const char *what)
{
	char text[256];

	snprintf(text, sizeof(text), "process %d %s", process, what);
	/* the supervisor of one part of a job does not know the number of the job */
	recording_note_end(rec.record,
			   bspi.env.discover[0] || bspi.env.nodes > 1 ? 0 : rec.job, text);
}

static int create_file(void)
{
	char name[RECORDING_PART_NAME];
	int err;

	if (!recording_part_name(name, sizeof(name), rec.record, rec.job, bspi.me))
		return ENAMETOOLONG;
	rec.fd = open(name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
	if (rec.fd < 0)
		return errno;
	rec.limit = bspi_recorder_limit();
	rec.room = rec.limit < GROWTH ? rec.limit : GROWTH;
	err = bspi_recorder_map(rec.fd, rec.room, rec.limit, &rec.head);
	rec.stream = (unsigned char *)(rec.head + 1);
	if (err) {
		close(rec.fd);
		unlink(name);
	}
	return err;
}

void bspi_recorder_open(void)
{
	static struct bspi_observer recorder = {
		.put = recorder_put,
		.get = recorder_get,
		.message = recorder_message,
		.computing = bspi_computed_turns,
		.collective = recorder_collective,
		.call_begins = recorder_call_begins,
		.call_ends = recorder_call_ends,
		.sync_begins = recorder_sync_begins,
		.way_is_known = recorder_way,
		.credit_begins = recorder_credit_begins,
		.credit_ends = recorder_credit_ends,
		.sync_ends = recorder_sync_ends,
		.read_begins = recorder_read_begins,
		.expect_begins = recorder_expect_begins,
		.read_ends = recorder_call_ends,
		.serve = recorder_serve,
		.section_begins = recorder_section_begins,
		.section_ends = recorder_section_ends,
		.offloaded = recorder_offloaded,
		.operation = recorder_operation,
		.job_ends = recorder_job_ends,
		.report = recorder_report,
		.close = recorder_close,
	};
	int err;

	if (!bspi.env.record[0])
		return;
	if (bspi.job.launched)
		rec.job = bspj_job_number(&bspi.job);
	err = create_file();
	if (err)
		bspi_fail("bsp_begin", NULL,
			  "cannot write the recording %s.%016llx.part%d (BSP_RECORD): %s",
			  rec.record, (unsigned long long)rec.job, bspi.me, strerror(err));
	bspi_recorder_fill_head(rec.head, rec.job);
	bspi.slow = bspi.metered = true;
	bspi_gather_open(rec.record, rec.job);
	bspi_callers_open();
	bspi_computed_open();
	bspi_observe(&recorder);
}
