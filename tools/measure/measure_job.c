// SPDX-License-Identifier: BSD-3-Clause
/* measure_job.c - the budget, samples until they agree, and what process 0 tells the others. */

#include "measure.h"

#include "bsp.h"
#include "bsplib/core/state.h"
#include "bsplib/model/nodes.h"
#include "bsplib/schedule/run.h"
#include "bsp_goal.h"
#include "transport/transport.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

enum { AGREED_MOST = 16384 };

/* Values of process 0 arrive here. */
static _Alignas(16) char agreed[AGREED_MOST];
/* For each sample of the value under way: was this process preempted in it? */
static unsigned char preempted[MEASURE_SAMPLES];

/* ---- Agreement and budget ----------------------------------------------------------- */

void measure_fail(const char *format, ...)
{
	char text[256];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	bsp_abort("%s: %s\n", program_invocation_short_name, text);
}

void measure_agree(struct measure *m, void *what, size_t bytes)
{
	for (int q = 1; m->me == 0 && q < m->nprocs; q++)
		bsp_put(q, what, agreed, 0, (int)bytes);
	bsp_sync();
	if (m->me != 0)
		memcpy(what, agreed, bytes);
}

double measure_elapsed(const struct measure *m)
{
	return (double)(bspt_now_ns() - m->began_ns) * 1e-9;
}

bool measure_has_time(struct measure *m, double part)
{
	bool yes = measure_elapsed(m) < part * m->seconds;

	measure_agree(m, &yes, sizeof(yes));
	return yes;
}

void measure_say(const struct measure *m, double part, const char *format, ...)
{
	double left = fmax(m->seconds - measure_elapsed(m), 0) + m->later_seconds;
	char text[80];
	va_list args;

	if (!m->progress || m->me != 0)
		return;
	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	fprintf(stderr, "\r%3.0f %%  %-40s %4.0f s left\033[K", 100 * part, text, ceil(left));
	fflush(stderr);
}

struct goal_schedule *measure_load(struct goal_graph *g)
{
	size_t len;
	void *block = goal_compile(g, &len);
	struct goal_schedule *s;

	if (!block)
		measure_fail("a schedule is wrong: %s", goal_graph_error(g));
	s = goal_load(block, len);
	free(block);
	goal_graph_destroy(g);
	return s;
}

/* ---- Samples -------------------------------------------------------------------------- */

/*
 * Do they agree so well that more of them are of no use? Virtual times are the same each time;
 * real ones may need many samples.
 */
static bool is_settled(const struct measure_value *v)
{
	if (v->n >= 3 && v->high - v->low <= 1e-9 * v->median)
		return true;
	return v->n >= 12 && v->high - v->low <= 0.02 * v->median;
}

static struct measure_value median_of_what_came(const double *samples, int n)
{
	double sorted[MEASURE_SAMPLES];
	struct measure_value v;
	int came = 0;

	for (int i = 0; i < n; i++)
		if (!isnan(samples[i]))
			sorted[came++] = samples[i];
	v = came ? measure_median(sorted, came) : measure_nothing("all messages were lost");
	v.lost = n - came;
	return v;
}

/*
 * Has the system taken the processor from this process since the last call, for another program?
 * Where there are fewer processors than processes that is how they run, and no disturbance. Their
 * number is that of a file, which is read once: it is asked for between any two samples.
 */
static bool was_preempted(const struct measure *m)
{
	static long before, processors;
	struct rusage use;
	long since;

	if (!processors)
		processors = sysconf(_SC_NPROCESSORS_ONLN);
	if (m->virtual_time || processors < m->nprocs || getrusage(RUSAGE_THREAD, &use) < 0)
		return false;
	since = use.ru_nivcsw - before;
	before = use.ru_nivcsw;
	return since > 0;
}

/*
 * Samples @from to @n of the last value, and on process 0 those that count: another program had the
 * processor of a process in the others, unless too few would be left.
 */
static void take_samples(struct measure *m, measure_sample *take, void *what, int from, int n)
{
	was_preempted(m);
	for (int i = from; i < n; i++) {
		m->last[i] = take(m, what);
		preempted[i] = was_preempted(m);
	}
	bsp_put(0, preempted + from, m->preempted, m->me * MEASURE_SAMPLES + from, n - from);
	bsp_sync();
}

static bool sample_counts(const struct measure *m, int i)
{
	for (int q = 0; m->me == 0 && q < m->nprocs; q++)
		if (m->preempted[q * MEASURE_SAMPLES + i])
			return false;
	return true;
}

/* The median of those that count, if they are enough and no number was asked for; else of all. */
static struct measure_value median_of_undisturbed(const struct measure *m, int n)
{
	double quiet[MEASURE_SAMPLES];
	int nquiet = 0;

	for (int i = 0; i < n; i++)
		if (sample_counts(m, i))
			quiet[nquiet++] = m->last[i];
	if (!m->samples && nquiet >= MEASURE_SAMPLES_LEAST)
		return median_of_what_came(quiet, nquiet);
	return median_of_what_came(m->last, n);
}

/* Where its part of the budget is spent, a value has the least number of samples. */
struct measure_value measure_take(struct measure *m, measure_sample *take, void *what, double part)
{
	struct measure_value v;
	bool more, late = false;
	int n = 0, first = m->samples ? m->samples : MEASURE_SAMPLES_LEAST;

	/* samples that do not count; virtual times need none */
	for (int i = m->virtual_time ? 0 : measure_has_time(m, part) ? MEASURE_WARM : 1; i > 0; i--)
		take(m, what);
	do {
		take_samples(m, take, what, n, n > 0 ? 2 * n : first);
		n = n > 0 ? 2 * n : first;
		v = median_of_undisturbed(m, n);
		more = !m->samples && 2 * n <= MEASURE_SAMPLES && !is_settled(&v);
		measure_agree(m, &more, sizeof(more));
		late = more && !measure_has_time(m, part);
	} while (more && !late);
	m->nlast = n;
	if (late && m->me == 0 && m->is_late)
		m->is_late(m, part);
	return v;
}

/* ---- Beginning and end ----------------------------------------------------------------- */

void measure_open(struct measure *m, double seconds, uint64_t bytes_most, bool progress)
{
	const struct goal_node_map *nodes = bspi_nodes();

	*m = (struct measure){
		.me = bsp_pid(), .nprocs = bsp_nprocs(), .peer = bsp_nprocs() - 1,
		.near = nodes ? nodes->first[1] - 1 : 0,
		.seconds = seconds, .began_ns = bspt_now_ns(), .bytes_most = bytes_most,
		.progress = progress, .virtual_time = bspi.clock,
	};
	m->gathered = calloc((size_t)m->nprocs, sizeof(*m->gathered));
	m->preempted = calloc((size_t)m->nprocs, MEASURE_SAMPLES);
	if (!m->gathered || !m->preempted)
		measure_fail("no memory");
	measure_clock_open();
	bsp_push_reg(agreed, sizeof(agreed));
	bsp_push_reg(m->gathered, m->nprocs * (int)sizeof(*m->gathered));
	bsp_push_reg(m->preempted, m->nprocs * MEASURE_SAMPLES);
	bsp_sync();
}

void measure_close(struct measure *m)
{
	if (m->progress && m->me == 0)
		fputs("\r\033[K", stderr);
	bsp_pop_reg(m->preempted);
	bsp_pop_reg(m->gathered);
	bsp_pop_reg(agreed);
	bsp_sync();
	free(m->preempted);
	free(m->gathered);
}
