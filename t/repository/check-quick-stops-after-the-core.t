#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# check.sh says what came out of its core, --quick stops there, --long does more than without, and
# other options are refused.

. "${0%/*}/../lib/env.sh"

# The script with a make that builds nothing, and whose targets have the results below.
cd "$tap_dir" || bail "no $tap_dir"
mkdir -p build-aux bin t/lib
cp "$top_srcdir/check.sh" .
cp "$top_srcdir/build-aux/setup.sh" "$top_srcdir/build-aux/results.sh" \
	"$top_srcdir/build-aux/without-symbols.sh" build-aux/
cp "$top_srcdir/t/allowed-skips" t/
cp "$top_srcdir/t/lib/built.sh" t/lib/
for name in configure Makefile.in bin/apt-get bin/sudo; do
	printf '#!/bin/sh\n: >Makefile\n' >$name
	chmod +x $name
done
cat >bin/make <<'END'
#!/bin/sh
for target do
	:
done
echo "$*" >>made
case " $* " in
*" check-core "*) results="PASS PASS" ;;
*" check-each-transport "*) results="PASS ${result_of_self:-PASS}" ;;
*" check-rest "*) results="PASS PASS PASS PASS" ;;
*) results= ;;
esac
test -z "$results" || mkdir -p build/t/some
for result in $results; do
	echo ":test-result: $result" >>build/t/some/test.trs
	: >build/t/some/test.log
done
END
chmod +x bin/make
PATH=$tap_dir/bin:$PATH
unset CI CHECK_SECONDS TESTS_UNTIL

said=$(sh ./check.sh --quick 2>&1)
is 0 $? "check.sh --quick ends well" || diag "$said"
like '^core: 4 passed, 0 failed, 0 skipped$' "$said" "the core has a line"
is "4 passed, 0 failed, 0 skipped" "$(echo "$said" | tail -n 1)" "the last line is as ever"
none "$(grep -E 'check-rest|check-tsan|build-asan|kernel' made)" "no more is made"

said=$(result_of_self=FAIL sh ./check.sh --quick 2>&1)
is 1 $? "a failure in the core fails it"
is "3 passed, 1 failed, 0 skipped" "$(echo "$said" | tail -n 1)" "and is counted"

: >made
said=$(sh ./check.sh 2>&1)
like '^core: 4 passed, 0 failed, 0 skipped$' "$said" "without --quick the core has its line, too"
like ' check-rest( |$)' "$(cat made)" "and the rest follows"
like '^8 passed, ' "$(echo "$said" | tail -n 1)" "the last line has both" || diag "$said"
usual=$(grep FOLDERS= made)

: >made
sh ./check.sh --long >/dev/null 2>&1
none "$(echo "$usual" | grep faults)" "by itself it leaves some families out with sanitizers"
like 'FOLDERS=unit .* soak faults' "$(cat made)" "--long does not"

for wrong in --fast quick "--quick --long" ""; do
	: >made
	# shellcheck disable=SC2086
	said=$(sh ./check.sh ${wrong:-""} 2>&1)
	is 2 $? "check.sh '$wrong' is refused"
	is "usage: check.sh [--quick | --long]" "$said" "with its usage"
	is "" "$(cat made)" "and makes nothing"
done
done_testing
