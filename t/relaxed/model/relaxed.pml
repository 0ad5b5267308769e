/* SPDX-License-Identifier: BSD-3-Clause */
/* relaxed.pml - relaxed barriers as bsplib/ makes them, for spin: README.md says what is what. */

/*
 * Three processes run a program of program.pml. Between each two there is a channel that keeps
 * the order; between channels there is none. The paper is Kim, Ha and Jhon, Relaxed barrier
 * synchronization for the BSP model of computation on message-passing architectures (1998).
 *
 * Settings, with -D:
 *   ASKS=0|1|2		puts are eager; all ask first (Fig. 1); some do
 *   WINDOW=n		so many messages of earlier supersteps may be unread by a peer
 *   TELL=n		a receiver tells when it has taken in n of which it has not told
 *   LINGER		a process may stay in bsp_sync and take in more than it waits for
 *   BARRIER		superstep 0 or 1 and the last one end with a global synchronisation
 *   FROM=a, UPTO=b	families of programs
 *   FIRST=a, LAST=b	random programs; PUTS=n: tries to place a put in each superstep
 *
 * Faults that a search must find:
 *   NO_TIMESTAMPS	puts are counted, their supersteps are not looked at
 *   EQUAL_IN_READ	a put of the same superstep is accepted in bsp_read
 *   DATA_BEFORE_ACK	the data do not wait for the ack
 *   BLOCKING_RECEIVE	Fig. 1 to the letter: after the ack, nothing but the data is taken in
 *   NOT_RELEASED	bsp_sync forgets to look at what is held
 *   HELD_CREDIT	a message that is held keeps the credit that is in it
 *   TOLD_IN_SYNC	credit is returned only in bsp_sync
 *   DEAF		who waits in bsp_sync takes in nothing but credit
 *   NO_CREDIT		no process waits for credit
 *   NO_EPOCHS		credit of before a global synchronisation counts after it
 *   BOUND=n		another bound than the true one
 */

#ifndef ASKS
#define ASKS	0
#endif
#ifndef WINDOW
#define WINDOW	1
#endif
#ifndef TELL
#define TELL	(WINDOW / 2 + 1)
#endif
#define MOST	2			/* puts of one superstep from one process to another */

#include "program.pml"

/* A put that asks is two messages that count: req and data. */
#if ASKS
#define OF_A_STEP	(2 * MOST)
#define ACKS		MOST
#else
#define OF_A_STEP	MOST
#define ACKS		0
#endif

/* The most that may be unread between two processes: the window and two supersteps. */
#ifndef BOUND
#define BOUND	(WINDOW + 2 * OF_A_STEP)
#endif
/* In a channel: that, acks for the puts of one superstep, credit, counts of two epochs. */
#define ROOM	(BOUND + ACKS + BOUND / TELL + 2)
/* Held: that of each peer, the count of each, and puts to oneself. */
#define SHELF	(2 * (BOUND + 1) + CELLS)

mtype = { put, req, ack, data, credit, count };

/* kind, superstep of the put, cell, value, messages taken in since last told, epoch of that */
chan next[NPROCS] = [ROOM] of { mtype, byte, byte, byte, byte, bit };	/* p to PEER(p, 0) */
chan last[NPROCS] = [ROOM] of { mtype, byte, byte, byte, byte, bit };	/* p to PEER(p, 1) */

/* Where a process waits. */
#define START	0
#define READ_1	1
#define READ_2	2
#define SYNC	3
#define END	4
#define syncing	(at == SYNC)

/* ---- The acceptance rule ---------------------------------------------------- */

#if defined(NO_TIMESTAMPS)
#define accepts(stamp)	true
#elif defined(EQUAL_IN_READ)
#define accepts(stamp)	((stamp) <= s)
#else
#define accepts(stamp)	((stamp) < s || (syncing && (stamp) == s))
#endif

/* ---- Sending ---------------------------------------------------------------- */

/* Every message tells how much was taken in. */
inline send(k, what, when, where, what_value)
{
	if
	:: k == 0 ->
		assert(nfull(out0));
		out0!what(when, where, what_value, untold[0], epoch)
	:: else ->
		assert(nfull(out1));
		out1!what(when, where, what_value, untold[1], epoch)
	fi;
	untold[k] = 0
}

/* One that fills the window of the receiver until that has taken it in. */
inline send_counted(k, what, when, where, what_value)
{
	send(k, what, when, where, what_value);
	unread[k]++;
	fresh[k]++;
	assert(unread[k] <= BOUND)
}

inline tell(k)
{
	if
#ifdef TOLD_IN_SYNC
	:: untold[k] >= TELL && syncing ->
#else
	:: untold[k] >= TELL ->
#endif
		send(k, credit, s, 0, 0)
	:: else -> skip
	fi
}

inline take(k)
{
	untold[k]++;
	tell(k)
}

/* ---- Taking in -------------------------------------------------------------- */

/* A put writes the region: r' <- v, and sigma + 1. */
inline write(k)
{
	assert(stamp >= read_in[cell / PARTS]);		/* not too late for its read */
	cells[cell] = value;
	updates[cell / PARTS]++;
	if
	:: k != SELF -> came[k]++
	:: else -> skip
	fi
}

/* The paper's RECEIVE, but the data are taken in when they come, not waited for here. */
inline receive(k)
{
	send(k, ack, stamp, cell, 0);
#ifdef BLOCKING_RECEIVE
	if
	:: k == 0 -> in0??data(eval(stamp), eval(cell), value, told, era)
	:: k == 1 -> in1??data(eval(stamp), eval(cell), value, told, era)
	fi;
	hear(k);
	write(k);
	take(k)
#endif
}

inline take_effect(k)
{
	if
	:: kind == put && k == SELF -> write(SELF)
	:: kind == put && k != SELF -> write(k); take(k)
	:: kind == req -> receive(k); take(k)
	:: kind == count -> announced[k] = value; ends++
	:: kind == credit -> skip
	fi
}

/* Takes the reported reads off the unread ones, unless their epoch is over. */
inline hear(k)
{
#ifndef NO_EPOCHS
	told = (era == epoch -> told : 0);
#endif
	assert(told <= unread[k]);
	unread[k] = unread[k] - told;
	told = 0
}

/* An ack: the data leave M_O. */
inline answer(k)
{
	left--;
#ifndef DATA_BEFORE_ACK
	send_counted(k, data, stamp, cell, VALUE(me, stamp))
#endif
}

inline hold(k)
{
	assert(nfull(held));
	held!!stamp, k, kind, cell, value, told, era
}

/* A channel keeps the order of supersteps: nothing that k sent before still waits. */
#define order_kept(k)	!(held??[_, eval(k), _, _, _, _, _])

/* The paper's HANDLE_MESSAGE; M_I is what is held. */
inline arrive(k)
{
#ifndef HELD_CREDIT
	hear(k);
#endif
	if
	:: kind == ack -> answer(k)
	:: kind == data ->
#ifndef DATA_BEFORE_ACK
		assert(stamp < s || (syncing && stamp == s));
#endif
		write(k);
		take(k)
#ifndef HELD_CREDIT
	:: kind == credit -> skip
#endif
	:: else ->
		if
		:: accepts(stamp) ->
#ifdef HELD_CREDIT
			hear(k);
#endif
			assert(order_kept(k));
			take_effect(k)
		:: else -> hold(k)
		fi
	fi;
	forget()
}

inline forget()
{
	d_step { kind = 0; stamp = 0; cell = 0; value = 0; told = 0; era = 0; from = 0 }
}

/* Takes from M_I the messages that waited for this superstep; the oldest comes first. */
inline release()
{
	do
	:: nempty(held) ->
		held?<stamp, from, kind, cell, value, told, era>;
		if
		:: stamp <= s ->
			held?stamp, from, kind, cell, value, told, era;
#ifdef HELD_CREDIT
			if
			:: from != SELF -> hear(from)
			:: else -> skip
			fi;
#endif
			take_effect(from);
			forget()
		:: else -> forget(); break
		fi
	:: empty(held) -> break
	od
}

#define barrier_here	(s == barrier_at || (s == STEPS - 1 && barrier_at != NOT_READ))

/* ---- bsp_put ---------------------------------------------------------------- */

inline put_one(b)
{
	if
	:: !(my_puts[s] & (1 << (b))) -> skip
	:: else ->
		value = VALUE(me, s);
		if
		:: (b) / CELLS == SELF ->
			assert(nfull(held));
			held!!s, SELF, put, (b) % CELLS, value, 0, 0
		:: (b) / CELLS != SELF && (my_asked[s] & (1 << (b))) && !barrier_here ->
			left++;			/* into M_O */
			sums[(b) / CELLS]++;
			send_counted((b) / CELLS, req, s, (b) % CELLS, 0)
#ifdef DATA_BEFORE_ACK
			; send_counted((b) / CELLS, data, s, (b) % CELLS, value)
#endif
		:: else ->
			sums[(b) / CELLS]++;
			send_counted((b) / CELLS, put, s, (b) % CELLS, value)
		fi;
		value = 0
	fi
}

inline put_all()
{
	for (i : 0 .. 3 * CELLS - 1) {
		put_one(i)
	}
	i = 0
}

/* ---- bsp_read --------------------------------------------------------------- */

/* Theorem 1: each cell has what the last put before this superstep wrote. */
inline check(r)
{
	for (i : (r) * PARTS .. (r) * PARTS + PARTS - 1) {
		if
		:: cells[i] != my_wanted[s * CELLS + i] ->
			printf("inconsistent read: process %d, superstep %d, region %d, part %d: ",
			       me, s, r, i % PARTS);
			printf("the value is of process %d, superstep %d, but should be of process %d, superstep %d\n",
			       (cells[i] + 2) % NPROCS, (cells[i] - 1) / NPROCS,
			       (my_wanted[s * CELLS + i] + 2) % NPROCS,
			       (my_wanted[s * CELLS + i] - 1) / NPROCS)
		:: else -> skip
		fi;
		assert(cells[i] == my_wanted[s * CELLS + i])
	}
	i = 0
}

#define reading		(at == READ_1 -> my_second : 1 - my_second)
#define need		my_needs[s * REGIONS + reading]

inline end_read(r)
{
	check(r);
#ifdef NO_TIMESTAMPS
	updates[r] = updates[r] - my_needs[s * REGIONS + (r)]
#else
	assert(updates[r] == my_needs[s * REGIONS + (r)]);
	updates[r] = 0;
	read_in[r] = s
#endif
}

/* ---- bsp_sync --------------------------------------------------------------- */

#ifdef NO_CREDIT
#define has_credit(k)	true
#else
#define has_credit(k)	(fresh[k] == 0 || unread[k] <= WINDOW + fresh[k])
#endif
#define all_here	(ends == 2 && came[0] == announced[0] && came[1] == announced[1])

#define may_leave	(left == 0 && has_credit(0) && has_credit(1) && (!barrier_here || all_here))

inline announce()
{
	send(0, count, s, 0, sums[0]);
	send(1, count, s, 0, sums[1])
}

/* All of this epoch is here: another begins. */
inline begin_epoch()
{
	ends = 0;
	epoch = 1 - epoch;
	for (i : 0 .. 1) {
		sums[i] = 0;
		came[i] = 0;
		announced[i] = 0;
		unread[i] = 0;
		untold[i] = 0
	}
	if
	:: classic -> updates[0] = 0; updates[1] = 0
	:: else -> skip
	fi;
	i = 0
}

inline begin_sync()
{
	if
	:: !my_early -> put_all()
	:: else -> skip
	fi;
	if
	:: barrier_here -> announce()
	:: else -> skip
	fi;
#ifndef NOT_RELEASED
	release()
#endif
#ifdef TOLD_IN_SYNC
	; tell(0); tell(1)
#endif
}

inline end_sync()
{
	if
	:: barrier_here -> begin_epoch()
	:: else -> skip
	fi;
	fresh[0] = 0;
	fresh[1] = 0
}

/* ---- The order of things ---------------------------------------------------- */

inline begin_step()
{
	at = READ_1;
	if
	:: my_early -> put_all()
	:: else -> skip
	fi
}

inline end_wait()
{
	if
	:: at == START -> begin_step()
	:: at == SYNC && s < STEPS - 1 -> end_sync(); s++; begin_step()
	:: at == SYNC && s == STEPS - 1 -> end_sync(); at = END
	:: else -> r = reading; end_read(r); r = 0; at++
	fi
}

/* The wait of a process is over: on to the next one. */
inline go_on()
{
	end_wait();
	do
	:: at < SYNC && need == NOT_READ -> at++
	:: else -> break
	od;
	if
	:: at == SYNC && s == STEPS - 1 && barrier_at == NOT_READ -> at = END
	:: at == SYNC && (s < STEPS - 1 || barrier_at != NOT_READ) -> begin_sync()
	:: else -> skip
	fi
}

/*
 * A process goes on when it has what it waited for, or, with LINGER, takes in more messages
 * first, as many as it likes, in any bsp_sync. Its actions until it waits again are visible to
 * no process but by the messages it sends, so they are one step.
 */
#ifdef LINGER
#define lingers	(at == SYNC)
#else
#define lingers	false
#endif
#ifdef DEAF
#define heard(link)	(at != SYNC && nempty(link) || link?[credit, _, _, _, _, _])
#else
#define heard(link)	nempty(link)
#endif
#define takes_in	(waits || lingers)
#define waits	(at == SYNC && !may_leave || \
		 (at == READ_1 || at == READ_2) && updates[reading] < need)

#ifdef BLOCKING_RECEIVE
#define STEP	atomic
#else
#define STEP	d_step
#endif

/* ---- Processes -------------------------------------------------------------- */

proctype process(byte me; chan in0; chan in1; chan out0; chan out1)
{
	xr in0;
	xr in1;
	xs out0;
	xs out1;
	chan held = [SHELF] of { byte, byte, mtype, byte, byte, byte, bit };	/* M_I, by superstep */
	short my_puts[STEPS], my_asked[STEPS];
	byte my_needs[STEPS * REGIONS], my_wanted[STEPS * CELLS];
	bit my_early, my_second;

	byte s;				/* the superstep */
	byte at;			/* where it waits */
	byte left;			/* of M_O, not sent yet */
	byte cells[CELLS];		/* contents of the regions */
	byte updates[REGIONS];		/* sigma */
	byte read_in[REGIONS];		/* superstep of the last read */

	byte unread[2];			/* messages sent to a peer that it has not told of ... */
	byte fresh[2];			/* ... and those sent in this superstep */
	byte untold[2];			/* messages of a peer taken in but not told of */

	byte sums[2];			/* puts to a peer in this epoch ... */
	byte came[2];			/* ... of a peer, written here ... */
	byte announced[2];		/* ... and as it says */
	byte ends;
	bit epoch;

	mtype kind;			/* the message at hand */
	byte stamp, from, cell, value, told;
	bit era;
	byte i, r, who;
	bit leaves;

	d_step {
		for (i : 0 .. STEPS - 1) {
			my_puts[i] = puts[AT(me, i)];
			my_asked[i] = asked[AT(me, i)]
		}
		for (i : 0 .. STEPS * REGIONS - 1) {
			my_needs[i] = needs[me * STEPS * REGIONS + i]
		}
		for (i : 0 .. STEPS * CELLS - 1) {
			my_wanted[i] = wanted[me * STEPS * CELLS + i]
		}
		my_early = early[me];
		my_second = second[me];
		i = 0
	}
	do
	:: at == END -> break
	:: at != END ->
		atomic {
			if
			:: takes_in && heard(in0) ->
				in0?kind(stamp, cell, value, told, era);
				who = 0
			:: takes_in && heard(in1) ->
				in1?kind(stamp, cell, value, told, era);
				who = 1
			:: !waits -> leaves = 1
			fi;
			STEP {
				if
				:: !leaves -> arrive(who)
				:: else -> skip
				fi;
				do
				:: at != END && !waits && (leaves || !lingers) ->
					leaves = 0;
					go_on()
				:: else -> leaves = 0; break
				od;
				who = 0
			}
		}
	od
}

inline run_all()
{
	for (proc : 0 .. NPROCS - 1) {
		run process(proc, last[PEER(proc, 0)], next[PEER(proc, 1)], next[proc], last[proc])
	}
}

init {
	byte family;
	short seed;

	atomic {
		select(family : FROM .. UPTO);
		if
		:: family == PATTERN -> select(seed : 0 .. 728)
		:: family == RANDOM -> select(seed : FIRST .. LAST)
		:: else -> skip
		fi;
		skip;		/* or select would jump into the d_step */
		d_step {
			choose(family, seed);
			family = 0;
			seed = 0
		}
		run_all()
	}
}
