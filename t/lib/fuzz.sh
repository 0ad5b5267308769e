# SPDX-License-Identifier: BSD-3-Clause
# fuzz.sh - a fuzzer as a test: first all inputs of the corpus, then a search among new ones.
# shellcheck shell=sh disable=SC2154

# fuzzed PROGRAM CORPUS OPTION...: PROGRAM and CORPUS of fuzz/; options of libFuzzer for the search
fuzzed()
{
	fuzzer=$top_builddir/fuzz/$1 corpus=$tap_dir/$2
	test -x "$fuzzer" || test -z "$BSP_SANITIZE" ||
		skip_all "not applicable: fuzzers have sanitizers of their own"
	test -x "$fuzzer" || bail "no $fuzzer: make check builds it"
	cd "$tap_dir" || bail "no $tap_dir"
	mkdir -p new
	gzip -dc "$top_srcdir/fuzz/$2.tar.gz" | tar -xf - || bail "cannot unpack fuzz/$2.tar.gz"
	shift 2
	kept=$(find "$corpus" -type f | wc -l)
	test "$kept" -gt 10
	ok $? "there are $kept inputs from before"
	said=$("$fuzzer" -runs=0 "$corpus" 2>&1)
	ok $? "all of them pass" || diag "$(printf '%s\n' "$said" | tail -n 40)"
	said=$("$fuzzer" -runs=60000 -use_value_profile=1 "$@" new "$corpus" 2>&1)
	ok $? "so do new ones: $(printf '%s\n' "$said" | tail -n 1)" && return 0
	diag "$(printf '%s\n' "$said" | tail -n 60)"
	for file in crash-* leak-* timeout-* oom-*; do
		test -f "$file" && diag "$file: $(base64 "$file")"
	done
	return 1
}
