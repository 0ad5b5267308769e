// SPDX-License-Identifier: BSD-3-Clause
/* Pages have each text escaped, each cell under its head, each bar and point in its place. */

#include "../lib/tap.h"

#include "common/page/bars.h"
#include "common/page/heat.h"
#include "common/page/page.h"
#include "common/page/picture.h"
#include "common/page/plot.h"
#include "common/page/table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static char *text;
static size_t len;
static struct markup m;

static void begin(void)
{
	markup_begin(&m, open_memstream(&text, &len));
}

/* The text that was written since; it stays until the next begin(). */
static const char *written(void)
{
	static char kept[65536];

	markup_end(&m);
	fclose(m.out);
	snprintf(kept, sizeof(kept), "%s", text);
	free(text);
	return kept;
}

static void has(const char *all, const char *part, const char *description)
{
	ok(strstr(all, part) != NULL, "%s", description);
	if (!strstr(all, part))
		diag("no %s in %s", part, all);
}

static int count(const char *all, const char *part)
{
	int n = 0;

	for (; (all = strstr(all, part)); all++)
		n++;
	return n;
}

/* ---- Elements ------------------------------------------------------------------------------ */

static void elements(void)
{
	char longer[2000];

	begin();
	markup_open(&m, "div");
	markup_attribute(&m, "title", "a\"<%s>&\001", "b");
	markup_element(&m, "p", "c", "<script>%c&amp;\"", '\t');
	markup_open(&m, "p");
	markup_element(&m, "code", NULL, "x");
	is_str("<div title=\"a&quot;&lt;b&gt;&amp;?\">\n"
	       "<p class=\"c\">&lt;script&gt;?&amp;amp;&quot;</p>\n<p><code>x</code></p>\n</div>\n",
	       written(), "texts and values are escaped, lines end between elements");
	memset(longer, '<', sizeof(longer) - 1);
	longer[sizeof(longer) - 1] = '\0';
	begin();
	markup_element(&m, "p", NULL, "%s", longer);
	is_int((long)sizeof(longer) - 1, count(written(), "&lt;"), "however long");
	begin();
	markup_open(&m, "td");
	markup_close(&m);
	markup_open(&m, "rect");
	markup_close(&m);
	is_str("<td></td><rect/>\n", written(), "empty elements as HTML wants them");
}

static void conditions(void)
{
	struct page_conditions c = { .host = "a<b", .processor = "", .command = "run \"it\"" };
	char line[100];

	begin();
	page_conditions(&m, &c);
	is_str("<dl class=\"conditions\"><dt>host</dt><dd>a&lt;b</dd>\n"
	       "<dt>made by</dt><dd>run &quot;it&quot;</dd>\n</dl>\n", written(),
	       "conditions, but for those that nothing is known of");
	page_conditions_text(&c, line, sizeof(line));
	is_str("host a<b, made by run \"it\"", line, "and as a line");
	begin();
	page_conditions(&m, &(struct page_conditions){ .host = NULL });
	is_str("", written(), "of nothing, nothing");
}

/* ---- Tables ---------------------------------------------------------------------------------- */

static void tables(void)
{
	struct page_table t;
	const char *all;

	begin();
	page_table_begin(&t, "T");
	page_table_column(&t, PAGE_LONG, "name");
	page_table_column(&t, PAGE_FIGURES, "needed");
	page_table_column(&t, PAGE_FIGURES, "all 0");
	page_table_column(&t, PAGE_KEPT, "kept");
	page_table_column(&t, PAGE_DETAIL, "detail");
	page_table_column(&t, PAGE_FIGURES, "all empty");
	for (int i = 0; i < 2; i++) {
		page_table_cell(&t, "row %d", i);
		page_table_cell(&t, "%d.0 s", i);
		page_table_cell(&t, "0.00 s");
		page_table_cell(&t, "0 B");
		page_table_cell(&t, "7");
		page_table_meter(&t, 150);
		page_table_note(&t, "<note>");
		page_table_code(&t, "a<b");
		page_table_class(&t, "lost");
		page_table_cell(&t, "%s", "");
	}
	page_table_end(&t, &m);
	all = written();
	has(all, "<input type=\"checkbox\" class=\"more\"/>2 more columns", "two are folded");
	has(all, "<tr><th scope=\"col\" class=\"long\">name</th><th scope=\"col\">needed</th>"
	    "<th scope=\"col\" class=\"detail\">all 0</th><th scope=\"col\">kept</th>"
	    "<th scope=\"col\" class=\"detail\">detail</th></tr>",
	    "a detail, and what is 0 in all");
	has(all, "<tr><th scope=\"row\" class=\"long\">row 1</th><td>1.0 s</td>"
	    "<td class=\"detail\">0.00 s</td><td>0 B</td><td class=\"detail lost\">"
	    "<code>a&lt;b</code> 7<small>&lt;note&gt;</small>"
	    "<span class=\"meter\" style=\"width:100.0%\"></span></td></tr>",
	    "a row has its cells in the order of the heads");
	ok(!strstr(all, "all empty"), "a column of nothing is left out");
	has(all, "class=\"table\" tabindex=\"0\" role=\"region\" aria-label=\"T\"",
	    "the keyboard scrolls it");
	begin();
	page_table_begin(&t, "empty");
	page_table_column(&t, PAGE_FIGURES, "a");
	page_table_column(&t, PAGE_FIGURES, "b");
	page_table_end(&t, &m);
	is_int(0, count(written(), "detail"), "without rows nothing is folded");
}

/* ---- Bars ---------------------------------------------------------------------------------- */

static void bars(void)
{
	const struct page_bar_part parts[] = {
		{ "sync", "in <sync>", "4 s", 4 }, { "read", "in read", "1 s", 1 },
		{ "collective", "none", "0 s", 0 },
	};
	struct page_bar bar = {
		.label = "l", .parts = parts, .nparts = 3, .low = 2, .high = 5, .full = 10,
		.value = "5 s", .change = "-3 %", .change_class = "saved",
	};
	const char *all;

	begin();
	page_bar(&m, &bar);
	all = written();
	has(all, "<span class=\"sync tell\" style=\"width:40.00%\" "
	    "title=\"in &lt;sync&gt;: 4 s\">4 s</span>"
	    "<span class=\"read\" style=\"width:10.00%\" title=\"in read: 1 s\"></span></span>",
	    "parts in proportion; a long one has its value inside, one of 0 is not there");
	has(all, "<span class=\"range\" style=\"left:20.00%;width:30.00%\"></span>", "its range");
	has(all, "<span>5 s <strong class=\"saved\">-3 %</strong></span>",
	    "its value, and a change");
	bar.high = 20;
	begin();
	page_bar(&m, &bar);
	has(written(), "<span class=\"range beyond\" style=\"left:20.00%;width:80.00%\">",
	    "a range that is longer than all ends in an arrow");
	bar.low = bar.high = bar.full = 0;
	begin();
	page_bar(&m, &bar);
	all = written();
	ok(!strstr(all, "range") && !strstr(all, "nan") && !strstr(all, "inf"),
	       "where all is 0 there is no range, and no place that is no number");
}

/* ---- Plots --------------------------------------------------------------------------------- */

static void plots(void)
{
	struct plot p = plot_begin((struct plot_axis){ .is_log = true },
				   (struct plot_axis){ .is_log = false });
	struct plot_pen pen;
	const char *all;

	plot_reach(&p, 1, 10);
	plot_reach(&p, 100, 20);
	plot_reach(&p, 0, NAN);
	plot_place(&p, 100, 0, 108, 105);
	ok(fabs(plot_x(&p, 1) - 104) < 0.01 && fabs(plot_x(&p, 10) - 154) < 0.01 &&
	       fabs(plot_x(&p, 100) - 204) < 0.01,
	   "a logarithmic axis has a 25th of room at its ends");
	ok(fabs(plot_y(&p, 0) - 105) < 0.01 && fabs(plot_y(&p, 20) - 5) < 0.01,
	       "a linear one begins at 0");
	ok(plot_shows(&p, 1, 0) && !plot_shows(&p, 0, 1) && !plot_shows(&p, 1, INFINITY),
	       "0 has no place on a logarithmic one");
	begin();
	pen = plot_curve(&m, &p, 12);
	plot_curve_to(&pen, 1, 20);
	plot_curve_to(&pen, 0, 20);
	plot_curve_to(&pen, 100, 0);
	plot_curve_end(&pen);
	is_str("<path class=\"curve c2 t12\" stroke-dasharray=\"6 3\" "
	       "d=\"M104.0 5.0L204.0 105.0\"/>\n",
	       written(), "a curve has a colour, dashes, a number for the legend, and all places");
	begin();
	plot_axes(&m, &p, true);
	all = written();
	has(all, "x=\"154.0\" y=\"121.0\">10</text>", "marks of powers of ten");
	has(all, "text-anchor=\"end\" x=\"94.0\" y=\"9.0\">20</text>", "and of multiples of 5");
	ok(plot_marks_width(&p) >= 2 * 0.64 * 12, "with room for two digits");
}

static void legends(void)
{
	const struct plot_name names[] = {
		{ { "tcp", "a", "busy", "" } }, { { "tcp", "b", "busy", "" } },
	};
	const char *all;

	begin();
	plot_legend(&m, names, 2);
	all = written();
	has(all, "<p class=\"about\">All curves: tcp, busy</p>",
	    "what all curves have is said once");
	has(all, "<input type=\"checkbox\" class=\"t1\" checked=\"checked\"/>",
	    "each can be hidden");
	has(all, "</svg>b</label></li>", "and has a name of its own");
	begin();
	plot_legend(&m, names, 1);
	has(written(), "</svg>tcp, a, busy</label></li>", "one alone has all of it");
}

/* ---- Pictures ------------------------------------------------------------------------------ */

static double sum(const void *values, int row, int column)
{
	(void)values;
	return row + column;
}

static const char *figure(double value, char *of, size_t room)
{
	snprintf(of, room, "%.0f <B>", value);
	return of;
}

static const char *name_of(const void *values, int i, char *of, size_t room)
{
	(void)values;
	snprintf(of, room, "p%d", i);
	return of;
}

static void pictures(void)
{
	const struct page_heat heat = { .label = "h", .rows = "from", .columns = "to", .n = 3,
					.value = sum, .value_text = figure, .name = name_of };
	const char *all;

	begin();
	page_heat(&m, &heat);
	all = written();
	is_int(9, count(all, "class=\"cell\""), "a square for each pair");
	has(all, "fill-opacity=\"0.750\"><title>from p2, to p1: 3 &lt;B&gt;</title>",
	    "as dark as its value is high, with its figures");
	has(all, ">p2</text>", "rows have names");
	svg_document(&m, open_memstream(&text, &len), 100, 50, "a & b");
	svg_text(&m, "soft", SVG_UP_TO, 1, 2, "<%d>", 3);
	all = written();
	ok(strncmp(all, "<svg xmlns=\"http://www.w3.org/2000/svg\"", 39) == 0,
	       "a picture of its own is SVG");
	has(all, "<title>a &amp; b</title>", "with a title");
	has(all, "<text class=\"soft\" text-anchor=\"end\" x=\"1.0\" y=\"2.0\">&lt;3&gt;</text>",
	    "words");
	has(all, ":root[data-theme=dark]", "and both themes");
}

int main(void)
{
	elements();
	conditions();
	tables();
	bars();
	plots();
	legends();
	pictures();
	return done_testing();
}
