/* SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause */
/* goal_draw_svg.c - a schedule as a picture: rank by time, as the simulator has it. */

/*
 * Each rank has a lane: a row for each processor, with overheads and computation as bars, and thin
 * rows for its networks, with the time in which they are taken. A message is a line from the lane
 * where it left to the one where it was received. A title on each element has its details.
 * Nothing but SVG 1.1 and a style sheet, no script; colours follow the reader's choice of light or
 * dark.
 */

#include "goal/sim/goal_sim.h"
#include "goal/text/goal_text.h"

enum {
	LEFT = 76, RIGHT = 92, PLOT = 1032,	/* widths: names, end times, and between them */
	WIDTH = LEFT + PLOT + RIGHT,
	TOP = 92, BOTTOM = 56,
	TICKS = 8,				/* about so many on the axis */
	CHAR_WIDTH = 6,				/* of the text in bars, at most */
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
	FILE *out;
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

/* Few lanes are high, many are low. */
static void lay_out(struct picture *p)
{
	int nprocs = p->source->nprocs;

	p->cpu_height = nprocs <= 8 ? 22 : nprocs <= 24 ? 16 : nprocs <= 64 ? 9 : 6;
	p->nic_height = nprocs <= 24 ? 5 : 3;
	p->gap = nprocs <= 8 ? 26 : nprocs <= 24 ? 16 : nprocs <= 64 ? 7 : 4;
	p->lane = p->cpus * p->cpu_height + p->nics * p->nic_height;
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
	return LEFT + (double)time / (double)p->last * PLOT;
}

/* ---- Around the picture -------------------------------------------------------------------- */

static const char style[] =
	"<style>\n"
	"svg { --page: #ffffff; --ink: #1d2330; --dim: #626b7b; --lane: #f3f5f8; --grid: #dde2e9;"
	" --send: #3467c6; --recv: #238058; --calc: #c4cad4; --on-calc: #333b49; --wire: #9dbcf0;"
	" --line: #c8701d; }\n"
	"@media (prefers-color-scheme: dark) {\n"
	"svg { --page: #14171c; --ink: #e5e8ee; --dim: #98a2b3; --lane: #1d222a; --grid: #2e3540;"
	" --send: #4f80dc; --recv: #2f9468; --calc: #525b6a; --on-calc: #e5e8ee; --wire: #36507f;"
	" --line: #ec9c4c; }\n"
	"}\n"
	"text { font: 12px system-ui, sans-serif; fill: var(--ink); }\n"
	".page { fill: var(--page); }\n"
	".title { font-size: 17px; font-weight: 600; }\n"
	".dim { fill: var(--dim); font-size: 11px; }\n"
	".right { text-anchor: end; }\n"
	".middle { text-anchor: middle; }\n"
	".in { font-size: 10px; fill: #ffffff; text-anchor: middle; pointer-events: none; }\n"
	".in.calc { fill: var(--on-calc); }\n"
	".lane { fill: var(--lane); }\n"
	".grid { stroke: var(--grid); }\n"
	"rect.send { fill: var(--send); }\n"
	"rect.recv { fill: var(--recv); }\n"
	"rect.calc { fill: var(--calc); }\n"
	"rect.wire { fill: var(--wire); }\n"
	".line { stroke: var(--line); stroke-width: 1.2; stroke-opacity: .75; }\n"
	".end { stroke: var(--ink); stroke-width: 1.5; }\n"
	".tip { fill: var(--line); }\n"
	"rect.bar:hover { stroke: var(--ink); stroke-width: 1.5; }\n"
	".thin { stroke-width: .8; stroke-opacity: .55; }\n"
	".line:hover { stroke-width: 3; stroke-opacity: 1; }\n"
	"</style>\n";

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

static void draw_head(const struct picture *p, int height)
{
	const struct goal_net *net = p->net;
	char time[32];

	fprintf(p->out,
		"<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" "
		"viewBox=\"0 0 %d %d\">\n",
		WIDTH, height, WIDTH, height);
	fprintf(p->out, "<title>Schedule of %d process%s</title>\n", p->source->nprocs,
		p->source->nprocs == 1 ? "" : "es");
	fputs(style, p->out);
	fprintf(p->out, "<rect class=\"page\" width=\"%d\" height=\"%d\"/>\n", WIDTH, height);
	fprintf(p->out,
		"<text class=\"title\" x=\"%d\" y=\"32\">%d process%s, finished at %s</text>\n",
		LEFT, p->source->nprocs, p->source->nprocs == 1 ? "" : "es",
		grouped(p->last, time));
	fprintf(p->out,
		"<text class=\"dim\" x=\"%d\" y=\"52\">"
		"LogGPS: L %llu, o %llu, g %llu, G %llu, O %llu, S %llu</text>\n",
		LEFT, (unsigned long long)net->L, (unsigned long long)net->o,
		(unsigned long long)net->g, (unsigned long long)net->G, (unsigned long long)net->O,
		(unsigned long long)net->S);
}

static void svg_draw_legend(const struct picture *p)
{
	static const struct {
		const char *class, *text;
		int x;
	} entries[] = {
		{ "send", "overhead of a send", 0 }, { "recv", "of a receive", 140 },
		{ "calc", "computation", 238 }, { "wire", "network taken", 334 },
	};
	int x = LEFT + PLOT - 506;

	for (int i = 0; i < 4; i++) {
		fprintf(p->out,
			"<rect class=\"%s\" x=\"%d\" y=\"43\" "
			"width=\"11\" height=\"11\" rx=\"2\"/>\n",
			entries[i].class, x + entries[i].x);
		fprintf(p->out, "<text class=\"dim\" x=\"%d\" y=\"52\">%s</text>\n",
			x + entries[i].x + 16, entries[i].text);
	}
	fprintf(p->out, "<line class=\"line\" x1=\"%d\" y1=\"44\" x2=\"%d\" y2=\"54\"/>\n", x + 434,
		x + 446);
	fprintf(p->out, "<text class=\"dim\" x=\"%d\" y=\"52\">message</text>\n", x + 452);
}

/* 1, 2 or 5 times a power of ten. */
static uint64_t tick_of(uint64_t last)
{
	static const int steps[] = { 2, 5 };
	uint64_t power = 1;

	for (; power <= UINT64_MAX / 100; power *= 10) {
		if (last / power <= TICKS)
			return power;
		for (int i = 0; i < 2; i++)
			if (last / (power * steps[i]) <= TICKS)
				return power * steps[i];
	}
	return power;
}

static void draw_axis(const struct picture *p)
{
	int bottom = plot_bottom(p);
	uint64_t tick = tick_of(p->last);
	char text[32];

	for (uint64_t time = 0, i = 0; i <= p->last / tick; i++, time += tick) {
		double x = svg_x_of(p, time);

		fprintf(p->out,
			"<line class=\"grid\" x1=\"%.1f\" y1=\"%d\" x2=\"%.1f\" y2=\"%d\"/>\n", x,
			TOP - 8, x, bottom + 6);
		fprintf(p->out, "<text class=\"dim middle\" x=\"%.1f\" y=\"%d\">%s</text>\n", x,
			bottom + 22, grouped(time, text));
		if (p->source->nprocs > 16)
			fprintf(p->out,
				"<text class=\"dim middle\" x=\"%.1f\" y=\"%d\">%s</text>\n", x,
				TOP - 14, grouped(time, text));
	}
	fprintf(p->out,
		"<text class=\"dim middle\" x=\"%d\" y=\"%d\">"
		"time, in the unit of L, o and g (calc as well)</text>\n",
		LEFT + PLOT / 2, bottom + 42);
}

/*
 * ---- Lanes ------------------------------------------------------------------------------------
 */

static void draw_lane(const struct picture *p, int rank)
{
	int top = lane_top(p, rank), middle = top + p->lane / 2 + 4;
	bool has_room = p->lane + p->gap >= 11;
	char text[32];

	fprintf(p->out, "<rect class=\"lane\" x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\"/>\n",
		LEFT, top, PLOT, p->lane);
	if (!has_room && rank % 2)
		return;
	fprintf(p->out, "<text class=\"%s right\" x=\"%d\" y=\"%d\">rank %d</text>\n",
		p->lane > 16 ? "name" : "dim", LEFT - 10, middle, rank);
	fprintf(p->out, "<text class=\"dim\" x=\"%d\" y=\"%d\">%s</text>\n", LEFT + PLOT + 10,
		middle, grouped(p->finish[rank], text));
}

static void draw_end(const struct picture *p, int rank)
{
	double x = svg_x_of(p, p->finish[rank]);
	int top = lane_top(p, rank);

	fprintf(p->out, "<line class=\"end\" x1=\"%.1f\" y1=\"%d\" x2=\"%.1f\" y2=\"%d\"/>\n", x,
		top - 2, x, top + p->lane + 2);
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

static void draw_hint(const struct picture *p, const struct bar *bar, const char *name)
{
	bool calc = strcmp(svg_class_of(bar), "calc") == 0;
	char begin[32], end[32];

	fprintf(p->out, "<title>rank %d: %s%s", bar->rank, name, bar->wire ? ", network" : "");
	if (!calc && !bar->wire)
		fprintf(p->out, ", overhead");
	if (!calc)
		fprintf(p->out, "\n%llu bytes, tag %d", (unsigned long long)bar->op.bytes,
			bar->op.tag == GOAL_ANY ? -1 : (int)bar->op.tag);
	fprintf(p->out, "\n%s to %s</title>", grouped(bar->begin, begin), grouped(bar->end, end));
}

static void svg_draw_bar(const struct picture *p, const struct bar *bar)
{
	double x = svg_x_of(p, bar->begin), width = svg_x_of(p, bar->end) - x;
	int height = bar->wire ? p->nic_height : p->cpu_height;
	int y = lane_top(p, bar->rank) +
		(bar->wire ? p->cpus * p->cpu_height + bar->op.nic * height : bar->op.cpu * height);
	char name[64];

	name_op(&bar->op, name, sizeof(name));
	fprintf(p->out,
		"<rect class=\"bar %s\" x=\"%.1f\" y=\"%d\" width=\"%.1f\" height=\"%d\"%s>",
		svg_class_of(bar), x, y, width > 0.7 ? width : 0.7, height - 1,
		bar->wire ? "" : " rx=\"1.5\"");
	draw_hint(p, bar, name);
	fputs("</rect>\n", p->out);
	if (!bar->wire && height >= 15 && width > CHAR_WIDTH * (double)strlen(name))
		fprintf(p->out, "<text class=\"in %s\" x=\"%.1f\" y=\"%d\">%s</text>\n",
			svg_class_of(bar), x + width / 2, y + height / 2 + 3, name);
}

/*
 * ---- Messages
 * ------------------------------------------------------------------------------------
 */

/* A small head at the end of a line, as the line comes. */
static void draw_tip(const struct picture *p, double x, double y, bool down)
{
	double height = p->gap >= 16 ? 5 : 3, back = down ? -height : height;

	fprintf(p->out, "<path class=\"tip\" d=\"M%.1f %.1fl%.1f %.1fh%.1fz\"/>\n", x, y,
		-height / 2, back, height);
}

static void draw_line(const struct picture *p, const struct line *line)
{
	bool down = line->to > line->from;
	double x1 = svg_x_of(p, line->left), x2 = svg_x_of(p, line->arrived);
	int y1 = lane_top(p, line->from) + (down ? p->lane : 0);
	int y2 = lane_top(p, line->to) + (down ? 0 : p->lane);
	char left[32], arrived[32];

	fprintf(p->out, "<line class=\"line%s\" x1=\"%.1f\" y1=\"%d\" x2=\"%.1f\" y2=\"%d\">",
		p->source->nprocs > 24 ? " thin" : "", x1, y1, x2, y2);
	fprintf(p->out,
		"<title>%llu bytes, %d to %d, tag %u\nleft at %s, received at %s</title></line>\n",
		(unsigned long long)line->bytes, line->from, line->to, line->tag,
		grouped(line->left, left), grouped(line->arrived, arrived));
	draw_tip(p, x2, y2, down);
}

/*
 * ---- All of it
 * --------------------------------------------------------------------------------------
 */

static void svg_draw(struct picture *p)
{
	if (p->last == 0)
		p->last = 1;
	lay_out(p);
	draw_head(p, plot_bottom(p) + BOTTOM);
	svg_draw_legend(p);
	for (int rank = 0; rank < p->source->nprocs; rank++)
		draw_lane(p, rank);
	draw_axis(p);
	for (size_t i = 0; i < p->nbars; i++)
		svg_draw_bar(p, &p->bar[i]);
	for (int rank = 0; rank < p->source->nprocs; rank++)
		draw_end(p, rank);
	for (size_t i = 0; i < p->nlines; i++)
		draw_line(p, &p->line[i]);
	fputs("</svg>\n", p->out);
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
	struct picture p = { .source = source, .net = net, .out = out, .cpus = 1, .nics = 1 };
	int error;

	if (!source) {
		snprintf(why, len, "not enough memory");
		return -1;
	}
	error = svg_simulate(&p, why, len);
	if (!error)
		svg_draw(&p);
	free(p.bar);
	free(p.line);
	free(p.finish);
	free(source);
	return error;
}
