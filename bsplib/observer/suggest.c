// SPDX-License-Identifier: BSD-3-Clause
/* suggest.c - bsprun --check: which n each bsp_read needs (--suggest), and the last line. */

/*
 * Each process keeps, for each line that calls bsp_read, bsp_serve or bsp_expect in a
 * relaxed superstep, how often it did and the least and most n that would have been
 * right. With their last superstep all hand these to process 0, which tells what is the
 * same everywhere, what depends on the process, and what on more than that.
 */

#include "bsplib/core/base.h"
#include "bsplib/core/error.h"
#include "bsplib/core/site.h"
#include "bsplib/core/state.h"
#include "bsplib/engine/chunk.h"
#include "bsplib/engine/record.h"
#include "bsplib/observer/check.h"
#include "bsplib/observer/partners.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The n that one line needed on one process. */
struct row {
	int64_t site;		/* packed */
	uint32_t of;		/* enum bspi_suggestion */
	int32_t pid;
	uint64_t calls;
	uint64_t least, most;
	uint32_t least_step, most_step;
	const char *text;	/* of the call site; on process 0 */
};

/* Where a line stands. */
struct line {
	const char *text;
	size_t len;		/* of the file */
	long number;
};

static struct {
	struct row *rows;
	size_t nrows, room;
	size_t last;		/* row that was noted */
	struct bspi_checked sum;	/* on process 0: of all */
	int guilty;		/* processes that found something */
} all;

static const char *const calls[] = {
	[BSPI_OF_READ] = "bsp_read",
	[BSPI_OF_SERVE] = "bsp_serve",
	[BSPI_OF_EXPECT] = "bsp_expect",
};

/* ---- On each process ------------------------------------------------------------ */

static struct row *row_of(enum bspi_suggestion of, int64_t site)
{
	for (size_t i = 0; i < all.nrows; i++) {
		size_t k = (all.last + i) % all.nrows;

		if (all.rows[k].site != site || all.rows[k].of != of)
			continue;
		all.last = k;
		return &all.rows[k];
	}
	all.rows = bspi_grow(all.rows, all.nrows, sizeof(*all.rows), &all.room);
	all.rows[all.nrows] = (struct row){
		.site = site, .of = of, .pid = bspi.me, .least = UINT64_MAX,
	};
	return &all.rows[all.nrows++];
}

void bspi_suggest_note(enum bspi_suggestion of, const char *site, uint64_t n)
{
	struct row *r = row_of(of, bspi_site_pack(site));

	if (n < r->least) {
		r->least = n;
		r->least_step = bspi.step;
	}
	if (n > r->most || !r->calls) {
		r->most = n;
		r->most_step = bspi.step;
	}
	r->calls++;
}

static void add_sum(const struct bspi_checked *sum)
{
	all.sum.supersteps = sum->supersteps;
	all.sum.reads += sum->reads;
	all.sum.puts += sum->puts;
	all.sum.serves += sum->serves;
	all.sum.gets += sum->gets;
	all.sum.expects += sum->expects;
	all.sum.messages += sum->messages;
	all.sum.violations += sum->violations;
	all.sum.unshown += sum->unshown;
	all.guilty += sum->violations > 0;
}

static void send_record(enum bspi_checked_record which, const void *data, size_t nbytes)
{
	memcpy(bspi_checked_room(which, nbytes), data, nbytes);
}

void bspi_suggest_send(const struct bspi_checked *sum)
{
	if (bspi.me == 0) {
		add_sum(sum);
		if (bspi_partners_kept())
			bspi_partners_take(0, bspi_partners_kept());
		return;
	}
	send_record(BSPI_CHECKED_SUM, sum, sizeof(*sum));
	if (bspi_partners_kept())
		send_record(BSPI_CHECKED_PARTNERS, bspi_partners_kept(), bspi_partners_bytes());
	for (size_t i = 0; bspi.env.check > 1 && i < all.nrows; i++)
		send_record(BSPI_CHECKED_ROW, &all.rows[i], sizeof(all.rows[i]));
}

static void suggest_take_row(const struct row *r)
{
	all.rows = bspi_grow(all.rows, all.nrows, sizeof(*all.rows), &all.room);
	all.rows[all.nrows++] = *r;
}

static void suggest_on_record(int from, const struct bspi_rec *rec)
{
	switch ((enum bspi_checked_record)(rec->what >> 8)) {
	case BSPI_CHECKED_SUM:
		add_sum((const struct bspi_checked *)(rec + 1));
		break;
	case BSPI_CHECKED_ROW:
		suggest_take_row((const struct row *)(rec + 1));
		break;
	case BSPI_CHECKED_PARTNERS:
		bspi_partners_take(from, (const struct bspi_partners *)(rec + 1));
		break;
	case BSPI_CHECKED_VIOLATION:
		bspi_violations_take(rec + 1);
		break;
	}
}

/* ---- On process 0: lines in order ----------------------------------------------------- */

static struct line suggest_line_of(const char *text)
{
	const char *colon = strrchr(text, ':');

	return (struct line){
		text, colon ? (size_t)(colon - text) : strlen(text), colon ? atol(colon + 1) : 0,
	};
}

static int compare_lines(const char *a, const char *b)
{
	struct line x = suggest_line_of(a), y = suggest_line_of(b);
	size_t len = x.len < y.len ? x.len : y.len;
	int differ = memcmp(x.text, y.text, len);

	if (differ || x.len != y.len)
		return differ ? differ : x.len < y.len ? -1 : 1;
	return (x.number > y.number) - (x.number < y.number);
}

static int by_line(const void *a, const void *b)
{
	const struct row *x = a, *y = b;
	int differ = compare_lines(x->text, y->text);

	if (differ)
		return differ;
	if (x->of != y->of)
		return x->of < y->of ? -1 : 1;
	return (x->pid > y->pid) - (x->pid < y->pid);
}

static bool is_same_call(const struct row *a, const struct row *b)
{
	return a->of == b->of && compare_lines(a->text, b->text) == 0;
}

/* The same text may have several addresses. */
static void suggest_add_row(struct row *to, const struct row *r)
{
	to->calls += r->calls;
	if (r->least < to->least) {
		to->least = r->least;
		to->least_step = r->least_step;
	}
	if (r->most > to->most) {
		to->most = r->most;
		to->most_step = r->most_step;
	}
}

static void sort_rows(void)
{
	size_t n = 0;

	for (size_t i = 0; i < all.nrows; i++) {
		all.rows[i].text = bspi_site_text(bspi_site_unpack(all.rows[i].site));
	}
	if (all.nrows)
		qsort(all.rows, all.nrows, sizeof(*all.rows), by_line);
	for (size_t i = 0; i < all.nrows; i++) {
		if (n && by_line(&all.rows[n - 1], &all.rows[i]) == 0)
			suggest_add_row(&all.rows[n - 1], &all.rows[i]);
		else
			all.rows[n++] = all.rows[i];
	}
	all.nrows = n;
}

/* ---- On process 0: what each needs ---------------------------------------------------- */

static bool is_constant(const struct row *r)
{
	return r->least == r->most;
}

/* Processes of the @n rows that need @value, or all if @any: "0-2, 5". */
static void print_processes(const struct row *r, size_t n, uint64_t value, bool any)
{
	const char *comma = "";

	for (size_t i = 0; i < n; i++) {
		size_t last = i;

		if (!any && r[i].most != value)
			continue;
		while (last + 1 < n && r[last + 1].pid == r[last].pid + 1 &&
		       (any || r[last + 1].most == value))
			last++;
		fprintf(stderr, "%s%d", comma, r[i].pid);
		if (last > i)
			fprintf(stderr, "%s%d", last > i + 1 ? "-" : ", ", r[last].pid);
		comma = ", ";
		i = last;
	}
}

static size_t how_many(const struct row *r, size_t n, uint64_t value)
{
	size_t many = 0;

	for (size_t i = 0; i < n; i++)
		many += r[i].most == value;
	return many;
}

static bool came_before(const struct row *r, size_t i)
{
	for (size_t k = 0; k < i; k++)
		if (r[k].most == r[i].most)
			return true;
	return false;
}

/* The row with the n that most of them need, at least two. */
static const struct row *usual_row(const struct row *r, size_t n)
{
	const struct row *usual = NULL;
	size_t most = 1;

	for (size_t i = 0; i < n; i++) {
		size_t many = how_many(r, n, r[i].most);

		if (many > most) {
			most = many;
			usual = &r[i];
		}
	}
	return usual;
}

/*
 * "4 (bsp_nprocs() here)", by which a program is right for any number of processes. A number below
 * three is more often that of neighbours, and is left alone.
 */
static void print_number(uint64_t n)
{
	uint64_t p = (uint64_t)bspi.nprocs;

	fprintf(stderr, "%llu", (unsigned long long)n);
	if ((p >= 3 && n == p) || (p >= 4 && n == p - 1))
		fprintf(stderr, " (bsp_nprocs()%s here)", n == p ? "" : " - 1");
}

/* "processes 0, 3: 1; others: 2" */
static void print_by_process(const struct row *r, size_t n)
{
	const struct row *usual = usual_row(r, n);

	for (size_t i = 0; i < n; i++) {
		if ((usual && r[i].most == usual->most) || came_before(r, i))
			continue;
		fputs(how_many(r, n, r[i].most) > 1 ? "processes " : "process ", stderr);
		print_processes(r, n, r[i].most, false);
		fputs(": ", stderr);
		print_number(r[i].most);
		fputs(usual || how_many(r + i, n - i, r[i].most) < n - i ? "; " : "", stderr);
	}
	if (usual) {
		fputs("others: ", stderr);
		print_number(usual->most);
	}
}

static void print_varying(const struct row *r, size_t n)
{
	const struct row *least = r, *most = r;

	for (size_t i = 1; i < n; i++) {
		if (r[i].least < least->least)
			least = &r[i];
		if (r[i].most > most->most)
			most = &r[i];
	}
	fprintf(stderr,
		"varies: %llu to %llu (see process %d, superstep %u, and process %d, superstep %u)",
		(unsigned long long)least->least, (unsigned long long)most->most, least->pid,
		least->least_step, most->pid, most->most_step);
}

static void print_need(const struct row *r, size_t n)
{
	bool constant = true, same = true;

	for (size_t i = 0; i < n; i++) {
		constant &= is_constant(&r[i]);
		same &= r[i].most == r[0].most;
	}
	if (constant && same) {
		fputs("n = ", stderr);
		print_number(r->most);
	} else if (constant) {
		print_by_process(r, n);
	} else {
		print_varying(r, n);
	}
}

static void print_call(const struct row *r, size_t n, int width)
{
	uint64_t times = 0;

	for (size_t i = 0; i < n; i++)
		times += r[i].calls;
	fprintf(stderr, "  %-*s  %-10s  called %llu time%s by ", width, r->text, calls[r->of],
		(unsigned long long)times, times == 1 ? "" : "s");
	if (n == (size_t)bspi.nprocs && n > 1) {
		fputs("all", stderr);
	} else {
		fputs(n > 1 ? "processes " : "process ", stderr);
		print_processes(r, n, 0, true);
	}
	fputs(":  ", stderr);
	print_need(r, n);
	putc('\n', stderr);
}

static int widest(void)
{
	size_t most = 0;

	for (size_t i = 0; i < all.nrows; i++)
		if (strlen(all.rows[i].text) > most)
			most = strlen(all.rows[i].text);
	return most;
}

static void suggest_print_table(void)
{
	size_t n;

	sort_rows();
	fputs(all.nrows ? "bsp: the n that each call needs, in relaxed supersteps:\n" :
	      "bsp: no relaxed superstep has a call that needs an n\n", stderr);
	for (size_t i = 0; i < all.nrows; i += n) {
		for (n = 1; i + n < all.nrows && is_same_call(&all.rows[i], &all.rows[i + n]);)
			n++;
		print_call(&all.rows[i], n, widest());
	}
}

/* Calls of which a program has none are not worth a word. */
static void print_announced(uint64_t announced, const char *calls_of_it, uint64_t n,
			    const char *what)
{
	if (announced || n)
		fprintf(stderr, ", %llu %s, %llu %s", (unsigned long long)announced, calls_of_it,
			(unsigned long long)n, what);
}

static void print_verdict(void)
{
	const struct bspi_checked *s = &all.sum;

	if (!s->supersteps && !s->violations) {
		fputs("bsp: no superstep is relaxed (bsp_set_sync), nothing was checked\n", stderr);
		return;
	}
	fprintf(stderr, "bsp: checked %llu supersteps, %llu reads, %llu puts",
		(unsigned long long)s->supersteps, (unsigned long long)s->reads,
		(unsigned long long)s->puts);
	print_announced(s->serves, "serves", s->gets, "gets");
	print_announced(s->expects, "expects", s->messages, "messages");
	fputs(": ", stderr);
	if (s->violations)
		fprintf(stderr, "%llu violation%s, found on %d of %d processes\n",
			(unsigned long long)s->violations, s->violations == 1 ? "" : "s",
			all.guilty, bspi.nprocs);
	else
		fputs("well-formed\n", stderr);
}

void bspi_suggest_report(void)
{
	bspi_violations_report(all.sum.unshown);
	if (bspi.env.check > 1) {
		suggest_print_table();
		bspi_partners_report();
	}
	print_verdict();
	if (all.sum.violations)
		bspi_violations_fail();
}

static const char *suggest_on_checked(int from, const char *at, const char *end)
{
	suggest_on_record(from, (const struct bspi_rec *)at);
	return bspi_after(from, at, end);
}

void bspi_suggest_open(void)
{
	bspi_record_handle(BSPI_CHECKED, BSPI_AT_END, suggest_on_checked);
}

void bspi_suggest_close(void)
{
	free(all.rows);
	memset(&all, 0, sizeof(all));
}
