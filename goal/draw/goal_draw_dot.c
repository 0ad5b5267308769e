/* SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause */
/* goal_draw_dot.c - a schedule as a graph for Graphviz: a box for each process. */

#include "goal/sim/goal_match.h"
#include "goal/text/goal_text.h"

/* Strong enough on white, and apart from each other. */
static const char *const colours[] = {
	"#3366cc", "#cc6622", "#2a8a57", "#aa3377", "#7755bb", "#99771a", "#227788", "#bb4444",
};

enum { NCOLOURS = sizeof(colours) / sizeof(colours[0]) };

static const char *fill_of(const struct goal_op *op)
{
	switch (op->type) {
	case GOAL_SEND:
	case GOAL_MULTICAST:
		return "#dbe7fb";
	case GOAL_RECV:
		return "#d8f0e3";
	case GOAL_CALC:
		return "#eceef2";
	default:
		return "#ebe1f8";
	}
}

static void write_kind(const struct goal_op *op, FILE *out)
{
	unsigned long long bytes = op->bytes;

	switch (op->type) {
	case GOAL_SEND:
		fprintf(out, "send %llub to %u", bytes, op->peer);
		break;
	case GOAL_RECV:
		if (op->peer == GOAL_ANY)
			fprintf(out, "recv %llub from any", bytes);
		else
			fprintf(out, "recv %llub from %u", bytes, op->peer);
		break;
	case GOAL_CALC:
		fprintf(out, "calc %llu", bytes);
		break;
	case GOAL_MULTICAST:
		fprintf(out, "multicast %llub", bytes);
		break;
	case GOAL_CALL:
		fprintf(out, "call %u\\n%llub", op->tag, bytes);
		break;
	default:
		fprintf(out, "%s %s\\n%llub", goal_function_name(op->function),
			op->datatype ? goal_datatype_name(op->datatype) : "", bytes);
	}
}

static void draw_rank(const struct goal_prog *prog, FILE *out)
{
	const struct goal_op *op = goal_first_op(prog);
	uint32_t rank = prog->header->rank;

	fprintf(out, "\tsubgraph cluster_%u {\n\t\tlabel=\"rank %u\";\n", rank, rank);
	for (uint32_t i = 0; i < prog->header->nops; i++, op = goal_op_next(op)) {
		fprintf(out, "\t\tr%u_o%u [fillcolor=\"%s\", label=\"", rank, op->index,
			fill_of(op));
		write_kind(op, out);
		if (goal_is_message(op) && op->tag == GOAL_ANY)
			fputs("\\nany tag", out);
		else if (goal_is_message(op) && op->tag)
			fprintf(out, "\\ntag %u", op->tag);
		fputs("\"];\n", out);
	}
	op = goal_first_op(prog);
	for (uint32_t i = 0; i < prog->header->nops; i++, op = goal_op_next(op)) {
		for (size_t k = 0; k < goal_list_len(op); k++)
			fprintf(out, "\t\tr%u_o%u -> r%u_o%u%s;\n", rank, op->index, rank,
				goal_op_at(prog, goal_list(op)[k])->index,
				k < op->nfollowers ? " [style=dashed]" : "");
	}
	fputs("\t}\n", out);
}

/* In the sender's colour. */
static void draw_messages(const struct goal_match *m, FILE *out)
{
	fputs("\tedge [penwidth=1.6];\n", out);
	for (size_t i = 0; i < m->sends.n; i++) {
		const struct goal_match_message *send = &m->sends.message[i], *recv;

		if (send->partner == GOAL_MATCH_NONE)
			continue;
		recv = &m->recvs.message[send->partner];
		fprintf(out, "\tr%u_o%u -> r%u_o%u [color=\"%s\"];\n", send->rank, send->op->index,
			recv->rank, recv->op->index, colours[send->rank % NCOLOURS]);
	}
}

int goal_draw_dot(const struct goal_set *set, FILE *out)
{
	struct goal_match m;
	bool good = goal_match_create(&m, set);

	fputs("digraph schedule {\n"
	      "\tgraph [fontname=\"sans-serif\", style=rounded, color=\"#9aa3b2\", nodesep=0.3];\n"
	      "\tnode [fontname=\"sans-serif\", fontsize=10, shape=box, style=\"rounded,filled\","
	      " color=\"#6a7282\"];\n"
	      "\tedge [color=\"#4a5260\", arrowsize=0.7];\n", out);
	for (int rank = 0; rank < set->nprocs; rank++) {
		struct goal_prog prog = goal_set_prog(set, rank);

		draw_rank(&prog, out);
	}
	if (good)
		draw_messages(&m, out);
	fputs("}\n", out);
	goal_match_free(&m);
	return good && !ferror(out) ? 0 : -1;
}
