# SPDX-License-Identifier: BSD-3-Clause
# pages.sh - a page of each tool that writes one, of figures that are hard to show; read after
# recorded.sh and compare.sh.
# shellcheck shell=sh disable=SC2034,SC2154

PATH=$top_builddir/tools/bspgauge:$top_builddir/tools/bspprobe:$PATH
export PATH

# make_profile: call sites with long names, more calls and bytes than fit in few digits
make_profile()
{
	run=src/solver/a_program_of_a_long_name
	site=src/solver/a_rather_long_name_of_a_file_in_a_deep_folder.c
	{
		echo "run $run 8 ofi L=20000 o=10000 g=8000 G=2 emulate=L=20us,o=5us"
		for pid in 0 1 2 3 4 5 6 7; do
			echo "process $pid"
			for step in 1 2 3 4 5 6; do
				end=$((step * 2000000000))
				echo "put $(((pid + step) % 8)) 0 20000 $((2345678 * step))"
				echo "collective $site:100$step bsp_allreduce_of_all 8" \
					"$((step * 1900000000)) $((step * 1950000000))"
				echo "barrier $site:200$step $((end - pid * 1000000)) $end"
			done
			echo "end $site:3000 13000000000 13000000000"
		done
	} | record profile.rec
	bspprof html -o profile.html profile.rec || bail "no page of a profile"
}

# make_profile_of_many: a matrix that is a picture
make_profile_of_many()
{
	{
		echo "run many 130 shm"
		for pid in $(seq 0 129); do
			echo "process $pid"
			printf 'put %d 0 1 %d\n' $(((pid * 7 + 1) % 130)) $((pid * 1000))
			echo "barrier a.c:1 1000000 2000000"
			echo "end a.c:4 3000000 3000000"
		done
	} | record many.rec
	bspprof html -o many.html many.rec || bail "no page of many processes"
}

# round_of ROUND TRIPLE: the same computation, and ROUND times the communication
round_of()
{
	echo "$2" | awk -v round="$1" '{ print $1, $2 * round, $3 * round }'
}

# compare_one CLASSIC RELAXED ARGUMENT...: two processes, and three rounds that differ much; the
# times are of report()
compare_one()
{
	afresh
	for round in 1 2 3; do
		report report.$((2 * round - 1)) classic $round.1234 "$(round_of $round "$1")" "$1"
		report report.$((2 * round)) relaxed $round.0123 "$(round_of $round "$2")" "$2"
	done
	shift 2
	bsprun --compare --rounds 3 --html compare.html ./fake "$@" >/dev/null ||
		bail "no page of a comparison"
}

make_comparison()
{
	compare_one "0.001234567 12.3456789 0" "0.001234567 2.3456789 3.45678" matrix.mtx \
		--with a-long-list --of arguments,that-go/on/and/on/without-a-blank
	compare_one "4 1 0" "4 1.5 0.5" W
	network=L=20us,o=5us,g=8us,G=10ns,cpu=0
	compare_one "123456 2345 0" "123456 0.001 0.002" W
	network=
}

# make_gauge: twelve curves that were all disturbed, points with wide intervals, huge numbers
make_gauge()
{
	{
		echo '{"bspgauge": 1, "host": "a-host-with-a-long-name.example.org",'
		echo '"processor": "A Processor of Some Maker @ 2.20GHz",'
		echo '"kernel": "Linux 6.1.0-18-amd64",'
		echo '"clock": "monotonic", "date": "2026-01-02T03:04:05Z", "version": "9.9",'
		echo '"command": "bspgauge -n 4 --module shm,tcp --sizes 1:4M --html gauge.html",'
		echo '"results": [{"module": "tcp", "pattern": "collectives", "nprocs": 4,'
		echo '"taken": 1.5, "series": ['
		for i in $(seq 0 11); do
			for plot in latency collective; do
				test "$i$plot" = 0latency || echo ,
				echo '{"name": "allreduce with segments '"$i"', 1024 bytes",'
				echo '"plot": "'$plot'",'
				echo '"unit": "us", "points": ['
				for x in 1 64 4096 262144 16777216; do
					test $x = 1 || echo ,
					y=$((x * (i + 1) / 100 + 1))
					echo '{"x": '$x', "median": '$y', "low": '$((y / 2))','
					echo '"high": '$((y * 4))','
					echo '"samples": 10, "outliers": 1}'
				done
				echo ']}'
			done
		done
		echo ',{"name": "G", "plot": "", "unit": "ns/byte", "points": [{"x": 0,'
		echo '"median": 0, "low": -1.23456789e-7, "high": 12345.678, "samples": 3,'
		echo '"flag": "was negative, so that a line through the origin was taken"}]}]},'
		echo '{"module": "eth", "pattern": "ebb", "skipped": "needs 4 processes"}]}'
	} >gauge.json
	bspgauge compare gauge.json --html gauge.html >/dev/null || bail "no page of bspgauge"
}

# make_probe: predictions and times on an emulated network
make_probe()
{
	bspprobe -n 4 --emulate L=2ms,o=5us,g=8us,G=10ns,cpu=0 --seconds 1 --bytes 4k --verify \
		--only bcast,barrier,allreduce --csv --svg probe.svg >/dev/null 2>probe.said ||
		bail "no picture of bspprobe: $(cat probe.said)"
}

# make_schedules: times of more than nine digits, and many ranks
make_schedules()
{
	for ranks in 3 70; do
		{
			echo "num_ranks $ranks"
			for rank in $(seq 0 $((ranks - 1))); do
				printf 'rank %d {\na: calc 1234567890123\n' "$rank"
				printf 'b: send 8b to %d tag 5\n' $(((rank + 1) % ranks))
				printf 'c: recv 8b from %d tag 5\nb requires a\n}\n' \
					$(((rank + ranks - 1) % ranks))
			done
		} >ring.goal
		goalc svg --output "schedule-$ranks.svg" ring.goal ||
			bail "no picture of a schedule"
	done
}

# make_papers: a figure with panels, long names, published values and a claim that does not hold
make_papers()
{
	mkdir -p papers.in/p papers.out/p
	printf '%s\n' "p/figure-1" \
		"p/figure-2 a-reason-that-is/long/and-has-few-blanks-to-break-it" >papers.in/figures
	: >papers.in/p/figure-1.sh
	printf '%s\n' "title A figure" "source A paper of several people, Fig. 1, section 2.3" \
		"x binary message, bytes" "y log completion, us" "note A paragraph about it." \
		'claim order "a panel/a series of a long name" < "a panel/b" : it is lower' \
		'why It is not, which has a reason of some length that is told here.' \
		'claim ratio "*/b" / "*/b" within 1 1 in 80 % : it is the same as itself' \
		>papers.in/p/figure-1.claims
	head=series,x,value,low,high,unit
	{
		printf '%s\n' "# from the text" "$head"
		echo "a panel/b,1,12,,,us"
	} >papers.in/p/figure-1.published.csv
	{
		printf '%s\n' "# date: 2026-01-02" "# processor: A Processor @ 2.20GHz" \
			"# command: make papers PAPER=p FIGURE=1" "# load: 1.00 2.00 3.00" "$head"
		for x in 1 64 4096 262144 16777216; do
			for panel in "a panel" "tcp of 2"; do
				name="$panel/a series of a long name"
				echo "$name,$x,$((x + 9)),$x,$((x + 99)),us"
				echo "$panel/b,$x,$((x + 3)),,,us"
			done
		done
	} >papers.out/p/figure-1.csv
	"$top_builddir/bench/paperpage" papers.in papers.out || bail "no page of the papers"
	cp papers.out/index.html papers.html
	cp papers.out/p/figure-1.svg papers.svg
}

make_pages()
{
	make_papers
	make_profile
	make_profile_of_many
	make_comparison
	make_gauge
	make_probe
	make_schedules
}
pages='profile.html many.html compare.html gauge.html probe.svg schedule-3.svg schedule-70.svg
papers.html papers.svg'
