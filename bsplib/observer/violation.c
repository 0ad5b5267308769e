// SPDX-License-Identifier: BSD-3-Clause
/* violation.c - what bsprun --check finds: each printed once, with the processes it is on. */

/*
 * The program goes on after a violation. The same one again, by rule, call sites and numbers, on
 * this process or another, is only counted. Each process keeps what it has found, and adds it to
 * the table of its node (job.h); in bsp_end all hand theirs to process 0, which prints them in the
 * order of supersteps. The table has what a job has found that ends before that, and its
 * supervisor prints it. Under a launcher, or alone, a process has none: there the first of a node
 * to find one prints it at once, and process 0 prints it again if it came more often.
 *
 * A text is sent by the process of a node that found it first. Others would send the same, so
 * process 0 receives few for each node and kind.
 *
 * The exit status of a process that found any, and of process 0 if any process did, is not 0:
 * the last to be called at exit sees to that, so that the program runs to its end.
 */

#include "bsplib/observer/check.h"

#include "bsplib/core/error.h"
#include "bsplib/core/exit.h"
#include "bsplib/core/site.h"
#include "bsplib/core/base.h"
#include "bsplib/core/state.h"
#include "bsplib/engine/chunk.h"
#include "bsplib/engine/out.h"
#include "bsplib/engine/record.h"
#include "bsplib/observer/numbers.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { NBUCKETS = 256 };

/* One that this process has found. */
struct known {
	struct bspi_violation v;
	const char *format;	/* tells the rule */
	uint64_t key;		/* the same on all processes */
	uint64_t times;
	int number;		/* in the table of the node; -1: not in it */
	struct known *next;	/* of the same bucket */
	struct bspj_finding found;
	bool in[];		/* of each process: it is on that one */
};

/* A process sends this of one, then a bit for each process, and the two texts with their ends. */
struct sent {
	uint64_t key, times;
	int32_t process;
	uint32_t step;
	uint32_t text_bytes, site_bytes;	/* 0: another process of the node sends them */
};

/* On process 0: one that any has found. */
struct merged {
	uint64_t key, times;
	bool has_text;
	struct bspj_finding found;	/* the least, by superstep and process */
	bool in[];			/* of each process: it is on that one */
};

static struct {
	struct known *buckets[NBUCKETS];
	struct known *known[BSPJ_FINDINGS];	/* in their order */
	size_t nknown;
	struct merged *merged[BSPJ_FINDINGS];
	size_t nmerged;
	uint64_t found;		/* all of them */
	uint64_t unshown;	/* of these */
	uint64_t unmerged;	/* on process 0: too many in all */
	bool fails;		/* at exit */
	bool watched;
} all;

uint64_t bspi_violations(void)
{
	return all.found;
}

uint64_t bspi_violations_unshown(void)
{
	return all.unshown;
}

/* ---- On each process: which are the same ------------------------------------------------ */

static struct known **violation_bucket_of(const struct bspi_violation *v, const char *format)
{
	uint64_t h = (uintptr_t)format;

	h = (h ^ (uintptr_t)v->site) * UINT64_C(0x9e3779b97f4a7c15);
	h = (h ^ (uintptr_t)v->other) * UINT64_C(0xbf58476d1ce4e5b9);
	h = (h ^ (uintptr_t)v->third ^ v->given) * UINT64_C(0x94d049bb133111eb);
	h = (h ^ v->counted) * UINT64_C(0xd6e8feb86659fd93);
	return &all.buckets[(h >> 32) % NBUCKETS];
}

static bool violation_is_same(const struct known *k, const struct bspi_violation *v,
			      const char *format)
{
	return k->format == format && k->v.site == v->site && k->v.other == v->other &&
	       k->v.third == v->third && k->v.given == v->given && k->v.counted == v->counted;
}

static struct known *violation_find(const struct bspi_violation *v, const char *format)
{
	struct known *k = *violation_bucket_of(v, format);

	while (k && !violation_is_same(k, v, format))
		k = k->next;
	return k;
}

static uint64_t violation_hash_text(uint64_t h, const char *text)
{
	const unsigned char *bytes = (const unsigned char *)text;

	return bspi_numbers_hash(h ^ bspi_numbers_hash_bytes(bytes, strlen(text)));
}

static uint64_t violation_hash_site(uint64_t h, const char *site)
{
	return violation_hash_text(h, site ? bspi_site_text(site) : "");
}

/* By texts: processes of a launcher have the same site at different addresses. */
static uint64_t violation_key(const struct bspi_violation *v, const char *format)
{
	uint64_t h = violation_hash_text(violation_hash_text(1, v->call), format);

	h = violation_hash_site(h, v->site);
	h = violation_hash_site(violation_hash_site(h, v->other), v->third);
	h = bspi_numbers_hash(bspi_numbers_hash(h ^ v->given) ^ v->counted);
	return h ? h : 1;
}

/* NULL if there are too many already. */
static struct known *violation_add(const struct bspi_violation *v, const char *format)
{
	struct known **bucket = violation_bucket_of(v, format);
	struct known *k;

	if (all.nknown == BSPJ_FINDINGS)
		return NULL;
	k = calloc(1, sizeof(*k) + (size_t)bspi.nprocs * sizeof(*k->in));
	if (!k)
		bspi_fail_memory(v->call, v->site);
	k->v = *v;
	k->format = format;
	k->key = violation_key(v, format);
	k->next = *bucket;
	*bucket = k;
	all.known[all.nknown++] = k;
	return k;
}

/* ---- On each process: found ------------------------------------------------------------- */

/* No supervisor could print it when the process has ended. */
static bool prints_at_once(void)
{
	return !bspi.job.supervised;
}

static void print_found(const struct bspj_finding *found, uint64_t times, const bool *in)
{
	char line[BSPJ_FINDING_LINE];
	size_t n = bspj_findings_line(line, found, bspi.job.words->step, times, in, bspi.nprocs);

	if (write(STDERR_FILENO, line, n) < 0)
		return;		/* there is nowhere to report it */
}

static void found_describe(struct bspj_finding *found, const struct bspi_violation *v,
			   const char *format, va_list args)
{
	int n = snprintf(found->text, sizeof(found->text), "%s: ", v->call);

	found->process = v->pid;
	found->step = v->step;
	vsnprintf(found->text + n, sizeof(found->text) - n, format, args);
	if (v->site)
		snprintf(found->site, sizeof(found->site), "%s", bspi_site_text(v->site));
}

/* The first of its kind here. */
static struct known *violation_begin(const struct bspi_violation *v, const char *format,
				     va_list args)
{
	struct known *k = violation_add(v, format);
	bool is_new;

	if (!k)
		return NULL;
	found_describe(&k->found, v, format, args);
	k->number = bspj_findings_add(bspi.job.table, k->key, &k->found, &is_new);
	if (is_new && prints_at_once())
		print_found(&k->found, 1, NULL);
	return k;
}

void bspi_violation(const struct bspi_violation *v, const char *format, ...)
{
	uint64_t times = v->times ? v->times : 1;
	struct known *k = violation_find(v, format);
	va_list args;

	all.found += times;
	va_start(args, format);
	if (!k)
		k = violation_begin(v, format, args);
	va_end(args);
	if (!k) {
		all.unshown += times;
		return;
	}
	k->times += times;
	k->in[v->pid] = true;
	if (k->number >= 0)
		bspj_findings_count(bspi.job.table, k->number, v->pid, times);
}

/* ---- On process 0: of all ---------------------------------------------------------------- */

/* Processes that find the same call have texts of their own. */
static bool found_is_before(const struct bspj_finding *a, const struct bspj_finding *b)
{
	if (a->step != b->step)
		return a->step < b->step;
	return a->process != b->process ? a->process < b->process : strcmp(a->text, b->text) < 0;
}

/* NULL if there are too many already. */
static struct merged *merged_of(uint64_t key)
{
	struct merged *m;

	for (size_t i = 0; i < all.nmerged; i++)
		if (all.merged[i]->key == key)
			return all.merged[i];
	if (all.nmerged == BSPJ_FINDINGS)
		return NULL;
	m = calloc(1, sizeof(*m) + (size_t)bspi.nprocs * sizeof(*m->in));
	if (!m)
		bspi_fail_memory("bsp_end", NULL);
	m->key = key;
	all.merged[all.nmerged++] = m;
	return m;
}

/* One was found so often; NULL: there are too many. */
static struct merged *violation_merge(uint64_t key, uint64_t times)
{
	struct merged *m = merged_of(key);

	if (m)
		m->times += times;
	else
		all.unmerged += times;
	return m;
}

static void merge_text(struct merged *m, const struct bspj_finding *found)
{
	if (m->has_text && !found_is_before(found, &m->found))
		return;
	m->has_text = true;
	m->found = *found;
}

static void merge_own(void)
{
	for (size_t i = 0; i < all.nknown; i++) {
		const struct known *k = all.known[i];
		struct merged *m = violation_merge(k->key, k->times);

		for (int p = 0; m && p < bspi.nprocs; p++)
			m->in[p] |= k->in[p];
		if (m)
			merge_text(m, &k->found);
	}
}

static size_t bits_bytes(void)
{
	return ((size_t)bspi.nprocs + 7) / 8;
}

void bspi_violations_take(const void *data)
{
	const struct sent *s = data;
	const unsigned char *bits = (const unsigned char *)(s + 1);
	const char *text = (const char *)bits + bits_bytes();
	struct merged *m = violation_merge(s->key, s->times);
	struct bspj_finding found = { .process = s->process, .step = s->step };

	for (int p = 0; m && p < bspi.nprocs; p++)
		m->in[p] |= bits[p / 8] >> p % 8 & 1;
	if (!m || !s->text_bytes)
		return;
	memcpy(found.text, text, s->text_bytes);
	memcpy(found.site, text + s->text_bytes, s->site_bytes);
	merge_text(m, &found);
}

/* ---- In bsp_end ---------------------------------------------------------------------------- */

void *bspi_checked_room(enum bspi_checked_record which, size_t nbytes)
{
	struct bspi_rec *rec = bspi_out_room(0, bspi_align(sizeof(*rec) + nbytes));

	*rec = (struct bspi_rec){ .what = bspi_what(BSPI_CHECKED, which), .nbytes = nbytes };
	return rec + 1;
}

static bool sends_text(const struct known *k)
{
	return k->number < 0 || bspj_findings_is_first(bspi.job.table, k->number, &k->found);
}

static void write_sent(char *to, const struct sent *s, const struct known *k)
{
	unsigned char *bits = (unsigned char *)to + sizeof(*s);
	char *text = (char *)bits + bits_bytes();

	memcpy(to, s, sizeof(*s));
	memset(bits, 0, bits_bytes());
	for (int p = 0; p < bspi.nprocs; p++)
		bits[p / 8] |= (unsigned char)(k->in[p] << p % 8);
	memcpy(text, k->found.text, s->text_bytes);
	memcpy(text + s->text_bytes, k->found.site, s->site_bytes);
}

static void violation_send(const struct known *k)
{
	struct sent s = { .key = k->key, .times = k->times,
			  .process = k->found.process, .step = k->found.step };

	if (sends_text(k)) {
		s.text_bytes = (uint32_t)strlen(k->found.text) + 1;
		s.site_bytes = (uint32_t)strlen(k->found.site) + 1;
	}
	write_sent(bspi_checked_room(BSPI_CHECKED_VIOLATION, sizeof(s) + bits_bytes() +
				     s.text_bytes + s.site_bytes), &s, k);
}

void bspi_violations_send(void)
{
	if (bspi.me == 0)
		merge_own();
	for (size_t i = 0; bspi.me > 0 && i < all.nknown; i++)
		violation_send(all.known[i]);
}

/* They are few. */
static void sort_merged(void)
{
	for (size_t i = 1; i < all.nmerged; i++) {
		struct merged *m = all.merged[i];
		size_t k = i;

		for (; k > 0 && found_is_before(&m->found, &all.merged[k - 1]->found); k--)
			all.merged[k] = all.merged[k - 1];
		all.merged[k] = m;
	}
}

void bspi_violations_report(uint64_t unshown)
{
	unshown += all.unmerged;
	sort_merged();
	for (size_t i = 0; i < all.nmerged; i++)
		if (all.merged[i]->times > 1 || !prints_at_once())
			print_found(&all.merged[i]->found, all.merged[i]->times,
				    all.merged[i]->in);
	if (unshown)
		fprintf(stderr, "bsp: %llu more violation%s not shown\n",
			(unsigned long long)unshown, unshown == 1 ? " is" : "s are");
	bspj_findings_clear(bspi.job.table, bspi.nprocs);
}

/* A status that is not known may be an error already, which is 1 then. */
static void fail_at_exit(int status, void *unused)
{
	(void)unused;
	if (!bspi_exit_is_error(status) && all.fails && bspi.os_pid == getpid())
		bspi_exit_again(EXIT_FAILURE);
}

void bspi_violations_fail(void)
{
	all.fails = true;
	if (!all.watched)
		bspi_exit_call_last(fail_at_exit);
	all.watched = true;
}

/* ---- Closing -------------------------------------------------------------------------------- */

/*
 * The table is not that of process 0, which has begun in its own: the supervisor of this one, of
 * another machine or another part of the job, is not to print what process 0 has.
 */
static bool is_of_another_part(void)
{
	return bspj_state_of(&bspi.job.table->rank[0]) == BSPJ_STARTING;
}

void bspi_violations_close(void)
{
	if (is_of_another_part())
		bspj_findings_clear(bspi.job.table, bspi.nprocs);
	for (size_t i = 0; i < all.nknown; i++)
		free(all.known[i]);
	for (size_t i = 0; i < all.nmerged; i++)
		free(all.merged[i]);
	memset(all.buckets, 0, sizeof(all.buckets));
	all.nknown = all.nmerged = 0;
	all.found = all.unshown = all.unmerged = 0;
}
