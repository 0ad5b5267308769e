#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# A program with rights that its user has not loads no code and touches no file that a setting
# names, joins no launcher, and still runs.
# shellcheck disable=SC1090,SC2034,SC2154

. "${0%/*}/../lib/env.sh"
. "$top_srcdir/t/lib/installed.sh"

test "$(id -u)" -eq 0 || skip_all "no rights to make a setuid program here"
command -v setpriv >/dev/null || skip_all "no setpriv here"
test -z "$BSP_SANITIZE" ||
	skip_all "not applicable: no leak checker may look into a program with rights of another"

# Another user must come to the program; and to an own folder, with settings of an attacker.
chmod 711 "$tap_dir" && chmod 755 . && mkdir theirs only-root && chmod 700 only-root &&
	chown 65534:65534 theirs || bail "no folders"

cat >ring.c <<'END'
#include <bsp.h>
#include <stdio.h>
#include <sys/auxv.h>

int main(void)
{
	int left = -1, right = -1, me;

	bsp_begin(bsp_nprocs());
	me = bsp_pid();
	bsp_push_reg(&left, sizeof left);
	bsp_sync();
	bsp_put((me + 1) % bsp_nprocs(), &me, &left, 0, sizeof me);
	bsp_sync();
	bsp_direct_get((me + 1) % bsp_nprocs(), &left, 0, &right, sizeof right);
	bsp_sync();
	printf("%d after %d, %d%s\n", me, left, right, getauxval(AT_SECURE) ? ", secure" : "");
	bsp_end();
	return 0;
}
END
bspcc -o ring ring.c || bail "the program does not compile"
cat >evil.c <<'END'
#include <fcntl.h>
#include <unistd.h>

__attribute__((constructor)) static void attack(void)
{
	close(open(TRACE, O_WRONLY | O_CREAT, 0666));
}
END
for part in ofi mpi mpich mpi-openmpi mpi-mpich pmix; do
	$CC -shared -fPIC -DTRACE="\"$PWD/only-root/loaded-$part\"" -o "theirs/bsp-$part.so" \
		evil.c || bail "the plugin does not compile"
done

# as_other COMMAND...: without any right of the superuser
as_other()
{
	setpriv --reuid 65534 --regid 65534 --clear-groups "$@"
}

cp ring setuid && chown 0:0 setuid && chmod 4755 setuid
as_other env BSP_NPROCS=3 ./setuid >said 2>errors
is 0 $? "a setuid program runs" || diag "$(cat errors)"
grep -q secure said || skip_all "no setuid programs on this file system here"
is "0 after 2, 0, secure
1 after 0, 1, secure
2 after 1, 2, secure" "$(sort said)" "with the processes that a setting asks for"

# attack SETTING...: of the setuid program; its output is in said
attack()
{
	as_other env BSP_NPROCS=2 "$@" ./setuid >said 2>&1
}

others=$(sed -n 's/^[A-Z]*(\([a-z]*\)[,)].*/\1/p' "$top_srcdir/transport/transports.def" |
	grep -vx -e self -e shm)
for transport in $others; do
	attack BSP_PLUGINS="$PWD/theirs" BSP_TRANSPORT="$transport"
	is 1 $? "transport $transport is refused"
	like "transport $transport cannot be used: it is not for programs with rights of another" \
		"$(cat said)" "with the reason"
done
attack BSP_PLUGINS="$PWD/theirs"
is 0 $? "auto runs"
like "BSP_PLUGINS is not read: the program has rights of another user" "$(cat said)" \
	"and a setting that is not read is named"
for launcher in "PMIX_NAMESPACE=a PMIX_RANK=0" "OMPI_COMM_WORLD_SIZE=2 OMPI_COMM_WORLD_RANK=0" \
	"PMI_SIZE=2 PMI_RANK=0 MPI_LOCALNRANKS=2"; do
	# shellcheck disable=SC2086
	attack BSP_PLUGINS="$PWD/theirs" $launcher
	is 1 $? "no process joins a launcher: $launcher"
	like "joins no processes of a launcher" "$(cat said)" "with the reason"
done
none "$(ls only-root)" "no plugin of another user was loaded"

echo precious >only-root/file
for setting in BSP_REPORT BSP_RECORD; do
	attack $setting="$PWD/only-root/file"
	is 0 $? "$setting does not keep it from running"
	attack $setting="$PWD/only-root/new"
	is "file precious" "$(ls only-root) $(cat only-root/file)" "$setting writes no file"
done
for setting in BSP_PARAMS BSP_REPLAY; do
	attack $setting="$PWD/only-root/file"
	is 0 $? "$setting does not keep it from running"
done
attack BSP_EMULATE="@$PWD/only-root/file"
is 0 $? "BSP_EMULATE does not keep it from running"
none "$(grep only-root said)" "no setting names a file"
mkdir theirs/bsp && echo nonsense >theirs/bsp/params.json && echo nonsense >theirs/bsp/bsp.conf
attack XDG_CONFIG_HOME="$PWD/theirs"
none "$(grep parameters said)" "no parameters of the user are read"

# Other ways to such rights.
cp ring setgid && chown 0:0 setgid && chmod 2755 setgid
as_other env BSP_NPROCS=2 BSP_REPORT="$PWD/theirs/report" ./setgid >said 2>&1
is 0 $? "a setgid program runs"
test ! -e theirs/report
ok $? "and writes no report"
as_other env BSP_NPROCS=2 BSP_REPORT="$PWD/theirs/report" ./ring >said 2>&1
test -s theirs/report
ok $? "a program without such rights does"

done_testing
