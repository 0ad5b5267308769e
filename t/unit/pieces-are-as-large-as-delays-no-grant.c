/* SPDX-License-Identifier: BSD-3-Clause */
/* Pieces over TCP are small on a slow link, large on a fast or a distant one, and stay so. */
#include "../../transport/ofi/ofi_pace.c"
#include "../lib/random.h"
#include "../lib/tap.h"

/* Each piece takes the latency and its bytes. */
struct link {
	double bytes_per_s, latency_s;
};

static uint64_t time_of(const struct link *l, size_t bytes)
{
	return (uint64_t)((l->latency_s + (double)bytes / l->bytes_per_s) * 1e9);
}

/* The bytes of the smallest and the largest piece of the last ones, after many. */
struct range {
	size_t least, most;
};

static void send_pieces(struct ofi_pace *p, const struct link *l, int n, struct range *r)
{
	*r = (struct range){ p->bytes, p->bytes };
	while (n-- > 0) {
		bspt_ofi_pace(p, p->bytes, time_of(l, p->bytes));
		r->least = p->bytes < r->least ? p->bytes : r->least;
		r->most = p->bytes > r->most ? p->bytes : r->most;
	}
}

static struct range pieces_over(const struct link *l)
{
	struct ofi_pace p;
	struct range r;

	bspt_ofi_pace_init(&p);
	send_pieces(&p, l, 40, &r);
	send_pieces(&p, l, 40, &r);
	return r;
}

/* So much of the link's rate is used, if one piece follows the other. */
static double share_of(const struct link *l, size_t bytes)
{
	return (double)bytes / l->bytes_per_s / ((double)time_of(l, bytes) * 1e-9);
}

static void on_a_slow_link(void)
{
	static const struct link slow = { 2.5e6, 200e-6 };
	struct range r = pieces_over(&slow);

	ok(r.most <= 32768, "20 Mbit/s: at most 32 KiB, %zu", r.most);
	ok(share_of(&slow, r.least) > 0.9, "and nine tenths of the rate: %.3f",
	   share_of(&slow, r.least));
}

static void on_a_gigabit(void)
{
	static const struct link gigabit = { 118e6, 100e-6 };
	struct range r = pieces_over(&gigabit);

	ok(time_of(&gigabit, r.most) < 10000000, "a gigabit: a grant waits less than 10 ms");
	ok(share_of(&gigabit, r.least) > 0.9, "and nine tenths of the rate: %.3f",
	   share_of(&gigabit, r.least));
}

static void in_a_machine(void)
{
	static const struct link loopback = { 5e9, 20e-6 };
	struct ofi_pace p;
	struct range r;

	bspt_ofi_pace_init(&p);
	send_pieces(&p, &loopback, 7, &r);
	ok(p.bytes >= 8 << 20, "the loopback: after 16 MiB whole transfers of 8 MiB");
}

/* Between two continents: the network itself has room for 5 MB. */
static void far_away(void)
{
	static const struct link distant = { 125e6, 40e-3 };
	struct range r = pieces_over(&distant);

	ok(share_of(&distant, r.least) > 0.25, "40 ms away: a quarter of the rate at least: %.3f",
	   share_of(&distant, r.least));
}

/* The link becomes slow, and fast again. */
static void when_it_changes(void)
{
	static const struct link slow = { 2.5e6, 200e-6 }, fast = { 1e9, 50e-6 };
	struct ofi_pace p;
	struct range r;

	bspt_ofi_pace_init(&p);
	send_pieces(&p, &fast, 4, &r);
	send_pieces(&p, &slow, 40, &r);
	ok(p.bytes <= 32768, "a link that becomes slow: at most 32 KiB");
	send_pieces(&p, &fast, 8, &r);
	ok(p.bytes >= 2 << 20, "and fast again: 2 MiB and more");
}

/* Other traffic on a slow link, or other programs on the processors: some pieces take longer. */
static void among_others(void)
{
	static const struct link slow = { 2.5e6, 200e-6 }, fast = { 5e9, 20e-6 };
	struct ofi_pace p, q;
	uint64_t state = 1;
	size_t most = 0;

	bspt_ofi_pace_init(&p);
	bspt_ofi_pace_init(&q);
	for (int i = 0; i < 200; i++) {
		bspt_ofi_pace(&p, p.bytes,
			      time_of(&slow, p.bytes) * (1 + random_below(&state, 6)));
		bspt_ofi_pace(&q, q.bytes,
			      time_of(&fast, q.bytes) + random_below(&state, 2) * 20000000);
		most = i > 20 && p.bytes > most ? p.bytes : most;
	}
	ok(most <= 65536, "20 Mbit/s and other traffic: at most 64 KiB, %zu", most);
	ok(q.bytes >= 4 << 20, "a busy machine: 4 MiB and more, %zu", q.bytes);
}

static void of_another_size(void)
{
	struct ofi_pace p;
	size_t before;

	bspt_ofi_pace_init(&p);
	before = p.bytes;
	bspt_ofi_pace(&p, before / 4, 1);
	ok(p.bytes == before, "a piece that was cut before the last change says nothing");
	for (int i = 0; i < 40; i++)
		bspt_ofi_pace(&p, p.bytes, 1000);
	ok(p.bytes == (size_t)1 << 30, "no piece is larger than 1 GiB");
	for (int i = 0; i < 80; i++)
		bspt_ofi_pace(&p, p.bytes, p.bytes * 2000);
	ok(p.bytes == 16384, "nor smaller than 16 KiB");
}

int main(void)
{
	on_a_slow_link();
	on_a_gigabit();
	in_a_machine();
	far_away();
	when_it_changes();
	among_others();
	of_another_size();
	return done_testing();
}
