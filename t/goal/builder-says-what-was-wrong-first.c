/* SPDX-License-Identifier: BSD-3-Clause */
/* A call that is wrong breaks the graph, which says what was wrong first, and where. */
#include "../lib/schedules.h"

static struct goal_piece piece(int buffer, uint64_t offset, uint64_t bytes)
{
	return (struct goal_piece){ GOAL_AT(buffer, offset), bytes };
}

/* Each gets process 1 of 3, with a buffer 0 and 32 bytes of scratchpad, and one operation, 0. */
static void send_to_no_process(struct goal_graph *g) { goal_send(g, 0, GOAL_NOWHERE, 3, 0); }
static void send_below_0(struct goal_graph *g) { goal_send(g, 0, GOAL_NOWHERE, -1, 0); }
static void send_to_itself(struct goal_graph *g) { goal_send(g, 0, GOAL_NOWHERE, 1, 0); }
static void send_any_tag(struct goal_graph *g) { goal_send(g, 0, GOAL_NOWHERE, 0, GOAL_ANY); }
static void multicast_any_tag(struct goal_graph *g)
{
	goal_multicast(g, 0, GOAL_NOWHERE, GOAL_ANY);
}
static void recv_from_no_process(struct goal_graph *g) { goal_recv(g, 0, GOAL_NOWHERE, -2, 0); }
static void recv_from_itself(struct goal_graph *g) { goal_recv(g, 0, GOAL_NOWHERE, 1, 0); }
static void no_buffer(struct goal_graph *g) { goal_send(g, 1, GOAL_AT(1, 0), 0, 0); }
static void buffer_below_0(struct goal_graph *g) { goal_recv(g, 1, GOAL_AT(-2, 0), 0, 0); }
static void beyond_scratchpad(struct goal_graph *g)
{
	goal_send(g, 8, GOAL_AT(GOAL_SCRATCHPAD, 25), 0, 0);
}
static void long_message(struct goal_graph *g)
{
	goal_send(g, GOAL_BYTES_MOST + 1, GOAL_NOWHERE, 0, 0);
}
static void far_piece(struct goal_graph *g) { goal_send(g, 2, GOAL_AT(0, UINT64_MAX), 0, 0); }
static void long_list(struct goal_graph *g)
{
	struct goal_piece two[2] = { piece(0, 0, GOAL_BYTES_MOST), piece(0, 0, 1) };

	goal_recv_list(g, two, 2, 0, 0);
}
static void many_pieces(struct goal_graph *g)
{
	struct goal_piece *pieces = some(65536 * sizeof *pieces);
	int i;

	for (i = 0; i < 65536; i++)
		pieces[i] = piece(0, 0, 1);
	goal_recv_list(g, pieces, 65536, 0, 0);
	free(pieces);
}
static void no_function(struct goal_graph *g)
{
	goal_local(g, (enum goal_function)12, GOAL_I8, 1, GOAL_AT(0, 0), GOAL_AT(0, 0));
}
static void bits_of_floats(struct goal_graph *g)
{
	goal_local(g, GOAL_OR, GOAL_F64, 8, GOAL_AT(0, 0), GOAL_AT(0, 8));
}
static void element_askew(struct goal_graph *g)
{
	goal_local(g, GOAL_ADD, GOAL_I32, 4, GOAL_AT(0, 2), GOAL_AT(0, 8));
}
static void half_an_element(struct goal_graph *g)
{
	goal_local(g, GOAL_ADD, GOAL_I32, 6, GOAL_AT(0, 0), GOAL_AT(0, 8));
}
static void from_nowhere(struct goal_graph *g)
{
	goal_local(g, GOAL_COPY, GOAL_NONE, 8, GOAL_AT(0, 0), GOAL_NOWHERE);
}
static void reversed_sum(struct goal_graph *g)
{
	struct goal_piece one = piece(0, 0, 8);

	goal_local_list(g, GOAL_ADD, GOAL_I64, GOAL_REVERSED, &one, 1, &one, 1);
}
static void sides_differ(struct goal_graph *g)
{
	struct goal_piece two[2] = { piece(0, 0, 8), piece(0, 8, 8) };

	goal_local_list(g, GOAL_COPY, GOAL_NONE, 0, two, 2, two, 1);
}
static void long_timestamp(struct goal_graph *g)
{
	goal_local(g, GOAL_TIMESTAMP, GOAL_U64, 16, GOAL_AT(0, 0), GOAL_NOWHERE);
}
static void timestamp_from(struct goal_graph *g)
{
	goal_local(g, GOAL_TIMESTAMP, GOAL_U64, 8, GOAL_AT(0, 0), GOAL_AT(0, 8));
}
static void call_writes_more(struct goal_graph *g)
{
	struct goal_piece one = piece(0, 0, 8);

	goal_call(g, 0, &one, 1, 2);
}
static void call_any(struct goal_graph *g) { goal_call(g, GOAL_ANY, NULL, 0, 0); }
static void requires_itself(struct goal_graph *g) { goal_requires(g, 0, 0); }
static void requires_nothing(struct goal_graph *g) { goal_requires(g, 0, 1); }
static void nothing_irequires(struct goal_graph *g) { goal_irequires(g, -1, 0); }
static void site_of_nothing(struct goal_graph *g) { goal_place_on(g, 9, 0, 0); }
static void far_cpu(struct goal_graph *g) { goal_place_on(g, 0, 256, 0); }
static void far_nic(struct goal_graph *g) { goal_place_on(g, 0, 0, 256); }
static void site_of_call(struct goal_graph *g)
{
	goal_place_on(g, goal_call(g, 0, NULL, 0, 0), 1, 0);
}
static void at_least_of_none(struct goal_graph *g) { goal_buffer_at_least(g, 1, 1); }
static void at_least_too_much(struct goal_graph *g)
{
	goal_buffer_at_least(g, 0, GOAL_BYTES_MOST + 1);
}
static void much_scratchpad(struct goal_graph *g) { goal_scratch(g, GOAL_SCRATCH_MOST - 31); }
static void many_buffers(struct goal_graph *g)
{
	int i;

	for (i = 0; i < GOAL_BUFFERS_MOST; i++)
		goal_buffer(g);
}
static void circle(struct goal_graph *g)
{
	int i;

	for (i = 1; i < 6; i++)
		goal_calc(g, 0);
	goal_requires(g, 1, 2);
	goal_irequires(g, 2, 4);
	goal_requires(g, 4, 1);
	goal_requires(g, 5, 4);
	goal_requires(g, 3, 0);
}
static void large_circle(struct goal_graph *g)
{
	int i;

	for (i = 1; i < 1000; i++)
		goal_requires(g, goal_calc(g, 0), i - 1);
	goal_requires(g, 0, 999);
}

static const struct {
	void (*call)(struct goal_graph *g);
	const char *says;		/* the beginning */
} wrong[] = {
	{ send_to_no_process, "goal_send, operation 1: there is no such process" },
	{ send_below_0, "goal_send, operation 1: there is no such process" },
	{ send_to_itself, "goal_send, operation 1: a process sends nothing to itself: it copies" },
	{ send_any_tag, "goal_send, operation 1: a send needs a tag of its own" },
	{ multicast_any_tag, "goal_multicast, operation 1: a send needs a tag of its own" },
	{ recv_from_no_process, "goal_recv, operation 1: there is no such process" },
	{ recv_from_itself,
	  "goal_recv, operation 1: a process sends nothing to itself: it copies" },
	{ no_buffer, "goal_send, operation 1: there is no such buffer" },
	{ buffer_below_0, "goal_recv, operation 1: there is no such buffer" },
	{ beyond_scratchpad, "goal_send, operation 1: beyond the scratchpad" },
	{ long_message, "goal_send, operation 1: more than 2^40 bytes" },
	{ far_piece, "goal_send, operation 1: a piece reaches beyond 2^40 bytes" },
	{ long_list, "goal_recv_list, operation 1: more than 2^40 bytes" },
	{ many_pieces, "goal_recv_list, operation 1: more than 65535 pieces" },
	{ no_function, "goal_local, operation 1: there is no such function of such elements" },
	{ bits_of_floats, "goal_local, operation 1: there is no such function of such elements" },
	{ element_askew, "goal_local, operation 1: a piece is not of whole elements" },
	{ half_an_element, "goal_local, operation 1: a piece is not of whole elements" },
	{ from_nowhere, "goal_local, operation 1: there is no such buffer" },
	{ reversed_sum, "goal_local_list, operation 1: only sub and div can be reversed" },
	{ sides_differ, "goal_local_list, operation 1: both sides are not of the same length" },
	{ long_timestamp, "goal_local, operation 1: a timestamp is 8 bytes, from nowhere" },
	{ timestamp_from, "goal_local, operation 1: a timestamp is 8 bytes, from nowhere" },
	{ call_writes_more, "goal_call, operation 1: more pieces are written than there are" },
	{ call_any, "goal_call, operation 1: there is no function of that number" },
	{ requires_itself, "goal_requires: operation 0 would wait for itself" },
	{ requires_nothing, "goal_requires: there is no operation 1" },
	{ nothing_irequires, "goal_irequires: there is no operation -1" },
	{ site_of_nothing, "goal_place_on: there is no operation 9" },
	{ far_cpu, "goal_place_on, operation 0: more than 255" },
	{ far_nic, "goal_place_on, operation 0: more than 255" },
	{ site_of_call, "goal_place_on, operation 1: only of sends, receives and calc" },
	{ at_least_of_none, "goal_buffer_at_least: there is no buffer 1" },
	{ at_least_too_much,
	  "goal_buffer_at_least: 1099511627777 bytes, of at most 1099511627776" },
	{ much_scratchpad, "goal_scratch: more than 1099511627776 bytes of scratchpad" },
	{ many_buffers, "goal_buffer: more than 1024 buffers" },
	{ circle, "goal_compile: operations wait for each other, each for the next: " },
	{ large_circle, "goal_compile: operations wait for each other, each for the next: " },
};

static struct goal_graph *begin(void)
{
	struct goal_graph *g = goal_graph_create(3, 1);

	goal_buffer(g);
	goal_scratch(g, 32);
	goal_calc(g, 1);
	return g;
}

static void says(size_t i)
{
	struct goal_graph *g = begin();
	const char *error;
	size_t len = 12345;
	void *block;

	wrong[i].call(g);
	block = goal_compile(g, &len);
	error = goal_graph_error(g);
	ok(!block && len == 12345, "refused: %s", wrong[i].says);
	ok(error && strncmp(error, wrong[i].says, strlen(wrong[i].says)) == 0,
	   "that is what it says") ||
		(diag("seen: %s", error ? error : "nothing"), 0);
	/* everything goes on without harm, and changes nothing */
	circle(g);
	goal_scratch(g, 1);
	goal_buffer(g);
	goal_send(g, 1, GOAL_AT(77, 0), 77, 77);
	ok(goal_graph_error(g) &&
		   strncmp(goal_graph_error(g), wrong[i].says, strlen(wrong[i].says)) == 0,
	   "and goes on saying");
	goal_graph_destroy(g);
}

/* Each waits for the next one, the last for the first. */
static void names_the_circle(void)
{
	struct goal_graph *g = begin();
	size_t len;

	circle(g);
	goal_compile(g, &len);
	ok(strstr(goal_graph_error(g), ": 1, 2, 4, 1") ||
		   strstr(goal_graph_error(g), ": 2, 4, 1, 2") ||
		   strstr(goal_graph_error(g), ": 4, 1, 2, 4"),
	   "the circle is named, and nothing else: %s", goal_graph_error(g));
	goal_graph_destroy(g);
	g = begin();
	large_circle(g);
	goal_compile(g, &len);
	ok(strstr(goal_graph_error(g), " ..."), "of a large one the beginning: %s",
	   goal_graph_error(g));
	goal_graph_destroy(g);
}

static void no_processes(int nprocs, int rank, const char *wanted)
{
	struct goal_graph *g = goal_graph_create(nprocs, rank);

	is_str(wanted, goal_graph_error(g), "process %d of %d", rank, nprocs);
	goal_graph_destroy(g);
}

int main(void)
{
	size_t i;

	for (i = 0; i < sizeof wrong / sizeof *wrong; i++)
		says(i);
	names_the_circle();
	no_processes(0, 0, "goal_graph_create: 0 processes, of 1 to 16777216");
	no_processes(16777217, 0, "goal_graph_create: 16777217 processes, of 1 to 16777216");
	no_processes(4, 4, "goal_graph_create: there is no process 4 of 4");
	no_processes(4, -1, "goal_graph_create: there is no process -1 of 4");
	goal_graph_destroy(NULL);
	return done_testing();
}
