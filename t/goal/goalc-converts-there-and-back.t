#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Goalc compile, dump, compile gives the same file; both spellings, standard streams, and exit
# statuses.
# shellcheck disable=SC2154

. "${0%/*}/../lib/env.sh"

goalc=$top_builddir/tools/goalc/goalc
goal=$top_srcdir/t/goal/data
cd "$tap_dir" || bail "no $tap_dir"

for name in cyclic annotated; do
	"$goalc" compile -o $name.bin "$goal/$name.goal"
	ok $? "$name: compiled"
	"$goalc" dump -o $name.goal $name.bin
	ok $? "$name: dumped"
	"$goalc" compile -o again.bin $name.goal && cmp $name.bin again.bin
	ok $? "$name: compiled again it is the same"
	"$goalc" dump $name.goal | cmp - $name.goal
	ok $? "$name: so is the text"
	"$goalc" --compile - <"$goal/$name.goal" | "$goalc" --dump | "$goalc" compile |
		cmp - $name.bin
	ok $? "$name: through standard streams, by the other spelling"
	is "$("$goalc" check "$goal/$name.goal" | sed 's/.*: //')" \
		"$("$goalc" --check $name.bin | sed 's/.*: //')" \
		"$name: check says the same of both"
	is "$(grep -c '' <"$goal/$name.goal")" \
		"$("$goalc" dump "$goal/$name.goal" >/dev/null; grep -c '' <"$goal/$name.goal")" \
		"$name: what is read stays"
done

like '^  b1: 80 bytes, read, written, aligned to 8$' "$("$goalc" list annotated.bin)" \
	"list shows the buffers"
like ' 6: local add u64 to 8b at b1\+8 from 8b at scratch\+8; waits for 2$' \
	"$("$goalc" list --rank 0 annotated.bin)" \
	"and the operations"
is 1 "$("$goalc" list --rank 1 annotated.bin | grep -c '^rank')" "of one rank, if asked"

# status STATUS ARGUMENT...: what goalc says is in the file said
status()
{
	wanted=$1
	shift
	"$goalc" "$@" >out 2>said </dev/null
	is "$wanted" $? "status $wanted: goalc $*"
}

status 0 --help
status 0 --version
status 2
status 2 nonsense
status 2 --nonsense
status 2 compile --nonsense
status 2 compile -x
status 2 compile -o
status 2 compile one two
status 2 list --rank x annotated.bin
status 2 svg -L many annotated.bin
status 1 compile nowhere.goal
like 'nowhere.goal: No such file' "$(cat said)" "what is not there is named"
status 1 compile "$goal/bad-cycle.goal"
status 1 check "$goal/bad-cycle.goal" annotated.bin
like '^annotated.bin: processes 3' "$(cat out)" "after a wrong file the next one is checked"
status 1 list --rank 3 annotated.bin
status 1 dump -o nowhere/out annotated.bin

head -c 100 annotated.bin >short.bin
status 1 check short.bin
like '^goalc: short.bin: at byte 100: ' "$(cat said)" "the byte is named"
"$goalc" gen barrier -P 4 --rank 1 --binary -o block.bin
status 1 check block.bin
like 'block.bin: the block of one process' "$(cat said)" "a block alone is no schedule of all"
status 1 compile -o wrong.bin "$goal/bad-cycle.goal"
test ! -e wrong.bin
ok $? "where text is wrong no file is left"
if test -w /dev/full; then
	"$goalc" dump annotated.bin >/dev/full 2>said
	is 1 $? "a full device is an error"
	like 'standard output: ' "$(cat said)" "and is told"
	"$goalc" dump -o /dev/full annotated.bin 2>said
	is 1 $? "so it is by its name"
	test -c /dev/full
	ok $? "and it is not removed"
else
	skip "no /dev/full here"
fi

done_testing
