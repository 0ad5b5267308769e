/* SPDX-License-Identifier: BSD-3-Clause */
/* Bsprun --check finds nothing in a well-formed program, whatever it makes use of. */
#include "../lib/checked.h"

enum { ROUNDS = 5, LARGE = 1 << 18 };

static int halo[4], table[64], answer;
static char large[2][LARGE], source[LARGE];

static void begin(void)
{
	enter();
	bsp_push_reg(halo, sizeof halo);
	bsp_push_reg(table, sizeof table);
	bsp_push_reg(large[0], sizeof large[0]);
	bsp_push_reg(large[1], sizeof large[1]);
	bsp_set_sync(BSP_RELAXED);
	bsp_sync();
}

/* Puts to both sides and to oneself; read in another order, some later, with and without n. */
static void puts_and_reads(void)
{
	int me;

	begin();
	me = (int)bsp_pid();
	for (int i = 0; i < ROUNDS; i++) {
		bsp_put(left(), &me, halo, 0, sizeof me);
		bsp_put(right(), &me, halo, sizeof me, sizeof me);
		bsp_hpput(bsp_pid(), &me, halo, 2 * sizeof me, sizeof me);
		bsp_put(right(), &me, halo, 0, 0);
		bsp_put(0, &me, table, me * (int)sizeof me, sizeof me);
		bsp_sync();
		bsp_sync();
		if (me == 0)
			bsp_read(table, (int)bsp_nprocs());
		ok(bsp_read_test(halo, 3) && bsp_read_test(halo, BSP_ANY), "the puts are there");
		ok(!bsp_read_test(halo, 4), "and no more");
		bsp_read(halo, i % 2 ? 3 : BSP_ANY);
		bsp_read(halo, 0);
		ok(!bsp_read_test(halo, 1), "they have been taken off");
	}
	bsp_end();
}

/* Puts of many chunks, and a put to the same place again, in the same superstep or after a read. */
static void large_puts(void)
{
	begin();
	for (int i = 0; i < ROUNDS; i++) {
		fill(source, LARGE, (uint32_t)(i + bsp_pid()));
		bsp_put(right(), source, large[0], 0, LARGE);
		bsp_hpput(left(), source, large[1], 0, LARGE);
		bsp_put(right(), source, large[0], 0, LARGE / 2);
		bsp_sync();
		bsp_read(large[0], 2);
		bsp_read(large[1], 1);
		is_int(0, wrong(large[0], LARGE, (uint32_t)(i + left())), "as it was put");
		is_int(0, wrong(large[1], LARGE, (uint32_t)(i + right())),
		       "as it was put by hpput");
		bsp_sync();	/* in the next superstep an unbuffered put may write at once */
	}
	bsp_end();
}

/* With and without barriers of their own; what is popped and read in one superstep. */
static void registrations(void)
{
	begin();
	for (int i = 0; i < ROUNDS; i++) {
		bsp_push_reg(&answer, sizeof answer);
		bsp_put(right(), &i, halo, 0, sizeof i);
		bsp_sync();
		bsp_put(right(), &i, &answer, 0, sizeof i);
		bsp_sync();
		bsp_pop_reg(&answer);
		bsp_read(&answer, 1);
		bsp_read(halo, 1);
		bsp_sync();
	}
	bsp_end();
}

static void gets(void)
{
	int got[2];

	begin();
	for (int i = 0; i < ROUNDS; i++) {
		table[0] = (int)bsp_pid() + i;
		bsp_get(right(), table, 0, &got[0], sizeof got[0]);
		bsp_hpget(bsp_pid(), table, 0, &got[1], sizeof got[1]);
		bsp_put(right(), &i, table, sizeof i, sizeof i);
		bsp_serve(table, 1);
		bsp_serve(table, i % 2 ? 1 : BSP_ANY);
		bsp_sync();
		bsp_read(table, 1);
		is_int((int)right() + i, got[0], "the neighbour's");
		is_int((int)bsp_pid() + i, got[1], "our own");
	}
	/* with a barrier no process needs to announce them */
	bsp_push_reg(&answer, sizeof answer);
	bsp_get(right(), table, 0, &got[0], sizeof got[0]);
	bsp_sync();
	bsp_serve(table, 3);	/* and bsp_end drops them */
	bsp_end();
}

static void messages(void)
{
	bsp_nprocs_t count;
	bsp_size_t tag_bytes = 4, bytes;

	begin();
	for (int i = 0; i < ROUNDS; i++) {
		bsp_send(right(), &i, &i, sizeof i);
		bsp_send(left(), &i, &i, sizeof i);
		if (i == 2)
			bsp_set_tagsize(&tag_bytes);
		bsp_sync();
		if (i == 0)
			continue;	/* they wait */
		bsp_expect(1);
		bsp_expect(i == 1 ? 3 : i == 2 ? BSP_ANY : 1);
		bsp_qsize(&count, &bytes);
		is_int(i == 1 ? 4 : 2, count, "the messages of superstep %d", i);
	}
	bsp_end();
}

/* The checker leaves classic supersteps alone. */
static void in_and_out(void)
{
	int me, got;

	enter();
	me = (int)bsp_pid();
	bsp_push_reg(halo, sizeof halo);
	bsp_push_reg(halo + 1, sizeof halo[1]);
	bsp_sync();
	for (int i = 0; i < ROUNDS; i++) {
		bsp_put(0, &me, halo, 0, sizeof me);
		bsp_get(right(), halo, 0, &got, sizeof got);
		bsp_serve(halo, 9);
		bsp_send(right(), NULL, &me, sizeof me);
		bsp_sync();
		bsp_read(halo, 4);
		bsp_expect(7);
	}
	bsp_pop_reg(halo + 1);
	bsp_sync();
	bsp_set_sync(BSP_RELAXED);
	bsp_put(right(), &me, halo, 0, sizeof me);
	bsp_sync();
	bsp_read(halo, 1);
	bsp_set_sync(BSP_CLASSIC);
	bsp_put(right(), &me, halo, 0, sizeof me);
	bsp_sync();
	bsp_put(right(), &me, halo, 0, sizeof me);
	bsp_end();
}

static void classic(void)
{
	enter();
	publish(halo, sizeof halo);
	bsp_put(right(), &answer, halo, 0, sizeof answer);
	bsp_sync();
	bsp_end();
}

int main(void)
{
	passes(puts_and_reads, 1, "bsp: checked 12 supersteps, 15 reads, 20 puts: well-formed\n",
	       "puts");
	passes(puts_and_reads, 2, "bsp: checked 12 supersteps, 25 reads, 40 puts: well-formed\n",
	       "puts");
	passes(puts_and_reads, 3, "bsp: checked 12 supersteps, 35 reads, 60 puts: well-formed\n",
	       "puts");
	passes(puts_and_reads, 5, "bsp: checked 12 supersteps, 55 reads, 100 puts: well-formed\n",
	       "puts");
	passes(large_puts, 3, "bsp: checked 12 supersteps, 30 reads, 45 puts: well-formed\n",
	       "large puts");
	passes(registrations, 3, "bsp: checked 17 supersteps, 30 reads, 30 puts: well-formed\n",
	       "registrations");
	passes(gets, 3, "bsp: checked 8 supersteps, 15 reads, 15 puts, 33 serves, 30 gets: "
	       "well-formed\n", "gets");
	passes(messages, 3, "bsp: checked 7 supersteps, 0 reads, 0 puts, 24 expects, 30 messages: "
	       "well-formed\n",
	       "messages");
	passes(in_and_out, 3, "bsp: checked 1 supersteps, 3 reads, 3 puts: well-formed\n",
	       "classic supersteps before and after");
	passes(classic, 2, "bsp: no superstep is relaxed (bsp_set_sync), nothing was checked\n",
	       "a classic program");
	return done_testing();
}
