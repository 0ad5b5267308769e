// SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause
/* goal_parse.c - schedules as text become blocks: statements of LogGOPSim's language. */

/*
 *	text      = "num_ranks" INT { "rank" INT "{" NL { statement NL } "}" NL }
 *	statement = [label ":"] operation | label ("requires" | "irequires") label | annotation
 *	operation = "send" INT"b" "to" INT ["tag" INT] ["cpu" INT] ["nic" INT]
 *		| "recv" INT"b" "from" (INT | "-1") ["tag" (INT | "-1")] ["cpu" INT] ["nic" INT]
 *		| "calc" INT ["cpu" INT]
 *
 * Blocks stand in the order of ranks, 0 to num_ranks - 1. Comments and blank lines may stand where
 * a statement may begin. Annotations are goal_note.c's.
 *
 * The text has no word for a multicast: it is written as its sends, to the other processes in
 * ascending order, with an annotation above the first. Their labels all name the one operation.
 * A multicast of a process that is alone is written as a calc.
 *
 * The text is untrusted: time and memory are linear in the length of the text.
 */

#include "goal/text/goal_text.h"

enum {
	WAITS_MOST = GOAL_BLOCK_MOST / 4,
	QUOTED_MOST = 24,
};

/* An operation as it is written. */
struct statement {
	struct goal_mark mark;
	enum goal_type type;		/* GOAL_SEND, GOAL_RECV or GOAL_CALC */
	uint64_t bytes;
	uint32_t peer, tag, cpu, nic;
};

struct parser {
	struct goal_lex lex;
	struct goal_set set;		/* blocks of the ranks that are complete; nprocs: so many */
	size_t room;			/* of set.block and set.len */
	int nprocs;			/* num_ranks */
	/* of the rank that is read: */
	struct goal_graph *g;
	struct goal_labels labels;
	struct goal_note note;
	struct goal_wait *wait;
	size_t nwaits, wait_room;
	struct statement multicast;	/* its send that is expected next; peer nprocs: none is */
	int multicast_op;
};

static int rank_of(const struct parser *p)
{
	return p->set.nprocs;
}

/* ---- Operations as they are written ---------------------------------------------------- */

/* A number, or -1 for any. */
static bool read_or_any(struct parser *p, const char *what, uint64_t most, uint32_t *value)
{
	struct goal_mark mark = goal_lex_mark(&p->lex);
	bool any = goal_lex_char(&p->lex, '-');
	uint64_t number;

	if (!goal_lex_number(&p->lex, what, any ? UINT64_MAX : most, &number))
		return false;
	if (any && number != 1)
		return goal_lex_refuse(&p->lex, mark, "%s: expected a number, or -1 for any", what);
	*value = any ? GOAL_ANY : number;
	return true;
}

static bool read_peer(struct parser *p, struct statement *s)
{
	bool sends = s->type == GOAL_SEND;
	struct goal_mark mark;

	if (!goal_lex_word(&p->lex, sends ? "to" : "from"))
		return goal_lex_expected(&p->lex, sends ? "'to'" : "'from'");
	mark = goal_lex_mark(&p->lex);
	if (!read_or_any(p, "the rank of the other process", GOAL_ANY - 1, &s->peer))
		return false;
	if (s->peer == GOAL_ANY && !sends)
		return true;
	if (s->peer == GOAL_ANY)
		return goal_lex_refuse(&p->lex, mark, "a send to any process: expected a rank");
	if (s->peer >= (uint32_t)p->nprocs)
		return goal_lex_refuse(&p->lex, mark, "no process %u: num_ranks is %d", s->peer,
				       p->nprocs);
	if (s->peer == (uint32_t)rank_of(p))
		return goal_lex_refuse(&p->lex, mark,
				       sends ? "process %u sends to itself" :
					       "process %u receives from itself",
				       s->peer);
	return true;
}

static bool read_byte(struct parser *p, const char *word, const char *what, uint32_t *value)
{
	uint64_t number = 0;

	if (goal_lex_word(&p->lex, word) && !goal_lex_number(&p->lex, what, UINT8_MAX, &number))
		return false;
	*value = number;
	return true;
}

/* tag, cpu, nic: each may be missing. */
static bool read_ending(struct parser *p, struct statement *s)
{
	static const char *const words[] = { "tag", "cpu", "nic" };
	struct goal_mark mark;

	if (s->type != GOAL_CALC && goal_lex_word(&p->lex, "tag")) {
		mark = goal_lex_mark(&p->lex);
		if (!read_or_any(p, "the tag", GOAL_ANY - 1, &s->tag))
			return false;
		if (s->tag == GOAL_ANY && s->type == GOAL_SEND)
			return goal_lex_refuse(&p->lex, mark,
					       "a send with any tag: expected a number");
	}
	if (!read_byte(p, "cpu", "the number of the processor", &s->cpu))
		return false;
	if (s->type != GOAL_CALC && !read_byte(p, "nic", "the number of the network", &s->nic))
		return false;
	mark = goal_lex_mark(&p->lex);
	for (int i = 0; i < 3; i++) {
		if (!goal_lex_is(goal_lex_peek(&p->lex), words[i]))
			continue;
		if (s->type == GOAL_CALC)
			return goal_lex_refuse(&p->lex, mark,
					       "a calc has no %s: expected cpu alone", words[i]);
		return goal_lex_refuse(&p->lex, mark,
				       "expected tag, cpu and nic in this order, each once");
	}
	return goal_lex_end_of_line(&p->lex, "the operation");
}

static bool read_statement(struct parser *p, struct statement *s)
{
	struct goal_mark mark;

	*s = (struct statement){ .mark = goal_lex_mark(&p->lex) };
	if (goal_lex_word(&p->lex, "send"))
		s->type = GOAL_SEND;
	else if (goal_lex_word(&p->lex, "recv"))
		s->type = GOAL_RECV;
	else if (goal_lex_word(&p->lex, "calc"))
		s->type = GOAL_CALC;
	else
		return goal_lex_expected(&p->lex, "send, recv or calc");
	if (s->type == GOAL_CALC)
		return goal_lex_number(&p->lex, "the cost", UINT64_MAX, &s->bytes) &&
		       read_ending(p, s);
	mark = goal_lex_mark(&p->lex);
	if (!goal_lex_bytes(&p->lex, "the size of the message", GOAL_BYTES_MOST, &s->bytes))
		return false;
	if (s->bytes == 0)
		return goal_lex_refuse(
			&p->lex, mark,
			"a size of 0: an empty message is 1b below a line //! empty");
	return read_peer(p, s) && read_ending(p, s);
}

/* ---- Operations with annotations ---------------------------------------------------------- */

static bool refuse_note(struct parser *p, const char *why)
{
	return goal_lex_refuse(&p->lex, p->note.mark, "%s", why);
}

/* May this calc have the annotations? */
static bool calc_fits(struct parser *p, const struct statement *s)
{
	const struct goal_note *n = &p->note;
	bool function = n->local || n->call;

	if (n->nothing && (function || n->multicast || n->empty || s->bytes))
		return refuse_note(p, "nothing is written as calc 0");
	if (function && (n->empty || n->multicast || s->bytes))
		return refuse_note(p, "a local operation or call is written as calc 0");
	if (function && (s->cpu || n->nic || n->tag))
		return refuse_note(p, "a local operation or call has no tag, cpu and nic");
	if (n->multicast && p->nprocs > 1)
		return refuse_note(p, "a multicast is written as its sends");
	if (n->multicast)
		return true;
	if (!function && (n->dst.n || n->src.n || n->tag))
		return refuse_note(p, "from, to or tag of a calc without local or call");
	return true;
}

/* The same for any statement. */
static bool parse_fits(struct parser *p, const struct statement *s)
{
	const struct goal_note *n = &p->note;
	bool calc = n->local || n->call || n->nothing || n->nic || n->tag;

	if (s->type == GOAL_SEND && (calc || n->dst.n))
		return refuse_note(p, "a send can be annotated with from, multicast or empty");
	if (s->type == GOAL_RECV && (calc || n->src.n || n->multicast))
		return refuse_note(p, "a receive can be annotated with to or empty");
	if (n->empty && (s->type == GOAL_CALC || s->bytes != 1 || n->dst.n || n->src.n))
		return refuse_note(p, "an empty message is written as 1b, and has no pieces");
	return s->type != GOAL_CALC || calc_fits(p, s);
}

/* One piece without a length has @bytes; else all together have. */
static bool parse_measure(struct parser *p, struct goal_pieces *side, uint64_t bytes)
{
	if (side->n == 0)
		return true;
	if (side->whole) {
		side->piece[0].bytes = side->bytes = bytes;
		side->whole = false;
		return goal_note_within(&p->lex, &p->note, p->note.mark, side->piece);
	}
	if (side->bytes == bytes)
		return true;
	return goal_lex_refuse(&p->lex, p->note.mark,
			       "pieces of %llu bytes together, expected %llu",
			       (unsigned long long)side->bytes, (unsigned long long)bytes);
}

static bool add_message(struct parser *p, const struct statement *s, int *op)
{
	struct goal_pieces *side = s->type == GOAL_RECV ? &p->note.dst : &p->note.src;
	uint64_t bytes = p->note.empty ? 0 : s->bytes;

	if (!parse_measure(p, side, bytes))
		return false;
	if (p->note.multicast && side->n)
		*op = goal_multicast_list(p->g, side->piece, side->n, s->tag);
	else if (p->note.multicast)
		*op = goal_multicast(p->g, bytes, GOAL_NOWHERE, s->tag);
	else if (s->type == GOAL_SEND && side->n)
		*op = goal_send_list(p->g, side->piece, side->n, s->peer, s->tag);
	else if (s->type == GOAL_SEND)
		*op = goal_send(p->g, bytes, GOAL_NOWHERE, s->peer, s->tag);
	else if (side->n)
		*op = goal_recv_list(p->g, side->piece, side->n, s->peer, s->tag);
	else
		*op = goal_recv(p->g, bytes, GOAL_NOWHERE, s->peer, s->tag);
	return true;
}

static bool add_local(struct parser *p, int *op)
{
	struct goal_note *n = &p->note;
	bool timestamp = n->function == GOAL_TIMESTAMP;

	if (n->dst.whole && n->src.whole)
		return refuse_note(p,
				   "the length is missing: expected one, as in to 8b at scratch");
	if (n->src.whole && !parse_measure(p, &n->src, n->dst.bytes))
		return false;
	if (n->dst.whole && !parse_measure(p, &n->dst, timestamp ? sizeof(uint64_t) : n->src.bytes))
		return false;
	if (n->dst.bytes != n->src.bytes && !timestamp)
		return goal_lex_refuse(
			&p->lex, n->mark, "to %llu bytes from %llu: expected as many",
			(unsigned long long)n->dst.bytes, (unsigned long long)n->src.bytes);
	*op = goal_local_list(p->g, n->function, n->datatype, n->flags, n->dst.piece, n->dst.n,
			      n->src.piece, n->src.n);
	return true;
}

static bool add_call(struct parser *p, int *op)
{
	struct goal_note *n = &p->note;
	struct goal_piece *all;

	if (n->dst.whole || n->src.whole)
		return refuse_note(p, "each piece of a call has a length: 8b at b0");
	all = calloc(n->dst.n + n->src.n + 1, sizeof(*all));
	if (!all)
		return goal_lex_no_memory(&p->lex);
	for (size_t i = 0; i < n->dst.n; i++)
		all[i] = n->dst.piece[i];
	for (size_t i = 0; i < n->src.n; i++)
		all[n->dst.n + i] = n->src.piece[i];
	*op = goal_call(p->g, n->number, all, n->dst.n + n->src.n, n->dst.n);
	free(all);
	return true;
}

/* @s gets the annotations of a calc. */
static bool add_operation(struct parser *p, struct statement *s, int *op)
{
	bool good = true;

	if (!parse_fits(p, s))
		return false;
	s->tag += p->note.tag;
	s->nic += p->note.nic;
	if (s->type != GOAL_CALC || p->note.multicast)
		good = add_message(p, s, op);
	else if (p->note.local)
		good = add_local(p, op);
	else if (p->note.call)
		good = add_call(p, op);
	else
		*op = goal_calc(p->g, s->bytes);
	if (!good)
		return false;
	if (s->cpu || s->nic)
		goal_place_on(p->g, *op, s->cpu, s->nic);
	if (goal_graph_error(p->g))
		return goal_lex_refuse(&p->lex, s->mark, "%s", goal_graph_error(p->g));
	return true;
}

/* ---- The sends of a multicast ------------------------------------------------------------ */

static bool multicast_is_open(const struct parser *p)
{
	return p->multicast.peer < (uint32_t)p->nprocs;
}

/* The next one is to the next process but oneself. */
static void expect_send_to(struct parser *p, uint32_t peer)
{
	p->multicast.peer = peer + (peer == (uint32_t)rank_of(p));
}

static bool refuse_send(struct parser *p, struct goal_mark mark)
{
	const struct statement *s = &p->multicast;

	return goal_lex_refuse(&p->lex, mark, "expected the multicast's send %llub to %u tag %u",
			       (unsigned long long)s->bytes, s->peer, s->tag);
}

static bool begin_multicast(struct parser *p, const struct statement *s, int op)
{
	/* Without a destination. */
	if (p->nprocs == 1)
		return true;
	p->multicast = *s;
	p->multicast_op = op;
	expect_send_to(p, 0);
	if (s->peer != p->multicast.peer)
		return refuse_send(p, s->mark);
	expect_send_to(p, s->peer + 1);
	return true;
}

/* It is one of those that the open multicast is written as. */
static bool go_on_with_multicast(struct parser *p, const struct statement *s)
{
	const struct statement *m = &p->multicast;

	if (p->note.any)
		return refuse_note(p, "an annotation between the sends of a multicast");
	if (s->type != GOAL_SEND || s->peer != m->peer || s->bytes != m->bytes ||
	    s->tag != m->tag || s->cpu != m->cpu || s->nic != m->nic)
		return refuse_send(p, s->mark);
	expect_send_to(p, s->peer + 1);
	return true;
}

/* The operation that stands here; @op is its number, -1 if it stands for nothing. */
static bool operation(struct parser *p, int *op)
{
	struct statement s;

	if (!read_statement(p, &s))
		return false;
	if (multicast_is_open(p)) {
		*op = p->multicast_op;
		return go_on_with_multicast(p, &s);
	}
	if (p->note.nothing && parse_fits(p, &s)) {
		*op = -1;
		goal_note_clear(&p->note);
		return true;
	}
	if (!add_operation(p, &s, op) || (p->note.multicast && !begin_multicast(p, &s, *op)))
		return false;
	goal_note_clear(&p->note);
	return true;
}

/* ---- Labels and dependencies --------------------------------------------------------------- */

static int quoted(struct goal_span label)
{
	return label.len < QUOTED_MOST ? (int)label.len : QUOTED_MOST;
}

static bool known_label(struct parser *p, struct goal_mark mark, struct goal_span label, int *op)
{
	*op = goal_labels_find(&p->labels, label);
	if (*op >= 0)
		return true;
	return goal_lex_refuse(&p->lex, mark, "label '%.*s' is not defined above in this rank",
			       quoted(label), label.at);
}

static bool remember(struct parser *p, struct goal_wait wait)
{
	struct goal_wait *more;

	if (p->nwaits == WAITS_MOST)
		return goal_lex_refuse(&p->lex, wait.mark, "more than %d dependencies", WAITS_MOST);
	more = goal_room(p->wait, p->nwaits, &p->wait_room, sizeof(*more));
	if (!more)
		return goal_lex_no_memory(&p->lex);
	p->wait = more;
	p->wait[p->nwaits++] = wait;
	return true;
}

/* The text behind the first label, at @mark. */
static bool dependency(struct parser *p, struct goal_mark mark, struct goal_span label, bool start)
{
	struct goal_mark other_mark = goal_lex_mark(&p->lex);
	struct goal_span other;
	int op, before;

	if (!known_label(p, mark, label, &op) || !goal_lex_label(&p->lex, &other) ||
	    !known_label(p, other_mark, other, &before))
		return false;
	if (!goal_lex_end_of_line(&p->lex, "the dependency"))
		return false;
	if (op == before && label.len == other.len && memcmp(label.at, other.at, label.len) == 0)
		return goal_lex_refuse(&p->lex, mark, "'%.*s' depends on itself", quoted(label),
				       label.at);
	/* Between the sends that a multicast is written as. */
	if (op == before)
		return true;
	if (start)
		goal_irequires(p->g, op, before);
	else
		goal_requires(p->g, op, before);
	return remember(p, (struct goal_wait){ op, before, mark });
}

static bool definition(struct parser *p, struct goal_mark mark, struct goal_span label)
{
	int op;

	if (goal_labels_find(&p->labels, label) >= 0)
		return goal_lex_refuse(&p->lex, mark,
				       "label '%.*s' is defined already in this rank",
				       quoted(label), label.at);
	if (!operation(p, &op))
		return false;
	if (op < 0)
		return goal_lex_refuse(&p->lex, mark, "a label of what is nothing");
	return goal_labels_add(&p->labels, label, op) || goal_lex_no_memory(&p->lex);
}

static bool labelled(struct parser *p)
{
	struct goal_mark mark = goal_lex_mark(&p->lex);
	struct goal_span label;

	if (!goal_lex_label(&p->lex, &label))
		return false;
	if (goal_lex_char(&p->lex, ':'))
		return definition(p, mark, label);
	if (p->note.any)
		return refuse_note(
			p, "an annotation above a dependency: expected an operation below it");
	if (goal_lex_word(&p->lex, "requires"))
		return dependency(p, mark, label, false);
	if (goal_lex_word(&p->lex, "irequires"))
		return dependency(p, mark, label, true);
	return goal_lex_expected(&p->lex, "':', requires or irequires after the label");
}

/* ---- A rank ---------------------------------------------------------------------------------- */

static bool statement(struct parser *p)
{
	struct goal_span word;
	int op;

	if (goal_lex_annotation(&p->lex))
		return goal_note_line(&p->lex, &p->note, p->g);
	word = goal_lex_peek(&p->lex);
	if (word.len == 0)
		return goal_lex_expected(&p->lex, "a statement or '}'");
	if (goal_lex_is(word, "rank") || goal_lex_is(word, "num_ranks"))
		return goal_lex_refuse(&p->lex, goal_lex_mark(&p->lex),
				       "rank %d is not closed: expected '}'", rank_of(p));
	if (goal_lex_is(word, "send") || goal_lex_is(word, "recv") || goal_lex_is(word, "calc"))
		return operation(p, &op);
	return labelled(p);
}

/* Are the annotations of buffers valid? */
static bool check_access(struct parser *p, const struct goal_prog *prog)
{
	static const char *const words[] = { "not used", "read", "written", "read and written" };
	const struct goal_buffer *buffer = goal_buffers(prog);

	for (size_t i = 0; i < p->note.nbuffers; i++) {
		const struct goal_declared *said = &p->note.buffer[i];

		if (said->access && said->access != buffer[i].access)
			return goal_lex_refuse(&p->lex, said->mark,
					       "buffer %zu is %s by the operations", i,
					       words[buffer[i].access & 3]);
	}
	return true;
}

static bool parse_keep(struct parser *p, void *block, size_t len)
{
	size_t n = p->set.nprocs, room = p->room;
	void *blocks = goal_room(p->set.block, n, &room, sizeof(*p->set.block));
	void *lens;

	if (!blocks)
		return false;
	p->set.block = blocks;
	lens = goal_room(p->set.len, n, &p->room, sizeof(*p->set.len));
	if (!lens)
		return false;
	p->set.len = lens;
	p->set.block[n] = block;
	p->set.len[n] = len;
	p->set.nprocs++;
	return true;
}

/* '}' has been read, which stood at @mark. */
static bool finish_rank(struct parser *p, struct goal_mark mark)
{
	const struct goal_wait *wait;
	struct goal_prog prog;
	void *block;
	size_t len;

	if (multicast_is_open(p))
		return refuse_send(p, mark);
	if (p->note.any)
		return refuse_note(p, "an annotation at the end: expected an operation below it");
	block = goal_compile(p->g, &len);
	if (!block) {
		wait = goal_cycle(p->wait, p->nwaits, goal_nops(p->g));
		if (wait)
			return goal_lex_refuse(&p->lex, wait->mark,
					       "this dependency closes a cycle");
		return goal_lex_refuse(&p->lex, mark, "%s", goal_graph_error(p->g));
	}
	prog.header = block;
	if (check_access(p, &prog) && parse_keep(p, block, len))
		return true;
	free(block);
	return goal_lex_no_memory(&p->lex);
}

static bool read_rank(struct parser *p)
{
	int line = p->lex.line;
	struct goal_mark mark;

	while (goal_lex_statement(&p->lex)) {
		mark = goal_lex_mark(&p->lex);
		if (goal_lex_char(&p->lex, '}'))
			return goal_lex_end_of_line(&p->lex, "'}'") && finish_rank(p, mark);
		if (!statement(p))
			return false;
	}
	return goal_lex_refuse(&p->lex, goal_lex_mark(&p->lex),
			       "rank %d, which begins in line %d, is not closed: expected '}'",
			       rank_of(p), line);
}

/* ---- The text -------------------------------------------------------------------------------- */

/* "rank INT {" of the next one. */
static bool read_rank_head(struct parser *p)
{
	struct goal_mark mark;
	uint64_t rank;

	if (goal_lex_annotation(&p->lex))
		return goal_lex_refuse(&p->lex, goal_lex_mark(&p->lex),
				       "an annotation outside of a rank");
	if (!goal_lex_word(&p->lex, "rank"))
		return goal_lex_expected(&p->lex, "rank");
	mark = goal_lex_mark(&p->lex);
	if (!goal_lex_number(&p->lex, "the rank", UINT64_MAX, &rank))
		return false;
	if (rank >= (uint64_t)p->nprocs)
		return goal_lex_refuse(&p->lex, mark, "no rank %llu: num_ranks is %d",
				       (unsigned long long)rank, p->nprocs);
	if (rank != (uint64_t)rank_of(p))
		return goal_lex_refuse(&p->lex, mark, "expected rank %d: all ranks, in order",
				       rank_of(p));
	if (!goal_lex_char(&p->lex, '{'))
		return goal_lex_expected(&p->lex, "'{' on the same line");
	return goal_lex_end_of_line(&p->lex, "'{'");
}

static bool next_rank(struct parser *p)
{
	bool good;

	if (!goal_lex_statement(&p->lex))
		return goal_lex_refuse(&p->lex, goal_lex_mark(&p->lex),
				       "rank %d is missing: num_ranks is %d", rank_of(p),
				       p->nprocs);
	if (!read_rank_head(p))
		return false;
	p->g = goal_graph_create(p->nprocs, rank_of(p));
	p->multicast.peer = p->nprocs;
	good = p->g ? read_rank(p) : goal_lex_no_memory(&p->lex);
	goal_graph_destroy(p->g);
	p->g = NULL;
	goal_labels_free(&p->labels);
	goal_note_clear_process(&p->note);
	p->nwaits = 0;
	return good;
}

static bool parse_read_text(struct parser *p)
{
	struct goal_mark mark;
	uint64_t nprocs;

	if (!goal_lex_statement(&p->lex) || !goal_lex_word(&p->lex, "num_ranks"))
		return goal_lex_expected(&p->lex, "num_ranks");
	mark = goal_lex_mark(&p->lex);
	if (!goal_lex_number(&p->lex, "num_ranks", GOAL_PROCESSES_MOST, &nprocs))
		return false;
	if (nprocs == 0)
		return goal_lex_refuse(&p->lex, mark,
				       "num_ranks is 0: expected at least one process");
	p->nprocs = nprocs;
	if (!goal_lex_end_of_line(&p->lex, "num_ranks"))
		return false;
	while (rank_of(p) < p->nprocs)
		if (!next_rank(p))
			return false;
	if (goal_lex_statement(&p->lex))
		return goal_lex_refuse(&p->lex, goal_lex_mark(&p->lex),
				       "text after the last rank: num_ranks is %d", p->nprocs);
	return !p->lex.refused;
}

int goal_parse(struct goal_set *set, const char *text, size_t len, struct goal_where *where)
{
	struct parser p = { .set = { 0 } };
	bool good;

	goal_lex_begin(&p.lex, text, len, where);
	good = parse_read_text(&p);
	goal_note_free(&p.note);
	free(p.wait);
	if (good)
		*set = p.set;
	else
		goal_set_free(&p.set);
	return good ? 0 : -1;
}
