/* SPDX-License-Identifier: BSD-3-Clause */
/* An algorithm refuses each task that it cannot do, with the reason, and no other task. */
#include "../lib/collectives.h"

static void refuses(const struct goal_task *t, int nprocs, const char *name, const char *reason)
{
	struct goal_task task = *t;
	char why[200] = "";
	size_t len;
	void *block;

	task.algorithm = goal_algorithm_named(t->kind, name);
	block = goal_generate(&task, nprocs, 0, &len, why, sizeof why);
	is_str(reason, why, "%s:%s of %d", goal_kind_name(t->kind), name, nprocs);
	ok(!block == (reason[0] != '\0'), "and there is %s schedule", block ? "a" : "no");
	free(block);
}

static void folds(enum goal_kind kind)
{
	struct goal_task t = { .kind = kind, .bytes = 24, .call = -1, .function = GOAL_ADD,
			       .datatype = GOAL_F64, .target = 1 };
	const char *name = goal_algorithm(kind, 0)->name;

	refuses(&t, 4, name, "");
	t.bytes = 20;
	refuses(&t, 4, name, "it has not a whole number of elements");
	t.bytes = 24;
	t.function = GOAL_SUB;
	refuses(&t, 4, name, "the function is not associative");
	t.function = GOAL_COPY;
	refuses(&t, 4, name, "the function is not associative");
	t.function = GOAL_XOR;
	refuses(&t, 4, name, "bits of floating-point numbers are not folded");
	t.datatype = GOAL_DATATYPES;
	refuses(&t, 4, name, "there is no such type of element");
	t.datatype = GOAL_NONE;
	refuses(&t, 4, name, "there is no such type of element");
	t.call = 2;
	refuses(&t, 4, name, "there is no such type of element");
	t.element = 12;
	refuses(&t, 4, name, "");
}

static void allreduces(void)
{
	struct goal_task t = { .kind = GOAL_ALLREDUCE,
			       .bytes = 24,
			       .call = -1,
			       .function = GOAL_ADD,
			       .datatype = GOAL_I64,
			       .target = 1 };
	const char *differ =
		"results would differ from process to process, unless numbers are integers";

	refuses(&t, 9, "dissemination", "");
	refuses(&t, 3, "reduce-scatter-allgather", "");
	refuses(&t, 4, "reduce-scatter-allgather", "there are fewer elements than processes");
	t.datatype = GOAL_F64;
	refuses(&t, 9, "dissemination", differ);
	t.call = 0;
	t.element = 8;
	refuses(&t, 9, "dissemination", differ);
}

static void reduce_scatters(void)
{
	struct goal_task t = { .kind = GOAL_REDUCE_SCATTER, .bytes = 24, .call = -1,
			       .function = GOAL_ADD, .datatype = GOAL_F64, .target = 1 };

	refuses(&t, 6, "direct-rotated", "");
	refuses(&t, 6, "halving", "the number of processes is no power of two");
	refuses(&t, 8, "halving", "");
	t.target = 0;
	refuses(&t, 8, "halving", "it is not done in place");
	t.target = 1;
	t.bytes = 20;
	refuses(&t, 8, "halving", "it has not a whole number of elements");
	t.call = 0;
	t.element = 20;
	refuses(&t, 8, "direct-rotated", "it folds by functions of GOAL only");
}

/* The length of each block is an argument of a run. */
static void apart(enum goal_kind kind, const char *name, bool can)
{
	struct goal_task t = { .kind = kind, .bytes = 1, .call = -1, .target = 1, .apart = true };

	refuses(&t, 8, name, can ? "" : "it needs lengths that not all processes have");
}

static void lengths_as_arguments(void)
{
	apart(GOAL_GATHER, "linear", true);
	apart(GOAL_GATHER, "binomial", false);
	apart(GOAL_GATHER, "chain", false);
	apart(GOAL_GATHER, "pipelined-chain", false);
	apart(GOAL_SCATTER, "linear", true);
	apart(GOAL_SCATTER, "binomial", false);
	apart(GOAL_SCATTER, "pipelined-chain", false);
	apart(GOAL_ALLGATHER, "bruck", true);
	apart(GOAL_ALLGATHER, "ring", true);
	apart(GOAL_ALLGATHER, "recursive-doubling", true);
	apart(GOAL_ALLGATHER, "gather-bcast", false);
	apart(GOAL_EXCHANGE, "direct", true);
	apart(GOAL_EXCHANGE, "pairwise", true);
	apart(GOAL_EXCHANGE, "bruck", false);
}

int main(void)
{
	struct goal_task t = { .kind = GOAL_ALLGATHER, .bytes = 1, .call = -1, .target = 1 };

	folds(GOAL_REDUCE);
	folds(GOAL_ALLREDUCE);
	folds(GOAL_SCAN);
	allreduces();
	reduce_scatters();
	lengths_as_arguments();
	refuses(&t, 8, "recursive-doubling", "");
	refuses(&t, 6, "recursive-doubling", "the number of processes is no power of two");
	t.bytes = (GOAL_BYTES_MOST >> 3) + 1;
	refuses(&t, 8, "bruck", "the blocks of all together have more than 2^40 bytes");
	t.kind = GOAL_EXCHANGE;
	t.bytes = 1;
	refuses(&t, 65536, "bruck", "");
	refuses(&t, 65537, "bruck", "with more than 65536 processes a message has too many pieces");
	return done_testing();
}
