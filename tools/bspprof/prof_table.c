// SPDX-License-Identifier: BSD-3-Clause
/* prof_table.c - a profile for a terminal. */

#include "prof.h"
#include "prof_words.h"

#include "common/emulated.h"

#include <stdlib.h>
#include <string.h>

static double secs(double ns)
{
	return ns * 1e-9;
}

static double share_of(double part, double whole)
{
	return whole > 0 ? 100 * part / whole : 0;
}

static void table_summary(const struct prof *p, FILE *out)
{
	const struct recording_head *h = p->recording.first;
	double all = (double)p->computed + (double)p->waited;
	char network[PROF_NETWORK];

	emulated_describe(h->emulate, network, sizeof(network));
	fprintf(out, "%s: %d processes, transport %s%s%s, %llu supersteps, %.6f s\n", h->program,
		p->nprocs, h->transport, h->emulate[0] ? ", emulated network " : "", network,
		(unsigned long long)(p->nsteps + p->summed), secs((double)p->time));
	fprintf(out, "computed %.1f %%, waited %.1f %% of the time of all processes; sent %llu "
		"puts, gets and messages with %llu bytes\n",
		share_of((double)p->computed, all), share_of((double)p->waited, all),
		(unsigned long long)p->sent, (unsigned long long)p->bytes);
}

/* Notes on the recording itself. */
static void table_notes(const struct prof *p, FILE *out)
{
	const struct recording *r = &p->recording;

	if (prof_is_part())
		fprintf(out, "counted is %s section %s, of a run of %.6f s\n",
			prof_choice.only ? "only" : "all but",
			prof_choice.only ? prof_choice.only : prof_choice.without,
			secs((double)p->length));
	if (prof_is_part() && r->first->full)
		fprintf(out, "the rest of the run did not fit, and is in no figure "
			"(BSP_RECORD_LIMIT)\n");
	if (r->note[0])
		fprintf(out, "the run did not end well: %s\n", r->note);
	if (r->present < r->nprocs)
		fprintf(out, "the recording has %d of %d processes\n", r->present, r->nprocs);
	if (prof_is_busy(p))
		fprintf(out, "the processes had a processor for %.1f %% of the time computed: "
			"other programs ran, or they slept; predictions take that time\n",
			share_of((double)p->processor, (double)p->computed));
	if (p->rebuilt[0])
		fprintf(out, "built again since this run, so that its callers are shown by "
			"address, without lines: %s\n", p->rebuilt);
	if (p->damage[0])
		fprintf(out, "the recording is damaged, and shown as far as it can be read: %s\n",
			p->damage);
	if (p->summed)
		fprintf(out, "%llu supersteps did not fit and are sums only, by call site "
			"(BSP_RECORD_LIMIT)\n", (unsigned long long)p->summed);
	if (r->first->summed)
		fprintf(out, "of %llu supersteps the destinations did not fit "
			"(BSP_RECORD_LIMIT)\n", (unsigned long long)r->first->summed);
}

static void table_sentence(const char *head, const char *text, FILE *out)
{
	if (text[0])
		fprintf(out, "%s: %s\n", head, text);
}

/* The profile in words, before its figures. */
static void table_words(const struct prof *p, FILE *out)
{
	struct prof_help help;
	struct prof_words w;

	prof_help_find(p, &help);
	prof_words_make(p, &help, &w);
	if (w.where[0] || w.help[0])
		fputs("\n", out);
	table_sentence("where the time goes", w.where, out);
	table_sentence("what it is", w.what, out);
	table_sentence("what would help", w.help, out);
}

static void table_row(const struct prof *p, const struct prof_row *r, FILE *out)
{
	int worst;
	double mean = prof_mean(p, r->computed);
	double most = prof_most(p, r->computed, &worst);
	char calls[40];

	prof_calls_text(p, r, calls, sizeof(calls));
	fprintf(out, "%9s %10.6f %10.6f %10.6f %10.6f %6.1f %6.1f %6.2f %5d %12llu  %s %s\n",
		calls, secs(mean), secs(most),
		secs(prof_mean(p, r->waited)), secs(prof_most(p, r->waited, NULL)),
		share_of(prof_mean(p, r->waited), (double)p->time),
		share_of((double)r->on_path, (double)p->path_length), mean > 0 ? most / mean : 1,
		worst, (unsigned long long)r->h, prof_kind_name(r), r->site);
}

/* Call sites, and below each the callers of its function. */
static void table_rows(const struct prof *p, FILE *out)
{
	uint32_t *rows = prof_by_cost(p);

	fputs("\ncall sites, by the time waited\n", out);
	fprintf(out, "%9s %10s %10s %10s %10s %6s %6s %6s %5s %12s  %s\n", "calls", "computed s",
		"most s", "waited s", "most s", "wait %", "path %", "imbal.", "worst", "h bytes",
		"call site");
	for (size_t i = 0; rows && i < p->nrows; i++) {
		const struct prof_row *r = &p->rows[rows[i]];

		table_row(p, r, out);
		for (size_t k = 0; k < r->ncallers && k < PROF_CALLERS_SHOWN; k++)
			table_row(p, &r->callers[k], out);
		if (r->ncallers > PROF_CALLERS_SHOWN)
			fprintf(out, "and %zu callers more\n", r->ncallers - PROF_CALLERS_SHOWN);
	}
	free(rows);
}

static void table_sections(const struct prof *p, FILE *out)
{
	if (!p->nsections)
		return;
	fprintf(out, "\nsections\n%9s %10s %6s %10s %10s  %s\n", "times", "time s", "%",
		"computed s", "waited s", "section");
	for (size_t i = 0; i < p->nsections; i++) {
		const struct prof_section *s = &p->sections[i];

		fprintf(out, "%9llu %10.6f %6.1f %10.6f %10.6f  %s\n",
			(unsigned long long)s->spans.n, secs((double)s->time),
			share_of((double)s->time, (double)p->length),
			secs(prof_mean(p, s->computed)), secs(prof_mean(p, s->waited)), s->name);
	}
}

static void table_node(const struct prof *p, const struct prof_node *n, int depth, void *arg)
{
	FILE *out = arg;
	const struct prof_cost *c = &n->cost;

	fprintf(out, "%10llu %10.6f %10.6f %10.6f %+10.6f  %*s", (unsigned long long)c->steps,
		secs((double)c->time), secs((double)c->waited), secs(c->model),
		secs((double)c->time - c->model), 2 * depth, "");
	if (n->ninside)
		fprintf(out, "%llu times\n", (unsigned long long)n->times);
	else
		fprintf(out, "%s\n", p->signatures[n->signature]);
}

static void table_path(const struct prof *p, FILE *out)
{
	if (!p->calls || !p->path_length) {
		fputs(p->calls ? "\nthere is no critical path: no call took any time\n" :
		      "\nthe critical path is left out: too many calls\n", out);
		return;
	}
	fprintf(out, "\ncritical path, of %.6f s: %.1f %% in calls and on the network",
		secs((double)p->path_length),
		share_of((double)p->path_waits, (double)p->path_length));
	for (int q = 0; q < p->nprocs; q++)
		if (share_of((double)p->path[q], (double)p->path_length) >= 1)
			fprintf(out, ", process %d %.1f %%", q,
				share_of((double)p->path[q], (double)p->path_length));
	fputs("\n", out);
}

static void table_model(const struct prof *p, FILE *out)
{
	double model = 0, computed = 0;

	for (uint64_t i = 0; i < p->nsteps; i++) {
		model += prof_model(p, &p->steps[i]);
		computed += (double)p->steps[i].computed_most;
	}
	fprintf(out, "\ncost model, W + g h + L: %.6f s with W %.6f s; the run took %.6f s, "
		"%.2f times that\n", secs(model), secs(computed), secs((double)p->time),
		model > 0 ? (double)p->time / model : 0);
}

void prof_write_table(const struct prof *p, FILE *out)
{
	uint64_t left;

	table_summary(p, out);
	table_notes(p, out);
	table_words(p, out);
	table_rows(p, out);
	table_sections(p, out);
	fputs("\nsupersteps that repeat\n", out);
	fprintf(out, "%10s %10s %10s %10s %10s  %s\n", "supersteps", "time s", "waited s",
		"model s", "beyond s", "call sites");
	left = prof_write_tree(p, table_node, out);
	if (left)
		fprintf(out, "and %llu rows more\n", (unsigned long long)left);
	table_path(p, out);
	table_model(p, out);
}
