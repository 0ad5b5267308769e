/* SPDX-License-Identifier: BSD-3-Clause */
/* Bsprun --check names areas and transfers of functions that have returned, and no others. */
#include "../lib/checked.h"

#include <pthread.h>
#include <stdio.h>
#include <ucontext.h>

#define LINES(...) ((const char *const[]){ __VA_ARGS__, NULL })

/* A function with a frame of its own, whatever the compiler does. */
#define FRAME __attribute__((noinline))

static void read_of_a_dead_local(void);
static void dead_at_the_end(void);
static void pushed_and_dead_at_once(void);
static void dead_and_popped_later(void);
static void transfers_of_dead_locals(void);

/* ---- Areas that live ------------------------------------------------------------- */

static FRAME void use(int *x)
{
	bsp_push_reg(x, sizeof *x);
	bsp_sync();
	bsp_put(right(), &(int){ 7 }, x, 0, sizeof *x);
	bsp_sync();
}

static FRAME void transfer_own(void)
{
	static int shared[2];
	int x = 1, y = 0, z = 0;

	publish(shared, sizeof shared);
	bsp_hpput(right(), &x, shared, 0, sizeof x);
	bsp_get(right(), shared, 4, &y, sizeof y);
	bsp_hpget(right(), shared, 4, &z, sizeof z);
	bsp_sync();
	bsp_pop_reg(shared);
	bsp_sync();
	is_int(0, y + z, "what a function transfers that is still there");
}

static FRAME void transfer_at_once(void)
{
	static int shared;
	int x = 1;

	publish(&shared, sizeof shared);
	bsp_put(right(), &x, &shared, 0, sizeof x);
	bsp_direct_get(right(), &shared, 0, &x, sizeof x);
}

static FRAME void use_own(void)
{
	int x = 0;

	use(&x);
	bsp_pop_reg(&x);
	is_int(7, x, "a local of a function that is still there");
}

static FRAME void push_and_pop(void)
{
	int x = 0;

	bsp_push_reg(&x, sizeof x);
	bsp_pop_reg(&x);
	x = 1;
}

static FRAME void push_a_name(void)
{
	int x = 0;

	bsp_push_reg(&x, 0);
	x = 1;
}

static void living_areas(void)
{
	int x = 0;

	enter();
	use(&x);		/* registered in a function that returns, but of this one */
	use_own();		/* popped before it returns */
	bsp_sync();
	push_and_pop();
	bsp_sync();
	push_a_name();
	bsp_sync();
	transfer_own();
	transfer_at_once();
	bsp_sync();
	is_int(7, x, "a local of the caller");
	bsp_end();
}

/* ---- Other stacks ---------------------------------------------------------------- */

static ucontext_t program, coroutine;

static void sync_elsewhere(void)
{
	bsp_sync();
	swapcontext(&coroutine, &program);
}

/* The stack of the coroutine is an array of @lowest's caller, so above its locals. */
static FRAME void sync_on(char *array, size_t nbytes)
{
	int x = 0;

	getcontext(&coroutine);
	coroutine.uc_stack.ss_sp = array;
	coroutine.uc_stack.ss_size = nbytes;
	coroutine.uc_link = &program;
	makecontext(&coroutine, sync_elsewhere, 0);
	bsp_push_reg(&x, sizeof x);
	swapcontext(&program, &coroutine);
	bsp_pop_reg(&x);
	bsp_sync();
}

static void coroutine_in_an_array_of_the_stack(void)
{
	char array[256 << 10];

	enter();
	sync_on(array, sizeof array);
	bsp_end();
}

static void coroutine_in_static_memory(void)
{
	static char array[256 << 10];

	enter();
	sync_on(array, sizeof array);
	bsp_end();
}

static void *program_of_a_thread(void *unused)
{
	int x = 0;

	(void)unused;
	enter();
	use(&x);
	use_own();
	bsp_sync();
	bsp_end();
	exit(0);
}

static void on_the_stack_of_a_thread(void)
{
	pthread_t thread;

	pthread_create(&thread, NULL, program_of_a_thread, NULL);
	pthread_join(thread, NULL);
}

/* ------------------------------------------------------------------------------------ */

static void in_supersteps(void)
{
	finds(read_of_a_dead_local, 2,
	      LINES("bsp_push_reg: the area of 4 bytes is in the frame of a function that has "
		    "returned: bsp_sync in superstep 1, prog.c:15; pop it before the function "
		    "returns, or make it static (process 1, superstep 0, prog.c:4; 2 times)"),
	      "bsp: checked 0 supersteps, 0 reads, 0 puts: 2 violations, found on 1 of 2 "
	      "processes\n",
	      "bsp_direct_get of a local that is gone");
	finds(pushed_and_dead_at_once, 1,
	      LINES("bsp_push_reg: the area of 8 bytes is in the frame of a function that has "
		    "returned: bsp_sync in superstep 0, prog.c:211; pop it before the function "
		    "returns, or make it static (process 0, superstep 0, prog.c:204)"),
	      "bsp: checked 0 supersteps, 0 reads, 0 puts: 1 violation, found on 1 of 1 "
	      "processes\n",
	      "an area that is gone before its registration takes effect");
	finds(dead_and_popped_later, 1,
	      LINES("bsp_push_reg: the area of 4 bytes is in the frame of a function that has "
		    "returned: bsp_sync in superstep 1, prog.c:312; pop it before the function "
		    "returns, or make it static (process 0, superstep 0, prog.c:305)",
		    "bsp_push_reg: the area of 4 bytes is in the frame of a function that has "
		    "returned: bsp_sync in superstep 1, prog.c:312; pop it before the function "
		    "returns, or make it static (process 0, superstep 0, prog.c:305; 2 times)"),
	      "bsp: checked 5 supersteps, 0 reads, 0 puts: 2 violations, found on 1 of 1 "
	      "processes\n",
	      "a relaxed superstep and a classic one");
}

static void are_named_by_none(void (*body)(void), int nprocs, const char *what)
{
	passes(body, nprocs,
	       "bsp: no superstep is relaxed (bsp_set_sync), nothing was checked\n",
	       what);
}

int main(void)
{
	in_supersteps();
	finds(dead_at_the_end, 1,
	      LINES("bsp_push_reg: the area of 4 bytes is in the frame of a function that has "
		    "returned: bsp_end in superstep 1, prog.c:113; pop it before the function "
		    "returns, or make it static (process 0, superstep 0, prog.c:104)"),
	      "bsp: checked 0 supersteps, 0 reads, 0 puts: 1 violation, found on 1 of 1 "
	      "processes\n",
	      "an area that is gone at the end");
	finds(transfers_of_dead_locals, 1,
	      LINES("bsp_get: the destination of 4 bytes is in the frame of a function that has "
		    "returned before bsp_sync, prog.c:414; it has to stay until then (process 0, "
		    "superstep 1, prog.c:405)",
		    "bsp_hpget: the destination of 8 bytes is in the frame of a function that has "
		    "returned before bsp_sync, prog.c:414; it has to stay until then (process 0, "
		    "superstep 1, prog.c:406)",
		    "bsp_hpput: the source of 4 bytes is in the frame of a function that has "
		    "returned before bsp_sync, prog.c:414; it has to stay until then (process 0, "
		    "superstep 1, prog.c:407)"),
	      "bsp: checked 0 supersteps, 0 reads, 0 puts: 3 violations, found on 1 of 1 "
	      "processes\n",
	      "transfers to and from locals that are gone");
	are_named_by_none(living_areas, 2, "areas that live");
	if (SANITIZED) {
		not_applicable("coroutines: a sanitizer warns of them");
	} else {
		are_named_by_none(coroutine_in_an_array_of_the_stack, 1,
				  "a coroutine whose stack is an array on this one");
		are_named_by_none(coroutine_in_static_memory, 1,
				  "a coroutine whose stack is static");
	}
	are_named_by_none(on_the_stack_of_a_thread, 1, "a thread");
	return done_testing();
}

/* Last in this file, because of the directives. */
#line 1 "prog.c"
static FRAME void push_four(int value)
{
	int x = value;
	bsp_push_reg(&x, sizeof x); bsp_sync();
}

static void read_of_a_dead_local(void)
{
	static int own; int mine = 0; enter();
	if (bsp_pid() == 1) push_four(1);
	else publish(&own, 4);
	if (bsp_pid() == 0)
		bsp_direct_get(1, &own, 0, &mine, sizeof mine);

	bsp_sync();
	bsp_end();
}

#line 101 "prog.c"
static FRAME void push_more(int value)
{
	int x = value;
	bsp_push_reg(&x, sizeof x);
	bsp_sync();
}

static void dead_at_the_end(void)
{
	enter();
	push_more(1);

	bsp_end();
}

#line 201 "prog.c"
static FRAME int *push_eight(int value)
{
	int *volatile at, x[2] = { value, value }; at = x;
	bsp_push_reg(at, sizeof x); return at;
}

static void pushed_and_dead_at_once(void)
{
	int *area; enter(); area = push_eight(1);

	bsp_sync();
	bsp_pop_reg(area);
	bsp_end();
}

#line 301 "prog.c"
static FRAME int *push_and_return(int value)
{
	int *volatile at, x = value;
	at = &x;
	bsp_push_reg(at, sizeof x);
	bsp_set_sync(BSP_RELAXED); bsp_sync(); return at;
}

static void dead_and_popped_later(void)
{
	int *at; enter(); at = push_and_return(1);
	for (int i = 0; i < 2; i++) bsp_sync();
	bsp_pop_reg(at);
	bsp_sync();
	bsp_end();
}

#line 401 "prog.c"
static FRAME void transfer_all(long *shared)
{
	long x[1 << 16];	/* far below the frames of bsp_sync, which gets write to */
	memset(x, 0, sizeof x);
	bsp_get(0, shared, 0, &x[0], 4);
	bsp_hpget(0, shared, 8, &x[1], 8);
	bsp_hpput(0, &x[0], shared, 16, 4);
}

static void transfers_of_dead_locals(void)
{
	static long shared[4]; enter(); publish(shared, sizeof shared);
	transfer_all(shared);
	bsp_sync();
	bsp_sync();
	bsp_end();
}
