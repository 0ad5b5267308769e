/* SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause */
/* goal_text.h - what the reader and the writer of text share: characters, labels, annotations. */

/*
 * goal_parse.c reads statements, with goal_lex.c below it, which knows characters and places, and
 * goal_label.c, which knows labels. goal_note.c reads what the language has no words for.
 * goal_cycle.c finds the statement that closes a cycle. Each function that can refuse the text
 * returns false when it does; the first error is then in struct goal_where, and nothing more
 * is read.
 */
#ifndef GOAL_TEXT_H
#define GOAL_TEXT_H

#include "goal.h"

#include <stdlib.h>

/* Room for one more of @n things of @size bytes in @array; NULL: no memory, and the array stays. */
static inline void *goal_room(void *array, size_t n, size_t *room, size_t size)
{
	size_t more = *room ? *room * 2 : 8;
	void *larger;

	if (n < *room)
		return array;
	larger = realloc(array, more * size);
	if (larger)
		*room = more;
	return larger;
}

/* ---- Names: goal_words.c --------------------------------------------------------- */

/* "add", "u64", ...; NULL: no such function, no such type. */
const char *goal_function_name(unsigned int function);
const char *goal_datatype_name(unsigned int datatype);
/* "b0+16" or "scratch". */
void goal_write_place(const struct goal_part *part, FILE *out);
/* " local add u64", " call 3" or " multicast"; nothing for others. */
void goal_write_function(const struct goal_op *op, FILE *out);

/* ---- Characters: goal_lex.c -------------------------------------------------------- */

struct goal_mark {
	int line, column;		/* from 1 */
};

struct goal_span {
	const char *at;
	size_t len;
};

struct goal_lex {
	const char *at, *end;		/* what is still to be read */
	const char *line_at;		/* where its line begins */
	int line;
	struct goal_where *where;
	bool refused;
};

void goal_lex_begin(struct goal_lex *lex, const char *text, size_t len, struct goal_where *where);
/* The mark of the word that comes next, behind blanks. */
struct goal_mark goal_lex_mark(struct goal_lex *lex);

/* The text is wrong, at @mark; returns false. Only the first time counts. */
__attribute__((format(printf, 3, 4)))
bool goal_lex_refuse(struct goal_lex *lex, struct goal_mark mark, const char *format, ...);
/* The same here: "expected @what, found ..." */
bool goal_lex_expected(struct goal_lex *lex, const char *what);
bool goal_lex_no_memory(struct goal_lex *lex);

/* Is it an annotation? Then its "//!" is taken. */
bool goal_lex_annotation(struct goal_lex *lex);
/* Go to the next statement, annotation or '}'. False: the text ends, or is refused. */
bool goal_lex_statement(struct goal_lex *lex);
/* Nothing but blanks follows on this line. */
bool goal_lex_end_of_line(struct goal_lex *lex, const char *after);
bool goal_lex_at_end_of_line(struct goal_lex *lex);

/*
 * Each passes over blanks first. Is the next character @c, the next word @word? Then it is taken.
 */
bool goal_lex_char(struct goal_lex *lex, char c);
bool goal_lex_word(struct goal_lex *lex, const char *word);
/* The next word, which is not taken; of length 0 if it is none. */
struct goal_span goal_lex_peek(struct goal_lex *lex);
bool goal_lex_is(struct goal_span span, const char *word);
/* A label. */
bool goal_lex_label(struct goal_lex *lex, struct goal_span *label);

/* A number of at most @most, after which no word goes on; what it is for is @what, for messages. */
bool goal_lex_number(struct goal_lex *lex, const char *what, uint64_t most, uint64_t *value);
/* The same, with 'b' behind it. */
bool goal_lex_bytes(struct goal_lex *lex, const char *what, uint64_t most, uint64_t *value);

/* ---- Labels of one process: goal_label.c --------------------------------------------- */

struct goal_labels {
	struct goal_label *slot;
	size_t nslots, n;
	uint64_t seed;
};

void goal_labels_free(struct goal_labels *labels);
/* Its operation, or -1. */
int goal_labels_find(const struct goal_labels *labels, struct goal_span name);
/* It is not there yet. False: no memory. */
bool goal_labels_add(struct goal_labels *labels, struct goal_span name, int op);

/* ---- Annotations: goal_note.c --------------------------------------------------------- */

/* Either side of an operation; @whole: one piece of which no length was said. */
struct goal_pieces {
	struct goal_piece *piece;
	size_t n, room;
	uint64_t bytes;
	bool whole;
};

struct goal_declared {
	uint64_t bytes;
	uint32_t access;		/* that was said, or 0 */
	struct goal_mark mark;
};

/*
 * Annotations above an operation, about it, and those of the process about its memory.
 */
struct goal_note {
	bool any, nothing, empty, multicast, local, call;
	struct goal_mark mark;		/* of the first */
	enum goal_function function;
	enum goal_datatype datatype;
	unsigned int flags;
	uint32_t number;		/* of a call */
	uint32_t tag, nic;		/* that a calc has no words for */
	struct goal_pieces dst, src;
	/* of the process: */
	struct goal_declared *buffer;
	size_t nbuffers, room;
	uint64_t scratch_bytes;
	bool scratch;
};

/* The rest of a line behind "//!". Buffers and scratchpad are made in @g. */
bool goal_note_line(struct goal_lex *lex, struct goal_note *note, struct goal_graph *g);
/* A piece lies within the declared memory. */
bool goal_note_within(struct goal_lex *lex, const struct goal_note *note, struct goal_mark mark,
		      const struct goal_piece *piece);
/* The operation has been read; the process has. */
void goal_note_clear(struct goal_note *note);
void goal_note_clear_process(struct goal_note *note);
void goal_note_free(struct goal_note *note);

/* ---- Cycles: goal_cycle.c -------------------------------------------------------------- */

struct goal_wait {
	int op, before;
	struct goal_mark mark;
};

/*
 * The last written dependency of a cycle of @nops operations; NULL if there is none, or no memory.
 */
const struct goal_wait *goal_cycle(const struct goal_wait *wait, size_t nwaits, int nops);

/* ---- Blocks of a set, which have been checked -------------------------------------------- */

static inline struct goal_prog goal_set_prog(const struct goal_set *set, int rank)
{
	return (struct goal_prog){ .header = set->block[rank] };
}

static inline bool goal_is_message(const struct goal_op *op)
{
	return op->type == GOAL_SEND || op->type == GOAL_RECV || op->type == GOAL_MULTICAST;
}

#endif
