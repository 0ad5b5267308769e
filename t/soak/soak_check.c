/* SPDX-License-Identifier: BSD-3-Clause */
/* soak_check.c - memory and queue of this process must be those of the model. */

#include "soak.h"

#include <stdio.h>

/* ---- Memory -------------------------------------------------------------- */

struct range {
	size_t start, end;
};

/* Bytes that may be anything now: others put there, and nothing has waited for that. */
static struct range hidden[OPS + SLOTS];
static int nhidden;

static void hide(size_t start, size_t nbytes)
{
	int i = nhidden++;

	for (; i > 0 && hidden[i - 1].start > start; i--)
		hidden[i] = hidden[i - 1];
	hidden[i] = (struct range) { start, start + nbytes };
}

static void hide_all(void)
{
	nhidden = 0;
	for (int s = 0; s < soak.neffective; s++) {
		const struct slot *slot = &soak.slots[s];

		if (slot->unread[soak.me])
			hide(soak_areas[slot->area[soak.me]].start, slot->size[soak.me]);
	}
	for (int i = 0; i < soak.nops; i++) {
		const struct op *op = &soak.ops[i];

		if (op->kind == PUT && op->hp && op->pid == soak.me)
			hide(soak_remote(op), op->nbytes);
		if (op->kind == GET && op->hp && op->owner == soak.me)
			hide(op->local, op->nbytes);
	}
}

/* The registered areas that contain this byte, for the report. */
static const char *areas_at(size_t byte)
{
	static char text[200];
	size_t n = 0;

	text[0] = '\0';
	for (int s = 0; s < soak.neffective && n < sizeof text; s++) {
		const struct slot *slot = &soak.slots[s];
		size_t start;

		if (slot->area[soak.me] == NONE)
			continue;
		start = soak_areas[slot->area[soak.me]].start;
		if (byte >= start && byte < start + slot->size[soak.me])
			n += (size_t)snprintf(text + n, sizeof text - n,
					      ", byte %zu of the area of %zu", byte - start,
					      slot->size[soak.me]);
	}
	return text;
}

static void check_range(size_t start, size_t end)
{
	const unsigned char *is = soak_arena(), *should = soak_memory(soak.me);
	size_t i = start;

	if (end <= start || !memcmp(is + start, should + start, end - start))
		return;
	while (is[i] == should[i])
		i++;
	soak_fail("byte %zu of memory is %d, expected %d%s", i, is[i], should[i], areas_at(i));
}

static size_t lesser(size_t a, size_t b)
{
	return a < b ? a : b;
}

/* Where unbuffered puts and gets of this superstep write is left alone. */
static void check_but_hidden(size_t start, size_t end)
{
	size_t at = start;

	hide_all();
	for (int i = 0; i < nhidden; i++) {
		check_range(at, lesser(hidden[i].start, end));
		at = at > hidden[i].end ? at : hidden[i].end;
	}
	check_range(at, end);
}

void soak_check_memory(void)
{
	check_but_hidden(0, ARENA);
}

void soak_check_area(const struct slot *slot)
{
	size_t start = soak_areas[slot->area[soak.me]].start;

	check_but_hidden(start, start + slot->size[soak.me]);
}

/* ---- Messages ------------------------------------------------------------ */

void soak_check_counts(void)
{
	const struct messages *queue = soak_queue();
	bsp_nprocs_t messages = 0;
	bsp_size_t nbytes = 0;
	long wanted = 0, wanted_bytes = 0;

	for (int i = 0; i < queue->n; i++) {
		wanted += !queue->at[i].moved;
		wanted_bytes += queue->at[i].moved ? 0 : (long)queue->at[i].nbytes;
	}
	bsp_qsize(&messages, &nbytes);
	if ((long)messages != wanted || (long)nbytes != wanted_bytes)
		soak_fail("the queue has %ld messages of %ld bytes, expected %ld of %ld",
			  (long)messages, (long)nbytes, wanted, wanted_bytes);
}

/*
 * The message that was moved, of whose data only @nbytes are there: that with the longest tag that
 * fits, as bytes behind a shorter tag belong to no message.
 */
static struct message *cross_off(const void *tag, size_t length, const void *data, size_t nbytes)
{
	struct messages *queue = soak_queue();
	struct message *best = NULL;

	for (int i = 0; i < queue->n; i++) {
		struct message *m = &queue->at[i];

		if (!m->moved && m->nbytes == length && !memcmp(m->tag, tag, m->tag_nbytes) &&
		    !memcmp(m->data, data, nbytes) && (!best || m->tag_nbytes > best->tag_nbytes))
			best = m;
	}
	if (!best)
		soak_fail("no process sent this message of %zu bytes (%zu were moved)", length,
			  nbytes);
	best->moved = true;
	return best;
}

/* Else it cannot be known how long a tag is that bsp_hpmove() shows. */
static bool tags_are_of_one_size(void)
{
	const struct messages *queue = soak_queue();

	for (int i = 1; i < queue->n; i++)
		if (queue->at[i].tag_nbytes != queue->at[0].tag_nbytes)
			return false;
	return true;
}

static void move_shown(void)
{
	void *tag, *data;
	bsp_size_t length = bsp_hpmove(&tag, &data);

	if (length != bsp_size_unavailable)
		cross_off(tag, (size_t)length, data, (size_t)length)->shown = data;
}

static size_t longest_tag(void)
{
	const struct messages *queue = soak_queue();
	size_t longest = 0;

	for (int i = 0; i < queue->n; i++)
		if (queue->at[i].tag_nbytes > longest)
			longest = queue->at[i].tag_nbytes;
	return longest;
}

/* Do the tags distinguish all messages? */
static bool tags_identify(void)
{
	const struct messages *queue = soak_queue();

	for (int i = 0; i < queue->n; i++)
		if (queue->at[i].tag_nbytes < sizeof(uint32_t))
			return false;
	return true;
}

/* Only a message that its tag identifies is truncated. */
static void move_copied(void)
{
	static unsigned char data[ARENA];
	unsigned char tag[MOST_TAG + 1];
	bsp_size_t length, room;

	memset(tag, '#', sizeof tag);
	bsp_get_tag(&length, tag);
	if (tag[longest_tag()] != '#')
		soak_fail("bsp_get_tag has written more than %zu bytes of a tag", longest_tag());
	if (length == bsp_size_unavailable)
		return;
	if ((size_t)length > sizeof data)
		soak_fail("a message has %ld bytes", (long)length);
	room = !tags_identify() || pick_own(3) ? length : (bsp_size_t)pick_own((size_t)length + 1);
	bsp_move(data, room);
	cross_off(tag, (size_t)length, data, (size_t)room);
}

void soak_move(size_t n)
{
	bsp_nprocs_t messages;

	bsp_qsize(&messages, NULL);
	if (n > (size_t)messages)
		n = (size_t)messages;
	for (; n > 0; n--)
		pick_own(2) && tags_are_of_one_size() ? move_shown() : move_copied();
	soak_check_counts();
}

void soak_check_shown(void)
{
	const struct messages *queue = soak_queue();

	for (int i = 0; i < queue->n; i++) {
		const struct message *m = &queue->at[i];

		if (m->shown && memcmp(m->shown, m->data, m->nbytes))
			soak_fail("%zu bytes that bsp_hpmove has shown have changed", m->nbytes);
	}
}
