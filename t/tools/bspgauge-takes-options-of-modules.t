#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Options of modules reach the module that they name, and messages arrive by each value; modules of
# remote memory access and raw IP carry messages where they can.
# shellcheck disable=SC1090,SC2034,SC2154

. "${0%/*}/../lib/env.sh"
. "$top_srcdir/t/lib/installed.sh"

bspgauge --list >list
# of_module NAME: what the list says of it
of_module()
{
	awk -v name="$1" '/^  [a-z]/ { here = $1 == name } here' list
}
like "^ +needs: registered memory" "$(of_module bsp-hpput)" "what needs memory that is registered"
none "$(of_module bsp-hpput | grep 'channel semantics')" "what is one-sided has no channel"
like "can: .*channel semantics" "$(of_module tcp)" "sockets have"
like "^ +option interface=NAME: " "$(of_module eth)" "options are listed"

# carries MODULE OPTION...: each message of carries() and of three samples of two sizes
carries()
{
	module=$1
	shift
	bspgauge -n 2 --module "$module" --pattern one_one --sizes 1:4k:4k --samples 3 --csv csv \
		"$@" >table 2>errors
	ok $? "$module $*: runs" || diag "$(cat errors)"
	is 3,3 "$(awk -F, -v m="$module" '$2 == m && $5 == "us" && $8 > 0 { print $11 }' csv |
		paste -sd ,)" "$module $*: so many samples of both sizes" || diag "$(cat table)"
}

for module in bsp-hpput bsp-hpget; do
	carries $module
	bspgauge -n 3 --module $module --pattern one_one --sizes 1:1 >table
	like "one_one over $module: not measured: a message is a superstep, of 2 processes" \
		"$(cat table)" "$module: a third process would have to know of each message"
done
# A superstep of an emulated network in which 4095 bytes more cross once, 10 ns each: 40.95 us, and
# no more than headers of 105 bytes.
BSP_TRANSPORT=emu BSP_EMULATE=L=20us,o=1us,g=2us,G=10ns,cpu=0 carries bsp-hpput
awk -F, '$5 == "us" { at[n++] = $8 } END { more = at[1] - at[0]
	exit !(n == 2 && more >= 40.95 && more <= 42) }' csv
ok $? "bsp-hpput: the time of a byte is that of the network" || diag "$(cat csv)"

while read -r module option values; do
	if ! of_module $module | grep -q . || of_module $module | grep -q 'cannot run here'; then
		skip "$module cannot run here"
		continue
	fi
	for value in $values; do
		carries "$module" --option "$module:$option=$value"
	done
done <<'END'
ofi-rma registration registered send copy
mpi-rma epoch job message
END

# Each of several jobs has the options of its module.
bspgauge -n 2 --module tcp,udp --option eth:interface=lo --option esp:interface=lo \
	--pattern one_one --sizes 1:1 --samples 1 --csv csv >table 2>errors
ok $? "options of modules that are not measured" || diag "$(cat errors)"
is "tcp udp" "$(awk -F, '$5 == "us" { print $2 }' csv | sort | paste -sd ' ')" "change nothing"

# Raw IP and raw Ethernet in a network of the test's own, which has an interface besides lo.
cat >inside <<'END'
ip link set lo up && ip link add other type veth peer name end && ip link set other up &&
	ip link set end up || exit 77
bspgauge -n 2 --module ip --pattern one_one,loggp --sizes 1:4k:4k --samples 3 --csv ip.csv \
	>table 2>errors || exit
bspgauge -n 2 --interface other --module eth --option eth:interface=lo --pattern one_one \
	--sizes 1:1 --samples 3 --csv lo.csv >table 2>>errors || exit
bspgauge -n 2 --interface lo --module eth --option eth:interface=other --pattern one_one \
	--sizes 1:1 --samples 3 >table 2>>errors || exit
bspgauge -n 2 --interface lo --module eth --option edp:interface=other --option \
	esp:interface=other --pattern one_one --sizes 1:1 --samples 3 --csv others.csv \
	>of_others 2>>errors
END
as_root=
test "$(id -u)" -eq 0 || as_root=--map-root-user
# shellcheck disable=SC2086
if unshare $as_root --net true 2>/dev/null; then
	unshare $as_root --net sh ./inside
	ok $? "raw sockets in a network of their own" || diag "$(cat table errors)"
	is 3,3 "$(awk -F, '$3 == "one_one" && $5 == "us" { print $11 + $13 }' ip.csv |
		paste -sd ,)" "raw IP: samples came or were lost"
	like "^,ip,loggp,discarded,samples,2," "$(cat ip.csv)" "LogGP is measured over it"
	is 3 "$(awk -F, '$5 == "us" { print $11 + $13 }' lo.csv)" \
		"raw Ethernet: over the interface of the option"
	like "one_one over eth: not measured: what arrived is not what was sent" "$(cat table)" \
		"one that leads elsewhere carries nothing back"
	is 3 "$(awk -F, '$5 == "us" { print $11 + $13 }' others.csv)" \
		"an option of another module leaves the interface as it was" ||
		diag "$(cat of_others)"
else
	skip "no namespaces here"
fi

done_testing
