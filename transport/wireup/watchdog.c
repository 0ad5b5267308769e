// SPDX-License-Identifier: BSD-3-Clause
/* watchdog.c - whether processes get on, and where they are, by their seats. */

/*
 * Looked at by whoever watches over the processes: the supervisor that has forked them, or the
 * lifeline of one of them, if a launcher has started them. What stands in a seat may be a
 * moment late.
 */

#include "wireup.h"

#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { TEXT_MOST = 400 };

static const struct bspt_seat *seat_of(const struct bspt_watchdog *dog, int p)
{
	return &dog->board->seats[p];
}

static bool is_watched(const struct bspt_watchdog *dog, int p)
{
	return !dog->node || dog->node[p] == dog->here;
}

/* ---- Messages ------------------------------------------------------------ */

/* Bytes of this process, wherever: in a way that cannot fault, and whoever writes them now. */
static size_t peek(const void *at, char *buf, size_t len)
{
	int mem = at ? open("/proc/self/mem", O_RDONLY | O_CLOEXEC) : -1;
	ssize_t n = 0;

	if (mem >= 0) {
		n = pread(mem, buf, len - 1, (off_t)(uintptr_t)at);
		close(mem);
	}
	buf[n > 0 ? n : 0] = '\0';
	return n > 0 ? n : 0;
}

/*
 * A place is a text that the process inherited from us, unless it was loaded
 * later, or that stands in the same program somewhere else; so it is doubted.
 */
static const char *text_of(const char *place, char *text)
{
	if (!peek(place, text, TEXT_MOST))
		return NULL;
	for (const char *c = text; *c; c++)
		if (*c < ' ')
			return NULL;
	return strchr(text, ':') ? text : NULL;
}

static const char *place_of(const struct bspt_watchdog *dog, int p, char *text)
{
	const char *place = atomic_load(&seat_of(dog, p)->place);

	if (!place || (dog->shift && dog->shift[p] == BSPT_NO_SHIFT))
		return NULL;
	return text_of((const char *)((uintptr_t)place + (dog->shift ? dog->shift[p] : 0)), text);
}

/* " (process 2, superstep 14, after prog.c:12)" */
static void where(const struct bspt_watchdog *dog, int p, char *buf, size_t len)
{
	const struct bspt_seat *seat = seat_of(dog, p);
	bool syncing = atomic_load(&seat->state) == BSPT_SYNCING;
	char text[TEXT_MOST];
	const char *place = place_of(dog, p, text);

	snprintf(buf, len, "(process %d, superstep %u%s%s)", p, atomic_load(&seat->step),
		 !place ? "" : syncing ? ", " : ", after ", place ? place : "");
}

void bspt_watchdog_report(const struct bspt_watchdog *dog, int p, const char *format, ...)
{
	char reason[TEXT_MOST], place[TEXT_MOST + 64];
	va_list args;

	va_start(args, format);
	vsnprintf(reason, sizeof(reason), format, args);
	va_end(args);
	where(dog, p, place, sizeof(place));
	dprintf(STDERR_FILENO, "bsp: %s %s\n", reason, place);
}

/* ---- Progress ------------------------------------------------------------- */

static int count_in(const struct bspt_watchdog *dog, enum bspt_state state)
{
	int n = 0;

	for (int p = 0; p < dog->nprocs; p++)
		n += is_watched(dog, p) && atomic_load(&seat_of(dog, p)->state) == state;
	return n;
}

/* After bsp_end a program may take its time, unless somebody waits for somebody. */
static bool is_over(const struct bspt_watchdog *dog)
{
	return count_in(dog, BSPT_ENDED) && !count_in(dog, BSPT_SYNCING);
}

static uint64_t progress_of(const struct bspt_watchdog *dog)
{
	uint64_t sum = 0;

	for (int p = 0; p < dog->nprocs; p++)
		if (is_watched(dog, p))
			sum += ((uint64_t)atomic_load(&seat_of(dog, p)->step) << 2) +
			       atomic_load(&seat_of(dog, p)->state);
	return sum;
}

bool bspt_watchdog_moved(struct bspt_watchdog *dog)
{
	uint64_t progress = progress_of(dog);

	if (progress == dog->progress && !is_over(dog))
		return false;
	dog->progress = progress;
	dog->progress_ns = bspt_now_ns();
	return true;
}

bool bspt_watchdog_barks(const struct bspt_watchdog *dog)
{
	return (bspt_now_ns() - dog->progress_ns) * 1e-9 >= dog->patience_s;
}

static void report_position(const struct bspt_watchdog *dog, int p)
{
	static const char *const doing[] = {
		[BSPT_STARTING] = "has not begun",
		[BSPT_COMPUTING] = "computing",
		[BSPT_SYNCING] = "waiting in bsp_sync or bsp_end",
		[BSPT_READING] = "waiting",
		[BSPT_ENDED] = "has left bsp_end",
	};
	const struct bspt_seat *seat = seat_of(dog, p);
	uint32_t state = atomic_load(&seat->state);
	char awaited[sizeof(seat->waits_for)];

	if (state == BSPT_READING && peek(seat->waits_for, awaited, sizeof(awaited)))
		bspt_watchdog_report(dog, p, "  waiting in %s", awaited);
	else
		bspt_watchdog_report(dog, p, "  %s", doing[state <= BSPT_ENDED ? state : 0]);
}

static int count_watched(const struct bspt_watchdog *dog)
{
	int n = 0;

	for (int p = 0; p < dog->nprocs; p++)
		n += is_watched(dog, p);
	return n;
}

void bspt_watchdog_tell(const struct bspt_watchdog *dog, const char *who)
{
	dprintf(STDERR_FILENO, "bsp: no progress for %g s, %d of %d processes have not ended their superstep%s (BSP_WATCHDOG)\n",
		dog->patience_s,
		count_in(dog, BSPT_COMPUTING) + count_in(dog, BSPT_STARTING) +
			count_in(dog, BSPT_READING),
		count_watched(dog), who);
	for (int p = 0; p < dog->nprocs; p++)
		if (is_watched(dog, p))
			report_position(dog, p);
}
