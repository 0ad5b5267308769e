#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The name of a static function occurs in one file only, so that a stack trace says where it is, but
# for known ones.
# shellcheck disable=SC2154

. "${0%/*}/../lib/env.sh"

# repeated_names: of the files whose names are on standard input
repeated_names()
{
	xargs $AWK -f "$top_srcdir/build-aux/static-names.awk"
}

cd "$tap_dir" || bail "no $tap_dir"
cat >a.c <<'END'
static int common(void);
static const char *own_a(int n)
{
	return table[n];
}
static int table_a[] = { sizeof(common) };
static DEFINE_LOCK(lock);
static __attribute__((format(printf, 1, 2))) void shared(const char *format, ...)
END
cat >b.c <<'END'
static int common(void)
static _Noreturn __attribute__((cold)) void shared(void)
static inline int own_b(int (*common_argument)(void))
int common_call = common(), own_a(3);
static DEFINE_LOCK(lock);
END
is "common a.c b.c,shared a.c b.c" \
	"$(ls ./*.c | sed 's,^\./,,' | repeated_names | sort | paste -sd ,)" \
	"names that two files have are found, and no others"

# The number of repeated names that are left: it only gets smaller.
most=2
cd "$top_srcdir" || bail "no $top_srcdir"
find bsplib job transport tools goal kernel -name '*.[ch]' | sort | repeated_names |
	sort >"$tap_dir/found"
count=$(wc -l <"$tap_dir/found")
test "$count" -le $most
ok $? "$((count)) names of static functions occur in several files, of $most" ||
	diag "$(cat "$tap_dir/found")"

done_testing
