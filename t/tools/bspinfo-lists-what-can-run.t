#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Bspinfo names version, build, transports with what is against them, and settings.
# shellcheck disable=SC1090,SC2034,SC2154

. "${0%/*}/../lib/env.sh"
. "$top_srcdir/t/lib/installed.sh"

bspinfo >info
ok $? "bspinfo runs"
like "^version +$(bspcc -showme:version | sed 's/.*bsp \([^ ]*\) .*/\1/')\$" "$(cat info)" \
	"the version"
like "^prefix +/" "$(cat info)" "the prefix"
like "^compiler +$(echo "$CC" | sed 's/[.+]/\\&/g')" "$(cat info)" "the compiler"
like "^flags +" "$(cat info)" "its flags"
like "^processors +[1-9][0-9]*\$" "$(cat info)" "the processors"
is "$(nproc --all >/dev/null 2>&1 && nproc)" "$(sed -n 's/^processors *//p' info)" \
	"as many as nproc says"
like "^  none\$" "$(cat info)" "no settings"

for name in $(sed -n 's/^TRANSPORT(\(.*\))/\1/p' "$top_srcdir/transport/transports.def"); do
	like "^  $name +[a-z]" "$(cat info)" "transport $name is listed"
done
like "cannot run here with 3 processes: .*one process" "$(bspinfo -n 3)" \
	"why a transport cannot run"
built=$(grep -c '^TRANSPORT(' "$top_srcdir/transport/transports.def")
# mix is there, but may find nothing to go between nodes
test "$(bspinfo -n 1 | grep -c 'can run here with 1 process$')" -ge $((built - 1))
ok $? "all that are built in can with one process"
for name in $(sed -n 's/^PLUGIN(\([a-z]*\),.*/\1/p' "$top_srcdir/transport/transports.def"); do
	like "^  $name +[a-z]" "$(cat info)" "transport $name is listed, built or not"
done
without=$(BSP_PLUGINS=/nowhere bspinfo -n 2)
for name in $(sed -n 's/^PLUGIN(\([a-z]*\),.*/\1/p' "$top_srcdir/transport/transports.def"); do
	told=$(echo "$without" | sed -n "/^  $name /,/^  [a-z]/p" | sed '1d;/^  [a-z]/d')
	like "bsp-$name(-openmpi)?.so is not installed" "$told" "transport $name: its part is missing"
	none "$(echo "$told" | grep 'beyond the core')" "and its abilities are not listed"
done
like "between nodes: ofi: .*; mpi: .* names another folder\)" "$without" \
	"a reason made of several is printed to its end"
like "cannot run here with 5 processes" "$(BSP_NPROCS=5 bspinfo)" "BSP_NPROCS says for how many"

like "^  BSP_NPROCS=5\$" "$(BSP_NPROCS=5 bspinfo)" "a setting is shown"
like "^  BSP_CREDIT=much is wrong: expected auto, or a number" "$(BSP_CREDIT=much bspinfo)" \
	"a wrong one is named"
like "L 24 us, o 10 us, g 7 us, G 29.2 ns; computation 80 times that here" \
	"$(BSP_EMULATE=sp2,g=7us bspinfo)" "a network has its parameters"
like "no network: 'sp3' is no network known" "$(BSP_EMULATE=sp3 bspinfo)" \
	"one that is none does not"
like "^  BSP_BARRER=flat is no setting; is it BSP_BARRIER\?\$" "$(BSP_BARRER=flat bspinfo)" \
	"so is one that is mistyped"
like "^  BSP_MY_OWN_THING= is no setting\$" "$(BSP_MY_OWN_THING='' bspinfo)" \
	"and one that is like no other"

if command -v python3 >/dev/null; then
	BSP_TRANSPORT='a"b\c' BSP_BARRER=flat bspinfo -n 3 --json >json
	python3 - >seen 2>&1 <<'END'
import json
info = json.load(open('json'))
assert set(info) == {'version', 'prefix', 'compiler', 'flags', 'processors', 'transports', 'settings', 'unknown'}, info
by_name = {t['name']: t for t in info['transports']}
assert by_name['self']['usable'] is False and 'one process' in by_name['self']['reason'], by_name
assert by_name['self']['nprocs'] == 3
assert all(t['usable'] == (t['reason'] is None) for t in info['transports'])
assert all(isinstance(t['capabilities'], list) for t in info['transports'])
assert info['settings'] == {'BSP_TRANSPORT': 'a"b\\c'}, info['settings']
assert info['unknown'] == {'BSP_BARRER': 'flat'}, info['unknown']
assert info['processors'] >= 1
END
	ok $? "--json is JSON and says the same" || diag "$(cat seen)"
else
	skip "--json: no python3 here"
fi

for arguments in "-n 0" "-n 4097" "-n x" "-n" "--nonsense" "more"; do
	# shellcheck disable=SC2086
	seen=$(bspinfo $arguments 2>&1)
	is 2 $? "bspinfo $arguments: status 2"
	like "^bspinfo: " "$seen" "bspinfo $arguments: says why"
done
like "^usage: bspinfo " "$(bspinfo --help)" "--help"
like "^bspinfo .*[0-9]\.[0-9]" "$(bspinfo --version)" "--version"
bspinfo >/dev/full 2>/dev/null
ok $((! $?)) "a full disk is an error"

done_testing
