/* SPDX-License-Identifier: BSD-3-Clause */
/* Each process gets its share of whole cores, and as few as possible have parts of two sockets,
 * NUMA nodes or caches; on machines as the kernel shows them. */
#include "../lib/files.h"
#include "../lib/shares.h"

enum { CORES_MOST = 64 };

/* ---- A machine as the kernel shows it ---------------------------------------------- */

static void sys_write(int cpu, const char *name, const char *text)
{
	char path[100];

	snprintf(path, sizeof path, "devices/system/cpu/cpu%d/%s", cpu, name);
	files_write(path, text);
}

struct machine {
	int sockets, numas, caches, cores, threads;	/* each inside of one of those before */
};

/*
 * Processors are numbered as firmware often does: the next number is in the next socket, and the
 * second thread of each core comes after the first of all.
 */
static void sys_make(const struct machine *m, int *nprocessors)
{
	int of_socket = m->numas * m->caches * m->cores, all = m->sockets * of_socket;
	char text[400], item[20], name[40];

	for (int cpu = 0; cpu < all * m->threads; cpu++) {
		int socket = cpu % all % m->sockets, in = cpu % all / m->sockets;
		int cache = in / m->cores;

		text[0] = '\0';
		for (int t = 0; t < m->threads; t++) {
			snprintf(item, sizeof item, "%s%d", t ? "," : "", cpu % all + t * all);
			strcat(text, item);
		}
		sys_write(cpu, "topology/thread_siblings_list", text);
		sys_write(cpu, "cache/index0/level", "1");
		sys_write(cpu, "cache/index0/shared_cpu_list", text);
		snprintf(text, sizeof text, "%d\n", socket);
		sys_write(cpu, "topology/physical_package_id", text);
		snprintf(name, sizeof name, "node%d/cpulist",
			 socket * m->numas + cache / m->caches);
		sys_write(cpu, name, "");
		text[0] = '\0';
		for (int other = 0; other < all * m->threads; other++)
			if (other % all % m->sockets == socket &&
			    other % all / m->sockets / m->cores == cache) {
				snprintf(item, sizeof item, "%s%d", text[0] ? "," : "", other);
				strcat(text, item);
			}
		sys_write(cpu, "cache/index3/level", "3");
		sys_write(cpu, "cache/index3/shared_cpu_list", text);
	}
	*nprocessors = all * m->threads;
}

/* ---- Shares -------------------------------------------------------------------------- */

static struct bspj_core cores[CORES_MOST];
static int ncores;

/* Reads the cores of @m, of which the program may use all processors but @without. */
static void machine(struct machine m, const char *without)
{
	cpu_set_t allowed, not_allowed;
	int n;

	files_begin();
	sys_make(&m, &n);
	CPU_ZERO(&allowed);
	CPU_ZERO(&not_allowed);
	for (int cpu = 0; cpu < n; cpu++)
		CPU_SET(cpu, &allowed);
	if (without && !bspj_cpus_read(without, &not_allowed))
		bail("no list: %s", without);
	CPU_XOR(&allowed, &allowed, &not_allowed);
	ncores = bspj_cores_by_kernel(files, &allowed, cores, CORES_MOST);
	if (files_remove())
		bail("cannot remove %s", files);
}

static void deals(enum bspj_bind how, int nprocs, const char *wanted)
{
	shares_are(cores, ncores, how, nprocs, wanted);
}

static void one_socket(void)
{
	machine((struct machine){ 1, 1, 1, 7, 1 }, NULL);
	deals(BSPJ_BIND_SHARE, 1, "0-6");
	deals(BSPJ_BIND_SHARE, 2, "0-2 | 3-5");
	deals(BSPJ_BIND_SHARE, 3, "0-1 | 2-3 | 4-5");
	deals(BSPJ_BIND_SHARE, 7, "0 | 1 | 2 | 3 | 4 | 5 | 6");
	deals(BSPJ_BIND_SHARE, 8, "none");
	deals(BSPJ_BIND_CORE, 3, "0 | 1 | 2");
	deals(BSPJ_BIND_SOCKET, 2, "0-6 | 0-6");
}

static void threads_of_a_core(void)
{
	machine((struct machine){ 1, 1, 1, 4, 2 }, NULL);
	deals(BSPJ_BIND_SHARE, 2, "0-1,4-5 | 2-3,6-7");
	deals(BSPJ_BIND_CORE, 3, "0,4 | 1,5 | 2,6");
	deals(BSPJ_BIND_SHARE, 5, "none");
	machine((struct machine){ 1, 1, 1, 4, 2 }, "0,1,5");
	deals(BSPJ_BIND_SHARE, 3, "2,6 | 3,7 | 4");
}

/* Processors 0, 2, 4, ... are of the first socket. */
static void two_sockets(void)
{
	machine((struct machine){ 2, 1, 1, 5, 1 }, NULL);
	deals(BSPJ_BIND_SHARE, 2, "0,2,4,6,8 | 1,3,5,7,9");
	/* one of three has to be on both */
	deals(BSPJ_BIND_SHARE, 3, "0,2,4 | 1,6,8 | 3,5,7");
	/* none of four; so a core of the first socket is left over */
	deals(BSPJ_BIND_SHARE, 4, "0,2 | 4,6 | 1,3 | 5,7");
	deals(BSPJ_BIND_SHARE, 5, "0,2 | 4,6 | 1,8 | 3,5 | 7,9");
	deals(BSPJ_BIND_SOCKET, 3, "0,2,4,6,8 | 0,2,4,6,8 | 1,3,5,7,9");
	/* a cpuset, of which three cores are in the first socket and five in the second */
	machine((struct machine){ 2, 1, 1, 5, 1 }, "0,4");
	deals(BSPJ_BIND_SHARE, 2, "1-2,6,8 | 3,5,7,9");
	deals(BSPJ_BIND_SHARE, 3, "2,6 | 1,3 | 5,7");
}

/* NUMA nodes of six cores, in them two caches; first cores 0, 2, ..., 22, then 1, 3, ..., 23. */
static void nodes_and_caches(void)
{
	machine((struct machine){ 2, 2, 2, 3, 1 }, NULL);
	deals(BSPJ_BIND_SHARE, 4, "0,2,4,6,8,10 | 12,14,16,18,20,22 | 1,3,5,7,9,11 | "
	      "13,15,17,19,21,23");
	/* blocks of four: none on two sockets, one on two NUMA nodes; each is on two caches */
	deals(BSPJ_BIND_SHARE, 5, "0,2,4,6 | 8,10,12,14 | 16,18,20,22 | 1,3,5,7 | 13,15,17,19");
	/* blocks of two, and eight caches of three: one of nine has to be on two of them */
	deals(BSPJ_BIND_SHARE, 9, "0,2 | 4,6 | 8,10 | 12,14 | 18,20 | 1,3 | 7,9 | 13,15 | 19,21");
	deals(BSPJ_BIND_CACHE, 2, "0,2,4 | 1,3,5");
	deals(BSPJ_BIND_NUMA, 3, "0,2,4,6,8,10 | 12,14,16,18,20,22 | 1,3,5,7,9,11");
	deals(BSPJ_BIND_CACHE, 30, "0,2,4 | 0,2,4 | 0,2,4 | 0,2,4 | 6,8,10 | 6,8,10 | 6,8,10 | "
	      "6,8,10 | 12,14,16 | 12,14,16 | 12,14,16 | 12,14,16 | 18,20,22 | 18,20,22 | 18,20,22 "
	      "| 1,3,5 | 1,3,5 | 1,3,5 | 1,3,5 | 7,9,11 | 7,9,11 | 7,9,11 | 7,9,11 | 13,15,17 | "
	      "13,15,17 | 13,15,17 | 13,15,17 | 19,21,23 | 19,21,23 | 19,21,23");
}

/* A container's limit on time counts for all of its processes. */
static void limits(void)
{
	machine((struct machine){ 1, 1, 1, 8, 2 }, NULL);
	is_int(4, bspj_cores_each(cores, ncores, 2, 16), "no limit: all cores");
	is_int(2, bspj_cores_each(cores, ncores, 2, 10), "ten of sixteen processors: 2 + 2 cores");
	is_int(1, bspj_cores_each(cores, ncores, 2, 2), "at least one");
	is_int(1, bspj_cores_each(cores, ncores, 9, 16), "also for more processes than cores");
}

static void lists(void)
{
	static const char *const good[] = { "0", "0-3", "0,2", "0-1,4,6-7", "1023" };
	static const char *const bad[] = { "", "a", "1,", ",1", "3-1", "1-", "-1", "1024", "1 2",
					   "0-1023,1024" };
	char text[100], narrow[12];
	cpu_set_t set;

	for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
		bool read = bspj_cpus_read(good[i], &set);

		bspj_cpus_write(&set, text, sizeof text);
		ok(read && strcmp(text, good[i]) == 0, "the list %s", good[i]);
	}
	for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
		ok(!bspj_cpus_read(bad[i], &set), "no list: \"%s\"", bad[i]);
	bspj_cpus_read("1,3,5,7,9", &set);
	bspj_cpus_write(&set, narrow, sizeof narrow);
	is_str("1,3,5,7,...", narrow, "a long list is cut");
}

int main(void)
{
	one_socket();
	threads_of_a_core();
	two_sockets();
	nodes_and_caches();
	limits();
	lists();
	return done_testing();
}
