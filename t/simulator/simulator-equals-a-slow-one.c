/* SPDX-License-Identifier: BSD-3-Clause */
/* Random schedules under a simulator that looks through everything for each event. */

#include "../lib/random.h"
#include "../lib/simulated.h"

enum { RANKS_MOST = 6, OPS_MOST = 60, EVENTS_MOST = 4000, TURNS = 3000, SHARED = 1000 };

static uint64_t state = 1;

static uint32_t draw(uint32_t below)
{
	return (uint32_t)random_below(&state, below);
}

/* ---- A schedule, as a source of its own --------------------------------------------- */

struct slow_op {
	struct goal_sim_op op;
	uint32_t before[3]; /* it requires these; those from nends on only their start */
	uint32_t nbefore, nends;
};

static struct schedule {
	int nprocs;
	uint32_t nops[RANKS_MOST];
	struct slow_op op[RANKS_MOST][OPS_MOST];
} schedule;

static uint32_t nops(const struct goal_source *s, int rank)
{
	(void)s;
	return schedule.nops[rank];
}

static void op(const struct goal_source *s, int rank, uint32_t i, struct goal_sim_op *out)
{
	(void)s;
	*out = schedule.op[rank][i].op;
}

static uint32_t dependencies(const struct goal_source *s, int rank, uint32_t i)
{
	(void)s;
	return schedule.op[rank][i].nbefore;
}

static uint32_t waiters(int rank, uint32_t i, bool end, uint32_t *list, uint32_t most)
{
	uint32_t n = 0;

	for (uint32_t j = i + 1; j < schedule.nops[rank]; j++) {
		const struct slow_op *o = &schedule.op[rank][j];

		for (uint32_t k = 0; k < o->nbefore; k++) {
			if (o->before[k] != i || (k < o->nends) != end)
				continue;
			if (n < most)
				list[n] = j;
			n++;
		}
	}
	return n;
}

static uint32_t dependents(const struct goal_source *s, int rank, uint32_t i, uint32_t *list,
			   uint32_t most)
{
	(void)s;
	return waiters(rank, i, true, list, most);
}

static uint32_t followers(const struct goal_source *s, int rank, uint32_t i, uint32_t *list,
			  uint32_t most)
{
	(void)s;
	return waiters(rank, i, false, list, most);
}

static const struct goal_source source_of_schedule = {
	.ncpus = 2, .nnics = 2, .nops = nops, .op = op, .dependencies = dependencies,
	.dependents = dependents, .followers = followers,
};

/* An operation requires only operations that were added before it. */
static void add(int rank, struct goal_sim_op op, bool independent)
{
	uint32_t i = schedule.nops[rank]++;
	struct slow_op *o = &schedule.op[rank][i];

	*o = (struct slow_op){ .op = op };
	if (independent || !i)
		return;
	o->nbefore = 1 + draw(3);
	o->nends = draw(o->nbefore + 1);
	for (uint32_t k = 0; k < o->nbefore; k++)
		o->before[k] = draw(i);
}

/* The first few wait for nothing, as a source must have it. */
static void make_schedule(void)
{
	int ncpus = 1 + draw(2), nnics = 1 + draw(2);
	uint32_t messages = 1 + draw(80);

	schedule.nprocs = 2 + draw(RANKS_MOST - 1);
	memset(schedule.nops, 0, sizeof schedule.nops);
	for (int rank = 0; rank < schedule.nprocs; rank++)
		for (uint32_t n = draw(4); n; n--)
			add(rank,
			    (struct goal_sim_op){ GOAL_CALC, 0, 0, draw(300), draw(ncpus), 0 },
			    true);
	for (uint32_t n = 0; n < messages; n++) {
		uint32_t from = draw(schedule.nprocs);
		uint32_t to = (from + 1 + draw(schedule.nprocs - 1)) % schedule.nprocs;
		uint32_t bytes = 1 + draw(40), tag = draw(3);

		if (schedule.nops[from] == OPS_MOST || schedule.nops[to] == OPS_MOST)
			continue;
		add(from,
		    (struct goal_sim_op){ GOAL_SEND, to, tag, bytes, draw(ncpus), draw(nnics) },
		    false);
		add(to, (struct goal_sim_op){ GOAL_RECV, from, tag, bytes, draw(ncpus), 0 }, false);
	}
}

/* ---- The slow one ------------------------------------------------------------------- */

enum kind { READY, MESSAGE, DONE, TURN, POSTED, ARRIVED, MATCHED };

static struct slow_event {
	enum kind kind;
	uint64_t time, order;
	uint32_t rank, from, op;
	bool parked;			/* until its process has the core */
} event[EVENTS_MOST];

static struct {
	const struct goal_net *net;
	uint32_t nevents;
	uint64_t order;
	uint64_t cpu[RANKS_MOST][2], out[RANKS_MOST][2], in[RANKS_MOST][2], finish[RANKS_MOST];
	uint32_t left[RANKS_MOST][OPS_MOST];
	bool is_free[OPS_MOST];		/* of the process of this event */
	uint32_t holder[RANKS_MOST];	/* of the core of each process */
} slow;

static uint64_t later(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

static void happen(enum kind kind, uint64_t time, uint32_t rank, uint32_t from, uint32_t op)
{
	if (slow.nevents == EVENTS_MOST)
		bail("too many events");
	event[slow.nevents++] = (struct slow_event){ .kind = kind, .time = time,
						     .order = slow.order++, .rank = rank,
						     .from = from, .op = op };
}

/* ---- Cores, turn by turn ---- */

static bool same_core(uint32_t a, uint32_t b)
{
	uint32_t m = slow.net->machine ? slow.net->machine : schedule.nprocs, c = slow.net->cores;

	return c && a / m == b / m && a % m % c == b % m % c;
}

/* The next on its core, round and round: itself if there is no other. */
static uint32_t after(uint32_t rank)
{
	uint32_t next = rank;

	do
		next = (next + 1) % schedule.nprocs;
	while (next != rank && !same_core(rank, next));
	return next;
}

static uint64_t *cpu_of(uint32_t rank, uint8_t cpu)
{
	return &slow.cpu[rank][after(rank) == rank ? cpu : 0];
}

static void make_turns(void)
{
	for (uint32_t rank = 0; rank < (uint32_t)schedule.nprocs; rank++) {
		slow.holder[rank] = rank;
		for (uint32_t q = 0; q < rank; q++)
			if (same_core(q, rank) && slow.holder[rank] == rank)
				slow.holder[rank] = q;
		if (slow.holder[rank] != rank || after(rank) == rank)
			continue;
		happen(TURN, slow.net->turn, rank, 0, 0);
		event[slow.nevents - 1].order = UINT64_MAX;
	}
}

/* The core of @e->rank goes to the next one, unless the holder is not done. */
static void take_turn(struct slow_event *e)
{
	uint32_t holder = slow.holder[e->rank];

	if (slow.cpu[holder][0] + slow.net->turn > e->time) {
		e->time = slow.cpu[holder][0] + slow.net->turn;
		return;
	}
	holder = after(holder);
	slow.cpu[holder][0] = e->time;
	for (uint32_t rank = 0; rank < (uint32_t)schedule.nprocs; rank++)
		if (same_core(rank, holder))
			slow.holder[rank] = holder;
	for (uint32_t i = 0; i < slow.nevents; i++)
		if (event[i].parked && event[i].rank == holder) {
			event[i].parked = false;
			event[i].time = e->time;
		}
	e->time += slow.net->turn;
}

static void release(uint32_t rank, uint32_t i, bool end)
{
	uint32_t list[3 * OPS_MOST];
	uint32_t n = waiters(rank, i, end, list, 3 * OPS_MOST);

	while (n--)
		slow.is_free[list[n]] |= --slow.left[rank][list[n]] == 0;
}

static void push_free(uint32_t rank, uint64_t now)
{
	static const enum goal_type turns[] = { GOAL_SEND, GOAL_RECV, GOAL_CALC };

	for (int turn = 0; turn < 3; turn++)
		for (uint32_t i = 0; i < schedule.nops[rank]; i++) {
			const struct goal_sim_op *o = &schedule.op[rank][i].op;
			uint64_t time = later(now, *cpu_of(rank, o->cpu));

			if (!slow.is_free[i] || o->type != turns[turn])
				continue;
			if (o->type == GOAL_SEND)
				time = later(time, slow.out[rank][o->nic]);
			happen(READY, time, rank, 0, i);
			slow.is_free[i] = false;
		}
}

static bool same_processor(uint32_t rank, uint32_t i, uint8_t cpu)
{
	uint32_t list[3 * OPS_MOST];
	uint32_t n = waiters(rank, i, true, list, 3 * OPS_MOST);

	while (n--)
		if (schedule.op[rank][list[n]].op.cpu != cpu)
			return false;
	return true;
}

static void end(uint32_t rank, uint32_t i, uint8_t cpu, uint64_t now, uint64_t at)
{
	slow.finish[rank] = later(slow.finish[rank], at);
	if (at <= now || same_processor(rank, i, cpu))
		release(rank, i, true);
	else
		happen(DONE, at, rank, 0, i);
}

static bool busy(struct slow_event *e, uint64_t until)
{
	if (until > e->time) {
		e->time = until;
		return true;
	}
	e->parked = after(e->rank) != e->rank &&
		    (slow.holder[e->rank] != e->rank || slow.cpu[e->rank][0] < e->time);
	return e->parked;
}

static void matched(struct slow_event *m, uint32_t rank, uint32_t receive, uint64_t now,
		    uint64_t at)
{
	const struct goal_sim_op *o = &schedule.op[m->from][m->op].op;
	uint32_t from = m->from, sent = m->op;

	end(rank, receive, o->cpu, now, at);
	if (o->bytes > slow.net->S) {
		slow.finish[from] = later(slow.finish[from], later(now, at) + slow.net->L);
		happen(DONE, later(now, at) + slow.net->L, from, 0, sent);
	}
}

/* The first by order of @kind at @rank that fits. */
static struct slow_event *find(enum kind kind, uint32_t rank, uint32_t from, uint32_t tag)
{
	struct slow_event *found = NULL;

	for (uint32_t i = 0; i < slow.nevents; i++) {
		struct slow_event *m = &event[i];
		uint32_t source = kind == POSTED ? rank : m->from;

		if (m->kind != kind || m->rank != rank || m->from != from)
			continue;
		if (schedule.op[source][m->op].op.tag == tag && (!found || m->order < found->order))
			found = m;
	}
	return found;
}

static void ready(struct slow_event *e)
{
	const struct goal_sim_op *o = &schedule.op[e->rank][e->op].op;
	uint64_t *cpu = cpu_of(e->rank, o->cpu);
	struct slow_event now = *e, *m;

	if (o->type == GOAL_CALC && !busy(e, *cpu)) {
		e->kind = MATCHED;
		*cpu = now.time + o->bytes;
		release(now.rank, now.op, false);
		end(now.rank, now.op, o->cpu, now.time, *cpu);
	} else if (o->type == GOAL_SEND && !busy(e, later(*cpu, slow.out[e->rank][o->nic]))) {
		e->kind = MATCHED;
		*cpu = now.time + slow.net->o + (o->bytes - 1) * slow.net->O;
		slow.out[now.rank][o->nic] = now.time + slow.net->g + (o->bytes - 1) * slow.net->G;
		happen(MESSAGE, now.time + slow.net->o + slow.net->L, o->peer, now.rank, now.op);
		release(now.rank, now.op, false);
		if (o->bytes <= slow.net->S)
			end(now.rank, now.op, o->cpu, now.time, *cpu);
	} else if (o->type == GOAL_RECV) {
		release(now.rank, now.op, false);
		m = find(ARRIVED, now.rank, o->peer, o->tag);
		e->kind = m ? MATCHED : POSTED;
		e->from = o->peer;
		e->order = slow.order++;
		if (!m)
			return;
		m->kind = MATCHED;
		matched(m, now.rank, now.op, now.time, later(now.time, m->time));
	}
}

static void arrive(struct slow_event *e)
{
	const struct goal_sim_op *o = &schedule.op[e->from][e->op].op;
	uint64_t *cpu = cpu_of(e->rank, o->cpu), *in = &slow.in[e->rank][o->nic];
	uint64_t bytes = o->bytes - 1, now = e->time;
	struct slow_event *m;

	if (busy(e, later(*cpu, *in)))
		return;
	*cpu = now + (slow.net->has_r ? slow.net->r : slow.net->o) +
	       later(bytes * slow.net->O, bytes * slow.net->G);
	*in = now + slow.net->g + bytes * slow.net->G;
	m = find(POSTED, e->rank, e->from, o->tag);
	e->kind = m ? MATCHED : ARRIVED;
	e->time = *cpu;
	e->order = slow.order++;
	if (!m)
		return;
	m->kind = MATCHED;
	matched(e, e->rank, m->op, now, *cpu);
}

/* Turns go on as long as anything else is to come. */
static struct slow_event *next_event(void)
{
	struct slow_event *first = NULL;
	bool goes_on = false;

	for (uint32_t i = 0; i < slow.nevents; i++) {
		struct slow_event *e = &event[i];

		goes_on |= e->kind < TURN;
		if (e->kind > TURN || e->parked)
			continue;
		if (!first || e->time < first->time ||
		    (e->time == first->time && e->order < first->order))
			first = e;
	}
	return goes_on ? first : NULL;
}

static void run_slowly(const struct goal_net *net)
{
	struct slow_event *e;

	memset(&slow, 0, sizeof slow);
	slow.net = net;
	make_turns();
	for (int rank = 0; rank < schedule.nprocs; rank++) {
		for (uint32_t i = 0; i < schedule.nops[rank]; i++) {
			slow.left[rank][i] = schedule.op[rank][i].nbefore;
			slow.is_free[i] = !slow.left[rank][i];
		}
		push_free(rank, 0);
	}
	while ((e = next_event())) {
		uint32_t rank = e->rank;
		uint64_t now = e->time;

		if (e->kind == READY) {
			ready(e);
		} else if (e->kind == MESSAGE) {
			arrive(e);
		} else if (e->kind == TURN) {
			take_turn(e);
			continue;
		} else {
			e->kind = MATCHED;
			release(rank, e->op, true);
		}
		push_free(rank, now);
	}
}

/* ---- Both ------------------------------------------------------------------------- */

static bool something_is_left(void)
{
	for (uint32_t i = 0; i < slow.nevents; i++)
		if (event[i].kind == POSTED || event[i].kind == ARRIVED)
			return true;
	return false;
}

static bool compare(bool shared)
{
	struct goal_net net = {
		.L = draw(50), .o = draw(20), .g = draw(30), .G = draw(4), .O = draw(4),
		.S = 5 + draw(60), .r = draw(20), .has_r = draw(2),
	};
	struct goal_net cores = { .cores = 1 + draw(3), .machine = draw(5), .turn = 5 + draw(30) };
	struct goal_source source = source_of_schedule;
	uint64_t times[RANKS_MOST];
	char why[300] = "";
	bool stuck;

	if (shared) {
		net.cores = cores.cores;
		net.machine = cores.machine;
		net.turn = cores.turn;
	}
	make_schedule();
	source.nprocs = schedule.nprocs;
	run_slowly(&net);
	stuck = goal_sim(&source, &net, NULL, times, why, sizeof why);
	if (memcmp(times, slow.finish, schedule.nprocs * sizeof(*times)) == 0)
		return stuck == something_is_left();
	diag("L %d o %d r %d g %d G %d O %d S %d, %d cores of %d, turn %d: %s", (int)net.L,
	     (int)net.o, net.has_r ? (int)net.r : (int)net.o, (int)net.g, (int)net.G,
	     (int)net.O, (int)net.S, net.cores, net.machine, (int)net.turn, why);
	return false;
}

int main(void)
{
	int good = 0;

	for (int turn = 0; turn < TURNS; turn++)
		good += compare(false);
	is_int(TURNS, good, "of %d random schedules all times agree", TURNS);
	good = 0;
	for (int turn = 0; turn < SHARED; turn++)
		good += compare(true);
	is_int(SHARED, good, "and of %d whose processes share cores", SHARED);
	return done_testing();
}
