#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# What a kernel compiles needs no library, no allocation, and floating point in one file only.
# shellcheck disable=SC2086,SC2154

. "${0%/*}/../lib/env.sh"

command -v nm >/dev/null || skip_all "no nm here"
cd "$tap_dir" || bail "no $tap_dir"
goal=$top_srcdir/kernel/goal

# compile FILE FLAG...: as a kernel would, without looking for warnings in vain
compile()
{
	file=$1
	shift
	$CC -std=gnu11 -O2 -Wall -Wextra -Werror -Wvla -ffreestanding -fno-builtin -nostdlib \
		-fno-pic "$@" \
		-c "$goal/$file.c" -o "$file.o"
}

# Registers of integers only, where the compiler has an option for it.
echo 'int x;' >empty.c
integers=
$CC -mgeneral-regs-only -c empty.c -o empty.o 2>/dev/null && integers=-mgeneral-regs-only

for file in goal_check goal_run goal_arith; do
	compile $file $integers
	ok $? "$file.c compiles without a library${integers:+ and without floating point}"
done
compile goal_float
ok $? "goal_float.c compiles without a library"

# The names of these headers that there are in a kernel, and no others.
mkdir linux
echo '#define static_assert(condition, text) _Static_assert(condition, text)' >linux/build_bug.h
: >linux/limits.h
echo 'int cond_resched(void);' >linux/sched.h
cat >linux/types.h <<'END'
#pragma once
typedef __SIZE_TYPE__ size_t;
typedef __UINTPTR_TYPE__ uintptr_t;
typedef __UINT8_TYPE__ uint8_t;
typedef __UINT16_TYPE__ uint16_t;
typedef __UINT32_TYPE__ uint32_t;
typedef __UINT64_TYPE__ uint64_t;
typedef __INT8_TYPE__ int8_t;
typedef __INT16_TYPE__ int16_t;
typedef __INT32_TYPE__ int32_t;
typedef __INT64_TYPE__ int64_t;
typedef _Bool bool;
enum { false, true };
#define NULL ((void *)0)
END
cat >linux/string.h <<'END'
#include <linux/types.h>
void *memcpy(void *to, const void *from, size_t n);
void *memmove(void *to, const void *from, size_t n);
void *memset(void *to, int byte, size_t n);
END
for file in goal_check goal_run goal_arith goal_float; do
	said=$($CC -std=gnu11 -O2 -Wall -Wextra -Werror -ffreestanding -fno-builtin -nostdinc \
		-D__KERNEL__ \
		-I. -c "$goal/$file.c" -o kernel.o 2>&1)
	ok $? "$file.c compiles with what headers of a kernel declare" || diag "$said"
done

none "$(for file in goal_check goal_run goal_arith goal_float; do
	nm -u $file.o
done | $AWK '{ print $NF }' | sort -u |
	grep -vxE 'mem(cpy|move|set)|goal_[a-z_]+|_GLOBAL_OFFSET_TABLE_|__stack_chk_fail')" \
	"they call nothing but memcpy, memmove, memset and themselves"

nm goal_check.o goal_run.o goal_arith.o goal_float.o | $AWK '$2 == "T" { print $3 }' | sort >defined
nm -u goal_check.o goal_run.o goal_arith.o goal_float.o |
	$AWK '$1 == "U" && $2 ~ /^goal_/ { print $2 }' |
	sort -u | comm -23 - defined >missing
none "$(cat missing)" "and themselves means these four"

none "$(nm goal_check.o goal_run.o goal_arith.o goal_float.o |
	$AWK '$2 ~ /^[bBdDC]$/ { print $3 }')" \
	"they have no variables that change"

is "goal_arith.o" "$(for file in goal_check goal_run goal_arith; do
	nm -u $file.o | grep -qw goal_float && echo $file.o
done)" "goal_float() is called in one place, around which registers can be saved"

none "$(grep -hE '^[[:space:]]*#[[:space:]]*include' "$goal"/goal_check.c "$goal"/goal_run.c \
	"$goal"/goal_arith.c "$goal"/goal_float.c | grep -vE '"goal_(env|format|run)\.h"')" \
	"they include nothing but what a kernel has"

# The graph of calls, as the compiler knows it; the optimiser makes loops of some recursions.
for file in goal_check goal_run goal_arith goal_float; do
	$CC -std=gnu11 -O0 -fcallgraph-info -c "$goal/$file.c" -o calls.o 2>/dev/null &&
		cat calls.ci
done | $SED -n 's/^edge: { sourcename: "\([^"]*\)" targetname: "\([^"]*\)".*/\1 \2/p' |
	$SED 's/[^ "]*://g' >calls
if test -s calls; then
	none "$($AWK '$1 == $2' calls; tsort calls 2>&1 >/dev/null)" \
		"no function calls itself, by whatever way"
else
	skip "no function calls itself: this compiler does not tell"
fi

compile goal_check -fstack-usage && compile goal_run -fstack-usage &&
	compile goal_arith -fstack-usage &&
	compile goal_float -fstack-usage
none "$($AWK '$2 > 512 || $3 !~ /static/' ./*.su)" "no function has a large frame"

done_testing
