/* SPDX-License-Identifier: BSD-3-Clause */
/* Random well-formed relaxed programs read what a sequential model of them reads. */

/*
 * random-relaxed-programs-match-model.t [first seed [number of seeds]]
 *
 * Every process makes the same random program, for all processes, one superstep at a
 * time, and executes its own part of it by the library and the whole by a model. The
 * model has no notion of time: an area holds what its reads have seen, and a list of
 * puts that wait for the next read, whose number is the n of that read.
 *
 * Programs are well-formed: areas are disjoint, and puts that one read depends on do
 * not overlap. An area is looked at, by its owner or a get, only when all puts of
 * earlier supersteps to it have been read; then it must have exactly the bytes of the
 * model until the superstep ends, however far others are ahead. What an unbuffered
 * put of this superstep writes to is not looked at in it.
 *
 * Supersteps last differently long, on different processes each time. Some are
 * classic, some relaxed ones have a registration or a tag size and with it a barrier.
 */

#include "../lib/random.h"
#include "../lib/relaxed.h"

enum {
	PROCS = 8,
	AREAS = 6,
	SUPERSTEPS = 24,
	PUTS = 400,		/* of all processes in a superstep */
	GETS = 100,
	SENDS = 100,
	PENDING = 4000,		/* puts that wait for their read, or messages */
	ORDERS = 2 * AREAS + 8,	/* things one process does besides transfers */
	MOST_TAG = 24,
	MOST_LENGTH = 60000,	/* of a message */
	LARGEST = 200000,
};

static const size_t size_of[AREAS] = { 8, 64, 100, 4096, 70000, LARGEST };

struct put {
	bool hp;
	int owner;		/* who executes it */
	int pid;		/* where it goes */
	int area;
	size_t start;
	size_t nbytes;
	uint32_t seed;		/* of its bytes */
	unsigned char *source;	/* of an unbuffered one, until its superstep is over */
};

struct get {
	bool hp;
	int owner;
	int pid;
	int area;
	size_t start;
	size_t nbytes;
	unsigned char *wanted;	/* on its owner: what it must return */
	unsigned char *got;
};

struct message {
	int owner;
	int pid;
	size_t nbytes;
	size_t tag_nbytes;
	uint32_t seed;
	bool moved;
};

/* What a process may be given to do, once in a superstep. */
enum order_kind { READ, TEST, SERVE, EXPECT, MODE, TAGSIZE, EXTRA, RENEW, PUT, GET, SEND };

struct order {
	enum order_kind kind;
	int area;
	int n;			/* of READ and SERVE; of PUT, GET, SEND: which */
};

static int nprocs, me, superstep;
static bool forced;		/* BSP_SYNC=classic */

/* The library's side. */
static unsigned char *mine[AREAS];
static int extra[2];		/* pushed and popped for the sake of the barrier */

/* The model. */
static unsigned char *model[PROCS][AREAS];
static struct put pending[PENDING], fresh[PUTS];
static int npending, nfresh;
static struct get gets[GETS];
static int ngets;
static struct message sends[SENDS], waiting[PENDING], queue[PENDING];
static int nsends, nwaiting, nqueue;
static bool is_read[PROCS][AREAS];	/* in this superstep */
static int reads[PROCS][AREAS];		/* and of so many puts */
static bool classic, was_classic, has_barrier;
static size_t tag_sent, tag_set;

/* What happens in this superstep on all processes. */
static bool change_mode, set_tag, renew[AREAS];
static int push_extra;		/* 1: push, -1: pop */
static bool extra_there;

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

/* 1 .. most, mostly short. */
static size_t pick_length(size_t most)
{
	switch (pick(12)) {
	case 0:
		return most;
	case 1:
		return 1 + pick(most);
	case 2:
	case 3:
		return 1 + pick(most < 5000 ? most : 5000);
	default:
		return 1 + pick(most < 48 ? most : 48);
	}
}

static void *memory(size_t nbytes)
{
	void *p = malloc(nbytes ? nbytes : 1);

	if (!p)
		bail("no memory");
	return p;
}

/* ---- The model of areas ------------------------------------------------------ */

static bool overlap(size_t start, size_t nbytes, size_t other, size_t other_nbytes)
{
	return start < other + other_nbytes && other < start + nbytes;
}

/* Write what waits for this area of @pid, and take it off the list. Returns how many puts. */
static int model_read(int pid, int area)
{
	int n = 0, left_over = 0;

	for (int i = 0; i < npending; i++) {
		struct put *p = &pending[i];

		if (p->pid == pid && p->area == area) {
			fill(model[pid][area] + p->start, p->nbytes, p->seed);
			n++;
		} else {
			pending[left_over++] = *p;
		}
	}
	npending = left_over;
	return n;
}

static int waiting_puts(int pid, int area)
{
	int n = 0;

	for (int i = 0; i < npending; i++)
		n += pending[i].pid == pid && pending[i].area == area;
	return n;
}

/* May the bytes be put to: is no other put there that the same read will depend on? */
static bool is_free(int pid, int area, size_t start, size_t nbytes, bool of_this_superstep)
{
	for (int i = 0; i < nfresh; i++)
		if (fresh[i].pid == pid && fresh[i].area == area &&
		    overlap(fresh[i].start, fresh[i].nbytes, start, nbytes))
			return false;
	for (int i = 0; i < npending && !of_this_superstep; i++)
		if (pending[i].pid == pid && pending[i].area == area &&
		    overlap(pending[i].start, pending[i].nbytes, start, nbytes))
			return false;
	return true;
}

/* ---- Making a superstep -------------------------------------------------------- */

static void make_reads(void)
{
	for (int pid = 0; pid < nprocs; pid++)
		for (int a = 0; a < AREAS; a++) {
			size_t chance = waiting_puts(pid, a) ? 2 : 8;

			is_read[pid][a] = pick(chance) == 0;
			reads[pid][a] = is_read[pid][a] ? model_read(pid, a) : 0;
		}
}

static void make_collectives(void)
{
	was_classic = classic;
	change_mode = superstep == 0 || pick(classic ? 3 : 12) == 0;
	classic = change_mode ? !classic : classic;
	set_tag = superstep == 0 || pick(16) == 0;
	push_extra = pick(16) ? 0 : extra_there ? -1 : 1;
	has_barrier = change_mode || set_tag || push_extra;
	if (set_tag)
		tag_set = 4 + pick(MOST_TAG - 3);
	extra_there = push_extra ? push_extra > 0 : extra_there;
	for (int a = 0; a < AREAS; a++) {
		renew[a] = superstep && pick(80) == 0;
		has_barrier = has_barrier || renew[a];
	}
}

static void make_put(void)
{
	struct put *p = &fresh[nfresh];

	*p = (struct put) { .hp = pick(4) == 0 };
	p->owner = (int)pick((size_t)nprocs);
	p->pid = (int)pick((size_t)nprocs);
	p->area = (int)pick(AREAS);
	p->nbytes = pick_length(size_of[p->area]);
	p->start = pick(size_of[p->area] - p->nbytes + 1);
	p->seed = (uint32_t)pick(1u << 31);
	nfresh += is_free(p->pid, p->area, p->start, p->nbytes, false);
}

/* Only where everything put before has been read, and nothing unbuffered is on the way. */
static void make_get(void)
{
	struct get *g = &gets[ngets];

	*g = (struct get) { .hp = pick(3) == 0 };
	g->owner = (int)pick((size_t)nprocs);
	g->pid = (int)pick((size_t)nprocs);
	g->area = (int)pick(AREAS);
	g->nbytes = pick_length(size_of[g->area]);
	g->start = pick(size_of[g->area] - g->nbytes + 1);
	if (waiting_puts(g->pid, g->area))
		return;
	if (g->hp && !is_free(g->pid, g->area, g->start, g->nbytes, true))
		return;
	for (int i = 0; i < nfresh; i++)
		if (fresh[i].hp && fresh[i].pid == g->pid && fresh[i].area == g->area &&
		    overlap(fresh[i].start, fresh[i].nbytes, g->start, g->nbytes))
			return;
	ngets++;
	if (g->owner != me)
		return;
	g->got = memory(g->nbytes);
	g->wanted = memory(g->nbytes);
	memcpy(g->wanted, model[g->pid][g->area] + g->start, g->nbytes);
}

static void make_send(void)
{
	struct message *m = &sends[nsends++];

	*m = (struct message) { .tag_nbytes = tag_sent };
	m->owner = (int)pick((size_t)nprocs);
	m->pid = (int)pick((size_t)nprocs);
	m->nbytes = pick(5) ? pick_length(MOST_LENGTH) : 0;
	m->seed = (uint32_t)pick(1u << 31);
}

static void make_superstep(void)
{
	size_t nput = pick(4) ? pick(6) * (size_t)nprocs : pick(40);
	size_t nget = pick(3) ? 0 : pick(3 * (size_t)nprocs);
	size_t nsend = pick(3) || !tag_sent ? 0 : pick(3 * (size_t)nprocs);

	nfresh = ngets = nsends = 0;
	make_collectives();
	make_reads();
	while (nput--)
		make_put();
	while (nget--)
		make_get();
	while (nsend--)
		make_send();
}

/* ---- Looking ------------------------------------------------------------------- */

/* The area must have the model's bytes, but where an unbuffered put may write already. */
static void check_area(int area, const char *when)
{
	static unsigned char wanted[LARGEST], seen[LARGEST];
	size_t i = 0;

	memcpy(wanted, model[me][area], size_of[area]);
	memcpy(seen, mine[area], size_of[area]);
	for (const struct put *p = fresh; p < fresh + nfresh; p++)
		if (p->hp && p->pid == me && p->area == area)
			memcpy(wanted + p->start, seen + p->start, p->nbytes);
	if (!memcmp(wanted, seen, size_of[area]))
		return;
	while (wanted[i] == seen[i])
		i++;
	FAIL("superstep %d, %s: byte %zu of area %d is %d, not %d", superstep, when, i, area,
	     seen[i], wanted[i]);
}

/* Whatever has no unread puts stands as it is. */
static void check_areas(const char *when)
{
	for (int a = 0; a < AREAS; a++)
		if (!waiting_puts(me, a))
			check_area(a, when);
}

static void check_queue(const char *when)
{
	bsp_nprocs_t messages = 0;
	bsp_size_t nbytes = 0;
	long wanted = 0, wanted_bytes = 0;

	for (int i = 0; i < nqueue; i++) {
		wanted += !queue[i].moved;
		wanted_bytes += queue[i].moved ? 0 : (long)queue[i].nbytes;
	}
	bsp_qsize(&messages, &nbytes);
	if ((long)messages != wanted || (long)nbytes != wanted_bytes)
		FAIL("superstep %d, %s: %ld messages of %ld bytes, not %ld of %ld", superstep, when,
		     (long)messages, (long)nbytes, wanted, wanted_bytes);
}

/* The message that has this tag; its data begin with those of the message. */
static void cross_off(const unsigned char *tag, size_t length, const void *data)
{
	unsigned char wanted[MOST_TAG];

	for (int i = 0; i < nqueue; i++) {
		struct message *m = &queue[i];

		fill(wanted, MOST_TAG, m->seed);
		if (m->moved || m->nbytes != length || memcmp(tag, wanted, m->tag_nbytes))
			continue;
		if (wrong(data, length, m->seed))
			FAIL("superstep %d: a message of %zu bytes is spoilt", superstep, length);
		m->moved = true;
		return;
	}
	FAIL("superstep %d: no process sent this message of %zu bytes", superstep, length);
}

static void move_messages(void)
{
	static unsigned char data[MOST_LENGTH];
	size_t n = pick_own(2) ? PENDING : pick_own(4);

	for (int i = 0; i < nqueue && n; i++, n--) {
		unsigned char tag[MOST_TAG];
		bsp_size_t length = 0;
		void *shown_tag, *shown;

		if (pick_own(2)) {
			length = bsp_hpmove(&shown_tag, &shown);
			if (length != bsp_size_unavailable)
				cross_off(shown_tag, (size_t)length, shown);
		} else {
			bsp_get_tag(&length, tag);
			if (length == bsp_size_unavailable)
				return;
			bsp_move(data, length);
			cross_off(tag, (size_t)length, data);
		}
	}
}

/* ---- Executing ------------------------------------------------------------------ */

static void compute(bool slow)
{
	volatile uint32_t spun = 0;
	uint32_t length = (uint32_t)pick_own(slow ? 60000 : 600);

	while (spun < length)
		spun++;
}

static void call_put(struct put *p)
{
	bsp_size_t start = (bsp_size_t)p->start, nbytes = (bsp_size_t)p->nbytes;
	static unsigned char source[LARGEST];

	if (p->hp) {
		p->source = memory(p->nbytes);
		fill(p->source, p->nbytes, p->seed);
		bsp_hpput((bsp_pid_t)p->pid, p->source, mine[p->area], start, nbytes);
		return;
	}
	fill(source, p->nbytes, p->seed);
	bsp_put((bsp_pid_t)p->pid, source, mine[p->area], start, nbytes);
	memset(source, 0, p->nbytes);
}

static void call_get(struct get *g)
{
	bsp_size_t start = (bsp_size_t)g->start, nbytes = (bsp_size_t)g->nbytes;

	if (g->hp)
		bsp_hpget((bsp_pid_t)g->pid, mine[g->area], start, g->got, nbytes);
	else
		bsp_get((bsp_pid_t)g->pid, mine[g->area], start, g->got, nbytes);
}

static void call_send(const struct message *m)
{
	static unsigned char data[MOST_LENGTH];
	unsigned char tag[MOST_TAG];

	fill(tag, MOST_TAG, m->seed);
	fill(data, m->nbytes, m->seed);
	bsp_send((bsp_pid_t)m->pid, tag, data, (bsp_size_t)m->nbytes);
	memset(tag, 0, MOST_TAG);
	memset(data, 0, m->nbytes);
}

static void call_read(const struct order *o)
{
	if (pick_own(3) == 0)
		while (!bsp_read_test(mine[o->area], o->n))
			sched_yield();
	bsp_read(mine[o->area], o->n);
	check_area(o->area, "after its read");
}

/* More than there can be: the answer is known. */
static void call_test(const struct order *o)
{
	int answer = bsp_read_test(mine[o->area], o->n + 1 + (int)pick_own(3));

	if (answer != (forced || was_classic))
		FAIL("superstep %d: bsp_read_test says %d", superstep, answer);
}

static void call_expect(void)
{
	check_queue("before bsp_expect");
	bsp_expect(nwaiting);
	memcpy(queue, waiting, (size_t)nwaiting * sizeof *waiting);
	nqueue = nwaiting;
	nwaiting = 0;
	check_queue("after bsp_expect");
}

static void call_collective(const struct order *o)
{
	bsp_size_t size = (bsp_size_t)tag_set;

	switch (o->kind) {
	case MODE:
		bsp_set_sync(classic ? BSP_CLASSIC : BSP_RELAXED);
		break;
	case TAGSIZE:
		bsp_set_tagsize(&size);
		break;
	case EXTRA:
		if (push_extra > 0)
			bsp_push_reg(&extra[0], sizeof extra);
		else
			bsp_pop_reg(&extra[0]);
		break;
	default:
		bsp_pop_reg(mine[o->area]);
		bsp_push_reg(mine[o->area], (bsp_size_t)size_of[o->area]);
	}
}

static void call(const struct order *o)
{
	switch (o->kind) {
	case READ:
		call_read(o);
		break;
	case TEST:
		call_test(o);
		break;
	case SERVE:
		bsp_serve(mine[o->area], o->n);
		break;
	case EXPECT:
		call_expect();
		break;
	case PUT:
		call_put(&fresh[o->n]);
		break;
	case GET:
		call_get(&gets[o->n]);
		break;
	case SEND:
		call_send(&sends[o->n]);
		break;
	default:
		call_collective(o);
	}
}

static struct order orders[PUTS + GETS + SENDS + ORDERS + AREAS];
static int norders;

static void add(enum order_kind kind, int area, int n)
{
	orders[norders++] = (struct order) { kind, area, n };
}

/* Transfers and reads, in any order. */
static void add_transfers(void)
{
	for (int i = 0; i < nfresh; i++)
		if (fresh[i].owner == me)
			add(PUT, 0, i);
	for (int i = 0; i < ngets; i++)
		if (gets[i].owner == me)
			add(GET, 0, i);
	for (int i = 0; i < nsends; i++)
		if (sends[i].owner == me)
			add(SEND, 0, i);
	for (int a = 0; a < AREAS; a++) {
		if (is_read[me][a])
			add(READ, a, reads[me][a]);
		else if (pick_own(8) == 0)
			add(TEST, a, waiting_puts(me, a));
	}
	if (nwaiting && (classic || pick_own(3) == 0))
		add(EXPECT, 0, 0);
}

/* In a superstep with a barrier gets need not be announced. */
static void add_serves(void)
{
	for (int a = 0; a < AREAS; a++) {
		int n = 0, first;

		for (int i = 0; i < ngets; i++)
			n += gets[i].pid == me && gets[i].area == a;
		if (!n || ((classic || has_barrier) && pick_own(2)))
			continue;
		first = (int)pick_own((size_t)n + 1);
		add(SERVE, a, first);
		if (first < n)
			add(SERVE, a, n - first);
	}
}

static void shuffle(void)
{
	for (int i = norders - 1; i > 0; i--) {
		int k = (int)pick_own((size_t)i + 1);
		struct order o = orders[i];

		orders[i] = orders[k];
		orders[k] = o;
	}
}

/* Registrations come last, in the same order everywhere. */
static void add_collectives(void)
{
	if (change_mode)
		add(MODE, 0, 0);
	if (set_tag)
		add(TAGSIZE, 0, 0);
	if (push_extra)
		add(EXTRA, 0, 0);
	for (int a = 0; a < AREAS; a++)
		if (renew[a])
			add(RENEW, a, 0);
}

/* ---- The end of a superstep -------------------------------------------------------- */

static void check_gets(void)
{
	for (int i = 0; i < ngets; i++) {
		struct get *g = &gets[i];

		if (g->owner != me)
			continue;
		if (memcmp(g->wanted, g->got, g->nbytes))
			FAIL("superstep %d: a get of %zu bytes from process %d is wrong", superstep,
			     g->nbytes, g->pid);
		free(g->wanted);
		free(g->got);
	}
}

/* All puts of relaxed supersteps wait for their reads; after a barrier nothing is left to come. */
static void model_puts(void)
{
	for (int i = 0; i < nfresh; i++) {
		free(fresh[i].source);
		fresh[i].source = NULL;
		if (npending == PENDING)
			bail("more puts are pending than can be kept");
		pending[npending++] = fresh[i];
	}
	for (int pid = 0; pid < nprocs; pid++)
		for (int a = 0; a < AREAS; a++)
			if (classic || renew[a])
				model_read(pid, a);
	nfresh = 0;
}

static void model_messages(void)
{
	nqueue = 0;
	for (int i = 0; i < nsends; i++) {
		if (sends[i].pid != me)
			continue;
		if (classic)
			queue[nqueue++] = sends[i];
		else if (nwaiting < PENDING)
			waiting[nwaiting++] = sends[i];
		else
			bail("more messages are waiting than can be kept");
	}
	tag_sent = tag_set;
}

static void run_superstep(void)
{
	bool slow = pick_own(4) == 0;

	make_superstep();
	norders = 0;
	add_transfers();
	add_serves();
	shuffle();
	add_collectives();
	check_queue("at first");
	if (nqueue)
		move_messages();
	for (int i = 0; i < norders; i++) {
		call(&orders[i]);
		compute(slow);
	}
	move_messages();
	check_areas("at last");
	bsp_sync();
	check_gets();
	model_puts();
	model_messages();
	if (classic)
		check_areas("after a classic sync");
}

/* ---- Running ------------------------------------------------------------------------- */

static uint64_t seed;

static void start(void)
{
	const char *mode = getenv("BSP_SYNC");

	nprocs = (int)bsp_nprocs();
	me = (int)bsp_pid();
	forced = mode && !strcmp(mode, "classic");
	shared_state = random_mix(seed) + (uint64_t)nprocs;
	own_state = shared_state + 1000003 * (uint64_t)(me + 1);
	classic = true;
	for (int a = 0; a < AREAS; a++) {
		for (int pid = 0; pid < nprocs; pid++) {
			model[pid][a] = memory(size_of[a]);
			fill(model[pid][a], size_of[a], (uint32_t)(pid * AREAS + a));
		}
		mine[a] = memory(size_of[a]);
		memcpy(mine[a], model[me][a], size_of[a]);
		bsp_push_reg(mine[a], (bsp_size_t)size_of[a]);
	}
	bsp_sync();
}

static void body(void)
{
	enter();
	start();
	for (superstep = 0; superstep < SUPERSTEPS && !failure[0]; superstep++)
		run_superstep();
	if (!ok(!failure[0], "all is as in the model")) {
		diag("process %d of %d, %s", me, nprocs, failure);
		bsp_abort("seed %llu", (unsigned long long)seed);
	}
	bsp_end();
	for (int a = 0; a < AREAS; a++) {
		for (int pid = 0; pid < nprocs; pid++)
			free(model[pid][a]);
		free(mine[a]);
	}
}

int main(int argc, char **argv)
{
	static const struct {
		int nprocs;
		const char *name, *value;
	} settings[] = {
		{ 1, "BSP_EAGER", "auto" }, { 2, "BSP_EAGER", "auto" }, { 3, "BSP_EAGER", "auto" },
		{ 5, "BSP_EAGER", "auto" }, { 8, "BSP_EAGER", "auto" }, { 1, "BSP_EAGER", "0" },
		{ 2, "BSP_EAGER", "0" }, { 4, "BSP_EAGER", "0" }, { 3, "BSP_EAGER", "64" },
		{ 2, "BSP_CREDIT", "256" }, { 4, "BSP_CREDIT", "256" }, { 3, "BSP_CREDIT", "4096" },
		{ 3, "BSP_SYNC", "classic" }, { 4, "BSP_BARRIER", "alltoall" },
		{ 4, "BSP_BARRIER", "counting" }, { 4, "BSP_BARRIER", "dissemination" },
		{ 5, "BSP_BARRIER", "binomial" }, { 3, "BSP_SHARE", "4096" },
		{ 3, "BSP_SHUFFLE", "4711" }, { 3, "BSP_PROGRESS", "thread" },
	};
	uint64_t first = argc > 1 ? strtoull(argv[1], NULL, 0) : 1;
	uint64_t usual = job_networked() ? 4 : SANITIZED ? 8 : 15;
	uint64_t seeds = argc > 2 ? strtoull(argv[2], NULL, 0) : usual;

	setenv("BSP_UNREAD", "ignore", 1);	/* the programs leave out reads at random */
	for (seed = first; seed < first + seeds; seed++)
		for (size_t i = 0; i < sizeof settings / sizeof *settings; i++) {
			char claim[40];

			snprintf(claim, sizeof claim, "seed %llu, %d processes",
				 (unsigned long long)seed, settings[i].nprocs);
			under(settings[i].name, settings[i].value, body, settings[i].nprocs, claim);
		}
	return done_testing();
}
