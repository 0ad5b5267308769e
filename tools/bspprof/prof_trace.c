// SPDX-License-Identifier: BSD-3-Clause
/* prof_trace.c - a recording as a timeline in the format of Chrome's tracing, for Perfetto. */

/*
 * "Trace Event Format": an object with an array of events; times are microseconds. A process of
 * the run is a thread of the trace, so that arrows can go from one to another: from the put, the
 * message or the last process at a barrier that ended a wait to that wait. The calls drawn are
 * those that prof_load() keeps for the critical path. Schedules that the kernel ran beside a
 * process have lanes of their own below it: one lane more for each that was under way at the same
 * time. Below all are, likewise, the operations of these schedules, if they were recorded.
 */

#include "prof.h"

#include "common/json.h"

#include <stdlib.h>
#include <string.h>

struct trace {
	const struct prof *p;
	FILE *out;
	uint64_t arrows;
	bool some;
};

static void begin_event(struct trace *t)
{
	fputs(t->some ? ",\n{" : "\n{", t->out);
	t->some = true;
}

static double us(uint64_t ns)
{
	return (double)ns * 1e-3;
}

/* Lanes of the kernel beside a process; what is more shares the last. */
enum { LANES = 31, LANES_AND_PROCESS };

/* Viewers sort by the second number. A process has its number, so that all programs look alike. */
static void trace_track(struct trace *t, int tid, int place, const char *name, int pid)
{
	begin_event(t);
	fprintf(t->out, "\"ph\":\"M\",\"pid\":1,\"tid\":%d,\"name\":\"thread_name\","
		"\"args\":{\"name\":\"%s %d\"}}", tid, name, pid);
	begin_event(t);
	fprintf(t->out, "\"ph\":\"M\",\"pid\":1,\"tid\":%d,\"name\":\"thread_sort_index\","
		"\"args\":{\"sort_index\":%d}}", tid, place);
}

/* Behind all of processes. */
static void trace_track_named(struct trace *t, int tid, const char *section)
{
	char name[RECORDING_SITE_MOST + 16];

	snprintf(name, sizeof(name), "section %s", section);
	begin_event(t);
	fprintf(t->out, "\"ph\":\"M\",\"pid\":1,\"tid\":%d,\"name\":\"thread_name\","
		"\"args\":{\"name\":", tid);
	bspi_json_write(t->out, name);
	fputs("}}", t->out);
	begin_event(t);
	fprintf(t->out, "\"ph\":\"M\",\"pid\":1,\"tid\":%d,\"name\":\"thread_sort_index\","
		"\"args\":{\"sort_index\":%d}}", tid, tid + t->p->nprocs);
}

static void trace_names(struct trace *t)
{
	begin_event(t);
	fputs("\"ph\":\"M\",\"pid\":1,\"name\":\"process_name\",\"args\":{\"name\":", t->out);
	bspi_json_write(t->out, t->p->recording.first->program);
	fputs("}}", t->out);
	for (int q = 0; q < t->p->nprocs; q++)
		trace_track(t, q, q * LANES_AND_PROCESS, "process", q);
}

/* Without its last brace. */
static void trace_span(struct trace *t, int pid, const char *category, const char *name,
		       const char *site, uint64_t begin, uint64_t finish)
{
	char text[RECORDING_SITE_MOST + 80];

	snprintf(text, sizeof(text), "%s%s%s", name, site[0] ? " " : "", site);
	begin_event(t);
	fprintf(t->out, "\"ph\":\"X\",\"pid\":1,\"tid\":%d,\"cat\":\"%s\",\"ts\":%.3f,"
		"\"dur\":%.3f,\"name\":", pid, category, us(begin), us(finish - begin));
	bspi_json_write(t->out, text);
}

static const char *category_of(const struct prof_row *r)
{
	switch (r->kind) {
	case RECORDING_SYNC:
		return "sync";
	case RECORDING_READ:
	case RECORDING_EXPECT:
	case RECORDING_DIRECT_GET:
		return "read";
	case RECORDING_SCHEDULE:
		return "schedule";
	default:
		return "collective";
	}
}

/* A call, with its figures as arguments. */
static void trace_arrow(struct trace *t, int pid, const struct prof_call *c)
{
	static const char *const names[RECORDING_WHATS] = {
		[RECORDING_PUT] = "put", [RECORDING_GET] = "get", [RECORDING_MESSAGE] = "send",
	};
	const char *name = c->sent_something ? names[c->what] : "barrier";

	begin_event(t);
	fprintf(t->out, "\"ph\":\"s\",\"pid\":1,\"tid\":%d,\"cat\":\"wait\",\"name\":\"%s\","
		"\"id\":%llu,\"ts\":%.3f}", c->from, name, (unsigned long long)t->arrows,
		us(c->sent));
	begin_event(t);
	fprintf(t->out, "\"ph\":\"f\",\"bp\":\"e\",\"pid\":1,\"tid\":%d,\"cat\":\"wait\","
		"\"name\":\"%s\",\"id\":%llu,\"ts\":%.3f}", pid, name,
		(unsigned long long)t->arrows, us(c->finish));
	t->arrows++;
}

static void trace_process(struct trace *t, int pid)
{
	const struct prof_calls *c = &t->p->calls[pid];
	uint64_t last = 0;

	for (size_t i = 0; i < c->n; i++) {
		const struct prof_call *call = &c->at[i];
		const struct prof_row *r = &t->p->rows[call->row];
		uint64_t computed = prof_computed_before(call, last);

		if (computed) {
			trace_span(t, pid, "compute", "compute", "", call->begin - computed,
				   call->begin);
			fputs("}", t->out);
		}
		trace_span(t, pid, category_of(r), prof_kind_name(r), r->site, call->begin,
			   call->finish);
		fprintf(t->out, ",\"args\":{\"superstep\":%u,\"n\":%u,\"bytes\":%llu", call->step,
			call->n, (unsigned long long)call->bytes);
		if (call->from >= 0)
			fprintf(t->out, ",\"waits for process\":%d", call->from);
		fputs("}}", t->out);
		if (call->from >= 0)
			trace_arrow(t, pid, call);
		last = call->finish;
	}
}

/* Put it on the first lane that is free; on the last it moves to when that will be. */
static int trace_lane(uint64_t *free_from, uint64_t *begin, uint64_t *finish)
{
	int lane = 0;

	while (lane < LANES - 1 && free_from[lane] > *begin)
		lane++;
	if (*begin < free_from[lane])
		*begin = free_from[lane];
	if (*finish < *begin)
		*finish = *begin;
	free_from[lane] = *finish;
	return lane;
}

static void trace_kernel(struct trace *t, int pid)
{
	int first = t->p->nprocs + pid * LANES, lanes = 0;
	const struct prof_runs *runs = &t->p->runs[pid];
	uint64_t free_from[LANES] = { 0 };

	for (size_t i = 0; i < runs->n; i++) {
		const struct prof_run *r = &runs->at[i];
		uint64_t begin = r->begin, finish = r->finish;
		int lane = trace_lane(free_from, &begin, &finish);

		for (; lanes <= lane; lanes++)
			trace_track(t, first + lanes, pid * LANES_AND_PROCESS + lanes + 1,
				    "kernel, process", pid);
		trace_span(t, first + lane, "kernel", t->p->run_names[r->name], "", begin, finish);
		fputs("}", t->out);
	}
}

/* From when an operation waited for no other one any more until it had ended. */
static void trace_operations(struct trace *t, int pid)
{
	int first = t->p->nprocs + (t->p->nprocs + pid) * LANES, lanes = 0;
	int place = t->p->nprocs * LANES_AND_PROCESS + pid * LANES;
	const struct prof_operations *operations = &t->p->operations[pid];
	uint64_t free_from[LANES] = { 0 };
	char name[80];

	for (size_t i = 0; i < operations->n; i++) {
		const struct prof_operation *o = &operations->at[i];
		uint64_t begin = o->begin, finish = o->finish;
		int lane = trace_lane(free_from, &begin, &finish), len;

		for (; lanes <= lane; lanes++)
			trace_track(t, first + lanes, place + lanes,
				    "operations in the kernel, process", pid);
		len = snprintf(name, sizeof(name), "%s", o->name);
		if (o->peer >= 0)
			len += snprintf(name + len, sizeof(name) - (size_t)len, " %s %d",
					strcmp(o->name, "receive") == 0 ? "from" : "to", o->peer);
		snprintf(name + len, sizeof(name) - (size_t)len, ", %llu bytes",
			 (unsigned long long)o->bytes);
		trace_span(t, first + lane, "operation", name, "", begin, finish);
		fputs("}", t->out);
	}
}

/* Sections on a track of their own, below all others: they may begin in what is computed. */
static void trace_sections(struct trace *t)
{
	int track = t->p->nprocs * (1 + 2 * LANES);

	if (!t->p->nsections)
		return;
	for (size_t i = 0; i < t->p->nsections; i++) {
		const struct prof_section *s = &t->p->sections[i];
		uint64_t until = 0;

		trace_track_named(t, track + (int)i, s->name);
		for (size_t k = 0; k < s->spans.n; k++) {
			const struct span *at = &s->spans.at[k];

			if (at->last <= until)
				continue;
			trace_span(t, track + (int)i, "section", s->name, "",
				   at->first < until ? until : at->first, at->last);
			fputs("}", t->out);
			until = at->last;
		}
	}
}

/* Bytes that processes send: a counter for the whole run, at the end of each superstep. */
static void trace_counters(struct trace *t)
{
	for (uint64_t i = 0; i < t->p->nsteps; i++) {
		const struct prof_step *s = &t->p->steps[i];

		begin_event(t);
		fprintf(t->out, "\"ph\":\"C\",\"pid\":1,\"name\":\"h, bytes\",\"ts\":%.3f,"
			"\"args\":{\"h\":%llu}}", us(s->finish), (unsigned long long)s->h);
	}
}

void prof_write_trace(const struct prof *p, FILE *out)
{
	struct trace t = { .p = p, .out = out };

	fputs("{\"displayTimeUnit\":\"ns\",\"traceEvents\":[", out);
	trace_names(&t);
	for (int q = 0; q < p->nprocs; q++)
		trace_process(&t, q);
	for (int q = 0; q < p->nprocs; q++)
		if (p->runs[q].n)
			trace_kernel(&t, q);
	for (int q = 0; q < p->nprocs; q++)
		trace_operations(&t, q);
	trace_sections(&t);
	trace_counters(&t);
	fputs("\n]}\n", out);
}
