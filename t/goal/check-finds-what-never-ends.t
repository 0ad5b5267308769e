#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Goalc check names messages without a partner, lengths that differ, and deadlocks.
# shellcheck disable=SC2154

. "${0%/*}/../lib/env.sh"

goalc=$top_builddir/tools/goalc/goalc
cd "$tap_dir" || bail "no $tap_dir"

# checked STATUS WHAT WANTED: what is on standard input
checked()
{
	said=$("$goalc" check - 2>&1)
	seen=$?
	is "$1 $3" "$seen $(printf '%s\n' "$said" | tail -n +2)" "$2"
}

checked 1 "a send that no process receives" '-: rank 0, o0: send 8b to 1 tag 3: no process receives it
-: rank 1, o0: recv 8b from 0 tag 4: no process sends it' <<'END'
num_ranks 2
rank 0 {
send 8b to 1 tag 3
}
rank 1 {
recv 8b from 0 tag 4
}
END

checked 1 "a receive of another length" \
	'-: rank 1, o1: recv 4b from 0 tag 0: the message has 5 bytes' <<'END'
num_ranks 2
rank 0 {
send 8b to 1
send 5b to 1
}
rank 1 {
recv 8b from 0
recv 4b from 0
}
END

checked 1 "a deadlock across two ranks" \
	'-: deadlock: operations that wait for each other and never end: 4, the first is rank 0, o0' <<'END'
num_ranks 2
rank 0 {
r: recv 8b from 1
s: send 8b to 1
s requires r
}
rank 1 {
r: recv 8b from 0
s: send 8b to 0
s requires r
}
END

checked 0 "sends that need not wait" '' <<'END'
num_ranks 2
rank 0 {
r: recv 8b from 1
s: send 8b to 1
s irequires r
}
rank 1 {
r: recv 8b from 0
s: send 8b to 0
s irequires r
}
END

checked 0 "receives from any process, with any tag, take what is left" '' <<'END'
num_ranks 3
rank 0 {
recv 8b from -1 tag -1
recv 8b from -1 tag 1
recv 8b from 1 tag -1
recv 8b from 2 tag 7
}
rank 1 {
send 8b to 0 tag 5
send 8b to 0 tag 1
}
rank 2 {
send 8b to 0 tag 7
send 8b to 0 tag 9
}
END

checked 1 "one message too many for them" '-: rank 2, o1: send 8b to 0 tag 9: no process receives it' \
	<<'END'
num_ranks 3
rank 0 {
recv 8b from -1 tag 7
}
rank 1 {
calc 1
}
rank 2 {
send 8b to 0 tag 7
send 8b to 0 tag 9
}
END

checked 0 "a multicast comes to all others" '' <<'END'
num_ranks 3
rank 0 {
recv 8b from 1 tag 2
}
rank 1 {
//! multicast
send 8b to 0 tag 2
send 8b to 2 tag 2
}
rank 2 {
recv 8b from 1 tag 2
}
END

is "many: processes 2, operations 30, messages 30, bytes 30, longest chain 1
11 lines: and 20 more sends without a receive" "$({
	echo 'num_ranks 2'
	echo 'rank 0 {'
	i=0
	while test $i -lt 30; do
		echo "send 1b to 1 tag $i"
		i=$((i + 1))
	done
	echo '}'
	echo 'rank 1 {'
	echo '}'
} >many; "$goalc" check many | sed -n '1p;12s/^many/11 lines/p')" \
	"ten of a kind are named, others are counted"

is \
	"$top_srcdir/t/goal/data/cyclic.goal: processes 3, operations 24, messages 9, bytes 12294, longest chain 8" \
	"$("$goalc" check "$top_srcdir/t/goal/data/cyclic.goal")" "what is in a right one is told"

done_testing
