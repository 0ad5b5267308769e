/* SPDX-License-Identifier: BSD-3-Clause */
/* After bsp_end processes may go on, and so may their children, for which nothing waits. */
#include "../lib/spmd.h"

#include <dirent.h>
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

static pid_t test;

/* Counts and ids of the running job, in memory that its processes and their children share. */
static struct {
	atomic_int host, forked, left, outlived;
} *job;

/* The state of process @pid as in ps, 0: there is none; its parent, and whether it is a host. */
static char state_of(int pid, int *parent, bool *is_host)
{
	char path[40], name[40] = "", state = 0;
	FILE *file;

	snprintf(path, sizeof path, "/proc/%d/stat", pid);
	file = fopen(path, "r");
	if (file && fscanf(file, "%*d (%39[^)]) %c %d", name, &state, parent) != 3)
		state = 0;
	if (file)
		fclose(file);
	*is_host = strcmp(name, "bsp-mpi-host") == 0;
	return state;
}

/* Over MPI without a launcher a process serves the job, and is a child of the test. 0: none. */
static int find_host(void)
{
	DIR *dir = opendir("/proc");
	struct dirent *entry;
	int parent = 0, found = 0;
	bool is_host;

	while (dir && !found && (entry = readdir(dir)))
		if (state_of(atoi(entry->d_name), &parent, &is_host) && is_host && parent == test)
			found = atoi(entry->d_name);
	if (dir)
		closedir(dir);
	return found;
}

static bool has_ended(int pid)
{
	int parent;
	bool is_host;
	char state = pid ? state_of(pid, &parent, &is_host) : 0;

	return !state || state == 'Z' || state == 'X';
}

/* It has ended, or has read all that it got and sleeps again. */
static void await_host(int pid)
{
	int parent;
	bool is_host;

	while (!has_ended(pid) && state_of(pid, &parent, &is_host) != 'S')
		sched_yield();
}

static void begin_and_find_host(void)
{
	const char *transport = getenv("BSP_TRANSPORT");

	enter();
	if (bsp_pid() == 0)
		job->host = find_host();
	bsp_sync();
	if (transport && !strcmp(transport, "mpi") && !job_launched() && bsp_nprocs() > 1)
		ok(job->host > 0, "over MPI a process serves the job");
}

static void end_and_live_on(void)
{
	int nprocs = (int)bsp_nprocs();

	bsp_sync();
	bsp_end();
	job->left++;
	while (job->left < nprocs)
		sched_yield();
	if (!job->host)
		return;
	await_host(job->host);
	ok(!has_ended(job->host), "what serves a process of the job lives as long as the process");
}

static void lives_on(void)
{
	begin_and_find_host();
	end_and_live_on();
}

/* As sandboxes do, and kernels before 5.3. */
static void refuse_pidfds(void)
{
	static struct sock_filter code[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_pidfd_open, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	const struct sock_fprog filter = { sizeof code / sizeof *code, code };

	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ||
	    prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter))
		bail("no filter of system calls: %s", strerror(errno));
}

static void lives_on_without_pidfds(void)
{
	refuse_pidfds();
	lives_on();
}

/*
 * In each process a child with all that the process has, which ends when the process and the host
 * have. Returns when no child is in a group with a process, so that none is killed with it.
 */
static void fork_children(void)
{
	pid_t process = getpid();
	int nprocs = (int)bsp_nprocs();

	if (fork()) {
		while (job->forked < nprocs)
			sched_yield();
		return;
	}
	setsid();
	job->forked++;
	while (getppid() == process || !has_ended(job->host)) {
		if (kill(test, 0) < 0)
			_exit(1);	/* its watchdog has ended it */
		sched_yield();
	}
	job->outlived++;
	_exit(0);
}

static void forks(void)
{
	begin_and_find_host();
	fork_children();
	end_and_live_on();
}

static void forks_and_is_killed(void)
{
	begin_and_find_host();
	fork_children();
	bsp_sync();
	if (bsp_pid() == 0)
		raise(SIGKILL);
	for (;;)
		bsp_sync();
}

static void reset(void)
{
	memset(job, 0, sizeof *job);
}

int main(void)
{
	int n = job_max_nprocs() < 3 ? job_max_nprocs() : 3;

	test = getpid();
	job = mmap(NULL, sizeof *job, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	lives_ok(lives_on, n, "processes that live on");
	reset();
	lives_ok(lives_on, 1, "one process that does");
	reset();
	lives_ok(lives_on_without_pidfds, n, "processes that live on where pidfds are refused");
	reset();
	lives_ok(forks, n, "processes that live on, and fork");
	is_int(n, job->outlived, "their children outlive them and what served the job");
	reset();
	job_run(forks_and_is_killed, n);
	is_int(128 + SIGKILL, job_status(), "a job with children that is killed");
	is_int(n, job->outlived, "its children outlive it and what served it");
	return done_testing();
}
