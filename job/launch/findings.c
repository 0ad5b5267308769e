// SPDX-License-Identifier: BSD-3-Clause
/* findings.c - what processes find wrong while the job goes on is printed once. */

/*
 * Each process adds what it finds to the table of its node. The first of a kind claims a place by
 * its key and writes the text; the others count, and set the bits of processes. Nothing is freed
 * before the job ends, so a process that is killed leaves what it has found.
 */

#include "job/internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint64_t finding_moment(const struct bspj_finding *found)
{
	return (uint64_t)found->step << 32 | (uint32_t)found->process;
}

/* Claimed by this process if that is a new one. */
static struct bspj_finding_row *finding_of(struct bspj_status_table *table, uint64_t key,
					   bool *is_new)
{
	for (int i = 0; i < BSPJ_FINDINGS; i++) {
		uint64_t was = 0;

		*is_new = atomic_compare_exchange_strong(&table->finding[i].key, &was, key);
		if (*is_new || was == key)
			return &table->finding[i];
	}
	*is_new = true;
	return NULL;
}

/* One that is new has no moment yet: 0. */
static void note_moment(struct bspj_finding_row *f, uint64_t moment)
{
	uint64_t first = atomic_load(&f->first);

	while ((first == 0 || moment + 1 < first) &&
	       !atomic_compare_exchange_weak(&f->first, &first, moment + 1))
		;
}

int bspj_findings_add(struct bspj_status_table *table, uint64_t key,
		      const struct bspj_finding *found, bool *is_new)
{
	struct bspj_finding_row *f = finding_of(table, key, is_new);

	if (!f)
		return -1;
	if (*is_new) {
		f->found = *found;
		atomic_store(&f->written, true);
	}
	note_moment(f, finding_moment(found));
	return (int)(f - table->finding);
}

void bspj_findings_count(struct bspj_status_table *table, int i, int process, uint64_t times)
{
	atomic_fetch_or(&table->rank[process].found[i / 64], UINT64_C(1) << i % 64);
	atomic_fetch_add(&table->finding[i].times, times);
}

bool bspj_findings_is_first(const struct bspj_status_table *table, int i,
			    const struct bspj_finding *found)
{
	return atomic_load(&table->finding[i].first) == finding_moment(found) + 1;
}

void bspj_findings_clear(struct bspj_status_table *table, int nprocs)
{
	for (int p = 0; p < nprocs; p++)
		for (int i = 0; i < BSPJ_FINDING_WORDS; i++)
			atomic_store(&table->rank[p].found[i], 0);
	for (int i = 0; i < BSPJ_FINDINGS && atomic_load(&table->finding[i].key); i++) {
		struct bspj_finding_row *f = &table->finding[i];

		atomic_store(&f->written, false);
		atomic_store(&f->times, 0);
		atomic_store(&f->first, 0);
		atomic_store(&f->key, 0);
	}
}

/* ---- Lists of processes ------------------------------------------------------------- */

/* The first process after @q whose @in differs from that of @q. */
static int end_of_run(const bool *in, int q, int nprocs)
{
	int end = q + 1;

	while (end < nprocs && in[end] == in[q])
		end++;
	return end;
}

/* A text in pieces, of which the ones that do not fit are only counted. */
struct pieces {
	char *text;
	size_t len, at;
	int n, of;
};

static void append_piece(struct pieces *p, const char *before, int number)
{
	size_t room = p->at < p->len ? p->len - p->at : 0;

	p->at += (size_t)snprintf(room ? p->text + p->at : NULL, room, "%s%d", before, number);
}

static void append_next(struct pieces *p, int number)
{
	append_piece(p, p->n == 0 ? "" : p->n == p->of - 1 ? " and " : ", ", number);
	p->n++;
}

static void append_run(struct pieces *p, int first, int last)
{
	append_next(p, first);
	if (last == first + 1)
		append_next(p, last);
	else if (last > first)
		append_piece(p, " to ", last);
}

size_t bspj_list_processes(char *text, size_t len, const bool *in, int nprocs)
{
	struct pieces p = { .text = text, .len = len };
	int members = 0;

	for (int q = 0, end; q < nprocs; q = end) {
		end = end_of_run(in, q, nprocs);
		/* two are named each, more as "2 to 5" */
		p.of += !in[q] ? 0 : end - q == 2 ? 2 : 1;
		members += in[q] ? end - q : 0;
	}
	p.at = (size_t)snprintf(text, len, members == 1 ? "process " : "processes ");
	for (int q = 0, end; q < nprocs; q = end) {
		end = end_of_run(in, q, nprocs);
		if (in[q])
			append_run(&p, q, end - 1);
	}
	return p.at;
}

/* ---- Lines --------------------------------------------------------------------------- */

static int finding_processes(const bool *in, int nprocs)
{
	int n = 0;

	for (int p = 0; in && p < nprocs; p++)
		n += in[p];
	return n;
}

/* "", or "; 9 times, on processes 0 to 3 and 7"; of a list that is too long the number. */
static void finding_again(char *text, size_t len, uint64_t times, const bool *in, int nprocs)
{
	int n = finding_processes(in, nprocs), at = 0;

	text[0] = '\0';
	if (times > 1)
		at = snprintf(text, len, "; %llu times", (unsigned long long)times);
	if (n < 2)
		return;
	at += snprintf(text + at, len - at, times > 1 ? ", on " : "; on ");
	if (bspj_list_processes(text + at, len - at, in, nprocs) >= len - at)
		snprintf(text + at, len - at, "%d processes", n);
}

size_t bspj_findings_line(char line[BSPJ_FINDING_LINE], const struct bspj_finding *found,
			  const char *step, uint64_t times, const bool *in, int nprocs)
{
	char again[300];
	int n;

	finding_again(again, sizeof(again), times, in, nprocs);
	n = snprintf(line, BSPJ_FINDING_LINE, "%s (process %d, %s %u%s%s%s)\n", found->text,
		     found->process, step, found->step, found->site[0] ? ", " : "", found->site,
		     again);
	return n < BSPJ_FINDING_LINE ? (size_t)n : BSPJ_FINDING_LINE - 1;
}

/* ---- What is left -------------------------------------------------------------------- */

static void findings_mark(const struct bspj_status_table *table, int i, bool *in, int nprocs)
{
	for (int p = 0; p < nprocs; p++)
		in[p] = atomic_load(&table->rank[p].found[i / 64]) >> i % 64 & 1;
}

void bspj_findings_report(const struct bspj_status_table *table, const char *step, int nprocs)
{
	bool *in = calloc((size_t)nprocs, sizeof(*in));
	char line[BSPJ_FINDING_LINE];

	for (int i = 0; i < BSPJ_FINDINGS && atomic_load(&table->finding[i].key); i++) {
		const struct bspj_finding_row *f = &table->finding[i];

		if (!atomic_load(&f->written))
			continue;
		if (in)
			findings_mark(table, i, in, nprocs);
		bspj_findings_line(line, &f->found, step, atomic_load(&f->times), in, nprocs);
		bspj_say("%s", line);
	}
	free(in);
}
