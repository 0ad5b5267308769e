#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Statistics, profile, timeline and checker count each call once, at its line, and number alike.
# shellcheck disable=SC1090,SC2034,SC2154

. "${0%/*}/../lib/env.sh"
. "$top_srcdir/t/lib/installed.sh"

# Behind each call that is timed: how often all three processes together make it. Tests are made
# until they say yes, and the program says how often that was.
cat >calls.c <<'END'
#include <bsp_coll.h>
#include <bsp_goal.h>
#include <stdio.h>

static double x[4] = { 1, 1, 1, 1 }, y = 1, z;
static int tests;

static void collectives(void)
{
	size_t sizes[3] = { sizeof(y), sizeof(y), sizeof(y) };
	bsp_request r;

	bsp_gatherv(0, &y, sizeof(y), x, sizes, NULL);			/* 3 */
	bsp_neighbor_exchange(0, NULL, NULL, NULL, 8);			/* 3 */
	for (int i = 0; i < 10; i++)
		bsp_allreduce(BSP_SUM, BSP_DOUBLE, &y, &z, 1);		/* 30 */
	for (int i = 0; i < 10; i++) {
		r = bsp_iallreduce(BSP_SUM, BSP_DOUBLE, &y, &z, 1);	/* 30 */
		bsp_allreduce(BSP_SUM, BSP_DOUBLE, x, x + 1, 1);	/* 30 */
		bsp_wait(&r);						/* 30 */
		bsp_wait(&r);	/* nothing is under way: no call */
	}
	r = bsp_ibcast(0, &y, &z, sizeof(y));				/* 3 */
	do
		tests++;
	while (!bsp_test(&r));						/* asked */
	bsp_allreduce(BSP_SUM, BSP_DOUBLE, &y, &z, 0);			/* 3 */
	z = bsp_sumD(y);						/* 3 */
}

static void schedules(void)
{
	struct goal_graph *g = goal_graph_create(bsp_nprocs(), bsp_pid());
	struct goal_schedule *s;
	struct goal_request *f;
	size_t len;
	void *block;

	goal_calc(g, 10);
	block = goal_compile(g, &len);
	s = goal_load(block, len);					/* 3 */
	for (int i = 0; i < 4; i++)
		goal_wait(goal_start(s, NULL)), y += 0;			/* 12 12 */
	f = goal_start(s, NULL);					/* 3 */
	while (!goal_test(&f))						/* asked */
		tests++;
	goal_unload(s);
}

static void transfers(void)
{
	int right = (bsp_pid() + 1) % bsp_nprocs();

	bsp_push_reg(x, sizeof(x));
	bsp_sync();							/* 3 */
	for (int i = 0; i < 5; i++) {
		bsp_put(right, &y, x, 0, sizeof(y));
		bsp_hpget(right, x, 8, &z, sizeof(z));
		bsp_send(right, NULL, &y, sizeof(y));
		bsp_sync();						/* 15 */
	}
	if (bsp_pid() == 0)
		bsp_direct_get(1, x, 16, &z, sizeof(z));		/* 1 */
}

static void relaxed(void)
{
	int right = (bsp_pid() + 1) % bsp_nprocs();

	bsp_set_sync(BSP_RELAXED);
	bsp_sync();							/* 3 */
	for (int i = 0; i < 7; i++) {
		bsp_put(right, &y, x, 0, sizeof(y));
		bsp_send(right, NULL, &y, sizeof(y));
		bsp_sync();						/* 21 */
		bsp_read(x, 1);						/* 21 */
		bsp_expect(1);						/* 21 */
	}
}

int main(void)
{
	bsp_begin(3);
	collectives();
	printf("tests %d\n", tests);
	tests = 1;
	schedules();
	printf("tests of schedules %d\n", tests);
	transfers();
	relaxed();
	bsp_sync(); bsp_end();						/* 3 3 */
	return 0;
}
END
bspcc -o calls calls.c || bail "the program does not compile"

# expected ASKED ASKED-OF-SCHEDULES: "name file:line total" of each call, sorted
expected()
{
	$AWK -v asked="$1" -v schedules="$2" '
	/\/\* ([0-9 ]+|asked) \*\/$/ {
		totals = line = $0
		sub(/.*\/\* /, "", totals)
		sub(/\/\*.*/, "", line)
		split(totals, total, " ")
		# an inner call comes behind the outer one
		for (i = 1; match(line, /(bsp|goal)_[a-z]*[A-Za-z_]*\(/); i++) {
			name = substr(line, RSTART, RLENGTH - 1)
			line = substr(line, RSTART + RLENGTH)
			if (total[i] == "asked")
				total[i] = name == "bsp_test" ? asked : schedules
			print name, "calls.c:" NR, total[i]
		}
	}' calls.c | sort
}

# in_table FILE, in_page FILE, in_timeline FILE: the same, as each of them has it
in_table()
{
	$AWK '/^call sites/ { on = 1; next } /^$/ { on = 0 }
	on && $(NF) ~ /^calls.c:/ { printf "%s %s %.0f\n", $(NF - 1), $NF, $1 * 3 }' "$1" | sort
}

in_page()
{
	sed -n 's|.*<code>\(.*\)</code> \(calls.c:.*\)</th><td>\([0-9.]*\)</td>.*|\1 \2 \3|p' \
		"$1" | $AWK '{ printf "%s %s %.0f\n", $1, $2, $3 * 3 }' | sort
}

in_timeline()
{
	sed -n 's/.*"ph":"X".*"name":"\([a-zA-Z_]* calls.c:[0-9]*\)".*/\1/p' "$1" | sort |
		uniq -c | $AWK '{ print $2, $3, $1 }' | sort
}

# same_counts FILE WHERE: beside the file expected
same_counts()
{
	cmp -s expected "$1"
	ok $? "$2 has each call, and as often as it was made" || diag "$(diff expected "$1")"
}

# field NAME FILE: of the report, for each process
field()
{
	tr ',{[' '\n\n\n' <"$2" | sed -n "s/^ *\"$1\": *\"*\([^\"}]*\).*/\1/p" | tr '\n' ' '
}

bsprun -n 3 --record calls.rec --profile calls.html --trace calls.json --stat --report report \
	./calls >said 2>stat
is 0 "$?" "a program with calls of each kind ends well"
# shellcheck disable=SC2046
expected $($AWK '/^tests [0-9]/ { a += $2 } /^tests of/ { b += $4 } END { print a, b }' said) \
	>expected
is 24 "$(wc -l <expected | tr -d ' ')" "it has calls at so many places"
bspprof calls.rec >table
in_table table >from-table
same_counts from-table "the table"
in_page calls.html >from-page
same_counts from-page "the page"
in_timeline calls.json >from-timeline
same_counts from-timeline "the timeline"

# ---- Sums of them ----------------------------------------------------------------------------

is "35 35 35 " "$(field collectives report)" "statistics count operations by their starts"
is "5 5 5 " "$(field gets report | $AWK '{ print $1 - 1, $2, $3, "" }')" "gets, once each"
is "12 12 12 " "$(field puts report)" "puts"
like 'sent 88 puts, gets and messages with 704 bytes$' "$(cat table)" \
	"the profile has as many transfers: 36 puts, 16 gets, 36 messages"
like ', 105 calls with 792 bytes in all$' "$(cat stat)" "and statistics print the sums"

# ---- Supersteps ------------------------------------------------------------------------------

is 16 "$($AWK '/bsp_(sync|end) / { n += $3 } END { print n / 3 }' expected)" \
	"each ends with bsp_sync or bsp_end"
like '^bsp: 3 processes, 16 supersteps' "$(cat stat)" "so many supersteps has --stat"
is "16 " "$(field supersteps report)" "--report"
like '^calls: 3 processes, .*, 16 supersteps' "$(cat table)" "the table"
like '<dt>supersteps</dt><dd>16</dd>' "$(cat calls.html)" "the page"
is 16 "$(grep -c '"ph":"C"' calls.json)" "the timeline"
is 16 "$($AWK '/^supersteps that/ { on = 1 } /^$/ && n { on = 0 }
	on && $NF ~ /calls.c/ { n += $1 } END { print n }' table)" "and the rows that repeat"
bsprun -n 3 --check ./calls >said 2>check
is 0 "$?" "the checker lets it pass"
like '^bsp: checked 10 supersteps, 21 reads, 21 puts, 21 expects, 21 messages: well-formed$' \
	"$(cat check)" "and counts those that are relaxed"

cat >last.c <<'END'
#include <bsp.h>
#include <signal.h>

int main(int argc, char **argv)
{
	bsp_begin(2);
	for (int i = 0; i < 5; i++)
		bsp_sync();
	if (argc == 2)
		bsp_put(7, argv, argv, 0, 1);
	if (argc == 3 && bsp_pid() == 1)
		raise(SIGKILL);
	bsp_end();
	return 0;
}
END
bspcc -o last last.c || bail "the program does not compile"
bsprun -n 2 --record last.rec --report report ./last
is "6 " "$(field supersteps report)" "five bsp_sync and bsp_end are six supersteps"
bsprun -n 2 ./last fail 2>said
like 'process [01], superstep 5, last.c:10' "$(cat said)" "of which an error in the last names 5"
bsprun -n 2 ./last killed there 2>said
like 'killed by signal 9 .*process 1, superstep 5, after last.c:8' "$(cat said)" \
	"and so does the end of a process"

# ---- Arrows ----------------------------------------------------------------------------------

# Process 0 goes on when process 1 sleeps, which it does in its next wait.
cat >late.c <<'END'
#include <bsp.h>
#include <sched.h>
#include <stdio.h>
#include <unistd.h>

static int sleeper;

static char state_of(int pid)
{
	char name[64], state = 0;
	FILE *f;

	snprintf(name, sizeof(name), "/proc/%d/stat", pid);
	f = fopen(name, "r");
	if (!f || fscanf(f, "%*d (%*[^)]) %c", &state) != 1)
		bsp_abort("cannot read %s", name);
	fclose(f);
	return state;
}

static void wait_until_other_sleeps(void)
{
	while (bsp_pid() == 0 && state_of(sleeper) != 'S')
		sched_yield();
}

int main(void)
{
	int x = 0, me, late;

	bsp_begin(2);
	late = bsp_pid() == 0;
	bsp_push_reg(&x, sizeof(x));
	bsp_push_reg(&sleeper, sizeof(sleeper));
	bsp_sync();
	me = getpid();
	if (!late)
		bsp_put(0, &me, &sleeper, 0, sizeof(me));
	bsp_set_sync(BSP_RELAXED);
	bsp_sync();
	wait_until_other_sleeps();
	if (late)
		bsp_put(1, &late, &x, 0, sizeof(x));
	bsp_sync();
	bsp_read(&x, !late);
	wait_until_other_sleeps();
	if (late)
		bsp_send(1, NULL, &x, sizeof(x));
	bsp_sync();
	bsp_expect(!late);
	wait_until_other_sleeps();
	bsp_end();
	return 0;
}
END
bspcc -o late late.c || bail "the program does not compile"
bsprun -n 2 --trace late.json ./late
is "put send barrier " "$(sed -n 's/.*"ph":"s".*"tid":0,.*"name":"\([a-z]*\)".*/\1/p' \
	late.json | tail -n 3 | tr '\n' ' ')" "an arrow has the name of what ended the wait"

# ---- Calls that do not fit -------------------------------------------------------------------

$AWK 'BEGIN {
	print "#include <bsp_coll.h>\nint main(void)\n{\n\tdouble x = 1;\n\n\tbsp_begin(2);"
	print "\tfor (int i = 0; i < 3000; i++)"
	print "\t\tbsp_allreduce(BSP_SUM, BSP_DOUBLE, &x, &x, 1 + i % 2);"
	for (i = 0; i < 80; i++)
		print "\tbsp_allreduce(BSP_SUM, BSP_DOUBLE, &x, &x, 1);"
	print "\tbsp_end();\n\treturn 0;\n}"
}' | sed 's/double x = 1;/double x[2] = { 1, 1 };/; s/&x/x/g' >many.c
bspcc -o many many.c || bail "the program does not compile"
BSP_RECORD_LIMIT=64k bsprun -n 2 --record many.rec ./many
is 0 "$?" "a run with more calls than its recording may have"
bspprof many.rec >table
is "1 2998 3000 3081" "$($AWK '
	/^call sites/ { on = 1; next } /^$/ { on = 0 }
	on && / bsp_allreduce many.c:8$/ { first += $1 }
	on && / bsp_allreduce many.c:/ { named += $1 }
	on && / bsp_end many.c:/ { ends += $1 }
	on && $1 ~ /^[0-9]/ { all += $1; rows++ }
	END { print ends, (first >= 2998) * 2998, first, all }' table)" \
	"has all of them, those without a place of their own under no line that made others" ||
	diag "$(cat table)"

done_testing
