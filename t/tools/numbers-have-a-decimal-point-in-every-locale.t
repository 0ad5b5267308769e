#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# A program that has chosen a locale with a decimal comma reads and writes the same numbers.
# shellcheck disable=SC1090,SC2034,SC2154

. "${0%/*}/../lib/env.sh"
. "$top_srcdir/t/lib/installed.sh"

command -v localedef >/dev/null || skip_all "no localedef here"
LOCPATH=$PWD/locales
mkdir "$LOCPATH"
for locale in de_DE tr_TR; do
	localedef -i $locale -f UTF-8 "$LOCPATH/$locale.UTF-8" 2>/dev/null ||
		skip_all "no locales to build from here"
done
export LOCPATH

cat >loc.c <<'END'
#define _GNU_SOURCE
#include <bsp.h>
#include <locale.h>
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv)
{
	char point[8];

	if (argc > 1 && strcmp(argv[1], "thread") == 0)
		uselocale(newlocale(LC_ALL_MASK, "", (locale_t)0));
	else
		setlocale(LC_ALL, "");
	bsp_begin(bsp_nprocs());
	bsp_set_sync(BSP_RELAXED);
	for (int i = 0; i < 3; i++)
		bsp_sync();
	snprintf(point, sizeof point, "%.1f", 0.5);
	if (bsp_pid() == 0)
		printf("%s %.2f %.2f\n", point, bsp_s(), bsp_g());
	bsp_end();
	return 0;
}
END
bspcc -o loc loc.c || bail "the program does not compile"

# is_json FILE
is_json()
{
	python3 -c 'import json, sys; json.load(open(sys.argv[1]))' "$1"
}

# Parameters that have digits behind the point, as bspprobe writes them.
cat >params.json <<'END'
{ "version": 1, "entries": [
  { "host": "any", "transport": "shm", "network": "", "nprocs": 2, "s": 1234.75, "l": 0.94,
    "g": 0.94, "nhalf": 10, "L": 900.5, "gamma": 0.25, "combine": 0.5, "copy": 0.125,
    "sizes": [ { "bytes": 1, "os": 100.5, "or": 100.5, "g": 200.5 } ] } ] }
END

for locale in de_DE tr_TR; do
	LC_ALL=$locale.UTF-8
	export LC_ALL
	for form in process thread; do
		is "0,5 1234,75 0,94" "$(bsprun -n 2 --report r.json -x BSP_PARAMS=params.json \
			--transport shm ./loc $form)" "$locale, $form: parameters are whole"
		is_json r.json
		ok $? "$locale, $form: a report is JSON"
		bsprun -n 2 --watchdog "$(limit).5" -x BSP_WAIT=lifeline:2.5 ./loc $form \
			>/dev/null 2>said
		is 0 $? "$locale, $form: half a second in the time of a watchdog" ||
			diag "$(cat said)"
		bsprun -n 2 --compare --rounds 1 ./loc $form >said 2>&1
		is 0 $? "$locale, $form: runs are compared" || diag "$(cat said)"
		bsprun -n 2 --emulate L=1.5us,o=0.5us,g=0.5us,G=0.25ns --report e.json \
			--profile e.html --predict rdma100 ./loc $form >said 2>&1
		is 0 $? "$locale, $form: a network is emulated" || diag "$(cat said)"
		like 'L=1.5us' "$(cat e.json)" "$locale, $form: as it was given"
		bsprun -n 2 --stat ./loc $form >/dev/null 2>said
		none "$(grep '[0-9],[0-9]' said)" "$locale, $form: statistics have points"
	done
done

done_testing
