/* SPDX-License-Identifier: BSD-3-Clause */
/* Samples of a busy machine, by which bytes take no time or less, become a file that bsprun
 * --emulate reads, with marks at what was replaced. */
#include "../../tools/bspprobe/bspprobe_bound.c"
#include "../../tools/bspprobe/bspprobe_write.c"
#include "../../tools/measure/measure_stats.c"
#include "../../tools/measure/sample.c"
#include "../lib/tap.h"

#include <stdlib.h>
#include <unistd.h>

/* Four processes in a loop each on two processors, and bspprobe -n 2 --seconds 0.3 beside them. */
static const struct sample {
	const char *name;
	double gamma;
	int n;
	double g[11];		/* of 1, 4, 16, ... bytes */
	bool is_mended;
} sample[] = {
	{ "the last but one took no time", 0, 11,
	  { 162.24, 172.59, 177.26, 180.6, 88.465, 432.31, 1362.4, 7643.4, 479480, 1, 9691361 },
	  true },
	{ "long messages took no time", 0, 11,
	  { 70.1, 88.46, 70.1, 69.77, 1, 146.55, 1, 1930.2, 1, 1, 1 }, true },
	{ "gamma of a busy machine", 4265580.68, 11,
	  { 56.4, 1, 95.14, 99.48, 1, 165.9, 1, 1946.6, 1, 8390.2, 1 }, true },
	{ "times that decrease", 0, 8, { 800, 700, 600, 500, 400, 300, 200, 100 }, true },
	{ "times of a second that are equal", 1, 8,
	  { 1e9, 1e9, 1e9, 1e9, 1e9, 1e9, 1e9, 1e9 }, true },
	{ "two sizes, one of them of a network that slept", 1, 3, { 5e8, 5e8, 1 }, true },
	{ "a quiet machine", 0.75, 8, { 70, 71, 75, 90, 150, 390, 1350, 5190 }, false },
};

enum { MACHINE_SAMPLES = sizeof(sample) / sizeof(sample[0]) };

static struct probe_result result;
static char path[] = "probe-XXXXXX", warnings[4096];

static struct measure_value busy_value(double median)
{
	return (struct measure_value){ .median = median, .low = median, .high = median, .n = 9 };
}

static void fill(const struct sample *s)
{
	struct measure_machine *k = &result.machine;

	*k = (struct measure_machine){
		.npoints = s->n, .L = busy_value(200), .gamma = busy_value(s->gamma),
		.combine = busy_value(0.07), .copy = busy_value(0.02), .s = busy_value(2000),
		.l_ns = busy_value(30000), .g_ns = busy_value(3), .nhalf = busy_value(8),
	};
	for (int i = 0; i < s->n; i++)
		k->point[i] = (struct measure_point){
			.bytes = (uint64_t)1 << 2 * i, .os = busy_value(40), .or_ = busy_value(20),
			.g = busy_value(s->g[i]),
		};
	snprintf(result.key.host, sizeof(result.key.host), "h");
	snprintf(result.key.transport, sizeof(result.key.transport), "shm");
	result.key.nprocs = 4;
}

static void bound_and_write(void)
{
	FILE *say = fmemopen(warnings, sizeof(warnings), "w"), *out = fopen(path, "w");

	memset(warnings, 0, sizeof(warnings));
	if (!say || !out)
		bail("cannot write");
	probe_bound(&result.machine, say);
	probe_write_machine(out, &result, PROBE_JSON);
	if (fclose(say) || fclose(out))
		bail("cannot write %s", path);
}

/* By the library, and by the emulator. */
static void is_read(const char *name)
{
	struct bspi_params_entry e;
	struct bspi_measured m;
	char why[BSPI_NETWORK_WHY] = "";

	is_int(1, bspi_params_find(path, &result.key, false, &e, why, sizeof(why)),
	       "%s: parameters are read %s", name, why);
	is_near(result.machine.gamma.flagged ? 0 : result.machine.gamma.median, e.plogp.gamma, 0,
		"%s: a gamma that is marked is not used", name);
	is_int(0, bspi_network_measured(path, 1, &m, why, sizeof(why)), "%s: and emulated %s",
	       name, why);
}

static int marks(void)
{
	int n = 0;

	for (int i = 0; i < result.machine.npoints; i++)
		n += result.machine.point[i].g.flagged;
	return n;
}

static void samples_are_read(const struct sample *s)
{
	bool says = false;

	fill(s);
	bound_and_write();
	is_read(s->name);
	says = strstr(warnings, "bspprobe: more bytes took no more time: g(m) is taken as");
	ok(says == s->is_mended, "%s: %s", s->name, s->is_mended ? "a warning" : "none of gaps");
	ok((marks() > 0) == s->is_mended, "%s: with marks: %d", s->name, marks());
	if (s->gamma > 1)
		ok(result.machine.gamma.median == 1 && result.machine.gamma.flagged &&
			   strstr(warnings, "bspprobe: gamma was measured as 4.26558e+06, which "
					    "cannot be, and is taken as 1;"),
		   "gamma is the greatest that can be: %s", warnings);
}

/* Equal times stay together, and the mean of what decreases is in its place. */
static void nearest_is_taken(void)
{
	struct bspi_plogp p = { .nsizes = 4, .size = { 1, 64, 256, 1024 },
				.g = { 100, 300, 200, 50 } };

	is_int(BSPI_GAPS_MENDED, bspi_network_mend_gaps(&p), "times that decrease are mended");
	is_near(100, p.g[0], 1, "the first is as it was");
	is_near(550.0 / 3, p.g[1], 1, "the others are their mean");
	is_near(550.0 / 3, p.g[3], 1, "also the last");
	ok(p.g[1] < p.g[2] && p.g[2] < p.g[3], "and grow a little");
	p.g[1] = p.g[2] = p.g[3] = 2000;
	p.nsizes = 1;
	is_int(BSPI_GAPS_SHORT, bspi_network_mend_gaps(&p), "one size says nothing of a byte");
	is_near(100, p.g[0], 1, "and stays");
}

static void every_number_is_bounded(void)
{
	struct measure_machine *k = &result.machine;

	fill(&sample[MACHINE_SAMPLES - 1]);
	k->L.median = -1;
	k->s.median = 0;
	k->l_ns.median = NAN;
	k->g_ns.median = 1e300;
	k->combine.median = 1e9;
	k->copy.median = -0.5;
	k->nhalf.median = INFINITY;
	k->point[0].os = measure_nothing("no time");
	k->point[0].os.median = -3;
	k->point[1].or_.median = 1e30;
	k->point[2].g.median = 0;
	bound_and_write();
	is_read("numbers that cannot be");
	is_str("was more than can be", k->combine.why, "with why");
}

/* A difference of values that are marked may be negative, too. */
static void marked_values_are_clamped(void)
{
	struct measure_value none = measure_nothing("no time"), five = busy_value(5);
	struct measure_value v = measure_difference(&none, &five, 1);

	measure_clamp(&v, 1);
	is_near(1, v.median, 0, "a marked value that is negative becomes the least");
	is_str("no time", v.why, "and says what it said");
}

int main(void)
{
	int fd = mkstemp(path);

	if (fd < 0)
		bail("no temporary file");
	close(fd);
	for (int i = 0; i < MACHINE_SAMPLES; i++)
		samples_are_read(&sample[i]);
	nearest_is_taken();
	every_number_is_bounded();
	marked_values_are_clamped();
	unlink(path);
	return done_testing();
}
