/* SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause */
/* goal_draw_svg.c - a schedule as a picture: rank by time, as the simulator has it. */

/*
 * Each rank has a lane: a row for each processor, with overheads and computation as bars, and thin
 * rows for its networks, with the time in which they are taken. A message is a line from the lane
 * where it left to the one where it was received. A title on each element has its details.
 * Names at the left and end times at the right have the room that the longest of them needs.
 */

#include "common/page/page.h"
#include "common/page/picture.h"
#include "goal/sim/goal_sim.h"
#include "goal/text/goal_text.h"

enum {
	PLOT = 1032,				/* width between names and end times */
	EDGE = 20, AWAY = 10,			/* around all, and of words from the plot */
	TOP = 112, BOTTOM = 56,
	TICKS = 8,				/* about so many on the axis, if there is room */
	SIZE = 12, SMALL = 10,			/* of words, and in bars */
	LINE = 14,				/* that a line of words takes */
};

struct bar {
	struct goal_sim_op op;
	int rank;
	bool wire;
	uint64_t begin, end;
};

struct line {
	int from, to;
	uint64_t left, arrived;
	uint64_t bytes;
	uint32_t tag;
};

struct picture {
	const struct goal_source *source;
	const struct goal_net *net;
	struct markup m;
	struct bar *bar;
	size_t nbars, bars_room;
	struct line *line;
	size_t nlines, lines_room;
	bool no_memory;
	uint64_t *finish;
	uint64_t last;			/* of all */
	/* of a lane, in pixels: */
	int cpus, nics;			/* rows */
	int cpu_height, nic_height;
	int lane, gap;			/* its rows together; between it and the next one */
	double left, width;		/* where the plot begins; of all */
};

/* ---- Events ------------------------------------------------------------------------- */

static void see_busy(void *owner, int rank, uint32_t i, const struct goal_sim_op *op, bool wire,
		     uint64_t begin, uint64_t end)
{
	struct picture *p = owner;
	struct bar *more = goal_room(p->bar, p->nbars, &p->bars_room, sizeof(*more));

	(void)i;
	if (!more) {
		p->no_memory = true;
		return;
	}
	p->bar = more;
	p->bar[p->nbars++] = (struct bar){ *op, rank, wire, begin, end };
	if (p->last < end)
		p->last = end;
	if (wire && p->nics <= op->nic)
		p->nics = op->nic + 1;
	if (!wire && p->cpus <= op->cpu)
		p->cpus = op->cpu + 1;
}

static void see_message(void *owner, int from, uint32_t i, int to, uint32_t j, uint64_t left,
			uint64_t arrived)
{
	struct picture *p = owner;
	struct line *more = goal_room(p->line, p->nlines, &p->lines_room, sizeof(*more));
	struct goal_sim_op op;

	(void)j;
	if (!more) {
		p->no_memory = true;
		return;
	}
	p->line = more;
	p->source->op(p->source, from, i, &op);
	p->line[p->nlines++] = (struct line){ from, to, left, arrived, op.bytes, op.tag };
	if (p->last < arrived)
		p->last = arrived;
}

/* ---- Where things are ------------------------------------------------------------------ */

/* A number in groups of three digits, in @text of at least 32 bytes, which is returned. */
static const char *grouped(uint64_t number, char *text)
{
	char digits[24];
	int n = snprintf(digits, sizeof(digits), "%llu", (unsigned long long)number);
	int len = 0;

	for (int i = 0; i < n; i++) {
		if (i > 0 && (n - i) % 3 == 0)
			text[len++] = ' ';
		text[len++] = digits[i];
	}
	text[len] = '\0';
	return text;
}

/* Few lanes are high, many are low. */
static void lay_out(struct picture *p)
{
	int nprocs = p->source->nprocs;
	char text[32];

	p->cpu_height = nprocs <= 8 ? 22 : nprocs <= 24 ? 16 : nprocs <= 64 ? 9 : 6;
	p->nic_height = nprocs <= 24 ? 5 : 3;
	p->gap = nprocs <= 8 ? 26 : nprocs <= 24 ? 16 : nprocs <= 64 ? 7 : 4;
	p->lane = p->cpus * p->cpu_height + p->nics * p->nic_height;
	snprintf(text, sizeof(text), "rank %d", nprocs - 1);
	p->left = EDGE + svg_width(text, SIZE) + AWAY;
	p->width = p->left + PLOT + AWAY + svg_width(grouped(p->last, text), SIZE) + EDGE;
}

static int lane_top(const struct picture *p, int rank)
{
	return TOP + p->gap / 2 + rank * (p->lane + p->gap);
}

static int plot_bottom(const struct picture *p)
{
	return TOP + p->source->nprocs * (p->lane + p->gap);
}

static double svg_x_of(const struct picture *p, uint64_t time)
{
	return p->left + (double)time / (double)p->last * PLOT;
}

/* ---- Around the picture -------------------------------------------------------------------- */

static void draw_head(struct picture *p, FILE *out)
{
	const struct goal_net *net = p->net;
	char time[32], title[80], r[32] = "", cores[64] = "";

	snprintf(title, sizeof(title), "Schedule of %d process%s", p->source->nprocs,
		 p->source->nprocs == 1 ? "" : "es");
	if (net->has_r)
		snprintf(r, sizeof(r), ", r %llu", (unsigned long long)net->r);
	if (net->cores)
		snprintf(cores, sizeof(cores), ", %d core%s of %s, turn %llu", net->cores,
			 net->cores == 1 ? "" : "s", net->machine ? "each node" : "all",
			 (unsigned long long)net->turn);
	svg_document(&p->m, out, p->width, plot_bottom(p) + BOTTOM, title);
	svg_text(&p->m, "title", SVG_FROM, p->left, 32, "%d process%s, finished at %s",
		 p->source->nprocs, p->source->nprocs == 1 ? "" : "es", grouped(p->last, time));
	svg_text(&p->m, "soft", SVG_FROM, p->left, 52,
		 "LogGPS: L %llu, o %llu%s, g %llu, G %llu, O %llu, S %llu%s; goalc svg, %s",
		 (unsigned long long)net->L, (unsigned long long)net->o, r,
		 (unsigned long long)net->g, (unsigned long long)net->G, (unsigned long long)net->O,
		 (unsigned long long)net->S,
		 cores, page_version);
}

static void svg_draw_legend(struct picture *p)
{
	static const struct {
		const char *class, *text;
	} entries[] = {
		{ "send", "overhead of a send" }, { "recv", "of a receive" },
		{ "calc", "computation" }, { "wire", "network taken" },
	};
	double x = p->left;

	for (int i = 0; i < 4; i++) {
		svg_rect(&p->m, entries[i].class, x, 64, 11, 11);
		markup_close(&p->m);
		svg_text(&p->m, "soft", SVG_FROM, x + 16, 74, "%s", entries[i].text);
		x += 16 + svg_width(entries[i].text, SIZE) + AWAY;
	}
	svg_line(&p->m, "message", x, 65, x + 12, 75);
	markup_close(&p->m);
	svg_text(&p->m, "soft", SVG_FROM, x + 18, 74, "message");
}

/* 1, 2 or 5 times a power of ten, so that there are at most @ticks. */
static uint64_t tick_of(uint64_t last, uint64_t ticks)
{
	static const int steps[] = { 2, 5 };
	uint64_t power = 1;

	for (; power <= UINT64_MAX / 100; power *= 10) {
		if (last / power <= ticks)
			return power;
		for (int i = 0; i < 2; i++)
			if (last / (power * steps[i]) <= ticks)
				return power * steps[i];
	}
	return power;
}

static void draw_axis(struct picture *p)
{
	char text[32];
	double room = PLOT / (svg_width(grouped(p->last, text), SIZE) + AWAY);
	uint64_t tick = tick_of(p->last, room < TICKS ? (uint64_t)room : TICKS);
	int bottom = plot_bottom(p);

	for (uint64_t time = 0, i = 0; i <= p->last / tick; i++, time += tick) {
		double x = svg_x_of(p, time);

		svg_line(&p->m, "line", x, TOP - 8, x, bottom + 6);
		markup_close(&p->m);
		svg_text(&p->m, "soft", SVG_AROUND, x, bottom + 22, "%s", grouped(time, text));
		if (p->source->nprocs > 16)
			svg_text(&p->m, "soft", SVG_AROUND, x, TOP - 14, "%s", grouped(time, text));
	}
	svg_text(&p->m, "soft", SVG_AROUND, p->left + PLOT / 2.0, bottom + 42,
		 "time, in the unit of L, o and g (calc as well)");
}

/*
 * ---- Lanes ------------------------------------------------------------------------------------
 */

/* Low lanes have words at every second only, or every third. */
static void draw_lane(struct picture *p, int rank)
{
	int top = lane_top(p, rank), middle = top + p->lane / 2 + 4;
	int each = (LINE + p->lane + p->gap - 1) / (p->lane + p->gap);
	char text[32];

	svg_rect(&p->m, "lane", p->left, top, PLOT, p->lane);
	markup_close(&p->m);
	if (rank % each)
		return;
	svg_text(&p->m, p->lane > 16 ? "rank" : "soft", SVG_UP_TO, p->left - AWAY, middle,
		 "rank %d", rank);
	svg_text(&p->m, "soft", SVG_FROM, p->left + PLOT + AWAY, middle, "%s",
		 grouped(p->finish[rank], text));
}

static const char *svg_class_of(const struct bar *bar)
{
	if (bar->wire)
		return "wire";
	if (bar->op.type == GOAL_RECV)
		return "recv";
	return bar->op.type == GOAL_SEND || bar->op.type == GOAL_MULTICAST ? "send" : "calc";
}

/* "send to 3", of at most 64 bytes. */
static void name_op(const struct goal_sim_op *op, char *text, size_t len)
{
	if (op->type == GOAL_SEND)
		snprintf(text, len, "send to %u", op->peer);
	else if (op->type == GOAL_RECV && op->peer == GOAL_ANY)
		snprintf(text, len, "recv");
	else if (op->type == GOAL_RECV)
		snprintf(text, len, "recv from %u", op->peer);
	else if (op->type == GOAL_MULTICAST)
		snprintf(text, len, "multicast");
	else
		snprintf(text, len, op->type == GOAL_CALC ? "calc" : "local");
}

static void svg_draw_bar(struct picture *p, const struct bar *bar)
{
	double x = svg_x_of(p, bar->begin), width = svg_x_of(p, bar->end) - x;
	int height = bar->wire ? p->nic_height : p->cpu_height;
	int y = lane_top(p, bar->rank) +
		(bar->wire ? p->cpus * p->cpu_height + bar->op.nic * height : bar->op.cpu * height);
	const char *kind = svg_class_of(bar);
	bool calc = strcmp(kind, "calc") == 0;
	char name[64], class[32], begin[32], end[32], bytes[80] = "";

	name_op(&bar->op, name, sizeof(name));
	if (!calc)
		snprintf(bytes, sizeof(bytes), "\n%llu bytes, tag %d",
			 (unsigned long long)bar->op.bytes,
			 bar->op.tag == GOAL_ANY ? -1 : (int)bar->op.tag);
	snprintf(class, sizeof(class), "bar %s", kind);
	svg_rect(&p->m, class, x, y, width > 0.7 ? width : 0.7, height - 1);
	if (!bar->wire)
		markup_attribute(&p->m, "rx", "1.5");
	svg_tip(&p->m, "rank %d: %s%s%s\n%s to %s", bar->rank, name,
		bar->wire ? ", network" : calc ? "" : ", overhead", bytes,
		grouped(bar->begin, begin), grouped(bar->end, end));
	markup_close(&p->m);
	snprintf(class, sizeof(class), "inside on-%s", kind);
	if (!bar->wire && height >= 15 && width > svg_width(name, SMALL))
		svg_text(&p->m, class, SVG_AROUND, x + width / 2, y + height / 2 + 3, "%s", name);
}

/*
 * ---- Messages
 * ------------------------------------------------------------------------------------
 */

static void draw_line(struct picture *p, const struct line *line)
{
	bool down = line->to > line->from;
	double x2 = svg_x_of(p, line->arrived);
	int y1 = lane_top(p, line->from) + (down ? p->lane : 0);
	int y2 = lane_top(p, line->to) + (down ? 0 : p->lane);
	double height = p->gap >= 16 ? 5 : 3, back = down ? -height : height;
	char left[32], arrived[32];

	svg_line(&p->m, p->source->nprocs > 24 ? "message thin" : "message",
		 svg_x_of(p, line->left), y1, x2, y2);
	svg_tip(&p->m, "%llu bytes, %d to %d, tag %u\nleft at %s, received at %s",
		(unsigned long long)line->bytes, line->from, line->to, line->tag,
		grouped(line->left, left), grouped(line->arrived, arrived));
	markup_close(&p->m);
	/* A small head at the end, as the line comes. */
	markup_open(&p->m, "path");
	markup_attribute(&p->m, "class", "tip");
	markup_attribute(&p->m, "d", "M%.1f %.1fl%.1f %.1fh%.1fz", x2, (double)y2, -height / 2,
			 back, height);
	markup_close(&p->m);
}

/*
 * ---- All of it
 * --------------------------------------------------------------------------------------
 */

static void svg_draw(struct picture *p, FILE *out)
{
	if (p->last == 0)
		p->last = 1;
	lay_out(p);
	draw_head(p, out);
	svg_draw_legend(p);
	for (int rank = 0; rank < p->source->nprocs; rank++)
		draw_lane(p, rank);
	draw_axis(p);
	for (size_t i = 0; i < p->nbars; i++)
		svg_draw_bar(p, &p->bar[i]);
	for (int rank = 0; rank < p->source->nprocs; rank++) {
		double x = svg_x_of(p, p->finish[rank]);
		int top = lane_top(p, rank);

		svg_line(&p->m, "end", x, top - 2, x, top + p->lane + 2);
		markup_close(&p->m);
	}
	for (size_t i = 0; i < p->nlines; i++)
		draw_line(p, &p->line[i]);
	markup_end(&p->m);
}

static int svg_simulate(struct picture *p, char *why, size_t len)
{
	struct goal_sim_watch watch = { .owner = p, .busy = see_busy, .message = see_message };

	p->finish = calloc(p->source->nprocs, sizeof(*p->finish));
	if (!p->finish || goal_sim(p->source, p->net, &watch, p->finish, why, len)) {
		if (!p->finish)
			snprintf(why, len, "not enough memory");
		return -1;
	}
	for (int rank = 0; rank < p->source->nprocs; rank++)
		if (p->last < p->finish[rank])
			p->last = p->finish[rank];
	if (!p->no_memory)
		return 0;
	snprintf(why, len, "not enough memory for the picture");
	return -1;
}

int goal_draw_svg(const struct goal_set *set, const struct goal_net *net, FILE *out, char *why,
		  size_t len)
{
	struct goal_source *source = goal_source_of(set);
	struct picture p = { .source = source, .net = net, .cpus = 1, .nics = 1 };
	int error;

	if (!source) {
		snprintf(why, len, "not enough memory");
		return -1;
	}
	error = svg_simulate(&p, why, len);
	if (!error)
		svg_draw(&p, out);
	free(p.bar);
	free(p.line);
	free(p.finish);
	free(source);
	return error;
}
