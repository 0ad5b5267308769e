// SPDX-License-Identifier: GPL-2.0-only
/* espgoal_match.c - which receive a message is for, and where its bytes go. */

#include "espgoal_job.h"

#include <linux/mm.h>

/* ---- Places --------------------------------------------------------------------------- */

static unsigned int pieces_of_nothing(u64 left, void *drain, struct kvec *pieces)
{
	unsigned int n;

	for (n = 0; n < EG_PIECES && n * PAGE_SIZE < EG_AT_ONCE && left; n++) {
		pieces[n] = (struct kvec){ drain, min_t(u64, left, PAGE_SIZE) };
		left -= pieces[n].iov_len;
	}
	return n;
}

unsigned int eg_pieces(const struct goal_run *run, const struct goal_op *op, struct eg_cursor at,
		       u64 left, void *drain, struct kvec *pieces)
{
	const struct goal_part *part = goal_parts(op) + at.part;
	unsigned int n;

	if (!op->nparts)
		return pieces_of_nothing(left, drain, pieces);
	left = min_t(u64, left, EG_AT_ONCE);
	for (n = 0; n < EG_PIECES && left; part++) {
		u64 len = min(part->bytes - at.offset, left);

		if (len)
			pieces[n++] = (struct kvec){ goal_run_at(run, part) + at.offset, len };
		at.offset = 0;
		left -= len;
	}
	return n;
}

void eg_advance(const struct goal_op *op, struct eg_cursor *at, size_t len)
{
	if (!op->nparts)
		return;
	at->offset += len;
	while (at->part < op->nparts && at->offset >= goal_parts(op)[at->part].bytes)
		at->offset -= goal_parts(op)[at->part++].bytes;
}

/* ---- Matching -------------------------------------------------------------------------- */

static bool fits(const struct goal_op *op, const struct eg_flight *f, const struct eg_id *id)
{
	return f->schedule->number == id->schedule && f->number == id->flight &&
	       (op->peer == GOAL_ANY || op->peer == id->from) &&
	       (op->tag == GOAL_ANY || op->tag == id->tag);
}

struct eg_posted *eg_find_posted(struct eg_job *job, const struct eg_id *id)
{
	struct eg_posted *p;

	list_for_each_entry(p, &job->posted, list)
		if (fits(p->op, p->flight, id)) {
			list_del(&p->list);
			return p;
		}
	return NULL;
}

bool eg_waits_for(const struct eg_job *job, u32 rank)
{
	const struct eg_posted *p;

	list_for_each_entry(p, &job->posted, list)
		if (p->op->peer == rank)
			return true;
	return false;
}

bool eg_may_wait_for(const struct eg_job *job, u32 rank)
{
	return eg_waits_for(job, rank) || eg_waits_for(job, GOAL_ANY);
}

bool eg_is_fit(const struct eg_flight *f, const struct goal_op *op, u32 from, u64 bytes)
{
	struct espgoal_page *page = f->job->page;

	if (op->bytes == bytes || !op->nparts)
		return true;
	if (!f->job->error) {
		page->slot = f->slot;
		page->operation = op->index;
		page->from = from;
		page->bytes = bytes;
	}
	return false;
}

static const struct eg_schedule *find_number(const struct eg_job *job, u32 number)
{
	const struct eg_schedule *s;

	list_for_each_entry(s, &job->loaded, list)
		if (s->number == number)
			return s;
	return NULL;
}

static bool is_under_way(const struct eg_job *job, const struct eg_schedule *s, u32 number)
{
	const struct eg_flight *f;

	list_for_each_entry(f, &job->running, list)
		if (f->schedule == s && f->number == number)
			return true;
	return false;
}

/* Numbers begin again after 2^32: what is less than half of them ahead is to come. */
bool eg_may_come(const struct eg_job *job, const struct eg_id *id)
{
	const struct eg_schedule *s = find_number(job, id->schedule);

	if (!s)
		return (s32)(id->schedule - job->loads) >= 0;
	return (s32)(id->flight - s->flights) >= 0 || is_under_way(job, s, id->flight);
}

static struct eg_unexpected *find_unexpected(struct eg_flight *f, const struct goal_op *op)
{
	struct eg_unexpected *u;

	list_for_each_entry(u, &f->job->unexpected, list)
		if (fits(op, f, &u->id))
			return u;
	return NULL;
}

static void copy_in(struct eg_flight *f, const struct goal_op *op, const struct eg_unexpected *u)
{
	const struct goal_part *part = goal_parts(op);
	u64 done = 0;

	for (u32 i = 0; i < op->nparts; done += part[i++].bytes)
		memcpy(goal_run_at(&f->run, &part[i]), u->data + done, part[i].bytes);
}

static void post(struct eg_flight *f, const struct goal_op *op)
{
	struct eg_posted *p = &f->items[op->index].posted;

	*p = (struct eg_posted){ .flight = f, .op = op };
	list_add_tail(&p->list, &f->job->posted);
}

static void free_unexpected(struct eg_job *job, struct eg_unexpected *u)
{
	job->unexpected_bytes -= eg_cost(u->bytes);
	kvfree(u);
}

void eg_drop(struct eg_job *job, const struct eg_schedule *s, const u32 *flight)
{
	struct eg_unexpected *u, *next;

	list_for_each_entry_safe(u, next, &job->unexpected, list) {
		if (u->id.schedule != s->number || (flight && u->id.flight != *flight))
			continue;
		list_del(&u->list);
		free_unexpected(job, u);
	}
}

/*
 * Whoever is ahead waits, unless it is he whom something waits for: what that needs may come behind.
 * 1: there is room; 0: not now; or what is wrong.
 */
static int has_room(const struct eg_job *job, u32 from, u64 bytes)
{
	u64 all = job->unexpected_bytes + eg_cost(bytes);

	if (bytes <= EG_UNEXPECTED_MOST && (all <= EG_UNEXPECTED_MOST || !job->unexpected_bytes))
		return 1;
	if (!eg_may_wait_for(job, from))
		return 0;
	return all <= EG_AHEAD_MOST ? 1 : -ENOBUFS;
}

int eg_keep(struct eg_job *job, const struct eg_id *id, u64 bytes, struct eg_unexpected **out)
{
	bool wanted = eg_may_come(job, id);
	int n = wanted ? has_room(job, id->from, bytes) : 1;
	struct eg_unexpected *u;

	*out = NULL;
	if (n <= 0 || !wanted)
		return n;
	u = job->soft && bytes > EG_SOFT_BYTES ? NULL : kvmalloc(sizeof(*u) + bytes, eg_gfp(job));
	if (!u && job->soft) {
		job->for_worker = true;
		return 0;
	}
	if (!u)
		return -ENOMEM;
	u->id = *id;
	u->bytes = bytes;
	job->unexpected_bytes += eg_cost(bytes);
	job->stats.unexpected++;
	*out = u;
	return 1;
}

int eg_arrived(struct eg_job *job, struct eg_unexpected *u)
{
	struct eg_posted *p = eg_find_posted(job, &u->id);
	bool fits = p && eg_is_fit(p->flight, p->op, u->id.from, u->bytes);

	if (!p && eg_may_come(job, &u->id)) {
		list_add_tail(&u->list, &job->unexpected);
		return 0;
	}
	if (!p) {
		free_unexpected(job, u);
		return 0;
	}
	if (fits) {
		copy_in(p->flight, p->op, u);
		goal_run_done(&p->flight->run, p->op);
	}
	free_unexpected(job, u);
	return fits ? 0 : -EMSGSIZE;
}

bool eg_receive(struct eg_flight *f, const struct goal_op *op, int *error)
{
	struct eg_unexpected *u = find_unexpected(f, op);

	if (!u) {
		*error = eg_is_gone(f->job, op->peer) ? ECONNRESET : 0;
		if (!*error)
			post(f, op);
		return false;
	}
	*error = eg_is_fit(f, op, u->id.from, u->bytes) ? 0 : EMSGSIZE;
	if (!*error)
		copy_in(f, op, u);
	list_del(&u->list);
	free_unexpected(f->job, u);
	return !*error;
}

void eg_forget_matches(struct eg_job *job)
{
	struct eg_unexpected *u, *next;

	INIT_LIST_HEAD(&job->posted);		/* these are items of flights */
	INIT_LIST_HEAD(&job->later);
	list_for_each_entry_safe(u, next, &job->unexpected, list) {
		list_del(&u->list);
		free_unexpected(job, u);
	}
}
