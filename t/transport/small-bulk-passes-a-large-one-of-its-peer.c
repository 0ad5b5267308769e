/* SPDX-License-Identifier: BSD-3-Clause */
/* Over TCP a process sends a small bulk before a large one, which it receives, is there. */
#include "../lib/transports.h"

/*
 * Process 1 has asked for the large one, and then has a small one for the same peer, whose grant
 * travels in one stream with the large one. Nothing is timed: only what is done first counts.
 */
enum { LARGE = 64 << 20, SMALL = 50000, GO = 4711 };

static void send_large(struct bspt *t, unsigned char *large, unsigned char *small)
{
	struct bspt_bulk out, in;

	fill(large, LARGE, 1);
	send_bulk(t, &out, 1, 1, large, LARGE);
	is_int(1, fetch(t, 1, GO, 100), "the large one has been granted");
	receive_bulk(t, &in, 1, 2, small, SMALL);
	await_bulk(t, &in);
	await_bulk(t, &out);
	is_int(0, wrong(small, SMALL, 2), "the small one is whole");
}

static void send_small(struct bspt *t, unsigned char *large, unsigned char *small)
{
	struct bspt_bulk in, out;
	unsigned int idle = 0;
	size_t len;
	int from;

	fill(small, SMALL, 2);
	receive_bulk(t, &in, 0, 1, large, LARGE);
	post(t, 0, GO, 100);
	send_bulk(t, &out, 0, 2, small, SMALL);
	while (!in.done && !out.done) {
		if (t->ops->poll(t, &from, &len))
			bail("a chunk of %zu bytes that no process sent", len);
		t->ops->wait(t, idle++);
	}
	ok(!in.done, "the small one has left before all of the large one is there");
	await_bulk(t, &in);
	await_bulk(t, &out);
	is_int(0, wrong(large, LARGE, 1), "the large one is whole");
}

static void body(struct bspt *t)
{
	unsigned char *large = malloc(LARGE), *small = malloc(SMALL);

	if (!large || !small)
		bail("no memory");
	(t->me == 0 ? send_large : send_small)(t, large, small);
	meet(t);
	free(large);
	free(small);
}

/*
 * Others have an order of their own; sockets goes on while a process does not call it, so that both
 * can be done when it calls again.
 */
static bool is_over_tcp(const char *provider)
{
	return !provider || !*provider || !strcmp(provider, "tcp") || !strcmp(provider, "net");
}

int main(void)
{
	struct bspt_plan plan = { .nprocs = 2, .wait_policy = { .yield_ns = 2000000 } };
	const struct bspt_ops *ofi = bspt_find("ofi");
	const char *claim = "a small bulk passes a large one";

	if (!is_wanted(ofi))
		not_applicable("%s: another transport is wanted", claim);
	else if (!is_over_tcp(getenv("BSP_OFI_PROVIDER")))
		not_applicable("%s: the provider is not tcp or net", claim);
	else
		over(ofi, body, plan, claim);
	return done_testing();
}
