/* SPDX-License-Identifier: BSD-3-Clause */
/* samplesort.c - sorts random keys that are spread over the processes. */

/*
 * Shows a whole algorithm in three supersteps, and bsp_init():
 *
 *	1  sort the own keys; send p of them, regularly spaced, to all processes
 *	2  sort the p * p samples and take p - 1 of these, regularly spaced, as
 *	   splitters; send to each process the keys between its two splitters
 *	3  merge the p sorted runs that have come
 *
 * Equal keys count as different: the one with the lower place is the lower one.
 * Therefore no process gets more than about twice its share, even if all keys
 * are equal (Shi and Schaeffer, Parallel sorting by regular sampling, 1992).
 *
 *	bspcc -O2 -o samplesort samplesort.c -lm
 *	./samplesort [KEYS [SEED [RANGE]]]
 *
 * sorts KEYS keys (10000000) below RANGE (2^64) made from SEED (1), the same
 * for any number of processes, and checks that the result is in order and has
 * the same keys. Then it prints how fast that was.
 */
#include <bsp.h>
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct job {
	uint64_t keys;
	uint64_t seed;
	uint64_t range;		/* 0 for 2^64 */
};

/* A key and its place in the whole vector: no two are alike. */
struct sample {
	uint64_t key;
	uint64_t place;
};

struct run {
	const uint64_t *keys;
	size_t n;
};

/* Process 0 judges the result by these of each process. */
struct summary {
	uint64_t count, first, last;	/* after sorting */
	uint64_t sum[2], mix[2];	/* of the keys before and after */
	uint64_t in_order;
};

static struct job job = { .keys = 10000000, .seed = 1 };
static int supersteps;

static void *allocate(size_t n, size_t size)
{
	void *mem = calloc(n + 1, size);

	if (!mem)
		bsp_abort("no memory for %zu times %zu bytes", n, size);
	return mem;
}

/* First place of block @s of @p, of a vector of @n. */
static uint64_t block_start(uint64_t n, uint64_t p, uint64_t s)
{
	return s * (n / p) + (s < n % p ? s : n % p);
}

/* Scatters the bits of @x; one to one (the finalizer of splitmix64). */
static uint64_t mix(uint64_t x)
{
	x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
	return x ^ (x >> 31);
}

static uint64_t random_key(uint64_t place)
{
	uint64_t key = mix(mix(job.seed) + (place + 1) * UINT64_C(0x9e3779b97f4a7c15));

	return job.range ? key % job.range : key;
}

/* ---- Sequential parts ---------------------------------------------------- */

/* Sorts by one byte after the other from the lowest; @spare is as large as @keys. */
static void radix_sort(uint64_t *keys, uint64_t *spare, size_t n)
{
	static size_t count[8][256];
	uint64_t *from = keys, *to = spare, *other;

	memset(count, 0, sizeof count);
	for (size_t i = 0; i < n; i++)
		for (int b = 0; b < 8; b++)
			count[b][keys[i] >> 8 * b & 255]++;
	for (int b = 0; b < 8; b++) {
		size_t next[256], sum = 0;

		if (n == 0 || count[b][from[0] >> 8 * b & 255] == n)
			continue;	/* the byte is the same in all keys */
		for (int digit = 0; digit < 256; digit++) {
			next[digit] = sum;
			sum += count[b][digit];
		}
		for (size_t i = 0; i < n; i++)
			to[next[from[i] >> 8 * b & 255]++] = from[i];
		other = from;
		from = to;
		to = other;
	}
	if (from != keys)
		memcpy(keys, from, n * sizeof *keys);
}

static struct run merge_two(struct run a, struct run b, uint64_t *to)
{
	size_t i = 0, j = 0, k = 0;

	while (i < a.n && j < b.n)
		to[k++] = b.keys[j] < a.keys[i] ? b.keys[j++] : a.keys[i++];
	while (i < a.n)
		to[k++] = a.keys[i++];
	while (j < b.n)
		to[k++] = b.keys[j++];
	return (struct run){ to, k };
}

/* Merges the runs two by two until one is left; it lies in @to or in @spare. */
static struct run merge_all(struct run *runs, size_t nruns, uint64_t *to, uint64_t *spare)
{
	do {
		uint64_t *out = to;
		size_t left = 0;

		for (size_t i = 0; i < nruns; i += 2) {
			struct run none = { NULL, 0 };

			runs[left] = merge_two(runs[i], i + 1 < nruns ? runs[i + 1] : none, out);
			out += runs[left++].n;
		}
		nruns = left;
		out = to;
		to = spare;
		spare = out;
	} while (nruns > 1);
	return runs[0];
}

static int sample_is_less(struct sample a, struct sample b)
{
	return a.key < b.key || (a.key == b.key && a.place < b.place);
}

static int compare_samples(const void *a, const void *b)
{
	struct sample x = *(const struct sample *)a, y = *(const struct sample *)b;

	return sample_is_less(y, x) - sample_is_less(x, y);
}

/* How many of the sorted @keys, the first of which is at @start, are below @limit. */
static size_t count_below(const uint64_t *keys, size_t n, uint64_t start, struct sample limit)
{
	size_t low = 0, high = n;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		struct sample here = { keys[middle], start + middle };

		if (sample_is_less(here, limit))
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* ---- The three supersteps ------------------------------------------------ */

static void end_superstep(void)
{
	bsp_sync();
	supersteps++;
}

static void send_samples(const uint64_t *keys, size_t n, uint64_t start)
{
	size_t p = bsp_nprocs();
	size_t nsamples = n < p ? n : p;
	struct sample *samples = allocate(nsamples, sizeof *samples);

	for (size_t i = 0; i < nsamples; i++) {
		size_t at = (size_t)block_start(n, nsamples, i);

		samples[i] = (struct sample){ keys[at], start + at };
	}
	for (size_t q = 0; q < p; q++)
		bsp_send((bsp_pid_t)q, NULL, samples, (bsp_size_t)(nsamples * sizeof *samples));
	free(samples);
}

/* Returns p - 1 splitters, the same on every process; they mean nothing if there are no keys. */
static struct sample *choose_splitters(void)
{
	size_t p = bsp_nprocs(), count = 0;
	struct sample *samples = allocate(p * p, sizeof *samples);
	struct sample *splitters = allocate(p, sizeof *splitters);
	void *tag, *payload;

	for (size_t q = 0; q < p; q++) {
		size_t length = (size_t)bsp_hpmove(&tag, &payload);

		memcpy(&samples[count], payload, length);
		count += length / sizeof *samples;
	}
	qsort(samples, count, sizeof *samples, compare_samples);
	for (size_t q = 1; q < p; q++)
		splitters[q - 1] = samples[q * count / p];
	free(samples);
	return splitters;
}

static void send_buckets(const uint64_t *keys, size_t n, uint64_t start,
			 const struct sample *splitters)
{
	size_t p = bsp_nprocs(), from = 0;

	for (size_t q = 0; q < p; q++) {
		size_t to = q + 1 < p ? count_below(keys, n, start, splitters[q]) : n;

		bsp_send((bsp_pid_t)q, NULL, keys + from,
			 (bsp_size_t)((to - from) * sizeof *keys));
		from = to;
	}
}

/* Returns the keys of this process, in order; *@mem is to be freed after them. */
static struct run merge_buckets(uint64_t **mem)
{
	size_t p = bsp_nprocs(), total = 0;
	struct run *runs = allocate(p, sizeof *runs), result;
	void *tag, *payload;

	for (size_t q = 0; q < p; q++) {
		runs[q].n = (size_t)bsp_hpmove(&tag, &payload) / sizeof(uint64_t);
		runs[q].keys = payload;
		total += runs[q].n;
	}
	*mem = allocate(2 * total, sizeof **mem);
	result = merge_all(runs, p, *mem, *mem + total);
	free(runs);
	return result;
}

static struct run sample_sort(uint64_t *keys, size_t n, uint64_t start, uint64_t **mem)
{
	uint64_t *spare = allocate(n, sizeof *spare);
	struct sample *splitters;

	radix_sort(keys, spare, n);
	free(spare);
	send_samples(keys, n, start);
	end_superstep();

	splitters = choose_splitters();
	send_buckets(keys, n, start, splitters);
	free(splitters);
	end_superstep();

	return merge_buckets(mem);
}

/* ---- The check ----------------------------------------------------------- */

static void add_up(struct run run, uint64_t *sum, uint64_t *mixed)
{
	*sum = *mixed = 0;
	for (size_t i = 0; i < run.n; i++) {
		*sum += run.keys[i];
		*mixed += mix(run.keys[i] + UINT64_C(0x9e3779b97f4a7c15));
	}
}

static void summarise(struct run result, struct summary *mine)
{
	mine->count = result.n;
	mine->first = result.n ? result.keys[0] : 0;
	mine->last = result.n ? result.keys[result.n - 1] : 0;
	mine->in_order = 1;
	for (size_t i = 1; i < result.n; i++)
		mine->in_order &= result.keys[i - 1] <= result.keys[i];
	add_up(result, &mine->sum[1], &mine->mix[1]);
}

/* Aborts unless the result is right; returns the most keys on any process. */
static uint64_t judge(const struct summary *all, int p)
{
	uint64_t count = 0, last = 0, most = 0, sum = 0, mixed = 0;

	for (int q = 0; q < p; q++) {
		if (!all[q].in_order || (all[q].count && all[q].first < last))
			bsp_abort("the keys of process %d are not in order", q);
		if (all[q].count)
			last = all[q].last;
		if (all[q].count > most)
			most = all[q].count;
		count += all[q].count;
		sum += all[q].sum[1] - all[q].sum[0];
		mixed += all[q].mix[1] - all[q].mix[0];
	}
	if (count != job.keys || sum != 0 || mixed != 0)
		bsp_abort("the keys are not those of before");
	return most;
}

static void report(const struct summary *all, double seconds)
{
	int p = (int)bsp_nprocs();
	uint64_t most = judge(all, p);
	double share = (double)job.keys / p;

	printf("samplesort: %" PRIu64 " keys on %d process%s in %.4f s: %.4g keys/s, "
	       "%d supersteps, %.3f of a share at most\n",
	       job.keys, p, p == 1 ? "" : "es", seconds, (double)job.keys / seconds,
	       supersteps, share > 0 ? (double)most / share : 0);
}

/* ---- The program --------------------------------------------------------- */

/* Only process 0 has read the command line. */
static void broadcast_job(void)
{
	bsp_push_reg(&job, sizeof job);
	bsp_sync();
	for (bsp_pid_t q = 0; bsp_pid() == 0 && q < bsp_nprocs(); q++)
		bsp_put(q, &job, &job, 0, sizeof job);
	bsp_pop_reg(&job);
	bsp_sync();
}

static uint64_t *make_keys(uint64_t start, uint64_t n)
{
	size_t most = sizeof(bsp_size_t) == sizeof(int) ? INT_MAX : PTRDIFF_MAX;
	uint64_t *keys;

	if (n >= most / sizeof *keys)
		bsp_abort("%" PRIu64 " keys on one process are too many", n);
	keys = allocate((size_t)n, sizeof *keys);
	for (size_t i = 0; i < n; i++)
		keys[i] = random_key(start + i);
	return keys;
}

static void spmd(void)
{
	bsp_begin(bsp_nprocs());

	uint64_t p = bsp_nprocs(), s = bsp_pid();
	struct summary *all = allocate((size_t)p, sizeof *all);
	struct summary mine;
	uint64_t *mem;

	bsp_push_reg(all, (bsp_size_t)(p * sizeof *all));
	broadcast_job();

	uint64_t start = block_start(job.keys, p, s);
	size_t n = (size_t)(block_start(job.keys, p, s + 1) - start);
	uint64_t *keys = make_keys(start, n);
	add_up((struct run){ keys, n }, &mine.sum[0], &mine.mix[0]);
	bsp_sync();

	double began = bsp_time();
	struct run result = sample_sort(keys, n, start, &mem);
	end_superstep();
	double seconds = bsp_time() - began;

	summarise(result, &mine);
	bsp_put(0, &mine, all, (bsp_size_t)(s * sizeof mine), sizeof mine);
	bsp_sync();
	if (s == 0)
		report(all, seconds);
	free(mem);
	free(keys);
	free(all);

	bsp_end();
}

static void read_number(const char *text, uint64_t most, uint64_t *number)
{
	char *end;

	errno = 0;
	*number = strtoull(text, &end, 10);
	if (isdigit((unsigned char)text[0]) && !*end && !errno && *number <= most)
		return;
	fprintf(stderr, "samplesort: '%s' is not a number from 0 to %" PRIu64 "\n", text, most);
	exit(2);
}

int main(int argc, char **argv)
{
	bsp_init(spmd, argc, argv);

	if (argc > 4 || (argc > 1 && argv[1][0] == '-')) {
		fprintf(stderr, "usage: samplesort [KEYS [SEED [RANGE]]]\n");
		return 2;
	}
	if (argc > 1)
		read_number(argv[1], UINT64_MAX / 64, &job.keys);
	if (argc > 2)
		read_number(argv[2], UINT64_MAX, &job.seed);
	if (argc > 3)
		read_number(argv[3], UINT64_MAX, &job.range);
	spmd();
	return 0;
}
