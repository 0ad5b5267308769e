#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Processes that mpirun starts in namespaces of their own share memory, or a message says why not.
# shellcheck disable=SC2016,SC2154

. "${0%/*}/../lib/env.sh"
. "$top_srcdir/t/lib/launched.sh"

# Large puts to the right, and a read of the left that returns at once.
cat >ring.c <<'END'
#include <bsp.h>
#include <stdio.h>
#include <string.h>

static char area[1 << 18], source[1 << 18];

int main(void)
{
	int left = -1, mine, wrong = 0;

	bsp_begin(bsp_nprocs());
	int p = bsp_nprocs(), me = bsp_pid();

	mine = 10 + me;
	bsp_push_reg(area, sizeof area);
	bsp_push_reg(&mine, sizeof mine);
	bsp_sync();
	for (int i = 0; i < 4; i++) {
		memset(source, me + i, sizeof source);
		bsp_hpput((me + 1) % p, source, area, 0, sizeof source);
		bsp_sync();
		for (size_t k = 0; k < sizeof area; k++)
			wrong += area[k] != (me + p - 1) % p + i;
		bsp_sync();	/* the left neighbour may write already in the next superstep */
	}
	bsp_direct_get((me + p - 1) % p, &mine, 0, &left, sizeof left);
	wrong += left != 10 + (me + p - 1) % p;
	bsp_sync();
	printf("%d of %d: %d wrong\n", me, p, wrong);
	bsp_end();
	return 0;
}
END
compile ring

# A system call that the program may not make, as seccomp profiles of containers have it.
cat >without.c <<'END'
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	struct sock_filter filter[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_memfd_create, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog program = { sizeof filter / sizeof *filter, filter };

	if (argc < 2 || prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ||
	    prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program))
		return 126;
	execvp(argv[1], argv + 1);
	return 127;
}
END
compile without

BSP_TRANSPORT=shm
export BSP_TRANSPORT
all="0 of 3: 0 wrong
1 of 3: 0 wrong
2 of 3: 0 wrong"

# can COMMAND...: is it allowed here?
can()
{
	"$@" true >/dev/null 2>&1
}

# shared TEXT COMMAND...: three processes, each started by that command, share memory
shared()
{
	text=$1
	shift
	if can "$@"; then
		is "$all" "$(launched 3 "$@" ./ring)" "$text" || diag "$(head -n 5 err)"
	else
		skip "$text: no such namespace here"
	fi
}

is "$all" "$(launched 3 ./ring)" "in no namespace of their own"
shared "user namespaces" unshare -U -r
shared "PID namespaces" unshare -p -f
# A user of such a namespace may mount /proc only if no file of the one outside is covered, and
# build-aux/without-symbols.sh, by which check.sh runs tests, covers one.
own=
! can unshare -m || own="unshare -m"
own_proc='umount /proc/kallsyms 2>/dev/null; exec unshare -U -r -p -f --mount-proc "$@"'
# shellcheck disable=SC2086
shared "user and PID namespaces, with /proc of each" $own sh -c "$own_proc" sh
shared "no /proc" unshare -m sh -c 'mount -t tmpfs none /proc && exec "$@"' sh
shared "memfd_create is forbidden" ./without
shared "memfd_create is forbidden, user namespaces" unshare -U -r ./without

# Only root sees its own files below /proc if it may not read the program that it runs.
cat >nobody <<END
#!/bin/sh
exec setpriv --reuid=65534 --regid=65534 --clear-groups env HOME=/ "\$@"
END
cat >mpirun_of_nobody <<END
#!/bin/sh
exec "$PWD/nobody" "$MPIRUN" "\$@"
END
chmod 755 nobody mpirun_of_nobody
if test "$(id -u)" -eq 0 && chmod 755 "$tap_dir" && chmod 711 ring &&
	./nobody test -x ring -a -r "$top_builddir/.libs/libbsp.so"; then
	is "$all" "$(MPIRUN=$PWD/mpirun_of_nobody && launched 3 ./ring)" \
		"a program without read permission" || diag "$(head -n 5 err)"
else
	skip "a program without read permission: not root, or no way to the library for others"
fi

closed='mount -t tmpfs -o ro none /dev/shm && exec "$@"'
if can unshare -m sh -c "$closed" sh; then
	launched 3 unshare -m sh -c "$closed" sh ./without ./ring >/dev/null
	grep -q '^bsp_begin: processes of one machine cannot open the memory' err
	ok $? "neither memfd_create nor /dev/shm: a message says so"
	grep -q 'Operation not permitted; let them share' err
	ok $? "and why" || diag "$(head -n 5 err)"
else
	skip "neither memfd_create nor /dev/shm: no such namespace here"
fi
done_testing
