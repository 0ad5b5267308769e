// SPDX-License-Identifier: GPL-2.0-only
/* espgoal_match.c - which receive a message is for, and where its bytes go. */

#include "espgoal_job.h"

#include <linux/mm.h>

/* ---- Memory of an operation ----- */

static unsigned int eg_op_pieces_empty(u64 left, void *drain, struct kvec *pieces)
{
	unsigned int n;

	for (n = 0; n < EG_PIECES && n * PAGE_SIZE < EG_PIECES_BYTES && left; n++) {
		pieces[n] = (struct kvec){ drain, min_t(u64, left, PAGE_SIZE) };
		left -= pieces[n].iov_len;
	}
	return n;
}

unsigned int eg_op_pieces(const struct goal_run *run, const struct goal_op *op, struct eg_cursor at,
			  u64 left, void *drain, struct kvec *pieces)
{
	const struct goal_part *part = goal_parts(op) + at.part;
	unsigned int n;

	if (!op->nparts)
		return eg_op_pieces_empty(left, drain, pieces);
	left = min_t(u64, left, EG_PIECES_BYTES);
	for (n = 0; n < EG_PIECES && left; part++) {
		u64 len = min(part->bytes - at.offset, left);

		if (len)
			pieces[n++] = (struct kvec){ goal_run_at(run, part) + at.offset, len };
		at.offset = 0;
		left -= len;
	}
	return n;
}

void eg_op_advance(const struct goal_op *op, struct eg_cursor *at, size_t len)
{
	if (!op->nparts)
		return;
	at->offset += len;
	while (at->part < op->nparts && at->offset >= goal_parts(op)[at->part].bytes)
		at->offset -= goal_parts(op)[at->part++].bytes;
}

/* ---- Matching ----- */

static bool eg_match_fits(const struct goal_op *op, const struct eg_run *r,
			  const struct eg_msg_id *id)
{
	return r->schedule->number == id->schedule && r->number == id->run &&
	       (op->peer == GOAL_ANY || op->peer == id->from) &&
	       (op->tag == GOAL_ANY || op->tag == id->tag);
}

struct eg_posted *eg_match_posted(struct eg_job *job, const struct eg_msg_id *id)
{
	struct eg_posted *p;

	list_for_each_entry(p, &job->posted, list)
		if (eg_match_fits(p->op, p->run, id)) {
			list_del(&p->list);
			return p;
		}
	return NULL;
}

bool eg_match_waits_for(const struct eg_job *job, u32 rank)
{
	const struct eg_posted *p;

	list_for_each_entry(p, &job->posted, list)
		if (p->op->peer == rank)
			return true;
	return false;
}

bool eg_match_length(const struct eg_run *r, const struct goal_op *op, u32 from, u64 bytes)
{
	struct espgoal_page *page = r->job->page;

	if (op->bytes == bytes || !op->nparts)
		return true;
	if (!r->job->error) {
		page->slot = r->slot;
		page->operation = op->index;
		page->from = from;
		page->bytes = bytes;
	}
	return false;
}

static const struct eg_schedule *eg_schedule_by_number(const struct eg_job *job, u32 number)
{
	const struct eg_schedule *s;

	list_for_each_entry(s, &job->loaded, list)
		if (s->number == number)
			return s;
	return NULL;
}

static bool eg_run_is_active(const struct eg_job *job, const struct eg_schedule *s, u32 number)
{
	const struct eg_run *r;

	list_for_each_entry(r, &job->running, list)
		if (r->schedule == s && r->number == number)
			return true;
	return false;
}

/* Numbers wrap at 2^32: one less than half of that ahead is a future one. */
bool eg_match_may_arrive(const struct eg_job *job, const struct eg_msg_id *id)
{
	const struct eg_schedule *s = eg_schedule_by_number(job, id->schedule);

	if (!s)
		return (s32)(id->schedule - job->nloaded) >= 0;
	return (s32)(id->run - s->nstarted) >= 0 || eg_run_is_active(job, s, id->run);
}

static struct eg_unexpected *eg_unexpected_find(struct eg_run *r, const struct goal_op *op)
{
	struct eg_unexpected *u;

	list_for_each_entry(u, &r->job->unexpected, list)
		if (eg_match_fits(op, r, &u->id))
			return u;
	return NULL;
}

static void eg_unexpected_copy(struct eg_run *r, const struct goal_op *op,
			       const struct eg_unexpected *u)
{
	const struct goal_part *part = goal_parts(op);
	u64 done = 0;

	for (u32 i = 0; i < op->nparts; done += part[i++].bytes)
		memcpy(goal_run_at(&r->goal, &part[i]), u->data + done, part[i].bytes);
}

static void eg_post(struct eg_run *r, const struct goal_op *op)
{
	struct eg_posted *p = &r->items[op->index].posted;

	*p = (struct eg_posted){ .run = r, .op = op };
	list_add_tail(&p->list, &r->job->posted);
}

/* Charged for an unexpected message. */
static u64 eg_unexpected_cost(u64 bytes)
{
	return bytes + EG_UNEXPECTED_COST;
}

static void eg_unexpected_free(struct eg_job *job, struct eg_unexpected *u)
{
	job->unexpected_bytes -= eg_unexpected_cost(u->bytes);
	kvfree(u);
}

void eg_match_drop(struct eg_job *job, const struct eg_schedule *s, const u32 *run)
{
	struct eg_unexpected *u, *next;

	list_for_each_entry_safe(u, next, &job->unexpected, list) {
		if (u->id.schedule != s->number || (run && u->id.run != *run))
			continue;
		list_del(&u->list);
		eg_unexpected_free(job, u);
	}
}

/*
 * A sender beyond the limit waits, unless a posted receive needs one of its messages, which may be
 * behind. 1: there is room; 0: not now; or a negative errno.
 */
static int eg_unexpected_has_room(const struct eg_job *job, u32 from, u64 bytes)
{
	u64 all = job->unexpected_bytes + eg_unexpected_cost(bytes);

	if (bytes <= EG_UNEXPECTED_MOST && (all <= EG_UNEXPECTED_MOST || !job->unexpected_bytes))
		return 1;
	if (!eg_match_waits_for(job, from) && !eg_match_waits_for(job, GOAL_ANY))
		return 0;
	return all <= EG_AHEAD_MOST ? 1 : -ENOBUFS;
}

int eg_unexpected_create(struct eg_job *job, const struct eg_msg_id *id, u64 bytes,
			 struct eg_unexpected **out)
{
	bool expected = eg_match_may_arrive(job, id);
	int n = expected ? eg_unexpected_has_room(job, id->from, bytes) : 1;
	struct eg_unexpected *u = NULL;

	*out = NULL;
	if (n <= 0 || !expected)
		return n;
	if (!job->in_softirq || bytes <= EG_SOFTIRQ_BYTES)
		u = kvmalloc(sizeof(*u) + bytes, eg_gfp(job));
	if (!u && job->in_softirq) {
		job->need_worker = true;
		return 0;
	}
	if (!u)
		return -ENOMEM;
	u->id = *id;
	u->bytes = bytes;
	job->unexpected_bytes += eg_unexpected_cost(bytes);
	job->stats.unexpected++;
	*out = u;
	return 1;
}

int eg_unexpected_complete(struct eg_job *job, struct eg_unexpected *u)
{
	struct eg_posted *p = eg_match_posted(job, &u->id);
	bool fits = p && eg_match_length(p->run, p->op, u->id.from, u->bytes);

	if (!p && eg_match_may_arrive(job, &u->id)) {
		list_add_tail(&u->list, &job->unexpected);
		return 0;
	}
	if (!p) {
		eg_unexpected_free(job, u);
		return 0;
	}
	if (fits) {
		eg_unexpected_copy(p->run, p->op, u);
		goal_run_done(&p->run->goal, p->op);
	}
	eg_unexpected_free(job, u);
	return fits ? 0 : -EMSGSIZE;
}

bool eg_receive_start(struct eg_run *r, const struct goal_op *op, int *error)
{
	struct eg_unexpected *u = eg_unexpected_find(r, op);

	if (!u) {
		*error = eg_peer_is_closed(r->job, op->peer) ? ECONNRESET : 0;
		if (!*error)
			eg_post(r, op);
		return false;
	}
	*error = eg_match_length(r, op, u->id.from, u->bytes) ? 0 : EMSGSIZE;
	if (!*error)
		eg_unexpected_copy(r, op, u);
	list_del(&u->list);
	eg_unexpected_free(r->job, u);
	return !*error;
}

void eg_match_clear(struct eg_job *job)
{
	struct eg_unexpected *u, *next;

	INIT_LIST_HEAD(&job->posted);	/* elements of these are freed with their runs */
	INIT_LIST_HEAD(&job->deferred);
	list_for_each_entry_safe(u, next, &job->unexpected, list) {
		list_del(&u->list);
		eg_unexpected_free(job, u);
	}
}
