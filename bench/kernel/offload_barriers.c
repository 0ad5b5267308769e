// SPDX-License-Identifier: BSD-3-Clause
/* offload_barriers.c - barriers in the kernel, with and without multicast and a second network. */

/*
 * The measurements of Iwasaki and others in "Fast Barrier Synchronization on commodity PC Cluster
 * connected with Ethernet", Figs. 5 to 10. As in offload_measure.c all times are divided by the
 * number of hosts, which share one processor, and the link is as many times as slow as it says.
 *
 * The benchmark of its Fig. 4 is offload_nodes(): each process times each of its barriers, with a
 * pause between two, and nothing is divided. The pause is a sleep, as a loop would take the shared
 * processor from the other hosts. It also counts the frames that the interfaces send.
 *
 * And the overheads of section 5.1.1, of two hosts of which one works at a time: a process sends a
 * burst of messages, or of multicasts, and gets one message when the last has been received. The
 * link is so slow that all are sent before the first arrives. One more message makes the call
 * longer by os, and the answer later by or, or by os if that is more. Without a link all work of
 * one more message on both hosts happens one after the other: the part of this work that is neither
 * os nor or comes after sending, as an interrupt of the paper's cards does.
 */
#include "offload.h"

#include "espgoal.h"
#include "goal/gen/goal_gen.h"
#include "goal/goal_graph.h"
#include "tools/measure/clock.h"
#include "tools/measure/sample.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <net/if.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { PORTS = 2100, BURST = 16, TRIALS = 40, WARM = 3, BATCH = 10, ROUNDS_MOST = 1000 };

struct variant {
	const char *name, *algorithm;
	int arity;
	enum goal_release release;
	int networks;
};

static const struct variant variants[] = {
	{ "dissemination", "dissemination", 2, GOAL_RELEASE_TREE, 1 },
	{ "tree-2-back", "binomial", 2, GOAL_RELEASE_TREE, 1 },
	{ "butterfly", "butterfly", 2, GOAL_RELEASE_TREE, 1 },
	{ "tree-2", "binomial", 2, GOAL_RELEASE_MULTICAST, 1 },
	{ "tree-3", "knomial", 3, GOAL_RELEASE_MULTICAST, 1 },
	{ "tree-4", "knomial", 4, GOAL_RELEASE_MULTICAST, 1 },
	{ "concurrent", "linear", 2, GOAL_RELEASE_MULTICAST, 1 },
	{ "tree-3-by-2", "knomial", 3, GOAL_RELEASE_MULTICAST, 2 },
	{ "concurrent-by-2", "linear", 2, GOAL_RELEASE_MULTICAST, 2 },
};

enum { VARIANTS = sizeof variants / sizeof variants[0], MOVERS = 2 };

static const char *const movers[MOVERS] = { "softirq", "worker" };

/* Times of the barriers of one process, us, and the frames that its host sent. */
struct node {
	double least, mean, most;
	long frames;
};

/* Memory that all processes see. */
struct barriers_shared {
	pthread_barrier_t barrier;
	double began[OFFLOAD_HOSTS], ended[OFFLOAD_HOSTS];
	struct node node[OFFLOAD_HOSTS];
};

static struct barriers_shared *seen;
static int hosts, me;
static uint64_t job_key;

static void barriers_meet(void)
{
	pthread_barrier_wait(&seen->barrier);
}

/* ---- Jobs in the kernel ----------------------------------------------------------------- */

/* eth0 of host h1 has 02:00:00:00:01:01, its eth1 02:00:00:00:02:01. */
static struct sockaddr_en barriers_address(int networks, int network, int rank)
{
	return (struct sockaddr_en){ .sen_family = AF_ENET,
				     .sen_port = htons((uint16_t)(PORTS + networks)),
				     .sen_ifindex = if_nametoindex(network ? "eth1" : "eth0"),
				     .sen_addrlen = ENET_ADDR_BYTES,
				     .sen_addr = { 2, 0, 0, 0, (unsigned char)(network + 1),
						   (unsigned char)(rank + 1) } };
}

static int barriers_join(int networks)
{
	struct sockaddr_en peers[2 * OFFLOAD_HOSTS];
	struct espgoal_join join = { .version = ESPGOAL_VERSION, .nprocs = (uint32_t)hosts,
				     .rank = (uint32_t)me, .networks = (uint32_t)networks,
				     .key = job_key + (uint64_t)networks,
				     .peers = (uintptr_t)peers };
	int device = open("/dev/espgoal", O_RDWR | O_CLOEXEC);

	for (int n = 0; n < networks; n++)
		for (int q = 0; q < hosts; q++)
			peers[n * hosts + q] = barriers_address(networks, n, q);
	join.group = (struct sockaddr_en){ .sen_family = AF_ENET,
					   .sen_port = htons((uint16_t)(PORTS + 2 + networks)),
					   .sen_addrlen = ENET_ADDR_BYTES,
					   .sen_addr = { 3, 0x42, 0x53, 0x50, 0,
							 (unsigned char)networks } };
	if (device < 0 || ioctl(device, ESPGOAL_JOIN, &join))
		offload_fail("/dev/espgoal");
	barriers_meet();
	return device;
}

static uint32_t barriers_load(int device, const void *block, size_t len)
{
	struct espgoal_load load = { .block = (uintptr_t)block, .bytes = len };

	if (ioctl(device, ESPGOAL_LOAD, &load))
		offload_fail("ESPGOAL_LOAD");
	return load.id;
}

static uint32_t barriers_start(int device, uint32_t id)
{
	struct espgoal_start start = { .id = id };

	if (ioctl(device, ESPGOAL_START, &start))
		offload_fail("ESPGOAL_START");
	return start.slot;
}

static void barriers_finish(int device, uint32_t slot)
{
	struct espgoal_finish finish = { .slot = slot };

	while (ioctl(device, ESPGOAL_FINISH, &finish))
		if (errno != EINTR)
			offload_fail("ESPGOAL_FINISH");
}

static void set_mover(int mover)
{
	barriers_meet();
	if (me == 0)
		offload_set_softirq(mover ? 'N' : 'Y');
	barriers_meet();
}

/* ---- Barriers --------------------------------------------------------------------------- */

static uint32_t load_variant(int device, const struct variant *v)
{
	struct goal_task task = { .kind = GOAL_BARRIER, .arity = v->arity, .release = v->release,
				  .networks = v->networks, .call = -1,
				  .algorithm = goal_algorithm_named(GOAL_BARRIER, v->algorithm) };
	char why[160];
	size_t len;
	void *block = goal_generate(&task, hosts, me, &len, why, sizeof why);
	uint32_t id;

	errno = EINVAL;
	if (!block)
		offload_fail(why);
	id = barriers_load(device, block, len);
	free(block);
	return id;
}

/* The time of one barrier of a batch, from the first process's beginning to the last one's end. */
static double barriers_seconds(int device, uint32_t id, int times)
{
	double first, last;

	barriers_meet();
	seen->began[me] = clock_now_s();
	for (int i = 0; i < times; i++)
		barriers_finish(device, barriers_start(device, id));
	seen->ended[me] = clock_now_s();
	barriers_meet();
	first = seen->began[0];
	last = seen->ended[0];
	for (int q = 1; q < hosts; q++) {
		first = seen->began[q] < first ? seen->began[q] : first;
		last = seen->ended[q] > last ? seen->ended[q] : last;
	}
	return (last - first) / times;
}

static void barriers_process(int rounds, const char *link)
{
	static double us[VARIANTS][MOVERS][ROUNDS_MOST];
	int device[3] = { -1, barriers_join(1), barriers_join(2) };
	uint32_t id[VARIANTS];

	for (int v = 0; v < VARIANTS; v++) {
		id[v] = load_variant(device[variants[v].networks], &variants[v]);
		barriers_seconds(device[variants[v].networks], id[v], WARM);
	}
	for (int r = 0; r < rounds; r++)
		for (int m = 0; m < MOVERS; m++) {
			set_mover(m);
			for (int v = 0; v < VARIANTS; v++)
				us[v][m][r] = 1e6 / hosts *
					      barriers_seconds(device[variants[v].networks], id[v],
							       BATCH);
		}
	for (int v = 0; me == 0 && v < VARIANTS; v++)
		for (int m = 0; m < MOVERS; m++)
			offload_row("variant", variants[v].name, movers[m], hosts, link, us[v][m],
				    rounds);
}

/* ---- Barriers as each process sees them --------------------------------------------------- */

static const long pause_ns = 30000;

/* The frames of this host's two interfaces, since they are there. */
static long frames_sent(void)
{
	FILE *f = fopen("/proc/thread-self/net/dev", "r");
	char line[400], name[16];
	long sum = 0, frames;

	if (!f)
		offload_fail("/proc/thread-self/net/dev");
	while (fgets(line, sizeof line, f))
		if (sscanf(line, " %15[^:]: %*s %*s %*s %*s %*s %*s %*s %*s %*s %ld", name,
			   &frames) == 2 && strncmp(name, "eth", 3) == 0)
			sum += frames;
	fclose(f);
	return sum;
}

static double one_barrier_us(int device, uint32_t id)
{
	double began = clock_now_s();

	barriers_finish(device, barriers_start(device, id));
	return 1e6 * (clock_now_s() - began);
}

/* Frames count until none follows: acknowledgements are late. */
static struct node node_measure(int device, uint32_t id, int times)
{
	const struct timespec pause = { .tv_nsec = pause_ns };
	struct node node = { .least = 1e12, .frames = -frames_sent() };
	double us;

	for (int i = 0; i < times; i++) {
		us = one_barrier_us(device, id);
		node.least = us < node.least ? us : node.least;
		node.most = us > node.most ? us : node.most;
		node.mean += us / times;
		clock_nanosleep(CLOCK_MONOTONIC, 0, &pause, NULL);
	}
	barriers_meet();
	usleep(100000);
	node.frames += frames_sent();
	return node;
}

static void nodes_print(const char *variant, const char *mover, const char *link, int times)
{
	for (int q = 0; q < hosts; q++)
		printf("row node %s %s %d %s %d %.6g %.6g %.6g %.6g\n", variant, mover, hosts, link,
		       q, seen->node[q].least, seen->node[q].mean, seen->node[q].most,
		       (double)seen->node[q].frames / times);
	fflush(stdout);
}

/* On a processor of its own, if there are so many. Its frames are taken there: see barriers.sh. */
static void nodes_bind(void)
{
	cpu_set_t own;

	CPU_ZERO(&own);
	CPU_SET((unsigned int)me, &own);
	if (sysconf(_SC_NPROCESSORS_ONLN) >= hosts && sched_setaffinity(0, sizeof own, &own))
		offload_fail("sched_setaffinity");
}

/* The variant of that name; "all" means each. */
static const char *nodes_variant = "all";

static void nodes_process(int times, const char *link)
{
	int device[3] = { -1, barriers_join(1), barriers_join(2) };

	nodes_bind();
	prctl(PR_SET_TIMERSLACK, 1ul);
	for (int v = 0; v < VARIANTS; v++) {
		const struct variant *variant = &variants[v];
		int on = device[variant->networks];
		uint32_t id;

		if (strcmp(nodes_variant, "all") && strcmp(nodes_variant, variant->name))
			continue;
		id = load_variant(on, variant);
		for (int m = 0; m < MOVERS; m++) {
			set_mover(m);
			barriers_seconds(on, id, WARM);
			seen->node[me] = node_measure(on, id, times);
			barriers_meet();
			if (me == 0)
				nodes_print(variant->name, movers[m], link, times);
		}
	}
}

/* ---- Barriers of processes of one host ---------------------------------------------------- */

static const char *const near_ways[] = { "inside", "frames" };

/* A job for each way, as connections stay what they are. */
static int near_join(int way)
{
	struct sockaddr_en peers[OFFLOAD_HOSTS];
	struct espgoal_join join = { .version = ESPGOAL_VERSION, .nprocs = (uint32_t)hosts,
				     .rank = (uint32_t)me, .networks = 1,
				     .key = job_key + (uint64_t)way, .peers = (uintptr_t)peers };
	int device = open("/dev/espgoal", O_RDWR | O_CLOEXEC);

	for (int q = 0; q < hosts; q++)
		peers[q] = (struct sockaddr_en){
			.sen_family = AF_ENET,
			.sen_port = htons((uint16_t)(PORTS + 10 + way * OFFLOAD_HOSTS + q)),
			.sen_ifindex = if_nametoindex("lo"), .sen_addrlen = ENET_ADDR_BYTES,
		};
	if (device < 0 || ioctl(device, ESPGOAL_JOIN, &join))
		offload_fail("/dev/espgoal");
	return device;
}

static void near_set(char value)
{
	barriers_meet();
	if (me == 0)
		offload_set_near(value);
	barriers_meet();
}

/* Dissemination and a tree. Not divided by the processes, as they are of one host. */
static void near_process(int rounds, const char *link)
{
	static double us[2][2][ROUNDS_MOST];
	uint32_t id[2][2];
	int device[2];

	for (int way = 0; way < 2; way++) {
		near_set(way ? 'N' : 'Y');
		device[way] = near_join(way);
		for (int v = 0; v < 2; v++) {
			id[way][v] = load_variant(device[way], &variants[v]);
			barriers_seconds(device[way], id[way][v], WARM);
		}
	}
	near_set('Y');
	for (int r = 0; r < rounds; r++)
		for (int way = 0; way < 2; way++)
			for (int v = 0; v < 2; v++)
				us[way][v][r] = 1e6 * barriers_seconds(device[way], id[way][v],
								       BATCH);
	for (int way = 0; me == 0 && way < 2; way++)
		for (int v = 0; v < 2; v++)
			offload_row("near", variants[v].name, near_ways[way], hosts, link,
				    us[way][v], rounds);
}

/* ---- Overheads -------------------------------------------------------------------------- */

/* Rank 0 sends @n, and rank 1 one when it has all. */
static uint32_t load_burst(int device, int n, bool multicast)
{
	struct goal_graph *g = goal_graph_create(hosts, me);
	int answer = me ? goal_send(g, 0, GOAL_NOWHERE, 0, BURST) :
			  goal_recv(g, 0, GOAL_NOWHERE, 1, BURST);
	size_t len;
	void *block;
	uint32_t id;

	for (int i = 0; i < n; i++) {
		if (me)
			goal_requires(g, answer, goal_recv(g, 0, GOAL_NOWHERE, 0, (uint32_t)i));
		else if (multicast)
			goal_multicast(g, 0, GOAL_NOWHERE, (uint32_t)i);
		else
			goal_send(g, 0, GOAL_NOWHERE, 1, (uint32_t)i);
	}
	block = goal_compile(g, &len);
	errno = EINVAL;
	if (!block)
		offload_fail(goal_graph_error(g));
	id = barriers_load(device, block, len);
	free(block);
	goal_graph_destroy(g);
	return id;
}

struct burst {
	double call, round_trip;	/* us */
};

/* Rank 1 waits already when rank 0 begins. */
static struct burst burst_once(int device, uint32_t id)
{
	struct burst took = { 0 };
	uint32_t slot = 0;
	double began;

	barriers_meet();
	if (me)
		slot = barriers_start(device, id);
	barriers_meet();
	if (!me) {
		usleep(1000);		/* rank 1 sleeps in its call */
		began = clock_now_s();
		slot = barriers_start(device, id);
		took.call = 1e6 * (clock_now_s() - began);
		barriers_finish(device, slot);
		took.round_trip = 1e6 * (clock_now_s() - began);
	} else {
		barriers_finish(device, slot);
	}
	return took;
}

static struct burst burst_median(int device, uint32_t id)
{
	double call[TRIALS], round_trip[TRIALS];

	for (int i = 0; i < TRIALS + WARM; i++) {
		struct burst b = burst_once(device, id);

		call[i % TRIALS] = b.call;
		round_trip[i % TRIALS] = b.round_trip;
	}
	return (struct burst){ sample_median(call, TRIALS), sample_median(round_trip, TRIALS) };
}

/* @half: of a round trip of messages. Returns that, if it is still 0. */
static double print_overheads(int device, bool multicast, const char *mover, const char *link,
			      double half)
{
	struct burst one = burst_median(device, load_burst(device, 1, multicast));
	struct burst more = burst_median(device, load_burst(device, BURST, multicast));
	double os = (more.call - one.call) / (BURST - 1);
	double or = (more.round_trip - one.round_trip) / (BURST - 1);
	double way = half > 0 ? one.round_trip - half : one.round_trip / 2;
	double L = way - os - or - atof(link);
	const char *what = multicast ? "multicast" : "message";

	if (me)
		return way;
	if (atof(link) <= 0) {
		offload_row("work", what, mover, hosts, link, &or, 1);
		return way;
	}
	offload_row("os", what, mover, hosts, link, &os, 1);
	offload_row("or", what, mover, hosts, link, &or, 1);
	offload_row("L", what, mover, hosts, link, &L, 1);
	return way;
}

static void overheads_process(int rounds, const char *link)
{
	int device = barriers_join(1);

	(void)rounds;
	for (int m = 0; m < MOVERS; m++) {
		double half;

		set_mover(m);
		half = print_overheads(device, false, movers[m], link, 0);
		print_overheads(device, true, movers[m], link, half);
	}
}

/* ---- Processes -------------------------------------------------------------------------- */

/* One that fails takes the others with it, which would wait for it. */
static void barriers_wait(const pid_t *child)
{
	int status;

	for (int left = hosts; left > 0 && wait(&status) > 0; left--) {
		if (status == 0)
			continue;
		for (int q = 0; q < hosts; q++)
			kill(child[q], SIGKILL);
		exit(EXIT_FAILURE);
	}
}

static void barriers_spawn(int nprocs, bool one_host, void (*body)(int rounds, const char *link),
			   int rounds, const char *link)
{
	pthread_barrierattr_t attr;
	pid_t child[OFFLOAD_HOSTS];

	seen = mmap(NULL, sizeof *seen, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (seen == MAP_FAILED)
		offload_fail("memory");
	hosts = nprocs;
	job_key = (uint64_t)(1e9 * clock_now_s());
	pthread_barrierattr_init(&attr);
	pthread_barrierattr_setpshared(&attr, PTHREAD_PROCESS_SHARED);
	pthread_barrier_init(&seen->barrier, &attr, (unsigned int)nprocs);
	fflush(stdout);
	for (me = 0; me < nprocs; me++) {
		child[me] = fork();
		if (child[me] < 0)
			offload_fail("fork");
		if (child[me] == 0) {
			if (!one_host)
				offload_enter(me);
			body(rounds, link);
			barriers_meet();
			_exit(EXIT_SUCCESS);
		}
	}
	barriers_wait(child);
}

void offload_barriers(int nprocs, int rounds, const char *link)
{
	barriers_spawn(nprocs, false, barriers_process, rounds, link);
}

void offload_nodes(int nprocs, int times, const char *link, const char *variant)
{
	nodes_variant = variant;
	barriers_spawn(nprocs, false, nodes_process, times, link);
}

void offload_near(int nprocs, int rounds)
{
	barriers_spawn(nprocs, true, near_process, rounds, "0");
}

void offload_overheads(const char *link)
{
	barriers_spawn(2, false, overheads_process, 0, link);
}
