#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# A recording has what each process did; bspprof and bsprun make table, page and timeline of it.
# shellcheck disable=SC1090,SC2034,SC2154

. "${0%/*}/../lib/env.sh"
. "$top_srcdir/t/lib/installed.sh"

# is_xml FILE, is_json FILE
is_xml()
{
	python3 -c 'import sys, xml.dom.minidom; xml.dom.minidom.parse(sys.argv[1])' "$1"
}

is_json()
{
	python3 -c 'import json, sys; json.load(open(sys.argv[1]))' "$1"
}

# count FILE CONDITION: events of a timeline
count()
{
	python3 -c 'import json, sys
print(sum(1 for e in json.load(open(sys.argv[1]))["traceEvents"] if eval(sys.argv[2])))' "$1" "$2"
}

command -v python3 >/dev/null || bail "no python3"

# ---- A program of known supersteps -----------------------------------------------------------

# On an emulated network time is that of messages and the processor time of each process: it does
# not matter what else the machine does.
quick=L=1us,o=100ns,g=100ns,G=0.1ns

write_compute_h compute.h
cat >ring.c <<'END'
#include <bsp.h>
#include <bsp_coll.h>
#include "compute.h"

int main(void)
{
	double a[4] = { 0 }, b[4] = { 1 }, sum;
	int p, me;

	bsp_begin(bsp_nprocs());
	p = bsp_nprocs();
	me = bsp_pid();
	bsp_push_reg(b, sizeof b);
	bsp_sync();
	for (int i = 0; i < 20; i++) {
		bsp_put((me + 1) % p, a, b, 0, sizeof a);
		if (me == 1 && i == 0)
			compute(0.1);
		bsp_sync();
	}
	bsp_get((me + 1) % p, b, 0, a, 16);
	bsp_sync();
	bsp_send(0, 0, a, 8);
	bsp_sync();
	bsp_allreduce(BSP_SUM, BSP_DOUBLE, a, &sum, 1);
	bsp_end();
	return 0;
}
END
bspcc -o ring ring.c || bail "the program does not compile"
bsprun -n 3 --emulate $quick --record ring.rec --profile ring.html --trace ring.json ./ring
is 0 "$?" "a recorded program ends well"
is "ring.html ring.json ring.rec" "$(echo ring.[!c]*)" "and leaves what was asked for, no more"
bspprof ring.rec >table
is 0 "$?" "bspprof shows it"
like '^ring: 3 processes, transport emu, .* 24 supersteps' "$(cat table)" "processes, supersteps"
# 60 puts of 32 bytes, 3 gets of 16, 3 messages of 8
like 'sent 66 puts, gets and messages with 1992 bytes' "$(cat table)" "calls and bytes"
like ' 20 .* 640  bsp_sync ring.c:19$' "$(cat table)" "h of the supersteps of a loop"
like ' 24  bsp_sync ring.c:24$' "$(cat table)" "h of messages to one process"
like 'bsp_allreduce ring.c:25$' "$(cat table)" "a collective operation, by its name"
like '^ +20 .* 20 times$' "$(cat table)" "supersteps that repeat are one row"
worst=$(awk '/ring.c:19$/ && NF > 6 && !w { w = $9 } END { print w }' table)
is 1 "$worst" "the process that computed longest"
like 'process 1 ([5-9][0-9]|100)\.' "$(cat table)" "it is on the critical path"
is_xml ring.html
ok $? "the page is well-formed"
like '<td>640 B</td>' "$(cat ring.html)" "with the bytes from each to each"
like 'with relaxed barriers in all supersteps</dt><dd>[0-9.]+ ' "$(cat ring.html)" \
	"and what relaxed barriers would take"
none "$(grep -Eo '(src|href)="[^"]*"|<link' ring.html)" "and needs nothing else"
is_json ring.json
ok $? "the timeline is JSON"
is 3 "$(count ring.json "e['name'] == 'thread_name'")" "with a track for each process"
is 60 "$(count ring.json "e['name'] == 'bsp_sync ring.c:19'")" "each bsp_sync by its line"
test "$(count ring.json "e['ph'] == 's'")" -ge 2 &&
	test "$(count ring.json "e['ph'] == 's'")" = "$(count ring.json "e['ph'] == 'f'")"
ok $? "and arrows from who came last to who waited"
bspprof html ring.rec >again.html
cmp -s again.html ring.html
ok $? "the same recording makes the same page"

# ---- Relaxed supersteps ----------------------------------------------------------------------

cat >relaxed.c <<'END'
#include <bsp.h>
#include "compute.h"

int main(void)
{
	int x = 0, one = 1;

	bsp_begin(bsp_nprocs());
	bsp_push_reg(&x, sizeof x);
	bsp_set_sync(BSP_RELAXED);
	bsp_sync();
	for (int i = 0; i < 10; i++) {
		if (bsp_pid() == 0)
			compute(0.05);
		bsp_put(1 - bsp_pid(), &one, &x, 0, sizeof one);
		bsp_sync();
		bsp_read(&x, 1);
	}
	bsp_end();
	return 0;
}
END
bspcc -o relaxed relaxed.c || bail "the program does not compile"
bsprun -n 2 --emulate $quick --record relaxed.rec --trace relaxed.json ./relaxed
is 0 "$?" "a relaxed program is recorded"
bspprof relaxed.rec >table
read=$(awk '/bsp_read relaxed.c:17$/ && !w { w = $4 } END { print w }' table)
awk "BEGIN { exit !($read > 0.03) }"
ok $? "its time is lost in bsp_read" || diag "$(cat table)"
like 'process 0 ([6-9][0-9]|100)\.' "$(cat table)" \
	"and its critical path is the process that is late"
test "$(count relaxed.json "e['ph'] == 's' and e['tid'] == 0")" -ge 8
ok $? "with an arrow from each late put to the read that waited for it"

# ---- What does not fit -----------------------------------------------------------------------

cat >long.c <<'END'
#include <bsp.h>
#include <malloc.h>
#include <stdio.h>

static size_t bytes_in_use(void)
{
	struct mallinfo2 now = mallinfo2();

	return now.uordblks + now.hblkhd;
}

int main(void)
{
	static char data[1000];
	size_t before = 0;

	bsp_begin(bsp_nprocs());
	bsp_push_reg(data, sizeof(data));
	bsp_sync();
	for (int i = 0; i < 20000; i++) {
		if (i == 1000)
			before = bytes_in_use();
		bsp_send(1 - bsp_pid(), NULL, data, i % 1000);
		bsp_put(1 - bsp_pid(), data, data, 0, i / 1000);
		bsp_sync();
	}
	if (bytes_in_use() > before + (1 << 18))
		printf("%zu bytes, then %zu\n", before, bytes_in_use());
	bsp_end();
	return 0;
}
END
bspcc -o long long.c || bail "the program does not compile"
BSP_RECORD_LIMIT=64k bsprun -n 2 --record long.rec ./long >said
is 0 "$?" "a run whose supersteps all differ is longer than the recording may be"
is "" "$(cat said)" "whose memory does not grow either"
test "$(wc -c <long.rec)" -lt 150000
ok $? "stays within its limit"
bspprof long.rec >table
like '^long: 2 processes, .* 20002 supersteps' "$(cat table)" "has all supersteps"
like '^[0-9]+ supersteps did not fit and are sums only' "$(cat table)" "and says which are sums"
like '^ +20000 .* bsp_sync long.c:25$' "$(cat table)" "in the row of their call site"

# ---- Runs that do not end well ---------------------------------------------------------------

compile_dies
bsprun -n 3 --record dies.rec --profile dies.html ./dies 2>/dev/null
is 137 "$?" "a program of which a process dies has its status"
bspprof dies.rec >table
like '^dies: 3 processes, .* 5[01] supersteps' "$(cat table)" "what it did until then is kept"
like 'the run did not end well: process 2 was killed by signal 9' "$(cat table)" "with who died"
like 'process 2 was killed by signal 9' "$(cat dies.html)" "on the page, too"
like 'Not predicted: the run did not come to its end' "$(cat dies.html)" "without a prediction"
none "$(ls dies.rec?* 2>/dev/null)" "and nothing else is left"
BSP_NPROCS=3 BSP_RECORD=dies2.rec ./dies 2>/dev/null
bspprof join dies2.rec && bspprof dies2.rec >table
is 0 "$?" "without bsprun its parts can be joined"
like 'process 2 was killed by signal 9' "$(cat table)" "and say the same"
bsprun --record none.rec sh -c 'exit 3' 2>said
is 3 "$?" "a program that never begins has its status"
like 'there is no recording: the program did not come to bsp_begin' "$(cat said)" \
	"and no recording"

# ---- Names -----------------------------------------------------------------------------------

strange='a"b<c>&'\''d
e'
cp ring "$strange"
bsprun --record "$strange.rec" --profile "$strange.html" --trace "$strange.json" "./$strange"
is_xml "$strange.html" && is_json "$strange.json"
ok $? "quotes, markup and newlines in names do no harm"

# ---- Files that are none ---------------------------------------------------------------------

head -c 3000 ring.rec >short
head -c 5000 ring.rec >cut
head -c 100000 /dev/urandom >foreign
: >empty
for file in short foreign empty . missing; do
	bspprof "$file" >out 2>said
	is "1 0" "$? $(wc -c <out | tr -d ' ')" "$file is refused"
	like "^bspprof: $file: ." "$(cat said)" "with its name and why"
done
# The number of processes is behind magic, order, length, job and process.
cp ring.rec many
printf '\377\377\017' | dd of=many bs=1 seek=28 conv=notrunc 2>/dev/null
head -c 5000 many >million	# of the part of one process
for form in table html trace; do
	bspprof "$form" million >out 2>said
	is "1 0" "$? $(wc -c <out | tr -d ' ')" "one process of a million, as a $form"
	like '^bspprof: million: it lacks more than 65536 of the processes that it names' \
		"$(cat said)" "is refused before it takes time and memory"
done
mkfifo pipe
for file in pipe /dev/zero; do
	is "bspprof: $file: it is no file" "$(timeout -k 5 "$(limit)" bspprof $file 2>&1)" \
		"$file is refused in words, and not waited for"
done
bspprof cut >table
like 'damaged, and shown as far as it can be read' "$(cat table)" \
	"of what is cut off the rest is shown"
python3 - <<'END'
import random, subprocess
whole = open("dies.rec", "rb").read()
random.seed(1)
for i in range(60):
    damaged = bytearray(whole)
    for k in range(1 + i % 15):
        damaged[random.randrange(len(damaged))] = random.randrange(256)
    open("damaged", "wb").write(damaged)
    for form in ("table", "html", "trace"):
        end = subprocess.run(["bspprof", form, "damaged"], stdout=subprocess.DEVNULL,
                             stderr=subprocess.DEVNULL, timeout=60)
        if end.returncode not in (0, 1):
            open("damaged-%d" % i, "wb").write(damaged)
            raise SystemExit(1)
END
ok $? "damaged bytes end bspprof with status 0 or 1"
bspprof -o /dev/full ring.rec 2>said
is 1 "$?" "a full disk"
like 'No space left' "$(cat said)" "is reported"
bsprun --record missing/x ./ring 2>said
is 2 "$?" "a folder that is not there is reported before the run"
bsprun --compare --record x.rec ./ring 2>said
is 2 "$?" "and that a comparison is not recorded"
BSP_RECORD=missing/x bsprun ./ring 2>said
test "$?" != 0
ok $? "the library, too"
like 'bsp_begin: cannot write the recording .*missing/x\.[0-9a-f]+\.part' \
	"$(cat said)" "ends with the name"

done_testing
