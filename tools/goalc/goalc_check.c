// SPDX-License-Identifier: BSD-3-Clause
/* goalc_check.c - goalc check: is a schedule right, and what is in it? */

#include "goalc.h"
#include "goal/sim/goal_match.h"

enum { LISTED_MOST = 10 };		/* findings of a kind that are printed */

/* Findings about one file. */
struct findings {
	const char *file;
	size_t n;			/* of this kind */
	bool any;
};

/* May another one be printed? */
static bool goalc_check_one_more(struct findings *f)
{
	f->any = true;
	return f->n++ < LISTED_MOST;
}

static void end_of_kind(struct findings *f, const char *what)
{
	if (f->n > LISTED_MOST)
		printf("%s: and %zu more %s\n", f->file, f->n - LISTED_MOST, what);
	f->n = 0;
}

/* As the text has it, with its number there: -1 is any. */
static void print_message(const struct findings *f, const struct goal_match_message *m, bool sends)
{
	uint32_t peer = sends ? m->to : m->from;

	printf("%s: rank %u, o%u: %s %llub %s %lld tag %lld", f->file, m->rank, m->op->index,
	       sends ? "send" : "recv", (unsigned long long)m->op->bytes, sends ? "to" : "from",
	       peer == GOAL_ANY ? -1LL : peer, m->tag == GOAL_ANY ? -1LL : m->tag);
}

static void tell_lonely(struct findings *f, const struct goal_match_list *list, bool sends)
{
	for (size_t i = 0; i < list->n; i++) {
		if (list->message[i].partner != GOAL_MATCH_NONE || !goalc_check_one_more(f))
			continue;
		print_message(f, &list->message[i], sends);
		puts(sends ? ": no process receives it" : ": no process sends it");
	}
	end_of_kind(f, sends ? "sends without a receive" : "receives without a send");
}

static void tell_lengths(struct findings *f, const struct goal_match *m)
{
	for (size_t i = 0; i < m->recvs.n; i++) {
		const struct goal_match_message *recv = &m->recvs.message[i], *send;

		if (recv->partner == GOAL_MATCH_NONE)
			continue;
		send = &m->sends.message[recv->partner];
		if (send->op->bytes == recv->op->bytes || !goalc_check_one_more(f))
			continue;
		print_message(f, recv, false);
		printf(": the message has %llu bytes\n", (unsigned long long)send->op->bytes);
	}
	end_of_kind(f, "receives of another length");
}

/* With open receives others may get the messages, and all may end. */
static void tell_stuck(struct findings *f, const struct goal_match *m)
{
	if (m->stuck == 0 || m->open)
		return;
	f->any = true;
	printf("%s: deadlock: operations that wait for each other and never end: %zu, the first "
	       "is rank %d, o%u\n",
	       f->file, m->stuck, m->first_stuck_rank, m->first_stuck->index);
}

static int goalc_check_check_file(const char *file)
{
	struct findings f = { .file = file };
	struct goal_set set;
	struct goal_match m;
	bool good;
	int status = goalc_load(file, &set);

	if (status)
		return status;
	good = goal_match_create(&m, &set);
	if (good) {
		printf("%s: processes %d, operations %zu, messages %zu, bytes %llu, longest chain "
		       "%zu\n",
		       file, set.nprocs, m.nops, m.sends.n, (unsigned long long)m.bytes, m.chain);
		tell_lonely(&f, &m.sends, true);
		tell_lonely(&f, &m.recvs, false);
		tell_lengths(&f, &m);
		tell_stuck(&f, &m);
	}
	goal_match_free(&m);
	goal_set_free(&set);
	if (!good)
		return goalc_fail("%s: not enough memory", file);
	return f.any ? GOALC_WRONG : GOALC_GOOD;
}

int goalc_check(int argc, char **argv)
{
	static const struct option_row none = { .name = NULL };
	int status = goalc_options(&argc, argv, &none, NULL, NULL);

	if (status)
		return status;
	if (argc == 1)
		status = goalc_check_check_file("-");
	for (int i = 1; i < argc; i++)
		if (goalc_check_check_file(argv[i]))
			status = GOALC_WRONG;
	if (goalc_close(stdout, NULL))
		status = GOALC_WRONG;
	return status;
}
