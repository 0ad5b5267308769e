#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# What the standard streams of C++ have not written before bsp_begin is written once, and what
# standard input has read ahead is for process 0.
# shellcheck disable=SC1090,SC2034,SC2154

. "${0%/*}/../lib/env.sh"
. "$top_srcdir/t/lib/installed.sh"

cat >streams.cc <<'END'
#include <bsp.h>
#include <iostream>
#include <string>
int main(int argc, char **argv)
{
	std::string first, rest;
	int parts = 2;

	std::ios::sync_with_stdio(argc > 1);
	if (argc > 2) {
		std::wcout << L"wide\n";
		std::wclog << L"wide log\n";
		parts = 1;
	} else {
		std::cout << "before\n";
		std::clog << "log\n";
	}
	std::cin >> first;
	while (parts--) {
		bsp_begin(bsp_nprocs());
		rest = "nothing";
		if (bsp_pid() > 0)
			std::cin >> rest;
		bsp_sync();
		if (bsp_pid() == 0)
			std::cin >> rest;
		if (argc <= 2)
			std::cout << bsp_pid() << ": " << first << ", " << rest << "\n";
		bsp_end();
		if (parts)
			std::cout << "between\n";
	}
	return 0;
}
END
bspcxx -o streams streams.cc
ok $? "a program with the streams of C++ is linked"
printf 'one\ntwo\nthree\n' >input

# said ARGUMENT...: of three processes, in order, what goes to a pipe
said()
{
	bsprun -n 3 ./streams "$@" <input 2>&1 | cat | sort
}
wanted="0: one, three
0: one, two
1: one, nothing
1: one, nothing
2: one, nothing
2: one, nothing
before
between
between
between
log"
is "$wanted" "$(said)" "with buffers of their own"
is "$wanted" "$(said synchronised)" "and synchronised with those of C"
is "wide
wide log" "$(said synchronised wide)" "wide ones"

cat >log.cc <<'END'
#include <bsp.h>
#include <fstream>
int main()
{
	std::ofstream log("log");
	log << "start\n" << std::flush;
	bsp_begin(bsp_nprocs());
	bsp_end();
}
END
bspcxx -o log.prog log.cc && bsprun -n 3 ./log.prog
is "start" "$(cat log)" "a file that is flushed before has its text once, too"

done_testing
