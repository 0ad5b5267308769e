/* SPDX-License-Identifier: BSD-3-Clause */
/* soak_plan.c - which superstep comes when: phases, modes, and the random numbers of both. */

#include "soak.h"

#include "../lib/random.h"

/*
 * Weights are those of WRITE, PUT, GET, SEND, READ, PUSH, POP, TAGSIZE, NOTHING, COLLECTIVE,
 * SCHEDULE and NEIGHBORS, with which half of the phases begin besides. Registrations that a phase
 * needs are made in its first superstep, so that empty ones are empty. Reads of areas with many
 * unread puts come besides (soak_make.c).
 */
static const struct phase phases[] = {
	{ .name = "mixed", .least = 20, .most = 150, .share = SOME, .ops = 8,
	  .weight = { 6, 6, 8, 8, 4, 1, 1, 1, 3, 1, 1, 1 } },
	{ .name = "busy", .least = 3, .most = 20, .share = SOME, .ops = 60,
	  .weight = { 6, 6, 8, 8, 8, 1, 1, 1, 3, 1, 1, 1 } },
	{ .name = "puts", .least = 20, .most = 100, .share = SOME, .ops = 60,
	  .weight = { 0, 16, 2, 1, 3, 0, 0, 0, 0, 0, 0 } },
	{ .name = "large", .least = 3, .most = 12, .share = SOME, .ops = 4, .lengths = LONG,
	  .weight = { 1, 6, 6, 4, 4, 0, 0, 0, 0, 1, 1 } },
	{ .name = "empty", .least = 70, .most = 300, .share = SOME, .ops = 0 },
	{ .name = "one", .least = 70, .most = 300, .share = ONE_IN_ALL, .lengths = SHORT,
	  .weight = { 0, 6, 4, 3, 0, 0, 0, 0, 0, 2, 1 }, .one_kind = true },
	{ .name = "regular", .least = 70, .most = 300, .share = ONE_EACH, .lengths = SHORT,
	  .weight = { 0, 6, 4, 3 }, .one_kind = true },
	{ .name = "registrations", .least = 70, .most = 300, .share = SOME_AT_LEAST_ONE, .ops = 1,
	  .weight = { 0, 0, 0, 0, 0, 4, 4 } },
	{ .name = "renewals", .least = 70, .most = 200, .share = SOME, .ops = 2, .lengths = SHORT,
	  .weight = { 1, 3, 2, 1, 2, 3, 3, 0, 0, 0, 0, 2 } },
	{ .name = "silent", .least = 100, .most = 400, .share = SOME, .ops = 2, .lengths = SHORT,
	  .weight = { 2, 4, 4, 4, 3, 0, 0, 0, 1, 0, 0 }, .one_is_silent = true },
	{ .name = "messages", .least = 20, .most = 80, .share = SOME, .ops = 8,
	  .weight = { 1, 0, 0, 8, 0, 0, 0, 2 } },
	{ .name = "bursts", .least = 2, .most = 6, .share = SOME, .ops = 30, .lengths = SHORT,
	  .weight = { 0, 2, 1, 1, 1, 0, 0, 0, 0, 12, 6 } },
	{ .name = "collectives", .least = 20, .most = 80, .share = SOME, .ops = 2,
	  .weight = { 0, 1, 1, 1, 1, 0, 0, 0, 0, 4, 3 } },
};

enum { PHASES = sizeof phases / sizeof *phases };

/* ---- Chance -------------------------------------------------------------- */

static uint64_t shared_state, own_state;

/* Each superstep begins anew, so that one operation less in one leaves the next as it is. */
static void begin_chance(void)
{
	shared_state = random_mix(soak.seed) ^ random_mix((uint64_t)soak.step + 1) ^
		       random_mix((uint64_t)soak.nprocs << 32);
	own_state = random_mix(shared_state + soak.own) ^ random_mix((uint64_t)soak.me << 40);
}

size_t pick(size_t n)
{
	return random_below(&shared_state, n);
}

size_t pick_own(size_t n)
{
	return random_below(&own_state, n);
}

static size_t lesser(size_t a, size_t b)
{
	return a < b ? a : b;
}

static size_t pick_any_length(size_t most)
{
	switch (pick(24)) {
	case 0:
		return most;
	case 1:
		return 1 + pick(most);
	case 2:
	case 3:
	case 4:
		return 1 + pick(lesser(most, 5000));
	default:
		return 1 + pick(lesser(most, 64));
	}
}

size_t pick_length(size_t most)
{
	most = lesser(most, soak.most);
	switch (soak.phase->lengths) {
	case SHORT:
		return pick(8) ? 1 + pick(lesser(most, 32)) : 1 + pick(lesser(most, 600));
	case LONG:
		return pick(3) ? 1 + pick(most) : most;
	default:
		return pick_any_length(most);
	}
}

/* One of @n, as often as its weight says; @n if all weigh nothing. */
static int pick_weighed(const int *weight, const bool *without, int n)
{
	int sum = 0, at;

	for (int i = 0; i < n; i++)
		sum += without[i] ? 0 : weight[i];
	if (!sum)
		return n;
	at = (int)pick((size_t)sum);
	for (int i = 0; i < n; i++) {
		at -= without[i] ? 0 : weight[i];
		if (at < 0)
			return i;
	}
	return n;
}

enum kind pick_kind(void)
{
	int kind = soak.only;

	if (kind == OP_KINDS)
		kind = pick_weighed(soak.phase->weight, soak.without, OP_KINDS);
	return kind == OP_KINDS ? NOTHING : (enum kind)kind;
}

/* ---- Names --------------------------------------------------------------- */

bool soak_lists(const char *list, const char *name)
{
	size_t len = strlen(name);

	for (const char *at = list; at; at = strchr(at, ',')) {
		at += *at == ',';
		if (!strncmp(at, name, len) && (at[len] == ',' || !at[len]))
			return true;
	}
	return false;
}

bool soak_phase_exists(const char *name)
{
	for (int i = 0; i < PHASES; i++)
		if (!strcmp(name, phases[i].name))
			return true;
	return false;
}

/* ---- Phases -------------------------------------------------------------- */

static bool wants_relaxed;	/* this phase */

/* With one operation in a superstep it is often always the same way. */
static void choose_pair(void)
{
	soak.from = soak.to = NONE;
	if (soak.phase->share != ONE_IN_ALL || soak.nprocs == 1 || pick(3) == 0)
		return;
	soak.from = (int)pick((size_t)soak.nprocs);
	soak.to = (soak.from + 1 + (int)pick((size_t)soak.nprocs - 1)) % soak.nprocs;
}

static void begin_phase(void)
{
	int supersteps;

	do
		soak.phase = &phases[pick(PHASES)];
	while (soak.phases && !soak_lists(soak.phases, soak.phase->name));
	supersteps = soak.phase->least +
		     (int)pick((size_t)(soak.phase->most - soak.phase->least + 1));
	soak.phase_end = soak.step + (supersteps < soak.longest ? supersteps : soak.longest);
	soak.only = OP_KINDS;
	if (soak.phase->one_kind)
		soak.only = (enum kind)pick_weighed(soak.phase->weight, soak.without, OP_KINDS);
	soak.silent = soak.phase->one_is_silent ? (int)pick((size_t)soak.nprocs) : NONE;
	choose_pair();
	soak.distance = 1 + (int)pick((size_t)soak.nprocs);
	soak.slow = pick(3) ? NONE : (int)pick((size_t)soak.nprocs);
	soak.terse = pick(2) && !soak.without_terse;
	soak.hp = pick(2) && !soak.without_hp;
	wants_relaxed = pick(4) < (size_t)soak.relaxed_of_4 && !soak.without_relaxed;
	soak.begins = true;
}

/* The mode changes when nothing stands against it. */
static void choose_mode(void)
{
	soak.was_relaxed = soak.relaxed;
	soak.tidies = wants_relaxed && !soak.relaxed && !soak_is_tidy();
	soak.relaxed = wants_relaxed && !soak.tidies;
}

void soak_plan(void)
{
	begin_chance();
	soak.begins = false;
	if (soak.step == 0 || soak.step >= soak.phase_end)
		begin_phase();
	choose_mode();
}
