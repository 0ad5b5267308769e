/* SPDX-License-Identifier: BSD-3-Clause */
/* A chunk with a record that is empty, too long, of a region that there is not, or of another
 * superstep ends the job with a message. */

/* Process 1 writes past the interface of the library into the open chunk to process 0. */

#include "bsplib/engine/chunk.h"
#include "bsplib/engine/engine.h"
#include "bsplib/engine/out.h"
#include "bsplib/schedule/note.h"
#include "../lib/spmd.h"

enum { ROOM = 64 };

static union {
	uint64_t words[ROOM / 8];
	struct bspi_pad pad;
	struct {
		struct bspi_rec rec;
		struct bspi_reg_note note;
		int32_t slot;
	};
	struct bspi_msg msg;
} damage;
static size_t length;		/* of what is sent of it */
static int area;

static void send_damage(void)
{
	enter();
	publish(&area, sizeof area);
	if (bsp_pid() == 1)
		memcpy(bspi_out_room(0, length), &damage, length);
	if (damage.rec.what == BSPI_GET || bspi_kind_of(damage.rec.what) == BSPI_GET)
		bspi_engine.out[0].flags |= BSPI_GETS;
	bsp_sync();
	bsp_end();
}

/* The same before a superstep with a pop, which is of NULL on process 0. */
static void send_damaged_pop(void)
{
	const void *mine;

	enter();
	mine = bsp_pid() == 0 ? NULL : &area;
	publish(mine, 0);
	if (bsp_pid() == 1)
		memcpy(bspi_out_room(0, length), &damage, length);
	bsp_pop_reg(mine);
	bsp_sync();
	bsp_end();
}

/* The superstep of an acknowledgement that process 0 does not await. */
static uint64_t acknowledged;

static void send_acknowledgement(void)
{
	struct bspi_note note = { .kind = BSPI_NOTE_RECEIVED, .number = acknowledged };
	struct bspi_outgoing p = { .pid = 0 };

	enter();
	publish(&area, sizeof area);
	if (bsp_pid() == 1) {
		bspi_outgoing_alone(&p, bspi_note_bytes(0));
		bspi_note_fill(p.rec, &note, 0);
		bspi_outgoing_send(&p);
	}
	bsp_sync();
	bsp_end();
}

static void refused_acknowledgement(uint64_t epoch, const char *what)
{
	acknowledged = epoch;
	dies_ok(send_acknowledgement, 2, "bsp_sync: a chunk from process 1 is damaged", "%s", what);
}

static void refused_pop(const char *what)
{
	dies_ok(send_damaged_pop, 2, "bsp_sync: a chunk from process 1 is damaged", "%s", what);
	memset(&damage, 0, sizeof damage);
}

static void refused(const char *what)
{
	dies_ok(send_damage, 2, "bsp_sync: a chunk from process 1 is damaged", "%s", what);
	memset(&damage, 0, sizeof damage);
}

int main(void)
{
	length = 8;
	damage.pad = (struct bspi_pad){ .what = BSPI_PAD, .bytes = 0 };
	refused("padding of 0 bytes");

	damage.pad = (struct bspi_pad){ .what = BSPI_PAD, .bytes = 4096 };
	refused("padding beyond the chunk");

	length = 32;
	damage.rec = (struct bspi_rec){ .what = bspi_what(BSPI_PUT, 0), .nbytes = 4096 };
	refused("a put longer than its chunk");

	damage.rec = (struct bspi_rec){ .what = bspi_what(BSPI_PUT, 77), .nbytes = 4 };
	refused("a put to a region that does not exist");

	damage.rec = (struct bspi_rec){ .what = bspi_what(BSPI_STAT, 0), .nbytes = UINT32_MAX };
	refused("a record of 4 GiB");

	damage.msg = (struct bspi_msg){ .what = BSPI_MSG, .nbytes = UINT64_MAX - 15 };
	refused("a message whose length wraps around");

	damage.msg = (struct bspi_msg){ .what = BSPI_MSG, .nbytes = 4096 };
	refused("a message longer than its chunk");

	damage.rec = (struct bspi_rec){ .what = bspi_what(BSPI_GET, 77), .nbytes = 4 };
	refused("a get from a region that does not exist");

	damage.rec = (struct bspi_rec){ .what = bspi_what(BSPI_REG, 0), .nbytes = 12 };
	damage.note = (struct bspi_reg_note){ .npop = 1 };
	damage.slot = 1 << 30;
	refused_pop("a pop of a registration that does not exist");

	damage.rec = (struct bspi_rec){ .what = bspi_what(BSPI_REG, 0), .nbytes = 8 };
	damage.note = (struct bspi_reg_note){ .npop = 1 };
	refused_pop("a pop that is not in its record");

	refused_acknowledgement(1, "an acknowledgement, which no other barrier has");
	setenv("BSP_BARRIER", "nbx", 1);
	refused_acknowledgement(77, "an acknowledgement of another superstep");
	refused_acknowledgement(1, "an acknowledgement of nothing that was sent");
	return done_testing();
}
