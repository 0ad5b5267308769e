/* SPDX-License-Identifier: BSD-3-Clause */
/* L, os(m), or(m), g(m) and times of messages alone are those of the network that the times are of;
 * sizes join where a curve bends. */
#include "../../tools/measure/measure_plogp.c"
#include "../../tools/measure/measure_stats.c"
#include "../../tools/measure/sample.c"
#include "../lib/tap.h"

#include <stdlib.h>

/*
 * Networks of formulas, in ns. A train of n messages takes (n - 1) g(m) beyond the first; a round
 * trip of a message of m bytes, whose answer has one, is RTT + g(m) + g(1).
 */
enum { RTT = 40000, SPREAD = 30, OS = 700, OR = 900, CROSSING = 500, FOLD = 40, COPY = 20 };

static double (*gap)(uint64_t bytes);
static double per_send = OS, spread = SPREAD;
static bool time_is_up;
static int looks_left = -1;	/* not negative: so often there is time for one more */
static int taken;

/* 1 us up to 500 bytes, then 2 ns a byte. */
static double bent(uint64_t bytes)
{
	return bytes < 500 ? 1000 : 2 * (double)bytes;
}

/* 1 us up to 2000 bytes, then 10. */
static double jumping(uint64_t bytes)
{
	return bytes < 2000 ? 1000 : 10000;
}

/* Trains that take less time than one message, as on a busy machine. */
static double negative(uint64_t bytes)
{
	return -5 - (double)bytes;
}

static double straight(uint64_t bytes)
{
	return 1000 + 3 * (double)bytes;
}

/* A message alone: from 2000 bytes on it is asked for first, which no gap of a train shows. */
static double asked(uint64_t bytes)
{
	return 20000 + 3 * (double)bytes + (bytes < 2000 ? 0 : 40000);
}

/* ---- What the job does, in this process --------------------------------------------------- */

struct way {
	enum measure_way way;
	int n;
	uint64_t bytes;
};

static void *load_way(struct measure *m, enum measure_way way, int n, uint64_t bytes)
{
	struct way *w = malloc(sizeof *w);

	(void)m;
	if (!w)
		bail("no memory");
	*w = (struct way){ way, n, bytes };
	return w;
}

static double sample_way(struct measure *m, void *what)
{
	const struct way *w = what;

	(void)m;
	switch (w->way) {
	case MEASURE_SENDS:
		return 500 + w->n * per_send;
	case MEASURE_RECEIVES:
		return 800 + w->n * (double)OR;
	case MEASURE_FOLDS:
		return 60 + w->n * (FOLD + (double)w->bytes);
	case MEASURE_COPIES:
		return 70 + w->n * (COPY + (double)w->bytes);
	case MEASURE_ALONE:
		return asked(w->bytes);
	case MEASURE_CROSS:
		return CROSSING + asked(w->bytes);
	default:
		return RTT + w->n * gap(w->bytes) + gap(1);
	}
}

static void unload_way(struct measure *m, void *loaded)
{
	(void)m;
	free(loaded);
}

static const struct measure_carrier formulas = { load_way, sample_way, unload_way, false };
static const struct measure_carrier pairs = { load_way, sample_way, unload_way, true };

/* One sample, and what might lie around it. */
struct measure_value measure_take(struct measure *m, measure_sample *take, void *what, double part)
{
	double ns = take(m, what);

	(void)part;
	taken++;
	return (struct measure_value){
		.median = ns, .low = ns - spread, .high = ns + spread, .n = 7, .outliers = 1,
		.lost = 2,
	};
}

bool measure_has_time(struct measure *m, double part)
{
	(void)m, (void)part;
	if (looks_left >= 0)
		return looks_left-- > 0;
	return !time_is_up;
}

void measure_agree(struct measure *m, void *what, size_t bytes)
{
	(void)m, (void)what, (void)bytes;
}

void measure_say(const struct measure *m, double part, const char *format, ...)
{
	(void)m, (void)part, (void)format;
}

static struct measure_machine measured_by(const struct measure_carrier *carrier,
					  double (*of)(uint64_t), uint64_t most)
{
	struct measure m = { .nprocs = 2, .peer = 1, .bytes_most = most, .carrier = carrier };
	struct measure_machine k = { .npoints = 0 };

	gap = of;
	measure_plogp(&m, &k, 1);
	return k;
}

static struct measure_machine measured(double (*of)(uint64_t), uint64_t most)
{
	return measured_by(&formulas, of, most);
}

/* ---- Checks ------------------------------------------------------------------------------- */

/* "1 2 4 ...", and with * behind it a size that another protocol begins with. */
static const char *sizes(const struct measure_machine *k)
{
	static char text[600];
	size_t used = 0;

	for (int i = 0; i < k->npoints; i++)
		used += (size_t)snprintf(text + used, sizeof text - used, "%s%llu%s", i ? " " : "",
					 (unsigned long long)k->point[i].bytes,
					 k->point[i].changes ? "*" : "");
	return text;
}

static int wrong_gaps(const struct measure_machine *k)
{
	int wrong = 0;

	for (int i = 0; i < k->npoints; i++)
		wrong += fabs(k->point[i].g.median - gap(k->point[i].bytes)) > 1e-6;
	return wrong;
}

/* A difference is as far off as both of its times together. */
static void values(void)
{
	struct measure_machine k = measured(straight, 4096);
	const struct measure_point *p = &k.point[0];

	is_int(0, wrong_gaps(&k), "g(m) is that of the network at all sizes");
	ok(p->os.median == OS, "os(1)");
	ok(p->or_.median == OR, "or(1)");
	ok(fabs(p->g.low - (1003 - 2.0 * SPREAD / 15)) < 1e-6 &&
	   fabs(p->g.high - (1003 + 2.0 * SPREAD / 15)) < 1e-6,
	   "the interval of g(1): both times, over the 15 messages more");
	ok(p->os.low == OS - 2 * SPREAD / 3.0 && p->os.high == OS + 2 * SPREAD / 3.0,
	   "that of os(1), over 3");
	ok(p->g.n == 7 && p->g.outliers == 2 && p->g.lost == 4, "samples, outliers and losses");
	/* PRTT(1, 1) = 40000 + 1003 + 1003; half of it without g(1) */
	ok(k.L.median == 20000, "L: half of a round trip without g(1)");
	ok(fabs(k.L.low - (21003 - SPREAD / 2.0 - 1003 - 4)) < 1e-6 &&
	   fabs(k.L.high - (21003 + SPREAD / 2.0 - 1003 + 4)) < 1e-6,
	   "the interval of L: that of the half, and that of g(1)");
	is_str("1 2 4 8 16 32 64 128 256 512 1024 2048 4096", sizes(&k),
	       "where g(m) is straight, powers of 4 and one size between them");
	is_int(13 * 6, taken, "six times are taken at each size");
}

/* 16 messages, or as many as 4 MiB are, or 3. */
static void trains(void)
{
	struct measure_machine k = measured(straight, 16 << 20);
	int n[] = { 0, 0, 0, 0 };

	for (int i = 0; i < k.npoints; i++)
		for (int s = 0; s < 4; s++)
			if (k.point[i].bytes == (uint64_t)1 << (2 * s + 18))
				n[s] = k.point[i].n;
	ok(n[0] == 16 && n[1] == 4 && n[2] == 3 && n[3] == 3,
	   "trains of 256 KiB, 1, 4 and 16 MiB: %d %d %d %d messages", n[0], n[1], n[2], n[3]);
}

/*
 * At 512, between 256 and 1024, a line has 1349 and it is 1024: so both halves are looked at. At
 * 362 it is 1010 and 1000, at 724 on the line.
 */
static void bends(void)
{
	struct measure_machine k = measured(bent, 4096);

	is_str("1 2 4 8 16 32 64 128 256 362 512 724 1024 2048 4096", sizes(&k),
	       "where it bends, more sizes");
	is_int(0, wrong_gaps(&k), "with their gaps");
}

/*
 * Between 1024 and 4096 it jumps: at 2048 a line has 4000, at 1448 4726, at 1722 5110. No size is
 * less than an eighth from the one before it. The jump is at 2048, from what the sizes before it
 * have.
 */
static void jumps(void)
{
	struct measure_machine k = measured(jumping, 16384);

	is_str("1 2 4 8 16 32 64 128 256 512 1024 1217 1448 1722 2048* 2896 4096 8192 16384",
	       sizes(&k), "the size at which another protocol begins");
}

/*
 * The gap is straight, and messages by themselves jump between 1024 and 2048; at 1448 and 1722
 * they are not on the lines.
 */
static void messages_alone(void)
{
	struct measure_machine k;
	int wrong = 0, wrong_local = 0;

	taken = 0;
	k = measured_by(&pairs, straight, 4096);
	is_str("1 2 4 8 16 32 64 128 256 512 1024 1217 1448 1722 2048 2896 4096", sizes(&k),
	       "sizes join where messages that are alone take another time");
	for (int i = 0; i < k.npoints; i++)
		wrong += k.point[i].alone.median != asked(k.point[i].bytes) ||
			 k.point[i].cross.median != CROSSING + asked(k.point[i].bytes);
	is_int(0, wrong, "alone(m) and cross(m) are what such messages take");
	for (int i = 0; i < k.npoints; i++)
		wrong_local += k.point[i].fold.median != FOLD + (double)k.point[i].bytes ||
			       k.point[i].copy.median != COPY + (double)k.point[i].bytes;
	is_int(0, wrong_local, "fold(m) and copy(m) are what each more takes");
	is_int(12 * k.npoints, taken, "twelve times are taken at each size");
	k = measured(straight, 4096);
	is_int(0, k.point[0].alone.n + k.point[0].cross.n + k.point[0].copy.n,
	       "without pairs there is none");
	ok(!k.point[0].alone.flagged, "and no mark");
}

/* Values that cannot be, as times that differ by less than they vary. */
static void noise(void)
{
	struct measure_machine k;

	per_send = -1;
	k = measured(straight, 4);
	ok(k.point[0].os.median == 0 && k.point[0].os.flagged, "a negative overhead is 0");
	is_str("was negative", k.point[0].os.why, "and says so");
	per_send = OS;
	k = measured(negative, 4);
	ok(k.point[0].g.median == OR && k.point[0].g.flagged,
	   "a negative gap is the larger overhead, and marked");
	spread = 40000;
	k = measured(bent, 4096);
	is_str("1 2 4 8 16 32 64 128 256 512 1024 2048 4096", sizes(&k),
	       "a bend that is less than the times vary is none");
	spread = SPREAD;
	time_is_up = true;
	k = measured(bent, 4096);
	/* 2048 ns at 1024 bytes are more than twice what the two sizes before it have */
	is_str("1 4 16 64 256 1024* 4096", sizes(&k), "without time only powers of 4");
	time_is_up = false;
	looks_left = 5;
	k = measured(jumping, 4096);
	is_str("1 2 4 8 16 32 64 128 256 512 1024 4096*", sizes(&k),
	       "with little time the middles of small sizes first");
	looks_left = 7;
	k = measured(jumping, 4096);
	is_str("1 2 4 8 16 32 64 128 256 512 1024 1448 2048* 4096", sizes(&k),
	       "all of them before any that is between these");
	looks_left = -1;
}

int main(void)
{
	values();
	trains();
	bends();
	jumps();
	messages_alone();
	noise();
	return done_testing();
}
