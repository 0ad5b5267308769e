/* SPDX-License-Identifier: BSD-3-Clause */
/* An exposed area keeps its contents; peers read and write it; unexposed it is private. */
#include "../lib/windows.h"

static int accepted, refused;

/* Wrong bytes in the peer's window, which is read in odd pieces. */
static long wrong_seen(struct bspt *t, int peer, const struct window *w, uint32_t seed)
{
	unsigned char piece[1000];
	long n = 0;

	for (size_t at = w->head, len; at < w->len - w->tail; at += len) {
		len = 1 + mixed(1, 1, (uint32_t)at) % sizeof piece;
		if (len > w->len - w->tail - at)
			len = w->len - w->tail - at;
		read_window(t, peer, w->name, at, piece, len);
		for (size_t i = 0; i < len; i++)
			n += piece[i] != pattern(seed, at + i);
	}
	return n;
}

static void write_all(struct bspt *t, int peer, const struct window *w, uint32_t seed)
{
	unsigned char piece[777];

	for (size_t at = w->head, len; at < w->len - w->tail; at += len) {
		len = w->len - w->tail - at < sizeof piece ? w->len - w->tail - at : sizeof piece;
		for (size_t i = 0; i < len; i++)
			piece[i] = pattern(seed, at + i);
		write_window(t, peer, w->name, at, piece, len);
	}
}

/* While it is exposed; how many bytes were wrong. */
static long use(struct bspt *t, const struct window *mine, const struct window *theirs)
{
	int next = next_mate(t);
	long bad = wrong_seen(t, next, theirs, 1);

	meet(t);
	write_all(t, next, theirs, 2);
	post(t, next, 3, 8);
	bad += !fetch(t, prev_mate(t), 3, 8);
	bad += wrong_part(mine->base, 0, mine->head, 1);
	bad += wrong_part(mine->base, mine->head, mine->len - mine->tail, 2);
	bad += wrong_part(mine->base, mine->len - mine->tail, mine->len, 1);
	meet(t);
	fill(mine->base, mine->len, 4);
	meet(t);
	bad += wrong_seen(t, next, theirs, 4);
	meet(t);
	return bad;
}

static void check(struct bspt *t, unsigned char *base, size_t len, const char *kind)
{
	struct window mine, theirs;
	long bad = 0;

	fill(base, len, 1);
	mine = expose(t, base, len);
	bad += wrong(base, len, 1);
	theirs = exchange(t, &mine, next_mate(t));
	if (theirs.refused != mine.refused)
		bail("%s: not all processes can expose memory of one kind", t->ops->name);
	refused += mine.refused;
	accepted += !mine.refused;
	if (!mine.refused) {
		bad += mine.head > PAGE || mine.tail >= PAGE || mine.head + mine.tail > len;
		bad += use(t, &mine, &theirs);
		t->ops->unexpose(t, mine.name);
		bad += wrong(base, len, 4);
		bad += !is_private(base, len);
	}
	is_int(0, bad, "%s, %zu bytes: what went wrong", kind, len);
	meet(t);
}

static void check_sizes(struct bspt *t, unsigned char *base, const char *kind)
{
	static const size_t lens[] = { 1, 100, PAGE, 2 * PAGE - 1, 65539, 200000 };
	static const size_t offsets[] = { 0, 1, 16, PAGE - 1 };

	for (size_t i = 0; i < sizeof lens / sizeof lens[0]; i++)
		for (size_t k = 0; k < sizeof offsets / sizeof offsets[0]; k++)
			check(t, base + offsets[k], lens[i], kind);
}

static void body(struct bspt *t)
{
	static unsigned char data[200000 + PAGE] = { 1 }, bss[200000 + PAGE];
	unsigned char *heap = malloc(200000 + PAGE), *mapped = map_private(64 * PAGE);

	check_sizes(t, data, "initialised data");
	check_sizes(t, bss, "other data");
	check_sizes(t, heap, "heap");
	accepted = refused = 0;
	check(t, mapped, 64 * PAGE, "a mapping");
	is_int(1, accepted, "memory that can be exposed if any can is exposed");
	free(heap);
}

int main(void)
{
	struct bspt_plan plan = { .nprocs = 2, .reserve_bytes = (size_t)256 << 20,
				  .wait_policy = { .yield_ns = 2000000 } };

	over_windows(body, plan, "contents stay");
	plan.nprocs = 3;
	over_windows(body, plan, "contents stay");
	return done_testing();
}
