/* SPDX-License-Identifier: BSD-3-Clause */
/* Computing moves the clock by processor time, times cpu; waiting and polling do not. */
#include "../lib/emulated.h"

#include <math.h>
#include <time.h>

enum { WORK_NS = 30000000, PAIRS = 2000, TRIES = 5 };

static const char *network;
static double cpu;

static uint64_t used_ns(void)
{
	struct timespec used;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used);
	return (uint64_t)used.tv_sec * 1000000000 + (uint64_t)used.tv_nsec;
}

/* Compute for WORK_NS of processor time. Returns how much it was. */
static double work(void)
{
	uint64_t before = used_ns();

	while (used_ns() - before < WORK_NS)
		continue;
	return (double)(used_ns() - before);
}

/* How much more was counted than used, in ns. */
static double work_and_count(struct bspt *t, double *used)
{
	uint64_t before = now(t);

	t->ops->computing(t, true);
	*used = work();
	t->ops->computing(t, false);
	return (double)(now(t) - before) - cpu * *used;
}

/* An interruption of the machine's between two looks at a clock counts for one of the two only. */
static void works(struct bspt *t)
{
	double more, used;
	uint64_t before;
	int tries = 0;

	do
		more = work_and_count(t, &used);
	while (fabs(more) > cpu * used / 100 && ++tries < TRIES);
	is_near(cpu * used, cpu * used + more, cpu * used / 100,
		"%s: computing takes its processor time", network);
	before = now(t);
	work();
	is_int((long long)before, (long long)now(t),
	       "%s: in a call that communicates it costs nothing", network);
}

/* now() shows what has been computed so far, and does not go back. */
static void looks_at_the_clock(struct bspt *t)
{
	uint64_t last = now(t), start = last;
	uint64_t before = used_ns();
	int back = 0;

	t->ops->computing(t, true);
	t->ops->computing(t, true);
	for (int i = 0; i < PAIRS; i++) {
		uint64_t time = now(t);

		back += time < last;
		last = time;
	}
	is_near(cpu * (double)(used_ns() - before), (double)(last - start),
		cpu * (double)(used_ns() - before) / 20, "%s: now() counts what has been computed",
		network);
	t->ops->computing(t, false);
	back += now(t) < last;
	is_int(0, back, "%s: the clock does not go back", network);
}

/* What the calls themselves take is not computing. */
static void pairs(struct bspt *t)
{
	uint64_t before = now(t), used = used_ns();

	for (int i = 0; i < PAIRS; i++) {
		t->ops->computing(t, true);
		t->ops->computing(t, false);
	}
	used = used_ns() - used;
	ok((double)(now(t) - before) < cpu * (double)used / 2 + 1,
	   "%s: to begin and end computing takes little of its own time", network);
	diag("%s: %d pairs used %llu ns, counted %llu", network, PAIRS, (unsigned long long)used,
	     (unsigned long long)(now(t) - before));
}

/* A message sent in the middle of it leaves when as much has been computed. */
static void sends_between(struct bspt *t)
{
	uint64_t before = now(t);
	double used;

	t->ops->computing(t, true);
	used = work();
	send_bytes(t, next_of(t), 1);
	note(t, 0, before + (uint64_t)(cpu * used) + 50000);
	used += work();
	t->ops->computing(t, false);
	is_near(cpu * used, (double)(now(t) - before), cpu * used / 20,
		"%s: a message that is sent meanwhile loses nothing", network);
	meet_silently(t);
	before = event_from(t, prev_of(t)).arrival;
	is_near((double)noted[prev_of(t)][0], (double)before, (double)before / 100,
		"%s: it leaves when as much has been computed", network);
}

static void body(struct bspt *t)
{
	load_machine(t);
	works(t);
	looks_at_the_clock(t);
	pairs(t);
	sends_between(t);
	meet(t);
}

/* However long it takes, virtual time stands still. */
static void waits(struct bspt *t)
{
	size_t len;
	int from;

	for (int i = 0; i < 1000; i++) {
		t->ops->poll(t, &from, &len);
		t->ops->wait(t, 0);
	}
	work();
	is_int(0, (long long)now(t), "waits and polls by themselves take no time");
	meet(t);
}

int main(void)
{
	static const struct {
		const char *text;
		double cpu;
	} all[] = {
		{ "L=50us", 1 }, { "L=50us,cpu=3.5", 3.5 }, { "L=50us,cpu=0.5", 0.5 },
		{ "L=50us,cpu=0", 0 },
	};

	for (int i = 0; i < 4; i++) {
		network = all[i].text;
		cpu = all[i].cpu;
		on_network(network, 2, body, "work of a known time");
	}
	on_network("L=50us,cpu=5", 3, waits, "nothing but waiting");
	return done_testing();
}
