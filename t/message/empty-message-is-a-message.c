/* SPDX-License-Identifier: BSD-3-Clause */
/* Messages without data, without tags, without both are sent and counted. */
#include "../lib/spmd.h"

static void neither(void)
{
	bsp_nprocs_t messages;
	bsp_size_t nbytes, length;

	enter();
	for (int i = 0; i < 3; i++)
		bsp_send(right(), NULL, NULL, 0);
	bsp_sync();
	bsp_qsize(&messages, &nbytes);
	is_int(3, (long)messages, "three messages");
	is_int(0, (long)nbytes, "of no bytes");
	bsp_get_tag(&length, NULL);
	is_int(0, (long)length, "the first is empty, the tag may be NULL");
	bsp_move(NULL, 0);
	bsp_move(NULL, 0);
	bsp_qsize(&messages, &nbytes);
	is_int(1, (long)messages, "two moved, one left");
	bsp_end();
}

static void tag_only(void)
{
	bsp_size_t size = 4, length;
	void *tag, *payload;
	char copy[4];

	enter();
	bsp_set_tagsize(&size);
	bsp_sync();
	bsp_send(right(), "abcd", NULL, 0);
	bsp_hpsend(right(), "abcd", NULL, 0);
	bsp_sync();
	bsp_get_tag(&length, copy);
	is_int(0, (long)length, "no data");
	is_blob("abcd", copy, 4, "its tag by get_tag");
	bsp_move(NULL, 0);
	is_int(0, (long)bsp_hpmove(&tag, &payload), "no data in the other");
	is_blob("abcd", tag, 4, "its tag by hpmove");
	bsp_end();
}

/* With several processes: each sends an empty message to every process. */
static void from_all(void)
{
	bsp_nprocs_t messages;

	enter();
	for (bsp_pid_t pid = 0; pid < bsp_nprocs(); pid++)
		bsp_send(pid, NULL, NULL, 0);
	bsp_sync();
	bsp_qsize(&messages, NULL);
	is_int((long)bsp_nprocs(), (long)messages, "one from each");
	bsp_end();
}

int main(void)
{
	lives_ok(neither, 0, "neither tag nor data");
	lives_ok(neither, 1, "neither tag nor data on one process");
	lives_ok(tag_only, 0, "a tag only");
	lives_ok(from_all, 0, "from every process to every process");
	return done_testing();
}
