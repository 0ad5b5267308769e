/* SPDX-License-Identifier: BSD-3-Clause */
/* A message has the tag size of the superstep it was sent in, however late it is read. */
#include "../lib/relaxed.h"

static void set(bsp_size_t nbytes)
{
	bsp_set_tagsize(&nbytes);
}

static void send(const char *tag, int v)
{
	bsp_send(right(), tag, &v, sizeof v);
}

/* The first message has this tag, that fills just @nbytes bytes, and this value. */
static bool is_next(const char *wanted, size_t nbytes, int value)
{
	bsp_size_t length = 0;
	char tag[16];
	int v = -1;

	memset(tag, '#', sizeof tag);
	bsp_get_tag(&length, tag);
	bsp_move(&v, sizeof v);
	return length == sizeof v && v == value &&
	       !memcmp(tag, wanted, nbytes) && tag[nbytes] == '#';
}

static void body(void)
{
	bsp_size_t length = 0;
	char tag[16] = "#";

	enter_relaxed();
	set(8);
	bsp_sync();
	send("abcdefgh", 1);
	bsp_sync();
	send("ijklmnop", 2);
	set(3);
	bsp_sync();
	send("qrs", 3);
	set(0);
	bsp_sync();
	send(NULL, 4);
	bsp_expect(1);
	ok(is_next("abcdefgh", 8, 1), "8 bytes, two sizes later");
	bsp_sync();
	bsp_sync();
	bsp_expect(1);
	ok(is_next("ijklmnop", 8, 2), "8 bytes, sent in the superstep of another set_tagsize");
	bsp_sync();
	bsp_expect(2);
	bsp_get_tag(&length, tag);
	if (tag[0] == '#')
		ok(is_next("", 0, 4) && is_next("qrs", 3, 3), "none and 3 bytes, in one queue");
	else
		ok(is_next("qrs", 3, 3) && is_next("", 0, 4), "none and 3 bytes, in one queue");
	bsp_end();
}

int main(void)
{
	under_each(body, 0, "four tag sizes");
	lives_ok(body, 1, "four tag sizes on one process");
	return done_testing();
}
