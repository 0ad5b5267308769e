// SPDX-License-Identifier: BSD-3-Clause
/* quota.c - what a container may use, of processors, processes, memory: its control groups. */

/*
 * A group may run for so many microseconds in each period; then all of its threads wait for the
 * next. The limit of a process is the least of its group and of those around it. In version 2 of
 * the kernel's interface a group has a file cpu.max, "150000 100000" or "max 100000"; in version 1
 * it has two files below the folder of the controller. A container sees its own group as the
 * uppermost, whatever the path in /proc says; what is not there limits nothing.
 *
 * The processes and threads of a group are counted in pids.current, up to pids.max, alike in both
 * versions. Its memory is at most memory.max, or memory.limit_in_bytes; how much of that is in use
 * says little, as pages of files go when a process wants memory.
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
	double (*of_group)(const char *folder);
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
static double quota_of_group(const char *folder)
{
	long long time[2], period[2];

	if (quota_read(folder, "cpu.max", time) == 2)
		return time[0] > 0 && time[1] > 0 ? (double)time[0] / (double)time[1] : HUGE_VAL;
	if (quota_read(folder, "cpu.cfs_quota_us", time) == 1 &&
	    quota_read(folder, "cpu.cfs_period_us", period) == 1)
		return time[0] > 0 && period[0] > 0 ? (double)time[0] / (double)period[0] :
						      HUGE_VAL;
	return HUGE_VAL;
}

/* Processes that may still be started in the group of that folder. */
static double quota_pids_of_group(const char *folder)
{
	long long most[2], now[2];

	if (quota_read(folder, "pids.max", most) != 1 ||
	    quota_read(folder, "pids.current", now) != 1)
		return HUGE_VAL;
	return most[0] > now[0] ? (double)(most[0] - now[0]) : 0;
}

/* Bytes that all of the group of that folder may have. */
static double quota_memory_of_group(const char *folder)
{
	long long most[2];

	if (quota_read(folder, "memory.max", most) < 1 &&
	    quota_read(folder, "memory.limit_in_bytes", most) < 1)
		return HUGE_VAL;
	return (double)most[0];
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
	least = kind->of_group(folder);
	for (char *end; (end = strrchr(folder + top, '/')); ) {
		*end = '\0';
		least = fmin(least, kind->of_group(folder));
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
	static const struct quota_kind cpu = { "cpu", quota_of_group };

	return quota_least(&cpu, groups, root);
}

double bspj_quota_pids(const char *groups, const char *root)
{
	static const struct quota_kind pids = { "pids", quota_pids_of_group };

	return quota_least(&pids, groups, root);
}

double bspj_quota_memory(const char *groups, const char *root)
{
	static const struct quota_kind memory = { "memory", quota_memory_of_group };

	return quota_least(&memory, groups, root);
}

int bspj_quota_limits(int processors, double quota)
{
	if (quota >= processors)
		return processors;
	return quota < 1 ? 1 : (int)quota;
}
