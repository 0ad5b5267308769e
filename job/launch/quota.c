// SPDX-License-Identifier: BSD-3-Clause
/* quota.c - what a container may use, of processors' time, processes and memory: its groups. */

/*
 * A group may run for so many microseconds in each period; then all of its threads wait for the
 * next. The limit of a process is the least of its group and of those around it. In version 2 of
 * the kernel's interface a group has a file cpu.max, "150000 100000" or "max 100000"; in version 1
 * it has two files below the folder of the controller. A container sees its own group as the
 * uppermost, whatever the path in /proc says; what is not there limits nothing.
 *
 * The processes and threads of a group are counted in pids.current, up to pids.max, alike in both
 * versions.
 *
 * Memory of a group is limited by memory.max, and memory.current is what it has, in version 1
 * memory.limit_in_bytes and memory.usage_in_bytes. Pages of files that were read count there too,
 * but are given up for others: memory.stat says how many. Swap has a limit of its own, and in
 * version 1 one with memory.
 */

#include "quota.h"

#include "transport/transport.h"

#include <limits.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* The controller that limits it, and what is left in the group of a folder. */
struct quota_kind {
	const char *controller;
	double (*of_group)(const struct quota_kind *kind, const char *folder);
	double swap_bytes;		/* free ones of the machine */
};

/* One number, or two, of a file; how many there were. */
static int quota_read(const char *folder, const char *name, long long *numbers)
{
	char path[PATH_MAX + 64], text[64];

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	bspt_system_file(path, text, sizeof(text));
	return sscanf(text, "%lld %lld", &numbers[0], &numbers[1]);
}

/* Processors' time of the group of that folder alone. */
static double quota_of_group(const struct quota_kind *kind, const char *folder)
{
	long long time[2], period[2];

	(void)kind;
	if (quota_read(folder, "cpu.max", time) == 2)
		return time[0] > 0 && time[1] > 0 ? (double)time[0] / (double)time[1] : HUGE_VAL;
	if (quota_read(folder, "cpu.cfs_quota_us", time) == 1 &&
	    quota_read(folder, "cpu.cfs_period_us", period) == 1)
		return time[0] > 0 && period[0] > 0 ? (double)time[0] / (double)period[0] :
						      HUGE_VAL;
	return HUGE_VAL;
}

/* Processes that may still be started in the group of that folder. */
static double quota_pids_of_group(const struct quota_kind *kind, const char *folder)
{
	long long most[2], now[2];

	(void)kind;
	if (quota_read(folder, "pids.max", most) != 1 ||
	    quota_read(folder, "pids.current", now) != 1)
		return HUGE_VAL;
	return most[0] > now[0] ? (double)(most[0] - now[0]) : 0;
}

/* The rest of the limit in file @most, when what file @used says is used; HUGE_VAL: no limit. */
static double quota_left(const char *folder, const char *most, const char *used)
{
	long long limit[2], now[2];

	if (quota_read(folder, most, limit) < 1 || quota_read(folder, used, now) < 1)
		return HUGE_VAL;
	return (double)(limit[0] - now[0]);
}

/* Bytes of pages of files, which the kernel takes back before it refuses memory to the group. */
static double quota_cached(const char *folder)
{
	static const char *const fields[] = {
		"inactive_file", "active_file", "slab_reclaimable", "total_inactive_file",
		"total_active_file",
	};
	char path[PATH_MAX + 64], text[8192], *rest = text, *line, name[64];
	long long bytes[5] = { 0 }, value;

	snprintf(path, sizeof(path), "%s/memory.stat", folder);
	bspt_system_file(path, text, sizeof(text));
	while ((line = strsep(&rest, "\n")))
		for (size_t i = 0; i < sizeof(fields) / sizeof(fields[0]); i++)
			if (sscanf(line, "%63s %lld", name, &value) == 2 &&
			    strcmp(name, fields[i]) == 0)
				bytes[i] = value;
	/* in version 1 a group's own, and with all in it */
	return fmax((double)(bytes[0] + bytes[1]), (double)(bytes[3] + bytes[4])) +
	       (double)bytes[2];
}

/* Bytes that the group of that folder may still have. */
static double quota_memory_of_group(const struct quota_kind *kind, const char *folder)
{
	double memory = quota_left(folder, "memory.max", "memory.current"), all = HUGE_VAL, swap;

	/* a limit below what is in swap already takes nothing from memory */
	swap = fmax(quota_left(folder, "memory.swap.max", "memory.swap.current"), 0);
	if (isinf(memory)) {
		memory = quota_left(folder, "memory.limit_in_bytes", "memory.usage_in_bytes");
		all = quota_left(folder, "memory.memsw.limit_in_bytes",
				 "memory.memsw.usage_in_bytes");
	}
	if (isinf(memory))
		return HUGE_VAL;
	memory = fmin(memory + fmin(swap, kind->swap_bytes), all) + quota_cached(folder);
	return fmax(memory, 0);
}

static bool quota_has(const char *controllers, const char *name)
{
	char list[256];
	char *rest = list;

	snprintf(list, sizeof(list), "%s", controllers);
	for (const char *word; (word = strsep(&rest, ",")); )
		if (strcmp(word, name) == 0)
			return true;
	return false;
}

/*
 * A line of /proc/self/cgroup: a number, the controllers (none in version 2), and a path. The
 * least of that group and of all around it, up to the folder of the controllers.
 */
static double quota_of_line(const struct quota_kind *kind, const char *root, char *line)
{
	char folder[PATH_MAX];
	char *rest = line;
	const char *controllers, *path;
	size_t top;
	double least;

	strsep(&rest, ":");
	controllers = strsep(&rest, ":");
	path = strsep(&rest, "\n");
	if (!controllers || !path || (controllers[0] && !quota_has(controllers, kind->controller)))
		return HUGE_VAL;
	top = snprintf(folder, sizeof(folder), "%s%s%s", root, controllers[0] ? "/" : "",
		       controllers);
	if (top + strlen(path) >= sizeof(folder))
		return HUGE_VAL;
	/* the path of the uppermost group is "/" */
	strcpy(folder + top, strcmp(path, "/") == 0 ? "" : path);
	least = kind->of_group(kind, folder);
	for (char *end; (end = strrchr(folder + top, '/')); ) {
		*end = '\0';
		least = fmin(least, kind->of_group(kind, folder));
	}
	return least;
}

static double quota_least(const struct quota_kind *kind, const char *groups, const char *root)
{
	double least = HUGE_VAL;
	char line[PATH_MAX];
	FILE *file = fopen(groups, "re");

	while (file && fgets(line, sizeof(line), file))
		least = fmin(least, quota_of_line(kind, root, line));
	if (file)
		fclose(file);
	return least;
}

double bspj_quota(const char *groups, const char *root)
{
	static const struct quota_kind cpu = { "cpu", quota_of_group, 0 };

	return quota_least(&cpu, groups, root);
}

double bspj_quota_pids(const char *groups, const char *root)
{
	static const struct quota_kind pids = { "pids", quota_pids_of_group, 0 };

	return quota_least(&pids, groups, root);
}

double bspj_quota_memory(const char *groups, const char *root, double swap_bytes)
{
	struct quota_kind memory = { "memory", quota_memory_of_group, swap_bytes };

	return quota_least(&memory, groups, root);
}

int bspj_quota_limits(int processors, double quota)
{
	if (quota >= processors)
		return processors;
	return quota < 1 ? 1 : (int)quota;
}
