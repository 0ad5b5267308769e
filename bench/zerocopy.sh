#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# zerocopy.sh - what ESP_SO_ZEROCOPY saves: streams of ESP with and without a copy, in guests.

# zerocopy.sh [BYTES...]: of a call of send(), by default 16 KiB to 1 MiB. Run in the build folder,
# or in any with BUILD naming it, after make stock-kernel kernel-modules. It prints two tables of
# Markdown:
#
#	in virtual time (guest.sh -v 0), of two namespaces of a guest, over lo and between two
#	network devices that take a frame from several pieces of memory: what both ends do takes
#	together
#	in real time, of two guests: time, and processor time of the sender's guest
#
# ROUNDS: of each figure, by default 9 in real time, 3 in virtual time. Guests compute checksums
# with the instruction for CRC-32C.

. "${0%/*}/in_guest.sh"
testbed=$here/../kernel/testbed
test $# -gt 0 || set -- 16384 32768 65536 131072 262144 524288 1048576

# table WHAT KIB: of the rows on standard input, for batches of so many KiB
table()
{
	awk -v what="$1" -v mib="$(($2 / 1024))" '
	# The quantile p of v[1] to v[n], which it sorts.
	function quantile(v, n, p,    i, j, x) {
		for (i = 2; i <= n; i++) {
			x = v[i]
			for (j = i - 1; j >= 1 && v[j] > x; j--)
				v[j + 1] = v[j]
			v[j + 1] = x
		}
		return v[int(1 + (n - 1) * p + 0.5)]
	}
	function figures(column, scale, digits,    i, v, at) {
		for (i = 1; i <= n; i++)
			v[i] = column[i] / scale
		at = "%." digits "f"
		return sprintf(at " [" at ", " at "] | ", quantile(v, n, 0.5), \
			quantile(v, n, 0.25), quantile(v, n, 0.75))
	}
	$2 == "row" {
		size[$3] = 1
		way = $5 == "copy" ? "copy" : "pages"
		time[$3, $4, way] = $6
		busy[$3, $4, way] = $7
		if ($4 + 1 > n)
			n = $4 + 1
	}
	END {
		for (s in size) {
			for (i = 1; i <= n; i++) {
				t0[i] = time[s, i - 1, "copy"]
				t1[i] = time[s, i - 1, "pages"]
				tr[i] = t1[i] / t0[i]
				b0[i] = busy[s, i - 1, "copy"]
				b1[i] = busy[s, i - 1, "pages"]
				br[i] = b0[i] ? b1[i] / b0[i] : 0
			}
			line = "| " what " | " s / 1024 " | " figures(t0, 1000 * mib, 2) \
				figures(t1, 1000 * mib, 2) figures(tr, 1, 2)
			if (what == "guests")
				line = line figures(b0, 1000 * mib, 2) figures(b1, 1000 * mib, 2) \
					figures(br, 1, 2)
			sub(/ $/, "", line)
			print s, line
		}
	}' | sort -n | cut -d' ' -f2-
}

# rows OUTPUT: unless the guests have failed
rows()
{
	grep -q '^# row ' "$1" || fail "$(cat "$1")"
	! grep -q '^not ok' "$1" || fail "$(cat "$1")"
	grep '^# row ' "$1"
}

# Prints the script of a guest with two hosts, over the interfaces $from and $to.
virtual_script()
{
	echo "sizes='$sizes' rounds=${ROUNDS:-3} from=$from to=$to address=$address"
	cat <<'END'
device_cable || exit
ip -n a link set lo up && ip -n a link set a0 mtu 9000 && ip -n b link set b0 mtu 9000 || exit
host=b
test $to != lo || host=a
in_ns $host zerocopy receive $to &
sleep 1
in_ns a zerocopy send $from $address 4096 $rounds $sizes >/tmp/rows
ok $? "all has arrived"
sed 's/^/# /' /tmp/rows
done_testing
END
}

guests_script()
{
	echo "sizes='$sizes' rounds=${ROUNDS:-9}"
	cat <<'END'
if test "$guest" = 2; then
	zerocopy receive eth0 &
	sleep 1
	barrier
	wait
else
	barrier
	zerocopy send eth0 02:00:00:00:02:02 16384 $rounds $sizes >/tmp/rows
fi
ok $? "all has arrived"
test ! -e /tmp/rows || sed 's/^/# /' /tmp/rows
done_testing
END
}

for file in "$modules/enet.ko" "$build/stock/complete"; do
	test -e "$file" || fail "no $file: make stock-kernel kernel-modules"
done
grep -q '/vmxnet3\.ko' "$build/stock/modules/modules.dep" || fail "the guest has no vmxnet3"
cc=${CC:-cc}
$cc -O2 "$testbed/segment.c" -D_GNU_SOURCE -o "$work/segment" || fail "cannot build segment"
needs "$build/bench/zerocopy"
sizes=$*
set -- -d vmxnet3 -p +ssse3,+sse4.1,+sse4.2 -m 512 -k crc32c-intel -k "$modules/enet.ko" -t 500 \
	"$build/stock" "$work/script" "$build/bench/zerocopy"

echo "| between | KiB of a call | copy, ms/MiB | pages, ms/MiB | ratio |"
echo "| :-- | --: | --: | --: | --: |"
while read -r what from to address; do
	virtual_script >"$work/script"
	sh "$testbed/guest.sh" -v 0 "$@" >"$work/out" </dev/null
	rows "$work/out" | table "$what" 4096 || exit
done <<END
devices a0 b0 02:00:00:00:00:02
lo lo lo 00:00:00:00:00:00
END
guests_script >"$work/script"
sh "$testbed/guests.sh" "$work/segment" 2 "$@" >"$work/out" || fail "$(cat "$work/out")"
cat <<'END'

| between | KiB of a call | copy, ms/MiB | pages, ms/MiB | ratio | busy, copy | pages | ratio |
| :-- | --: | --: | --: | --: | --: | --: | --: |
END
rows "$work/out" | table guests 16384
