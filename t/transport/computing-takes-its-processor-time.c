/* SPDX-License-Identifier: BSD-3-Clause */
/* Computing moves the clock by processor time, times cpu; waiting and polling do not. */
#include "../lib/emulated.h"

#include <time.h>

enum { WORK_NS = 30000000, PAIRS = 2000 };

static const char *network;
static double cpu;

static uint64_t used_ns(void)
{
	struct timespec used;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used);
	return (uint64_t)used.tv_sec * 1000000000 + (uint64_t)used.tv_nsec;
}

/* Compute for WORK_NS of processor time. */
static void work(void)
{
	uint64_t before = used_ns();

	while (used_ns() - before < WORK_NS)
		continue;
}

/*
 * The counted time has a lower and an upper bound: two looks at the clock of the processor inside
 * the counted interval, and two around it. So interrupts of the process between two looks at a
 * clock do not matter.
 */
struct bounds {
	uint64_t around, inside;	/* when it began */
};

static struct bounds begin_computing(struct bspt *t)
{
	struct bounds b = { .around = used_ns() };

	t->ops->computing(t, true);
	b.inside = used_ns();
	return b;
}

/* Checks @counted; the processor's clock showed @inside and @around at the end. */
static void is_counted(struct bounds b, uint64_t inside, uint64_t around, uint64_t counted,
		       const char *claim)
{
	double least = cpu * (double)(inside - b.inside), most = cpu * (double)(around - b.around);

	if (!ok((double)counted >= 0.99 * least && (double)counted <= 1.01 * most, "%s: %s",
		network, claim))
		diag("%llu ns, not from %.0f to %.0f", (unsigned long long)counted, least, most);
}

static void works(struct bspt *t)
{
	uint64_t before = now(t), inside;
	struct bounds b = begin_computing(t);

	work();
	inside = used_ns();
	t->ops->computing(t, false);
	is_counted(b, inside, used_ns(), now(t) - before, "computing takes its processor time");
	before = now(t);
	work();
	is_int((long long)before, (long long)now(t),
	       "%s: in a call that communicates it costs nothing", network);
}

/* now() shows what has been computed so far, and does not go back. */
static void looks_at_the_clock(struct bspt *t)
{
	uint64_t last = now(t), start = last, inside = 0;
	struct bounds b = begin_computing(t);
	int back = 0;

	t->ops->computing(t, true);
	for (int i = 0; i < PAIRS; i++) {
		uint64_t time;

		inside = used_ns();
		time = now(t);
		back += time < last;
		last = time;
	}
	is_counted(b, inside, used_ns(), last - start, "now() counts what has been computed");
	t->ops->computing(t, false);
	back += now(t) < last;
	is_int(0, back, "%s: the clock does not go back", network);
}

/* The time of the calls themselves is not computing. */
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
	enum { LATENCY = 50000 };
	uint64_t before = now(t), inside, arrival;
	struct bounds b = begin_computing(t);

	work();
	note(t, 0, before + (uint64_t)(0.99 * cpu * (double)(used_ns() - b.inside)) + LATENCY);
	send_bytes(t, next_of(t), 1);
	note(t, 1, before + (uint64_t)(1.01 * cpu * (double)(used_ns() - b.around)) + LATENCY + 1);
	work();
	inside = used_ns();
	t->ops->computing(t, false);
	is_counted(b, inside, used_ns(), now(t) - before,
		   "a message that is sent meanwhile loses nothing");
	meet_silently(t);
	arrival = event_from(t, prev_of(t)).arrival;
	ok(arrival >= noted[prev_of(t)][0] && arrival <= noted[prev_of(t)][1],
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
