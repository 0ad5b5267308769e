/* SPDX-License-Identifier: BSD-3-Clause */
/* The limit of control groups, of either version, is the least along their path, of processors, of
 * processes and of memory; a fraction of a processor is not counted. */
#include "job/launch/quota.h"
#include "../lib/files.h"

#include <math.h>

static double (*quota)(const char *groups, const char *root) = bspj_quota;

static double quota_seen(const char *groups, const char *root)
{
	char file[100], folder[100];

	files_write("groups", groups);
	snprintf(file, sizeof file, "%s/groups", files);
	snprintf(folder, sizeof folder, "%s/%s", files, root);
	return quota(file, folder);
}

static void sees(double wanted, const char *groups, const char *root, const char *what)
{
	double seen = quota_seen(groups, root);

	if (!ok(seen == wanted, "%s", what))
		diag("%g and not %g", seen, wanted);
}

static void version_2(void)
{
	files_write("v2/cpu.max", "max 100000\n");
	files_write("v2/a/cpu.max", "300000 100000\n");
	files_write("v2/a/b/cpu.max", "max 100000\n");
	files_write("v2/a/b/c/cpu.max", "800000 100000\n");
	files_write("v2/d/cpu.max", "75000 50000\n");
	files_write("v2/e/cpu.max", "malformed\n");
	sees(HUGE_VAL, "0::/\n", "v2", "no limit");
	sees(3, "0::/a\n", "v2", "a limit");
	sees(3, "0::/a/b\n", "v2", "of a group around");
	sees(3, "0::/a/b/c\n", "v2", "which is less than its own");
	sees(1.5, "0::/d\n", "v2", "a fraction, of another period");
	sees(3, "0::/a/of/another/name space\n", "v2", "folders that are not there limit nothing");
	sees(HUGE_VAL, "0::/e\n", "v2", "nor do files that cannot be read");
	files_write("container/cpu.max", "200000 100000\n");
	sees(2, "0::/docker/0123\n", "container", "a container's own group is the uppermost");
}

static void version_1(void)
{
	const char *groups = "12:cpuset:/\n4:cpu,cpuacct:/a/b\n1:name=systemd:/a\n";

	files_write("v1/cpu,cpuacct/cpu.cfs_quota_us", "-1\n");
	files_write("v1/cpu,cpuacct/cpu.cfs_period_us", "100000\n");
	files_write("v1/cpu,cpuacct/a/cpu.cfs_quota_us", "250000\n");
	files_write("v1/cpu,cpuacct/a/cpu.cfs_period_us", "100000\n");
	sees(2.5, groups, "v1", "version 1: of a group around");
	files_write("v1/cpu,cpuacct/a/b/cpu.cfs_quota_us", "50000\n");
	files_write("v1/cpu,cpuacct/a/b/cpu.cfs_period_us", "100000\n");
	sees(0.5, groups, "v1", "of its own");
	sees(HUGE_VAL, "4:cpuset:/a\n3:cpuacct:/a/b\n", "v1", "other controllers have none");
	sees(HUGE_VAL, "4:cpu,cpuacct:/\n", "v1", "-1 is none");
}

static void pids(void)
{
	quota = bspj_quota_pids;
	files_write("p2/pids.max", "max\n");
	files_write("p2/pids.current", "900\n");
	files_write("p2/a/pids.max", "500\n");
	files_write("p2/a/pids.current", "120\n");
	files_write("p2/a/b/pids.max", "100\n");
	files_write("p2/a/b/pids.current", "101\n");
	sees(HUGE_VAL, "0::/\n", "p2", "no limit of processes");
	sees(380, "0::/a\n", "p2", "those that there are count");
	sees(0, "0::/a/b\n", "p2", "no more may be started");
	files_write("p1/pids/a/pids.max", "64\n");
	files_write("p1/pids/a/pids.current", "4\n");
	sees(60, "9:pids:/a\n4:cpu,cpuacct:/\n", "p1", "version 1");
	quota = bspj_quota;
}

static double swap_bytes;

static double quota_memory(const char *groups, const char *root)
{
	return bspj_quota_memory(groups, root, swap_bytes);
}

static void memory_of_version_2(void)
{
	files_write("m2/memory.current", "900000\n");
	files_write("m2/a/memory.max", "500000\n");
	files_write("m2/a/memory.current", "120000\n");
	sees(HUGE_VAL, "0::/\n", "m2", "no limit of memory");
	sees(380000, "0::/a\n", "m2", "what the group has counts");
	files_write("m2/a/memory.stat",
		    "anon 20000\nfile 95000\ninactive_file 50000\nactive_file 40000\n"
		    "slab_reclaimable 7000\nslab 9000\n");
	sees(477000, "0::/a\n", "m2", "but pages of files do not");
	swap_bytes = 3000;
	sees(480000, "0::/a\n", "m2", "and swap is memory");
	files_write("m2/a/memory.swap.max", "max\n");
	files_write("m2/a/memory.swap.current", "9000\n");
	sees(480000, "0::/a\n", "m2", "of which the group may have all");
	files_write("m2/a/memory.swap.max", "10000\n");
	sees(478000, "0::/a\n", "m2", "or less");
	files_write("m2/a/memory.swap.max", "0\n");
	sees(477000, "0::/a\n", "m2", "or none more, though it has some");
	files_write("m2/a/memory.swap.max", "10000\n");
	files_write("m2/a/b/memory.max", "100000\n");
	files_write("m2/a/b/memory.current", "101000\n");
	files_write("m2/a/b/memory.swap.max", "0\n");
	files_write("m2/a/b/memory.swap.current", "0\n");
	sees(0, "0::/a/b\n", "m2", "a group that has more than it may gets none");
	files_write("m2/a/c/memory.max", "max\n");
	files_write("m2/a/c/memory.current", "1000\n");
	sees(478000, "0::/a/c\n", "m2", "one without a limit has that of the group around");
	swap_bytes = 0;
}

static void memory_of_version_1(void)
{
	const char *groups = "9:memory:/a\n4:cpu,cpuacct:/\n";

	files_write("m1/memory/memory.limit_in_bytes", "9223372036854771712\n");
	files_write("m1/memory/memory.usage_in_bytes", "7000000\n");
	sees(HUGE_VAL, "4:cpu,cpuacct:/\n", "m1", "version 1: other controllers have none");
	files_write("m1/memory/a/memory.limit_in_bytes", "800000\n");
	files_write("m1/memory/a/memory.usage_in_bytes", "300000\n");
	sees(500000, groups, "m1", "version 1: a limit of memory");
	files_write("m1/memory/a/memory.stat",
		    "cache 90\ninactive_file 10\nactive_file 20\ntotal_inactive_file 1000\n"
		    "total_active_file 2000\n");
	sees(503000, groups, "m1", "pages of files of all groups in it do not count");
	swap_bytes = 100000;
	sees(603000, groups, "m1", "swap does");
	files_write("m1/memory/a/memory.memsw.limit_in_bytes", "850000\n");
	files_write("m1/memory/a/memory.memsw.usage_in_bytes", "310000\n");
	sees(543000, groups, "m1", "up to a limit with memory");
	swap_bytes = 0;
}

static void memory(void)
{
	quota = quota_memory;
	memory_of_version_2();
	memory_of_version_1();
	quota = bspj_quota;
}

static void limits(void)
{
	is_int(8, bspj_quota_limits(8, HUGE_VAL), "without a quota all processors");
	is_int(8, bspj_quota_limits(8, 100), "nor does more limit them");
	is_int(3, bspj_quota_limits(8, 3), "three of eight");
	is_int(1, bspj_quota_limits(8, 1.5), "a half is not counted");
	is_int(1, bspj_quota_limits(8, 0.2), "but there is at least one");
}

int main(void)
{
	files_begin();
	version_2();
	version_1();
	pids();
	memory();
	limits();
	is_int(1, isinf(bspj_quota("no-such-file", "/sys/fs/cgroup")), "no list, no limit");
	is_int(0, files_remove(), "nothing is left");
	return done_testing();
}
