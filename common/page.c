// SPDX-License-Identifier: BSD-3-Clause
/* page.c - the frame of the pages that the tools write. */

#include "page.h"

#include "escape.h"

static const char front[] =
	"<html lang=\"en\">\n"
	"<head>\n"
	"<meta charset=\"utf-8\"/>\n"
	"<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n"
	"<meta name=\"color-scheme\" content=\"light dark\"/>\n"
	"<title>";

static const char style[] =
	"</title>\n"
	"<style>\n"
	":root {\n"
	"  --paper: #ffffff; --card: #f6f7f9; --line: #d9dde3; --ink: #1c2230;\n"
	"  --soft: #5b6474; --compute: #c3c9d3; --on-compute: #1c2230;\n"
	"  --sync: #2b66b1; --on-sync: #ffffff; --lost: #b3261e;\n"
	"  --read: #f0a030; --on-read: #1c2230; --saved: #1a7a42;\n"
	"  --collective: #7a4fb5; --on-collective: #ffffff;\n"
	"}\n"
	"@media (prefers-color-scheme: dark) {\n"
	"  :root {\n"
	"    --paper: #14171d; --card: #1c2129; --line: #343c48; --ink: #e8ebf0;\n"
	"    --soft: #a2abba; --compute: #56606f; --on-compute: #ffffff;\n"
	"    --sync: #6aa5ea; --on-sync: #10141b; --lost: #ff9d92;\n"
	"    --read: #f2b155; --on-read: #10141b; --saved: #6fd396;\n"
	"    --collective: #b39df0; --on-collective: #10141b;\n"
	"  }\n"
	"}\n"
	"body { margin: 0; background: var(--paper); color: var(--ink);\n"
	"  font: 16px/1.55 system-ui, \"DejaVu Sans\", sans-serif; }\n"
	"main { max-width: 80rem; margin: 0 auto; padding: 2.5rem 1.25rem 3rem; }\n"
	"h1 { font-size: 2rem; line-height: 1.2; margin: 0 0 .75rem; }\n"
	"h2 { font-size: 1.3rem; margin: 0; overflow-wrap: anywhere; }\n"
	"p { margin: 0 0 1rem; max-width: 48rem; }\n"
	".about, footer { color: var(--soft); font-size: .9rem; overflow-wrap: anywhere; }\n"
	"section { background: var(--card); border: 1px solid var(--line); border-radius: .6rem;\n"
	"  padding: 1.25rem 1.5rem; margin: 1.5rem 0; }\n"
	".two { display: grid; gap: 1rem 2.5rem;\n"
	"  grid-template-columns: repeat(auto-fit, minmax(min(30rem, 100%), 1fr)); }\n"
	"figure { margin: .5rem 0; overflow-x: auto; max-width: 54rem; }\n"
	"figcaption { font-weight: 600; margin-bottom: .4rem; }\n"
	"svg { display: block; width: 100%; min-width: 30rem; height: auto; }\n"
	"svg text { font-size: 13px; fill: var(--ink); }\n"
	".compute rect { fill: var(--compute); } .compute text { fill: var(--on-compute); }\n"
	".sync rect { fill: var(--sync); } .sync text { fill: var(--on-sync); }\n"
	".read rect { fill: var(--read); } .read text { fill: var(--on-read); }\n"
	".collective rect { fill: var(--collective); }\n"
	".collective text { fill: var(--on-collective); }\n"
	".legend { display: flex; flex-wrap: wrap; gap: .25rem 1.75rem; list-style: none;\n"
	"  padding: 0; margin: 0 0 1rem; }\n"
	".legend svg { display: inline-block; width: 1.5rem; min-width: 0; height: .9rem;\n"
	"  margin-right: .5rem; vertical-align: -.1rem; }\n"
	".table { overflow-x: auto; margin-top: 1rem; }\n"
	"table { border-collapse: collapse; min-width: 100%; font-size: .85rem;\n"
	"  white-space: nowrap; font-variant-numeric: tabular-nums; }\n"
	"caption { text-align: left; color: var(--soft); padding-bottom: .4rem; }\n"
	"th, td { padding: .3rem .4rem; text-align: right; border-top: 1px solid var(--line); }\n"
	"thead th { vertical-align: bottom; border-top: 0; }\n"
	"tbody th { font-weight: 400; }\n";

void page_front(FILE *out, const char *title, const char *rules)
{
	fputs(front, out);
	html_escape(out, title);
	fputs(style, out);
	fputs(rules, out);
	fputs("</style>\n</head>\n<body>\n<main>\n<h1>", out);
	html_escape(out, title);
	fputs("</h1>\n", out);
}
