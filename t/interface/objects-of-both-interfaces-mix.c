/* SPDX-License-Identifier: BSD-3-Clause */
/* One program may have objects of the int and of the size_t interface. */
#include "other-half.h"

#include "../lib/spmd.h"

static int x, y;

/* Each interface sees the job, the registrations and the messages of the other. */
static void both(void)
{
	void *tag, *payload;
	int v, size = 8;

	other_begin();
	tap_process(bsp_pid());
	v = 100 + bsp_pid();
	bsp_push_reg(&y, sizeof y);
	is_int(0, (long)other_set_tagsize(4), "tag size by size_t");
	other_push_and_sync(&x, sizeof x);
	bsp_set_tagsize(&size);
	is_int(4, size, "and by int");
	bsp_put(right(), &v, &x, 0, sizeof v);
	other_put((unsigned int)right(), &v, &y, sizeof v);
	bsp_send(right(), "abcd", &v, sizeof v);
	bsp_sync();
	is_int(100 + left(), x, "registered by size_t, put by int");
	is_int(100 + left(), y, "registered by int, put by size_t");
	is_int(sizeof v, (long)other_hpmove(&tag, &payload), "sent by int, moved by size_t");
	is_blob("abcd", tag, 4, "the tag");
	bsp_end();
}

static void wrong_call(void)
{
	enter();
	publish(&x, sizeof x);
	other_wrong_put(&y, &x);
	bsp_end();
}

int main(void)
{
	lives_ok(both, 0, "on several processes");
	lives_ok(both, 1, "on one process");
	dies_ok(wrong_call, 0, "bsp_put: process 4711 does not exist",
		"an error in the other half");
	ok(strstr(job_err(), "other-half.c:"), "is found there");
	return done_testing();
}
