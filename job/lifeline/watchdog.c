// SPDX-License-Identifier: BSD-3-Clause
/* watchdog.c - whether processes get on, and where they are, by their rank. */

/*
 * Read by the supervisor that has forked the processes, or by the lifeline of one of them, if a
 * launcher has started them. A status may be a moment old.
 */

#include "job/internal.h"

#include <fcntl.h>
#include <stdarg.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { TEXT_MOST = 400 };

static const struct bspj_status *watchdog_status_of(const struct bspj_watchdog *w, int p)
{
	return &w->table->rank[p];
}

static bool is_watched(const struct bspj_watchdog *w, int p)
{
	return !w->node || w->node[p] == w->here;
}

/* ---- Messages ------------------------------------------------------------ */

/* Read memory of this process without faults, even if it is unmapped or being written. */
static size_t peek(const void *at, char *buf, size_t len)
{
	int mem = at ? open("/proc/self/mem", O_RDONLY | O_CLOEXEC) : -1;
	ssize_t n = 0;

	if (mem >= 0) {
		n = pread(mem, buf, len - 1, (off_t)(uintptr_t)at);
		close(mem);
	}
	buf[n > 0 ? n : 0] = '\0';
	return n > 0 ? n : 0;
}

/*
 * A call site is in what the process inherited from us, unless it was loaded
 * later, or in the same program somewhere else; so it is doubted.
 */
static bool peek_text(const char *at, char *text, size_t len)
{
	if (!peek(at, text, len))
		return false;
	for (const char *c = text; *c; c++)
		if (*c < ' ')
			return false;
	return true;
}

/* The text of @site, or of the file and the line that it points to; NULL: it is not to be read. */
static const char *watchdog_text_of(const struct bspj_watchdog *w, int p, const char *site,
				    char *text)
{
	char bytes[sizeof(struct bspj_source) + 1];
	struct bspj_source source;
	size_t len;

	if (bspj_site_is_number(site)) {
		if (!bspj_source_of_number(w->table, site, &source))
			return NULL;
		snprintf(text, TEXT_MOST, "%s:%u", source.file, source.line);
		return text;
	}
	site += w->shift ? w->shift[p] : 0;
	if (bspj_site_is_text(site))
		return peek_text(site, text, TEXT_MOST) && strchr(text, ':') ? text : NULL;
	source = (struct bspj_source){ .file = bspj_site_address(site),
				       .line = bspj_site_line(site) };
	if (bspj_site_is_code(site)) {
		source = bspj_source_of_code(source.file);
	} else if (!source.line) {
		if (peek(bspj_site_address(site), bytes, sizeof(bytes)) != sizeof(source))
			return NULL;
		memcpy(&source, bytes, sizeof(source));
	}
	if (!peek_text(source.file, text, TEXT_MOST - 16))
		return NULL;
	len = strlen(text);
	if (source.line)
		snprintf(text + len, TEXT_MOST - len, ":%u", source.line);
	return text;
}

void bspj_watchdog_report(const struct bspj_watchdog *w, int p, const char *format, ...)
{
	const struct bspj_status *status = watchdog_status_of(w, p);
	const char *site = atomic_load(&status->site);
	enum bspj_state state = bspj_state_of(status);
	bool is_there = state == BSPJ_SYNCING || state == BSPJ_ENDING;
	char reason[TEXT_MOST], text[TEXT_MOST], place[TEXT_MOST + 64];
	va_list args;

	va_start(args, format);
	vsnprintf(reason, sizeof(reason), format, args);
	va_end(args);
	if (site)
		site = watchdog_text_of(w, p, site, text);
	snprintf(place, sizeof(place), "(process %d, %s %u%s%s)", p, w->words->step,
		 atomic_load(&status->step), !site ? "" : is_there ? ", " : ", after ",
		 site ? site : "");
	bspj_say("bsp: %s %s\n", reason, place);
}

/* ---- Progress ------------------------------------------------------------- */

int bspj_watchdog_look_ms(double timeout_s, double warn_s)
{
	double ms = (timeout_s > 0 ? timeout_s : warn_s) * 1000 / 4;

	return ms <= 0 || ms > 1000 ? 1000 : ms < 10 ? 10 : (int)ms;
}

void bspj_watchdog_note_progress(struct bspj_watchdog *w)
{
	w->progress_ns = w->ran_ns;
	w->warned_s = 0;
}

bool bspj_watchdog_moved(struct bspj_watchdog *w)
{
	uint64_t now = bspt_now_ns(), most = w->look_ms * UINT64_C(1000000);
	uint64_t since = w->looked_ns ? now - w->looked_ns : 0, progress = 0;
	int in[BSPJ_STATES] = { 0 };
	bool is_over;

	for (int p = 0; p < w->nprocs; p++) {
		const struct bspj_status *status = watchdog_status_of(w, p);
		enum bspj_state state = bspj_state_of(status);

		if (!is_watched(w, p))
			continue;
		progress += ((uint64_t)atomic_load(&status->step) << 3) + state;
		if (state < BSPJ_STATES)
			in[state]++;
	}
	w->ran_ns += since < most ? since : most;
	w->looked_ns = now;
	/* After its end a program may take its time, unless a process waits for another one. */
	is_over = in[BSPJ_ENDED] && !in[BSPJ_SYNCING] && !in[BSPJ_ENDING];
	if (progress == w->progress && (w->is_leaving || !is_over))
		return false;
	w->progress = progress;
	bspj_watchdog_note_progress(w);
	return true;
}

double bspj_watchdog_still_s(const struct bspj_watchdog *w)
{
	return (w->ran_ns - w->progress_ns) * 1e-9;
}

bool bspj_watchdog_has_expired(const struct bspj_watchdog *w)
{
	return bspj_watchdog_still_s(w) >= w->timeout_s;
}

bool bspj_watchdog_must_warn(const struct bspj_watchdog *w, double warn_s)
{
	double still_s = bspj_watchdog_still_s(w);

	return warn_s > 0 && still_s >= warn_s && still_s >= 2 * w->warned_s;
}

/* A shorter time is no hang. */
enum { HANG_S = 1 };

bool bspj_watchdog_sees_hang(struct bspj_watchdog *w)
{
	return !bspj_watchdog_moved(w) && bspj_watchdog_still_s(w) >= HANG_S;
}

/* ---- Where each of them is ------------------------------------------------- */

static const char *what_is_awaited(const struct bspj_watchdog *w, int p)
{
	uint32_t awaits = atomic_load(&watchdog_status_of(w, p)->state) >> BSPJ_AWAITS_SHIFT;

	return awaits < w->words->nwaits ? w->words->waits[awaits] : NULL;
}

/* As the state says. But a call within a step may wait for memory: that is not computing. */
static enum bspj_state state_of(const struct bspj_watchdog *w, int p)
{
	enum bspj_state state = bspj_state_of(watchdog_status_of(w, p));

	return state == BSPJ_COMPUTING && what_is_awaited(w, p) ? BSPJ_READING :
	       state <= BSPJ_ENDED ? state : BSPJ_STARTING;
}

/* By SIGSTOP, by a terminal or by a debugger. */
static bool is_stopped(const struct bspj_watchdog *w, int p)
{
	int pid = w->pid ? w->pid(w->pid_of, p) : 0;
	char path[40], text[512];
	const char *state;

	if (pid <= 0)
		return false;
	snprintf(path, sizeof(path), "/proc/%d/stat", pid);
	state = bspt_task_stat(path, text, sizeof(text));
	return state && state[0] == ' ' && (state[1] == 'T' || state[1] == 't');
}

static void report_position(const struct bspj_watchdog *w, int p)
{
	const char *stopped = is_stopped(w, p) ? "stopped by a signal or a debugger, " : "";
	const struct bspj_status *status = watchdog_status_of(w, p);
	enum bspj_state state = state_of(w, p);
	const char *what = what_is_awaited(w, p), *doing = w->words->doing[state];
	char text[TEXT_MOST] = "";

	if (what)
		snprintf(text, sizeof(text), what, atomic_load(&status->awaited[0]),
			 atomic_load(&status->awaited[1]));
	if (state == BSPJ_READING && !what && peek(status->waits_for, text, sizeof(text)))
		bspj_watchdog_report(w, p, "  %swaiting in %s", stopped, text);
	else if (state == BSPJ_READING)
		bspj_watchdog_report(w, p, "  %swaiting %s", stopped, text);
	else if (what)
		bspj_watchdog_report(w, p, "  %s%s, waiting %s", stopped, doing, text);
	else
		bspj_watchdog_report(w, p, "  %s%s", stopped, doing);
}

void bspj_watchdog_report_all(const struct bspj_watchdog *w, const char *why, const char *who,
			      const char *so)
{
	char sum[TEXT_MOST] = "";	/* "1 computing, 3 in such a call" */
	size_t at = 0;
	int all = 0;

	for (enum bspj_state s = BSPJ_STARTING; s < BSPJ_STATES; s++) {
		int n = 0;

		for (int p = 0; p < w->nprocs; p++)
			n += is_watched(w, p) && state_of(w, p) == s;
		if (n && at < sizeof(sum))
			at += snprintf(sum + at, sizeof(sum) - at, "%s%d %s", at ? ", " : "", n,
				       w->words->doing[s]);
		all += n;
	}
	bspj_say("bsp: %s; of %d process%s%s: %s%s\n", why, all, all == 1 ? "" : "es", who, sum,
		 so);
	for (int p = 0; p < w->nprocs; p++)
		if (is_watched(w, p))
			report_position(w, p);
}

void bspj_watchdog_warn(struct bspj_watchdog *w, const char *who)
{
	char why[80];

	w->warned_s = bspj_watchdog_still_s(w);
	snprintf(why, sizeof(why), "no progress for %.0f s, and the job goes on", w->warned_s);
	bspj_watchdog_report_all(w, why, who,
				 " (to compute for long is no error; warn of BSP_WAIT)");
}

void bspj_watchdog_report_hang(const struct bspj_watchdog *w, int signo, const char *who)
{
	char why[120];

	snprintf(why, sizeof(why), "asked to end by %s after %.0f s in one %s",
		 signo == SIGINT ? "SIGINT" : signo == SIGQUIT ? "SIGQUIT" : "SIGTERM",
		 bspj_watchdog_still_s(w), w->words->step);
	bspj_watchdog_report_all(w, why, who, "");
}
