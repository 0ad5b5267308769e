// SPDX-License-Identifier: BSD-3-Clause
/* emulated.c - what an emulated network is like: the text of BSP_EMULATE, and known networks. */

#include "emulated.h"

#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum { DIGITS = 15 };		/* a double distinguishes no more */

/* ---- Networks with a name: transport/emu/README says where the figures come from --- */

static const struct {
	const char *name;
	const char *text;
} networks[] = {
	{ "sp2", "L=24us,o=10us,g=10us,G=29.2ns,cpu=80" },
	{ "gigabit", "L=30us,o=8us,g=8us,G=9ns,cpu=9" },
	{ "rdma100", "L=1us,o=0.2us,g=0.1us,G=0.08ns,cpu=1" },
};

enum { NETWORKS = sizeof(networks) / sizeof(networks[0]) };

/* ---- Values ----------------------------------------------------------------- */

enum kind {
	TIME,
	FACTOR,
	WHOLE,
};

static const struct key {
	const char *name;
	enum kind kind;
	size_t at;		/* in struct emulated */
	double most;		/* so that no sum overflows in half a year of virtual time */
	const char *most_text;
} keys[] = {
	{ "L", TIME, offsetof(struct emulated, L), 1e15, "1000s" },
	{ "o", TIME, offsetof(struct emulated, o), 1e15, "1000s" },
	{ "g", TIME, offsetof(struct emulated, g), 1e15, "1000s" },
	{ "G", TIME, offsetof(struct emulated, G), 1e9, "1ms" },
	{ "switch", TIME, offsetof(struct emulated, fabric), 1e9, "1ms" },
	{ "bisection", TIME, offsetof(struct emulated, bisection), 1e9, "1ms" },
	{ "jitter", TIME, offsetof(struct emulated, jitter), 1e15, "1000s" },
	{ "cpu", FACTOR, offsetof(struct emulated, cpu), 1e4, "10000" },
	{ "seed", WHOLE, offsetof(struct emulated, seed), 1e15, "1e15" },
	{ "reorder", WHOLE, offsetof(struct emulated, reorder), 1, "1" },
	{ "order", WHOLE, offsetof(struct emulated, order), 1, "1" },
};

enum { KEYS = sizeof(keys) / sizeof(keys[0]) };

static const struct unit {
	const char *name;
	double ps;
} units[] = {
	{ "ns", 1e3 }, { "us", 1e6 }, { "ms", 1e9 }, { "s", 1e12 },
};

enum { UNITS = sizeof(units) / sizeof(units[0]) };

/* A part of the text between two commas, and where to complain about it. */
struct piece {
	const char *text;
	size_t len;
	char *why;
	size_t why_len;
};

/* Say what is wrong with the piece. */
__attribute__((format(printf, 2, 3)))
static int emu_refuse(const struct piece *p, const char *format, ...)
{
	char words[160];
	va_list args;

	va_start(args, format);
	vsnprintf(words, sizeof(words), format, args);
	va_end(args);
	snprintf(p->why, p->why_len, "'%.*s%s' %s", p->len > 40 ? 40 : (int)p->len, p->text,
		 p->len > 40 ? "..." : "", words);
	return -EINVAL;
}

/* Digits, with a point among them unless @whole. Returns where they end, @at if it is no number. */
static const char *emu_read_number(const char *at, bool whole, double *value)
{
	const char *start = at;
	double digits = 0, scale = 1;
	int n = 0;
	bool point = false;

	for (; (*at >= '0' && *at <= '9') || (*at == '.' && !point && !whole); at++) {
		if (*at == '.') {
			point = true;
			continue;
		}
		digits = 10 * digits + (*at - '0');
		if (point)
			scale *= 10;
		n++;
	}
	*value = digits / scale;
	return n > 0 && n <= DIGITS ? at : start;
}

/* A time, whose unit begins at @at; nothing needs no unit. */
static int read_unit(const struct piece *p, const char *at, double *value)
{
	size_t len = (size_t)(p->text + p->len - at);
	const struct unit *unit = NULL;
	bool nothing = *value == 0;

	for (int i = 0; i < UNITS && !unit; i++)
		if (strlen(units[i].name) == len && memcmp(units[i].name, at, len) == 0)
			unit = &units[i];
	if (!unit && len == 0 && nothing)
		return 0;
	if (!unit)
		return emu_refuse(p, "needs a unit right after the number: ns, us, ms or s");
	*value *= unit->ps;
	if (*value < 0.5 && !nothing)
		return emu_refuse(p, "is less than a picosecond");
	return 0;
}

/* The value that the piece gives @key, in the unit of @net. */
static int emu_read_value(const struct piece *p, const struct key *key, double *value)
{
	const char *start = p->text + strlen(key->name) + 1;
	const char *end = emu_read_number(start, key->kind == WHOLE, value);

	if (end == start)
		return emu_refuse(p, "needs a %s of at most %d digits after the =",
				  key->kind == WHOLE ? "whole number" : "number", DIGITS);
	if (key->kind == TIME && read_unit(p, end, value) < 0)
		return -EINVAL;
	if (key->kind != TIME && end != p->text + p->len)
		return emu_refuse(p, "has something behind its number");
	if (*value > key->most)
		return emu_refuse(p, "is more than %s", key->most_text);
	return 0;
}

/* ---- Pieces ------------------------------------------------------------------ */

static bool is_text(const struct piece *p, size_t len, const char *text)
{
	return strlen(text) == len && memcmp(p->text, text, len) == 0;
}

/* key=value; @seen: a bit for each key that came before. */
static int read_pair(const struct piece *p, size_t name_len, struct emulated *net,
		     unsigned int *seen)
{
	double value;
	int i = 0;
	uint64_t whole;

	while (i < KEYS && !is_text(p, name_len, keys[i].name))
		i++;
	if (i == KEYS)
		return emu_refuse(p, "is not known; use L, o, g, G, cpu, switch, bisection, "
				     "jitter, seed, reorder, order");
	if (*seen & 1u << i)
		return emu_refuse(p, "gives %s a second time", keys[i].name);
	*seen |= 1u << i;
	if (emu_read_value(p, &keys[i], &value) < 0)
		return -EINVAL;
	whole = (uint64_t)(value + 0.5);
	if (keys[i].kind == FACTOR)
		memcpy((char *)net + keys[i].at, &value, sizeof(value));
	else
		memcpy((char *)net + keys[i].at, &whole, sizeof(whole));
	return 0;
}

void emulated_describe(const char *text, char *said, size_t len)
{
	size_t name = strcspn(text, ",");

	for (int i = 0; i < NETWORKS; i++)
		if (strlen(networks[i].name) == name && memcmp(networks[i].name, text, name) == 0) {
			snprintf(said, len, "%s (%s%s%s)", text,
				 text[name] ? networks[i].name : "", text[name] ? ": " : "",
				 networks[i].text);
			return;
		}
	snprintf(said, len, "%s", text);
}

static int read_pieces(const char *text, bool first, struct emulated *net, char *why, size_t len);

/* The name of a network, which stands for a text. */
static int read_name(const struct piece *p, bool first, struct emulated *net)
{
	int i = 0;

	while (i < NETWORKS && !is_text(p, p->len, networks[i].name))
		i++;
	if (i == NETWORKS)
		return emu_refuse(p,
				  "is no network known (sp2, gigabit, rdma100) and no key=value");
	if (!first)
		return emu_refuse(p, "has to come first");
	return read_pieces(networks[i].text, false, net, p->why, p->why_len);
}

static int read_pieces(const char *text, bool first, struct emulated *net, char *why, size_t len)
{
	unsigned int seen = 0;

	for (;;) {
		struct piece p = { text, strcspn(text, ","), why, len };
		const char *equals = memchr(text, '=', p.len);
		int err = equals ? read_pair(&p, (size_t)(equals - text), net, &seen) :
				   read_name(&p, first, net);

		if (err || !text[p.len])
			return err;
		text += p.len + 1;
		first = false;
	}
}

int emulated_parse(const char *text, struct emulated *net, char *why, size_t len)
{
	struct emulated read = { .cpu = 1 };
	int err;

	if (!text[0]) {
		snprintf(why, len, "it emulates a network; give one with BSP_EMULATE");
		return -EINVAL;
	}
	err = read_pieces(text, true, &read, why, len);
	if (err == 0 && read.order && read.reorder) {
		snprintf(why, len, "order=1 and reorder=1 exclude each other");
		err = -EINVAL;
	}
	if (err == 0)
		*net = read;
	return err;
}
