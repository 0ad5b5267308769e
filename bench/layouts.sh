#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# layouts.sh - processes on several nodes, many in shared memory, and with neighbours: figures
# beside limits, models and Open MPI, with the target of each.

# layouts.sh [NODESxPROCESSES...]: by default 4x16 8x8. Run in the build folder, or in any with
# BUILD naming it, by root or where users may have namespaces, with mpirun of Open MPI. Nodes are
# namespaces on a bridge (../t/lib/nodes.sh), and the library and Open MPI start on them alike, with
# shared memory inside and TCP between them. It prints Markdown.
#
# PARTS: of sync, collectives, models, messages, shm, neighbors, simulator; by default all.
# ROUNDS: in each of which all of sync and collectives are measured in turn, by default 7. BATCH: us
# of a batch, of which a job takes nine of each row, by default 20000. SECONDS_EACH: of each
# bspprobe, by default 40. CROWDS: numbers of processes in shared memory, by default
# 2,4,8,16,256,1024. OTHER: a bspbench of another build, whose bsp_sync is measured beside ours.
# HALOS: numbers of processes with neighbours, by default 64 256. MILLION: processes of the barrier
# that is simulated, by default 1048576, of 128 on a node. ROWS: a file that keeps the figures as
# they came.

LC_ALL=C
export LC_ALL
here=${0%/*}
build=${BUILD:-.}
parts=${PARTS:-sync collectives models messages shm neighbors simulator}
rounds=${ROUNDS:-7}
batch=${BATCH:-20000}

fail()
{
	echo "${0##*/}: $*" >&2
	exit 1
}

build=$(cd "$build" && pwd) || exit 1
bsprun=$build/tools/bsprun/bsprun
bspprobe=$build/tools/bspprobe/bspprobe
goalc=$build/tools/goalc/goalc
for file in "$bsprun" "$bspprobe" "$goalc" "$build/bench/bsprows" "$build/bench/mpibench" \
	"$build/bench/netofi"; do
	test -x "$file" || fail "no $file: make, with MPI and libfabric"
done
command -v mpirun >/dev/null || fail "no mpirun"

# nodes.sh uses these of shell tests.
skip_all()
{
	fail "$@"
}
bail()
{
	fail "$@"
}
tap_dir=$(mktemp -d) || exit 1
AWK=awk
. "$here/../t/lib/nodes.sh"

work=$tap_dir
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
area=$work/area
rows=$work/rows
: >"$rows"
test $# -gt 0 || set -- 4x16 8x8

has_part()
{
	case " $parts " in *" $1 "*) ;; *) return 1 ;; esac
}

# ---- Jobs ---------------------------------------------------------------------------------------

# hosts LAYOUT: as launchers take them
hosts()
{
	for k in $(seq "${1%x*}"); do
		printf 'node%d:%d%s' "$k" "${1#*x}" "$(test "$k" = "${1%x*}" || echo ,)"
	done
}

processes()
{
	echo $((${1%x*} * ${1#*x}))
}

# Waiting processes give way: all nodes are on the processors of this machine.
# ours LAYOUT PROGRAM...
ours()
{
	where=$1
	shift
	on_node node1 timeout -k 5 900 "$bsprun" --transport mix -H "$(hosts "$where")" \
		-n "$(processes "$where")" -x BSP_WAIT=spin:0 -x BSP_BIND=none \
		-x BSP_PLUGINS="$build/.libs" "$@" \
		2>"$work/errors" || fail "$1 on $where: $(cat "$work/errors")"
}

# memory PROCESSES PROGRAM...: in shared memory
memory()
{
	where=$1
	shift
	on_node node1 env BSP_WAIT=spin:0 timeout -k 5 900 "$bsprun" --local --transport shm \
		-n "$where" "$@" 2>"$work/errors" || fail "$1 by $where: $(cat "$work/errors")"
}

# theirs LAYOUT PROGRAM...
theirs()
{
	where=$1
	shift
	on_node node1 timeout -k 5 900 mpirun -n "$(processes "$where")" -H "$(hosts "$where")" \
		--bind-to none --mca pml ob1 --mca btl vader,tcp,self \
		--mca btl_tcp_if_include eth0 --mca mpi_yield_when_idle 1 "$@" \
		2>"$work/errors" || fail "$1 on $where: $(cat "$work/errors")"
}

# keep WHO LAYOUT ROUND: the rows of the job before, whose output is in $work/out
keep()
{
	awk -v head="$1 $2" -v round="$3" '
		$1 == "row" {
			printf "%s %s %d", head, $2, round
			for (i = 7; i <= NF; i++)
				printf " %s", $i
			print ""
			n++
		}
		END { exit !n }' "$work/out" >>"$rows" || fail "no rows of $1 on $2"
}

# The next job's processes share it, on all nodes.
new_area()
{
	rm -f "$area"
	truncate -s 16M "$area" || exit 1
}

# one_round ROUND LAYOUT
one_round()
{
	bsp= mpi=
	if has_part sync; then
		bsp=sync mpi=barrier
	fi
	if has_part collectives; then
		bsp="$bsp $collectives" mpi="$mpi $collectives"
	fi
	new_area
	# shellcheck disable=SC2086 # names of rows
	ours "$2" "$build/bench/bsprows" "$area" "$batch" 1 1 $bsp >"$work/out"
	keep ours "$2" "$1"
	new_area
	# shellcheck disable=SC2086
	theirs "$2" "$build/bench/mpibench" "$area" "$batch" 1 1 $mpi >"$work/out"
	keep mpi "$2" "$1"
	has_part sync || return
	memory "$(processes "$2")" "$build/bench/bsprows" - "$batch" 1 1 sync >"$work/out"
	keep memory "$2" "$1"
	new_area
	ours "${2%x*}x1" "$build/bench/bsprows" "$area" "$batch" 1 1 sync >"$work/out"
	keep network "$2" "$1"
}

# ---- The table ----------------------------------------------------------------------------------

# For awk: sort n values, and what is at quantile q of those that are sorted.
quantiles='
	function sort(v, n,    i, j, t) {
		for (i = 2; i <= n; i++)
			for (j = i; j > 1 && v[j - 1] > v[j]; j--) {
				t = v[j]; v[j] = v[j - 1]; v[j - 1] = t
			}
	}
	function at(v, n, q,    x, i) {
		x = 1 + q * (n - 1)
		i = int(x)
		return i >= n ? v[n] : v[i] + (x - i) * (v[i + 1] - v[i])
	}
'

# median WHO LAYOUT ROW: over the rounds, of the median of each; quartiles of all batches; us
median()
{
	awk -v who="$1" -v layout="$2" -v row="$3" "$quantiles"'
		$1 == who && $2 == layout && $3 == row {
			n = 0
			for (i = 5; i <= NF; i++)
				all[++total] = one[++n] = $i / 1e3
			sort(one, n)
			middle[++rounds] = at(one, n, 0.5)
		}
		END {
			if (!rounds)
				exit
			sort(middle, rounds)
			sort(all, total)
			printf "%.1f %.1f %.1f\n", at(middle, rounds, 0.5), at(all, total, 0.25), \
				at(all, total, 0.75)
		}' "$rows"
}

# ratio LAYOUT ROW BY...: median over the rounds of ours by the sum of others, each WHO:ROW
ratio()
{
	awk -v layout="$1" -v row="$2" -v by="$3" "$quantiles"'
		$2 == layout {
			n = 0
			for (i = 5; i <= NF; i++)
				one[++n] = $i + 0
			sort(one, n)
			middle = at(one, n, 0.5)
			if ($1 == "ours" && $3 == row)
				top[$4] = middle
			k = split(by, others, " ")
			for (i = 1; i <= k; i++)
				if (others[i] == $1 ":" $3)
					sum[$4] += middle
		}
		END {
			for (round in top)
				if (sum[round] > 0)
					v[++m] = top[round] / sum[round]
			if (!m)
				exit
			sort(v, m)
			printf "%.2f\n", at(v, m, 0.5)
		}' "$rows"
}

# line WHAT WANTED SEEN MOST VALUE: @VALUE is to be at most @MOST
line()
{
	printf '| %s | %s | %s | %s |\n' "$1" "$2" "$3" \
		"$(awk -v most="$4" -v value="$5" 'BEGIN {
			print value == "" ? "not measured" : value <= most ? "yes" : "NO" }')"
}

head_line()
{
	echo
	echo "| what | wanted | seen | met |"
	echo "|---|---|---|---|"
}

# seen WHO LAYOUT ROW: as text
seen()
{
	# shellcheck disable=SC2046 # three numbers
	set -- $(median "$@")
	echo "$1 ($2 to $3) us"
}

sync_lines()
{
	for layout do
		all=$(ratio "$layout" sync "memory:sync network:sync")
		mpi=$(ratio "$layout" sync mpi:barrier)
		text="$(seen ours "$layout" sync); shm of all $(seen memory "$layout" sync)"
		text="$text, one process a node $(seen network "$layout" sync): $all times"
		line "bsp_sync, $layout" "1.5 times shm of all and TCP of one process a node" \
			"$text" 1.5 "$all"
		line "bsp_sync, $layout" "faster than MPI_Barrier" \
			"$(seen mpi "$layout" barrier): $mpi times" 0.999 "$mpi"
	done
}

collectives="allreduce-8 allreduce-64K bcast-1M exchange-1K"

collective_lines()
{
	for layout do
		for row in $collectives; do
			mpi=$(ratio "$layout" "$row" "mpi:$row")
			text="$(seen ours "$layout" "$row"), MPI $(seen mpi "$layout" "$row")"
			line "$row, $layout" "no slower than Open MPI" "$text: $mpi times" 1 \
				"$mpi"
		done
	done
}

# ---- Simulated -----------------------------------------------------------------------------------

# parameters LAYOUT: before the others of this section: the network by a process on each of two
# nodes, and shared memory by two processes, so that each has a processor; and a turn in the layout
parameters()
{
	seconds=${SECONDS_EACH:-40}
	if ! test -s "$work/inside"; then
		ours 2x1 "$bspprobe" --seconds "$seconds" --bytes 64k --json --quiet \
			>"$work/between"
		memory 2 "$bspprobe" --seconds "$seconds" --bytes 64k --json --quiet \
			>"$work/inside"
	fi
	test -s "$work/turn-$1" || turn "$1" >"$work/turn-$1"
	cp "$work/turn-$1" "$work/turn"
}

# network own|shared: options of goalc, in ps, between and inside nodes. Where processes share
# processors all that a message takes is work of these, and no network is busy.
network()
{
	test "$1" = own || echo "--cores $(nproc) --turn $(cat "$work/turn")"
	awk -v shared="${1#own}" '
		function number(name,    at) {
			at = index($0, "\"" name "\": ")
			return at ? substr($0, at + length(name) + 4) + 0 : 0
		}
		function print_one(k, before, between, after) {
			printf "%sL%s%.0f%so%s%.0f", before, between, 1e3 * L[k], after, between, \
				1e3 * o[k]
			printf "%sg%s%.0f%sG%s%.0f%sO%s%.0f ", after, between, 1e3 * g[k], after, \
				between, 1e3 * G[k], after, between, 1e3 * O[k]
		}
		FNR == 1 { k = NR > 1; ended = 0 }
		/"exchanges"/ { ended = 1 }
		ended { next }
		/"bytes":/ {
			more = number("bytes") - 1
			if (!more) {
				o[k] = (number("os") + number("or")) / 2
				g[k] = number("g")
				alone[k] = number("alone")
			} else {
				G[k] = (number("g") - g[k]) / more
				if (G[k] < 0)
					G[k] = 0
				O[k] = (number("alone") - alone[k]) / 2 / more
			}
		}
		# a byte is there after alone(1), here after L + 2 o
		END {
			for (k = 0; k < 2; k++) {
				L[k] = alone[k] - 2 * o[k]
				if (L[k] < 0) {
					o[k] += L[k] / 2
					L[k] = 0
				}
				if (O[k] < 0 || !shared)
					O[k] = 0
				if (shared) {
					g[k] = 0
					G[k] = O[k]
				}
			}
			print_one(0, "-", " ", " -")
			print_one(1, "--inside ", "=", ",")
		}' "$work/between" "$work/inside"
}

# simulated LAYOUT own|shared OPERATION ARGUMENT...: us, of goalc sim
simulated()
{
	where=$1 how=$2
	shift 2
	# shellcheck disable=SC2046 # options
	"$goalc" sim "$@" -P "$(processes "$where")" --nodes "${where%x*}" -b \
		$(network "$how") | awk '{ printf "%.1f", $1 / 1e6 }'
}

# tree LAYOUT: bsp_sync with a tree of messages inside nodes, as it is simulated
tree()
{
	new_area
	ours "$1" -x BSP_BARRIER=dissemination+nodes "$build/bench/bsprows" "$area" "$batch" 1 1 \
		sync >"$work/out"
	keep tree "$1" 1
}

# turn LAYOUT: of a processor, in ps: with it bsp_sync is simulated to take as long as it does
# there. So it includes that a process looks for messages, and finds its caches cold.
turn()
{
	tree "$1"
	for ps in 0 1000000; do
		echo $ps >"$work/turn"
		simulated "$1" shared barrier --algorithm dissemination --counts
		echo
	done >"$work/out"
	awk -v us="$(median tree "$1" sync)" '
		{ at[NR] = $1 }
		END {
			ps = (at[2] > at[1]) ? 1e6 * (us - at[1]) / (at[2] - at[1]) : 0
			printf "%.0f\n", (ps > 0) ? ps : 0
		}' "$work/out"
}

# distance MEASURED SIMULATED: by how much the longer one is longer
distance()
{
	awk -v m="$1" -v s="$2" 'BEGIN {
		if (m > 0 && s > 0)
			printf "%.2f", (s > m) ? s / m - 1 : m / s - 1 }'
}

# simulated_line WHAT LAYOUT MEASURED OPERATION ARGUMENT...
simulated_line()
{
	what=$1 layout=$2 us=$3
	shift 3
	own=$(simulated "$layout" own "$@") shared=$(simulated "$layout" shared "$@")
	line "$what, $layout" "simulated within 15 %" \
		"$us us, simulated $shared us, with a processor for each process $own" 0.15 \
		"$(distance "$us" "$shared")"
}

# ---- Models -------------------------------------------------------------------------------------

# Algorithms that are measured and simulated alike.
forced=allreduce:reduce-bcast+nodes,bcast:binomial+nodes,exchange:direct-rotated+nodes

model_lines()
{
	for layout do
		parameters "$layout"
		new_area
		# shellcheck disable=SC2086 # names of rows
		ours "$layout" -x BSP_COLL="$forced" -x BSP_WAIT=spin:0,yield:1s \
			"$build/bench/bsprows" "$area" "$batch" 1 1 $collectives >"$work/out"
		keep forced "$layout" 1
		for row in $collectives; do
			bytes=${row#*-}
			case $row in
			allreduce-*) set -- reduce-bcast ;;
			bcast-*) set -- binomial ;;
			*) set -- direct-rotated ;;
			esac
			# shellcheck disable=SC2046 # three numbers
			set -- "$1" $(median forced "$layout" "$row")
			simulated_line "$row by $1+nodes" "$layout" "$2" "${row%-*}" \
				--algorithm "$1" \
				--bytes "$(echo "$bytes" | sed 's/K/ 1024/; s/M/ 1048576/' |
					awk '{ print $1 * (NF > 1 ? $2 : 1) }')"
		done
	done
}

# ---- Messages between nodes ---------------------------------------------------------------------

# segments NODES: with data that they have sent
segments()
{
	for k in $(seq "$1"); do
		on_node "node$k" cat /proc/self/net/netstat
	done | awk '
		$1 == "TcpExt:" && $2 !~ /^[0-9]/ { for (i in column) delete column[i]
			for (i = 2; i <= NF; i++) column[$i] = i }
		$1 == "TcpExt:" && $2 ~ /^[0-9]/ { sum += $column["TCPOrigDataSent"] }
		END { print sum }'
}

# sent LAYOUT TIMES: in a job of so many supersteps
sent()
{
	before=$(segments "${1%x*}")
	ours "$1" "$build/bench/sparse" 0 "$2" >/dev/null
	echo $(($(segments "${1%x*}") - before))
}

message_lines()
{
	for layout do
		few=$(sent "$layout" 100) && many=$(sent "$layout" 1100) || exit 1
		wanted=$(awk -v n="${layout%x*}" 'BEGIN {
			for (k = 1; k < n; k *= 2) r++; print n * r }')
		each=$(awk -v few="$few" -v many="$many" 'BEGIN {
			printf "%.2f", (many - few) / 1000 }')
		line "messages between nodes for a bsp_sync, $layout" \
			"N ceil(log2 N) = $wanted, within 1 %" "$each segments of TCP with data" \
			"$(awk -v w="$wanted" 'BEGIN { print 1.01 * w }')" "$each"
	done
}

# ---- Shared memory ------------------------------------------------------------------------------

# crowd BSPBENCH CSV
crowd()
{
	on_node node1 "$1" --quick --no-mpi --only sync -n "${CROWDS:-2,4,8,16,256,1024}" \
		--csv "$2" >"$work/said" 2>&1 || fail "$1: $(cat "$work/said")"
}

# crowd_row CSV PROCESSES COLUMN: median over the rounds
crowd_row()
{
	awk -F, -v n="$2" -v c="$3" '
		$1 == n && $2 == "sync" && $c != "" { v[++m] = $c + 0 }
		END {
			for (i = 2; i <= m; i++)
				for (j = i; j > 1 && v[j - 1] > v[j]; j--) {
					t = v[j]; v[j] = v[j - 1]; v[j - 1] = t
				}
			if (m)
				print (v[int((m + 1) / 2)] + v[int(m / 2) + 1]) / 2
		}' "$work/$1".*
}

shm_lines()
{
	for round in $(seq "$rounds"); do
		crowd "$build/bench/bspbench" "$work/crowd.$round"
		test -z "$OTHER" || crowd "$OTHER" "$work/other.$round"
	done
	for n in $(echo "${CROWDS:-2,4,8,16,256,1024}" | tr , ' '); do
		us=$(crowd_row crowd "$n" 5)
		turns=$(crowd_row crowd "$n" 9)
		test "$n" -lt 1024 ||
			line "bsp_sync, shm, $n processes" "4 times P/2 turns" \
				"$us us, $turns times" 4 "$turns"
		test "$OTHER" && other=$(crowd_row other "$n" 5) && test "$other" || continue
		times=$(awk -v a="$us" -v b="$other" 'BEGIN { printf "%.2f", a / b }')
		line "bsp_sync, shm, $n processes" "no slower than before" \
			"$us us, before $other us: $times times" 1.05 "$times"
	done
}

# ---- Neighbours ---------------------------------------------------------------------------------

# Each process has two endpoints, the transport's and the bare one, which would fill 80 MiB.
neighbor_lines()
{
	for n in ${HALOS:-64 256}; do
		need=$((n * 40))
		free=$(awk '$1 == "MemAvailable:" { print int($2 / 1024) }' /proc/meminfo)
		if test "$free" -lt "$need"; then
			line "4 neighbours, $n processes" "1.2 times libfabric" \
				"needs $need MiB, $free are free" 0 ""
			continue
		fi
		on_node node1 env BSP_WAIT=spin:0 BSP_TRANSPORT=ofi BSP_OFI_PROVIDER=tcp \
			FI_TCP_IFACE=lo FI_OFI_RXM_BUFFER_SIZE=2048 BSP_NPROCS="$n" \
			timeout -k 5 900 "$build/bench/netofi" \
			--rounds $((3 * rounds)) --batch $((5 * batch)) --csv "$work/halo-$n" \
			halo-8 halo-1K >"$work/said" 2>&1 ||
			fail "netofi by $n: $(cat "$work/said")"
		for row in halo-8 halo-1K; do
			# shellcheck disable=SC2046 # numbers
			set -- $(sed 's/"[^"]*"//' "$work/halo-$n" |
				awk -F, -v row=$row '$4 == row { print $5, $8, $14, $15, $16 }')
			line "$row, 4 neighbours, $n processes" "1.2 times libfabric" \
				"$(printf '%.0f us, bare %.0f: %.2f (%.2f to %.2f)' "$@")" 1.2 "$3"
		done
	done
}

# ---- Simulator ----------------------------------------------------------------------------------

simulator_lines()
{
	n=${MILLION:-1048576}
	began=$(date +%s.%N)
	"$goalc" sim barrier --algorithm dissemination -P "$n" --node 128 -b >"$work/out" || exit 1
	took=$(awk -v a="$began" -v b="$(date +%s.%N)" 'BEGIN { printf "%.1f", b - a }')
	line "goalc sim, two-level barrier of $n processes on $((n / 128)) nodes" \
		"under a minute" "$took s" 60 "$took"
	has_part sync || return
	for layout do
		# a turn of the same itself would foresee nothing
		parameters "2x$(($(processes "$layout") / 2))"
		tree "$layout"
		# shellcheck disable=SC2046 # three numbers
		set -- $(median tree "$layout" sync)
		simulated_line "bsp_sync by dissemination+nodes" "$layout" "$1" barrier \
			--algorithm dissemination --counts
	done
}

# ---- All ----------------------------------------------------------------------------------------

nodes_most=2
for layout do
	case $layout in
	*[!0-9x]* | *x*x* | x* | *x) fail "$layout is no NODESxPROCESSES" ;;
	*x*) ;;
	*) fail "$layout is no NODESxPROCESSES" ;;
	esac
	test "${layout%x*}" -le $nodes_most || nodes_most=${layout%x*}
done
make_nodes "$nodes_most"
echo "$(awk -F ': ' '/^model name/ { print $2; exit }' /proc/cpuinfo), $(nproc) processors, \
Linux $(uname -r), $(mpirun --version | head -n 1)"
echo "$(date -u +%Y-%m-%d), commit $(git -C "$here" rev-parse --short HEAD 2>/dev/null ||
	echo unknown), load $(cut -d ' ' -f 1 /proc/loadavg), $rounds rounds"
if has_part sync || has_part collectives; then
	for round in $(seq "$rounds"); do
		for layout do
			one_round "$round" "$layout"
		done
	done
fi
test -z "$ROWS" || cp "$rows" "$ROWS"
head_line
has_part sync && sync_lines "$@"
has_part messages && message_lines "$@"
has_part collectives && collective_lines "$@"
has_part models && model_lines "$@"
has_part shm && shm_lines
has_part neighbors && neighbor_lines
has_part simulator && simulator_lines "$@"
echo
echo "Load at the end: $(cut -d ' ' -f 1 /proc/loadavg)"
