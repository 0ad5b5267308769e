/* SPDX-License-Identifier: BSD-3-Clause */
/* More bytes in the queue than an int can tell end the job, in bsp_qsize. */
#include "../lib/spmd.h"

#include <stdio.h>
#include <sys/mman.h>

enum { SIZE = 1100000000, NEEDED_MIB = 8000 };

/* Never written to, so it takes no memory. */
static void send_two(void)
{
	char *data =
		mmap(NULL, SIZE, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	if (data == MAP_FAILED)
		bail("no address space");
	madvise(data, SIZE, MADV_HUGEPAGE);	/* for less time; without, too */
	enter();
	bsp_send(0, NULL, data, SIZE);
	bsp_send(0, NULL, data, SIZE);
	bsp_sync();
}

static void too_many_bytes(void)
{
	bsp_nprocs_t messages;
	bsp_size_t nbytes;

	send_two();
	expect_site(), bsp_qsize(&messages, &nbytes);
	bsp_end();
}

/* The number of messages is small enough, and one alone as well. */
static void not_asked_for(void)
{
	bsp_nprocs_t messages;
	bsp_size_t nbytes;

	send_two();
	bsp_qsize(&messages, NULL);
	is_int(2, (long)messages, "the number of messages fits");
	bsp_move(NULL, 0);
	bsp_qsize(&messages, &nbytes);
	is_int(SIZE, (long)nbytes, "the bytes of the one left too");
	bsp_end();
}

int main(void)
{
	if (available_mib() < NEEDED_MIB)
		skip_all("needs %d MiB of memory", NEEDED_MIB);
	dies_ok(too_many_bytes, 1, "bsp_qsize: ", "2.2 GB in an int");
	lives_ok(not_asked_for, 1, "2.2 GB that the program does not ask for");
	return done_testing();
}
