/* SPDX-License-Identifier: BSD-3-Clause */
/* Each rule of the simulator in the smallest schedule that shows it, with times by hand. */

#include "../lib/simulated.h"

static const struct goal_net net = { .L = 100, .o = 10, .g = 30, .G = 2, .O = 1, .S = 1000 };

static void messages(void)
{
	SIM_IS("num_ranks 2\n"
	       "rank 0 {\nsend 11b to 1\n}\n"
	       "rank 1 {\nrecv 11b from 0\n}\n",
	       &net, "o + 10 O; then from o + L on o + 10 max(O, G)", 20, 110 + 30);
	SIM_IS("num_ranks 2\n"
	       "rank 0 {\nsend 11b to 1 tag 1\nsend 11b to 1 tag 2\n}\n"
	       "rank 1 {\nrecv 11b from 0 tag 1\nrecv 11b from 0 tag 2\n}\n",
	       &net, "sends g + 10 G apart, and so received", 50 + 20, 50 + 110 + 30);
	SIM_IS("num_ranks 2\n"
	       "rank 0 {\nsend 11b to 1 tag 1 cpu 0 nic 0\nsend 11b to 1 tag 2 cpu 0 nic 1\n}\n"
	       "rank 1 {\nrecv 11b from 0 tag 1\nrecv 11b from 0 tag 2\n}\n",
	       &net, "over two networks only the processor is in the way", 40, 110 + 30 + 30);
	SIM_IS("num_ranks 3\n"
	       "rank 0 {\nsend 1b to 2\n}\n"
	       "rank 1 {\nsend 1b to 2\n}\n"
	       "rank 2 {\nrecv 1b from 0\nrecv 1b from 1\n}\n",
	       &net, "two receives g apart", 10, 10, 110 + 30 + 10);
	SIM_IS("num_ranks 3\n"
	       "rank 0 {\nsend 1b to 2 cpu 0 nic 0\n}\n"
	       "rank 1 {\nsend 1b to 2 cpu 0 nic 1\n}\n"
	       "rank 2 {\nrecv 1b from 0\nrecv 1b from 1\n}\n",
	       &net, "two receives over two networks", 10, 10, 110 + 10 + 10);
	SIM_IS("num_ranks 2\n"
	       "rank 0 {\nsend 1b to 1\n}\n"
	       "rank 1 {\na: calc 105\n r: recv 1b from 0\nr requires a\n}\n",
	       &net, "a message takes the processor though no process waits for it yet", 10,
	       110 + 10);
	SIM_IS("num_ranks 2\n"
	       "rank 0 {\nsend 1b to 1\n}\n"
	       "rank 1 {\na: calc 300\n r: recv 1b from 0\nc: calc 5\nc requires r\n}\n",
	       &net, "and waits while it is busy", 10, 300 + 10 + 5);
}

static void overheads_apart(void)
{
	struct goal_net apart = net;

	apart.r = 40;
	apart.has_r = true;
	SIM_IS("num_ranks 2\n"
	       "rank 0 {\nsend 11b to 1 tag 1\nsend 11b to 1 tag 2\n}\n"
	       "rank 1 {\nrecv 11b from 0 tag 1\nrecv 11b from 0 tag 2\n}\n",
	       &apart, "o + 10 O, g + 10 G apart; then r + 10 max(O, G) each", 50 + 20,
	       110 + 60 + 60);
	apart.r = 0;
	SIM_IS("num_ranks 2\n"
	       "rank 0 {\nsend 1b to 1\n}\n"
	       "rank 1 {\na: calc 300\n r: recv 1b from 0\nc: calc 5\nc requires r\n}\n",
	       &apart, "receiving may be free", 10, 300 + 5);
}

static void rendezvous(void)
{
	struct goal_net small = net;

	small.S = 10;
	SIM_IS("num_ranks 2\n"
	       "rank 0 {\na: send 11b to 1\nb: calc 7\nb requires a\n}\n"
	       "rank 1 {\nrecv 11b from 0\n}\n",
	       &small, "more than S bytes: the send ends L after the receive", 140 + 100 + 7, 140);
	SIM_IS("num_ranks 2\n"
	       "rank 0 {\na: send 11b to 1\nb: calc 7\nb requires a\n}\n"
	       "rank 1 {\na: calc 1000\nb: recv 11b from 0\nb requires a\n}\n",
	       &small, "and no earlier than it is posted", 1030 + 100 + 7, 1030);
	SIM_IS("num_ranks 2\n"
	       "rank 0 {\na: send 11b to 1\nb: calc 7\nb irequires a\n}\n"
	       "rank 1 {\nrecv 11b from 0\n}\n",
	       &small, "what follows its start does not wait for that", 140 + 100, 140);
	small.S = 11;
	SIM_IS("num_ranks 2\n"
	       "rank 0 {\na: send 11b to 1\nb: calc 7\nb requires a\n}\n"
	       "rank 1 {\nrecv 11b from 0\n}\n",
	       &small, "S bytes are none", 20 + 7, 140);
}

static void processors(void)
{
	SIM_IS("num_ranks 1\n"
	       "rank 0 {\na: calc 1000 cpu 0\nb: calc 10 cpu 1\nb requires a\n}\n",
	       &net, "what waits on another processor waits for the end", 1010);
	SIM_IS("num_ranks 1\n"
	       "rank 0 {\na: calc 1000 cpu 0\nb: calc 10 cpu 1\nb irequires a\n}\n",
	       &net, "or for the start", 1000);
	SIM_IS("num_ranks 1\n"
	       "rank 0 {\na: calc 1000 cpu 0\nb: calc 400 cpu 1\nc: calc 10 cpu 1\n"
	       "c requires a\nc requires b\n}\n",
	       &net, "for the later of two", 1010);
	SIM_IS("num_ranks 1\n"
	       "rank 0 {\na: calc 1000 cpu 0\nb: calc 400 cpu 1\nc: calc 10 cpu 2\nc requires "
	       "b\n}\n",
	       &net, "three processors at once", 1000);
	SIM_IS("num_ranks 2\n"
	       "rank 0 {\nsend 1b to 1 cpu 1\n}\n"
	       "rank 1 {\na: calc 500\nr: recv 1b from 0\nc: calc 3 cpu 1\nc requires r\n}\n",
	       &net, "a message is received on the processor that its sender named", 10, 500);
}

static void matching(void)
{
	SIM_IS("num_ranks 3\n"
	       "rank 0 {\nsend 1b to 2 tag 5\n}\n"
	       "rank 1 {\na: calc 50\nb: send 1b to 2 tag 6\nb requires a\n}\n"
	       "rank 2 {\na: recv 1b from -1 tag -1\nb: recv 1b from -1 tag 6\nc: calc 1000\n"
	       "c requires a\n}\n",
	       &net, "whatever comes first is taken", 10, 60, 120 + 1000 + 10);
	SIM_IS("num_ranks 2\n"
	       "rank 0 {\na: send 1b to 1 tag 5\nb: send 21b to 1 tag 5\nb requires a\n}\n"
	       "rank 1 {\na: recv 1b from 0 tag 5\nb: recv 21b from 0 tag 5\nc: calc 500\n"
	       "c requires a\n}\n",
	       &net, "of the same source and tag the first", 60, 120 + 500 + 50);
}

/* Processes 0 and 1 share a node, 2 has one of its own. */
static void nodes(void)
{
	static const struct goal_net inside = { .L = 7, .o = 3, .g = 5, .S = 10 };
	struct goal_net two = net;

	two.inside = &inside;
	two.node = 2;
	SIM_IS("num_ranks 3\n"
	       "rank 0 {\nsend 1b to 1\nsend 1b to 2\n}\n"
	       "rank 1 {\nrecv 1b from 0\n}\n"
	       "rank 2 {\nrecv 1b from 0\n}\n",
	       &two, "inside a node by the parameters for that, to others by the network's",
	       5 + 10, 3 + 7 + 3, 5 + 110 + 10);
	SIM_IS("num_ranks 2\n"
	       "rank 0 {\nsend 11b to 1\n}\n"
	       "rank 1 {\na: calc 100\nr: recv 11b from 0\nr requires a\n}\n",
	       &two, "a rendezvous begins at other sizes there", 103 + 7, 103);
}

int main(void)
{
	messages();
	nodes();
	overheads_apart();
	rendezvous();
	processors();
	matching();
	return done_testing();
}
