// SPDX-License-Identifier: BSD-3-Clause
/* discover.c - one part of a job: finds the others, starts its processes, and is their launcher. */

/*
 * In the order of time: the process that is to become the supervisor finds the other parts
 * (discover_find.c), makes the post, forks (local.c) and watches (supervise.c); each of its
 * children comes back from here as one of the job, and asks this launcher, that is the post,
 * whenever it would ask PMIx.
 */

#include "discover.h"

#include "config.h"
#include "job/launch/start.h"
#include "transport/launch_env.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static const uint64_t part_mark = 0x6c6c6f7472617001;	/* another when its bytes are reversed */

/* The post of this process; written by the supervisor before it forks, later only its number. */
static struct bspj_post *post;
static struct bspj_found parts;
static int myself;

/* ---- What a process asks ---------------------------------------------------------- */

static int discover_join(const struct bspj_words *words, const char *ports, int *me, int *nprocs,
			 char *why, size_t len)
{
	(void)words, (void)ports, (void)why, (void)len;
	*me = myself;
	*nprocs = parts.part[0].nprocs;
	return 0;
}

static bool are_on_one_host(const struct bspj_part *a, const struct bspj_part *b)
{
	return a->network == b->network && strcmp(a->machine, b->machine) == 0;
}

static int discover_nodes(int *node, int nprocs)
{
	int number[BSPJ_PARTS_MOST], n = 0;

	for (int i = 0; i < parts.nparts; i++) {
		number[i] = -1;
		for (int j = 0; j < i && number[i] < 0; j++)
			if (are_on_one_host(&parts.part[i], &parts.part[j]))
				number[i] = number[j];
		if (number[i] < 0)
			number[i] = n++;
		for (int p = parts.part[i].first; p <= parts.part[i].last && p < nprocs; p++)
			node[p] = number[i];
	}
	return 0;
}

/*
 * The parts have found each other, so all processes are there, or their supervisors see that
 * they are not.
 */
static int discover_exchange(const void *mine, size_t len, bspt_take_fn *take, void *arg, int n,
			     double timeout_s)
{
	(void)timeout_s;
	return bspj_post_exchange(post, myself, mine, len, take, arg, n);
}

static int discover_meet(int n, void (*meanwhile)(void *arg), void *arg)
{
	return bspj_post_meet(post, myself, n, meanwhile, arg);
}

static void discover_leave(double timeout_s)
{
	(void)timeout_s;
}

/* The supervisor notices, and notifies the other parts. */
static __attribute__((noreturn)) void discover_abort(int status)
{
	_exit(status);
}

static const struct bspj_launch discover_launch = {
	.name = "discovery",
	.supervises = true,
	.join = discover_join,
	.nodes = discover_nodes,
	.exchange = discover_exchange,
	.meet = discover_meet,
	.leave = discover_leave,
	.abort = discover_abort,
};

static bool nodes_claim_fault(int process)
{
	return bspj_claim_once(parts.fault, process);
}

static const struct bspj_launch nodes_launch = {
	.name = "nodes of this machine",
	.supervises = true,
	.one_machine = true,
	.join = discover_join,
	.nodes = discover_nodes,
	.exchange = discover_exchange,
	.meet = discover_meet,
	.claim_fault = nodes_claim_fault,
	.leave = discover_leave,
	.abort = discover_abort,
};

/* ---- A part ------------------------------------------------------------------------- */

/* A number without sign; where it ends, or NULL. */
static const char *discover_read_number(const char *text, int *value)
{
	char *end;
	long n;

	if (text[0] < '0' || text[0] > '9')
		return NULL;
	n = strtol(text, &end, 10);
	*value = (int)n;
	return n > 1 << 20 ? NULL : end;
}

bool bspj_part_read(const char *text, int nprocs, int *first, int *last)
{
	const char *end = discover_read_number(text, first);

	*last = *first;
	if (end && *end == '-')
		end = discover_read_number(end + 1, last);
	return end && !*end && *first <= *last && *last < nprocs;
}

/*
 * The kernel's random boot id and the namespace of the network identify a host.
 */
static void name_host(struct bspj_part *part)
{
	struct stat st;

	bspt_hostname(part->host);
	bspt_system_file("/proc/sys/kernel/random/boot_id", part->machine, sizeof(part->machine));
	if (stat("/proc/self/ns/net", &st) == 0)
		part->network = st.st_ino;
}

static int discover_introduce(const struct bspj_start *how, struct bspj_part *part, char *why,
			      size_t len)
{
	*part = (struct bspj_part){
		.mark = part_mark,
		.protocol = BSPJ_PROTOCOL,
		.version = PACKAGE_VERSION,
		.nprocs = how->nprocs,
	};
	if (how->nprocs < 1)
		snprintf(why, len,
			 "BSP_DISCOVER is set, but not how many processes the whole job has; set "
			 "BSP_NPROCS (bsprun -n)");
	else if (!bspj_part_read(how->part, how->nprocs, &part->first, &part->last))
		snprintf(why, len,
			 "BSP_PART is \"%.20s\", but must be the processes of this part, "
			 "FIRST-LAST, from 0 to %d (bsprun --part)",
			 how->part, how->nprocs - 1);
	else if (strlen(how->discover) >= sizeof(part->job))
		snprintf(why, len, "BSP_DISCOVER: the name of the job is longer than %d bytes",
			 BSPJ_JOB_NAME - 1);
	else {
		snprintf(part->job, sizeof(part->job), "%s", how->discover);
		name_host(part);
		return 0;
	}
	return -EINVAL;
}

/* Forks; returns in the processes, and in the supervisor only on failure. */
static int start_part(const struct bspj_start *how, const struct bspj_part *mine,
		      struct bspj_job *job, char *why, size_t len)
{
	struct bspj_start part = *how;
	int err = -ENOMEM;

	post = bspj_post_create(mine->nprocs, mine->first, mine->last);
	if (post)
		part.parts = bspj_parts_open(&parts, post, how->lifeline_s);
	part.nprocs = mine->last - mine->first + 1;
	part.supervise = true;
	if (part.parts)
		err = bspj_start(&part, job);
	if (!err)
		return 0;
	snprintf(why, len,
		 "cannot start %d processes: %s; raise the limits (ulimit -n, -u, -v; pids.max, "
		 "memory.max of a container)",
		 part.nprocs, strerror(-err));
	if (part.parts) {
		bspj_parts_send_failure(part.parts, mine->first, EXIT_FAILURE, "has not started");
		bspj_parts_flush(part.parts);
	}
	return err;
}

/* This is one of the processes now. */
static int become_launched(struct bspj_job *job, int nprocs, const struct bspj_launch *launch)
{
	myself = job->me;
	job->nprocs = nprocs;
	job->launched = true;
	job->launch = launch;
	return 1;
}

int bspj_discover(const struct bspj_start *how, struct bspj_job *job, char *why, size_t len)
{
	struct bspj_part mine;
	int err = discover_introduce(how, &mine, why, len);

	if (!err)
		err = bspj_find_parts(&mine, how->interfaces, how->timeout_s, &parts, why, len);
	if (!err)
		err = start_part(how, &mine, job, why, len);
	return err ? err : become_launched(job, mine.nprocs, &discover_launch);
}

/* ---- Simulated nodes ------------------------------------------------------------------ */

static int discover_refuse_nodes(const struct bspj_start *how, char *why, size_t len)
{
	struct bspt_sign sign = bspt_sign_find();
	char reason[160];

	if (how->discover[0])
		snprintf(why, len, "BSP_DISCOVER is set, and BSP_NODES makes nodes of this "
			 "machine; unset one of them");
	else if (sign.n > 1)
		snprintf(why, len,
			 "%s has started %d processes, and BSP_NODES starts them itself; unset "
			 "it, or use bsprun --local", sign.launcher, sign.n);
	else if (!bspj_nodes_fit(how->nprocs, how->nodes, reason, sizeof(reason)))
		snprintf(why, len, "BSP_NODES: %s", reason);
	else
		return 0;
	return -EINVAL;
}

/* Where processes are bound is known before they are divided among nodes. */
static int nodes_start(struct bspj_start *how, struct bspj_job *job, char *why, size_t len)
{
	int err;

	how->binding = bspj_binding_create(how);
	if (how->load)
		how->load(how->nprocs);
	err = bspj_start_nodes(how->nprocs, how->nodes, &parts);
	if (err)
		snprintf(why, len,
			 "cannot start %d processes on %d nodes: %s; ask for fewer (bsprun -n) or "
			 "raise the limits (ulimit -n, -u, -v; pids.max, memory.max of a "
			 "container)",
			 how->nprocs, how->nodes, strerror(-err));
	else
		err = start_part(how, &parts.part[parts.mine], job, why, len);
	if (how->binding)
		bspj_binding_destroy(how->binding);
	return err;
}

/*
 * A supervisor that has not started its processes returns to the caller, which reports it, if no
 * other has claimed the report. The others die with the hub, so that waits for theirs.
 */
static void nodes_leave_report(void)
{
	if (!parts.fault || bspj_claim_once(parts.fault, parts.part[parts.mine].first))
		return;
	for (int k = 1; parts.mine == 0 && k < parts.nparts; k++)
		if (parts.fd[k] >= 0)
			close(parts.fd[k]);
	for (int k = 1; parts.mine == 0 && k < parts.nparts; k++)
		waitpid(parts.supervisor[k], NULL, 0);
	_exit(EXIT_FAILURE);
}

int bspj_simulate_nodes(const struct bspj_start *how, struct bspj_job *job, char *why, size_t len)
{
	/* as in bspj_start(), for the supervisors */
	struct sigaction plain = { .sa_handler = SIG_DFL }, inherited;
	struct bspj_start whole = *how;
	int err;

	if (!whole.nprocs)
		whole.nprocs = bspj_processors();
	err = discover_refuse_nodes(&whole, why, len);
	if (err)
		return err;
	bspj_streams_flush();
	sigaction(SIGCHLD, &plain, &inherited);
	err = nodes_start(&whole, job, why, len);
	if (err < 0)
		nodes_leave_report();
	sigaction(SIGCHLD, &inherited, NULL);
	return err ? err : become_launched(job, whole.nprocs, &nodes_launch);
}
