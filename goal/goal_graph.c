/* SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause */
/* goal_graph.c - the calls by which a schedule is built. */
#include "goal/goal_graph.h"

#include <stdarg.h>
#include <stdlib.h>

enum {
	FIRST_ROOM = 16,
	SCRATCH_ALIGN = 16,
	PARTS_MOST = 0xffff,		/* of one operation: struct goal_op has 16 bits for ndst */
};

void goal_graph_fail(struct goal_graph *g, const char *format, ...)
{
	va_list args;

	if (g->error[0])
		return;
	va_start(args, format);
	vsnprintf(g->error, sizeof g->error, format, args);
	va_end(args);
}

static bool broken(const struct goal_graph *g)
{
	return g->error[0] != '\0';
}

bool goal_graph_grow(struct goal_graph *g, void *list, size_t *room, size_t n, size_t more,
		     size_t size)
{
	size_t wanted = *room ? *room : FIRST_ROOM;
	void *old, *grown;

	if (more <= *room - n)
		return true;
	while (wanted - n < more)
		wanted *= 2;
	memcpy(&old, list, sizeof old);
	grown = realloc(old, wanted * size);
	if (!grown) {
		goal_graph_fail(g, "out of memory for %zu operations", g->nnodes);
		return false;
	}
	memcpy(list, &grown, sizeof grown);
	*room = wanted;
	return true;
}

struct goal_graph *goal_graph_create(int nprocs, int rank)
{
	struct goal_graph *g = calloc(1, sizeof *g);

	if (!g)
		return NULL;
	if (nprocs < 1 || nprocs > GOAL_PROCESSES_MOST)
		goal_graph_fail(g, "goal_graph_create: %d processes, of 1 to %d", nprocs,
				GOAL_PROCESSES_MOST);
	if (rank < 0 || rank >= nprocs)
		goal_graph_fail(g, "goal_graph_create: there is no process %d of %d", rank, nprocs);
	g->nprocs = (uint32_t)nprocs;
	g->rank = (uint32_t)rank;
	return g;
}

void goal_graph_destroy(struct goal_graph *g)
{
	if (!g)
		return;
	free(g->buffers);
	free(g->nodes);
	free(g->parts);
	free(g->edges);
	free(g);
}

const char *goal_graph_error(const struct goal_graph *g)
{
	return broken(g) ? g->error : NULL;
}

int goal_nops(const struct goal_graph *g)
{
	return (int)g->nnodes;
}

/* ---- Memory ------------------------------------------------------------------------ */

int goal_buffer(struct goal_graph *g)
{
	if (broken(g))
		return -1;
	if (g->nbuffers == GOAL_BUFFERS_MOST) {
		goal_graph_fail(g, "goal_buffer: more than %d buffers", GOAL_BUFFERS_MOST);
		return -1;
	}
	if (!goal_graph_grow(g, &g->buffers, &g->buffers_room, g->nbuffers, 1, sizeof *g->buffers))
		return -1;
	g->buffers[g->nbuffers] = (struct goal_buffer){ .align = 1 };
	return (int)g->nbuffers++;
}

void goal_buffer_at_least(struct goal_graph *g, int buffer, uint64_t bytes)
{
	if (broken(g))
		return;
	if (buffer < 0 || (size_t)buffer >= g->nbuffers) {
		goal_graph_fail(g, "goal_buffer_at_least: there is no buffer %d", buffer);
		return;
	}
	if (bytes > GOAL_BYTES_MOST) {
		goal_graph_fail(g, "goal_buffer_at_least: %llu bytes, of at most %llu",
				(unsigned long long)bytes, GOAL_BYTES_MOST);
		return;
	}
	if (g->buffers[buffer].bytes < bytes)
		g->buffers[buffer].bytes = bytes;
}

uint64_t goal_scratch(struct goal_graph *g, uint64_t bytes)
{
	uint64_t offset = (g->scratch_bytes + SCRATCH_ALIGN - 1) / SCRATCH_ALIGN * SCRATCH_ALIGN;

	if (broken(g))
		return 0;
	if (bytes > GOAL_SCRATCH_MOST || offset > GOAL_SCRATCH_MOST - bytes) {
		goal_graph_fail(g, "goal_scratch: more than %llu bytes of scratchpad",
				GOAL_SCRATCH_MOST);
		return 0;
	}
	g->scratch_bytes = offset + bytes;
	return offset;
}

/* ---- Operations -------------------------------------------------------------------- */

/* An operation while it is made; its parts are the last of the graph. */
struct making {
	struct goal_graph *g;
	const char *call;		/* for messages */
	struct goal_op op;
	size_t parts;
};

static void graph_fail(const struct making *m, const char *what)
{
	goal_graph_fail(m->g, "%s, operation %zu: %s", m->call, m->g->nnodes, what);
}

static struct making graph_make(struct goal_graph *g, const char *call, enum goal_type type)
{
	struct making m = { .g = g, .call = call, .parts = g->nparts };

	m.op.type = (uint8_t)type;
	return m;
}

/* Why the operation cannot have the piece; or NULL. */
static const char *part_error(const struct making *m, const struct goal_piece *piece)
{
	const struct goal_graph *g = m->g;
	uint32_t element = (uint32_t)goal_datatype_bytes(m->op.datatype);

	if (piece->bytes > GOAL_BYTES_MOST || piece->at.offset > GOAL_BYTES_MOST - piece->bytes)
		return "a piece reaches beyond 2^40 bytes";
	if (piece->at.offset % element || piece->bytes % element)
		return "a piece is not of whole elements";
	if (m->op.nparts == PARTS_MOST)
		return "more than 65535 pieces";
	if (piece->at.buffer == GOAL_SCRATCHPAD)
		return piece->at.offset + piece->bytes > g->scratch_bytes ?
			       "beyond the scratchpad" : NULL;
	if (piece->at.buffer < 0 || (size_t)piece->at.buffer >= g->nbuffers)
		return "there is no such buffer";
	return NULL;
}

static void buffer_extend(struct goal_buffer *b, const struct goal_piece *piece, uint32_t access,
			  uint32_t element)
{
	uint64_t end = piece->at.offset + piece->bytes;

	b->access |= access;
	if (b->bytes < end)
		b->bytes = end;
	if (b->align < element)
		b->align = element;
}

/* Their bytes. Buffers grow with them. */
static uint64_t add_parts(struct making *m, const struct goal_piece *pieces, size_t n,
			  uint32_t access)
{
	struct goal_graph *g = m->g;
	uint64_t bytes = 0;
	const char *error;

	for (; n && !broken(g); pieces++, n--) {
		if (pieces->bytes == 0)
			continue;
		error = part_error(m, pieces);
		bytes += pieces->bytes;
		if (!error && bytes > GOAL_BYTES_MOST)
			error = "more than 2^40 bytes";
		if (error) {
			graph_fail(m, error);
			break;
		}
		if (!goal_graph_grow(g, &g->parts, &g->parts_room, g->nparts, 1, sizeof *g->parts))
			break;
		g->parts[g->nparts++] = (struct goal_part){
			.offset = pieces->at.offset,
			.bytes = pieces->bytes,
			.buffer = (uint32_t)pieces->at.buffer,
		};
		m->op.nparts++;
		if (pieces->at.buffer != GOAL_SCRATCHPAD)
			buffer_extend(&g->buffers[pieces->at.buffer], pieces, access,
				      (uint32_t)goal_datatype_bytes(m->op.datatype));
	}
	return bytes;
}

/* It is the graph's now. */
static int graph_made(struct making *m)
{
	struct goal_graph *g = m->g;

	if (!broken(g) && g->nnodes == GOAL_OPS_MOST)
		graph_fail(m, "more than 2^24 operations");
	if (broken(g) ||
	    !goal_graph_grow(g, &g->nodes, &g->nodes_room, g->nnodes, 1, sizeof *g->nodes))
		return -1;
	g->nodes[g->nnodes] = (struct goal_node){ .op = m->op, .parts = m->parts };
	return (int)g->nnodes++;
}

/* If @any, the receive takes messages of any process. */
static void set_peer(struct making *m, int peer, bool any)
{
	if (broken(m->g))
		return;
	m->op.peer = (uint32_t)peer;
	if (any && m->op.peer == GOAL_ANY)
		return;
	if (peer < 0 || m->op.peer >= m->g->nprocs)
		graph_fail(m, "there is no such process");
	if (m->op.peer == m->g->rank)
		graph_fail(m, "a process sends nothing to itself: it copies");
}

static void set_send_tag(struct making *m, uint32_t tag)
{
	m->op.tag = tag;
	if (tag == GOAL_ANY)
		graph_fail(m, "a send needs a tag of its own");
}

/* A message has one piece, or none: bytes at no place mean nothing. */
static void set_bytes(struct making *m, uint64_t bytes)
{
	m->op.bytes = bytes;
	if (bytes > GOAL_BYTES_MOST)
		graph_fail(m, "more than 2^40 bytes");
}

int goal_send(struct goal_graph *g, uint64_t bytes, struct goal_place from, int to, uint32_t tag)
{
	struct making m = graph_make(g, "goal_send", GOAL_SEND);

	set_peer(&m, to, false);
	set_send_tag(&m, tag);
	set_bytes(&m, bytes);
	add_parts(&m, &(struct goal_piece){ from, bytes }, from.buffer != -1, GOAL_READ);
	return graph_made(&m);
}

int goal_recv(struct goal_graph *g, uint64_t bytes, struct goal_place to, int from, uint32_t tag)
{
	struct making m = graph_make(g, "goal_recv", GOAL_RECV);

	set_peer(&m, from, true);
	m.op.tag = tag;
	set_bytes(&m, bytes);
	add_parts(&m, &(struct goal_piece){ to, bytes }, to.buffer != -1, GOAL_WRITE);
	m.op.ndst = (uint16_t)m.op.nparts;
	return graph_made(&m);
}

int goal_send_list(struct goal_graph *g, const struct goal_piece *pieces, size_t n, int to,
		   uint32_t tag)
{
	struct making m = graph_make(g, "goal_send_list", GOAL_SEND);

	set_peer(&m, to, false);
	set_send_tag(&m, tag);
	m.op.bytes = add_parts(&m, pieces, n, GOAL_READ);
	return graph_made(&m);
}

int goal_recv_list(struct goal_graph *g, const struct goal_piece *pieces, size_t n, int from,
		   uint32_t tag)
{
	struct making m = graph_make(g, "goal_recv_list", GOAL_RECV);

	set_peer(&m, from, true);
	m.op.tag = tag;
	m.op.bytes = add_parts(&m, pieces, n, GOAL_WRITE);
	m.op.ndst = (uint16_t)m.op.nparts;
	return graph_made(&m);
}

int goal_multicast(struct goal_graph *g, uint64_t bytes, struct goal_place from, uint32_t tag)
{
	struct making m = graph_make(g, "goal_multicast", GOAL_MULTICAST);

	m.op.peer = GOAL_ANY;
	set_send_tag(&m, tag);
	set_bytes(&m, bytes);
	add_parts(&m, &(struct goal_piece){ from, bytes }, from.buffer != -1, GOAL_READ);
	return graph_made(&m);
}

int goal_multicast_list(struct goal_graph *g, const struct goal_piece *pieces, size_t n,
			uint32_t tag)
{
	struct making m = graph_make(g, "goal_multicast_list", GOAL_MULTICAST);

	m.op.peer = GOAL_ANY;
	set_send_tag(&m, tag);
	m.op.bytes = add_parts(&m, pieces, n, GOAL_READ);
	return graph_made(&m);
}

static int local(struct making *m, unsigned int flags, enum goal_function function,
		 enum goal_datatype datatype, const struct goal_piece *dst, size_t ndst,
		 const struct goal_piece *src, size_t nsrc)
{
	uint64_t read;

	if (!goal_function_takes(function, datatype))
		graph_fail(m, "there is no such function of such elements");
	else if (flags & ~goal_function_flags(function))
		graph_fail(m, "only sub and div can be reversed");
	if (broken(m->g))
		return -1;
	m->op.function = (uint8_t)function;
	m->op.datatype = (uint8_t)datatype;
	m->op.flags = (uint8_t)flags;
	m->op.bytes = add_parts(m, dst, ndst, goal_function_access(function));
	m->op.ndst = (uint16_t)m->op.nparts;
	read = add_parts(m, src, nsrc, GOAL_READ);
	if (function == GOAL_TIMESTAMP && (m->op.bytes != sizeof(uint64_t) || read))
		graph_fail(m, "a timestamp is 8 bytes, from nowhere");
	if (function != GOAL_TIMESTAMP && m->op.bytes != read)
		graph_fail(m, "both sides are not of the same length");
	return graph_made(m);
}

int goal_local(struct goal_graph *g, enum goal_function function, enum goal_datatype datatype,
	       uint64_t bytes, struct goal_place dst, struct goal_place src)
{
	struct making m = graph_make(g, "goal_local", GOAL_LOCAL);
	struct goal_piece to = { dst, bytes }, from = { src, bytes };
	size_t nsrc = function != GOAL_TIMESTAMP || src.buffer != -1;

	return local(&m, 0, function, datatype, &to, 1, &from, nsrc);
}

int goal_local_list(struct goal_graph *g, enum goal_function function, enum goal_datatype datatype,
		    unsigned int flags, const struct goal_piece *dst, size_t ndst,
		    const struct goal_piece *src, size_t nsrc)
{
	struct making m = graph_make(g, "goal_local_list", GOAL_LOCAL);

	return local(&m, flags, function, datatype, dst, ndst, src, nsrc);
}

int goal_calc(struct goal_graph *g, uint64_t cost)
{
	struct making m = graph_make(g, "goal_calc", GOAL_CALC);

	m.op.bytes = cost;
	return graph_made(&m);
}

int goal_call(struct goal_graph *g, uint32_t number, const struct goal_piece *pieces, size_t n,
	      size_t ndst)
{
	struct making m = graph_make(g, "goal_call", GOAL_CALL);

	m.op.tag = number;
	if (ndst > n)
		graph_fail(&m, "more pieces are written than there are");
	if (number == GOAL_ANY)
		graph_fail(&m, "there is no function of that number");
	if (broken(g))
		return -1;
	m.op.bytes = add_parts(&m, pieces, ndst, GOAL_WRITE);
	m.op.ndst = (uint16_t)m.op.nparts;
	m.op.bytes += add_parts(&m, pieces + ndst, n - ndst, GOAL_READ);
	if (m.op.bytes > GOAL_BYTES_MOST)
		graph_fail(&m, "more than 2^40 bytes");
	if (g->ncalls <= number)
		g->ncalls = number + 1;
	return graph_made(&m);
}

/* ---- Dependencies ------------------------------------------------------------------ */

void goal_graph_link(struct goal_graph *g, uint32_t op, uint32_t before, bool end)
{
	if (!goal_graph_grow(g, &g->edges, &g->edges_room, g->nedges, 1, sizeof *g->edges))
		return;
	g->edges[g->nedges++] = (struct goal_edge){ .before = before, .op = op, .end = end };
}

static bool there_is(struct goal_graph *g, const char *call, int op)
{
	if (op >= 0 && (size_t)op < g->nnodes)
		return true;
	goal_graph_fail(g, "%s: there is no operation %d", call, op);
	return false;
}

static bool may_wait(struct goal_graph *g, const char *call, int op, int before)
{
	if (broken(g) || !there_is(g, call, op) || !there_is(g, call, before))
		return false;
	if (op == before)
		goal_graph_fail(g, "%s: operation %d would wait for itself", call, op);
	return op != before;
}

void goal_requires(struct goal_graph *g, int op, int before)
{
	if (may_wait(g, "goal_requires", op, before))
		goal_graph_link(g, (uint32_t)op, (uint32_t)before, true);
}

void goal_irequires(struct goal_graph *g, int op, int before)
{
	if (may_wait(g, "goal_irequires", op, before))
		goal_graph_link(g, (uint32_t)op, (uint32_t)before, false);
}

void goal_place_on(struct goal_graph *g, int op, unsigned int cpu, unsigned int nic)
{
	uint8_t type;

	if (broken(g) || !there_is(g, "goal_place_on", op))
		return;
	type = g->nodes[op].op.type;
	if (type == GOAL_LOCAL || type == GOAL_CALL)
		goal_graph_fail(g, "goal_place_on, operation %d: only of sends, receives and calc",
				op);
	if (cpu > UINT8_MAX || nic > UINT8_MAX)
		goal_graph_fail(g, "goal_place_on, operation %d: more than 255", op);
	g->nodes[op].op.cpu = (uint8_t)cpu;
	g->nodes[op].op.nic = (uint8_t)nic;
}
