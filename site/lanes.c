// SPDX-License-Identifier: BSD-3-Clause
/* lanes.c - draws times of processes with barriers and without, one above the other. */

/*
 *	lanes <TIMES >PICTURE
 *
 * TIMES has a line "way,process,kind,begin,took" for each slice, in microseconds, kind is compute,
 * sync or read; the way is classic or relaxed. The line "# steps: N" says of how many steps, and
 * "# command: ..." how they were made. Both ways have one scale.
 */
#include "config.h"

#include "common/page/markup.h"
#include "common/page/picture.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SLICES_MOST = 4096, WAYS = 2, LINE_MOST = 256 };
enum { WIDTH = 760, EDGE = 16, LEFT = 82, RIGHT = 18, TOP = 58 };
enum { LANE = 15, BETWEEN = 4, HEAD = 24, GAP = 18 };

static const char *const ways[WAYS] = { "classic", "relaxed" };
static const char *const kinds[] = { "compute", "sync", "read", NULL };
static const char *const meanings[] = {
	"computes", "in bsp_sync", "waits in bsp_read", NULL
};

struct slice {
	int way, process, kind;
	double begin, took;
};

struct times {
	struct slice slice[SLICES_MOST];
	int n, nprocs, steps;
	double end[WAYS];
	char command[LINE_MOST];
};

static int index_of(const char *word, const char *const *words, int n)
{
	for (int i = 0; i < n && words[i]; i++)
		if (strcmp(word, words[i]) == 0)
			return i;
	fprintf(stderr, "lanes: \"%s\" is no word that stands here\n", word);
	exit(1);
}

static void add_slice(struct times *t, const char *line)
{
	struct slice *s = &t->slice[t->n];
	char way[16], kind[16];

	if (t->n == SLICES_MOST || sscanf(line, "%15[^,],%d,%15[^,],%lf,%lf", way, &s->process,
					  kind, &s->begin, &s->took) != 5) {
		fprintf(stderr, "lanes: too many slices, or a line that is none: %s", line);
		exit(1);
	}
	s->way = index_of(way, ways, WAYS);
	s->kind = index_of(kind, kinds, WAYS + 1);
	if (s->begin + s->took > t->end[s->way])
		t->end[s->way] = s->begin + s->took;
	if (s->process >= t->nprocs)
		t->nprocs = s->process + 1;
	t->n++;
}

static void read_times(struct times *t, FILE *in)
{
	char line[LINE_MOST];

	while (fgets(line, sizeof(line), in)) {
		if (sscanf(line, "# steps: %d", &t->steps) == 1 ||
		    sscanf(line, "# command: %255[^\n]", t->command) == 1)
			continue;
		if (line[0] != '#' && strncmp(line, "way,", 4) != 0)
			add_slice(t, line);
	}
	if (t->end[0] <= 0 || t->end[1] <= 0) {
		fputs("lanes: there are not both ways\n", stderr);
		exit(1);
	}
}

static double x_of(const struct times *t, double us)
{
	double longest = t->end[0] > t->end[1] ? t->end[0] : t->end[1];

	return LEFT + us / longest * (WIDTH - LEFT - RIGHT);
}

static double height_of_way(const struct times *t)
{
	return HEAD + t->nprocs * (LANE + BETWEEN);
}

static double top_of(const struct times *t, int way, int process)
{
	return TOP + way * (height_of_way(t) + GAP) + HEAD + process * (LANE + BETWEEN);
}

static void draw_slice(struct markup *m, const struct times *t, const struct slice *s)
{
	double left = x_of(t, s->begin), right = x_of(t, s->begin + s->took);

	svg_rect(m, kinds[s->kind], left, top_of(t, s->way, s->process), right - left, LANE);
	svg_tip(m, "process %d %s: %.0f us", s->process, meanings[s->kind], s->took);
	markup_close(m);
}

/* The head of a way, the names of its processes, and where it ends. */
static void draw_way(struct markup *m, const struct times *t, int way)
{
	double top = top_of(t, way, 0), end = x_of(t, t->end[way]);

	svg_text(m, "head", SVG_FROM, LEFT, top - 8, "%s", way == 0 ?
		 "with barriers: each step waits for all processes" :
		 "relaxed: each process waits for its neighbours' rows alone");
	for (int p = 0; p < t->nprocs; p++)
		svg_text(m, "soft", SVG_UP_TO, LEFT - 8, top_of(t, way, p) + LANE - 4,
			 "process %d", p);
	svg_line(m, "end", end, top - 4, end, top_of(t, way, t->nprocs));
	markup_close(m);
}

static void draw_legend(struct markup *m, double y)
{
	double x = LEFT;

	for (int k = 0; kinds[k]; k++) {
		svg_rect(m, kinds[k], x, y - 11, 14, 14);
		markup_close(m);
		svg_text(m, NULL, SVG_FROM, x + 20, y, "%s", meanings[k]);
		x += 20 + svg_width(meanings[k], 12) + 24;
	}
}

static void draw(const struct times *t)
{
	double below = top_of(t, WAYS - 1, t->nprocs) + 16;
	struct markup m;

	svg_document(&m, stdout, WIDTH, below + 48, "Supersteps with barriers and relaxed");
	svg_text(&m, "title", SVG_FROM, EDGE, 28, "%d steps of heat.c: %.2f ms with barriers, "
		 "%.2f ms relaxed, %.0f %% less", t->steps, t->end[0] / 1e3, t->end[1] / 1e3,
		 100 * (1 - t->end[1] / t->end[0]));
	for (int way = 0; way < WAYS; way++)
		draw_way(&m, t, way);
	for (int i = 0; i < t->n; i++)
		draw_slice(&m, t, &t->slice[i]);
	draw_legend(&m, below + 8);
	svg_text(&m, "soft", SVG_FROM, LEFT, below + 36, "%s", t->command);
	markup_end(&m);
}

int main(void)
{
	static struct times times;

	read_times(&times, stdin);
	draw(&times);
	return fflush(stdout) || ferror(stdout) ? 1 : 0;
}
