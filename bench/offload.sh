#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# offload.sh - barriers and exchanges, with all and with neighbours, run by the kernel and by
# processes, in a guest: tables and plots.

# offload.sh [PROCESSES...]: by default 2 to 8. Run in the build folder, or in any with BUILD
# naming it, after make stock-kernel kernel-modules. It boots one guest
# (../kernel/testbed/guest.sh) and prints Markdown when that has ended.
#
# NEAR=yes: only barriers of 2, 4 and 8 processes of one host, inside the device and by lo.
#
# ROUNDS: of each figure, by default 5; ANSWERS: of the round trips, 100. LINKS: latencies of the
# link, us, which netem adds to that of the guest's bridge. HTML: a file for plots, of latencies
# with the first of LINKS and of the rest with the last; JSON: one for what they are made of, as
# bspgauge compare reads it; ROWS: one that keeps the figures as they came, or has them already:
# then nothing is measured.

. "${0%/*}/in_guest.sh"
rounds=${ROUNDS:-5}
answers=${ANSWERS:-100}
links=${LINKS:-0 50 200 1000}
command="${ROUNDS:+ROUNDS=$ROUNDS }${ANSWERS:+ANSWERS=$ANSWERS }${LINKS:+LINKS='$LINKS' }bench/offload.sh${*:+ $*}"
test $# -gt 0 || set -- 2 3 4 5 6 7 8

# The module that answers frames, for the guest's kernel.
build_answer()
{
	mkdir "$work/answer" && cp "$here/../kernel/testbed/answer.c" "$work/answer/" &&
		echo 'obj-m := answer.o' >"$work/answer/Kbuild" &&
		make -C "$build/stock/build" M="$work/answer" modules >"$work/answer/log" 2>&1 &&
		return
	cat "$work/answer/log" >&2
	fail "cannot build answer.ko"
}

# Prints the guest's script for processes of one host.
near_script()
{
	echo 'ip link set lo up || exit'
	for processes in 2 4 8; do
		echo "offload near $processes $rounds || exit"
	done
}

# Prints the guest's script.
script()
{
	if test "$NEAR"; then
		near_script
		return
	fi
	cat <<END
segment 8 || exit
for host in \$(seq 8); do
	ip -n h\$host addr add 10.0.0.\$host/24 dev eth0 || exit
done
# latency US: of each host's interface
latency()
{
	for host in \$(seq 8); do
		tc -n h\$host qdisc replace dev eth0 root netem delay \${1}us limit 10000 || exit
	done
}
latency 50
offload answers $answers || exit
for host in \$(seq 8); do
	tc -n h\$host qdisc del dev eth0 root || exit
done
# A process that has slept gets little time before the others, so that all processes begin, and end
# their work, at about the same time.
mount -t debugfs debug /sys/kernel/debug && echo 100000 >/sys/kernel/debug/sched/latency_ns &&
	echo 100000 >/sys/kernel/debug/sched/min_granularity_ns && umount /sys/kernel/debug || exit
for link in $links; do
	for processes in $*; do
		test \$link = 0 || latency \$((link * processes))
		offload collectives \$processes $rounds \$link || exit
	done
done
END
}

measure()
{
	needs "$build/bench/offload"
	build_answer
	script "$@" >"$work/script"
	in_guest -m 512 -k "$work/answer/answer.ko" -k "$modules/espgoal.ko" \
		"$build/stock" "$work/script" "$build/bench/offload"
}

# For people
names='
	name["barrier"] = "barrier, dissemination"
	name["tree"] = "barrier, binomial tree"
	name["exchange"] = "total exchange, Bruck"
	name["neighbors"] = "exchange with neighbours on a ring"
	name["softirq"] = "kernel, softirq"
	name["worker"] = "kernel, worker"
	name["esp"] = "process, ESP"
	name["tcp"] = "process, TCP"
'

# table TABLE LINK FORMAT WAY...: operations and processes down, ways across
table()
{
	table=$1 link=$2 format=$3
	shift 3
	echo
	awk -v table="$table" -v link="$link" -v format="$format" -v ways="$*" '
		function cell(key) {
			if (few[key])
				return sprintf(format, median[key])
			return sprintf(format " (" format " to " format ")", median[key], low[key], high[key])
		}
		BEGIN {
			n = split(ways, way, " ")
			'"$names"'
			head = "| operation | P | rounds |"
			line = "|---|---|---|"
			for (i = 1; i <= n; i++) {
				head = head " " name[way[i]] " |"
				line = line "---|"
			}
			print head "\n" line
		}
		$2 == table && $6 == link {
			key = $3 " " $5
			if (!(key in seen))
				order[++keys] = key
			seen[key] = 1
			median[key, $4] = $7
			low[key, $4] = $8
			high[key, $4] = $9
			few[key, $4] = $12 < 3
		}
		END {
			for (k = 1; k <= keys; k++) {
				split(order[k], at, " ")
				# Dissemination and Bruck: log2 P, rounded up; a binomial tree is
				# as deep as log2 P, rounded down.
				for (deep = 0; 2 ^ (deep + 1) <= at[2]; )
					deep++
				rounds = at[1] == "tree" ? 2 * deep : deep + (2 ^ deep < at[2])
				if (at[1] == "neighbors")
					rounds = 1
				text = "| " name[at[1]] " | " at[2] " | " rounds " |"
				for (i = 1; i <= n; i++)
					text = text " " cell(order[k] SUBSEP way[i]) " |"
				print text
			}
		}' "$work/sorted"
}

# Processor time in its three parts
parts()
{
	echo
	echo \
		"| operation | P | who runs it | processes | workers | softirq and interrupts | together |"
	echo "|---|---|---|---|---|---|---|"
	awk -v link="$1" '
		BEGIN {
			'"$names"'
		}
		$6 == link && ($2 == "processes" || $2 == "workers" || $2 == "rest") {
			key = name[$3] " | " $5 " | " name[$4]
			if (!(key in seen))
				order[++keys] = key
			seen[key] = 1
			part[key, $2] = $7
		}
		END {
			for (k = 1; k <= keys; k++) {
				p = part[order[k], "processes"]
				w = part[order[k], "workers"]
				r = part[order[k], "rest"]
				printf "| %s | %.0f | %.0f | %.0f | %.0f |\n", order[k], p, w, r, p + w + r
			}
		}' "$work/sorted"
}

near()
{
	echo
	echo "| barrier | P | inside the device, us | frames over lo, us |"
	echo "|---|---|---|---|"
	awk '
		{ us[$3, $5, $4] = sprintf("%.1f (%.1f to %.1f)", $7, $8, $9) }
		$4 == "inside" { order[++n] = $3 SUBSEP $5 }
		END {
			for (i = 1; i <= n; i++) {
				split(order[i], at, SUBSEP)
				print "| " at[1] " | " at[2] " | " us[order[i], "inside"] " | " \
					us[order[i], "frames"] " |"
			}
		}' "$work/sorted"
}

answered()
{
	echo
	echo "| who answers | another process computes | us |"
	echo "|---|---|---|"
	awk \
		'$2 == "answer" { printf "| %s | %s | %.1f (%.1f to %.1f) |\n", $4, $3 == "idle" ? "no" : "yes", $7, $8, $9 }' "$work/rows"
}

# report FIRST LAST: latencies over the one link and the rest over the other, as bspgauge writes
# it: a result for each way and operation, whose one series is over processes
report()
{
	awk -v first="$1" -v last_link="$2" '
		BEGIN {
			'"$names"'
			plot["latency"] = "barrier"
			plot["hidden"] = "hidden"
			plot["overhead"] = "stolen"
			printf "{\"bspgauge\": 1, \"host\": \"a guest, in virtual time\", \"processor\": \"\", "
			printf "\"kernel\": \"\", \"clock\": \"\", \"date\": \"\", \"version\": \"\", "
			printf "\"command\": \"bench/offload.sh\", \"results\": ["
		}
		($2 in plot) && $6 == ($2 == "latency" ? first : last_link) && !($2 == "latency" && ($3 == "exchange" || $3 == "neighbors")) {
			key = $2 " " $3 " " $4
			if (key == last) {
				printf ",\n"
			} else {
				printf "%s{\"module\": \"%s\", \"pattern\": \"offload\", \"transport\": \"\", ", last ? "]}]},\n" : "\n", name[$4]
				printf "\"network\": \"%s\", \"skipped\": \"\", \"nprocs\": %d, \"seconds\": 0, ", $6, $5
				printf "\"series\": [{\"name\": \"%s\", \"plot\": \"%s\", ", $3, plot[$2]
				printf "\"unit\": \"%s\", \"points\": [\n", $2 == "hidden" ? "" : "us"
			}
			last = key
			printf "{\"x\": %d, \"median\": %s, \"low\": %s, \"high\": %s, ", $5, $7, $10, $11
			printf "\"samples\": %d, \"outliers\": 0, \"lost\": 0, \"flag\": \"\"}", $12
		}
		END { print "]}]}\n]}" }' "$work/sorted"
}

take_rows "$@"
sort -s -k2,2 -k3,3 -k4,4 -k6,6 -k5,5n "$work/rows" >"$work/sorted"

echo "Command: \`${NEAR:+NEAR=$NEAR }$command\`"
if test "$NEAR"; then
	near
	exit
fi
for link in $links; do
	echo
	echo "## Link of $link us"
	echo
	echo "### Latency of one of many, us"
	table latency "$link" %.0f softirq worker esp tcp
	echo
	echo "### Share that is hidden"
	table hidden "$link" %.2f softirq worker esp tcp
	echo
	echo "### What is not hidden, us"
	table overhead "$link" %.0f softirq worker esp tcp
	echo
	echo "### Processor time of an operation and process, us"
	parts "$link"
done
echo
echo "## Who answers a frame: round trips over a link of 50 us"
answered

test -z "$JSON$HTML" && exit
report "${links%% *}" "${links##* }" >"$work/offload.json"
test -z "$JSON" || cp "$work/offload.json" "$JSON"
test -z "$HTML" ||
	"$build/tools/bspgauge/bspgauge" compare "$work/offload.json" --html "$HTML" >/dev/null
