/* SPDX-License-Identifier: BSD-3-Clause */
/* offloaded.c - a BSP program: what may run beside the process, and what comes of it. */

/* usage: offloaded PART; see parts[] */
#include <bsp_coll.h>
#include <bsp_goal.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
	N = 700, AT_ONCE = 300, LARGE = 4 << 20, HUGE = 200 << 20,
	SUMS = 3, VECTOR = 256 << 10, ELEMENTS = VECTOR / 8,
	WORDS = 128, EDGE = 8 * WORDS,
	LOADS = 1000, PAGE = 4096, ROM = 0xf0000, DEVICE = 144 << 20,
};

struct vectors {
	uint64_t in[ELEMENTS], out[ELEMENTS], word[2];
};

static void tell(const char *what, const void *at, size_t len)
{
	const unsigned char *c = at;
	uint64_t hash = 14695981039346656037u;

	for (size_t i = 0; i < len; i++)
		hash = (hash ^ c[i]) * 1099511628211u;
	printf("%d %s %016llx\n", bsp_pid(), what, (unsigned long long)hash);
	fflush(stdout);
}

static void add(void *r, void *a, void *b, int *nbytes)
{
	for (size_t i = 0; i < *nbytes / sizeof(double); i++)
		((double *)r)[i] = ((double *)a)[i] + ((double *)b)[i];
}

/* Sums that depend on the order in which they are made. */
static void bits(void)
{
	static double in[N], out[N];
	static float f[N], g[N];
	static int64_t i[N], j[N];
	bsp_request r;

	for (int k = 0; k < N; k++) {
		in[k] = 1.0 / (1 + k + 7 * bsp_pid());
		f[k] = 1e3f / (3 + k * bsp_pid());
		i[k] = (int64_t)k * k << bsp_pid();
	}
	bsp_allreduce(BSP_SUM, BSP_DOUBLE, in, out, N);
	tell("sum", out, sizeof(out));
	bsp_prefix(BSP_PROD, BSP_FLOAT, f, g, N);
	tell("product", g, sizeof(g));
	r = bsp_iallreduce(BSP_XOR, BSP_INT64, i, j, N);
	bsp_fold(add, in, out, sizeof(out));
	bsp_wait(&r);
	tell("fold", out, sizeof(out));
	tell("xor", j, sizeof(j));
	bsp_reduce(1, BSP_MAX, BSP_DOUBLE, in, out, N);
	tell("max", out, sizeof(out));
}

/* A word to all others, received by each in its place, and when. */
static struct goal_schedule *load_all_to_all(void)
{
	struct goal_graph *g = goal_graph_create(bsp_nprocs(), bsp_pid());
	int words = goal_buffer(g), time = goal_buffer(g);
	struct goal_schedule *s;
	void *block;
	size_t len;

	goal_local(g, GOAL_TIMESTAMP, GOAL_U64, 8, GOAL_AT(time, 0), GOAL_NOWHERE);
	goal_multicast(g, 8, GOAL_AT(words, 8 * bsp_pid()), 3);
	for (int q = 0; q < bsp_nprocs(); q++)
		if (q != bsp_pid())
			goal_recv(g, 8, GOAL_AT(words, 8 * q), q, 3);
	block = goal_compile(g, &len);
	s = goal_load(block, len);
	goal_graph_destroy(g);
	free(block);
	return s;
}

static void many(void)
{
	static uint64_t words[AT_ONCE][8], time[AT_ONCE];
	static struct goal_request *f[AT_ONCE];
	struct goal_schedule *s = load_all_to_all();
	int bad = 0;

	for (int k = 0; k < AT_ONCE; k++) {
		void *buffers[] = { words[k], &time[k] };

		words[k][bsp_pid()] = 1000 * k + bsp_pid();
		f[k] = goal_start(s, buffers);
	}
	bsp_sync();
	for (int k = AT_ONCE - 1; k >= 0; k--)
		if (k % 2)
			goal_wait(f[k]);
		else
			while (!goal_test(&f[k]))
				;
	for (int k = 0; k < AT_ONCE; k++)
		for (int q = 0; q < bsp_nprocs(); q++)
			bad += words[k][q] != (uint64_t)(1000 * k + q) || time[k] == 0;
	goal_unload(s);
	printf("%d has %d wrong words\n", bsp_pid(), bad);
}

/* Two processes: process 0 sends a word, which process 1 doubles and returns. */
static void chain(void)
{
	struct goal_graph *g = goal_graph_create(bsp_nprocs(), bsp_pid());
	uint64_t word[2] = { 7 };
	void *buffers[] = { word }, *block;
	int words = goal_buffer(g), other = !bsp_pid(), got, doubled;
	struct goal_schedule *s;
	size_t len;

	if (bsp_pid() == 0)
		goal_send(g, 8, GOAL_AT(words, 0), other, 0);
	got = goal_recv(g, 8, GOAL_AT(words, 8), other, 0);
	if (bsp_pid() == 1) {
		doubled = goal_local(g, GOAL_ADD, GOAL_U64, 8, GOAL_AT(words, 8),
				     GOAL_AT(words, 8));
		goal_requires(g, doubled, got);
		goal_requires(g, goal_send(g, 8, GOAL_AT(words, 8), other, 0), doubled);
	}
	block = goal_compile(g, &len);
	s = goal_load(block, len);
	goal_wait(goal_start(s, buffers));
	goal_unload(s);
	goal_graph_destroy(g);
	free(block);
	printf("%d has %llu\n", bsp_pid(), (unsigned long long)word[1]);
}

/* A word of the block that @pid sends to its neighbour @k. */
static uint64_t edge_of(int pid, int k, int round, int i)
{
	return ((uint64_t)(pid * 2 + k) << 32) + (uint64_t)round * WORDS + (uint64_t)i;
}

/*
 * Exchange blocks with the neighbours on a closed ring: the schedule that bsp_neighbor_exchange()
 * makes of this list, whose order has all processes send to the same distance at a time.
 */
static struct goal_schedule *load_neighbors(const int pids[2])
{
	struct goal_graph *g = goal_graph_create(bsp_nprocs(), bsp_pid());
	int src = goal_buffer(g), dst = goal_buffer(g);
	struct goal_schedule *s;
	void *block;
	size_t len;

	for (int k = 0; k < 2; k++)
		goal_recv(g, EDGE, GOAL_AT(dst, k * EDGE), pids[k], k);
	for (int k = 0; k < 2; k++)
		goal_send(g, EDGE, GOAL_AT(src, k * EDGE), pids[k], 1 - k);
	block = goal_compile(g, &len);
	s = goal_load(block, len);
	goal_graph_destroy(g);
	free(block);
	return s;
}

/* The block for the next process arrives there as that of the one before it, and the reverse. */
static int wrong_edges(const uint64_t *got, const int pids[2], int round)
{
	int bad = 0;

	for (int k = 0; k < 2; k++)
		for (int i = 0; i < WORDS; i++)
			bad += got[k * WORDS + i] != edge_of(pids[k], 1 - k, round, i);
	return bad;
}

static void neighbors(void)
{
	static uint64_t src[2 * WORDS], dst[2 * WORDS];
	int n = bsp_nprocs(), me = bsp_pid(), bad = 0;
	int pids[] = { (me + 1) % n, (me + n - 1) % n };
	void *buffers[] = { src, dst };
	struct goal_schedule *s = load_neighbors(pids);

	for (int round = 0; round < 20; round++) {
		for (int i = 0; i < 2 * WORDS; i++)
			src[i] = edge_of(me, i / WORDS, round, i % WORDS);
		memset(dst, 0, sizeof(dst));
		goal_wait(goal_start(s, buffers));
		bad += wrong_edges(dst, pids, round);
	}
	goal_unload(s);
	printf("%d has %d wrong words\n", me, bad);
}

/* The process becomes a user without privileges that may pin so many bytes. */
static void limit_to(rlim_t bytes)
{
	struct rlimit few = { bytes, bytes };

	if (setrlimit(RLIMIT_MEMLOCK, &few) || setgid(65534) || setuid(65534))
		perror("limit");
}

static void limit(void)
{
	limit_to(65536);
}

static void nothing(void)
{
	limit_to(0);
}

/* One of the processes may pin little, and the others all that they want. */
static void uneven(void)
{
	if (mkdir("/tmp/limited", 0700) == 0)
		limit();
}

static void large(void)
{
	char *data = calloc(LARGE, 1);

	if (bsp_pid() == 0)
		memset(data, 5, LARGE);
	bsp_bcast(0, data, data, LARGE);
	tell("large", data, LARGE);
	free(data);
}

/*
 * Pass a vector to the next process, and then add the one that comes from the last to the result.
 */
static struct goal_schedule *load_sum(void)
{
	int n = bsp_nprocs(), me = bsp_pid(), sent, received, added;
	struct goal_graph *g = goal_graph_create(n, me);
	int in = goal_buffer(g), out = goal_buffer(g), word = goal_buffer(g);
	uint64_t came = goal_scratch(g, VECTOR);
	struct goal_schedule *s;
	void *block;
	size_t len;

	goal_local(g, GOAL_TIMESTAMP, GOAL_U64, 8, GOAL_AT(word, 8), GOAL_NOWHERE);
	sent = goal_send(g, VECTOR, GOAL_AT(in, 0), (me + 1) % n, 7);
	received = goal_recv(g, VECTOR, GOAL_AT(GOAL_SCRATCHPAD, came), (me + n - 1) % n, 7);
	added = goal_local(g, GOAL_ADD, GOAL_U64, VECTOR, GOAL_AT(out, 0),
			   GOAL_AT(GOAL_SCRATCHPAD, came));
	goal_requires(g, added, received);
	goal_requires(g, added, sent);
	block = goal_compile(g, &len);
	s = goal_load(block, len);
	goal_graph_destroy(g);
	free(block);
	return s;
}

/* Starts the sum; the result has @k in each element at first. */
static struct goal_request *start_sum(struct goal_schedule *s, struct vectors *v, int k)
{
	void *buffers[] = { v->in, v->out, v->word };

	for (int i = 0; i < ELEMENTS; i++) {
		v->in[i] = (uint64_t)i * (bsp_pid() + 1) + k;
		v->out[i] = k;
	}
	v->word[0] = k;
	return goal_start(s, buffers);
}

static int wrong_sums(const struct vectors *v, int k)
{
	int before = (bsp_pid() + bsp_nprocs() - 1) % bsp_nprocs(), bad = v->word[0] != k;

	bad += v->word[1] == 0;
	for (int i = 0; i < ELEMENTS; i++) {
		bad += v->out[i] != (uint64_t)i * (before + 1) + 2 * k;
		bad += v->in[i] != (uint64_t)i * (bsp_pid() + 1) + k;
	}
	return bad;
}

static void sums(void)
{
	static struct vectors v[SUMS];
	struct goal_request *f[SUMS];
	struct goal_schedule *s = load_sum();
	int bad = 0;

	for (int round = 0; round < 2; round++) {
		for (int k = 0; k < SUMS; k++)
			f[k] = start_sum(s, &v[k], k + round);
		for (int k = 0; k < SUMS; k++)
			goal_wait(f[k]);
		for (int k = 0; k < SUMS; k++)
			bad += wrong_sums(&v[k], k + round);
	}
	goal_unload(s);
	printf("%d has %d wrong words\n", bsp_pid(), bad);
}

/* The result in place of the data, and in place of a part; one process has them apart. */
static void overlap(void)
{
	static uint64_t data[2 * ELEMENTS], word[2];
	struct goal_schedule *s = load_sum();

	for (int round = 0; round < 3; round++) {
		int shift = bsp_pid() == 1 ? ELEMENTS : round * ELEMENTS / 4;
		void *buffers[] = { data, data + shift, word };

		for (int i = 0; i < 2 * ELEMENTS; i++)
			data[i] = (uint64_t)i * i + bsp_pid() + round;
		goal_wait(goal_start(s, buffers));
		tell("overlap", data, sizeof(data));
	}
	goal_unload(s);
}

/*
 * Send a word to the next process, from the first of a buffer of so many bytes; receive one in
 * place of another.
 */
static struct goal_schedule *load_shift(int word, size_t bytes)
{
	int n = bsp_nprocs(), me = bsp_pid();
	struct goal_graph *g = goal_graph_create(n, me);
	int buffer = goal_buffer(g);
	struct goal_schedule *s;
	void *block;
	size_t len;

	goal_buffer_at_least(g, buffer, bytes);
	goal_send(g, 8, GOAL_AT(buffer, 0), (me + 1) % n, word);
	goal_recv(g, 8, GOAL_AT(buffer, 8 * word), (me + n - 1) % n, word);
	block = goal_compile(g, &len);
	s = goal_load(block, len);
	goal_graph_destroy(g);
	free(block);
	return s;
}

/* Runs at the same time have the same buffer; the program writes what they leave alone. */
static void beside(void)
{
	static uint64_t data[ELEMENTS];
	void *buffers[] = { data };
	struct goal_schedule *s[8];
	struct goal_request *f[8];
	int bad = 0;

	data[0] = bsp_pid() + 1;
	for (int k = 1; k < 8; k++) {
		s[k] = load_shift(k, sizeof(data));
		f[k] = goal_start(s[k], buffers);
	}
	data[99] = 99;
	for (int k = 1; k < 8; k++)
		goal_wait(f[k]);
	for (int k = 1; k < 8; k++) {
		bad += data[k] != (uint64_t)(bsp_pid() + bsp_nprocs() - 1) % bsp_nprocs() + 1;
		goal_unload(s[k]);
	}
	printf("%d has %d wrong words\n", bsp_pid(), bad + (data[99] != 99));
}

/* Starts it so often, before all processes have loaded it. */
static int shift_often(struct goal_schedule *s, uint64_t *data, int word)
{
	struct goal_request *f[SUMS];
	void *buffers[] = { data };
	int bad = 0;

	data[0] = bsp_pid() + 1;
	for (int k = 0; k < SUMS; k++)
		f[k] = goal_start(s, buffers);
	for (int k = 0; k < SUMS; k++)
		goal_wait(f[k]);
	bad += data[word] != (uint64_t)(bsp_pid() + bsp_nprocs() - 1) % bsp_nprocs() + 1;
	return bad;
}

/*
 * More than is copied to the kernel, on process 0. It starts the second schedule before the first,
 * and the others have ended the first before they load the second.
 */
static void huge(void)
{
	size_t bytes = bsp_pid() == 0 ? HUGE : VECTOR;
	uint64_t *data = calloc(bytes, 1), small[8] = { 0 };
	void *buffers[] = { data };
	struct goal_schedule *first = load_shift(1, sizeof(small)), *second;
	struct goal_request *f = NULL;
	int bad = 0;

	small[0] = bsp_pid() + 1;
	data[0] = bsp_pid() + 1;
	if (bsp_pid() != 0)
		bad += shift_often(first, small, 1);
	second = load_shift(2, bytes);
	if (bsp_pid() == 0) {
		f = goal_start(second, buffers);
		bad += shift_often(first, small, 1);
		goal_wait(f);
	} else {
		goal_wait(goal_start(second, buffers));
	}
	bad += shift_often(second, data, 2);
	goal_unload(second);
	goal_unload(first);
	free(data);
	printf("%d has %d wrong words\n", bsp_pid(), bad);
}

/* More schedules than the kernel keeps. */
static void loads(void)
{
	static struct goal_schedule *s[LOADS];
	uint64_t small[8] = { 0 };
	int bad = 0;

	for (int k = 0; k < LOADS; k++)
		s[k] = load_shift(1, sizeof(small));
	for (int k = 0; k < LOADS; k++) {
		small[1] = 0;
		bad += shift_often(s[k], small, 1);
	}
	for (int k = 0; k < LOADS; k++)
		goal_unload(s[k]);
	printf("%d has %d wrong words\n", bsp_pid(), bad);
}

/* Process 0 locks memory after the beginning, and then may pin next to nothing. */
static void locked(void)
{
	static char memory[60 << 10];

	if (bsp_pid() == 0 && mlock(memory, sizeof(memory)))
		perror("mlock");
	bits();
}

/* The buffer of process 0, which it sends from, begins with a page of a device. */
static int shift_device(size_t bytes)
{
	uint64_t *data = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
			      -1, 0);
	int memory = open("/dev/mem", O_RDONLY), bad;
	struct goal_schedule *s = load_shift(PAGE / 8, bytes);
	void *buffers[] = { data };
	uint64_t sent;

	data[0] = bsp_pid();
	if (bsp_pid() == 0 && mmap(data, PAGE, PROT_READ, MAP_SHARED | MAP_FIXED, memory, ROM) !=
				      data)
		perror("/dev/mem");
	sent = data[0];
	bsp_bcast(0, &sent, &sent, sizeof(sent));
	goal_wait(goal_start(s, buffers));
	bad = data[PAGE / 8] != (bsp_pid() == 1 ? sent :
				 (uint64_t)(bsp_pid() + bsp_nprocs() - 1) % bsp_nprocs());
	goal_unload(s);
	munmap(data, bytes);
	close(memory);
	return bad;
}

static void device(void)
{
	int bad = shift_device(2 * PAGE);

	bad += shift_device(bsp_pid() == 0 ? DEVICE : 2 * PAGE);
	printf("%d has %d wrong words\n", bsp_pid(), bad);
}

/* The sizes differ. */
static void mismatch(void)
{
	struct goal_graph *g = goal_graph_create(bsp_nprocs(), bsp_pid());
	char words[16] = "";
	void *buffers[] = { words }, *block;
	int buffer = goal_buffer(g);
	size_t len;

	if (bsp_pid() == 0)
		goal_send(g, 16, GOAL_AT(buffer, 0), 1, 5);
	if (bsp_pid() == 1)
		goal_recv(g, 8, GOAL_AT(buffer, 0), 0, 5);
	block = goal_compile(g, &len);
	goal_wait(goal_start(goal_load(block, len), buffers));
	free(block);
	goal_graph_destroy(g);
	bsp_sync();
}

static const struct {
	const char *name;
	void (*before)(void), (*body)(void);
} parts[] = {
	{ "bits", NULL, bits }, { "many", NULL, many }, { "chain", NULL, chain },
	{ "large", NULL, large }, { "neighbors", NULL, neighbors },
	{ "limit", limit, large }, { "nothing", nothing, bits }, { "sums", NULL, sums },
	{ "uneven", uneven, sums }, { "overlap", limit, overlap }, { "beside", limit, beside },
	{ "huge", limit, huge }, { "loads", NULL, loads }, { "locked", limit, locked },
	{ "device", NULL, device }, { "mismatch", NULL, mismatch },
};

int main(int argc, char **argv)
{
	size_t i = 0;

	while (argc > 1 && strcmp(parts[i].name, argv[1]) != 0)
		i++;
	if (parts[i].before)
		parts[i].before();
	bsp_begin(bsp_nprocs());
	bsp_sync();
	parts[i].body();
	bsp_end();
	return 0;
}
