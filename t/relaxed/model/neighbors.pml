/* SPDX-License-Identifier: BSD-3-Clause */
/* neighbors.pml - supersteps that end among neighbours, and meetings of all before some others. */

/*
 * NPROCS processes on a line, or with RING on a ring, STEPS supersteps. In each superstep a process
 * puts to each neighbour, or to the next one only (by the bits of PUTS). Superstep ALL ends for all:
 * there each process also sends something to every other one, as registrations are.
 *
 *	put	a chunk: its superstep, and the value, which is the superstep
 *	end	the last chunk of a superstep to a neighbour: how many there were
 *	note	of a meeting: its round, and its superstep
 *
 * Chunks are counted by the parity of their superstep, as in struct bspi_count. The barrier of
 * superstep ALL is a counting one: each process adds its numbers of chunks, and enters it.
 *
 * The model shows, in every order in which messages can be taken in: a process that leaves a
 * superstep has exactly what was put to it in that, no chunk is counted in the wrong epoch, and
 * all processes come to their end. With DISAGREE the first process ends superstep ALL for all, and
 * the others among neighbours: then the job ends by a refusal.
 */

#ifndef NPROCS
#define NPROCS	3
#endif
#ifndef STEPS
#define STEPS	3
#endif
#ifndef ALL
#define ALL	1
#endif
#ifndef PUTS
#define PUTS	2
#endif
#define ROUNDS	2			/* 2^ROUNDS processes at most */
#define ROOM	8			/* of a channel */

#define PAIR(p, q)	((p) * NPROCS + (q))
#ifdef RING
#define NEAR(p, q)	((p) != (q) && ((q) == ((p) + 1) % NPROCS || (p) == ((q) + 1) % NPROCS))
#else
#define NEAR(p, q)	((q) == (p) + 1 || (p) == (q) + 1)
#endif
/* Parts to leave out: the word to neighbours, the meeting, the refusal. */
#ifdef NO_WORD
#define WORD	0
#else
#define WORD	1
#endif
#ifdef NO_MEETING
#define MEETING	0
#else
#define MEETING	1
#endif
#ifdef NO_REFUSAL
#define REFUSE	0
#else
#define REFUSE	1
#endif
/* Does p put to its neighbour q in superstep s? */
#define PUT(p, q, s)	((q) > (p) || ((PUTS >> (s)) & 1))
#ifdef DISAGREE
#define FOR_ALL(p, s)	((s) == ALL && (p) == 0)
#else
#define FOR_ALL(p, s)	((s) == ALL)
#endif

mtype = { put, end, note };
chan way[NPROCS * NPROCS] = [ROOM] of { mtype, byte, byte };

byte at[NPROCS];			/* the superstep that a process is in */
byte entered;				/* processes in the barrier of superstep ALL */
byte counted[NPROCS];			/* chunks for a process, that were added there */
bit refused;				/* the job has ended with a message */

proctype process(byte me)
{
	byte arrived[2], expected[2], ends[2];	/* by parity */
	byte got[NPROCS * 2];		/* value + 1 that each other process has put, by parity */
	bit came[ROUNDS];
	byte step, q, k, value, sent, near;
	bit meets, alone, met, called;	/* called: a note of a meeting has come */

	q = 0;
	do
	:: q < NPROCS -> near = near + (NEAR(me, q) -> 1 : 0); q++
	:: else -> break
	od;

superstep:
	if
	:: step == STEPS -> goto over
	:: else
	fi;
	at[me] = step;
	q = 0;
	d_step {
		do
		:: q < NPROCS && NEAR(me, q) && PUT(me, q, step) ->
			way[PAIR(me, q)]!put(step, step + 1); q++
		:: q < NPROCS && !(NEAR(me, q) && PUT(me, q, step)) -> q++
		:: else -> break
		od
	}
	if
	:: FOR_ALL(me, step) -> goto for_all
	:: else -> alone = 1
	fi;
	if
	:: REFUSE && called && ALL <= step -> refused = 1; goto over
	:: else
	fi;
	q = 0;
	d_step {
		do
		:: q < NPROCS && NEAR(me, q) ->
			way[PAIR(me, q)]!end(step, 1 + (PUT(me, q, step) -> 1 : 0)); q++
		:: q < NPROCS && !NEAR(me, q) -> q++
		:: else -> break
		od
	}
	do
	:: WORD * ends[step % 2] == WORD * near &&
	   WORD * arrived[step % 2] == WORD * expected[step % 2] -> break
	:: else -> goto take_in_1
took_1:	skip
	od;
	goto leave;

for_all:
	meets = 1;
	q = 0;
	d_step {
		do
		:: q < NPROCS && NEAR(me, q) -> way[PAIR(me, q)]!note(step, ROUNDS); q++
		:: q < NPROCS && !NEAR(me, q) -> q++
		:: else -> break
		od
	}
	k = 0;
	do
	:: k < ROUNDS * MEETING ->
		way[PAIR(me, (me + (1 << k)) % NPROCS)]!note(step, k);
		do
		:: came[k] -> break
		:: else -> goto take_in_2
took_2:		skip
		od;
		k++
	:: else -> break
	od;
	meets = 0;
	met = 1;
	called = 0;
	d_step {
		q = 0;
		do
		:: q < NPROCS && q != me ->
			way[PAIR(me, q)]!put(step, step + 1);
			counted[q] = counted[q] + 1 +
				     (NEAR(me, q) && PUT(me, q, step) -> 1 : 0);
			q++
		:: q == me -> q++
		:: else -> break
		od;
		entered++
	}
	do
	:: entered == NPROCS && arrived[step % 2] == counted[me] -> break
	:: else -> goto take_in_3
took_3:	skip
	od;

leave:
	skip;
	d_step {
		alone = 0;
		q = 0;
		do
		:: q < NPROCS && q != me ->
			/* all that was put in this superstep, and nothing else */
			value = ((FOR_ALL(me, step) || (NEAR(me, q) && PUT(q, me, step))) ->
				 step + 1 : 0);
			assert(got[q * 2 + step % 2] == value);
			got[q * 2 + step % 2] = 0;
			assert(!NEAR(me, q) || at[q] + 1 >= at[me]);
			q++
		:: q == me -> q++
		:: else -> break
		od;
		arrived[step % 2] = 0;
		expected[step % 2] = 0;
		ends[step % 2] = 0;
		step++;
		at[me] = step
	}
	goto superstep;

take_in_1:
take_in_2:
take_in_3:
	/* one message of any process; or the barrier ends, which no message says */
	if
	:: way[PAIR(0, me)]?put(sent, value) -> q = 0; goto on_put
	:: way[PAIR(1, me)]?put(sent, value) -> q = 1; goto on_put
	:: way[PAIR(2, me)]?put(sent, value) -> q = 2; goto on_put
#if NPROCS > 3
	:: way[PAIR(3, me)]?put(sent, value) -> q = 3; goto on_put
#endif
	:: way[PAIR(0, me)]?end(sent, value) -> goto on_end
	:: way[PAIR(1, me)]?end(sent, value) -> goto on_end
	:: way[PAIR(2, me)]?end(sent, value) -> goto on_end
#if NPROCS > 3
	:: way[PAIR(3, me)]?end(sent, value) -> goto on_end
#endif
	:: way[PAIR(0, me)]?note(sent, value) -> goto on_note
	:: way[PAIR(1, me)]?note(sent, value) -> goto on_note
	:: way[PAIR(2, me)]?note(sent, value) -> goto on_note
#if NPROCS > 3
	:: way[PAIR(3, me)]?note(sent, value) -> goto on_note
#endif
	:: !meets && !alone && entered == NPROCS && arrived[step % 2] == counted[me] -> goto took
	:: refused -> goto over
	fi;

on_put:
	skip;
	d_step {
#ifdef NO_EPOCHS
		arrived[step % 2]++;
#else
		assert(sent == step || sent == step + 1);	/* two epochs are enough */
		arrived[sent % 2]++;
#endif
#ifdef NO_HOLD
		got[q * 2 + step % 2] = value
#else
		got[q * 2 + sent % 2] = value
#endif
	}
	goto took;

on_end:
	skip;
	d_step {
		assert(sent == step || sent == step + 1);
		arrived[sent % 2]++;
		expected[sent % 2] = expected[sent % 2] + value;
		ends[sent % 2]++
	}
	goto took;

on_note:
	if
	:: met -> goto took			/* to a neighbour, which has met that process already */
	:: REFUSE && !met && !meets && (sent < step || (alone && sent == step)) -> refused = 1; goto over
	:: else -> called = 1
	fi;
	if
	:: value < ROUNDS -> came[value] = 1
	:: else
	fi;

took:
	if
	:: meets -> goto took_2
	:: alone -> goto took_1
	:: else -> goto took_3
	fi;

over:
#ifdef DISAGREE
	(refused)
#else
	assert(step == STEPS && !refused)
#endif
}

init {
	byte p;

	atomic {
		p = 0;
		do
		:: p < NPROCS -> run process(p); p++
		:: else -> break
		od
	}
}
