/* SPDX-License-Identifier: BSD-3-Clause */
/* Long labels, long lines and many statements are read, in a time that ends. */
#include "../lib/schedules.h"

enum { OPS = 300000, LONG = 1 << 20 };

struct text {
	char *bytes;
	size_t len;
	FILE *out;
};

static void begin(struct text *t)
{
	t->out = open_memstream(&t->bytes, &t->len);
	if (!t->out)
		bail("no memory for a text");
	fputs("num_ranks 1\nrank 0 {\n", t->out);
}

/* Operations, or -1; @t is gone. */
static int operations(struct text *t)
{
	struct goal_where where;
	struct goal_set set;
	int nops;

	fputs("}\n", t->out);
	fclose(t->out);
	if (goal_parse(&set, t->bytes, t->len, &where)) {
		diag("%d:%d: %s", where.line, where.column, where.what);
		free(t->bytes);
		return -1;
	}
	nops = (int)((const struct goal_header *)set.block[0])->nops;
	goal_set_free(&set);
	free(t->bytes);
	return nops;
}

static void repeat(struct text *t, char c)
{
	for (int i = 0; i < LONG; i++)
		putc(c, t->out);
}

int main(void)
{
	struct text t;

	begin(&t);
	for (int i = 0; i < OPS; i++) {
		fprintf(t.out, "label%d: calc %d\n", i, i);
		if (i > 0)
			fprintf(t.out, "label%d requires label%d\nlabel%d requires label0\n", i,
				i - 1, i);
	}
	is_int(OPS, operations(&t), "%d labels in a chain", OPS);

	begin(&t);
	repeat(&t, 'a');
	fputs(": calc 1\nb: calc 2\nb requires ", t.out);
	repeat(&t, 'a');
	fputs("\n//", t.out);
	repeat(&t, 'c');
	fputs("\n", t.out);
	repeat(&t, ' ');
	fputs("calc 3\n", t.out);
	is_int(3, operations(&t), "a label, a comment and blanks of a million characters");

	begin(&t);
	fputs("//! scratchpad 8b\n//! call 0 from 1b at scratch", t.out);
	for (int i = 0; i < 60000; i++)
		fputs(", 1b at scratch+3", t.out);
	fputs("\ncalc 0\n", t.out);
	is_int(1, operations(&t), "a list of 60000 pieces on one line");

	begin(&t);
	for (int i = 0; i < OPS; i++)
		fprintf(t.out, "l%d: calc 1\n", i);
	for (int i = 1; i < OPS; i++)
		fprintf(t.out, "l%d requires l%d\n", i - 1, i);
	fprintf(t.out, "l%d requires l0\n", OPS - 1);
	is_int(-1, operations(&t), "a cycle of %d operations is found", OPS);
	return done_testing();
}
