/* SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause */
/* goal_check.c - verifies that a block of bytes is a schedule that runs without further checks. */
#include "goal_run.h"

/*
 * The block is untrusted. It is refused if
 *	- it is not on a multiple of 8, or not exactly as long as it says (EALIGN, ETRUNCATED);
 *	- it is not a schedule, or has another version (EMAGIC, EVERSION);
 *	- numbers of the header exceed their bounds or contradict what follows (EHEADER);
 *	- rank or a peer is out of range, or a process sends to itself (ERANK);
 *	- type, function, datatype or flags of an operation are unknown, or a combination that
 *	  does not exist (ETYPE);
 *	- a part is outside its buffer or the scratchpad (ERANGE), has a fraction of an element,
 *	  or the parts do not add up to the bytes of the operation (ELENGTH);
 *	- access or alignment of a buffer is not exactly what the operations need (EBUFFER);
 *	- an operation has a wrong index, or independent ones are not exactly the first (EORDER);
 *	- an entry of a list is not the offset of a later operation, or not larger than the
 *	  previous one (EEDGE);
 *	- a counter is not the number of entries that name its operation (ECOUNT);
 *	- an unused field is not 0 (EPADDING), or a call does not exist (ECALL).
 *
 * There are two passes. The first checks each operation by itself and records where it is; the
 * second follows the lists. Each pass ends: an operation has at least 48 bytes, and the next one is
 * behind it. There is no cycle, as all entries point forward. The counter of an operation can be
 * compared when the second pass reaches it, as all entries that name it are before it.
 *
 * Arithmetic on numbers of the block has 64 bits: products of 32-bit numbers and small constants
 * cannot overflow, and a sum of parts is compared with a bound of 2^40 at each addition.
 */

/*
 * Operations have at least 48 bytes, so no two begin in the same 48 bytes of the block: these have
 * one slot.
 */
struct goal_slot {
	uint32_t offset;		/* of the operation that begins here; 0: none */
	uint32_t entries;		/* entries that have named it so far */
};

/* How operations use a buffer. */
struct goal_use {
	uint8_t access, align;
};

struct goal_checker {
	const unsigned char *block;
	size_t len;
	const struct goal_header *header;
	const struct goal_buffer *buffers;
	struct goal_slot *slots;
	struct goal_use *uses;
	uint32_t ncalls;		/* of the host */
	uint32_t calls;			/* largest number of a call, plus 1 */
	size_t at;			/* offset of the error */
};

static size_t goal_check_nslots(size_t len)
{
	return len / sizeof(struct goal_op) + 1;
}

static size_t goal_check_nuses(size_t len)
{
	size_t n = len / sizeof(struct goal_buffer);

	return n < GOAL_BUFFERS_MOST ? n : GOAL_BUFFERS_MOST;
}

size_t goal_check_bytes(size_t len)
{
	size_t uses = goal_check_nuses(len) * sizeof(struct goal_use);

	return goal_check_nslots(len) * sizeof(struct goal_slot) +
	       (uses + GOAL_ALIGN - 1) / GOAL_ALIGN * GOAL_ALIGN;
}

static int goal_check_fail(struct goal_checker *c, const void *where, enum goal_error error)
{
	c->at = (size_t)((const unsigned char *)where - c->block);
	return -(int)error;
}

/* ---- Header and buffers ---------------------------------------------------------- */

static int goal_check_length(struct goal_checker *c)
{
	if ((uintptr_t)c->block % GOAL_ALIGN)
		return goal_check_fail(c, c->block, GOAL_EALIGN);
	if (c->len % GOAL_ALIGN)
		return goal_check_fail(c, c->block + c->len, GOAL_EALIGN);
	if (c->len < sizeof *c->header)
		return goal_check_fail(c, c->block + c->len, GOAL_ETRUNCATED);
	return 0;
}

static int goal_check_version(struct goal_checker *c)
{
	const struct goal_header *h = c->header;

	if (h->magic != GOAL_MAGIC)
		return goal_check_fail(c, &h->magic, GOAL_EMAGIC);
	if (h->last_compatible < 1 || h->last_compatible > GOAL_VERSION)
		return goal_check_fail(c, &h->last_compatible, GOAL_EVERSION);
	if (h->version < h->last_compatible)
		return goal_check_fail(c, &h->version, GOAL_EVERSION);
	if (h->bytes != c->len)
		return goal_check_fail(c, &h->bytes, GOAL_ETRUNCATED);
	if (h->bytes > GOAL_BLOCK_MOST)
		return goal_check_fail(c, &h->bytes, GOAL_EHEADER);
	return 0;
}

static int goal_check_header(struct goal_checker *c)
{
	const struct goal_header *h = c->header;

	if (h->nprocs < 1 || h->nprocs > GOAL_PROCESSES_MOST)
		return goal_check_fail(c, &h->nprocs, GOAL_EHEADER);
	if (h->rank >= h->nprocs)
		return goal_check_fail(c, &h->rank, GOAL_ERANK);
	if (h->nops > GOAL_OPS_MOST)
		return goal_check_fail(c, &h->nops, GOAL_EHEADER);
	if (h->nindep > h->nops)
		return goal_check_fail(c, &h->nindep, GOAL_EHEADER);
	if (h->nbuffers > goal_check_nuses(c->len))
		return goal_check_fail(c, &h->nbuffers, GOAL_EHEADER);
	if (h->scratch_bytes > GOAL_SCRATCH_MOST)
		return goal_check_fail(c, &h->scratch_bytes, GOAL_EHEADER);
	if (h->ops_at != sizeof *h + h->nbuffers * sizeof *c->buffers || h->ops_at > c->len)
		return goal_check_fail(c, &h->ops_at, GOAL_EHEADER);
	if (h->zero[0] || h->zero[1])
		return goal_check_fail(c, h->zero, GOAL_EPADDING);
	return 0;
}

/* After all operations have been checked. */
static int goal_check_buffers(struct goal_checker *c)
{
	const struct goal_buffer *b = c->buffers;
	uint32_t i;

	for (i = 0; i < c->header->nbuffers; i++, b++) {
		if (b->bytes > GOAL_BYTES_MOST)
			return goal_check_fail(c, &b->bytes, GOAL_EBUFFER);
		if (b->access != c->uses[i].access)
			return goal_check_fail(c, &b->access, GOAL_EBUFFER);
		if (b->align != c->uses[i].align)
			return goal_check_fail(c, &b->align, GOAL_EBUFFER);
	}
	return 0;
}

/* ---- Fields of an operation ----- */

/* The fields that a type of operation uses; the others are 0. */
enum {
	HAS_FUNCTION = 1 << 0,		/* function, datatype, flags */
	HAS_PLACE = 1 << 1,		/* cpu, nic */
	HAS_PEER = 1 << 2,
	HAS_TAG = 1 << 3,
	HAS_PARTS = 1 << 4,
};

static const uint8_t goal_op_fields[] = {
	[GOAL_SEND] = HAS_PLACE | HAS_PEER | HAS_TAG | HAS_PARTS,
	[GOAL_RECV] = HAS_PLACE | HAS_PEER | HAS_TAG | HAS_PARTS,
	[GOAL_LOCAL] = HAS_FUNCTION | HAS_PARTS,
	[GOAL_CALC] = HAS_PLACE,
	[GOAL_MULTICAST] = HAS_PLACE | HAS_PEER | HAS_TAG | HAS_PARTS,
	[GOAL_CALL] = HAS_TAG | HAS_PARTS,
};

static int goal_check_function(struct goal_checker *c, const struct goal_op *op)
{
	if (!(goal_op_fields[op->type] & HAS_FUNCTION)) {
		if (op->function || op->datatype || op->flags)
			return goal_check_fail(c, &op->function, GOAL_ETYPE);
		return 0;
	}
	if (!goal_function_takes(op->function, op->datatype))
		return goal_check_fail(c, &op->function, GOAL_ETYPE);
	if (op->flags & ~goal_function_flags(op->function))
		return goal_check_fail(c, &op->flags, GOAL_ETYPE);
	return 0;
}

static int goal_check_unused(struct goal_checker *c, const struct goal_op *op)
{
	uint8_t fields = goal_op_fields[op->type];

	if (!(fields & HAS_PLACE) && (op->cpu || op->nic))
		return goal_check_fail(c, &op->cpu, GOAL_EPADDING);
	if (!(fields & HAS_PEER) && op->peer)
		return goal_check_fail(c, &op->peer, GOAL_EPADDING);
	if (!(fields & HAS_TAG) && op->tag)
		return goal_check_fail(c, &op->tag, GOAL_EPADDING);
	if (op->zero)
		return goal_check_fail(c, &op->zero, GOAL_EPADDING);
	return 0;
}

static int goal_check_peer(struct goal_checker *c, const struct goal_op *op)
{
	bool any = op->peer == GOAL_ANY;
	bool one = op->peer < c->header->nprocs && op->peer != c->header->rank;

	if (op->type == GOAL_RECV)
		return one || any ? 0 : goal_check_fail(c, &op->peer, GOAL_ERANK);
	if (op->tag == GOAL_ANY)
		return goal_check_fail(c, &op->tag, GOAL_ERANK);
	if (op->type == GOAL_SEND)
		return one ? 0 : goal_check_fail(c, &op->peer, GOAL_ERANK);
	return any ? 0 : goal_check_fail(c, &op->peer, GOAL_ERANK);
}

static int goal_check_call(struct goal_checker *c, const struct goal_op *op)
{
	if (op->tag >= c->header->ncalls || op->tag >= c->ncalls)
		return goal_check_fail(c, &op->tag, GOAL_ECALL);
	if (c->calls <= op->tag)
		c->calls = op->tag + 1;
	return 0;
}

static int goal_check_fields(struct goal_checker *c, const struct goal_op *op)
{
	int error;

	if (op->type >= sizeof goal_op_fields || !goal_op_fields[op->type])
		return goal_check_fail(c, &op->type, GOAL_ETYPE);
	error = goal_check_function(c, op);
	if (!error)
		error = goal_check_unused(c, op);
	if (!error && goal_op_fields[op->type] & HAS_PEER)
		error = goal_check_peer(c, op);
	if (!error && op->type == GOAL_CALL)
		error = goal_check_call(c, op);
	return error;
}

static int goal_check_index(struct goal_checker *c, const struct goal_op *op, uint32_t i)
{
	if (op->index != i)
		return goal_check_fail(c, &op->index, GOAL_EORDER);
	if ((i < c->header->nindep) != (op->dependencies == 0))
		return goal_check_fail(c, &op->dependencies, GOAL_EORDER);
	return 0;
}

/* ---- Parts of an operation ----- */

/* Access to the parts that an operation writes; the other parts are read. */
static uint8_t goal_check_dst_access(const struct goal_op *op)
{
	if (op->type != GOAL_LOCAL)
		return GOAL_WRITE;
	return (uint8_t)goal_function_access(op->function);
}

static int goal_check_part_place(struct goal_checker *c, const struct goal_part *part)
{
	uint64_t room = c->header->scratch_bytes;

	if (part->buffer != GOAL_SCRATCHPAD) {
		if (part->buffer >= c->header->nbuffers)
			return goal_check_fail(c, &part->buffer, GOAL_ERANGE);
		room = c->buffers[part->buffer].bytes;
	}
	if (part->offset > room || part->bytes > room - part->offset)
		return goal_check_fail(c, &part->offset, GOAL_ERANGE);
	return 0;
}

static int goal_check_part(struct goal_checker *c, const struct goal_op *op,
			   const struct goal_part *part, uint8_t access)
{
	uint8_t element = (uint8_t)goal_datatype_bytes(op->datatype);
	int error = goal_check_part_place(c, part);
	struct goal_use *use;

	if (error)
		return error;
	if (part->zero)
		return goal_check_fail(c, &part->zero, GOAL_EPADDING);
	if (part->bytes == 0 || part->bytes > GOAL_BYTES_MOST || part->bytes % element)
		return goal_check_fail(c, &part->bytes, GOAL_ELENGTH);
	if (part->offset % element)
		return goal_check_fail(c, &part->offset, GOAL_ELENGTH);
	if (part->buffer == GOAL_SCRATCHPAD)
		return 0;
	use = &c->uses[part->buffer];
	use->access |= access;
	if (use->align < element)
		use->align = element;
	return 0;
}

/* Check some parts of an operation, and add up their bytes. */
static int goal_check_part_range(struct goal_checker *c, const struct goal_op *op, uint32_t first,
				 uint32_t end, uint8_t access, uint64_t *bytes)
{
	const struct goal_part *part = goal_parts(op);
	uint32_t i;
	int error;

	for (i = first; i < end; i++) {
		error = goal_check_part(c, op, &part[i], access);
		if (error)
			return error;
		*bytes += part[i].bytes;
		if (*bytes > GOAL_BYTES_MOST)
			return goal_check_fail(c, &part[i].bytes, GOAL_ELENGTH);
	}
	return 0;
}

/*
 * An operation without parts has bytes of no meaning. A local function has all bytes on each side.
 */
static bool goal_check_adds_up(const struct goal_op *op, uint64_t written, uint64_t read)
{
	if (op->type == GOAL_LOCAL && op->function == GOAL_TIMESTAMP)
		return op->bytes == sizeof(uint64_t) && written == op->bytes && read == 0;
	if (op->type == GOAL_LOCAL)
		return written == op->bytes && read == op->bytes;
	if (op->type != GOAL_CALL && op->nparts == 0)
		return op->bytes <= GOAL_BYTES_MOST || op->type == GOAL_CALC;
	return written + read == op->bytes;
}

static bool goal_check_ndst(const struct goal_op *op)
{
	switch (op->type) {
	case GOAL_RECV:
		return op->ndst == op->nparts;
	case GOAL_LOCAL:
	case GOAL_CALL:
		return op->ndst <= op->nparts;
	default:
		return op->ndst == 0;
	}
}

static int goal_check_parts(struct goal_checker *c, const struct goal_op *op)
{
	uint64_t written = 0, read = 0;
	int error;

	if (op->nparts && !(goal_op_fields[op->type] & HAS_PARTS))
		return goal_check_fail(c, &op->nparts, GOAL_ELENGTH);
	if (!goal_check_ndst(op))
		return goal_check_fail(c, &op->ndst, GOAL_ELENGTH);
	error = goal_check_part_range(c, op, 0, op->ndst, goal_check_dst_access(op), &written);
	if (!error)
		error = goal_check_part_range(c, op, op->ndst, op->nparts, GOAL_READ, &read);
	if (!error && !goal_check_adds_up(op, written, read))
		error = goal_check_fail(c, &op->bytes, GOAL_ELENGTH);
	return error;
}

/* ---- First pass: operations ----- */

/* Is all of it within the block? Then all of @op may be read. */
static int goal_check_room(struct goal_checker *c, const struct goal_op *op)
{
	uint64_t room = c->len - (size_t)((const unsigned char *)op - c->block);
	uint64_t entries, need;

	if (room < sizeof *op)
		return goal_check_fail(c, op, GOAL_ETRUNCATED);
	entries = (uint64_t)op->nfollowers + op->ndependents;
	need = sizeof *op + op->nparts * (uint64_t)sizeof(struct goal_part) +
	       (entries + 1) / 2 * 2 * sizeof(uint32_t);
	return need <= room ? 0 : goal_check_fail(c, op, GOAL_ETRUNCATED);
}

static int goal_check_op(struct goal_checker *c, const struct goal_op *op, uint32_t i)
{
	int error = goal_check_room(c, op);

	if (!error)
		error = goal_check_index(c, op, i);
	if (!error)
		error = goal_check_fields(c, op);
	if (!error)
		error = goal_check_parts(c, op);
	return error;
}

static struct goal_slot *goal_check_slot(struct goal_checker *c, uint32_t offset)
{
	return &c->slots[offset / sizeof(struct goal_op)];
}

static int goal_check_ops(struct goal_checker *c)
{
	const struct goal_op *op = (const void *)(c->block + c->header->ops_at);
	uint32_t i, offset;
	int error;

	for (i = 0; i < c->header->nops; i++, op = goal_op_next(op)) {
		error = goal_check_op(c, op, i);
		if (error)
			return error;
		offset = (uint32_t)((const unsigned char *)op - c->block);
		goal_check_slot(c, offset)->offset = offset;
		goal_pause(i);
	}
	if ((const unsigned char *)op != c->block + c->len)
		return goal_check_fail(c, op, GOAL_ETRUNCATED);
	if (c->calls != c->header->ncalls)
		return goal_check_fail(c, &c->header->ncalls, GOAL_EHEADER);
	return 0;
}

/* ---- Second pass: dependencies ----- */

static int goal_check_entries(struct goal_checker *c, const struct goal_op *op,
			      const uint32_t *list, uint32_t n)
{
	uint32_t before = (uint32_t)((const unsigned char *)op - c->block);
	struct goal_slot *slot;
	uint32_t i;

	for (i = 0; i < n; before = list[i++]) {
		if (list[i] <= before || list[i] >= c->len)
			return goal_check_fail(c, &list[i], GOAL_EEDGE);
		slot = goal_check_slot(c, list[i]);
		if (slot->offset != list[i])
			return goal_check_fail(c, &list[i], GOAL_EEDGE);
		slot->entries++;
	}
	return 0;
}

static int goal_check_list(struct goal_checker *c, const struct goal_op *op)
{
	const uint32_t *list = goal_list(op);
	uint32_t offset = (uint32_t)((const unsigned char *)op - c->block);
	size_t n = goal_list_len(op);
	int error;

	if (goal_check_slot(c, offset)->entries != op->dependencies)
		return goal_check_fail(c, &op->dependencies, GOAL_ECOUNT);
	error = goal_check_entries(c, op, list, op->nfollowers);
	if (!error)
		error = goal_check_entries(c, op, list + op->nfollowers, op->ndependents);
	if (!error && n % 2 && list[n])
		error = goal_check_fail(c, &list[n], GOAL_EPADDING);
	return error;
}

static int goal_check_lists(struct goal_checker *c)
{
	const struct goal_op *op = (const void *)(c->block + c->header->ops_at);
	uint32_t i;
	int error;

	for (i = 0; i < c->header->nops; i++, op = goal_op_next(op)) {
		error = goal_check_list(c, op);
		if (error)
			return error;
		goal_pause(i);
	}
	return 0;
}

/* ---- The block ----- */

static int goal_check_init(struct goal_checker *c, void *work, size_t work_bytes)
{
	size_t i, n = goal_check_nuses(c->len);

	if (work_bytes < goal_check_bytes(c->len) || (uintptr_t)work % GOAL_ALIGN)
		return goal_check_fail(c, c->block, GOAL_EMEMORY);
	c->slots = work;
	c->uses = (void *)(c->slots + goal_check_nslots(c->len));
	memset(c->slots, 0, goal_check_nslots(c->len) * sizeof *c->slots);
	for (i = 0; i < n; i++)
		c->uses[i] = (struct goal_use){ .access = 0, .align = 1 };
	return 0;
}

static int goal_check_all(struct goal_checker *c, void *work, size_t work_bytes)
{
	int error = goal_check_length(c);

	if (!error)
		error = goal_check_version(c);
	if (!error)
		error = goal_check_header(c);
	if (!error)
		error = goal_check_init(c, work, work_bytes);
	if (!error)
		error = goal_check_ops(c);
	if (!error)
		error = goal_check_buffers(c);
	if (!error)
		error = goal_check_lists(c);
	return error;
}

int goal_check(const void *block, size_t len, uint32_t ncalls, void *work, size_t work_bytes,
	       struct goal_prog *prog, size_t *at)
{
	struct goal_checker c = {
		.block = block,
		.len = len,
		.header = block,
		.buffers = (const void *)((const struct goal_header *)block + 1),
		.ncalls = ncalls,
	};
	int error = goal_check_all(&c, work, work_bytes);

	if (error)
		*at = c.at;
	else
		prog->header = block;
	return error;
}

const char *goal_strerror(int error)
{
	static const char *const text[GOAL_ERRORS] = {
		[GOAL_OK] = "it is valid",
		[GOAL_ETRUNCATED] = "it is not as long as it should be",
		[GOAL_EMAGIC] = "it is not a schedule",
		[GOAL_EVERSION] = "its version is unknown",
		[GOAL_EALIGN] = "its address or length is not a multiple of 8",
		[GOAL_EHEADER] = "a number of the header is out of bounds",
		[GOAL_ERANK] = "a rank is out of range, or that of the process itself",
		[GOAL_EBUFFER] = "a buffer is not described as the operations use it",
		[GOAL_ETYPE] = "there is no such operation, or no such function of such elements",
		[GOAL_ERANGE] = "a part is outside its buffer",
		[GOAL_ELENGTH] = "lengths do not add up, or are not whole elements",
		[GOAL_EORDER] = "an operation is in the wrong place",
		[GOAL_EEDGE] = "an entry of a list is not a later operation",
		[GOAL_ECOUNT] = "the counter of an operation is not the number of its entries",
		[GOAL_EPADDING] = "an unused field is not 0",
		[GOAL_EMEMORY] = "the work space is too small",
		[GOAL_ECALL] = "there is no such function of the host",
	};

	unsigned int n = error < 0 ? 0u - (unsigned int)error : (unsigned int)error;

	return n < GOAL_ERRORS ? text[n] : "unknown error";
}
