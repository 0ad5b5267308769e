/* SPDX-License-Identifier: BSD-3-Clause */
/* messages.h - schedules of all processes run in one program, over a network in the most
 * unfavourable order that is allowed. */
#ifndef MESSAGES_H
#define MESSAGES_H

#include "goal/gen/goal_gen.h"
#include "schedules.h"

#include <stdarg.h>

/*
 * Operations are started and messages delivered in random order. A send is read at once or
 * when its message is received, and its memory is free only then. The memory of a receive is
 * scribbled over as soon as it is posted. Messages of the same source and tag match receives in
 * order. So memory that is touched too early or too late shows in the result.
 */

struct pending {
	const struct goal_op *op;
	int from;			/* of a message */
	unsigned char *copy;		/* of a message that was read at once */
	int *left;			/* of a multicast that is not: which have not read it */
};

struct queue {
	struct pending *entry;
	size_t n, room;
};

struct member {
	struct goal_run run;
	struct network *net;
	int rank;
	void *block, *memory;
	unsigned char *scratch;
	unsigned char *buffers[2];
	struct queue messages, receives;
};

struct network {
	int nprocs;
	struct member *member;
	uint64_t seed;
	char wrong[200];		/* the first error */
};

__attribute__((format(printf, 2, 3)))
static inline void goes_wrong(struct network *net, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	if (!net->wrong[0])
		vsnprintf(net->wrong, sizeof net->wrong, format, args);
	va_end(args);
}

static inline void enqueue(struct queue *q, struct pending p)
{
	if (q->n == q->room) {
		q->room = 2 * q->room + 8;
		q->entry = realloc(q->entry, q->room * sizeof *q->entry);
	}
	if (!q->entry)
		bail("no memory for a queue");
	q->entry[q->n++] = p;
}

static inline struct pending dequeue(struct queue *q, size_t i)
{
	struct pending p = q->entry[i];

	q->n--;
	memmove(&q->entry[i], &q->entry[i + 1], (q->n - i) * sizeof *q->entry);
	return p;
}

static inline void read_parts(const struct goal_run *run, const struct goal_op *op,
			      unsigned char *to)
{
	const struct goal_part *part = goal_parts(op);

	for (uint32_t i = 0; i < op->nparts; to += part[i++].bytes)
		memcpy(to, goal_run_at(run, &part[i]), part[i].bytes);
}

static inline void write_parts(const struct goal_run *run, const struct goal_op *op,
			       const unsigned char *from)
{
	const struct goal_part *part = goal_parts(op);

	for (uint32_t i = 0; i < op->nparts; from += part[i++].bytes)
		memcpy(goal_run_at(run, &part[i]), from, part[i].bytes);
}

static inline void scribble(const struct goal_run *run, const struct goal_op *op)
{
	const struct goal_part *part = goal_parts(op);

	for (uint32_t i = 0; i < op->nparts; i++)
		memset(goal_run_at(run, &part[i]), 0xa5, part[i].bytes);
}

/* To all others, each of which reads it when it receives it, or none. */
static inline void enqueue_all(struct member *m, const struct pending *message)
{
	int n = m->net->nprocs;
	int *left = message->copy ? NULL : some(sizeof *left);

	if (left)
		*left = n - 1;
	for (int i = 1; i < n; i++) {
		struct pending p = *message;

		p.left = left;
		if (message->copy) {
			p.copy = some(message->op->bytes);
			memcpy(p.copy, message->copy, message->op->bytes);
		}
		enqueue(&m->net->member[(m->rank + i) % n].messages, p);
	}
	free(message->copy);
}

static bool begin_move(struct goal_run *run, const struct goal_op *op)
{
	struct member *m = run->owner;
	struct network *net = m->net;
	struct pending p = { .op = op, .from = m->rank };

	if (op->type == GOAL_RECV) {
		scribble(run, op);
		enqueue(&m->receives, p);
		return false;
	}
	if (random_below(&net->seed, 2)) {
		p.copy = some(op->bytes);
		read_parts(run, op, p.copy);
	}
	if (op->type == GOAL_MULTICAST) {
		enqueue_all(m, &p);
		return p.copy != NULL;
	}
	enqueue(&net->member[op->peer].messages, p);
	return p.copy != NULL;
}

/* Products of 2 x 2 matrices modulo 2^32: associative, and the order matters. */
struct matrix {
	uint32_t at[2][2];
};

static inline struct matrix product(struct matrix a, struct matrix b)
{
	struct matrix c;

	for (int i = 0; i < 2; i++)
		for (int j = 0; j < 2; j++)
			c.at[i][j] = a.at[i][0] * b.at[0][j] + a.at[i][1] * b.at[1][j];
	return c;
}

static void multiply(struct goal_run *run, const struct goal_op *op)
{
	const struct goal_part *part = goal_parts(op);
	struct member *m = run->owner;
	unsigned char *at[3];
	struct matrix a, b;

	for (int i = 0; i < 3; i++)
		at[i] = goal_run_at(run, &part[i]);
	if (op->nparts != 3 || op->ndst != 1 || at[0] == at[1] || at[0] == at[2])
		goes_wrong(m->net, "a call at %d whose result is an operand", m->rank);
	for (uint64_t i = 0; i < part->bytes; i += sizeof a) {
		memcpy(&a, at[1] + i, sizeof a);
		memcpy(&b, at[2] + i, sizeof b);
		a = product(a, b);
		memcpy(at[0] + i, &a, sizeof a);
	}
}

static const struct goal_host messages_host = { .move = begin_move, .call = multiply };

/* The first one of the same source and tag, or n. */
static inline size_t first_like(const struct queue *q, bool messages, uint32_t peer, uint32_t tag)
{
	size_t i;

	for (i = 0; i < q->n; i++) {
		const struct pending *p = &q->entry[i];
		uint32_t from = messages ? (uint32_t)p->from : p->op->peer;

		if (from == peer && p->op->tag == tag)
			break;
	}
	return i;
}

static inline void hand_over(struct member *m, struct pending message, struct pending receive)
{
	struct member *sender = &m->net->member[message.from];
	uint64_t bytes = receive.op->bytes;
	unsigned char *data = some(bytes);

	if (message.op->bytes != bytes)
		goes_wrong(m->net, "%d sends %llu bytes to %d, which awaits %llu", message.from,
			   (unsigned long long)message.op->bytes, m->rank,
			   (unsigned long long)bytes);
	else if (message.copy)
		memcpy(data, message.copy, bytes);
	else
		read_parts(&sender->run, message.op, data);
	write_parts(&m->run, receive.op, data);
	free(data);
	if (!message.copy && (!message.left || --*message.left == 0)) {
		goal_run_done(&sender->run, message.op);
		free(message.left);
	}
	free(message.copy);
	goal_run_done(&m->run, receive.op);
}

/* Deliver one message to it, if one matches a posted receive. */
static inline bool deliver(struct member *m)
{
	size_t n = m->receives.n, first = n ? random_below(&m->net->seed, (uint32_t)n) : 0;

	for (size_t i = 0; i < n; i++) {
		const struct goal_op *op = m->receives.entry[(first + i) % n].op;
		size_t message = first_like(&m->messages, true, op->peer, op->tag);
		size_t receive = first_like(&m->receives, false, op->peer, op->tag);

		if (message < m->messages.n) {
			hand_over(m, dequeue(&m->messages, message),
				  dequeue(&m->receives, receive));
			return true;
		}
	}
	return false;
}

static inline bool advance(struct member *m)
{
	if (random_below(&m->net->seed, 2) && deliver(m))
		return true;
	return goal_run_step(&m->run, 1) > 0 || deliver(m);
}

/* One random event of a random process. */
static inline bool advance_one(struct network *net)
{
	uint32_t first = random_below(&net->seed, (uint32_t)net->nprocs);

	for (int i = 0; i < net->nprocs; i++)
		if (advance(&net->member[(first + (uint32_t)i) % (uint32_t)net->nprocs]))
			return true;
	return false;
}

/* Until no event is possible; then all must have ended, and no message is left. */
static inline void run_network(struct network *net)
{
	for (int i = 0; i < net->nprocs; i++)
		goal_run_start(&net->member[i].run, net->member[i].buffers, 0);
	while (!net->wrong[0] && advance_one(net))
		;
	for (int i = 0; i < net->nprocs; i++) {
		const struct member *m = &net->member[i];

		if (!goal_run_is_over(&m->run))
			goes_wrong(net, "%d waits for ever", i);
		if (m->messages.n)
			goes_wrong(net, "%d has messages left", i);
	}
}

static inline void join_network(struct network *net, int rank, const struct goal_task *task)
{
	struct member *m = &net->member[rank];
	struct goal_prog prog;
	char why[200];
	size_t len, scratch;

	m->net = net;
	m->rank = rank;
	m->block = goal_generate(task, net->nprocs, rank, &len, why, sizeof why);
	if (!m->block)
		bail("%s of %d processes: %s", task->algorithm->name, net->nprocs, why);
	prog = good(m->block, len);
	scratch = (prog.header->scratch_bytes + 15) / 16 * 16;
	m->memory = some(goal_run_bytes(&prog, false));
	m->scratch = aligned_alloc(16, scratch ? scratch : 16);
	if (!m->scratch)
		bail("no memory for a scratchpad");
	memset(m->scratch, 0xb6, scratch);
	goal_run_init(&m->run, &prog, &messages_host, m, false, m->memory, m->scratch);
}

static inline struct network *open_network(const struct goal_task *task, int nprocs, uint64_t seed)
{
	struct network *net = some(sizeof *net);

	net->nprocs = nprocs;
	net->seed = seed;
	net->member = some((size_t)nprocs * sizeof *net->member);
	for (int i = 0; i < nprocs; i++)
		join_network(net, i, task);
	return net;
}

static inline void close_network(struct network *net)
{
	for (int i = 0; i < net->nprocs; i++) {
		struct member *m = &net->member[i];

		for (size_t j = 0; j < m->messages.n; j++)
			free(m->messages.entry[j].copy);
		free(m->messages.entry);
		free(m->receives.entry);
		free(m->block);
		free(m->memory);
		free(m->scratch);
	}
	free(net->member);
	free(net);
}

#endif
