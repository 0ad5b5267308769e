/* SPDX-License-Identifier: BSD-3-Clause */
/* A chunk is made and taken back in the same time however many there are. */
#include "../lib/growth.h"
#include "../lib/transports.h"

enum { MANY = SANITIZED ? 1 << 13 : 1 << 15 };

static struct bspt *transport;
static size_t want;
static void *open_chunks[MANY];

static void open_and_discard(long n)
{
	size_t room;

	for (long i = 0; i < n; i++)
		open_chunks[i] = chunk_for(transport, next_of(transport), want, &room);
	for (long i = 0; i < n; i++)
		discard_chunk(transport, next_of(transport), open_chunks[i]);
}

static void body(struct bspt *t)
{
	static const size_t sizes[] = { 100, 5000, 20000, 100000 };

	transport = t;
	for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
		want = at_most(t, next_of(t), sizes[i]);
		grows_as_n(open_and_discard, MANY, 4000, "chunks of %zu bytes", sizes[i]);
	}
	meet(t);
}

int main(void)
{
	over_each(body, (struct bspt_plan){ .nprocs = 2 }, "chunks that are not sent");
	return done_testing();
}
