#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# guest.sh - boots a stock kernel in QEMU, runs a test script in it and prints the script's TAP.

# usage: guest.sh [-w] [-m MIB] [-t SECONDS] [-c PROCESSORS] [-a KERNEL_ARGUMENTS] [-k "MODULE.ko
# PARAMETERS"]...
#		[-v SHIFT] [-f "FILE..."] [-n FOLDER -i NUMBER] [-d DEVICE] [-p FEATURES]
#		[-q "OPTION..."] STOCK SCRIPT [PROGRAM]...
#
# STOCK is a folder made by stock.sh. Busybox's shell runs SCRIPT in the guest; PROGRAMs are in /bin
# there, with their libraries, as are ip and tc. MODULEs are files, or names of the stock kernel's
# modules, and are loaded with their dependencies, in this order. FILEs and folders, with their
# libraries, have the same paths in the guest. With -n it is guest NUMBER on the segment that
# segment.c has made in FOLDER: its interface is eth0, with frames of up to 9000 bytes and the
# address 02:00:00:00:02:NN, and $guest is its number; see guests.sh. With -d and without -n it has
# two interfaces and a cable between them: eth0 (02:00:00:00:00:01) and eth1 (...:02). A DEVICE is
# virtio-net, as without -d, or vmxnet3, which can send a frame from several pieces of memory; the
# first cannot here. -p adds features to the processor: +ssse3,+sse4.1,+sse4.2. -q has more options
# of QEMU.
#
# SECONDS, 120 without -t, is when the guest hangs, on a quiet machine: BSP_GUEST_LIMIT is what it may
# take in percent of that, 100 if it is not set. All limits in the guest are scaled by it, too:
# $percent there.
#
# The guest is emulated: its times are good for ratios only. With -v its time is virtual: an
# instruction takes 2^SHIFT ns and a sleep no real time, so that times are those of a processor
# without caches and do not depend on the load of the host. QEMU's exit status is ignored: a run is
# good when the guest has reported status 0, the kernel is tainted by unsigned modules only, and
# the console shows no splat. Otherwise "not ok" lines report the failures, and the end of the
# console follows.

watched= mib=256 seconds=120 processors=1 arguments= wanted= files= segment= number= shift=
device= features= more=

fail()
{
	echo "Bail out! guest.sh: $*"
	exit 1
}

while getopts wm:t:c:a:k:v:f:n:i:d:p:q: option; do
	case $option in
	w) watched=yes ;;
	m) mib=$OPTARG ;;
	t) seconds=$OPTARG ;;
	c) processors=$OPTARG ;;
	a) arguments=$OPTARG ;;
	k) wanted="$wanted$OPTARG
" ;;
	v) shift=$OPTARG ;;
	f) files="$files $OPTARG" ;;
	n) segment=$OPTARG ;;
	i) number=$OPTARG ;;
	d) device=$OPTARG ;;
	p) features=,$OPTARG ;;
	q) more=$OPTARG ;;
	*) fail "wrong arguments; its first lines describe them" ;;
	esac
done
shift $((OPTIND - 1))
test -z "$segment" || device=${device:-virtio-net}
case $device in
virtio-net) wanted="virtio_pci
virtio_net
$wanted" ;;
vmxnet3) wanted="vmxnet3
$wanted" ;;
esac
percent=${BSP_GUEST_LIMIT:-100}
seconds=$((seconds * percent / 100))
# A debug kernel is larger, and ten times slower. It has a processor more, for data races between
# them, of which KCSAN looks for more than it would by itself; those of the kernel itself end nothing.
test "$watched" && mib=$((mib + 768)) seconds=$((seconds * 10)) processors=$((processors + 1)) &&
	arguments="$arguments panic_on_warn=0 kcsan.skip_watch=500"
test $# -ge 2 || fail "wrong arguments; its first lines describe them"
stock=$1 script=$2
shift 2

PATH=$PATH:/sbin:/usr/sbin
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d "${TMPDIR:-/tmp}/bsp-guest.XXXXXX") || exit 1
qemu=
cleanup()
{
	test "$qemu" && kill "$qemu" 2>/dev/null
	rm -rf "$work"
}
trap cleanup EXIT
trap 'exit 1' HUP INT TERM

root=$work/root
mkdir -p "$root/bin" "$root/proc" "$root/sys" "$root/dev" "$root/tmp" "$root/modules" "$root/etc"

# with_libraries FILE...: copies to the same paths in the guest, but this project's programs to /bin
with_libraries()
{
	for file do
		ldd "$file" 2>/dev/null | sed -n 's,.*[[:space:]]\(/[^ ]*\) (.*,\1,p' |
			while read -r library; do
			mkdir -p "$root${library%/*}"
			cp -L "$library" "$root$library"
		done
	done
}

add_programs()
{
	cp "$(command -v busybox)" "$root/bin/" || fail "no busybox"
	for program in ip tc; do
		file=$(command -v $program) || fail "no $program"
		mkdir -p "$root/sbin"
		cp -L "$file" "$root/sbin/"
		with_libraries "$file"
	done
	for program do
		cp -L "$program" "$root/bin/" || fail "no $program"
		with_libraries "$program"
	done
}

# Links are copied as links, as programs may find their files by them.
add_files()
{
	for file do
		mkdir -p "$root${file%/*}" && cp -a "$file" "$root${file%/*}/" || fail "no $file"
		find "$file" -type f >"$work/parts"
		while read -r part; do
			with_libraries "$part"
		done <"$work/parts"
	done
}

# add_module FILE PARAMETERS: unless it is there; without names for a debugger, and with them
# without the signature, which takes the emulator longer to check than the module to load
add_module()
{
	name=${1##*/}
	test -e "$root/modules/$name" && return
	strip -g -o "$root/modules/$name" "$1" || fail "no $1"
	echo "$name $2" >>"$root/modules/order"
}

# add_stock_module NAME PARAMETERS: with its dependencies, which modules.dep lists from right to
# left; unless the kernel has it built in
add_stock_module()
{
	grep -q "/$1\.ko\$" "$stock/modules/modules.builtin" && return
	line=$(grep -E "/$1\.ko:" "$stock/modules/modules.dep") ||
		fail "the stock kernel has no module $1"
	depends=
	for file in ${line#*:}; do
		depends="$file $depends"
	done
	for file in $depends; do
		add_module "$stock/modules/$file" ""
	done
	add_module "$stock/modules/${line%%:*}" "$2"
}

# add_own_module FILE PARAMETERS: with the stock modules that it uses
add_own_module()
{
	for name in $(modinfo -F depends "$1" | tr , ' '); do
		test -e "$root/modules/$name.ko" || add_stock_module "$name" ""
	done
	add_module "$1" "$2"
}

add_modules()
{
	: >"$root/modules/order"
	printf '%s' "$wanted" | while read -r module parameters; do
		case $module in
		*.ko) add_own_module "$module" "$parameters" ;;
		*) add_stock_module "$module" "$parameters" ;;
		esac || exit 1
	done || exit 1
}

# Most of the instructions of a boot would be tests of the kernel's cryptography and signatures of
# keys that nothing here uses, and zeroing of memory, which would hide what a module leaves unset.
frugal="cryptomgr.notests initcall_blacklist=load_system_certificate_list init_on_alloc=0"

# at_most MAXIMUM SECONDS: prints SECONDS in percent as well, which the kernel takes up to MAXIMUM
at_most()
{
	scaled=$(($2 * percent / 100))
	echo $((scaled < $1 ? scaled : $1))
}

boot()
{
	# On a busy machine a guest gets the processor so rarely that its kernel sees stalls.
	stalls="rcupdate.rcu_cpu_stall_timeout=$(at_most 300 21) watchdog_thresh=$(at_most 60 10)"
	image=$stock/vmlinux
	test -s "$image" || image=$stock/vmlinuz
	# QEMU's translator leaves out the barriers of a guest with one processor, so that guest and
	# device may each miss what the other has just put into a queue. By indices of events neither
	# would ever notify the other again; without them the next frame makes up for it.
	mtu=
	test "$device" = vmxnet3 || mtu=,host_mtu=9000,event_idx=off
	clock=${shift:+tsc_early_khz=1000000}
	set --
	if test "$segment"; then
		clock=$(cat "$segment/ready")
		set -- -serial "unix:$segment/bell.$number" -netdev \
			"dgram,id=net,local.type=unix,local.path=$segment/cable.$number,remote.type=unix,remote.path=$segment/hub" \
			-device "$device,netdev=net,mac=02:00:00:00:02:$(printf %02x "$number"),romfile=$mtu"
	elif test "$device"; then
		set -- -netdev hubport,id=a,hubid=0 -netdev hubport,id=b,hubid=0 \
			-device "$device,netdev=a,mac=02:00:00:00:00:01,romfile=$mtu" \
			-device "$device,netdev=b,mac=02:00:00:00:00:02,romfile=$mtu"
	fi
	# shellcheck disable=SC2086
	qemu-system-x86_64 -nodefaults -no-user-config -M q35,usb=off,vmport=off,pit=off -cpu \
		"qemu64$features" -accel tcg \
		${shift:+-icount "shift=$shift,sleep=off"} -m "$mib" -smp "$processors" -kernel \
		"$image" -initrd "$work/initramfs" -no-reboot -display none \
		-append \
		"console=ttyS0 quiet loglevel=5 nokaslr mitigations=off tsc=reliable no_timer_check oops=panic panic_on_warn=1 softlockup_panic=1 panic=-1 $frugal $stalls percent=$percent $clock ${number:+guest=$number} $arguments" \
		-serial "file:$work/console" -serial "file:$work/report" $more "$@" >"$work/qemu.log" \
		2>&1 </dev/null &
	qemu=$!
	(sleep "$seconds" & sleeper=$!; trap 'kill $sleeper' TERM; wait $sleeper && kill $qemu &&
		: >"$work/late") 2>/dev/null &
	guard=$!
	wait $qemu
	qemu=
	kill $guard 2>/dev/null
}

# Messages of the kernel about errors.
splats='BUG:|UBSAN:|WARNING:|Oops|general protection|Kernel panic|INFO: (possible|task|rcu)|unreferenced object|refcount_t|list_(add|del) corruption|Unable to handle|Modules linked in'

# The console from the first splat on, or its end.
show_console()
{
	first=$(grep -nE "$splats" "$work/console" | head -n 1 | cut -d: -f1)
	tail -n "+${first:-1}" "$work/console" |
		if test "$first"; then head -n 80; else tail -n 60; fi |
		tr -d '\r' | sed 's/^/# console: /'
}

# A debug kernel reports data races of its own as well: those without a function of these modules,
# and those that other modules, named in the title, have by themselves, whatever has called them.
# The function that an interrupt stopped, below the entry of the interrupt, has not called it.
drop_foreign_races()
{
	awk '
		/======================/ {
			if (inside)
				printf "%s", foreign ? "" : report $0 "\n"
			inside = !inside
			report = inside ? $0 "\n" : ""
			foreign = interrupted = 0
			next
		}
		!inside { print; next }
		/BUG: KCSAN/ { foreign = 1; theirs = / \[[a-z][a-z0-9_]*\]/ && !/\[(enet|espgoal)\]/ }
		/ by (interrupt|task)/ { interrupted = 0 }
		/ asm_(sysvec_|common_interrupt)/ { interrupted = 1 }
		/\[(enet|espgoal)\]/ && !theirs && !interrupted { foreign = 0 }
		{ report = report $0 "\n" }
		END { printf "%s", report }
	' "$work/console" >"$work/console.ours" && mv "$work/console.ours" "$work/console"
}

# bad TEXT: reports a failure
bad()
{
	echo "not ok - guest: $*"
	result=1
}

judge()
{
	result=0
	grep -v '^# guest: ' "$work/report"
	last=$(sed -n 's/^# guest: //p' "$work/report")
	case $last in
	"status 0 tainted 0" | "status 0 tainted 8192" | "status 0 tainted 12288" | \
		"status 0 tainted 4096") ;;
	"") bad "it ended without a report" ;;
	*) bad "it ended with $last" ;;
	esac
	test ! -e "$work/late" || bad "it was still running after $seconds s"
	drop_foreign_races
	grep -E "$splats" "$work/console" >"$work/splats" && bad "its kernel complains"
	test $result -eq 0 || show_console
	test -s "$work/console" || test -s "$work/report" || sed 's/^/# qemu: /' "$work/qemu.log"
	return $result
}

add_programs "$@"
# shellcheck disable=SC2086
add_files $files
add_modules || exit 1
cp "$here/init" "$here/testlib" "$root/" && cp "$script" "$root/test" || exit 1
(cd "$root" && find . | cpio -o -H newc --quiet) >"$work/initramfs" || fail "no cpio"
: >"$work/console"
: >"$work/report"
boot
tr -d '\r' <"$work/report" >"$work/report.unix" && mv "$work/report.unix" "$work/report"
judge
