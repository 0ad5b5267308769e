// SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause
/* goal_match.c - match sends with receives, and follow a schedule of all processes to its end. */

#include "goal/sim/goal_match.h"
#include "goal/text/goal_text.h"

/* ---- Messages and receives ---------------------------------------------------------- */

static bool match_append(struct goal_match_list *list, struct goal_match_message message)
{
	struct goal_match_message *more =
		goal_room(list->message, list->n, &list->room, sizeof(*more));

	if (!more)
		return false;
	list->message = more;
	list->message[list->n++] = message;
	return true;
}

static bool append_send(struct goal_match *m, uint32_t rank, const struct goal_op *op, uint32_t to)
{
	m->bytes += op->bytes;
	return match_append(&m->sends, (struct goal_match_message){ rank, rank, to, op->tag, op,
								    GOAL_MATCH_NONE });
}

static bool append_op(struct goal_match *m, uint32_t rank, const struct goal_op *op)
{
	switch (op->type) {
	case GOAL_SEND:
		return append_send(m, rank, op, op->peer);
	case GOAL_MULTICAST:
		for (uint32_t to = 0; to < (uint32_t)m->set->nprocs; to++)
			if (to != rank && !append_send(m, rank, op, to))
				return false;
		return true;
	case GOAL_RECV:
		return match_append(&m->recvs,
				    (struct goal_match_message){ rank, op->peer, rank, op->tag, op,
								 GOAL_MATCH_NONE });
	default:
		return true;
	}
}

static bool match_collect(struct goal_match *m)
{
	for (int rank = 0; rank < m->set->nprocs; rank++) {
		struct goal_prog prog = goal_set_prog(m->set, rank);
		const struct goal_op *op = goal_first_op(&prog);

		for (uint32_t i = 0; i < prog.header->nops; i++, op = goal_op_next(op))
			if (!append_op(m, rank, op))
				return false;
		m->nops += prog.header->nops;
	}
	return true;
}

/* ---- Matching ------------------------------------------------------------------------ */

/* A message by what it is matched by; what does not count is 0. */
struct key {
	uint32_t to, from, tag;
	size_t index;
};

static int compare_numbers(uint64_t a, uint64_t b)
{
	return (a > b) - (a < b);
}

static int compare_names(const struct key *a, const struct key *b)
{
	int order = compare_numbers(a->to, b->to);

	if (!order)
		order = compare_numbers(a->from, b->from);
	return order ? order : compare_numbers(a->tag, b->tag);
}

static int match_compare(const void *a, const void *b)
{
	const struct key *left = a, *right = b;
	int order = compare_names(left, right);

	return order ? order : compare_numbers(left->index, right->index);
}

/*
 * The keys of all in @list that have no partner, but only of receives that are open in this way;
 * sorted. Returns their number.
 */
static size_t keys_of(const struct goal_match_list *list, bool receives, bool any_from,
		      bool any_tag, struct key *key)
{
	size_t n = 0;

	for (size_t i = 0; i < list->n; i++) {
		const struct goal_match_message *m = &list->message[i];

		if (m->partner != GOAL_MATCH_NONE)
			continue;
		if (receives &&
		    ((m->from == GOAL_ANY) != any_from || (m->tag == GOAL_ANY) != any_tag))
			continue;
		key[n++] = (struct key){ m->to, any_from ? 0 : m->from, any_tag ? 0 : m->tag, i };
	}
	qsort(key, n, sizeof(*key), match_compare);
	return n;
}

/* Both lists are in the same order. */
static void match_merge(struct goal_match *m, const struct key *send, size_t nsends,
			const struct key *recv, size_t nrecvs)
{
	size_t i = 0, j = 0;

	while (i < nsends && j < nrecvs) {
		int order = compare_names(&send[i], &recv[j]);

		if (order == 0) {
			m->sends.message[send[i].index].partner = recv[j].index;
			m->recvs.message[recv[j].index].partner = send[i].index;
		}
		i += order <= 0;
		j += order >= 0;
	}
}

/* First the receives that name source and tag, last those that name neither. */
static bool match_all(struct goal_match *m)
{
	struct key *send = calloc(m->sends.n + 1, sizeof(*send));
	struct key *recv = calloc(m->recvs.n + 1, sizeof(*recv));

	for (int open = 0; send && recv && open < 4; open++) {
		bool any_from = open & 1, any_tag = open & 2;
		size_t nrecvs = keys_of(&m->recvs, true, any_from, any_tag, recv);

		m->open |= open && nrecvs;
		if (nrecvs)
			match_merge(m, send, keys_of(&m->sends, false, any_from, any_tag, send),
				    recv, nrecvs);
	}
	free(send);
	free(recv);
	return send && recv;
}

/* ---- To the end ------------------------------------------------------------------------ */

/*
 * An operation starts when all that it waits for has started or ended; it ends then, unless it is a
 * receive whose message has not been sent. An operation that is never ready is in a deadlock. A
 * receive with no message at all is taken to end: it has been reported already.
 */
struct fate {
	const struct goal_op *op;
	int rank;
	uint32_t left;			/* what it still waits for */
	bool awaits, started, ended;	/* it is a receive whose message is not there yet */
	size_t depth;			/* the longest chain of operations that ends here */
	size_t first;			/* of a send: its first message; else its own entry */
};

struct walk {
	struct goal_match *m;
	size_t *base;			/* of each rank: its first operation in @fate */
	struct fate *fate;
	size_t *ready;			/* those that can start: a queue */
	size_t nready;
};

static void place_op(struct walk *w, size_t n, int rank, const struct goal_op *op, size_t *sends,
		     size_t *recvs)
{
	const struct goal_match *m = w->m;
	struct fate *f = &w->fate[n];
	bool receives = op->type == GOAL_RECV;

	*f = (struct fate){ .op = op, .rank = rank, .left = op->dependencies };
	f->first = receives ? *recvs : *sends;
	f->awaits = receives && m->recvs.message[*recvs].partner != GOAL_MATCH_NONE;
	*recvs += receives;
	while (*sends < m->sends.n && m->sends.message[*sends].op == op)
		++*sends;
	if (op->dependencies == 0)
		w->ready[w->nready++] = n;
}

static bool walk_create(struct walk *w, struct goal_match *m)
{
	size_t n = 0, sends = 0, recvs = 0;

	*w = (struct walk){ .m = m };
	w->base = malloc(m->set->nprocs * sizeof(*w->base));
	w->fate = calloc(m->nops + 1, sizeof(*w->fate));
	w->ready = malloc((m->nops + 1) * sizeof(*w->ready));
	if (!w->base || !w->fate || !w->ready)
		return false;
	for (int rank = 0; rank < m->set->nprocs; rank++) {
		struct goal_prog prog = goal_set_prog(m->set, rank);
		const struct goal_op *op = goal_first_op(&prog);

		w->base[rank] = n;
		for (uint32_t i = 0; i < prog.header->nops; i++, op = goal_op_next(op))
			place_op(w, n++, rank, op, &sends, &recvs);
	}
	return true;
}

/* Operations in a list of @f have one less to wait for; @depth of them are behind each other. */
static void let_go(struct walk *w, const struct fate *f, uint32_t first, uint32_t end, size_t depth)
{
	struct goal_prog prog = goal_set_prog(w->m->set, f->rank);

	for (uint32_t i = first; i < end; i++) {
		size_t n = w->base[f->rank] + goal_op_at(&prog, goal_list(f->op)[i])->index;
		struct fate *other = &w->fate[n];

		if (other->depth < depth)
			other->depth = depth;
		if (--other->left == 0)
			w->ready[w->nready++] = n;
	}
}

static void match_end(struct walk *w, struct fate *f)
{
	if (!f->started || f->awaits)
		return;
	f->ended = true;
	if (w->m->chain < f->depth)
		w->m->chain = f->depth;
	let_go(w, f, f->op->nfollowers, f->op->nfollowers + f->op->ndependents, f->depth);
}

/* The messages of a send come where they are waited for. */
static void deliver(struct walk *w, const struct fate *f)
{
	const struct goal_match_list *sends = &w->m->sends;

	for (size_t i = f->first; i < sends->n && sends->message[i].op == f->op; i++) {
		const struct goal_match_message *recv;
		struct fate *other;

		if (sends->message[i].partner == GOAL_MATCH_NONE)
			continue;
		recv = &w->m->recvs.message[sends->message[i].partner];
		other = &w->fate[w->base[recv->rank] + recv->op->index];
		other->awaits = false;
		if (other->depth < f->depth + 1)
			other->depth = f->depth + 1;
		match_end(w, other);
	}
}

static bool follow(struct goal_match *m)
{
	struct walk w;
	bool good = walk_create(&w, m);

	for (size_t i = 0; good && i < w.nready; i++) {
		struct fate *f = &w.fate[w.ready[i]];

		f->started = true;
		f->depth++;
		let_go(&w, f, 0, f->op->nfollowers, f->depth - 1);
		match_end(&w, f);
		if (f->op->type == GOAL_SEND || f->op->type == GOAL_MULTICAST)
			deliver(&w, f);
	}
	for (size_t i = 0; good && i < m->nops; i++) {
		if (w.fate[i].ended || m->stuck++)
			continue;
		m->first_stuck = w.fate[i].op;
		m->first_stuck_rank = w.fate[i].rank;
	}
	free(w.base);
	free(w.fate);
	free(w.ready);
	return good;
}

/* ---- All of it ---------------------------------------------------------------------------- */

bool goal_match_create(struct goal_match *match, const struct goal_set *set)
{
	*match = (struct goal_match){ .set = set };
	return match_collect(match) && match_all(match) && follow(match);
}

void goal_match_free(struct goal_match *match)
{
	free(match->sends.message);
	free(match->recvs.message);
}
