// SPDX-License-Identifier: BSD-3-Clause
/* misbehaving.c - /dev/espgoal in the hands of processes that mean ill, or die. */

/*
 * usage: misbehaving CLAIM, after segment() of testlib, with hosts h1 to h3:
 *
 *	blocks SEED	damaged schedules: every prefix, random bytes over good ones
 *	calls SEED	random arguments, from threads that race, killed at random moments
 *	lives		children, ends, closes, timeouts, things that go before what they are
 *			needed for
 *	turns WHOSE	who has moved good schedules on: "tasklet" or "worker"
 *	unauthenticated	a peer that connects without the job's key, or with it and speaks wrongly
 */

#include "member.h"
#include "proof.h"
#include "../../lib/random.h"

#include "goal_run.h"

#include <net/if.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>

enum { BIG = 1 << 20 };

static uint64_t state = 1;

static uint32_t chance(uint32_t n)
{
	return (uint32_t)random_below(&state, n);
}

/*
 * ---- Whose turn it was ------------------------------------------------------------------------
 */

enum { TURNS = 50 };

struct turns {
	struct espgoal_stats before, light, all;
	bool good;
};

static struct espgoal_stats stats_of(int fd)
{
	struct espgoal_stats stats;

	if (ioctl(fd, ESPGOAL_STATS, &stats))
		bail("stats");
	return stats;
}

/* Sums of @n numbers, by both; what came out must be right. */
static bool sums(int fd, uint32_t id, int n, int rank)
{
	double *in = calloc(n, sizeof(*in)), *out = calloc(n, sizeof(*out));
	bool good = true;
	uint32_t slot;

	for (int turn = 0; turn < TURNS && good; turn++) {
		in[n - 1] = turn + rank;
		good = !start(fd, id, in, out, &slot) && !finish(fd, slot) &&
		       out[n - 1] == 2 * turn + 1;
	}
	free(in);
	free(out);
	return good;
}

/* Connected, they add numbers that are few, then many. */
static void take_turns(int rank, struct turns *turns)
{
	int fd = join(rank, 31, 0);
	uint32_t few = load(fd, GOAL_ALLREDUCE, "recursive-doubling", sizeof(double), rank);
	uint32_t many = load(fd, GOAL_ALLREDUCE, "recursive-doubling", 4000 * sizeof(double), rank);

	turns->good = sums(fd, few, 1, rank);
	turns->before = stats_of(fd);
	turns->good = turns->good && sums(fd, few, 1, rank);
	turns->light = stats_of(fd);
	turns->good = turns->good && sums(fd, many, 4000, rank);
	turns->all = stats_of(fd);
	close(fd);
}

/* A connection may end, and the report of the other be late: that is the worker's. */
static void whose_turns(bool softly)
{
	struct turns *t =
		mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	uint64_t soft = 0, worker = 0, heavy = 0;

	fflush(stdout);
	for (int rank = 0; rank < 2; rank++)
		if (fork() == 0) {
			take_turns(rank, &t[rank]);
			_exit(0);
		}
	while (wait(NULL) > 0)
		;
	for (int rank = 0; rank < 2; rank++) {
		soft += t[rank].all.softirq_runs;
		worker += t[rank].light.workqueue_runs - t[rank].before.workqueue_runs;
		heavy += t[rank].all.workqueue_runs - t[rank].light.workqueue_runs;
	}
	printf("# tasklet %llu, worker %llu of few and %llu of many\n", (unsigned long long)soft,
	       (unsigned long long)worker, (unsigned long long)heavy);
	ok(t[0].good && t[1].good, "sums of few and of many numbers are right");
	ok(softly ? soft >= TURNS : !soft,
	   softly ? "few are added in softirq" : "nothing is done in softirq");
	ok(softly ? worker < TURNS / 2 : worker >= TURNS / 2,
	   softly ? "and the worker is hardly needed" : "the worker adds few");
	ok(heavy >= TURNS / 2, "and it adds many");
}

/*
 * ---- Damaged schedules ------------------------------------------------------------------------
 */

static void check_block(int fd, const void *block, size_t len, long *taken, long *refused)
{
	struct espgoal_load load;

	if (load_block(fd, block, len, &load) == 0) {
		uint32_t id = load.id;

		++*taken;
		if (ioctl(fd, ESPGOAL_UNLOAD, &id))
			bail("unload");
	} else if (errno == EBADMSG && load.error > 0 && load.error < GOAL_ERRORS &&
		   load.at <= len) {
		++*refused;
	} else if (errno != EINVAL || len) {
		bail("load of a damaged block");
	}
}

static void damaged_blocks(void)
{
	static const struct {
		enum goal_kind kind;
		const char *algorithm;
		uint64_t bytes;
	} kinds[] = {
		{ GOAL_BARRIER, "dissemination", 0 },
		{ GOAL_ALLREDUCE, "recursive-doubling", 64 },
		{ GOAL_EXCHANGE, "direct-rotated", 32 },
		{ GOAL_BCAST, "binomial", 100 },
	};
	int fd = join(0, 1, 0);
	long taken = 0, refused = 0, whole = 0;

	for (size_t k = 0; k < sizeof(kinds) / sizeof(kinds[0]); k++) {
		size_t len;
		unsigned char *good =
			block_of(kinds[k].kind, kinds[k].algorithm, kinds[k].bytes, 0, &len);
		unsigned char *bad = malloc(len);

		for (size_t n = 0; n < len; n++)
			check_block(fd, good, n, &whole, &refused);
		for (int i = 0; i < 3000; i++) {
			memcpy(bad, good, len);
			for (uint32_t n = 1 + chance(4); n > 0; n--)
				bad[chance(len)] = chance(2) ? (unsigned char)chance(256) : 0xff;
			check_block(fd, bad, len, &taken, &refused);
		}
		free(good);
		free(bad);
	}
	printf("# %ld taken, %ld refused\n", taken, refused);
	is(whole, 0, "no part of a schedule is taken for one");
	ok(refused > 1000, "damaged ones are refused, with the reason and the place");
	close(fd);
	ok(all_is_well(2), "and jobs run as before");
}

/*
 * ---- Random calls
 * --------------------------------------------------------------------------------
 */

static int shared_fd;
static unsigned char arena[BIG];
static void *good_block;
static size_t good_len;

static uint64_t some_number(void)
{
	static const uint64_t odd[] = { 0, 1, 7, 8, 4096, 0x7fffffff, 0xffffffff, 1ull << 40, ~0ull,
					0xffff888000000000ull, 0x7ffffffff000ull };

	return chance(3) ? odd[chance(sizeof(odd) / sizeof(odd[0]))] :
			   (uintptr_t)arena + chance(BIG);
}

static void random_call(void)
{
	struct espgoal_join j = { .version = chance(2),
				  .nprocs = chance(3),
				  .rank = chance(3),
				  .networks = chance(4),
				  .key = 3,
				  .peers = chance(2) ? (uintptr_t)peers : some_number() };
	struct espgoal_load l = { .block = chance(3) ? (uintptr_t)good_block : some_number(),
				  .bytes = chance(3) ? good_len : some_number() };
	struct espgoal_start s = { .id = chance(20),
				   .buffers = some_number(),
				   .scratch = some_number(),
				   .scratch_bytes = some_number() };
	struct espgoal_finish f = { .slot = chance(20),
				    .nowait = chance(8),
				    .scratch = some_number(),
				    .scratch_bytes = some_number() };
	uint64_t buffers[2] = { (uintptr_t)arena + 8 * chance(BIG / 16),
				(uintptr_t)arena + 8 * chance(BIG / 16) };
	uint32_t id = chance(20);
	struct espgoal_stats stats;
	struct pollfd p = { .fd = shared_fd, .events = POLLIN };

	switch (chance(10)) {
	case 0:
		ioctl(shared_fd, ESPGOAL_JOIN, &j);
		break;
	case 1:
	case 2:
		ioctl(shared_fd, ESPGOAL_LOAD, &l);
		break;
	case 3:
		ioctl(shared_fd, ESPGOAL_UNLOAD, &id);
		break;
	case 4:
	case 5:
		if (chance(4)) {
			s.buffers = (uintptr_t)buffers;
			s.scratch = 0;
		}
		ioctl(shared_fd, ESPGOAL_START, &s);
		break;
	case 6:
		f.nowait |= chance(4) != 0;
		ioctl(shared_fd, ESPGOAL_FINISH, &f);
		break;
	case 7:
		ioctl(shared_fd, ESPGOAL_STATS, chance(2) ? (uintptr_t)&stats : some_number());
		poll(&p, 1, 0);
		break;
	case 8:
		ioctl(shared_fd, (unsigned long)some_number(), some_number());
		ioctl(shared_fd, _IOC(_IOC_READ | _IOC_WRITE, ESPGOAL_MAGIC, chance(9), chance(64)),
		      some_number());
		break;
	default:
		munmap(mmap(NULL, 4096 * (1 + chance(2)), 1 + chance(7), 1 + chance(2), shared_fd,
			    4096 * (chance(4) == 0)),
		       4096);
	}
}

static void *caller(void *arg)
{
	state = (uintptr_t)arg;
	for (;;)
		random_call();
	return NULL;
}

/* A process of four threads, and sometimes a child, with one file, until it is killed. */
static void wild_process(int rank, uint32_t seed)
{
	pthread_t thread;

	good_block = block_of(GOAL_ALLREDUCE, "recursive-doubling", 64, rank, &good_len);
	shared_fd = try_join(rank, 3, 1000);
	if (shared_fd < 0)
		shared_fd = open("/dev/espgoal", O_RDWR);
	state = seed;
	if (chance(3) == 0)
		fork();
	for (uintptr_t i = 1; i < 4; i++)
		pthread_create(&thread, NULL, caller, (void *)(seed * 10 + i));
	caller((void *)(uintptr_t)(seed * 10));
}

static void wild_calls(uint32_t seed)
{
	struct rlimit few = { 64 << 20, 64 << 20 };

	setrlimit(RLIMIT_MEMLOCK, &few);
	for (int i = 0; i < 15; i++) {
		pid_t pid[2];

		fflush(stdout);
		for (int rank = 0; rank < 2; rank++) {
			pid[rank] = fork();
			if (pid[rank] == 0) {
				setpgid(0, 0);
				wild_process(rank, seed * 100 + i * 2 + rank);
			}
			setpgid(pid[rank], pid[rank]);
		}
		usleep(chance(400000));
		for (int rank = 0; rank < 2; rank++)
			kill(-pid[rank], SIGKILL);
		while (wait(NULL) > 0)
			;
	}
	ok(true, "wild processes were killed at random moments");
	ok(all_is_well(4), "and jobs run as before");
}

/*
 * ---- Lives and ends
 * ----------------------------------------------------------------------------------
 */

/*
 * A child keeps the file open, its parent dies: the job ends all the same, and the peer learns of
 * it.
 */
static void ends_with_its_process(void)
{
	int fd = join(1, 10, 0), status;
	char data[64];
	uint32_t slot, id = load(fd, GOAL_BCAST, "binomial", sizeof(data), 1);
	pid_t keeper,
		*kept = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	if (start(fd, id, data, NULL, &slot))
		bail("start");
	fflush(stdout);
	if (fork() == 0) {
		int mine = join(0, 10, 0);
		uint32_t first, barrier;

		/*
		 * Its peer must know it before it can miss it; by a message that it does not wait
		 * for.
		 */
		load(mine, GOAL_BCAST, "binomial", sizeof(data), 0);
		barrier = load(mine, GOAL_BARRIER, "dissemination", 0, 0);
		start(mine, barrier, NULL, NULL, &first);
		keeper = fork();
		if (keeper == 0) {
			pause();
			_exit(0);
		}
		*kept = keeper;
		raise(SIGKILL);
	}
	wait(&status);
	fails(finish(fd, slot), ECONNRESET, "who waits for a process that has died is told");
	kill(*kept, SIGKILL);
	close(fd);
}

static void goes_before_its_messages(void)
{
	enum { BYTES = 3000 };
	int fd = join(0, 11, 0), peer;
	char data[BYTES], got[BYTES] = "";
	uint32_t slot, id;
	struct {
		struct goal_header h;
		struct goal_buffer b;
		struct goal_op op;
		struct goal_part part;
	} one = {
		.h = { .magic = GOAL_MAGIC,
		       .version = 1,
		       .last_compatible = 1,
		       .bytes = sizeof(one),
		       .nprocs = 2,
		       .nops = 1,
		       .nindep = 1,
		       .nbuffers = 1,
		       .ops_at = sizeof(one.h) + sizeof(one.b) },
		.b = { .bytes = BYTES, .access = GOAL_READ, .align = 1 },
		.op = { .type = GOAL_MULTICAST, .nparts = 1, .peer = GOAL_ANY, .bytes = BYTES },
		.part = { .bytes = BYTES },
	};
	struct espgoal_load l;

	memset(data, 'x', sizeof(data));
	is(load_block(fd, &one, sizeof(one), &l), 0, "a schedule of one multicast is loaded");
	id = l.id;
	is(start(fd, id, data, NULL, &slot), 0, "it starts while no process listens");
	is(finish(fd, slot), 0, "and is over, as its bytes are copied");
	is(ioctl(fd, ESPGOAL_UNLOAD, &id), 0, "and unloaded");
	memset(data, 'y', sizeof(data));
	peer = join(1, 11, 0);
	one.h.rank = 1;
	one.b.access = GOAL_WRITE;
	one.op.type = GOAL_RECV;
	one.op.ndst = 1;
	one.op.peer = 0;
	is(load_block(peer, &one, sizeof(one), &l), 0, "who receives it joins now");
	is(start(peer, l.id, got, NULL, &slot), 0, "and starts");
	is(finish(peer, slot), 0, "and has it");
	if (!ok(got[0] == 'x' && got[BYTES - 1] == 'x', "as it was when it was sent"))
		printf("# from %d to %d\n", got[0], got[BYTES - 1]);
	close(fd);
	close(peer);
}

/* Loads a schedule of one operation of its own; its slot, or -1. */
static int start_one(int fd, struct goal_op op, struct goal_part part, uint64_t bytes,
		     uint32_t access, void *at)
{
	struct {
		struct goal_header h;
		struct goal_buffer b;
		struct goal_op op;
		struct goal_part part[2];
	} one = {
		.h = { .magic = GOAL_MAGIC,
		       .version = 1,
		       .last_compatible = 1,
		       .nprocs = 2,
		       .nops = 1,
		       .nindep = 1,
		       .nbuffers = 1,
		       .ops_at = sizeof(one.h) + sizeof(one.b) },
		.b = { .bytes = bytes, .access = access, .align = 1 },
		.op = op,
		.part = { part, part },
	};
	struct espgoal_load l;
	uint32_t slot;

	one.h.bytes = sizeof(one.h) + sizeof(one.b) + sizeof(one.op) + op.nparts * sizeof(part);
	if (load_block(fd, &one, one.h.bytes, &l))
		return -1;
	return start(fd, l.id, at, NULL, &slot) ? -1 : (int)slot;
}

static void large_numbers_are_refused(void)
{
	struct goal_op nothing = { .type = GOAL_MULTICAST, .peer = GOAL_ANY, .bytes = 1ull << 40 };
	struct goal_op send = { .type = GOAL_SEND, .nparts = 1, .peer = 1, .bytes = 1ull << 40 };
	struct goal_op copy = { .type = GOAL_LOCAL,
				.function = GOAL_COPY,
				.nparts = 2,
				.ndst = 1,
				.bytes = 1ull << 40 };
	struct goal_part all = { .bytes = 1ull << 40 };
	int fd = join(0, 12, 0);

	fails(start_one(fd, send, all, 1ull << 40, GOAL_READ, arena), ENOMEM,
	      "a buffer larger than memory");
	fails(start_one(fd, copy, all, 1ull << 40, GOAL_READ | GOAL_WRITE, arena), EBADMSG,
	      "an operation that takes too long");
	ok(start_one(fd, nothing, all, 0, 0, arena) >= 0,
	   "but bytes that mean nothing need no memory");
	close(fd);
}

static void timeout_expires(void)
{
	int fd = join(0, 13, 300);
	uint32_t slot, id = load(fd, GOAL_BARRIER, "dissemination", 0, 0);

	if (start(fd, id, NULL, NULL, &slot))
		bail("start");
	if (finish(fd, slot) == 0 || (errno != ECONNREFUSED && errno != ETIMEDOUT))
		ok(false, "who has no peer is told after its timeout");
	else
		ok(true, "who has no peer is told after its timeout");
	close(fd);
}

/*
 * The calls of a program of 32 bits, from one of 64; memory of its stack would be out of its reach.
 */
static long old_call(long number, long a, unsigned long b, void *c)
{
	long result;

	asm volatile("int $0x80" : "=a"(result) : "a"(number), "b"(a), "c"(b), "d"(c)
		     : "memory", "r8", "r9", "r10", "r11");
	return result;
}

static void programs_of_32_bits_join(void)
{
	enum { IOCTL_32 = 54 };
	struct {
		struct espgoal_join join;
		struct sockaddr_en peers[2];
	} *low = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_32BIT,
		      -1, 0);
	int fd;

	is(sizeof(struct espgoal_join), 56, "the structure ends where that of 32 bits does");
	enter_as(0);
	fd = open("/dev/espgoal", O_RDWR);
	memcpy(low->peers, peers, sizeof(peers));
	low->join = (struct espgoal_join){ .version = ESPGOAL_VERSION, .nprocs = 2, .networks = 1,
					   .peers = (uintptr_t)low->peers };
	is(old_call(IOCTL_32, fd, ESPGOAL_JOIN, low), 0, "a program of 32 bits joins");
	close(fd);
}

static void lives(void)
{
	ends_with_its_process();
	goes_before_its_messages();
	large_numbers_are_refused();
	timeout_expires();
	programs_of_32_bits_join();
	ok(all_is_well(19), "and jobs run as before");
}

/*
 * ---- Unauthenticated peers
 * ---------------------------------------------------------------------------------------
 */

struct wire {
	uint32_t kind, from, schedule, run, tag;
	uint64_t bytes;
} __attribute__((packed));

enum { HELLO = 0x45474830, MESSAGE = 0x4547304d };

/* From a port of the kernel's, as only root may. */
static int call_on_rank_0_from(const char *host)
{
	static int calls;
	struct sockaddr_en here = address(ENET_PORT_FIRST_KERNEL + 1000 + calls++, 0, NULL);
	struct sockaddr_en there = peers[0];
	int fd = socket_in(host, SOCK_STREAM);

	there.sen_ifindex = if_nametoindex("eth0");
	if (bind(fd, generic(&here), sizeof(here)))
		bail("bind");
	if (connect(fd, generic(&there), sizeof(there)))
		bail("connect");
	return fd;
}

static int call_on_rank_0(void)
{
	return call_on_rank_0_from("h2");
}

static void say_hello_as(int rank, int fd, uint64_t key)
{
	uint64_t proof = proof_of_hello(fd, rank, 0, key);
	struct wire hello = { .kind = HELLO, .from = rank, .schedule = (uint32_t)proof,
			      .run = (uint32_t)(proof >> 32) };

	send(fd, &hello, sizeof(hello), MSG_NOSIGNAL);
}

static void say_hello(int fd, uint64_t key)
{
	say_hello_as(1, fd, key);
}

static long memory_used(void)
{
	char line[128];
	long kib = 0, n;
	FILE *f = fopen("/proc/meminfo", "r");

	while (f && fgets(line, sizeof(line), f))
		if (sscanf(line, "Slab: %ld", &n) == 1 || sscanf(line, "VmallocUsed: %ld", &n) == 1)
			kib += n;
	fclose(f);
	return kib;
}

/* Reads until the other end has hung up. */
static bool is_hung_up(int fd)
{
	struct timeval most = { .tv_sec = 20 };		/* if it never does */
	char block[64];
	ssize_t n;

	setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &most, sizeof(most));
	n = recv(fd, block, sizeof(block), 0);
	return n == 0 || (n < 0 && errno != EAGAIN);
}

/*
 * In a job of three. The same hello from h3, the host of rank 2, is accepted: garbage after it ends
 * the job.
 */
static void hello_of_another_host(void)
{
	enum { KEY = 23 };
	int fd = try_join_of(3, 0, KEY, 0), other, right;
	char garbage[sizeof(struct wire)];
	struct espgoal_load l;
	struct espgoal_stats stats;
	size_t len;
	void *block;
	uint32_t slot;

	if (fd < 0)
		bail("join");
	memset(garbage, 'g', sizeof(garbage));
	other = call_on_rank_0_from("h2");
	say_hello_as(2, other, KEY);
	ok(is_hung_up(other), "a hello of rank 2 with a proof is refused from the host of rank 1");
	is(ioctl(fd, ESPGOAL_STATS, &stats), 0, "the job knows nothing of it");
	right = call_on_rank_0_from("h3");
	say_hello_as(2, right, KEY);
	send(right, garbage, sizeof(garbage), MSG_NOSIGNAL);
	is_hung_up(right);
	block = block_of(GOAL_BARRIER, "dissemination", 0, 0, &len);
	fails(load_block(fd, block, len, &l) ?: start(fd, l.id, NULL, NULL, &slot), EBADMSG,
	      "from its own it is not");
	free(block);
	close(other);
	close(right);
	close(fd);
}

static void unauthenticated(void)
{
	enum { MANY = 300 };
	struct wire empty = { .kind = MESSAGE, .run = 99 };
	int fd = join(0, 20, 0), many[MANY], hung_up = 0, last;
	struct espgoal_stats stats;
	char garbage[100];
	uint32_t id, slot;

	memset(garbage, 'g', sizeof(garbage));
	for (int i = 0; i < MANY; i++)
		many[i] = call_on_rank_0();
	for (int i = 0; i < MANY; i++)
		hung_up += recv(many[i], garbage, 1, MSG_DONTWAIT) == 0 || errno != EAGAIN;
	ok(hung_up > MANY / 2, "unauthenticated silent peers are not kept beyond a number");
	printf("# %d of %d\n", hung_up, MANY);
	for (int i = 0; i < MANY; i++)
		close(many[i]);

	last = call_on_rank_0();
	send(last, garbage, sizeof(garbage), MSG_NOSIGNAL);
	ok(is_hung_up(last), "who sends garbage is hung up on");
	close(last);
	last = call_on_rank_0();
	say_hello(last, 21);
	ok(is_hung_up(last), "and who has not the key");
	close(last);
	is(ioctl(fd, ESPGOAL_STATS, &stats), 0, "the job knows nothing of it");
	id = load(fd, GOAL_BARRIER, "dissemination", 0, 0);

	/* With the key: messages without a byte, which no process waits for, cost memory too. */
	last = call_on_rank_0();
	say_hello(last, 20);
	fcntl(last, F_SETFL, O_NONBLOCK);
	for (struct pollfd p = { .fd = last, .events = POLLOUT }; poll(&p, 1, 2000) == 1;) {
		struct wire block[64];

		for (int i = 0; i < 64; i++)
			block[i] = empty;
		if (send(last, block, sizeof(block), MSG_NOSIGNAL) <= 0 && errno != EAGAIN)
			break;
	}
	ioctl(fd, ESPGOAL_STATS, &stats);
	printf("# %llu kept, %ld KiB\n", (unsigned long long)stats.unexpected, memory_used());
	ok(stats.unexpected < 100000, "messages that none waits for are not kept without bound");
	close(last);
	close(fd);

	/* A process that belongs to the job and sends garbage ends it. */
	fd = join(0, 20, 0);
	id = load(fd, GOAL_BARRIER, "dissemination", 0, 0);
	last = call_on_rank_0();
	say_hello(last, 20);
	send(last, garbage, sizeof(garbage), MSG_NOSIGNAL);
	is_hung_up(last);
	fails(start(fd, id, NULL, NULL, &slot), EBADMSG,
	      "who belongs to the job and sends garbage ends it");
	close(last);
	close(fd);
	hello_of_another_host();
	ok(all_is_well(22), "and other jobs run");
}

int main(int argc, char **argv)
{
	uint32_t seed = argc > 2 ? strtoul(argv[2], NULL, 10) : 1;

	state = seed;
	find_peers();
	if (argc < 2)
		return 2;
	if (!strcmp(argv[1], "blocks"))
		damaged_blocks();
	else if (!strcmp(argv[1], "calls"))
		wild_calls(seed);
	else if (!strcmp(argv[1], "lives"))
		lives();
	else if (!strcmp(argv[1], "turns"))
		whose_turns(argc > 2 && !strcmp(argv[2], "tasklet"));
	else
		unauthenticated();
	return done_testing();
}
