/* SPDX-License-Identifier: BSD-3-Clause */
/* deadlock.h - whether all processes of a job wait for each other, and nothing is on its way. */

/*
 * Terms
 *   waits	a process is in a loop of the library that only a message ends, and has found none.
 *		It says so in its status (bspi_wait(), engine/still.c), with the chunks that it has
 *		sent and received until then, and a turn that grows by one when it begins to wait
 *		and when it ends: odd while it waits. A process that computes, reads a file, runs an
 *		operator of the program or copies data does not wait. Nor does one that waits for
 *		what is not a chunk, and so not counted: transfers in bulk, windows, memory, answers
 *		from memory, schedules that the kernel runs or a thread moves on.
 *   receives	ends the wait by what a chunk brings: the turn grows after the chunk was polled,
 *		and before it is looked at.
 *   wave	a look at the status of each process, one after the other.
 *   on its way	sent, and not received. Chunks that a transport holds back, that wait in a ring or
 *		for credit, or that a stopped process has not polled, are on their way.
 *
 * The job has come to a deadlock if in two waves, of which the second begins when the first is
 * over, all processes wait, each with the same turn in both, and the sums of the chunks sent and
 * received are equal in the first. (In the second a process may go on between the look at its turn
 * and that at its counts, which are then of a later turn. The counts of the first did not
 * change, as the second finds the same turns.)
 *
 * Proof. Let T be a moment between the waves. A process that had the same odd turn before T and
 * after it has waited at T, as turns only grow, and neither sent nor received meanwhile. So at T
 * all processes wait at once, and their counts are those in the first wave: as many chunks had been
 * received by T as had been sent. Each chunk is received at most once, and after it is sent, so
 * none was on its way. A process that waits sends nothing, and ends its wait only by a chunk: the
 * first to end it after T would need one that was sent before T and was on its way at T, and there
 * is none. So none ever does. (Of termination detection this is the method of four counters, of
 * Mattern, made simpler by turns: they say that the counts of a wave are those of one moment.)
 *
 * One wait of a process is ended by no chunk: that in a counting barrier, by the last to enter it,
 * or by the first process of its node. It counts only while a process that waits within a step, on
 * whatever node, is in the same epoch: that one has not entered the barrier of this epoch, so the
 * barrier cannot be over. So a wave has the epochs of both.
 *
 * A process that has not begun yet, has ended or died is none that waits. Stores of a status become
 * visible in less time than there is between two waves (BSPJ_DEADLOCK_PAUSE_MS).
 *
 * On one machine the supervisor takes the waves (supervise.c), and under a launcher process 0, over
 * the lifelines: the first process of each node is asked along their tree, and the next wave begins
 * when all have answered. A node asks others only if all of its own processes wait.
 */
#ifndef BSPJ_DEADLOCK_H
#define BSPJ_DEADLOCK_H

#include "job/internal.h"

enum { BSPJ_DEADLOCK_PAUSE_MS = 100 };

/* A wave over the processes that @watchdog watches. */
struct bspj_wave bspj_wave_look(const struct bspj_watchdog *watchdog);
/* The same of two groups of processes. */
struct bspj_wave bspj_wave_join(const struct bspj_wave *a, const struct bspj_wave *b);
/* Is it a deadlock that @first and then @second were seen? */
bool bspj_wave_is_deadlock(const struct bspj_wave *first, const struct bspj_wave *second);

#endif
