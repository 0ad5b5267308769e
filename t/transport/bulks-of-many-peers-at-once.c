/* SPDX-License-Identifier: BSD-3-Clause */
/* Bulks from every process to every process, several for each, differ by their ids. */
#include "../lib/transports.h"

enum { EACH = 3, ROUNDS = 4, LARGEST = 200000 };

struct transfer {
	struct bspt_bulk bulk;
	unsigned char *at;
	size_t len;
	uint32_t seed;
};

static size_t len_of(int from, int to, uint32_t round, uint32_t k)
{
	uint32_t x = mixed(mixed((uint32_t)from, (uint32_t)to, round), k, 2);

	return x % 4 ? x / 4 % LARGEST : x / 4 % 100;
}

/* The same from every process to every process, so that ids alone do not suffice. */
static uint32_t id_of(uint32_t round, uint32_t k)
{
	return round * 0x10000001u + k;
}

static struct transfer begin(int from, int to, uint32_t round, uint32_t k)
{
	struct transfer x = { .len = len_of(from, to, round, k),
			      .seed = mixed((uint32_t)from, (uint32_t)to, round * EACH + k) };

	x.at = malloc(x.len + 1);
	return x;
}

static struct transfer in[MOST_PROCS][EACH], out[MOST_PROCS][EACH];

static void send_round(struct bspt *t, int q, uint32_t round)
{
	for (uint32_t k = 0; k < EACH; k++) {
		struct transfer *x = &out[q][k];

		*x = begin(t->me, q, round, k);
		fill(x->at, x->len, x->seed);
		send_bulk(t, &x->bulk, q, id_of(round, k), x->at, x->len);
	}
}

/* The last one first. */
static void receive_round(struct bspt *t, int q, uint32_t round)
{
	for (uint32_t k = EACH; k-- > 0;) {
		struct transfer *x = &in[q][k];

		*x = begin(q, t->me, round, k);
		receive_bulk(t, &x->bulk, q, id_of(round, k), x->at, x->len);
	}
}

static long end_round(struct bspt *t, int q)
{
	long bad = 0;

	for (uint32_t k = 0; k < EACH; k++) {
		await_bulk(t, &out[q][k].bulk);
		await_bulk(t, &in[q][k].bulk);
		bad += wrong(in[q][k].at, in[q][k].len, in[q][k].seed);
		free(out[q][k].at);
		free(in[q][k].at);
	}
	return bad;
}

static void body(struct bspt *t)
{
	long bad = 0, n = 0;

	for (uint32_t round = 0; round < ROUNDS; round++) {
		for (int step = 1; step < t->nprocs; step++) {
			int to = (t->me + step) % t->nprocs;
			int from = (t->me + t->nprocs - step) % t->nprocs;

			if (carries_bulk(t, to))
				send_round(t, to, round);
			if (carries_bulk(t, from))
				receive_round(t, from, round);
		}
		for (int q = 0; q < t->nprocs; q++)
			if (q != t->me && carries_bulk(t, q)) {
				bad += end_round(t, q);
				n++;
			}
	}
	if (n == 0)
		not_applicable("%s does not move in bulk here", t->ops->name);
	else
		is_int(0, bad, "bytes that are wrong");
	meet(t);
}

int main(void)
{
	struct bspt_plan plan = { .reserve_bytes = (size_t)64 << 20,
				  .wait_policy = { .yield_ns = 2000000 } };
	static const int nprocs[] = { 2, 5 };

	for (int i = 0; i < 2; i++) {
		plan.nprocs = nprocs[i];
		over_bulk(body, plan, "every process to every process");
	}
	return done_testing();
}
