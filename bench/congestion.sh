#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# congestion.sh - one to eight senders to a receiver behind a narrow link, by ESP and TCP: tables.

# congestion.sh [SENDERS...]: by default 1 2 4 8. Run in the build folder, or in any with BUILD
# naming it, after make stock-kernel kernel-modules. It boots one guest
# (../kernel/testbed/guest.sh) and prints Markdown when that has ended.
#
# ROUNDS: of each figure, by default 9. SIZES: of the messages, bytes. RATE: of the receiver's link,
# Mbit/s. QUEUES: frames that the queue before that link holds. WAYS: esp, tcp, or both, by default.
# ROWS: a file that keeps the figures as they came, or has them already: then nothing is measured.

. "${0%/*}/in_guest.sh"
rounds=${ROUNDS:-9}
sizes=${SIZES:-1024 16384 262144 1048576}
rate=${RATE:-100}
queues=${QUEUES:-16 64 256}
ways=${WAYS:-esp tcp}
command="${ROUNDS:+ROUNDS=$ROUNDS }${SIZES:+SIZES='$SIZES' }${RATE:+RATE=$RATE }"
command="$command${QUEUES:+QUEUES='$QUEUES' }bench/congestion.sh${*:+ $*}"
test $# -gt 0 || set -- 1 2 4 8

# Prints the guest's script.
script()
{
	cat <<END
segment 9 || exit
for host in \$(seq 9); do
	ip -n h\$host addr add 10.0.0.\$host/24 dev eth0 || exit
	tc -n h\$host qdisc replace dev eth0 root netem delay 20us limit 10000 || exit
	ip -n h\$host link set eth0 gso_max_segs 1 || exit	# the queue counts frames
done
for queue in $queues; do
	for bytes in $sizes; do
		for senders in $*; do
			for way in $ways; do
				tc qdisc del dev p1 root 2>/dev/null
				tc qdisc add dev p1 root netem rate ${rate}mbit \
					limit \$queue || exit
				offload \$way \$senders $rounds \$bytes \$queue || exit
				dropped=\$(tc -s qdisc show dev p1 |
					sed -n 's/.*dropped \\([0-9]*\\),.*/\\1/p')
				echo "row dropped \$bytes \$way \$senders \$queue \$dropped"
			done
		done
	done
done
END
}

measure()
{
	needs "$build/bench/offload"
	script "$@" >"$work/script"
	in_guest -m 512 "$build/stock" "$work/script" "$build/bench/offload"
}

# table QUEUE: messages down, senders and ways across
table()
{
	echo
	awk -v queue="$1" -v senders="$2" -v rounds="$rounds" '
		BEGIN {
			n = split(senders, sender, " ")
			head = "| bytes | what |"
			line = "|---|---|"
			for (i = 1; i <= n; i++) {
				head = head " " sender[i] ": ESP | TCP |"
				line = line "---|---|"
			}
			print head "\n" line
		}
		$6 == queue {
			if (!($3 in seen))
				order[++sizes] = $3
			seen[$3] = 1
			if ($2 == "goodput")
				cell[$3, $2, $5, $4] = sprintf("%.1f (%.1f to %.1f)", $7, $8, $9)
			else if ($2 == "fair")
				cell[$3, $2, $5, $4] = sprintf("%.2f", $7)
			else
				cell[$3, $2, $5, $4] = $7
		}
		END {
			name["goodput"] = "goodput, Mbit/s"
			name["fair"] = "fairness"
			name["dropped"] = "frames dropped"
			split("goodput fair dropped", what, " ")
			for (k = 1; k <= sizes; k++)
				for (w = 1; w <= 3; w++) {
					text = "| " order[k] " | " name[what[w]] " |"
					for (i = 1; i <= n; i++) {
						key = order[k] SUBSEP what[w] SUBSEP sender[i]
						text = text " " cell[key, "esp"] " |"
						text = text " " cell[key, "tcp"] " |"
					}
					print text
				}
		}' "$work/rows"
}

take_rows "$@"

echo "Command: \`$command\`"
for queue in $queues; do
	echo
	echo "### A queue of $queue frames"
	table "$queue" "$*"
done
