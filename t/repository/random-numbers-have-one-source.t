#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Tests and fuzzers draw random numbers from t/lib/random.h: no other file has a generator.
# shellcheck disable=SC2154

. "${0%/*}/../lib/env.sh"

# The functions of the C library and of awk, whose numbers differ from system to system; a shell's;
# and the constants of the usual generators: rand() of POSIX, Numerical Recipes, Knuth's MMIX,
# xorshift64*, splitmix64, PCG, the Mersenne twister.
functions='\b(s?rand|s?random|[dlm]rand48|[enj]rand48|rand_r|random_r|arc4random[a-z_]*) *\('
constants='\b(1103515245|0x41c64e6d|1664525|1013904223|22695477|214013|69069|16807|48271'
constants="$constants|6364136223846793005|0x5851f42d4c957f2d|1442695040888963407|0x14057b7ef767814f"
constants="$constants|2685821657736338717|0x2545f4914f6cdd1d|0x9e3779b97f4a7c15"
constants="$constants|0xbf58476d1ce4e5b9|0x94d049bb133111eb|11400714819323198485|0x6c078965"
constants="$constants|1812433253)[ul]*\b"
# shellcheck disable=SC2016
shells='\$\{?RANDOM\b'

# generators: of the files whose names are on standard input, the lines that have one
generators()
{
	tr '\n' '\0' | xargs -0 grep -nEi "$functions|$constants|$shells" /dev/null
}

cd "$tap_dir" || bail "no $tap_dir"
cat >with.c <<'END'
	x = x * 1664525 + 1013904223;
	x = x * 6364136223846793005ULL;
	y = rand() % 6;
	srandom(1);
	z ^= 0x9E3779B97F4A7C15u;
	n=$((RANDOM % 7)) m=$RANDOM
END
cat >without.c <<'END'
	brand(1), operand (2), randomly(3), random_next(&state), getrandom(key, 8, 0);
	x = x * 31 + 16640, y = 690690;
	RANDOM = 200,
END
is "1 2 3 4 5 6" "$(echo with.c | generators | cut -d: -f2 | paste -sd ' ')" "each kind is found"
none "$(echo without.c | generators)" "and nothing that only looks like one"

# Programs of tests are in the same folders if the build is in that of the sources.
cd "$top_srcdir" || bail "no $top_srcdir"
find t fuzz -type f \( -name '*.[ch]' -o -name '*.cc' -o -name '*.sh' -o -name '*.t' \
	-o -name '*.awk' \) ! -path t/lib/random.h \
	! -path t/repository/random-numbers-have-one-source.t | sort >"$tap_dir/files"
test "$(wc -l <"$tap_dir/files")" -gt 300
ok $? "there are $(($(wc -l <"$tap_dir/files"))) files to look at"
none "$(tr '\n' '\0' <"$tap_dir/files" | xargs -0 grep -lI . | generators)" \
	"no other generator of random numbers is in t/ or fuzz/ (t/lib/random.h)"

# Vigna's splitmix64 yields for seed 0: e220a8397b1dcdaf, 6e789e6aa1b965f4, 06c45d188009454f.
is "3793791033
1853398634
113532184" "$("$top_builddir/t/lib/random-numbers" 0 3)" "the numbers are those of splitmix64"

done_testing
