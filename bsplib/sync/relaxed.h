/* SPDX-License-Identifier: BSD-3-Clause */
/* relaxed.h - what relaxed synchronisation and virtual time give the rest of the runtime; for bspi.h. */
#ifndef BSPI_RELAXED_H
#define BSPI_RELAXED_H

/* ---- Relaxed synchronisation: relaxed.c, arrival.c, flow.c, ask.c ----------------------- */

int bspi_set_sync(const char *place, int mode);
void bspi_read(const char *place, const void *area, int n);
bool bspi_read_test(const char *place, const void *area, int n);
void bspi_serve(const char *place, const void *area, int n);
void bspi_expect(const char *place, int n);

void bspi_relaxed_open(void);
void bspi_relaxed_close(void);
/* In bsp_sync: the mode set is from now on the mode. True if the superstep ends with a barrier. */
bool bspi_relaxed_begin(void);
/* In one that ends without: take in what is there; serve the gets that were announced, and wait for answers to ours. */
void bspi_relaxed_look(void);
void bspi_relaxed_serve(void);
/* After a barrier: a new epoch. */
void bspi_relaxed_after_barrier(void);

/* arrival.c: what takes effect when. */
void bspi_arrivals_open(void);
/* This superstep ends without a barrier: fails if another process has come to one. */
void bspi_refuse_barrier_of_others(void);
/* Hold the chunks that waited for this superstep with the others. */
void bspi_bring_in(void);
/* A relaxed epoch begins with what is held, or one that is not. */
void bspi_arrivals_begin(void);
void bspi_arrivals_end(void);
/*
 * flow.c: how far a process may run ahead of one that does not take in what it is
 * sent. Counted in units of a cache line, since the epoch began.
 */
struct bspi_flow {
	uint32_t sent;		/* to it */
	uint32_t sent_before;	/* of that, in supersteps before this one */
	uint32_t accepted;	/* of that, as it has told us */
	uint32_t taken;		/* of what came from it, taken in */
	uint32_t told;		/* of that, as we have told it */
	uint32_t nheld;		/* its chunks that are here and not given back, in either mode */
	uint32_t ndone;		/* of these, done: they wait for an earlier one */
	bool has_news;		/* it is to be told */
	bool ended;		/* its last chunk of the epoch has come, of superstep @end_step */
	uint32_t end_step, end_sum;
	struct bspi_arrivals later;	/* of these, those of supersteps after ours, from @first on */
	size_t first;
};

/*
 * A chunk that the receiver handles when it arrives: the records, and how much we have taken in.
 * False if there is no chunk to be had, and no record that must leave.
 */
bool bspi_urgent_send(int pid, const struct bspi_rec *recs, size_t n);
void bspi_flow_open(void);
void bspi_flow_close(void);
void bspi_flow_reset(void);
/* A counted chunk of @len bytes was sent to @pid; one is about to be given back. */
void bspi_flow_sent(int pid, size_t len);
void bspi_flow_released(const struct bspi_arrival *a);
/* @pid tells how much it has taken in. */
void bspi_flow_hear(int pid, uint32_t taken);
/* Tell those who may wait for it how much we have taken in. */
void bspi_flow_tell(void);
/* At the end of a relaxed superstep: wait for those who are too far behind. */
void bspi_flow_wait(void);

/* ask.c: puts that ask first, as those of the paper do: req, ack, data. */
void bspi_ask_put(const struct bspi_transfer *t, uint32_t slot, bool copy);
/* In bsp_sync: ask, or in one with a barrier just send. */
void bspi_ask_all(bool barrier);
/* Until all are sent. */
void bspi_ask_wait(void);
bool bspi_asking(void);
/* The requests of a chunk have taken effect: they are granted. */
void bspi_ask_answer(const struct bspi_arrival *a);
void bspi_ask_forget(void);
void bspi_ask_open(void);
void bspi_ask_close(void);

/* ---- Virtual time: clock.c --------------------------------------------------- */

/* Nanoseconds of whichever clock there is. */
uint64_t bspi_now(void);
/* A chunk arrived: its number. */
uint32_t bspi_clock_note(int from, const char *chunk, size_t len);
/* The chunk that takes effect updates an area. */
void bspi_clock_update(struct bspi_slot *s);
/*
 * A wait depends on it; on all that updated an area; on the held ones of this
 * superstep that have one of @flags, or are counted if that is 0. Then
 * bspi_clock_advance() waits. A chunk that nobody waited for passes: it costs its overhead.
 */
void bspi_clock_need(uint32_t time);
void bspi_clock_need_updates(struct bspi_slot *s);
void bspi_clock_need_held(uint32_t flags);
void bspi_clock_pass(uint32_t time);
/* It is received beside the process, which does not pay: when it arrived. */
struct bspt_event bspi_clock_take(uint32_t time);
void bspi_clock_advance(void);
/* Somebody keeps the number for later; bspi_clock_drop() when he needs it no more. */
void bspi_clock_keep(uint32_t time);
/* Nobody needs it any more. */
void bspi_clock_drop(uint32_t time);
/* This process computes, or does not. */
static inline void bspi_computing(bool on)
{
	if (BSPI_UNLIKELY(bspi.clock))
		bspi.net->ops->computing(bspi.net, on);
}
void bspi_clock_forget(struct bspi_slot *s);
void bspi_clock_close(void);

#endif
