/* SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause */
/* goal_check.c - is a block of bytes a schedule that can be run without any further check? */
#include "goal_run.h"

/*
 * The block is a stranger's. It is refused if
 *   - it is not on a multiple of 8, or not exactly as long as it says (EALIGN, ETRUNCATED);
 *   - it is no schedule or of another version (EMAGIC, EVERSION);
 *   - numbers of the header are beyond their bounds or do not fit what follows (EHEADER);
 *   - rank or a peer is no process, or a process sends to itself (ERANK);
 *   - an operation's type, function, datatype or flags are unknown or do not go together (ETYPE);
 *   - a part is not inside its buffer or the scratchpad (ERANGE), not made of whole elements, or
 *     the parts do not add up to the operation's bytes (ELENGTH);
 *   - a buffer's access or alignment is not exactly what the operations need (EBUFFER);
 *   - an operation says it is another one, or independent ones are not exactly the first (EORDER);
 *   - an entry of a list is not the offset of a later operation, or not larger than the one
 *     before (EEDGE);
 *   - a counter is not the number of entries that name its operation (ECOUNT);
 *   - anything without a meaning is not 0 (EPADDING), or a call is not there (ECALL).
 *
 * There are two walks. The first looks at each operation by itself and writes down where it is; the
 * second follows the lists. Each walk ends: an operation has 48 bytes at least, and the next one
 * lies behind it. There is no cycle, because all entries point forward. An operation's counter can
 * be compared when the second walk comes to it, because all that name it lie before it.
 *
 * Arithmetic on what the block says is done in 64 bits: numbers of 32 bits times small constants
 * cannot overflow there, and a sum of parts is compared with each addition with a bound of 2^40.
 */

/*
 * Operations have 48 bytes at least, so no two of them begin in the same 48 bytes of the block:
 * those have one slot.
 */
struct slot {
	uint32_t offset;		/* of the operation that begins here; 0: none */
	uint32_t entries;		/* how many have named it */
};

/* What operations do with a buffer. */
struct use {
	uint8_t access, align;
};

struct check {
	const unsigned char *block;
	size_t len;
	const struct goal_header *header;
	const struct goal_buffer *buffers;
	struct slot *slots;
	struct use *uses;
	uint32_t ncalls;		/* of the host */
	uint32_t calls;			/* the largest number and one */
	size_t at;			/* what is wrong */
};

static size_t slots_of(size_t len)
{
	return len / sizeof(struct goal_op) + 1;
}

static size_t uses_of(size_t len)
{
	size_t n = len / sizeof(struct goal_buffer);

	return n < GOAL_BUFFERS_MOST ? n : GOAL_BUFFERS_MOST;
}

size_t goal_check_bytes(size_t len)
{
	return slots_of(len) * sizeof(struct slot) +
	       (uses_of(len) * sizeof(struct use) + GOAL_ALIGN - 1) / GOAL_ALIGN * GOAL_ALIGN;
}

static int wrong(struct check *c, const void *where, enum goal_error error)
{
	c->at = (size_t)((const unsigned char *)where - c->block);
	return -(int)error;
}

/* ---- Header and buffers ---------------------------------------------------------- */

static int check_length(struct check *c)
{
	if ((uintptr_t)c->block % GOAL_ALIGN)
		return wrong(c, c->block, GOAL_EALIGN);
	if (c->len % GOAL_ALIGN)
		return wrong(c, c->block + c->len, GOAL_EALIGN);
	if (c->len < sizeof *c->header)
		return wrong(c, c->block + c->len, GOAL_ETRUNCATED);
	return 0;
}

static int check_version(struct check *c)
{
	const struct goal_header *h = c->header;

	if (h->magic != GOAL_MAGIC)
		return wrong(c, &h->magic, GOAL_EMAGIC);
	if (h->last_compatible < 1 || h->last_compatible > GOAL_VERSION)
		return wrong(c, &h->last_compatible, GOAL_EVERSION);
	if (h->version < h->last_compatible)
		return wrong(c, &h->version, GOAL_EVERSION);
	if (h->bytes != c->len)
		return wrong(c, &h->bytes, GOAL_ETRUNCATED);
	if (h->bytes > GOAL_BLOCK_MOST)
		return wrong(c, &h->bytes, GOAL_EHEADER);
	return 0;
}

static int check_header(struct check *c)
{
	const struct goal_header *h = c->header;

	if (h->nprocs < 1 || h->nprocs > GOAL_PROCESSES_MOST)
		return wrong(c, &h->nprocs, GOAL_EHEADER);
	if (h->rank >= h->nprocs)
		return wrong(c, &h->rank, GOAL_ERANK);
	if (h->nops > GOAL_OPS_MOST)
		return wrong(c, &h->nops, GOAL_EHEADER);
	if (h->nindep > h->nops)
		return wrong(c, &h->nindep, GOAL_EHEADER);
	if (h->nbuffers > uses_of(c->len))
		return wrong(c, &h->nbuffers, GOAL_EHEADER);
	if (h->scratch_bytes > GOAL_SCRATCH_MOST)
		return wrong(c, &h->scratch_bytes, GOAL_EHEADER);
	if (h->ops_at != sizeof *h + h->nbuffers * sizeof *c->buffers || h->ops_at > c->len)
		return wrong(c, &h->ops_at, GOAL_EHEADER);
	if (h->zero[0] || h->zero[1])
		return wrong(c, h->zero, GOAL_EPADDING);
	return 0;
}

/* When all operations have been looked at. */
static int check_buffers(struct check *c)
{
	const struct goal_buffer *b = c->buffers;
	uint32_t i;

	for (i = 0; i < c->header->nbuffers; i++, b++) {
		if (b->bytes > GOAL_BYTES_MOST)
			return wrong(c, &b->bytes, GOAL_EBUFFER);
		if (b->access != c->uses[i].access)
			return wrong(c, &b->access, GOAL_EBUFFER);
		if (b->align != c->uses[i].align)
			return wrong(c, &b->align, GOAL_EBUFFER);
	}
	return 0;
}

/* ---- One operation by itself ------------------------------------------------------ */

/* What the fields of an operation are used for; the others are 0. */
enum {
	HAS_FUNCTION = 1 << 0,		/* function, datatype, flags */
	HAS_PLACE = 1 << 1,		/* cpu, nic */
	HAS_PEER = 1 << 2,
	HAS_TAG = 1 << 3,
	HAS_PARTS = 1 << 4,
};

static const uint8_t has[] = {
	[GOAL_SEND] = HAS_PLACE | HAS_PEER | HAS_TAG | HAS_PARTS,
	[GOAL_RECV] = HAS_PLACE | HAS_PEER | HAS_TAG | HAS_PARTS,
	[GOAL_LOCAL] = HAS_FUNCTION | HAS_PARTS,
	[GOAL_CALC] = HAS_PLACE,
	[GOAL_MULTICAST] = HAS_PLACE | HAS_PEER | HAS_TAG | HAS_PARTS,
	[GOAL_CALL] = HAS_TAG | HAS_PARTS,
};

static int check_function(struct check *c, const struct goal_op *op)
{
	if (!(has[op->type] & HAS_FUNCTION)) {
		if (op->function || op->datatype || op->flags)
			return wrong(c, &op->function, GOAL_ETYPE);
		return 0;
	}
	if (!goal_function_takes(op->function, op->datatype))
		return wrong(c, &op->function, GOAL_ETYPE);
	if (op->flags & ~goal_function_flags(op->function))
		return wrong(c, &op->flags, GOAL_ETYPE);
	return 0;
}

static int check_unused(struct check *c, const struct goal_op *op)
{
	uint8_t fields = has[op->type];

	if (!(fields & HAS_PLACE) && (op->cpu || op->nic))
		return wrong(c, &op->cpu, GOAL_EPADDING);
	if (!(fields & HAS_PEER) && op->peer)
		return wrong(c, &op->peer, GOAL_EPADDING);
	if (!(fields & HAS_TAG) && op->tag)
		return wrong(c, &op->tag, GOAL_EPADDING);
	if (op->zero)
		return wrong(c, &op->zero, GOAL_EPADDING);
	return 0;
}

static int check_peer(struct check *c, const struct goal_op *op)
{
	bool any = op->peer == GOAL_ANY;
	bool one = op->peer < c->header->nprocs && op->peer != c->header->rank;

	if (op->type == GOAL_RECV)
		return one || any ? 0 : wrong(c, &op->peer, GOAL_ERANK);
	if (op->tag == GOAL_ANY)
		return wrong(c, &op->tag, GOAL_ERANK);
	if (op->type == GOAL_SEND)
		return one ? 0 : wrong(c, &op->peer, GOAL_ERANK);
	return any ? 0 : wrong(c, &op->peer, GOAL_ERANK);
}

static int check_call(struct check *c, const struct goal_op *op)
{
	if (op->tag >= c->header->ncalls || op->tag >= c->ncalls)
		return wrong(c, &op->tag, GOAL_ECALL);
	if (c->calls <= op->tag)
		c->calls = op->tag + 1;
	return 0;
}

static int check_kind(struct check *c, const struct goal_op *op)
{
	int error;

	if (op->type >= sizeof has || !has[op->type])
		return wrong(c, &op->type, GOAL_ETYPE);
	error = check_function(c, op);
	if (!error)
		error = check_unused(c, op);
	if (!error && has[op->type] & HAS_PEER)
		error = check_peer(c, op);
	if (!error && op->type == GOAL_CALL)
		error = check_call(c, op);
	return error;
}

static int check_turn(struct check *c, const struct goal_op *op, uint32_t i)
{
	if (op->index != i)
		return wrong(c, &op->index, GOAL_EORDER);
	if ((i < c->header->nindep) != (op->dependencies == 0))
		return wrong(c, &op->dependencies, GOAL_EORDER);
	return 0;
}

/* ---- Its parts --------------------------------------------------------------------- */

/* What an operation does with the parts that it writes; those behind are read. */
static uint8_t access_of_dst(const struct goal_op *op)
{
	if (op->type != GOAL_LOCAL)
		return GOAL_WRITE;
	return (uint8_t)goal_function_access(op->function);
}

static int check_place(struct check *c, const struct goal_part *part)
{
	uint64_t room = c->header->scratch_bytes;

	if (part->buffer != GOAL_SCRATCHPAD) {
		if (part->buffer >= c->header->nbuffers)
			return wrong(c, &part->buffer, GOAL_ERANGE);
		room = c->buffers[part->buffer].bytes;
	}
	if (part->offset > room || part->bytes > room - part->offset)
		return wrong(c, &part->offset, GOAL_ERANGE);
	return 0;
}

static int check_part(struct check *c, const struct goal_op *op, const struct goal_part *part,
		      uint8_t access)
{
	uint8_t element = (uint8_t)goal_datatype_bytes(op->datatype);
	int error = check_place(c, part);
	struct use *use;

	if (error)
		return error;
	if (part->zero)
		return wrong(c, &part->zero, GOAL_EPADDING);
	if (part->bytes == 0 || part->bytes > GOAL_BYTES_MOST || part->bytes % element)
		return wrong(c, &part->bytes, GOAL_ELENGTH);
	if (part->offset % element)
		return wrong(c, &part->offset, GOAL_ELENGTH);
	if (part->buffer == GOAL_SCRATCHPAD)
		return 0;
	use = &c->uses[part->buffer];
	use->access |= access;
	if (use->align < element)
		use->align = element;
	return 0;
}

/* Some parts of an operation, and how many bytes they are. */
static int check_some(struct check *c, const struct goal_op *op, uint32_t first, uint32_t end,
		      uint8_t access, uint64_t *bytes)
{
	const struct goal_part *part = goal_parts(op);
	uint32_t i;
	int error;

	for (i = first; i < end; i++) {
		error = check_part(c, op, &part[i], access);
		if (error)
			return error;
		*bytes += part[i].bytes;
		if (*bytes > GOAL_BYTES_MOST)
			return wrong(c, &part[i].bytes, GOAL_ELENGTH);
	}
	return 0;
}

/* Bytes that mean nothing have no parts. Of a local function each side is all. */
static bool adds_up(const struct goal_op *op, uint64_t written, uint64_t read)
{
	if (op->type == GOAL_LOCAL && op->function == GOAL_TIMESTAMP)
		return op->bytes == sizeof(uint64_t) && written == op->bytes && read == 0;
	if (op->type == GOAL_LOCAL)
		return written == op->bytes && read == op->bytes;
	if (op->type != GOAL_CALL && op->nparts == 0)
		return op->bytes <= GOAL_BYTES_MOST || op->type == GOAL_CALC;
	return written + read == op->bytes;
}

static bool right_ndst(const struct goal_op *op)
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

static int check_parts(struct check *c, const struct goal_op *op)
{
	uint64_t written = 0, read = 0;
	int error;

	if (op->nparts && !(has[op->type] & HAS_PARTS))
		return wrong(c, &op->nparts, GOAL_ELENGTH);
	if (!right_ndst(op))
		return wrong(c, &op->ndst, GOAL_ELENGTH);
	error = check_some(c, op, 0, op->ndst, access_of_dst(op), &written);
	if (!error)
		error = check_some(c, op, op->ndst, op->nparts, GOAL_READ, &read);
	if (!error && !adds_up(op, written, read))
		error = wrong(c, &op->bytes, GOAL_ELENGTH);
	return error;
}

/* ---- The first walk: operations ------------------------------------------------------ */

/* Is all of it there? Everything behind @op is then safe to read. */
static int check_room(struct check *c, const struct goal_op *op)
{
	uint64_t room = c->len - (size_t)((const unsigned char *)op - c->block);
	uint64_t entries, need;

	if (room < sizeof *op)
		return wrong(c, op, GOAL_ETRUNCATED);
	entries = (uint64_t)op->nfollowers + op->ndependents;
	need = sizeof *op + op->nparts * (uint64_t)sizeof(struct goal_part) +
	       (entries + 1) / 2 * 2 * sizeof(uint32_t);
	return need <= room ? 0 : wrong(c, op, GOAL_ETRUNCATED);
}

static int check_op(struct check *c, const struct goal_op *op, uint32_t i)
{
	int error = check_room(c, op);

	if (!error)
		error = check_turn(c, op, i);
	if (!error)
		error = check_kind(c, op);
	if (!error)
		error = check_parts(c, op);
	return error;
}

static struct slot *slot_of(struct check *c, uint32_t offset)
{
	return &c->slots[offset / sizeof(struct goal_op)];
}

static int check_ops(struct check *c)
{
	const struct goal_op *op = (const void *)(c->block + c->header->ops_at);
	uint32_t i, offset;
	int error;

	for (i = 0; i < c->header->nops; i++, op = goal_op_next(op)) {
		error = check_op(c, op, i);
		if (error)
			return error;
		offset = (uint32_t)((const unsigned char *)op - c->block);
		slot_of(c, offset)->offset = offset;
	}
	if ((const unsigned char *)op != c->block + c->len)
		return wrong(c, op, GOAL_ETRUNCATED);
	if (c->calls != c->header->ncalls)
		return wrong(c, &c->header->ncalls, GOAL_EHEADER);
	return 0;
}

/* ---- The second walk: what waits for what ------------------------------------------- */

static int check_entries(struct check *c, const struct goal_op *op, const uint32_t *list,
			 uint32_t n)
{
	uint32_t before = (uint32_t)((const unsigned char *)op - c->block);
	struct slot *slot;
	uint32_t i;

	for (i = 0; i < n; before = list[i++]) {
		if (list[i] <= before || list[i] >= c->len)
			return wrong(c, &list[i], GOAL_EEDGE);
		slot = slot_of(c, list[i]);
		if (slot->offset != list[i])
			return wrong(c, &list[i], GOAL_EEDGE);
		slot->entries++;
	}
	return 0;
}

static int check_list(struct check *c, const struct goal_op *op)
{
	const uint32_t *list = goal_list(op);
	uint32_t offset = (uint32_t)((const unsigned char *)op - c->block);
	size_t n = goal_list_len(op);
	int error;

	if (slot_of(c, offset)->entries != op->dependencies)
		return wrong(c, &op->dependencies, GOAL_ECOUNT);
	error = check_entries(c, op, list, op->nfollowers);
	if (!error)
		error = check_entries(c, op, list + op->nfollowers, op->ndependents);
	if (!error && n % 2 && list[n])
		error = wrong(c, &list[n], GOAL_EPADDING);
	return error;
}

static int check_lists(struct check *c)
{
	const struct goal_op *op = (const void *)(c->block + c->header->ops_at);
	uint32_t i;
	int error;

	for (i = 0; i < c->header->nops; i++, op = goal_op_next(op)) {
		error = check_list(c, op);
		if (error)
			return error;
	}
	return 0;
}

/* ---- All of it ------------------------------------------------------------------------ */

static int lay_out(struct check *c, void *work, size_t work_bytes)
{
	size_t i, n = uses_of(c->len);

	if (work_bytes < goal_check_bytes(c->len) || (uintptr_t)work % GOAL_ALIGN)
		return wrong(c, c->block, GOAL_EMEMORY);
	c->slots = work;
	c->uses = (void *)(c->slots + slots_of(c->len));
	memset(c->slots, 0, slots_of(c->len) * sizeof *c->slots);
	for (i = 0; i < n; i++)
		c->uses[i] = (struct use){ .access = 0, .align = 1 };
	return 0;
}

static int check_all(struct check *c, void *work, size_t work_bytes)
{
	int error = check_length(c);

	if (!error)
		error = check_version(c);
	if (!error)
		error = check_header(c);
	if (!error)
		error = lay_out(c, work, work_bytes);
	if (!error)
		error = check_ops(c);
	if (!error)
		error = check_buffers(c);
	if (!error)
		error = check_lists(c);
	return error;
}

int goal_check(const void *block, size_t len, uint32_t ncalls, void *work, size_t work_bytes,
	       struct goal_prog *prog, size_t *at)
{
	struct check c = {
		.block = block,
		.len = len,
		.header = block,
		.buffers = (const void *)((const struct goal_header *)block + 1),
		.ncalls = ncalls,
	};
	int error = check_all(&c, work, work_bytes);

	if (error)
		*at = c.at;
	else
		prog->header = block;
	return error;
}

const char *goal_strerror(int error)
{
	static const char *const text[GOAL_ERRORS] = {
		[GOAL_OK] = "it is good",
		[GOAL_ETRUNCATED] = "it is not as long as it should be",
		[GOAL_EMAGIC] = "it is no schedule",
		[GOAL_EVERSION] = "it is of a version that is not understood",
		[GOAL_EALIGN] = "its address or length is no multiple of 8",
		[GOAL_EHEADER] = "a number of the header is out of bounds",
		[GOAL_ERANK] = "a process is not one that can be named here",
		[GOAL_EBUFFER] = "a buffer is not described as operations use it",
		[GOAL_ETYPE] = "there is no such operation, or no such function of such elements",
		[GOAL_ERANGE] = "a part lies outside its buffer",
		[GOAL_ELENGTH] = "lengths do not add up, or are not of whole elements",
		[GOAL_EORDER] = "an operation is not in its place",
		[GOAL_EEDGE] = "an entry of a list is not an operation that comes later",
		[GOAL_ECOUNT] = "an operation waits for more or fewer than name it",
		[GOAL_EPADDING] = "what has no meaning is not 0",
		[GOAL_EMEMORY] = "the work space is too small",
		[GOAL_ECALL] = "there is no such function of the host",
	};

	unsigned int n = error < 0 ? 0u - (unsigned int)error : (unsigned int)error;

	return n < GOAL_ERRORS ? text[n] : "unknown error";
}
