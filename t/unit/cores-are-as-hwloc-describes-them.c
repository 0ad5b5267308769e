/* SPDX-License-Identifier: BSD-3-Clause */
/* Cores, caches, NUMA nodes and sockets of the machines that hwloc describes, also in a file. */
#include "job/launch/bind_hwloc.h"
#include "../lib/shares.h"

#include <stdlib.h>
#include <unistd.h>

enum { CORES_MOST = 256 };

static void shares(hwloc_topology_t topology, enum bspj_bind how, int nprocs, const char *wanted)
{
	static struct bspj_core cores[CORES_MOST];
	int n = bspj_hwloc_cores(topology, cores, CORES_MOST);

	shares_are(cores, n, how, nprocs, wanted);
}

static hwloc_topology_t described(const char *text)
{
	hwloc_topology_t topology;

	if (hwloc_topology_init(&topology) < 0 ||
	    hwloc_topology_set_synthetic(topology, text) < 0 || hwloc_topology_load(topology) < 0)
		bail("hwloc knows no machine \"%s\"", text);
	return topology;
}

/* A machine of which some processors may not be used, as HWLOC_XMLFILE has it. */
static hwloc_topology_t out_of_a_file(const char *text, const char *without)
{
	hwloc_topology_t topology = described(text);
	hwloc_bitmap_t rest = hwloc_bitmap_dup(hwloc_topology_get_topology_cpuset(topology));
	hwloc_bitmap_t excluded = hwloc_bitmap_alloc();
	char name[] = "machine-XXXXXX";
	int fd = mkstemp(name);

	if (fd < 0 || hwloc_bitmap_list_sscanf(excluded, without) < 0 ||
	    hwloc_bitmap_andnot(rest, rest, excluded) < 0 ||
	    hwloc_topology_restrict(topology, rest, 0) < 0 ||
	    hwloc_topology_export_xml(topology, name, 0) < 0)
		bail("no file of that machine");
	hwloc_topology_destroy(topology);
	hwloc_bitmap_free(rest);
	hwloc_bitmap_free(excluded);
	setenv("HWLOC_XMLFILE", name, 1);
	if (hwloc_topology_init(&topology) < 0 || hwloc_topology_load(topology) < 0)
		bail("hwloc reads no such file");
	unsetenv("HWLOC_XMLFILE");
	close(fd);
	unlink(name);
	return topology;
}

int main(void)
{
	hwloc_topology_t t = described("pack:2 numa:1 l3:2 core:3 pu:2");

	shares(t, BSPJ_BIND_SHARE, 2, "0-11 | 12-23");
	shares(t, BSPJ_BIND_SHARE, 3, "0-7 | 8-15 | 16-23");
	shares(t, BSPJ_BIND_SHARE, 4, "0-5 | 6-11 | 12-17 | 18-23");
	shares(t, BSPJ_BIND_SHARE, 5, "0-3 | 4-7 | 8-11 | 12-15 | 18-21");
	shares(t, BSPJ_BIND_SHARE, 13, "none");
	shares(t, BSPJ_BIND_CORE, 3, "0-1 | 2-3 | 4-5");
	shares(t, BSPJ_BIND_CACHE, 3, "0-5 | 6-11 | 12-17");
	shares(t, BSPJ_BIND_NUMA, 3, "0-11 | 0-11 | 12-23");
	shares(t, BSPJ_BIND_SOCKET, 2, "0-11 | 12-23");
	hwloc_topology_destroy(t);

	t = out_of_a_file("pack:2 numa:2 core:4 pu:1", "0-2,9");
	shares(t, BSPJ_BIND_SHARE, 3, "3-6 | 7-8,10-11 | 12-15");
	hwloc_topology_destroy(t);

	t = described("core:3 pu:1");
	shares(t, BSPJ_BIND_CACHE, 2, "0 | 1");
	shares(t, BSPJ_BIND_SOCKET, 2, "0-2 | 0-2");
	hwloc_topology_destroy(t);
	return done_testing();
}
