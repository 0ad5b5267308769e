/* SPDX-License-Identifier: BSD-3-Clause */
/* A setting in the environment that makes no sense ends the program with its name; no environment
 * at all is none. */
#include "../lib/spmd.h"

static const char *variable, *value;

static void body(void)
{
	setenv(variable, value, 1);
	bsp_begin(2);
	bsp_end();
}

static void ask_first(void)
{
	setenv(variable, value, 1);
	(void)bsp_nprocs();
	bsp_begin(2);
	bsp_end();
}

static void cleared(void)
{
	clearenv();
	bsp_begin(2);
	tap_process((int)bsp_pid());
	bsp_sync();
	bsp_end();
}

static void one(const char *name, const char *text)
{
	variable = name;
	value = text;
	dies_ok(body, 1, "bsp", "%s=\"%s\"", name, text);
	ok(strstr(job_err(), name), "the message names %s", name);
	is_int(1, job_status(), "the status is 1");
}

int main(void)
{
	static const char *const counts[] = {
		"0", "-1", "9999999", "16385", "abc", "", "3x", " ", "0x", "1.5",
		"99999999999999999999999", "-99999999999999999999999", "4294967297",
	};

	for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
		one("BSP_NPROCS", counts[i]);
	variable = "BSP_NPROCS";
	value = "none";
	dies_ok(ask_first, 1, "bsp", "bsp_nprocs before bsp_begin");
	ok(strstr(job_err(), "BSP_NPROCS"), "the message names BSP_NPROCS");
	one("BSP_TRANSPORT", "nonsense");
	one("BSP_TRANSPORT", "");
	one("BSP_BIND", "nonsense");
	one("BSP_BIND", "0-");
	one("BSP_BIND", "1-0");
	one("BSP_BIND", "1024");
	one("BSP_BIND", "0-1024");
	one("BSP_PORTS", "40100-40000");
	one("BSP_PORTS", "040000-40100");
	one("BSP_BARRIER", "nonsense");
	one("BSP_COLL", "nonsense");
	one("BSP_COLL", "bcast:nonsense");
	one("BSP_PARAMS", "nonsense");
	one("BSP_PARAMS", "/dev/zero");
	ok(strstr(job_err(), "/dev/zero: it is no file"), "and says that it is no file");
	one("BSP_BARRIER", "knomial");
	one("BSP_BARRIER", "knomial:");
	one("BSP_BARRIER", "knomial:K");
	one("BSP_BARRIER", "knomial:0");
	one("BSP_BARRIER", "knomial:-1");
	one("BSP_BARRIER", "knomial:99999");
	one("BSP_BARRIER", "knomial:2x");
	one("BSP_BARRIER", "binomial:2");
	one("BSP_BARRIER", "binomial+nonsense");
	one("BSP_BARRIER", "alltoall+multicast");
	one("BSP_BARRIER", "knomial:+multicast");
	one("BSP_BARRIER", "knomial:3+");
	one("BSP_PROGRESS", "nonsense");
	one("BSP_WAIT", "spin:-5");
	one("BSP_WAIT", "spin:long");
	one("BSP_WAIT", "spin:10 miles");
	one("BSP_WAIT", "yield:99999999999999");
	one("BSP_WAIT", "join:auto");
	one("BSP_WAIT", "spin:1,nonsense:2");
	one("BSP_WAIT", "spin");
	one("BSP_WAIT", "5");
	one("BSP_WAIT", "spin:1,");
	one("BSP_WAIT", "");
	one("BSP_SHARE", "64q");
	one("BSP_SHARE", "-1");
	one("BSP_SHARE", "99999999999999999999G");
	one("BSP_SHM_RESERVE", "much");
	one("BSP_WATCHDOG", "-1");
	one("BSP_WATCHDOG", "soon");
	one("BSP_STAT", "2");
	one("BSP_TAG_OUTPUT", "yes");
	one("BSP_SHUFFLE", "-1");
	one("BSP_NEIGHBORS", "2");
	one("BSP_VERBOSE", "loud");
	if (!job_launched())
		lives_ok(cleared, 0, "a program that has cleared its environment begins");
	return done_testing();
}
