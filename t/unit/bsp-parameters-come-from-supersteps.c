/* SPDX-License-Identifier: BSD-3-Clause */
/* g is what a word more costs, and n_half the message at which a word costs twice that, of the
 * network that the times are of. */
#include "../../tools/measure/clock.c"
#include "../../tools/measure/measure_bsp.c"
#include "../../tools/measure/measure_stats.c"
#include "../../tools/measure/sample.c"
#include "../lib/tap.h"

/* In ns: a superstep takes L0, a message start, and a word G or, by total exchange, twice that. */
enum { L0 = 5000, G = 3 };

static double start;
static double per_word = G;
static int asked;

/* ---- What the job does, in this process --------------------------------------------------- */

struct measure_value measure_take(struct measure *m, measure_sample *take, void *what, double part)
{
	const struct relation *r = what;
	double ns = L0;

	(void)m, (void)take, (void)part;
	asked++;
	if (r->words)
		ns += start + r->words * per_word * (r->shift ? 1 : 2);
	return (struct measure_value){ .median = ns, .low = ns - 100, .high = ns + 100, .n = 5 };
}

void measure_agree(struct measure *m, void *what, size_t bytes)
{
	(void)m, (void)what, (void)bytes;
}

bool measure_has_time(struct measure *m, double part)
{
	(void)m, (void)part;
	return true;
}

void measure_say(const struct measure *m, double part, const char *format, ...)
{
	(void)m, (void)part, (void)format;
}

void measure_fail(const char *format, ...)
{
	bail("%s", format);
}

double measure_now(const struct measure *m)
{
	(void)m;
	return 0;
}

struct goal_schedule *measure_load(struct goal_graph *g)
{
	(void)g;
	return NULL;
}

/* ---- Checks ------------------------------------------------------------------------------- */

static struct measure m = { .nprocs = 4 };

/* A slope is over 32768 words: an interval of 200 on either side is 0.006 for a word. */
static void slopes(void)
{
	struct measure_value shift, exchange;

	start = 3000;
	shift = slope(&m, true, 1);
	exchange = slope(&m, false, 1);
	ok(shift.median == 3 && exchange.median == 6, "g: 3 ns by a shift, 6 by total exchange");
	ok(shift.low == 3 - 200 / 32768.0 && shift.high == 3 + 200 / 32768.0,
	   "its interval is that of both times");
	per_word = -1;
	shift = slope(&m, true, 1);
	ok(shift.median == 0 && shift.flagged, "a word that costs less than nothing costs nothing");
	per_word = G;
}

static struct measure_value nhalf_of(double startup)
{
	start = startup;
	asked = 0;
	return find_nhalf(&m, L0, G, 1);
}

/*
 * A word of n costs start / n + 3 ns, so it is 6 where n is start / 3. Sizes are doubled, and the
 * place between the last two is found on a line.
 */
static void halves(void)
{
	struct measure_value v = nhalf_of(3 * 512);

	ok(v.median == 512 && !v.flagged, "a start of 512 words: n_half is 512");
	ok(v.low == 256 && v.high == 512, "between the two sizes that were measured");
	is_int(10, asked, "1 to 512 were");
	v = nhalf_of(3 * 1000);
	/* 512: 8.859375; 1024: 5.9296875, so 0.024 of the way back to 512 */
	ok(fabs(v.median - 1024 * (1 - 0.024 / 2)) < 1e-6, "of 1000 words: %g is 1011.71",
	   v.median);
	v = nhalf_of(0);
	ok(v.median == 1 && v.flagged, "without a start it is a single word");
	is_str("a single word costs no more", v.why, "which is said");
	v = nhalf_of(1e9);
	ok(v.flagged, "a start of more than all words is not reached");
	is_str("not reached", v.why, "which is said, too");
	is_int(17, asked, "after 65536 words");
}

int main(void)
{
	slopes();
	halves();
	return done_testing();
}
