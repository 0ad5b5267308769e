/* SPDX-License-Identifier: BSD-3-Clause */
/* A tag size set in a relaxed superstep is that of the queue one superstep later, as ever. */
#include "../lib/relaxed.h"

static void set(bsp_size_t size)
{
	bsp_set_tagsize(&size);
	bsp_sync();
}

static void none_after_some(void)
{
	bsp_size_t status;
	int v = 7, seen = 0;

	enter_relaxed();
	set(8);
	set(0);
	bsp_sync();
	bsp_send(right(), NULL, &v, sizeof v);
	bsp_sync();
	bsp_expect(1);
	bsp_get_tag(&status, NULL);
	bsp_move(&seen, sizeof seen);
	is_int(7, seen, "a message without a tag");
	bsp_end();
}

static void kept(void)
{
	bsp_size_t status = 0;
	char tag[8] = "tagged!";

	enter_relaxed();
	set(8);
	bsp_send(right(), tag, NULL, 0);
	set(0);
	bsp_expect(1);
	memset(tag, 0, sizeof tag);
	bsp_get_tag(&status, tag);
	ok(strcmp(tag, "tagged!") == 0, "a message keeps its tag");
	expect_site(), bsp_get_tag(&status, NULL);
	bsp_end();
}

int main(void)
{
	lives_ok(none_after_some, 2, "NULL for no tag");
	lives_ok(none_after_some, 1, "NULL for no tag, one process");
	setenv("BSP_SYNC", "classic", 1);
	lives_ok(none_after_some, 2, "NULL for no tag, with barriers");
	unsetenv("BSP_SYNC");
	job_run(kept, 2);
	ended_with_message("NULL for the tag of an older message");
	return done_testing();
}
