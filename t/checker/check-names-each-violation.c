/* SPDX-License-Identifier: BSD-3-Clause */
/* Bsprun --check reports each kind of violation in its words, with the places of both ends. */
#include "../lib/checked.h"

static char area[64], second[64], large[3 << 20];
static int four = 4;

static void areas_overlap(void);
static void areas_of_before_overlap(void);
static void put_beyond_the_sender(void);
static void put_before_a_pop(void);
static void put_before_classic(void);
static void put_before_the_end(void);
static void puts_of_two_overlap(void);
static void puts_of_two_supersteps_overlap(void);
static void large_puts_overlap(void);
static void n_too_large(void);
static void n_of_many(void);
static void test_in_vain(void);
static void serves_too_few(void);
static void serves_none(void);
static void gets_what_is_not_read(void);
static void expects_too_many(void);
static void expects_too_few(void);
static void never_expects(void);

#define LINES(...) ((const char *const[]){ __VA_ARGS__, NULL })

static void of_areas(void)
{
	finds(areas_overlap, 2,
	      LINES("bsp_push_reg: the area of 16 bytes overlaps that of 64 bytes registered in "
		    "superstep 0, prog.c:3 (process 0, superstep 1, prog.c:13; 2 times, on "
		    "processes 0 and 1)"),
	      "bsp: checked 4 supersteps, 0 reads, 0 puts: 2 violations, found on 2 of 2 "
	      "processes\n",
	      "areas that overlap");
	finds(areas_of_before_overlap, 1,
	      LINES("bsp_push_reg: the area of 64 bytes overlaps that of 64 bytes registered in "
		    "superstep 0, prog.c:103 (process 0, superstep 1, prog.c:105)"),
	      "bsp: checked 2 supersteps, 0 reads, 0 puts: 1 violation, found on 1 of 1 "
	      "processes\n",
	      "areas of classic supersteps that are still there");
}

static void of_puts(void)
{
	finds(put_beyond_the_sender, 2,
	      LINES("bsp_put: offset 12 + 8 bytes is beyond the 16 bytes that the sender has "
		    "registered itself (process 0, superstep 1, prog.c:209)"),
	      "bsp: checked 3 supersteps, 1 reads, 1 puts: 1 violation, found on 1 of 2 "
	      "processes\n",
	      "a put beyond the sender's own area");
	finds(put_before_a_pop, 2,
	      LINES("bsp_put: is never read: no bsp_read of process 1 depends on it before "
		    "bsp_pop_reg in superstep 2, prog.c:306 (process 0, superstep 1, prog.c:304)"),
	      "bsp: checked 4 supersteps, 0 reads, 1 puts: 1 violation, found on 1 of 2 "
	      "processes\n",
	      "a put that is not read before the pop");
	finds(put_before_classic, 2,
	      LINES("bsp_put: is never read: no bsp_read of process 0 depends on it before the "
		    "first classic bsp_sync in superstep 3, prog.c:408 (process 1, superstep 1, "
		    "prog.c:404)"),
	      "bsp: checked 3 supersteps, 0 reads, 1 puts: 1 violation, found on 1 of 2 "
	      "processes\n",
	      "a put that is not read before classic supersteps");
	finds(put_before_the_end, 1,
	      LINES("bsp_put: is never read: no bsp_read of process 0 depends on it before "
		    "bsp_end in superstep 2, prog.c:506 (process 0, superstep 1, prog.c:503)",
		    "bsp_hpput: is never read: bsp_end drops what no bsp_sync ends, prog.c:506 "
		    "(process 0, superstep 2, prog.c:505)"),
	      "bsp: checked 3 supersteps, 0 reads, 1 puts: 2 violations, found on 1 of 1 "
	      "processes\n",
	      "puts that are not read before bsp_end");
}

static void of_overlaps(void)
{
	finds(puts_of_two_overlap, 3,
	      LINES("bsp_read: depends on two puts to bytes 6 to 7 of the area registered at "
		    "prog.c:55: process 1, superstep 1, prog.c:604 and process 2, superstep 1, "
		    "prog.c:606 (process 0, superstep 2, prog.c:609)"),
	      "bsp: checked 3 supersteps, 1 reads, 2 puts: 1 violation, found on 1 of 3 "
	      "processes\n",
	      "puts of two processes that overlap");
	finds(puts_of_two_supersteps_overlap, 1,
	      LINES("bsp_read: depends on two puts to bytes 0 to 3 of the area registered at "
		    "prog.c:55: process 0, superstep 1, prog.c:703 and process 0, superstep 2, "
		    "prog.c:705 (process 0, superstep 3, prog.c:707)"),
	      "bsp: checked 4 supersteps, 1 reads, 2 puts: 1 violation, found on 1 of 1 "
	      "processes\n",
	      "puts of two supersteps that overlap");
	finds(large_puts_overlap, 2,
	      LINES("bsp_read: depends on two puts to bytes 2097151 to 2097151 of the area "
		    "registered at prog.c:803: process 0, superstep 1, prog.c:808 and process 1, "
		    "superstep 1, prog.c:810 (process 1, superstep 2, prog.c:813)"),
	      "bsp: checked 3 supersteps, 1 reads, 2 puts: 1 violation, found on 1 of 2 "
	      "processes\n",
	      "large puts that overlap in one byte");
}

static void of_reads(void)
{
	finds(n_too_large, 2,
	      LINES("bsp_read: n is 1, but the true number of puts to the area registered at "
		    "prog.c:55 is 0 (process 1, superstep 1, prog.c:903)",
		    "bsp_read: n is 2, but the true number of puts to the area registered at "
		    "prog.c:55 is 0; the last bsp_read of it was in superstep 1, prog.c:903 "
		    "(process 1, superstep 1, prog.c:905)"),
	      "bsp: checked 2 supersteps, 2 reads, 0 puts: 2 violations, found on 1 of 2 "
	      "processes\n",
	      "n too large");
	finds(n_of_many, 3,
	      LINES("bsp_read: n is 2, but the true number of puts to the area registered at "
		    "prog.c:55 is 20: process 0, superstep 1, 3 x prog.c:1006; process 1, "
		    "superstep 1, 3 x prog.c:1006; process 2, superstep 1, 3 x prog.c:1006; "
		    "process 0, superstep 2, prog.c:1010; process 0, superstep 2, prog.c:1011; "
		    "process 0, superstep 2, prog.c:1012; process 0, superstep 2, prog.c:1013; "
		    "process 1, superstep 2, prog.c:1010; and 6 more (process 1, superstep 3, "
		    "prog.c:1016)"),
	      "bsp: checked 4 supersteps, 1 reads, 20 puts: 1 violation, found on 1 of 3 "
	      "processes\n",
	      "n too small, with the places of the puts");
	finds(test_in_vain, 1,
	      LINES("bsp_read_test: will never say yes in this superstep, though asked again and "
		    "again: n is 2, but the true number of puts to the area registered at "
		    "prog.c:55 is 1: process 0, superstep 1, prog.c:1103 (process 0, superstep "
		    "2, prog.c:1105)"),
	      "bsp: checked 3 supersteps, 1 reads, 1 puts: 1 violation, found on 1 of 1 "
	      "processes\n",
	      "waiting with tests for too many");
}

static void of_gets(void)
{
	finds(serves_too_few, 3,
	      LINES("bsp_serve: n is 1, but the true number of gets from the area registered at "
		    "prog.c:55 is 4: process 0, superstep 1, prog.c:1205; process 1, superstep "
		    "1, 2 x prog.c:1208; process 2, superstep 1, prog.c:1210 (process 0, "
		    "superstep 1, prog.c:1204)",
		    "bsp_serve: n is 7, but the true number of gets from the area registered at "
		    "prog.c:55 is 0 (process 1, superstep 1, prog.c:1212)"),
	      "bsp: checked 3 supersteps, 0 reads, 0 puts, 2 serves, 4 gets: 2 violations, "
	      "found on 2 of 3 processes\n",
	      "gets that are not as announced");
	finds(serves_none, 2,
	      LINES("bsp_get: process 1 does not announce gets from this area in this superstep; "
		    "let it call bsp_serve before its bsp_sync at prog.c:1305 (process 0, "
		    "superstep 1, prog.c:1304)"),
	      "bsp: checked 3 supersteps, 0 reads, 0 puts, 0 serves, 1 gets: 1 violation, "
	      "found on 1 of 2 processes\n",
	      "a get that is not announced");
	finds(gets_what_is_not_read, 1,
	      LINES("bsp_hpget: gets what process 0, superstep 1, prog.c:1403 put, but process 0 "
		    "has no bsp_read that waits for it (process 0, superstep 2, prog.c:1406)"),
	      "bsp: checked 4 supersteps, 1 reads, 1 puts, 1 serves, 2 gets: 1 violation, "
	      "found on 1 of 1 processes\n",
	      "a get that may come before a put");
}

static void of_messages(void)
{
	finds(expects_too_many, 2,
	      LINES("bsp_expect: n is 4, but the true number of messages is 3: 2 from process 0, "
		    "superstep 1; 1 from process 1, superstep 1 (process 1, superstep 2, "
		    "prog.c:1508)"),
	      "bsp: checked 3 supersteps, 0 reads, 0 puts, 1 expects, 3 messages: 1 violation, "
	      "found on 1 of 2 processes\n",
	      "more messages expected than sent");
	finds(expects_too_few, 2,
	      LINES("bsp_expect: n is 2, but the true number of messages is 3; left: 1 from "
		    "process 1, superstep 2 (process 1, superstep 3, prog.c:1609)"),
	      "bsp: checked 5 supersteps, 0 reads, 0 puts, 2 expects, 3 messages: 1 violation, "
	      "found on 1 of 2 processes\n",
	      "less messages expected than sent");
	finds(never_expects, 1,
	      LINES("bsp_sync: 2 messages of relaxed supersteps were never expected: 2 from "
		    "process 0, superstep 1; announce messages with bsp_expect (process 0, "
		    "superstep 2, prog.c:1707)",
		    "bsp_end: 1 message of relaxed supersteps was never expected: 1 from process "
		    "0, superstep 3; announce messages with bsp_expect (process 0, superstep 4, "
		    "prog.c:1711)"),
	      "bsp: checked 4 supersteps, 0 reads, 0 puts, 0 expects, 3 messages: 2 violations, "
	      "found on 1 of 1 processes\n",
	      "messages never expected");
}

int main(void)
{
	of_areas();
	of_puts();
	of_overlaps();
	of_reads();
	of_gets();
	of_messages();
	return done_testing();
}

/* Last in this file, because of the directives. */
#line 50 "prog.c"
static void begin(void);

static void begin(void)
{
	enter();
	bsp_push_reg(area, sizeof area);
	bsp_set_sync(BSP_RELAXED);
	bsp_sync();
}

#line 1 "prog.c"
static void areas_overlap(void)
{
	enter(); bsp_push_reg(area, sizeof area);
	bsp_push_reg(second, sizeof second);
	bsp_set_sync(BSP_RELAXED);
	bsp_sync();





	/* what is popped does not count, nor does what lies side by side */
	bsp_push_reg(area + 48, 16);
	bsp_pop_reg(second);
	bsp_push_reg(second + 8, 8);
	bsp_push_reg(second + 16, 8);
	bsp_sync();
	bsp_sync();
	bsp_end();
}

#line 101 "prog.c"
static void areas_of_before_overlap(void)
{
	enter(); bsp_push_reg(area, sizeof area);
	bsp_sync();
	bsp_push_reg(area, sizeof area);
	bsp_sync();
	bsp_set_sync(BSP_RELAXED);
	bsp_sync();
	bsp_end();
}

#line 201 "prog.c"
static void put_beyond_the_sender(void)
{
	enter();
	bsp_push_reg(area, bsp_pid() == 0 ? 16 : 64);
	bsp_set_sync(BSP_RELAXED);
	bsp_sync();

	if (bsp_pid() == 0)
		bsp_put(1, second, area, 12, 8);
	bsp_sync();
	if (bsp_pid() == 1)
		bsp_read(area, 1);
	bsp_end();
}

#line 301 "prog.c"
static void put_before_a_pop(void)
{
	begin(); if (bsp_pid() == 0)
		bsp_put(1, &four, area, 0, 4);
	bsp_sync();
	bsp_pop_reg(area);
	bsp_sync();
	bsp_end();
}

#line 401 "prog.c"
static void put_before_classic(void)
{
	begin(); if (bsp_pid() == 1)
		bsp_put(0, &four, area, 0, 4);
	bsp_sync();
	bsp_sync();
	bsp_set_sync(BSP_CLASSIC);
	bsp_sync();
	bsp_put(0, &four, area, 0, 4);
	bsp_sync();
	bsp_read(area, 17);
	bsp_end();
}

#line 501 "prog.c"
static void put_before_the_end(void)
{
	begin(); bsp_put(0, &four, area, 0, 4);
	bsp_sync();
	bsp_hpput(0, &four, area, 0, 4);
	bsp_end();
}

#line 601 "prog.c"
static void puts_of_two_overlap(void)
{
	begin(); if (bsp_pid() == 1)
		bsp_put(0, area + 8, area, 0, 8);
	if (bsp_pid() == 2)
		bsp_put(0, area + 8, area, 6, 4);
	bsp_sync();
	if (bsp_pid() == 0)
		bsp_read(area, 2);
	bsp_end();
}

#line 701 "prog.c"
static void puts_of_two_supersteps_overlap(void)
{
	begin(); bsp_put(0, &four, area, 0, 4);
	bsp_sync();
	bsp_put(0, &four, area, 0, 4);
	bsp_sync();
	bsp_read(area, 2);
	bsp_end();
}

#line 801 "prog.c"
static void large_puts_overlap(void)
{
	enter(); bsp_push_reg(large, sizeof large);
	bsp_set_sync(BSP_RELAXED);
	bsp_sync();

	if (bsp_pid() == 0)
		bsp_put(1, large, large, 0, 2 << 20);
	else
		bsp_hpput(1, large, large, (2 << 20) - 1, (1 << 20) + 1);
	bsp_sync();
	if (bsp_pid() == 1)
		bsp_read(large, 2);
	bsp_end();
}

#line 901 "prog.c"
static void n_too_large(void)
{
	begin(); if (bsp_pid() == 1) bsp_read(area, 1);
	if (bsp_pid() == 1)
		bsp_read(area, 2);
	bsp_end();
}

#line 1001 "prog.c"
static void n_of_many(void)
{
	begin();
	for (int i = 0; i < 3; i++) {
		char mine = (char)bsp_pid();
		bsp_put(1, &mine, area, (int)bsp_pid() * 3 + 2 - i, 1);
	}
	bsp_sync();
	if (bsp_pid() < 3) {
		bsp_put(1, &four, area, 16 + (int)bsp_pid() * 8, 1);
		bsp_put(1, &four, area, 18 + (int)bsp_pid() * 8, 1);
		if (bsp_pid() < 2) bsp_put(1, &four, area, 20 + (int)bsp_pid() * 8, 1);
		bsp_put(1, &four, area, 22 + (int)bsp_pid() * 8, 1);
	}
	bsp_sync();
	if (bsp_pid() == 1) bsp_read(area, 2);
	bsp_end();
}

#line 1101 "prog.c"
static void test_in_vain(void)
{
	begin(); bsp_put(0, &four, area, 0, 4);
	bsp_sync();
	while (!bsp_read_test(area, 2))
		;	/* nothing can come */
	bsp_read(area, 1);
	bsp_end();
}

#line 1201 "prog.c"
static void serves_too_few(void)
{
	int x[2]; begin();
	if (bsp_pid() == 0) bsp_serve(area, 1);
	if (bsp_pid() == 0) bsp_get(0, area, 0, &x[0], 4);
	if (bsp_pid() == 1)
		for (int i = 0; i < 2; i++)
			bsp_get(0, area, 4 * i, &x[i], 4);
	if (bsp_pid() == 2)
		bsp_hpget(0, area, 0, &x[0], 4);
	if (bsp_pid() == 1)
		bsp_serve(area, 7);
	bsp_sync();
	bsp_end();
}

#line 1301 "prog.c"
static void serves_none(void)
{
	int x; begin(); if (bsp_pid() == 0)
		bsp_get(1, area, 0, &x, 4);
	bsp_sync();
	bsp_end();
}

#line 1401 "prog.c"
static void gets_what_is_not_read(void)
{
	int x; begin(); bsp_put(0, &four, area, 0, 4);
	bsp_sync();
	bsp_serve(area, 2);
	bsp_hpget(0, area, 3, &x, 1);
	bsp_get(0, area, 4, &x, 4);
	bsp_sync();
	bsp_read(area, 1);
	bsp_end();
}

#line 1501 "prog.c"
static void expects_too_many(void)
{
	begin(); bsp_send(1, NULL, &four, 4);
	if (bsp_pid() == 0)
		bsp_send(1, NULL, &four, 4);
	bsp_sync();
	if (bsp_pid() == 1)
		bsp_expect(4);
	bsp_end();
}

#line 1601 "prog.c"
static void expects_too_few(void)
{
	begin(); bsp_send(1, NULL, &four, 4);
	bsp_sync();
	if (bsp_pid() == 1)
		bsp_send(1, NULL, &four, 4);
	bsp_sync();
	if (bsp_pid() == 1)
		bsp_expect(2);
	bsp_sync();
	if (bsp_pid() == 1)
		bsp_expect(1);
	bsp_end();
}

#line 1701 "prog.c"
static void never_expects(void)
{
	begin(); bsp_send(0, NULL, &four, 4);
	bsp_send(0, NULL, &four, 4);
	bsp_sync();
	bsp_set_sync(BSP_CLASSIC);
	bsp_sync();
	bsp_set_sync(BSP_RELAXED);
	bsp_send(0, NULL, &four, 4);
	bsp_sync();
	bsp_end();
}
