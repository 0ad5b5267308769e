// SPDX-License-Identifier: BSD-3-Clause
/* cores.c - the cores of this machine as the kernel shows them, and their distribution. */

#include "cores.h"

#include <ctype.h>
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Lists of processors ----------------------------------------------------- */

bool bspj_cpus_read(const char *text, cpu_set_t *set)
{
	CPU_ZERO(set);
	for (;;) {
		char *end;
		long first, last;

		if (!isdigit((unsigned char)*text))
			return false;
		first = last = strtol(text, &end, 10);
		if (*end == '-') {
			if (!isdigit((unsigned char)end[1]))
				return false;
			last = strtol(end + 1, &end, 10);
		}
		if (first > last || last >= BSPJ_CPUS_MOST)
			return false;
		for (; first <= last; first++)
			CPU_SET(first, set);
		if (!*end || *end == '\n')
			return true;
		if (*end != ',')
			return false;
		text = end + 1;
	}
}

void bspj_cpus_write(const cpu_set_t *set, char *text, size_t len)
{
	char item[32];
	size_t used = 0;

	text[0] = '\0';
	for (int cpu = 0, last; cpu < BSPJ_CPUS_MOST; cpu = last + 1) {
		last = cpu;
		if (!CPU_ISSET(cpu, set))
			continue;
		while (last + 1 < BSPJ_CPUS_MOST && CPU_ISSET(last + 1, set))
			last++;
		snprintf(item, sizeof(item), last > cpu ? "%s%d-%d" : "%s%d", used ? "," : "", cpu,
			 last);
		if (used + strlen(item) + sizeof(",...") > len) {
			snprintf(text + used, len - used, ",...");
			return;
		}
		used += sprintf(text + used, "%s", item);
	}
}

/* ---- As the kernel shows them -------------------------------------------------- */

/* Read a file of that processor; "" if there is none. */
static void cpu_file(const char *sys, int cpu, const char *name, char *text, size_t len)
{
	char path[300];

	snprintf(path, sizeof(path), "%s/devices/system/cpu/cpu%d/%s", sys, cpu, name);
	bspt_system_file(path, text, len);
}

/* A folder nodeN stands in that of the processor. */
static int cpu_numa(const char *sys, int cpu)
{
	char path[300];
	struct dirent *entry;
	int node = 0;
	DIR *folder;

	snprintf(path, sizeof(path), "%s/devices/system/cpu/cpu%d", sys, cpu);
	folder = opendir(path);
	while (folder && (entry = readdir(folder)))
		if (sscanf(entry->d_name, "node%d", &node) == 1)
			break;
	if (folder)
		closedir(folder);
	return node;
}

/* The first processor with the same cache of the last level; itself, if it is not known. */
static int cpu_cache(const char *sys, int cpu)
{
	enum { CACHES_MOST = 10 };
	char name[64], text[4096];
	int first = cpu, level, highest = 0;

	for (int i = 0; i < CACHES_MOST; i++) {
		snprintf(name, sizeof(name), "cache/index%d/level", i);
		cpu_file(sys, cpu, name, text, sizeof(text));
		level = atoi(text);
		if (level <= highest)
			continue;
		highest = level;
		snprintf(name, sizeof(name), "cache/index%d/shared_cpu_list", i);
		cpu_file(sys, cpu, name, text, sizeof(text));
		first = isdigit((unsigned char)text[0]) ? atoi(text) : cpu;
	}
	return first;
}

static int core_compare(const void *a, const void *b)
{
	const struct bspj_core *x = a, *y = b;

	if (x->socket != y->socket)
		return x->socket < y->socket ? -1 : 1;
	if (x->numa != y->numa)
		return x->numa < y->numa ? -1 : 1;
	if (x->cache != y->cache)
		return x->cache < y->cache ? -1 : 1;
	for (int cpu = 0; cpu < BSPJ_CPUS_MOST; cpu++)
		if (CPU_ISSET(cpu, &x->cpus) != CPU_ISSET(cpu, &y->cpus))
			return CPU_ISSET(cpu, &x->cpus) ? -1 : 1;
	return 0;
}

int bspj_cores_by_kernel(const char *sys, const cpu_set_t *allowed, struct bspj_core *cores,
			 int most)
{
	cpu_set_t left = *allowed, siblings;
	char text[4096];
	int found = 0;

	for (int cpu = 0; cpu < BSPJ_CPUS_MOST && found < most; cpu++) {
		struct bspj_core *core = &cores[found];

		if (!CPU_ISSET(cpu, &left))
			continue;
		cpu_file(sys, cpu, "topology/thread_siblings_list", text, sizeof(text));
		if (!bspj_cpus_read(text, &siblings))
			CPU_ZERO(&siblings);
		CPU_SET(cpu, &siblings);
		CPU_AND(&core->cpus, &siblings, &left);
		CPU_XOR(&left, &left, &core->cpus);
		cpu_file(sys, cpu, "topology/physical_package_id", text, sizeof(text));
		core->socket = atoi(text);
		core->numa = cpu_numa(sys, cpu);
		core->cache = cpu_cache(sys, cpu);
		found++;
	}
	qsort(cores, found, sizeof(*cores), core_compare);
	return found;
}

/* ---- Distribution ------------------------------------------------------------ */

/*
 * The cost of the borders inside of @each cores from @first on: no sum of caches is as bad as a
 * NUMA node, and none of these as bad as a socket, as a set holds 2^10 processors.
 */
static uint64_t block_cost(const struct bspj_core *cores, int first, int each)
{
	enum { CACHE = 0, NUMA = 12, SOCKET = 24 };
	uint64_t cost = 0;

	for (int i = first + 1; i < first + each; i++) {
		const struct bspj_core *a = &cores[i - 1], *b = &cores[i];

		if (a->socket != b->socket)
			cost += 1ULL << SOCKET;
		else if (a->numa != b->numa)
			cost += 1ULL << NUMA;
		else if (a->cache != b->cache)
			cost += 1ULL << CACHE;
	}
	return cost;
}

/*
 * The first core of each of @nprocs blocks of @each, into @first: in order, and such that the sum
 * of their costs is least. The n - nprocs * each cores that no process gets are where this needs
 * them, else at the end. least[p * width + gap]: of blocks p and later, if the one has at least gap
 * free cores before it.
 */
static bool place_blocks(const struct bspj_core *cores, int n, int each, int nprocs, int *first)
{
	int gaps = n - nprocs * each, width = gaps + 1, gap = 0;
	uint64_t *least = calloc((size_t)(nprocs + 1) * width, sizeof(*least));
	bool *here = calloc((size_t)nprocs * width, sizeof(*here));

	for (int p = nprocs - 1; least && here && p >= 0; p--)
		for (int g = gaps; g >= 0; g--) {
			int at = p * width + g;
			uint64_t now = block_cost(cores, p * each + g, each) + least[at + width];

			here[at] = g == gaps || now <= least[at + 1];
			least[at] = here[at] ? now : least[at + 1];
		}
	for (int p = 0; least && here && p < nprocs; p++) {
		while (!here[p * width + gap])
			gap++;
		first[p] = p * each + gap;
	}
	free(here);
	free(least);
	return least && here;
}

static bool is_together(const struct bspj_core *a, const struct bspj_core *b, enum bspj_bind how)
{
	if (how == BSPJ_BIND_CACHE)
		return a->cache == b->cache;
	return how == BSPJ_BIND_NUMA ? a->numa == b->numa : a->socket == b->socket;
}

/* All processors of what core @i is a part of. */
static void deal_domain(const struct bspj_core *cores, int n, int i, enum bspj_bind how,
			cpu_set_t *set)
{
	CPU_ZERO(set);
	for (int j = 0; j < n; j++)
		if (is_together(&cores[i], &cores[j], how))
			CPU_OR(set, set, &cores[j].cpus);
}

static bool deal_blocks(const struct bspj_core *cores, int n, int each, int nprocs, cpu_set_t *sets)
{
	int *first = calloc(nprocs, sizeof(*first));
	bool placed = first && place_blocks(cores, n, each, nprocs, first);

	for (int p = 0; placed && p < nprocs; p++) {
		CPU_ZERO(&sets[p]);
		for (int i = 0; i < each; i++)
			CPU_OR(&sets[p], &sets[p], &cores[first[p] + i].cpus);
	}
	free(first);
	return placed;
}

bool bspj_cores_deal(const struct bspj_core *cores, int n, enum bspj_bind how, int each, int nprocs,
		     cpu_set_t *sets)
{
	if (n < 1)
		return false;
	if (how == BSPJ_BIND_CORE || how == BSPJ_BIND_SHARE) {
		if (nprocs > n)
			return false;
		if (how == BSPJ_BIND_SHARE && each > 1)
			return deal_blocks(cores, n, each, nprocs, sets);
		for (int p = 0; p < nprocs; p++)
			sets[p] = cores[p].cpus;
		return true;
	}
	for (int p = 0; p < nprocs; p++)
		deal_domain(cores, n, (int)((long long)p * n / nprocs), how, &sets[p]);
	return true;
}

int bspj_cores_each(const struct bspj_core *cores, int n, int nprocs, int processors)
{
	int each = n / nprocs, of_one = n > 0 ? CPU_COUNT(&cores[0].cpus) : 1;

	while (each > 1 && each * of_one * nprocs > processors)
		each--;
	return each > 0 ? each : 1;
}
