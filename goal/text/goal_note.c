// SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause
/* goal_note.c - annotations, in comments that begin with //!: memory and local computation. */

/*
 *	line    = "//!" { clause }
 *	clause  = "buffer" INT INT"b" ["read"] ["write"]  of the process; numbers from 0, in order
 *		| "scratchpad" INT"b"
 *		| "empty"				  of the operation that comes next
 *		| "multicast"
 *		| "from" pieces | "to" pieces
 *		| "local" function ["reversed"] [datatype]
 *		| "call" INT
 *		| "nothing"				  the calc below is no operation
 *		| "tag" INT | "nic" INT			  of a calc, which has no words for them
 *	pieces  = piece { "," piece }
 *	piece   = [INT"b" "at"] ("b"INT | "scratch") ["+" INT]
 */

#include "goal/text/goal_text.h"

/* ---- Memory -------------------------------------------------------------------- */

void goal_note_clear(struct goal_note *note)
{
	note->any = note->nothing = note->empty = note->multicast = note->local = note->call =
		false;
	note->function = 0;
	note->datatype = GOAL_NONE;
	note->flags = 0;
	note->number = 0;
	note->tag = note->nic = 0;
	note->dst.n = note->src.n = 0;
	note->dst.bytes = note->src.bytes = 0;
	note->dst.whole = note->src.whole = false;
}

void goal_note_clear_process(struct goal_note *note)
{
	goal_note_clear(note);
	note->nbuffers = 0;
	note->scratch = false;
	note->scratch_bytes = 0;
}

void goal_note_free(struct goal_note *note)
{
	free(note->dst.piece);
	free(note->src.piece);
	free(note->buffer);
	*note = (struct goal_note){ 0 };
}

/* ---- Memory of the process -------------------------------------------------------- */

static bool read_buffer(struct goal_lex *lex, struct goal_note *note, struct goal_graph *g)
{
	struct goal_mark mark = goal_lex_mark(lex);
	struct goal_declared *buffer;
	uint64_t number, bytes;
	uint32_t access = 0;

	if (!goal_lex_number(lex, "the number of the buffer", GOAL_BUFFERS_MOST - 1, &number))
		return false;
	if (number != note->nbuffers)
		return goal_lex_refuse(lex, mark,
				       "expected buffer %zu: buffers are numbered from 0, in order",
				       note->nbuffers);
	if (!goal_lex_bytes(lex, "the size of the buffer", GOAL_BYTES_MOST, &bytes))
		return false;
	if (goal_lex_word(lex, "read"))
		access |= GOAL_READ;
	if (goal_lex_word(lex, "write"))
		access |= GOAL_WRITE;
	buffer = goal_room(note->buffer, note->nbuffers, &note->room, sizeof(*buffer));
	if (!buffer)
		return goal_lex_no_memory(lex);
	note->buffer = buffer;
	note->buffer[note->nbuffers++] = (struct goal_declared){ bytes, access, mark };
	goal_buffer_at_least(g, goal_buffer(g), bytes);
	return true;
}

static bool read_scratchpad(struct goal_lex *lex, struct goal_note *note, struct goal_graph *g)
{
	struct goal_mark mark = goal_lex_mark(lex);

	if (note->scratch)
		return goal_lex_refuse(lex, mark, "a second scratchpad: a process has one");
	if (!goal_lex_bytes(lex, "the size of the scratchpad", GOAL_SCRATCH_MOST,
			    &note->scratch_bytes))
		return false;
	note->scratch = true;
	goal_scratch(g, note->scratch_bytes);
	return true;
}

bool goal_note_within(struct goal_lex *lex, const struct goal_note *note, struct goal_mark mark,
		      const struct goal_piece *piece)
{
	bool scratch = piece->at.buffer == GOAL_SCRATCHPAD;
	uint64_t room = scratch ? note->scratch_bytes : note->buffer[piece->at.buffer].bytes;

	if (piece->at.offset <= room && piece->bytes <= room - piece->at.offset)
		return true;
	if (scratch)
		return goal_lex_refuse(lex, mark, "beyond the scratchpad, which has %llu bytes",
				       (unsigned long long)room);
	return goal_lex_refuse(lex, mark, "beyond buffer %d, which has %llu bytes",
			       piece->at.buffer, (unsigned long long)room);
}

/* ---- The operation ------------------------------------------------------------------- */

/* "b12": its number, else -1. */
static int buffer_number(struct goal_span word)
{
	int number = 0;

	if (word.len < 2 || word.len > 5 || *word.at != 'b')
		return -1;
	for (size_t i = 1; i < word.len; i++) {
		if (word.at[i] < '0' || word.at[i] > '9')
			return -1;
		number = number * 10 + word.at[i] - '0';
	}
	return number;
}

static bool read_site(struct goal_lex *lex, const struct goal_note *note, struct goal_place *place)
{
	struct goal_span word = goal_lex_peek(lex);
	struct goal_mark mark = goal_lex_mark(lex);

	place->offset = 0;
	place->buffer = goal_lex_is(word, "scratch") ? GOAL_SCRATCHPAD : buffer_number(word);
	if (place->buffer < 0)
		return goal_lex_expected(lex, "a place: b0, b1, ... or scratch");
	if (place->buffer != GOAL_SCRATCHPAD && (size_t)place->buffer >= note->nbuffers)
		return goal_lex_refuse(lex, mark, "buffer %d is not declared above", place->buffer);
	lex->at += word.len;
	return !goal_lex_char(lex, '+') ||
	       goal_lex_number(lex, "the offset", GOAL_BYTES_MOST, &place->offset);
}

static bool read_piece(struct goal_lex *lex, struct goal_note *note, struct goal_pieces *side)
{
	struct goal_span word = goal_lex_peek(lex);
	bool sized = word.len && *word.at >= '0' && *word.at <= '9';
	struct goal_mark mark = goal_lex_mark(lex);
	struct goal_piece piece = { .bytes = 0 }, *more;

	if (side->whole || (!sized && side->n))
		return goal_lex_refuse(lex, mark, "of several pieces each has a length: 8b at b0");
	if (sized && !goal_lex_bytes(lex, "the length of the piece", GOAL_BYTES_MOST, &piece.bytes))
		return false;
	if (sized && piece.bytes == 0)
		return goal_lex_refuse(lex, mark, "a piece of 0 bytes");
	if (sized && !goal_lex_word(lex, "at"))
		return goal_lex_expected(lex, "'at'");
	if (!read_site(lex, note, &piece.at) || !goal_note_within(lex, note, mark, &piece))
		return false;
	more = goal_room(side->piece, side->n, &side->room, sizeof(*more));
	if (!more)
		return goal_lex_no_memory(lex);
	side->piece = more;
	side->piece[side->n++] = piece;
	side->bytes += piece.bytes;
	side->whole = !sized;
	if (side->bytes > GOAL_BYTES_MOST)
		return goal_lex_refuse(lex, mark, "pieces of more than %llu bytes together",
				       (unsigned long long)GOAL_BYTES_MOST);
	return true;
}

static bool note_read_pieces(struct goal_lex *lex, struct goal_note *note, struct goal_pieces *side)
{
	do {
		if (!read_piece(lex, note, side))
			return false;
	} while (goal_lex_char(lex, ','));
	return true;
}

static bool read_local(struct goal_lex *lex, struct goal_note *note)
{
	struct goal_span word = goal_lex_peek(lex);

	for (note->function = GOAL_COPY; note->function < GOAL_FUNCTIONS; note->function++)
		if (goal_lex_is(word, goal_function_name(note->function)))
			break;
	if (note->function == GOAL_FUNCTIONS)
		return goal_lex_expected(lex, "a function: copy, add, ...");
	lex->at += word.len;
	note->local = true;
	if (goal_lex_word(lex, "reversed"))
		note->flags |= GOAL_REVERSED;
	if (note->function == GOAL_COPY)
		return true;
	for (note->datatype = GOAL_I8; note->datatype < GOAL_DATATYPES; note->datatype++)
		if (goal_lex_word(lex, goal_datatype_name(note->datatype)))
			return true;
	return goal_lex_expected(lex, "a datatype: i8 to i64, u8 to u64, f32 or f64");
}

static bool note_read_number(struct goal_lex *lex, const char *what, uint64_t most,
			     uint32_t *number)
{
	uint64_t value;

	if (!goal_lex_number(lex, what, most, &value))
		return false;
	*number = value;
	return true;
}

/* ---- Clauses ------------------------------------------------------------------------------ */

static bool read_of_operation(struct goal_lex *lex, struct goal_note *note)
{
	if (!note->any)
		note->mark = goal_lex_mark(lex);
	note->any = true;
	if (goal_lex_word(lex, "from"))
		return note_read_pieces(lex, note, &note->src);
	if (goal_lex_word(lex, "to"))
		return note_read_pieces(lex, note, &note->dst);
	if (goal_lex_word(lex, "nic"))
		return note_read_number(lex, "the number of the network", UINT8_MAX, &note->nic);
	if (goal_lex_word(lex, "tag"))
		return note_read_number(lex, "the tag", GOAL_ANY - 1, &note->tag);
	if (goal_lex_word(lex, "empty"))
		return note->empty = true;
	if (goal_lex_word(lex, "nothing"))
		return note->nothing = true;
	if (goal_lex_word(lex, "multicast"))
		return note->multicast = true;
	if ((note->local || note->call) &&
	    (goal_lex_is(goal_lex_peek(lex), "local") || goal_lex_is(goal_lex_peek(lex), "call")))
		return goal_lex_refuse(lex, goal_lex_mark(lex),
				       "a second function for one operation");
	if (goal_lex_word(lex, "local"))
		return read_local(lex, note);
	if (!goal_lex_word(lex, "call"))
		return goal_lex_expected(lex, "buffer, scratchpad, from, to, local, call, empty, "
					      "multicast, nothing, tag or nic");
	note->call = true;
	return note_read_number(lex, "the number of the function", UINT32_MAX - 1, &note->number);
}

bool goal_note_line(struct goal_lex *lex, struct goal_note *note, struct goal_graph *g)
{
	bool good;

	do {
		if (goal_lex_word(lex, "buffer"))
			good = read_buffer(lex, note, g);
		else if (goal_lex_word(lex, "scratchpad"))
			good = read_scratchpad(lex, note, g);
		else
			good = read_of_operation(lex, note);
	} while (good && !goal_lex_at_end_of_line(lex));
	return good;
}
