/* SPDX-License-Identifier: BSD-3-Clause */
/* Bsprun --check ends a program that writes over the library's shared memory, and says that. */
#include "../lib/checked.h"
#include "../lib/random.h"

#include <stdatomic.h>
#include <stdio.h>
#include <sys/mman.h>

/*
 * The shared memory is found as a wild pointer finds it, without knowing what is where: it is the
 * mapping that is shared and only in part accessible. A process writes over a part of it while the
 * other one has sent more than fits. Either nothing is there that matters, and the program ends
 * well; or it ends with the message. It never hangs or takes wrong data.
 */

enum { LARGE = 1 << 20, PAGE = 4096, PARTS_MOST = 64, HEAD_PAGES = 4 };

enum fill { ZEROS, ONES, NOISE, ONE_BIT, FILLS };

/* The memory that is written over. */
enum place {
	WHOLE_HEAD,			/* all before the arenas */
	PAGES_OF_HEAD,			/* ... one page of HEAD_PAGES, which follow */
	ARENAS = PAGES_OF_HEAD + HEAD_PAGES,	/* all of them that is accessible */
	PAGES_OF_ARENAS,		/* every fourth page */
	PLACES
};

static const char *const fill_name[] = { "zeros", "ones", "noise", "a bit in each word" };
static const char *const place_name[] = {
	"all before the arenas", "page 0", "page 1", "page 2", "page 3", "the arenas",
	"every fourth page of the arenas",
};

struct part {
	uintptr_t from, to;
};

static struct {
	struct part parts[PARTS_MOST];	/* accessible, by address: first that before the arenas */
	int n;
} shared;

/* In memory that test and processes share. */
static _Atomic int *has_sent;

static enum place place;
static enum fill fill_with;
static int scribbler;

static char area[LARGE], source[LARGE];

/* ---- The shared memory of the library ----------------------------------------------- */

struct mapping {
	uintptr_t from, to;
	char mode[5];
	unsigned long inode;
};

static bool read_mapping(FILE *maps, struct mapping *m)
{
	char line[512];

	return fgets(line, sizeof line, maps) &&
	       sscanf(line, "%lx-%lx %4s %*x %*s %lu", &m->from, &m->to, m->mode, &m->inode) == 4;
}

/* The segment is the one of which a part is reserved. */
static unsigned long inode_of_segment(void)
{
	FILE *maps = fopen("/proc/self/maps", "r");
	struct mapping m;
	unsigned long inode = 0;

	while (maps && read_mapping(maps, &m))
		if (strcmp(m.mode, "---s") == 0)
			inode = m.inode;
	if (maps)
		fclose(maps);
	return inode;
}

static void find_parts(void)
{
	unsigned long inode = inode_of_segment();
	FILE *maps = fopen("/proc/self/maps", "r");
	struct mapping m;

	shared.n = 0;
	while (maps && read_mapping(maps, &m))
		if (inode && m.inode == inode && strcmp(m.mode, "rw-s") == 0 &&
		    shared.n < PARTS_MOST)
			shared.parts[shared.n++] = (struct part){ m.from, m.to };
	if (maps)
		fclose(maps);
}

/* ---- Writing over it ------------------------------------------------------------------ */

static uint64_t other_word(uint64_t word, uint64_t *state)
{
	switch (fill_with) {
	case ZEROS:
		return 0;
	case ONES:
		return UINT64_MAX;
	case NOISE:
		return random_next(state);
	default:
		return word ^ 1;
	}
}

static void scribble(uintptr_t from, uintptr_t to)
{
	volatile uint64_t *at = (volatile uint64_t *)from;
	uint64_t state = 17;

	for (; (uintptr_t)at < to; at++)
		*at = other_word(*at, &state);
}

static void scribble_pages(struct part part, int every)
{
	for (uintptr_t at = part.from; at < part.to; at += every * PAGE)
		scribble(at, at + PAGE);
}

static void scribble_at_place(void)
{
	uintptr_t head = shared.parts[0].from;

	if (place == WHOLE_HEAD)
		scribble(head, shared.parts[0].to);
	else if (place < ARENAS)
		scribble(head + (place - PAGES_OF_HEAD) * PAGE,
			 head + (place - PAGES_OF_HEAD + 1) * PAGE);
	for (int i = 1; i < shared.n && place >= ARENAS; i++)
		scribble_pages(shared.parts[i], place == ARENAS ? 1 : 4);
}

/* ---- A program -------------------------------------------------------------------------- */

static void exchange(uint32_t seed)
{
	fill(source, LARGE, seed);
	bsp_put(right(), source, area, 0, LARGE);
}

/*
 * A put may wait in an open chunk until bsp_sync; a second one that does not fit that chunk sends
 * it. So the shared memory is full on return, and stays so: the scribbler, which is in no call of
 * the library, takes nothing.
 */
static void send_at_once(uint32_t seed)
{
	exchange(seed);
	bsp_put(right(), source, area, 0, LARGE);
	atomic_store(has_sent, 1);
}

static void body(void)
{
	enter();
	publish(area, sizeof area);
	for (uint32_t step = 0; step < 6; step++) {
		if (step != 2)
			exchange(step);
		else if (bsp_pid() != scribbler)
			send_at_once(step);
		if (step == 2 && bsp_pid() == scribbler) {
			while (!atomic_load(has_sent))
				;	/* more than the shared memory has room for */
			find_parts();
			scribble_at_place();
			exchange(step);
		}
		bsp_sync();
		is_int(0, wrong(area, LARGE, step), "what is received is right");
	}
	bsp_end();
}

/* ---- The claim ---------------------------------------------------------------------------- */

static bool is_named(void)
{
	return job_status() == 1 && lines_reported() == 1 &&
	       strstr(job_err(), ": the shared memory of the library is damaged: ") &&
	       strstr(job_err(), "; the program has written over it: ") &&
	       strstr(job_err(), "(process ") && strstr(job_err(), ", superstep ");
}

static bool is_unharmed(void)
{
	return job_status() == 0 && lines_reported() == 1;
}

/* Chunks on their way are certain to be hit only if a whole part is written over. */
static bool must_be_named(void)
{
	return place == WHOLE_HEAD || place == ARENAS;
}

static void run(void)
{
	atomic_store(has_sent, 0);
	check_run(body, 2, false);
	if (!ok(is_named() || (!must_be_named() && is_unharmed()),
		"process %d writes %s over %s", scribbler, fill_name[fill_with],
		place_name[place]))
		diag("status %d: %s", job_status(), job_err());
}

int main(void)
{
	setenv("BSP_TRANSPORT", "shm", 1);
	tap_set_limit("BSP_WATCHDOG", 60);
	has_sent = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	for (int p = 0; p < PLACES; p++)
		for (int f = 0; f < FILLS; f++)
			for (scribbler = 0; scribbler < 2; scribbler++) {
				place = p;
				fill_with = f;
				run();
			}
	return done_testing();
}
