// SPDX-License-Identifier: BSD-3-Clause
/* cast.c - multicasts of schedules in the kernel, on good and bad networks, with forged frames. */

/*
 * usage, after segment() of testlib, in which host h1 is rank 0, and so on:
 *
 *	cast NPROCS [lossy]		on hosts; lossy: frames are lost and retransmitted
 *	cast loopback NPROCS		all on this one, by its loopback interface
 *	cast networks NPROCS		over two networks, eth0 and eth1
 *	cast unauthenticated NPROCS		while another host sends forged frames to the group
 *	cast softirq NPROCS		who sends and receives them; parameter softirq is Y
 *	cast times NPROCS ROUNDS	times of barriers, released by a tree and by multicast
 */

#include "drops.h"
#include "goal_job.h"
#include "packets.h"
#include "proof.h"

#include "goal/gen/goal_gen.h"

#include <linux/if_packet.h>
#include <poll.h>
#include <signal.h>
#include <time.h>

enum { STREAM = 80, LONGEST = 1400, RUNS = 6, BARRIERS = 60 };

/* ---- Barriers ---------------------------------------------------------------------------- */

/* Its counts are in the scratchpad. */
static uint32_t load_barrier(const char *algorithm, enum goal_release release,
			     struct goal_counts *counts, size_t *scratch)
{
	struct goal_task task = { .kind = GOAL_BARRIER,
				  .algorithm = goal_algorithm_named(GOAL_BARRIER, algorithm),
				  .arity = 3,
				  .release = release,
				  .networks = (int)networks,
				  .call = -1,
				  .counts = counts };
	char why[160] = "";
	size_t len;
	void *block = goal_generate(&task, nprocs, rank, &len, why, sizeof(why));
	uint32_t id;

	if (!block)
		fail(why);
	*scratch = ((struct goal_header *)block)->scratch_bytes;
	id = load_block(block, len);
	free(block);
	return id;
}

static void barrier_once(uint32_t id, const struct goal_counts *counts, void *scratch, size_t len,
			 int round)
{
	uint32_t *out = (uint32_t *)((char *)scratch + counts->out);

	for (int d = 1; d < nprocs; d++)
		out[d] = round * 10 + (rank + d) % nprocs;
	shared->step[rank] = round;
	finish(start(id, NULL, NULL, scratch, len), scratch, len);
	for (int q = 0; q < nprocs; q++)
		if (shared->step[q] < round)
			fail("left before all had entered");
	if (*(uint32_t *)((char *)scratch + counts->in) !=
	    (uint32_t)((nprocs - 1) * (round * 10 + rank)))
		fail("wrong count");
}

static void barriers_wait_for_all(void)
{
	static const char *const algorithms[] = { "binomial", "knomial", "linear" };

	for (int a = 0; a < 3; a++) {
		struct goal_counts counts = { .words = false };
		size_t len;
		uint32_t id = load_barrier(algorithms[a], GOAL_RELEASE_MULTICAST, &counts, &len);
		void *scratch = calloc(1, len);

		for (int i = 1; i <= BARRIERS; i++)
			barrier_once(id, &counts, scratch, len, a * BARRIERS + i);
		free(scratch);
	}
}

/* ---- Many small broadcasts ------------------------------------------------------------------ */

static size_t length_of(int n)
{
	return n % 7 == 0 ? 0 : n * 173 % LONGEST;
}

static unsigned char byte_of(int from, int n, int run, size_t at)
{
	return (unsigned char)(from * 77 + n * 31 + run * 13 + at);
}

/* Each multicasts STREAM messages, and gets those of all others. */
static uint32_t load_streams(void)
{
	struct goal_graph *g = goal_graph_create(nprocs, rank);
	int source = goal_buffer(g), target = goal_buffer(g);

	for (int n = 0; n < STREAM; n++)
		goal_multicast(g, length_of(n), GOAL_AT(source, (uint64_t)n * LONGEST), n);
	for (int q = 0; q < nprocs; q++)
		for (int n = 0; n < STREAM && q != rank; n++)
			goal_recv(g, length_of(n),
				  GOAL_AT(target, (uint64_t)(q * STREAM + n) * LONGEST), q, n);
	goal_buffer_at_least(g, target, 1);
	return load_graph(g);
}

static void check_streams(const unsigned char *got, int run)
{
	for (int q = 0; q < nprocs; q++)
		for (int n = 0; n < STREAM && q != rank; n++)
			for (size_t i = 0; i < length_of(n); i++)
				if (got[(size_t)(q * STREAM + n) * LONGEST + i] !=
				    byte_of(q, n, run, i))
					fail("wrong byte");
}

static void streams_arrive(void)
{
	size_t mine = (size_t)STREAM * LONGEST;
	unsigned char *out = malloc(mine * RUNS), *in = malloc(mine * nprocs * RUNS);
	uint32_t id = load_streams(), slot[RUNS];

	for (int f = 0; f < RUNS; f++) {
		for (size_t i = 0; i < mine; i++)
			out[f * mine + i] = byte_of(rank, i / LONGEST, f, i % LONGEST);
		slot[f] = start(id, out + f * mine, in + f * mine * nprocs, NULL, 0);
	}
	for (int f = RUNS - 1; f >= 0; f--) {
		finish(slot[f], NULL, 0);
		check_streams(in + f * mine * nprocs, f);
	}
	free(out);
	free(in);
}

/*
 * ---- Order -------------------------------------------------------------------------------------
 */

/*
 * Multicasts and, to process 1, sends, all with one tag and each after the start of the one before:
 * 0, 1, 2, ...
 */
static void order_is_kept(void)
{
	enum { MESSAGES = 12 };
	struct goal_graph *g = goal_graph_create(nprocs, rank);
	int data = goal_buffer(g), before = -1;
	int at[MESSAGES];

	for (int n = 0; n < MESSAGES; n++) {
		struct goal_place place = GOAL_AT(data, n * sizeof(int));
		bool all = n % 3 != 1;
		int op = -1;

		at[n] = rank ? -1 : n;
		if (rank == 0)
			op = all ? goal_multicast(g, sizeof(int), place, 5) :
				   goal_send(g, sizeof(int), place, 1, 5);
		else if (all || rank == 1)
			op = goal_recv(g, sizeof(int), place, 0, 5);
		if (op >= 0 && before >= 0)
			goal_irequires(g, op, before);
		if (op >= 0)
			goal_place_on(g, op, 0, n / 2 % networks);
		before = op >= 0 ? op : before;
	}
	goal_buffer_at_least(g, data, sizeof(at));
	finish(start(load_graph(g), at, NULL, NULL, 0), NULL, 0);
	for (int n = 0; n < MESSAGES; n++)
		if (at[n] != (n % 3 != 1 || rank < 2 ? n : -1))
			fail("out of order");
}

/*
 * A message of process 1 lets process 0 start in softirq, which leaves to its worker what it sends
 * to all; what it then sends to process 1 alone must not overtake that.
 */
static uint32_t load_order_after_message(void)
{
	enum { BEGIN = 9, TAG = 5 };
	struct goal_graph *g = goal_graph_create(nprocs, rank);
	int data = goal_buffer(g), before = -1;

	if (rank == 1)
		goal_send(g, 0, GOAL_NOWHERE, 0, BEGIN);
	if (rank == 0)
		before = goal_recv(g, 0, GOAL_NOWHERE, 1, BEGIN);
	for (int n = 0; n < (rank < 2 ? 2 : 1); n++) {
		struct goal_place place = GOAL_AT(data, n * sizeof(int));
		int op = rank   ? goal_recv(g, sizeof(int), place, 0, TAG) :
			 n == 0 ? goal_multicast(g, sizeof(int), place, TAG) :
				  goal_send(g, sizeof(int), place, 1, TAG);

		if (rank == 0 && n == 0)
			goal_requires(g, op, before);
		else if (n)
			goal_irequires(g, op, before);
		before = op;
	}
	goal_buffer_at_least(g, data, 2 * sizeof(int));
	return load_graph(g);
}

static void order_is_kept_after_message(void)
{
	enum { RUNS = 200 };
	uint32_t id = load_order_after_message();

	for (int n = 0; n < RUNS; n++) {
		int at[2] = { rank ? -1 : 2 * n, rank ? -1 : 2 * n + 1 };

		if (rank == 1)
			usleep(500);	/* others wait in the kernel by then, most often */
		finish(start(id, at, NULL, NULL, 0), NULL, 0);
		if (at[0] != 2 * n || at[1] != (rank < 2 ? 2 * n + 1 : -1))
			fail("out of order");
	}
}

/*
 * ---- Peace -------------------------------------------------------------------------------------
 */

static long frames_sent(void)
{
	return (long)packets_on("eth0").sent;
}

/*
 * Within a while nothing is sent any more, for several times as long as a process waits
 * before it asks.
 */
static void peace_comes(void)
{
	long before = -1, now = frames_sent();

	shared->finished++;
	for (int i = 0; i < 100 && (now != before || shared->finished < nprocs); i++) {
		before = now;
		usleep(200000);
		now = frames_sent();
	}
	if (now != before)
		fail("there is no peace");
}

/*
 * ---- On hosts ----------------------------------------------------------------------------------
 */

static void print_stats(void)
{
	printf("# %lu as frames, %lu repaired, %lu as copies, %lu doubled, %lu refused\n",
	       (unsigned long)shared->multicasts, (unsigned long)shared->repaired,
	       (unsigned long)shared->copied, (unsigned long)shared->doubled,
	       (unsigned long)shared->refused);
}

static void barriers_then_peace(void)
{
	barriers_wait_for_all();
	peace_comes();
}

static int on_hosts(bool lossy)
{
	job(barriers_then_peace,
	    "barriers wait for all and bring their counts; then nothing is sent");
	print_stats();
	ok(shared->multicasts > 3 * BARRIERS / 2, "they are released by multicast");
	ok(!lossy || shared->repaired, "which is repaired where frames get lost");
	is(shared->refused, 0, "and nothing is refused");
	job(streams_arrive, "many small broadcasts arrive once, with their bytes");
	print_stats();
	ok(shared->multicasts >= (uint64_t)nprocs * STREAM / 2, "as frames");
	ok(shared->copied + shared->multicasts == (uint64_t)nprocs * STREAM * RUNS,
	   "or as copies");
	job(order_is_kept, "messages of one tag keep their order");
	is(shared->multicasts, 0, "which multicasts would not");
	return done_testing();
}

/*
 * ---- Two networks ------------------------------------------------------------------------------
 */

/* Sent and received: a process may send all its messages over one, and receive by the other. */
static long frames_of(const char *interface)
{
	struct packets n = packets_on(interface);

	return n.received + n.sent;
}

static void barriers_by_both(void)
{
	long first = frames_of("eth0"), second = frames_of("eth1");

	barriers_wait_for_all();
	if (rank != 0)
		return;
	first = frames_of("eth0") - first;
	second = frames_of("eth1") - second;
	printf("# process 0 has seen %ld frames on one and %ld on the other\n", first, second);
	if (first < BARRIERS || second < BARRIERS)
		fail("one has carried little");
}

/* Sends of one tag that name one network and the other. */
static void order_is_kept_by_both(void)
{
	enum { MESSAGES = 40 };
	struct goal_graph *g = goal_graph_create(nprocs, rank);
	int data = goal_buffer(g), before = -1;
	int at[MESSAGES];

	for (int n = 0; n < MESSAGES && rank < 2; n++) {
		struct goal_place place = GOAL_AT(data, n * sizeof(int));
		int op = rank ? goal_recv(g, sizeof(int), place, 0, 5) :
				goal_send(g, sizeof(int), place, 1, 5);

		at[n] = rank ? -1 : n;
		goal_place_on(g, op, 0, n % 2);
		if (before >= 0)
			goal_irequires(g, op, before);
		before = op;
	}
	goal_buffer_at_least(g, data, sizeof(at));
	finish(start(load_graph(g), at, NULL, NULL, 0), NULL, 0);
	for (int n = 0; n < MESSAGES && rank < 2; n++)
		if (at[n] != n)
			fail("out of order");
}

static int over_two_networks(void)
{
	networks = 2;
	job(barriers_by_both, "barriers are right, and both networks carry them");
	ok(shared->multicasts > 0, "with release by multicast over the first");
	job(order_is_kept_by_both, "messages of one peer and tag keep their order");
	job(order_is_kept, "among multicasts too");
	return done_testing();
}

/*
 * ---- Unauthenticated peers ---------------------------------------------------------------------
 */

struct forged {
	unsigned char to[6], from[6];
	uint16_t ethertype;
	uint8_t version, type;
	uint16_t len, sport, dport;
	uint64_t proof;
	uint32_t rank, kind, number, schedule, run, tag;
	uint64_t bytes;
	char data[64];
} __attribute__((packed));

/* The number of the first multicast of a process. */
static const uint32_t FIRST_NUMBER = -20;

static int raw_socket(const char *host)
{
	struct sockaddr_ll ll = { .sll_family = AF_PACKET, .sll_protocol = htons(0x88b5) };
	struct packet_mreq all = { .mr_type = PACKET_MR_PROMISC };
	int fd;

	enter(host);
	ll.sll_ifindex = all.mr_ifindex = (int)if_nametoindex("eth0");
	fd = socket(AF_PACKET, SOCK_RAW, htons(0x88b5));
	if (fd < 0 || bind(fd, (struct sockaddr *)&ll, sizeof(ll)) ||
	    setsockopt(fd, SOL_PACKET, PACKET_ADD_MEMBERSHIP, &all, sizeof(all)))
		bail("AF_PACKET");
	return fd;
}

static struct forged good_frame(int from, uint32_t number)
{
	struct forged f = { .ethertype = htons(0x88b5),
			    .version = 1,
			    .type = 1,
			    .len = htons(40 + 64),
			    .sport = htons(GROUP_PORT),
			    .dport = htons(GROUP_PORT),
			    .rank = from,
			    .kind = 0x45473043,
			    .number = FIRST_NUMBER + number,
			    .tag = 77,
			    .schedule = 9,
			    .bytes = 64 };
	struct sockaddr_en g = address(0, 0, group), h;
	char name[16], mac[32];

	host_of(from, name, mac);
	h = address(0, 0, mac);
	memcpy(f.to, g.sen_addr, 6);
	memcpy(f.from, h.sen_addr, 6);
	return f;
}

/* Each is wrong in one thing. */
static void forge(int fd, int turn)
{
	struct forged f = good_frame(turn % nprocs, turn);

	switch (turn % 9) {
	case 1: f.rank = nprocs + turn; break;
	case 2: f.rank = 0xffffffff; break;
	case 3: f.kind++; break;
	case 4: f.bytes = turn % 2 ? 65 : ~0ull; break;
	case 5: f.number += 0x10000; break;
	case 6: f.from[5] ^= 0x40; break;
	case 7: f.len = htons(turn % 40); break;
	case 8: f.sport = htons(GROUP_PORT + 1); break;
	}
	f.proof = proof_of_frame(&f.proof, f.data, sizeof(f.data), key);
	if (turn % 18 == 0)
		f.proof ^= 1ull << turn / 18 % 64;
	if (turn % 18 == 9)
		f.data[turn % 64] ^= 1;
	send(fd, &f, sizeof(f), 0);
}

/* Sends every multicast twice more, and forges frames in every way. */
static void disturb(int fd)
{
	unsigned char frame[2000];

	for (int turn = 0;; turn++) {
		struct pollfd p = { .fd = fd, .events = POLLIN };
		ssize_t n = poll(&p, 1, 1) == 1 ? recv(fd, frame, sizeof(frame), 0) : 0;

		shared->recorded += n > 0;
		shared->leaked += n > 0 && memmem(frame, n, &key, sizeof(key));
		for (int i = 0; i < 2 && n > 0 && frame[0] == 0x03; i++)
			send(fd, frame, n, 0);
		forge(fd, turn);
	}
}

static int among_unauthenticated(void)
{
	char name[16], mac[32];
	pid_t unauthenticated;
	int fd;

	host_of(nprocs, name, mac);
	fd = raw_socket(name);
	reset();
	key = 0x5ac1e97f3b2d8604;
	fflush(stdout);
	unauthenticated = fork();
	if (unauthenticated == 0)
		disturb(fd);
	for (int i = 0; i < nprocs; i++)
		spawn(i, barriers_wait_for_all);
	for (int i = 0; i < nprocs; i++)
		wait(NULL);
	kill(unauthenticated, SIGKILL);
	while (wait(NULL) > 0)
		;
	ok(shared->failures == 0, "among unauthenticated peers barriers wait for all");
	print_stats();
	ok(shared->multicasts > 0, "by multicast");
	ok(shared->refused > 0, "forged frames are counted");
	ok(shared->doubled > 0, "and those that were replayed");
	ok(shared->recorded > 0 && !shared->leaked, "no frame shows the key of the job");
	return done_testing();
}

/* ---- Another user of a host of the job ----------------------------------------------------- */

static void barriers_afterwards(void)
{
	while (!shared->finished)
		usleep(1000);
	barriers_wait_for_all();
}

/* Requests to connect that host h2 has not received. */
static unsigned long long not_invited(void)
{
	unsigned long long n = dropped("h2", "not_invited");

	enter("h1");
	return n;
}

/* From rank 0's host to rank 1, from a port of programs. */
static bool is_received(void)
{
	struct sockaddr_en to = address(PORT, if_nametoindex("eth0"), "02:00:00:00:01:02");
	int fd = socket(AF_ENET, SOCK_STREAM | SOCK_NONBLOCK, 0);
	struct pollfd p = { .fd = fd, .events = POLLOUT };
	unsigned long long before = not_invited();

	if (connect(fd, generic(&to), sizeof(to)) == 0 || errno != EINPROGRESS)
		return true;
	while (not_invited() == before)
		if (poll(&p, 1, 10) == 1)
			return true;
	close(fd);
	return false;
}

static void act_as_user(void)
{
	struct sockaddr_en group_port = address(GROUP_PORT, 0, NULL);
	struct sockaddr_en kernel_port = address(ENET_PORT_FIRST_KERNEL + 1, 0, NULL);
	int fd = socket(AF_ENET, SOCK_DGRAM, 0), on = 1;

	ok(!is_received(), "a job does not hear connections from ports of programs");
	if (setresgid(1000, 1000, 1000) || setresuid(1000, 1000, 1000))
		bail("setresuid");
	fails(open("/dev/espgoal", O_RDWR), EACCES, "another user cannot open the device");
	setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
	fails(bind(fd, generic(&group_port), sizeof(group_port)), EADDRINUSE,
	      "nor share the port of a job's group");
	fails(bind(fd, generic(&kernel_port), sizeof(kernel_port)), EACCES,
	      "nor have a port of the kernel's, of datagrams");
	fails(bind(socket(AF_ENET, SOCK_STREAM, 0), generic(&kernel_port), sizeof(kernel_port)),
	      EACCES, "or of connections");
}

static int beside_another_user(void)
{
	int status;

	reset();
	for (int i = 0; i < nprocs; i++)
		spawn(i, barriers_afterwards);
	while (shared->started + shared->failures < nprocs)
		usleep(1000);
	enter("h1");
	act_as_user();
	shared->finished = 1;
	while (wait(&status) > 0)
		;
	ok(shared->failures == 0, "and the job runs");
	return done_testing();
}

/* ---- Whose work it is -------------------------------------------------------------------- */

static uint64_t workqueue_runs(void)
{
	struct espgoal_stats s;

	if (ioctl(device, ESPGOAL_STATS, &s))
		fail("stats");
	return s.workqueue_runs;
}

/* The worker makes the connections. */
static void count_workers(void)
{
	barriers_wait_for_all();
	shared->recorded += (int)workqueue_runs();
}

static int by_softirqs(void)
{
	job(count_workers, "barriers that are released by multicast wait for all");
	printf("# the worker has run %d times in %d barriers\n", shared->recorded,
	       3 * BARRIERS * nprocs);
	ok(shared->multicasts >= 3 * BARRIERS / 2, "they go as frames");
	ok(shared->recorded < 3 * BARRIERS * nprocs / 2, "softirqs send and receive them");
	job(order_is_kept_after_message,
	    "what softirqs leave to the worker is not overtaken by messages of its tag");
	return done_testing();
}

/*
 * ---- Times -------------------------------------------------------------------------------------
 */

static int rounds;
static enum goal_release way;
static const char *how;

static double seconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec + t.tv_nsec * 1e-9;
}

static int by_size(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static void time_barriers(void)
{
	double *took = malloc(rounds * sizeof(*took)), begin;
	struct goal_counts counts = { .words = false };
	size_t len;
	uint32_t id = load_barrier(how, way, &counts, &len);
	void *scratch = calloc(1, len);
	long frames;

	for (int i = 1; i <= 20; i++)
		barrier_once(id, &counts, scratch, len, i);
	frames = frames_sent();
	for (int i = 0; i < rounds; i++) {
		begin = seconds();
		finish(start(id, NULL, NULL, scratch, len), scratch, len);
		took[i] = seconds() - begin;
	}
	qsort(took, rounds, sizeof(*took), by_size);
	shared->copied += frames_sent() - frames;
	if (rank == 0)
		printf("# %d processes, %s, %s: median %.0f us", nprocs, how,
		       way == GOAL_RELEASE_TREE ? "tree" : "multicast", took[rounds / 2] * 1e6);
	fflush(stdout);
}

static int times(void)
{
	static const char *const algorithms[] = { "binomial", "knomial", "linear",
						  "dissemination" };

	for (int a = 0; a < 4; a++)
		for (int r = 0; r < (a < 3 ? 2 : 1); r++) {
			how = algorithms[a];
			way = r ? GOAL_RELEASE_MULTICAST : GOAL_RELEASE_TREE;
			reset();
			for (int i = 0; i < nprocs; i++)
				spawn(i, time_barriers);
			while (wait(NULL) > 0)
				;
			printf(", %.1f frames for each, %lu as frames\n",
			       (double)shared->copied / rounds, (unsigned long)shared->multicasts);
		}
	return 0;
}

int main(int argc, char **argv)
{
	const char *mode = argc > 1 ? argv[1] : "2";
	bool named = mode[0] < '0' || mode[0] > '9';

	begin_test(atoi(named && argc > 2 ? argv[2] : mode));
	rounds = argc > 3 ? atoi(argv[3]) : 100;
	loopback = strcmp(mode, "loopback") == 0;
	if (strcmp(mode, "unauthenticated") == 0)
		return among_unauthenticated();
	if (strcmp(mode, "user") == 0)
		return beside_another_user();
	if (strcmp(mode, "softirq") == 0)
		return by_softirqs();
	if (strcmp(mode, "networks") == 0)
		return over_two_networks();
	if (strcmp(mode, "times") == 0)
		return times();
	return on_hosts(argc > 2 && strcmp(argv[2], "lossy") == 0);
}

