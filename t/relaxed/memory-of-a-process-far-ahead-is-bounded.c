/* SPDX-License-Identifier: BSD-3-Clause */
/* A producer ahead of a slow consumer is stopped in time: both need some MiB, no more. */
#include "../lib/relaxed.h"

/* Buffers of libfabric or MPI come on top of the bytes that the library allows to be under way. */
enum { MOST_KIB = 64 * 1024, MOST_FAR_KIB = 192 * 1024, LARGEST = 65536, STEPS_OF_CONSUMER = 64 };

static long supersteps;
static size_t length;
static unsigned char area[LARGEST], source[LARGEST];

static void check(long before)
{
	long more = peak_kib() - before, most = job_networked() ? MOST_FAR_KIB : MOST_KIB;

	if (!ok(SANITIZED || (before > 0 && more < most), "memory has not grown by %ld MiB",
		most / 1024))
		diag("process %d: from %ld to %ld KiB", (int)bsp_pid(), before, before + more);
}

static void slowly(long s)
{
	volatile int spun = 0;

	if (s % STEPS_OF_CONSUMER == 0)
		while (spun < 20000)
			spun++;
}

/* Process 1 puts in every superstep; process 0 reads, and takes its time now and then. */
static void puts_read_in_each(void)
{
	long before, wrong_values = 0;

	enter_relaxed();
	publish(area, sizeof area);
	before = peak_kib();
	for (long s = 0; s < supersteps; s++) {
		memcpy(source, &s, sizeof s);
		if (bsp_pid() == 1)
			bsp_put(0, source, area, 0, (bsp_size_t)length);
		bsp_sync();
		if (bsp_pid() != 0)
			continue;
		slowly(s);
		bsp_read(area, 1);
		wrong_values += memcmp(area, &s, sizeof s) != 0;
	}
	is_int(0, wrong_values, "every value");
	check(before);
	bsp_end();
}

/* All others produce for process 0. */
static void puts_of_several(void)
{
	long before;
	int others;

	enter_relaxed();
	others = (int)bsp_nprocs() - 1;
	publish(area, sizeof area);
	before = peak_kib();
	for (long s = 0; s < supersteps; s++) {
		if (bsp_pid() != 0)
			bsp_put(0, source, area, (bsp_size_t)(((size_t)bsp_pid() - 1) * length),
				(bsp_size_t)length);
		bsp_sync();
		if (bsp_pid() == 0)
			slowly(s);
		if (bsp_pid() == 0)
			bsp_read(area, others);
	}
	check(before);
	bsp_end();
}

static void messages(void)
{
	long before, wrong_values = 0;

	enter_relaxed();
	bsp_sync();
	before = peak_kib();
	for (long s = 0; s < supersteps; s++) {
		memcpy(source, &s, sizeof s);
		if (bsp_pid() == 1)
			bsp_send(0, NULL, source, (bsp_size_t)length);
		bsp_sync();
		if (bsp_pid() != 0)
			continue;
		slowly(s);
		bsp_expect(1);
		bsp_move(area, (bsp_size_t)length);
		wrong_values += memcmp(area, &s, sizeof s) != 0;
	}
	is_int(0, wrong_values, "every message");
	check(before);
	bsp_end();
}

/* Process 1 has all its supersteps behind it, with nothing to send, when process 0 begins. */
static void nothing_to_send(void)
{
	long before;

	enter_eager();
	publish(area, sizeof area);
	before = peak_kib();
	if (bsp_pid() == 0)
		await_flag(0, 1);
	for (long s = 0; s < supersteps; s++)
		bsp_sync();
	raise_flag(0);
	check(before);
	bsp_end();
}

static void one(void (*body)(void), int nprocs, long how_many, size_t nbytes, const char *what)
{
	supersteps = how_many;
	length = nbytes;
	lives_ok(body, nprocs, "%s, %ld supersteps, %zu bytes in each", what, how_many, nbytes);
}

int main(void)
{
	long share = SANITIZED ? 20 : 1;

	setenv("BSP_SYNC", "program", 1);
	setenv("BSP_EAGER", "auto", 1);
	setenv("BSP_CREDIT", "auto", 1);
	one(nothing_to_send, 2, 1000000 / share, 0, "no puts");
	one(puts_read_in_each, 2, 1000000 / share, 8, "puts");
	one(puts_read_in_each, 2, 100000 / share, 1024, "puts");
	one(puts_read_in_each, 2, 4000 / share, 65536, "puts");
	one(puts_of_several, 5, 40000 / share, 1024, "puts of four");
	one(messages, 2, 200000 / share, 8, "messages");
	one(messages, 2, 50000 / share, 1024, "messages");
	one(messages, 2, 2000 / share, 65536, "messages");
	setenv("BSP_EAGER", "0", 1);
	one(puts_read_in_each, 2, 20000 / share, 1024, "puts that ask");
	return done_testing();
}
