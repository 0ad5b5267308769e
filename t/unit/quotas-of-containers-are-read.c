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

static void memory(void)
{
	quota = bspj_quota_memory;
	files_write("m2/memory.max", "max\n");
	files_write("m2/a/memory.max", "67108864\n");
	files_write("m2/a/b/memory.max", "max\n");
	sees(HUGE_VAL, "0::/\n", "m2", "no limit of memory");
	sees(67108864, "0::/a/b\n", "m2", "that of a group around");
	files_write("m1/memory/a/memory.limit_in_bytes", "4096000\n");
	sees(4096000, "6:memory:/a\n4:cpu,cpuacct:/\n", "m1", "version 1");
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
