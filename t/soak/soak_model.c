/* SPDX-License-Identifier: BSD-3-Clause */
/* soak_model.c - superstep by superstep, the memory of all processes and messages of this one. */

#include "soak.h"

/* A put of a relaxed superstep that no bsp_read() has waited for. */
struct unread {
	uint64_t slot;
	int pid;
	size_t start, nbytes;	/* in the arena */
	unsigned char *data;
};

enum { LARGE = 32768 };		/* bytes of a transfer */

static unsigned char *memories[PROCS];
static struct unread *unread;
static int nunread, unread_room;
static struct messages queue, waiting, coming;

unsigned char *soak_memory(int pid)
{
	return memories[pid];
}

struct messages *soak_queue(void)
{
	return &queue;
}

struct messages *soak_waiting(void)
{
	return &waiting;
}

void soak_model_open(void)
{
	for (int i = 0; i < soak.nprocs; i++) {
		memories[i] = memory(ARENA);
		fill(memories[i], ARENA, (uint32_t)i);
	}
}

static unsigned char *copy_of(const unsigned char *data, size_t nbytes)
{
	return memcpy(memory(nbytes), data, nbytes);
}

/* ---- Puts that wait to be read ------------------------------------------- */

static bool meet(size_t start, size_t nbytes, size_t other, size_t other_nbytes)
{
	return start < other + other_nbytes && other < start + nbytes;
}

bool soak_is_unread(int pid, size_t start, size_t nbytes)
{
	for (int s = 0; s < soak.neffective; s++) {
		const struct slot *slot = &soak.slots[s];

		if (slot->unread[pid] && !slot->read[pid] &&
		    meet(soak_areas[slot->area[pid]].start, slot->size[pid], start, nbytes))
			return true;
	}
	return false;
}

bool soak_is_put_to(int pid, size_t start, size_t nbytes)
{
	for (int i = 0; i < nunread; i++)
		if (unread[i].pid == pid &&
		    meet(unread[i].start, unread[i].nbytes, start, nbytes) &&
		    !soak_slot(unread[i].slot)->read[pid])
			return true;
	return false;
}

size_t soak_unread_bytes(int pid, const struct slot *slot)
{
	size_t nbytes = 0;

	for (int i = 0; i < nunread; i++)
		if (unread[i].pid == pid && unread[i].slot == slot->number)
			nbytes += unread[i].nbytes;
	return nbytes;
}

static void append_unread(const struct op *op)
{
	if (nunread == unread_room) {
		unread_room = 2 * unread_room + 64;
		unread = realloc(unread, (size_t)unread_room * sizeof *unread);
		if (!unread)
			soak_fail("no memory");
	}
	unread[nunread++] = (struct unread) {
		.slot = op->slot.number, .pid = op->pid, .start = soak_remote(op),
		.nbytes = op->nbytes, .data = copy_of(op->data, op->nbytes),
	};
	soak_slot(op->slot.number)->unread[op->pid]++;
}

void soak_model_read(int pid, struct slot *slot)
{
	int left = 0;

	for (int i = 0; i < nunread; i++) {
		struct unread u = unread[i];

		if (u.pid == pid && u.slot == slot->number) {
			memcpy(memories[pid] + u.start, u.data, u.nbytes);
			free(u.data);
		} else {
			unread[left++] = u;
		}
	}
	nunread = left;
	slot->unread[pid] = 0;
}

/* ---- Messages ------------------------------------------------------------ */

static struct message *append(struct messages *list)
{
	if (list->n == list->room) {
		list->room = 2 * list->room + 64;
		list->at = realloc(list->at, (size_t)list->room * sizeof *list->at);
		if (!list->at)
			soak_fail("no memory");
	}
	return &list->at[list->n++];
}

static void empty(struct messages *list)
{
	for (int i = 0; i < list->n; i++)
		free(list->at[i].data);
	list->n = 0;
}

static void move_all(struct messages *to, struct messages *from)
{
	for (int i = 0; i < from->n; i++)
		*append(to) = from->at[i];
	from->n = 0;
}

void soak_model_expect(void)
{
	move_all(&queue, &waiting);
}

static void model_send(const struct op *op)
{
	struct message *m;

	if (op->pid != soak.me)
		return;
	m = append(&coming);
	*m = (struct message) {
		.tag_nbytes = soak.tag_sent, .nbytes = op->nbytes,
		.data = copy_of(memories[op->owner] + op->local, op->nbytes),
	};
	memcpy(m->tag, op->tag, MOST_TAG);
}

/* Messages of a relaxed superstep wait to be expected; a classic one leaves no others. */
static void model_messages(void)
{
	empty(&queue);
	if (!soak.relaxed)
		empty(&waiting);
	move_all(soak.relaxed ? &waiting : &queue, &coming);
	soak.tag_sent = soak.tag_set;
}

/* ---- A superstep --------------------------------------------------------- */

static void note(const struct op *op)
{
	soak.done[op->kind]++;
	soak.hp_done += op->hp;
	soak.large += op->kind != WRITE && op->kind != TAGSIZE && op->nbytes >= LARGE;
	if (op->kind == READ)
		soak.read_puts += op->n;
}

void soak_model_call(struct op *op)
{
	note(op);
	if (op->kind == WRITE)
		fill(memories[op->owner] + op->local, op->nbytes, op->seed);
	if (op->kind == PUT)
		op->data = copy_of(memories[op->owner] + op->local, op->nbytes);
	if (op->kind == SEND)
		model_send(op);
	if (op->kind == READ)
		soak_model_read(op->owner, soak_slot(op->slot.number));
	if (op->kind == TAGSIZE)
		soak.tag_set = op->nbytes;
}

static void write_got(const struct op *op, int source)
{
	if (op->kind == GET && op->pid == source)
		memcpy(memories[op->owner] + op->local, op->data, op->nbytes);
}

/* All gets are read before the first is written; they are in the order of their sources. */
static void model_gets(void)
{
	for (int i = 0; i < soak.nops; i++) {
		struct op *op = &soak.ops[i];

		if (op->kind == GET)
			op->data = copy_of(memories[op->pid] + soak_remote(op), op->nbytes);
	}
	for (int q = 0; q < soak.nprocs; q++)
		for (int i = 0; i < soak.nops; i++)
			write_got(&soak.ops[i], q);
}

static void model_put(const struct op *op)
{
	if (soak.relaxed)
		append_unread(op);
	else
		memcpy(memories[op->pid] + soak_remote(op), op->data, op->nbytes);
}

/*
 * A classic superstep leaves nothing unread: puts of earlier ones come first, then its own, in the
 * order of their sources.
 */
static void model_puts(void)
{
	for (int s = 0; s < soak.neffective && nunread && !soak.relaxed; s++)
		for (int pid = 0; pid < soak.nprocs; pid++)
			soak_model_read(pid, &soak.slots[s]);
	for (int q = 0; q < soak.nprocs; q++)
		for (int i = 0; i < soak.nops; i++)
			if (soak.ops[i].kind == PUT && soak.ops[i].owner == q)
				model_put(&soak.ops[i]);
}

/* The memory is the program's again, so nothing is on the way there. */
static void model_pops(void)
{
	for (int s = 0; s < soak.nslots; s++)
		for (int pid = 0; pid < soak.nprocs && soak.slots[s].popped; pid++)
			soak_model_read(pid, &soak.slots[s]);
}

void soak_model_sync(void)
{
	model_gets();
	model_puts();
	model_pops();
	for (int i = 0; i < soak.nops; i++)
		free(soak.ops[i].data);
	soak_settle_slots();
	model_messages();
	soak.relaxed_steps += soak.relaxed;
	soak.barriers += soak.barrier;
}

void soak_model_close(void)
{
	for (int s = 0; s < soak.nslots; s++)
		for (int pid = 0; pid < soak.nprocs; pid++)
			soak_model_read(pid, &soak.slots[s]);
	for (int i = 0; i < soak.nprocs; i++)
		free(memories[i]);
	empty(&queue);
	empty(&waiting);
	empty(&coming);
	free(queue.at);
	free(waiting.at);
	free(coming.at);
	free(unread);
}
