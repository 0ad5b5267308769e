/* SPDX-License-Identifier: BSD-3-Clause */
/* A tag size counts from the next superstep, the last one set wins, messages keep theirs. */
#include "../lib/spmd.h"

static bsp_size_t set(bsp_size_t nbytes)
{
	bsp_set_tagsize(&nbytes);
	return nbytes;
}

static void returns_last_set(void)
{
	enter();
	is_int(0, (long)set(8), "at first 0");
	is_int(8, (long)set(4), "the last one set, in the same superstep");
	is_int(4, (long)set(12), "and again");
	bsp_sync();
	is_int(12, (long)set(12), "the last one set, a superstep later");
	bsp_sync();
	bsp_sync();
	is_int(12, (long)set(0), "the last one set, supersteps later");
	bsp_end();
}

/* Move one message and say whether it has this tag, that fills just @nbytes bytes. */
static bool has_tag(const char *wanted, size_t nbytes)
{
	char tag[16];
	bsp_size_t length = 0;
	int payload = 0;
	bool same;

	memset(tag, '#', sizeof tag);
	bsp_get_tag(&length, tag);
	same = length == sizeof payload && !memcmp(tag, wanted, nbytes) && tag[nbytes] == '#';
	bsp_move(&payload, sizeof payload);
	return same && payload == 4711;
}

/* The size set in superstep n is that of messages sent in n+1 and read in n+2. */
static void triple(void)
{
	int v = 4711;

	enter();
	set(8);
	bsp_send(right(), NULL, &v, sizeof v);
	bsp_sync();
	ok(has_tag("", 0), "sent before the first size was in effect: no tag");
	bsp_send(right(), "abcdefgh", &v, sizeof v);
	set(3);
	bsp_send(right(), "abcdefgh", &v, sizeof v);
	bsp_sync();
	set(1);
	bsp_send(right(), "ijk", &v, sizeof v);
	ok(has_tag("abcdefgh", 8), "sent before the second call of set_tagsize");
	ok(has_tag("abcdefgh", 8), "sent after it, in the same superstep");
	bsp_sync();
	bsp_send(right(), "l", &v, sizeof v);
	ok(has_tag("ijk", 3), "sent with the second size");
	bsp_sync();
	ok(has_tag("l", 1), "sent with the third size");
	bsp_sync();
	bsp_end();
}

static void last_of_superstep_wins(void)
{
	int v = 4711;

	enter();
	set(8);
	set(2);
	bsp_sync();
	bsp_send(right(), "xy", &v, sizeof v);
	bsp_sync();
	ok(has_tag("xy", 2), "two bytes");
	bsp_end();
}

static void different_sizes(void)
{
	enter();
	set(bsp_pid() == 1 ? 4 : 8);
	expect_site(), bsp_sync();
	bsp_end();
}

static void set_on_0_only(void)
{
	enter();
	if (bsp_pid() == 0)
		set(8);
	expect_site(), bsp_sync();
	bsp_end();
}

/* Only the last size of each process has to be the same. */
static void alike_in_the_end(void)
{
	enter();
	if (bsp_pid() == 0)
		set(8);
	set(4);
	bsp_sync();
	is_int(4, (long)set(0), "4 is in effect");
	bsp_sync();
	bsp_end();
}

int main(void)
{
	lives_ok(returns_last_set, 0, "what set_tagsize returns");
	lives_ok(returns_last_set, 1, "what set_tagsize returns on one process");
	lives_ok(triple, 0, "sizes of messages set, sent and read");
	lives_ok(triple, 1, "sizes of messages set, sent and read on one process");
	lives_ok(last_of_superstep_wins, 0, "set twice");
	lives_ok(alike_in_the_end, 0, "the last call counts");
	dies_ok(different_sizes, 2, "bsp_set_tagsize: ", "different sizes");
	dies_ok(set_on_0_only, 3, "bsp_set_tagsize: ", "a size set by one process only");
	return done_testing();
}
