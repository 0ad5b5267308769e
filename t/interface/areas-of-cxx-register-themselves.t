#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# bsp/area.hpp: areas register and withdraw themselves, puts and gets take spans, messages have the
# line, and an exception that leaves the SPMD part ends the job.
# shellcheck disable=SC1090,SC1091,SC2034,SC2154

. "${0%/*}/../lib/env.sh"
. "$top_srcdir/t/lib/installed.sh"
. "$top_srcdir/t/lib/network.sh"

cat >areas.cc <<'END'
#include <bsp/area.hpp>
#include <array>
#include <cstdio>
#include <cstring>
#include <stdexcept>
#include <vector>

struct point { double x; int number; };
static const char *which = "";

static void check(bool is_right, const char *what)
{
	if (!is_right)
		throw std::runtime_error(what);
}

static void move_data()
{
	const int me = bsp::pid(), p = bsp::nprocs(), left = (me + p - 1) % p, right = (me + 1) % p;
	bsp::area<int> numbers(5, -1);
	std::vector<point> memory(2);
	bsp::area<point> points(memory);
	bsp::area<char> none(0);
	int fetched[2];

	bsp::sync();
	const std::vector<int> mine{me, me + 10};
	const std::array<int, 1> other{{me + 20}};
	numbers.put(right, mine, 1);
	numbers.put(right, other, 3);
	numbers.put(right, me + 30);
	points.put(left, point{0.5, me}, 1);
	bsp::sync();
	check(numbers[0] == left + 30 && numbers[1] == left && numbers[2] == left + 10 &&
	      numbers[3] == left + 20 && numbers.size() == 5, "what was put");
	check(memory[1].number == right && points.data() == memory.data(), "a structure");
	numbers.get(right, 1, fetched);
	numbers.hpput(left, bsp::span<const int>(mine.data(), 1), 4);
	bsp::sync();
	check(fetched[0] == me && fetched[1] == me + 10 && numbers[4] == right, "what was fetched");
	numbers.direct_get(left, 4, bsp::span<int>(fetched, 1));
	check(fetched[0] == me, "what was fetched at once");
	check(bsp::allreduce(BSP_MAX, static_cast<std::int64_t>(me)) == p - 1, "the greatest");

	bsp_set_sync(BSP_RELAXED);
	for (int step = 0; step < 10; step++) {
		numbers.put(right, 100 * step + me);
		bsp::sync();
		numbers.read(1);
		check(numbers.read_test(0) && numbers[0] == 100 * step + left, "relaxed");
	}
	numbers.serve(1);
	numbers.get(left, 0, bsp::span<int>(fetched, 1));
	bsp::sync();
	check(fetched[0] == 900 + (left + p - 1) % p, "what was served");
	bsp_set_sync(BSP_CLASSIC);
	bsp::sync();
}

/* A put arrives in the superstep in which its area goes; many areas come and go. */
static void come_and_go()
{
	for (int i = 0; i < 200; i++) {
		bsp::section all("all"), each(i % 2 ? "odd" : "even");
		bsp::area<double> area(100);

		bsp::sync();
		area.put(0, std::vector<double>(100, i));
	}
	bsp::sync();
}

static void wrong()
{
	bsp::area<int> area(3);

	bsp::sync();
	if (!std::strcmp(which, "bound"))
		area.put(0, std::vector<int>(2), 2);
	if (!std::strcmp(which, "pid"))
		area.put(9, 1);
	if (!std::strcmp(which, "exception") && bsp::pid() == 1)
		throw std::runtime_error("one process alone");
	if (!std::strcmp(which, "caught"))
		try {
			std::vector<int>().at(bsp::pid() ? 1 : 0);
		} catch (const std::out_of_range &) {
		}
	bsp::sync();
}

int main(int argc, char **argv)
{
	which = argc > 1 ? argv[1] : "";
	bsp::spmd([] {
		if (*which)
			wrong();
		move_data();
		come_and_go();
		if (bsp::pid() == 0)
			std::puts("right");
	});
	return 0;
}
END
for options in "-std=c++11" "-std=c++20 --mcbsp" "-std=c++17 -DBSP_NO_CALL_SITES"; do
	# shellcheck disable=SC2086
	seen=$(bspcxx $options -Wall -Wextra -Werror -O2 -o areas areas.cc 2>&1)
	ok $? "$options compiles without a warning" || diag "$seen"
	is right "$(runs -n 3 ./areas)" "$options: data arrive where they should"
done
bspcxx -o areas areas.cc
for transport in shm $network; do
	is right "$(runs -n 3 --transport $transport ./areas)" "over $transport"
done
is right "$(runs -n 1 ./areas)" "on one process"
is right "$(runs -n 2 ./areas caught)" "an exception that is caught is the process's own"

# says WHICH PATTERN LINE
says()
{
	line=$(grep -n "$3" areas.cc | cut -d: -f1)
	seen=$(bsprun -n 2 ./areas "$1" 2>&1)
	ok $((! $?)) "$1 is an error"
	like "^$2 \(process [01], superstep 1, areas\.cc:$line\)$" "$seen" \
		"$1 is named with its line"
}

says bound 'bsp_put: offset 8 \+ 8 bytes is beyond the 12 bytes registered on process 0' \
	'area.put(0, std::vector<int>(2), 2)'
says pid 'bsp_put: process 9 does not exist, there are 2' 'area.put(9'
seen=$(bsprun -n 2 ./areas exception 2>&1)
ok $((! $?)) "an exception that leaves the SPMD part is an error"
text='an exception has left the SPMD part: one process alone'
like "^bsp_abort: $text \(process 1, superstep 1\)$" "$seen" "with its text and process"

sed -n '/^#include <bsp.area.hpp>/,/^}/p' "$top_srcdir/man/bsp_cxx.7" | sed 's/\\e/\\/g' >page.cc
seen=$(bspcxx -std=c++11 -Wall -Wextra -Werror -o page page.cc 2>&1)
ok $? "the program of bsp_cxx(7) compiles" || diag "$seen"
is "0 has 2 on its left
1 has 0 on its left
2 has 1 on its left" "$(runs -n 3 ./page)" "and runs"

cp "$top_srcdir/examples/rod.cc" .
eval "$(sed -n 's/^ \*	\(bspcxx .*\)/\1/p' rod.cc)"
ok $? "the example is built as it says"
is "heat in the rod: 35.1869" "$(runs -n 3 ./rod)" "and runs"
like 'well-formed' "$(runs -n 3 --check ./rod)" "and is well-formed"

done_testing
