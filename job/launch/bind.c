// SPDX-License-Identifier: BSD-3-Clause
/* bind.c - processors: how many there are for us, and which of them each process gets. */

#include "job/internal.h"

#include "cores.h"
#include "quota.h"
#include "taken.h"
#include "threads.h"

#include <ctype.h>
#include <errno.h>
#include <sched.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { WHY_MOST = 160, LIST_MOST = 256 };

/* The user has named these; the set is empty if all may be used. */
static cpu_set_t listed;

/* The processors of @set that are not in @others. */
static cpu_set_t bind_without(const cpu_set_t *set, const cpu_set_t *others)
{
	cpu_set_t rest;

	CPU_AND(&rest, set, others);
	CPU_XOR(&rest, &rest, set);
	return rest;
}

/* The processors with which the program was started. OpenMP may have bound it to one of them. */
static bool bind_allowed(cpu_set_t *set)
{
	if (sched_getaffinity(0, sizeof(*set), set) < 0)
		return false;		/* more processors than the set holds */
	bspj_threads_add_places(set);
	if (CPU_COUNT(&listed))
		CPU_AND(set, set, &listed);
	return true;
}

int bspj_processors_restrict(const char *list, char *why, size_t len)
{
	cpu_set_t all, wanted, missing;
	char text[LIST_MOST], have[LIST_MOST];

	CPU_ZERO(&listed);
	if (!isdigit((unsigned char)list[0]))
		return 0;		/* it is the name of a way */
	if (!bspj_cpus_read(list, &wanted)) {
		snprintf(why, len, "%s is no list of processors from 0 to %d", list,
			 BSPJ_CPUS_MOST - 1);
		return -EINVAL;
	}
	if (!bind_allowed(&all))
		return 0;		/* nothing is known */
	missing = bind_without(&wanted, &all);
	listed = wanted;
	if (!CPU_COUNT(&missing))
		return 0;
	bspj_cpus_write(&missing, text, sizeof(text));
	bspj_cpus_write(&all, have, sizeof(have));
	snprintf(why, len, "%s are not among the processors that the program may use, %s", text,
		 have);
	return -EINVAL;
}

int bspj_processors_counted(void)
{
	cpu_set_t set;
	long n;

	if (bind_allowed(&set))
		return CPU_COUNT(&set);
	n = sysconf(_SC_NPROCESSORS_ONLN);
	return n > 0 ? n : 1;
}

static int bind_limited(int processors)
{
	static double quota;		/* 0: not read yet */

	if (!quota)
		quota = bspj_quota("/proc/self/cgroup", "/sys/fs/cgroup");
	return bspj_quota_limits(processors, quota);
}

int bspj_processors(void)
{
	return bind_limited(bspj_processors_counted());
}

int bspj_processors_of_node(void)
{
	int own = bspj_processors_counted(), online = sysconf(_SC_NPROCESSORS_ONLN);
	cpu_set_t parent;

	if (sched_getaffinity(getppid(), sizeof(parent), &parent) == 0 && CPU_COUNT(&parent) > own)
		own = CPU_COUNT(&parent);
	return bind_limited(own == 1 && online > own ? online : own);
}

/* The reason for a binding, or for none, as --report-bindings prints it. */
struct bind_why {
	char text[WHY_MOST];
};

struct bspj_binding {
	int nprocs;
	bool known, to_cores;
	struct bind_why why;
	cpu_set_t sets[];	/* of each process: its processors */
};

/* The binding of this process, and its processors before. */
static struct {
	bool is, to_cores, by_launcher;
	cpu_set_t before, to;
	struct bind_why why;
} bound;

/* Processors of other jobs, as they were before this one bound processes; and its own marks. */
static struct {
	int fd;
	pid_t opened_by;
	bool looked;
	cpu_set_t others;
} taken = { .fd = -1 };

__attribute__((format(printf, 2, 3)))
static bool bind_not(struct bind_why *why, const char *format, ...)
{
	va_list ap;

	va_start(ap, format);
	vsnprintf(why->text, sizeof(why->text), format, ap);
	va_end(ap);
	return false;
}

static size_t binding_bytes(int nprocs)
{
	return sizeof(struct bspj_binding) + nprocs * sizeof(cpu_set_t);
}

/*
 * Its places are those of the program when it was started. The second thread of each process is on
 * the second of them, so only one thread can be where the process is.
 */
static bool bind_is_by_openmp(void)
{
	cpu_set_t places;

	CPU_ZERO(&places);
	return bspj_threads_add_places(&places) > 0;
}

/* ---- Other jobs ----------------------------------------------------------------- */

/* Once in the process whose marks are those of the job. */
static void bind_look_at_others(void)
{
	if (taken.looked)
		return;
	taken.fd = bspj_taken_open(BSPJ_TAKEN_FILE);
	taken.opened_by = getpid();
	taken.looked = true;
	bspj_taken_by_others(taken.fd, &taken.others);
}

/*
 * Mark what the job has got, as long as this process lives. False: a job that has looked at the
 * same time has got some of it.
 */
static bool bind_mark(const struct bspj_start *how, const cpu_set_t *sets, int n)
{
	cpu_set_t mine, others;

	CPU_ZERO(&mine);
	for (int p = 0; p < n; p++)
		CPU_OR(&mine, &mine, &sets[p]);
	bspj_taken_mark(taken.fd, &mine);
	if (!how->bind_auto || !bspj_taken_by_others(taken.fd, &others))
		return true;
	CPU_AND(&others, &others, &mine);
	if (CPU_COUNT(&others))
		bspj_taken_unmark(taken.fd);
	return !CPU_COUNT(&others);
}

/* In a copy of the process that has the marks. */
static void bind_forget_marks(void)
{
	if (taken.fd < 0 || taken.opened_by == getpid())
		return;
	close(taken.fd);
	taken.fd = -1;
}

/* ---- The way to bind --------------------------------------------------------------- */

static bool bind_needs_cores(enum bspj_bind how)
{
	return how == BSPJ_BIND_CORE || how == BSPJ_BIND_SHARE;
}

/* May processes be bound, by all that is known without a look at the cores? */
static bool bind_may(const struct bspj_start *how, int nprocs, struct bind_why *why)
{
	int counted = bspj_processors_counted(), processors = bind_limited(counted);

	if (how->bind == BSPJ_BIND_NOT)
		return bind_not(why, "--bind none");
	if (nprocs <= processors || !bind_needs_cores(how->bind))
		return true;
	if (nprocs <= counted)
		return bind_not(why, "%d processes share the time of %d processors", nprocs,
				processors);
	return bind_not(why, "%d processes have %d processors", nprocs, processors);
}

/* The cores of @set, to which this process is bound; how many. NULL: no memory. */
static struct bspj_core *bind_find_cores(const cpu_set_t *set, int *n)
{
	int most = CPU_COUNT(set);
	struct bspj_core *cores = calloc(most, sizeof(*cores));
	/* hwloc loads what its variables name */
	bool by_hwloc = bspj_cores_by_hwloc && !bspt_is_privileged();

	*n = cores && by_hwloc ? bspj_cores_by_hwloc(cores, most) : 0;
	if (cores && *n < 1)
		*n = bspj_cores_by_kernel("/sys", set, cores, most);
	return cores;
}

static int bind_least(const cpu_set_t *sets, int n)
{
	int least = CPU_COUNT(&sets[0]);

	for (int p = 1; p < n; p++)
		if (CPU_COUNT(&sets[p]) < least)
			least = CPU_COUNT(&sets[p]);
	return least;
}

static void bind_say_way(const struct bspj_start *how, int ncores, int nprocs, struct bind_why *why)
{
	static const char *const names[] = {
		[BSPJ_BIND_CORE] = "a core", [BSPJ_BIND_CACHE] = "those of a shared cache",
		[BSPJ_BIND_NUMA] = "those of a NUMA node", [BSPJ_BIND_SOCKET] = "those of a socket",
	};

	if (how->bind == BSPJ_BIND_SHARE)
		bind_not(why, "a share of %d cores for %d processes", ncores, nprocs);
	else
		bind_not(why, "%s", names[how->bind]);
}

/* In a process that is bound to @set. */
static bool bind_choose(const struct bspj_start *how, int nprocs, const cpu_set_t *set,
			cpu_set_t *sets, struct bind_why *why)
{
	bool by_openmp = bind_is_by_openmp(), dealt = false;
	struct bspj_core *cores;
	int n, each;

	if (!CPU_COUNT(set))
		return bind_not(why, "other jobs are bound to the processors");
	cores = bind_find_cores(set, &n);
	if (cores && n > 0) {
		each = by_openmp ? 1 : bspj_cores_each(cores, n, nprocs,
							bind_limited(CPU_COUNT(set)));
		dealt = bspj_cores_deal(cores, n, how->bind, each, nprocs, sets);
	}
	free(cores);
	if (!dealt && how->bind_auto && CPU_COUNT(&taken.others))
		return bind_not(why, "%d processes have %d cores, and other jobs are bound to "
				"others", nprocs, n);
	if (!dealt)
		return bind_not(why, "%d processes have %d cores", nprocs, n);
	if ((by_openmp ? 1 : bind_least(sets, nprocs)) < how->threads)
		return bind_not(why, "OpenMP is to have %d threads in each", how->threads);
	bind_say_way(how, n, nprocs, why);
	return true;
}

/* ---- Processes that this one starts --------------------------------------------------- */

/* In a child: a topology takes 2 MB, which the job would keep; and it is bound where it looks. */
static void binding_fill(struct bspj_binding *b, const struct bspj_start *how, bool may)
{
	cpu_set_t all, rest;

	b->known = bind_allowed(&all) && sched_setaffinity(0, sizeof(all), &all) == 0;
	if (b->known && may) {
		rest = how->bind_auto ? bind_without(&all, &taken.others) : all;
		if (CPU_COUNT(&rest))
			sched_setaffinity(0, sizeof(rest), &rest);
		b->to_cores = bind_choose(how, b->nprocs, &rest, b->sets, &b->why);
	}
	for (int p = 0; !b->to_cores && p < b->nprocs; p++)
		b->sets[p] = all;
}

static void binding_find(struct bspj_binding *b, const struct bspj_start *how, bool may)
{
	cpu_set_t all;
	pid_t child;

	if (may)
		bind_look_at_others();
	child = fork();
	if (child == 0) {
		binding_fill(b, how, may);
		_exit(EXIT_SUCCESS);
	}
	if (child > 0)
		waitpid(child, NULL, 0);
	if (!b->to_cores || bind_mark(how, b->sets, b->nprocs))
		return;
	b->to_cores = bind_not(&b->why, "another job is bound to the same processors");
	for (int p = 0; bind_allowed(&all) && p < b->nprocs; p++)
		b->sets[p] = all;
}

struct bspj_binding *bspj_binding_create(const struct bspj_start *how)
{
	bool may = bind_may(how, how->nprocs, &bound.why);
	struct bspj_binding *b;

	/* Nothing is bound then, unless OpenMP has bound all to one processor. */
	if (!may && !bind_is_by_openmp() && !CPU_COUNT(&listed))
		return NULL;
	b = mmap(NULL, binding_bytes(how->nprocs), PROT_READ | PROT_WRITE,
		 MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (b == MAP_FAILED)
		return NULL;
	b->nprocs = how->nprocs;
	b->why = bound.why;
	binding_find(b, how, may);
	if (b->known)
		return b;
	bspj_binding_destroy(b);
	return NULL;
}

/* A process that cannot be bound goes on. */
static void bind_to(const cpu_set_t *set, bool to_cores, const struct bind_why *why)
{
	bound.is = bind_allowed(&bound.before) && sched_setaffinity(0, sizeof(*set), set) == 0;
	bound.to_cores = bound.is && to_cores;
	bound.to = *set;
	bound.why = *why;
}

void bspj_binding_apply(const struct bspj_binding *b, int p)
{
	bind_forget_marks();
	bind_to(&b->sets[p], b->to_cores, &b->why);
}

void bspj_binding_alone(void)
{
	cpu_set_t all;

	bind_not(&bound.why, "a single process");
	if (CPU_COUNT(&listed) && bind_allowed(&all))
		bind_to(&all, false, &bound.why);
}

int bspj_binding_threads(void)
{
	if (!bound.to_cores)
		return 0;
	return bind_is_by_openmp() ? 1 : CPU_COUNT(&bound.to);
}

bool bspj_binding_describe(char *processors, size_t len, const char **why)
{
	cpu_set_t now;

	*why = bound.why.text;
	if (sched_getaffinity(0, sizeof(now), &now) < 0)
		CPU_ZERO(&now);
	bspj_cpus_write(&now, processors, len);
	return bound.by_launcher || (bound.is && (bound.to_cores || CPU_COUNT(&listed)));
}

void bspj_binding_undo(void)
{
	cpu_set_t now;

	if (bound.is && sched_getaffinity(0, sizeof(now), &now) == 0 && CPU_EQUAL(&now, &bound.to))
		sched_setaffinity(0, sizeof(bound.before), &bound.before);
	bound.is = bound.to_cores = false;
}

void bspj_binding_destroy(struct bspj_binding *b)
{
	munmap(b, binding_bytes(b->nprocs));
}

/* ---- Processes that a launcher has started ----------------------------------------- */

/* It has bound this one, if its parent may run elsewhere. */
static bool bind_is_by_launcher(void)
{
	cpu_set_t parent, mine;

	return sched_getaffinity(getppid(), sizeof(parent), &parent) == 0 &&
	       sched_getaffinity(0, sizeof(mine), &mine) == 0 && !CPU_EQUAL(&parent, &mine);
}

void bspj_binding_join(const struct bspj_start *how, const struct bspt_wire *w)
{
	int here = 0, me = -1;
	cpu_set_t all, *sets;

	/* Nodes of one machine: what has started this process has bound it, or not. */
	if (w->one_machine || w->me < 0 || w->me >= how->nprocs || !bind_allowed(&all))
		return;
	for (int q = 0; q < how->nprocs; q++) {
		me = q == w->me ? here : me;
		here += w->node[q] == w->node[w->me];
	}
	bound.by_launcher = bind_is_by_launcher();
	bind_not(&bound.why, bound.by_launcher ? "by its launcher" : "its launcher has not");
	if (how->bind_auto || how->bind == BSPJ_BIND_NOT || bound.by_launcher)
		return;
	sets = calloc(here, sizeof(*sets));
	if (sets && bind_may(how, here, &bound.why) &&
	    bind_choose(how, here, &all, sets, &bound.why)) {
		bind_to(&sets[me], true, &bound.why);
		taken.fd = bspj_taken_open(BSPJ_TAKEN_FILE);
		bspj_taken_mark(taken.fd, &sets[me]);
	} else if (CPU_COUNT(&listed)) {
		bind_to(&all, false, &bound.why);
	}
	free(sets);
}
