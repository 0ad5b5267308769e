/* SPDX-License-Identifier: BSD-3-Clause */
/* Random programs leave what a sequential model of BSPlib leaves. */

/*
 * random-programs-match-model.t [first seed [number of seeds]]
 *
 * Every process makes the same random program, for all processes, one superstep
 * at a time. It executes its own part by the library, and the whole by a model:
 * an array for the memory of each process, changed in the order that bsp.h gives.
 * After every bsp_sync its memory must be that of the model, byte by byte, and its
 * queue must hold the model's messages, in any order.
 *
 * What bsp.h leaves open is not generated: puts that overlap each other, gets that
 * do, anything that touches source or destination of an unbuffered transfer, a
 * push of an address after its pop in one superstep. So that looking at memory
 * does not touch it either, a superstep with unbuffered transfers has one
 * without anything before it.
 */

#include "../lib/random.h"
#include "../lib/spmd.h"

#include <sched.h>
#include <stdio.h>

enum {
	PROCS = 8,
	ARENA = 300000,		/* memory of a process that may change */
	AREAS = 8,
	SLOTS = 16,		/* registrations */
	OPS = 600,		/* of all processes in a superstep */
	MESSAGES = 600,
	MOST_TAG = 24,
	SUPERSTEPS = 28,
	NONE = -1,		/* NULL */
};

/* What may be registered: small and large, aligned and not, partly the same bytes. */
static const struct {
	size_t start;
	size_t most;
} areas[AREAS] = {
	{ 0, 8 }, { 5, 100 }, { 64, 4096 }, { 3001, 5000 },
	{ 9000, 70000 }, { 50000, 120000 }, { 100001, 180000 }, { 299000, 1000 },
};

/* The i-th push of every process. */
struct slot {
	int area[PROCS];	/* or NONE */
	size_t size[PROCS];
	bool popped;		/* in this superstep */
};

enum kind { PUSH, POP, TAGSIZE, WRITE, PUT, GET, SEND, NOTHING };

struct op {
	enum kind kind;
	bool hp;
	int owner;		/* who executes it; NONE: all */
	int pid;		/* the other process */
	struct slot slot;	/* PUSH, POP; of a transfer that of its registration */
	size_t offset;		/* in the area on pid */
	size_t local;		/* in the arena of the owner */
	size_t nbytes;
	uint32_t seed;
	unsigned char tag[MOST_TAG];
	unsigned char *data;	/* of the model: what travels */
};

struct message {
	unsigned char tag[MOST_TAG];
	unsigned char *data;
	size_t tag_nbytes;
	size_t nbytes;
	bool moved;
	const void *shown;	/* by hpmove: must stay as it is to the end of the superstep */
};

struct range {
	size_t start;
	size_t end;
};

/* Ranges of an arena that something was said about in this superstep. */
struct ranges {
	unsigned int n;
	struct range range[2 * OPS];
};

static unsigned char arena[ARENA];
static unsigned char *model[PROCS];
static int nprocs, me, superstep;

static struct slot slots[SLOTS];
static int nslots, neffective;
static size_t tag_read, tag_sent, tag_set;

static struct op ops[OPS];
static int nops;
static bool any_hp;
static struct ranges reads[PROCS], writes[PROCS], fixed[PROCS], taboo[PROCS];
static struct ranges put_to[PROCS], got_to[PROCS];

static struct message queue[MESSAGES], coming[MESSAGES];
static int nqueue, ncoming;

static char failure[200];	/* the first one */

#define FAIL(...) \
	(failure[0] ? 0 : snprintf(failure, sizeof failure, __VA_ARGS__))

/* ---- Chance ---------------------------------------------------------------- */

static uint64_t shared_state, own_state;

/* 0 .. n-1, the same on all processes. */
static size_t pick(size_t n)
{
	return random_below(&shared_state, n);
}

/* 0 .. n-1, of this process alone. */
static size_t pick_own(size_t n)
{
	return random_below(&own_state, n);
}

static bool bulk;	/* a superstep of few and long transfers */

/* Mostly short, sometimes as much as there is. */
static size_t pick_length(size_t most)
{
	switch (pick(bulk ? 2 : 8)) {
	case 0:
		return most;
	case 1:
		return 1 + pick(most);
	case 2:
	case 3:
		return 1 + pick(most < 5000 ? most : 5000);
	default:
		return 1 + pick(most < 64 ? most : 64);
	}
}

/* ---- Ranges ---------------------------------------------------------------- */

static bool meets(const struct ranges *r, size_t start, size_t nbytes)
{
	for (unsigned int i = 0; i < r->n; i++)
		if (start < r->range[i].end && r->range[i].start < start + nbytes)
			return true;
	return false;
}

static void add(struct ranges *r, size_t start, size_t nbytes)
{
	r->range[r->n++] = (struct range) { start, start + nbytes };
}

/* May this process read here, if nothing may change before bsp_sync when @hp? */
static bool may_read(int pid, size_t start, size_t nbytes, bool hp)
{
	return !meets(&taboo[pid], start, nbytes) && !(hp && meets(&writes[pid], start, nbytes));
}

static bool may_write(int pid, size_t start, size_t nbytes, bool hp)
{
	return !meets(&taboo[pid], start, nbytes) && !meets(&fixed[pid], start, nbytes) &&
	       !(hp && (meets(&writes[pid], start, nbytes) || meets(&reads[pid], start, nbytes)));
}

static void note_read(int pid, size_t start, size_t nbytes, bool hp)
{
	add(&reads[pid], start, nbytes);
	if (hp)
		add(&fixed[pid], start, nbytes);
}

static void note_write(int pid, size_t start, size_t nbytes, bool hp)
{
	add(&writes[pid], start, nbytes);
	if (hp)
		add(&taboo[pid], start, nbytes);
}

/* ---- Making a superstep ----------------------------------------------------- */

static bool is_null_everywhere(const struct slot *slot)
{
	for (int i = 0; i < nprocs; i++)
		if (slot->area[i] != NONE)
			return false;
	return true;
}

static void make_push(struct op *op)
{
	bool nowhere = pick(12) == 0, alike = pick(3) != 0;
	int area = (int)pick(AREAS);

	for (int i = 0; i < nprocs; i++) {
		int mine = alike ? area : (int)pick(AREAS);

		op->slot.area[i] = nowhere || pick(8) == 0 ? NONE : mine;
		op->slot.size[i] = 0;
		if (op->slot.area[i] != NONE && pick(8))
			op->slot.size[i] = pick(3) ? areas[mine].most : pick(areas[mine].most + 1);
	}
	slots[nslots++] = op->slot;
}

/* Would every process, popping its address of this slot, mean this slot? */
static bool may_pop(int s)
{
	bool null = is_null_everywhere(&slots[s]);

	if (slots[s].popped)
		return false;
	for (int other = 0; other < s; other++)
		if (null && !slots[other].popped && is_null_everywhere(&slots[other]))
			return false;
	for (int other = s + 1; other < nslots; other++)
		for (int i = 0; i < nprocs; i++)
			if (!slots[other].popped && slots[s].area[i] != NONE &&
			    slots[other].area[i] == slots[s].area[i])
				return false;
	return true;
}

static bool make_pop(struct op *op)
{
	int s;

	if (!nslots)
		return false;
	s = (int)pick((size_t)nslots);
	if (!may_pop(s))
		return false;
	slots[s].popped = true;
	op->slot = slots[s];
	return true;
}

/* A registration that @owner can name, and what it names: the newest of its address. */
static bool choose_slot(struct op *op)
{
	int s;

	if (!neffective)
		return false;
	s = (int)pick((size_t)neffective);
	if (slots[s].area[op->owner] == NONE)
		return false;
	for (int other = s + 1; other < neffective; other++)
		if (slots[other].area[op->owner] == slots[s].area[op->owner])
			s = other;
	op->slot = slots[s];
	return true;
}

/* Where on op->pid a transfer takes place. */
static size_t remote(const struct op *op)
{
	return areas[op->slot.area[op->pid]].start + op->offset;
}

static bool choose_bytes(struct op *op)
{
	size_t most = op->slot.size[op->pid];

	if (!most)
		return false;
	op->nbytes = pick_length(most);
	op->offset = pick(2) ? pick(most - op->nbytes + 1) : most - op->nbytes;
	op->local = pick(ARENA - op->nbytes + 1);
	return !(op->hp && op->pid == op->owner && op->local < remote(op) + op->nbytes &&
		 remote(op) < op->local + op->nbytes);
}

static bool make_put(struct op *op)
{
	if (!choose_slot(op) || !choose_bytes(op) ||
	    !may_read(op->owner, op->local, op->nbytes, op->hp) ||
	    !may_write(op->pid, remote(op), op->nbytes, op->hp) ||
	    meets(&put_to[op->pid], remote(op), op->nbytes))
		return false;
	note_read(op->owner, op->local, op->nbytes, op->hp);
	note_write(op->pid, remote(op), op->nbytes, op->hp);
	add(&put_to[op->pid], remote(op), op->nbytes);
	return true;
}

static bool make_get(struct op *op)
{
	if (!choose_slot(op) || !choose_bytes(op) ||
	    !may_read(op->pid, remote(op), op->nbytes, op->hp) ||
	    !may_write(op->owner, op->local, op->nbytes, op->hp) ||
	    meets(&got_to[op->owner], op->local, op->nbytes))
		return false;
	note_read(op->pid, remote(op), op->nbytes, op->hp);
	note_write(op->owner, op->local, op->nbytes, op->hp);
	add(&got_to[op->owner], op->local, op->nbytes);
	return true;
}

static bool make_send(struct op *op)
{
	op->nbytes = pick(6) ? pick_length(ARENA / 3) : 0;
	op->local = pick(ARENA - op->nbytes + 1);
	if (!may_read(op->owner, op->local, op->nbytes, op->hp))
		return false;
	note_read(op->owner, op->local, op->nbytes, op->hp);
	return true;
}

static bool make_write(struct op *op)
{
	op->nbytes = pick_length(20000);
	op->local = pick(ARENA - op->nbytes + 1);
	if (!may_write(op->owner, op->local, op->nbytes, false))
		return false;
	note_write(op->owner, op->local, op->nbytes, false);
	return true;
}

static bool make_collective(struct op *op)
{
	op->owner = NONE;
	switch (op->kind) {
	case PUSH:
		if (nslots == SLOTS)
			return false;
		make_push(op);
		return true;
	case POP:
		return make_pop(op);
	default:
		op->nbytes = pick(MOST_TAG + 1);
		return true;
	}
}

static bool make_transfer(struct op *op)
{
	switch (op->kind) {
	case PUT:
		return make_put(op);
	case GET:
		return make_get(op);
	case SEND:
		return make_send(op);
	case WRITE:
		return make_write(op);
	default:
		return true;
	}
}

/* Append such an operation; if it is not possible, none. */
static void make(enum kind kind, bool hp)
{
	struct op *op = &ops[nops];

	memset(op, 0, sizeof *op);
	op->kind = kind;
	op->hp = hp && (kind == PUT || kind == GET || kind == SEND);
	op->owner = (int)pick((size_t)nprocs);
	op->pid = (int)pick((size_t)nprocs);
	op->seed = (uint32_t)pick(1u << 31);
	fill(op->tag, MOST_TAG, op->seed);
	memcpy(op->tag, &op->seed, sizeof op->seed);
	if (kind == PUSH || kind == POP || kind == TAGSIZE ? !make_collective(op) :
							     !make_transfer(op))
		return;
	any_hp = any_hp || op->hp;
	nops++;
}

static void forget_ranges(void)
{
	for (int i = 0; i < nprocs; i++)
		reads[i].n = writes[i].n = fixed[i].n = taboo[i].n = put_to[i].n = got_to[i].n = 0;
}

static void make_superstep(void)
{
	static const enum kind usual[] = { WRITE, WRITE, PUT,  PUT,  PUT,    GET,
					   GET,	  GET,	 SEND, SEND, NOTHING };
	size_t usual_ops = pick(8) == 0 ? 0 : pick(8) == 0 ? 60 : pick(15);
	size_t collectives = pick(2) ? pick(5) : 0;
	bool hp = pick(2), popping = false;

	bulk = pick(5) == 0;
	usual_ops = bulk ? 1 + pick(3) : usual_ops;
	nops = 0;
	any_hp = false;
	forget_ranges();
	if (superstep < 2)
		make(PUSH, false), make(PUSH, false);
	for (size_t k = usual_ops * (size_t)nprocs + collectives; k > 0; k--) {
		if (pick(usual_ops * (size_t)nprocs + collectives) >= collectives) {
			make(usual[pick(sizeof usual / sizeof *usual)], hp && pick(2));
			continue;
		}
		popping = popping || pick(3) == 0;
		make(pick(6) == 0 ? TAGSIZE : popping ? POP : PUSH, false);
	}
}

/* ---- The model --------------------------------------------------------------- */

static unsigned char *copy_of(const unsigned char *data, size_t nbytes)
{
	unsigned char *copy = malloc(nbytes ? nbytes : 1);

	if (!copy)
		bail("no memory");
	memcpy(copy, data, nbytes);
	return copy;
}

/* What happens at the call. */
static void model_call(struct op *op)
{
	struct message *m = &coming[ncoming];

	if (op->kind == WRITE)
		fill(model[op->owner] + op->local, op->nbytes, op->seed);
	if (op->kind == PUT)
		op->data = copy_of(model[op->owner] + op->local, op->nbytes);
	if (op->kind == TAGSIZE)
		tag_set = op->nbytes;
	if (op->kind != SEND || op->pid != me)
		return;
	memset(m, 0, sizeof *m);
	memcpy(m->tag, op->tag, MOST_TAG);
	m->tag_nbytes = tag_sent;
	m->nbytes = op->nbytes;
	m->data = copy_of(model[op->owner] + op->local, op->nbytes);
	ncoming++;
}

static void model_registrations(void)
{
	int n = 0;

	for (int s = 0; s < nslots; s++)
		if (!slots[s].popped)
			slots[n++] = slots[s];
	neffective = nslots = n;
}

static void model_messages(void)
{
	for (int i = 0; i < nqueue; i++)
		free(queue[i].data);
	memcpy(queue, coming, sizeof coming);
	nqueue = ncoming;
	ncoming = 0;
	tag_read = tag_sent;
	tag_sent = tag_set;
}

/* What happens at the end of the superstep: gets read, gets write, puts write. */
static void model_sync(void)
{
	for (int i = 0; i < nops; i++)
		if (ops[i].kind == GET)
			ops[i].data = copy_of(model[ops[i].pid] + remote(&ops[i]), ops[i].nbytes);
	for (int i = 0; i < nops; i++)
		if (ops[i].kind == GET)
			memcpy(model[ops[i].owner] + ops[i].local, ops[i].data, ops[i].nbytes);
	for (int i = 0; i < nops; i++)
		if (ops[i].kind == PUT)
			memcpy(model[ops[i].pid] + remote(&ops[i]), ops[i].data, ops[i].nbytes);
	for (int i = 0; i < nops; i++)
		free(ops[i].data);
	model_registrations();
	model_messages();
}

/* ---- The library -------------------------------------------------------------- */

static void *address(int area)
{
	return area == NONE ? NULL : arena + areas[area].start;
}

static void call_transfer(const struct op *op)
{
	void *named = address(op->slot.area[op->owner]), *here = arena + op->local;
	bsp_size_t offset = (bsp_size_t)op->offset, nbytes = (bsp_size_t)op->nbytes;
	unsigned char tag[MOST_TAG];

	if (op->kind == PUT && op->hp)
		bsp_hpput(op->pid, here, named, offset, nbytes);
	if (op->kind == PUT && !op->hp)
		bsp_put(op->pid, here, named, offset, nbytes);
	if (op->kind == GET && op->hp)
		bsp_hpget(op->pid, named, offset, here, nbytes);
	if (op->kind == GET && !op->hp)
		bsp_get(op->pid, named, offset, here, nbytes);
	if (op->kind != SEND)
		return;
	memcpy(tag, op->tag, MOST_TAG);
	if (op->hp)
		bsp_hpsend(op->pid, op->tag, here, nbytes);
	else
		bsp_send(op->pid, tag_sent ? tag : NULL, nbytes ? here : NULL, nbytes);
	memset(tag, 0, MOST_TAG);
}

static void call_tagsize(const struct op *op, size_t set_before)
{
	bsp_size_t nbytes = (bsp_size_t)op->nbytes;

	bsp_set_tagsize(&nbytes);
	if ((size_t)nbytes != set_before)
		FAIL("superstep %d: set_tagsize returns %ld, not %zu", superstep,
		     (long)nbytes, set_before);
}

static void call(const struct op *op, size_t set_before)
{
	switch (op->kind) {
	case PUSH:
		bsp_push_reg(address(op->slot.area[me]), (bsp_size_t)op->slot.size[me]);
		break;
	case POP:
		bsp_pop_reg(address(op->slot.area[me]));
		break;
	case TAGSIZE:
		call_tagsize(op, set_before);
		break;
	case WRITE:
		fill(arena + op->local, op->nbytes, op->seed);
		break;
	case NOTHING:
		bsp_put(4711, NULL, NULL, -1, 0);
		bsp_hpget(-4711, arena + 1, 1 << 30, NULL, 0);
		break;
	default:
		call_transfer(op);
	}
}

/* ---- Comparing ------------------------------------------------------------------ */

static void check_memory(void)
{
	size_t i = 0;

	if (!memcmp(arena, model[me], ARENA))
		return;
	while (arena[i] == model[me][i])
		i++;
	FAIL("process %d of %d, superstep %d: byte %zu is %d, not %d", me, nprocs, superstep, i,
	     arena[i], model[me][i]);
}

static void check_counts(void)
{
	bsp_nprocs_t messages;
	bsp_size_t nbytes;
	long wanted = 0, wanted_bytes = 0;

	for (int i = 0; i < nqueue; i++) {
		wanted += !queue[i].moved;
		wanted_bytes += queue[i].moved ? 0 : (long)queue[i].nbytes;
	}
	bsp_qsize(&messages, &nbytes);
	if ((long)messages != wanted || (long)nbytes != wanted_bytes)
		FAIL("process %d, superstep %d: %ld messages of %ld bytes, not %ld of %ld", me,
		     superstep, (long)messages, (long)nbytes, wanted, wanted_bytes);
}

/* Cross off the message that is this one; of its data only @nbytes are there. */
static struct message *cross_off(const void *tag, size_t length, const void *data, size_t nbytes)
{
	for (int i = 0; i < nqueue; i++) {
		struct message *m = &queue[i];

		if (!m->moved && m->nbytes == length && !memcmp(m->tag, tag, m->tag_nbytes) &&
		    !memcmp(m->data, data, nbytes)) {
			m->moved = true;
			return m;
		}
	}
	FAIL("process %d, superstep %d: no process sent this message of %zu bytes", me, superstep,
	     length);
	return NULL;
}

static void move_shown(void)
{
	void *tag, *data;
	bsp_size_t length = bsp_hpmove(&tag, &data);
	struct message *m;

	if (length == bsp_size_unavailable)
		return;
	m = cross_off(tag, (size_t)length, data, (size_t)length);
	if (m)
		m->shown = data;
}

/* Only a message that its tag identifies is truncated. */
static void move_copied(void)
{
	static unsigned char data[ARENA];
	unsigned char tag[MOST_TAG + 1];
	bsp_size_t length, room;

	memset(tag, '#', sizeof tag);
	bsp_get_tag(&length, tag);
	if (tag[tag_read] != '#')
		FAIL("process %d, superstep %d: more than a tag was written", me, superstep);
	if (length == bsp_size_unavailable)
		return;
	room = tag_read < 4 || pick_own(3) ? length : (bsp_size_t)pick_own((size_t)length + 1);
	bsp_move(data, room);
	cross_off(tag, (size_t)length, data, (size_t)room);
}

static void move_some(size_t n)
{
	bsp_nprocs_t messages;

	bsp_qsize(&messages, NULL);
	if (n > (size_t)messages)
		n = (size_t)messages;
	while (n--)
		pick_own(2) ? move_shown() : move_copied();
	check_counts();
}

static void check_shown(void)
{
	for (int i = 0; i < nqueue; i++)
		if (queue[i].shown && memcmp(queue[i].shown, queue[i].data, queue[i].nbytes))
			FAIL("process %d, superstep %d: what hpmove showed has changed", me,
			     superstep);
}

/* ---- Running --------------------------------------------------------------------- */

static void run_superstep(void)
{
	check_counts();
	if (pick_own(2))
		move_some(pick_own(20));
	for (int i = 0; i < nops; i++) {
		struct op *op = &ops[i];
		size_t set_before = tag_set;

		model_call(op);
		if (op->owner == me || op->owner == NONE)
			call(op, set_before);
		if (pick_own(30) == 0)
			sched_yield();
	}
	if (pick_own(3))
		move_some(pick_own(2) ? MESSAGES : pick_own(20));
	check_shown();
	bsp_sync();
	model_sync();
	check_memory();
}

/* Nothing but reading messages. */
static void run_quiet_superstep(void)
{
	move_some(pick_own(2) ? MESSAGES : pick_own(20));
	check_shown();
	bsp_sync();
	model_messages();
}

static uint64_t seed;
static const char *variable, *value;	/* a setting to run with, or NULL */

static void start(void)
{
	nprocs = (int)bsp_nprocs();
	me = (int)bsp_pid();
	shared_state = random_mix(seed) + (uint64_t)nprocs;
	own_state = shared_state + 1000003 * (uint64_t)(me + 1);
	for (int i = 0; i < nprocs; i++) {
		model[i] = malloc(ARENA);
		if (!model[i])
			bail("no memory");
		fill(model[i], ARENA, (uint32_t)i);
	}
	memcpy(arena, model[me], ARENA);
}

static void body(void)
{
	if (variable)
		setenv(variable, value, 1);
	enter();
	start();
	for (superstep = 0; superstep < SUPERSTEPS; superstep++) {
		make_superstep();
		if (any_hp)
			run_quiet_superstep();
		run_superstep();
	}
	is_str("", failure, "all is as in the model");
	bsp_end();
	for (int i = 0; i < nprocs; i++)
		free(model[i]);
	for (int i = 0; i < nqueue; i++)
		free(queue[i].data);
}

static void run(int n, const char *name, const char *text)
{
	variable = name;
	value = text;
	lives_ok(body, n, "seed %llu, %d processes%s%s%s%s", (unsigned long long)seed, n,
		 name ? ", " : "", name ? name : "", name ? "=" : "", name ? text : "");
}

int main(int argc, char **argv)
{
	static const int sizes[] = { 1, 2, 3, 4, 7 };
	static const char *const barriers[] = {
		"dissemination", "butterfly", "binomial", "knomial:3", "linear",
	};
	uint64_t first = argc > 1 ? strtoull(argv[1], NULL, 0) : 1;
	uint64_t usual = job_networked() ? 3 : SANITIZED ? 5 : 8;
	uint64_t seeds = argc > 2 ? strtoull(argv[2], NULL, 0) : usual;

	for (seed = first; seed < first + seeds; seed++) {
		for (int i = 0; i < 5 && sizes[i] <= job_max_nprocs(); i++) {
			run(sizes[i], NULL, NULL);
			run(sizes[i], "BSP_BARRIER", "alltoall");
			run(sizes[i], "BSP_BARRIER", "counting");
		}
		for (int i = 0; i < 5; i++)
			run(sizes[(seed + (uint64_t)i) % 5] <= job_max_nprocs() ?
				    sizes[(seed + (uint64_t)i) % 5] :
				    1,
			    "BSP_BARRIER", barriers[i]);
		run(job_max_nprocs() < 3 ? 1 : 3, "BSP_SHARE", "0");
		run(job_max_nprocs() < 3 ? 1 : 3, "BSP_SHARE", "4096");
		run(job_max_nprocs() < 4 ? 1 : 4, "BSP_SHUFFLE", "4711");
		run(job_max_nprocs() < 3 ? 1 : 3, "BSP_PROGRESS", "thread");
	}
	return done_testing();
}
