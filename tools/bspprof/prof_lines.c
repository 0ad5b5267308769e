// SPDX-License-Identifier: BSD-3-Clause
/* prof_lines.c - lines of the callers that a recording has as addresses. */

/*
 * addr2line(1) reads debugging information better than a few lines here could. It is started once
 * for each object that is a file, without a shell, and what it prints is looked at as what comes
 * from outside. A function may be inside of its caller: then the address of its own call has two
 * lines at least, of which the second is that of the caller.
 */

#include "prof_callers.h"

#include "common/build.h"
#include "common/text.h"

#include <fcntl.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

/* The header of the function objects that calls in C++ are: they are a part of the call. */
#define WITHIN_CALL "bsp_site.h:"
/* The file, as some versions print it, of what gcc has compiled with -flto. */
#define NO_FILE "<artificial>:"
#define BUILD "build="

enum {
	BEFORE = 8,		/* arguments before the addresses, and the end */
	ADDRESS = 24,		/* bytes of one */
	BUILD_DIGITS = 16,
};

/* An address as addr2line explains it: its line, and that of the function around it. */
struct lines_place {
	char function[2][120], line[2][120];
	int n;
};

/* A caller as recorded, taken apart: "OBJECT+0xOUTER 0xOWN build=DIGITS". */
struct lines_caller {
	char object[RECORDING_SITE_MOST + 1];
	char outer[ADDRESS], own[ADDRESS];	/* "": there is none */
	uint64_t build;				/* 0: not known */
	bool is_done;
};

static bool is_address(const char *text, size_t len)
{
	return len > 2 && len < ADDRESS && strncmp(text, "0x", 2) == 0 &&
	       strspn(text + 2, "0123456789abcdef") >= len - 2;
}

static bool is_build(const char *text, size_t len)
{
	return len == strlen(BUILD) + BUILD_DIGITS && strncmp(text, BUILD, strlen(BUILD)) == 0 &&
	       strspn(text + strlen(BUILD), "0123456789abcdef") >= BUILD_DIGITS;
}

static void take_apart(const char *recorded, struct lines_caller *c)
{
	const char *plus = strrchr(recorded, '+');
	size_t len = plus ? strcspn(plus + 1, " ") : 0;

	*c = (struct lines_caller){ .is_done = true };
	if (recorded[0] != '/' || !plus || !is_address(plus + 1, len))
		return;
	snprintf(c->object, sizeof(c->object), "%.*s", (int)(plus - recorded), recorded);
	snprintf(c->outer, sizeof(c->outer), "%.*s", (int)len, plus + 1);
	for (const char *word = plus + 1 + len; *word == ' '; word += len) {
		word++;
		len = strcspn(word, " ");
		if (is_address(word, len))
			snprintf(c->own, sizeof(c->own), "%.*s", (int)len, word);
		else if (is_build(word, len))
			c->build = strtoull(word + strlen(BUILD), NULL, 16);
	}
	c->is_done = false;
}

/* ---- addr2line ---------------------------------------------------------------------------- */

/* Its output, to be closed and waited for; NULL: it cannot be started. */
static FILE *start_addr2line(char **argv, pid_t *pid)
{
	posix_spawn_file_actions_t files;
	int ends[2], err;

	if (pipe(ends) < 0)
		return NULL;
	fcntl(ends[0], F_SETFD, FD_CLOEXEC);
	posix_spawn_file_actions_init(&files);
	posix_spawn_file_actions_addopen(&files, 0, "/dev/null", O_RDONLY, 0);
	posix_spawn_file_actions_adddup2(&files, ends[1], 1);
	posix_spawn_file_actions_addopen(&files, 2, "/dev/null", O_WRONLY, 0);
	if (ends[1] > 2)
		posix_spawn_file_actions_addclose(&files, ends[1]);
	err = posix_spawnp(pid, argv[0], &files, NULL, argv, environ);
	posix_spawn_file_actions_destroy(&files);
	close(ends[1]);
	if (err) {
		close(ends[0]);
		return NULL;
	}
	return fdopen(ends[0], "r");
}

/* As much of a line as has room, without its end, and without " (discriminator 2)". */
static bool read_printed(FILE *from, char *text, size_t len)
{
	char line[1024];
	int c = '\0';

	if (!fgets(line, sizeof(line), from))
		return false;
	/* the name of a template may be longer */
	while (!strchr(line, '\n') && c != '\n' && c != EOF)
		c = getc(from);
	line[strcspn(line, "\n")] = '\0';
	if (strstr(line, " (discriminator"))
		*strstr(line, " (discriminator") = '\0';
	snprintf(text, len, "%.*s", (int)len - 1, line);
	return true;
}

/* Others may block when they are opened, or have no end. */
static bool is_file(const char *object)
{
	struct stat st;

	return stat(object, &st) == 0 && S_ISREG(st.st_mode) && st.st_size > 0;
}

/*
 * The places of @n addresses of an object; without addr2line nothing is known of them. It prints an
 * address, then a function and a line, once or more often; then the next address.
 */
static void find_places(char *object, char **addresses, struct lines_place *places, size_t n)
{
	static char *const words[] = { "addr2line", "-a", "-f", "-i", "-s", "-C", "-e" };
	char **argv = calloc(n + BEFORE + 1, sizeof(*argv));
	char text[120], line[120];
	size_t i = 0;
	FILE *from;
	pid_t pid;

	if (!argv || !is_file(object)) {
		free(argv);
		return;
	}
	memcpy(argv, words, sizeof(words));
	argv[BEFORE - 1] = object;
	memcpy(&argv[BEFORE], addresses, n * sizeof(*argv));
	from = start_addr2line(argv, &pid);
	free(argv);
	if (!from)
		return;
	while (read_printed(from, text, sizeof(text))) {
		struct lines_place *p = i > 0 && i <= n ? &places[i - 1] : NULL;

		if (strncmp(text, "0x", 2) == 0) {
			i++;
		} else if (read_printed(from, line, sizeof(line)) && p && p->n < 2 &&
			   (p->n > 0 || strncmp(line, WITHIN_CALL, strlen(WITHIN_CALL)) != 0)) {
			snprintf(p->function[p->n], sizeof(p->function[0]), "%s", text);
			snprintf(p->line[p->n++], sizeof(p->line[0]), "%s", line);
		}
	}
	fclose(from);
	waitpid(pid, NULL, 0);
}

/* ---- Callers ------------------------------------------------------------------------------ */

/* "main() heat.c:76", "main() heat+0x11f3" without debugging information, "heat+0x11f3". */
static void place_text(const struct lines_caller *c, const struct lines_place *outer,
		       const struct lines_place *own, char *text)
{
	const struct lines_place *place = own->n == 2 ? own : outer;
	int which = own->n == 2 ? 1 : 0;
	const char *function = place->n ? place->function[which] : "??";
	const char *line = place->n ? place->line[which] : "??", *slash = strrchr(c->object, '/');
	bool is_known = strncmp(function, "??", 2) != 0;
	char at[PROF_LINE];

	snprintf(at, sizeof(at), "%.120s+%s", slash + 1, c->outer);
	if (own->n < 2 && strcmp(c->outer, "0x0") == 0)
		snprintf(at, sizeof(at), "outside of %.120s", slash + 1);
	else if (strncmp(line, NO_FILE, strlen(NO_FILE)) == 0)
		snprintf(at, sizeof(at), "line %s", line + strlen(NO_FILE));
	else if (line[0] != '?' && strcmp(line + strcspn(line, ":"), ":?") != 0)
		snprintf(at, sizeof(at), "%s", line);
	snprintf(text, PROF_LINE, "%.120s%s%s%.150s", is_known ? function : "",
		 is_known && !strchr(function, '(') ? "()" : "", is_known ? " " : "", at);
}

/* Addresses mean nothing in another build. */
static bool is_rebuilt(const struct lines_caller *c, uint64_t now)
{
	return c->build && now && c->build != now;
}

static void note_rebuilt(const char *object, char *text, size_t room)
{
	size_t len = strlen(text);

	snprintf(text + len, room - len, "%s%s", len ? ", " : "", strrchr(object, '/') + 1);
}

/* All callers in the object of the first of them; does it have any of another build? */
static bool name_those_of(struct lines_caller *callers, struct prof_line *lines, size_t n)
{
	static const struct lines_place none;
	char **addresses = calloc(2 * n, sizeof(*addresses));
	struct lines_place *places = calloc(2 * n, sizeof(*places));
	char *object = callers[0].object;
	uint64_t now = build_id_of_file(object);
	size_t asked = 0, k = 0;
	bool rebuilt = false;

	for (size_t i = 0; addresses && i < n; i++)
		if (!callers[i].is_done && strcmp(callers[i].object, object) == 0 &&
		    !is_rebuilt(&callers[i], now)) {
			addresses[asked++] = callers[i].outer;
			addresses[asked++] = callers[i].own[0] ? callers[i].own : callers[i].outer;
		}
	if (addresses && places)
		find_places(object, addresses, places, asked);
	for (size_t i = 0; i < n; i++) {
		bool is_known = places && !is_rebuilt(&callers[i], now);
		const struct lines_place *outer = is_known ? &places[k] : &none;

		if (callers[i].is_done || strcmp(callers[i].object, object) != 0)
			continue;
		place_text(&callers[i], outer, is_known && callers[i].own[0] ? outer + 1 : &none,
			   lines[i].text);
		callers[i].is_done = true;
		rebuilt |= is_rebuilt(&callers[i], now);
		k += is_known ? 2 : 0;
	}
	free(addresses);
	free(places);
	return rebuilt;
}

void prof_lines_find(struct prof_line *lines, size_t n, char *rebuilt, size_t len)
{
	struct lines_caller *callers = calloc(n, sizeof(*callers));

	for (size_t i = 0; i < n; i++) {
		snprintf(lines[i].text, PROF_LINE, "%.*s", PROF_LINE - 1, lines[i].recorded);
		if (callers)
			take_apart(lines[i].recorded, &callers[i]);
	}
	for (size_t i = 0; callers && i < n; i++)
		if (!callers[i].is_done && name_those_of(&callers[i], &lines[i], n - i))
			note_rebuilt(callers[i].object, rebuilt, len);
	/* they come from outside, and may be cut off within a character */
	for (size_t i = 0; i < n; i++)
		text_make_printable(lines[i].text);
	text_make_printable(rebuilt);
	free(callers);
}
