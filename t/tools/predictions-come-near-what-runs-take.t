#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# A recording that is simulated takes about as long as the run, and on another network as one there.
# shellcheck disable=SC1090,SC2034,SC2154

. "${0%/*}/../lib/env.sh"
. "$top_srcdir/t/lib/installed.sh"

# Without computing (cpu=0) emulated times are those of messages alone, the same in every run.
slow=L=40us,o=5us,g=8us,G=20ns,cpu=0
fast=L=5us,o=1us,g=2us,G=2ns,cpu=0

cat >steps.c <<'END'
#include <bsp.h>
#include <stdlib.h>

static double a[4096], b[4096];

/* Puts to the neighbour, a get, messages to one process; and large puts to all. */
int main(int argc, char **argv)
{
	int relaxed = argc > 1, p, me;

	bsp_begin(bsp_nprocs());
	p = bsp_nprocs();
	me = bsp_pid();
	bsp_push_reg(b, sizeof b);
	if (relaxed)
		bsp_set_sync(BSP_RELAXED);
	bsp_sync();
	for (int i = 0; i < 50; i++) {
		bsp_put((me + 1) % p, a, b, 0, 8 * (i + 1));
		bsp_sync();
		bsp_read(b, 1);
	}
	for (int i = 0; i < 10; i++) {
		for (int q = 0; q < p; q++)
			bsp_put(q, a, b, 1000 * me, 8000);
		bsp_sync();
		bsp_read(b, p);
	}
	if (!relaxed) {
		for (int i = 0; i < 5; i++) {
			bsp_get((me + 1) % p, b, 0, a, 800);
			bsp_sync();
			bsp_send(0, NULL, a, 8);
			bsp_sync();
		}
	}
	bsp_end();
	return 0;
}
END
bspcc -o steps steps.c || bail "the program does not compile"

# seconds FILE COLUMN NETWORK: of a prediction
seconds()
{
	awk -v column="$2" -v network="$3" '/^as published/ { exit } index($0, network) == 1 {
		print $(NF - 5 + column) }' "$1"
}

# near A B PERCENT
near()
{
	awk -v a="$1" -v b="$2" -v percent="$3" 'BEGIN {
		exit !(a > 0 && b > 0 && a < b * (1 + percent / 100) &&
		       b < a * (1 + percent / 100)) }'
}

for nprocs in 2 3 8; do
	for form in '' relaxed; do
		name="$nprocs processes, ${form:-classic}"
		# shellcheck disable=SC2086
		bsprun -n $nprocs --emulate $slow --record slow.rec ./steps $form &&
			bsprun -n $nprocs --emulate $fast --record fast.rec ./steps $form &&
			bspprof predict --on $fast slow.rec >predicted
		is 0 "$?" "$name: recorded and predicted"
		took=$(sed -n 's/^the run took \([0-9.]*\) s.*/\1/p' predicted)
		near "$took" "$(seconds predicted 1 'the same network')" 15
		ok $? "$name: on its own network" || diag "$(cat predicted)"
		bspprof predict fast.rec >own
		took=$(sed -n 's/^the run took \([0-9.]*\) s.*/\1/p' own)
		near "$took" "$(seconds predicted 1 L=5us)" 15
		ok $? "$name: on another one" || diag "took $took; $(cat predicted)"
	done
done

# The saving of relaxed barriers is predicted from the recording of the classic run.
bsprun -n 8 --emulate $slow --sync classic --record classic.rec ./steps relaxed
bspprof predict classic.rec >predicted
bsprun -n 8 --emulate $slow --record relaxed.rec ./steps relaxed
bspprof table relaxed.rec >table
took=$(sed -n 's/^steps: .* supersteps, \([0-9.]*\) s/\1/p' table)
near "$took" "$(seconds predicted 3 'the same network')" 15
ok $? "a classic run predicts how long a relaxed one takes" || diag "$took; $(cat predicted)"

# The protocols of the paper, from the recording of the relaxed run. Without computing, and in
# virtual order, runs take the same time each time.
in_order=$slow,order=1
bsprun -n 8 --emulate $in_order -x BSP_BARRIER=twophase --record org.rec ./steps relaxed
bsprun -n 8 --emulate $in_order -x BSP_EAGER=0 --record rel.rec ./steps relaxed
bspprof predict relaxed.rec | sed '1,/^as published/d' >predicted
for way in org rel; do
	ran=$(bspprof table $way.rec | sed -n 's/^steps: .* supersteps, \([0-9.]*\) s/\1/p')
	near "$ran" "$(awk -v way=$way '{ print $(way == "org" ? 4 : 5); exit }' predicted)" 12
	ok $? "how long $way takes" || diag "$ran; $(cat predicted)"
done

# Neighbours: from the recording of a run with them, and from one with barriers of all.
cat >line.c <<'END'
#include <bsp.h>

int main(void)
{
	int n = 0, pids[2];
	double a[100] = { 0 }, b[100];

	bsp_begin(bsp_nprocs());
	if (bsp_pid() > 0)
		pids[n++] = bsp_pid() - 1;
	if (bsp_pid() < bsp_nprocs() - 1)
		pids[n++] = bsp_pid() + 1;
	bsp_push_reg(b, sizeof b);
	bsp_set_neighbors(n, pids);
	bsp_sync();
	for (int step = 0; step < 50; step++) {
		for (int k = 0; k < n; k++)
			bsp_put(pids[k], a, b, 0, sizeof(double) * (1 + step));
		if (step % 10 == 0)
			bsp_push_reg(&pids[0], sizeof pids[0]);
		bsp_sync();
	}
	bsp_end();
	return 0;
}
END
bspcc -o line line.c || bail "the program does not compile"
bsprun -n 8 --emulate $slow -x BSP_NEIGHBORS=0 --record all.rec ./line
bspprof predict all.rec >predicted
bsprun -n 8 --emulate $slow --record line.rec ./line
bspprof predict line.rec >own
ran=$(sed -n 's/^the run took \([0-9.]*\) s.*/\1/p' own)
near "$ran" "$(seconds own 1 'the same network')" 10
ok $? "neighbours: as recorded" || diag "$ran; $(cat own)"
near "$(sed -n 's/^the run took \([0-9.]*\) s.*/\1/p' predicted)" \
	"$(seconds own 2 'the same network')" 10
ok $? "and as if with barriers of all" || diag "$(cat predicted own)"
neighbors=$(sed '1,/^with neighbours/d' predicted | awk '{ print $5; exit }')
near "$ran" "$neighbors" 10
ok $? "a run with barriers of all predicts how long one with neighbours takes" ||
	diag "$ran; $(cat predicted)"

# bsprun --compare has the two ways, on an emulated network with the same figures.
bsprun -n 8 --emulate $slow --compare --ways classic,neighbors --rounds 1 ./line >table
is 0 $? "both are compared"
near "$(awk '$1 == "total" { print 100 - $(NF - 1) }' table)" \
	"$(awk '/^with neighbours/ { getline; print 100 - $(NF - 1) }' predicted)" 10
ok $? "which saves what is predicted" || diag "$(cat table predicted)"

bsprun -n 8 --emulate $slow --predict $fast,rdma100 ./steps >said
is 0 "$?" "bsprun --predict"
is 6 "$(grep -cE '^(the same network|L=5us[^ ]*|rdma100) .* %$' said)" \
	"has two rows for each network"
none "$(ls bsprun.*)" "and leaves no recording"

# The gain of one call site: a bsp_sync that could be relaxed, and a bsp_read after which the
# reader sends as much as it has waited for.
cat >sites.c <<'END'
#include <bsp.h>

static char data[8], sent[100000];

int main(int argc, char **argv)
{
	int relaxed_first = argc > 1;

	bsp_begin(bsp_nprocs());
	bsp_push_reg(data, sizeof data);
	bsp_push_reg(sent, sizeof sent);
	bsp_set_sync(relaxed_first ? BSP_RELAXED : BSP_CLASSIC);
	bsp_sync();
	for (int i = 0; i < 20; i++) {
		bsp_put((bsp_pid() + 1) % bsp_nprocs(), data, data, 0, sizeof data);
		bsp_sync();
		if (relaxed_first)
			bsp_read(data, 1);
	}
	bsp_set_sync(BSP_RELAXED);
	bsp_sync();
	if (bsp_pid() == 0)
		bsp_put(1, sent, sent, 0, sizeof sent);
	bsp_sync();
	if (bsp_pid() == 1) {
		bsp_read(sent, 1);
		bsp_put(2, sent, sent, 0, sizeof sent);
	}
	bsp_sync();
	bsp_sync();
	if (bsp_pid() == 2)
		bsp_read(sent, 1);
	bsp_end();
	return 0;
}
END
bspcc -o sites sites.c || bail "the program does not compile"
bsprun -n 4 --emulate $slow --record sites.rec ./sites
bspprof predict sites.rec >predicted
line='^[0-9.]+ +[0-9.]+  bsp_sync sites.c:16, if it were relaxed$'
like "$line" "$(cat predicted)" "which bsp_sync would gain from being relaxed"
line='^[0-9.]+ +[0-9.]+  bsp_read sites.c:26, if what it reads were there before it$'
like "$line" "$(cat predicted)" "which bsp_read would gain from an earlier put"
before=$(sed -n 's/^the run took \([0-9.]*\) s.*/\1/p' predicted)
saves=$(sed -n 's/^\([0-9.]*\) .*sites.c:16,.*/\1/p' predicted)
bsprun -n 4 --emulate $slow --record sites.rec ./sites relaxed
bspprof predict sites.rec >predicted
after=$(sed -n 's/^the run took \([0-9.]*\) s.*/\1/p' predicted)
near "$saves" "$(awk -v a="$before" -v b="$after" 'BEGIN { print a - b }')" 25
ok $? "and how much: as it is when the program is changed" || diag "$before - $after, not $saves"

# A network that was measured.
bspprobe -n 2 --emulate $slow --json >probe.json 2>/dev/null
bspprof predict --on @probe.json,cpu=0 relaxed.rec >predicted
is 0 "$?" "a network that bspprobe has measured"
near "$took" "$(seconds predicted 1 @probe.json)" 15
ok $? "is as good" || diag "$took; $(cat predicted)"

# The graph as text.
bspprof goal -o graph.goal relaxed.rec
goalc check graph.goal >/dev/null
is 0 "$?" "goalc accepts the graph"
ps=$(goalc sim -b -L 40000000 -o 5000000 -g 8000000 -G 20000 graph.goal)
near "$took" "$(awk -v ps="$ps" 'BEGIN { print ps * 1e-12 }')" 10
ok $? "and simulates about the same time" || diag "$ps ps, $took s"

# Networks and recordings that cannot be predicted for are refused.
bspprof predict --on nowhere relaxed.rec >out 2>said
is 1 "$?" "a network that is none"
like '^bspprof: relaxed.rec: .*nowhere' "$(cat said)" "is named"
bspprof predict --on sp2, relaxed.rec >out 2>said
is 1 "$?" "a comma behind the last network"
like '^bspprof: relaxed.rec: a name is empty' "$(cat said)" "is refused"
head -c 9000 relaxed.rec >cut
bspprof predict cut >out 2>said
is 1 "$?" "what is cut off"
like 'cut: the run did not come to its end' "$(cat said)" "is not predicted"

done_testing
