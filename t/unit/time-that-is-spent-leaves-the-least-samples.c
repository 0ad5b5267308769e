/* SPDX-License-Identifier: BSD-3-Clause */
/* A measurement keeps to its seconds, as far as three samples of each value do. */
#include <sys/resource.h>
#include <time.h>

/* The clock of what follows: it advances by the cost of each sample; and no other program runs. */
static int fake_clock_gettime(clockid_t id, struct timespec *t);
static int fake_getrusage(int who, struct rusage *use);
#define clock_gettime fake_clock_gettime
#define getrusage fake_getrusage
#include "../../tools/measure/measure_job.c"
#undef clock_gettime
#undef getrusage
#include "../../tools/measure/measure_stats.c"
#include "../../tools/measure/sample.c"
#include "../lib/tap.h"

enum { VALUES = 10 };

static double now = 1000;	/* whole seconds; one for each sample */
static int samples, late_calls;
static double late_part;

static int fake_clock_gettime(clockid_t id, struct timespec *t)
{
	(void)id;
	*t = (struct timespec){ .tv_sec = (time_t)now };
	return 0;
}

static int fake_getrusage(int who, struct rusage *use)
{
	(void)who;
	*use = (struct rusage){ .ru_nivcsw = 0 };
	return 0;
}

void measure_clock_open(void)
{
}

/* Values that never agree. */
static double sample(struct measure *m, void *what)
{
	(void)m, (void)what;
	now++;
	return 100 + 50 * (samples++ % 2);
}

static void be_late(struct measure *m, double part)
{
	(void)m;
	late_calls++;
	late_part = part;
}

static void begin(struct measure *m, double seconds)
{
	bsp_begin(1);
	tap_process(0);
	measure_open(m, seconds, 1, false);
	m->is_late = be_late;
	samples = late_calls = 0;
}

static void end(struct measure *m)
{
	measure_close(m);
	bsp_end();
}

/* Two that do not count, 3, 6 and 12: 14 seconds, as the time is looked at in between. */
static void with_time(void)
{
	static struct measure m;
	struct measure_value v;

	begin(&m, 10);
	v = measure_take(&m, sample, NULL, 1);
	is_int(14, samples, "samples while there is time");
	is_int(12, v.n, "of these, so many count");
	is_int(1, late_calls, "the time is spent then");
	end(&m);
}

static void without_time(void)
{
	static struct measure m;
	struct measure_value v;

	begin(&m, 10);
	now += 11;
	v = measure_take(&m, sample, NULL, 0.5);
	is_int(4, samples, "samples when the time is spent");
	is_int(3, v.n, "of these, so many count");
	is_int(1, late_calls, "that is reported");
	ok(late_part == 0.5, "with the part of the measurement that is done");
	end(&m);
}

static double seconds_of_all(double seconds)
{
	static struct measure m;
	double began = now;

	begin(&m, seconds);
	for (int i = 0; i < VALUES; i++)
		measure_take(&m, sample, NULL, (i + 1.0) / VALUES);
	end(&m);
	return now - began;
}

/* Ten values of one second each sample. */
static void in_all(void)
{
	/* at the start there is time, so there is a second one that does not count */
	is_int(41, (long)seconds_of_all(0.2), "the least there is");
}

static void in_time(void)
{
	double took = seconds_of_all(60);

	ok(took > 50 && took <= 70, "60 s are about that: %.0f", took);
}

int main(void)
{
	lives_ok(with_time, 1, "time enough");
	lives_ok(without_time, 1, "no time left");
	lives_ok(in_all, 1, "far too little time");
	lives_ok(in_time, 1, "time for less than eight samples of each");
	return done_testing();
}
