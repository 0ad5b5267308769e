// SPDX-License-Identifier: GPL-2.0-only
/* espgoal_match.c - which receive a message is for, and where its bytes go. */

#include "espgoal_job.h"

#include <linux/mm.h>
#include <linux/sched.h>

static_assert(sizeof(struct eg_unexpected) <= EG_UNEXPECTED_COST, "it is charged");

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

static unsigned int eg_match_wildcards(const struct goal_op *op)
{
	return (op->peer == GOAL_ANY ? EG_ANY_SENDER : 0) | (op->tag == GOAL_ANY ? EG_ANY_TAG : 0);
}

/* The messages that a receive of a run awaits have this. */
static struct eg_msg_id eg_match_id(const struct eg_run *r, const struct goal_op *op)
{
	return (struct eg_msg_id){ r->schedule->number, r->number, op->peer, op->tag };
}

static void eg_post(struct eg_run *r, const struct goal_op *op)
{
	struct eg_posted *p = &r->items[op->index].posted;
	struct eg_msg_id id = eg_match_id(r, op);
	struct eg_job *job = r->job;

	p->run = r;
	p->op = op;
	eg_index_add(&job->posted, eg_match_wildcards(op), &id, &p->entry);
	++*(op->peer == GOAL_ANY ? &job->nposted_any : &job->peers[op->peer].nposted);
}

static void eg_unpost(struct eg_job *job, struct eg_posted *p)
{
	eg_index_remove(&job->posted, eg_match_wildcards(p->op), &p->entry);
	--*(p->op->peer == GOAL_ANY ? &job->nposted_any : &job->peers[p->op->peer].nposted);
}

/* The receive, with or without wildcards, that was posted first. */
struct eg_posted *eg_match_posted(struct eg_job *job, const struct eg_msg_id *id)
{
	struct eg_index_entry *first = NULL;
	struct eg_posted *p;

	for (unsigned int w = 0; w < EG_WILDCARDS; w++) {
		struct eg_index_entry *entry = eg_index_find(&job->posted, w, id);

		if (entry && (!first || entry->number < first->number))
			first = entry;
	}
	if (!first)
		return NULL;
	p = container_of(first, struct eg_posted, entry);
	eg_unpost(job, p);
	return p;
}

void eg_match_for_each_posted(struct eg_job *job,
			      void (*visit)(struct eg_job *job, const struct eg_posted *p))
{
	struct eg_index_entry *entry;

	for (unsigned int w = 0; w < EG_WILDCARDS; w++)
		for (entry = eg_index_first(&job->posted, w); entry; entry = eg_index_next(entry)) {
			visit(job, container_of(entry, struct eg_posted, entry));
			cond_resched();
		}
}

bool eg_match_waits_for(const struct eg_job *job, u32 rank)
{
	return rank == GOAL_ANY ? job->nposted_any : job->peers[rank].nposted;
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

static bool eg_run_is_active(const struct eg_job *job, const struct eg_schedule *s, u32 number)
{
	const struct eg_run *r;

	list_for_each_entry(r, &job->running, list)
		if (r->schedule == s && r->number == number)
			return true;
	return false;
}

/* Numbers wrap at 2^32: one less than half of that ahead is a future one. */
bool eg_match_may_arrive(struct eg_job *job, const struct eg_msg_id *id)
{
	const struct eg_schedule *s = xa_load(&job->loaded, id->schedule);

	if (!s)
		return (s32)(id->schedule - job->next_schedule) >= 0;
	return (s32)(id->run - s->next_run) >= 0 || eg_run_is_active(job, s, id->run);
}

static struct eg_unexpected *eg_unexpected_find(struct eg_run *r, const struct goal_op *op)
{
	unsigned int wildcards = eg_match_wildcards(op);
	struct eg_msg_id id = eg_match_id(r, op);
	struct eg_index_entry *entry = eg_index_find(&r->job->unexpected, wildcards, &id);

	return entry ? container_of(entry - wildcards, struct eg_unexpected, entries[0]) : NULL;
}

static void eg_unexpected_copy(struct eg_run *r, const struct goal_op *op,
			       const struct eg_unexpected *u)
{
	const struct goal_part *part = goal_parts(op);
	u64 done = 0;

	for (u32 i = 0; i < op->nparts; done += part[i++].bytes)
		memcpy(goal_run_at(&r->goal, &part[i]), u->data + done, part[i].bytes);
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

static void eg_unexpected_add(struct eg_job *job, struct eg_unexpected *u)
{
	for (unsigned int w = 0; w < EG_WILDCARDS; w++)
		eg_index_add(&job->unexpected, w, &u->id, &u->entries[w]);
}

static void eg_unexpected_remove(struct eg_job *job, struct eg_unexpected *u)
{
	for (unsigned int w = 0; w < EG_WILDCARDS; w++)
		eg_index_remove(&job->unexpected, w, &u->entries[w]);
	eg_unexpected_free(job, u);
}

void eg_match_drop(struct eg_job *job, const struct eg_schedule *s, const u32 *run)
{
	struct eg_index_entry *entry;

	while ((entry = eg_index_first_of_run(&job->unexpected, s->number, run))) {
		eg_unexpected_remove(job, container_of(entry, struct eg_unexpected, entries[0]));
		cond_resched();
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
		eg_unexpected_add(job, u);
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
	eg_budget_spend(r->job, u->bytes);
	*error = eg_match_length(r, op, u->id.from, u->bytes) ? 0 : EMSGSIZE;
	if (!*error)
		eg_unexpected_copy(r, op, u);
	eg_unexpected_remove(r->job, u);
	return !*error;
}

/* Entries of receives are freed with their runs. */
void eg_match_clear(struct eg_job *job)
{
	struct eg_index_entry *entry;

	job->posted = (struct eg_index){ };
	job->nposted_any = 0;
	for (u32 rank = 0; rank < job->nprocs; rank++)
		job->peers[rank].nposted = job->peers[rank].nreceiving = 0;
	INIT_LIST_HEAD(&job->deferred);
	while ((entry = eg_index_first(&job->unexpected, 0))) {
		eg_unexpected_remove(job, container_of(entry, struct eg_unexpected, entries[0]));
		cond_resched();
	}
}
