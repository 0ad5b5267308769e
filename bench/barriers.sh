#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# barriers.sh - barriers in the kernel by algorithm, processes and link, in a guest: tables.

# barriers.sh [PROCESSES...]: by default 2 4 8 16 32. Run in the build folder, or in any with BUILD
# naming it, after make stock-kernel kernel-modules. It boots one guest
# (../kernel/testbed/guest.sh) and prints Markdown when that has ended.
#
# ROUNDS: of each figure, by default 5. LINKS: latencies of the link, us, which netem adds to that
# of the guest's bridges. TIMES: barriers of the benchmark of each process, by default 100. PARTS:
# overheads, bounds, nodes, loss: by default all. VARIANT: of nodes and loss, by default all.
# REAL: if set, the guest has real time and a processor for each host, of which the machine needs as
# many; then PARTS is nodes by default.
# ROWS: a file that keeps the figures as they came, or has them already: then nothing is measured.

. "${0%/*}/in_guest.sh"
rounds=${ROUNDS:-5}
links=${LINKS:-0 10 50 200}
times=${TIMES:-100}
parts=${PARTS:-${REAL:+nodes}}
parts=${parts:-overheads bounds nodes loss}
lossy=50
command="${ROUNDS:+ROUNDS=$ROUNDS }${LINKS:+LINKS='$LINKS' }bench/barriers.sh${*:+ $*}"
command="${REAL:+REAL=$REAL }${PARTS:+PARTS='$PARTS' }$command"
test $# -gt 0 || set -- 2 4 8 16 32

# script PROCESSES...: what the guest does. Bridges send multicasts to all ports, so there are as
# many hosts as processes.
script()
{
	cat <<END
# hosts N: with two interfaces each
hosts()
{
	segment \$1 && ip link add br1 type bridge && ip link set br1 up || return
	for host in \$(seq \$1); do
		ip link add q\$host type veth peer name eth1 \
			address 02:00:00:00:02:\$(printf %02x \$host) netns h\$host &&
			ip link set q\$host master br1 up &&
			ip -n h\$host link set eth1 up || return
		test -z "$REAL" || ip netns exec h\$host sh -c 'for interface in eth0 eth1; do
			printf %x \$((1 << (\$1 - 1))) \
				>/sys/class/net/\$interface/queues/rx-0/rps_cpus
		done' sh \$host || return
	done
}
# Links before namespaces, which would take them along, some time later.
hosts_go()
{
	for host in \$(seq \$1); do
		ip link del p\$host && ip link del q\$host && ip netns del h\$host || return
	done
	ip link del br0 && ip link del br1
}
# latency HOSTS US [LOSS]: of their interfaces
latency()
{
	for host in \$(seq \$1); do
		for interface in eth0 eth1; do
			tc -n h\$host qdisc replace dev \$interface root \
				netem delay \${2}us \${3:+loss \$3} limit 10000 || return
		done
	done
}
no_latency()
{
	for host in \$(seq \$1); do
		for interface in eth0 eth1; do
			tc -n h\$host qdisc del dev \$interface root 2>/dev/null
		done
	done
	return 0
}
overheads()
{
	hosts 2 && offload overheads 0 && latency 2 200 && offload overheads 200 && hosts_go 2
}
# Times are divided by the processes, so the link is as many times as slow.
bounds()
{
	for link in $links; do
		test \$link = 0 || latency \$1 \$((link * \$1)) || return
		offload barriers \$1 $rounds \$link || return
	done
	no_latency \$1
}
nodes()
{
	for link in $links; do
		test \$link = 0 || latency \$1 \$link || return
		offload nodes \$1 $times \$link ${VARIANT:-all} || return
	done
	no_latency \$1
}
loss()
{
	latency \$1 $lossy 1% && offload nodes \$1 $times ${lossy}-lossy ${VARIANT:-all} &&
		no_latency \$1
}
END
	parts_of "$@"
}

# parts_of PROCESSES...: the calls
parts_of()
{
	each=
	for part in $parts; do
		case $part in
		overheads) echo "overheads || exit" ;;
		*) each="$each && $part \$processes" ;;
		esac
	done
	test -n "$each" || return 0
	cat <<END
for processes in $*; do
	hosts \$processes $each && hosts_go \$processes || exit
done
END
}

measure()
{
	needs "$build/bench/offload"
	script "$@" >"$work/script"
	most=1
	for processes; do
		test -z "$REAL" || test "$processes" -le "$most" || most=$processes
	done
	test "$most" -le "$(nproc)" || fail "REAL: $most hosts, and $(nproc) processors"
	in_guest ${REAL:+-v "" -c "$most"} -m 512 -k "$modules/espgoal.ko" \
		"$build/stock" "$work/script" "$build/bench/offload"
}

variants="dissemination butterfly tree-2-back tree-2 tree-3 tree-4 concurrent tree-3-by-2"
variants="$variants concurrent-by-2"

# table_head: processes down, barriers across
table_head()
{
	for column in P $variants; do
		printf '| %s ' "$column"
	done
	echo "|"
	for column in P $variants; do
		printf '|---'
	done
	echo "|"
}

# measured LINK MOVER: processes down, barriers across; the best of each line in bold type
measured()
{
	echo
	echo "$3"
	echo
	table_head
	awk -v link="$1" -v mover="$2" -v names="$variants" '
		BEGIN { n = split(names, name, " ") }
		$2 == "variant" && $4 == mover && $6 == link {
			if (!($5 in best))
				order[++lines] = $5
			if (!($5 in best) || $7 < best[$5])
				best[$5] = $7
			us[$5, $3] = $7
		}
		END {
			for (k = 1; k <= lines; k++) {
				text = "| " order[k] " |"
				for (i = 1; i <= n; i++) {
					figure = sprintf("%.0f", us[order[k], name[i]])
					same = figure == sprintf("%.0f", best[order[k]])
					text = text " " (same ? "**" figure "**" : figure) " |"
				}
				print text
			}
		}' "$work/rows"
}

overheads()
{
	grep -q "^row os " "$work/rows" || return 0
	echo
	echo "### Overheads of section 5.1.1, us"
	echo
	echo "| who moves it | what | os | L of the guest | or | all work | gap |" \
		"3 or < os + L, link of |"
	echo "|---|---|---|---|---|---|---|---|"
	awk -v links="$links" '
		$2 == "os" || $2 == "or" || $2 == "L" || $2 == "work" {
			key = $4 " | " $3
			if (!(key in seen))
				order[++keys] = key
			seen[key] = 1
			us[key, $2] = $7
		}
		END {
			n = split(links, link, " ")
			for (k = 1; k <= keys; k++) {
				key = order[k]
				holds = ""
				least = 3 * us[key, "or"] - us[key, "os"] - us[key, "L"]
				for (i = 1; i <= n; i++)
					if (least < link[i])
						holds = holds (holds ? ", " : "") link[i]
				printf "| %s | %.1f | %.1f | %.1f | %.1f | %.1f | %s |\n", key,
					us[key, "os"], us[key, "L"], us[key, "or"], us[key, "work"],
					us[key, "work"] - us[key, "or"], holds ? holds : "none"
			}
		}' "$work/rows"
}

# predicted LINK MOVER PROCESSES...: by the formulae of the paper, section 5.1.2, on as many
# processors
predicted()
{
	link=$1 mover=$2
	shift 2
	echo
	awk -v link="$link" -v mover="$mover" -v processes="$*" '
		function levels(n, k,  depth, joined) {
			for (joined = 1; joined < n; joined *= k)
				depth++
			return depth
		}
		function tree(n, k) {
			return (os + L + (k - 1) * o) * levels(n, k) + cast
		}
		$4 == mover && ($2 == "os" || $2 == "or" || $2 == "L") {
			us[$3, $2] = $7
		}
		END {
			os = us["message", "os"]
			o = us["message", "or"]
			L = us["message", "L"] + link
			cast = us["multicast", "os"] + us["multicast", "L"] + us["multicast", "or"]
			cast += link
			print "| P | dissemination, butterfly | tree-2 | tree-3 | tree-4 |" \
				" concurrent |"
			print "|---|---|---|---|---|---|"
			p = split(processes, n, " ")
			for (i = 1; i <= p; i++) {
				t[1] = (os + L + o) * levels(n[i], 2)
				for (k = 2; k <= 4; k++)
					t[k] = tree(n[i], k < n[i] ? k : n[i])
				t[5] = os + L + (n[i] - 1) * o + cast
				best = 1
				for (k = 2; k <= 5; k++)
					best = t[k] < t[best] ? k : best
				text = "| " n[i] " |"
				for (k = 1; k <= 5; k++) {
					figure = sprintf("%.0f", t[k])
					same = figure == sprintf("%.0f", t[best])
					text = text " " (same ? "**" figure "**" : figure) " |"
				}
				print text
			}
		}' "$work/rows"
}

# table LINK MOVER FORMAT TITLE: of the rows of nodes, processes down, barriers across. FORMAT:
# times, of all processes; first, mean of process 0; frames, that all send for a barrier
table()
{
	grep -q "^row node [^ ]* $2 [0-9]* $1 " "$work/rows" || return 0
	echo
	echo "$4"
	echo
	table_head
	awk -v link="$1" -v mover="$2" -v form="$3" -v names="$variants" '
		$2 == "node" && $4 == mover && $6 == link {
			key = $3 SUBSEP $5
			if (!($5 in seen))
				order[++lines] = $5
			seen[$5] = 1
			least[key] += $8 / $5
			mean[key] += $9 / $5
			most[key] += $10 / $5
			frames[key] += $11
			if ($7 == 0)
				first[key] = $9
		}
		function cell(key) {
			if (!(key in mean))
				return "-"
			if (form == "first")
				return sprintf("%.0f", first[key])
			if (form == "frames")
				return sprintf("%.1f", frames[key])
			return sprintf("%.0f (%.0f to %.0f)", mean[key], least[key], most[key])
		}
		END {
			n = split(names, name, " ")
			for (k = 1; k <= lines; k++) {
				text = "| " order[k] " |"
				for (i = 1; i <= n; i++)
					text = text " " cell(name[i] SUBSEP order[k]) " |"
				print text
			}
		}' "$work/rows"
}

# seen_by_processes: the benchmark of Fig. 4
seen_by_processes()
{
	grep -q "^row node " "$work/rows" || return 0
	echo
	echo "### As each process sees them, us"
	for link in $links; do
		table "$link" softirq times \
			"Link of $link us, in softirq: mean (least to most) of $times barriers:"
		table "$link" worker times "Link of $link us, by the worker:"
		table "$link" softirq first "Link of $link us, in softirq, process 0 alone, mean:"
	done
	for link in $links; do
		table "$link" softirq frames \
			"Frames for a barrier, link of $link us, acknowledgements included:"
	done
	table $lossy-lossy softirq times \
		"Link of $lossy us that loses 1 % of the frames, in softirq: mean (least to most):"
	table $lossy-lossy softirq frames "Frames for a barrier there:"
}

take_rows "$@"

echo "Command: \`$command\`"
overheads
seen_by_processes
grep -q "^row variant " "$work/rows" || exit 0
for link in $links; do
	echo
	echo "### Link of $link us"
	measured "$link" softirq "Measured, in softirq, us:"
	measured "$link" worker "Measured, by the worker, us:"
	echo
	echo "By the formulae, in softirq, us:"
	predicted "$link" softirq "$@"
	echo
	echo "By the formulae, by the worker, us:"
	predicted "$link" worker "$@"
done
