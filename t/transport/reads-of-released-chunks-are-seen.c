/* SPDX-License-Identifier: BSD-3-Clause */
/* No reader gets at a chunk that has been released, or behind the end of one: transport/poison.h */
#include "../lib/transports.h"

#include "transport/poison.h"

#include <fcntl.h>

/* In a slot, in a small block, in a large one; a note, a message, a transfer. */
static const size_t sizes[] = { 40, 300, 9000, 100000, 3 << 20 };

enum { SIZES = sizeof sizes / sizeof *sizes, TEXT = 1 << 16, FILLED = 1000 };

#ifdef __SANITIZE_ADDRESS__

static bool is_closed(const volatile unsigned char *at)
{
	return __asan_address_is_poisoned(at);
}

/* Reads the byte at @at in a child and returns its report; "" if the child has none. */
static const char *words_of_reader(const volatile unsigned char *at)
{
	static char text[TEXT];
	size_t len = 0;
	ssize_t n;
	int ends[2];
	pid_t child;

	if (pipe2(ends, O_CLOEXEC) < 0 || (child = fork()) < 0)
		bail("no child to read: %s", strerror(errno));
	if (child == 0) {
		dup2(ends[1], STDERR_FILENO);
		_exit(at[0] == 0);
	}
	close(ends[1]);
	while ((n = read(ends[0], text + len, sizeof text - 1 - len)) > 0)
		len += (size_t)n;
	text[len] = '\0';
	close(ends[0]);
	waitpid(child, NULL, 0);
	return text;
}

static void read_is_reported(const volatile unsigned char *at)
{
	ok(strstr(words_of_reader(at), "use-after-poison"),
	   "a read of a released chunk is reported");
}

#else

static bool is_closed(const volatile unsigned char *at)
{
	return at[0] == BSPT_POISON;
}

static void read_is_reported(const volatile unsigned char *at)
{
	ok(at[0] == BSPT_POISON, "a read of a released chunk finds poison");
}

#endif

/* The last byte of those that are filled in every build. */
static size_t last_of(size_t len)
{
	return (len < FILLED ? len : FILLED) - 1;
}

static void body(struct bspt *t)
{
	__attribute__((unused)) int discarded = 0, open = 0, behind = 0, released = 0;
	unsigned char *chunk;
	int from;
	size_t len, room;

	for (int i = 0; i < SIZES; i++) {
		size_t want = at_most(t, next_of(t), sizes[i]);

		chunk = chunk_for(t, next_of(t), want, &room);
		open += !is_closed(chunk) && !is_closed(chunk + want - 1);
		memset(chunk, i, want);
		discard_chunk(t, next_of(t), chunk);
		discarded += is_closed(chunk) && is_closed(chunk + last_of(want));
		post(t, next_of(t), (uint32_t)i, want - 8);
		chunk = await_chunk(t, &from, &len);
		if (len != want - 8 || wrong(chunk, len, (uint32_t)i))
			bail("%s: not the chunk that was sent", t->ops->name);
		behind += is_closed(chunk + len);
		release_chunk(t, from, chunk);
		released += is_closed(chunk) && is_closed(chunk + last_of(len));
		if (i == SIZES - 1)
			read_is_reported(chunk);
		meet(t);	/* else its sender may use it again */
	}
	is_int(SIZES, discarded, "discarded chunks are closed: bspt_poison_released()");
#ifdef __SANITIZE_ADDRESS__
	is_int(SIZES, open, "chunks can be written: bspt_poison_fresh()");
	is_int(SIZES, behind, "bytes behind the end of a chunk are closed: bspt_poison_arrived()");
#endif
	is_int(SIZES, released, "released chunks are closed: bspt_poison_released()");
}

int main(void)
{
#if !defined(__SANITIZE_ADDRESS__) && !defined(BSP_DEBUG)
	skip_all("not applicable: built without --enable-sanitizer=address, --enable-debug");
#endif
	over_each(body, (struct bspt_plan){ .nprocs = 2 }, "reads of released chunks are seen");
	return done_testing();
}
