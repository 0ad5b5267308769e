#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Settings in files of the user and of the site count after the environment, for bsprun and for a
# program alone; what is wrong in one is named by file and line.
# shellcheck disable=SC2154,SC2097,SC2098

. "${0%/*}/../lib/env.sh"
. "$top_srcdir/t/lib/installed.sh"

cd "$tap_dir" || bail "no $tap_dir"
cat >waits.c <<'END'
#include <bsp.h>
#include <stdio.h>
#include <stdlib.h>
int main(void)
{
	const char *wait;

	bsp_begin(bsp_nprocs());
	wait = getenv("BSP_WAIT");
	if (bsp_pid() == 0)
		printf("%d %s\n", bsp_nprocs(), wait ? wait : "-");
	bsp_end();
}
END
bspcc -o waits waits.c || bail "bspcc"
unset BSP_NPROCS BSP_TRANSPORT BSP_WAIT BSP_PLUGINS
mkdir -p config/bsp
user=$tap_dir/config/bsp/bsp.conf

# ---- The file of the user ---------------------------------------------------------

printf '# a comment\n\n BSP_NPROCS = 3 \nBSP_TRANSPORT=shm\nBSP_WAIT=warn:5,join:7' >"$user"
is "3 warn:5,join:7" "$(./waits)" "a program reads it"
is "3 warn:5,join:7" "$(bsprun ./waits)" "bsprun does, and the program not again"
is "2 warn:5,join:7" "$(BSP_NPROCS=2 ./waits)" "the environment counts before it"
is "2 warn:5,join:7" "$(bsprun -n 2 ./waits)" "so does an option"
is "3 warn:5,join:7,join:9" "$(BSP_WAIT=join:9 bsprun ./waits)" \
	"of a list of times each counts for itself"
is "BSP_NPROCS=4 BSP_TRANSPORT=shm BSP_WAIT=warn:5,join:7 ./waits" \
	"$(bsprun -n 4 --show ./waits)" "bsprun passes them on"

bspinfo --settings >info
like "^file of the user  $user\$" "$(cat info)" "bspinfo names the file"
like "^  BSP_NPROCS +3 +$user:3\$" "$(cat info)" "with the line of a setting"
like "^  BSP_EAGER +[^ ]+ +default\$" "$(cat info)" "and what is a default"
like "^  BSP_NPROCS +2 +environment\$" "$(BSP_NPROCS=2 bspinfo --settings)" \
	"or of the environment"
is "  BSP_NPROCS=3  ($user:3)" "$(bspinfo | grep BSP_NPROCS)" "and among what is set"

# ---- What is wrong ------------------------------------------------------------------

# refused TEXT MESSAGE WHAT
refused()
{
	printf "$1" >"$user"
	seen=$(./waits 2>&1)
	is 1 $? "$3: a program ends"
	is "bsp_begin: $user:$2" "$seen" "and says where"
	seen=$(bsprun ./waits 2>&1)
	is 2 $? "bsprun, too"
	is "bsprun: $user:$2" "$seen" "with the same words"
	like "^  $user:" "$(bspinfo)" "bspinfo shows it and goes on"
}
refused 'BSP_NPROCS=2\nnonsense\n' "2: expected NAME=VALUE, and not 'nonsense'" "no assignment"
refused 'BSP_BARRER=flat\n' "1: BSP_BARRER is no setting; is it BSP_BARRIER?" "a mistyped name"
refused 'HOME=/tmp\n' "1: HOME is no setting; bsprun --help-env lists them" "another name"
refused 'BSP_SPIN=3\n' "1: BSP_SPIN is now a part of BSP_WAIT: BSP_WAIT=spin:TIME" "an old name"
refused 'BSP_NPROCS=many\n' \
	"1: BSP_NPROCS is \"many\", but must be a number from 1 to 16384" "a bad value"
refused 'BSP_NPROCS=2\nBSP_NPROCS=3\n' "2: BSP_NPROCS stands already in line 1" "one twice"
refused 'BSP_NPROCS=2\000\n' "1: a byte of value 0" "binary data"
rm "$user" && mkdir "$user"
is "bsprun: $user: cannot be read: Is a directory" "$(bsprun ./waits 2>&1)" "a folder"
rmdir "$user"
mkfifo "$user"
is "bsprun: $user: cannot be read: it is no file" \
	"$(timeout -k 5 "$(limit)" bsprun ./waits 2>&1)" "a pipe is not waited for"
is "bsp_begin: $user: cannot be read: it is no file" \
	"$(timeout -k 5 "$(limit)" ./waits 2>&1)" "nor by a program"
ln -sf /dev/zero "$user"
is "bsprun: $user: cannot be read: it is no file" \
	"$(timeout -k 5 "$(limit)" bsprun ./waits 2>&1)" "a device without an end is not read"
ln -sf /dev/null "$user"
is "2 -" "$(BSP_NPROCS=2 ./waits)" "/dev/null has no settings"
is "2 -" "$(bsprun -n 2 ./waits)" "for bsprun, too"
rm "$user"
other="setpriv --reuid 65533 --regid 65533 --clear-groups"
chmod 755 "$tap_dir"
if $other test -x "$(command -v bsprun)" -a -x waits 2>/dev/null; then
	echo 'BSP_NPROCS=2' >"$user"
	chmod 600 "$user"
	is "bsprun: $user: cannot be read: Permission denied" "$($other bsprun ./waits 2>&1)" \
		"a file that another user may see and not read is refused"
	chmod 700 config
	is "3 -" "$($other env BSP_NPROCS=3 bsprun ./waits 2>&1)" \
		"a folder that is closed to the user has no settings for it"
	chmod 755 config
	rm "$user"
else
	not_applicable "another user cannot be had, or cannot run what was built here"
fi

# ---- The file of the site -------------------------------------------------------------

site=$(bspinfo --settings | sed -n 's/^file of the site  \(.*\)  (not there)$/\1/p')
etc=${site%/bsp/bsp.conf}
if test -d "$etc" && unshare -rm mount -t tmpfs tmpfs "$etc" 2>/dev/null; then
	echo 'BSP_NPROCS=2' >"$user"
	is "2 spin:0" "$(unshare -rm sh -c "mount -t tmpfs tmpfs $etc && mkdir $etc/bsp &&
		printf 'BSP_NPROCS=5\nBSP_WAIT=spin:0\n' >$site && ./waits")" \
		"the user's counts before the site's, which counts before the default"
	rm "$user"
else
	skip "no namespace of its own to mount a disk in"
fi

# ---- What is nearly one ---------------------------------------------------------------

is "bsp_begin: BSP_BARRER is no setting; is it BSP_BARRIER?" \
	"$(BSP_NPROCS=2 BSP_BARRER=flat ./waits 2>&1 >/dev/null | sed 's/ (.*//')" \
	"a variable that is nearly a setting is named, once"
none "$(BSP_NPROCS=2 BSP_DIR=/usr BSP_HOME=/usr BSP_ROOT=/usr ./waits 2>&1 >/dev/null)" \
	"others are left alone"

done_testing
