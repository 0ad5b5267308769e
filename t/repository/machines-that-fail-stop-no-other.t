#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# make check-machines measures each machine whatever became of the others, prints a row for each,
# and an interrupt leaves no process.

. "${0%/*}/../lib/env.sh"

# The script with compilers that only have a version, a configure that refuses some of them, and a
# make whose tests have the results below.
cd "$tap_dir" || bail "no $tap_dir"
mkdir -p build-aux bin t here
cp "$top_srcdir/build-aux/setup.sh" "$top_srcdir/build-aux/results.sh" build-aux/
cp "$top_srcdir/t/machines.sh" "$top_srcdir/t/allowed-skips" t/
cat >configure <<'END'
#!/bin/sh
case " $* " in
*s390x*) echo "configure: error: this is a big-endian machine; it is not for them" >&2; exit 1 ;;
*i686*) echo "configure: error: another message" >&2; exit 1 ;;
*clang-14*) exit 1 ;;
esac
: >config.status
END
cat >bin/make <<'END'
#!/bin/sh
test "$1" != -C || cd "$2" || exit
case " $* " in
*" library-and-tools "*)
	for tool in bsprun bspprof bspinfo bspprobe bspgauge goalc; do
		mkdir -p tools/$tool
		printf '#!/bin/sh\n' >tools/$tool/$tool
		chmod +x tools/$tool/$tool
	done
	exit
	;;
*header*) folders=interface ;;
*FOLDERS=*) folders=$(echo "$*" | sed 's/.*FOLDERS=//; s/ [A-Z_]*=.*//') ;;
*) exit ;;
esac
results="PASS PASS" status=0
case $PWD in
*clang-16) results="PASS FAIL" status=2 ;;
*clang-19) status=2 ;;
*riscv64) sleep 1000 & echo $! >running; wait; exit ;;
esac
for name in $folders; do
	mkdir -p "t/$name"
	for result in $results; do
		echo ":test-result: $result" >>"t/$name/some.trs"
	done
	echo "SKIP: t/$name/some.t 1 - two # SKIP no such thing here" >"t/$name/some.log"
done
exit $status
END
for name in gcc-12 clang-14 clang-16 clang-19 s390x-linux-gnu-gcc i686-linux-gnu-gcc \
	riscv64-linux-gnu-gcc qemu-riscv64; do
	printf '#!/bin/sh\necho version 7.8.9\n' >bin/$name
done
chmod +x configure bin/*
PATH=$tap_dir/bin:$PATH
export FAMILIES="message relaxed"

# machines NAME...: as make check-machines runs it
machines()
{
	(cd here && exec sh ../t/machines.sh "$@")
}

said=$(machines clang-14 clang-16 clang-19 s390x i686 gcc-12 2>&1)
is 1 $? "with failures it fails" || diag "$said"
cells='\| [^|]* \|'
like "^\| clang-14 \| [^|]*: cannot be built \|( \|){3} 1 \| 0 \|$" "$said" \
	"a machine that cannot be configured has a row" || diag "$said"
like "^\| clang-16 $cells 1 \| 1 \| 19 \| 5 \| 5 \|$" "$said" "failures are counted"
like "^\| clang-19 $cells 2 \| 2 \| 22 \| 4 \| 5 \|$" "$said" \
	"as is a make that fails though no test does"
like "^\| s390x \| [^|]*: refused \|( \|){3} 0 \| 0 \|$" "$said" "a refusal is good"
like "^\| i686 \| [^|]*9 \|( \|){3} 1 \| 0 \|$" "$said" "if it has the words"
like "^\| gcc-12 $cells 2 \| 2 \| 22 \| 0 \| 5 \|$" "$said" \
	"the last one is measured as if it were alone"
like '^  skipped: relaxed/some: no such thing here$' "$said" "skips have their reason"
none "$(echo "$said" | awk -F '|' 'NF > 1 && NF != 9')" "rows have as many cells as the head"

said=$(machines gcc-12 s390x 2>&1)
is 0 $? "without failures it does not" || diag "$said"

said=$(machines gcc-12 vax 2>&1)
is 2 $? "a machine that it does not know is refused"
like 'there is no vax; names are gcc-12 ' "$said" "with the names"
none "$(echo "$said" | grep '^gcc-12')" "before others are measured"

has_ended()
{
	! kill -0 "$1" 2>/dev/null
}

(cd here && exec sh ../t/machines.sh s390x riscv64 gcc-12) >said 2>&1 &
script=$!
until_true test -s here/machines/riscv64/running
running=$(cat here/machines/riscv64/running)
kill -TERM $script
wait $script
is 143 $? "an interrupt ends it"
until_true has_ended "$running"
ok $? "and what it has started"
like '^riscv64: interrupted$' "$(cat said)" "it says where it was"
like '^\| s390x \|' "$(cat said)" "machines that are done have their rows"
none "$(grep '^. gcc-12' said)" "others have none"

done_testing
