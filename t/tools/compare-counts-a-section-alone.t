#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Bsprun --compare --only NAME counts what is done in that section, --without NAME the rest.
# shellcheck disable=SC1090,SC1091,SC2154

. "${0%/*}/../lib/env.sh"
. "$top_srcdir/t/lib/installed.sh"

# Two processes have 3 puts of 4 bytes in each of 5 sections, one put outside before and after; the
# second section of process 1 alone has a message more. In virtual time process 0 computes nothing.
cat >parts.c <<'END'
#include <bsp.h>

static int x;

static void step(int other)
{
	bsp_put(other, &other, &x, 0, sizeof(x));
	bsp_sync();
	bsp_read(&x, 1);
}

int main(void)
{
	int other, i, k;

	bsp_begin(2);
	other = 1 - bsp_pid();
	bsp_section("setup");
	bsp_push_reg(&x, sizeof(x));
	bsp_set_sync(BSP_RELAXED);
	bsp_sync();
	bsp_section_end("setup");
	step(other);
	for (i = 0; i < 5; i++) {
		bsp_section("rounds");
		if (i == 1 && bsp_pid() == 1)
			bsp_send(1, 0, &i, sizeof(i));
		for (k = 0; k < 3; k++)
			step(other);
		bsp_section_end("rounds");
	}
	step(other);
	bsp_end();
	return 0;
}
END
bspcc -o parts parts.c || bail "the program does not compile"
export BSP_UNREAD=ignore

# counts OPTION...: puts, messages and bytes of both ways
counts()
{
	bsprun -n 2 --compare --rounds 1 "$@" ./parts >table || diag "$(cat table)"
	awk '$1 == "puts" || $1 == "messages" || $1 == "sent" { $1 = $1; print }' table
}

is "puts 34 34
messages 1 1
sent 140 B 140 B" "$(counts)" "the whole run"
is "puts 30 30
messages 1 1
sent 124 B 124 B" "$(counts --only rounds)" "the section alone"
like ', only section rounds$' "$(head -n 1 table)" "as the heading says"
is "puts 4 4
messages 0 0
sent 16 B 16 B" "$(counts --without rounds)" "all but the section"
like ', all but section rounds$' "$(head -n 1 table)" "as it says as well"
is "puts 0 0
messages 0 0
sent 0 B 0 B" "$(counts --only setup)" "a section without a put"

# Computing takes no virtual time with cpu=0; a message takes 1 ms, a barrier of two processes
# one. So a round that is classic takes 3 barriers, 5 rounds 15 ms; all but them 1 for
# setup and 1 for each step before and after. The report is made before the barrier of bsp_end.
network=L=1ms,o=0,g=0,G=0,cpu=0
total()
{
	bsprun -n 2 --emulate $network --compare --rounds 1 "$@" ./parts |
		awk '/^total/ { print $2, $3 }'
}
is "15.00 ms" "$(total --only rounds)" "15 barriers in the sections"
is "3.000 ms" "$(total --without rounds)" "3 outside of them"
is "18.00 ms" "$(total)" "of 18"

# Replayed, each process computes 2 ms in its first section, 10 in its second with a barrier, and 1
# behind that; outside of them it computes 1, 4 and 5 with a barrier.
cat >computes.c <<'END'
#include <bsp.h>

int main(void)
{
	bsp_begin(2);
	bsp_section("a");
	bsp_section_end("a");
	bsp_sync();
	bsp_section("a");
	bsp_sync();
	bsp_section_end("a");
	bsp_end();
	return 0;
}
END
bspcc -o computes computes.c || bail "the program does not compile"
{
	echo 'run computes 2 emu'
	for process in 0 1; do
		echo "process $process
section a.c:1 a 1000000
section_end a.c:2 a 3000000
barrier a.c:3 7000000 8000000
section a.c:4 a 8000000
barrier a.c:5 18000000 19000000
section_end a.c:6 a 20000000
end a.c:7 25000000 25000000"
	done
} | "$top_builddir/t/lib/recorded" computes.rec || bail "the description is wrong"
# replayed NAME=VALUE: the seconds that count
replayed()
{
	bsprun -n 2 --emulate L=1ms,o=0,g=0,G=0 --replay computes.rec -x "$1" \
		--report replayed.json ./computes
	sed -n 's/.*"seconds": \([0-9.]*\).*/\1/p' replayed.json
}
is 0.014000000 "$(replayed BSP_ONLY=a)" "computing that is replayed is in the sections"
is 0.011000000 "$(replayed BSP_WITHOUT=a)" "and outside of them"
is 0.025000000 "$(replayed BSP_ONLY=)" "as in the recorded run"

is 'bsprun: the program has no section "round"; there are: "setup", "rounds"' \
	"$(bsprun -n 2 --compare --rounds 1 --only round ./parts 2>&1)" \
	"a name that does not occur is named with those that do"
for wrong in "--only a" "--only a --without b --compare" "--only a --compare --html page.html" \
	"-x BSP_WITHOUT=b --only a --compare" "-x BSP_ONLY=a --compare --html page.html" \
	"-x BSP_ONLY=a -x BSP_WITHOUT=b"; do
	# shellcheck disable=SC2086
	bsprun -n 2 $wrong ./parts >/dev/null 2>&1
	is 2 $? "$wrong: a wrong command line"
done
bsprun -n 2 --only rounds --report report.json ./parts >/dev/null 2>&1
is 2 $? "a report alone has the setting"
BSP_ONLY=rounds bsprun -n 2 --report report.json ./parts
like '"only": "rounds", "sections": \["setup", "rounds"\]' "$(cat report.json)" "which it names"
is "bsp_begin: BSP_ONLY and BSP_WITHOUT are both set; set one" \
	"$(BSP_ONLY=a BSP_WITHOUT=b ./parts 2>&1 | sed 's/ (.*//')" "both of the settings"
BSP_STAT=1 BSP_ONLY=round ./parts 2>err
like ', only section round, which has not begun$' "$(head -n 1 err)" \
	"statistics name it, and that it has not begun"

# Sections of one process alone are in the list, too.
cat >alone.c <<'END'
#include <bsp.h>

int main(void)
{
	bsp_begin(2);
	if (bsp_pid() == 1) {
		bsp_section("a \"name\"");
		bsp_section_end("a \"name\"");
	}
	bsp_end();
	return 0;
}
END
bspcc -o alone alone.c || bail "the program does not compile"
bsprun -n 2 --report report.json ./alone
like '"sections": \["a \\"name\\""\]' "$(cat report.json)" "a section of process 1 alone"

done_testing
