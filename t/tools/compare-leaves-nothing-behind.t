#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Bsprun --compare ends as its program fails or a signal comes, passes both on, and leaves nothing
# behind.
# shellcheck disable=SC1090,SC2034,SC2154

. "${0%/*}/../lib/env.sh"
. "$top_srcdir/t/lib/compare.sh"

report report.1 classic 2 "1 1 0"
report report.2 relaxed 2 "1 0.5 0.25"

# ---- A program that fails

cat >fails <<'END'
#!/bin/sh
./fake
test "$(cat runs)" -eq 4 || exit 0
echo "wrong result"
echo "nobody knows why" >&2
exit 41
END
chmod +x fails
cp report.1 report.3
seen=$(bsprun --compare --rounds 3 ./fails 2>errors)
is "41:" "$?:$seen" "its status, and no table"
is "wrong result
nobody knows why
bsprun: ./fails ended with status 41, in the relaxed run of round 2" "$(cat errors)" \
	"what it said, and which run it was"
nothing_left "no report is left"

cat >talks <<'END'
#!/bin/sh
awk 'BEGIN { for (i = 1; i <= 100000; i++) print "line " i }'
printf 'last words'
exit 3
END
chmod +x talks
bsprun --compare ./talks 2>errors
is 3 $? "a program that says much"
is "last words
bsprun: ./talks ended with status 3, in the classic run of round 1" "$(tail -n 2 errors)" \
	"the end of it is shown"
is "..." "$(head -n 1 errors)" "not its beginning"
test "$(wc -c <errors)" -lt 20000
ok $? "nor much of it"
bsprun --compare ./talks 2>&1 | head -n 1 >/dev/null
nothing_left "no report is left if none is asked for"

bsprun --compare sh -c 'kill -KILL $$' 2>errors
is 137 $? "a program that is killed: the status of a shell"
like '^bsprun: .*/sh ended with status 137, in the classic run of round 1$' "$(cat errors)" \
	"it is named"
echo nonsense >garbage
printf '\177ELF' >garbage
chmod +x garbage
bsprun --compare ./garbage 2>errors
is 126 $? "a program that cannot be run"
like '^bsprun: ./garbage cannot be run: ' "$(cat errors)" "says why"
nothing_left "no report is left"
TMPDIR=$tap_dir/nowhere bsprun --compare ./fake 2>errors
is 1 $? "no place for a report"
like "^bsprun: no temporary folder in .*/nowhere: No such file" "$(cat errors)" "is named"

# ---- Signals. The program and its child hold a pipe open: its end is theirs.

mkfifo alive
cat >waits <<'END'
#!/bin/sh
exec 3>alive
sleep 1000 &
echo up >&3
wait
END
cat >stubborn <<'END'
#!/bin/sh
exec 3>alive
trap 'echo heard >&3' TERM
echo up >&3
while :; do
	sleep 1000 &
	wait
done
END
cat >lonely <<'END'
#!/bin/sh
exec 3>alive
echo up >&3
exec sleep 1000
END
chmod +x waits stubborn lonely

# Some shells make background processes ignore SIGINT, and nohup makes them ignore SIGHUP.
usual=
env --default-signal=INT true 2>/dev/null && usual="env --default-signal=INT,QUIT,HUP"

# started PROGRAM: bsprun runs it; its number is in $pid, the pipe is 4
started()
{
	# shellcheck disable=SC2086
	$usual bsprun --compare "$1" >out 2>errors &
	pid=$!
	exec 4<alive
	read -r line <&4
	is up "$line" "$1 runs"
}

# ended STATUS DESCRIPTION: bsprun, with it, and every process of its program
ended()
{
	wait $pid
	is "$1" $? "$2: bsprun ends by it"
	timeout "$(limit)" cat <&4 >rest
	ok $? "$2: all of its program has ended"
	exec 4<&-
	test ! -s out
	ok $? "$2: no table"
	test "$3" || nothing_left "$2: no report is left"
}

for signal in TERM:143 HUP:129 INT:130 QUIT:131 USR1:138; do
	case $signal$usual in
	INT:130 | QUIT:131)
		skip "${signal%:*}: no env --default-signal here"
		continue ;;
	esac
	started ./waits
	kill -"${signal%:*}" $pid
	ended "${signal#*:}" "SIG${signal%:*}" 2>/dev/null
done

started ./stubborn
kill -TERM $pid
read -r line <&4
is heard "$line" "the program is sent the signal, and stays"
kill -TERM $pid
ended 143 "a second signal" 2>/dev/null

# Nothing of bsprun runs after SIGKILL, so another process removes the files, maybe a bit later.
folder_is_empty()
{
	test -z "$(ls -A "$TMPDIR")"
}

# killed PROGRAM: bsprun by SIGKILL while PROGRAM runs
killed()
{
	started "$1"
	folder_is_empty
	is 1 $? "$1: there are files while it runs"
	kill -KILL $pid
	ended 137 "SIGKILL" "not yet" 2>/dev/null
	until_true folder_is_empty
	ok $? "SIGKILL: no file of $1 is left"
}

cat >records <<'END'
#!/bin/sh
for file in "$BSP_REPORT" "$BSP_REPORT.partial" "$BSP_RECORD" "$BSP_RECORD.2"; do
	echo some >"$file" || exit 1
done
exec ./lonely
END
chmod +x records
killed ./lonely
BSP_EMULATE=gigabit
export BSP_EMULATE
killed ./records
unset BSP_EMULATE

# The whole group, as a terminal or a batch system ends it.
usual="setsid $usual"
started ./lonely
kill -s KILL -- "-$pid"
ended 137 "SIGKILL of the group" "not yet" 2>/dev/null
until_true folder_is_empty
ok $? "SIGKILL of the group: no file is left"

done_testing
