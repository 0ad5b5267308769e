// SPDX-License-Identifier: BSD-3-Clause
/* compare_ways.c - the ways in which supersteps end, by name, as settings of one library. */

#include "compare.h"

#include <string.h>

const struct compare_way compare_ways[] = {
	{
		"org", "BSP_BARRIER=twophase", .sync = "classic", .barrier = "twophase",
		.reports = "classic",
		.about = "barriers as published: counts to all, then a message for each put",
	}, {
		"classic", "BSP_SYNC=classic", .sync = "classic", .neighbors = "0",
		.reports = "classic",
		.about = "the barriers of this library: data and counts travel together",
	}, {
		"rel", "BSP_EAGER=0", .sync = "program", .eager = "0", .reports = "relaxed",
		.about = "relaxed barriers as published: request, answer and data for each put",
	}, {
		"eager", "BSP_EAGER=auto", .sync = "program", .eager = "auto", .reports = "relaxed",
		.about = "relaxed barriers where data travel with their timestamp, and ask nothing",
	}, {
		"neighbors", "BSP_NEIGHBORS=1", .sync = "classic", .neighbors = "1",
		.reports = "neighbors",
		.about = "classic supersteps that wait for the list of bsp_set_neighbors alone",
	},
	{ .name = NULL },
};

static const struct compare_way relaxed = {
	"relaxed", "BSP_SYNC=program", .sync = "program", .reports = "relaxed", .about = "",
};

const struct compare_way *compare_way_named(const char *name, size_t len)
{
	for (const struct compare_way *way = compare_ways; way->name; way++)
		if (strlen(way->name) == len && strncmp(way->name, name, len) == 0)
			return way;
	return NULL;
}

void compare_ways_usual(struct compare_choice *choice)
{
	*choice = (struct compare_choice){
		.n = 2, .way = { compare_way_named("classic", strlen("classic")), &relaxed },
	};
}

/* Is it in the list already? */
static bool is_chosen(const struct compare_choice *choice, const struct compare_way *way)
{
	for (int i = 0; i < choice->n; i++)
		if (choice->way[i] == way)
			return true;
	return false;
}

bool compare_ways_read(struct compare_choice *choice, const char *list)
{
	*choice = (struct compare_choice){ .n = 0 };
	for (;;) {
		size_t len = strcspn(list, ",");
		const struct compare_way *way = compare_way_named(list, len);

		if (!way || is_chosen(choice, way))
			return false;
		choice->way[choice->n++] = way;
		if (!list[len])
			return choice->n >= 2;
		list += len + 1;
	}
}
