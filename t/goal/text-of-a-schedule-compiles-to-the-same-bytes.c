/* SPDX-License-Identifier: BSD-3-Clause */
/* Any schedule, written as text and compiled again, is the same; and LogGOPSim can read the
 * text. */
#include "../lib/schedules.h"

#include <regex.h>

enum { GRAPHS = 2000, SCRATCH = 256 };

/* ---- Schedules by chance -------------------------------------------------------------- */

static uint64_t seed = 20261121;

static uint32_t chance(uint32_t n)
{
	return random_below(&seed, n);
}

static struct goal_place somewhere(uint32_t nbuffers)
{
	uint64_t offset = 8 * chance(16);

	if (nbuffers == 0 || chance(3) == 0)
		return GOAL_AT(GOAL_SCRATCHPAD, offset);
	return GOAL_AT((int)chance(nbuffers), offset);
}

/* Makes pieces of 8-byte elements that never leave the scratchpad; returns their bytes. */
static uint64_t pieces(struct goal_piece *piece, size_t n, uint32_t nbuffers)
{
	uint64_t bytes = 0;

	for (size_t i = 0; i < n; i++) {
		piece[i] = (struct goal_piece){ somewhere(nbuffers), 8 + 8 * chance(8) };
		bytes += piece[i].bytes;
	}
	return bytes;
}

static void add_local(struct goal_graph *g, uint32_t nbuffers)
{
	enum goal_function function = GOAL_COPY + chance(GOAL_FUNCTIONS - 1);
	enum goal_datatype type = GOAL_I8 + chance(8);
	struct goal_piece dst[3], src = { somewhere(nbuffers), 0 };

	if (function == GOAL_TIMESTAMP) {
		goal_local(g, function, GOAL_U64, 8, somewhere(nbuffers), GOAL_NOWHERE);
		return;
	}
	src.at.offset = 0;
	src.bytes = pieces(dst, 1 + chance(3), nbuffers);
	if (src.bytes > SCRATCH)
		return;
	for (size_t n = 1; n <= 3; n++) {
		uint64_t bytes = 0;

		for (size_t i = 0; i < n; i++)
			bytes += dst[i].bytes;
		if (bytes != src.bytes)
			continue;
		goal_local_list(g, function, function == GOAL_COPY ? GOAL_NONE : type,
				function == GOAL_SUB || function == GOAL_DIV ? chance(2) : 0, dst,
				n, &src, 1);
		return;
	}
}

static void add_message(struct goal_graph *g, uint32_t nprocs, uint32_t rank, uint32_t nbuffers)
{
	struct goal_piece piece[9];
	size_t n = chance(10);
	uint32_t peer = (rank + 1 + chance(nprocs - 1)) % nprocs,
		 tag = chance(4) ? chance(5) : 0xfffffffe;
	bool any = chance(4) == 0;
	int op;

	pieces(piece, n, nbuffers);
	switch (chance(5)) {
	case 0:
		op = goal_send(g, chance(100), GOAL_NOWHERE, (int)peer, tag);
		break;
	case 1:
		op = goal_recv(g, chance(100), GOAL_NOWHERE, any ? -1 : (int)peer,
			       any ? GOAL_ANY : tag);
		break;
	case 2:
		op = goal_multicast_list(g, piece, n, tag);
		break;
	case 3:
		op = goal_send_list(g, piece, n, (int)peer, tag);
		break;
	default:
		op = goal_recv_list(g, piece, n, (int)peer, tag);
	}
	goal_place_on(g, op, chance(3), chance(3));
}

static void add_op(struct goal_graph *g, uint32_t nprocs, uint32_t rank, uint32_t nbuffers)
{
	struct goal_piece piece[4];
	size_t n = chance(5);

	switch (chance(6)) {
	case 0:
		goal_place_on(g, goal_calc(g, chance(3) ? chance(1000) : UINT64_MAX), chance(2),
			      chance(2));
		break;
	case 1:
		pieces(piece, n, nbuffers);
		goal_call(g, chance(5), piece, n, chance((uint32_t)n + 1));
		break;
	case 2:
		add_local(g, nbuffers);
		break;
	default:
		if (nprocs > 1)
			add_message(g, nprocs, rank, nbuffers);
		else
			goal_place_on(g, goal_multicast(g, chance(9), GOAL_NOWHERE, chance(4)),
				      chance(2), chance(2));
	}
}

static void *random_block(uint32_t nprocs, uint32_t rank, size_t *len)
{
	struct goal_graph *g = goal_graph_create((int)nprocs, (int)rank);
	uint32_t nbuffers = chance(4), nops = chance(30), edges = chance(3 * nops + 1);
	void *block;

	for (uint32_t i = 0; i < nbuffers; i++)
		goal_buffer_at_least(g, goal_buffer(g), chance(300));
	goal_scratch(g, SCRATCH + chance(9));
	for (uint32_t i = 0; i < nops; i++)
		add_op(g, nprocs, rank, nbuffers);
	for (uint32_t i = 0; i < edges && goal_nops(g) > 1; i++) {
		/* Backwards in half of all schedules; none has a cycle. */
		uint32_t a = chance((uint32_t)goal_nops(g)), b = chance((uint32_t)goal_nops(g));
		int first = (int)(a < b ? a : b), second = (int)(a < b ? b : a);

		if (a == b)
			continue;
		if (nprocs % 2)
			goal_requires(g, first, second);
		else if (chance(2))
			goal_irequires(g, second, first);
		else
			goal_requires(g, second, first);
	}
	block = compiled(g, len);
	goal_graph_destroy(g);
	return block;
}

static struct goal_set random_set(void)
{
	struct goal_set set = { .nprocs = 1 + (int)chance(5) };

	set.block = some((size_t)set.nprocs * sizeof *set.block);
	set.len = some((size_t)set.nprocs * sizeof *set.len);
	for (int i = 0; i < set.nprocs; i++)
		set.block[i] = random_block((uint32_t)set.nprocs, (uint32_t)i, &set.len[i]);
	return set;
}

/* ---- What is written --------------------------------------------------------------------- */

static char *dumped(const struct goal_set *set, size_t *len)
{
	char *text;
	FILE *out = open_memstream(&text, len);

	if (!out || goal_dump(set, out) || fclose(out))
		bail("cannot write the text");
	return text;
}

static bool same(const struct goal_set *a, const struct goal_set *b)
{
	for (int i = 0; i < a->nprocs && a->nprocs == b->nprocs; i++)
		if (a->len[i] != b->len[i] || memcmp(a->block[i], b->block[i], a->len[i]) != 0)
			return false;
	return a->nprocs == b->nprocs;
}

#define LABEL "[a-zA-Z][a-zA-Z0-9_]*"
#define TAIL "( cpu [0-9]+)?( nic [0-9]+)?"

/* A line as LogGOPSim's reader takes it from an exporter that keeps all its rules. */
static const char line_rule[] =
	"^(|//.*|num_ranks [0-9]+|rank [0-9]+ [{]|[}]"
	"|(" LABEL ": )?(send [1-9][0-9]*b to [0-9]+( tag [0-9]+)?" TAIL
	"|recv [1-9][0-9]*b from ([0-9]+|-1)( tag ([0-9]+|-1))?" TAIL
	"|calc [0-9]+( cpu [0-9]+)?)"
	"|" LABEL " i?requires " LABEL ")$";

/* The first line that breaks a rule, or NULL. */
static const char *broken_line(char *text)
{
	static regex_t rule;
	static bool ready;
	bool idle = false;

	if (!ready && regcomp(&rule, line_rule, REG_EXTENDED | REG_NOSUB))
		bail("the rule does not compile");
	ready = true;
	for (char *end; *text; text = end + 1) {
		end = strchr(text, '\n');
		if (!end)
			return "the last line does not end";
		*end = '\0';
		if (regexec(&rule, text, 0, NULL, 0))
			return text;
		if (*text == '}' && idle)
			return "a rank without an operation";
		idle = strchr(text, '{') || (idle && (*text == '\0' || *text == '/'));
	}
	return NULL;
}

int main(void)
{
	unsigned int wrong = 0, different = 0, refused = 0;

	for (unsigned int i = 0; i < GRAPHS; i++) {
		struct goal_set set = random_set(), again;
		struct goal_where where;
		size_t len;
		char *text = dumped(&set, &len);
		const char *line;

		if (goal_parse(&again, text, len, &where)) {
			diag("%u: %d:%d: %s", i, where.line, where.column, where.what);
			refused++;
		} else {
			different += !same(&set, &again);
			goal_set_free(&again);
		}
		line = broken_line(text);
		if (line && wrong++ == 0)
			diag("%u: %s", i, line);
		free(text);
		goal_set_free(&set);
	}
	is_int(0, refused, "the text of %d schedules is read", GRAPHS);
	is_int(0, different, "and compiles to the same bytes");
	is_int(0, wrong, "every line of it keeps the rules of LogGOPSim");
	return done_testing();
}
