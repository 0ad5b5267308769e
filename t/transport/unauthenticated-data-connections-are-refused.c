/* SPDX-License-Identifier: BSD-3-Clause */
/* A process that knows the addresses of a job, and not its secret, gets nothing into it. */
#include "../lib/transports.h"

/*
 * Process UNAUTH belongs to the job, and besides opens the transport a second time: that object
 * gets the addresses of the job by its exchange, as though it had seen them on the network, says
 * that it is the process UNAUTH, and sends what that process would. Since each process has a
 * share in the secret, and this object has drawn another, its messages must be refused.
 */
enum { PROCS = 3, UNAUTH = 2 };

static const size_t sizes[] = { 40, 300, 9000, 100000 };

enum { SIZES = sizeof sizes / sizeof *sizes, AGAIN = 100, BAD = 77 };

static struct bspt_plan the_plan = { .nprocs = PROCS };
static const struct bspt_ops *ops;
static _Atomic unsigned int *met;

/* The data that the processes have exchanged, and the function that did it. */
static char *exchanged;
static size_t exchanged_len;
static int (*real_exchange)(struct bspt_wire *w, const void *mine, size_t len, bspt_take_fn *take,
			    void *arg);

struct noted {
	bspt_take_fn *take;
	void *arg;
};

static void note(void *arg, int p, const void *its)
{
	const struct noted *to = arg;

	memcpy(exchanged + (size_t)p * exchanged_len, its, exchanged_len);
	to->take(to->arg, p, its);
}

static int noted_exchange(struct bspt_wire *w, const void *mine, size_t len, bspt_take_fn *take,
			  void *arg)
{
	struct noted to = { take, arg };

	exchanged = malloc(PROCS * len);
	if (!exchanged)
		bail("no memory");
	exchanged_len = len;
	return real_exchange(w, mine, len, note, &to);
}

static int overheard_exchange(struct bspt_wire *w, const void *mine, size_t len, bspt_take_fn *take,
			      void *arg)
{
	(void)w;
	if (len != exchanged_len)
		bail("an exchange of another length");
	for (int p = 0; p < PROCS; p++)
		take(arg, p, p == UNAUTH ? mine : exchanged + (size_t)p * len);
	return 0;
}

static struct bspt *open_with(struct bspt_wire *wire, int me)
{
	struct bspt_plan p = the_plan;
	struct bspt *t;

	p.wire = wire;
	wire->me = me;
	if (bspt_open(ops, &p, me, &t) < 0)
		bail("%s does not open", ops->name);
	return t;
}

/* All have been here, and @t has been looked after meanwhile. */
static void all_come(struct bspt *t, unsigned int round)
{
	int from;
	size_t len;

	atomic_fetch_add(met, 1);
	while (atomic_load(met) < round * PROCS)
		if (t->ops->poll(t, &from, &len))
			ok(false, "no chunk before there is one of the job");
}

/* Until all that the second object has sent to @t is refused; a large chunk is an announcement. */
static void await_refusals(struct bspt *t, uint64_t n)
{
	int from;
	size_t len;

	for (unsigned int idle = 0; t->stats.refused < n; idle++) {
		if (t->ops->poll(t, &from, &len)) {
			ok(false, "an unauthenticated chunk of %zu bytes was believed", len);
			return;
		}
		t->ops->wait(t, idle);
	}
}

static void send_unauthenticated(struct bspt *odd)
{
	for (int i = 0; i < AGAIN; i++)
		for (int j = 0; j < SIZES; j++)
			post(odd, 0, BAD, sizes[j]);
}

static void play_both(struct bspt *t)
{
	struct bspt_wire wire = *the_plan.wire;
	struct bspt *odd;
	int from;
	size_t len;

	wire.exchange = overheard_exchange;
	odd = open_with(&wire, UNAUTH);
	send_unauthenticated(odd);
	/* Process 0 counts what it has refused; both are looked after until it has all. */
	while (atomic_load(met) < PROCS - 1) {
		t->ops->poll(t, &from, &len);
		odd->ops->poll(odd, &from, &len);
	}
	all_come(t, 1);
	post(t, 0, 1, 500);
	all_come(t, 2);
	odd->ops->close(odd);
}

static void body(int me, int nprocs)
{
	struct bspt *t;
	size_t len;
	int from;

	(void)nprocs;
	real_exchange = the_plan.wire->exchange;
	the_plan.wire->exchange = noted_exchange;
	t = open_with(the_plan.wire, me);
	if (me == UNAUTH) {
		play_both(t);
	} else if (me == 0) {
		const void *chunk;

		await_refusals(t, AGAIN * SIZES);
		ok(t->stats.refused >= AGAIN * SIZES, "unauthenticated messages are refused");
		all_come(t, 1);
		chunk = await_chunk(t, &from, &len);
		ok(from == UNAUTH && len == 500 && !wrong(chunk, len, 1),
		   "the next chunk is that of the process for which it gave itself out");
		t->ops->release(t, from, (void *)(uintptr_t)chunk);
		all_come(t, 2);
	} else {
		all_come(t, 1);
		all_come(t, 2);
	}
	t->ops->close(t);
	free(exchanged);
}

static void refused_over(const char *provider)
{
	char why[500];

	setenv("BSP_OFI_PROVIDER", provider, 1);
	if (ops->probe(PROCS, why, sizeof why) < 0) {
		not_applicable("%s: %s", provider, why);
		return;
	}
	the_plan.provider = provider;
	the_plan.lost = lost;
	the_plan.wire = local_wire(PROCS, 0);
	job.ops = ops;
	atomic_store(met, 0);
	if (ops->prepare(&the_plan) < 0)
		bail("%s: prepare", ops->name);
	procs_ok(body, PROCS, "an unauthenticated peer over %s does no harm", provider);
	bspj_wire_local_free(the_plan.wire);
}

int main(void)
{
	ops = bspt_find("ofi");
	if (!is_wanted(ops))
		skip_all("not applicable: this is about ofi");
	met = mmap(NULL, sizeof *met, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (met == MAP_FAILED)
		bail("no shared memory");
	refused_over("tcp");
	refused_over("net");
	return done_testing();
}
