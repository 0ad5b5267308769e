// SPDX-License-Identifier: BSD-3-Clause
/* timeline.c - lanes of spans over time, with a path through them, that a reader can zoom. */

#include "timeline.h"

#include "bars.h"
#include "picture.h"

#include <math.h>

enum {
	WIDTH = 840, RIGHT = 12, TOP = 4, BOTTOM = 26,	/* around the lanes */
	AWAY = 6,			/* names from the lanes */
	SIZE = 12,			/* of letters */
	NAME = 64,			/* bytes of a name or time */
	HEIGHT_MOST = 26, HEIGHT_LEAST = 10,	/* of a lane */
	HEIGHT_ALL = 420,		/* of all, unless they are many */
	GAP = 2,			/* between lanes */
	MARKS = 5,			/* of the axis */
	STOPS_SHOWN = 60,		/* as lines; more hide what is below */
	UNITS_MOST = 4000000,		/* a browser's coordinates have 24 bits */
};

static const char *const steps[][2] = {
	{ "in", "closer" }, { "out", "farther" }, { "earlier", "earlier" }, { "later", "later" },
	{ "all", "all" },
};

/* No < and no ampersand, so that it is the same as HTML and as XML. */
static const char script[] =
	"\"use strict\";\n"
	"{\n"
	"const figure = document.currentScript.parentElement;\n"
	"const frame = figure.querySelector(\".picture\");\n"
	"const view = frame.querySelector(\"svg svg\");\n"
	"const number = name => Number(view.dataset[name]), unit = number(\"unit\");\n"
	"const ends = view.dataset.stops.split(\" \").map(Number), each = number(\"each\");\n"
	"const [length, height] = view.getAttribute(\"viewBox\").split(\" \").slice(2)\n"
	"  .map(Number);\n"
	"const marks = [...figure.querySelectorAll(\".mark\")];\n"
	"const input = figure.querySelector(\"input[type=number]\");\n"
	"const least = Math.min(length, Math.max(8, length / 100000));\n"
	"let at = 0, wide = length;\n"
	"const time = ns => ns >= 1e9 ? (ns / 1e9).toFixed(3) + \" s\" : ns >= 1e6 ?\n"
	"  (ns / 1e6).toFixed(3) + \" ms\" : (ns / 1e3).toFixed(2) + \" \302\265s\";\n"
	"const stopAt = x => {\n"
	"  const i = ends.findIndex(end => end > x);\n"
	"  return i >= 0 ? i : ends.length - 1;\n"
	"};\n"
	"const numberOf = i => number(\"first\") + i * each;\n"
	"function show(from, width) {\n"
	"  wide = Math.min(length, Math.max(width, least));\n"
	"  at = Math.max(0, Math.min(from, length - wide));\n"
	"  view.setAttribute(\"viewBox\", `${at} 0 ${wide} ${height}`);\n"
	"  marks.forEach((mark, i) => { mark.textContent = i ? \"+\" + time(wide * unit * i /\n"
	"    (marks.length - 1)) : time(number(\"from\") + at * unit); });\n"
	"  const low = stopAt(at), high = stopAt(at + wide * 0.999999);\n"
	"  const last = Math.min(numberOf(high) + each - 1, Number(input.max));\n"
	"  view.querySelector(\".stops\").classList.toggle(\"many\", high - low > 60);\n"
	"  figure.querySelector(\"output\").textContent = `${figure.dataset.stop}s ` +\n"
	"    `${numberOf(low)} to ${last}: ${time(wide * unit)}`;\n"
	"}\n"
	"const steps = {\n"
	"  in: () => show(at + wide / 4, wide / 2), out: () => show(at - wide / 2, wide * 2),\n"
	"  earlier: () => show(at - wide / 2, wide), later: () => show(at + wide / 2, wide),\n"
	"  all: () => show(0, length),\n"
	"};\n"
	"const keys = { \"+\": \"in\", \"=\": \"in\", \"-\": \"out\", \"[\": \"earlier\",\n"
	"  \"]\": \"later\", \"0\": \"all\" };\n"
	"for (const button of figure.querySelectorAll(\"button\"))\n"
	"  button.addEventListener(\"click\", steps[button.value]);\n"
	"frame.addEventListener(\"keydown\", e => {\n"
	"  const step = steps[keys[e.key]];\n"
	/* some keyboards have brackets on a third level, which AltGr or Alt chooses */
	"  const chosen = \"[]\".includes(e.key);\n"
	"  if (!step || e.metaKey || (chosen ? false : e.ctrlKey || e.altKey))\n"
	"    return;\n"
	"  step();\n"
	"  e.preventDefault();\n"
	"});\n"
	"view.addEventListener(\"click\", e => {\n"
	"  const all = view.ownerSVGElement, box = all.getBoundingClientRect();\n"
	"  const x = (e.clientX - box.left) * all.viewBox.baseVal.width / box.width;\n"
	"  const part = (x - view.x.baseVal.value) / view.width.baseVal.value;\n"
	"  show(at + part * wide - wide / 8, wide / 4);\n"
	"});\n"
	"input.addEventListener(\"change\", () => {\n"
	"  const i = Math.floor((Number(input.value) - number(\"first\")) / each);\n"
	"  const stop = Math.max(0, Math.min(i, ends.length - 1));\n"
	"  const begin = stop ? ends[stop - 1] : 0, room = (ends[stop] - begin) / 10;\n"
	"  show(begin - room, ends[stop] - begin + 2 * room);\n"
	"});\n"
	"figure.querySelector(\".zoom\").hidden = false;\n"
	"show(0, length);\n"
	"}\n";

static double timeline_x(const struct page_timeline *t, uint64_t time)
{
	return round(((double)time - (double)t->from) / t->unit);
}

static double timeline_end_x(const struct page_timeline *t)
{
	return fmax(1, ceil((double)t->length / t->unit));
}

/* ---- Around the lanes ---------------------------------------------------------------------- */

static void timeline_legend(const struct page_timeline *t)
{
	struct markup *m = t->m;

	page_legend(m);
	for (int i = 0; i < t->nkinds; i++)
		page_legend_entry(m, t->kinds[i].class, t->kinds[i].name);
	if (t->has_path) {
		markup_open(m, "li");
		markup_open(m, "label");
		markup_attribute(m, "class", "toggle");
		markup_open(m, "input");
		markup_attribute(m, "type", "checkbox");
		markup_attribute(m, "class", "t0");
		markup_attribute(m, "checked", "checked");
		markup_close(m);
		markup_element(m, "span", "sample way", "%s", "");
		markup_text(m, "critical path");
		markup_close(m);
		markup_close(m);
	}
	markup_close(m);
}

/* They need the script, which shows them. */
static void timeline_buttons(const struct page_timeline *t)
{
	struct markup *m = t->m;

	markup_open(m, "div");
	markup_attribute(m, "class", "zoom");
	markup_attribute(m, "hidden", "hidden");
	for (size_t i = 0; i < sizeof(steps) / sizeof(steps[0]); i++) {
		markup_open(m, "button");
		markup_attribute(m, "type", "button");
		markup_attribute(m, "value", "%s", steps[i][0]);
		markup_text(m, "%s", steps[i][1]);
		markup_close(m);
	}
	markup_open(m, "label");
	markup_text(m, "%s ", t->stop);
	markup_open(m, "input");
	markup_attribute(m, "type", "number");
	markup_attribute(m, "min", "%llu", (unsigned long long)t->first_stop);
	markup_attribute(m, "max", "%llu", (unsigned long long)t->last_stop);
	markup_close(m);
	markup_close(m);
	markup_element(m, "output", NULL, "%s", "");
	markup_close(m);
}

static double timeline_left(const struct page_timeline *t)
{
	double left = svg_width(t->rows, SIZE);
	char text[NAME];

	for (int i = 0; i < t->lanes; i++)
		left = fmax(left, svg_width(t->name(t->values, i, text, sizeof(text)), SIZE));
	return left + AWAY;
}

/* The first mark is a time, the others count from it. */
static void timeline_marks(const struct page_timeline *t, double left, double bottom)
{
	double width = WIDTH - left - RIGHT;
	char text[NAME];

	for (int i = 0; i < MARKS; i++) {
		double x = left + width * i / (MARKS - 1);
		double ns = i ? (double)t->length * i / (MARKS - 1) : (double)t->from;

		svg_line(t->m, "axis", x, bottom, x, bottom + 4);
		markup_close(t->m);
		svg_text(t->m, "soft mark", i == 0 ? SVG_FROM : i < MARKS - 1 ? SVG_AROUND :
			 SVG_UP_TO, x, bottom + 18, "%s%s", i ? "+" : "",
			 t->time_text(text, ns));
	}
}

static void timeline_names(const struct page_timeline *t, double left, double bottom)
{
	int by = (int)ceil(SIZE * 1.4 / t->height);
	char text[NAME];

	for (int i = 0; i < t->lanes; i += by)
		svg_text(t->m, "soft", SVG_UP_TO, left - AWAY,
			 TOP + (i + 0.5) * t->height + SIZE * 0.35, "%s",
			 t->name(t->values, i, text, sizeof(text)));
	svg_text(t->m, "soft", SVG_UP_TO, left - AWAY, bottom + 18, "%s", t->rows);
}

/* The part that is zoomed, a picture in the picture, with its stops. */
static void timeline_view(const struct page_timeline *t, double left)
{
	struct markup *m = t->m;
	double all = t->lanes * t->height;

	markup_open(m, "svg");
	markup_attribute(m, "x", "%.1f", left);
	markup_attribute(m, "y", "%d", TOP);
	markup_attribute(m, "width", "%.1f", WIDTH - left - RIGHT);
	markup_attribute(m, "height", "%.1f", all);
	markup_attribute(m, "viewBox", "0 0 %.0f %.1f", timeline_end_x(t), all);
	markup_attribute(m, "preserveAspectRatio", "none");
	markup_attribute(m, "data-unit", "%.9g", t->unit);
	markup_attribute(m, "data-from", "%llu", (unsigned long long)t->from);
	markup_attribute(m, "data-first", "%llu", (unsigned long long)t->first_stop);
	markup_attribute(m, "data-each", "%llu", (unsigned long long)t->stops_each);
	fputs(" data-stops=\"", m->out);
	for (size_t i = 0; i < t->nstops; i++)
		fprintf(m->out, "%s%.0f", i ? " " : "", timeline_x(t, t->stops[i]));
	putc('"', m->out);
	svg_rect(m, "lane", 0, 0, timeline_end_x(t), all);
	markup_close(m);
}

static void timeline_stops(const struct page_timeline *t)
{
	struct markup *m = t->m;

	markup_open(m, "path");
	markup_attribute(m, "class", "stops%s", t->nstops > STOPS_SHOWN ? " many" : "");
	fputs(" d=\"", m->out);
	for (size_t i = 0; i < t->nstops; i++)
		fprintf(m->out, "M%.0f 0v%.0f", timeline_x(t, t->stops[i]), t->lanes * t->height);
	putc('"', m->out);
	markup_close(m);
}

void page_timeline_begin(struct page_timeline *t, struct markup *m)
{
	double left, bottom;

	t->m = m;
	t->unit = fmax(1, (double)t->length / UNITS_MOST);
	t->height = fmax(HEIGHT_LEAST, fmin(HEIGHT_MOST, floor((double)HEIGHT_ALL / t->lanes)));
	left = timeline_left(t);
	bottom = TOP + t->lanes * t->height;
	markup_open(m, "figure");
	markup_attribute(m, "class", "timeline");
	markup_attribute(m, "data-stop", "%s", t->stop);
	timeline_legend(t);
	timeline_buttons(t);
	svg_begin(m, WIDTH, bottom + BOTTOM, t->label);
	timeline_names(t, left, bottom);
	timeline_marks(t, left, bottom);
	timeline_view(t, left);
}

/* ---- In the lanes -------------------------------------------------------------------------- */

void page_timeline_band(struct page_timeline *t, int lane, int kind)
{
	markup_open(t->m, "path");
	markup_attribute(t->m, "class", "slice %s", t->kinds[kind].class);
	fputs(" d=\"", t->m->out);
	t->lane = lane;
	t->kind = kind;
	t->sum = 0;
}

void page_timeline_span(struct page_timeline *t, uint64_t begin, uint64_t finish, double low,
			double high)
{
	double x = timeline_x(t, begin), width = timeline_x(t, finish) - x;
	double all = t->height - GAP, base = t->lane * t->height + GAP / 2.0;

	t->sum += (double)(finish - begin) * (high - low);
	if (width <= 0)
		return;
	fprintf(t->m->out, "M%.0f %.4gh%.0fv%.3gh-%.0f", x, base + all * (1 - high), width,
		all * (high - low), width);
}

void page_timeline_band_end(struct page_timeline *t)
{
	char text[NAME];

	putc('"', t->m->out);
	svg_tip(t->m, "%s %s, %s: %.1f %%", t->rows, t->name(t->values, t->lane, text,
							     sizeof(text)),
		t->kinds[t->kind].name, 100 * t->sum / (double)t->length);
	markup_close(t->m);
}

void page_timeline_path(struct page_timeline *t)
{
	timeline_stops(t);
	markup_open(t->m, "path");
	markup_attribute(t->m, "class", "way t0");
	fputs(" d=\"", t->m->out);
	t->command = 'M';
}

void page_timeline_path_to(struct page_timeline *t, uint64_t time, int lane)
{
	fprintf(t->m->out, "%c%.0f %.4g", t->command, timeline_x(t, time),
		(lane + 0.5) * t->height);
	t->command = 'L';
}

void page_timeline_path_end(struct page_timeline *t)
{
	putc('"', t->m->out);
	svg_tip(t->m, "critical path");
	markup_close(t->m);
}

void page_timeline_end(struct page_timeline *t)
{
	if (!t->has_path)
		timeline_stops(t);
	markup_close(t->m);
	svg_end(t->m);
	markup_open(t->m, "script");
	markup_text(t->m, "%s", "");
	putc('\n', t->m->out);
	fputs(script, t->m->out);
	markup_close(t->m);
	markup_close(t->m);
}
