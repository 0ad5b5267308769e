/* SPDX-License-Identifier: BSD-3-Clause */
/* One put, get or message of the size_t interface may have more than 2 GiB. */
#define BSP_MCBSP
#include "../lib/spmd.h"

#include <stdio.h>
#include <sys/mman.h>

static const size_t GIB = (size_t)1 << 30;
static const size_t SIZE = ((size_t)2 << 30) + 12345;

enum { NEEDED_MIB = 10000 };

static char *map(void)
{
	char *area = mmap(NULL, SIZE, PROT_READ | PROT_WRITE,
			  MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	if (area == MAP_FAILED)
		bail("no address space");
	madvise(area, SIZE, MADV_HUGEPAGE);	/* for less time; without, too */
	return area;
}

/* A few marks, where counters of 31 and 32 bits would go wrong. */
static void mark(char *area)
{
	area[0] = 'a';
	area[GIB] = 'b';
	area[2 * GIB - 1] = 'c';
	area[2 * GIB] = 'd';
	area[SIZE - 1] = 'e';
}

static bool is_marked(const char *area)
{
	return area[0] == 'a' && area[1] == 0 && area[GIB] == 'b' && area[2 * GIB - 1] == 'c' &&
	       area[2 * GIB] == 'd' && area[2 * GIB + 1] == 0 && area[SIZE - 1] == 'e';
}

static char *source, *area;

/* Process 0 of two, or the only one, has the data; the last one is to have them. */
static unsigned int last(void)
{
	return bsp_nprocs() - 1;
}

static void begin(void)
{
	source = map();
	area = map();
	enter();
	bsp_push_reg(source, SIZE);
	publish(area, SIZE);
	if (bsp_pid() == 0)
		mark(source);
}

static void put(void)
{
	begin();
	if (bsp_pid() == 0)
		bsp_put(last(), source, area, 0, SIZE);
	bsp_sync();
	if (bsp_pid() == last())
		ok(is_marked(area), "put");
	bsp_end();
}

static void hpput_and_far_offset(void)
{
	char x = 'x';

	begin();
	if (bsp_pid() == 0)
		bsp_hpput(last(), source, area, 0, SIZE);
	bsp_sync();
	if (bsp_pid() == last())
		ok(is_marked(area), "hpput");
	bsp_sync();
	if (bsp_pid() == 0)
		bsp_put(last(), &x, area, SIZE - 2, 1);
	bsp_sync();
	if (bsp_pid() == last())
		ok(area[SIZE - 2] == 'x' && is_marked(area), "an offset beyond 2 GiB");
	bsp_end();
}

static void get(void)
{
	begin();
	if (bsp_pid() == last())
		bsp_get(0, source, 0, area, SIZE);
	bsp_sync();
	if (bsp_pid() == last())
		ok(is_marked(area), "get");
	bsp_end();
}

static void message(void)
{
	void *tag, *payload;
	size_t nbytes;
	unsigned int messages;

	begin();
	if (bsp_pid() == 0)
		bsp_send(last(), NULL, source, SIZE);
	bsp_sync();
	if (bsp_pid() == last()) {
		bsp_qsize(&messages, &nbytes);
		ok(nbytes == SIZE && messages == 1, "qsize returns more than 2 GiB");
		bsp_get_tag(&nbytes, NULL);
		ok(nbytes == SIZE, "get_tag too");
		ok(bsp_hpmove(&tag, &payload) == SIZE, "hpmove too");
		ok(is_marked(payload), "message");
	}
	bsp_end();
}

int main(void)
{
	int most = job_max_nprocs() > 1 ? 2 : 1;

	if (SANITIZED)
		skip_all("not applicable: a sanitizer takes too long over so many bytes");
	if (available_mib() < NEEDED_MIB)
		skip_all("needs %d MiB of memory", NEEDED_MIB);
	lives_ok(put, 1, "put to oneself");
	lives_ok(hpput_and_far_offset, most, "hpput");
	lives_ok(get, most, "get");
	lives_ok(message, 1, "message to oneself");
	return done_testing();
}
