// SPDX-License-Identifier: BSD-3-Clause
/* forced.c - BSP_COLL: algorithms that the user forces. */

/*
 * operation:algorithm, or operation:algorithm:number with a segment in bytes (or with k or M) or
 * an arity, as many as one likes separated by commas. A later one of the same operation counts.
 * With +nodes behind the algorithm it is that between nodes, where there are some.
 */

#include "bsplib/core/env.h"
#include "bsplib/core/error.h"
#include "bsplib/core/state.h"
#include "bsplib/model/model.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NAMES_MOST = 512 };

static const char NODES[] = "+nodes";

static struct {
	const struct goal_algorithm *algorithm;
	uint64_t number;
	bool nodes;
	char given[64];		/* the name that the user gave, perhaps one of an earlier version */
} forced[GOAL_KINDS];

const struct goal_algorithm *bspi_coll_forced(enum goal_kind kind, uint64_t *number)
{
	*number = forced[kind].number;
	return forced[kind].algorithm;
}

bool bspi_coll_forced_nodes(enum goal_kind kind)
{
	return forced[kind].nodes;
}

static void forced_append(char *names, const char *name)
{
	size_t len = strlen(names);

	snprintf(names + len, NAMES_MOST - len, "%s%s", len ? ", " : "", name);
}

static _Noreturn void refuse_kind(const char *site, const char *name)
{
	char names[NAMES_MOST] = "";

	for (int kind = 0; kind < GOAL_KINDS; kind++)
		forced_append(names, goal_kind_name(kind));
	bspi_fail("bsp_begin", site, "BSP_COLL: there is no operation \"%s\"; there are %s",
		  name, names);
}

static _Noreturn void refuse_algorithm(const char *site, enum goal_kind kind, const char *name)
{
	char names[NAMES_MOST] = "";

	for (unsigned int i = 0; goal_algorithm(kind, i); i++)
		forced_append(names, goal_algorithm(kind, i)->name);
	bspi_fail("bsp_begin", site, "BSP_COLL: %s has no algorithm \"%s\"; there are %s",
		  goal_kind_name(kind), name, names);
}

static _Noreturn void refuse_number(const char *site, const struct goal_algorithm *a,
				    const char *text)
{
	const char *wanted = a->has_segment ? "a segment in bytes (or with k or M)" :
			     "an arity from 1 to 65536";

	if (!a->has_segment && !a->has_arity)
		bspi_fail("bsp_begin", site, "BSP_COLL: %s:%s takes no number, but \"%s\" follows",
			  goal_kind_name(a->kind), a->name, text);
	bspi_fail("bsp_begin", site, "BSP_COLL: %s:%s takes %s, not \"%s\"",
		  goal_kind_name(a->kind), a->name, wanted, text);
}

/* The number behind the second colon; 0: it is wrong. */
static uint64_t forced_number(const struct goal_algorithm *a, const char *text)
{
	char *end;
	uint64_t n = *text >= '0' && *text <= '9' ? strtoull(text, &end, 10) : 0;
	unsigned int shift = 0;

	if (n == 0 || n > GOAL_BYTES_MOST)
		return 0;
	if (a->has_segment && *end)
		shift = *end == 'k' ? 10 : *end == 'M' ? 20 : 0;
	end += shift > 0;
	if (*end || n > GOAL_BYTES_MOST >> shift || (a->has_arity && n > 65536))
		return 0;
	return a->has_segment || a->has_arity ? n << shift : 0;
}

/* Take the end off an algorithm's name, if it is that of two levels. */
static bool forced_take_nodes(char *name)
{
	size_t len = strlen(name), end = strlen(NODES);

	if (len <= end || strcmp(name + len - end, NODES) != 0)
		return false;
	name[len - end] = '\0';
	return true;
}

static bool knows_nodes(const struct goal_algorithm *a)
{
	static const int first[] = { 0, 1, 2 };
	static const struct goal_node_map alone = { 2, first };
	struct goal_task t = {
		.kind = a->kind, .algorithm = a, .arity = 2, .call = -1, .bytes = 8,
		.function = GOAL_ADD, .datatype = GOAL_I64, .target = 1, .nodes = &alone,
	};

	return a->kind != GOAL_BARRIER && !goal_refuses(&t, 2, 0);
}

static _Noreturn void refuse_nodes(const char *site, const struct goal_algorithm *a)
{
	bspi_fail("bsp_begin", site, "BSP_COLL: %s:%s cannot be done in two levels, inside nodes "
		  "and between them; leave out \"%s\"", goal_kind_name(a->kind), a->name, NODES);
}

/* One of them, taken apart in place. */
static void forced_take(const char *site, char *item)
{
	char *name = strchr(item, ':'), *number;
	const struct goal_algorithm *a;
	bool nodes;
	int kind;

	if (!name)
		bspi_fail("bsp_begin", site, "BSP_COLL: \"%s\" is not operation:algorithm", item);
	*name++ = '\0';
	kind = goal_kind_of(item);
	if (kind < 0)
		refuse_kind(site, item);
	number = strchr(name, ':');
	if (number)
		*number++ = '\0';
	nodes = forced_take_nodes(name);
	a = goal_algorithm_named(kind, name);
	if (!a)
		refuse_algorithm(site, kind, name);
	if (nodes && !knows_nodes(a))
		refuse_nodes(site, a);
	forced[kind].algorithm = a;
	forced[kind].nodes = nodes;
	snprintf(forced[kind].given, sizeof(forced[kind].given), "%s", name);
	forced[kind].number = number ? forced_number(a, number) : 0;
	if (number && forced[kind].number == 0)
		refuse_number(site, a, number);
}

void bspi_coll_read(const char *site)
{
	char text[sizeof(bspi.env.coll)], *at = text, *item;

	memcpy(text, bspi.env.coll, sizeof(text));
	memset(forced, 0, sizeof(forced));
	while ((item = strsep(&at, ",")))
		if (*item)
			forced_take(site, item);
}

void bspi_coll_announce_renamed(void)
{
	for (int kind = 0; kind < GOAL_KINDS; kind++)
		if (forced[kind].algorithm &&
		    strcmp(forced[kind].algorithm->name, forced[kind].given) != 0)
			bspi_env_warn_renamed("BSP_COLL", forced[kind].given,
					      forced[kind].algorithm->name);
}
