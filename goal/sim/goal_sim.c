// SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause
/* goal_sim.c - how long a schedule takes on a network of LogGPS. */

/*
 * Events are taken in the order of time, and at the same time in the order in which they came up,
 * as LogGOPSim does; one whose processor or network is still busy is put off until that is free,
 * and keeps its place in that order. Operations that need the same ones stand in line.
 * All that is independent starts at time 0 and before everything else, so it needs no events:
 * processes are gone through in turn. So the queue is short when all processes post many
 * receives.
 *
 * Times stop at LATEST, which no event may reach.
 */
#include "goal/sim/goal_sim.h"

#include "goal/sim/goal_sim_state.h"

#include <stdlib.h>

#define LATEST UINT64_MAX
#define FIRST_ORDER (1ull << 62)	/* of events that are not there from the beginning */
#define TURN_ORDER (1ull << 63)		/* of turns, which come after all else of that time */

enum { PROGRESS_EVERY = 1 << 16 };

static uint64_t sum(uint64_t a, uint64_t b)
{
	return a > LATEST - b ? LATEST : a + b;
}

/* @cost of each byte but the first. */
static uint64_t per_byte(uint64_t bytes, uint64_t cost)
{
	uint64_t all;

	if (bytes < 2)
		return 0;
	return __builtin_mul_overflow(bytes - 1, cost, &all) ? LATEST : all;
}

static uint64_t later(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

/* ---- Until when something is busy ------------------------------------------------- */

static uint64_t *of_process(const struct goal_sim *s, uint32_t rank)
{
	return s->busy + (uint64_t)rank * (s->source->ncpus + 2ull * s->source->nnics);
}

/* One that shares a core has no other. */
static uint64_t *processor(const struct goal_sim *s, uint32_t rank, const struct goal_sim_op *op)
{
	return of_process(s, rank) + (goal_core_of(&s->cores, rank) ? 0 : op->cpu);
}

static uint64_t *sending(const struct goal_sim *s, uint32_t rank, const struct goal_sim_op *op)
{
	return of_process(s, rank) + s->source->ncpus + op->nic;
}

static uint64_t *receiving(const struct goal_sim *s, uint32_t rank, const struct goal_sim_op *op)
{
	return of_process(s, rank) + s->source->ncpus + s->source->nnics + op->nic;
}

/* ---- Watching --------------------------------------------------------------------- */

static void watch_busy(const struct goal_sim *s, uint32_t rank, uint32_t i,
		       const struct goal_sim_op *op, bool wire, uint64_t begin, uint64_t end)
{
	if (s->watch.busy)
		s->watch.busy(s->watch.owner, rank, i, op, wire, begin, end);
}

/* The network by which that message goes: a multicast goes by that between nodes. */
static const struct goal_net *net_of(const struct goal_sim *s, const struct goal_sim_op *sent,
				     uint32_t from, uint32_t to)
{
	uint32_t node = (uint32_t)s->net->node;

	return s->net->inside && sent->type == GOAL_SEND && from / node == to / node ?
		       s->net->inside : s->net;
}

static uint64_t cost_of_receive(const struct goal_net *net, const struct goal_sim_op *sent)
{
	return sum(net->has_r ? net->r : net->o,
		   later(per_byte(sent->bytes, net->O), per_byte(sent->bytes, net->G)));
}

/* ---- Events and lists -------------------------------------------------------------- */

static void sim_push(struct goal_sim *s, const struct goal_event *event)
{
	if (event->time == LATEST && !s->wrong)
		s->wrong = "times do not fit in 64 bits";
	goal_queue_push(&s->queue, event);
}

static void push_new(struct goal_sim *s, enum goal_event_kind kind, uint64_t time, uint32_t rank,
		     uint32_t from, uint32_t op)
{
	sim_push(s, &(struct goal_event){ time, s->order++, rank, from, op, kind });
}

static bool sim_make_room(struct goal_sim_list *l, uint32_t n)
{
	uint32_t most = l->most ? l->most : 16;
	uint32_t *op;

	while (most < n)
		most = most > UINT32_MAX / 2 ? UINT32_MAX : 2 * most;
	op = realloc(l->op, most * sizeof(*op));
	if (!op)
		return false;
	l->op = op;
	l->most = most;
	return true;
}

static void lack_memory(struct goal_sim *s)
{
	if (!s->wrong)
		s->wrong = "there is no memory";
}

/* ---- Turns on shared cores --------------------------------------------------------- */

static bool has_core(const struct goal_sim *s, uint32_t rank, uint64_t now)
{
	const struct goal_core *core = goal_core_of(&s->cores, rank);

	return !core || (goal_core_holder(&s->cores, core) == rank && now <= *of_process(s, rank));
}

/* When the first process that waits for @core has its turn, as far as known. */
static uint64_t turn_begins(const struct goal_sim *s, const struct goal_core *core)
{
	uint32_t holder = goal_core_holder(&s->cores, core);

	return goal_core_begin(&s->cores, core, core->waiting.event[0].order,
			       *of_process(s, holder));
}

static void call_core(struct goal_sim *s, struct goal_core *core, uint64_t now)
{
	struct goal_line *l = &core->waiting;
	uint64_t time = later(now, turn_begins(s, core));
	uint32_t number = core - s->cores.core;

	if (l->called && l->time == time)
		return;
	l->called = true;
	l->time = time;
	sim_push(s, &(struct goal_event){ time, TURN_ORDER + number, number, 0, 0,
					  GOAL_EVENT_TURN });
}

/* @rank has something to do, and no core. */
static void await_core(struct goal_sim *s, uint32_t rank, uint64_t now)
{
	struct goal_core *core = goal_core_of(&s->cores, rank);
	struct goal_sim_process *p = &s->process[rank];
	uint32_t holder = goal_core_holder(&s->cores, core);

	if (p->turn > core->turn)
		return;
	p->turn = goal_core_next(&s->cores, core, rank, *of_process(s, holder), now);
	if (goal_line_add(&core->waiting, &(struct goal_event){ .order = p->turn, .rank = rank }))
		call_core(s, core, now);
	else
		lack_memory(s);
}

/* ---- Lines ------------------------------------------------------------------------ */

/* A queue of sends, of messages to be received, or of calcs, of one processor and network. */
enum { SENDS, ARRIVALS, CALCS };

static uint64_t free_at(const struct goal_sim *s, uint32_t rank, int resource,
			const struct goal_sim_op *op)
{
	uint64_t cpu = *processor(s, rank, op);

	if (resource == CALCS)
		return cpu;
	return later(cpu, resource == SENDS ? *sending(s, rank, op) : *receiving(s, rank, op));
}

/* An event in the queue at @time for the first in line, unless there is one already. */
static void sim_call(struct goal_sim *s, uint32_t rank, uint32_t number, uint64_t time)
{
	struct goal_line *l = &s->process[rank].lines[number];
	uint64_t order = l->event[0].order;

	if (l->called && l->time == time && l->order == order)
		return;
	l->called = true;
	l->time = time;
	l->order = order;
	sim_push(s, &(struct goal_event){ time, order, rank, 0, number, GOAL_EVENT_CALL });
}

static void join_line(struct goal_sim *s, const struct goal_event *e, int resource,
		      const struct goal_sim_op *op)
{
	struct goal_sim_process *p = &s->process[e->rank];
	uint32_t pairs = s->source->ncpus * s->source->nnics, number = resource * pairs;

	number += resource == CALCS ? op->cpu : op->cpu * s->source->nnics + op->nic;
	if (!p->lines)
		p->lines = calloc(goal_sim_nlines(s), sizeof(*p->lines));
	if (p->lines && goal_line_add(&p->lines[number], e))
		sim_call(s, e->rank, number, later(e->time, free_at(s, e->rank, resource, op)));
	else
		lack_memory(s);
}

/* False: it stands in line. */
static bool has_turn(struct goal_sim *s, const struct goal_event *e, int resource,
		     const struct goal_sim_op *op)
{
	if (free_at(s, e->rank, resource, op) <= e->time && has_core(s, e->rank, e->time))
		return true;
	join_line(s, e, resource, op);
	return false;
}

/* ---- Operations that get free, and end ------------------------------------------------ */

typedef uint32_t list_function(const struct goal_source *s, int rank, uint32_t i, uint32_t *list,
			       uint32_t most);

/* Find the operations that wait for operation @i, into s->waiters. */
static void find_waiters(struct goal_sim *s, list_function *function, uint32_t rank, uint32_t i)
{
	struct goal_sim_list *l = &s->waiters;

	l->n = function(s->source, rank, i, l->op, l->most);
	if (l->n <= l->most)
		return;
	if (sim_make_room(l, l->n)) {
		function(s->source, rank, i, l->op, l->most);
	} else {
		lack_memory(s);
		l->n = 0;
	}
}

static void sim_release(struct goal_sim *s, uint32_t rank)
{
	const struct goal_sim_process *p = &s->process[rank];

	for (uint32_t n = 0; n < s->waiters.n; n++) {
		uint32_t i = s->waiters.op[n];

		if (--s->left[p->waiting + i - p->nindep])
			continue;
		if (s->freed.n < s->freed.most || sim_make_room(&s->freed, s->freed.n + 1))
			s->freed.op[s->freed.n++] = i;
		else
			lack_memory(s);
	}
}

static void sim_start(struct goal_sim *s, uint32_t rank, uint32_t i, uint64_t now)
{
	if (s->started)
		s->started[s->first[rank] + i] = now;
	find_waiters(s, s->source->followers, rank, i);
	sim_release(s, rank);
}

static bool all_on(const struct goal_sim *s, uint32_t rank, uint8_t cpu)
{
	struct goal_sim_op op;

	for (uint32_t n = 0; n < s->waiters.n; n++) {
		s->source->op(s->source, rank, s->waiters.op[n], &op);
		if (op.cpu != cpu)
			return false;
	}
	return true;
}

static void end_at(struct goal_sim *s, uint32_t rank, uint64_t end)
{
	s->finish[rank] = later(s->finish[rank], end);
	if (end == LATEST && !s->wrong)
		s->wrong = "times do not fit in 64 bits";
	s->done++;
	if (s->watch.progress && (s->done % PROGRESS_EVERY == 0 || s->done == s->all))
		s->watch.progress(s->watch.owner, s->done, s->all);
}

/*
 * Operation @i ends at @end, until when @cpu is busy. An operation that waits for it on the same
 * processor is free now, as its turn comes no earlier; one on another processor at @end.
 */
static void sim_finish(struct goal_sim *s, uint32_t rank, uint32_t i, uint8_t cpu, uint64_t now,
		       uint64_t end)
{
	end_at(s, rank, end);
	find_waiters(s, s->source->dependents, rank, i);
	if (end <= now || s->source->ncpus == 1 || all_on(s, rank, cpu))
		sim_release(s, rank);
	else
		push_new(s, GOAL_EVENT_DONE, end, rank, 0, i);
}

static int by_number(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return (x > y) - (x < y);
}

static int precedence(enum goal_type type)
{
	return type == GOAL_SEND || type == GOAL_MULTICAST ? 0 : type == GOAL_RECV ? 1 : 2;
}

/* All that an event has made free, of one process. */
static void push_all_freed(struct goal_sim *s, uint32_t rank, uint64_t now)
{
	struct goal_sim_list *l = &s->freed;
	struct goal_sim_op op;
	uint32_t sorted = 1;
	uint64_t time;

	while (sorted < l->n && l->op[sorted - 1] < l->op[sorted])
		sorted++;
	if (sorted < l->n)
		qsort(l->op, l->n, sizeof(*l->op), by_number);
	for (int turn = 0; turn < 3 && l->n; turn++)
		for (uint32_t n = 0; n < l->n; n++) {
			s->source->op(s->source, rank, l->op[n], &op);
			if (precedence(op.type) != turn)
				continue;
			time = later(now, *processor(s, rank, &op));
			if (turn == 0)
				time = later(time, *sending(s, rank, &op));
			push_new(s, GOAL_EVENT_READY, time, rank, 0, l->op[n]);
		}
	l->n = 0;
}

/* ---- Events ------------------------------------------------------------------- */

/* The message is on its way, and processor and network are busy. */
static void sim_launch(struct goal_sim *s, const struct goal_net *net, uint32_t rank, uint32_t i,
		       const struct goal_sim_op *op, uint64_t now)
{
	uint64_t *cpu = processor(s, rank, op);
	uint64_t *nic = sending(s, rank, op);

	*cpu = sum(now, sum(net->o, per_byte(op->bytes, net->O)));
	*nic = sum(now, sum(net->g, per_byte(op->bytes, net->G)));
	watch_busy(s, rank, i, op, false, now, *cpu);
	watch_busy(s, rank, i, op, true, now, *nic);
}

static uint64_t arrival(const struct goal_net *net, uint64_t now)
{
	return sum(now, sum(net->o, net->L));
}

static void run_send(struct goal_sim *s, const struct goal_event *e, const struct goal_sim_op *op)
{
	const struct goal_net *net = net_of(s, op, e->rank, op->peer);

	if (!has_turn(s, e, SENDS, op))
		return;
	sim_launch(s, net, e->rank, e->op, op, e->time);
	push_new(s, GOAL_EVENT_MESSAGE, arrival(net, e->time), op->peer, e->rank, e->op);
	sim_start(s, e->rank, e->op, e->time);
	if (op->bytes <= net->S)
		sim_finish(s, e->rank, e->op, op->cpu, e->time, *processor(s, e->rank, op));
}

/*
 * To all at once, if the network can; else one event for each, whose @from is how many have been
 * sent before, to the processes behind this one. It ends with the last one.
 */
static void run_multicast(struct goal_sim *s, const struct goal_event *e,
			  const struct goal_sim_op *op)
{
	uint32_t nprocs = s->source->nprocs;
	uint64_t arrives = arrival(s->net, e->time);
	struct goal_event next = *e;

	if (!has_turn(s, e, SENDS, op))
		return;
	if (!e->from)
		sim_start(s, e->rank, e->op, e->time);
	if (nprocs > 1)
		sim_launch(s, s->net, e->rank, e->op, op, e->time);
	for (uint32_t to = 0; s->net->multicast && to < nprocs; to++)
		if (to != e->rank)
			push_new(s, GOAL_EVENT_MESSAGE, arrives, to, e->rank, e->op);
	if (nprocs > 1 && !s->net->multicast) {
		push_new(s, GOAL_EVENT_MESSAGE, arrives, (e->rank + 1 + e->from) % nprocs, e->rank,
			 e->op);
		if (++next.from < nprocs - 1) {
			join_line(s, &next, SENDS, op);
			return;
		}
	}
	sim_finish(s, e->rank, e->op, op->cpu, e->time, *processor(s, e->rank, op));
}

/* Receive @j of @rank has got what @from sent by its operation @i, and ends at @end. */
static void sim_match(struct goal_sim *s, uint32_t from, uint32_t i, uint32_t rank, uint32_t j,
		      const struct goal_sim_op *sent, uint64_t now, uint64_t end)
{
	const struct goal_net *net = net_of(s, sent, from, rank);
	uint64_t sent_end = sum(later(now, end), net->L);
	struct goal_sim_op op;

	if (s->watch.busy) {
		s->source->op(s->source, rank, j, &op);
		s->watch.busy(s->watch.owner, rank, j, &op, false, end - cost_of_receive(net, sent),
			      end);
	}
	if (s->watch.message)
		s->watch.message(s->watch.owner, from, i, rank, j,
				 s->started[s->first[from] + i] + net->o, end);
	sim_finish(s, rank, j, sent->cpu, now, end);
	if (sent->type != GOAL_SEND || sent->bytes <= net->S)
		return;
	/* A rendezvous: the send ends later, which is an event of its own. */
	end_at(s, from, sent_end);
	push_new(s, GOAL_EVENT_DONE, sent_end, from, 0, i);
}

static void run_receive(struct goal_sim *s, const struct goal_event *e,
			const struct goal_sim_op *op)
{
	struct goal_sim_process *p = &s->process[e->rank];
	struct goal_waiting m = { .source = op->peer, .tag = op->tag, .op = e->op };
	struct goal_sim_op sent;

	sim_start(s, e->rank, e->op, e->time);
	if (!goal_matches_take_message(&p->arrived, op->peer, op->tag, &m)) {
		if (!goal_matches_add(&p->posted, &m))
			lack_memory(s);
		return;
	}
	s->source->op(s->source, m.source, m.op, &sent);
	sim_match(s, m.source, m.op, e->rank, e->op, &sent, e->time, later(e->time, m.end));
}

static void run_calc(struct goal_sim *s, const struct goal_event *e, const struct goal_sim_op *op)
{
	uint64_t *cpu = processor(s, e->rank, op);

	if (!has_turn(s, e, CALCS, op))
		return;
	*cpu = sum(e->time, op->bytes);
	watch_busy(s, e->rank, e->op, op, false, e->time, *cpu);
	sim_start(s, e->rank, e->op, e->time);
	sim_finish(s, e->rank, e->op, op->cpu, e->time, *cpu);
}

static void run_ready(struct goal_sim *s, const struct goal_event *e)
{
	struct goal_sim_op op;

	s->source->op(s->source, e->rank, e->op, &op);
	if (op.type == GOAL_SEND)
		run_send(s, e, &op);
	else if (op.type == GOAL_RECV)
		run_receive(s, e, &op);
	else if (op.type == GOAL_MULTICAST)
		run_multicast(s, e, &op);
	else
		run_calc(s, e, &op);
}

static void run_message(struct goal_sim *s, const struct goal_event *e)
{
	struct goal_sim_process *p = &s->process[e->rank];
	struct goal_waiting m = { .source = e->from, .op = e->op };
	const struct goal_net *net;
	struct goal_sim_op sent;
	uint64_t *cpu, *nic;

	s->source->op(s->source, e->from, e->op, &sent);
	net = net_of(s, &sent, e->from, e->rank);
	cpu = processor(s, e->rank, &sent);
	nic = receiving(s, e->rank, &sent);
	if (!has_turn(s, e, ARRIVALS, &sent))
		return;
	*cpu = sum(e->time, cost_of_receive(net, &sent));
	*nic = sum(e->time, sum(net->g, per_byte(sent.bytes, net->G)));
	m.tag = sent.tag;
	m.end = *cpu;
	if (goal_matches_take_receive(&p->posted, e->from, sent.tag, &m))
		sim_match(s, e->from, e->op, e->rank, m.op, &sent, e->time, *cpu);
	else if (!goal_matches_add(&p->arrived, &m))
		lack_memory(s);
}

static void run_one(struct goal_sim *s, const struct goal_event *e)
{
	if (e->kind == GOAL_EVENT_READY) {
		run_ready(s, e);
	} else if (e->kind == GOAL_EVENT_MESSAGE) {
		run_message(s, e);
	} else {
		find_waiters(s, s->source->dependents, e->rank, e->op);
		sim_release(s, e->rank);
	}
	push_all_freed(s, e->rank, e->time);
}

/* When line @number of @rank has its turn next: all operations in it need the same. */
static uint64_t next_turn(const struct goal_sim *s, uint32_t rank, uint32_t number)
{
	uint32_t pairs = s->source->ncpus * s->source->nnics;
	int resource = number / pairs < CALCS ? number / pairs : CALCS;
	uint32_t place = number - resource * pairs;
	struct goal_sim_op op = {
		.cpu = resource == CALCS ? place : place / s->source->nnics,
		.nic = resource == CALCS ? 0 : place % s->source->nnics,
	};

	return free_at(s, rank, resource, &op);
}

/* Only the last call for a line counts. Its first entry runs now or is queued again. */
static void run_call(struct goal_sim *s, const struct goal_event *e)
{
	struct goal_line *l = &s->process[e->rank].lines[e->op];
	struct goal_event first;

	if (!l->called || l->time != e->time || l->order != e->order)
		return;
	l->called = false;
	if (!has_core(s, e->rank, e->time)) {
		await_core(s, e->rank, e->time);
		return;
	}
	first = goal_line_take(l);
	first.time = e->time;
	run_one(s, &first);
	if (l->n)
		sim_call(s, e->rank, e->op, later(e->time, next_turn(s, e->rank, e->op)));
}

/*
 * A process gets its core, unless the one before has found more to do. All that it has to do stands
 * in its lines.
 */
static void run_turn(struct goal_sim *s, const struct goal_event *e)
{
	struct goal_core *core = &s->cores.core[e->rank];
	struct goal_event first;

	if (!core->waiting.called || core->waiting.time != e->time)
		return;
	core->waiting.called = false;
	if (turn_begins(s, core) <= e->time) {
		first = goal_line_take(&core->waiting);
		core->turn = first.order;
		*of_process(s, first.rank) = e->time;
		for (uint32_t i = 0; i < goal_sim_nlines(s); i++)
			if (s->process[first.rank].lines[i].n)
				sim_call(s, first.rank, i,
					 later(e->time, next_turn(s, first.rank, i)));
	}
	if (core->waiting.n)
		call_core(s, core, e->time);
}

static void run_event(struct goal_sim *s, const struct goal_event *e)
{
	if (e->kind == GOAL_EVENT_CALL)
		run_call(s, e);
	else if (e->kind == GOAL_EVENT_TURN)
		run_turn(s, e);
	else
		run_one(s, e);
}

/* ---- The whole run ------------------------------------------------------------------ */

/*
 * The independent ones of a process: sends first, then receives, then the rest. All of them came
 * up before any other event.
 */
static void begin_turn(struct goal_sim *s, uint32_t rank, int turn, uint64_t *order)
{
	struct goal_sim_op op;

	for (uint32_t i = 0; i < s->process[rank].nindep; i++) {
		s->source->op(s->source, rank, i, &op);
		if (precedence(op.type) == turn)
			run_event(s, &(struct goal_event){ .rank = rank,
							   .op = i,
							   .order = (*order)++,
							   .kind = GOAL_EVENT_READY });
	}
}

static void sim_run(struct goal_sim *s)
{
	struct goal_event e;
	uint64_t order = 0;

	s->order = FIRST_ORDER;
	for (uint32_t rank = 0; rank < (uint32_t)s->source->nprocs; rank++)
		for (int turn = 0; turn < 3 && !s->wrong; turn++)
			begin_turn(s, rank, turn, &order);
	while (!s->wrong && goal_queue_pop(&s->queue, &e))
		run_event(s, &e);
	if (s->queue.broken)
		lack_memory(s);
}

int goal_sim(const struct goal_source *source, const struct goal_net *net,
	     const struct goal_sim_watch *watch, uint64_t *times, char *why, size_t len)
{
	struct goal_sim s = { .source = source, .net = net, .finish = times };
	int error = 0;

	if (watch)
		s.watch = *watch;
	if (goal_sim_open(&s))
		sim_run(&s);
	else
		lack_memory(&s);
	if (s.wrong) {
		snprintf(why, len, "%s", s.wrong);
		error = -1;
	} else {
		error = goal_sim_left(&s, why, len);
	}
	goal_sim_close(&s);
	return error;
}
