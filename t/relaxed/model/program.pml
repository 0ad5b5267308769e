/* SPDX-License-Identifier: BSD-3-Clause */
/* program.pml - well-formed programs for relaxed.pml: who puts what to whom, who reads it when. */

/*
 * A program is chosen first and put into the tables below; then the processes run it.
 * Superstep s begins with its reads; puts are of supersteps 0 .. STEPS - 2. Each region has PARTS
 * parts, and one put writes one part. The choice keeps Definition 1:
 *
 *   (1) regions are disjoint: a cell is part of one region.
 *   (2) every process has registered every region.
 *   (3) every put has a read: superstep STEPS - 1 reads every region (must_read).
 *   (4) no two puts on which one read depends write the same cell: waiting[] is set from
 *	the put to the read.
 *
 * The n of a read, and the value that it must find in each cell, follow from the choice.
 */

#define NPROCS	3
#define STEPS	4
#define REGIONS	2
#define PARTS	2
#define CELLS	(REGIONS * PARTS)
#define SELF	2			/* the other two processes are peers 0 and 1 */

#define PEER(p, k)	(((p) + 1 + (k)) % NPROCS)
#define VALUE(p, s)	(1 + (s) * NPROCS + (p))	/* written by process p in superstep s */
#define TO(k, cell)	((k) * CELLS + (cell))		/* bit of a put */
#define AT(p, s)	((p) * STEPS + (s))
#define NOT_READ	255

#ifndef PUTS
#define PUTS	3		/* tries of a random program to place a put, in each superstep */
#endif
/* Does a put ask? @n says which of a program do when some do. */
#if ASKS == 2
#define ASKED(n)	((n) % 2)
#else
#define ASKED(n)	ASKS
#endif

#ifndef FROM
#define FROM	SECTION_5	/* families FROM .. UPTO */
#endif
#ifndef UPTO
#define UPTO	RING
#endif
#ifndef FIRST
#define FIRST	0		/* random programs FIRST .. LAST */
#endif
#ifndef LAST
#define LAST	FIRST
#endif

short puts[NPROCS * STEPS];	/* in this superstep: bits TO(k, cell) */
short asked[NPROCS * STEPS];	/* those of them that go by req, ack, data */
byte needs[NPROCS * STEPS * REGIONS];	/* n of the read, or NOT_READ */
byte wanted[NPROCS * STEPS * CELLS];	/* what a read finds */
bit early[NPROCS];		/* the puts leave before the reads of their superstep */
bit second[NPROCS];		/* region 1 is read before region 0 */
byte barrier_at = NOT_READ;	/* this superstep ends with a global synchronisation ... */
bit classic;			/* ... which also sets the counts to zero */

/* While choosing. */
hidden short rest;
hidden int lot;			/* of a linear congruential generator */
hidden byte step, writer, proc, region, slot, peer, number;
hidden byte waiting[NPROCS * CELLS];
hidden byte pending[NPROCS * REGIONS], content[NPROCS * CELLS], used[NPROCS * NPROCS];

inline draw(bound, result)
{
	lot = (lot * 75 + 74) % 65537;
	result = (lot / 16) % bound
}

/* Process w puts to cell c of process PEER(w, k) in superstep step, if Definition 1 lets it. */
inline place(w, k, c, asks)
{
	proc = PEER(w, k);
	if
	:: waiting[proc * CELLS + (c)] || used[w * NPROCS + proc] == MOST -> skip
	:: else ->
		puts[AT(w, step)] = puts[AT(w, step)] | (1 << TO(k, c));
		asked[AT(w, step)] = asked[AT(w, step)] | ((asks) << TO(k, c));
		waiting[proc * CELLS + (c)] = 1;
		used[w * NPROCS + proc]++;
		content[proc * CELLS + (c)] = VALUE(w, step);
		pending[proc * REGIONS + (c) / PARTS]++
	fi
}

/* Process p reads region r at the beginning of superstep step. */
inline read_here(p, r)
{
	needs[AT(p, step) * REGIONS + (r)] = pending[(p) * REGIONS + (r)];
	pending[(p) * REGIONS + (r)] = 0;
	for (slot : 0 .. PARTS - 1) {
		waiting[(p) * CELLS + (r) * PARTS + slot] = 0
	}
}

/* After a classic superstep everything is there, and nothing of it counts. */
inline settle(p, r)
{
	pending[(p) * REGIONS + (r)] = (classic -> 0 : pending[(p) * REGIONS + (r)])
}

#define must_read	(step == STEPS - 1 || barrier_at == step - 1)

/* The reads of superstep step; with @odds in 4, region by region. */
inline choose_reads(odds)
{
	for (proc : 0 .. NPROCS - 1) {
		for (region : 0 .. REGIONS - 1) {
			draw(4, number);
			if
			:: barrier_at == step - 1 -> settle(proc, region)
			:: else -> skip
			fi;
			if
			:: step > 0 && (number < odds || must_read) -> read_here(proc, region)
			:: else -> needs[AT(proc, step) * REGIONS + region] = NOT_READ
			fi
		}
		for (slot : 0 .. CELLS - 1) {
			wanted[AT(proc, step) * CELLS + slot] = content[proc * CELLS + slot]
		}
	}
	for (slot : 0 .. NPROCS * NPROCS - 1) {
		used[slot] = 0
	}
}

/* PUTS tries to place a put, each with writer, target, cell and kind drawn. */
inline choose_puts()
{
	for (number : 1 .. PUTS) {
		draw(NPROCS, writer);
		draw(7, peer);
		peer = (peer == 6 -> SELF : peer % 2);
		draw(CELLS, slot);
		draw(2, region);
		place(writer, peer, slot, ASKED(region))
	}
}

inline choose_random(seed)
{
	lot = 1 + seed;
	for (number : 0 .. 3) {
		draw(2, region)
	}
	for (proc : 0 .. NPROCS - 1) {
		draw(2, early[proc]);
		draw(2, second[proc])
	}
#ifdef BARRIER
	draw(2, barrier_at);
	draw(2, classic);
#endif
	for (step : 0 .. STEPS - 1) {
		choose_reads(2);
		if
		:: step < STEPS - 1 -> choose_puts()
		:: else -> skip
		fi
	}
}

/*
 * Each process puts nothing, or to the one or to the other, in each of the supersteps 0 and 1.
 * All 729 choices are programs; cells and reads are drawn.
 */
inline choose_pattern(seed)
{
	rest = seed;
	lot = 1 + seed;
	for (step : 0 .. STEPS - 1) {
		choose_reads(2);
		for (writer : 0 .. NPROCS - 1) {
			draw(CELLS, slot);
			draw(2, region);
			peer = rest % 3;
			rest = rest / 3;
			if
			:: step < 2 && peer < SELF -> place(writer, peer, slot, ASKED(region))
			:: else -> skip
			fi
		}
	}
}

/*
 * The paper's section 5: process 0 expects a message of process 1 in superstep 0, and in
 * superstep 2 one of process 2, to the same cell.
 */
inline choose_section_5()
{
	for (step : 0 .. STEPS - 1) {
		choose_reads(4);
		if
		:: step == 0 -> place(1, 1, 0, ASKED(step))
		:: step == 2 -> place(2, 0, 0, ASKED(step + 1))
		:: else -> skip
		fi
	}
}

/* A process puts in every superstep what its peer reads only at the end. */
inline choose_run_ahead()
{
	for (step : 0 .. STEPS - 1) {
		choose_reads(0);
		if
		:: step < STEPS - 1 -> place(0, 0, step, ASKED(step))
		:: else -> skip
		fi
	}
}

/* Everybody puts to both others in every superstep and reads in the next: a total exchange. */
inline choose_exchange()
{
	for (step : 0 .. STEPS - 1) {
		choose_reads(4);
		if
		:: step < STEPS - 1 ->
			for (writer : 0 .. NPROCS - 1) {
				for (peer : 0 .. 1) {
					place(writer, peer, peer * PARTS, ASKED(peer))
				}
			}
		:: else -> skip
		fi
	}
}

/* Everybody puts to the next, twice, to two regions: a ring. */
inline choose_ring()
{
	for (step : 0 .. STEPS - 1) {
		choose_reads(4);
		if
		:: step < STEPS - 1 ->
			for (writer : 0 .. NPROCS - 1) {
				place(writer, 0, 0, ASKED(0));
				place(writer, 0, 3, ASKED(1))
			}
		:: else -> skip
		fi
	}
}

inline clear()
{
	for (slot : 0 .. NPROCS * CELLS - 1) {
		waiting[slot] = 0;
		content[slot] = 0
	}
	for (slot : 0 .. NPROCS * REGIONS - 1) {
		pending[slot] = 0
	}
}

/* Families, the larger ones last. */
#define SECTION_5	0
#define RUN_AHEAD	1
#define RANDOM		2
#define PATTERN		3
#define EXCHANGE	4
#define RING		5

inline choose(which, seed)
{
	clear();
	if
	:: which == SECTION_5 -> choose_section_5()
	:: which == RUN_AHEAD -> choose_run_ahead()
	:: which == EXCHANGE -> choose_exchange()
	:: which == RING -> choose_ring()
	:: which == PATTERN -> choose_pattern(seed)
	:: which == RANDOM -> choose_random(seed)
	fi
}
