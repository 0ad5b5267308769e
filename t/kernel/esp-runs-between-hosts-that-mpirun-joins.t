#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Processes that Open MPI's mpirun starts on two hosts find each other by PMIx and talk over ESP.

# The hosts are namespaces of one guest, which has the mpirun, the daemons and the plugins of this
# machine:
#
#	host h1, 10.199.0.1 ----- bridge ----- host h2, 10.199.0.2
#
# IP is for mpirun and the lifeline; the data go over ESP on the same interface.

. "${0%/*}/../lib/env.sh"
. "$top_srcdir/t/lib/guests.sh"

test "$MPIRUN" && "$MPIRUN" --version 2>/dev/null | grep -q 'Open MPI\|OpenRTE' ||
	skip_all "no mpirun of Open MPI here"
orted=$(command -v orted) || skip_all "no orted here"
has_plugin pmix || skip_all "no libpmix here"
command -v ompi_info >/dev/null || skip_all "no ompi_info here"
plugins=$(ompi_info --path pkglibdir --parsable | sed -n 's/.*pkglibdir://p')
help=$(ompi_info --path pkgdatadir --parsable | sed -n 's/.*pkgdatadir://p')
pmix=$(ldd "$top_builddir/.libs/bsp-pmix.so" | sed -n 's,.*=> \(/.*/libpmix[^ ]*\) .*,\1,p')
pmix=$(readlink -f "$pmix")
pmix=${pmix%/*}/pmix
test -d "$plugins" && test -d "$pmix" ||
	skip_all "the plugins of Open MPI or PMIx are not where they should be"

# The daemons need none of those that are for MPI itself.
files=$(find "$plugins" -name 'mca_*.so' |
	grep -vE \
	'/mca_(allocator|bml|btl|coll|crcp|fbtl|fcoll|fs|io|mpool|mtl|op|osc|pml|rcache|sharedfp|topo|vprotocol)_')
for file in "$pmix" "$help" "$top_builddir/.libs/bsp-pmix.so" "$orted"; do
	test ! -e "$file" || files="$files $file"
done
work=$(bsp_program work <<'END'
#include <bsp.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { BIG = 100001, ROUNDS = 20 };

static unsigned char mine[BIG], theirs[BIG];

int main(int argc, char **argv)
{
	int from = -1, bad = 0, p, me, left;

	bsp_begin(bsp_nprocs());
	p = bsp_nprocs(), me = bsp_pid(), left = (me + p - 1) % p;
	memset(mine, me + 1, BIG);
	bsp_push_reg(&from, sizeof(from));
	bsp_push_reg(theirs, BIG);
	bsp_sync();
	for (int s = 0; s < ROUNDS; s++) {
		int say = s * p + me;

		bsp_put((me + 1) % p, &say, &from, 0, sizeof(say));
		if (s == 5)
			bsp_put((me + 1) % p, mine, theirs, 0, BIG);
		bsp_sync();
		bad += from != s * p + left;
	}
	for (int i = 0; i < BIG; i++)
		bad += theirs[i] != left + 1;
	if (argc > 1 && !strcmp(argv[1], "die") && me == p - 1)
		kill(getpid(), SIGKILL);
	bsp_sync();
	printf("%d of %d: %d wrong\n", me, p, bad);
	bsp_end();
	return 0;
}
END
) || bail "cannot build the program"

cat >"$tap_dir/agent" <<'END'
#!/bin/sh
# Stands for ssh: agent HOST COMMAND...
host=$1
shift
exec /sbin/ip netns exec "$host" unshare -u sh -c 'hostname "$0" && exec sh -c "$1"' "$host" "$*"
END
chmod +x "$tap_dir/agent"

cat >"$tap_dir/script" <<END
export BSP_PLUGINS='$top_builddir/.libs'
mpirun=${MPIRUN##*/}
limit=$(limit 100)
END
cat >>"$tap_dir/script" <<'END'
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_plm_rsh_agent=/bin/agent TMPDIR=/tmp
echo 'root:x:0:0:root:/:/bin/sh' >/etc/passwd
printf '127.0.0.1 localhost\n10.199.0.1 h1\n10.199.0.2 h2\n' >/etc/hosts
ip link set lo up
segment 2
for host in 1 2; do
	ip -n h$host link set lo up
	ip -n h$host address add 10.199.0.$host/24 dev eth0
done

# launch COMMAND...: on h1
launch()
{
	timeout $limit agent h1 "$@" >/tmp/out 2>/tmp/err
	status=$?
}

# lines N: what a good job of N prints
lines()
{
	for p in $(seq 0 $(($1 - 1))); do
		echo "$p of $1: 0 wrong"
	done
}

show()
{
	ok $? "$1" || sed 's/^/# /' /tmp/out /tmp/err
}

launch bsprun -H h1:2,h2:2 --launcher mpirun --transport esp -x BSP_VERBOSE=1 work
test $status -eq 0 && test "$(sort /tmp/out)" = "$(lines 4)"
show "bsprun starts 2 processes on each of two hosts"
grep -q 'transport esp' /tmp/err && grep -q '2 nodes, esp inside, esp between them' /tmp/err
show "which talk over ESP"
BSP_TRANSPORT=esp BSP_ESP_INTERFACE=eth0 launch "$mpirun" --host h1:1,h2:3 -n 4 -x BSP_TRANSPORT -x BSP_ESP_INTERFACE work
test $status -eq 0 && test "$(sort /tmp/out)" = "$(lines 4)"
show "and mpirun 1 and 3, over the interface that is named"
launch bsprun -H h1:2,h2:2 --launcher mpirun --transport mix -x BSP_FAR=esp -x BSP_VERBOSE=1 work
test $status -eq 0 && test "$(sort /tmp/out)" = "$(lines 4)" && grep -q '2 nodes, shm inside, esp between them' /tmp/err
show "with shared memory on each host"
launch bsprun -H h1,h2 --launcher mpirun --transport esp --sync classic -x BSP_OFFLOAD=1 -x BSP_BARRIER=dissemination -x BSP_VERBOSE=1 work
test $status -eq 0 && test "$(sort /tmp/out)" = "$(lines 2)" && grep -q offloaded /tmp/err
show "a process on each, whose barrier runs in the kernels"
launch bsprun -H h1:2,h2:2 --launcher mpirun --transport esp work die
test $status -ne 0
show "a process that dies ends the job"
is "$(cat /proc/[0-9]*/comm | grep -xE "work|orted|$mpirun")" "" "and nothing stays behind"
launch bsprun -H h1,h2 --launcher mpirun --transport esp -x BSP_ESP_INTERFACE=eth7 work
grep -q 'there is no interface eth7 (BSP_ESP_INTERFACE)' /tmp/out /tmp/err
show "an interface that is missing is named"
done_testing
END
run_guest -m 768 -t 240 -f "$(echo $files)" -k "$modules/espgoal.ko" "$stock" "$tap_dir/script" \
	"$work" "$tap_dir/agent" \
	"$top_builddir/tools/bsprun/bsprun" "$MPIRUN"
