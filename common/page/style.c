// SPDX-License-Identifier: BSD-3-Clause
/* style.c - the one style sheet of all pages and pictures. */

#include "style.h"

static const char light[] =
	"  --paper: #ffffff; --card: #f6f7f9; --line: #d9dde3; --ink: #1c2230; --soft: #566072;\n"
	"  --compute: #c3c9d3; --on-compute: #1c2230; --sync: #2b66b1; --on-sync: #ffffff;\n"
	"  --read: #f0a030; --on-read: #1c2230; --collective: #7a4fb5; --on-collective: #ffffff;\n"
	"  --saved: #176c3a; --lost: #b3261e; --recv: #238058; --on-recv: #ffffff;\n"
	"  --wire: #9dbcf0; --message: #b55f10;\n"
	"  --c0: #2b66b1; --c1: #c25a00; --c2: #1a7a42; --c3: #a3246b; --c4: #6a4fb3;\n"
	"  --c5: #0d7f86; --c6: #8a6d00; --c7: #b3261e; --c8: #4a5568; --c9: #3d8f00;\n";

static const char dark[] =
	"  --paper: #14171d; --card: #1c2129; --line: #343c48; --ink: #e8ebf0; --soft: #a2abba;\n"
	"  --compute: #56606f; --on-compute: #ffffff; --sync: #6aa5ea; --on-sync: #10141b;\n"
	"  --read: #f2b155; --on-read: #10141b; --collective: #b39df0; --on-collective: #10141b;\n"
	"  --saved: #6fd396; --lost: #ff9d92; --recv: #43ad80; --on-recv: #10141b;\n"
	"  --wire: #36507f; --message: #ec9c4c;\n"
	"  --c0: #6aa5ea; --c1: #f2a155; --c2: #6fd396; --c3: #f08cc0; --c4: #b39df0;\n"
	"  --c5: #5ecbd3; --c6: #dcc04a; --c7: #ff9d92; --c8: #a9b4c4; --c9: #a3dc6a;\n";

static const char page_rules[] =
	"* { box-sizing: border-box; }\n"
	"body { margin: 0; background: var(--paper); color: var(--ink);\n"
	"  font: 16px/1.55 system-ui, \"DejaVu Sans\", sans-serif; }\n"
	"main { max-width: 80rem; margin: 0 auto; padding: 2.5rem 1.25rem 3rem; }\n"
	"h1 { font-size: 2rem; line-height: 1.2; margin: 0 0 .75rem; overflow-wrap: anywhere; }\n"
	"h2 { font-size: 1.3rem; margin: 0 0 .25rem; overflow-wrap: anywhere; }\n"
	"p { margin: 0 0 1rem; max-width: 48rem; overflow-wrap: anywhere; }\n"
	".about, footer { color: var(--soft); font-size: .9rem; }\n"
	".warning { border-left: .3rem solid var(--lost); padding-left: .8rem; }\n"
	"section, .card { background: var(--card); border: 1px solid var(--line);\n"
	"  border-radius: .6rem; padding: 1.25rem 1.5rem; margin: 1.5rem 0; }\n"
	".grid { display: grid; gap: 1.5rem;\n"
	"  grid-template-columns: repeat(auto-fit, minmax(min(34rem, 100%), 1fr)); }\n"
	".grid > *, .two > * { min-width: 0; margin: 0; max-width: none; }\n"
	".two { display: grid; gap: 1rem 2.5rem;\n"
	"  grid-template-columns: repeat(auto-fit, minmax(min(26rem, 100%), 1fr)); }\n"
	"figure { margin: .5rem 0; max-width: 54rem; }\n"
	"figcaption { font-weight: 600; margin-bottom: .4rem; }\n"
	".saved { color: var(--saved); font-weight: 600; }\n"
	".lost { color: var(--lost); font-weight: 600; }\n"
	"dl { display: grid; grid-template-columns: max-content 1fr; gap: .2rem 1.5rem;\n"
	"  margin: 0 0 1rem; }\n"
	"dd { margin: 0; min-width: 0; overflow-wrap: anywhere; } dt { color: var(--soft); }\n"
	".conditions { font-size: .85rem; gap: 0 1.25rem; }\n"
	"@media (max-width: 40rem) {\n"
	"  main { padding: 1.25rem .6rem 2rem; } section { padding: 1rem .9rem; }\n"
	"  dl { grid-template-columns: 1fr; gap: 0; } dd { margin-bottom: .4rem; }\n"
	"}\n"
	"label { cursor: pointer; } input { accent-color: var(--sync); margin: 0 .4rem 0 0; }\n"
	":focus-visible { outline: 2px solid var(--sync); outline-offset: 2px; }\n";

static const char table_rules[] =
	".table, .picture { overflow-x: auto; margin: .75rem 0; }\n"
	".picture > svg { display: block; max-width: 100%; height: auto; }\n"
	".fold { font-size: .85rem; color: var(--soft); }\n"
	"table { border-collapse: collapse; min-width: 100%; font-size: .85rem;\n"
	"    color: var(--ink);\n"
	"  font-variant-numeric: tabular-nums; }\n"
	"caption { text-align: left; color: var(--soft); padding-bottom: .4rem; }\n"
	"th, td { padding: .3rem .5rem; text-align: right; white-space: nowrap;\n"
	"  border-top: 1px solid var(--line); vertical-align: baseline; }\n"
	"thead th { white-space: normal; vertical-align: bottom; border-top: 0;\n"
	"    min-width: 4.6rem; }\n"
	"tbody th { font-weight: 400; }\n"
	"th:first-child { position: sticky; left: 0; background: var(--card); padding-left: 0; }\n"
	".words { text-align: left; }\n"
	".long { text-align: left; white-space: normal; overflow-wrap: anywhere;\n"
	"    min-width: 9.5rem; }\n"
	"td small { display: block; font-weight: 400; color: var(--soft); }\n"
	".meter { display: block; height: .35rem; border-radius: .2rem; background: var(--sync);\n"
	"  margin-left: auto; }\n"
	".detail { display: table-cell; }\n"
	".fold:not(:has(.more:checked)) .detail { display: none; }\n";

static const char bar_rules[] =
	".pair { margin: 0 0 1rem; }\n"
	".pair p { margin: 0 0 .2rem; font-weight: 600; } .pair .about { font-weight: 400; }\n"
	".bar { display: grid; align-items: start; gap: 0 .6rem; font-size: .85rem;\n"
	"  grid-template-columns: 4.2rem 1fr 9.5rem; }\n"
	".bar > span { min-width: 0; }\n"
	".track { position: relative; display: block; height: 2.1rem;\n"
	"  border-left: 1px solid var(--soft); }\n"
	".parts { display: flex; height: 1.35rem; }\n"
	".parts span { display: block; overflow: hidden; white-space: nowrap;\n"
	"    line-height: 1.35rem;\n"
	"  padding-left: 0; font-size: .75rem; }\n"
	".parts .tell { padding-left: .35rem; }\n"
	".range { position: absolute; top: 1.5rem; height: .45rem; border: solid var(--ink);\n"
	"  border-width: 0 1.5px; background: linear-gradient(var(--ink),\n"
	"    var(--ink)) center / 100% 1.5px\n"
	"  no-repeat; }\n"
	".range.beyond { border-right: 0; }\n"
	".range.beyond::after { content: \"\"; position: absolute; right: 0; top: 50%;\n"
	"  border: .3rem solid transparent; border-left-color: var(--ink); border-right: 0;\n"
	"  transform: translateY(-50%); }\n"
	".compute { background: var(--compute); color: var(--on-compute); fill: var(--compute); }\n"
	".sync { background: var(--sync); color: var(--on-sync); fill: var(--sync); }\n"
	".read { background: var(--read); color: var(--on-read); fill: var(--read); }\n"
	".collective { background: var(--collective); color: var(--on-collective);\n"
	"  fill: var(--collective); }\n"
	"@media (max-width: 40rem) {\n"
	"  .bar { grid-template-columns: 1fr auto; }\n"
	"  .track { grid-row: 2; grid-column: 1 / 3; }\n"
	"}\n"
	".legend { display: flex; flex-wrap: wrap; gap: .15rem 1.25rem; list-style: none;\n"
	"  padding: 0; margin: .5rem 0; font-size: .85rem; }\n"
	".legend li { min-width: 0; overflow-wrap: anywhere; }\n"
	".sample { display: inline-block; width: 1.5rem; height: .8rem; margin-right: .5rem;\n"
	"  position: relative; vertical-align: -.05rem; }\n"
	".sample .range { top: .2rem; left: 0; width: 100%; }\n"
	".legend svg { margin-right: .4rem; vertical-align: -.05rem; }\n";

static const char picture_rules[] =
	"svg text { font: 12px system-ui, \"DejaVu Sans\", sans-serif; fill: var(--ink); }\n"
	"svg .soft { fill: var(--soft); }\n"
	"svg .title { font-size: 17px; font-weight: 600; }\n"
	"svg .head { font-size: 14px; font-weight: 600; } svg .name { font-weight: 600; }\n"
	"svg .page { fill: var(--paper); } svg .lane { fill: var(--card); }\n"
	"svg .frame { fill: var(--card); stroke: var(--line); }\n"
	"svg .line { stroke: var(--line); fill: none; } svg .axis { stroke: var(--soft);\n"
	"    fill: none; }\n"
	"svg .curve { fill: none; stroke-width: 1.8; stroke-linejoin: round; }\n"
	"svg .spread { stroke-width: 1; opacity: .55; fill: none; }\n"
	"svg .dot { stroke-width: 1; } svg .dot.hollow { fill: var(--card); }\n"
	"svg .cell { fill: var(--sync); stroke: var(--line); stroke-width: .5; }\n"
	"svg .send { fill: var(--sync); } svg .recv { fill: var(--recv); }\n"
	"svg .wire { fill: var(--wire); } svg .calc { fill: var(--compute); }\n"
	"svg text.on-send { fill: var(--on-sync); } svg text.on-recv { fill: var(--on-recv); }\n"
	"svg text.on-calc { fill: var(--on-compute); }\n"
	"svg .inside { font-size: 10px; pointer-events: none; }\n"
	"svg .message { stroke: var(--message); stroke-width: 1.2; stroke-opacity: .75; }\n"
	"svg .thin { stroke-width: .8; stroke-opacity: .55; } svg .tip { fill: var(--message); }\n"
	"svg .end { stroke: var(--ink); stroke-width: 1.5; }\n"
	".slice { stroke: none; }\n"
	"svg .way { fill: none; stroke: var(--ink); stroke-width: 1.8; stroke-linejoin: round;\n"
	"  vector-effect: non-scaling-stroke; }\n"
	"svg .stops { fill: none; stroke: var(--ink); stroke-opacity: .4; stroke-width: 1;\n"
	"  vector-effect: non-scaling-stroke; pointer-events: none; } .many { display: none; }\n"
	".sample.way { background: linear-gradient(var(--ink), var(--ink)) center / 100% 2px\n"
	"  no-repeat; }\n"
	".zoom:not([hidden]) { display: flex; flex-wrap: wrap; align-items: center;\n"
	"  gap: .4rem .6rem; font-size: .85rem; }\n"
	".zoom input { width: 7rem; margin: 0 0 0 .3rem; }\n"
	".zoom button, .zoom input { font: inherit; color: var(--ink); background: var(--paper);\n"
	"  border: 1px solid var(--soft); border-radius: .3rem; padding: .15rem .6rem; }\n"
	"svg .bar:hover, svg .cell:hover { stroke: var(--ink); stroke-width: 1.5; }\n"
	"svg .message:hover { stroke-width: 3; stroke-opacity: 1; }\n";

static const char print_rules[] =
	"@media print {\n"
	"  main { max-width: none; padding: 0; } section, figure, .pair { break-inside: avoid; }\n"
	"  .table, .picture { overflow: visible; } .toggle, .fold > label,\n"
	"  .zoom { display: none !important; }\n"
	"  th, td { white-space: normal; }\n"
	"  svg:root, .picture > svg { max-width: 100%; height: auto; }\n"
	"  * { print-color-adjust: exact; }\n"
	"}\n";

void style_write(struct markup *m, const char *more)
{
	FILE *out;

	markup_open(m, "style");
	markup_text(m, "%s", "");
	out = m->out;
	putc('\n', out);
	/* None of it has a character that means something to HTML or XML. */
	fprintf(out, ":root {\n  color-scheme: light;\n%s}\n", light);
	fprintf(out, "@media screen and (prefers-color-scheme: dark) {\n"
		":root:not([data-theme=light]) {\n  color-scheme: dark;\n%s}\n}\n", dark);
	fprintf(out, "@media screen {\n:root[data-theme=dark] {\n  color-scheme: dark;\n%s}\n}\n",
		dark);
	fputs(page_rules, out);
	fputs(table_rules, out);
	fputs(bar_rules, out);
	fputs(picture_rules, out);
	for (int i = 0; i < STYLE_COLOURS; i++)
		fprintf(out, "svg .c%d { stroke: var(--c%d); } svg .dot.c%d:not(.hollow) "
			"{ fill: var(--c%d); }\n", i, i, i, i);
	for (int i = 0; i < STYLE_TOGGLES; i++)
		fprintf(out, "figure:has(.toggle .t%d:not(:checked)) svg .t%d { display: none; }\n",
			i, i);
	fputs(print_rules, out);
	if (more)
		fputs(more, out);
	markup_close(m);
}
