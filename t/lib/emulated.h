/* SPDX-License-Identifier: BSD-3-Clause */
/* emulated.h - for tests of emulated networks: jobs on one, messages, times. */

/*
 * A job runs on a busy machine: some of its processes have a thread that computes
 * without end, and each process sleeps at random. Virtual time must not depend on
 * either.
 *
 * A body notes times with note(); the test finds them, those of all processes, in noted after
 * the job.
 */
#ifndef EMULATED_H
#define EMULATED_H

#include "transports.h"

#include <pthread.h>

enum { NOTED = 4 };

/* Written by one process each. */
static uint64_t (*noted)[NOTED];

/* ---- In the test --------------------------------------------------------- */

static inline const struct bspt_ops *emulator(void)
{
	const struct bspt_ops *ops = bspt_find("emu");

	if (!ops)
		skip_all("no transport emulates networks");
	if (!is_wanted(ops))
		skip_all("not applicable: this is about %s", ops->name);
	return ops;
}

static inline struct bspt_plan plan_for(const char *network, int nprocs)
{
	return (struct bspt_plan){ .nprocs = nprocs, .network = network,
				   .reserve_bytes = (size_t)32 << 20,
				   .wait_policy = { .yield_ns = 200000 } };
}

/* The body as a job of @nprocs on @network. */
static inline void on_network(const char *network, int nprocs, void (*body)(struct bspt *t),
			      const char *claim)
{
	size_t bytes = MOST_PROCS * sizeof *noted;

	if (!noted)
		noted = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
			     MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (noted == MAP_FAILED)
		bail("no shared memory: %s", strerror(errno));
	memset(noted, 0, bytes);
	over(emulator(), body, plan_for(network, nprocs), claim);
}

/* ---- In a body ----------------------------------------------------------- */

static inline void *compute_for_ever(void *unused)
{
	for (volatile unsigned int i = 0;; i++)
		continue;
	return unused;
}

/* From here on the machine is busy, until the job ends. */
static inline void load_machine(const struct bspt *t)
{
	pthread_t thread;

	if (t->me < 2 && pthread_create(&thread, NULL, compute_for_ever, NULL))
		bail("no thread");
}

/* Sleep for a random time. */
static inline void dawdle(const struct bspt *t, uint32_t i)
{
	for (volatile uint32_t k = mixed(i, (uint32_t)t->me, 3) % 3000; k > 0; k--)
		continue;
}

static inline uint64_t now(struct bspt *t)
{
	return t->ops->now(t);
}

static inline void note(const struct bspt *t, int slot, uint64_t time)
{
	noted[t->me][slot] = time;
}

/* As post(), but for its contents. */
static inline void send_bytes(struct bspt *t, int peer, size_t len)
{
	size_t room;
	unsigned char *chunk = chunk_for(t, peer, len, &room);

	chunk[0] = 1;
	t->ops->send(t, peer, chunk, len);
}

/* Chunks that have arrived from each process and are not yet received, oldest first. */
struct arrivals {
	struct bspt_event at[64];
	unsigned int first, last;
};

static struct arrivals arrived[MOST_PROCS];

/* Queue the chunks that have arrived. */
static inline bool take_in(struct bspt *t)
{
	struct arrivals *a;
	size_t len;
	int from;
	void *chunk = t->ops->poll(t, &from, &len);

	if (!chunk)
		return false;
	a = &arrived[from];
	if (a->last - a->first == 64)
		bail("more chunks from process %d than can be kept", from);
	a->at[a->last++ % 64] = (struct bspt_event){
		.arrival = t->ops->arrival(t, from, chunk), .bytes = (uint32_t)len, .peer = from,
	};
	t->ops->release(t, from, chunk);
	return true;
}

/* The next chunk from @peer, without a wait in virtual time. */
static inline struct bspt_event event_from(struct bspt *t, int peer)
{
	struct arrivals *a = &arrived[peer];
	unsigned int idle = 0;

	while (a->first == a->last)
		if (!take_in(t))
			t->ops->wait(t, idle++);
	return a->at[a->first++ % 64];
}

/* Wait for the next chunk from @peer; returns its length. */
static inline size_t wait_for(struct bspt *t, int peer)
{
	struct bspt_event event = event_from(t, peer);

	t->ops->advance(t, &event, 1);
	return event.bytes;
}

/* A dissemination barrier made of chunks. */
static inline void disseminate(struct bspt *t, size_t bytes)
{
	for (int distance = 1; distance < t->nprocs; distance *= 2) {
		send_bytes(t, (t->me + distance) % t->nprocs, bytes);
		wait_for(t, (t->me + t->nprocs - distance) % t->nprocs);
	}
}

/* The number of its steps: log2(@nprocs), rounded up. */
static inline int steps_of(int nprocs)
{
	int n = 0;

	for (int distance = 1; distance < nprocs; distance *= 2)
		n++;
	return n;
}

#endif
