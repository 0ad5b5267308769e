/* SPDX-License-Identifier: BSD-3-Clause */
/* nettable.c - supersteps beside the layer below: the table, as Markdown and as CSV. */

#include "net.h"

#include "bench/rows/bench.h"

#include "tools/measure/sample.h"

#include <string.h>

enum { CELL = 32 };

/* Median and quartiles. */
struct spread {
	double middle, low, high;
};

/* One line of the table, in microseconds; 0: there is none. */
struct line {
	struct spread side[NET_SIDES];
	struct spread ratio;	/* of BSP to the raw layer, round by round */
	double target;		/* as a ratio */
};

static struct spread nettable_spread_of(const double *v, int n)
{
	double sorted[NET_MOST_ROUNDS];
	struct spread s;

	memcpy(sorted, v, (size_t)n * sizeof *v);
	s.middle = sample_median(sorted, n);
	s.low = sample_quantile(sorted, n, 0.25);
	s.high = sample_quantile(sorted, n, 0.75);
	return s;
}

static struct spread in_us(const struct net_result *r, enum net_side side)
{
	struct spread s = nettable_spread_of(r->time[side], r->has[side] ? r->nrounds : 0);

	return (struct spread){ s.middle / 1e3, s.low / 1e3, s.high / 1e3 };
}

static struct spread ratio_of(const struct net_result *r)
{
	double ratio[NET_MOST_ROUNDS];

	for (int i = 0; i < r->nrounds; i++)
		ratio[i] = r->time[NET_BSP][i] / r->time[NET_RAW][i];
	return nettable_spread_of(ratio, r->nrounds);
}

/* The time in which the raw layer exchanges 8 bytes, with two processes; 0: not measured. */
static double exchange_us(const struct net_table *table)
{
	for (int i = 0; net_rows[i].name != NULL; i++)
		if (strcmp(net_rows[i].name, "relaxed-8") == 0 && table->nprocs == 2)
			return in_us(&table->result[i], NET_RAW).middle;
	return 0;
}

static double nettable_target_of(const struct net_table *table, int row, double raw_us)
{
	const struct net_target *t = &net_rows[row].target;

	if (t->ratio > 0)
		return t->ratio;
	if (!table->tcp || raw_us <= 0)
		return 0;
	if (t->mpi_us > 0)
		return t->us / t->mpi_us;
	return t->us * exchange_us(table) / NET_TARGET_US / raw_us;
}

static struct line line_of(const struct net_table *table, int row)
{
	const struct net_result *r = &table->result[row];
	struct line line;

	for (int side = 0; side < NET_SIDES; side++)
		line.side[side] = in_us(r, (enum net_side)side);
	line.ratio = ratio_of(r);
	line.target = nettable_target_of(table, row, line.side[NET_RAW].middle);
	return line;
}

static const char *nettable_verdict(const struct line *line)
{
	if (line->target <= 0)
		return "-";
	return line->ratio.middle <= line->target ? "yes" : "NO";
}

/* Three to four digits that count. */
static const char *nettable_number(char *cell, double v)
{
	int places = v >= 1000 ? 0 : v >= 100 ? 1 : v >= 10 ? 2 : 3;

	if (v <= 0)
		snprintf(cell, CELL, "-");
	else
		snprintf(cell, CELL, "%.*f", places, v);
	return cell;
}

/* ---- Markdown ---------------------------------------------------------------------- */

static void nettable_markdown_line(const struct net_row *row, const struct net_result *result,
				   const struct line *line, FILE *out)
{
	const struct spread *bsp = &line->side[NET_BSP], *raw = &line->side[NET_RAW];
	char c[11][CELL];

	fprintf(out,
		"| %-43s | %-20s | %8s | %8s-%-8s | %8s | %8s-%-8s | %6s | %6s-%-6s | %6s "
		"| %-3s | %8s | %4d%s |\n",
		row->text, row->below, nettable_number(c[0], bsp->middle),
		nettable_number(c[1], bsp->low), nettable_number(c[2], bsp->high),
		nettable_number(c[3], raw->middle), nettable_number(c[4], raw->low),
		nettable_number(c[5], raw->high), nettable_number(c[6], line->ratio.middle),
		nettable_number(c[7], line->ratio.low), nettable_number(c[8], line->ratio.high),
		nettable_number(c[9], line->target), nettable_verdict(line),
		nettable_number(c[10], line->side[NET_SOCKETS].middle), result->nrounds,
		result->stable ? " " : "~");
}

static void markdown_head(const struct net_table *table, FILE *out)
{
	fprintf(out, "### %s over %s, P = %d, %d rounds\n\n", table->transport, table->below,
		table->nprocs, table->nrounds);
	if (table->cpu[0] >= 0)
		fprintf(out, "Processes 0 and 1 are bound to processors %d and %d.\n\n",
			table->cpu[0], table->cpu[1]);
	else
		fprintf(out, "Processes are not bound.\n\n");
	fprintf(out, "| %-43s | %-20s | %8s | %-17s | %8s | %-17s | %6s | %-13s | %6s | %-3s "
		     "| %8s | %-5s |\n",
		"superstep", "raw layer", "us", "quartiles", "raw us", "quartiles", "ratio",
		"quartiles", "target", "met", "sockets", "used");
	fprintf(out, "|---|---|---|---|---|---|---|---|---|---|---|---|\n");
}

void net_table_markdown(const struct net_table *table, FILE *out)
{
	markdown_head(table, out);
	for (int i = 0; net_rows[i].name != NULL; i++) {
		struct line line = line_of(table, i);

		if (table->result[i].has[NET_BSP])
			nettable_markdown_line(&net_rows[i], &table->result[i], &line, out);
	}
	fprintf(out, "\n");
}

/* ---- CSV --------------------------------------------------------------------------- */

static void nettable_csv_line(const struct net_table *table, int i, FILE *out)
{
	struct line l = line_of(table, i);

	fprintf(out, "%s,\"%s\",%d,%s", table->transport, table->below, table->nprocs,
		net_rows[i].name);
	for (int side = 0; side < NET_SIDES; side++)
		fprintf(out, ",%.6g,%.6g,%.6g", l.side[side].middle, l.side[side].low,
			l.side[side].high);
	fprintf(out, ",%.6g,%.6g,%.6g,%.6g,%s,%d\n", l.ratio.middle, l.ratio.low, l.ratio.high,
		l.target, nettable_verdict(&l),
		table->result[i].stable ? table->result[i].nrounds : 0);
}

void net_table_csv(const struct net_table *table, FILE *out)
{
	/* Tables of other jobs may be in the file already. */
	if (fseek(out, 0, SEEK_END) == 0 && ftell(out) == 0)
		fprintf(out, "transport,below,nprocs,row,us,q1,q3,raw_us,raw_q1,raw_q3,sockets_us,"
			     "sockets_q1,sockets_q3,ratio,ratio_q1,ratio_q3,target,met,rounds\n");
	for (int i = 0; net_rows[i].name != NULL; i++)
		if (table->result[i].has[NET_BSP])
			nettable_csv_line(table, i, out);
}
