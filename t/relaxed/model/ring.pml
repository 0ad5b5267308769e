/* SPDX-License-Identifier: BSD-3-Clause */
/* ring.pml - the ring of shared memory and its sleepers, on processors that reorder stores. */

/*
 * One sender and one receiver, as in transport/shm/shm_move.c and shm_wake.c: MESSAGES messages go
 * through a ring of SLOTS slots. A slot has a word of data and its turn, the receiver's ack is the
 * number of slots that it has emptied, and its flag says that it sleeps or is about to.
 *
 * Each process has a store buffer. Its stores reach memory in any order, but for two rules: those to
 * one word in their own order, and a release after all that were made before it (those made after
 * it may overtake it). A load sees memory at once, so that it overtakes all stores that are still in
 * the buffer of its process, its own ones to other words among them. Loads that would come too
 * early or too late are those of the changed models, EARLY_READ and LATE_READ.
 *
 *	membarrier()	all stores of both processes reach memory: FENCE_ALL. The waker only
 *			keeps the order of the compiler.
 *	futex		sleeps if the flag is set in memory; that and the look are one step
 *
 * The model shows, in every order of steps and stores: the receiver reads in each message what was
 * sent, the sender never writes a slot that is still to be read, and neither sleeps for ever. The
 * time limit of a sleep, which the library has where there is no membarrier(), is left out.
 */

#ifndef SLOTS
#define SLOTS		2
#endif
#ifndef MESSAGES
#define MESSAGES	4
#endif
#define DEPTH		6	/* stores in a buffer, most */

#ifdef NO_RELEASE
#define RELEASE_TURN	false
#else
#define RELEASE_TURN	true
#endif

#define SENDER		0
#define RECEIVER	1

/* Words of memory. */
#define DATA(i)		(i)
#define TURN(i)		(SLOTS + (i))
#define TAKEN		(2 * SLOTS)
#define ASLEEP		(2 * SLOTS + 1)

byte memory[2 * SLOTS + 2];

typedef waiting_store { byte at; byte value; bool release };
typedef buffer { waiting_store first[DEPTH]; byte n };
buffer stores[2];

bool sleeps;		/* the receiver, in the futex */

inline store(p, word, what, is_release)
{
	atomic {
		stores[p].n < DEPTH;
		stores[p].first[stores[p].n].at = word;
		stores[p].first[stores[p].n].value = what;
		stores[p].first[stores[p].n].release = is_release;
		stores[p].n++
	}
}

/* Store k of the buffer reaches memory, and those behind it move up. */
inline reach_memory(p, k)
{
	memory[stores[p].first[k].at] = stores[p].first[k].value;
	do
	:: k + 1 < stores[p].n ->
		stores[p].first[k].at = stores[p].first[k + 1].at;
		stores[p].first[k].value = stores[p].first[k + 1].value;
		stores[p].first[k].release = stores[p].first[k + 1].release;
		k++
	:: else -> break
	od;
	stores[p].n--;
	stores[p].first[stores[p].n].at = 0;
	stores[p].first[stores[p].n].value = 0;
	stores[p].first[stores[p].n].release = false;
	k = 0
}

/* Any store that may, at any time. */
proctype drain(byte p)
{
	byte k, i;
	bool may;

end:	do
	:: atomic {
		stores[p].n > 0;
		k = 0;
		do
		:: k + 1 < stores[p].n -> k++
		:: break
		od;
		may = !(stores[p].first[k].release && k > 0);
		i = 0;
		do
		:: i < k ->
			may = may && stores[p].first[i].at != stores[p].first[k].at;
			i++
		:: else -> break
		od;
		i = 0;
		if
		:: may -> reach_memory(p, k)
		:: else -> k = 0
		fi
	}
	od
}

inline fence(p)
{
	d_step {
		do
		:: stores[p].n > 0 -> k = 0; reach_memory(p, k)
		:: else -> break
		od
	}
}

#ifdef NO_MEMBARRIER
#define FENCE_ALL	fence(RECEIVER)
#else
#define FENCE_ALL	fence(RECEIVER); fence(SENDER)
#endif

proctype send()
{
	byte sent, taken, slot;

	do
	:: sent < MESSAGES ->
		do
		:: sent - taken < SLOTS -> break
		:: else -> taken = memory[TAKEN]
		od;
		slot = sent % SLOTS;
		sent++;
		store(SENDER, DATA(slot), sent, false);
		store(SENDER, TURN(slot), sent, RELEASE_TURN);
#ifndef NO_WAKE
		if
		:: memory[ASLEEP] ->
			/* the exchange, which is no barrier, and FUTEX_WAKE */
			atomic { memory[ASLEEP] = 0 };
			sleeps = false
		:: else
		fi
#endif
	:: else -> break
	od
}

#define IS_FULL		(memory[TURN(slot)] == polled + 1)

proctype receive()
{
	byte polled, slot, seen, k;

	do
	:: polled < MESSAGES ->
		slot = polled % SLOTS;
#ifdef EARLY_READ
		seen = memory[DATA(slot)];
#endif
		if
		:: IS_FULL
		:: else ->
			store(RECEIVER, ASLEEP, 1, false);
			FENCE_ALL;
#ifndef NO_LOOK
			if
			:: IS_FULL
			:: else ->
#endif
				atomic { sleeps = memory[ASLEEP] };
				!sleeps;
#ifndef NO_LOOK
			fi;
#endif
			store(RECEIVER, ASLEEP, 0, false);
			goto next
		fi;
#if !defined(EARLY_READ) && !defined(LATE_READ)
		seen = memory[DATA(slot)];
#endif
		polled++;
		store(RECEIVER, TAKEN, polled, true);
#ifdef LATE_READ
		seen = memory[DATA(slot)];
#endif
		assert(seen == polled);
next:		skip
	:: else -> break
	od
}

init
{
	atomic {
		run drain(SENDER);
		run drain(RECEIVER);
		run send();
		run receive()
	}
}
