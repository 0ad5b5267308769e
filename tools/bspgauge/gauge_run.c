// SPDX-License-Identifier: BSD-3-Clause
/* gauge_run.c - measure patterns on one module: the SPMD part. */

#include "gauge.h"

#include "bsp.h"
#include "bsplib/model/params.h"
#include "transport/transport.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { CHECKED_BYTES = 4096, PAGE = 4096 };

static char *exchanged;		/* what the others sent in job_exchange() */
static struct gauge_result discarded;	/* of processes that keep nothing */

/* The state of run_patterns(), in the sum of the weights of all patterns. */
static struct {
	uint64_t began_ns;
	double done, now, all;		/* before the one under way, of that, of all */
	const char *module;
	bool shown;			/* that the time is too short */
} progress_of;

/* ---- What modules ask for ----------------------------------------------------------- */

static void job_exchange(const void *mine, size_t len, void *all)
{
	for (int q = 0; q < bsp_nprocs(); q++)
		bsp_put(q, mine, exchanged, bsp_pid() * (int)len, (int)len);
	bsp_sync();
	memcpy(all, exchanged, (size_t)bsp_nprocs() * len);
	bsp_sync();
}

static void *area(size_t bytes)
{
	void *at = mmap(NULL, bytes + PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1,
			0);

	if (at == MAP_FAILED)
		measure_fail("no memory");
	memset(at, 0, bytes);
	return at;
}

static void open_job(struct gauge *g)
{
	size_t bytes = (size_t)g->request->size[g->request->nsizes - 1];

	bytes = bytes < CHECKED_BYTES ? CHECKED_BYTES : bytes;
	exchanged = calloc((size_t)g->m.nprocs, GAUGE_EXCHANGE);
	if (!exchanged)
		measure_fail("no memory");
	bsp_push_reg(exchanged, g->m.nprocs * GAUGE_EXCHANGE);
	bsp_sync();
	g->job = (struct gauge_job){
		.me = g->m.me,
		.nprocs = g->m.nprocs,
		.src = area(bytes),
		.dst = area(bytes),
		.bytes = bytes,
		.alone = sysconf(_SC_NPROCESSORS_ONLN) >= g->m.nprocs,
		.exchange = job_exchange,
		.fail = measure_fail,
	};
}

static void close_job(struct gauge *g)
{
	bsp_pop_reg(exchanged);
	bsp_sync();
	free(exchanged);
	munmap(g->job.src, g->job.bytes + PAGE);
	munmap(g->job.dst, g->job.bytes + PAGE);
}

/* ---- Does it carry? ----------------------------------------------------------------- */

/*
 * Each process in turn sends bytes to the next, which looks at them: false on all if one was
 * wrong.
 */
static bool carries(struct gauge *g)
{
	size_t bytes = g->module->bytes_most && g->module->bytes_most < CHECKED_BYTES ?
			       g->module->bytes_most :
			       CHECKED_BYTES;
	unsigned char *src = g->job.src, *dst = g->job.dst;
	const double *all;
	bool good = true;

	for (size_t i = 0; i < bytes; i++)
		src[i] = (unsigned char)(i * 7 + (size_t)g->m.me);
	for (int q = 0; q < g->m.nprocs; q++) {
		struct gauge_script *s = gauge_script(false);
		int next = (q + 1) % g->m.nprocs;

		if (g->m.me == q)
			gauge_script_send(s, next, bytes);
		else if (g->m.me == next)
			gauge_script_recv(s, q, bytes);
		gauge_script_load(g, s);
		gauge_script_run(g, s);
		for (size_t i = 0; g->m.me == next && i < bytes; i++)
			good = good && dst[i] == (unsigned char)(i * 7 + (size_t)q);
		gauge_script_free(s);
	}
	all = measure_gather(&g->m, good);
	for (int q = 0; all && q < g->m.nprocs; q++)
		good = good && all[q] != 0;
	measure_agree(&g->m, &good, sizeof(good));
	return good;
}

/* Opened, or not by all of them, and why in @why on process 0. */
static bool open_module(struct gauge *g, char *why, size_t len)
{
	bool good = true;

	if (g->module->open)
		good = g->module->open(&g->job, why, len) == 0;
	measure_agree(&g->m, &good, sizeof(good));
	if (!good || carries(g))
		return good;
	snprintf(why, len, "what arrived is not what was sent");
	if (g->module->close)
		g->module->close(&g->job);
	return false;
}

/* ---- Patterns ----------------------------------------------------------------------- */

static struct gauge_result *new_result(struct gauge *g, struct gauge_report *report,
				       const struct gauge_pattern *p)
{
	struct gauge_result *r = g->m.me == 0 ? gauge_report_add(report) : &discarded;
	struct bspi_params_key key;

	bspi_params_key(&key);
	if (r == &discarded)
		gauge_result_free(r);
	*r = (struct gauge_result){ .nprocs = g->m.nprocs };
	snprintf(r->module, sizeof(r->module), "%s", g->module->name);
	snprintf(r->pattern, sizeof(r->pattern), "%s", p->name);
	snprintf(r->transport, sizeof(r->transport), "%s", key.transport);
	snprintf(r->network, sizeof(r->network), "%s", key.network);
	return r;
}

/* The weights of patterns from @i on that can be measured. */
static double weight_from(const struct gauge *g, unsigned int i)
{
	const struct gauge_pattern *p;
	char why[GAUGE_TEXT];
	double weight = 0;

	for (; (p = gauge_pattern_at(i)); i++)
		if (gauge_is_in(g->request->patterns, p->name) &&
		    !gauge_refuses(p, g->module, g->m.nprocs, g->m.virtual_time, why, sizeof(why)))
			weight += p->weight;
	return weight;
}

/*
 * The time is spent, and values have had the least number of samples: say so once, if it makes a
 * difference, and how long that takes.
 */
static void tell_of_late(struct measure *m, double part)
{
	double seconds = (double)(bspt_now_ns() - progress_of.began_ns) * 1e-9;
	double done = (progress_of.done + part * progress_of.now) / progress_of.all;
	/* if the rest goes on as what has been done */
	double in_all = seconds / fmin(fmax(done, 0.001), 1), asked = gauge_request.seconds;

	(void)m;
	if (progress_of.shown || seconds < asked || in_all < 1.5 * asked)
		return;
	progress_of.shown = true;
	gauge_complain("module %s: %.3g s is too short for %d samples of each value, which take "
		       "about %.2g s; --pattern, --sizes and --module measure less",
		       progress_of.module, asked, MEASURE_SAMPLES_LEAST, in_all);
}

static void run_pattern(struct gauge *g, const struct gauge_pattern *p, double seconds,
			double later)
{
	struct measure_others others;

	progress_of.now = p->weight;
	g->m.seconds = seconds;
	g->m.later_seconds = later;
	g->m.began_ns = bspt_now_ns();
	g->m.is_late = gauge_request.quiet ? NULL : tell_of_late;
	g->m.nlast = 0;
	g->random = g->seed;
	g->m.carrier = g->module->can & GAUGE_LIBRARY ? &measure_schedules : &gauge_messages;
	measure_say(&g->m, 0, "%s: %s", g->module->name, p->name);
	measure_others_begin(&others);
	p->run(g);
	g->result->seconds = (double)(bspt_now_ns() - g->m.began_ns) * 1e-9;
	g->result->taken = g->m.virtual_time ? 0 : measure_others(&g->m, &others);
	progress_of.done += p->weight;
}

/* Time that one pattern does not spend is left to the others. */
static void run_patterns(struct gauge *g, struct gauge_report *report, const char *closed)
{
	uint64_t began_ns = bspt_now_ns();
	const struct gauge_pattern *p;

	progress_of.began_ns = began_ns;
	progress_of.module = g->module->name;
	progress_of.all = weight_from(g, 0);
	for (unsigned int i = 0; (p = gauge_pattern_at(i)); i++) {
		double left = g->request->seconds - (double)(bspt_now_ns() - began_ns) * 1e-9,
		       all = weight_from(g, i);

		if (!gauge_is_in(g->request->patterns, p->name))
			continue;
		g->result = new_result(g, report, p);
		if (closed)
			snprintf(g->result->skipped, sizeof(g->result->skipped), "%s", closed);
		else if (!gauge_refuses(p, g->module, g->m.nprocs, g->m.virtual_time,
					g->result->skipped, sizeof(g->result->skipped)))
			run_pattern(g, p, left * p->weight / all, left * (1 - p->weight / all));
	}
}

bool gauge_run(const struct gauge_module *module, struct gauge_report *report)
{
	static struct gauge g;
	char why[GAUGE_TEXT] = "";
	bool first, opened, progress;

	bsp_begin(bsp_nprocs());
	if (bsp_nprocs() < 2)
		measure_fail("one process sends no messages; ask for more with -n");
	progress = !gauge_request.quiet && isatty(STDERR_FILENO);
	g.request = &gauge_request;
	g.module = module;
	g.seed = gauge_request.seed;
	measure_open(&g.m, gauge_request.seconds, gauge_request.size[gauge_request.nsizes - 1],
		     progress);
	g.m.samples = gauge_request.samples;
	measure_agree(&g.m, &g.seed, sizeof(g.seed));
	snprintf(report->clock, sizeof(report->clock), "%s",
		 g.m.virtual_time ? "virtual" : measure_clock_name());
	while (g.nsizes < gauge_request.nsizes &&
	       (!module->bytes_most || gauge_request.size[g.nsizes] <= module->bytes_most))
		g.nsizes++;
	g.m.bytes_most = g.nsizes ? gauge_request.size[g.nsizes - 1] : 1;
	open_job(&g);
	opened = open_module(&g, why, sizeof(why));
	run_patterns(&g, report, opened ? NULL : why);
	gauge_result_free(&discarded);
	if (opened && module->close)
		module->close(&g.job);
	close_job(&g);
	measure_close(&g.m);
	first = g.m.me == 0;
	bsp_end();
	return first;
}
