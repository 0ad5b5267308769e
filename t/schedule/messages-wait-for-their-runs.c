/* SPDX-License-Identifier: BSD-3-Clause */
/* Messages of runs that have not been started wait, within some MiB however far ahead their
 * sender is. */
#include "../lib/runs.h"

#include <sched.h>
#include <stdatomic.h>
#include <sys/mman.h>

enum { RUNS = 10000, BYTES = 10000, MOST_KIB = 48 * 1024, MOST_FAR_KIB = 160 * 1024 };

static struct goal_request *runs[RUNS];
static unsigned char out[BYTES], in[BYTES];
static atomic_int *flag;

static bool is_emulated(void)
{
	const char *transport = getenv("BSP_TRANSPORT");

	return (transport && strcmp(transport, "emu") == 0) || getenv("BSP_EMULATE");
}

static long most_kib(void)
{
	const char *transport = getenv("BSP_TRANSPORT");

	return transport && strcmp(transport, "shm") != 0 ? MOST_FAR_KIB : MOST_KIB;
}

static struct goal_schedule *load_stream(void)
{
	struct goal_graph *g = graph();

	if (bsp_pid() == 1)
		goal_send(g, BYTES, HERE(goal_buffer(g), 0), 0, 0);
	else if (bsp_pid() == 0)
		goal_recv(g, BYTES, HERE(goal_buffer(g), 0), 1, 0);
	return load(g);
}

/* Without a wait: the bytes are the same for all. */
static void run_ahead(struct goal_schedule *s)
{
	void *buffers[] = { out };

	fill(out, BYTES, 1);
	for (int i = 0; i < RUNS; i++)
		runs[i] = goal_start(s, buffers);
	atomic_fetch_add(flag, 1);
	for (int i = 0; i < RUNS; i++)
		goal_wait(runs[i]);
}

/* Takes in now and then, but starts nothing before the other has started all. */
static void follow(struct goal_schedule *s)
{
	void *buffers[] = { in };
	long wrong_bytes = 0, before = peak_kib();
	struct goal_request *first;

	first = goal_start(s, buffers);
	while (!atomic_load(flag)) {
		bsp_pid(); /* any call looks for chunks while a run is under way */
		sched_yield();
	}
	goal_wait(first);
	for (int i = 1; i < RUNS; i++) {
		memset(in, 0, BYTES);
		goal_wait(goal_start(s, buffers));
		wrong_bytes += wrong(in, BYTES, 1);
	}
	is_int(0, wrong_bytes, "every byte of every run");
	if (!ok(SANITIZED || is_emulated() || peak_kib() - before < most_kib(), "within %ld MiB",
		most_kib() / 1024))
		diag("from %ld to %ld KiB", before, peak_kib());
}

static void far_ahead(void)
{
	struct goal_schedule *s;

	enter();
	s = load_stream();
	if (bsp_pid() == 1)
		run_ahead(s);
	else if (bsp_pid() == 0)
		follow(s);
	else
		for (int i = 0; i < RUNS; i++)
			goal_wait(goal_start(s, NULL));
	bsp_end();
}

enum { TAGS = 50 };

/* One run, whose receives come in the reverse order of the sends, and long after them. */
static void receives_come_late(void)
{
	struct goal_graph *g;
	struct goal_schedule *s;
	static uint32_t sent[TAGS], got[TAGS];
	void *buffers[] = { sent, got };
	long wrong_words = 0;
	int to, from, last = -1;

	enter();
	g = graph();
	to = goal_buffer(g);
	from = goal_buffer(g);
	for (uint32_t i = 0; i < TAGS; i++) {
		sent[i] = i + 1000 * (uint32_t)bsp_pid();
		goal_send(g, 4, HERE(to, 4 * i), (int)right(), i);
	}
	for (uint32_t i = TAGS; i-- > 0;) {
		int op = goal_recv(g, 4, HERE(from, 4 * i), (int)left(), i);

		if (last >= 0)
			goal_requires(g, op, last);
		last = op;
	}
	s = load(g);
	goal_wait(goal_start(s, buffers));
	for (uint32_t i = 0; i < TAGS; i++)
		wrong_words += got[i] != i + 1000 * (uint32_t)left();
	is_int(0, wrong_words, "receives in reverse order");
	bsp_end();
}

int main(void)
{
	if (job_launched())
		skip_all("not applicable: its processes share a flag, as forks of one process do");
	flag = mmap(NULL, sizeof *flag, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (flag == MAP_FAILED)
		bail("no memory for a flag");
	lives_ok(far_ahead, 2, "ten thousand runs ahead");
	atomic_store(flag, 0);
	lives_ok(far_ahead, 3, "ten thousand runs ahead, and a third process");
	lives_ok(receives_come_late, 2, "receives long after their messages");
	lives_ok(receives_come_late, 5, "receives long after their messages, five processes");
	return done_testing();
}
